//! Archives with false headers affect only their own rows, with little memory and next to sound
//! files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::archives::{bzip2, gzip, seven_z, tar, xz, zip, zstd};
use crate::support::cli::ILLEGAL;
use crate::support::generated::Random;
use crate::support::invariants::{crc, update_checksums};

/// Runs `jigo check` over a folder with a limit of address space in kilobytes and a time limit. An
/// endless run is killed.
fn check(folder: &Path, arguments: &str, kilobytes: u32) -> Output {
    let script =
        format!("ulimit -v {kilobytes}; ulimit -t 120; exec {} check --quiet {arguments}", env!("CARGO_BIN_EXE_jigo"));
    let mut command = Command::new("sh");
    // With a single arena, address space follows the allocations.
    command.args(["-c", &script]).current_dir(folder).env("MALLOC_ARENA_MAX", "1");
    command.output().unwrap()
}

/// Returns the rows of a run. Panics if the run was killed or if the first or last row is not from
/// a sound file.
fn rows(output: &Output, what: &str) -> Vec<String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code <= 2), "{what}: {:?} {errors}", output.status);
    let rows: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    for sound in ["./a.sgf,", "./z.sgf,"] {
        assert!(rows.iter().any(|row| row.starts_with(sound) && row.contains("P001")), "{what}: {sound} {rows:?}");
    }
    rows
}

/// Returns a folder with a sound file that comes first and one that comes last.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.sgf"), ILLEGAL).unwrap();
    fs::write(folder.path().join("z.sgf"), ILLEGAL).unwrap();
    folder
}

/// Returns the tar header of a file with the given number of bytes and the given GNU entry type.
fn tar_header(kind: u8, bytes: u64) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("n.sgf").unwrap();
    header.set_entry_type(tar::EntryType::new(kind));
    header.set_size(bytes);
    header.set_cksum();
    header.as_bytes().to_vec()
}

/// Returns a tar with a GNU sparse file of many zeros: no bytes in the tar and one entry at the
/// end.
fn sparse_tar() -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("n.sgf").unwrap();
    header.set_entry_type(tar::EntryType::GNUSparse);
    header.set_size(0);
    let gnu = header.as_gnu_mut().unwrap();
    let many = b"177777777777";
    gnu.sparse[0].offset.copy_from_slice(many);
    gnu.sparse[0].numbytes.copy_from_slice(b"000000000000");
    gnu.realsize.copy_from_slice(many);
    header.set_cksum();
    [header.as_bytes().to_vec(), vec![0; 1024]].concat()
}

/// Returns an xz file whose block states a dictionary of 4 GiB.
fn wide_xz() -> Vec<u8> {
    let mut bytes = xz(ILLEGAL.as_bytes());
    let length = (usize::from(bytes[12]) + 1) * 4;
    let header = &mut bytes[12..12 + length];
    let property = header.windows(2).position(|pair| pair == b"\x21\x01").unwrap() + 2;
    header[property] = 40;
    let checksum = crc(&header[..length - 4]);
    header[length - 4..].copy_from_slice(&checksum);
    bytes
}

/// A 7z of 32 bytes that states a list of 4 EiB.
const LONG_LIST: [u8; 32] = [
    0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4, 0xC4, 0xC3, 0x26, 0x57, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0x40, 0, 0, 0, 0,
];

/// Returns a 7z with this list and matching checksums.
fn seven_z_with_list(list: &[u8]) -> Vec<u8> {
    let place = [&0u64.to_le_bytes()[..], &(list.len() as u64).to_le_bytes(), &crc(list)].concat();
    [&LONG_LIST[..8], &crc(&place), &place, list].concat()
}

#[test]
fn false_header_sizes_take_no_memory_and_hide_no_file() {
    let (many, huge) = ([0xF0, 0, 0, 0, 4], [0xFF, 0, 0, 0, 0, 0, 0, 64, 0]);
    let list = |parts: &[&[u8]]| seven_z_with_list(&parts.concat());
    let long_names = |kind| [tar_header(kind, 4 << 30), vec![0; 8 << 20]].concat();
    let mut wide_zstd = zstd(ILLEGAL.as_bytes());
    // Without a single segment and a dictionary number, the window is nearly 4 TiB.
    wide_zstd.splice(4..6, [0, 0xFF]);
    for (name, bytes, code) in [
        ("list.7z", LONG_LIST.to_vec(), "I012"),
        ("files.7z", list(&[&[1, 5], &many, &[0, 0]]), "I012"),
        ("more-files.7z", list(&[&[1, 5], &huge, &[0, 0]]), "I012"),
        ("packed.7z", list(&[&[1, 4, 6, 0], &huge, &[9, 0, 0, 0]]), "I012"),
        ("folders.7z", list(&[&[1, 4, 7, 11], &huge, &[0, 0, 0]]), "I012"),
        ("coders.7z", list(&[&[1, 4, 7, 11, 1, 0], &huge, &[0, 0]]), "I012"),
        ("m.sgf.xz", wide_xz(), "I013"),
        ("m.sgf.zst", wide_zstd, "I013"),
        ("pax.tar", long_names(b'x'), "I013"),
        ("name.tar", long_names(b'L'), "I013"),
        ("link.tar", long_names(b'K'), "I013"),
        ("pax.tar.gz", gzip(&long_names(b'x')), "I013"),
        ("sparse.tar", sparse_tar(), "I013"),
    ] {
        let folder = folder();
        fs::write(folder.path().join(name), bytes).unwrap();
        let rows = rows(&check(folder.path(), ".", 512 << 10), name);
        let reported: Vec<_> = rows.iter().filter(|row| row.contains(name)).collect();
        assert!(reported.len() == 1 && reported[0].contains(code), "{name}: {reported:?}");
    }
}

#[test]
fn max_memory_raises_limit_and_one_member_fails_alone() {
    let folder = folder();
    let game = ILLEGAL.as_bytes().to_vec();
    fs::write(folder.path().join("m.sgf.xz"), xz(&game)).unwrap();
    let inner = [("b.sgf.xz".to_owned(), wide_xz()), ("c.sgf".to_owned(), game)];
    fs::write(folder.path().join("n.tar"), tar(&inner)).unwrap();
    fs::write(folder.path().join("o.7z"), seven_z(&inner)).unwrap();
    fs::write(folder.path().join("p.zip"), zip(&inner)).unwrap();
    let with = |memory: &str| rows(&check(folder.path(), &format!("--max memory={memory} ."), 512 << 10), memory);
    let count_rows = |rows: &[String], name: &str, code: &str| {
        rows.iter().filter(|row| row.starts_with(&format!("./{name}")) && row.contains(code)).count()
    };
    let usual = with("256M");
    assert_eq!((count_rows(&usual, "m.", "I013"), count_rows(&usual, "m.", "P001")), (0, 1));
    for archive in ["n.tar", "o.7z", "p.zip"] {
        assert_eq!(count_rows(&usual, &format!("{archive}!b.sgf.xz"), "I013"), 1, "{archive}: {usual:?}");
        assert_eq!(count_rows(&usual, &format!("{archive}!c.sgf"), "P001"), 1, "{archive}: {usual:?}");
    }
    let little = with("64k");
    assert_eq!((count_rows(&little, "m.", "I013"), count_rows(&little, "m.", "P001")), (1, 0));
}

/// Changes bytes, most often in the first header, or cuts off the end.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.index(6) {
        let within = if random.index(10) < 7 { bytes.len().min(600) } else { bytes.len() };
        let offset = random.index(within);
        for byte in bytes.iter_mut().skip(offset).take(random.one_of(&[1, 1, 1, 4, 8])) {
            let any = random.next() as u8;
            *byte = random.one_of(&[0, 1, 127, 128, 255, any]);
        }
    }
    if random.index(6) == 0 {
        bytes.truncate(1 + random.index(bytes.len() - 1));
    }
}

/// Mutations of each kind of archive. `JIGO_MUTATIONS` sets another number for a long run.
const MUTATIONS: usize = 200;
/// Archives in a folder.
const ARCHIVES_PER_FOLDER: usize = 200;

#[test]
fn archives_with_changed_headers_end_no_run() {
    let count = std::env::var("JIGO_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTATIONS);
    let files: Vec<(String, Vec<u8>)> = (0..3)
        .map(|number| {
            (format!("{number}{}.sgf", "n".repeat(90 * number)), ILLEGAL.repeat(1 + 40 * number).into_bytes())
        })
        .collect();
    let game = ILLEGAL.repeat(30).into_bytes();
    let kinds = [
        ("m.zip", zip(&files)),
        ("m.tar", tar(&files)),
        ("m.7z", seven_z(&files)),
        ("m.sgf.gz", gzip(&game)),
        ("m.sgf.xz", xz(&game)),
        ("m.sgf.zst", zstd(&game)),
        ("m.sgf.bz2", bzip2(&game)),
        ("m.tar.gz", gzip(&tar(&files))),
    ];
    let mut random = Random(count as u64);
    for (name, sound) in kinds {
        for first in (0..count).step_by(ARCHIVES_PER_FOLDER) {
            let folder = folder();
            for number in first..count.min(first + ARCHIVES_PER_FOLDER) {
                let mut bytes = sound.clone();
                mutate(&mut bytes, &mut random);
                if random.index(4) > 0 {
                    update_checksums(&mut bytes);
                }
                let mut file = fs::File::create(folder.path().join(format!("{number:05}{name}"))).unwrap();
                file.write_all(&bytes).unwrap();
            }
            let output = check(folder.path(), "--select P001,I .", 512 << 10);
            // Keeps the folder for inspection when a run is killed.
            if output.status.code().is_none_or(|code| code > 2) {
                let kept = folder.keep();
                panic!("{name}: {:?}, see {}", output, kept.display());
            }
            rows(&output, name);
        }
    }
}

/// The LZMA2 decoder loops forever if it is called again after an error within a chunk.
#[test]
fn changed_7z_ends_and_other_files_are_reported() {
    let files = [("1.sgf".to_owned(), ILLEGAL.repeat(3).into_bytes()), ("2.sgf".to_owned(), ILLEGAL.into())];
    let sound = seven_z(&files);
    for changed in [0x7F, 0x80, 0xFF] {
        let folder = folder();
        for offset in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[offset] = changed;
            update_checksums(&mut bytes);
            fs::write(folder.path().join(format!("{offset:05}.7z")), bytes).unwrap();
        }
        rows(&check(folder.path(), "--select P001,I .", 512 << 10), "7z");
    }
}

/// In these rows the long names take far more bytes than the games.
#[test]
fn long_names_take_bounded_memory_and_keep_rows() {
    let folder = folder();
    let games = "(;B[aa]W[aa])".repeat(3_000).into_bytes();
    let long = format!("{}.sgf", "n".repeat(60_000));
    fs::write(folder.path().join("long.zip"), zip(&[(long, games.clone()), ("b.sgf".into(), games.clone())])).unwrap();
    let short = [("n.sgf".to_owned(), games.clone()), ("b.sgf".to_owned(), games)];
    fs::write(folder.path().join("short.zip"), zip(&short)).unwrap();
    let rows_of = |name: &str| rows(&check(folder.path(), &format!("./a.sgf {name} ./z.sgf"), 400 << 10), name);
    let (long, short) = (rows_of("long.zip"), rows_of("short.zip"));
    // The row without the file name starts after the first comma.
    let rest = |rows: &[String]| -> Vec<String> {
        rows.iter().map(|row| row.split_once(',').map_or("", |(_, rest)| rest).to_owned()).collect()
    };
    assert!(rest(&long) == rest(&short));
    let names: std::collections::BTreeSet<&str> = long.iter().filter_map(|row| row.split(',').next()).collect();
    assert_eq!(names.len(), 5);
    assert!(names.iter().all(|name| name.len() <= 4096));

    let id = "i".repeat(1_000_000);
    let line = format!("{{\"id\":\"{id}\",\"sgf\":\"{}\"}}\n", "(;B[aa]W[aa])".repeat(3_000));
    fs::write(folder.path().join("m.jsonl"), line).unwrap();
    let output = check(folder.path(), "--input-format jsonl m.jsonl", 400 << 10);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout.split(|byte| *byte == b'\n').count(), 2 + 3_000 * 7);
}

/// Arrow and Parquet tables of records with any bytes changed.
#[cfg(feature = "columnar")]
#[test]
fn changed_record_tables_end_no_run() {
    let count = std::env::var("JIGO_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTATIONS);
    let folder = folder();
    let jigo = || Command::new(env!("CARGO_BIN_EXE_jigo"));
    let split =
        jigo().args(["split", "-q", "--output", "s.arrows", "a.sgf", "z.sgf"]).current_dir(folder.path()).status();
    assert!(split.unwrap().success());
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/tables");
    let seeds = fs::read_dir(seeds).unwrap().map(|entry| entry.unwrap().path());
    let mut tables: Vec<_> = seeds.chain([folder.path().join("s.arrows")]).collect();
    tables.sort();
    assert!(tables.len() > 8);
    let mut random = Random(9);
    for table in tables {
        let sound = fs::read(&table).unwrap();
        for first in (0..count).step_by(ARCHIVES_PER_FOLDER) {
            let mut names = String::from("s.arrows\n");
            for number in first..count.min(first + ARCHIVES_PER_FOLDER) {
                let mut bytes = sound.clone();
                mutate(&mut bytes, &mut random);
                // A file without its magic bytes is not read as a table.
                bytes.splice(..4.min(bytes.len()), sound[..4].iter().copied());
                fs::write(folder.path().join(format!("{number}.table")), bytes).unwrap();
                names += &format!("{number}.table\n");
            }
            fs::write(folder.path().join("names"), names + "s.arrows\n").unwrap();
            let output = check(folder.path(), "--select P001 --files-from names", 512 << 10);
            assert!(output.status.code().is_some_and(|code| code <= 2), "{}: {output:?}", table.display());
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.matches("\na.sgf,").count() >= 2 && text.matches("\nz.sgf,").count() >= 2, "{text}");
        }
    }
}
