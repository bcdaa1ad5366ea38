//! Short texts: header values, ruleset names and engine answers.

use jigo_archive::engine::{parse_stones, read_answer};
use jigo_record::header::dialect::KomiUnit;
use jigo_record::header::komi::KomiText;
use jigo_record::{Reading, RecordedResult, ResultKind};
use jigo_rules::HalfPoints;
use jigo_rules::board::{BoardSize, Color, Position, diagram};
use jigo_rules::ru_property::parse_ru;
use jigo_rules::select::{Choice, select};

use super::games;

const UNITS: [KomiUnit; 3] = [KomiUnit::ByForm, KomiUnit::Points, KomiUnit::Hundredths];

const RESULT_PARSERS: [fn(&str) -> RecordedResult; 2] = [RecordedResult::parse, RecordedResult::parse_coded];

/// Checks every line as KM, HA, RE and RU: a number survives writing and reading, a result agrees
/// with itself, and a record gives the same values.
pub fn header(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        for read in UNITS.into_iter().filter_map(|unit| KomiText::parse(line, unit).ok()) {
            assert_eq!(HalfPoints::parse(&read.komi.to_string()), Ok(read.komi), "KM[{line}]");
            assert!(read.komi.0.abs() <= 40_000, "KM[{line}] is {}", read.komi);
        }
        RESULT_PARSERS.into_iter().for_each(|parse| result(line, parse));
        if let Some(ruleset) = parse_ru(line, &[]) {
            assert!(!ruleset.name.is_empty());
            assert_eq!(parse_ru(&ruleset.name, &[]).map(|same| same.axes), Some(ruleset.axes), "RU[{line}]");
        }
        in_a_record(line);
    }
}

fn result(line: &str, parse: fn(&str) -> RecordedResult) {
    let result = parse(line);
    let RecordedResult { kind, winner, black_minus_white, .. } = result;
    let with_blanks = parse(&format!(" {line}\t"));
    assert_eq!(with_blanks, result, "blanks change RE[{line}]");
    let signed = black_minus_white.map(|margin| margin.0.signum());
    match kind {
        ResultKind::Score => {
            let expected = winner.map(|winner| if winner == Color::Black { 1 } else { -1 });
            assert!(signed.is_some() && signed == expected, "RE[{line}]: {winner:?} by {black_minus_white:?}");
        }
        ResultKind::Draw => assert_eq!((winner, signed), (None, Some(0)), "RE[{line}]"),
        _ => assert_eq!(signed, None, "RE[{line}] has a margin"),
    }
}

fn in_a_record(line: &str) {
    // Text that resembles a property would hide a missing bracket, so brackets are removed.
    let value: String = line.chars().filter(|letter| !matches!(letter, '[' | ']' | '\\')).collect();
    let text = format!("(;GM[1]FF[4]SZ[9]RE[{value}]RU[{value}]KM[{value}]HA[{value}];B[aa])");
    let mut read = 0;
    games(text.as_bytes(), |game| {
        let header = Reading::from_text(game).record.header;
        let parsed = RESULT_PARSERS.map(|parse| parse(&header.result_text));
        assert!(parsed.contains(&header.result), "RE[{line}] is {:?}", header.result);
        assert_eq!(header.komi.map(|komi| komi.0.abs() <= 40_000), header.komi.map(|_| true), "KM[{line}]");
        read += 1;
    });
    assert_eq!(read, 1, "{line:?} breaks its record");
}

/// Checks every line as `--rules` text. It selects named rulesets, the same each time and with
/// blanks around it, or gives an error that lists the rulesets.
pub fn rules(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        match select(line) {
            Ok(choices) => {
                assert!(!choices.is_empty());
                assert_eq!(select(&format!(" {line} ")).as_ref(), Ok(&choices), "blanks change {line:?}");
                let fixed = choices.iter().filter_map(|choice| match choice {
                    Choice::Fixed(ruleset) => Some(ruleset),
                    Choice::Recorded => None,
                });
                fixed.for_each(|ruleset| assert!(!ruleset.name.trim().is_empty()));
            }
            Err(error) => assert!(error.to_string().len() > 20, "{line:?}: {error}"),
        }
    }
}

/// Checks the bytes as engine output: answers are bounded, and a list of dead stones consists of
/// whole chains of the position.
pub fn engine(bytes: &[u8]) {
    let mut output = bytes;
    let mut answers = Vec::new();
    while let Some(answer) = read_answer(&mut output) {
        assert!(!answer.trim().is_empty() && answer.len() <= 256 << 10, "{} bytes", answer.len());
        answers.push(answer);
    }
    for position in positions() {
        for answer in &answers {
            let Ok(dead) = parse_stones(answer.trim_start_matches('='), &position) else { continue };
            assert!(dead.is_sorted_by(|one, next| one < next), "{answer:?}: {dead:?}");
            for &stone in &dead {
                assert!(position.stone(stone).is_some(), "{answer:?}");
                assert!(position.chain(stone).all(|of_chain| dead.binary_search(&of_chain).is_ok()), "{answer:?}");
            }
        }
    }
}

fn positions() -> [Position; 2] {
    let large = BoardSize::new(52, 30).expect("within 52");
    let mut wide = Position::new(large);
    let stones = large.iter().filter(|point| point.x() % 3 == 0);
    wide.place(stones.map(|point| (point, Some(Color::BOTH[usize::from(point.y() % 2)]))));
    [diagram::read(". X X .\nX X O .\n. X O O").expect("a diagram"), wide]
}
