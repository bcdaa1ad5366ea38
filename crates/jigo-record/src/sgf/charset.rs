//! Charsets: the charset of a game, and the boundaries of its characters.
//!
//! The first matching rule decides: byte order mark; UTF-16 by its zero bytes; valid UTF-8 without
//! escape sequences; damaged UTF-8 if CA declares it or the damage is rare; the charset in CA if
//! the bytes allow it; detection. Detection uses the game if it has enough text, and otherwise its
//! file.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
    X_USER_DEFINED,
};
use memchr::{memchr, memchr2, memchr3, memmem};

use super::encoding::lead::Lead;
use super::encoding::legibility::{errors, is_damaged};
use crate::sgf::boundaries::root_start::stray_bytes;

/// The number of bytes outside ASCII from which a game's own text suffices for detection.
const MIN_SAMPLE: usize = 24;
/// The maximum number of bytes that detection examines in a game or file.
const SAMPLE: usize = 8 << 10;
/// The maximum distance within which text of the file is collected.
const LOOKAHEAD: usize = 256 << 10;

/// The charset of a game and the basis of this decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    /// The charset.
    pub encoding: &'static Encoding,
    /// The basis of the decision.
    pub basis: CharsetBasis,
}

/// The basis for a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetBasis {
    /// The bytes are ASCII or valid UTF-8.
    Utf8,
    /// Valid UTF-8 with NUL or ^Z.
    Utf8WithNuls,
    /// Most bytes are valid UTF-8.
    DamagedUtf8,
    /// The source was UTF-16 and has been converted to UTF-8.
    Transcoded,
    /// CA declares it.
    Labelled,
    /// Detected from the bytes of the game.
    Detected,
    /// Detected from the bytes of the file, because the game has few and they suggest another
    /// charset.
    DetectedInFile,
}

impl Charset {
    /// Sound UTF-8.
    pub const UTF8: Charset = Charset { encoding: UTF_8, basis: CharsetBasis::Utf8 };

    /// Returns the rule for lead bytes.
    pub fn lead(&self) -> Lead {
        Lead::for_encoding(self.encoding)
    }
}

impl Default for Charset {
    fn default() -> Charset {
        Charset::UTF8
    }
}

/// Decides the charset of a game.
///
/// The bytes within `turns` are known to be bare turns. `lookahead` is the available rest of the
/// file, and `file` caches the charset detected for the file.
pub fn decide(game: &[u8], turns: (usize, usize), lookahead: &[u8], file: &mut Option<&'static Encoding>) -> Charset {
    let texts = [&game[..turns.0], &game[turns.1..]];
    let has_controls = texts.iter().any(|text| memchr3(0x1B, 0, 0x1A, text).is_some());
    let escapes = has_controls && memmem::find(game, b"\x1B$").is_some();
    if !escapes && texts.iter().all(|text| std::str::from_utf8(text).is_ok()) {
        return if has_controls { utf8_charset(game) } else { Charset::UTF8 };
    }
    let stray_bytes =
        stray_bytes(game, 0).filter(|stray_bytes| game[0] == b'(' && !game[stray_bytes.clone()].is_ascii());
    if let Some(stray_bytes) = stray_bytes {
        // The other texts determine the charset without these bytes.
        let end = stray_bytes.end;
        let turns = if turns.0 < end { (0, 0) } else { (turns.0 - end, turns.1 - end) };
        let charset = decide(&game[end..], turns, &lookahead[end..], file);
        let is_valid_utf8 = matches!(charset.basis, CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls);
        return if is_valid_utf8 { Charset { basis: CharsetBasis::DamagedUtf8, ..charset } } else { charset };
    }
    let label = label(game).and_then(find_encoding);
    if !escapes && (is_damaged_utf8(game, label)) {
        return Charset { encoding: UTF_8, basis: CharsetBasis::DamagedUtf8 };
    }
    if escapes && game.is_ascii() {
        let basis = if label == Some(ISO_2022_JP) { CharsetBasis::Labelled } else { CharsetBasis::Detected };
        return Charset { encoding: ISO_2022_JP, basis };
    }
    let text = sample(game);
    let (detected, basis) = detect(&text, lookahead, file);
    match label.filter(|label| *label != UTF_8 && *label != UTF_16BE && *label != UTF_16LE) {
        Some(label) if !has_decoding_errors(&text, label, detected) => {
            Charset { encoding: label, basis: CharsetBasis::Labelled }
        }
        _ => Charset { encoding: detected, basis },
    }
}

/// Returns the charset of valid UTF-8.
fn utf8_charset(game: &[u8]) -> Charset {
    let has_nuls = memchr2(0, 0x1A, game).is_some();
    if has_nuls { Charset { basis: CharsetBasis::Utf8WithNuls, ..Charset::UTF8 } } else { Charset::UTF8 }
}

/// Words in the records of servers, by the charset of these records.
const WORDS: [(&Encoding, &str); 4] = [
    (EUC_KR, "흑 백 집 승 급 단 바둑 대국 호선 공제 제한 시간 타이젬 오로 년 월"),
    (GB18030, "黑 白 胜 负 段 级 局 弈 棋 中盘 子 目 年 月 日 让 国"),
    (SHIFT_JIS, "黒 白 勝 負 段 級 局 碁 戦 杯 目 半 年 月 日 本因坊 名人"),
    (BIG5, "黑 白 勝 負 段 級 局 弈 棋 中盤 子 目 年 月 日 讓 國"),
];

/// Decides the charset of a record that is not SGF.
///
/// The first matching rule decides: valid UTF-8; the declared charset if the bytes allow it; the
/// valid charset that gives most of the usual words; detection. `file` caches the result for later
/// games.
pub fn decide_for_lines(
    game: &[u8],
    label: Option<&'static Encoding>,
    file: &mut Option<&'static Encoding>,
) -> Charset {
    if game.is_ascii() || std::str::from_utf8(game).is_ok() {
        return utf8_charset(game);
    }
    if is_damaged_utf8(game, None) {
        return Charset { encoding: UTF_8, basis: CharsetBasis::DamagedUtf8 };
    }
    let text = sample(game);
    if let Some(label) = label.filter(|label| errors(&text, label) == 0) {
        return Charset { encoding: label, basis: CharsetBasis::Labelled };
    }
    let count = |encoding: &'static Encoding, words: &str| -> usize {
        let (text_in_encoding, has_errors) = encoding.decode_without_bom_handling(&text);
        if has_errors { 0 } else { words.split(' ').map(|word| text_in_encoding.matches(word).count()).sum() }
    };
    let counts = WORDS.iter().map(|(encoding, words)| (count(encoding, words), *encoding));
    // With equal numbers of words the first charset wins, unless an earlier game of the file
    // decides.
    let (max_count, encoding) = counts.fold((0, UTF_8), |best, next| if next.0 > best.0 { next } else { best });
    let encoding = match (max_count, *file) {
        (0 | 1, Some(previous)) if errors(&text, previous) == 0 => previous,
        (0, _) => guess(&text),
        _ => encoding,
    };
    *file = Some(encoding);
    Charset { encoding, basis: CharsetBasis::Detected }
}

/// Returns true if a label is wrong: the text looks damaged in that charset, and sound in the
/// detected one.
fn has_decoding_errors(text: &[u8], label: &'static Encoding, detected: &'static Encoding) -> bool {
    label != detected && is_damaged(text, label) && !is_damaged(text, detected)
}

fn detect(text: &[u8], lookahead: &[u8], file: &mut Option<&'static Encoding>) -> (&'static Encoding, CharsetBasis) {
    let guessed = guess(text);
    let non_ascii = text.iter().filter(|byte| **byte >= 0x80).count();
    if non_ascii >= MIN_SAMPLE && errors(text, guessed) == 0 {
        return (guessed, CharsetBasis::Detected);
    }
    let of_file = *file.get_or_insert_with(|| guess(&sample(&lookahead[..lookahead.len().min(LOOKAHEAD)])));
    if of_file != guessed && errors(text, of_file) <= errors(text, guessed) {
        return (of_file, CharsetBasis::DetectedInFile);
    }
    (guessed, CharsetBasis::Detected)
}

fn guess(text: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(text, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    if encoding != GBK && !encoding.is_single_byte() {
        return encoding;
    }
    // The detector is made for running text, but names and ranks are short. Their characters are
    // common and therefore have low numbers.
    let runs = text.split(|byte| *byte < 0x80).filter(|run| !run.is_empty());
    let (mut even, mut common) = (true, true);
    for run in runs {
        even &= run.len() % 2 == 0;
        common &= run.chunks(2).all(|pair| matches!(pair, [0xA1..=0xD7, 0xA1..=0xFE]));
    }
    if encoding.is_single_byte() && even && common && !text.is_empty() { GBK } else { encoding }
}

/// Returns text outside ASCII with its adjacent bytes, one run per line, without runs of valid
/// UTF-8.
fn sample(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut offset = 0;
    while text.len() < SAMPLE {
        let Some(start) = bytes[offset..].iter().position(|byte| *byte >= 0x80).map(|length| offset + length) else {
            break;
        };
        let mut end = start;
        while end < bytes.len() && (bytes[end] >= 0x80 || bytes.get(end + 1).is_some_and(|next| *next >= 0x80)) {
            end += 1;
        }
        // The second half of the last character may be ASCII.
        let has_half_character = bytes.get(end).is_some_and(|byte| *byte >= 0x40 && *byte != b']');
        let has_half_character = has_half_character || ends_with_digit(&bytes[start..], end - start);
        let run = &bytes[start..(end + usize::from(has_half_character)).min(start + SAMPLE)];
        if std::str::from_utf8(run).is_err() {
            text.extend_from_slice(run);
            text.push(b'\n');
        }
        offset = end.max(start + 1);
    }
    text
}

/// Returns true if the byte after a run is the last digit of a four-byte character of GB18030.
fn ends_with_digit(run: &[u8], end: usize) -> bool {
    let last = run.get(end.saturating_sub(3)..=end).unwrap_or_default();
    matches!(last, [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9'])
}

/// Returns true if a text that is not valid UTF-8 is damaged UTF-8 instead of another charset.
fn is_damaged_utf8(game: &[u8], label: Option<&'static Encoding>) -> bool {
    let (mut valid, mut multibyte, mut damaged, mut truncated) = (0_usize, 0_usize, 0_usize, 0_usize);
    for chunk in game.utf8_chunks() {
        valid += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        multibyte += chunk.valid().bytes().filter(|byte| *byte >= 0xE0).count();
        damaged += usize::from(!chunk.invalid().is_empty());
        truncated += usize::from(chunk.invalid().len() >= 2);
    }
    // Half of the GBK characters look like two bytes of UTF-8, but none looks like three.
    let is_mostly_valid = multibyte >= damaged || valid > 2 * damaged || truncated == damaged;
    let is_labelled = label == Some(UTF_8) && is_mostly_valid;
    is_labelled || valid > 8 * damaged
}

/// Returns the value of CA as bytes.
pub fn label(game: &[u8]) -> Option<&[u8]> {
    let root = &game[..game.len().min(4096)];
    let name = memmem::find_iter(root, b"CA[").find(|offset| *offset == 0 || !root[offset - 1].is_ascii_uppercase())?;
    let value = &root[name + 3..];
    Some(value[..memchr(b']', value)?].trim_ascii())
}

/// Returns the charset of a label, as on the web and with others found in records.
///
/// Labels that say nothing about bytes outside ASCII have none.
pub fn find_encoding(label: &[u8]) -> Option<&'static Encoding> {
    if label.eq_ignore_ascii_case(b"UTF-8") {
        return Some(UTF_8);
    }
    if let Some(encoding) = Encoding::for_label_no_replacement(label) {
        let says_nothing = encoding == X_USER_DEFINED || encoding == WINDOWS_1252 && names_ascii(&normalized(label));
        return (!says_nothing).then_some(encoding);
    }
    Some(match normalized(label).as_slice() {
        b"euccn" | b"cp936" | b"936" | b"gb" | b"gb2312" | b"gbk" | b"ms936" | b"windows936" | b"hz" => GBK,
        b"cp54936" | b"gb18030" | b"54936" => GB18030,
        b"cp950" | b"950" | b"ms950" | b"windows950" | b"big5" | b"big5eten" => BIG5,
        b"cp932" | b"932" | b"ms932" | b"sjis" | b"shiftjis" | b"windows932" => SHIFT_JIS,
        b"cp949" | b"949" | b"uhc" | b"ms949" | b"ksc5601" | b"euckr" | b"windows949" => EUC_KR,
        b"utf8" | b"unicode" | b"cp65001" | b"65001" => UTF_8,
        b"latin1" | b"iso88591" | b"iso8859" | b"cp1252" | b"1252" | b"windows1252" => WINDOWS_1252,
        b"iso2022jp" | b"jis" => ISO_2022_JP,
        _ => return None,
    })
}

/// Returns true if a label declares a charset other than UTF-8.
pub fn contradicts_utf8(label: &[u8]) -> bool {
    find_encoding(label).map_or_else(|| names_ascii(&normalized(label)), |encoding| encoding != UTF_8)
}

/// Returns the letters and digits of a label, in small letters.
fn normalized(label: &[u8]) -> Vec<u8> {
    label.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
}

/// Returns true for the names of ASCII, and for ANSI, the unknown code page of a computer.
fn names_ascii(normalized: &[u8]) -> bool {
    let is_named = |name: &[u8]| normalized.windows(name.len()).any(|part| part == name);
    is_named(b"ascii") || normalized.starts_with(b"ansi") || is_named(b"iso646")
}
