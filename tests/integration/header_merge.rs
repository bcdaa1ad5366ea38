//! The representative takes header values that only its duplicates have. `jigo duplicates` lists
//! them, `jigo extract` writes them.

use crate::support::cli::{Folder, Ran};
use crate::support::generated::Random;
use crate::support::generated_duplicates::{Game, copy};

/// Returns a game of 120 turns with the given seed and header.
fn game(seed: u64, header: &[(&'static str, &str)]) -> Game {
    let header = header.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Game { header, ..Game::generate(&mut Random(seed), 120) }
}

/// Returns the first `turns` of a game with exchanged colours and the board mirrored at its
/// diagonal.
fn other_view(game: &Game, turns: usize) -> Game {
    let mut viewed = game.clone();
    viewed.turns.truncate(turns);
    for (color, point) in &mut viewed.turns {
        (*color, *point) = (color.opponent(), point.map(|point| jigo_core::Point::new(point.y(), point.x())));
    }
    viewed
}

/// Returns the property, the made flag and the reason of each row of a log.
fn log(folder: &Folder, name: &str) -> Vec<(String, bool, String)> {
    let rows = folder.table(name);
    rows.iter().map(|row| (row["after"].clone(), row["made"] == "true", row["reason"].clone())).collect()
}

/// Returns the games table of a file in the form of a run.
fn games(folder: &Folder, name: &str) -> Ran {
    let run = folder.run(&format!("report --force --quiet --exit-zero --out report {name}"));
    assert_eq!(run.code, 0, "{}", run.err);
    Ran { out: folder.read("report/games.csv"), ..run }
}

#[test]
fn values_of_duplicates_are_merged_if_they_agree() {
    let folder = Folder::new();
    let representative = game(1, &[("PB", "Shusaku"), ("DT", ""), ("RU", "Japanese")]);
    let truncated = |header: &[(&'static str, &str)], turns| {
        let mut truncated = game(1, header);
        truncated.turns.truncate(turns);
        truncated
    };
    let opponent = Game {
        header: game(1, &[("PB", "Gennan"), ("WR", "4d"), ("RE", "W+2"), ("KM", "0")]).header,
        ..representative.clone()
    };
    folder.file("a.sgf", representative.text());
    folder.file(
        "b.sgf",
        truncated(&[("PW", "Gennan"), ("DT", "1846-09-11"), ("EV", "Castle [a] game"), ("PC", "")], 100).text(),
    );
    folder.file("c.sgf", other_view(&opponent, 90).text());
    folder.file("d.sgf", truncated(&[("EV", "Game of ears"), ("RU", "Chinese"), ("BR", "7d")], 80).text());
    let listed = folder.run("duplicates --keep longest --merge-headers --log list.csv a.sgf b.sgf c.sgf d.sgf");
    assert!(
        listed.err.contains("could take 7 properties from their duplicates; 1 value contradicts theirs"),
        "{}",
        listed.err
    );
    let states = |file: &str, text: &str, reading: &str| {
        let contradiction = if text.starts_with("RU") { "contradiction, " } else { "" };
        format!("{contradiction}reading {reading}: {file}.sgf#1 says so")
    };
    let expected = [
        ("BR[4d]", "c", "1 of 2", false),
        ("BR[7d]", "d", "2 of 2", false),
        ("PW[Gennan]", "b", "1 of 1", true),
        ("EV[Castle [a\\] game]", "b", "1 of 2", false),
        ("EV[Game of ears]", "d", "2 of 2", false),
        ("DT[1846-09-11]", "b", "1 of 1", true),
        ("RU[Chinese]", "d", "1 of 1", false),
        ("RE[B+2]", "c", "1 of 1", true),
    ];
    let rows = |wanted: &dyn Fn(bool) -> bool| {
        expected
            .map(|(text, file, reading, is_made)| (text.to_owned(), wanted(is_made), states(file, text, reading)))
            .to_vec()
    };
    assert_eq!(log(&folder, "list.csv"), rows(&|_| false));
    let extract =
        "extract --dedupe --merge-headers --log log.csv --out once.sgf --rejects others.sgf a.sgf b.sgf c.sgf d.sgf";
    let written = folder.run(extract);
    assert!(written.err.contains("1 of the extracted games have properties from their duplicates"), "{}", written.err);
    assert_eq!(log(&folder, "log.csv"), rows(&|is_made| is_made));
    // Except for the inserted values, every byte is the recorded one.
    let text = representative.text().replace("DT[]RU[Japanese]", "DT[1846-09-11]RU[Japanese]PW[Gennan]RE[B+2]");
    assert_eq!(folder.read("once.sgf"), text + "\n");
    let run = folder.run(&format!("{} --as sgf --force", extract.replace("once.sgf", "normal.sgf")));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.read("normal.sgf").contains("PW[Gennan]") && folder.read("normal.sgf").contains("RE[B+2]"));
}

/// Comments belong to the same position, whatever the form of a handicap, and territory to the end.
#[test]
fn comments_and_territory_keep_their_position() {
    let folder = Folder::new();
    let played = game(3, &[("PB", "A"), ("PW", "B"), ("DT", "1999-01-01")]);
    let at_turn = |text: &str, turn: usize, note: &str| {
        let (node, _) = text.match_indices(';').nth(turn + 1).unwrap_or((text.len() - 1, ""));
        format!("{}{note}{}", &text[..node], &text[node..])
    };
    let kept = at_turn(&at_turn(&played.text(), 5, "C[mine]"), 120, ";B[];W[]");
    let duplicate = at_turn(&played.text(), 120, "C[the end];TW[bb]TB[ba][aa]");
    let duplicate = ["C[here \\] too]", "C[theirs]", "C[ a\nb ]"]
        .iter()
        .zip([9, 5, 0])
        .fold(duplicate, |text, (note, turn)| at_turn(&text, turn, note));
    let other_players = Game { header: vec![("PB", "B".into()), ("PW", "A".into())], ..played.clone() };
    let mirrored = at_turn(&other_view(&other_players, 110).text(), 20, "C[another view]");
    let written = at_turn(&played.text(), 120, "C[the end];B[];W[]TB[aa][ba]TW[bb]");
    let written = at_turn(&at_turn(&written, 9, "C[here \\] too]"), 5, "C[mine]");
    folder.file("kept.sgf", kept).file("b.sgf", duplicate).file("c.sgf", mirrored);
    let merge = "extract --dedupe --prefer kept.sgf --merge-headers --force --log log.csv";
    assert_eq!(folder.run(&format!("{merge} --out out.sgf kept.sgf b.sgf c.sgf")).code, 0);
    assert_eq!(folder.read("out.sgf"), at_turn(&written, 0, "C[ a\nb ]") + "\n");
    let rows = log(&folder, "log.csv");
    let reasons: Vec<&str> = rows.iter().map(|(_, _, reason)| reason.split(',').next().unwrap()).collect();
    assert!(rows.iter().all(|(_, is_made, _)| *is_made), "{rows:?}");
    assert_eq!(reasons, ["turn 0", "turn 9", "turn 120", "turn 120"], "{rows:?}");
    let again = folder.run(&format!("{merge} --out twice.sgf out.sgf b.sgf c.sgf").replace("kept.sgf", "out.sgf"));
    assert_eq!((again.code, folder.read("twice.sgf")), (0, folder.read("out.sgf")), "{}", again.err);
    assert_eq!(log(&folder, "log.csv"), []);
    folder.run(&format!("{merge} --as sgf --no-comments --out bare.sgf kept.sgf b.sgf c.sgf"));
    assert!(folder.read("bare.sgf").contains("TB[aa][ba]") && !folder.read("bare.sgf").contains("C["));
}

/// A value is written in the record's charset. If the charset lacks a letter, the value is omitted.
#[test]
fn merged_values_use_the_charset_of_the_record() {
    let folder = Folder::new();
    for (place, (charset, name, is_encodable)) in [
        ("GB2312", "幻庵因碩", true),
        ("Shift_JIS", "幻庵因碩", true),
        ("ISO-8859-1", "幻庵因碩", false),
        ("UTF-8", "幻庵因碩", true),
    ]
    .into_iter()
    .enumerate()
    {
        let kept = game(10 + place as u64, &[("CA", charset), ("PB", "Shusaku"), ("KM", "0"), ("RU", "Japanese")]);
        let mut other = game(10 + place as u64, &[("PW", name)]);
        other.turns.truncate(100);
        folder.file("kept.sgf", kept.text()).file("other.sgf", other.text());
        let run =
            folder.run("extract --force --dedupe --merge-headers --log log.csv --out once.sgf kept.sgf other.sgf");
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(log(&folder, "log.csv").len(), 1);
        assert_eq!(log(&folder, "log.csv")[0].1, is_encodable, "{charset}");
        let bytes = std::fs::read(folder.path().join("once.sgf")).unwrap();
        let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
        assert_eq!(encoding.decode(&bytes).0.contains(&format!("PW[{name}]")), is_encodable, "{charset}");
        assert_eq!(games(&folder, "once.sgf").column("white"), [if is_encodable { name } else { "" }], "{charset}");
    }
}

/// With random duplicates, a game keeps its own values and turns. Each value that the log lists as
/// written can be read from the output.
#[test]
fn merging_changes_no_value_of_the_game() {
    let folder = Folder::new();
    let mut random = Random(21);
    for number in 0..30 {
        let mut original = Game::generate(&mut random, 120);
        original.header.retain(|_| random.below(2) == 0);
        // With one turn fewer, these duplicates are not the representatives.
        let mut complete = Game { header: Game::generate(&mut Random(number), 1).header, ..original.clone() };
        complete.turns.pop();
        folder.file(&format!("{number:02}/0.sgf"), original.text());
        for other in 1..4 {
            folder.file(
                &format!("{number:02}/{other}.sgf"),
                copy(&mut random, &complete, complete.text().as_bytes()).text,
            );
        }
    }
    let extracted = folder.run("extract --dedupe --out plain.sgf .");
    let merged = folder.run("extract --dedupe --merge-headers --log log.csv --out merged.jsonl .");
    assert!(extracted.code == 0 && merged.code == 0, "{}{}", extracted.err, merged.err);
    let made = log(&folder, "log.csv").iter().filter(|(_, is_made, _)| *is_made).count();
    assert!(made > 20, "{made} properties");
    let [extracted, merged] = ["plain.sgf", "merged.jsonl"].map(|name| games(&folder, name));
    let mut values = 0;
    for column in
        ["turns", "width", "height", "handicap", "black", "white", "date", "komi", "rules_stated", "result", "event"]
    {
        let pairs = extracted.column(column).into_iter().zip(merged.column(column));
        for (before, value) in pairs {
            assert!(before == value || before.is_empty(), "{column}: {before} became {value}");
            values += usize::from(before != value);
        }
    }
    assert_eq!(extracted.rows().len(), merged.rows().len());
    // SO has no column.
    let logged =
        log(&folder, "log.csv").iter().filter(|(text, is_made, _)| *is_made && !text.starts_with("SO")).count();
    assert_eq!(values, logged);
}

#[test]
fn merging_needs_a_log_or_an_output() {
    let folder = Folder::with_games();
    for (line, message) in [
        ("duplicates --merge-headers clean.sgf", "--log"),
        ("duplicates --log log.csv clean.sgf", "--merge-headers"),
        ("duplicates --table diversity --merge-headers --log log.csv clean.sgf", "not for --table diversity"),
        ("extract --merge-headers --out a.sgf clean.sgf", "--dedupe"),
    ] {
        let run = folder.run(line);
        assert!(run.code == 2 && run.err.contains(message), "{line}: {}", run.err);
    }
    folder.file("log.csv", "mine");
    let run = folder.run("duplicates --merge-headers --log log.csv clean.sgf");
    assert!(run.code == 2 && run.err.contains("log.csv is there already"), "{}", run.err);
    assert_eq!(folder.read("log.csv"), "mine");
}
