//! The form of DT: days, months or years in the form of ISO 8601, in a list with shortcuts.

use super::violation::Fault;
use crate::finding::Code;
use crate::header::Date;
use crate::header::date::days_of;

/// The date before another one in a list. It decides which parts the next one may leave out.
#[derive(Clone, Copy)]
enum Previous {
    /// Nothing: the first date has a year.
    None,
    /// A year.
    Year,
    /// A month of this year.
    Month(u16),
    /// A day in this month of this year.
    Day(u16, u8),
}

/// Returns the fault of a DT value. An empty one states no date.
pub(super) fn fault(value: &[u8]) -> Option<Fault> {
    if value.is_empty() || std::str::from_utf8(value).is_ok_and(Date::is_standard_date) {
        return None;
    }
    let mut previous = Previous::None;
    let mut exists = true;
    for date in value.split(|byte| *byte == b',') {
        let (next, is_possible) = match next_date(date, previous) {
            Some(next) => next,
            None => return Some((Code::DateForm, "is not a date in FF[4]'s form")),
        };
        previous = next;
        exists &= is_possible;
    }
    (!exists).then_some((Code::ImpossibleDate, "names a day that does not exist"))
}

/// Parses a date of a list. Returns it, and whether it exists; `None` if it has another form.
fn next_date(text: &[u8], previous: Previous) -> Option<(Previous, bool)> {
    let mut parts = text.split(|byte| *byte == b'-');
    let parts = [parts.next(), parts.next(), parts.next(), parts.next()];
    let day = |year, month, day| (Previous::Day(year, month), is_day(year, month, day));
    let month = |year, month| (Previous::Month(year), (1..=12).contains(&month));
    Some(match (parts, previous) {
        ([Some(year), None, ..], _) if year.len() == 4 => {
            number(year, 4)?;
            (Previous::Year, true)
        }
        ([Some(year), Some(month_text), None, _], _) if year.len() == 4 => {
            month(number(year, 4)?, two_digits(month_text)?)
        }
        ([Some(year), Some(month_text), Some(day_text), None], _) => {
            day(number(year, 4)?, two_digits(month_text)?, two_digits(day_text)?)
        }
        ([Some(month_text), Some(day_text), None, _], Previous::Day(year, _)) => {
            day(year, two_digits(month_text)?, two_digits(day_text)?)
        }
        ([Some(day_text), None, ..], Previous::Day(year, month_number)) => {
            day(year, month_number, two_digits(day_text)?)
        }
        ([Some(month_text), None, ..], Previous::Month(year)) => month(year, two_digits(month_text)?),
        _ => return None,
    })
}

fn is_day(year: u16, month: u8, day: u8) -> bool {
    (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day)
}

/// Parses a month or a day: two digits.
fn two_digits(text: &[u8]) -> Option<u8> {
    number(text, 2).map(|number| number as u8)
}

/// Parses a number with this many digits.
fn number(text: &[u8], digits: usize) -> Option<u16> {
    let is_number = text.len() == digits && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(text).ok()?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_ff4_have_no_fault() {
        for text in [
            "1996-05-06,07,08",
            "1996-05,06",
            "1996-05-06,06-07,07",
            "1996,1997",
            "1996-12-27,28,1997-01-03,04",
            "2020-02-29",
            "2020",
            "",
        ] {
            assert_eq!(fault(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn other_forms_and_impossible_days_are_faults() {
        for text in [
            "12th of march 94",
            "2018.04.27",
            "03.05.1999",
            "May 3 1999",
            "2020-1-5",
            "20200105",
            "1996-05-06, 07",
            "1996,05",
            "2020-01-01 12:00",
            "05-06",
            "06",
            "2020-01-02-03",
            "1996-05,06-07",
            "昭和45年",
            " 2020",
            ",",
        ] {
            assert_eq!(fault(text.as_bytes()).map(|fault| fault.0), Some(Code::DateForm), "{text}");
        }
        for text in ["2020-02-30", "2020-13", "0000-00-00", "2019-02-29", "1996-05-06,32", "1996-05-31,06-31"] {
            assert_eq!(fault(text.as_bytes()).map(|fault| fault.0), Some(Code::ImpossibleDate), "{text}");
        }
    }
}
