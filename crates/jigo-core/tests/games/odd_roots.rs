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

#[test]
fn game_info_after_the_root_is_read() {
    for text in [
        "(;FF[4]GM[1]SZ[9];PB[a]KM[6.5]RU[Japanese]DT[2001-02-03]RE[W+R];B[aa];W[bb])",
        "(;FF[4]GM[1]SZ[9]PB[a]RU[Japanese];B[aa]KM[6.5];W[bb]DT[2001-02-03]RE[W+R])",
        "(;FF[4]GM[1]SZ[9]PB[a]KM[]RE[];B[aa];W[bb](;KM[6.5]RU[Japanese]DT[2001-02-03]RE[W+R])(;C[x]RE[B+R]))",
        "(;FF[4]GM[1]SZ[9]PB[a]KM[6.5]RU[Japanese]DT[2001-02-03]RE[W+R];B[aa]KM[5.5];W[bb]RE[Black resigns])",
    ] {
        let (reading, codes) = read(text);
        let header = &reading.record.header;
        let values =
            (header.black.as_str(), header.rules.as_str(), header.date.as_str(), header.komi.map(|komi| komi.0));
        assert_eq!(values, ("a", "Japanese", "2001-02-03", Some(13)), "{text}");
        assert_eq!(header.result.text().as_deref(), Some("W+R"), "{text}");
        assert!(
            !codes.iter().any(|code| [Code::MisplacedNode, Code::MissingKomi, Code::UnknownRules].contains(code)),
            "{text}"
        );
    }
    // A variation has its own game info.
    let (reading, _) = read("(;FF[4]GM[1]SZ[9]PB[a];B[aa](;W[bb])(;W[cc]RE[B+R]))");
    assert_eq!(reading.record.header.result_text, "");
    // Nothing of another game is taken over.
    let (reading, codes) = read("(;FF[4]GM[1]SZ[9]PB[a];B[aa];PB[c]RE[B+R];W[cc])");
    assert_eq!((reading.record.header.result_text.as_str(), codes.contains(&Code::MisplacedNode)), ("", true));
    let (reading, codes) = read("(;FF[4]GM[1]SZ[9];B[aa];W[bb];GM[1]SZ[9]PB[c]RE[B+R];B[cc])");
    assert_eq!((reading.record.header.black.as_str(), codes.contains(&Code::MisplacedNode)), ("", true));
}

#[test]
fn player_to_move_in_the_node_of_a_turn_is_the_next_one() {
    let wrong = |game: &str| read(&format!("(;GM[1]FF[4]SZ[9]{game})")).1.contains(&Code::WrongColor);
    for game in [
        ";B[aa];W[bb]PL[B];B[cc]",
        ";B[aa]PL[W];W[bb]",
        ";B[aa]PL[White]C[x];W[bb]",
        ";B[aa]PL[B];W[bb]",
        "B[aa]PL[W];W[bb]",
    ] {
        assert!(!wrong(game), "{game}");
    }
    for game in [";B[aa];W[cc]PL[B];W[bb]", ";B[aa];PL[B];W[bb]"] {
        assert!(wrong(game), "{game}");
    }
    assert!(read("(;GM[1]FF[4]SZ[9];B[aa]PL[W];W[bb])").1.contains(&Code::SetupWithMove));
}

#[test]
fn game_is_a_whole_number_in_any_form() {
    for value in ["1", "01", "+1", " 1 ", "001"] {
        let (reading, codes) = read(&format!("(;FF[4]GM[{value}]SZ[9]KM[6.5];B[aa];W[bb])"));
        assert_eq!((turns(&reading), reading.record.header.komi.is_some()), (2, true), "{value}");
        assert!(
            !codes.iter().any(|code| [Code::MissingGame, Code::UnreadableNode, Code::NotGo].contains(code)),
            "{value}: {codes:?}"
        );
    }
    for value in ["5.5", "Go", "", "weiqi", "1.0"] {
        let (reading, codes) = read(&format!("(;FF[4]GM[{value}]SZ[9]KM[6.5];B[aa];W[bb])"));
        assert_eq!(turns(&reading), 2, "{value}");
        let finding = reading.findings.iter().find(|finding| finding.code == Code::MissingGame).unwrap();
        assert_eq!(finding.severity, jigo_core::Severity::Warning, "{value}");
        assert!(finding.detail.starts_with(&format!("GM[{value}]")) && finding.detail.ends_with("Go is assumed"));
        assert!(!codes.contains(&Code::UnreadableNode), "{value}: {codes:?}");
    }
    for value in ["2", "02", "-1"] {
        assert!(read(&format!("(;FF[4]GM[{value}]SZ[9];B[aa])")).1.contains(&Code::NotGo), "{value}");
    }
}

/// Diagrams of Oro begin again at turn 1, and the game continues after them.
#[test]
fn diagrams_between_turns_are_not_the_main_line() {
    for diagrams in [
        "(RN[a]PT[2];B[aa];W[bb];B[dd])",
        "(RN[a];B[aa](;W[bb])(;W[ee]))(PT[2];B[aa])",
        "(\nRN[a (b) c]\nPT[2]\n;B[aa])",
        "(;RN[a]PT[2];B[aa];W[bb])",
    ] {
        let (reading, codes) = read(&format!("(TE[Cup]RD[2009-09-11]KO[6.5]HD[2];B[aa];W[bb]{diagrams};B[cc];W[dd])"));
        assert_eq!(turns(&reading), 4, "{diagrams}");
        let header = &reading.record.header;
        assert_eq!((header.event.as_str(), header.date.as_str(), header.handicap), ("Cup", "2009-09-11", Some(2)));
        assert_eq!(header.komi, Some(jigo_rules::HalfPoints(13)));
        assert!(codes.contains(&Code::EmptyNodes), "{diagrams}: {codes:?}");
        assert!(
            !codes.iter().any(|code| [Code::MisplacedNode, Code::Occupied, Code::ValueType].contains(code)),
            "{codes:?}"
        );
    }
}

/// Each error of the text is at its own byte.
#[test]
fn damage_is_at_its_byte() {
    for (text, code, place) in [
        ("(;GM[1]SZ[9];B[aa];W[bb;B[cc])", Code::UnclosedValue, "[bb;"),
        ("(;GM[1]SZ[9];B[aa];W[bb]C[x", Code::UnclosedValue, "[x"),
        ("(;GM[1]SZ[9];B[aa];W[bb]xx;B[cc])", Code::UnreadableNode, "xx"),
        ("(;GM[1]SZ[9];B[aa]; [cc];W[bb])", Code::MisplacedNode, "[cc]"),
    ] {
        let game = GameText::from_sgf(text);
        let reading = Reading::from_text(&game);
        let finding = reading.findings.iter().find(|finding| finding.code == code).unwrap();
        assert_eq!(finding.place.offset, text.find(place).unwrap(), "{text}");
    }
}
