//! `jigo duplicates --checkpoint` continues a killed run or reports the reason why it can't.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::cli::Folder;
use crate::support::generated::Random;
use crate::support::generated_duplicates::{Game, copy};

/// Returns games with duplicates in small and large files, enough for several batches.
fn archive() -> Folder {
    let folder = Folder::new();
    let mut random = Random(31);
    for number in 0..12 {
        let mut text = Vec::new();
        for _ in 0..40 {
            let original = Game::generate(&mut random, 150);
            text.extend(original.text().into_bytes());
            text.extend(copy(&mut random, &original, original.text().as_bytes()).text);
        }
        folder.file(&format!("games/{number:02}.sgf"), text);
    }
    folder
}

/// Runs with standard output on a full disk: the run reads all inputs and then can't write.
fn run_to_full_output(folder: &Folder, line: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    let device = File::options().write(true).open("/dev/full").unwrap();
    command.current_dir(folder.path()).args(line.split_whitespace()).stdin(Stdio::null()).stdout(device);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the files of the checkpoint, each with its content.
fn checkpoint_files(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder.path().join("kept")).unwrap();
    let path = |file: std::io::Result<fs::DirEntry>| format!("kept/{}", file.unwrap().file_name().display());
    let mut names: Vec<String> = files.map(path).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), fs::read(folder.path().join(name)).unwrap())).collect()
}

/// Writes the files of a checkpoint. One of them has other content.
fn restore(folder: &Folder, files: &[(String, Vec<u8>)], changed: &str, content: &[u8]) {
    for (name, original) in files {
        folder.file(name, if name == changed { content } else { original });
    }
}

/// The file of the games in a checkpoint.
const GAMES: &str = "kept/parts";
const RUN: &str = "duplicates --checkpoint kept --jobs 2 games";

#[test]
fn killed_run_continues_to_same_rows() {
    let folder = archive();
    let expected = folder.run("duplicates games");
    assert!(expected.code < 2 && expected.rows().len() > 900, "{}", expected.err);
    run_to_full_output(&folder, RUN);
    let files = checkpoint_files(&folder);
    let games = &files.iter().find(|(name, _)| name == GAMES).unwrap().1;
    let counts =
        |err: &str| err.lines().take_while(|line| !line.contains("games/s")).map(str::to_owned).collect::<Vec<_>>();
    let mut random = Random(7);
    let random_cuts = (0..6).map(|_| random.below(games.len() as u64) as usize);
    let cuts: Vec<usize> = [0, 1, games.len() - 1, games.len()].into_iter().chain(random_cuts).collect();
    for cut in cuts {
        restore(&folder, &files, GAMES, &games[..cut]);
        let run = folder.run(&RUN.replace("--jobs 2", &format!("--jobs {}", 1 + cut % 3)));
        assert!(run.out == expected.out && run.code == expected.code, "cut at {cut}: {}", run.err);
        assert_eq!(counts(&run.err), counts(&expected.err), "cut at {cut}");
        assert!(!folder.path().join("kept").exists(), "cut at {cut}");
    }
    for _ in 0..8 {
        let mut damaged = games.clone();
        damaged[random.below(games.len() as u64) as usize] ^= 1;
        restore(&folder, &files, GAMES, &damaged);
        assert!(folder.run(RUN).out == expected.out);
    }
    // A run was killed while it removed the directory, the games first.
    restore(&folder, &files, GAMES, games);
    fs::remove_file(folder.path().join(GAMES)).unwrap();
    assert!(folder.run(RUN).out == expected.out);
    // A part that a kill cut short.
    restore(&folder, &files, GAMES, &[games.as_slice(), b"jigo part 1 "].concat());
    assert!(folder.run(RUN).out == expected.out);
}

/// The final result is the same for any number of kills at any moments, so the progress of each run
/// does not matter.
#[test]
fn repeatedly_killed_run_gives_same_rows() {
    let folder = archive();
    let expected = folder.run("duplicates games").out;
    let mut random = Random(8);
    for jobs in 1..4 {
        let line = format!("duplicates --checkpoint kept --jobs {jobs} games");
        for _ in 0..6 {
            let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
            command.current_dir(folder.path()).args(line.split_whitespace()).stdin(Stdio::null());
            let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_millis(random.below(300)));
            // A run that ended has removed its checkpoint, and the next run starts from the
            // beginning.
            let _ = run.kill();
            run.wait().unwrap();
        }
        let run = folder.run(&line);
        assert!(run.out == expected, "{jobs} threads: {}", run.err);
        assert!(!folder.path().join("kept").exists());
    }
}

#[test]
fn foreign_checkpoint_is_refused_and_unchanged() {
    let folder = archive();
    run_to_full_output(&folder, RUN);
    let checkpoint = checkpoint_files(&folder);
    folder.file("other/a.sgf", "(;B[aa])").file("text", "my notes");
    std::os::unix::fs::symlink("kept", folder.path().join("link")).unwrap();
    for (line, message) in [
        ("duplicates --checkpoint kept other", "other inputs or options"),
        ("duplicates --checkpoint kept --rules aga games", "other inputs or options"),
        ("duplicates --checkpoint kept --merge-headers --log log.csv games", "other inputs or options"),
        ("duplicates --checkpoint text games", "text is not a checkpoint"),
        ("duplicates --checkpoint link games", "link"),
        ("duplicates --checkpoint other games", "other is not a checkpoint"),
        ("duplicates --checkpoint kept -", "can't be read twice"),
        ("duplicates --checkpoint kept --table diversity games", "not for --table diversity"),
    ] {
        let run = folder.run(line);
        assert!(run.code == 2 && run.err.contains(message), "{line}: {}", run.err);
    }
    assert!(checkpoint_files(&folder) == checkpoint);
    assert_eq!(folder.read("text"), "my notes");
    assert_eq!(folder.read("other/a.sgf"), "(;B[aa])");
    // Among the inputs, the folder is not an input.
    run_to_full_output(&folder, "duplicates --checkpoint games/kept games");
    let resumed = folder.run("duplicates --checkpoint games/kept games");
    assert!(resumed.out == folder.run("duplicates games").out, "{}", resumed.err);
    // An input that has changed.
    folder.file("games/03.sgf", "(;B[aa])");
    assert_eq!(folder.run(RUN).code, 2);
    // The choice of the representative and the row format don't change which data is read.
    let folder = archive();
    run_to_full_output(&folder, RUN);
    let other = folder.run("duplicates --checkpoint kept --keep first --format jsonl games");
    assert!(other.out == folder.run("duplicates --keep first --format jsonl games").out, "{}", other.err);
}
