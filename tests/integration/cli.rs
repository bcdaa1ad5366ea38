//! The contract of the command line: exit codes, and the stream of each output.

use clap::CommandFactory;
use jigo::commands::Cli;
use jigo_run::config::limits::LIMITS;

use crate::support::cli::{CLEAN, Folder};

/// Commands that read games, with their required flags.
const COMMANDS: [&str; 3] = ["check", "score", "report --force --out tables"];

#[test]
fn clean_games_end_with_0() {
    let folder = Folder::with_games();
    for command in COMMANDS {
        let run = folder.run(&format!("{command} clean.sgf"));
        assert_eq!(run.code, 0, "{command}: {}", run.err);
    }
    for command in ["rules", "rules nz", "explain", "explain K001", "perft 1x3 --depth 3", "--help", "--version"] {
        let run = folder.run(command);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{command}");
        assert!(!run.out.is_empty(), "{command}");
    }
}

#[test]
fn errors_end_with_1_and_milder_findings_with_0() {
    let folder = Folder::with_games();
    for command in COMMANDS {
        assert_eq!(folder.run(&format!("{command} clean.sgf illegal.sgf")).code, 1, "{command}");
        let warned = folder.run(&format!("{command} warned.sgf"));
        assert_eq!(warned.code, 0, "{command}");
        assert!(warned.err.contains("0 errors, 1 warning,"), "{}", warned.err);
        assert_eq!(folder.run(&format!("{command} --exit-zero illegal.sgf")).code, 0, "{command}");
        assert_eq!(folder.run(&format!("{command} --ignore occupied illegal.sgf")).code, 0, "{command}");
    }
}

#[test]
fn unreadable_named_input_ends_with_2_after_the_others() {
    let folder = Folder::with_games();
    for command in COMMANDS {
        let run = folder.run(&format!("{command} illegal.sgf missing.sgf clean.sgf"));
        assert_eq!(run.code, 2, "{command}");
        assert!(run.err.contains("jigo: missing.sgf: unreadable-source: "), "{}", run.err);
        assert!(run.err.contains("2 games found = 2 replayed"), "{}", run.err);
        assert_eq!(folder.run(&format!("{command} --exit-zero missing.sgf")).code, 2, "{command}");
        assert_eq!(folder.run(&format!("{command} --ignore I001 missing.sgf")).code, 2, "{command}");
    }
    let run = folder.run("check missing.sgf");
    assert_eq!((run.column("file"), run.column("code")), (vec!["missing.sgf".into()], vec!["I001".into()]));
}

#[test]
#[cfg(unix)]
fn unreadable_file_ends_with_2_only_if_named() {
    let folder = Folder::with_games();
    // A dangling link is unreadable for every user, including root.
    std::os::unix::fs::symlink("nowhere", folder.path().join("link.sgf")).unwrap();
    let output = folder.run("check link.sgf");
    assert_eq!((output.code, output.column("name")), (2, vec!["unreadable-source".into()]));
    assert!(output.err.contains("link.sgf: unreadable-source"), "{}", output.err);
    let summary = folder.run("check --ignore occupied .");
    assert_eq!(summary.code, 1);
    assert!(summary.column("file").contains(&"./link.sgf".into()), "{}", summary.out);
    assert!(summary.err.contains("3 games found = 3 replayed"), "{}", summary.err);
}

#[test]
fn input_without_games_names_its_format_and_ends_with_1() {
    let folder = Folder::new();
    folder
        .file("letter.txt", "Dear (reader)")
        .file("empty.sgf", "")
        .file("blank.sgf", " \n")
        .file("none/letter.txt", "");
    for input in ["letter.txt", "none"] {
        let run = folder.run(&format!("check --ignore text-outside-games {input}"));
        assert_eq!((run.code, run.column("name")), (1, vec!["no-game".into()]), "{input}");
        assert_eq!(run.column("file"), [input]);
        assert!(run.err.starts_with(&format!("jigo: {input}: no-game: ")), "{}", run.err);
        assert!(run.err.contains("0 games found = 0 replayed + 0 stopped + 0 unreadable"), "{}", run.err);
    }
    assert!(folder.run("check none").err.contains("no *.sgf"));
}

/// In some formats a table without rows is an empty file.
#[test]
fn empty_input_is_no_error() {
    let folder = Folder::new();
    folder.file("blank.sgf", " \n").file("mark.sgf", "\u{feff}");
    let endings =
        ["sgf", "gib", "ugf", "txt", "jsonl", "csv", "tsv", "zip", "7z", "tar", "sgf.gz", "tar.xz", "sgf.zst"];
    let names = endings.map(|ending| format!("empty.{ending}"));
    names.iter().for_each(|name| _ = folder.file(name, ""));
    let mut lines: Vec<String> =
        names.iter().map(|name| name.to_owned()).chain(["blank.sgf".into(), "mark.sgf".into(), "-".into()]).collect();
    let formats = if cfg!(feature = "columnar") {
        &["auto", "sgf", "jsonl", "csv", "arrow", "parquet"][..]
    } else {
        &["auto", "csv"]
    };
    for format in formats {
        lines.extend(["-", "empty.txt"].map(|input| format!("--input-format {format} {input}")));
    }
    for line in lines {
        let run = folder.run(&format!("check {line}"));
        assert_eq!((run.code, run.rows().len()), (0, 0), "{line}: {}", run.err);
        assert!(run.err.contains("0 games found"), "{line}: {}", run.err);
    }
    assert_eq!(folder.run("score --input-format positions -").code, 0);
    assert_eq!(folder.run("extract --out all.sgf empty.sgf").code, 0);
}

/// Rows of turns, duplicates and scores contain no findings.
#[test]
fn command_that_only_exports_succeeds_and_lists_no_findings() {
    let folder = Folder::with_games();
    for line in ["check --table turns .", "check --table keys .", "duplicates .", "compare .", "compare --list=all ."] {
        let run = folder.run(line);
        assert_eq!(run.code, 0, "{line}: {}", run.err);
        assert!(
            !run.err.contains("P001 occupied") && run.err.contains(" in these games: jigo check "),
            "{line}: {}",
            run.err
        );
        assert_eq!(folder.run(&format!("{line} --fail-if errors>0")).code, 2, "errors is not a name in gates");
        assert_eq!(folder.run(&format!("{line} --fail-if error>0")).code, 1, "{line}");
    }
    assert_eq!(folder.run("check .").code, 1);
    assert_eq!(folder.run("duplicates missing.sgf").code, 2);
}

#[test]
fn command_names_the_errors_that_it_does_not_look_for() {
    let folder = Folder::with_games();
    let words = "results were not compared with the board (R001";
    let run = folder.run("check clean.sgf illegal.sgf");
    assert!(run.err.contains(words), "{}", run.err);
    for line in [
        "check --results",
        "report --out tables",
        "extract --clean --out 1.sgf",
        "extract --broken --out 2.sgf",
        "extract --as sgf --mark-endings --clean --out 3.sgf",
    ] {
        let run = folder.run(&format!("{line} clean.sgf illegal.sgf"));
        assert!(run.code < 2 && !run.err.contains(words), "{line}: {}", run.err);
    }
    let counted = ["extract", "--clean", "--where", "not has(R001)", "--out", "4.sgf", "clean.sgf"];
    let run = crate::support::cli::run_command(&mut folder.command(counted));
    assert!(run.code == 0 && !run.err.contains(words), "{}", run.err);
}

#[test]
fn invalid_command_line_ends_with_2_and_empty_stdout() {
    let folder = Folder::with_games();
    let lines = [
        "",
        "chek clean.sgf",
        "check --no-such-flag clean.sgf",
        "check --format parchment clean.sgf",
        "check --jobs 0 clean.sgf",
        "check --jobs many clean.sgf",
        "check --shard 0/2 clean.sgf",
        "check --shard 3/2 clean.sgf",
        "check --shard 1 clean.sgf",
        "check --rules japanes clean.sgf",
        "check --assume-rules japanes clean.sgf",
        "check --assume-rules nz,aga clean.sgf",
        "check --on-illegal cry clean.sgf",
        "check --select Q999 clean.sgf",
        "check --ignore Q999 clean.sgf",
        "check --files-from missing.txt",
        "check --seed 3 clean.sgf",
        "score --komi six clean.sgf",
        "score --komi 6.4 clean.sgf",
        "report clean.sgf",
        "rules japanes",
        "explain Q999",
        "perft 3 --depth 2",
        "perft 1x3",
    ];
    for line in lines {
        let run = folder.run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "jigo {line}");
        assert!(run.err.len() > 20, "jigo {line}: {}", run.err);
    }
    assert_eq!(folder.list(), ["clean.sgf", "illegal.sgf", "warned.sgf"]);
}

#[test]
fn rows_go_to_stdout_and_messages_to_stderr() {
    let folder = Folder::with_games();
    for (command, columns, rows) in [("check", "file,game,offset,line,turn,", 2), ("score", "file,game,ruleset,", 15)] {
        let run = folder.run(&format!("{command} --progress always ."));
        assert!(run.out.starts_with(columns), "{}", run.out);
        assert_eq!(run.rows().len(), rows, "{}", run.out);
        assert!(run.rows().iter().all(|row| row.starts_with("./")), "{}", run.out);
        for line in ["3 sources, ", "3 games found = 3 replayed + 0 stopped + 0 unreadable", "games/s"] {
            assert!(run.err.contains(line), "{}", run.err);
        }
    }
    let report = folder.run("report --out tables .");
    assert_eq!(report.out, "");
}

#[test]
fn quiet_omits_summary_and_keeps_input_messages() {
    let folder = Folder::with_games();
    for command in COMMANDS {
        let run = folder.run(&format!("{command} --quiet --progress always ."));
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{command}");
        let failed = folder.run(&format!("{command} -q missing.sgf"));
        assert_eq!((failed.code, failed.err.lines().count()), (2, 1), "{}", failed.err);
    }
}

#[test]
fn wrong_rules_get_near_matches_and_axes() {
    let folder = Folder::with_games();
    let answers = [
        ("japanes", vec!["'japanes'", "did you mean japanese", "jigo rules lists all", "repetition=psk"]),
        ("repitition=psk", vec!["'repitition'", "did you mean repetition", "suicide=forbid"]),
        ("suicide=forbidden", vec!["'forbidden'", "did you mean forbid", "multi", "any"]),
        ("komi=6.4", vec!["'6.4'", "0.5"]),
        (",", vec!["jigo rules"]),
    ];
    for (rules, expected) in answers {
        for command in COMMANDS {
            let run = folder.run(&format!("{command} --rules {rules} clean.sgf"));
            assert_eq!(run.code, 2, "{command} --rules {rules}");
            for text in &expected {
                assert!(run.err.contains(text), "{text} is not in: {}", run.err);
            }
        }
    }
}

/// Closes a command's standard output after a few bytes.
#[cfg(unix)]
fn run_into_a_closed_pipe(folder: &Folder, line: &str) -> (Option<i32>, String) {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("jigo"))
        .args(line.split_whitespace())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 4];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
#[cfg(unix)]
fn closed_output_pipe_is_not_an_error() {
    let folder = Folder::new();
    // More rows than the pipe's buffer.
    folder.file("many.sgf", CLEAN.repeat(5_000));
    for line in ["score --rules all many.sgf", "score --rules all --format text many.sgf"] {
        let (code, err) = run_into_a_closed_pipe(&folder, line);
        assert_eq!(code, Some(0), "{line}");
        assert_eq!(err, "jigo: the reader of the output has closed the pipe; the rest is not written\n", "{line}");
        assert_eq!(run_into_a_closed_pipe(&folder, &format!("{line} -q")), (Some(0), String::new()));
    }
}

/// Outputs other than standard output are still written.
#[test]
#[cfg(unix)]
fn closed_output_pipe_keeps_other_outputs_complete() {
    let folder = Folder::new();
    // More rows than the pipe's buffer.
    folder.file("many.sgf", CLEAN.repeat(5_000));
    let (code, err) = run_into_a_closed_pipe(&folder, "duplicates --store i.parquet --summary s.json many.sgf");
    assert!(code == Some(0) && err.contains("has closed the pipe"), "{code:?} {err}");
    assert!(folder.path().join("i.parquet").exists() && folder.read("s.json").contains("4999"), "{err}");
    folder.file("nuls.sgf", "(;GM[1]SZ[9]\0;B[aa])\n".repeat(5_000));
    for line in ["fix nuls.sgf", "fix --diff nuls.sgf"] {
        let (code, err) = run_into_a_closed_pipe(&folder, line);
        assert!(code == Some(0) && err.contains("has closed the pipe"), "{line}: {code:?} {err}");
    }
}

#[test]
fn contradictory_or_unknown_values_are_refused() {
    let folder = Folder::with_games();
    for (line, message) in [
        ("check --quick --where turns>1 games", "'turns' is available if games are replayed"),
        ("check --quick --where has(K) games", "'has' is available if games are replayed, which --quick does not do"),
        ("extract --format sgf --out o.zip games", "'o.zip' and --format contradict"),
        ("extract --format jsonl --out o.sgf.gz games", "'o.sgf.gz' and --format contradict"),
        ("score --dead engine --engine 'gnugo games", "a quote is not closed in 'gnugo"),
        ("duplicates --headers none.csv clean.sgf", "--headers none.csv: "),
        ("check --headers none.csv clean.sgf", "--headers none.csv: "),
        ("check --select K, clean.sgf", "'--select <CODES>': a name is empty"),
        ("check --ignore= clean.sgf", "'--ignore <CODES>': a name is empty"),
        ("check --jobs -1 clean.sgf", "'--jobs <N>': it takes a whole number from 1 to 1024"),
        ("check --limit -2 clean.sgf", "'--limit <N>': it takes a whole number, 1 or more"),
        ("check --max nodes=1e6 clean.sgf", "'--max <NAME=VALUE>': nodes: it takes a whole number, 0 or more"),
        ("check --seed 99999999999999999999 --sample 2 .", "it takes a whole number, 18446744073709551615 at most"),
        ("score --min-confidence -1 clean.sgf", "'--min-confidence <P>': it takes a number from 0 to 1"),
        ("show --turn -1 clean.sgf", "'--turn <N>': it takes a whole number from 0 to 4294967295"),
        ("check --max game-time=-1 clean.sgf", "'--max <NAME=VALUE>': game-time: it takes seconds"),
        ("check --max game=-1 clean.sgf", "'--max <NAME=VALUE>': game: a size is a number of bytes"),
        ("check --max node=3 clean.sgf", "there is no limit 'node' (did you mean nodes?); there are game, unpacked,"),
        ("check --max nodes clean.sgf", "the value is missing: write nodes=N"),
        ("split --max nodes=3 --out o clean.sgf", "there is no limit 'nodes'; there are game, unpacked,"),
        ("check -1 clean.sgf", "unexpected argument '-1'"),
        ("perft 1x3", "Usage: jigo perft <--depth <N>|--games> <WxH>"),
    ] {
        let run = folder.run(line);
        assert!(run.code == 2 && run.err.contains(message) && run.out.is_empty(), "{line}: {}", run.err);
    }
}

/// A suicide is illegal only for a command that judges it.
#[test]
fn every_command_stops_a_game_at_the_same_turn() {
    let folder = Folder::new();
    folder.file("g.sgf", "(;GM[1]SZ[5]KM[6.5]RU[Japanese];B[ba];W[ee];B[ab];W[aa];B[];W[])");
    let report = folder.run("report -q --on-illegal stop --rules japanese --out r g.sgf");
    assert!(report.code <= 1, "{}", report.err);
    for (table, file) in [("scores", "r/scores.csv"), ("results", "r/results.csv")] {
        let rows = folder.run(&format!("score -q --on-illegal stop --rules japanese --table {table} g.sgf")).out;
        assert_eq!(rows, folder.read(file), "{table}");
    }
    assert!(folder.read("r/scores.csv").contains("not_counted,stopped"));
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_ends_with_2() {
    let folder = Folder::with_games();
    let device = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("jigo"));
    let output = command.current_dir(folder.path()).args(["check", "illegal.sgf"]).stdout(device).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("jigo: standard output: "), "{message}");
}

/// Every option with an integer value has its own error message, without programmer's terms.
#[test]
fn number_options_name_their_accepted_values() {
    let numbers = ["N", "S", "SECONDS"];
    let mut options = 0;
    let command = Cli::command();
    for command in command.get_subcommands() {
        for argument in command.get_arguments() {
            let Some(flag) = argument.get_long() else { continue };
            if !argument.get_value_names().is_some_and(|names| numbers.contains(&names[0].as_str())) {
                continue;
            }
            options += 1;
            let run = Folder::new().run(&format!("{} --{flag} some x.sgf", command.get_name()));
            assert_eq!(run.code, 2);
            assert!(run.err.contains("it takes a whole number"), "{} --{flag}: {}", command.get_name(), run.err);
        }
    }
    for limit in LIMITS.iter().filter(|limit| limit.unit() == "N") {
        let run = Folder::new().run(&format!("check --max {}some x.sgf", limit.prefix));
        assert!(run.err.contains("it takes a whole number"), "{}", run.err);
        options += 1;
    }
    assert!(options > 40, "{options}");
}
