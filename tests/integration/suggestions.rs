//! Typing errors in clean games, and the corrections that jigo suggests for them.

use std::path::Path;

use jigo_core::fix::correction::edits;
use jigo_core::fix::{Draft, Typo, suggest};
use jigo_record::splitter::{GameText, Piece, split};
use jigo_record::{Coordinates, GameRecord, Reading, Step, StepKind};
use jigo_rules::board::{BoardSize, Point};

use crate::support::cli::Folder;
use crate::support::files_below;
use crate::support::generated::Random;

/// Returns the games of the corpus without rule violations. The number of each does not depend on
/// the selection.
fn clean_games(corpus: &Path) -> Vec<GameRecord> {
    let mut games = Vec::new();
    for file in files_below(&corpus.join("collections")) {
        let bytes = std::fs::read(file).unwrap();
        let mut of_file = 0;
        split(&bytes, true, |piece| {
            if let Piece::Game(range, close, charset) = piece {
                of_file += 1;
                let record = Reading::from_text(&GameText::single(&bytes[range], close, charset)).record;
                let has_usual_length = record.steps.len() > 60 && record.steps.len() < 400;
                if of_file <= 200 && has_usual_length && suggest(&record).is_none() && !has_setup_in_play(&record) {
                    games.push(record);
                }
            }
        });
    }
    games
}

fn has_setup_in_play(record: &GameRecord) -> bool {
    record
        .steps
        .iter()
        .skip_while(|step| matches!(step.kind, StepKind::Setup(_)))
        .any(|step| matches!(step.kind, StepKind::Setup(_)))
}

const KINDS: [&str; 5] = ["shifted", "mirrored", "swapped", "dropped", "doubled"];

/// Returns a record with one typing error of the given kind, and the error.
fn with_error(record: &GameRecord, kind: usize, random: &mut Random) -> Option<(GameRecord, Typo)> {
    let mut damaged = record.clone();
    let first = record.steps.iter().position(|step| matches!(step.kind, StepKind::Turn(..)))?;
    let turns = record.steps.len() - first;
    let index = random.index(turns - 1);
    let step = first + index;
    let turn = index as u32 + 1;
    let StepKind::Turn(color, Coordinates::Play(point)) = record.steps[step].kind else { return None };
    let size = record.header.size;
    let typo = match kind {
        0 | 1 => {
            let (x, y) = (i16::from(point.x()), i16::from(point.y()));
            let (across, down) = (i16::from(size.width()) - 1 - x, i16::from(size.height()) - 1 - y);
            let images = match kind {
                0 => [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)],
                _ => [(y, x), (across, y), (x, down), (across, down)],
            };
            let (x, y) = random.one_of(&images);
            let replaced = Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?);
            if replaced == point {
                return None;
            }
            let coordinates =
                if size.contains(replaced) { Coordinates::Play(replaced) } else { Coordinates::OffBoard(replaced) };
            damaged.steps[step].kind = StepKind::Turn(color, coordinates);
            Typo::Point { turn, to: point }
        }
        2 => {
            damaged.steps.swap(step, step + 1);
            Typo::Swapped { turn }
        }
        3 => {
            damaged.steps.remove(step);
            Typo::Missing { before: turn, point: None }
        }
        _ => {
            let repeated: Step = damaged.steps[step];
            damaged.steps.insert(step, repeated);
            Typo::Extra { turn: turn + 1 }
        }
    };
    Some((damaged, typo))
}

/// Returns true if a suggestion undoes the error. For a missing turn any point is right. Of two
/// equal turns either can be removed.
fn is_right(found: Typo, typo: Typo) -> bool {
    match (found, typo) {
        (Typo::Missing { before, .. }, Typo::Missing { before: expected, .. }) => before == expected,
        (Typo::Extra { turn }, Typo::Extra { turn: expected }) => turn.abs_diff(expected) <= 1,
        _ => found == typo,
    }
}

/// Tries errors of each kind. Returns the number of tries, of right suggestions, and of right first
/// suggestions.
fn try_errors(games: &[GameRecord], errors: usize, seed: u64) -> [[usize; 3]; 5] {
    let mut random = Random(seed);
    let mut counts = [[0; 3]; 5];
    let mut round = 0;
    while counts.iter().map(|count| count[0]).sum::<usize>() < errors {
        let kind = round % 5;
        round += 1;
        let record = &games[random.index(games.len())];
        let Some((damaged, typo)) = with_error(record, kind, &mut random) else { continue };
        // An error that leaves the record legal is not detectable.
        let Some((_, readings)) = suggest(&damaged) else { continue };
        let correct = readings.iter().position(|reading| is_right(reading.typo, typo));
        counts[kind][0] += 1;
        counts[kind][1] += usize::from(correct.is_some());
        counts[kind][2] += usize::from(correct == Some(0));
        if std::env::var_os("JIGO_TYPOS_SHOWN").is_some() && correct != Some(0) {
            eprintln!(
                "{} {typo:?} place {correct:?} of {}: {:?}",
                KINDS[kind],
                readings.len(),
                readings.iter().take(3).map(|reading| reading.in_words(record.header.size)).collect::<Vec<_>>()
            );
        }
    }
    counts
}

/// Weights were chosen on every other game. The rest was tested once, for the figures in the
/// documentation.
#[test]
fn right_correction_is_suggested_and_usually_first() {
    let mut games = clean_games(&crate::support::corpus());
    // `JIGO_TYPOS=2000` tries 2000 errors; `JIGO_TYPOS_HALF=1` takes the other half of the games.
    let number = |name: &str, default: usize| std::env::var(name).map_or(default, |value| value.parse().unwrap());
    let half = number("JIGO_TYPOS_HALF", 0);
    let mut index = 0;
    games.retain(|_| {
        index += 1;
        index % 2 == half
    });
    let counts = try_errors(&games, number("JIGO_TYPOS", 60), 20 + half as u64);
    let sum = |column: usize| counts.iter().map(|count| count[column]).sum::<usize>();
    let suggested: Vec<String> = KINDS.iter().zip(&counts).map(|(kind, count)| format!("{kind} {count:?}")).collect();
    eprintln!("{} games; {}; all {:?}", games.len(), suggested.join(", "), [sum(0), sum(1), sum(2)]);
    assert!(sum(1) * 10 >= sum(0) * 9 && sum(2) * 10 >= sum(0) * 8, "{}", suggested.join(", "));
}

fn point(letters: &str) -> Point {
    let &[column, row] = letters.as_bytes() else { panic!("{letters}") };
    Point::from_sgf(column, row).unwrap()
}

#[test]
fn edits_of_correction_restore_the_record() {
    let original = "(;SZ[9]C[x];B[ee];W[cc]C[one]BL[9];B[gg];W[cg](;B[gc])(;B[aa]))";
    let cases = [
        (original.replace("W[cc]", "W[ec]"), Typo::Point { turn: 2, to: point("cc") }),
        (original.replace(";W[cc]C[one]BL[9];B[gg]", ";B[gg]C[one]BL[9];W[cc]"), Typo::Swapped { turn: 2 }),
        (original.replace(";B[gg]", ""), Typo::Missing { before: 3, point: Some(point("gg")) }),
        (original.replace(";B[gg]", ";B[gg];B[gg]"), Typo::Extra { turn: 4 }),
        (original.replace(";B[gg]", ";W[gg]"), Typo::Color { turn: 3 }),
    ];
    for (damaged, typo) in cases {
        let mut draft = Draft::new(damaged.len());
        draft.apply(&edits(damaged.as_bytes(), typo).unwrap());
        assert_eq!(String::from_utf8(draft.text(damaged.as_bytes())).unwrap(), original, "{typo:?} in {damaged}");
    }
}

/// A point next to the edge may be off every board.
#[test]
fn suggestions_stay_on_the_largest_board() {
    for (text, expected) in [
        ("(;SZ[52];B[ZZ];W[ZZ])", "YZ"),
        ("(;SZ[52];B[aZ];W[aZ])", "aY"),
        ("(;SZ[52:1];B[Za];W[Za])", "Ya"),
        ("(;SZ[1:52];B[aa];W[aa])", "ab"),
    ] {
        let record = Reading::from_text(&GameText::from_sgf(text)).record;
        let (fault, readings) = suggest(&record).unwrap();
        let size = record.header.size;
        let mut points = readings.iter().filter_map(|reading| match reading.typo {
            Typo::Point { to, .. } => Some(to),
            _ => None,
        });
        assert!(fault == 2 && points.clone().all(|point| size.contains(point)), "{text}");
        assert!(points.any(|to| to == point(expected)), "{text}: {readings:?}");
    }
}

/// A repeated turn has only one correction; a stone on an occupied point has many.
#[test]
fn only_a_single_suggestion_is_applied_on_request() {
    let doubled = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[cc];W[cc];B[gg];W[cg])";
    let occupied = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[cc];B[gg];W[gg];B[cg])";
    let folder = Folder::new();
    folder.file("doubled.sgf", doubled).file("occupied.sgf", occupied);
    let listed = folder.run("fix --suggest --select P,K .");
    assert_eq!(listed.code, 1, "{}", listed.err);
    let (files, applied) = (listed.column("file"), listed.column("made"));
    assert_eq!(files.iter().filter(|file| file.ends_with("doubled.sgf")).count(), 1, "{}", listed.out);
    assert!(files.len() > 5 && applied.iter().all(|applied| applied == "false"), "{}", listed.out);
    assert!(listed.column("reason")[0].starts_with("reading 1 of 1: a turn too many at turn 3; "), "{}", listed.out);
    assert_eq!((folder.read("doubled.sgf"), folder.run("fix .").rows().len()), (doubled.into(), 0));
    let run = folder.run("fix --apply-suggestions --in-place --log fixes.csv .");
    assert_eq!(run.code, 1, "the other one is left: {}", run.err);
    assert_eq!(
        (folder.read("doubled.sgf"), folder.read("occupied.sgf")),
        (doubled.replacen(";W[cc]", "", 1), occupied.into())
    );
    let log = folder.read("fixes.csv");
    assert_eq!(log.lines().filter(|line| line.contains(",true,reading")).count(), 1, "{log}");
    assert_eq!(folder.run("fix --apply-suggestions doubled.sgf").code, 0);
}

/// The right point is not a neighbour of the wrong one, but its letter is on the next key.
#[test]
fn mistyped_key_is_the_first_reading() {
    let text = "(;SZ[19];B[jo];W[dp];B[pp];W[dd];B[pd];W[jh];B[jo];W[kh];B[kg])";
    let record = Reading::from_text(&GameText::from_sgf(text)).record;
    let (fault, readings) = suggest(&record).unwrap();
    assert_eq!((fault, readings[0].typo), (7, Typo::Point { turn: 7, to: point("ji") }));
    assert_eq!(readings[0].evidence[0], "one letter differs");
}

const OCCUPIED: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R]\n;B[ee];W[cc]\n;B[gg];W[gg];B[cg])";

#[test]
fn readings_have_numbered_lines_and_boards_for_people() {
    let folder = Folder::new();
    folder.file("occupied.sgf", OCCUPIED);
    let rows = folder.run("fix -q --suggest occupied.sgf");
    let text = folder.run("fix -q --suggest --format text occupied.sgf").out;
    let readings: Vec<&str> = text.lines().filter(|line| line.contains("; reading ")).collect();
    assert_eq!(readings.len(), rows.rows().len(), "{text}");
    for (index, (line, after)) in readings.iter().zip(rows.column("after")).enumerate() {
        let number = index + 1;
        assert!(line.starts_with("occupied.sgf:3:1 P001 occupied: \"gg\" -> "), "{line}");
        assert!(line.contains(&format!("-> {after:?}; reading {number} of {}: ", readings.len())), "{line}");
        assert!(line.contains(&format!(", {}", point(&after).to_a1(BoardSize::square(9).unwrap()))), "{line}");
        assert!(text.contains(&format!("Reading {number}, turn ")), "{text}");
    }
    assert!(text.contains('●') && !text.contains('\x1b'), "{text}");
    assert!(folder.run("fix -q --suggest --format text --color always occupied.sgf").out.contains('\x1b'));
}

#[test]
fn chosen_reading_of_one_game_is_applied() {
    let sound = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee])";
    let folder = Folder::new();
    folder.file("occupied.sgf", OCCUPIED).file("two.sgf", OCCUPIED.repeat(2)).file("sound.sgf", sound);
    let listed = folder.run("fix --suggest occupied.sgf");
    let (after, byte) = (&listed.column("after")[1], listed.column("byte")[1].parse::<usize>().unwrap());
    for (arguments, remedy) in [
        ("fix --apply 99 --in-place occupied.sgf", "has no such reading; jigo fix --suggest"),
        ("fix --apply 2 --in-place two.sgf", "name one file, or choose a game with --where"),
        ("fix --apply 2 --in-place .", "name one file, or choose a game with --where"),
        ("fix --apply 2 --in-place sound.sgf", "no game has suggested corrections"),
    ] {
        let refused = folder.run(arguments);
        assert_eq!(refused.code, 2, "{arguments}");
        assert!(refused.err.contains(remedy), "{arguments}: {}", refused.err);
    }
    assert_eq!((folder.read("occupied.sgf"), folder.read("two.sgf")), (OCCUPIED.into(), OCCUPIED.repeat(2)));
    let applied = folder.run("fix --apply 2 --in-place --log log.csv occupied.sgf");
    let mut expected = OCCUPIED.to_owned();
    expected.replace_range(byte..byte + 2, after);
    assert_eq!((applied.code, folder.read("occupied.sgf")), (0, expected), "{}", applied.err);
    assert!(
        folder.read("log.csv").lines().nth(1).unwrap().contains(",true,\"reading 2 of "),
        "{}",
        folder.read("log.csv")
    );
}
