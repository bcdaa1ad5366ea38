//! Runs the commands of README.md and docs/ on games, so that none of them is refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::readme::{commands, documents};
use crate::support::cli::{CLEAN, Folder};
use crate::support::files_below;

/// Returns a folder with the inputs that documents name most often.
fn folder() -> Folder {
    let folder = Folder::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for path in files_below(&fixtures.join("games")) {
        let name = path.strip_prefix(&fixtures).unwrap().to_str().unwrap().replace('\\', "/");
        folder.file(&name, fs::read(&path).unwrap());
    }
    let collection = fs::read(fixtures.join("games/collection.sgf")).unwrap();
    for name in ["g.sgf", "big.sgf", "mine/a.sgf", "theirs/b.sgf", "new-games/c.sgf"] {
        folder.file(name, &collection);
    }
    folder.file("game.sgf", CLEAN);
    folder
}

/// Returns true if a command was refused because this folder lacks a file or a turn that the document has.
fn is_other_input(message: &str) -> bool {
    [
        "No such file",
        "g.sgf holds",
        "holds no unfinished run",
        "there is no turn",
        "gnugo",
        "stream",
        "only files can be changed",
    ]
    .iter()
    .any(|reason| message.contains(reason))
}

#[test]
fn documented_commands_run() {
    let mut run = BTreeSet::new();
    for (path, text) in documents().into_iter().filter(|(path, _)| !path.ends_with("CHANGELOG.md")) {
        for command in commands(&text) {
            let is_pattern = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase());
            let Some(words) = shlex::split(command).filter(|words| words.len() > 2) else { continue };
            if words.iter().any(|word| is_pattern(word)) || !run.insert(command.to_owned()) {
                continue;
            }
            let folder = folder();
            let ended = folder.command(&words[1..]).output().unwrap();
            let (is_run, message) = (ended.status.code() < Some(2), String::from_utf8_lossy(&ended.stderr));
            assert!(is_run || is_other_input(&message), "{}: {command}: {message}", path.display());
            if !is_run {
                run.remove(command);
            }
        }
    }
    assert!(run.len() >= 40, "{run:?}");
}

/// The columns of words are categories in pandas, which counts pairs that do not occur unless it is told otherwise.
#[test]
#[cfg(feature = "columnar")]
fn documented_pivot_counts_only_pairs_that_occur() {
    let Some(python) = crate::support::python::path() else { return };
    let texts: String = documents().into_iter().map(|(_, text)| text).collect();
    let script = texts.split("python3 -c \"").find(|script| script.contains("pivot(")).unwrap();
    let script = script.split('"').next().unwrap().replace("sys.stdin.buffer", "open('scores.arrows', 'rb')");
    let folder = folder();
    let score = "score --rules japanese,chinese --format arrow --output scores.arrows --exit-zero games/";
    assert_eq!(folder.run(score).code, 0);
    let printed = crate::support::python::run(&python, &["-c", &script], folder.path());
    assert!(printed.contains('W'), "{printed}");
    let counts = printed.lines().filter_map(|line| line.split_whitespace().last()?.parse::<u32>().ok());
    assert!(counts.clone().count() > 0 && counts.into_iter().all(|count| count > 0), "{printed}");
}
