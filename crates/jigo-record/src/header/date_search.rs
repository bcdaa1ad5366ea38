//! The search for the date in DT.

use super::date::{Date, Precision};
use super::written_date;

impl Date {
    /// Returns the first date in a text.
    ///
    /// It begins with the year, as in `2016-03-09`, `2018.04.27`, `2003-11`, `1998年5月6日` or
    /// `Published on 2016-03-09`. A text without a separate year gives its first day in eight
    /// digits, such as `20180427`. A text that is only a date with one reading gives this date, as
    /// `1 Sep 1998` and `昭和45年3月5日` do. Other texts with a year, such as `03.05.1999`, give the
    /// year.
    pub fn find(text: &str) -> Option<Date> {
        Date::find_with_precision(text).map(|(date, _)| date)
    }

    /// Returns the first date in a text as [`Date::find`] does, and its precision.
    pub fn find_with_precision(text: &str) -> Option<(Date, Precision)> {
        let found = Date::find_leading_year(text);
        if found.is_some_and(|(_, precision)| precision != Precision::Year) || Date::is_year(text) {
            return found;
        }
        let written = written_date::parse(text).map(|date| (date, date.precision()));
        written.or(found)
    }

    /// Returns true if a text is a year of four digits or empty.
    fn is_year(text: &str) -> bool {
        text.is_empty() || text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Parses a text that is only a date: `2016`, `2016-03` or `2016-03-09`.
    pub fn parse(text: &str) -> Option<Date> {
        let date = Date::find(text)?;
        (date.iso() == text).then_some(date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_dates_are_found_if_certain() {
        for (text, iso, precision) in [
            ("12th of March 94", "1994-03-12", Precision::Day),
            ("May 3 1999", "1999-05-03", Precision::Day),
            ("Sept. 1998", "1998-09", Precision::Month),
            ("13.05.1999", "1999-05-13", Precision::Day),
            ("03.05.1999", "1999", Precision::Year),
            ("昭和45年3月5日", "1970-03-05", Precision::Day),
            ("平成元年", "1989", Precision::Year),
            ("1999", "1999", Precision::Year),
            ("1999-05-03, evening", "1999-05-03", Precision::Day),
            ("Published on 1 Sep 1998", "1998", Precision::Year),
        ] {
            let found = Date::find_with_precision(text).map(|(date, precision)| (date.iso(), precision));
            assert_eq!(found, Some((iso.into(), precision)), "{text}");
        }
    }
}
