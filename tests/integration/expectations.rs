//! `jigo.toml`: expectations are findings, options are defaults, and faulty files are errors.

use jigo_run::config::ConfigFile;
use serde_json::Value;

use crate::support::cli::{CLEAN, Folder, ILLEGAL};
use crate::support::generated::Random;

/// Expects a komi of games on 9x9. The clean game has 7.5.
const KOMI: &str = "[[expect]]\nname = 'komi, 9x9'\nwhen = 'size = 9'\nthat = 'komi = 6.5 and year > 1900'\n";

fn folder(config: &str) -> Folder {
    let folder = Folder::new();
    folder.file("clean.sgf", CLEAN).file("jigo.toml", config);
    folder
}

#[test]
fn unmet_expectation_is_an_error_with_its_name_and_values() {
    let folder = folder(KOMI);
    let run = folder.run("check clean.sgf");
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(run.column("code"), ["A001"]);
    assert_eq!(run.column("name"), ["komi, 9x9"]);
    assert_eq!(run.column("severity"), ["error"]);
    assert_eq!(run.column("detail"), ["komi = 7.5, year unknown"]);
    assert!(run.err.contains("1  error    A001 unmet-expectation\n             1  komi, 9x9\n"), "{}", run.err);
    assert!(run.err.contains("jigo.toml: 0 options and 1 expectation; see jigo config"), "{}", run.err);
    let text = folder.run("check --format text clean.sgf").out;
    assert!(text.contains("error A001 komi, 9x9: komi = 7.5, year unknown"), "{text}");
    let github = folder.run("check --format github clean.sgf").out;
    assert!(github.contains("title=A001 komi%2C 9x9::"), "{github}");
    let met = folder.file("jigo.toml", KOMI.replace("6.5 and year > 1900", "7.5")).run("check clean.sgf");
    assert_eq!((met.code, met.rows().len()), (0, 0), "{}", met.err);
    let other_size = folder.file("jigo.toml", KOMI.replace("size = 9", "size = 19")).run("check clean.sgf");
    assert_eq!(other_size.code, 0, "{}", other_size.err);
}

#[test]
fn finding_is_selected_like_any_other() {
    let folder = folder(KOMI);
    for (options, code, rows) in [
        ("--select A", 1, 1),
        ("--ignore unmet-expectation", 0, 0),
        ("--where has(A001)", 1, 1),
        ("--where findings=0", 0, 0),
        ("--fail-if A001>5", 0, 1),
        ("--exit-zero", 0, 1),
    ] {
        let run = folder.run(&format!("check {options} clean.sgf"));
        assert_eq!((run.code, run.rows().len()), (code, rows), "{options}: {}", run.err);
    }
    let refused = folder.run("check --no-config --select A001 clean.sgf");
    assert!(refused.code == 2 && refused.err.contains("jigo.toml"), "{}", refused.err);
    let warning = folder.file("jigo.toml", format!("{KOMI}severity = 'warning'\n")).run("check clean.sgf");
    assert_eq!((warning.code, warning.column("severity")), (0, vec!["warning".to_owned()]));
}

#[test]
fn expectation_sees_findings_that_are_not_reported() {
    let folder = folder("ignore = ['P']\n[[expect]]\nname = 'legal'\nthat = 'not has(P001)'\n");
    let run = folder.file("illegal.sgf", ILLEGAL).run("check --severity error illegal.sgf");
    assert_eq!((run.column("name"), run.column("detail")), (vec!["legal".into()], vec!["has(P001)".into()]));
}

#[test]
fn baseline_distinguishes_expectations_by_name() {
    let folder = folder(KOMI);
    assert_eq!(folder.run("check -q --write-baseline known.jsonl clean.sgf").code, 0);
    let two = format!("{KOMI}[[expect]]\nname = 'turns'\nthat = 'turns > 3'\n");
    let run = folder.file("jigo.toml", two).run("check --baseline known.jsonl clean.sgf");
    assert_eq!((run.code, run.column("name")), (1, vec!["turns".to_owned()]), "{}", run.err);
}

#[test]
fn nearest_file_applies_unless_another_is_named() {
    let folder = folder(KOMI);
    let sgf = folder.path().join("clean.sgf");
    let in_folder = |name: &str, options: &str| {
        let mut command = folder.command(["check"]);
        command.current_dir(folder.path().join(name)).args(options.split_whitespace()).arg(&sgf);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    folder.file("a/b/empty", "").file("a/other.toml", KOMI.replace("komi = 6.5", "komi = 7"));
    assert_eq!(in_folder("a/b", "").0, Some(1));
    let (code, err) = in_folder("a/b", "--no-config");
    assert!(code == Some(0) && !err.contains("jigo.toml"), "{err}");
    assert!(in_folder("a/b", "--config ../other.toml").1.contains("../other.toml: 0 options"));
    folder.file("a/jigo.toml", "");
    assert_eq!(in_folder("a/b", "").0, Some(0));
    let (code, err) = in_folder("a/b", "--config ../other.toml --no-config");
    assert!(code == Some(2) && err.contains("cannot be used with"), "{err}");
    assert_eq!(in_folder("a/b", "--config none.toml").0, Some(2));
}

#[test]
fn options_of_the_file_are_defaults() {
    let folder = Folder::with_games();
    folder.file("jigo.toml", "severity = 'error'\nignore = ['K', 'P']\nmax = { findings = 5, nodes = 2 }\n");
    let codes = |options: &str| {
        let run = folder.run(&format!("check {options} illegal.sgf warned.sgf"));
        assert!(run.code < 2, "{options}: {}", run.err);
        run.column("code").join(" ")
    };
    assert_eq!(codes("--no-config"), "P001 H004");
    assert_eq!(codes(""), "L001 L001");
    assert_eq!(codes("--max nodes=1000000"), "");
    assert_eq!(codes("--max nodes=1000000 --severity warning"), "H004");
    assert_eq!(codes("--max nodes=1000000 --select P,H --severity info"), "P001 H004");
    const RESIGNED: &str = "(;SZ[3:1]RU[NZ]KM[7]RE[B+R];B[ba];W[])";
    folder.file("resigned.sgf", RESIGNED).file("jigo.toml", "rules = ['aga', 'nz']\nkomi = 0.5\n");
    let score = folder.run("score --all-endings resigned.sgf");
    assert_eq!(
        (score.column("ruleset"), score.column("komi")),
        (vec!["aga".into(), "nz".into()], vec!["0.5".into(); 2])
    );
    assert_eq!(folder.run("score --rules japanese --all-endings resigned.sgf").column("ruleset"), ["japanese"]);
    assert!(folder.run("show resigned.sgf --ending").out.contains("aga"));
    // A command without an option ignores its key.
    assert_eq!(folder.run("check clean.sgf").code, 0);
}

#[test]
fn expectation_on_counts_counts_endings() {
    const CONTRADICTED: &str = "(;SZ[5]RU[NZ]KM[0]RE[B+3]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de];W[];B[])";
    let folder = folder("[[expect]]\nname = 'agrees'\nthat = 'agrees'\n");
    let run = folder.file("game.sgf", CONTRADICTED).run("check game.sgf");
    let names = run.column("name");
    assert!(
        names.contains(&"agrees".into()) && !run.err.contains("results were not compared"),
        "{names:?} {}",
        run.err
    );
    let quick = folder.run("check --quick game.sgf");
    assert!(quick.err.contains("1 expectation not checked"), "{}", quick.err);
    assert!(!quick.column("code").contains(&"A001".into()));
    let turns = folder.run("check --table turns game.sgf");
    assert_eq!(turns.code, 0, "{}", turns.err);
}

#[test]
fn summary_contains_the_configuration_and_the_counts() {
    let folder = folder(&format!("severity = 'warning'\n{KOMI}").replace("severity = 'warning'\n", "ignore = 'H'\n"));
    assert_eq!(folder.run("report --out audit clean.sgf").code, 1);
    let summary: Value = serde_json::from_str(&folder.read("audit/summary.json")).unwrap();
    assert_eq!(summary["configuration"]["options"]["ignore"], "H");
    assert_eq!(summary["configuration"]["expect"][0]["name"], "komi, 9x9");
    assert_eq!(summary["games_with"]["by_expectation"]["komi, 9x9"], 1);
    assert_eq!(summary["games_with"]["by_code"]["A001"], 1);
    assert_eq!(folder.run("check --summary counts.json clean.sgf").code, 1);
    let counts: Value = serde_json::from_str(&folder.read("counts.json")).unwrap();
    assert_eq!(counts["configuration"], summary["configuration"]);
    assert_eq!(folder.run("report --no-config --out plain clean.sgf").code, 0);
    let plain: Value = serde_json::from_str(&folder.read("plain/summary.json")).unwrap();
    assert!(plain.get("configuration").is_none() && plain["games_with"].get("by_expectation").is_none());
}

#[test]
fn extract_leaves_out_games_that_do_not_meet_an_expectation() {
    let folder = folder(KOMI);
    let run = folder.run("extract --clean --out clean-games.sgf clean.sgf");
    assert!(run.err.contains("1 game found = 0 extracted + 1 rejected"), "{}", run.err);
    assert_eq!(folder.run("extract --clean --no-config --out all.sgf clean.sgf").code, 0);
    assert_eq!(folder.read("all.sgf").trim_end(), CLEAN);
    // The clean game is short, and its players have no rank.
    let preset = folder.run("extract --preset training --no-config --out training.sgf clean.sgf");
    assert!(preset.err.contains("0 extracted + 1 rejected"), "{}", preset.err);
    let broken = folder.run("extract --preset training --no-config --broken --out other.sgf clean.sgf");
    assert!(broken.err.contains("1 extracted + 0 rejected"), "{}", broken.err);
    let printed = folder.run("config --print training").out;
    let copy = folder.file("copy.toml", printed).run("check --config copy.toml clean.sgf");
    let mut names = copy.column("name");
    names.sort();
    assert_eq!(names, ["date", "length-9", "ranks"], "{}", copy.out);
}

#[test]
fn config_prints_values_with_their_sources() {
    let folder = folder(&format!("# Title matches.\nrules = 'aga'\n{KOMI}"));
    let printed = folder.run("config").out;
    let line =
        |start: &str| printed.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{printed}"));
    assert!(line("rules = \"aga\"").ends_with("# line 2"), "{printed}");
    assert!(line("severity = \"info\"").ends_with("# default"), "{printed}");
    assert!(line("[[expect]]").ends_with("# line 3") && printed.contains("that = \"komi = 6.5 and year > 1900\"\n"));
    assert_eq!(folder.file("again.toml", &printed).run("check --config again.toml clean.sgf").code, 1);
    let none = folder.run("config --no-config").out;
    assert!(none.starts_with("# There is no jigo.toml.") && !none.contains("line"), "{none}");
}

#[test]
fn fault_in_the_file_ends_any_command_with_exit_code_2() {
    for command in ["check", "report --out audit", "show", "fix", "config"] {
        let folder = folder("\n\n[[expect]]\nname = 'a'\nthat = 'komy = 6.5'\n");
        let input = if command == "config" { "" } else { "clean.sgf" };
        let run = folder.run(&format!("{command} {input}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command}");
        let expected = "jigo.toml:5: that: there is no column 'komy' (did you mean komi?)";
        assert!(run.err.contains(expected), "{command}: {}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn path_that_is_no_regular_file_is_an_error() {
    let folder = folder("");
    let check = |options: &str| folder.run(&format!("check {options} clean.sgf"));
    assert_eq!(check("").code, 0);
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
    assert!(made.success());
    for special in ["pipe", "/dev/zero", "/dev/stdin", "."] {
        let run = check(&format!("--config {special}"));
        assert!(run.code == 2 && run.err.contains("no regular file"), "{special}: {}", run.err);
    }
    let found = folder.path().join("jigo.toml");
    std::fs::remove_file(&found).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &found).unwrap();
    let link = check("");
    assert!(
        link.code == 2 && link.err.contains("is a link or no regular file") && !link.err.contains("root"),
        "{}",
        link.err
    );
    assert_eq!(check("--no-config").code, 0);
    std::fs::remove_file(&found).unwrap();
    std::fs::rename(folder.path().join("pipe"), &found).unwrap();
    assert_eq!(check("").code, 2);
}

#[test]
fn mutated_file_is_parsed_or_reports_a_line() {
    const PIECES: [&str; 16] =
        ["[", "]", "{", "}", "'", "\"", "\"\"\"", "\n", ".", "=", "#", ",", "[[expect]]\n", "max", "that", "(((((("];
    let original = format!("rules = ['aga', 'nz']\nmax = {{ nodes = 5 }}\n{KOMI}severity = 'info'\n");
    let mut random = Random(41);
    let mut parsed = 0;
    for _ in 0..5_000 {
        let mut text: Vec<char> = original.chars().collect();
        for _ in 0..=random.below(4) {
            let place = random.below(text.len() as u64) as usize;
            let end = (place + random.below(6) as usize).min(text.len());
            let piece = PIECES[random.below(PIECES.len() as u64) as usize];
            text.splice(place..end, piece.chars());
        }
        let text: String = text.into_iter().collect();
        match ConfigFile::parse("jigo.toml", &text) {
            Ok(_) => parsed += 1,
            Err(error) => {
                let message = error.to_string();
                let line =
                    message.strip_prefix("jigo.toml:").and_then(|rest| rest.split_once(':')).map(|(line, _)| line);
                let line: usize =
                    line.and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("{text}\n{message}"));
                assert!((1..=text.lines().count() + 1).contains(&line), "{text}\n{message}");
            }
        }
    }
    assert!((50..4_900).contains(&parsed), "{parsed}");
}

#[test]
fn list_of_players_is_relative_to_the_configuration_file() {
    let folder = Folder::new();
    folder.file("archive/g.sgf", "(;GM[1]FF[4]SZ[9]PB[Cho U]PW[Ito];B[aa])");
    folder.file("archive/names/p.csv", "id,name\nchou,Cho U\n");
    folder.file("archive/jigo.toml", "[players]\naliases = 'names/p.csv'\n");
    let run = folder.run("report --out o --exit-zero --config archive/jigo.toml archive/g.sgf");
    assert_eq!(run.code, 0, "{}", run.err);
    let games = std::fs::read_to_string(folder.path().join("o/games.csv")).unwrap();
    assert!(games.contains(",chou,") && !games.contains(",cho u,"), "{games}");
    folder.file("archive/jigo.toml", "[players]\naliases = 'none.csv'\n");
    let run = folder.run("check --config archive/jigo.toml archive/g.sgf");
    assert!(run.code == 2 && run.err.contains("none.csv"), "{} {}", run.code, run.err);
}

/// A file from a stranger could otherwise make a run wait for ever.
#[cfg(unix)]
#[test]
fn list_of_players_is_a_regular_file() {
    let folder = Folder::new();
    folder.file("g.sgf", "(;GM[1]FF[4]SZ[9];B[aa])");
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("pipe", folder.path().join("link")).unwrap();
    folder.file("folder/x", "");
    for list in ["pipe", "link", "folder", "/dev/zero"] {
        folder.file("jigo.toml", format!("komi = 6.5\n[players]\naliases = '{list}'\n"));
        for command in ["check g.sgf", "report --out o g.sgf", "fix g.sgf", "config"] {
            let run = folder.run(command);
            assert!(run.code == 2 && run.err.contains("jigo.toml:2: players: "), "{command} {list}: {}", run.err);
            assert!(run.err.contains("is no regular file"), "{}", run.err);
        }
    }
}
