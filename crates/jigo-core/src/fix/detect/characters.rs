//! Fixes of characters: charsets, remnants of tapes and disks, and incomplete characters.

use encoding_rs::{WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

use super::charset_doubt::has_nuls_in_values;
use super::root_edits::place_in_root;
use crate::fix::fix_list::{FixList, MAX_EDITS};
use crate::fix::{Edit, Fix};
use jigo_record::Reading;
use jigo_record::finding::Code;
use jigo_record::formats::decode::{Decoded, nuls_end};
use jigo_record::sgf::charset::{CharsetBasis, contradicts_utf8, find_encoding, label};
use jigo_record::splitter::GameText;

/// Returns fixes of the text's characters. Their edits refer to the original text, not to the
/// decoded one.
pub(in crate::fix) fn fixes(text: &GameText, decoded: &Decoded, _: &Reading, fixes: &mut FixList) {
    fixes.extend(nuls(text.bytes, decoded));
    match text.charset.basis {
        CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls => fixes.extend(relabel(text)),
        CharsetBasis::Transcoded | CharsetBasis::DamagedUtf8 => damaged(text, decoded, fixes),
        CharsetBasis::Labelled | CharsetBasis::Detected | CharsetBasis::DetectedInFile => {
            fixes.extend(converted(text, decoded, fixes.doubt.exists()));
        }
    }
}

/// Returns the edits that turn the text into the decoded one, except for NUL and ^Z.
fn edits<'t>(text: &GameText<'t>, decoded: &'t Decoded<'t>) -> impl Iterator<Item = Edit> + 't {
    let bytes = text.bytes;
    let differences = decoded.differences(bytes);
    let differences = differences.filter(move |(range, _)| nuls_end(bytes, range.start) < range.end);
    differences.map(|(range, text)| Edit::replace(range, text))
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
    let label = label(text.bytes)?;
    let differs = contradicts_utf8(label);
    let is_relevant = text.charset.basis == CharsetBasis::Transcoded || !text.bytes.is_ascii();
    let code = if text.charset.basis == CharsetBasis::Transcoded { Code::NotUtf8 } else { Code::WrongCharsetLabel };
    let fix =
        (differs && is_relevant).then(|| label_edit(text.bytes)).flatten().map(|edit| Fix::with_edit(code, edit))?;
    let is_in_doubt = code == Code::WrongCharsetLabel && may_be_mojibake(text.bytes, label);
    Some(fix.unsafe_if(is_in_doubt))
}

/// Returns true if a text may come from bytes of the labelled charset that a program read in a
/// Western or Cyrillic one. The label is then the only clue to the characters.
fn may_be_mojibake(bytes: &[u8], named: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some(label) = find_encoding(named).filter(|label| label.is_ascii_compatible()) else { return false };
    [WINDOWS_1252, WINDOWS_1250, WINDOWS_1251].into_iter().filter(|reader| *reader != label).any(|reader| {
        let (original, _, is_unmappable) = reader.encode(&text);
        let (meant, has_errors) = label.decode_without_bom_handling(&original);
        let is_other_script = |c: char| c >= '\u{370}' && c.is_alphabetic();
        !is_unmappable && !has_errors && meant.chars().any(is_other_script)
    })
}

/// Returns a fix for each run of NUL and ^Z.
///
/// Within values, they may be halves of characters. All other runs are then unsafe as well, since
/// the whole text may have wide characters.
fn nuls(bytes: &[u8], decoded: &Decoded) -> impl Iterator<Item = Fix> {
    let first = memchr::memchr2(0, 0x1A, bytes);
    let is_in_doubt = first.is_some() && has_nuls_in_values(bytes, decoded);
    let mut offset = first.unwrap_or(bytes.len());
    std::iter::from_fn(move || {
        let start = offset + memchr::memchr2(0, 0x1A, &bytes[offset..])?;
        offset = nuls_end(bytes, start);
        let name = if bytes[start] == 0 { "NUL" } else { "^Z" };
        let fix = Fix::with_edit(Code::NulBytes, Edit::delete(start..offset))
            .with_texts(format!("{} × {name}", offset - start), "");
        Some(fix.unsafe_if(is_in_doubt))
    })
}

/// Returns the conversion to UTF-8. It is unsafe if the charset was guessed, or if invalid bytes
/// are lost, or if a second game in the text may have another charset.
fn converted(text: &GameText, decoded: &Decoded, is_doubtful: bool) -> Option<Fix> {
    let labelled = label(text.bytes).and_then(find_encoding);
    let (code, is_safe) = match (text.charset.basis, labelled) {
        (CharsetBasis::Labelled, _) => (Code::NotUtf8, true),
        (_, Some(_)) => (Code::WrongCharsetLabel, false),
        (_, None) => (Code::GuessedCharset, false),
    };
    let mut edits: Vec<Edit> = edits(text, decoded).take(MAX_EDITS).chain(label_edit(text.bytes)).collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let fix = Fix::safe(code, edits).with_texts(text.charset.encoding.name(), "UTF-8");
    // A label that gives private-use characters is probably wrong.
    let is_lossy = decoded.damaged_offset.is_some()
        || decoded.cut_offset.is_some()
        || has_private_characters(&decoded.text)
        || is_doubtful;
    Some(fix.unsafe_if(!is_safe || is_lossy))
}

/// Returns true if a text in UTF-8 has characters from U+E000 to U+F8FF.
fn has_private_characters(text: &[u8]) -> bool {
    memchr::memchr2_iter(0xEE, 0xEF, text).any(|offset| match text[offset..] {
        [0xEE, ..] => true,
        [_, second, ..] => second <= 0xA3,
        _ => false,
    })
}

/// Removes incomplete UTF-8 characters, and replaces other invalid bytes by U+FFFD. Both are
/// unsafe.
fn damaged(text: &GameText, decoded: &Decoded, fixes: &mut FixList) {
    for edit in edits(text, decoded) {
        let before = format!("{:02X?}", &text.bytes[edit.range.clone()]);
        // The bytes of an incomplete character can be a character of another charset.
        let (code, after) = match edit.text.is_empty() {
            true => (Code::CutCharacter, ""),
            false => (Code::DamagedText, "\u{FFFD}"),
        };
        fixes.push(Fix::with_edit(code, edit).into_unsafe().with_texts(before, after));
    }
    fixes.extend(relabel(text));
}
