//! Numbers, units and words of a text about time.

/// The longest main time or period that is read, in seconds: ten years.
pub(super) const MAX_SECONDS: i64 = 10 * 366 * 86_400;

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuantityUnit {
    /// No unit. A time is then in seconds.
    Unknown,
    /// A unit of time, as a number of seconds.
    Seconds(i64),
    /// Stones or turns.
    Stones,
    /// Periods.
    Periods,
    /// A time without a number, as in `1 move / min`.
    PerMinute,
}

impl QuantityUnit {
    /// Returns true for units of time.
    pub(super) fn is_time(self) -> bool {
        matches!(self, QuantityUnit::Seconds(_) | QuantityUnit::PerMinute)
    }

    /// Returns true for units of a number of stones or periods.
    pub(super) fn is_count(self) -> bool {
        matches!(self, QuantityUnit::Stones | QuantityUnit::Periods)
    }
}

/// A number with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    /// The number in thousandths.
    pub(super) thousandths: i64,
    /// The unit.
    pub(super) unit: QuantityUnit,
}

impl Quantity {
    /// Returns the number as a time in thousandths of a second, if it is a possible one.
    pub(super) fn time(self) -> Option<i64> {
        let factor = match self.unit {
            QuantityUnit::Seconds(seconds) => seconds,
            QuantityUnit::PerMinute => 60,
            QuantityUnit::Unknown => 1,
            QuantityUnit::Stones | QuantityUnit::Periods => return None,
        };
        let time = self.thousandths.checked_mul(factor)?;
        (1..=MAX_SECONDS * 1000).contains(&time).then_some(time)
    }

    /// Returns the number as a whole number of stones or periods.
    pub(super) fn count(self) -> Option<u32> {
        let is_whole = self.thousandths % 1000 == 0 && !self.unit.is_time();
        u32::try_from(self.thousandths / 1000).ok().filter(|_| is_whole)
    }
}

/// A word or sign that decides the meaning of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OvertimeWord {
    None,
    ByoYomi,
    Canadian,
    Fischer,
    Simple,
    /// Each turn has the time.
    PerTurn,
    /// Separates stones and their time.
    Slash,
    /// Separates periods and their time.
    Times,
}

/// The meaning of a word.
#[derive(Clone, Copy)]
enum Meaning {
    Word(OvertimeWord),
    Unit(QuantityUnit),
    /// The word may occur anywhere without any meaning.
    Filler,
}

/// The known words in lower case, by their meaning. In the scripts of East Asia words are not
/// separated, and the first match wins, so a longer word comes before its beginning.
static WORDS: [(&[&str], Meaning); 15] = {
    use Meaning::{Unit as Of, Word};
    use OvertimeWord::{ByoYomi, Canadian, Fischer, None, PerTurn, Simple, Slash, Times};
    use QuantityUnit::{Periods, Seconds, Stones};
    [
        (&["none", "no", "absolute", "包干", "包幹", "無", "无", "없음"], Word(None)),
        (&["byo-yomi", "byoyomi", "byo", "japanese"], Word(ByoYomi)),
        (&["秒読み", "読秒", "读秒", "讀秒", "秒读", "秒讀", "초읽기"], Word(ByoYomi)),
        (&["canadian"], Word(Canadian)),
        (&["fischer"], Word(Fischer)),
        (&["simple"], Word(Simple)),
        (&["每手", "一手", "毎手"], Word(PerTurn)),
        (&["in", "/"], Word(Slash)),
        (&["x", "*", "×"], Word(Times)),
        (&["s", "sec", "secs", "second", "seconds", "秒", "초"], Of(Seconds(1))),
        (&["m", "min", "mins", "minute", "minutes", "分钟", "分鐘", "分", "분"], Of(Seconds(60))),
        (&["h", "hr", "hrs", "hour", "hours", "小时", "小時", "時間", "时", "시간"], Of(Seconds(3600))),
        (&["day", "days"], Of(Seconds(86_400))),
        (&["move", "moves", "stone", "stones", "turn", "turns", "手", "子"], Of(Stones)),
        (&["period", "periods", "times", "回", "次", "회", "번"], Of(Periods)),
    ]
};

/// Words and signs that have no meaning.
const FILLERS: [&str; 13] =
    ["yomi", "increment", "per", "each", "every", "style", "overtime", "time", "of", "and", "'", ":", "+"];

/// Returns all known words with their meanings.
fn known_words() -> impl Iterator<Item = (&'static str, Meaning)> {
    let fillers = FILLERS.into_iter().map(|word| (word, Meaning::Filler));
    WORDS.iter().flat_map(|(words, meaning)| words.iter().map(move |word| (*word, *meaning))).chain(fillers)
}

/// The largest number of numbers and words in a text that is read.
const MAX_TOKENS: usize = 16;

/// Returns the numbers and the words of a text; `None` if it contains anything else.
pub(super) fn tokens(text: &str) -> Option<(Vec<Quantity>, Vec<OvertimeWord>)> {
    let lower = text.to_lowercase();
    let (mut quantities, mut words): (Vec<Quantity>, Vec<OvertimeWord>) = (Vec::new(), Vec::new());
    let mut rest = skip_blanks(&lower);
    // A unit belongs to the number directly before it.
    let mut follows_number = false;
    while !rest.is_empty() {
        if quantities.len() + words.len() > MAX_TOKENS {
            return None;
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let number = rest[..end].trim_end_matches('.');
            quantities.push(Quantity { thousandths: milliseconds(number)?, unit: QuantityUnit::Unknown });
            (rest, follows_number) = (skip_blanks(&rest[end..]), true);
            continue;
        }
        let (word, after) = next_word(rest);
        let (_, meaning) = known_words().find(|(known, _)| *known == word)?;
        match meaning {
            Meaning::Word(word) => words.push(word),
            Meaning::Filler => {}
            Meaning::Unit(unit) => match quantities.last_mut().filter(|_| follows_number) {
                Some(quantity) => quantity.unit = unit,
                // `30 seconds per move` and `1 move / min`.
                None if unit == QuantityUnit::Stones => words.push(OvertimeWord::PerTurn),
                None if unit == QuantityUnit::Seconds(60) && words.last() == Some(&OvertimeWord::Slash) => {
                    quantities.push(Quantity { thousandths: 1000, unit: QuantityUnit::PerMinute });
                }
                None => return None,
            },
        }
        (rest, follows_number) = (skip_blanks(after), false);
    }
    Some((quantities, words))
}

/// Skips white space and punctuation between words.
fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';' | '(' | ')' | '，' | '、'))
}

/// Returns the next word or sign, and the text after it.
fn next_word(text: &str) -> (&str, &str) {
    let letters = text.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(text.len());
    if letters > 0 {
        return text.split_at(letters);
    }
    let is_separated = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let known = known_words().find(|(word, _)| !is_separated(word) && text.starts_with(word));
    let length = known.map_or_else(|| text.chars().next().map_or(0, char::len_utf8), |(word, _)| word.len());
    text.split_at(length)
}

/// Parses a number of seconds without sign, up to the longest time.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    thousandths(text).filter(|time| *time / 1000 <= MAX_SECONDS)
}

/// Parses a number without sign in thousandths. Digits after the third decimal are dropped.
pub(crate) fn thousandths(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if seconds.is_empty() || seconds.len() > 12 || !all_digits(seconds) || !all_digits(fraction) {
        return None;
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(seconds.parse::<i64>().ok()? * 1000 + thousandths.parse::<i64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_words_come_before_their_beginnings() {
        for (index, (word, _)) in known_words().enumerate() {
            let is_separated = word.starts_with(|c: char| c.is_ascii_alphabetic());
            let mut earlier = known_words().take(index).filter(|_| !is_separated);
            assert!(!earlier.any(|(earlier, _)| word.starts_with(earlier)), "{word} is never found");
        }
    }

    #[test]
    fn any_text_ends() {
        for text in ["-", "--", "é", "1.", "....", "3x", "x3", "\u{0}", "3\u{301}", "1.2.3", &"3x".repeat(1000)] {
            let _ = tokens(text);
        }
    }
}
