//! Fixes based on replay and count: omitted passes, a handicap that contradicts the stones, and a
//! result that contradicts the board.

use std::ops::Range;

use super::root_edits;
use crate::audit::{Audit, Cause, SwappedColors};
use crate::fix::correction::{at_the_end, passes};
use crate::fix::{Assessment, Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget, ValueEnd, capitals, owner};
use jigo_record::{Coordinates, Reading, RecordedResult, StepKind};
use jigo_rules::board::Color;
use jigo_rules::{HalfPoints, format_margin};

/// Returns fixes of findings on the main line. Turns have their original numbers.
pub(in crate::fix) fn fixes(decoded: &Decoded, reading: &Reading, assessment: &Assessment) -> Vec<Fix> {
    let on_main_line = |code: Code| {
        assessment.findings.iter().filter(move |finding| finding.code == code && finding.variation.is_empty())
    };
    let turns: Vec<u32> = on_main_line(Code::ImpliedPass).filter_map(|finding| finding.place.turn).collect();
    let to_play_offsets = to_play_offsets(reading);
    let has_to_play = |node: Range<usize>| {
        to_play_offsets[to_play_offsets.partition_point(|offset| *offset < node.start)..]
            .first()
            .is_some_and(|offset| *offset < node.end)
    };
    let passes = passes(&decoded.text, &turns, has_to_play);
    let passes = passes.into_iter().map(|edit| Fix::with_edit(Code::ImpliedPass, edit).into_unsafe());
    let handicap = on_main_line(Code::HandicapStones).next().and_then(|_| handicap(decoded, reading));
    let result = assessment.audit.as_deref().and_then(|audit| {
        let code = Code::RESULT_CODES.into_iter().find(|code| on_main_line(*code).next().is_some())?;
        result(decoded, reading, code, audit)
    });
    passes.chain(handicap).chain(result).collect()
}

/// Returns the offsets of setup that declares the next player, in the order of the text.
fn to_play_offsets(reading: &Reading) -> Vec<usize> {
    let offsets = reading.record.steps.iter().filter_map(|step| match step.kind {
        StepKind::Setup(setup) => reading.record.setup(setup).to_play.map(|_| step.offset as usize),
        StepKind::Turn(..) => None,
    });
    let mut offsets: Vec<usize> = offsets.collect();
    offsets.sort_unstable();
    offsets
}

/// Returns the fix of a result, according to its likeliest cause.
///
/// It sets KM to the komi that explains the result, changes the winner in RE, exchanges the colours
/// of the stones, or writes RE as counted. A missing turn is added only if it is the only one that
/// gives the result.
fn result(decoded: &Decoded, reading: &Reading, code: Code, audit: &Audit) -> Option<Fix> {
    let bytes = &*decoded.text;
    let header = &reading.record.header;
    let recorded = header.result;
    let fixed = |name: &str, value: String| {
        Some(Fix::with_edit(code, root_edits::with_root_value(bytes, name, &value)?).into_unsafe())
    };
    match audit.causes.first()?.unqualified() {
        // No one gave more than Ing's eight points. A larger komi explains the result, but may hide
        // another error.
        Cause::Komi(komi) if *komi > HalfPoints::from_points(8) => None,
        // A record without the final passes may lack turns instead of komi.
        Cause::Komi(_) if header.is_komi_unrecorded() && !ends_by_passes(reading) => None,
        Cause::Komi(komi) => fixed("KM", komi.to_string()),
        Cause::TurnsMissing(_) => {
            let (color, point) = audit.last_turn?;
            Some(Fix::with_edit(code, at_the_end(bytes, color, point)?).into_unsafe())
        }
        // With any other explanation the record is correct.
        _ if code == Code::ResultExplained => None,
        // With the colours of the stones exchanged, the result is right.
        Cause::ColorsSwapped(SwappedColors::Stones) => {
            let edits = exchanged(bytes)?;
            Some(Fix::safe(code, edits).into_unsafe().with_texts("B, W, AB, AW", "W, B, AW, AB"))
        }
        // A count with an assumed komi is as uncertain as the recorded result.
        _ if header.is_komi_unrecorded() => None,
        Cause::ColorsSwapped(SwappedColors::Result) => {
            let winner = recorded.winner.map(Color::opponent);
            let black_minus_white = recorded.black_minus_white.map(|margin| -margin);
            fixed("RE", RecordedResult { winner, black_minus_white, ..recorded }.text()?)
        }
        _ => fixed("RE", format_margin(audit.counted?)),
    }
}

/// Returns true if the last two turns are passes.
fn ends_by_passes(reading: &Reading) -> bool {
    let last_turns = reading.record.turns().rev().take(2);
    last_turns.filter(|(_, coordinates)| *coordinates == Coordinates::Pass).count() == 2
}

/// Sets HA to the number of Black's stones before White's first play, if only Black has stones.
fn handicap(decoded: &Decoded, reading: &Reading) -> Option<Fix> {
    let record = &reading.record;
    let stones = record.handicap().handicap.stones();
    if stones == 0 || record.header.handicap == Some(stones) {
        return None;
    }
    let edit = root_edits::with_root_value(&decoded.text, "HA", &stones.to_string())?;
    Some(Fix::with_edit(Code::HandicapStones, edit).into_unsafe())
}

/// Pairs of properties for the two colours: turns, setup, territory and clocks. Names, ranks, komi
/// and the result belong to the players and stay.
const PAIRS: [[&str; 2]; 5] = [["B", "W"], ["AB", "AW"], ["TB", "TW"], ["BL", "WL"], ["OB", "OW"]];

/// Returns the edits that exchange the colours of the stones in all variations; `None` if a value has no end or
/// the text has no colours.
fn exchanged(bytes: &[u8]) -> Option<Vec<Edit>> {
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let mut edits = Vec::new();
    let mut offset = 0;
    while let Some(open) = memchr::memchr(b'[', &bytes[offset..]).map(|length| offset + length) {
        let ValueEnd::Closed(close, _) = lexer.first_value_end(open) else { return None };
        let name = owner(bytes, open);
        let end = bytes[..open].trim_ascii_end().len();
        if bytes[..end].ends_with(name) {
            edits.extend(edit(name, end, bytes, open + 1..close));
        }
        offset = close + 1;
    }
    (!edits.is_empty()).then_some(edits)
}

/// Returns the edit of a property whose name ends at `end`.
fn edit(name: &[u8], end: usize, bytes: &[u8], value: Range<usize>) -> Option<Edit> {
    let letters = capitals(name);
    if *letters == *b"PL" {
        let first = value.start + bytes[value.clone()].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let exchanged = match bytes[first].to_ascii_uppercase() {
            b'B' | b'1' => "W",
            b'W' | b'2' => "B",
            _ => return None,
        };
        return Some(Edit::replace(value, exchanged));
    }
    let exchanged = PAIRS.iter().find_map(|[black, white]| match &*letters {
        identifier if identifier == black.as_bytes() => Some(*white),
        identifier if identifier == white.as_bytes() => Some(*black),
        _ => None,
    });
    exchanged.map(|exchanged| Edit::replace(end - name.len()..end, exchanged))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str) -> Option<String> {
        let mut bytes = text.as_bytes().to_vec();
        for edit in exchanged(&bytes)?.into_iter().rev() {
            bytes.splice(edit.range, edit.text);
        }
        Some(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn exchanging_colors_twice_restores_the_properties() {
        let text = "(;GM[1]PB[W[a\\]]AB[aa][bb]AW [cc]PL[B]KM[6.5]RE[B+2];B[dd]BL[3]C[B[ee\\] is bad](;White[ee]TB[aa:bb])(;W[]OW[2]))";
        let other = "(;GM[1]PB[W[a\\]]AW[aa][bb]AB [cc]PL[W]KM[6.5]RE[B+2];W[dd]WL[3]C[B[ee\\] is bad](;B[ee]TW[aa:bb])(;B[]OB[2]))";
        assert_eq!(after(text).as_deref(), Some(other));
        assert_eq!(after(other).unwrap(), text.replace("White", "W"));
        assert_eq!(after("(;GM[1];B[aa"), None);
        assert_eq!(after("(;GM[1]C[x])"), None);
    }
}
