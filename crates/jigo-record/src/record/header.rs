//! Parser for the root properties, and the findings about them.

use std::borrow::Cow;

use super::reader::{Reader, Unreadable};
use crate::finding::{Code, Severity, excerpt};
use crate::header::dialect::KomiUnit;
use crate::header::komi::KomiText;
use crate::header::result::result_parser::is_ff4;
use crate::header::root_property::{RootProperty, Storage, initials};
use crate::sgf::double_encoding::doubly_encoded;
use crate::{RecordedResult, ResultKind, ResultOddity};
use jigo_rules::HalfPoints;
use jigo_rules::board::{BoardSize, Point};

impl Reader<'_> {
    /// Stores the root properties, given by name and value in the order of the text.
    pub(crate) fn header(&mut self, values: &[(&'static str, Cow<str>)], offset: usize) {
        let dialect = self.dialect.resolve(values.iter().map(|(name, value)| (*name, &**value)));
        self.reading.record.header.dialect = dialect;
        let repeatable = dialect.map_or(&[][..], |dialect| dialect.repeated);
        let (mut names_game, mut size, mut seen) = (false, None, 0_u64);
        let translated = dialect.filter(|dialect| !dialect.aliases.is_empty()).map(|dialect| {
            let values = values.iter().map(|(name, value)| (dialect.meaning(name), Cow::Borrowed(&**value)));
            values.filter(|(_, value)| !value.trim().is_empty()).collect::<Vec<_>>()
        });
        let values = translated.as_deref().unwrap_or(values);
        for (index, (name, value)) in values.iter().enumerate() {
            // Few names share a bit, so the linear search for an earlier occurrence is rarely
            // needed.
            let [first, second] = initials(name);
            let bit = 1 << ((first ^ second.wrapping_mul(34)) % 64);
            let may_repeat = seen & bit != 0;
            seen |= bit;
            if may_repeat && values[..index].iter().any(|(other, _)| initials(other) == initials(name)) {
                if !repeatable.contains(name) {
                    let detail = format!("{name}[{value}] is not used: an earlier {name} exists");
                    self.note(Code::RepeatedProperty, offset, detail);
                }
                continue;
            }
            match name.as_bytes() {
                b"GM" => {
                    names_game = true;
                    self.game(value.trim(), offset);
                }
                b"SZ" => size = Some(&**value),
                _ => self.header_value(name, value, offset),
            }
        }
        if !names_game {
            self.note(Code::MissingGame, offset, "Go is assumed");
        }
        if self.reading.unreadable.is_none() {
            self.board_size(size, offset);
        }
    }

    /// Reads GM. A word or another text that is not a whole number names no game.
    fn game(&mut self, text: &str, offset: usize) {
        match text.parse() {
            Ok(1_i64) => {}
            Ok(_) => {
                self.note(Code::NotGo, offset, format!("GM[{text}]"));
                self.reading.unreadable = Some(Unreadable::NotGo);
            }
            Err(_) => {
                self.note(Code::MissingGame, offset, format!("GM[{text}] is not the number of a game: Go is assumed"));
                let finding = self.reading.findings.last_mut().filter(|finding| finding.code == Code::MissingGame);
                finding.into_iter().for_each(|finding| finding.severity = Severity::Warning);
            }
        }
    }

    fn board_size(&mut self, text: Option<&str>, offset: usize) {
        let Some(text) = text else {
            self.note(Code::MissingBoardSize, offset, "19x19 is assumed");
            return;
        };
        match parse_size(text) {
            Some((size, is_standard)) => {
                self.reading.record.header.size = size;
                if !is_standard {
                    let detail = format!("SZ[{text}] is read as {}x{}", size.width(), size.height());
                    self.note(Code::BoardSizeForm, offset, detail);
                }
            }
            None => {
                self.note(Code::BoardSize, offset, format!("SZ[{text}]"));
                self.reading.unreadable = Some(Unreadable::BoardSize);
            }
        }
    }

    pub(super) fn header_value(&mut self, name: &str, value: &str, offset: usize) {
        let is_long = value.len() as u64 > self.limits.text;
        let value = if is_long { &*self.truncate_text(name, value, offset) } else { value };
        if has_odd_characters(value) {
            self.odd_characters(name, value, offset);
        } else {
            self.clean_value(name, value, offset);
        }
    }

    /// Returns the start of a text with an ellipsis, so that no parser takes a part of KM, RE or RU
    /// for the whole value.
    #[cold]
    fn truncate_text(&mut self, name: &str, value: &str, offset: usize) -> String {
        self.note(Code::LongText, offset, format!("{name} is cut at --max text={}", self.limits.text));
        format!("{}…", &value[..value.floor_char_boundary(self.limits.text as usize)])
    }

    #[cold]
    fn odd_characters(&mut self, name: &str, value: &str, offset: usize) {
        let mut value = Cow::Borrowed(value);
        if let Some((range, decoded)) = doubly_encoded(&value).next() {
            let detail = format!("{name} has {} for {}", excerpt(value[range].as_bytes()), excerpt(decoded.as_bytes()));
            self.note(Code::DoubleEncoding, offset, detail);
        } else if value.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            self.note(Code::ControlCharacters, offset, format!("{name} is read without them"));
        }
        value.to_mut().retain(|c| !c.is_control() || c.is_whitespace());
        if !value.is_ascii() && value.chars().any(|c| matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)) {
            self.note(Code::PrivateCharacters, offset, format!("{name} has some"));
        }
        self.clean_value(name, &value, offset);
    }

    fn clean_value(&mut self, name: &str, value: &str, offset: usize) {
        let header = &mut self.reading.record.header;
        let Some(property) = RootProperty::find(name.as_bytes()) else { return };
        match property.storage {
            Storage::Text(text) => (text.get_mut)(header).push_str(value),
            Storage::Komi => self.komi(value.trim(), offset),
            Storage::Handicap => match value.trim().parse() {
                Ok(stones) => header.handicap = Some(stones),
                Err(_) if value.trim().is_empty() => {}
                Err(_) if HalfPoints::parse(value.trim()).is_ok() => {
                    self.note(Code::HandicapIsKomi, offset, format!("HA[{value}]"));
                }
                Err(_) => self.note(Code::UnreadableHandicap, offset, format!("HA[{value}]")),
            },
            Storage::Result => {
                let is_coded = header.dialect.is_some_and(|dialect| dialect.coded_margins);
                let parse = if is_coded { RecordedResult::parse_coded } else { RecordedResult::parse };
                header.result = parse(value);
                header.result_text.push_str(value);
                self.result(offset);
            }
            // `board_size` reads SZ.
            Storage::Size | Storage::Nowhere => {}
        }
    }

    fn komi(&mut self, text: &str, offset: usize) {
        let unit = self.reading.record.header.dialect.map_or(KomiUnit::default(), |dialect| dialect.komi);
        match KomiText::parse(text, unit) {
            Ok(parsed) => {
                self.reading.record.header.komi = Some(parsed.komi);
                let other =
                    parsed.other_komi().map_or(String::new(), |komi| format!("; hundredths of zi would be {komi}"));
                for code in parsed.codes {
                    self.reading.record.header.komi_is_chinese |= !matches!(code, Code::KomiComma | Code::KomiForm);
                    self.note(code, offset, format!("KM[{text}] is read as {}{other}", parsed.komi));
                }
            }
            Err(_) if text.is_empty() => {}
            Err(error) => self.note(Code::UnreadableKomi, offset, format!("KM[{text}] {error}")),
        }
    }

    /// Reports the difference between RE and the forms of FF\[4\].
    fn result(&mut self, offset: usize) {
        let header = &self.reading.record.header;
        let (code, reading) = match (header.result.kind, header.result.oddity) {
            (ResultKind::Unreadable, _) => (Code::UnreadableResult, String::new()),
            (_, Some(ResultOddity::ZeroMargin)) => (Code::ZeroMargin, " is read as a win without a margin".into()),
            (_, Some(ResultOddity::UnknownReason)) => {
                (Code::ResultReason, format!(" is read as a {}", header.result.kind.name()))
            }
            (_, Some(ResultOddity::Zi)) => {
                let margin = header.result.black_minus_white.unwrap_or_default();
                (Code::ResultZi, format!(" is read as {margin} points, Black minus White"))
            }
            (ResultKind::Win, None) => (Code::MissingMargin, String::new()),
            _ if !is_ff4(&header.result_text) => {
                let form = header.result.text().unwrap_or_default();
                (Code::ResultForm, format!(" is read as {form}"))
            }
            _ => return,
        };
        let detail = format!("RE[{}]{reading}", header.result_text);
        self.note(code, offset, detail);
    }
}

/// Returns true if the text may contain control, private or doubly encoded characters.
///
/// False positives are possible for white space and for characters with similar bytes.
fn has_odd_characters(text: &str) -> bool {
    // C1 control characters begin with C2, doubly encoded ones contain C3, and private ones begin
    // with EE, EF, F3 or F4. A loop without early exit processes many bytes at once.
    text.bytes().fold(false, |has_odd, byte| {
        has_odd | (byte < b' ') | (byte == 0x7F) | matches!(byte, 0xC2 | 0xC3) | (byte >= 0xEE)
    })
}

/// Parses a size. The flag is true if it has the form of FF\[4\]. A letter is the coordinate of the
/// last line.
pub(crate) fn parse_size(text: &str) -> Option<(BoardSize, bool)> {
    // The fast path for nearly all sizes. All other texts take the general path.
    if let &[tens @ b'1'..=b'9', ones @ b'0'..=b'9'] = text.as_bytes()
        && let Some(size) = BoardSize::square((tens - b'0') * 10 + ones - b'0')
    {
        return Some((size, true));
    }
    let trimmed = text.trim();
    if let &[letter] = trimmed.as_bytes()
        && let Some(corner) = Point::from_sgf(letter, letter)
    {
        return Some((BoardSize::new(corner.x() + 1, corner.y() + 1)?, false));
    }
    let (width, height) = trimmed.split_once([':', 'x', 'X', '*', ',']).unwrap_or((trimmed, trimmed));
    let size = BoardSize::new(width.trim().parse().ok()?, height.trim().parse().ok()?)?;
    Some((size, text == size_text(size)))
}

/// Returns a size in the form of FF\[4\]: two numbers only if they differ.
pub fn size_text(size: BoardSize) -> String {
    let (width, height) = (size.width(), size.height());
    if width == height { width.to_string() } else { format!("{width}:{height}") }
}

#[cfg(test)]
mod tests {
    use crate::sgf::Limits;
    use crate::splitter::GameText;
    use crate::{DialectChoice, Reading, ResultKind};
    use jigo_rules::ru_property::parse_ru;

    #[test]
    fn part_of_a_long_value_is_not_read() {
        let limits = Limits { text: 3, ..Limits::default() };
        for (komi, result, rules) in [("16.5", "B+12", "NZ Rules"), ("0.55", "B+R 5", "AGA 3")] {
            let sgf = format!("(;GM[1]SZ[9]KM[{komi}]RE[{result}]RU[{rules}])");
            let header = Reading::with_limits(&GameText::from_sgf(&sgf), DialectChoice::Auto, limits).record.header;
            assert_eq!((header.komi, header.result.kind), (None, ResultKind::Unreadable), "{sgf}");
            assert_eq!((parse_ru(&header.rules, &[]), header.rules), (None, format!("{}…", &rules[..3])));
        }
    }
}
