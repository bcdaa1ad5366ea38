//! Decoder from a game's bytes to UTF-8. It maps offsets back, because findings refer to bytes of
//! the source.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::UTF_8;

use crate::Unreadable;
use crate::finding::{Code, Finding, Place};
use crate::formats::rewrite::BareBoard;
use crate::sgf::charset::{Charset, CharsetBasis, contradicts_utf8, find_encoding, label};
use crate::sgf::encoding::lead::{Lead, escaped_end};
use crate::sgf::tokens::lexer::Lexer;
use crate::splitter::{GameText, RecordKind};

/// A game's text in UTF-8.
#[derive(Debug, Default)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, [u8]>,
    /// The first offset in the source with an invalid character.
    pub damaged_offset: Option<usize>,
    /// The first offset of a character that was cut directly before a `]`.
    pub cut_offset: Option<usize>,
    /// The offset of the first NUL or ^Z. They are removed.
    pub nul_offset: Option<usize>,
    /// Other findings of the decoder, by offset in the source.
    pub findings: Vec<Finding>,
    /// The reason why nothing of the record can be read.
    pub unreadable: Option<Unreadable>,
    /// The facts of a board without a game that its SGF can't express.
    pub bare_board: Option<BareBoard>,
    /// The starts of segments that differ in length: offset in the text and in the source, in
    /// order.
    pub(super) segments: Vec<(usize, usize)>,
    /// The map from SGF to a record in another format, if the text was converted.
    pub(super) source_map: Option<SourceMap>,
}

/// A map from a converted text to the bytes of its record in another format.
#[derive(Clone, Debug, Default)]
pub struct SourceMap(Vec<(usize, usize)>);

impl SourceMap {
    /// Declares that the text from `offset` on comes from the byte `source` of the record.
    pub(crate) fn push(&mut self, offset: usize, source: usize) {
        self.0.push((offset, source));
    }

    /// Returns the byte of the record from which the byte `offset` of the text comes: the exact
    /// byte if known, else the beginning of its line.
    pub fn source(&self, offset: usize) -> usize {
        let Some(index) = self.0.partition_point(|(text, _)| *text <= offset).checked_sub(1) else { return 0 };
        let (text, source) = self.0[index];
        // A segment of the same length as its origin is a copy of it.
        let is_verbatim = |(next_text, next): &(usize, usize)| next.checked_sub(source) == Some(next_text - text);
        source + if self.0.get(index + 1).is_some_and(is_verbatim) { offset - text } else { 0 }
    }
}

impl<'a> Decoded<'a> {
    /// Decodes `bytes`. Invalid bytes become U+FFFD, except that a character cut before a `]` is
    /// removed.
    pub fn new(bytes: &'a [u8], charset: Charset) -> Decoded<'a> {
        match charset.basis {
            CharsetBasis::Utf8 => return Decoded::unchanged(bytes),
            CharsetBasis::Transcoded if std::str::from_utf8(bytes).is_ok() => return without_nuls(bytes),
            CharsetBasis::Transcoded | CharsetBasis::DamagedUtf8 => {}
            _ if charset.encoding == UTF_8 => return without_nuls(bytes),
            _ => {}
        }
        let mut decoding = Decoding::new(bytes, bytes.len() * 3 / 2);
        match charset.lead() {
            _ if charset.encoding == UTF_8 || charset.basis == CharsetBasis::Transcoded => decoding.utf8(),
            lead => decoding.decode_multibyte(charset, lead),
        }
        decoding.finish()
    }

    fn unchanged(bytes: &'a [u8]) -> Decoded<'a> {
        Decoded { text: Cow::Borrowed(bytes), ..Decoded::default() }
    }

    /// Returns the byte of the source from which the byte `offset` of the text comes. Within
    /// decoded text, it is the start of the segment.
    pub fn source(&self, offset: usize) -> usize {
        let offset = self.source_map.as_ref().map_or(offset, |source_map| source_map.source(offset));
        let next = self.segments.partition_point(|(text, _)| *text <= offset);
        match next.checked_sub(1).map(|index| self.segments[index]) {
            Some((text, source)) => {
                let limit = self.segments.get(next).map_or(usize::MAX, |(_, source)| *source);
                (source + (offset - text)).min(limit)
            }
            None => offset.min(self.segments.first().map_or(usize::MAX, |(_, source)| *source)),
        }
    }

    /// Returns the byte of the text that comes from the byte `source` of an SGF game. Within decoded
    /// text, it is the start of the segment.
    pub fn text_offset(&self, source: usize) -> usize {
        let next = self.segments.partition_point(|(_, start)| *start <= source);
        let (text, start) = next.checked_sub(1).map_or((0, 0), |index| self.segments[index]);
        let limit = self.segments.get(next).map_or(usize::MAX, |(text, _)| *text);
        (text + (source - start)).min(limit)
    }

    /// Returns the replacements that turn the original `bytes` into the text.
    pub fn differences<'t>(&'t self, bytes: &'t [u8]) -> impl Iterator<Item = (Range<usize>, &'t [u8])> {
        let begins = std::iter::once((0, 0)).chain(self.segments.iter().copied());
        let ends = self.segments.iter().copied().chain([(self.text.len(), bytes.len())]);
        begins.zip(ends).filter_map(move |((text, source), (text_end, source_end))| {
            let (new, old) = (&self.text[text..text_end], &bytes[source..source_end]);
            let common = new.iter().zip(old).take_while(|(new, old)| new == old).count();
            (common < new.len() || common < old.len()).then(|| (source + common..source_end, &new[common..]))
        })
    }
}

/// Removes NUL and ^Z, which are remnants of tapes and file systems.
fn without_nuls(bytes: &[u8]) -> Decoded<'_> {
    if memchr::memchr2(0, 0x1A, bytes).is_none() {
        return Decoded::unchanged(bytes);
    }
    let mut decoding = Decoding::new(bytes, bytes.len());
    decoding.unchanged(0..bytes.len());
    decoding.finish()
}

/// Returns the end of the run of NUL and ^Z that begins at `offset`; `offset` itself without such a
/// run.
pub fn nuls_end(bytes: &[u8], offset: usize) -> usize {
    offset + bytes[offset..].iter().take_while(|byte| matches!(byte, 0 | 0x1A)).count()
}

/// Returns the findings about a game's charset, by offset in the source.
pub fn findings(text: &GameText, decoded: &Decoded) -> Vec<Finding> {
    let mut findings = decoded.findings.clone();
    let name = text.charset.encoding.name();
    let mut note = |code, offset, detail: String| findings.push(Finding::new(code, Place::byte(offset), detail));
    let is_detected = matches!(text.charset.basis, CharsetBasis::Detected | CharsetBasis::DetectedInFile);
    // Other formats have no CA, and that of ASCII in UTF-8 does not matter.
    let is_ascii = text.bytes.is_ascii();
    let has_label = text.kind == RecordKind::default() && !(is_ascii && text.charset.basis == CharsetBasis::Utf8);
    let label = Some(text.bytes).filter(|_| has_label).and_then(label);
    let label_text = label.map(String::from_utf8_lossy).unwrap_or_default();
    let labelled = label.and_then(find_encoding);
    if let Some((code, basis)) = charset_basis(text, labelled.is_some(), &label_text) {
        note(code, 0, format!("{name}, {basis}"));
    }
    let differs = match label {
        Some(label) if text.charset.encoding == UTF_8 => contradicts_utf8(label),
        _ => labelled.is_some_and(|labelled| labelled != text.charset.encoding),
    };
    let is_relevant = is_detected || !is_ascii;
    if differs && text.charset.basis != CharsetBasis::Transcoded && is_relevant {
        note(Code::WrongCharsetLabel, 0, format!("CA[{label_text}], but the bytes are {name}"));
    }
    if let Some(offset) = decoded.damaged_offset {
        note(Code::DamagedText, offset, format!("from here on some bytes are no characters of {name}"));
    }
    if let Some(offset) = decoded.nul_offset {
        note(Code::NulBytes, offset, "the first one is here".into());
    }
    if let Some(offset) = decoded.cut_offset {
        note(Code::CutCharacter, offset, format!("the first bytes of a character of {name} are followed by a ]"));
    }
    findings
}

/// Returns the finding about the basis for the charset of a game, and its words; `None` for UTF-8.
fn charset_basis(text: &GameText, is_label_known: bool, label: &str) -> Option<(Code, String)> {
    let is_sgf = text.kind == RecordKind::default();
    match text.charset.basis {
        CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls | CharsetBasis::DamagedUtf8 => None,
        CharsetBasis::Transcoded => Some((Code::NotUtf8, "by its mark or its zero bytes".into())),
        CharsetBasis::Labelled if !is_sgf => Some((Code::NotUtf8, "as it says".into())),
        CharsetBasis::Labelled => Some((Code::NotUtf8, format!("as CA[{label}] says"))),
        CharsetBasis::Detected if !is_sgf => Some((Code::GuessedCharset, "detected".into())),
        CharsetBasis::Detected | CharsetBasis::DetectedInFile if is_label_known => None,
        CharsetBasis::Detected => Some((Code::GuessedCharset, format!("detected; CA[{label}]"))),
        CharsetBasis::DetectedInFile => {
            Some((Code::GuessedCharset, format!("detected in all text of its file; CA[{label}]")))
        }
    }
}

/// A decoding in progress.
struct Decoding<'a> {
    bytes: &'a [u8],
    text: Vec<u8>,
    /// The result without its text.
    decoded: Decoded<'a>,
}

impl<'a> Decoding<'a> {
    /// Begins to decode these bytes, and reserves memory for the text.
    fn new(bytes: &'a [u8], capacity: usize) -> Decoding<'a> {
        Decoding { bytes, text: Vec::with_capacity(capacity), decoded: Decoded::default() }
    }

    fn finish(self) -> Decoded<'a> {
        Decoded { text: Cow::Owned(self.text), ..self.decoded }
    }

    /// Copies bytes without NUL and ^Z, which are not part of a character in any charset.
    fn unchanged(&mut self, range: Range<usize>) {
        let mut offset = range.start;
        while let Some(length) = memchr::memchr2(0, 0x1A, &self.bytes[offset..range.end]) {
            let start = offset + length;
            self.text.extend_from_slice(&self.bytes[offset..start]);
            self.decoded.nul_offset.get_or_insert(start);
            offset = nuls_end(&self.bytes[..range.end], start);
            self.decoded.segments.push((self.text.len(), offset));
        }
        self.text.extend_from_slice(&self.bytes[offset..range.end]);
    }

    fn utf8(&mut self) {
        let mut offset = 0;
        for chunk in self.bytes.utf8_chunks() {
            self.unchanged(offset..offset + chunk.valid().len());
            offset += chunk.valid().len();
            let invalid = chunk.invalid();
            if invalid.is_empty() {
                continue;
            }
            let end = offset + invalid.len();
            if self.bytes.get(end) == Some(&b']') && invalid[0] >= 0xC2 {
                self.decoded.cut_offset.get_or_insert(offset);
            } else {
                self.decoded.damaged_offset.get_or_insert(offset);
                self.text.extend_from_slice("\u{FFFD}".as_bytes());
            }
            offset = end;
            self.decoded.segments.push((self.text.len(), offset));
        }
    }

    fn decode_multibyte(&mut self, charset: Charset, lead: Lead) {
        let lexer = Lexer { lead, ..Lexer::utf8(self.bytes) };
        let closes = |close: usize| lexer.follows(close + 1, close);
        let mut offset = 0;
        while offset < self.bytes.len() {
            let special = |byte: &u8| *byte >= 0x80 || (*byte == 0x1B && lead == Lead::Iso2022);
            let start =
                self.bytes[offset..].iter().position(special).map_or(self.bytes.len(), |length| offset + length);
            self.unchanged(offset..start);
            if start == self.bytes.len() {
                return;
            }
            let (end, is_cut) = match lead {
                Lead::Iso2022 => iso2022_run_end(self.bytes, start, &closes),
                _ => (run_end(self.bytes, start, lead, &closes), false),
            };
            self.decode_run(charset, start..end, is_cut);
            offset = end;
            self.decoded.segments.push((self.text.len(), offset));
        }
    }

    /// Decodes one run of characters outside ASCII. The last byte is removed if it is half a
    /// character before a `]`.
    fn decode_run(&mut self, charset: Charset, range: Range<usize>, is_cut: bool) {
        let start = range.start;
        let run = &self.bytes[range.clone()];
        let decoded_run = charset.encoding.decode_without_bom_handling(run);
        let (decoded, has_errors) = match run.split_last() {
            Some((_, rest)) if is_cut || (decoded_run.1 && self.bytes.get(range.end) == Some(&b']')) => {
                let shortened = charset.encoding.decode_without_bom_handling(rest);
                if shortened.1 {
                    decoded_run
                } else {
                    self.decoded.cut_offset.get_or_insert(range.end - 1);
                    shortened
                }
            }
            _ => decoded_run,
        };
        if has_errors {
            self.decoded.damaged_offset.get_or_insert(start);
        }
        self.text.extend_from_slice(decoded.as_bytes());
    }
}

/// Returns the end of the characters outside ASCII that begin at `offset`.
fn run_end(bytes: &[u8], mut offset: usize, lead: Lead, closes: &impl Fn(usize) -> bool) -> usize {
    while offset < bytes.len() && bytes[offset] >= 0x80 {
        let width = lead.width(bytes, offset);
        if width == 2 && bytes[offset + 1] == b']' && closes(offset + 1) {
            return offset + 1;
        }
        offset += width;
    }
    offset
}

/// Returns the end of the escape sequence at `offset`, its characters, and the sequence that ends
/// them. The flag is true if the last character was cut.
fn iso2022_run_end(bytes: &[u8], offset: usize, closes: &impl Fn(usize) -> bool) -> (usize, bool) {
    if !bytes[offset..].starts_with(b"\x1B$") {
        return if bytes[offset] == 0x1B { ((offset + 3).min(bytes.len()), false) } else { (offset + 1, false) };
    }
    let (mut end, is_cut) = escaped_end(bytes, offset, closes);
    if bytes[end..].starts_with(b"\x1B(") {
        end = (end + 3).min(bytes.len());
    }
    (end, is_cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::charset::decide;

    fn decoded(bytes: &[u8]) -> (String, Option<usize>, Option<usize>) {
        let decoded = Decoded::new(bytes, decide(bytes, (0, 0), bytes, &mut None));
        (String::from_utf8(decoded.text.to_vec()).unwrap(), decoded.damaged_offset, decoded.cut_offset)
    }

    #[test]
    fn truncated_character_before_a_bracket_is_lost_alone() {
        for (label, name_text) in
            [("GBK", "柯洁"), ("Shift_JIS", "井山"), ("EUC-KR", "이세돌"), ("Big5", "周俊勳"), ("UTF-8", "柯洁")]
        {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (name, _, _) = encoding.encode(name_text);
            let prefix: String = name_text.chars().take(name_text.chars().count() - 1).collect();
            let mut bytes = format!("(;CA[{label}]PB[").into_bytes();
            bytes.extend_from_slice(&name[..name.len() - 1]);
            let cut = bytes.len() - if label == "UTF-8" { 2 } else { 1 };
            bytes.extend_from_slice(b"]PW[x];B[dd])");
            let expected = format!("(;CA[{label}]PB[{prefix}]PW[x];B[dd])");
            assert_eq!(decoded(&bytes), (expected, None, Some(cut)), "{label}");
        }
    }

    #[test]
    fn differences_applied_to_the_bytes_give_the_text() {
        let texts: [&[u8]; 7] = [
            &encoding_rs::GBK.encode("(;CA[GBK]PB[柯洁]PW[x];B[dd]C[好])").0,
            b"(;PB[\xE6\x9F];B[dd]C[a\xFFb\xE6\x9F\xAF])",
            b"(;\0\0B[dd]\x1A;W[pp]\0)",
            b"(;CA[Shift_JIS]PB[\x88\xE4\x8E]PW[x])",
            b"(;CA[Shift_JIS]PB[\x88\xE4\0\x8E\x52\0\0]PW[x]\x1A)",
            b"(;PB[\xE6\x9F];B[dd]\0\0C[a\xFFb\0\xE6\x9F\xAF])",
            b"(;B[dd])",
        ];
        for bytes in texts {
            let decoded = Decoded::new(bytes, decide(bytes, (0, 0), bytes, &mut None));
            let mut result = bytes.to_vec();
            let differences: Vec<_> = decoded.differences(bytes).collect();
            for (range, text) in differences.into_iter().rev() {
                result.splice(range, text.iter().copied());
            }
            assert_eq!(result, decoded.text.as_ref(), "{bytes:02X?}");
            assert_eq!(decoded.nul_offset, bytes.iter().position(|byte| matches!(byte, 0 | 0x1A)), "{bytes:02X?}");
            assert!(!decoded.text.iter().any(|byte| matches!(byte, 0 | 0x1A)), "{bytes:02X?}");
        }
    }

    #[test]
    fn places_in_the_text_lead_back_to_the_source() {
        let (bytes, _, _) = encoding_rs::GBK.encode("(;CA[GBK]PB[柯洁]PW[x];B[dd])");
        let decoded = Decoded::new(&bytes, decide(&bytes, (0, 0), &bytes, &mut None));
        for (offset, byte) in decoded.text.iter().enumerate().filter(|(_, byte)| byte.is_ascii()) {
            assert_eq!(bytes[decoded.source(offset)], *byte, "{offset}");
            assert_eq!(decoded.text_offset(decoded.source(offset)), offset);
        }
    }
}
