//! Dates as records give them: whole, or a year or month alone.

/// A day, a month or a year. Two of them can be compared only as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    /// The year, from 1000 to 2999.
    pub year: u16,
    /// The month, from 1.
    pub month: Option<u8>,
    /// The day, from 1; only where there is a month.
    pub day: Option<u8>,
}

impl Date {
    /// The first date in a text that begins with its year, such as `2016-03-09`, `2018.04.27`, `2003-11`, `1998年5月6日` or `Published on 2016-03-09`.
    /// A text that has a year elsewhere, such as `1 Sep 1998`, gives the year.
    pub fn find(text: &str) -> Option<Date> {
        let bytes = text.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let starts = (0..bytes.len()).filter(|at| is_digit(*at) && (*at == 0 || !is_digit(at - 1)));
        let year = |at: usize| -> Option<(u16, &str)> {
            let end = (at..).find(|end| !is_digit(*end))?;
            let year = text[at..end].parse().ok().filter(|year| end - at == 4 && (1000..=2999).contains(year))?;
            Some((year, &text[end..]))
        };
        let (year, rest) = starts.filter_map(year).next()?;
        let Some((month, rest)) = part(rest, 12) else { return Some(Date { year, month: None, day: None }) };
        let day = part(rest, 31).map(|(day, _)| day);
        Some(Date { year, month: Some(month), day })
    }

    /// Reads a date that is nothing else: `2016`, `2016-03` or `2016-03-09`.
    pub fn parse(text: &str) -> Option<Date> {
        let date = Date::find(text)?;
        (date.iso() == text).then_some(date)
    }

    /// As ISO 8601 writes it, as far as it is known.
    pub fn iso(&self) -> String {
        let part = |part: Option<u8>| part.map_or(String::new(), |part| format!("-{part:02}"));
        format!("{:04}{}{}", self.year, part(self.month), part(self.day))
    }

    /// The first and the last day that it may be, as numbers in the order of days.
    pub fn days(&self) -> (u32, u32) {
        let number = |month: u8, day: u8| (u32::from(self.year) * 16 + u32::from(month)) * 32 + u32::from(day);
        let from = number(self.month.unwrap_or(1), self.day.unwrap_or(1));
        (from, number(self.month.unwrap_or(12), self.day.unwrap_or(31)))
    }
}

/// A separator and the number behind it, from 1, and what follows.
fn part(text: &str, most: u8) -> Option<(u8, &str)> {
    let rest = text.strip_prefix(['-', '.', '/', '年', '月', '년', '월'])?.trim_start_matches(' ');
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok().filter(|number| end <= 2 && (1..=most).contains(number))?;
    Some((number, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("20040506", ""),
            ("", ""),
        ] {
            assert_eq!(Date::find(text).map_or(String::new(), |date| date.iso()), iso, "{text}");
        }
    }

    #[test]
    fn only_a_date_alone_is_read_as_one() {
        assert_eq!(Date::parse("2016-03").map(|date| date.iso()), Some("2016-03".into()));
        for text in ["2016-3", "2016-13", "2016.03", "on 2016", "16", ""] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
