//! Roots and values in odd forms that programs write: one game, with its turns, setup and player to
//! move.

use jigo_core::Code;
use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::splitter::{Close, GameText, Piece, split};
use jigo_record::{Reading, StepKind};
use jigo_rules::board::{Color, Point};

/// Returns how the only game of a text is read, with the codes of its findings.
fn read(text: &str) -> (Reading, Vec<Code>) {
    let mut games = Vec::new();
    split(text.as_bytes(), true, |piece| match piece {
        Piece::Game(range, close, charset) => games.push((range, close, charset)),
        Piece::StrayText(range) => panic!("stray text {range:?} of {text}"),
    });
    assert_eq!(games.len(), 1, "{text}");
    let (range, close, charset) = games.remove(0);
    assert_eq!((range.clone(), close), (0..text.len(), Close::Parenthesis), "{text}");
    let game = GameText::single(text.as_bytes(), close, charset);
    let mut analyzer = Analyzer::default();
    let report = analyzer.analyze(&game, &Settings::default());
    let codes = report.findings.iter().map(|found| found.code).collect();
    (Reading::from_text(&game), codes)
}

fn turns(reading: &Reading) -> usize {
    reading.record.steps.iter().filter(|step| matches!(step.kind, StepKind::Turn(..))).count()
}

#[test]
fn roots_may_begin_with_any_property() {
    for first in ["TE[1]", "C[a]", "N[a]", "AB[cc]", "KO[]", "ID[1]", "RD[2001-01-01]", "PL[B]", "GN[x]", "HA[0]"] {
        let (reading, codes) = read(&format!("({first}SZ[9];B[aa];W[bb])"));
        assert_eq!((turns(&reading), reading.record.header.size.width()), (2, 9), "{first}");
        assert!(codes.contains(&Code::MissingSemicolon), "{first}: {codes:?}");
        let (reading, codes) = read(&format!("(;{first}SZ[9];B[aa];W[bb])"));
        assert_eq!(turns(&reading), 2, "{first}");
        assert!(!codes.contains(&Code::MissingSemicolon), "{first}: {codes:?}");
    }
}

#[test]
fn misplaced_semicolon_of_the_root_is_one_game() {
    for text in ["(GM[1];FF[3]SZ[9];B[aa])", "(GM[1]\n;FF[4]\nSZ[9]\n;B[aa])", "(FF[3];GM[1]SZ[9];B[aa])"] {
        let (reading, codes) = read(text);
        assert_eq!((turns(&reading), reading.record.header.size.width()), (1, 9), "{text}");
        assert!(codes.contains(&Code::MissingSemicolon), "{text}: {codes:?}");
    }
}

#[test]
fn forms_of_player_to_move_are_read() {
    for (value, expected) in [
        ("1", Color::Black),
        ("2", Color::White),
        ("b", Color::Black),
        ("w", Color::White),
        ("black", Color::Black),
        ("White", Color::White),
    ] {
        let (reading, codes) = read(&format!("(;GM[1]FF[4]SZ[9]AB[cc]PL[{value}];W[aa])"));
        let setup = reading.record.steps.iter().find_map(|step| match step.kind {
            StepKind::Setup(setup) => Some(reading.record.setup(setup).to_play),
            StepKind::Turn(..) => None,
        });
        assert_eq!(setup, Some(Some(expected)), "{value}");
        assert!(!codes.contains(&Code::UnreadableProperty), "{value}: {codes:?}");
    }
    let (_, codes) = read("(;GM[1]FF[4]SZ[9]AB[cc]PL[x];W[aa])");
    assert!(codes.contains(&Code::UnreadableProperty), "{codes:?}");
}

#[test]
fn line_end_within_a_point_of_a_list_is_read() {
    let (reading, codes) = read("(;GM[1]FF[4]SZ[19]AB[q\nr][dd];W[aa])");
    let stones: Vec<Point> = reading.record.steps.iter().fold(Vec::new(), |mut stones, step| {
        if let StepKind::Setup(setup) = step.kind {
            stones.extend(reading.record.setup(setup).stones.iter().map(|(point, _)| *point));
        }
        stones
    });
    assert_eq!(stones, [Point::new(3, 3), Point::new(16, 17)]);
    assert!(codes.contains(&Code::OddCoordinates), "{codes:?}");
}

#[test]
fn second_board_size_is_a_repeated_property() {
    let (reading, codes) = read("(;GM[1]FF[4]SZ[5][3];B[aa])");
    assert_eq!(reading.record.header.size.width(), 5);
    assert!(codes.contains(&Code::RepeatedProperty), "{codes:?}");
    assert!(!read("(;GM[1]FF[4]SZ[5];B[aa])").1.contains(&Code::RepeatedProperty));
}
