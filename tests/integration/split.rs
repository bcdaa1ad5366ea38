//! `jigo split --out`: the output files of any source, in the order of their names, add up to its
//! bytes.

use crate::archives::{gzip, tar};
use crate::support::cli::{CLEAN, Folder, ILLEGAL};

/// Returns the concatenated files with names that start with `start`, in the order of their names.
fn join_files(folder: &Folder, start: &str) -> String {
    let files = folder.list().into_iter().filter(|name| name.starts_with(start) && name.ends_with(".sgf"));
    files.map(|name| folder.read(&name)).collect()
}

/// Stray text and a game beyond the size limit are written in pieces. All pieces have the number of
/// the next game.
#[test]
fn stray_text_stays_with_the_next_game() {
    let junk = "no game (yes)\n".repeat(300_000);
    let long = format!("(;C[{}])", "long ".repeat(800_000));
    for text in [format!("{CLEAN}{junk}{ILLEGAL}{CLEAN}"), junk.clone(), format!("{CLEAN}{long}{ILLEGAL}\n{long}")] {
        let folder = Folder::new();
        folder.file("y.sgf", &text);
        for flags in ["", "--force", "--force --max-games 1", "--force --max-bytes 1 --max game=1000"] {
            let run = folder.run(&format!("split {flags} --out parts y.sgf"));
            assert_eq!(run.code, 0, "{flags}: {}", run.err);
            assert_eq!(join_files(&folder, "parts/"), text, "{flags}");
            let files = folder.list().iter().filter(|name| name.starts_with("parts/")).count();
            assert!(
                run.err.contains(&format!(" in {files} part{}, ", if files == 1 { "" } else { "s" })),
                "{flags}: {} {files}",
                run.err
            );
            std::fs::remove_dir_all(folder.path().join("parts")).unwrap();
        }
    }
}

/// `--force` makes no difference: a run replaces only files from before the run.
#[test]
fn sources_with_same_name_get_distinct_names() {
    let folder = Folder::new();
    let text = |name: &str| format!("{name}{CLEAN}{name}{}", ILLEGAL.repeat(12));
    for name in ["game", "game.SGF", "game.mgt", "game.sgf", "Game.sgfs"] {
        folder.file(&format!("in/{name}"), text(name));
    }
    for flags in ["", "--force"] {
        let run = folder.run(&format!(
            "split {flags} --max-games 10 --out parts in/game in/game.SGF in/game.mgt in/game.sgf in/Game.sgfs"
        ));
        assert_eq!(run.code, 0, "{}", run.err);
        for (start, name) in [
            ("game-0", "game"),
            ("game-2-", "game.SGF"),
            ("game-3-", "game.mgt"),
            ("game-4-", "game.sgf"),
            ("Game-5-", "Game.sgfs"),
        ] {
            assert_eq!(join_files(&folder, &format!("parts/in/{start}")), text(name), "{flags} {name}");
        }
    }
    let second = folder.run("split --max-games 10 --out parts in/game");
    assert!(second.code == 2 && second.err.contains("game-000001.sgf is there already; --force"), "{}", second.err);
}

#[test]
fn archive_members_with_same_path_get_distinct_names() {
    let folder = Folder::new();
    let members = [("a/b.sgf", "1"), ("a/b.sgf", "2"), ("A/b.sgf", "3")];
    let members = members.map(|(name, text)| (name.to_owned(), format!("{text}{CLEAN}").into_bytes()));
    folder.file("k.tar", tar(&members));
    let run = folder.run("split --out parts k.tar");
    assert_eq!(run.code, 0, "{}", run.err);
    for (name, number) in [("a/b-000001", "1"), ("a/b-2-000001", "2"), ("A/b-3-000001", "3")] {
        assert_eq!(folder.read(&format!("parts/k.tar/{name}.sgf")), format!("{number}{CLEAN}"));
    }
}

#[test]
fn exclamation_mark_in_file_name_makes_no_folder() {
    let folder = Folder::new();
    let members = [("Go!.sgf", CLEAN)].map(|(name, text)| (name.to_owned(), text.into()));
    folder.file("d/Go!.sgf", CLEAN).file("d/!a.sgf", CLEAN).file("d/a!b.sgf", CLEAN).file("d/k.tar", tar(&members));
    for command in ["split --out out d", "extract --out out/ d", "fix --out out d"] {
        let run = folder.run(command);
        assert_eq!(run.code, 0, "{}", run.err);
        let number = if command.starts_with("split") { "-000001" } else { "" };
        for name in ["Go!", "!a", "a!b", "k.tar/Go!"] {
            assert!(folder.path().join(format!("out/d/{name}{number}.sgf")).is_file(), "{:?}", folder.list());
        }
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
    folder.file("d/Go!.sgf.gz", gzip(CLEAN.as_bytes()));
    assert_eq!(folder.run("check --table keys d/Go!.sgf.gz").column("file"), ["d/Go!.sgf.gz!Go!.sgf"]);
}

#[test]
#[cfg(target_os = "linux")]
fn non_utf8_and_longest_names_are_written() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let folder = Folder::new();
    let long = format!("{}.sgf", "l".repeat(251));
    let wide = format!("{}.sgf", "囲".repeat(83));
    let names = [b"x\xFF.sgf".to_vec(), b"x\xFE.sgf".to_vec(), long.into_bytes(), wide.into_bytes(), b"z.sgf".to_vec()];
    folder.file("in/a.sgf", "a");
    for name in &names {
        let path = folder.path().join("in").join(OsString::from_vec(name.clone()));
        std::fs::write(path, [name.as_slice(), CLEAN.as_bytes()].concat()).unwrap();
    }
    let run = folder.run("split --out parts in");
    assert_eq!(run.code, 0, "{}", run.err);
    let files = folder.list().into_iter().filter(|name| name.starts_with("parts/in/"));
    let mut written: Vec<Vec<u8>> = files.map(|name| std::fs::read(folder.path().join(name)).unwrap()).collect();
    let whole = names.map(|name| [name.as_slice(), CLEAN.as_bytes()].concat());
    let mut expected: Vec<Vec<u8>> = whole.into_iter().chain([b"a".to_vec()]).collect();
    written.sort();
    expected.sort();
    assert_eq!(written, expected);
}

/// A row may have any identifier, but no file has a NUL in its name.
#[test]
fn identifiers_with_nul_become_file_names() {
    let folder = Folder::new();
    let row = |id: &str| format!("{{\"id\":\"{id}\",\"sgf\":\"(;GM[1]SZ[9];B[aa])\"}}\n");
    folder.file("m.jsonl", ["a\\u0000b", "a_b", "\\u0000", "d\\u0000/../e\\u0000", "c"].map(row).concat());
    for command in ["split --out out m.jsonl", "extract --out out/ m.jsonl", "fix --out out m.jsonl"] {
        let run = folder.run(command);
        assert_eq!(run.code, 0, "{command}: {}", run.err);
        assert_eq!(folder.list().iter().filter(|name| folder.path().join(name).is_file()).count(), 6, "{command}");
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}
