//! Dates in records: full dates, or only a year or a month.

/// A day, a month or a year. Two dates can be compared only in the parts that both have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    /// The year, from 1000 to 2999.
    pub year: u16,
    /// The month, from 1.
    pub month: Option<u8>,
    /// The day, from 1. It requires a month.
    pub day: Option<u8>,
}

jigo_rules::named! {
    /// The precision of a recorded [`Date`].
    pub enum Precision {
        /// One day.
        Day = "day",
        /// Several days; the date is the first of them.
        Days = "days",
        /// A month.
        Month = "month",
        /// A year.
        Year = "year",
    }
}

impl Date {
    /// Returns a date if it exists.
    pub(super) fn existing(year: u16, month: u16, day: Option<u16>) -> Option<Date> {
        let month = u8::try_from(month).ok().filter(|month| (1..=12).contains(month))?;
        if !(1000..=2999).contains(&year) {
            return None;
        }
        let day = match day {
            Some(day) => Some(u8::try_from(day).ok().filter(|day| (1..=days_of(year, month)).contains(day))?),
            None => None,
        };
        Some(Date { year, month: Some(month), day })
    }

    /// Returns the precision of a single date.
    pub(super) fn precision(&self) -> Precision {
        match (self.month, self.day) {
            (None, _) => Precision::Year,
            (Some(_), None) => Precision::Month,
            (Some(_), Some(_)) => Precision::Day,
        }
    }

    /// Returns the first date in a text that begins with its year, and its precision.
    pub(super) fn find_leading_year(text: &str) -> Option<(Date, Precision)> {
        let bytes = text.as_bytes();
        let is_digit = |start: usize| bytes.get(start).is_some_and(u8::is_ascii_digit);
        let starts = (0..bytes.len()).filter(|start| is_digit(*start) && (*start == 0 || !is_digit(start - 1)));
        let year = |start: usize| -> Option<(u16, &str)> {
            let end = (start..).find(|end| !is_digit(*end))?;
            let year = text[start..end].parse().ok().filter(|year| end - start == 4 && (1000..=2999).contains(year))?;
            Some((year, &text[end..]))
        };
        let Some((year, rest)) = starts.clone().filter_map(year).next() else {
            return starts.filter_map(|start| eight_digits(&text[start..])).next();
        };
        let Some((month, rest)) = number_part(rest, 12) else {
            return Some((Date { year, month: None, day: None }, Precision::Year));
        };
        let date = |day| Date { year, month: Some(month), day };
        Some(match number_part(rest, days_of(year, month)) {
            Some((day, rest)) => (date(Some(day)), day_or_days(rest)),
            None => (date(None), Precision::Month),
        })
    }

    /// Returns the first possible day, in days from 1970-01-01.
    ///
    /// Source: Hinnant, chrono-Compatible Low-Level Date Algorithms, `days_from_civil`.
    pub fn first_day(&self) -> i32 {
        let (month, day) = (i32::from(self.month.unwrap_or(1)), i32::from(self.day.unwrap_or(1)));
        // Years begin with March, so that a leap day is the last day of its year.
        let year = i32::from(self.year) - i32::from(month <= 2);
        let (century, of_century) = (year / 400, year % 400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        century * 146_097 + of_century * 365 + of_century / 4 - of_century / 100 + day_of_year - 719_468
    }

    /// Returns true if a text is certainly a day in the form of [`Date::iso`], so that no search is
    /// needed.
    ///
    /// It returns false for the last days of months and for centuries without records, which
    /// require [`Date::find`].
    pub fn is_standard_date(text: &str) -> bool {
        let &[a, b, c, d, b'-', m, n, b'-', x, y] = text.as_bytes() else { return false };
        let is_month = matches!([m, n], [b'0', b'1'..=b'9'] | [b'1', b'0'..=b'2']);
        let is_day_below_29 = matches!([x, y], [b'0', b'1'..=b'9'] | [b'1', b'0'..=b'9'] | [b'2', b'0'..=b'8']);
        matches!([a, b], [b'1', b'9'] | [b'2', b'0'])
            && [c, d].iter().all(u8::is_ascii_digit)
            && is_month
            && is_day_below_29
    }

    /// Returns the known parts in the form of ISO 8601.
    pub fn iso(&self) -> String {
        let part = |part: Option<u8>| part.map_or(String::new(), |part| format!("-{part:02}"));
        format!("{:04}{}{}", self.year, part(self.month), part(self.day))
    }

    /// Returns the first and the last possible day as numbers. Their order is the order of days.
    pub fn days(&self) -> (u32, u32) {
        let number = |month: u8, day: u8| (u32::from(self.year) * 16 + u32::from(month)) * 32 + u32::from(day);
        let first = number(self.month.unwrap_or(1), self.day.unwrap_or(1));
        (first, number(self.month.unwrap_or(12), self.day.unwrap_or(31)))
    }
}

/// Returns the number of days of a month in the Gregorian calendar.
pub(crate) fn days_of(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u8::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Parses a day such as `20180427` at the start of a text, unless more digits follow.
fn eight_digits(text: &str) -> Option<(Date, Precision)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(8).filter(|_| length == 8)?;
    let date = Date::existing(digits[..4].parse().ok()?, digits[4..6].parse().ok()?, digits[6..].parse().ok())?;
    Some((date, day_or_days(rest)))
}

/// Returns the precision of a date whose text continues with `rest` after the day.
fn day_or_days(rest: &str) -> Precision {
    if begins_another_day(rest) { Precision::Days } else { Precision::Day }
}

/// Returns true if the text after a day continues with another day. FF[4] separates days with
/// commas; other programs use other signs.
fn begins_another_day(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['日', '일', ' ']);
    let list = rest.strip_prefix([',', '，', '、', '~', '～', '/', '&']);
    list.is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Parses a separator and a number from 1 to `maximum`. Returns the number and the rest.
fn number_part(text: &str, maximum: u8) -> Option<(u8, &str)> {
    let rest = text.strip_prefix(['-', '.', '/', '年', '月', '년', '월'])?.trim_start_matches(' ');
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok().filter(|number| end <= 2 && (1..=maximum).contains(number))?;
    Some((number, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A day that the quick test accepts must equal the day that the search finds.
    #[test]
    fn plain_days_are_found_unchanged() {
        for (year, month) in
            [1899, 1999, 2000, 2024].into_iter().flat_map(|year| (0..=13).map(move |month| (year, month)))
        {
            for text in
                (0..=32).map(|day| format!("{year}-{month:02}-{day:02}")).filter(|text| Date::is_standard_date(text))
            {
                assert_eq!(Date::find(&text).map(|date| date.iso()), Some(text));
            }
        }
        assert!(Date::is_standard_date("2016-03-06") && !Date::is_standard_date("2016-03-06 17:29"));
    }

    #[test]
    fn dates_are_found_as_far_as_they_go() {
        for (text, iso) in [
            ("2016-03-09", "2016-03-09"),
            ("2018.04.27", "2018-04-27"),
            ("2017.08.09 18:16", "2017-08-09"),
            ("2003-11", "2003-11"),
            ("2004-05-06,07", "2004-05-06"),
            ("1998年5月6日", "1998-05-06"),
            ("1998年 5月", "1998-05"),
            ("Published on 2016-03-09", "2016-03-09"),
            ("Published on 1 Sep 1998", "1998"),
            ("2016-13-09", "2016"),
            ("2016-03-32", "2016-03"),
            ("0000-00-00", ""),
            ("20040506", "2004-05-06"),
            ("20180427 18:16", "2018-04-27"),
            ("game 20181399", ""),
            ("20190229", ""),
            ("120180427", ""),
            ("09990101", ""),
            ("20180427 in 2019", "2019"),
            ("", ""),
        ] {
            assert_eq!(Date::find(text).map_or(String::new(), |date| date.iso()), iso, "{text}");
        }
    }

    #[test]
    fn several_days_and_impossible_days_are_recognised() {
        for (text, iso, precision) in [
            ("2016-03-09", "2016-03-09", Precision::Day),
            ("2017.08.09 18:16", "2017-08-09", Precision::Day),
            ("2004-05-06,07", "2004-05-06", Precision::Days),
            ("2004-05-06, 2004-05-08", "2004-05-06", Precision::Days),
            ("1998年5月6日、7日", "1998-05-06", Precision::Days),
            ("2003-11", "2003-11", Precision::Month),
            ("2003-11,12", "2003-11", Precision::Month),
            ("2015-02-29", "2015-02", Precision::Month),
            ("2016-02-29", "2016-02-29", Precision::Day),
            ("1900-02-29", "1900-02", Precision::Month),
            ("2003", "2003", Precision::Year),
            ("20180427", "2018-04-27", Precision::Day),
            ("20180427,28", "2018-04-27", Precision::Days),
        ] {
            let read = Date::find_with_precision(text).map(|(date, precision)| (date.iso(), precision));
            assert_eq!(read, Some((iso.into(), precision)), "{text}");
        }
    }

    /// Counts the days one by one from a known day.
    #[test]
    fn days_follow_one_another() {
        let mut number = Date { year: 1970, month: Some(1), day: Some(1) }.first_day();
        assert_eq!(number, 0);
        for year in 1970..2100 {
            assert_eq!(Date { year, month: None, day: None }.first_day(), number);
            for month in 1..=12 {
                for day in 1..=days_of(year, month) {
                    assert_eq!(Date { year, month: Some(month), day: Some(day) }.first_day(), number);
                    number += 1;
                }
            }
        }
        assert_eq!(Date { year: 1000, month: None, day: None }.first_day(), -354_285);
    }

    #[test]
    fn only_a_date_alone_is_read_as_one() {
        assert_eq!(Date::parse("2016-03").map(|date| date.iso()), Some("2016-03".into()));
        for text in ["2016-3", "2016-13", "2016.03", "20160309", "on 2016", "16", ""] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
