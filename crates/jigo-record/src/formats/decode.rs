//! Decoder from a game's bytes to UTF-8. It maps offsets back, because findings refer to bytes of
//! the source.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::UTF_8;

use crate::finding::{Code, Finding, Place};
use crate::sgf::charset::{Charset, CharsetBasis, find_encoding, label};
use crate::sgf::lead::{Lead, escaped_end};
use crate::sgf::lexer::Lexer;
use crate::splitter::{GameText, RecordKind};

/// A game's text in UTF-8.
#[derive(Debug, Default)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, [u8]>,
    /// The first offset in the source with an invalid character.
    pub damaged: Option<usize>,
    /// The first offset of a character that was cut directly before a `]`.
    pub cut: Option<usize>,
    /// The offset of the first NUL or ^Z. They are removed.
    pub nul: Option<usize>,
    /// Other findings of the decoder, by offset in the source.
    pub findings: Vec<Finding>,
    /// True if nothing of the game can be read.
    pub is_encrypted: bool,
    /// The starts of segments that differ in length: offset in the text and in the source, in
    /// order.
    segments: Vec<(usize, usize)>,
    /// The map from SGF to a record in another format, if the text was converted.
    source_map: Option<SourceMap>,
}

/// A map from a converted text to the bytes of its record in another format.
#[derive(Clone, Debug, Default)]
pub struct SourceMap(Vec<(usize, usize)>);

impl SourceMap {
    /// Declares that the text from `at` on comes from the byte `source` of the record.
    pub(crate) fn push(&mut self, at: usize, source: usize) {
        self.0.push((at, source));
    }

    /// Returns the byte of the record from which the byte `at` of the text comes: the exact byte if
    /// known, else the beginning of its line.
    pub fn source(&self, at: usize) -> usize {
        let Some(index) = self.0.partition_point(|(text, _)| *text <= at).checked_sub(1) else { return 0 };
        let (text, source) = self.0[index];
        // A segment of the same length as its origin is a copy of it.
        let is_verbatim = |(next_text, next): &(usize, usize)| next.checked_sub(source) == Some(next_text - text);
        source + if self.0.get(index + 1).is_some_and(is_verbatim) { at - text } else { 0 }
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
        let mut decoding = Decoding { bytes, text: Vec::with_capacity(bytes.len() * 3 / 2), ..Decoding::default() };
        match charset.lead() {
            _ if charset.encoding == UTF_8 || charset.basis == CharsetBasis::Transcoded => decoding.utf8(),
            lead => decoding.other(charset, lead),
        }
        let Decoding { text, damaged, cut, nul, segments: stretches, .. } = decoding;
        Decoded { text: Cow::Owned(text), damaged, cut, nul, segments: stretches, ..Decoded::default() }
    }

    /// Returns the text after conversion to SGF, with the map to the record.
    pub(crate) fn with_converted<'b>(self, text: Vec<u8>, places: SourceMap) -> Decoded<'b> {
        let Decoded { damaged, cut, nul, segments: stretches, .. } = self;
        let (text, places) = (Cow::Owned(text), Some(places));
        Decoded { text, damaged, cut, nul, segments: stretches, source_map: places, ..Decoded::default() }
    }

    fn unchanged(bytes: &'a [u8]) -> Decoded<'a> {
        Decoded { text: Cow::Borrowed(bytes), ..Decoded::default() }
    }

    /// Returns the byte of the source from which the byte `at` of the text comes. Within decoded
    /// text, it is the start of the segment.
    pub fn source(&self, at: usize) -> usize {
        let at = self.source_map.as_ref().map_or(at, |places| places.source(at));
        let next = self.segments.partition_point(|(text, _)| *text <= at);
        match next.checked_sub(1).map(|index| self.segments[index]) {
            Some((text, source)) => {
                let limit = self.segments.get(next).map_or(usize::MAX, |(_, source)| *source);
                (source + (at - text)).min(limit)
            }
            None => at.min(self.segments.first().map_or(usize::MAX, |(_, source)| *source)),
        }
    }

    /// Returns the replacements that turn the original `bytes` into the text.
    pub fn differences(&self, bytes: &[u8]) -> Vec<(Range<usize>, &[u8])> {
        let begins = std::iter::once((0, 0)).chain(self.segments.iter().copied());
        let ends = self.segments.iter().copied().chain([(self.text.len(), bytes.len())]);
        let differences = begins.zip(ends).filter_map(|((text, source), (text_end, source_end))| {
            let (new, old) = (&self.text[text..text_end], &bytes[source..source_end]);
            let same = new.iter().zip(old).take_while(|(new, old)| new == old).count();
            (same < new.len() || same < old.len()).then(|| (source + same..source_end, &new[same..]))
        });
        differences.collect()
    }
}

/// Removes NUL and ^Z, which are remnants of tapes and file systems.
fn without_nuls(bytes: &[u8]) -> Decoded<'_> {
    if memchr::memchr2(0, 0x1A, bytes).is_none() {
        return Decoded::unchanged(bytes);
    }
    let mut decoding = Decoding { bytes, text: Vec::with_capacity(bytes.len()), ..Decoding::default() };
    decoding.unchanged(0..bytes.len());
    let Decoding { text, nul, segments: stretches, .. } = decoding;
    Decoded { text: Cow::Owned(text), nul, segments: stretches, ..Decoded::default() }
}

/// Returns the end of the run of NUL and ^Z that begins at `at`; `at` itself without such a run.
pub fn nuls_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| matches!(byte, 0 | 0x1A)).count()
}

/// Returns the findings about a game's charset, by offset in the source.
pub fn findings(text: &GameText, decoded: &Decoded) -> Vec<Finding> {
    let mut found = decoded.findings.clone();
    let name = text.charset.encoding.name();
    let mut note = |code, at, detail: String| found.push(Finding::new(code, Place::byte(at), detail));
    let is_detected = matches!(text.charset.basis, CharsetBasis::Detected | CharsetBasis::DetectedInFile);
    // Other formats have no CA.
    let label = Some(text.bytes).filter(|_| text.kind == RecordKind::default()).and_then(label);
    let shown = label.map(String::from_utf8_lossy).unwrap_or_default();
    let labelled = label.and_then(find_encoding);
    match text.charset.basis {
        CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls | CharsetBasis::DamagedUtf8 => {}
        CharsetBasis::Transcoded => note(Code::NotUtf8, 0, format!("{name}, by its mark or its zero bytes")),
        CharsetBasis::Labelled if text.kind != RecordKind::default() => {
            note(Code::NotUtf8, 0, format!("{name}, as it says"))
        }
        CharsetBasis::Labelled => note(Code::NotUtf8, 0, format!("{name}, as CA[{shown}] says")),
        CharsetBasis::Detected if text.kind != RecordKind::default() => {
            note(Code::GuessedCharset, 0, format!("{name}, detected"))
        }
        CharsetBasis::DetectedInFile if labelled.is_none() => {
            note(Code::GuessedCharset, 0, format!("{name}, detected in all text of its file; CA[{shown}]"))
        }
        CharsetBasis::Detected if labelled.is_none() => {
            note(Code::GuessedCharset, 0, format!("{name}, detected; CA[{shown}]"))
        }
        CharsetBasis::Detected | CharsetBasis::DetectedInFile => {}
    }
    let differs = labelled.is_some_and(|labelled| labelled != text.charset.encoding);
    let matters = || is_detected || !text.bytes.is_ascii();
    if differs && text.charset.basis != CharsetBasis::Transcoded && matters() {
        note(Code::WrongCharsetLabel, 0, format!("CA[{shown}], but the bytes are {name}"));
    }
    if let Some(at) = decoded.damaged {
        note(Code::DamagedText, at, format!("from here on some bytes are no characters of {name}"));
    }
    if let Some(at) = decoded.nul {
        note(Code::NulBytes, at, "the first one is here".into());
    }
    if let Some(at) = decoded.cut {
        note(Code::CutCharacter, at, format!("the first bytes of a character of {name} are followed by a ]"));
    }
    found
}

#[derive(Default)]
struct Decoding<'a> {
    bytes: &'a [u8],
    text: Vec<u8>,
    damaged: Option<usize>,
    cut: Option<usize>,
    nul: Option<usize>,
    segments: Vec<(usize, usize)>,
}

impl Decoding<'_> {
    /// Copies bytes without NUL and ^Z, which are not part of a character in any charset.
    fn unchanged(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some(length) = memchr::memchr2(0, 0x1A, &self.bytes[at..range.end]) {
            let start = at + length;
            self.text.extend_from_slice(&self.bytes[at..start]);
            self.nul.get_or_insert(start);
            at = nuls_end(&self.bytes[..range.end], start);
            self.segments.push((self.text.len(), at));
        }
        self.text.extend_from_slice(&self.bytes[at..range.end]);
    }

    fn utf8(&mut self) {
        let mut at = 0;
        for chunk in self.bytes.utf8_chunks() {
            self.unchanged(at..at + chunk.valid().len());
            at += chunk.valid().len();
            let invalid = chunk.invalid();
            if invalid.is_empty() {
                continue;
            }
            let end = at + invalid.len();
            if self.bytes.get(end) == Some(&b']') && invalid[0] >= 0xC2 {
                self.cut.get_or_insert(at);
            } else {
                self.damaged.get_or_insert(at);
                self.text.extend_from_slice("\u{FFFD}".as_bytes());
            }
            at = end;
            self.segments.push((self.text.len(), at));
        }
    }

    fn other(&mut self, charset: Charset, lead: Lead) {
        let lexer = Lexer { lead, ..Lexer::utf8(self.bytes) };
        let closes = |close: usize| lexer.follows(close + 1, close);
        let mut at = 0;
        while at < self.bytes.len() {
            let special = |byte: &u8| *byte >= 0x80 || (*byte == 0x1B && lead == Lead::Iso2022);
            let start = self.bytes[at..].iter().position(special).map_or(self.bytes.len(), |length| at + length);
            self.unchanged(at..start);
            if start == self.bytes.len() {
                return;
            }
            let (end, cut) = match lead {
                Lead::Iso2022 => escaped(self.bytes, start, &closes),
                _ => (run_end(self.bytes, start, lead, &closes), false),
            };
            self.run(charset, start..end, cut);
            at = end;
            self.segments.push((self.text.len(), at));
        }
    }

    /// Decodes one run of characters outside ASCII. The last byte is removed if it is half a
    /// character before a `]`.
    fn run(&mut self, charset: Charset, range: Range<usize>, cut: bool) {
        let start = range.start;
        let run = &self.bytes[range.clone()];
        let whole = charset.encoding.decode_without_bom_handling(run);
        let (decoded, faulty) = match run.split_last() {
            Some((_, rest)) if cut || (whole.1 && self.bytes.get(range.end) == Some(&b']')) => {
                let short = charset.encoding.decode_without_bom_handling(rest);
                if short.1 {
                    whole
                } else {
                    self.cut.get_or_insert(range.end - 1);
                    short
                }
            }
            _ => whole,
        };
        if faulty {
            self.damaged.get_or_insert(start);
        }
        self.text.extend_from_slice(decoded.as_bytes());
    }
}

/// Returns the end of the characters outside ASCII that begin at `at`.
fn run_end(bytes: &[u8], mut at: usize, lead: Lead, closes: &impl Fn(usize) -> bool) -> usize {
    while at < bytes.len() && bytes[at] >= 0x80 {
        let width = lead.width(bytes, at);
        if width == 2 && bytes[at + 1] == b']' && closes(at + 1) {
            return at + 1;
        }
        at += width;
    }
    at
}

/// Returns the end of the escape sequence at `at`, its characters, and the sequence that ends them.
/// The flag is true if the last character was cut.
fn escaped(bytes: &[u8], at: usize, closes: &impl Fn(usize) -> bool) -> (usize, bool) {
    if !bytes[at..].starts_with(b"\x1B$") {
        return if bytes[at] == 0x1B { ((at + 3).min(bytes.len()), false) } else { (at + 1, false) };
    }
    let (mut end, cut) = escaped_end(bytes, at, closes);
    if bytes[end..].starts_with(b"\x1B(") {
        end = (end + 3).min(bytes.len());
    }
    (end, cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::charset::decide;

    fn decoded(bytes: &[u8]) -> (String, Option<usize>, Option<usize>) {
        let decoded = Decoded::new(bytes, decide(bytes, (0, 0), bytes, &mut None));
        (String::from_utf8(decoded.text.to_vec()).unwrap(), decoded.damaged, decoded.cut)
    }

    #[test]
    fn truncated_character_before_a_bracket_is_lost_alone() {
        for (label, whole) in
            [("GBK", "柯洁"), ("Shift_JIS", "井山"), ("EUC-KR", "이세돌"), ("Big5", "周俊勳"), ("UTF-8", "柯洁")]
        {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (name, _, _) = encoding.encode(whole);
            let kept: String = whole.chars().take(whole.chars().count() - 1).collect();
            let mut bytes = format!("(;CA[{label}]PB[").into_bytes();
            bytes.extend_from_slice(&name[..name.len() - 1]);
            let cut = bytes.len() - if label == "UTF-8" { 2 } else { 1 };
            bytes.extend_from_slice(b"]PW[x];B[dd])");
            let expected = format!("(;CA[{label}]PB[{kept}]PW[x];B[dd])");
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
            let mut made = bytes.to_vec();
            for (range, text) in decoded.differences(bytes).into_iter().rev() {
                made.splice(range, text.iter().copied());
            }
            assert_eq!(made, decoded.text.as_ref(), "{bytes:02X?}");
            assert_eq!(decoded.nul, bytes.iter().position(|byte| matches!(byte, 0 | 0x1A)), "{bytes:02X?}");
            assert!(!decoded.text.iter().any(|byte| matches!(byte, 0 | 0x1A)), "{bytes:02X?}");
        }
    }

    #[test]
    fn places_in_the_text_lead_back_to_the_source() {
        let (bytes, _, _) = encoding_rs::GBK.encode("(;CA[GBK]PB[柯洁]PW[x];B[dd])");
        let decoded = Decoded::new(&bytes, decide(&bytes, (0, 0), &bytes, &mut None));
        for (at, byte) in decoded.text.iter().enumerate().filter(|(_, byte)| byte.is_ascii()) {
            assert_eq!(bytes[decoded.source(at)], *byte, "{at}");
        }
    }
}
