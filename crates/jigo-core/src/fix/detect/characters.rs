//! Fixes of characters: charsets, remnants of tapes and disks, and incomplete characters.

use encoding_rs::UTF_8;

use super::charset_doubt::CharsetDoubt;
use super::root_edits::place_in_root;
use crate::fix::{Edit, Fix};
use jigo_record::Reading;
use jigo_record::finding::Code;
use jigo_record::formats::decode::{Decoded, nuls_end};
use jigo_record::sgf::charset::{CharsetBasis, find_encoding, label};
use jigo_record::splitter::GameText;

/// Returns fixes of the text's characters. Their edits refer to the original text, not to the
/// decoded one.
pub(in crate::fix) fn fixes(text: &GameText, decoded: &Decoded, _: &Reading) -> Vec<Fix> {
    let others: Vec<Fix> = match text.charset.basis {
        CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls => relabel(text).into_iter().collect(),
        CharsetBasis::Transcoded | CharsetBasis::DamagedUtf8 => damaged(text, decoded),
        CharsetBasis::Labelled | CharsetBasis::Detected | CharsetBasis::DetectedInFile => {
            converted(text, decoded).into_iter().collect()
        }
    };
    nuls(text.bytes).into_iter().chain(others).collect()
}

/// Returns the edits that turn the text into the decoded one, except for NUL and ^Z.
fn edits(text: &GameText, decoded: &Decoded) -> Vec<Edit> {
    let mut differences = decoded.differences(text.bytes);
    differences.retain(|(range, _)| nuls_end(text.bytes, range.start) < range.end);
    differences.into_iter().map(|(range, text)| Edit::replace(range, text)).collect()
}

/// Returns the edit that declares UTF-8: it changes CA or inserts it.
fn label_edit(bytes: &[u8]) -> Option<Edit> {
    match label(bytes) {
        // Without its closing bracket, the value extends to the next one and is not a label.
        Some(value) if value.iter().any(|byte| matches!(byte, b'[' | b';' | b'(' | b')')) => None,
        Some(value) => {
            // The value is a slice of the text.
            let start = value.as_ptr() as usize - bytes.as_ptr() as usize;
            (!value.eq_ignore_ascii_case(b"UTF-8")).then(|| Edit::replace(start..start + value.len(), "UTF-8"))
        }
        None => {
            let root = bytes.iter().position(|byte| *byte == b';')?;
            let is_first = bytes[..root].iter().all(|byte| matches!(byte, b'(') || byte.is_ascii_whitespace());
            let place = place_in_root(bytes, root).filter(|_| is_first)?;
            Some(Edit::insert(place, "CA[UTF-8]"))
        }
    }
}

/// Returns the fix of CA in a UTF-8 text that declares another charset.
fn relabel(text: &GameText) -> Option<Fix> {
    let named = label(text.bytes)?;
    let differs = find_encoding(named).is_some_and(|encoding| encoding != UTF_8);
    let matters = text.charset.basis == CharsetBasis::Transcoded || !text.bytes.is_ascii();
    let code = if text.charset.basis == CharsetBasis::Transcoded { Code::NotUtf8 } else { Code::WrongCharsetLabel };
    (differs && matters).then(|| label_edit(text.bytes)).flatten().map(|edit| Fix::one(code, edit))
}

/// Returns a fix for each run of NUL and ^Z.
fn nuls(bytes: &[u8]) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr::memchr2(0, 0x1A, &bytes[at..]).map(|length| at + length) {
        at = nuls_end(bytes, start);
        let shown = if bytes[start] == 0 { "NUL" } else { "^Z" };
        fixes.push(
            Fix::one(Code::NulBytes, Edit::delete(start..at)).with_texts(format!("{} × {shown}", at - start), ""),
        );
    }
    fixes
}

/// Returns the conversion to UTF-8. It is unsafe if the charset was guessed, or if invalid bytes
/// are lost, or if a second game in the text may have another charset.
fn converted(text: &GameText, decoded: &Decoded) -> Option<Fix> {
    let named = label(text.bytes).and_then(find_encoding);
    let (code, is_safe) = match (text.charset.basis, named) {
        (CharsetBasis::Labelled, _) => (Code::NotUtf8, true),
        (_, Some(_)) => (Code::WrongCharsetLabel, false),
        (_, None) => (Code::GuessedCharset, false),
    };
    let mut edits = edits(text, decoded);
    edits.extend(label_edit(text.bytes));
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let fix = Fix::safe(code, edits).with_texts(text.charset.encoding.name(), "UTF-8");
    let is_lossy = decoded.damaged.is_some() || decoded.cut.is_some() || CharsetDoubt::assess(text, decoded).exists();
    Some(if is_safe && !is_lossy { fix } else { fix.into_unsafe() })
}

/// Removes incomplete UTF-8 characters, and replaces other invalid bytes by U+FFFD. Both are
/// unsafe.
fn damaged(text: &GameText, decoded: &Decoded) -> Vec<Fix> {
    let edits = edits(text, decoded);
    let (cut, lost): (Vec<Edit>, Vec<Edit>) = edits.into_iter().partition(|edit| edit.text.is_empty());
    let shown = |edit: &Edit| format!("{:02X?}", &text.bytes[edit.range.clone()]);
    let cut = cut.into_iter().map(|edit| {
        let before = shown(&edit);
        // Its bytes can be a character of another charset.
        Fix::one(Code::CutCharacter, edit).into_unsafe().with_texts(before, "")
    });
    let lost = lost.into_iter().map(|edit| {
        let before = shown(&edit);
        Fix::one(Code::DamagedText, edit).into_unsafe().with_texts(before, "\u{FFFD}")
    });
    cut.chain(lost).chain(relabel(text)).collect()
}

/// Returns true if a fix converts a text to another charset.
pub(in crate::fix) fn is_conversion(fix: &Fix) -> bool {
    matches!(fix.code, Code::NotUtf8 | Code::GuessedCharset | Code::WrongCharsetLabel)
}

/// Returns true if a fix refers to bytes of the recorded text instead of the decoded one.
pub(in crate::fix) fn is_of_characters(fix: &Fix) -> bool {
    use Code::{CutCharacter, DamagedText, GuessedCharset, NotUtf8, NulBytes, WrongCharsetLabel};
    matches!(fix.code, NotUtf8 | GuessedCharset | WrongCharsetLabel | DamagedText | CutCharacter | NulBytes)
}
