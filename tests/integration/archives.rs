//! Archives give the same rows as their folder.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::Command;

use crate::support::cli::run_with_writer;
use flate2::{Compression, write::GzEncoder};

/// Returns the names and contents of a small archive: one game breaks the rules, one is damaged,
/// and one file is not a game.
fn files() -> Vec<(String, Vec<u8>)> {
    let game = |number: usize| {
        let place = |turn: usize| char::from(b'a' + ((number + turn) % 19) as u8);
        let turns: String =
            (0..10).map(|turn| format!(";{}[{}{}]", ["B", "W"][turn % 2], place(turn), place(turn * 3))).collect();
        format!("(;GM[1]FF[4]SZ[19]KM[6.5]RU[Japanese]PB[b{number}]PW[w{number}]RE[W+R]{turns};B[aa];W[aa])\n")
    };
    let mut files: Vec<(String, Vec<u8>)> =
        (0..30).map(|n| (format!("games/{n:03}.sgf"), game(n).into_bytes())).collect();
    files[7].1.truncate(90);
    files[9].1 = files[9].1.repeat(3000);
    files.push(("games/readme.txt".into(), b"no game (;".to_vec()));
    files.push(("games/without-suffix".into(), files[3].1.clone()));
    files.push(("LICENSE".into(), b"no game either".to_vec()));
    files
}

pub fn tar(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    archive.into_inner().unwrap()
}

pub fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Compresses in the LZMA format that preceded xz, with a length or with an end marker.
pub fn lzma(bytes: &[u8], length: Option<u64>) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(1);
    let mut writer = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, length).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

pub fn seven_z(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    for (name, bytes) in files {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        writer.push_archive_entry(entry, Some(bytes.as_slice())).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns the rows of `jigo check` without the columns that locate a game, the whole output and
/// the exit code.
fn check(folder: &Path, arguments: &[&str], stdin: &[u8]) -> (Vec<String>, String, i32) {
    let bytes = stdin.to_vec();
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.arg("check").args(arguments).current_dir(folder);
    let (output, _) = run_with_writer(&mut command, move |input| input.write_all(&bytes));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.lines().skip(1).map(|row| row.splitn(5, ',').nth(4).unwrap().to_owned()).collect();
    (rows, text, output.status.code().unwrap())
}

#[test]
fn every_archive_format_gives_rows_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let files = files();
    fs::create_dir(folder.path().join("games")).unwrap();
    for (name, bytes) in &files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let (expected, _, _) = check(folder.path(), &["games"], b"");
    assert!(expected.len() > 3000);
    let packed = [
        ("a.zip", zip(&files)),
        ("a.tar", tar(&files)),
        ("a.tar.gz", gzip(&tar(&files))),
        ("a.tgz", gzip(&tar(&files))),
        ("a.tar.xz", xz(&tar(&files))),
        ("a.tar.lzma", lzma(&tar(&files), None)),
        ("a.tar.bz2", bzip2(&tar(&files))),
        ("a.tar.zst", zstd(&tar(&files))),
        ("a.7z", seven_z(&files)),
        ("nested.zip", zip(&[("inner/a.tar.gz".to_owned(), gzip(&tar(&files)))])),
        ("nested.tar", tar(&[("inner/a.zip".to_owned(), zip(&files)), ("a.txt".to_owned(), b"x".to_vec())])),
    ];
    for (name, bytes) in &packed {
        fs::write(folder.path().join(name), bytes).unwrap();
        let (rows, text, code) = check(folder.path(), &[name], b"");
        assert!(rows == expected, "{name}: {}", text.lines().take(5).collect::<Vec<_>>().join("\n"));
        assert_eq!(code, 1, "{name}");
        let inner = if name.starts_with("nested") { format!("{name}!inner/a.") } else { format!("{name}!games/0") };
        assert!(text.contains(&inner), "{name}");
        for jobs in ["1", "3"] {
            assert_eq!(check(folder.path(), &["--jobs", jobs, name], b"").1, text, "{name}");
        }
        assert!(check(folder.path(), &["-"], bytes).0 == expected, "{name} on standard input");
    }
    let collection: Vec<u8> = files
        .iter()
        .filter(|(name, _)| name.starts_with("games/") && !name.ends_with(".txt"))
        .flat_map(|(_, bytes)| [bytes.as_slice(), b"\n"].concat())
        .collect();
    for (rows, what) in [
        (check(folder.path(), &["-"], &collection).0, "a collection"),
        (check(folder.path(), &["-"], &gzip(&collection)).0, "a packed collection"),
    ] {
        // The columns of cycles follow the byte in the file.
        let without_byte = |rows: &[String]| -> Vec<String> {
            let columns = rows.iter().map(|row| row.rsplitn(6, ',').collect::<Vec<_>>());
            columns.map(|columns| [&columns[..4], &columns[5..]].concat().join(",")).collect()
        };
        let is_same = without_byte(&rows) == without_byte(&expected);
        assert!(is_same, "{what}: {} and {} rows", rows.len(), expected.len());
    }
}

#[test]
fn compressed_files_are_named_by_content() {
    let folder = tempfile::tempdir().unwrap();
    let game = &files()[0].1;
    for (name, bytes) in [
        ("g.sgf.gz", gzip(game)),
        ("g.sgf.xz", xz(game)),
        ("g.sgf.lzma", lzma(game, Some(game.len() as u64))),
        ("g.sgf.bz2", bzip2(game)),
        ("g.sgf.zst", zstd(game)),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let (_, text, _) = check(folder.path(), &[name], b"");
        assert!(text.contains(&format!("{name}!g.sgf,1,0,")), "{text}");
    }
    let (_, text, _) = check(folder.path(), &["."], b"");
    assert_eq!(text.lines().filter(|line| line.contains("P001")).count(), 10, "{text}");
}

#[test]
fn damaged_archives_are_findings_and_keep_sound_files() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = files().into_iter().filter(|(name, _)| name != "games/009.sgf").collect();
    let truncated = |bytes: Vec<u8>| bytes[..bytes.len() * 3 / 4].to_vec();
    // Damaged archives, each with its finding and exit code.
    for (name, bytes, finding, expected) in [
        ("cut.zip", truncated(zip(&files)), "I012", 2),
        ("cut.tar", truncated(tar(&files))[..10_000].to_vec(), "I012", 2),
        ("cut.tar.gz", truncated(gzip(&tar(&files))), "I012", 2),
        ("cut.tar.xz", truncated(xz(&tar(&files))), "I012", 2),
        ("cut.tar.lzma", truncated(lzma(&tar(&files), None)), "I012", 2),
        ("cut.tar.bz2", truncated(bzip2(&tar(&files))), "I012", 2),
        ("cut.tar.zst", truncated(zstd(&tar(&files))), "I012", 2),
        ("cut.7z", truncated(seven_z(&files)), "I012", 2),
        ("noise.tar.gz", vec![7; 5000], "I012", 2),
        ("noise.7z", vec![7; 5000], "I012", 2),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let (_, text, code) = check(folder.path(), &[name], b"");
        let codes: Vec<&str> = ["I002", "I012"].into_iter().filter(|code| text.contains(code)).collect();
        assert_eq!((codes, code), (vec![finding], expected), "{name}: {text}");
        if matches!(name, "cut.zip" | "cut.tar") {
            assert!(text.contains("P001"), "{name} has no game: {text}");
        }
    }
    let mut wrong = zip(&files);
    let middle = wrong.windows(4).position(|window| window == b"PB[b" || window == b"GM[1").unwrap_or(60);
    wrong[middle] ^= 1;
    fs::write(folder.path().join("wrong.zip"), wrong).unwrap();
    let (_, text, _) = check(folder.path(), &["wrong.zip"], b"");
    assert_eq!(text.lines().filter(|line| line.contains("I012")).count(), 1, "{text}");
    assert!(text.contains("029.sgf"));
}

#[test]
fn encrypted_member_is_a_finding_and_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = zip(&files()[..3]);
    // The encryption flag of the second member, in its local header and in the central directory.
    let headers = |bytes: &[u8], mark: &[u8]| -> Vec<usize> {
        (0..bytes.len() - 4).filter(|offset| &bytes[*offset..*offset + 4] == mark).collect()
    };
    let (local, listed) = (headers(&bytes, b"PK\x03\x04")[1], headers(&bytes, b"PK\x01\x02")[1]);
    bytes[local + 6] |= 1;
    bytes[listed + 8] |= 1;
    fs::write(folder.path().join("a.zip"), bytes).unwrap();
    let (_, text, code) = check(folder.path(), &["a.zip"], b"");
    assert!(text.contains("a.zip!games/001.sgf") && text.contains("I011"), "{text}");
    assert!(text.contains("games/000.sgf") && text.contains("games/002.sgf"));
    assert_eq!(code, 1);
}

#[test]
fn zip_with_password_is_named_and_open_members_are_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.zip"), include_bytes!("../packed/encrypted.zip")).unwrap();
    let (_, text, _) = check(folder.path(), &["a.zip"], b"");
    let encrypted: Vec<&str> = text.lines().filter(|line| line.contains("I011")).collect();
    assert!(encrypted.len() == 1 && encrypted[0].starts_with("a.zip!games/hidden.sgf"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("a.zip!games/open.sgf,1,") && line.contains("H009")), "{text}");
}

#[test]
fn bombs_stop_at_limits_that_options_raise() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = gzip(&vec![b' '; 100 << 20]);
    fs::write(folder.path().join("bomb.sgf.gz"), bomb).unwrap();
    let limited = |arguments: &[&str]| check(folder.path(), arguments, b"").1.contains("I013");
    assert!(limited(&["bomb.sgf.gz"]));
    assert!(!limited(&["--max", "ratio=2000", "bomb.sgf.gz"]));
    assert!(limited(&["--max", "ratio=2000", "--max", "unpacked=1000000", "bomb.sgf.gz"]));
    let files = files();
    fs::write(folder.path().join("a.zip"), zip(&files)).unwrap();
    assert!(limited(&["--max", "members=30", "a.zip"]));
    assert!(!limited(&["--max", "members=31", "a.zip"]));
    let single = zip(&[("b.zip".to_owned(), zip(&[("a.zip".to_owned(), zip(&files))]))]);
    fs::write(folder.path().join("c.zip"), single).unwrap();
    assert!(limited(&["c.zip"]));
    assert!(!limited(&["--max", "nesting=2", "c.zip"]));
}

/// Returns the code and the file of each finding of a check.
fn codes(folder: &Path, arguments: &[&str]) -> Vec<(String, String)> {
    let (_, text, code) = check(folder, arguments, b"");
    assert!(code <= 2, "{arguments:?}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap()).map(|row| (row[7].to_owned(), row[0].to_owned())).collect()
}

/// An archive in an archive, 42 levels deep. It is unpacked up to the requested nesting, on little
/// stack, and the bytes of every level count.
#[test]
fn forty_two_levels_are_unpacked_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let level = (0..42).fold(zip(&files()[..1]), |level, _| zip(&[("x.zip".to_owned(), level)]));
    fs::write(folder.path().join("deep.zip"), level).unwrap();
    let found = codes(folder.path(), &["deep.zip"]);
    assert_eq!(found.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), ["I013"]);
    let found = codes(folder.path(), &["--max", "nesting=100", "deep.zip"]);
    assert!(found.iter().any(|(code, _)| code == "P001"), "{found:?}");
    assert!(found.iter().any(|(_, file)| file.ends_with("games/000.sgf")), "{found:?}");
    let found = codes(folder.path(), &["--max", "nesting=100", "--max", "unpacked=20k", "deep.zip"]);
    assert!(found.iter().any(|(code, _)| code == "I013"), "{found:?}");
}

/// Paths that lead out of a folder, links, devices and pipes. Files are read regardless of their
/// path, nothing is written, and the other entries are skipped.
#[test]
fn tar_with_unsafe_entries_is_read_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let game = files().remove(0).1;
    let mut archive = tar::Builder::new(Vec::new());
    let kinds = [
        ("/etc/absolute.sgf", tar::EntryType::Regular),
        ("../../up.sgf", tar::EntryType::Regular),
        ("link.sgf", tar::EntryType::Symlink),
        ("hard.sgf", tar::EntryType::Link),
        ("device.sgf", tar::EntryType::Char),
        ("disk.sgf", tar::EntryType::Block),
        ("pipe.sgf", tar::EntryType::Fifo),
        ("folder.sgf", tar::EntryType::Directory),
    ];
    for (name, kind) in kinds {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.as_old_mut().linkname[..11].copy_from_slice(b"/etc/passwd");
        header.set_entry_type(kind);
        let bytes: &[u8] = if kind == tar::EntryType::Regular { &game } else { b"" };
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        archive.append(&header, bytes).unwrap();
    }
    fs::write(folder.path().join("a.tar"), archive.into_inner().unwrap()).unwrap();
    let mut files: Vec<String> = codes(folder.path(), &["a.tar"]).into_iter().map(|(_, file)| file).collect();
    files.sort();
    files.dedup();
    assert_eq!(files, ["a.tar!../../up.sgf", "a.tar!/etc/absolute.sgf"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is written");
    assert!(!Path::new("/etc/absolute.sgf").exists());
}

/// Members that jigo does not need are also unpacked, so their bytes count.
#[test]
fn bomb_next_to_games_stops_at_limits() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0; 100 << 20];
    let bomb = gzip(&tar(&[("zeros.txt".to_owned(), zeros), files().remove(0)]));
    fs::write(folder.path().join("a.tar.gz"), bomb).unwrap();
    let limited = |arguments: &[&str]| codes(folder.path(), arguments).iter().any(|(code, _)| code == "I013");
    assert!(limited(&["a.tar.gz"]));
    assert!(!limited(&["--max", "ratio=2000", "a.tar.gz"]));
    assert!(limited(&["--max", "ratio=2000", "--max", "unpacked=50M", "a.tar.gz"]));
}

/// Returns a zip with one member that contains `packed`, the bytes compressed with `method`.
fn zip_by_method(method: u16, packed: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    writer.start_file("games/a.sgf", options).unwrap();
    writer.write_all(packed).unwrap();
    let mut zip = writer.finish().unwrap().into_inner();
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    let listed = zip.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    // The method, the CRC and the unpacked length, in the local header and in the central
    // directory.
    for (offset, value) in [(8, 14), (listed + 10, listed + 16)] {
        zip[offset..offset + 2].copy_from_slice(&method.to_le_bytes());
        zip[value..value + 4].copy_from_slice(&crc.sum().to_le_bytes());
        zip[value + 8..value + 12].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    }
    zip
}

#[test]
fn other_zip_methods_are_read_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    let games = files()[9].1.clone();
    let mut wrong = zip_by_method(93, &zstd(&games), &games);
    wrong[14] ^= 1;
    let listed = wrong.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    wrong[listed + 16] ^= 1;
    for (name, bytes, occupied, faults) in [
        ("zstd.zip", zip_by_method(93, &zstd(&games), &games), 3000, 0),
        ("xz.zip", zip_by_method(95, &xz(&games), &games), 3000, 0),
        ("lzma.zip", include_bytes!("../packed/lzma.zip").to_vec(), 100, 0),
        ("ppmd.zip", zip_by_method(98, &games, &games), 0, 1),
        ("wrong.zip", wrong, 3000, 1),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let (_, text, code) = check(folder.path(), &["--select", "P001,I", name], b"");
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        assert_eq!((count("P001"), count("I012")), (occupied, faults), "{name}: {}", &text[..text.len().min(500)]);
        assert_ne!(code, 0, "{name}");
        assert!(name != "ppmd.zip" || text.contains("method not supported: 98"));
    }
}

#[test]
fn concatenated_compressed_streams_are_all_read() {
    let folder = tempfile::tempdir().unwrap();
    let game = &files()[0].1;
    for (name, bytes) in
        [("g.sgf.gz", gzip(game)), ("g.sgf.xz", xz(game)), ("g.sgf.bz2", bzip2(game)), ("g.sgf.zst", zstd(game))]
    {
        fs::write(folder.path().join(name), bytes.repeat(3)).unwrap();
        let (_, text, _) = check(folder.path(), &["--select", "P001", name], b"");
        assert_eq!(text.lines().count(), 1 + 3 * 2, "{name}: {text}");
        let truncated = [bytes.repeat(2), bytes[..bytes.len() / 2].to_vec()].concat();
        fs::write(folder.path().join(name), truncated).unwrap();
        let (_, text, _) = check(folder.path(), &["--select", "P001,I012", name], b"");
        assert_eq!(text.lines().filter(|line| line.contains("I012")).count(), 1, "{name}: {text}");
        assert_eq!(text.lines().filter(|line| line.contains("P001")).count(), 2 * 2, "{name}: {text}");
    }
}

#[test]
fn encrypted_7z_is_a_finding_with_or_without_list() {
    let folder = tempfile::tempdir().unwrap();
    let (member, list) = (include_bytes!("../packed/encrypted.7z"), include_bytes!("../packed/encrypted-list.7z"));
    for (name, bytes) in [("member.7z", member.to_vec()), ("list.7z", list.to_vec())] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let (_, text, code) = check(folder.path(), &[name], b"");
        assert_eq!(text.lines().filter(|line| line.contains("I011")).count(), 1, "{name}: {text}");
        assert_eq!(code, 2, "{name}");
    }
}

/// Archives of every kind, size and state in one folder. The rows don't depend on how many are
/// unpacked at once, and a broken archive affects only its own rows.
#[test]
fn archives_give_same_rows_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let files = files();
    let (game, large, small) = (&files[0].1, &files[9].1, &files[..9]);
    // Turns that never repeat compress badly, so these archives are read as streams.
    let mut state = 1u64;
    let mut turn = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("C[{state:x}]")
    };
    let unlike = |turns: usize, turn: &mut dyn FnMut() -> String| -> Vec<u8> {
        let comments: String = (0..turns).map(|_| format!(";B[aa]{}", turn())).collect();
        format!("(;SZ[19]KM[0]RU[NZ]{comments})").into_bytes()
    };
    let mut packed: Vec<(String, Vec<u8>)> = Vec::new();
    for number in 0..48 {
        let name = |ending: &str| format!("{number:03}.{ending}");
        packed.push(match number % 12 {
            0 => (name("sgf.xz"), xz(&unlike(18_000, &mut turn))),
            1 => (name("tar.gz"), gzip(&tar(small))),
            2 => (name("sgf.gz"), gzip(large)),
            3 => (name("zip"), zip(small)),
            4 => (name("sgf.bz2"), bzip2(game)),
            5 => (name("sgf.zst"), zstd(game)),
            6 => (name("sgf"), game.clone()),
            _ => (name("sgf.gz"), gzip(game)),
        });
    }
    packed
        .push(("big.zip".into(), zip(&[("a.sgf".into(), large.clone()), ("b.sgf".into(), unlike(50_000, &mut turn))])));
    for (name, bytes) in &packed {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let select = ["--select", "P001,I", "--jobs"];
    let run = |jobs| check(folder.path(), &[&select[..], &[jobs, "."]].concat(), b"").1;
    let rows_of = |text: &str, name: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with(&format!("./{name}"))).map(str::to_owned).collect()
    };
    let sound = run("1");
    assert!(packed.iter().all(|(name, _)| !rows_of(&sound, name).is_empty()) && !sound.contains("I01"));
    for jobs in ["2", "3", "16"] {
        assert!(run(jobs) == sound, "{jobs} threads");
    }
    let broken = ["012.sgf.xz", "013.tar.gz", "026.sgf.gz", "027.zip", "028.sgf.bz2", "031.sgf.gz"];
    for name in broken {
        let bytes = &packed.iter().find(|(other, _)| other == name).unwrap().1;
        fs::write(folder.path().join(name), &bytes[..bytes.len() / 2]).unwrap();
    }
    let damaged = run("1");
    for jobs in ["2", "3", "16"] {
        assert!(run(jobs) == damaged, "{jobs} threads");
    }
    for (name, _) in &packed {
        let (before, after) = (rows_of(&sound, name), rows_of(&damaged, name));
        match broken.contains(&name.as_str()) {
            true => assert!(after.iter().any(|row| row.contains("I012")), "{name}: {after:?}"),
            false => assert!(before == after, "{name}"),
        }
    }
}

/// Returns a file that hardly compresses and is not a game.
fn noise() -> (String, Vec<u8>) {
    let byte = |number: u32| (number.wrapping_mul(number).wrapping_mul(2_654_435_761) >> 15) as u8;
    ("noise.txt".into(), (0..200_000).map(byte).collect())
}

/// Returns a tar and a zip in which the third file has the name of the second. The test programs
/// can't write such a zip, so the test renames a member.
fn with_repeated_name(files: &[(String, Vec<u8>)]) -> (Vec<u8>, Vec<u8>) {
    let mut files = files.to_vec();
    let (old, new) = (files[2].0.clone(), files[1].0.clone());
    let mut zip = zip(&files);
    while let Some(offset) = zip.windows(old.len()).position(|window| window == old.as_bytes()) {
        zip[offset..offset + new.len()].copy_from_slice(new.as_bytes());
    }
    files[2].0 = new;
    (tar(&files), zip)
}

/// Covers each way of reading a zip: a small one is unpacked whole, a large one by its central
/// directory, and one in an archive or from standard input as a stream.
#[test]
fn zip_members_with_same_name_are_all_read() {
    let folder = tempfile::tempdir().unwrap();
    let small: Vec<_> = files().into_iter().filter(|(name, _)| name != "games/009.sgf").collect();
    let mut large = small.clone();
    large.push(noise());
    for (files, name) in [(small, "small"), (large, "large")] {
        let (tar, zip) = with_repeated_name(&files);
        assert_eq!(zip.len() > 128 << 10, name == "large");
        let outer = self::zip(&[("inner.zip".to_owned(), zip.clone())]);
        let write = |ending: &str, bytes: &[u8]| {
            let file = format!("{name}.{ending}");
            fs::write(folder.path().join(&file), bytes).unwrap();
            check(folder.path(), &[&file], b"").0
        };
        let expected = write("tar", &tar);
        assert!(expected.len() > 29, "{name}");
        assert_eq!(write("zip", &zip), expected, "{name}");
        assert_eq!(write("nested.zip", &outer), expected, "{name}");
        assert_eq!(check(folder.path(), &["-"], &zip).0, expected, "{name}");
    }
}

/// In a zip that was written to a pipe, the length of a file follows the file, so only the central
/// directory tells where a file ends.
#[test]
fn piped_zip_with_repeated_name_is_read_by_its_directory() {
    let mut archive = zip::ZipWriter::new_stream(Vec::new());
    for (number, (_, bytes)) in files().iter().take(3).enumerate() {
        archive.start_file(format!("{number}.sgf"), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    let mut zip = archive.finish().unwrap().into_inner();
    while let Some(offset) = zip.windows(5).position(|window| window == b"1.sgf") {
        zip[offset] = b'0';
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.zip"), zip).unwrap();
    let rows = codes(folder.path(), &["a.zip"]);
    let expected = [("I012", "a.zip"), ("P001", "a.zip!0.sgf"), ("P001", "a.zip!2.sgf")];
    assert_eq!(rows, expected.map(|(code, file)| (code.to_owned(), file.to_owned())));
}

/// A central directory can be longer than its end record states, for example with 65,537 members
/// and no zip64 end record. jigo reports it and reads all members.
#[test]
fn zip_with_wrong_member_count_loses_none() {
    let folder = tempfile::tempdir().unwrap();
    for files in [files(), [files(), vec![noise()]].concat()] {
        for count in [0, 1, files.len() - 1, files.len()] {
            let mut bytes = zip(&files);
            let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06").unwrap();
            bytes[end + 8] = count as u8;
            bytes[end + 10] = count as u8;
            fs::write(folder.path().join("a.zip"), bytes).unwrap();
            let (_, text, _) = check(folder.path(), &["a.zip"], b"");
            let reports = text.lines().filter(|line| line.contains("I012")).count();
            assert_eq!(reports, usize::from(count != files.len()), "{count}: {text}");
            assert!(text.contains("a.zip!games/029.sgf"), "{count}");
        }
    }
}

/// Bombs next to each other, and one zip full of them, with little memory: each has a row.
#[test]
fn many_bombs_take_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = gzip(&vec![b' '; 16 << 20]);
    fs::create_dir(folder.path().join("bombs")).unwrap();
    for number in 0..60 {
        fs::write(folder.path().join(format!("bombs/{number:03}.sgf.gz")), &bomb).unwrap();
    }
    let members: Vec<(String, Vec<u8>)> = (0..60).map(|n| (format!("{n:03}.sgf.gz"), bomb.clone())).collect();
    fs::write(folder.path().join("bombs.zip"), zip(&members)).unwrap();
    let limited = |input: &str, jobs: u32| {
        let script = format!(
            "ulimit -v 400000; exec {} check --max unpacked=12M --jobs {jobs} {input}",
            env!("CARGO_BIN_EXE_jigo")
        );
        let mut command = Command::new("sh");
        // With a single arena, address space follows the allocations.
        command.args(["-c", &script]).current_dir(folder.path()).env("MALLOC_ARENA_MAX", "1");
        let output = command.output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 2), "{input}: {output:?}");
        String::from_utf8(output.stdout).unwrap().lines().filter(|line| line.contains("I013")).count()
    };
    for jobs in [1, 4] {
        assert_eq!(limited("bombs", jobs), 60);
        assert_eq!(limited("bombs.zip", jobs), 1);
    }
}

/// A name may contain the character that separates archive and member.
#[test]
fn members_with_an_exclamation_mark_keep_their_names() {
    let folder = crate::support::cli::Folder::new();
    let game = |name: &str| format!("(;GM[1]FF[4]SZ[9]PB[{name}];B[aa];W[bb])").into_bytes();
    let packed = |name: &str| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&game(name)).unwrap();
        packed.finish().unwrap()
    };
    let named = |name: &str, bytes| (name.to_owned(), bytes);
    let inner = zip(&[named("!.sgf.gz", packed("six")), named("a!b!.sgf", game("seven"))]);
    let files = [
        named("Go!.sgf", game("one")),
        named("Go!.sgf.gz", packed("two")),
        named("d!/.!x.sgf.gz", packed("three")),
        named("x!b.sgf", game("four")),
        named("b.sgf", game("five")),
        named("n!.zip", inner),
    ];
    let expected = [
        ("Go!.sgf", "one"),
        ("Go!.sgf.gz!Go!.sgf", "two"),
        ("d!/.!x.sgf.gz!.!x.sgf", "three"),
        ("x!b.sgf", "four"),
        ("b.sgf", "five"),
        ("n!.zip!!.sgf.gz!!.sgf", "six"),
        ("n!.zip!a!b!.sgf", "seven"),
    ];
    for (archive, bytes) in [("a!.zip", zip(&files)), ("a!.tar", tar(&files))] {
        folder.file(archive, bytes);
        let run = folder.run(&format!("check -q --max nesting=2 --select H008 {archive}"));
        let names: Vec<String> = expected.map(|(name, _)| format!("{archive}!{name}")).to_vec();
        assert_eq!(run.column("file"), names, "{}", run.err);
        for (name, player) in expected {
            let shown = folder.run(&format!("show --max nesting=2 {archive}!{name}"));
            assert!(shown.out.contains(player), "{name}: {}{}", shown.out, shown.err);
        }
        let out = format!("out-{archive}");
        assert_eq!(folder.run(&format!("fix -q --max nesting=2 --out {out} {archive}")).code, 0);
        assert!(folder.list().contains(&format!("{out}/{archive}/d!/.!x.sgf.gz/.!x.sgf")), "{:?}", folder.list());
    }
}
