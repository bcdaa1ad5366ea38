//! Outputs are complete or absent, and existing files are never lost.

use std::fs;

use crate::support::cli::{CLEAN, Folder, Unprivileged, run_command};

const TABLES: [&str; 8] = [
    "findings.csv",
    "games.csv",
    "index.html",
    "merge.json",
    "provenance.json",
    "results.csv",
    "scores.csv",
    "summary.json",
];
const GAMES: [&str; 3] = ["clean.sgf", "illegal.sgf", "warned.sgf"];

#[test]
fn output_file_equals_standard_output() {
    let folder = Folder::with_games();
    for (command, name) in [("check", "rows.csv"), ("score", "rows.csv"), ("check --format text", "rows.txt")] {
        let printed = folder.run(&format!("{command} ."));
        let file = folder.run(&format!("{command} --output {name} ."));
        assert_eq!((file.code, file.out.as_str()), (printed.code, ""));
        assert_eq!(folder.read(name), printed.out);
        assert_eq!(folder.list(), ["clean.sgf", "illegal.sgf", name, "warned.sgf"]);
        fs::remove_file(folder.path().join(name)).unwrap();
    }
}

#[test]
fn existing_file_is_kept_without_force() {
    let folder = Folder::with_games();
    folder.file("rows.csv", "precious");
    let refused = folder.run("check --output rows.csv illegal.sgf");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("rows.csv is there already; --force replaces it"), "{}", refused.err);
    assert_eq!(folder.read("rows.csv"), "precious");
    let replaced = folder.run("check --force --output rows.csv illegal.sgf");
    assert_eq!(replaced.code, 1);
    assert!(folder.read("rows.csv").contains("occupied"));
    assert_eq!(folder.list(), ["clean.sgf", "illegal.sgf", "rows.csv", "warned.sgf"]);
}

#[test]
fn unwritable_output_ends_with_2_before_reading() {
    let folder = Folder::with_games();
    folder.file("a-file", "").file("a-folder/mine", "");
    let before = folder.list();
    for output in ["missing/rows.csv", "a-folder", "a-file/rows.csv"] {
        let run = folder.run(&format!("check --force --output {output} ."));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{output}");
        assert!(run.err.contains(output) && !run.err.contains(" found = "), "{}", run.err);
        assert_eq!(folder.list(), before, "{output}");
    }
    for out in ["a-file", "a-file/tables"] {
        let run = folder.run(&format!("report --force --out {out} ."));
        assert_eq!(run.code, 2, "{out}");
        assert!(run.err.contains(out), "{}", run.err);
        assert_eq!(folder.list(), before, "{out}");
    }
}

#[test]
#[cfg(unix)]
fn unwritable_folder_is_unchanged() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_games();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let Some(jigo) = Unprivileged::new() else { return };
    for line in ["check --output locked/rows.csv .", "report --out locked .", "report --out locked/tables ."] {
        let run = run_command(&mut jigo.command(&folder, line));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}");
        assert!(run.err.contains("locked"), "{}", run.err);
    }
    assert_eq!(fs::read_dir(&locked).unwrap().count(), 0);
}

#[test]
fn report_creates_folder_with_tables_and_page() {
    let folder = Folder::with_games();
    let run = folder.run("report --out deep/tables .");
    assert_eq!(run.code, 1);
    let mut expected = vec!["clean.sgf".to_owned(), "deep".into(), "deep/tables".into()];
    expected.extend(TABLES.map(|table| format!("deep/tables/{table}")));
    expected.extend(["illegal.sgf".into(), "warned.sgf".into()]);
    assert_eq!(folder.list(), expected);
    let summary: serde_json::Value = serde_json::from_str(&folder.read("deep/tables/summary.json")).unwrap();
    assert_eq!((&summary["games"]["found"], &summary["findings"]["error"]), (&3.into(), &1.into()));
    assert_eq!(folder.read("deep/tables/games.csv").lines().count(), 4);
}

#[test]
fn provenance_names_inputs_and_a_command_that_repeats_the_report() {
    let folder = Folder::with_games();
    folder.file("jigo.toml", "dialect = \"kgs\"\n");
    folder.run("report --dead static --sample 1 --out tables clean.sgf illegal.sgf");
    let provenance: serde_json::Value = serde_json::from_str(&folder.read("tables/provenance.json")).unwrap();
    assert!(provenance["program"].as_str().unwrap().starts_with(concat!("jigo ", env!("CARGO_PKG_VERSION"))));
    let command = provenance["command"].as_str().unwrap().strip_prefix("jigo ").unwrap();
    folder.run(&format!("{command} --out again"));
    for table in ["games.csv", "findings.csv", "scores.csv", "results.csv"] {
        assert_eq!(folder.read(&format!("again/{table}")), folder.read(&format!("tables/{table}")), "{command}");
    }
    let inputs = &provenance["inputs"];
    let bytes = folder.read("clean.sgf").len() + folder.read("illegal.sgf").len();
    assert_eq!((inputs["files"].as_u64(), inputs["bytes"].as_u64()), (Some(2), Some(bytes as u64)));
    let before = inputs["sha256"].as_str().unwrap().to_owned();
    folder.file("clean.sgf", "(;SZ[9];B[aa])");
    folder.run("report --force --dead static --sample 1 --out tables clean.sgf illegal.sgf");
    let provenance: serde_json::Value = serde_json::from_str(&folder.read("tables/provenance.json")).unwrap();
    assert_ne!(provenance["inputs"]["sha256"].as_str(), Some(before.as_str()));
    assert_eq!(provenance["rulesets"].as_array().unwrap().len(), 6);
}

#[test]
fn provenance_of_unread_inputs_has_no_digest() {
    let folder = Folder::with_games();
    folder.run_with_input("report --out tables -", "(;SZ[9];B[aa])");
    let provenance: serde_json::Value = serde_json::from_str(&folder.read("tables/provenance.json")).unwrap();
    assert_eq!((&provenance["command"], &provenance["inputs"]["sha256"]), (&().into(), &().into()));
    folder.run("report --limit 1 --out first clean.sgf illegal.sgf");
    let provenance: serde_json::Value = serde_json::from_str(&folder.read("first/provenance.json")).unwrap();
    assert_eq!((&provenance["inputs"]["files"], &provenance["inputs"]["sha256"]), (&2.into(), &().into()));
}

#[test]
fn report_tables_equal_check_and_score() {
    let folder = Folder::with_games();
    folder.run("report --rules nz,japanese --out tables .");
    assert_eq!(folder.read("tables/findings.csv"), folder.run("check --rules nz,japanese .").out);
    assert_eq!(folder.read("tables/scores.csv"), folder.run("score --rules nz,japanese .").out);
}

#[test]
fn report_keeps_all_tables_if_one_exists() {
    for table in TABLES {
        let folder = Folder::with_games();
        folder.file(&format!("tables/{table}"), "precious");
        let run = folder.run("report --out tables .");
        assert_eq!(run.code, 2, "{table}");
        assert!(run.err.contains(&format!("{table} is there already; --force replaces it")), "{}", run.err);
        assert_eq!(folder.read(&format!("tables/{table}")), "precious");
        let remaining: Vec<String> = folder.list().into_iter().filter(|name| name.starts_with("tables/")).collect();
        assert_eq!(remaining, [format!("tables/{table}")]);
        assert_eq!(folder.run("report --force --out tables .").code, 1);
        assert_ne!(folder.read(&format!("tables/{table}")), "precious");
    }
}

#[test]
fn early_failure_leaves_no_folder() {
    let folder = Folder::with_games();
    for line in ["report --rules japanes --out tables .", "report --shard 0/1 --out tables ."] {
        assert_eq!(folder.run(line).code, 2);
        assert_eq!(folder.list(), GAMES, "{line}");
    }
}

#[test]
fn github_annotations_are_one_escaped_line() {
    let folder = Folder::new();
    folder.file("50%,a.sgf", "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[ee];B[gg])");
    let run = folder.run("check --format github .");
    assert_eq!(
        run.out,
        "::error file=./50%25%2Ca.sgf,line=1,title=P001 occupied::game 1 turn 2: occupied: the stone there is replaced\n"
    );
}

#[test]
fn text_is_coloured_on_request_and_not_in_a_pipe() {
    let folder = Folder::with_games();
    let uncolored = folder.run("check --format text illegal.sgf").out;
    let colored = folder.run("check --format text --color always illegal.sgf").out;
    assert!(!uncolored.contains('\x1b') && colored.contains("\x1b[31merror P001\x1b[0m"), "{colored}");
    assert_eq!(folder.run("check --format text --color never illegal.sgf").out, uncolored);
    let stripped: String = colored
        .split('\x1b')
        .map(|part| part.split_once('m').map_or(part, |(code, rest)| if code.starts_with('[') { rest } else { part }))
        .collect();
    assert_eq!(stripped, uncolored);
}

/// Names and texts that would clear a screen, hide an ending or be evaluated as a formula.
#[test]
fn hostile_texts_are_neutralised_in_output() {
    let folder = Folder::new();
    let name = "\u{1b}[2J\u{202e}fgs.sgf";
    folder.file(
        name,
        "(;SZ[9]PB[=HYPERLINK(\"http://x\")]PW[@a]BR[+1]EV[-2+3]RE[=1+1]RU[\u{1b}]0;own\u{7}];B[ee];W[ee])",
    );
    for line in ["check --format text .", "score --format text .", "check --format text missing\u{1b}[2J.sgf"] {
        let run = folder.run(line);
        let shown = format!("{}{}", run.out, run.err);
        assert!(shown.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')), "{line}: {shown:?}");
    }
    assert!(folder.run("check --format text .").out.contains("./·[2J·fgs.sgf"));
    let cells = |line: &str, table: &str| {
        folder.run(line);
        let text = folder.read(table);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let first = reader.records().next().unwrap().unwrap();
        first.iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = cells("report --out plain .", "plain/games.csv");
    let safe = cells("report --safe-text --out safe .", "safe/games.csv");
    assert_eq!(plain[3..8], ["=HYPERLINK(\"http://x\")", "@a", "+1", "", "-2+3"]);
    assert_eq!(safe[3..8], ["'=HYPERLINK(\"http://x\")", "'@a", "'+1", "", "'-2+3"]);
    let is_formula = |cell: &&String| {
        cell.starts_with(['=', '+', '@', '\t', '\r']) || (cell.starts_with('-') && cell.parse::<f64>().is_err())
    };
    assert_eq!(safe.iter().find(is_formula), None);
    // The ids of the players contain their names. All other cells are unchanged.
    let kept = plain.iter().zip(&safe).filter(|(plain, safe)| plain == safe).count();
    assert_eq!(kept, plain.len() - 7, "{safe:?}");
    assert_eq!(folder.run("check --format jsonl --safe-text .").code, 2);
}

/// Two outputs at one path would lose one of them. The order of the flags does not matter.
#[test]
fn two_outputs_at_one_path_are_refused() {
    let folder = Folder::with_games();
    folder.file("in/g1.sgf", CLEAN).file("list", "in/g1.sgf").file("known.jsonl", "").file("seen", "row");
    folder.file("some.jsonl", "{\"file\":\"in/g1.sgf\",\"game\":1}\n");
    std::os::unix::fs::symlink(".", folder.path().join("here")).unwrap();
    let before = folder.list();
    let mut lines = vec![
        ("check --output a.csv --summary a.csv in", "--output and --summary are the same place: a.csv"),
        (
            "check --force --output a.csv --write-baseline ./a.csv in",
            "--write-baseline and --output are the same place",
        ),
        ("check --force --output known.jsonl --baseline known.jsonl in", "--baseline and --output are the same place"),
        ("check --force --output list --files-from list", "--files-from and --output are the same place: list"),
        ("score --output here/a.csv --summary a.csv in", "--output and --summary are the same place: here/a.csv"),
        ("score --table results --output a.csv --summary a.csv in", "--output and --summary are the same place"),
        ("compare --output a.txt --summary a.txt in", "--output and --summary are the same place: a.txt"),
        ("duplicates --output a.csv --checkpoint ./a.csv in", "--output and --checkpoint are the same place: a.csv"),
        ("duplicates --merge-headers --log a.csv --summary a.csv in", "--summary and --log are the same place: a.csv"),
        ("fix --out fx --log fx in", "--out and --log are the same place: fx"),
        ("fix --out ./fx --log here/fx in", "--out and --log are the same place: ./fx"),
        ("split --force --out seen --files-from seen", "--files-from and --out are the same place: seen"),
        ("extract --out o.sgf --rejects ./o.sgf in", "--out and --rejects are the same place: o.sgf"),
        ("extract --out o.sgf --dedupe --merge-headers --log o.sgf in", "--out and --log are the same place: o.sgf"),
        ("extract --out some.jsonl --games some.jsonl --force in", "--games and --out are the same place: some.jsonl"),
    ];
    if cfg!(feature = "columnar") {
        lines.extend([
            ("duplicates --output a.csv --store a.csv in", "--output and --store are the same place: a.csv"),
            ("duplicates --store a.px --checkpoint ./a.px in", "--store and --checkpoint are the same place: a.px"),
        ]);
    }
    for (line, expected) in lines {
        let run = folder.run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert!(run.err.contains(expected), "{line}: {}", run.err);
        assert_eq!(folder.list(), before, "{line}");
    }
    // The list from standard input is not an output with that name.
    let run = folder.run_with_input("extract --files-from - --out -", "in/g1.sgf\n");
    assert_eq!((run.code, run.out.trim_end()), (0, CLEAN), "{}", run.err);
}

/// Applies to every kind of input and every path to it.
#[test]
fn no_output_replaces_an_input() {
    let folder = Folder::with_games();
    let row = format!("{{\"id\":\"a\",\"sgf\":\"{CLEAN}\"}}\n");
    let games = [("a.sgf".to_owned(), CLEAN.into())];
    let zip = crate::archives::zip(&games);
    folder.file("x.jsonl", &row).file("games.csv", format!("sgf\n\"{CLEAN}\"\n")).file("x.zip", zip);
    folder.file("in/g1.sgf", CLEAN).file("x.sgf.gz", crate::archives::gzip(CLEAN.as_bytes()));
    std::os::unix::fs::symlink("in/g1.sgf", folder.path().join("link.sgf")).unwrap();
    std::os::unix::fs::symlink("in", folder.path().join("other")).unwrap();
    let state = || folder.list().into_iter().map(|name| (fs::read(folder.path().join(&name)).ok(), name));
    let before: Vec<_> = state().collect();
    let mut lines = vec![
        ("check --force --output clean.sgf clean.sgf", "clean.sgf is read as an input: --output can't replace it"),
        ("check --output in/g1.sgf in", "in/g1.sgf is read as an input: --output can't replace it"),
        ("check --force --summary other/g1.sgf --output a.csv in", "other/g1.sgf is read as an input: --summary"),
        ("check --force --write-baseline in/g1.sgf link.sgf", "in/g1.sgf is read as an input: --write-baseline"),
        ("score --force --output link.sgf in", "link.sgf is read as an input: --output can't replace it"),
        ("compare --force --output link.sgf in", "link.sgf is read as an input: --output can't replace it"),
        ("duplicates --force --output games.csv games.csv", "games.csv is read as an input: --output can't replace it"),
        ("duplicates --checkpoint clean.sgf .", "clean.sgf is read as an input: --checkpoint can't replace it"),
        ("report --force --out . games.csv", "games.csv is read as an input: --out can't replace it"),
        ("fix --out fx --log in/g1.sgf --force in", "in/g1.sgf is read as an input: --log can't replace it"),
        ("fix --out clean.sgf --force clean.sgf", "clean.sgf is read as an input: --out can't replace it"),
        ("extract --out x.zip --force x.zip", "x.zip is read as an input: --out can't replace it"),
        ("extract --out x.jsonl --force x.jsonl", "x.jsonl is read as an input: --out can't replace it"),
        ("extract --out x.sgf.gz --force x.sgf.gz", "x.sgf.gz is read as an input: --out can't replace it"),
        ("extract --out o.sgf --rejects in/g1.sgf --force in", "in/g1.sgf is read as an input: --rejects can't"),
        (
            "extract --out o.sgf --dedupe --merge-headers --log x.jsonl --force x.jsonl",
            "x.jsonl is read as an input: --log can't replace it",
        ),
    ];
    if cfg!(feature = "columnar") {
        lines.extend([
            ("split --force --output in/g1.sgf in", "in/g1.sgf is read as an input: --output can't replace it"),
            ("duplicates --store x.zip x.zip", "x.zip is read as an input: --store can't replace it"),
        ]);
    }
    for (line, expected) in lines {
        let run = folder.run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert!(run.err.contains(expected), "{line}: {}", run.err);
        assert!(state().eq(before.iter().cloned()), "{line}");
    }
    // A file with the same length is a different file.
    folder.file("new.csv", CLEAN);
    assert_eq!(folder.run("check --quiet --force --output new.csv clean.sgf").code, 0);
}

/// In a file of one line, only the byte tells where a fault is.
#[test]
fn faults_of_one_line_have_their_own_bytes() {
    let folder = Folder::new();
    let text = "(;GM[1]FF[4]SZ[9];B[aa];W[bb;B[cc];W[dd]xx;B[ee])";
    folder.file("a.sgf", format!("{text}{text}"));
    let run = folder.run("check --select D a.sgf");
    let second = text.len();
    let expected = ["[bb", "xx"].map(|fault| text.find(fault).unwrap());
    let bytes: Vec<String> =
        [0, second].iter().flat_map(|game| expected.map(|byte| (game + byte).to_string())).collect();
    assert_eq!(run.column("byte"), bytes);
    let lines = folder.run("check --select D --format text a.sgf").out;
    assert!(bytes.iter().all(|byte| lines.contains(&format!(" byte {byte} error D00"))), "{lines}");
}

/// Editors repeat a fault of form in every node. The rows of other findings stay.
#[test]
fn equal_faults_of_form_are_one_row() {
    let folder = Folder::new();
    let nodes = ";AB[aa]AB[bb]LB[cc]LB[dd];LB[ee]".repeat(3);
    folder.file("a.sgf", format!("(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]{nodes};B[gg];W[ff];W[hh])"));
    let run = folder.run("check --select D005,F004,P a.sgf");
    assert_eq!(run.column("code"), ["D005", "D005", "P005", "P006", "F004"]);
    let details = run.column("detail");
    assert!(details[0].ends_with("an earlier AB exists; 2 more like it in this game"), "{details:?}");
    assert!(details[4].ends_with("; 8 more like it in this game"), "{details:?}");
}
