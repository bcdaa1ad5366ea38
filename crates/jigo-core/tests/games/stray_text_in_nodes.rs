//! Text between properties is an error, and it hides neither the value before it nor the property
//! after it.

use jigo_core::Code;
use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::finding::Severity;
use jigo_record::splitter::GameText;
use jigo_record::{Reading, StepKind};

/// Returns the number of turns and setup stones of the main line.
fn turns_and_stones(text: &str) -> usize {
    let record = Reading::from_text(&GameText::from_sgf(text)).record;
    let count = |kind: StepKind| match kind {
        StepKind::Turn(..) => 1,
        StepKind::Setup(setup) => record.setup(setup).stones.len(),
    };
    record.steps.iter().map(|step| count(step.kind)).sum()
}

/// Returns the codes of the game's errors about its text.
fn errors(text: &str) -> Vec<Code> {
    let mut analyzer = Analyzer::default();
    let findings = &analyzer.analyze(&GameText::from_sgf(text), &Settings::default()).findings;
    let is_of_text = |code: Code| matches!(code, Code::UnreadableNode | Code::MisplacedNode | Code::UnclosedValue);
    let errors = findings.iter().filter(|found| found.severity == Severity::Error && is_of_text(found.code));
    errors.map(|found| found.code).collect()
}

const STRAYS: [&str; 14] =
    ["'", "X ", "1", "2. ", "- ", "\\", "/* x */", "\u{3000}", "\u{A0}", "\u{FEFF}", ",", " and ", "x ", "{"];

#[test]
fn stray_text_after_a_value_hides_no_turn() {
    for stray in STRAYS {
        for (before, turns) in [
            ("PB[Black];", 1),
            (";B[hh]C[nice];", 2),
            (";B[hh]C[see [1\\] x];", 2),
            (";B[hh]N[nice]\n", 2),
            (";B[hh];", 2),
            (";B[hh](;", 2),
        ] {
            for after in ["W[ii])", "w[ii];B[aa])", "White[ii]\n;B[aa])"] {
                let text = format!("(;GM[1]SZ[9]{before}{stray}{after}");
                let text = if before.contains('(') { text + ")" } else { text };
                let turns = turns + usize::from(after.contains('B'));
                assert_eq!((turns_and_stones(&text), errors(&text)), (turns, vec![Code::UnreadableNode]), "{text}");
            }
        }
    }
}

#[test]
fn text_that_is_not_a_property_is_an_error() {
    for text in [
        ";8[cc]",
        ";*[cc]",
        ";$[cc]",
        ";foo[x]B[cc]",
        ";B[cc]x1[y]",
        ";xb[cc]",
        ";B[cc]hello",
        ";B[cc],",
        "AB[cc],[gg]",
        "AB[cc]:[gg]",
        "PB[x]-PW[y]",
        "PB[x], PW[y]",
        "PB[Lee]/PW[Cho]",
        "PB:[x]",
        "PBa]PW[b]",
        "RE B+R]PW[x]",
        "KM 6.5]RE[B+R]",
        "GN PB[x]",
        "hello PB[x]",
        ";B[cc](;W[dd]) x (;W[ee])",
        ";B[cc](;W[dd]) , ",
        ";B[cc](x;W[dd])",
        ";B[cc](\u{3000};W[dd])(;W[ee])",
    ] {
        let text = format!("(;GM[1]SZ[9]{text})");
        assert_eq!(errors(&text), [Code::UnreadableNode], "{text}");
    }
    for text in ["\n", " KGSDE[a]\n", "C[a ] b\\] c]", "PlayerBlack[x]", ";B[cc]\n \n(;W[dd])\n(;W[ee])\n", ";b[cc]"] {
        let text = format!("(;GM[1]SZ[9]{text})");
        assert_eq!(errors(&text), [], "{text}");
    }
}

#[test]
fn stray_text_hides_no_header_value() {
    for stray in ["-", ", ", "/", " ", "GN ", "GNa]", "x ", "\u{3000}"] {
        let text = format!("(;GM[1]SZ[9]PB[x]{stray}PW[y]{stray}RE[B+R];B[aa])");
        let header = Reading::from_text(&GameText::from_sgf(&text)).record.header;
        let values: Vec<_> = header.texts().filter(|(name, _)| ["PB", "PW"].contains(name)).collect();
        assert_eq!(values, [("PB", "x"), ("PW", "y")], "{text}");
        assert!(header.result.winner.is_some(), "{text}");
    }
}

#[test]
fn names_in_another_case_are_read() {
    for (black, white) in
        [("BLACK", "WHITE"), ("black", "white"), ("b", "w"), ("b1", "w2"), ("B1", "W2"), ("bLACK", "wHITE")]
    {
        let text = format!("(;GM[1]SZ[9];{black}[aa];{white}[bb];{black}[cc])");
        assert_eq!((turns_and_stones(&text), errors(&text)), (3, vec![]), "{text}");
    }
    for (black, white) in [("ADDBLACK", "ADDWHITE"), ("addblack", "addwhite"), ("ab", "aw"), ("AddBlack", "AddWhite")] {
        let text = format!("(;GM[1]SZ[9]{black}[aa][bb]{white}[cc];B[dd])");
        assert_eq!((turns_and_stones(&text), errors(&text)), (4, vec![]), "{text}");
    }
    let header = |text: &str| Reading::from_text(&GameText::from_sgf(text)).record.header;
    for text in ["KOMI[5.5]SIZE[9]", "Komi[5.5]Size[9]", "komi[5.5]size[9]", "KoMi[5.5]SiZe[9]"] {
        let read = header(&format!("(;GM[1]{text};B[aa])"));
        assert_eq!((read.komi, read.size), (header("(;KM[5.5]SZ[9])").komi, header("(;SZ[9])").size), "{text}");
    }
}

#[test]
fn variation_that_begins_with_a_small_name_is_read() {
    for (rest, turns) in [
        ("()b[aa])", 2),
        ("()white[aa];B[bb])", 3),
        ("(w[aa];b[bb]))", 3),
        ("( white[aa];black[bb])(;w[cc]))", 3),
        ("(w[aa];b[bb])(w[cc]))", 3),
    ] {
        let text = format!("(;GM[1]SZ[9];B[hh]{rest}");
        assert_eq!((turns_and_stones(&text), errors(&text)), (turns, vec![]), "{text}");
    }
}
