//! No turn disappears in silence: turns are counted in the bytes, by a reader that shares no code with the project, and each is
//! in the tree or reported by a finding of severity error.

use std::ops::ControlFlow;
use std::path::Path;

use jigo_core::Code;
use jigo_core::analyze::{Analyzer, Settings};
use jigo_core::budget::Budget;
use jigo_core::finding::Severity;
use jigo_core::record::StepKind;
use jigo_core::record::stray_text;
use jigo_core::record::variations::side_variations;
use jigo_core::sgf::decode::Decoded;
use jigo_core::sgf::{GameText, Limits, Piece, split};

use crate::damage;
use crate::support::{corpus, files_ending};

/// Names of turns, those of FF[1] to FF[3] included.
const TURNS: [&[u8]; 4] = [b"B", b"W", b"Black", b"White"];

/// Returns the byte of each turn's name outside values. A value ends at the first `]` without a backslash before it.
fn turns_in(bytes: &[u8]) -> Vec<usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at].is_ascii_alphabetic() {
            let name = at..at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let open = name.end + bytes[name.end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if bytes.get(open) == Some(&b'[') && TURNS.contains(&&bytes[name.clone()]) {
                found.push(name.start);
            }
            at = name.end;
        } else if bytes[at] == b'[' {
            at += 1;
            while at < bytes.len() && bytes[at] != b']' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
        } else {
            at += 1;
        }
    }
    found
}

/// Findings that say that values or names are damaged, so that two readers need not agree on which bytes are turns.
const DAMAGE: [Code; 8] = [
    Code::UnclosedValue,
    Code::UnescapedBracket,
    Code::BackslashAtEnd,
    Code::UnreadableNode,
    Code::NotGo,
    Code::NulBytes,
    Code::DamagedText,
    Code::SeveralTurns,
];

/// Returns how many turns the tree of a game has, each once.
fn turns_in_tree(text: &GameText) -> usize {
    let decoded = Decoded::new(text.bytes, text.charset);
    let is_turn = |what: StepKind| usize::from(matches!(what, StepKind::Turn(..)));
    let reading = jigo_core::record::Reading::of(text);
    let mut turns: usize = reading.record.steps.iter().map(|step| is_turn(step.what)).sum();
    side_variations(&decoded.text, Limits::default(), &Budget::default(), |record, branches, _| {
        let new = record.steps.iter().filter(|step| step.at as usize >= branches.begins_at);
        turns += new.map(|step| is_turn(step.what)).sum::<usize>();
        ControlFlow::Continue(0)
    });
    turns
}

/// Returns what is wrong with a text: the turns of each of its parts that are neither in the tree nor reported.
fn lost_turns(bytes: &[u8]) -> Vec<String> {
    let mut lost = Vec::new();
    split(bytes, true, |piece| match piece {
        Piece::Game(range, close, charset) => {
            let text = GameText::alone(&bytes[range], close, charset);
            let decoded = Decoded::new(text.bytes, text.charset);
            let (written, read) = (turns_in(&decoded.text).len(), turns_in_tree(&text));
            let settings = Settings { all_variations: true, ..Settings::default() };
            let report = Analyzer::default().analyze(&text, &settings).clone();
            let is_reported = |severity: Severity, code: Code| severity == Severity::Error || DAMAGE.contains(&code);
            if written > read && !report.findings.iter().any(|found| is_reported(found.severity, found.code)) {
                let shown = String::from_utf8_lossy(text.bytes).into_owned();
                lost.push(format!("{written} turns are written and {read} are read of {shown}"));
            }
        }
        Piece::Outside(range) => {
            let text = &bytes[range];
            if !turns_in(text).is_empty() && stray_text::code(text).severity() != Severity::Error {
                lost.push(format!("turns of stray text: {}", String::from_utf8_lossy(text)));
            }
        }
    });
    lost
}

#[test]
fn turns_in_odd_places_are_read_or_reported() {
    let root = "(;FF[4]GM[1]SZ[9];B[hh]";
    for (rest, turns) in [
        ("(B[aa];W[bb];B[cc]))", 4),
        ("(\nB[aa]\n;W[bb]\n(;B[cc])(W[dd])))", 5),
        ("()(;W[ii];B[aa]))", 3),
        ("(())( )(;W[ii]()(;B[aa])))", 3),
        ("(;W[ii])())", 2),
        ("(;W[bb];B[cc])W[dd];B[ee])", 5),
        ("(;W[bb]);W[cc];B[dd])", 4),
        ("(;W[bb])(W[cc];B[dd])W[ee](;B[ff]))", 6),
        ("(Black[aa];White[bb]))", 3),
    ] {
        let text = format!("{root}{rest}");
        let game = GameText::alone(text.as_bytes(), jigo_core::sgf::split::Close::Parenthesis, Default::default());
        let mut games = 0;
        split(text.as_bytes(), true, |_| games += 1);
        assert_eq!((games, turns_in_tree(&game)), (1, turns), "{text}");
        assert_eq!(lost_turns(text.as_bytes()), [""; 0], "{text}");
    }
}

#[test]
fn nodes_that_sgf_does_not_allow_are_errors() {
    let has = |text: &str, code: Code| {
        let game = GameText::alone(text.as_bytes(), jigo_core::sgf::split::Close::Parenthesis, Default::default());
        Analyzer::default().analyze(&game, &Settings::default()).findings.iter().any(|found| found.code == code)
    };
    for text in ["(;W[bb];B[cc])W[dd];B[ee])", "(;W[bb]);W[cc];B[dd])", "(;W[bb])[cc])", ";[cc])"] {
        assert!(has(&format!("(;FF[4]GM[1]SZ[9];B[hh]{text}"), Code::MisplacedNode), "{text}");
    }
    for text in ["(;W[bb];B[cc])(;W[dd];B[ee]))", ";W[bb]C[a](;B[cc]C[x]) (;B[dd]))", "(;W[bb]\n[]))"] {
        assert!(!has(&format!("(;FF[4]GM[1]SZ[9];B[hh]{text}"), Code::MisplacedNode), "{text}");
    }
    assert!(has("(;FF[4]GM[1]SZ[9];B[hh](W[aa])(;W[bb]))", Code::MissingSemicolon));
    assert!(has("(;FF[4]GM[1]SZ[9];B[hh](;W[aa])(W[bb]))", Code::MissingSemicolon));
}

#[test]
fn fixtures_lose_no_turn() {
    let mut seen = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for path in files_ending(&folder, "sgf") {
        seen += 1;
        assert_eq!(lost_turns(&std::fs::read(&path).unwrap()), [""; 0], "{path:?}");
    }
    assert!(seen > 50, "{seen} fixtures");
}

#[test]
fn the_corpus_loses_no_turn() {
    let Some(corpus) = corpus() else { return };
    for path in files_ending(&corpus, "sgf") {
        assert_eq!(lost_turns(&std::fs::read(&path).unwrap()), [""; 0], "{path:?}");
    }
}

/// Every byte of a collection is left out, doubled, or replaced by each sign of SGF, one at a time.
#[test]
fn mutated_collections_lose_no_turn() {
    let collection = "(;FF[4]GM[1]SZ[9]PB[a];B[aa];W[bb](;B[cc];W[dd]C[ok])(;B[ee](;W[ff])(;W[gg];B[hh])))\n\
                      (;GM[1]SZ[9];Black[ab];White[cd])\n";
    let mut lost = Vec::new();
    for at in 0..collection.len() {
        for with in ["", "(", ")", ";", "[", "]", "B", "x", "()", "\n", "W[ii]", "(W[ii]", ")W[ii]", ");W[ii]", "[ii]"]
        {
            for end in [at, at + 1] {
                let text = [&collection[..at], with, &collection[end..]].concat();
                lost.extend(lost_turns(text.as_bytes()).into_iter().map(|why| format!("{with:?} at {at}: {why}")));
            }
        }
    }
    // Still open: in a root, a name that a line end or a stray bracket parts, as in P]B[a], is taken for one name in silence.
    lost.retain(|why| !["P]B[a]", "P\nB[a]"].iter().any(|open| why.contains(open)));
    assert!(
        lost.is_empty(),
        "{} losses, of which the first are\n{}",
        lost.len(),
        lost[..lost.len().min(20)].join("\n")
    );
}

#[test]
fn damaged_games_lose_no_turn() {
    for (name, damaged, _) in damage::kinds() {
        assert_eq!(lost_turns(&damaged(&damage::game(1, 30))), [""; 0], "{name}");
    }
    for (name, damaged) in damage::other_kinds() {
        assert_eq!(lost_turns(&damaged(&damage::game(2, 30))), [""; 0], "{name}");
    }
}
