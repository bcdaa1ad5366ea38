//! The reasons for rejected games in `jigo extract`: one for each game, the same as other commands
//! find, and in every format.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::cli::{CLEAN, Folder, ILLEGAL, Ran, WARNED, run_command};
use crate::support::corpus_parts;
use crate::support::generated::{Random, collection};
use crate::support::manifest::Row;
#[cfg(feature = "columnar")]
use crate::support::python;

/// A game by file and number.
type Place = (String, String);

fn place(row: &Row) -> Place {
    (row["file"].clone(), row["game"].clone())
}

/// Returns the counts by reason in the summary of a run.
fn reasons(run: &Ran) -> (u64, Vec<(u64, String)>) {
    let line = run.err.lines().find_map(|line| line.strip_prefix("jigo: ")?.split_once(" rejected: "));
    let (total, list) = line.unwrap_or_else(|| panic!("{}", run.err));
    let reason = |part: &str| {
        let (games, words) = part.split_once(' ').unwrap();
        (games.parse().unwrap(), words.to_owned())
    };
    (total.parse().unwrap(), list.split(", ").map(reason).collect())
}

/// Returns the found, extracted and rejected games in the last line of a run.
fn counts(run: &Ran) -> [u64; 3] {
    let line = run.err.lines().last().unwrap_or_default();
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    [numbers[0], numbers[1], numbers[2]]
}

fn archive() -> Folder {
    let folder = Folder::with_games();
    let other = "(;GM[1]SZ[13]PB[a];B[dd];W[jj])(;GM[6];Q[x])";
    folder.file("games/a.sgf", format!("{CLEAN}\n{ILLEGAL}\n{WARNED}\n{other}"));
    folder.file("games/b.sgf", format!("{CLEAN}\n(;GM[1]SZ[9]C[x];B[aa];W[bb]LB[cc])"));
    folder
}

#[test]
fn each_kind_of_rejection_has_a_row_and_a_count() {
    let folder = archive();
    folder.file("list.csv", "file,game\ngames/a.sgf,1\ngames/a.sgf,2\n");
    for (flags, expected) in [
        ("--clean", "1 with P001 occupied"),
        ("--broken", "6 without errors"),
        ("--where size=9", "2 not where size=9"),
        ("--limit 2", "5 after --limit"),
        ("--games list.csv", "5 not in --games"),
        ("--clean --games list.csv", "5 not in --games, 1 with P001 occupied"),
        ("--dedupe", "1 duplicate"),
        ("--as sgf", "1 without a normal form"),
        ("--select K --clean", ""),
        ("--max game=60 --as sgf", "4 larger than --max game, 1 without a normal form"),
    ] {
        let line = "--out o.sgf --rejects r.sgf --rejects-table t.csv --force games";
        let run = folder.run(&format!("extract {flags} {line}"));
        assert_eq!(run.code, 0, "{flags}: {}", run.err);
        let [found, _, rejected] = counts(&run);
        let of_rejected: Vec<Row> = folder.table("t.csv").into_iter().filter(|row| row["kind"] != "omission").collect();
        assert_eq!((found, of_rejected.len() as u64), (7, rejected), "{flags}: {}", run.err);
        if rejected == 0 {
            assert!(!run.err.contains(" rejected: ") && expected.is_empty(), "{flags}: {}", run.err);
            continue;
        }
        let (total, by_reason) = reasons(&run);
        assert_eq!((total, by_reason.iter().map(|(games, _)| games).sum::<u64>()), (rejected, rejected), "{flags}");
        let words: Vec<String> = by_reason.iter().map(|(games, words)| format!("{games} {words}")).collect();
        assert_eq!(words.join(", "), expected, "{flags}");
    }
}

#[test]
fn rows_name_condition_error_representative_and_properties() {
    let folder = archive();
    let table = |flags: &str| {
        let run = folder.run(&format!("extract -q {flags} --out o.sgf --rejects-table t.csv --force games"));
        assert_eq!(run.code, 0, "{}", run.err);
        folder.table("t.csv")
    };
    let cells = |row: &Row| {
        ["file", "game", "kind", "reason", "turn", "codes", "detail"].map(|column| row[column].clone()).join("|")
    };
    let lines = |flags: &str| -> Vec<String> { table(flags).iter().map(cells).collect() };
    assert_eq!(
        lines("--clean --where turns>1"),
        ["games/a.sgf|2|code|P001 occupied|2|P001|the stone there is replaced", "games/a.sgf|5|filter|turns>1|||",]
    );
    assert_eq!(lines("--dedupe"), ["games/b.sgf|1|duplicate|games/a.sgf#1|||identical; comes later"]);
    assert_eq!(lines("--as sgf"), ["games/a.sgf|5|form||||GM names another game", "games/b.sgf|2|omission|LB|||"],);
    let offsets: Vec<String> = table("--where size=99").iter().map(|row| row["offset"].clone()).collect();
    let text = folder.read("games/a.sgf");
    assert_eq!(
        offsets[..3],
        ["0".to_owned(), text.find(ILLEGAL).unwrap().to_string(), text.find(WARNED).unwrap().to_string()]
    );
}

#[test]
fn unmet_expectations_are_reasons_with_their_names() {
    let folder = archive();
    let expectation = |name: &str, that: &str| format!("[[expect]]\nname = '{name}'\nthat = '{that}'\n");
    let config = expectation("small board", "size = 9") + &expectation("a komi", "komi = 7.5");
    folder.file("jigo.toml", config);
    let run = folder.run("extract --clean --out o.sgf --rejects-table t.csv games");
    assert_eq!((run.code, counts(&run)[2]), (0, 5), "{}", run.err);
    let cells = |row: &Row| ["game", "kind", "reason", "codes", "detail"].map(|column| row[column].clone()).join("|");
    let lines: Vec<String> = folder.table("t.csv").iter().map(cells).collect();
    assert_eq!(
        lines,
        [
            "2|code|P001 occupied|P001|the stone there is replaced",
            "3|expectation|a komi|A001|komi unknown",
            "4|expectation|small board|A001|size = 13",
            "5|expectation|small board|A001|size unknown",
            "2|expectation|a komi|A001|komi unknown",
        ]
    );
    let (_, mut by_reason) = reasons(&run);
    by_reason.sort();
    let expected = ["with P001 occupied", "against expectation a komi", "against expectation small board"];
    assert_eq!(by_reason, [1_u64, 2, 2].into_iter().zip(expected.map(str::to_owned)).collect::<Vec<_>>());
}

/// The same games by a straightforward script over the tables of other commands.
#[test]
fn reasons_equal_those_of_a_script_over_games_and_findings() {
    for path in corpus_parts(&["edge", "ai"]) {
        let folder = Folder::new();
        let path = path.to_str().unwrap();
        let report = folder.run(&format!("report --exit-zero --out audit {path}"));
        assert_eq!(report.code, 0, "{}", report.err);
        let filter = ["--where", "size = 19 and turns >= 150"];
        let out = ["--clean", "--out", "o.sgf", "--rejects-table", "t.csv"];
        let arguments = ["extract"].iter().chain(&filter).chain(&out).chain([&path]);
        let run = run_command(&mut folder.command(arguments));
        assert_eq!(run.code, 0, "{}", run.err);

        let mut first_errors: BTreeMap<Place, String> = BTreeMap::new();
        for finding in folder.table("audit/findings.csv") {
            if finding["severity"] == "error" && !finding["game"].is_empty() {
                let name = format!("{} {}", finding["code"], finding["name"]);
                first_errors.entry(place(&finding)).or_insert(name);
            }
        }
        let mut expected: BTreeMap<Place, (String, String)> = BTreeMap::new();
        for game in folder.table("audit/games.csv") {
            let number = |column: &str| game[column].parse::<u64>().ok();
            let is_square = (number("width"), number("height")) == (Some(19), Some(19));
            let reason = match () {
                () if !is_square => Some(("filter", "size = 19".to_owned())),
                () if number("turns").is_none_or(|turns| turns < 150) => Some(("filter", "turns >= 150".to_owned())),
                () => first_errors.get(&place(&game)).map(|error| ("code", error.clone())),
            };
            expected.extend(reason.map(|(kind, reason)| (place(&game), (kind.to_owned(), reason))));
        }
        let table = folder.table("t.csv");
        let found: BTreeMap<Place, (String, String)> =
            table.iter().map(|row| (place(row), (row["kind"].clone(), row["reason"].clone()))).collect();
        assert_eq!(found.len(), table.len(), "{path}");
        assert!(found == expected, "{path}: {found:?}\n{expected:?}");

        let mut by_reason: BTreeMap<String, u64> = BTreeMap::new();
        for (kind, reason) in expected.into_values() {
            let words = if kind == "code" { format!("with {reason}") } else { format!("not where {reason}") };
            *by_reason.entry(words).or_default() += 1;
        }
        let (total, counted) = reasons(&run);
        assert_eq!(counted.iter().map(|(games, _)| games).sum::<u64>(), total);
        assert_eq!(counted.into_iter().map(|(games, words)| (words, games)).collect::<BTreeMap<_, _>>(), by_reason);
    }
}

/// Games with errors are one number: on the page, in summary.json, in check and in extract.
#[test]
fn games_with_errors_are_one_number() {
    let folder = Folder::new();
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let mut numbers = Vec::new();
    for flags in ["", "--ignore R", "--select K,P", "--rules japanese", "--severity error"] {
        folder.run(&format!("report -q --force --exit-zero {flags} --out audit {fixtures}"));
        let summary: serde_json::Value = serde_json::from_str(&folder.read("audit/summary.json")).unwrap();
        let errors = summary["games"]["with_errors"].as_u64().unwrap();
        let page = folder.read("audit/index.html");
        assert!(page.contains(&format!("data-figure=\"worst.error\" data-value=\"{errors}\"")), "{flags}");
        let clean = folder.run(&format!("extract --clean {flags} --out c.sgf --force {fixtures}"));
        // A record that can't be read is no error if its finding is not selected, and has no form.
        let unreadable = reasons(&clean).1.into_iter().find(|(_, words)| words == "without a normal form");
        let rejected = errors + unreadable.map_or(0, |(games, _)| games);
        assert_eq!(counts(&clean)[2], rejected, "{flags}: {}", clean.err);
        let broken = folder.run(&format!("extract --broken {flags} --out c.sgf --force {fixtures}"));
        let clean_games = (counts(&clean)[0] - errors, "without errors".to_owned());
        assert!(reasons(&broken).1.contains(&clean_games), "{flags} {errors}: {}", broken.err);
        let results = if flags == "--select K,P" { "" } else { "--results" };
        let check = folder.run(&format!("check --exit-zero {results} {flags} --output f.csv --force {fixtures}"));
        assert!(check.err.contains(&format!("; {errors} games with errors\n")), "{flags} {errors}: {}", check.err);
        numbers.push(errors);
    }
    // Contradicted results make a difference.
    assert!(numbers[1] < numbers[0] && numbers[2] < numbers[1], "{numbers:?}");
}

#[test]
#[cfg(feature = "columnar")]
fn every_format_has_the_same_rows() {
    let Some(python) = python::path() else { return };
    let folder = archive();
    for end in ["csv", "jsonl", "parquet", "arrows", "txt"] {
        let line =
            format!("extract -q --clean --as sgf --where turns>1 --out o.sgf --force --rejects-table t.{end} games");
        let run = folder.run(&line);
        assert_eq!(run.code, 0, "{end}: {}", run.err);
    }
    let script = "import pyarrow as pa, pyarrow.parquet as pq, json, csv\n\
                  parquet = pq.read_table('t.parquet').to_pylist()\n\
                  arrow = pa.ipc.open_stream('t.arrows').read_all().to_pylist()\n\
                  lines = [json.loads(line) for line in open('t.jsonl')]\n\
                  keys = list(parquet[0])\n\
                  lines = [{key: line.get(key) for key in keys} for line in lines]\n\
                  cells = [{k: '' if v is None else str(v) for k, v in row.items()} for row in parquet]\n\
                  assert parquet == arrow == lines and cells == list(csv.DictReader(open('t.csv'))), (parquet, arrow, lines)\n\
                  print(len(parquet), len(open('t.txt').readlines()))";
    assert_eq!(python::run(&python, &["-c", script], folder.path()), "3 3");
}

#[test]
fn unsuitable_tables_are_refused_before_writing() {
    let folder = archive();
    let before = folder.list();
    for (line, expected) in [
        ("--out o.sgf --rejects-table o.sgf games", "are the same place"),
        ("--out o.sgf --rejects-table t.sarif games", "sarif is a format for findings"),
        ("--out o.sgf --rejects-table t.csv.gz games", "jigo does not compress rows"),
        ("--out - --rejects-table - games", "--rejects-table names a file"),
        ("--out o.sgf --force --rejects-table games/a.sgf games", "is read as an input"),
        ("--out o.sgf --resume --rejects-table t.parquet games", "can't be resumed; use .csv or .jsonl"),
    ] {
        let run = folder.run(&format!("extract {line}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert!(run.err.contains(expected), "{line}: {}", run.err);
        assert_eq!(folder.list(), before, "{line}");
    }
    folder.file("t.csv", "precious");
    let run = folder.run("extract --out o.sgf --rejects-table t.csv games");
    assert_eq!((run.code, folder.read("t.csv")), (2, "precious".into()), "{}", run.err);
    folder.file("rows.jsonl", "{\"id\":\"=1+1\",\"sgf\":\"(;SZ[13];B[aa])\"}\n");
    let rows = "extract -q --where size=9 --out - --input-format jsonl --rejects-table t.csv --force rows.jsonl";
    assert_eq!(folder.run(&format!("{rows} --safe-text")).code, 0);
    assert!(folder.read("t.csv").starts_with("id,game,offset,kind,reason,turn,codes,detail\n'=1+1,1,"));
}

/// For random games, conditions and threads, each game is extracted or has one row.
#[test]
fn random_games_are_extracted_or_have_one_reason() {
    let mut random = Random(41);
    let conditions =
        ["size = 9", "turns > 20", "not has(K)", "severity != error or turns < 9", "komi > 0 and turns > 5"];
    for condition in conditions.repeat(3) {
        let folder = Folder::new();
        let text = collection(&mut random, 20_000);
        folder.file("a.sgf", &text).file("b.sgf", &text[..text.len() - 1000]);
        let jobs = (1 + random.below(4)).to_string();
        let arguments = ["extract", "--clean", "--dedupe", "--as", "sgf", "--jobs", &jobs, "--where", condition];
        let outputs = ["--out", "o.sgf", "--rejects", "r.sgf", "--rejects-table", "t.csv", "a.sgf", "b.sgf"];
        let run = run_command(&mut folder.command(arguments.iter().chain(&outputs)));
        assert_eq!(run.code, 0, "{condition}: {}", run.err);
        let [found, extracted, rejected] = counts(&run);
        let rejects = folder.table("t.csv").into_iter().filter(|row| row["kind"] != "omission");
        let places: Vec<Place> = rejects.map(|row| place(&row)).collect();
        let games: BTreeSet<&Place> = places.iter().collect();
        assert_eq!((places.len(), games.len() as u64), (games.len(), rejected), "{condition}");
        assert_eq!((reasons(&run).0, found), (rejected, extracted + rejected), "{condition}: {}", run.err);
    }
}
