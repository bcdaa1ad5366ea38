//! `jigo extract`: the selection of games, their format and their destination. No game is lost or
//! written outside its output.

use std::collections::BTreeSet;
use std::fs;

use crate::support::cli::{CLEAN, Folder, ILLEGAL, Ran, WARNED};
#[cfg(feature = "columnar")]
use crate::support::python;
use crate::support::{corpus, files_below};
use jigo_record::splitter::{Piece, split};

/// Outputs in a single file.
const FILES: [&str; 8] = ["o.sgf", "o.sgf.gz", "o.sgf.zst", "o.zip", "o.jsonl", "o.jsonl.gz", "o.parquet", "o.arrows"];

/// Returns a folder with a collection, a game in GBK, one in UTF-16, one without an end, a game
/// other than Go, and stray text.
fn archive() -> Folder {
    let folder = Folder::with_games();
    let (gbk, _, _) = encoding_rs::GBK.encode("(;CA[GBK]SZ[9]PB[柯洁]PW[古力];B[dd])\n");
    let utf16: Vec<u8> = "\u{FEFF}(;SZ[9]PB[이세돌];B[cc];W[dd])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let collection = format!("mail header\n{CLEAN}\r\n{ILLEGAL}{WARNED}) (;GM[6];Q[x])\n");
    folder.file("games/c.sgf", collection).file("games/gbk.sgf", gbk).file("games/utf16.sgf", utf16);
    folder.file("games/open.sgf", "(;GM[1]SZ[9]C[(;B[aa])];B[dd];W[ee]C[x\n");
    folder
}

/// Returns the bytes of all games.
fn games(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut games = Vec::new();
    split(bytes, true, |piece| {
        if let Piece::Game(range, ..) = piece {
            games.push(bytes[range].to_vec());
        }
    });
    games
}

/// Returns the counts in the last line of a run: found, extracted, rejected.
fn counts(run: &Ran) -> [u64; 3] {
    let line = run.err.lines().last().unwrap_or_default();
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(line.contains(" found = "), "{}", run.err);
    [numbers[0], numbers[1], numbers[2]]
}

/// Returns the bytes of the file, or of all files of the folder with their names.
fn content(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let files = folder.list().into_iter().filter(|file| file.starts_with(name) && folder.path().join(file).is_file());
    files.map(|file| (file.clone(), fs::read(folder.path().join(file)).unwrap())).collect()
}

#[test]
fn extracted_and_rejected_games_make_up_the_input() {
    let folder = archive();
    let input = games(&fs::read(folder.path().join("games/c.sgf")).unwrap());
    for (flags, expected) in [
        ("--clean", 5),
        ("--broken", 2),
        ("--where has(P001)", 1),
        ("--where turns=3", 3),
        ("--where size=9", 6),
        ("--where status=not_counted", 6),
        ("--where size=9 --clean", 4),
        ("--limit 3", 3),
        ("--limit 1 --where has(P001)", 1),
        ("--sample 2", 3),
        ("--where size=3", 0),
    ] {
        let run = folder.run(&format!("extract {flags} --out a.sgf --rejects b.sgf --force games"));
        assert_eq!((run.code, run.out.as_str()), (0, ""), "{flags}: {}", run.err);
        let [found, extracted, rejected] = counts(&run);
        assert_eq!(found, 7, "{flags}: {}", run.err);
        assert_eq!(extracted, expected, "{flags}: {}", run.err);
        let (taken, others) =
            (fs::read(folder.path().join("a.sgf")).unwrap(), fs::read(folder.path().join("b.sgf")).unwrap());
        let (taken, others) = (games(&taken), games(&others));
        assert_eq!((taken.len() as u64, others.len() as u64), (extracted, rejected), "{flags}");
        // The games are in the order of the input, byte for byte, and complete.
        let of_input =
            |games: &[Vec<u8>]| -> Vec<Vec<u8>> { games.iter().filter(|game| input.contains(game)).cloned().collect() };
        let (taken, others) = (of_input(&taken), of_input(&others));
        assert_eq!(taken.len() + others.len(), input.len(), "{flags}");
        for part in [taken, others] {
            let places: Vec<usize> =
                part.iter().map(|game| input.iter().position(|one| one == game).unwrap()).collect();
            assert!(places.is_sorted(), "{flags}");
        }
    }
}

#[test]
fn clean_and_broken_corpus_games_add_up_to_the_input() {
    let corpus = corpus().join("collections");
    let folder = Folder::new();
    let path = corpus.to_str().unwrap();
    let run = folder.run(&format!("extract --clean --out clean.sgf --rejects broken.sgf {path}"));
    let [total, extracted, rejected] = counts(&run);
    let taken = games(&fs::read(folder.path().join("clean.sgf")).unwrap());
    assert_eq!((total, extracted), (extracted + rejected, taken.len() as u64));
    assert!(rejected > 0 && extracted > rejected, "{}", run.err);
    let mut input = BTreeSet::new();
    for file in files_below(&corpus) {
        input.extend(games(&fs::read(file).unwrap()));
    }
    assert!(taken.iter().all(|game| input.contains(game)));
}

#[test]
fn every_output_is_thread_independent() {
    let folder = archive();
    for (flags, out) in
        FILES.map(|out| ("", out)).into_iter().chain([("--as sgf", "o.zip"), ("--as main-line --pretty", "o/")])
    {
        let mut first = None;
        for jobs in [1, 4] {
            let run =
                folder.run(&format!("extract --jobs {jobs} {flags} --force --out {out} --rejects r.sgf --clean games"));
            assert_eq!(run.code, 0, "{out}: {}", run.err);
            let both = [content(&folder, "o"), content(&folder, "r.sgf")];
            assert_eq!(first.get_or_insert_with(|| both.clone()), &both, "{out}");
        }
        assert!(!folder.list().iter().any(|name| name.contains(".jigo")), "{:?}", folder.list());
        let _ = (fs::remove_file(folder.path().join(out)), fs::remove_dir_all(folder.path().join(out)));
    }
}

#[test]
fn extracted_games_have_same_findings() {
    let folder = archive();
    let codes = |line: &str| -> Vec<String> {
        let mut codes = folder.run(line).column("code");
        // Stray text is not extracted, and JSON rows are UTF-8.
        codes.retain(|code| !["D017", "I003", "I001", "I002", "I004", "I006"].contains(&code.as_str()));
        codes.sort();
        codes
    };
    let expected = codes("check games");
    assert!(expected.len() > 10);
    for out in ["o.sgf", "o.sgf.gz", "o.sgf.zst", "o.zip", "o/", "o.jsonl", "o.arrows"] {
        folder.run(&format!("extract -q --out {out} games"));
        let format = if out == "o.jsonl" { "--input-format jsonl" } else { "" };
        let format = if out == "o.arrows" { "--input-format arrow" } else { format };
        assert_eq!(codes(&format!("check {format} {out}")), expected, "{out}");
        let _ = (fs::remove_file(folder.path().join(out)), fs::remove_dir_all(folder.path().join(out)));
    }
    let piped = folder.run("extract -q --out - --format jsonl games");
    assert_eq!(piped.out.lines().count(), 7);
}

#[test]
fn finding_positions_in_rows_match_the_source() {
    let folder = archive();
    folder.run("extract -q --out o.arrows games");
    let places = |run: &Ran, first: &str| {
        run.column(first).into_iter().zip(run.column("offset")).zip(run.column("turn")).collect::<Vec<_>>()
    };
    let of_files = folder.run("check --select P001 games");
    let of_rows = folder.run("check --select P001 --input-format arrow o.arrows");
    assert_eq!(places(&of_rows, "id"), places(&of_files, "file"));
    assert_eq!(of_files.rows().len(), 1);
}

#[test]
fn game_lists_from_any_table_report_missing_games() {
    let folder = archive();
    for format in ["csv", "jsonl", "parquet"] {
        folder.run(&format!("check --select P001,D017 --format {format} --force --output listed.{format} games"));
        let run = folder.run(&format!("extract --games listed.{format} --out - games"));
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains("W[ee];B[gg]"), "{format}: {}", run.out);
        assert!(run.err.contains("with a file but no game"), "{}", run.err);
    }
    folder.file("listed.csv", "game,file\n2,games/c.sgf\n2,./games/c.sgf\n9,games/c.sgf\n1,nowhere.sgf\n");
    let run = folder.run("extract --games listed.csv --out - games");
    assert_eq!(counts(&run), [7, 1, 6]);
    assert!(
        run.err.contains("2 of 3 games in --games are in no input: the first is game 9 of games/c.sgf"),
        "{}",
        run.err
    );
    folder.file("bad.csv", "name,game\nx,1\n");
    let run = folder.run("extract --games bad.csv --out - games");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--games bad.csv: it has no column file"), "{}", run.err);
}

/// Lists that pandas, polars and pyarrow write have text and number columns of many types, with
/// gaps and Zstandard compression. Findings can go through pandas or polars and back.
#[test]
#[cfg(feature = "columnar")]
fn lists_of_games_by_pandas_polars_and_pyarrow_are_read() {
    let Some(python) = python::path() else { return };
    let folder = archive();
    folder.file("listed.csv", "file,game\ngames/open.sgf,1\ngames/c.sgf,1\ngames/c.sgf,2\nnothing,\n");
    let expected = folder.run("extract -q --games listed.csv --out - games");
    assert!(expected.code == 0 && !expected.out.is_empty(), "{}", expected.err);
    let script = r#"
import pandas, polars, pyarrow as pa, pyarrow.parquet as pq
pandas.read_csv('listed.csv').to_parquet('pandas.parquet')
pandas.read_csv('listed.csv').to_csv('floats.csv', index=False)
pandas.read_csv('listed.csv').dropna().astype({'file': 'category', 'game': 'int32'}).to_parquet('category.parquet')
polars.read_csv('listed.csv').write_parquet('polars.parquet', compression='zstd')
names = ['games/open.sgf', 'games/c.sgf', 'games/c.sgf', 'nothing']
texts = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string()), pa.large_binary()]
numbers = [pa.int32(), pa.int64(), pa.uint32(), pa.float64(), pa.int8(), pa.float32()]
for at, text in enumerate(texts):
    for number in numbers:
        file = pa.array(names).cast(text) if at < 4 else pa.array([name.encode() for name in names], text)
        table = pa.table({'id': file, 'game': pa.array([1, 1, 2, None], number), 'more': [1, 2, 3, 4]})
        pq.write_table(table, f'{at}-{number}.parquet', compression=['snappy', 'zstd', 'gzip', 'none'][at % 4])
for name, numbers in [('zero', [1, 0]), ('half', [1, 1.5]), ('minus', [1, -1]), ('dates', pa.array([1, 2], pa.date32()))]:
    pq.write_table(pa.table({'file': ['games/a.sgf'] * 2, 'game': numbers}), f'bad-{name}.parquet')
"#;
    python::run(&python, &["-c", script], folder.path());
    let lists: Vec<String> = folder.list().into_iter().filter(|name| name.ends_with(".parquet")).collect();
    assert_eq!(lists.len(), 3 + 5 * 6 + 4);
    for list in lists.iter().filter(|name| !name.starts_with("bad")).chain([&"floats.csv".to_owned()]) {
        let run = folder.run(&format!("extract -q --games {list} --out - games"));
        assert_eq!((run.code, &run.out), (0, &expected.out), "{list}: {}", run.err);
    }
    for (name, message) in [
        ("zero", "row 2: game is '0', not a number from 1"),
        ("half", "row 2: game is '1.5', not"),
        ("minus", "row 2: game is '-1', not"),
        ("dates", "column game is Date32, wanted is integer or float"),
    ] {
        let run = folder.run(&format!("extract --games bad-{name}.parquet --out - games"));
        assert!(run.code == 2 && run.err.contains(message), "{name}: {}", run.err);
    }
}

#[test]
fn hostile_headers_write_no_file_outside_the_folder() {
    let folder = Folder::new();
    let long = "x".repeat(4096);
    let names =
        ["../../up", "/etc/passwd", "..", "", "a/b", "a\\\\b", "CON", "a\u{0}b", "same", "same", "SAME", &long, &long];
    let text: String = names.iter().map(|name| format!("(;GM[1]SZ[9]PB[{name}]PW[{name}];B[dd])\n")).collect();
    folder.file("in/games.sgf", text);
    for pattern in ["{black}.sgf", "{black}/{white}", "{black}/{black}/{game}.sgf", "{file}/{white}.sgf"] {
        let run = folder.run(&format!("extract --pattern {pattern} --out out/ in"));
        let all = names.len() as u64;
        assert_eq!((run.code, counts(&run)), (0, [all, all, 0]), "{}", run.err);
        let files = content(&folder, "out");
        assert_eq!(files.len(), names.len(), "{pattern}: {:?}", folder.list());
        let outside = folder.list().into_iter().find(|name| !name.starts_with("out") && !name.starts_with("in"));
        assert_eq!(outside, None);
        let mut written: Vec<Vec<u8>> = files.into_iter().map(|(_, bytes)| bytes.trim_ascii_end().to_vec()).collect();
        let mut expected = games(&fs::read(folder.path().join("in/games.sgf")).unwrap());
        written.sort();
        expected.sort();
        assert_eq!(written, expected, "{pattern}");
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

/// A file with one game keeps its name, whichever shard writes the game and whatever is selected.
#[test]
fn file_with_one_game_keeps_its_name() {
    let folder = Folder::new();
    let game = "(;GM[1]SZ[9]RO[3];B[dd])\n";
    let long = format!("(;GM[1]SZ[9]C[{}];B[dd])\nno game", "x".repeat(600_000));
    folder.file("in/one.sgf", game).file("in/two.sgf", format!("{game}{ILLEGAL}")).file("in/long.sgf", &long);
    folder.file("in/two-000001.sgf", game).file("in/one.mgt", game).file("in/rejected.sgf", ILLEGAL);
    let names = |run: &str, out: &str| {
        let run = folder.run(run);
        assert_eq!(run.code, 0, "{}", run.err);
        content(&folder, out).into_iter().map(|(name, _)| name[out.len()..].to_owned()).collect::<Vec<String>>()
    };
    let all = ["long.sgf", "one-2.sgf", "one.sgf", "rejected.sgf", "two-000001-2.sgf", "two-000001.sgf"];
    let all = [&all[..], &["two-000002.sgf"]].concat();
    let all: Vec<String> = all.into_iter().map(|name| format!("in/{name}")).collect();
    assert_eq!(names("extract --jobs 3 --out all/ in", "all/"), all);
    let clean = names("extract --clean --out clean/ --rejects other/ in", "clean/");
    assert!(clean.contains(&"in/one.sgf".into()) && !clean.contains(&"in/two.sgf".into()), "{clean:?}");
    assert_eq!(names("extract --out third/ in", "other/"), ["in/rejected.sgf", "in/two-000002.sgf"]);
    // A shard has the same name for a game as the whole run, unless the name is used twice.
    for shard in ["1/2", "2/2"] {
        let out = format!("shard-{}/", &shard[..1]);
        let shard = names(&format!("extract --shard {shard} --out {out} in"), &out);
        assert!(shard.iter().all(|name| all.contains(name)), "{shard:?}");
    }
    // Rows that are parts of one file are not files with one game.
    assert_eq!(folder.run("split --max-games 1 --output parts.jsonl in/two.sgf in/one.sgf").code, 0);
    let rows = names("extract --out rows/ parts.jsonl", "rows/");
    assert_eq!(rows, ["in/one.sgf", "in/two-000001.sgf", "in/two-000002.sgf"]);
    let columns = names("extract --pattern {round}-{turns}-{name}.sgf --out columns/ in/one.sgf", "columns/");
    assert_eq!(columns, ["3-1-in/one.sgf"]);
}

/// The summary counts games, of which each has a file for each player.
#[test]
fn game_is_written_once_for_each_player() {
    let folder = Folder::new();
    let games = ["PB[A]PW[B]", "PB[B]PW[C]", "PB[C]PW[C]", "PB[B]PW[C]"];
    let games = games.map(|players| format!("(;GM[1]SZ[9]{players};B[dd];W[ee])\n")).concat();
    folder.file("in.sgf", &games);
    let run = folder.run("extract --dedupe --pattern {player}/{game}.sgf --out out/ in.sgf");
    assert!(run.code == 0 && run.err.contains("4 games found = 3 extracted + 1 rejected"), "{}", run.err);
    let names: Vec<String> =
        folder.list().into_iter().filter_map(|name| Some(name.strip_prefix("out/")?.into())).collect();
    assert_eq!(names.join(" "), "A A/000001.sgf B B/000001.sgf B/000002.sgf C C/000002.sgf C/000003.sgf");
    assert_eq!(folder.read("out/A/000001.sgf"), folder.read("out/B/000001.sgf"));
}

#[test]
fn output_folder_is_complete_or_absent() {
    let folder = archive();
    folder.file("out/clean.sgf", "precious").file("out/other.txt", "mine");
    let before = folder.list();
    let run = folder.run("extract --out out clean.sgf illegal.sgf");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("out/clean.sgf is there already; --force replaces it"), "{}", run.err);
    assert_eq!((folder.list(), folder.read("out/clean.sgf")), (before, "precious".into()));
    assert_eq!(folder.run("extract --force --out out clean.sgf illegal.sgf").code, 0);
    assert_eq!(folder.read("out/clean.sgf").trim_end(), CLEAN);
    assert_eq!(folder.read("out/other.txt"), "mine");
    let _ = fs::create_dir(folder.path().join("elsewhere"));
    std::os::unix::fs::symlink("../elsewhere", folder.path().join("out/games")).unwrap();
    let run = folder.run("extract --force --out out games/c.sgf");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("out/games exists and is not a folder"), "{}", run.err);
    assert!(run.err.contains("repeat the command with --resume to continue"), "{}", run.err);
    assert!(!folder.list().iter().any(|name| name.starts_with("elsewhere/")), "{:?}", folder.list());
    fs::remove_file(folder.path().join("out/games")).unwrap();
    assert_eq!(folder.run("extract --resume --force --out out games/c.sgf").code, 0);
    assert_eq!(content(&folder, "out/games/").len(), 4);
    assert!(!folder.list().iter().any(|name| name.contains(".jigo")), "{:?}", folder.list());
    assert_eq!(folder.run("extract -q --where size=3 --out nothing/ games").code, 0);
    assert!(folder.path().join("nothing").is_dir());
}

#[test]
fn invalid_destinations_are_refused_before_writing() {
    let folder = archive();
    let before = folder.list();
    for (line, expected) in [
        ("--out clean.sgf --force clean.sgf", "is read as an input"),
        ("--out ./clean.sgf --force .", "is read as an input"),
        ("--out o.sgf --rejects ./o.sgf games", "are the same place"),
        ("--out - --rejects - games", "are both standard output"),
        ("--out o.csv games", "is not one for games"),
        ("--out o.parquet.gz games", "is not one for games"),
        ("--out o.sgf --pretty games", "--pretty changes the record"),
        ("--out o.sgf --mark-endings games", "--mark-endings changes the record"),
        ("--out o.sgf --pattern {year} games", "--out is neither"),
        ("--out o/ --pattern ../{year} games", "a place below the folder"),
        ("--out clean.sgf games", "is there already"),
        ("--out missing/o.sgf games", "there is no folder missing"),
        ("--out o.sgf --where colour=red games", "there is no column"),
        ("--out o.sgf --input-format positions games", "positions"),
    ] {
        let run = folder.run(&format!("extract {line}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert!(run.err.contains(expected), "{line}: {}", run.err);
        assert_eq!(folder.list(), before, "{line}");
    }
    let run = folder.run("extract --out games/o.sgf games");
    assert!(
        run.code == 0 && run.err.contains("o.sgf is in an input folder; the next run will read it as well"),
        "{}",
        run.err
    );
}

#[test]
fn other_formats_are_written_as_sgf() {
    let folder = Folder::new();
    let records = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/records");
    let run = folder.run(&format!("extract --clean --out a.sgf --rejects b.sgf {records}"));
    assert!(run.code == 0 && run.err.contains("records are in other forms than SGF"), "{}", run.err);
    let [_, extracted, _] = counts(&run);
    let written = games(folder.read("a.sgf").as_bytes());
    assert!(extracted > 0 && written.iter().all(|game| game.starts_with(b"(;FF[4]GM[1]")));
    assert_eq!(written.len() as u64, extracted);
}

#[test]
fn games_without_normal_form_are_rejected_with_reason() {
    let folder = archive();
    let run = folder.run("extract --as sgf --out o.sgf --rejects r.sgf games");
    assert_eq!(counts(&run), [7, 6, 1]);
    assert!(run.err.contains("1 of the rejected games have no normal form"), "{}", run.err);
    assert!(run.err.contains("1 of the extracted games lack properties that can't be read"), "{}", run.err);
    assert_eq!(folder.read("r.sgf"), "(;GM[6];Q[x])\n");
    let written = folder.read("o.sgf");
    assert!(written.contains("PB[柯洁]") && written.contains("PB[이세돌]"), "{written}");
    assert_eq!(written.lines().count(), 6);
    assert!(
        written.lines().all(|line| line.starts_with("(;FF[4]GM[1]CA[UTF-8]SZ[9]") && line.ends_with(')')),
        "{written}"
    );
}

#[test]
fn unreadable_turn_keeps_its_whole_value() {
    let folder = Folder::new();
    let value = "no point ".repeat(20) + "!";
    folder.file("g.sgf", format!("(;GM[1]SZ[9];B[aa];W[{value}];B[cc])"));
    for kind in ["sgf", "main-line"] {
        let out = folder.run(&format!("extract --as {kind} --out - g.sgf")).out;
        assert!(out.contains(&format!(";W[{value}];B[cc]")), "{out}");
    }
}

#[test]
fn marked_ending_gives_same_count_again() {
    let folder = Folder::new();
    let setup = "AB[ca][cb][cc][cd][ce][cf][cg][fe]AW[da][db][dc][dd][de][df][dg][ac]";
    folder.file("g.sgf", format!("(;GM[1]SZ[7]RU[NZ]KM[7]RE[W+14]{setup};B[];W[])(;SZ[9]RE[B+R];B[dd])"));
    let run = folder.run("extract --as sgf --mark-endings --out o.sgf g.sgf");
    assert!(run.err.contains("1 of the extracted games have their endings marked"), "{}", run.err);
    let marked = folder.read("o.sgf");
    assert!(marked.contains("JIGODEAD[ac][fe]JIGORE[W+14]C[counted by jigo"), "{marked}");
    assert!(!marked.contains("assumed"), "{marked}");
    folder.file("none.sgf", folder.read("g.sgf").replace("KM[7]", ""));
    let assumed = folder.run("extract --as sgf --mark-endings --out - none.sgf").out;
    assert!(assumed.contains("W+14 under nz, komi 7 assumed; dead stones"), "{assumed}");
    assert!(marked.contains(";TB[aa]") && marked.contains("TW[ea]"), "{marked}");
    let score = |file: &str| folder.run(&format!("score --rules nz {file}")).column("black_minus_white");
    assert_eq!(score("o.sgf"), score("g.sgf"));
    // jigo's own marks are not evidence for the next count; all other marks are.
    let source = |file: &str| folder.run(&format!("score --rules nz {file}")).column("dead_source");
    assert_eq!(source("o.sgf"), source("g.sgf"));
    folder.file("others.sgf", marked.replace("JIGORE", "OTHERRE").replace("JIGODEAD", "OTHERDEAD"));
    assert_eq!(source("others.sgf")[0], "markup");
    let second = folder.run("extract --as sgf --out again.sgf o.sgf");
    assert!(second.code == 0 && folder.read("again.sgf").contains("TB[aa]"), "{}", second.err);
    assert_eq!(source("again.sgf"), source("g.sgf"));
}

#[test]
fn marked_ending_is_replaced_and_not_repeated() {
    let folder = Folder::new();
    let setup = "AB[ca][cb][cc][cd][ce][cf][cg][fe]AW[da][db][dc][dd][de][df][dg][ac]";
    folder.file("g.sgf", format!("(;GM[1]SZ[7]RU[NZ]KM[7]RE[W+14]{setup};B[];W[])"));
    let marked = |rules: &str, file: &str, to: &str| {
        let run = folder.run(&format!("extract --as sgf --mark-endings {rules} --out {to} {file}"));
        assert_eq!(run.code, 0, "{}", run.err);
        folder.read(to)
    };
    let first = marked("", "g.sgf", "once.sgf");
    assert_eq!(marked("", "once.sgf", "twice.sgf"), first);
    let second = marked("--rules japanese", "once.sgf", "other.sgf");
    assert!(second.matches("JIGORE").count() == 1 && second.contains(" under japanese"), "{second}");
    assert_eq!(marked("--rules japanese", "g.sgf", "first.sgf"), second);
    // Marks of other people are kept, and so is text that only resembles jigo's marks.
    for (mine, theirs) in [("JIGORE[", "TR[dd]JIGORE["), ("C[counted", "C[I say: counted"), ("JIGORE", "OTHERRE")] {
        folder.file("theirs.sgf", first.replace(mine, theirs));
        let both = marked("", "theirs.sgf", "both.sgf");
        assert!(both.matches("counted by jigo").count() == 2 && both.contains(theirs), "{both}");
        assert_eq!(marked("", "both.sgf", "still.sgf"), both);
        for file in ["both.sgf", "still.sgf"] {
            std::fs::remove_file(folder.path().join(file)).unwrap();
        }
    }
}

/// A partial copy of such a game would damage the next one.
#[test]
fn oversized_game_is_dropped_and_neighbours_stay_whole() {
    let folder = Folder::new();
    let large = format!("(;GM[1]SZ[9]PB[large];B[aa]C[{}];W[bb])", "some words; (and more) ".repeat(40_000));
    folder.file("g.sgf", format!("{CLEAN}\n{large}\n{CLEAN}\nmail"));
    for flags in ["", "--as sgf ", "--where has(D006) "] {
        let run = folder.run(&format!("extract --max game=300k {flags}--out - --rejects r.sgf --force g.sgf"));
        let extracted = [games(run.out.as_bytes()), games(folder.read("r.sgf").as_bytes())].concat();
        assert_eq!((counts(&run)[0], extracted.len()), (3, 2), "{flags}{}", run.err);
        assert!(run.err.contains("1 of the rejected games are larger than --max game"), "{}", run.err);
    }
    let checked = folder.run("check --max game=300k --select D,I g.sgf");
    assert_eq!(checked.column("code"), ["D006", "I004"], "{}", checked.out);
    // Only an unsafe fix removes the text after the games.
    for (flags, rest) in [("", "mail"), ("--unsafe ", "")] {
        let fixed = folder.run(&format!("fix --max game=300k {flags}--select D,I --in-place --exit-zero g.sgf"));
        assert_eq!(folder.read("g.sgf"), format!("{CLEAN}\n{large}\n{CLEAN}\n{rest}"), "{}", fixed.err);
    }
}

#[test]
fn unreadable_inputs_are_named_and_exit_code_is_1() {
    let folder = Folder::new();
    folder
        .file("g/a.sgf", CLEAN)
        .file("g/broken.zip", "PK\x03\x04 no more")
        .file("g/short.sgf.gz", b"\x1F\x8B\x08\0\0");
    let run = folder.run("extract -q --out o.sgf g");
    assert_eq!((run.code, folder.read("o.sgf").trim_end()), (1, CLEAN.trim_end()), "{}", run.err);
    for name in ["g/broken.zip: ", "g/short.sgf.gz: "] {
        assert_eq!(run.err.matches(name).count(), 1, "{}", run.err);
    }
    let named = folder.run("extract --out p.sgf g/a.sgf g/broken.zip");
    assert_eq!((named.code, named.err.matches("g/broken.zip: ").count()), (2, 1), "{}", named.err);
    let fixed = folder.run("fix --out fixed --ignore H g");
    assert_eq!(fixed.code, 1, "{}", fixed.err);
}

#[test]
fn merged_properties_appear_once_in_node() {
    let folder = Folder::new();
    let name = |number: u8| format!("X{}{}", char::from(b'A' + number / 26), char::from(b'A' + number % 26));
    let once: String = (0..60).map(|number| format!("{}[{number}]", name(number))).collect();
    folder.file("g.sgf", format!("(;GM[1]FF[4]SZ[9]{once}{once};B[aa]C[x]{once}C[y]{once})"));
    let out = folder.run("extract --as sgf --out - g.sgf").out;
    for number in 0..60 {
        assert_eq!(out.matches(&format!("{}[{number}]", name(number))).count(), 2, "{out}");
    }
    assert!(out.contains("C[x\ny]"), "{out}");
    let fixed = folder.run("fix --unsafe --exit-zero --out - g.sgf").out;
    assert_eq!((0..60).map(|number| fixed.matches(&format!("{}[{number}]", name(number))).count()).max(), Some(2));
}
