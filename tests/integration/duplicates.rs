//! Duplicate games are found, and different games are not reported as duplicates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jigo_record::Reading;
use jigo_record::splitter::{GameText, Piece, split};

use crate::archives::{gzip, zip};
use crate::support;
use crate::support::cli::{Folder, WaitingRun};
use crate::support::generated::Random;
use crate::support::generated_duplicates::{Copy, Game, copy};

/// The cells of a row that the tests check.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    cluster: String,
    class: String,
    keep: bool,
    of: String,
    symmetry: String,
    edits: String,
    conflicting: String,
    reason: String,
}

/// Returns the rows of a run by file and game. A game with two rows keeps the row that is not a
/// collision.
fn rows_by_game(folder: &Folder, options: &str) -> BTreeMap<String, Row> {
    let run = folder.run(&format!("duplicates {options}"));
    assert!(run.code < 2, "{}", run.err);
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for cells in run.cells() {
        let cell = |name: &str| cells[name].clone();
        let row = Row {
            cluster: cell("cluster"),
            class: cell("class"),
            keep: cell("keep") == "true",
            of: format!("{}#{}", cell("of_file"), cell("of_game")),
            symmetry: cell("symmetry"),
            edits: cell("edits"),
            conflicting: cell("conflicting"),
            reason: cell("reason"),
        };
        let game = format!("{}#{}", cell("file"), cell("game"));
        if row.class != "collision" || !rows.contains_key(&game) {
            rows.insert(game, row);
        }
    }
    rows
}

/// Returns a generated game with the given seed and number of turns.
fn game(seed: u64, turns: usize) -> Game {
    Game::generate(&mut Random(seed), turns)
}

fn set(game: &mut Game, name: &'static str, value: &str) {
    game.header.retain(|(other, _)| *other != name);
    game.header.push((name, value.to_owned()));
}

/// Returns the class of the changed game relative to the original, or `none` without a row.
fn class_of(turns: usize, change: impl Fn(&mut Game)) -> String {
    let folder = Folder::new();
    let original = game(1, turns);
    let mut changed = original.clone();
    change(&mut changed);
    folder.file("a.sgf", original.text()).file("b.sgf", changed.text());
    let rows = rows_by_game(&folder, "--keep first a.sgf b.sgf");
    rows.get("b.sgf#1").map_or("none".into(), |row| row.class.clone())
}

/// Removes a turn and swaps the colour of every later turn.
fn remove_turn_and_swap_colors(game: &mut Game, turn: usize) {
    game.turns.remove(turn);
    game.turns[turn..].iter_mut().for_each(|(color, _)| *color = color.opponent());
}

/// The number of turns, the change made to the duplicate, and the expected class.
type Case<'a> = (usize, &'a dyn Fn(&mut Game), &'a str);

#[test]
fn changes_give_the_expected_class() {
    let cases: [Case; 21] = [
        (100, &|_| (), "identical"),
        (1, &|_| (), "identical"),
        (100, &|game| set(game, "EV", "Castle Game"), "same"),
        (100, &|game| set(game, "PB", "本因坊秀策"), "same"),
        (100, &|game| set(game, "PB", "Gennan Inseki"), "collision"),
        (100, &|game| set(game, "DT", "1853-05-07"), "same"),
        (100, &|game| set(game, "DT", "1853-05-08"), "collision"),
        (100, &|game| set(game, "RE", "W+3"), "same"),
        (100, &|game| game.header.clear(), "same"),
        (59, &|game| game.header.clear(), "none"),
        (59, &|game| set(game, "EV", "Castle Game"), "same"),
        (100, &|game| game.turns.truncate(60), "prefix"),
        (100, &|game| game.turns.truncate(19), "none"),
        (
            100,
            &|game| {
                game.turns.truncate(60);
                set(game, "RE", "W+R")
            },
            "collision",
        ),
        (150, &|game| game.turns.swap(50, 51), "variant"),
        (150, &|game| _ = game.turns.drain(30..34), "variant"),
        (150, &|game| remove_turn_and_swap_colors(game, 30), "variant"),
        (150, &|game| remove_turn_and_swap_colors(game, 2), "variant"),
        (150, &|game| _ = game.turns.drain(30..35), "none"),
        (150, &|game| game.turns[130..].reverse(), "variant"),
        (150, &|game| game.turns[129..].reverse(), "none"),
    ];
    for (place, (turns, change, expected)) in cases.into_iter().enumerate() {
        assert_eq!(class_of(turns, change), expected, "case {place}");
    }
}

#[test]
fn swapped_colors_after_missing_turn_are_named() {
    let folder = Folder::new();
    let original = game(1, 150);
    for (name, turn) in [("early", 2), ("middle", 60), ("late", 120)] {
        let mut changed = original.clone();
        remove_turn_and_swap_colors(&mut changed, turn);
        folder.file("a.sgf", original.text()).file("b.sgf", changed.text());
        let row = &rows_by_game(&folder, "--keep first a.sgf b.sgf")["b.sgf#1"];
        let cells = [&row.class, &row.symmetry, &row.edits, &row.conflicting];
        assert_eq!(cells, ["variant", "none", "1", "colors"], "{name}");
    }
    let finding = folder.run("check -q --select C --duplicates a.sgf b.sgf").column("detail").remove(0);
    assert!(finding.contains("149 turns in common, 1 edits, other colors from a turn on"), "{finding}");
}

/// Five records of one game: truncated, with an illegal turn, with a bare header, and two complete
/// ones. The row names the representative and the reason.
#[test]
fn best_record_is_representative_with_reason() {
    let folder = Folder::new();
    let complete = game(2, 120);
    let [mut header_only, mut truncated, mut faulty, mut warned] = [(); 4].map(|()| complete.clone());
    header_only.header.truncate(2);
    truncated.turns.truncate(100);
    // A stone on an occupied point.
    faulty.turns[110].1 = faulty.turns[0].1;
    warned.header.push(("HA", "two".into()));
    let games = [&truncated, &faulty, &header_only, &complete, &complete, &warned];
    for (number, game) in (1..).zip(games) {
        folder.file(&format!("{number}.sgf"), game.text());
    }
    let representative = |keep: &str| {
        let rows = rows_by_game(&folder, &format!("--keep {keep} 1.sgf 2.sgf 3.sgf 4.sgf 5.sgf 6.sgf"));
        assert_eq!(rows.len(), 6);
        rows.into_iter().map(|(game, row)| (game, row.keep, row.reason)).collect::<Vec<_>>()
    };
    let expect = |rows: [(bool, &str); 6]| {
        let numbered = (1..).zip(rows);
        numbered.map(|(n, (keep, reason))| (format!("{n}.sgf#1"), keep, reason.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(
        representative("best"),
        expect([
            (false, "100 turns against 120"),
            (false, "1 errors against 0"),
            (false, "2 header fields against 5"),
            (true, "comes first"),
            (false, "comes later"),
            (false, "2 warnings against 1"),
        ])
    );
    let later = (false, "comes later");
    assert_eq!(representative("first"), expect([(true, "comes first"), later, later, later, later, later]));
    assert_eq!(
        representative("longest"),
        expect([(false, "100 turns against 120"), (true, "comes first"), later, later, later, later])
    );
}

/// A preferred folder decides before errors, turns and header fields, for `duplicates` and `extract`.
#[test]
fn preferred_folder_decides_first() {
    let folder = Folder::new();
    let complete = game(2, 120);
    let [mut poor, mut truncated] = [complete.clone(), complete.clone()];
    poor.header.truncate(2);
    truncated.turns.truncate(100);
    folder.file("games/kgs/a.sgf", complete.text()).file("games/kgs2/b.sgf", poor.text());
    folder.file("mine.zip", zip(&[("old/c.sgf".into(), truncated.text().into_bytes())]));
    for (prefer, kept, reason) in [
        ("", "games/kgs/a.sgf#1", "2 header fields against 5"),
        ("--prefer ./games/kgs2/", "games/kgs2/b.sgf#1", "./games/kgs2 is preferred"),
        ("--prefer mine.zip,games", "mine.zip!old/c.sgf#1", "mine.zip is preferred"),
        ("--prefer mine.zip!old,games/kgs2", "mine.zip!old/c.sgf#1", "mine.zip!old is preferred"),
        ("--keep longest --prefer games/kgs2/b.sgf", "games/kgs2/b.sgf#1", "games/kgs2/b.sgf is preferred"),
        ("--prefer games --keep first", "games/kgs/a.sgf#1", "comes later"),
    ] {
        let rows = rows_by_game(&folder, &format!("{prefer} games mine.zip"));
        let reasons: BTreeSet<&str> = rows.values().filter(|row| !row.keep).map(|row| row.reason.as_str()).collect();
        assert!(rows.len() == 3 && rows[kept].keep && reasons.contains(reason), "{prefer}: {rows:?}");
        let line = format!("extract --force --dedupe {prefer} --out kept.sgf --rejects-table other.csv games mine.zip");
        let run = folder.run(&line);
        assert_eq!(run.code, 0, "{}", run.err);
        let rejected = folder.read("other.csv");
        assert!(rejected.lines().count() == 3 && rejected.matches(kept).count() == 2, "{prefer}: {rejected}");
    }
    let run = folder.run("duplicates --prefer kgs games");
    assert!(run.err.contains("--prefer kgs: no game is in it"), "{}", run.err);
    std::fs::rename(folder.path().join("games/kgs2"), folder.path().join("games/k,2")).unwrap();
    for prefer in ["games/k,2,games/kgs", "games/k,2/", "nothing,games/k,2"] {
        let rows = rows_by_game(&folder, &format!("--prefer {prefer} games"));
        assert!(rows["games/k,2/b.sgf#1"].keep, "{prefer}: {rows:?}");
    }
    let run = folder.run("duplicates --prefer a,,b games");
    assert!(run.code == 2 && run.err.contains("a path is empty"), "{}", run.err);
    assert!(folder.run("extract --prefer games --out x.sgf games").err.contains("--dedupe"));
}

/// A game under two names shows that they are one player, unless something speaks against it. The
/// rows are a list of players for file names and filters.
#[test]
fn aliases_are_names_of_one_game() {
    let folder = Folder::new();
    let record = |seed: u64, [black, white]: [&str; 2], date: &str| {
        let text = Game { header: Vec::new(), ..game(seed, 90) }.text();
        text.replacen("SZ[", &format!("PB[{black}]PW[{white}]DT[{date}]SZ["), 1)
    };
    let day = "2001-01-01";
    let texts = [
        record(1, ["Cho Chikun", "Ann"], day) + &record(1, ["趙治勲 九段", "Ann"], day),
        record(2, ["Cho Chikun 9p", "Ann"], day) + &record(2, ["조치훈", "Ann"], ""),
        // Different names in one script need two games with the same date.
        record(3, ["Rin Kaiho", "Ann"], day) + &record(3, ["Lin Haifeng", "Ann"], day),
        record(4, ["Lin Haifeng", "Ann"], day) + &record(4, ["Rin Kaiho", "Ann"], day),
        record(5, ["Kato", "Ann"], day) + &record(5, ["Sakata", "Ann"], day),
        // Other days, exchanged players, teams, damaged and missing names, and names that meet.
        record(6, ["Ito", "Ann"], day) + &record(6, ["伊藤", "Ann"], "2001-03-01"),
        record(7, ["Bob", "Ann"], day) + &record(7, ["Ann", "Bob"], day),
        record(8, ["KongJie+CGI", "Ann"], day) + &record(8, ["孔杰", "Ann"], day),
        record(9, ["??", "Ann"], day) + &record(9, ["孔杰", "Ann"], day) + &record(9, ["Black", "Ann"], day),
        record(13, ["Jo", "Ann"], day) + &record(13, ["ì¡°í›ˆ", "Ann"], day) + &record(13, ["棣pw[鏋", "Ann"], day),
        record(10, ["王", "Ann"], day) + &record(10, ["Wang", "Ann"], day) + &record(11, ["Wang", "王"], day),
        // Only one game names 木谷 Kitani, so no name joins the two players.
        record(12, ["Kitani", "Ann"], day) + &record(12, ["木谷", "Ann"], day) + &record(12, ["Sakata", "Ann"], ""),
    ];
    folder.file("g.sgf", texts.concat());
    let run = folder.run("duplicates --table aliases --output p.csv g.sgf");
    assert_eq!(run.code, 0, "{}", run.err);
    let expected =
        "id,name,games,contradicting\ncho chikun,趙治勲,1,0\ncho chikun,조치훈,1,0\nlin haifeng,rin kaiho,2,0\n";
    assert_eq!(folder.read("p.csv"), expected);
    let run = folder.run("extract --players p.csv --pattern {black}-{game}.sgf --out o/ g.sgf");
    assert_eq!(run.code, 0, "{}", run.err);
    let names = ["cho chikun-000001.sgf", "cho chikun-000002.sgf", "cho chikun-000003.sgf", "cho chikun-000004.sgf"];
    assert!(names.iter().all(|name| folder.list().contains(&format!("o/{name}"))), "{:?}", folder.list());
    // Listed names are no news.
    let known = folder.run("duplicates --table aliases --players p.csv g.sgf");
    assert_eq!(known.out, "id,name,games,contradicting\n");
}

/// Two long games with the same beginning, and a record of that beginning alone. The record belongs
/// to one game, and the games stay separate.
#[test]
fn shared_beginning_does_not_join_two_games() {
    let folder = Folder::new();
    let first = game(3, 200);
    let mut second = first.clone();
    second.turns[80..].reverse();
    let mut beginning = first.clone();
    beginning.turns.truncate(80);
    folder.file("one.sgf", first.text()).file("other.sgf", second.text()).file("beginning.sgf", beginning.text());
    let rows = rows_by_game(&folder, "--keep longest .");
    let games: Vec<&str> = rows.keys().map(String::as_str).collect();
    assert_eq!(games.len(), 2, "{rows:?}");
    assert_eq!(rows["./beginning.sgf#1"].class, "prefix");
}

/// Clock times prove that two records are the same game, or that two games with the same turns
/// differ.
#[test]
fn clocks_override_headers() {
    let folder = Folder::new();
    let timed = |seconds: u64| {
        let mut text = String::from("(;GM[1]SZ[19]PB[gnugo3]PW[aya]");
        for (turn, (color, point)) in game(4, 90).turns.into_iter().enumerate() {
            let letter = color.letter();
            text += &format!(";{letter}[{}]{letter}L[{}]", point.unwrap(), seconds - 3 * turn as u64 - turn as u64 % 7);
        }
        text + ")"
    };
    folder.file("a.sgf", timed(1000)).file("b.sgf", timed(1000).replace("gnugo3", "gnugo4")).file("c.sgf", timed(990));
    let rows = rows_by_game(&folder, ".");
    assert_eq!((rows["./b.sgf#1"].class.as_str(), rows["./b.sgf#1"].conflicting.as_str()), ("same", "black"));
    assert_eq!(rows["./c.sgf#1"].class, "collision");
    assert!(rows["./c.sgf#1"].conflicting.ends_with("clocks"));
}

/// Generated games that share their first 50 turns are separate games. Each duplicate among them is
/// still found.
#[test]
fn games_with_same_opening_stay_separate() {
    let folder = Folder::new();
    let opening = game(5, 50).turns;
    let games = |range: std::ops::Range<u64>| {
        let first = |seed| {
            let mut first = game(seed, 150);
            first.header.clear();
            first.turns.retain(|turn| !opening.iter().any(|second| second.1 == turn.1));
            first.turns = opening.iter().copied().chain(first.turns).collect();
            first.text()
        };
        range.map(first).collect::<String>()
    };
    folder.file("games.sgf", games(100..400));
    assert!(rows_by_game(&folder, "games.sgf").is_empty());
    folder.file("copies.sgf", games(150..180));
    let rows = rows_by_game(&folder, "--keep first games.sgf copies.sgf");
    assert_eq!(rows.len(), 60);
    let correct = rows.iter().filter(|(_, row)| !row.keep).all(|(game, row)| {
        let number = |game: &str| game.rsplit('#').next().unwrap().parse::<u64>().unwrap();
        number(&row.of) == number(game) + 50
    });
    assert!(correct);
}

/// Returns the clusters, which do not depend on the order of the input.
fn clusters_of(folder: &Folder, options: &str) -> BTreeSet<Vec<String>> {
    let mut clusters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (game, row) in rows_by_game(folder, options) {
        clusters.entry(row.cluster).or_default().push(game);
    }
    clusters.into_values().collect()
}

#[test]
fn threads_and_file_order_keep_the_clusters() {
    let folder = Folder::new();
    let mut random = Random(6);
    for number in 0..60 {
        let original = game(1000 + number, 80 + number as usize);
        let text = original.text();
        let copies: String = (0..4)
            .map(|_| String::from_utf8_lossy(&copy(&mut random, &original, text.as_bytes()).text).into_owned())
            .collect();
        folder.file(&format!("{number:02}.sgf"), text + &copies);
    }
    let names: Vec<String> = folder.list();
    let forwards = names.join(" ");
    let backwards = names.iter().rev().cloned().collect::<Vec<_>>().join(" ");
    let rows = folder.run(&format!("duplicates --jobs 1 {forwards}")).out;
    assert!(rows.lines().count() > 200);
    for jobs in [2, 16] {
        assert!(folder.run(&format!("duplicates --jobs {jobs} {forwards}")).out == rows, "{jobs} threads");
    }
    // All but a few bytes are on disk.
    assert!(folder.run(&format!("duplicates --max memory=1 {forwards}")).out == rows);
    assert_eq!(clusters_of(&folder, &backwards), clusters_of(&folder, &forwards));
}

/// Four games have the same first turn up to symmetry. Two of them have the same second turn.
#[test]
fn positions_are_counted_up_to_symmetry() {
    let folder = Folder::new();
    folder.file(
        "a.sgf",
        "(;SZ[9];B[cc];W[dd])(;SZ[9];B[gc];W[fd])(;SZ[9];B[cg];W[hh])(;SZ[9];B[gg])(;SZ[9];W[cc];B[dd])",
    );
    let run = folder.run("duplicates --table diversity a.sgf");
    assert_eq!(run.rows()[..3], ["1,5,2,4", "2,4,3,2", "5,0,0,0"]);
}

/// Games of one cluster share keys; games of different clusters share none.
#[test]
fn keys_are_equal_for_all_symmetries() {
    let folder = Folder::new();
    let original = game(8, 120);
    let mut text = original.text();
    for seed in 0..20 {
        let copy = copy(&mut Random(seed), &original, b"(;SZ[19])");
        text += if copy.class == "symmetric" { std::str::from_utf8(&copy.text).unwrap_or("") } else { "" };
    }
    folder.file("a.sgf", &text).file("b.sgf", game(9, 120).text());
    let keys = |file: &str| {
        let run = folder.run(&format!("check --table keys {file}"));
        let rows = run.rows().into_iter().map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
        rows.map(|row| row[5..15].to_vec()).collect::<Vec<_>>()
    };
    let [same, second] = [keys("a.sgf"), keys("b.sgf")];
    assert!(same.len() > 2 && same.iter().all(|keys| *keys == same[0]), "{same:?}");
    assert!(same[0].iter().zip(&second[0]).all(|(first, second)| first.len() == 16 && first != second));
}

/// A new batch is compared with an archive that is not read again. Games already in the store are
/// not added twice.
#[test]
#[cfg(feature = "columnar")]
fn store_replaces_reading_earlier_games() {
    let folder = Folder::new();
    let texts: Vec<String> = (0..20).map(|seed| game(seed, 100).text()).collect();
    folder.file("old/games.sgf", texts[..15].concat()).file("old/again.sgf", &texts[3]);
    let with_short_name = |text: &str| text.replacen("Ota Yuzo", "Ota", 1);
    folder.file("new/games.sgf", texts[12..].concat()).file("new/other.sgf", with_short_name(&texts[0]));
    let together = folder.run("duplicates --keep first old new").out;
    let first = folder.run("duplicates --keep first --store seen.parquet old");
    assert_eq!(first.rows().len(), 2, "{}", first.err);
    let with_store = folder.run("duplicates --keep first --store seen.parquet new");
    // A cluster with only old games is not reported, so the numbers of later clusters are lower.
    let tail =
        |out: &str| out.lines().skip(1).map(|row| row.split_once(',').unwrap().1.to_owned()).collect::<BTreeSet<_>>();
    let (all, news, earlier) = (tail(&together), tail(&with_store.out), tail(&first.out));
    assert_eq!(news.len(), 8, "{}", with_store.out);
    assert_eq!(all, news.union(&earlier).cloned().collect::<BTreeSet<String>>());
    // A second run finds everything in the store, so nothing is new.
    assert_eq!(folder.run("duplicates --store seen.parquet new").rows().len(), 0);
    let before = std::fs::read(folder.path().join("seen.parquet")).unwrap();
    folder.run("duplicates --store seen.parquet old new");
    assert!(std::fs::read(folder.path().join("seen.parquet")).unwrap() == before);
}

/// Of several concurrent runs one gets the store. The others report the lock.
#[test]
#[cfg(feature = "columnar")]
fn concurrent_runs_keep_the_games_of_the_store() {
    let folder = Folder::new();
    let files: Vec<String> = (0..6).map(|seed| format!("{seed}.sgf")).collect();
    for (name, seed) in files.iter().zip(0..) {
        folder.file(name, game(seed, 100).text());
    }
    std::thread::scope(|scope| {
        for name in &files {
            let folder = &folder;
            scope.spawn(move || {
                let one = || folder.run(&format!("duplicates --store seen.parquet {name}"));
                while let Some(refused) = Some(one()).filter(|ran| ran.code != 0) {
                    let expected = "another jigo is writing to seen.parquet";
                    assert!(refused.code == 2 && refused.err.contains(expected), "{}", refused.err);
                }
            });
        }
    });
    let all = folder.run("duplicates --store seen.parquet 0.sgf");
    assert!(all.err.contains("6 games, no duplicates"), "{}", all.err);
    assert_eq!(folder.list().len(), files.len() + 1, "{:?}", folder.list());
}

#[test]
#[cfg(all(feature = "columnar", unix))]
fn link_to_a_store_is_resolved_and_target_locked() {
    let folder = Folder::new();
    folder.file("0.sgf", game(0, 100).text()).file("1.sgf", game(1, 100).text());
    std::fs::create_dir(folder.path().join("far")).unwrap();
    std::os::unix::fs::symlink("far/seen.parquet", folder.path().join("link.parquet")).unwrap();
    let other = WaitingRun::with_output(&folder, "duplicates --store link.parquet -");
    for name in ["link.parquet", "far/seen.parquet"] {
        let refused = folder.run(&format!("duplicates --store {name} 0.sgf"));
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
        assert!(refused.err.contains(&format!("another jigo is writing to {name}")), "{}", refused.err);
    }
    drop(other);
    assert!(folder.list().contains(&"far/.seen.parquet.jigo-lock".to_owned()));
    // A killed run leaves no lock.
    for (rest, text) in
        [("link.parquet 0.sgf", "1 game, no duplicates"), ("far/seen.parquet 1.sgf", "2 games, no duplicates")]
    {
        let ran = folder.run(&format!("duplicates --store {rest}"));
        assert!(ran.code == 0 && ran.err.contains(text), "{}", ran.err);
    }
    assert_eq!(folder.list(), ["0.sgf", "1.sgf", "far", "far/seen.parquet", "link.parquet"]);
    assert!(std::fs::symlink_metadata(folder.path().join("link.parquet")).unwrap().is_symlink());
}

#[test]
#[cfg(feature = "columnar")]
fn other_files_are_refused_as_store_and_unchanged() {
    let folder = Folder::with_games();
    folder.file("text.parquet", "no store");
    folder.run("check --format parquet --output rows.parquet illegal.sgf");
    for (file, message) in
        [("text.parquet", "this is not a store of jigo duplicates"), ("rows.parquet", "it has other columns")]
    {
        let before = std::fs::read(folder.path().join(file)).unwrap();
        let run = folder.run(&format!("duplicates --store {file} clean.sgf"));
        assert!(run.code == 2 && run.err.contains(message) && run.err.contains(file), "{}", run.err);
        assert!(std::fs::read(folder.path().join(file)).unwrap() == before);
    }
}

/// With any byte changed, a store is read or refused. A decoder error that jigo does not expect
/// becomes an error that names the file.
#[test]
#[cfg(feature = "columnar")]
fn store_with_wrong_byte_is_refused_by_name() {
    use jigo_archive::duplicates::KeyedGames;

    let folder = Folder::new();
    folder.file("games.sgf", (0..6).map(|seed| game(seed, 60).text()).collect::<String>());
    folder.run("duplicates --store seen.parquet games.sgf");
    let path = folder.path().join("seen.parquet");
    let store = std::fs::read(&path).unwrap();
    let mut unforeseen = None;
    for offset in (0..store.len()).filter(|offset| *offset < 64 || offset % 7 == 0) {
        let mut bytes = store.clone();
        bytes[offset] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        if let Err(error) = KeyedGames::new(1 << 20).read_store(&path)
            && error.to_string().contains("the decoder failed")
        {
            unforeseen = Some(bytes);
        }
    }
    std::fs::write(&path, unforeseen.unwrap()).unwrap();
    let run = folder.run("duplicates -q --store seen.parquet games.sgf");
    assert!(run.code == 2 && run.out.is_empty(), "{}", run.out);
    let expected = "--store seen.parquet: this is not a store of jigo duplicates: this is no sound Parquet file: the decoder failed";
    assert!(run.err.contains(expected) && !run.err.contains("panicked"), "{}", run.err);
}

/// Each class has a code. A duplicate is a warning, is counted in the summary, and can be chosen
/// with --select.
#[test]
fn check_reports_duplicates_as_findings() {
    let folder = Folder::new();
    let original = game(1, 150);
    let changed = |change: &dyn Fn(&mut Game)| {
        let mut game = original.clone();
        change(&mut game);
        game.text()
    };
    folder.file("0.sgf", original.text() + &original.text());
    folder.file("2.sgf", changed(&|game| set(game, "RE", "B+R")));
    folder.file(
        "3.sgf",
        changed(&|game| {
            game.turns.iter_mut().for_each(|turn| turn.1 = turn.1.map(|p| jigo_core::Point::new(p.y(), p.x())))
        }),
    );
    folder.file("4.sgf", changed(&|game| game.turns.truncate(80)));
    folder.file("5.sgf", changed(&|game| game.turns.swap(70, 71)));
    folder.file("6.sgf", changed(&|game| set(game, "DT", "1870-01-01")));
    let codes = |options: &str| {
        let run = folder.run(&format!("check --duplicates {options} 0.sgf 2.sgf 3.sgf 4.sgf 5.sgf 6.sgf"));
        let codes: Vec<String> = run.column("code").into_iter().filter(|code| code.starts_with('C')).collect();
        (codes, run)
    };
    let (found, run) = codes("--select C");
    let mut sorted = found.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted, ["C001", "C002", "C003", "C004", "C005", "C006"], "{}", run.out);
    assert!(run.err.contains(&format!("{} findings", found.len())), "{}", run.err);
    assert_eq!(codes("--select C004").0, ["C004"]);
    assert!(codes("--ignore C").0.is_empty());
    // These findings come last, and they do not depend on the number of threads.
    let all = codes("").1.out;
    assert!(all.lines().last().unwrap().contains(",C0"));
    assert!(codes("--jobs 7").1.out == all);
    let refused = folder.run("check --duplicates --baseline known.jsonl 0.sgf");
    assert!(refused.code == 2 && refused.err.contains("--duplicates does not go with a baseline"), "{}", refused.err);
}

/// Every game is written once. Duplicates go to the rejects, and no game is lost or written twice.
#[test]
fn extract_writes_each_game_once() {
    let folder = Folder::new();
    let texts: Vec<String> = (0..12).map(|seed| game(seed, 100).text()).collect();
    let mut cut = game(4, 100);
    cut.turns.truncate(70);
    folder.file("games/a.sgf", texts.concat()).file("games/b.sgf", texts[5].clone() + &cut.text());
    let run = folder.run("extract --dedupe --out once.sgf --rejects copies.sgf games");
    assert_eq!(run.code, 0, "{}", run.err);
    let games = |file: &str| support::read_games(&folder.path().join(file)).len();
    assert_eq!((games("once.sgf"), games("copies.sgf")), (12, 2));
    assert!(rows_by_game(&folder, "once.sgf").is_empty());
    // The truncated record comes first.
    folder.file("turned/a.sgf", cut.text()).file("turned/b.sgf", texts.concat());
    for (keep, turns) in [("first", 70), ("longest", 100), ("best", 100)] {
        let line = format!("extract --force --dedupe --keep {keep} --out kept.sgf --rejects others.sgf turned");
        assert_eq!(folder.run(&line).code, 0);
        let other = folder.run("check --table turns others.sgf").rows().len();
        assert_eq!((games("kept.sgf"), games("others.sgf"), other), (12, 1, 170 - turns), "{keep}");
    }
    // Of a file that is named twice, one copy stays.
    folder
        .file("single/a.sgf", &texts[0])
        .file("rows.jsonl", format!("{}\n", serde_json::json!({"id": "a", "sgf": texts[0]})).repeat(2));
    for inputs in ["single/a.sgf ./single/a.sgf", "single single/a.sgf", "single ./single"] {
        assert_eq!(folder.run(&format!("extract --force --dedupe --out kept.sgf {inputs}")).code, 0);
        assert_eq!(games("kept.sgf"), 1, "{inputs}");
    }
    // Rows with the same identifier can't be told apart.
    let run = folder.run("extract --force --dedupe --out kept.sgf rows.jsonl");
    assert_eq!(games("kept.sgf"), 2, "{}", run.err);
    assert!(folder.run("extract --keep first --out x.sgf games").err.contains("--dedupe"));
    for (line, message) in [("--dedupe --limit 3 --out x.sgf games", "--limit"), ("--dedupe --out x.sgf -", "twice")] {
        let refused = folder.run(&format!("extract {line}"));
        assert!(refused.code == 2 && refused.err.contains(message), "{}", refused.err);
    }
}

/// Returns the real games of a folder from which duplicates can be generated, with their texts.
fn real_games(corpus: &Path) -> Vec<(Game, Vec<u8>)> {
    let mut games = Vec::new();
    let is_edge = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "edge");
    for file in support::files_below(corpus).iter().filter(|path| !is_edge(path)) {
        let bytes = std::fs::read(file).unwrap();
        split(&bytes, true, |piece| {
            if let Piece::Game(range, close, charset) = piece {
                let bytes = &bytes[range];
                let reading = Reading::from_text(&GameText::single(bytes, close, charset));
                let game = Game::from_record(&reading.record)
                    .filter(|game| game.turns.len() > 62 && reading.unreadable.is_none());
                games.extend(game.map(|game| (game, bytes.to_vec())));
            }
        });
    }
    games
}

/// Makes two duplicates each of real games. Nearly all are found, and the changes are named.
///
/// `JIGO_COPIES=3000:0` takes 3000 games of one half of the corpus, `3000:1` of the other half.
#[test]
fn copies_of_real_games_are_found_and_named() {
    let sample = std::env::var("JIGO_COPIES").unwrap_or_else(|_| "150:0".into());
    let (count, half_number) = sample.split_once(':').expect("JIGO_COPIES is a number of games, a colon, 0 or 1");
    let (count, half_number): (usize, usize) = (count.parse().unwrap(), half_number.parse().unwrap());
    let all = real_games(&support::corpus());
    let half = all.iter().enumerate().filter(|(place, _)| place % 2 == half_number).map(|(_, game)| game);
    let step = (all.len() / 2 / count).max(1);
    let originals: Vec<_> = half.step_by(step).take(count).collect();
    let mut random = Random(7);
    let folder = Folder::new();
    let mut copies: BTreeMap<String, (usize, Copy)> = BTreeMap::new();
    let (mut in_zip, mut collection) = (Vec::new(), Vec::new());
    for (number, (game, text)) in originals.iter().enumerate() {
        folder.file(&format!("1/{number:05}.sgf"), text);
        for copy_number in 0..2 {
            let copy = copy(&mut random, game, text);
            let place = match random.below(4) {
                0 => {
                    folder.file(&format!("2/{number:05}-{copy_number}.sgf.gz"), gzip(&copy.text));
                    format!("2/{number:05}-{copy_number}.sgf.gz!{number:05}-{copy_number}.sgf#1")
                }
                1 => {
                    in_zip.push((format!("{number:05}-{copy_number}.sgf"), copy.text.clone()));
                    format!("2/z.zip!{number:05}-{copy_number}.sgf#1")
                }
                // A file has a single charset.
                2 if copy.text.is_ascii() => {
                    collection.push(copy.text.clone());
                    format!("2/y.sgf#{}", collection.len())
                }
                _ => {
                    folder.file(&format!("2/{number:05}-{copy_number}.sgf"), &copy.text);
                    format!("2/{number:05}-{copy_number}.sgf#1")
                }
            };
            copies.insert(place, (number, copy));
        }
    }
    folder.file("2/z.zip", zip(&in_zip)).file("2/y.sgf", collection.concat());
    let rows = rows_by_game(&folder, "--keep first 1 2");
    let (mut recalled, mut classes) = (0, 0);
    for (place, (number, copy)) in &copies {
        let original = rows.get(&format!("1/{number:05}.sgf#1"));
        let row = rows.get(place).filter(|row| original.is_some_and(|original| original.cluster == row.cluster));
        recalled += usize::from(row.is_some());
        let is_correct = row.is_some_and(|row| row.class == copy.class);
        classes += usize::from(is_correct);
        if !is_correct {
            eprintln!("{place}: {:?} is {row:?} instead of {}", copy.change, copy.class);
        }
    }
    eprintln!("{} copies of {} games: {recalled} found, {classes} of the right class", copies.len(), originals.len());
    assert!(1000 * recalled >= 995 * copies.len(), "{recalled} of {}", copies.len());
    assert!(100 * classes >= 98 * copies.len(), "{classes} of {}", copies.len());
}

/// The stones of a handicap may be set up, played, or known from HA alone.
#[test]
fn forms_of_a_handicap_are_one_game() {
    let game = |header: &str, stones: &str, turns: &str| {
        format!("(;GM[1]FF[4]SZ[19]RU[Japanese]PB[Anna]PW[Bob]DT[2020-02-02]{header}{stones}{turns})")
    };
    let turn = |number: usize| {
        let [x, y] = [number * 7 % 19, number * 11 % 17].map(|place| char::from(b'a' + place as u8));
        format!(";{}[{x}{y}]", ["W", "B"][number % 2])
    };
    let turns: String = (0..70).map(turn).collect();
    let folder = Folder::new();
    for (number, (header, stones)) in [
        ("HA[2]", "AB[ss][rs]"),
        ("HA[2]AB[rs][ss]", ""),
        ("HA[2]", ";B[ss];B[rs]"),
        ("", ";B[rs];B[ss]"),
        ("HA[0]", ";B[ss];W[];B[rs]"),
        ("HA[2]", ";AB[ss][rs]"),
        ("HA[2]", ""),
    ]
    .into_iter()
    .enumerate()
    {
        folder.file(&format!("two/{number}.sgf"), game(header, stones, &turns));
    }
    for (number, (header, stones)) in
        [("HA[1]", ";B[ss]"), ("HA[1]AB[ss]", ""), ("", ";B[ss]"), ("", ";AB[ss]")].into_iter().enumerate()
    {
        folder.file(&format!("one/{number}.sgf"), game(header, stones, &turns));
    }
    for (name, games) in [("two", 7), ("one", 4)] {
        let rows = rows_by_game(&folder, name);
        let clusters: BTreeSet<&str> = rows.values().map(|row| row.cluster.as_str()).collect();
        assert_eq!((rows.len(), clusters.len()), (games, 1), "{name}: {rows:#?}");
    }
    let rows = rows_by_game(&folder, "two");
    let variants: Vec<&String> = rows.iter().filter(|(_, row)| row.class == "variant").map(|(game, _)| game).collect();
    assert_eq!(variants, ["two/6.sgf#1"], "{rows:#?}");
}

#[test]
fn record_without_headers_joins_only_one_of_two_games_with_equal_turns() {
    let folder = Folder::new();
    let (first, mut second) = (game(36, 90), game(36, 90));
    for (name, value) in &mut second.header {
        match *name {
            "PB" | "PW" => value.insert_str(0, "Other "),
            "DT" => *value = "1999-01-01".into(),
            _ => {}
        }
    }
    let bare = Game { header: Vec::new(), ..first.clone() };
    for (name, game) in [("a.sgf", &first), ("b.sgf", &bare), ("c.sgf", &second)] {
        folder.file(name, game.text());
    }
    for order in ["a.sgf b.sgf c.sgf", "c.sgf b.sgf a.sgf", "b.sgf c.sgf a.sgf"] {
        let kept = folder.run(&format!("extract --dedupe --merge-headers --as sgf --out - {order}")).out;
        let games: Vec<&str> = kept.lines().collect();
        assert_eq!(games.len(), 2, "{order}: {kept}");
        for game in games {
            assert_eq!(game.contains("PB[Other "), game.contains("DT[1999-01-01]"), "{order}: {game}");
        }
    }
}
