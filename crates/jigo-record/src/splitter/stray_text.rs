//! Stray text: words, an extra parenthesis, or unreadable parts of a game.

use std::borrow::Cow;

use crate::finding::Code;
use crate::sgf::tokens::ff4::{PropertyRole, ValueForm, definition};
use crate::sgf::tokens::lexer::{Lexer, MAX_IDENTIFIER, ScanBudget, capitals, is_small, owner, skip_space_back};

/// The maximum length in bytes of a point, including white space around it.
const LONGEST_POINT: usize = 7;

/// Returns the finding for stray text in SGF.
///
/// A text with a property is a part of a game, with names in capitals, small letters, long names or
/// double-width letters. Mail programs and web pages escape brackets, so this function also
/// recognises the escaped forms.
pub fn code(text: &[u8]) -> Code {
    if String::from_utf8_lossy(text).chars().all(|c| c == ')' || c.is_whitespace()) {
        Code::ExtraParenthesis
    } else if has_property(text) || unescaped_forms(text).any(|text| has_property(&text)) || has_base64(text) {
        Code::TurnsOutsideGames
    } else {
        Code::TextOutsideGames
    }
}

/// Returns true if the text consists only of white space, padding and UTF-8 byte order marks. Its
/// removal loses nothing.
pub fn is_padding(text: &[u8]) -> bool {
    let is_blank = |c: char| c.is_whitespace() || c.is_control() || c == '\u{FEFF}';
    std::str::from_utf8(text).is_ok_and(|text| text.chars().all(is_blank))
}

/// Returns true if the text, from a UTF-16 source, consists of CR and LF in single bytes. Two of
/// them, read as UTF-16, are one letter.
pub fn is_narrow_line_end(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.chars().all(|c| is_line_end(c) || c.is_whitespace()))
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\u{A0A}' | '\u{A0D}' | '\u{D0A}' | '\u{D0D}' | '\u{FEFF}')
}

/// Returns true if a game from a UTF-16 source has letters outside complete values that are not
/// ASCII. Such letters are not UTF-16, but single-byte text or text in the other byte order.
pub fn has_letters_outside_values(game: &[u8]) -> bool {
    let is_odd = |part: &[u8]| String::from_utf8_lossy(part).chars().any(|c| !c.is_ascii() && !is_line_end(c));
    let scan_budget = ScanBudget::for_text(game.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(game) };
    let mut offset = 0;
    while let Some(open) = memchr::memchr(b'[', &game[offset..]).map(|length| offset + length) {
        if is_odd(&game[offset..open]) {
            return true;
        }
        // Other text may follow a damaged value.
        let Some(next) = lexer.after_value(open) else { return is_odd(&game[open..]) };
        offset = next;
    }
    is_odd(&game[offset..])
}

/// Returns true if a property or a list of points begins somewhere in the text.
fn has_property(text: &[u8]) -> bool {
    memchr::memchr_iter(b'[', text).any(|open| is_property(text, open) || is_list(&text[open..]))
}

/// Returns true if the `[` at `open` begins the value of a property. Programs and footnotes also
/// use brackets, so the value must fit the property's name.
fn is_property(text: &[u8], open: usize) -> bool {
    let name = owner(text, open);
    let end = skip_space_back(text, 0, open);
    let before = skip_space_back(text, 0, end - name.len());
    if name.is_empty()
        || name.len() == MAX_IDENTIFIER
        || text[..end - name.len()].last().is_some_and(u8::is_ascii_digit)
    {
        return false;
    }
    let begins_node = before == 0 || b";](".contains(&text[before - 1]);
    let is_capital = name.iter().all(u8::is_ascii_uppercase);
    let value = BracketValue::parse(&text[open + 1..]);
    let Some(definition) = definition(&capitals(name)) else {
        let is_footnote = value == BracketValue::Number && !(before > 0 && begins_node);
        return name.len() > 1 && end == open && is_capital && !is_footnote;
    };
    let has_point = matches!(definition.role, PropertyRole::Turn(_)) && value == BracketValue::Empty
        || value == BracketValue::Point;
    if end < open {
        return has_point || (begins_node && is_capital);
    }
    if is_capital {
        let follows_semicolon = before > 0 && text[before - 1] == b';';
        return follows_semicolon || has_point || is_plausible(definition.form, &value, begins_node);
    }
    match definition.role {
        PropertyRole::Turn(_) | PropertyRole::Stones(_) => has_point,
        _ if is_small(name) => begins_node && value != BracketValue::Number,
        _ => name[0].is_ascii_uppercase() && value != BracketValue::Number,
    }
}

/// Returns true if the value is plausible for a property in capitals with values of this form.
///
/// A number after a letter is a footnote unless the property has numbers. Other words are text in
/// brackets unless a node begins there or the value has no end.
fn is_plausible(form: ValueForm, value: &BracketValue, begins_node: bool) -> bool {
    match form {
        ValueForm::Number(..) | ValueForm::Real | ValueForm::Size => true,
        _ if form.is_text() => begins_node || *value != BracketValue::Number,
        _ => match value {
            BracketValue::Number => false,
            BracketValue::Empty | BracketValue::Point | BracketValue::Coordinates | BracketValue::Unclosed => true,
            BracketValue::Other => begins_node,
        },
    }
}

/// Returns true if the text begins with several points in brackets.
fn is_list(text: &[u8]) -> bool {
    matches!(*text, [b'[', a, b, b']', b'[', c, d, b']', ..] if [a, b, c, d].iter().all(u8::is_ascii_lowercase))
}

/// The kind of a value. It distinguishes a property from other brackets.
#[derive(PartialEq, Eq)]
enum BracketValue {
    Empty,
    /// Two letters.
    Point,
    /// A letter and a number, the players' notation for points.
    Coordinates,
    Number,
    /// A value without a closing bracket.
    Unclosed,
    Other,
}

impl BracketValue {
    fn parse(text: &[u8]) -> BracketValue {
        let prefix = &text[..text.len().min(LONGEST_POINT + 1)];
        match prefix.iter().position(|byte| *byte == b']').map(|length| text[..length].trim_ascii()) {
            Some([]) => BracketValue::Empty,
            Some([column, row]) if column.is_ascii_alphabetic() && row.is_ascii_alphabetic() => BracketValue::Point,
            Some(value) if value.iter().all(u8::is_ascii_digit) => BracketValue::Number,
            Some([column, row @ ..]) if column.is_ascii_alphabetic() && row.iter().all(u8::is_ascii_digit) => {
                BracketValue::Coordinates
            }
            None if text.len() <= LONGEST_POINT => BracketValue::Unclosed,
            _ => BracketValue::Other,
        }
    }
}

/// Returns the text with its brackets restored, once for each escape form that occurs: double-width
/// letters, HTML and quoted-printable.
fn unescaped_forms(text: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let has = |sign: &[u8]| memchr::memmem::find(text, sign).is_some();
    let wide = has("［".as_bytes()).then(|| to_single_width(&String::from_utf8_lossy(text)));
    let wide_gbk = has(b"\xA3\xDB").then(|| to_single_width_gbk(text));
    let html = (has(b"&#91;") || has(b"&#x5b;") || has(b"&#x5B;") || has(b"&lsqb;") || has(b"&lbrack;"))
        .then(|| unescape(text, &[b"&#91;", b"&#x5b;", b"&#x5B;", b"&lsqb;", b"&lbrack;"]));
    let quoted = (has(b"=5B") || has(b"=5b") || has(b"%5B") || has(b"%5b"))
        .then(|| unescape(text, &[b"=5B", b"=5b", b"%5B", b"%5b"]));
    [wide, wide_gbk, html, quoted].into_iter().flatten().map(Cow::Owned)
}

/// Returns the text with `[` in place of each of these signs, and with a line end before a name
/// that follows an escaped `;`, `]` or `(`.
fn unescape(text: &[u8], signs: &[&[u8]]) -> Vec<u8> {
    let (mut plain, mut offset) = (Vec::with_capacity(text.len()), 0);
    while offset < text.len() {
        match signs.iter().find(|sign| text[offset..].starts_with(sign)) {
            Some(sign) => {
                plain.push(b'[');
                offset += sign.len();
            }
            None => {
                // An escape before a name ends with hexadecimal digits or a semicolon.
                let is_escape =
                    matches!(text[offset], b'=' | b'%') && text[offset..].iter().skip(1).take(2).count() == 2;
                plain.push(if is_escape { b'\n' } else { text[offset] });
                offset += if is_escape { 3 } else { 1 };
            }
        }
    }
    plain
}

/// Returns the text with ASCII in place of its double-width letters.
fn to_single_width(text: &str) -> Vec<u8> {
    let ascii = |c: char| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    text.chars().map(ascii).collect::<String>().into_bytes()
}

/// Does the same for GBK and EUC-KR, in which such a letter is A3 and its ASCII code plus 80.
fn to_single_width_gbk(text: &[u8]) -> Vec<u8> {
    let (mut narrow, mut offset) = (Vec::with_capacity(text.len()), 0);
    while offset < text.len() {
        match text[offset..] {
            [0xA3, low @ 0xA1..=0xFE, ..] => {
                narrow.push(low - 0x80);
                offset += 2;
            }
            _ => {
                narrow.push(text[offset]);
                offset += 1;
            }
        }
    }
    narrow
}

/// Returns true if a word of the text is `(;` and more in base64.
fn has_base64(text: &[u8]) -> bool {
    let mut words = text.split(u8::is_ascii_whitespace);
    words.any(|word| word.len() >= 12 && matches!(word, [b'K', b'D', b's'..=b'v', ..]) && word.iter().all(is_base64))
}

fn is_base64(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_parts_are_distinguished_from_words() {
        let part = Code::TurnsOutsideGames;
        for (text, expected) in [
            (")", Code::ExtraParenthesis),
            (" ) )\n", Code::ExtraParenthesis),
            (";B[dd];W[pp])", part),
            ("mail\n; B[dd]\n;W []C[x]", part),
            ("{;GM[1];B[dd];W[pp]}", part),
            ("I like ;B[dd] here", part),
            (";AB[dd];AW[pp];", part),
            (";B[dd];W[p", part),
            (";Black[qp];White[dp]", part),
            (";b[qp];w[dp]", part),
            ("x b[qp] y", part),
            ("Comment[precious]", part),
            ("C[this has no end", part),
            (";c[a word]", part),
            (";B\n[qp]\n;W\n[dp]", part),
            ("PB[x]PW[y]", part),
            ("KGSDE[aa] MULTI[b]", part),
            ("[qp][dp][oq]", part),
            ("AddBlack[qp]", part),
            ("\\(;GM[1\\];B[aa\\])", part),
            ("；Ｂ［ｑｐ］；Ｗ［ｄｐ］", part),
            ("&#40;;GM&#91;1&#93;;B&#91;aa&#93;)", part),
            ("(=3BGM=5B1=5D=3BB=5Baa=5D)", part),
            ("%28%3BB%5Baa%5D%29", part),
            ("KDtHTVsxXTtCW2FhXSk=", part),
            ("AB[dd", part),
            ("the rest: W[dp", part),
            ("B[Q16] W[D4]", part),
            ("my komi: KM[6]", part),
            (";B[3];W[4]", part),
            ("From: someone (at) example [1]\nSubject: (; games", Code::TextOutsideGames),
            ("a[1]; b[2]; c[3] and fooB[1], x2B[1]", Code::TextOutsideGames),
            ("see [2], and so on; Nature [3] and Chen[4]", Code::TextOutsideGames),
            ("-- regards :) [x]", Code::TextOutsideGames),
            ("KDE is a desktop", Code::TextOutsideGames),
            ("see B[3] and W[12]", Code::TextOutsideGames),
            ("plan B[see below] and vitamin C[4]", Code::TextOutsideGames),
            ("RFC[12] and ISO[3]", Code::TextOutsideGames),
        ] {
            assert_eq!(code(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(code(b"\xA3\xBB\xA3\xC2\xA3\xDB\xA3\xF1\xA3\xF0\xA3\xDD"), part);
    }

    #[test]
    fn padding_says_nothing() {
        for text in ["", "\u{FEFF}\u{FEFF}", "\0\0\u{1A}", " \r\n\u{FEFF}"] {
            assert!(is_padding(text.as_bytes()), "{text:?}");
        }
        for text in ["-", "x", "\u{FEFF})"] {
            assert!(!is_padding(text.as_bytes()), "{text:?}");
        }
        assert!(!is_padding(b"\xFF"));
    }
}
