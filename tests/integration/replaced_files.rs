//! Outputs that replace files, and files that are never replaced: backups, files in folders, links
//! and permissions.

use std::fs;

use crate::support::cli::{CLEAN, Folder, ILLEGAL};

/// KM in hundredths, which `jigo fix` changes.
const FIXABLE: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[750]RE[B+R];B[ee];W[cc];B[gg])";

/// One command line for each flag that names an output file. The file's name starts with `out.`.
const WRITERS: [&str; 7] = [
    "check --quiet --output out.csv a.sgf",
    "check --quiet --summary out.json --output b.csv a.sgf",
    "check --quiet --write-baseline out.json --output b.csv a.sgf",
    "extract --quiet --out out.sgf a.sgf",
    "extract --quiet --out out.sgf.gz a.sgf",
    "fix --quiet --out out.sgf a.sgf",
    "show --out out.svg a.sgf",
];

/// Returns the name of the file that a line of [`WRITERS`] writes.
fn output_name(line: &str) -> &str {
    line.split_whitespace().find(|word| word.starts_with("out.")).unwrap()
}

/// Returns all names in a folder with the content of each file.
fn state(folder: &Folder) -> Vec<(String, Option<Vec<u8>>)> {
    folder.list().into_iter().map(|name| (name.clone(), fs::read(folder.path().join(name)).ok())).collect()
}

/// Checks that a command is refused with these words and that no file has changed.
fn assert_refused(folder: &Folder, line: &[&str], words: &str) {
    let before = state(folder);
    let ran = crate::support::cli::run_command(&mut folder.command(line));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line:?}: {}", ran.err);
    assert!(ran.err.contains(words), "{line:?}: {}", ran.err);
    assert!(state(folder) == before, "{line:?}");
}

#[test]
fn backup_never_replaces_file_input_or_log() {
    let folder = Folder::new();
    folder.file("a.sgf", FIXABLE).file("a.sgf.sgf", CLEAN).file("x/b.sgf", FIXABLE);
    let fix = |more: &[&'static str]| [&["fix", "--in-place", "--force", "--backup"], more].concat();
    for (more, words) in [
        (&["", "a.sgf"][..], "it is empty"),
        (&["x/../a.sgf", "a.sgf"], "use a suffix without folders"),
        (&["/../a.sgf", "a.sgf"], "use a suffix without folders"),
        (&[".sgf", "a.sgf", "a.sgf.sgf"], "a.sgf.sgf is read as an input: --backup .sgf can't replace it"),
        (&[".sgf", "."], "a.sgf.sgf is read as an input: --backup .sgf can't replace it"),
        (&[".csv", "--log", "a.sgf.csv", "a.sgf"], "--backup .csv and --log are the same place"),
        (&[".csv", "--log", "x/../a.sgf.csv", "a.sgf"], "--backup .csv and --log are the same place"),
    ] {
        assert_refused(&folder, &fix(more), words);
    }
    let ran = folder.run("fix --in-place --backup .csv --log log.csv a.sgf x/b.sgf");
    assert_eq!((ran.code, folder.read("a.sgf.csv"), folder.read("x/b.sgf.csv")), (0, FIXABLE.into(), FIXABLE.into()));
}

#[test]
fn backup_is_refused_without_in_place() {
    let folder = Folder::new();
    folder.file("a.sgf", FIXABLE);
    for flags in ["--out z", "--diff", ""] {
        let line = format!("fix {flags} --backup .o a.sgf");
        assert_refused(&folder, &line.split_whitespace().collect::<Vec<_>>(), "--backup");
    }
}

#[test]
fn summary_uses_singular_for_one_game() {
    let folder = Folder::new();
    folder.file("a.sgf", CLEAN).file("b.sgf", CLEAN);
    for (inputs, words) in [("a.sgf", "1 game, no duplicates"), ("a.sgf b.sgf", "2 games, 1 duplicate of 1 game")] {
        let ran = folder.run(&format!("duplicates {inputs}"));
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

/// Applies to every name of the folder and every path to it.
#[test]
fn output_folder_never_replaces_an_input() {
    let folder = Folder::new();
    let two = format!("{FIXABLE}{CLEAN}");
    folder.file("in/a.sgf", &two).file("x.sgf", ILLEGAL).file("x-000001.sgf", CLEAN);
    let lines = [
        ("extract --limit 1 --pattern {file}.sgf --out ./ in", "in/a.sgf is read as an input: --out can't replace it"),
        ("extract --pattern {file}.sgf --out ../HERE in", "in/a.sgf is read as an input: --out can't replace it"),
        (
            "extract --pattern o{file}.sgf --rejects ox.sgf --out ./ x.sgf",
            "--out and --rejects are the same place: ./ox.sgf",
        ),
        ("fix --out . in", "in/a.sgf is read as an input: --out can't replace it; use --in-place to fix files"),
        ("fix --out in/.. in", "in/a.sgf is read as an input: --out can't replace it; use --in-place to fix files"),
        ("split --max-games 1 --out . x.sgf x-000001.sgf", "x-000001.sgf is read as an input: --out can't replace it"),
        ("extract --clean --out o.sgf --rejects ./ x-000001.sgf x.sgf", "x.sgf is read as an input: --rejects can't"),
    ];
    let here = folder.path().file_name().unwrap().to_str().unwrap();
    for (line, words) in lines {
        let line = line.replace("HERE", here);
        for force in ["--force", "--quiet"] {
            assert_refused(&folder, &[&line.split_whitespace().collect::<Vec<_>>()[..], &[force]].concat(), words);
        }
    }
    // The log is also a file of the output folder.
    folder.file("o/in/b.sgf", "mine");
    folder.file("in/b.sgf", CLEAN);
    assert_refused(
        &folder,
        &["fix", "--force", "--out", "o", "--log", "o/in/b.sgf", "in"],
        "--out and --log are the same",
    );
    // Other files are replaced.
    assert_eq!(folder.run("fix --quiet --force --out o in").code, 0);
    assert_eq!(folder.read("o/in/b.sgf"), CLEAN);
    assert_eq!(folder.run("extract --quiet --force --pattern {file}.sgf --out o in/b.sgf").code, 0);
}

/// The target of a link is replaced, because the user put the link there.
#[cfg(unix)]
#[test]
fn output_is_written_to_target_of_link() {
    use std::os::unix::fs::symlink;
    for line in WRITERS {
        let (folder, name) = (Folder::new(), output_name(line));
        folder.file("a.sgf", CLEAN).file("far/real", "old");
        symlink("far/second", folder.path().join(name)).unwrap();
        symlink("real", folder.path().join("far/second")).unwrap();
        let is_link = |name: &str| fs::symlink_metadata(folder.path().join(name)).unwrap().is_symlink();
        assert_eq!(folder.run(line).code, 2, "{line}");
        assert_eq!(folder.read("far/real"), "old", "{line}");
        // In the second round the link's target does not exist.
        for _ in 0..2 {
            let ran = folder.run(&format!("{line} --force"));
            assert_eq!(ran.code, 0, "{line}: {}", ran.err);
            assert!(is_link(name) && is_link("far/second"), "{line}");
            let content = fs::read(folder.path().join("far/real")).unwrap();
            assert!(content.len() > 3 && folder.list().iter().all(|name| !name.contains(".jigo")), "{line}");
            fs::remove_file(folder.path().join("far/real")).unwrap();
        }
    }
}

/// The user named the folder and not the files in it.
#[cfg(unix)]
#[test]
fn links_in_a_folder_of_outputs_are_replaced() {
    let lines = ["fix --quiet --out o", "extract --quiet --pattern {file}.sgf --out o", "split --quiet --out o"];
    for (line, name) in lines.into_iter().zip(["o/a.sgf", "o/a.sgf", "o/a-000001.sgf"]) {
        let folder = Folder::new();
        folder.file("a.sgf", CLEAN).file("mine", "mine").file("o/b", "");
        std::os::unix::fs::symlink("../mine", folder.path().join(name)).unwrap();
        let ran = folder.run(&format!("{line} --force a.sgf"));
        assert_eq!(
            (ran.code, folder.read("mine").as_str(), folder.read(name).trim_end()),
            (0, "mine", CLEAN),
            "{line}"
        );
    }
}

#[cfg(unix)]
#[test]
fn new_file_obeys_umask_and_replaced_file_keeps_mode() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    let folders = [
        ("report --quiet --out out.d a.sgf", "out.d/games.csv"),
        ("extract --quiet --out out.d/ a.sgf", "out.d/a.sgf"),
        ("split --quiet --out out.d a.sgf", "out.d/a-000001.sgf"),
        ("fix --quiet --out out.d a.sgf", "out.d/a.sgf"),
    ];
    for (line, name) in WRITERS.map(|line| (line, output_name(line))).into_iter().chain(folders) {
        let folder = Folder::new();
        folder.file("a.sgf", CLEAN);
        // A copy has no broader permissions than its source.
        fs::set_permissions(folder.path().join("a.sgf"), fs::Permissions::from_mode(0o666)).unwrap();
        let run = |umask: &str| {
            let script = format!("umask {umask}; exec \"$0\" {line} --force");
            let program = assert_cmd::cargo::cargo_bin("jigo");
            let ran =
                Command::new("sh").args(["-c", &script]).arg(program).current_dir(folder.path()).output().unwrap();
            assert!(ran.status.success(), "{line}: {ran:?}");
            fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o7777
        };
        for (umask, mode) in [("077", 0o600), ("022", 0o644), ("002", 0o664), ("027", 0o640)] {
            assert_eq!(run(umask), mode, "{line}, umask {umask}");
            assert_eq!(run("000"), mode, "{line}, replaced");
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
}
