//! The files, diffs, rows and exit codes of `jigo fix`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::damage::game;
use crate::support::cli::{CLEAN, Folder, ILLEGAL};
use crate::support::report_skipped;

/// A game with KM in hundredths of a point. `jigo fix` writes it in points.
const HUNDREDTHS: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[750]RE[B+R];B[ee];W[cc];B[gg])";
/// A game with two PB properties that contradict each other.
const TWICE: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]PB[A]PB[B]RE[B+R];B[ee];W[cc];B[gg])";

fn with_komi_in_points(text: &str) -> String {
    text.replace("KM[750]", "KM[7.5]")
}

/// Returns a file in which some games need a fix. Long stretches of unchanged lines separate them.
fn collection() -> String {
    let games: Vec<String> = (0..40)
        .map(|number| {
            let lines = game(number, 60).replace(";B", "\n;B");
            if number % 13 == 5 { lines.replace("KM[6.5]", "KM[650]").replacen("];W", ";W", 1) } else { lines }
        })
        .collect();
    games.join("\n\n") + "\n"
}

#[test]
fn fix_without_output_flag_writes_nothing() {
    let folder = Folder::new();
    folder.file("a.sgf", HUNDREDTHS).file("b.sgf", CLEAN);
    let ran = folder.run("fix .");
    assert_eq!((ran.code, ran.rows().len()), (1, 1), "{}", ran.out);
    assert_eq!(
        (ran.column("code"), ran.column("before"), ran.column("after")),
        (vec!["H010".into()], vec!["750".into()], vec!["7.5".into()])
    );
    assert_eq!((folder.read("a.sgf"), folder.list().len()), (HUNDREDTHS.into(), 2));
    assert_eq!(folder.run("fix --quiet b.sgf").code, 0);
    assert_eq!(folder.run("fix --exit-zero .").code, 0);
    assert_eq!(folder.run("fix --select K .").code, 0, "no fix of that code");
    assert_eq!(folder.run("fix --ignore H010 .").rows().len(), 0);
    for refused in [
        "fix --limit 1 .",
        "fix --input-format jsonl .",
        "fix --out x --in-place .",
        "fix --backup .orig .",
        "fix --out - a.sgf b.sgf",
    ] {
        assert_eq!(folder.run(refused).code, 2, "{refused}");
    }
}

/// A fix may not insert a pass that makes another pass necessary, or each run would add one more.
#[test]
fn missing_pass_is_inserted_once() {
    let folder = Folder::new();
    for (text, expected) in [
        ("(;GM[1]SZ[9];B[aa];B[bb];W[cc];W[dd])", "(;GM[1]SZ[9];B[aa];W[];B[bb];W[cc];B[];W[dd])"),
        ("(;GM[1]SZ[9];PL[W];B[aa])", "(;GM[1]SZ[9];PL[W];W[];B[aa])"),
        ("(;GM[1]SZ[9];B[aa]PL[W];W[bb])", "(;GM[1]SZ[9];B[aa]PL[W];W[bb])"),
        ("(;GM[1]SZ[9];AB[cc]W[aa]W[bb])", "(;GM[1]SZ[9];AB[cc];W[aa];B[];W[bb])"),
    ] {
        folder.file("a.sgf", text);
        for run in 1..=3 {
            folder.run("fix --unsafe --select P,D --in-place --backup .old --force a.sgf");
            assert_eq!(folder.read("a.sgf"), expected, "{text}, run {run}");
        }
    }
}

/// A fix that leaves the same problem in place would be made again in every run.
#[test]
fn unsafe_fix_is_made_once() {
    let folder = Folder::new();
    for text in [";GM[(;GM\0[]", "(;GM[1]SZ[9];B[aa];GM[1]SZ[9];W[bb]", "(;GM[1]SZ[9]C[a;B[aa]W[bb];B[cc"] {
        folder.file("a.sgf", text);
        let run = || {
            folder.run("fix --unsafe --ignore R --in-place --backup .old --force a.sgf");
            folder.read("a.sgf")
        };
        let (first, second, third) = (run(), run(), run());
        assert_ne!(first, text);
        // The number of passes follows from the turns of the text as read.
        assert!(third == second && second.len() <= first.len() + ";W[]".len(), "{text}: {first} {second} {third}");
    }
}

#[test]
fn nul_bytes_are_removed_in_every_charset() {
    let folder = Folder::new();
    let texts: [(&[u8], &str); 3] = [
        (b"(;CA[Shift_JIS]GM[1]SZ[9]PB[\x88\xE4\x8E\x52\0\0];B[aa])", "(;CA[UTF-8]GM[1]SZ[9]PB[井山];B[aa])"),
        (b"(;CA[GBK]GM[1]SZ[9]\0\0;B[aa]C[\xBF\xC2\xBD\xE0]\x1A)", "(;CA[UTF-8]GM[1]SZ[9];B[aa]C[柯洁])"),
        (b"(;CA[UTF-8]GM[1]SZ[9]PB[\xE4\xBA\x95];B[aa]\0)", "(;CA[UTF-8]GM[1]SZ[9]PB[井];B[aa])"),
    ];
    for (text, expected) in texts {
        folder.file("a.sgf", text);
        let checked = folder.run("check --select D013 a.sgf");
        let nul = text.iter().position(|byte| matches!(byte, 0 | 0x1A)).unwrap();
        assert!(checked.out.contains("D013,nul-bytes,warning"), "{expected}: {}", checked.out);
        let listed = folder.run("fix a.sgf").out;
        assert!(listed.contains("D013") && listed.contains(&format!(",true,{nul},true,")), "{listed}");
        for run in 1..=2 {
            folder.run("fix --in-place --backup .old --force a.sgf");
            assert_eq!(folder.read("a.sgf"), expected, "run {run}");
        }
    }
}

#[cfg(unix)]
#[test]
fn in_place_changes_and_backs_up_fixed_files_only() {
    let folder = Folder::new();
    folder.file("a.sgf", HUNDREDTHS).file("b.sgf", CLEAN).file("c.sgf", ILLEGAL);
    let old = SystemTime::now() - Duration::from_secs(100_000);
    for name in ["a.sgf", "b.sgf"] {
        fs::File::options().append(true).open(folder.path().join(name)).unwrap().set_modified(old).unwrap();
    }
    std::os::unix::fs::symlink("a.sgf", folder.path().join("link.sgf")).unwrap();
    fs::set_permissions(folder.path().join("a.sgf"), std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let ran = folder.run("fix --in-place --backup .orig link.sgf b.sgf c.sgf");
    assert_eq!(ran.code, 1, "an error is left: {}", ran.err);
    assert!(
        ran.err.contains("1 fix in 1 game (1 safe, 0 unsafe), 1 file changed\n        1  info     H010 "),
        "{}",
        ran.err
    );
    assert_eq!(folder.list(), ["a.sgf", "a.sgf.orig", "b.sgf", "c.sgf", "link.sgf"]);
    assert_eq!((folder.read("a.sgf"), folder.read("a.sgf.orig")), (with_komi_in_points(HUNDREDTHS), HUNDREDTHS.into()));
    assert!(fs::symlink_metadata(folder.path().join("link.sgf")).unwrap().is_symlink());
    let metadata = |name: &str| fs::metadata(folder.path().join(name)).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata("a.sgf").permissions()) & 0o777, 0o640);
    assert_eq!(["b.sgf", "a.sgf.orig"].map(|name| metadata(name).modified().unwrap()), [old; 2]);
    folder.file("a.sgf", HUNDREDTHS);
    assert_eq!(folder.run("fix --in-place --backup .orig a.sgf").code, 2, "the backup is there");
    assert_eq!(folder.read("a.sgf"), HUNDREDTHS);
    assert_eq!(folder.run("fix --in-place --backup .orig --force a.sgf").code, 0);
    assert_eq!(folder.read("a.sgf"), with_komi_in_points(HUNDREDTHS));
}

/// The log lists exactly the changes that were made, even when the run fails.
#[test]
fn log_lists_changes_made_before_failure() {
    let folder = Folder::new();
    let name = |number: usize| format!("g/{number:03}.sgf");
    // Files get their names at the end of a batch, so there are several batches.
    let long_game = HUNDREDTHS.replacen(";B", &format!(";C[{}]B", "x".repeat(20_000)), 1);
    for number in 0..200 {
        folder.file(&name(number), &long_game);
    }
    folder.file(&(name(150) + ".orig"), "mine");
    let ran = folder.run("fix --in-place --backup .orig --log log.csv g");
    assert!(ran.code == 2 && ran.err.contains("150.sgf.orig is there already"), "{}", ran.err);
    let changed = (0..200).filter(|number| folder.read(&name(*number)) == with_komi_in_points(&long_game)).count();
    assert!((64..150).contains(&changed), "{changed}");
    assert!(ran.err.contains(&format!("{changed} files are changed")), "{}", ran.err);
    let log = folder.read("log.csv");
    let listed: Vec<String> = log.lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned()).collect();
    assert_eq!(listed, (0..changed).map(name).collect::<Vec<_>>());
}

/// A file without a change gets no output. Later files are still fixed, each at its own path.
#[test]
fn files_after_unchanged_file_are_fixed() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;GM[2]B[aa])");
    for name in ["b.sgf", "c.sgf", "d.sgf"] {
        folder.file(name, HUNDREDTHS);
    }
    let ran = folder.run("fix --in-place --exit-zero --log log.csv .");
    assert!(ran.code == 0 && ran.err.contains("3 files changed"), "{}", ran.err);
    assert_eq!(
        ["b.sgf", "c.sgf", "d.sgf"].map(|name| folder.read(name)),
        [(); 3].map(|()| with_komi_in_points(HUNDREDTHS))
    );
    assert!(!folder.read("log.csv").contains("a.sgf"));
}

#[cfg(unix)]
#[test]
fn file_with_two_names_is_fixed_once() {
    let folder = Folder::new();
    folder.file("g/a.sgf", HUNDREDTHS).file("g/z.sgf", HUNDREDTHS);
    std::os::unix::fs::symlink("a.sgf", folder.path().join("g/m.sgf")).unwrap();
    let ran = folder.run("fix --in-place --log log.csv g");
    assert!(ran.code == 0 && ran.err.contains("g/m.sgf leads to a file that is fixed already"), "{}", ran.err);
    assert!(ran.err.contains("2 files changed"), "{}", ran.err);
    assert_eq!(
        ["g/a.sgf", "g/m.sgf", "g/z.sgf"].map(|name| folder.read(name)),
        [(); 3].map(|()| with_komi_in_points(HUNDREDTHS))
    );
    assert_eq!(folder.read("log.csv").lines().count(), 3);
}

#[test]
fn copies_keep_names_and_unchanged_copies_keep_times() {
    let folder = Folder::new();
    folder.file("in/x/a.sgf", HUNDREDTHS).file("in/b.sgf", CLEAN);
    let old = SystemTime::now() - Duration::from_secs(100_000);
    fs::File::options().append(true).open(folder.path().join("in/b.sgf")).unwrap().set_modified(old).unwrap();
    let ran = folder.run("fix --out copy --log log.jsonl in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(
        (folder.read("copy/in/x/a.sgf"), folder.read("copy/in/b.sgf")),
        (with_komi_in_points(HUNDREDTHS), CLEAN.into())
    );
    assert_eq!(fs::metadata(folder.path().join("copy/in/b.sgf")).unwrap().modified().unwrap(), old);
    let row: serde_json::Value = serde_json::from_str(&folder.read("log.jsonl")).unwrap();
    assert_eq!(
        (&row["file"], &row["code"], &row["safe"], &row["byte"]),
        (&"in/x/a.sgf".into(), &"H010".into(), &true.into(), &31.into())
    );
    assert_eq!(folder.run("fix --out copy in").code, 2, "files are there");
    assert_eq!(folder.run("fix --out copy --force in").code, 0);
    assert_eq!(folder.run("fix --out one.sgf in/x/a.sgf").code, 0);
    assert_eq!(folder.read("one.sgf"), with_komi_in_points(HUNDREDTHS));
    let piped = folder.run_with_input("fix --quiet --out - -", HUNDREDTHS);
    assert_eq!((piped.code, piped.out), (0, with_komi_in_points(HUNDREDTHS)));
}

/// Holds for changed and unchanged files, and also when the copy replaces a file that
/// everyone can read.
#[test]
#[cfg(unix)]
fn copy_permissions_are_no_broader_than_source() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    let set =
        |name: &str, mode| fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    folder.file("umask", "");
    let usual = mode("umask");
    let files =
        [("a.sgf", HUNDREDTHS, 0o600), ("b.sgf", CLEAN, 0o600), ("c.sgf", CLEAN, 0o444), ("d.sgf", HUNDREDTHS, 0o666)];
    for (name, text, mode) in files {
        folder.file(&format!("in/{name}"), text);
        set(&format!("in/{name}"), mode);
    }
    let old = SystemTime::now() - Duration::from_secs(100_000);
    fs::File::open(folder.path().join("in/c.sgf")).unwrap().set_modified(old).unwrap();
    for force in ["", "--force"] {
        assert_eq!(folder.run(&format!("fix -q {force} --out copy in")).code, 0);
        for (name, _, source) in files {
            assert_eq!(mode(&format!("copy/in/{name}")), source & usual, "{name} {force}");
            set(&format!("copy/in/{name}"), 0o664 & usual);
        }
        assert_eq!(fs::metadata(folder.path().join("copy/in/c.sgf")).unwrap().modified().unwrap(), old);
    }
    assert_eq!((folder.run("fix -q --out one.sgf in/a.sgf").code, mode("one.sgf")), (0, 0o600));
    // An in-place fix keeps the permissions of the file.
    assert_eq!((folder.run("fix -q --in-place in/d.sgf").code, mode("in/d.sgf")), (0, 0o666));
}

#[test]
fn archive_members_are_written_as_files() {
    let folder = Folder::new();
    let mut zip = zip::ZipWriter::new(fs::File::create(folder.path().join("a.zip")).unwrap());
    for (name, text) in [("x/one.sgf", HUNDREDTHS), ("../two.sgf", CLEAN)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let refused = folder.run("fix --in-place a.zip");
    assert!(refused.code == 2 && refused.err.contains("--rewrite-archives"), "{}", refused.err);
    let zip = fs::read(folder.path().join("a.zip")).unwrap();
    let in_folder = folder.file("loose.sgf", HUNDREDTHS).run("fix --in-place .");
    assert!(in_folder.code == 0 && in_folder.err.contains("a.zip is skipped: "), "{}", in_folder.err);
    assert!(in_folder.err.contains(", 1 file changed\n        1  info     H010 "), "{}", in_folder.err);
    assert_eq!(folder.read("loose.sgf"), with_komi_in_points(HUNDREDTHS));
    assert_eq!(fs::read(folder.path().join("a.zip")).unwrap(), zip);
    assert_eq!(folder.run("fix --out out a.zip").code, 0);
    let written: Vec<String> =
        folder.list().into_iter().filter(|name| name.starts_with("out/") && name.ends_with(".sgf")).collect();
    assert_eq!(written, ["out/a.zip/two.sgf", "out/a.zip/x/one.sgf"]);
    assert_eq!(folder.read("out/a.zip/x/one.sgf"), with_komi_in_points(HUNDREDTHS));
}

/// A zip is replaced as a file is: with its backup, and only if one of its files changes. The other
/// files keep their packed bytes, and legacy names theirs.
#[test]
fn zip_is_written_anew_with_its_other_files_as_they_were() {
    let folder = Folder::new();
    let legacy = [&b"\xB0\xA2.sgf"[..], b"xx.sgf"];
    let write = |files: &[(&str, &str)]| {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        zip.set_comment("of the club").unwrap();
        for (name, text) in files {
            zip.start_file(*name, zip::write::SimpleFileOptions::default().unix_permissions(0o600)).unwrap();
            std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
        }
        let mut bytes = zip.finish().unwrap().into_inner();
        let offsets: Vec<usize> =
            bytes.windows(6).enumerate().filter(|(_, name)| *name == legacy[1]).map(|(at, _)| at).collect();
        offsets.iter().for_each(|at| bytes[*at..at + 6].copy_from_slice(legacy[0]));
        bytes
    };
    let before = write(&[("读.txt", "no game"), ("xx.sgf", HUNDREDTHS), ("../d.sgf", HUNDREDTHS), ("c.sgf", CLEAN)]);
    folder.file("in/a.zip", &before).file("in/clean.zip", write(&[("c.sgf", CLEAN)])).file("in/b.tar", "");
    folder.file("in/nested.zip", write(&[("c.sgf", HUNDREDTHS)]));
    let fix = "fix --in-place --rewrite-archives --backup .orig --log log.csv --force in";
    let run = folder.run(fix);
    assert!(run.code == 0 && run.err.contains("2 files changed"), "{}", run.err);
    assert_eq!(folder.read("log.csv").lines().count(), 4);
    assert_eq!(fs::read(folder.path().join("in/a.zip.orig")).unwrap(), before);
    assert!(!folder.path().join("in/clean.zip.orig").exists());
    let after = fs::read(folder.path().join("in/a.zip")).unwrap();
    let mut after_zip = zip::ZipArchive::new(std::io::Cursor::new(&after)).unwrap();
    let mut before_zip = zip::ZipArchive::new(std::io::Cursor::new(&before)).unwrap();
    assert_eq!((after_zip.len(), after_zip.comment()), (4, &b"of the club"[..]));
    for index in 0..4 {
        let [before, after] = [&mut before_zip, &mut after_zip].map(|zip| {
            let mut file = zip.by_index(index).unwrap();
            let text = std::io::read_to_string(&mut file).unwrap();
            (file.name_raw().to_vec(), file.unix_mode(), file.last_modified(), text)
        });
        assert_eq!(after.3, with_komi_in_points(&before.3), "{:?}", String::from_utf8_lossy(&before.0));
        assert_eq!((after.0, after.1, after.2), (before.0, before.1, before.2));
    }
    let again = folder.run(fix);
    assert!(again.code == 0 && again.err.contains("0 files changed"), "{}", again.err);
    assert_eq!(fs::read(folder.path().join("in/a.zip")).unwrap(), after);
    let after_data = [&after[..], b"more"].concat();
    folder.file("in/a.zip", &after_data);
    let skipped = folder.run(fix);
    assert!(skipped.code == 0 && skipped.err.contains("a.zip is skipped: it can't be written anew"), "{}", skipped.err);
}

/// `--force` makes no difference: a run replaces only files from before the run.
#[test]
fn sources_with_same_output_path_get_distinct_names() {
    let folder = Folder::new();
    let row = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"sgf\":\"{text}\"}}\n");
    let rows = [("k/./a/b.sgf", HUNDREDTHS), ("k/a/b.sgf", CLEAN), ("k/a/b.sgf", TWICE), ("k/a/b.sgf/c.sgf", TWICE)];
    folder.file("t.jsonl", rows.map(|(id, text)| row(id, text)).concat());
    for flags in ["", "--force"] {
        let ran = folder.run(&format!("fix --exit-zero {flags} --out out t.jsonl"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let written: Vec<String> =
            folder.list().into_iter().filter(|name| name.starts_with("out/") && name.ends_with(".sgf")).collect();
        assert_eq!(written, ["out/k/a/b-2.sgf", "out/k/a/b-3.sgf", "out/k/a/b.sgf", "out/k_a_b.sgf_c.sgf"]);
        let texts: Vec<String> = written.iter().map(|name| folder.read(name)).collect();
        assert_eq!(texts, [CLEAN, TWICE, &with_komi_in_points(HUNDREDTHS), TWICE]);
        let expected = "k/a/b.sgf goes to out/k/a/b-2.sgf: another source has its name";
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

/// An unchanged file is copied from its source. A table row has no source file to copy.
#[test]
fn row_named_like_a_file_keeps_its_text() {
    let folder = Folder::new();
    let old = SystemTime::now() - Duration::from_secs(100_000);
    folder.file("t.jsonl", format!("{{\"id\":\"a.sgf\",\"sgf\":\"{CLEAN}\"}}\n")).file("a.sgf", TWICE);
    fs::File::options().append(true).open(folder.path().join("a.sgf")).unwrap().set_modified(old).unwrap();
    assert_eq!(folder.run("fix --exit-zero --out out t.jsonl a.sgf").code, 0);
    assert_eq!((folder.read("out/a.sgf"), folder.read("out/a-2.sgf")), (CLEAN.into(), TWICE.into()));
    assert_eq!(fs::metadata(folder.path().join("out/a-2.sgf")).unwrap().modified().unwrap(), old);
}

#[test]
fn unsafe_fix_needs_unsafe_flag() {
    let folder = Folder::new();
    folder.file("a.sgf", TWICE);
    assert_eq!(folder.run("fix a.sgf").rows().len(), 0);
    let ran = folder.run("fix --unsafe a.sgf");
    assert_eq!((ran.code, ran.column("safe"), ran.column("before")), (1, vec!["false".into()], vec!["PB[B]".into()]));
    assert_eq!(folder.run("fix --unsafe --in-place a.sgf").code, 0);
    assert_eq!(folder.read("a.sgf"), TWICE.replace("PB[B]", ""));
}

#[test]
fn implied_passes_and_handicaps_are_unsafe_fixes() {
    let folder = Folder::new();
    let twice = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[cc];W[gc];B[gg];B[cg])";
    let stones = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[0.5]HA[3]RE[B+R]AB[cc][gg];W[ee];B[gc])";
    folder.file("twice.sgf", twice).file("stones.sgf", stones);
    assert_eq!(folder.run("fix .").rows().len(), 0);
    let ran = folder.run("fix --unsafe --in-place .");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(folder.read("twice.sgf"), twice.replace(";W[gc]", ";B[];W[gc]").replace(";B[cg]", ";W[];B[cg]"));
    assert_eq!(folder.read("stones.sgf"), stones.replace("HA[3]", "HA[2]"));
    assert_eq!(folder.run("fix --unsafe .").rows().len(), 0);
    assert_eq!(folder.run("check --quiet --select P,H006 .").rows().len(), 0);
}

/// `patch` turns the sources into the same files as jigo does.
#[test]
fn patch_applies_diff_output() {
    if Command::new("patch").arg("--version").stdout(Stdio::null()).status().is_err() {
        return report_skipped("patch is not installed");
    }
    let folder = Folder::new();
    let crs = collection().replace('\n', "\r\n");
    let no_end = "junk at the end\n".to_owned() + HUNDREDTHS + "\nmore";
    let first = HUNDREDTHS.to_owned() + "\n" + CLEAN;
    let all = HUNDREDTHS.replace(';', "\n;").repeat(3);
    for (name, text) in
        [("a.sgf", &collection()), ("b/with blank.sgf", &crs), ("c.sgf", &no_end), ("d.sgf", &first), ("e.sgf", &all)]
    {
        folder.file(&format!("games/{name}"), text).file(&format!("same/games/{name}"), text);
    }
    let diff = folder.run("fix --diff games");
    assert_eq!(diff.code, 1, "{}", diff.err);
    assert!(diff.out.lines().all(|line| line.starts_with(['-', '+', ' ', '@', '\\'])), "{}", diff.out);
    assert_eq!(folder.run("fix --exit-zero --in-place games").code, 0);
    let mut patch = Command::new("patch");
    let mut patch = patch
        .args(["-p0", "--binary"])
        .current_dir(folder.path().join("same"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut patch.stdin.take().unwrap(), diff.out.as_bytes()).unwrap();
    let output = patch.wait_with_output().unwrap();
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.contains("offset") && !output.contains("fuzz") && !output.contains("FAILED"), "{output}");
    for name in ["a.sgf", "b/with blank.sgf", "c.sgf", "d.sgf", "e.sgf"] {
        let (fixed, patched) = (folder.read(&format!("games/{name}")), folder.read(&format!("same/games/{name}")));
        assert!(fixed == patched, "{name} differs\n{output}\n{}", diff.out);
    }
    assert_eq!(folder.run("fix --diff games").out, "");
}

#[test]
fn unselected_games_keep_their_bytes() {
    let folder = Folder::new();
    let text = format!("{HUNDREDTHS}\n{}\n", HUNDREDTHS.replace("SZ[9]", "SZ[13]"));
    folder.file("a.sgf", &text);
    assert_eq!(
        folder.run_with_input("fix --quiet --exit-zero --where size=13 --out - -", &text).out,
        text.replace("SZ[13]RU[Chinese]KM[750]", "SZ[13]RU[Chinese]KM[7.5]")
    );
    assert_eq!(folder.run("fix --in-place --shard 1/2 a.sgf").code, 0);
    assert_eq!(folder.read("a.sgf"), text.replacen("KM[750]", "KM[7.5]", 1));
    assert_eq!(folder.run("fix --in-place --shard 2/2 a.sgf").code, 0);
    assert_eq!(folder.read("a.sgf"), with_komi_in_points(&text));
}

/// The file is larger than a batch and than the output buffer. Every byte is copied, with any
/// number of threads.
#[test]
fn large_file_changes_only_at_fixes() {
    let folder = Folder::new();
    let text = (0..800)
        .map(|number| game(number, 1200).replace("KM[6.5]", if number % 350 == 7 { "KM[650]" } else { "KM[6.5]" }))
        .collect::<Vec<_>>()
        .join("\r\n \n");
    assert!(text.len() > 5 << 20);
    folder.file("a.sgf", &text);
    for jobs in [1, 2] {
        let ran = folder.run(&format!("fix --exit-zero --jobs {jobs} --out {jobs} --log {jobs}.csv a.sgf"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(folder.read(&format!("{jobs}/a.sgf")) == text.replace("KM[650]", "KM[6.5]"), "{jobs}");
    }
    assert_eq!((folder.read("1.csv"), folder.read("1.csv").lines().count()), (folder.read("2.csv"), 4));
}

#[test]
fn utf_16_becomes_utf_8_unless_i003_is_ignored() {
    let folder = Folder::new();
    let text = HUNDREDTHS.replace("RE", "PB[黒]RE");
    let bytes: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.file("a.sgf", &bytes).file("b.sgf", &bytes);
    assert_eq!(folder.run("fix --in-place a.sgf").code, 0);
    assert_eq!(folder.read("a.sgf").trim_start_matches('\u{FEFF}'), with_komi_in_points(&text));
    assert_eq!(folder.run("fix --in-place --ignore I003 b.sgf").code, 0);
    assert_eq!(folder.run("fix --out copy --ignore I003 b.sgf").code, 0);
    for name in ["b.sgf", "copy/b.sgf"] {
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), bytes, "{name}");
    }
}

/// A file without a game, or one that can't be read to its end, has nothing to fix.
#[test]
fn files_without_games_are_unchanged() {
    let folder = Folder::new();
    let prose = "no game at all\n".repeat(40_000);
    folder.file("prose.sgf", &prose).file("empty.sgf", "");
    folder.run("fix --exit-zero --in-place prose.sgf empty.sgf");
    assert_eq!((folder.read("prose.sgf"), folder.read("empty.sgf")), (prose, String::new()));
    // A named file that does not exist ends the run with 2, as in every command.
    assert_eq!(folder.run("fix --in-place missing.sgf").code, 2);
}

/// The rows of a table are records without files.
#[test]
fn table_rows_are_written_as_files() {
    let folder = Folder::new();
    let json = format!("{{\"id\":\"a\",\"sgf\":\"{HUNDREDTHS}\"}}\n{{\"id\":\"x/b\",\"sgf\":\"{TWICE}\"}}\n");
    folder.file("t.jsonl", &json).file("t.csv", format!("id,sgf\na,\"{HUNDREDTHS}\"\n"));
    for table in ["t.jsonl", "t.csv"] {
        for (flags, message) in [
            ("--in-place", "a table can't be changed in place; use --out DIR to write its records as files"),
            ("--diff", "a table can't be patched; use --out DIR to write its records as files"),
            ("--out new.jsonl", "jigo fix writes records and not tables; use --out DIR"),
            ("--input-format jsonl --in-place", "takes --input-format auto and sgf only"),
        ] {
            let run = folder.run(&format!("fix {flags} {table}"));
            assert!(run.code == 2 && run.err.contains(message) && run.out.is_empty(), "{flags} {table}: {}", run.err);
        }
    }
    let piped = folder.run_with_input("fix --in-place -", &json);
    assert!(piped.code == 2 && piped.err.contains("--out DIR"), "{}", piped.err);
    assert_eq!(folder.run("fix --exit-zero --out out t.jsonl").code, 0);
    assert_eq!((folder.read("out/a"), folder.read("out/x/b")), (with_komi_in_points(HUNDREDTHS), TWICE.into()));
    assert_eq!(folder.read("t.jsonl"), json);
    // The output folder can be converted to a table again.
    let second = folder.run("extract --quiet --out new.jsonl out");
    assert_eq!((second.code, folder.read("new.jsonl").lines().count()), (0, 2), "{}", second.err);
}

fn fix_text(folder: &Folder, flags: &str, text: &str) -> String {
    String::from_utf8(folder.fixed(flags, text)).unwrap()
}

/// Returns a game on 5x5 with ten stones of each colour in columns. The players take the points of
/// `middle` between the columns in turn.
fn columns(header: &str, middle: &str) -> String {
    let rows = ["a", "b", "c", "d", "e"];
    let mut turns: Vec<String> = rows.iter().flat_map(|row| [format!("b{row}"), format!("d{row}")]).collect();
    turns.extend(middle.split_whitespace().map(str::to_owned));
    let nodes: Vec<String> =
        turns.iter().enumerate().map(|(index, point)| format!(";{}[{point}]", ["B", "W"][index % 2])).collect();
    format!("(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0]RU[AGA]{header}{}C[well played])", nodes.concat())
}

#[test]
fn last_turn_is_inserted_if_only_one_gives_result() {
    let folder = Folder::new();
    let added_turn = |header: &str, middle: &str| {
        let text = columns(header, middle);
        let fixed = fix_text(&folder, "--unsafe --select R", &text);
        fixed.strip_prefix(text.trim_end_matches(')')).map(str::to_owned)
    };
    // The last point between the columns is Black's, and the recorded result counts it as Black's.
    assert_eq!(added_turn("RE[B+1]", "ca cb cc cd").as_deref(), Some(";B[ce])"));
    assert_eq!(folder.run("check -q --results --select R once.sgf").rows().len(), 0);
    // No turn is added in three cases: the result is already right, one of three points would do,
    // or Black alone can't reach the result.
    assert_eq!(added_turn("RE[0]", "ca cb cc cd").as_deref(), Some(")"));
    assert_eq!(added_turn("RE[B+1]", "ca cb").as_deref(), Some(")"));
    assert_eq!(added_turn("RE[W+1]", "ca cb cc cd").as_deref(), Some(")"));
}

#[test]
fn result_is_not_computed_from_assumed_komi() {
    let folder = Folder::new();
    let board = "AB[ca][cb][cc][cd][ce][cf][cg][fe]AW[da][db][dc][dd][de][df][dg][ac]";
    let game = |komi: &str, result: &str| format!("(;GM[1]FF[4]SZ[7]RU[NZ]{komi}{result}{board};B[];W[])");
    let codes = |text: &str| {
        folder.file("one.sgf", text);
        folder.run("check -q --results --select R one.sgf").column("code")
    };
    // White is ahead by 7 on the board.
    for (result, code, expected) in [
        ("RE[W+7.5]", "R003", "KM[0.5]"),
        ("RE[W+12]", "R003", "KM[5]"),
        ("RE[W+31]", "R004", ""),
        ("RE[B+14]", "R001", ""),
        ("RE[B+]", "R001", ""),
    ] {
        assert_eq!(codes(&game("", result)), [code], "{result}");
        let fixed = fix_text(&folder, "--unsafe --select R", &game("", result));
        assert!(fixed.contains(result) && fixed.contains(expected), "{result}: {fixed}");
        assert_eq!(fixed.contains("KM"), !expected.is_empty(), "{fixed}");
    }
    // A recorded KM contradicts the result; both komi values are common.
    assert_eq!(codes(&game("KM[6.5]", "RE[W+7.5]")), ["R002"]);
    let fixed = fix_text(&folder, "--unsafe --select R", &game("KM[6.5]", "RE[W+7.5]"));
    assert_eq!(fixed, game("KM[0.5]", "RE[W+7.5]"));
}

#[test]
fn strange_bytes_before_root_are_removed() {
    let folder = Folder::new();
    let root = ";GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]PB[碁];B[aa];W[bb])\n";
    let sound = format!("({root}");
    for (strays, code) in [
        (&b"\x01"[..], "D023"),
        (b"\xEF\xBB\xBF", "D023"),
        (b"\x02\x03 \x04\r\n", "D023"),
        ("、".as_bytes(), "D023"),
        (b"\xFF", "D023"),
        (b"\xFF\xFE\x80", "D023"),
        (b"\x1A", "D013"),
        (b"\0\x1A", "D013"),
    ] {
        folder.file("one.sgf", [sound.as_bytes(), b"(", strays, root.as_bytes(), sound.as_bytes()].concat());
        let checked = folder.run("check -q --select D one.sgf");
        assert_eq!((checked.code, checked.column("code")), (0, vec![code.into()]), "{strays:?}");
        assert_eq!(
            (checked.column("game"), checked.column("offset")),
            (vec!["2".into()], vec![sound.len().to_string()]),
            "{strays:?}"
        );
        let fixed = folder.run("fix -q --unsafe --select D,I --force --out fixed.sgf one.sgf");
        // White space is not a fault.
        let text = folder.read("fixed.sgf").replace("(\r\n;", "(;");
        assert_eq!((fixed.code, text), (0, sound.repeat(3)), "{strays:?}: {}", fixed.err);
        let written = folder.run("extract -q --as sgf --out - one.sgf");
        assert_eq!((written.code, written.out.matches("PB[碁]").count()), (0, 3), "{}", written.err);
        let turns = |name: &str| folder.run(&format!("check -q --table turns {name}")).column("point");
        assert_eq!(turns("one.sgf"), turns("fixed.sgf"));
    }
}

#[test]
fn text_before_a_root_is_removed_only_by_unsafe_fixes() {
    let folder = Folder::new();
    let rest = "FF[4]GM[1]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese];B[aa];W[bb])\n";
    let fixed = |before: &str, options: &str| {
        folder.file("one.sgf", format!("({before}{rest}"));
        folder.run(&format!("fix -q {options} --select D009,D023 --force --out fixed.sgf one.sgf"));
        folder.read("fixed.sgf")
    };
    for before in ["、;", "\u{4}é;", ":", "碁"] {
        assert_eq!(fixed(before, ""), format!("({before}{rest}"), "{before:?}");
        assert_eq!(fixed(before, "--unsafe"), format!("(;{rest}"), "{before:?}");
    }
    for before in ["", "\u{FEFF};", "\u{1};"] {
        assert_eq!(fixed(before, ""), format!("(;{rest}"), "{before:?}");
    }
}

#[test]
fn safe_fixes_keep_parts_of_games_after_a_game() {
    let folder = Folder::new();
    let game = "(;GM[1]FF[4]CA[UTF-8]SZ[19]PB[a];B[pd];W[dd])\n";
    for part in [
        ";B[qp\n];W[dp\n]\n",
        ";B\n[qp]\n;W\n[dp]\n",
        ";B [qp];W [dp];B [oq])\n",
        ";Black[qp];White[dp];Black[oq];White[cf]\n",
        "(B[qp](W[dp]\n",
        "\\(;GM[1\\];B[aa\\])\n",
        "PB[x]PW[y]\n",
        "C[a comment without an end\n",
    ] {
        let text = format!("{game}{part}{game}");
        folder.file("one.sgf", &text);
        folder.run("fix -q --force --out fixed.sgf one.sgf");
        let fixed = folder.read("fixed.sgf");
        // Long names become short ones.
        let short = text.replace("Black", "B").replace("White", "W");
        let count = |text: &str, letter: u8| text.bytes().filter(|byte| *byte == letter).count();
        for letter in (b'a'..=b'z').chain(b'A'..=b'Z').chain(b'0'..=b'9') {
            assert!(count(&fixed, letter) >= count(&short, letter), "{part:?}: {fixed:?}");
        }
        let turns = |name: &str| folder.run(&format!("check -q --exit-zero --table turns {name}")).column("point");
        assert_eq!(turns("one.sgf"), turns("fixed.sgf"), "{part:?}: {fixed:?}");
    }
}

#[test]
fn rectangles_start_at_upper_left_corner() {
    let folder = Folder::new();
    let root = "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]";
    for (lists, expected) in [
        ("AB[cc:aa]AW[hh:hh];AE[ac:ca]", "AB[aa:cc]AW[hh];AE[aa:cc]"),
        ("AB[ca:ac][ee]TB[ii:gg]TW[bb:bd]", "AB[aa:cc][ee]TB[gg:ii]TW[bb:bd]"),
        // Values that are not point lists and values that are not rectangles keep their text.
        ("LB[cc:aa]AB[cc:aa:bb];B[dd]C[AB[cc:aa\\]]", "LB[cc:aa]AB[cc:aa:bb];B[dd]C[AB[cc:aa\\]]"),
    ] {
        let text = format!("{root}{lists})");
        let fixed = fix_text(&folder, "--select D022", &text);
        assert_eq!(fixed, format!("{root}{expected})"));
        // The points are the same, in the turns and in the territory.
        let output_of = |table: &str, text: &str| {
            folder.file("one.sgf", text);
            folder.run(&format!("{table} one.sgf")).out
        };
        for table in ["check --table turns", "score --table endings --all-endings"] {
            assert_eq!(output_of(table, &text), output_of(table, &fixed), "{lists}");
        }
    }
}

#[test]
fn ff3_names_and_worded_results_become_ff4() {
    let folder = Folder::new();
    for (text, expected) in [
        (
            "(;GaMe[1]SiZe[9]KoMi[6.5]RU[Japanese]AddBlack[aa][bb];White[EE]Comment[Ko \\] [x];BlacK[tt](;W[cc])(;White[dd]))",
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]AB[aa][bb];W[ee]C[Ko \\] [x];BlacK[tt](;W[cc])(;White[dd]))",
        ),
        (
            "(;GaMe[1]SiZe[9]KoMi[6.5]RUles[Japanese];Black[aa]BlackLeft[30])",
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese];B[aa]BL[30])",
        ),
        (
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[black wins by 2.5];B[aa])",
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[B+2.5];B[aa])",
        ),
        ("(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[白中盘胜];B[aa])", "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[W+R];B[aa])"),
        ("(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[W+Resign];B[aa])", "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[W+Resign];B[aa])"),
        (
            "(;GM[1]SZ[9]KM[6.5 points]RU[Japanese]RE[Black +3.5 pts];B[aa])",
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[B+3.5];B[aa])",
        ),
        ("(;GM[1]SZ[9]KM[5 1/2]RU[Japanese]RE[W+Res];B[aa])", "(;GM[1]SZ[9]KM[5.5]RU[Japanese]RE[W+R];B[aa])"),
        // Text after a result is not lost.
        (
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[w+r (illegal move)];B[aa])",
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[w+r (illegal move)];B[aa])",
        ),
        ("(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[who knows];B[aa])", "(;GM[1]SZ[9]KM[6.5]RU[Japanese]RE[who knows];B[aa])"),
    ] {
        assert_eq!(fix_text(&folder, "--select D021,H032,H033,P021", text), expected);
    }
}

#[test]
fn odd_gm_and_sz_values_are_replaced() {
    let folder = Folder::new();
    let root = |game: &str, size: &str| format!("(;FF[4]GM[{game}]SZ[{size}]KM[6.5]RU[Japanese];B[aa])");
    for (game, size) in [("Go", "9"), ("", "9"), ("1", "09"), ("1", "9 "), ("1", "9:9")] {
        assert_eq!(fix_text(&folder, "", &root(game, size)), root("1", "9"), "{game:?} {size:?}");
    }
    // These forms of the number are read as they are.
    for game in ["1 ", " 1", "01", "+1"] {
        assert_eq!(fix_text(&folder, "", &root(game, "9")), root(game, "9"));
    }
    assert_eq!(fix_text(&folder, "", &root("1", "9x13")), root("1", "9:13"));
    // This is the number of another game.
    assert_eq!(fix_text(&folder, "--unsafe", &root("6 ", "9")), root("6 ", "9"));
    assert_eq!(fix_text(&folder, "", &root("Chess", "9")), root("Chess", "9"));
    assert_eq!(fix_text(&folder, "--unsafe", &root("Chess", "9")), root("1", "9"));
    let no_go = "(;FF[4]GM[Chess]SZ[9]KM[6.5]RU[Japanese];Q[aa])";
    assert_eq!(fix_text(&folder, "--unsafe", no_go), no_go);
}

#[test]
fn repeated_properties_in_node_are_merged() {
    let folder = Folder::new();
    let game = |rest: &str| format!("(;GM[1]SZ[9]KM[6.5]RU[Japanese]HA[2]{rest}");
    for (flags, text, expected) in [
        ("", "AB[aa]AB[bb]C[a]C[b];W[cc])", "AB[aa][bb]C[a\nb];W[cc])"),
        ("", "AB[aa][bb];W[cc]C[一]\nC[二]TR[aa] TR[bb]TR[cc])", "AB[aa][bb];W[cc]C[一\n二]TR[aa][bb][cc])"),
        ("", "AB[aa][bb];W[cc]LB[aa:1]N[x]LB[bb:2]C[same]C[same])", "AB[aa][bb];W[cc]LB[aa:1][bb:2]N[x]C[same])"),
        ("", "AB[aa][bb];W[cc]TB[aa]TB[bb]TW[dd])", "AB[aa][bb];W[cc]TB[aa][bb]TW[dd])"),
        ("", "AB[aa][bb];W[cc]WL[10]WL[20]VW[]VW[aa])", "AB[aa][bb];W[cc]WL[10]WL[20]VW[]VW[aa])"),
        ("--unsafe", "AB[aa][bb];W[cc]WL[10]WL[20])", "AB[aa][bb];W[cc]WL[10])"),
    ] {
        assert_eq!(fix_text(&folder, &format!("{flags} --select D"), &game(text)), game(expected));
    }
    folder.file("twice.sgf", game("AB[aa]AB[bb]C[a]C[b];W[cc]C[x]C[y](;B[dd])(;B[ee]))"));
    let found = folder.run("check --select D twice.sgf");
    assert_eq!(found.column("code"), ["D005"; 2], "{}", found.out);
}

#[test]
fn setup_and_mark_points_are_unique_and_lower_case() {
    let folder = Folder::new();
    let game = |rest: &str| format!("(;GM[1]SZ[9]KM[6.5]RU[Japanese]HA[2]{rest}");
    for (text, expected) in [
        ("AB[aa][bb][aa];W[cc])", "AB[aa][bb];W[cc])"),
        ("AB[AA][BB];W[CC]TB[DD:EE]TW[FF])", "AB[aa][bb];W[cc]TB[dd:ee]TW[ff])"),
        ("AB[BB:AA];W[cc])", "AB[aa:bb];W[cc])"),
        // A lower-case point off the board shows that upper case is not the problem.
        ("AB[AA][zz];W[cc])", "AB[AA][zz];W[cc])"),
        ("AB[aa][bb];W[cc]TR[AA][bb]LB[BB:BB][cc:1]SQ[DD:EE])", "AB[aa][bb];W[cc]TR[aa][bb]LB[bb:BB][cc:1]SQ[dd:ee])"),
        ("AB[aa][bb];W[cc]CR[AA][zz]N[AA])", "AB[aa][bb];W[cc]CR[AA][zz]N[AA])"),
        ("AB[aa][bb];W[cc]MA[AA]MA[BB])", "AB[aa][bb];W[cc]MA[aa][bb])"),
    ] {
        assert_eq!(fix_text(&folder, "", &game(text)), game(expected));
    }
    folder.file("marks.sgf", game("AB[aa][bb];W[cc]TR[AA][BB]LB[CC:x];B[dd]TR[cc]SQ[ZZ])"));
    assert_eq!(folder.run("check --select P021 marks.sgf").column("detail"), ["AA is read as aa", "CC is read as cc"]);
    folder.file("large.sgf", "(;GM[1]SZ[40]KM[6.5]AB[AA][BB];W[CC]TR[DD])");
    assert!(!folder.run("check large.sgf").out.contains("P021"));
    folder.file("twice.sgf", "(;GM[1]SZ[9]KM[6.5]AB[aa:bb][bb:cc];W[ee])");
    assert!(folder.run("check twice.sgf").out.contains("D016"));
}

#[test]
fn lower_case_names_become_upper_case() {
    let folder = Folder::new();
    for (text, expected) in [
        (
            "(;ff[4]gm[1]sz[9]km[6.5]ru[Japanese];b[aa]bl[30.5]c[a \\] b](;w[bb])(;w[cc]ab[dd]))",
            "(;FF[4]GM[1]SZ[9]KM[6.5]RU[Japanese];B[aa]BL[30.5]C[a \\] b](;W[bb])(;w[cc]ab[dd]))",
        ),
        ("(;GM[1]SZ[9]KM[6.5]RU[Japanese];b[aa];w[bb];b[cc])", "(;GM[1]SZ[9]KM[6.5]RU[Japanese];B[aa];W[bb];B[cc])"),
        ("(;GM[1]SZ[9]KM[6.5]RU[Japanese]C[hi];b[aa];W[bb])", "(;GM[1]SZ[9]KM[6.5]RU[Japanese]C[hi];B[aa];W[bb])"),
        // This is text and not a node with a lower-case name, so the safe fix escapes it.
        (
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]C[a[0]; c[1]; end];B[aa])",
            "(;GM[1]SZ[9]KM[6.5]RU[Japanese]C[a[0\\]; c[1\\]; end];B[aa])",
        ),
        ("(;GM[1]SZ[9]KM[6.5]RU[Japanese]C[hi];zz[aa];B[aa])", "(;GM[1]SZ[9]KM[6.5]RU[Japanese]C[hi];zz[aa];B[aa])"),
    ] {
        assert_eq!(fix_text(&folder, "--select D", text), expected);
    }
    folder.file("small.sgf", "(;ff[4]gm[1]sz[9];b[aa]bl[9];w[bb](;b[cc])(;b[dd]))");
    folder.run("extract --as sgf --out written.sgf small.sgf");
    assert_eq!(folder.read("written.sgf").trim(), "(;FF[4]GM[1]CA[UTF-8]SZ[9];B[aa]BL[9];W[bb](;B[cc])(;B[dd]))");
}

#[test]
fn fixes_from_stones_and_count_are_unsafe() {
    let folder = Folder::new();
    let board = "AB[ca][cb][cc][cd][ce][cf][cg][fe]AW[da][db][dc][dd][de][df][dg][ac]";
    let game = |result: &str| format!("(;GM[1]FF[4]SZ[7]RU[NZ]KM[7]{result}{board};B[];W[])");
    for (recorded, written) in [("RE[B+14]", "RE[W+14]"), ("RE[W+14]", "RE[W+14]")] {
        assert_eq!(fix_text(&folder, "--unsafe --select R", &game(recorded)), game(written));
        assert_eq!(fix_text(&folder, "", &game(recorded)), game(recorded));
    }
    let odd = fix_text(&folder, "--unsafe --select R", &game("RE[W+31]"));
    folder.file("odd.sgf", &odd);
    let remaining = folder.run("check --results --select R odd.sgf");
    assert!(remaining.rows().is_empty() && odd != game("RE[W+31]"), "{odd}{}", remaining.out);
    // The result is right when the colours are swapped in setup, turns and marks.
    let game_with = |swapped: bool| {
        let (black, white) = ("[ca][cb][cc][cd][ce][cf][cg][fe]", "[da][db][dc][dd][de][df][dg][ac]");
        let [first, second] = if swapped { ["W", "B"] } else { ["B", "W"] };
        format!(
            "(;GM[1]FF[4]SZ[7]RU[NZ]KM[0.5]RE[B+6.5]A{first}{black}A{second}{white};{first}[]C[B, it is];{second}[](;C[end])(;{first}[aa]))"
        )
    };
    assert_eq!(fix_text(&folder, "--unsafe --select R", &game_with(false)), game_with(true));
    assert_eq!(fix_text(&folder, "", &game_with(false)), game_with(false));
    let handicap = "(;GM[1]FF[4]SZ[9]KM[0.5]RU[Japanese];B[cc];B[gg];W[ee];B[ec])";
    let expected = "(;GM[1]HA[2]FF[4]SZ[9]KM[0.5]RU[Japanese];B[cc];B[gg];W[ee];B[ec])";
    assert_eq!(fix_text(&folder, "--unsafe --select H006", handicap), expected);
    assert_eq!(fix_text(&folder, "--select H006", handicap), handicap);
}

/// Files that wait for the disk together are each complete and at their own paths, with backups of
/// the originals.
#[test]
fn many_files_are_fixed_in_place() {
    let folder = Folder::new();
    let (broken, sound) =
        ("(;GM[1]FF[4]SZ[9]KM[6,5]RU[Japanese];B[aa])", "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese];B[aa])");
    for number in 0..200 {
        folder.file(&format!("in/{number:03}.sgf"), if number % 3 == 0 { sound } else { broken });
    }
    let copied = folder.run("fix --exit-zero --quiet --out out in");
    assert_eq!(copied.code, 0, "{}", copied.err);
    let run = folder.run("fix --exit-zero --in-place --backup .orig in");
    assert!(run.err.contains("133 files changed"), "{}", run.err);
    for number in 0..200 {
        let name = format!("in/{number:03}.sgf");
        assert_eq!(folder.read(&name), sound, "{number}");
        assert_eq!(folder.read(&format!("out/{name}")), sound, "{number}");
        let backup = folder.path().join(format!("{name}.orig"));
        assert_eq!(backup.exists(), number % 3 != 0);
    }
    assert_eq!(std::fs::read_dir(folder.path().join("in")).unwrap().count(), 333);
}
