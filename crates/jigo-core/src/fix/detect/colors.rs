//! Exchange of Black and White in a record whose stones have the wrong colours.

use crate::fix::Edit;
use jigo_record::sgf::tokens::lexer::{Lexer, ValueEnd, capitals, owner};
use jigo_record::sgf::tokens::scan_budget::ScanBudget;

/// Pairs of properties for the two colours: turns, setup, territory and clocks. Names, ranks, komi
/// and the result belong to the players and stay.
const PAIRS: [[&str; 2]; 5] = [["B", "W"], ["AB", "AW"], ["TB", "TW"], ["BL", "WL"], ["OB", "OW"]];

/// Returns the edits that exchange the colours in all variations; `None` if a value has no end or
/// the text has no colours.
pub(in crate::fix) fn exchanged(bytes: &[u8]) -> Option<Vec<Edit>> {
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
fn edit(name: &[u8], end: usize, bytes: &[u8], value: std::ops::Range<usize>) -> Option<Edit> {
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
