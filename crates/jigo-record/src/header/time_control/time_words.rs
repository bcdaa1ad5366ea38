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

/// The known words in lower case. In the scripts of East Asia words are not separated, and the
/// first match wins, so a longer word comes before its beginning.
const WORDS: [(&str, Meaning); 86] = {
    use Meaning::{Filler, Unit as Of, Word};
    use OvertimeWord::{ByoYomi, Canadian, Fischer, None, PerTurn, Simple, Slash, Times};
    use QuantityUnit::{Periods, Seconds, Stones};
    [
        ("none", Word(None)),
        ("no", Word(None)),
        ("absolute", Word(None)),
        ("byo-yomi", Word(ByoYomi)),
        ("byoyomi", Word(ByoYomi)),
        ("byo", Word(ByoYomi)),
        ("yomi", Filler),
        ("japanese", Word(ByoYomi)),
        ("canadian", Word(Canadian)),
        ("fischer", Word(Fischer)),
        ("increment", Filler),
        ("simple", Word(Simple)),
        ("per", Filler),
        ("each", Filler),
        ("every", Filler),
        ("style", Filler),
        ("overtime", Filler),
        ("time", Filler),
        ("of", Filler),
        ("and", Filler),
        ("in", Word(Slash)),
        ("/", Word(Slash)),
        ("x", Word(Times)),
        ("*", Word(Times)),
        ("×", Word(Times)),
        ("s", Of(Seconds(1))),
        ("sec", Of(Seconds(1))),
        ("secs", Of(Seconds(1))),
        ("second", Of(Seconds(1))),
        ("seconds", Of(Seconds(1))),
        ("m", Of(Seconds(60))),
        ("min", Of(Seconds(60))),
        ("mins", Of(Seconds(60))),
        ("minute", Of(Seconds(60))),
        ("minutes", Of(Seconds(60))),
        ("h", Of(Seconds(3600))),
        ("hr", Of(Seconds(3600))),
        ("hrs", Of(Seconds(3600))),
        ("hour", Of(Seconds(3600))),
        ("hours", Of(Seconds(3600))),
        ("day", Of(Seconds(86_400))),
        ("days", Of(Seconds(86_400))),
        ("move", Of(Stones)),
        ("moves", Of(Stones)),
        ("stone", Of(Stones)),
        ("stones", Of(Stones)),
        ("turn", Of(Stones)),
        ("turns", Of(Stones)),
        ("period", Of(Periods)),
        ("periods", Of(Periods)),
        ("times", Of(Periods)),
        ("秒読み", Word(ByoYomi)),
        ("読秒", Word(ByoYomi)),
        ("读秒", Word(ByoYomi)),
        ("讀秒", Word(ByoYomi)),
        ("秒读", Word(ByoYomi)),
        ("秒讀", Word(ByoYomi)),
        ("초읽기", Word(ByoYomi)),
        ("包干", Word(None)),
        ("包幹", Word(None)),
        ("無", Word(None)),
        ("无", Word(None)),
        ("없음", Word(None)),
        ("秒", Of(Seconds(1))),
        ("초", Of(Seconds(1))),
        ("分钟", Of(Seconds(60))),
        ("分鐘", Of(Seconds(60))),
        ("分", Of(Seconds(60))),
        ("분", Of(Seconds(60))),
        ("小时", Of(Seconds(3600))),
        ("小時", Of(Seconds(3600))),
        ("時間", Of(Seconds(3600))),
        ("时", Of(Seconds(3600))),
        ("시간", Of(Seconds(3600))),
        ("回", Of(Periods)),
        ("次", Of(Periods)),
        ("회", Of(Periods)),
        ("번", Of(Periods)),
        ("手", Of(Stones)),
        ("子", Of(Stones)),
        ("每手", Word(PerTurn)),
        ("一手", Word(PerTurn)),
        ("毎手", Word(PerTurn)),
        ("'", Filler),
        (":", Filler),
        ("+", Filler),
    ]
};

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
        let (_, meaning) = WORDS.iter().find(|(known, _)| *known == word)?;
        match meaning {
            Meaning::Word(word) => words.push(*word),
            Meaning::Filler => {}
            Meaning::Unit(unit) => match quantities.last_mut().filter(|_| follows_number) {
                Some(quantity) => quantity.unit = *unit,
                // `30 seconds per move` and `1 move / min`.
                None if *unit == QuantityUnit::Stones => words.push(OvertimeWord::PerTurn),
                None if *unit == QuantityUnit::Seconds(60) && words.last() == Some(&OvertimeWord::Slash) => {
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
    let known =
        WORDS.iter().find(|(word, _)| !word.starts_with(|c: char| c.is_ascii_alphabetic()) && text.starts_with(word));
    let length = known.map_or_else(|| text.chars().next().map_or(0, char::len_utf8), |(word, _)| word.len());
    text.split_at(length)
}

/// Parses a number of seconds without sign. Digits after the third decimal are dropped.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if seconds.is_empty() || seconds.len() > 12 || !all_digits(seconds) || !all_digits(fraction) {
        return None;
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    let seconds = seconds.parse::<i64>().ok().filter(|seconds| *seconds <= MAX_SECONDS)?;
    Some(seconds * 1000 + thousandths.parse::<i64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_words_come_before_their_beginnings() {
        for (index, (word, _)) in WORDS.iter().enumerate() {
            let is_separated = word.starts_with(|c: char| c.is_ascii_alphabetic());
            let earlier =
                WORDS[..index].iter().filter(|_| !is_separated).find(|(earlier, _)| word.starts_with(earlier));
            assert!(earlier.is_none(), "{word} is never found");
        }
    }

    #[test]
    fn any_text_ends() {
        for text in ["-", "--", "é", "1.", "....", "3x", "x3", "\u{0}", "3\u{301}", "1.2.3", &"3x".repeat(1000)] {
            let _ = tokens(text);
        }
    }
}
