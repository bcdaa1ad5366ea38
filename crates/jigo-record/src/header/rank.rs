//! Ranks of players and their order.

use std::fmt;

/// A rank: 30k to 1k, 1d to 9d, then 1p to 9p, from weak to strong.
///
/// Additions of servers and newspapers are ignored: `9d*`, `5k?`, `4 dan`. Japanese, Chinese and
/// Korean forms are accepted: `初段`, `9段`, `三级`, `1단`. `九段` is read as 9d, since the word does not
/// tell amateurs and professionals apart; `职业九段` is 9p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(i8);

/// The weakest kyu.
const MAX_KYU: i8 = 30;
/// The highest dan, for amateurs and professionals.
const MAX_DAN: i8 = 9;

/// Units as written. A longer unit comes before its prefixes.
const UNITS: [(&[&str], Grade); 3] = [
    (&["dan pro", "단 프로", "d pro", "dan p", "p dan", "pro", "dp", "p"], Grade::Pro),
    (&["dan", "d", "段", "단"], Grade::Dan),
    (&["kyu", "gup", "k", "級", "级", "급"], Grade::Kyu),
];
/// Prefixes that turn a dan into a professional dan.
const PROFESSIONAL: [&str; 6] = ["职业", "職業", "プロ", "프로", "pro", "p"];
/// The East Asian numbers from 1 to 10. 初 and 초 mean the first.
const DIGITS: [&str; 10] = ["初초一壱", "二", "三", "四", "五", "六", "七", "八", "九", "十"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Grade {
    Kyu,
    Dan,
    Pro,
}

impl Rank {
    /// Parses a rank; `None` for other or unknown texts.
    pub fn parse(text: &str) -> Option<Rank> {
        Some(Rank::read(text)?.0)
    }

    /// Returns a rank in the form of FF\[4\] or, for a professional, as `9p`. Keeps its sign for
    /// an uncertain (`?`) or established (`*`) rating.
    ///
    /// Returns `None` if the text has two readings: a dan in East Asian form may be that of a
    /// professional.
    pub fn standard_form(text: &str) -> Option<String> {
        let (rank, is_certain, additions) = Rank::read(text)?;
        (is_certain && matches!(&*additions, "" | "?" | "*")).then(|| format!("{rank}{additions}"))
    }

    /// Parses a rank. Returns it with whether it has one reading, and with the ignored additions.
    fn read(text: &str) -> Option<(Rank, bool, String)> {
        let to_halfwidth = |c: char| match c {
            '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
            '　' => ' ',
            c => c,
        };
        let text: String = text.trim().chars().map(to_halfwidth).flat_map(char::to_lowercase).collect();
        let after_prefix = PROFESSIONAL.iter().find_map(|word| text.strip_prefix(word));
        let (number, rest) = number(after_prefix.unwrap_or(&text).trim_start())?;
        let unit_of =
            |(names, unit): &(&[&str], Grade)| Some((*unit, names.iter().find_map(|name| rest.strip_prefix(name))?));
        let is_east_asian_dan = rest.starts_with(['段', '단']);
        let (unit, rest) = UNITS.iter().find_map(unit_of)?;
        let is_certain = match (after_prefix.is_some(), unit) {
            (true, unit) => unit != Grade::Kyu,
            (false, unit) => unit != Grade::Dan || !is_east_asian_dan,
        };
        // 初級 is the class of beginners.
        if unit == Grade::Kyu && text.starts_with(['初', '초']) {
            return None;
        }
        let is_ignored = |c: char| matches!(c, '*' | '?' | '+' | '-' | '!' | '~' | '★' | '.') || c.is_whitespace();
        if !rest.chars().all(is_ignored) {
            return None;
        }
        let grade = if after_prefix.is_some() && unit == Grade::Dan { Grade::Pro } else { unit };
        Some((Rank::from_number(number, grade)?, is_certain, rest.trim().to_owned()))
    }

    fn from_number(number: i8, unit: Grade) -> Option<Rank> {
        match unit {
            Grade::Kyu => (1..=MAX_KYU).contains(&number).then_some(Rank(1 - number)),
            Grade::Dan => (1..=MAX_DAN).contains(&number).then_some(Rank(number)),
            Grade::Pro => (1..=MAX_DAN).contains(&number).then_some(Rank(MAX_DAN + number)),
        }
    }
}

/// Parses a number at the start of a text. Returns it and the rest without leading blanks.
fn number(text: &str) -> Option<(i8, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end > 0 {
        return Some((text[..end].parse().ok()?, text[end..].trim_start()));
    }
    let digit_value = |c: char| Some((c, (1..).zip(DIGITS).find(|(_, forms)| forms.contains(c))?.0));
    let (mut value, mut length) = (0_i8, 0);
    for (digit, digit_value) in text.chars().map_while(digit_value) {
        // 十八 is 18, 二十 is 20, 二十五 is 25.
        value = match (digit_value, value) {
            (10, 0) => 10,
            (10, tens @ 1..=2) => tens * 10,
            (ones @ 1..=9, tens @ (0 | 10 | 20)) => tens + ones,
            _ => return None,
        };
        length += digit.len_utf8();
    }
    (length > 0).then(|| (value, text[length..].trim_start()))
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            kyu @ ..=0 => write!(f, "{}k", 1 - kyu),
            dan @ 1..=MAX_DAN => write!(f, "{dan}d"),
            pro => write!(f, "{}p", pro - MAX_DAN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Rank::parse(text).map_or("-".into(), |rank| rank.to_string())
    }

    #[test]
    fn ranks_are_ordered_and_round_trip_as_text() {
        let names = (1..=30).rev().map(|kyu| format!("{kyu}k"));
        let names: Vec<String> =
            names.chain((1..=9).map(|dan| format!("{dan}d"))).chain((1..=9).map(|pro| format!("{pro}p"))).collect();
        let ranks: Vec<Rank> = names.iter().map(|name| Rank::parse(name).unwrap()).collect();
        assert!(ranks.is_sorted_by(|weaker, stronger| weaker < stronger));
        assert_eq!(ranks.iter().map(Rank::to_string).collect::<Vec<_>>(), names);
    }

    #[test]
    fn rank_is_parsed_in_every_spelling() {
        for (text, rank) in [
            ("9d*", "9d"),
            ("5k?", "5k"),
            (" 4 dan ", "4d"),
            ("4 Dan", "4d"),
            ("１０Ｋ", "-"),
            ("１０k", "10k"),
            ("18 kyu", "18k"),
            ("初段", "1d"),
            ("초단", "1d"),
            ("9段", "9d"),
            ("九段", "9d"),
            ("十八級", "18k"),
            ("二十五级", "25k"),
            ("1단", "1d"),
            ("18급", "18k"),
            ("3p", "3p"),
            ("9dp", "9p"),
            ("9 dan pro", "9p"),
            ("9단 프로", "9p"),
            ("P9段", "9p"),
            ("职业九段", "9p"),
            ("プロ六段", "6p"),
            ("6d.", "6d"),
        ] {
            assert_eq!(shown(text), rank, "{text}");
        }
    }

    #[test]
    fn rank_with_one_reading_has_a_standard_form() {
        for (text, form) in [
            ("9 dan", Some("9d")),
            ("P9d", Some("9p")),
            ("P9段", Some("9p")),
            ("职业九段", Some("9p")),
            ("9단 프로", Some("9p")),
            ("十八級", Some("18k")),
            ("5K?", Some("5k?")),
            ("3d *", Some("3d*")),
            ("9 段", None),
            ("九段", None),
            ("초단", None),
            ("初級", None),
            ("p5k", None),
            ("9d+", None),
            ("6d.", None),
            ("10d", None),
        ] {
            assert_eq!(Rank::standard_form(text).as_deref(), form, "{text}");
            assert_eq!(form.and_then(Rank::standard_form).as_deref(), form, "{text}");
        }
    }

    #[test]
    fn malformed_rank_is_none() {
        for text in [
            "",
            "NR",
            "?",
            "-",
            "d",
            "p",
            "31k",
            "0k",
            "10d",
            "10p",
            "99999999999d",
            "9",
            "2100",
            "5x",
            "Meijin",
            "5dxx",
            "段",
            "十十段",
        ] {
            assert_eq!(shown(text), "-", "{text}");
        }
    }
}
