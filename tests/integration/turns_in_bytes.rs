//! No turn is lost silently. A reader that shares no code with jigo counts the turns in the bytes.
//! Each turn must be in the tree or in a finding of severity error.

use std::ops::ControlFlow;
use std::path::Path;

use jigo_core::Code;
use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::finding::{Finding, Severity};
use jigo_record::formats::decode::Decoded;
use jigo_record::formats::stray_finding;
use jigo_record::record::variations::side_variations;
use jigo_record::sgf::Limits;
use jigo_record::sgf::tokens::lexer::{Lexer, ValueEnd};
use jigo_record::splitter::{GameText, Piece, split};
use jigo_record::{Reading, Step, StepKind};
use jigo_rules::budget::Budget;

use crate::damage;
use crate::support::{corpus, files_ending};

/// Names of turns in small letters, including those of FF[1] to FF[3]. Programs write them in any
/// case, and with numbers.
const TURNS: [&str; 4] = ["b", "w", "black", "white"];

/// Returns the byte of each turn's value outside other values, with the byte of the sign before it
/// that begins a node or a tree, or ends one. A value ends at the first `]` without a backslash
/// before it. A value that repeats the first one of its turn is not a turn of its own.
fn turns_in(bytes: &[u8]) -> Vec<(usize, usize)> {
    let (mut turns, mut offset, mut node) = (Vec::new(), 0, 0);
    let (mut is_turn, mut first): (bool, Option<&[u8]>) = (false, None);
    while offset < bytes.len() {
        if bytes[offset].is_ascii_alphanumeric() {
            let length = bytes[offset..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let name = String::from_utf8_lossy(&bytes[offset..offset + length]).to_ascii_lowercase();
            (is_turn, first) = (TURNS.contains(&name.trim_matches(|c: char| c.is_ascii_digit())), None);
            offset += length;
        } else if bytes[offset] == b'[' {
            let open = offset;
            offset += 1;
            while offset < bytes.len() && bytes[offset] != b']' {
                offset += if bytes[offset] == b'\\' { 2 } else { 1 };
            }
            let value = bytes[open + 1..offset.min(bytes.len())].trim_ascii();
            if is_turn && first.is_none_or(|first| first != value) {
                turns.push((node, open));
                first = first.or(Some(value));
            }
            offset += 1;
        } else {
            if matches!(bytes[offset], b';' | b'(' | b')') {
                (node, is_turn) = (offset, false);
            }
            is_turn &= bytes[offset].is_ascii_whitespace() || matches!(bytes[offset], b']' | b':' | b'=' | 0);
            offset += 1;
        }
    }
    turns
}

/// Returns true if each bracket of a value is part of a pair, as in `see [1] and B[aa]`. It is one
/// text, although it is not escaped.
fn is_balanced(value: &[u8]) -> bool {
    let (mut depth, mut index) = (0_usize, 0);
    while index < value.len() {
        match value[index] {
            b'\\' => index += 1,
            b'[' => depth += 1,
            b']' if depth == 0 => return false,
            b']' => depth -= 1,
            _ => {}
        }
        index += 1;
    }
    depth == 0
}

/// Returns the bytes of the nodes with turns in the tree of a game, one for each turn, in ascending
/// order.
fn turns_in_tree(text: &GameText) -> Vec<usize> {
    let decoded = Decoded::new(text.bytes, text.charset);
    let turn = |step: &Step| matches!(step.kind, StepKind::Turn(..)).then_some(step.offset as usize);
    let reading = Reading::from_text(text);
    let mut turns: Vec<usize> = reading.record.steps.iter().filter_map(turn).collect();
    side_variations(&decoded.text, Limits::default(), &Budget::default(), |record, branches, _| {
        let new = record.steps.iter().filter(|step| step.offset as usize >= branches.offset);
        turns.extend(new.filter_map(turn));
        ControlFlow::Continue(0)
    });
    turns.sort_unstable();
    turns
}

/// Returns the end of the value whose `[` is the first one from `offset` on, as jigo reads it.
fn value_end(bytes: &[u8], offset: usize) -> usize {
    let Some(open) = bytes[offset..].iter().position(|byte| *byte == b'[').map(|length| offset + length) else {
        return offset;
    };
    match Lexer::utf8(bytes).first_value_end(open) {
        ValueEnd::Closed(end, _) | ValueEnd::Unclosed(end) | ValueEnd::Game(end) => end,
        ValueEnd::Open => bytes.len(),
    }
}

/// Returns true if a finding accounts for the turn with its value at `turn`, in the node at `node`.
///
/// An error is at a byte of the node before the turn, or its value encloses the turn or the sign
/// that seems to begin its node. A warning counts for a text with pairs of brackets, and for a
/// text with a sign before the turn, which then belongs to the node of the text.
fn accounts_for(found: &Finding, bytes: &[u8], (node, turn): (usize, usize)) -> bool {
    let offset = found.place.offset;
    if found.code == Code::UnescapedBracket {
        let open = offset + bytes[offset..].iter().position(|byte| *byte == b'[').unwrap_or(0);
        let end = value_end(bytes, offset);
        let is_after_sign = end < turn && end >= node;
        return offset <= turn && (is_after_sign || turn < end && is_balanced(&bytes[open + 1..end]));
    }
    let is_in_value = || matches!(found.code, Code::UnclosedValue | Code::UnreadableNode);
    found.severity == Severity::Error
        && offset <= turn
        && (offset >= node || (is_in_value() && value_end(bytes, offset) >= node))
}

/// Returns the turns of a game that are neither in the tree nor reported.
fn lost_turns_of_game(text: &GameText) -> Vec<String> {
    // Findings and turns name bytes of the same text after decoding.
    let bytes = Decoded::new(text.bytes, text.charset).text.into_owned();
    let text = &GameText::single(&bytes, text.close, Default::default());
    let mut read = turns_in_tree(text);
    let settings = Settings { all_variations: true, ..Settings::default() };
    let report = Analyzer::default().analyze(text, &settings).clone();
    let is_unreadable = |found: &Finding| matches!(found.code, Code::NotGo | Code::BoardSize | Code::OversizedGame);
    if Reading::from_text(text).unreadable.is_some() && report.findings.iter().any(is_unreadable) {
        return Vec::new();
    }
    let mut lost = Vec::new();
    for (node, turn) in turns_in(&bytes) {
        let first = read.partition_point(|offset| *offset < node);
        if read.get(first).is_some_and(|offset| *offset <= turn) {
            read.remove(first);
        } else if !report.findings.iter().any(|found| accounts_for(found, &bytes, (node, turn))) {
            lost.push(format!("the turn at byte {turn} of {}", String::from_utf8_lossy(text.bytes)));
        }
    }
    lost
}

/// Returns the turns of a text that are neither in a tree nor reported.
fn lost_turns(bytes: &[u8]) -> Vec<String> {
    let mut lost = Vec::new();
    split(bytes, true, |piece| match piece {
        Piece::Game(range, close, charset) => {
            lost.extend(lost_turns_of_game(&GameText::single(&bytes[range], close, charset)));
        }
        Piece::StrayText(range) => {
            let text = &bytes[range];
            if !turns_in(text).is_empty() && stray_finding::code(text).severity() != Severity::Error {
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
        let game = GameText::from_sgf(&text);
        let mut games = 0;
        split(text.as_bytes(), true, |_| games += 1);
        assert_eq!((games, turns_in_tree(&game).len()), (1, turns), "{text}");
        assert_eq!(lost_turns(text.as_bytes()), [""; 0], "{text}");
    }
}

#[test]
fn nodes_that_sgf_does_not_allow_are_errors() {
    let has = |text: &str, code: Code| {
        let game = GameText::from_sgf(text);
        Analyzer::default().analyze(&game, &Settings::default()).findings.iter().any(|finding| finding.code == code)
    };
    for text in ["(;W[bb];B[cc])W[dd];B[ee])", "(;W[bb]);W[cc];B[dd])", "(;W[bb])[cc])", ";[cc])", "(;W[bb]\n[]))"] {
        assert!(has(&format!("(;FF[4]GM[1]SZ[9];B[hh]{text}"), Code::MisplacedNode), "{text}");
    }
    for text in ["(;W[bb];B[cc])(;W[dd];B[ee]))", ";W[bb]C[a](;B[cc]C[x]) (;B[dd]))", "(;W[bb]\n[bb]))"] {
        assert!(!has(&format!("(;FF[4]GM[1]SZ[9];B[hh]{text}"), Code::MisplacedNode), "{text}");
    }
    assert!(has("(;FF[4]GM[1]SZ[9];B[hh](W[aa])(;W[bb]))", Code::MissingSemicolon));
    assert!(has("(;FF[4]GM[1]SZ[9];B[hh](;W[aa])(W[bb]))", Code::MissingSemicolon));
}

#[test]
fn values_of_a_turn_after_the_first_are_errors() {
    let severity = |text: &str| {
        let game = GameText::from_sgf(text);
        let settings = Settings { all_variations: true, ..Settings::default() };
        let mut analyzer = Analyzer::default();
        let findings = &analyzer.analyze(&game, &settings).findings;
        findings.iter().filter(|finding| finding.detail.contains("values")).map(|finding| finding.severity).max()
    };
    for node in ["B[aa][bb][cc]", "B[aa]\n[]", "B[][aa]", "B[aa][aa][bb]C[x]", "BL[1]B[aa][xyz]", "Black[aa][bb]W[cc]"]
    {
        for text in [
            format!("(;GM[1]SZ[9];{node})"),
            format!("(;GM[1]SZ[9]{node})"),
            format!("(;GM[1]SZ[9];B[hh](;W[aa])(;W[bb];{node}))"),
        ] {
            assert_eq!(severity(&text), Some(Severity::Error), "{text}");
        }
    }
    for node in ["B[aa][aa]", "W[bb]C[x];B[aa]\n[aa ]"] {
        assert_eq!(severity(&format!("(;GM[1]SZ[9];{node})")), Some(Severity::Warning), "{node}");
    }
    assert_eq!(severity("(;GM[1]SZ[9];B[aa])"), None);
}

#[test]
fn fixtures_lose_no_turn() {
    let mut count = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for path in files_ending(&folder, "sgf") {
        count += 1;
        assert_eq!(lost_turns(&std::fs::read(&path).unwrap()), [""; 0], "{path:?}");
    }
    assert!(count > 50, "{count} fixtures");
}

#[test]
fn corpus_loses_no_turn() {
    for path in files_ending(&corpus(), "sgf") {
        assert_eq!(lost_turns(&std::fs::read(&path).unwrap()), [""; 0], "{path:?}");
    }
}

#[test]
fn turn_after_part_of_a_name_is_reported() {
    let has_error = |text: &str| {
        let game = GameText::from_sgf(text);
        let mut analyzer = Analyzer::default();
        let findings = &analyzer.analyze(&game, &Settings::default()).findings;
        findings.iter().any(|finding| finding.severity == Severity::Error && finding.code == Code::UnreadableNode)
    };
    for text in ["(;GM[1]SZ[9]P]B[aa])", "(;GM[1]SZ[9]P\nB[aa])", "(;GM[1]SZ[9];K]W[aa])", "(;GM[1]SZ[9];x Black[aa])"]
    {
        assert!(has_error(text), "{text}");
    }
    for text in ["(;GM[1]SZ[9]PB[a];B[aa])", "(;GM[1]SZ[9]\nPB\n[a]\n;\nB [aa])", "(;GM[1]SZ[9]PlayerBlack[a];B[aa])"] {
        assert!(!has_error(text), "{text}");
    }
}

/// Each byte of a collection is removed, doubled, or replaced by each SGF delimiter in turn.
#[test]
fn mutated_collections_lose_no_turn() {
    let collection = "(;FF[4]GM[1]SZ[9]PB[a];B[aa];W[bb](;B[cc];W[dd]C[ok])(;B[ee](;W[ff])(;W[gg];B[hh])))\n\
                      (;GM[1]SZ[9];Black[ab];White[cd])\n";
    let mut lost = Vec::new();
    for offset in 0..collection.len() {
        for mutation in [
            "", "(", ")", ";", "[", "]", "B", "x", "()", "\n", "W[ii]", "(W[ii]", ")W[ii]", ");W[ii]", "[ii]",
            "]W[ii]", "x\nW", "\\", "C[", "'", "\u{3000}", ";x ", "1", "] x ", "];-", ",", "b[ii]", "(w[ii]",
        ] {
            for end in [offset, offset + 1] {
                let text = [&collection[..offset], mutation, &collection[end..]].concat();
                lost.extend(
                    lost_turns(text.as_bytes()).into_iter().map(|reason| format!("{mutation:?} at {offset}: {reason}")),
                );
            }
        }
    }
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
