//! Dates as people write them: `3 May 1999`, `12th of March 94`, `13.05.1999`, `昭和45年3月5日`.

use super::date::{Date, Precision};

/// The names of months in English, German, French, Spanish, Italian, Dutch, Portuguese and Russian,
/// in small letters. Abbreviations of at least three letters count as well.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janvier", "enero", "gennaio", "januari", "jänner", "janeiro", "января", "январь"],
    &["february", "februar", "février", "fevrier", "febrero", "febbraio", "februari", "fevereiro", "февраля"],
    &["march", "märz", "maerz", "mars", "marzo", "maart", "mrz", "março", "марта", "март"],
    &["april", "avril", "abril", "aprile", "апреля", "апрель"],
    &["may", "mai", "mayo", "maggio", "mei", "maio", "мая", "май"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "июня", "июнь"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "июля", "июль"],
    &["august", "août", "aout", "agosto", "augustus", "августа"],
    &["september", "septembre", "septiembre", "settembre", "setembro", "сентября"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "октября"],
    &["november", "novembre", "noviembre", "novembro", "ноября"],
    &["december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro", "декабря"],
];

/// Words in dates that have no meaning of their own.
const FILLERS: [&str; 7] = ["the", "of", "de", "del", "den", "le", "г"];

/// The eras of Japan and of Taiwan, the year before the first of each, and its last.
const ERAS: [(&str, u16, u16); 7] = [
    ("明治", 1867, 45),
    ("大正", 1911, 15),
    ("昭和", 1925, 64),
    ("平成", 1988, 31),
    ("令和", 2018, u16::MAX),
    ("民國", 1911, u16::MAX),
    ("民国", 1911, u16::MAX),
];

/// The first year in which Japan used the Gregorian calendar.
const FIRST_GREGORIAN_YEAR: u16 = 1873;

/// The smallest year that two digits can mean: `94` is 1994. Smaller numbers may be days, or belong
/// to two centuries.
const FIRST_SHORT_YEAR: u16 = 40;

/// The longest text that is parsed, in bytes.
const MAX_LENGTH: usize = 200;

/// Parses a text that is one date without the year in front, if only one reading is possible.
pub(crate) fn parse(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return None;
    }
    era_date(text).or_else(|| numeric_date(text)).or_else(|| worded_date(text))
}

/// Returns DT in the form of FF\[4\] if the text is a list of dates, each with one reading.
///
/// Days of a year repeat neither the year nor, within a month, the month. Other lists of digits and
/// hyphens only lose their blanks; they may still have another form.
pub fn standard_dates(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_LENGTH {
        return None;
    }
    // A comma may also follow the day in words, as in `May 3, 1999`.
    if let Some(date) = only_date(text) {
        return Some(date.iso());
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if let Some(dates) = parts.iter().map(|part| only_date(part)).collect::<Option<Vec<Date>>>() {
        return Some(date_list(&dates));
    }
    let is_short = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    (parts.len() > 1 && parts.iter().all(is_short)).then(|| parts.join(","))
}

/// Returns dates as a list of FF\[4\], in which a day repeats neither the year nor the month of the
/// day before it.
fn date_list(dates: &[Date]) -> String {
    let mut list = String::new();
    let mut before: Option<&Date> = None;
    for date in dates {
        let same_year = before.filter(|before| before.year == date.year && before.day.is_some() && date.day.is_some());
        let repeated =
            same_year.map_or(0, |before| if before.month == date.month { "YYYY-MM-".len() } else { "YYYY-".len() });
        list.push_str(if before.is_some() { "," } else { "" });
        list.push_str(&date.iso()[repeated..]);
        before = Some(date);
    }
    list
}

/// Returns the day, in the form of FF\[4\], and the time of a text such as `2017.08.28 12:50`.
pub fn day_and_time(text: &str) -> Option<(String, &str)> {
    let text = text.trim();
    let (day, time) = text.split_at(text.find(|c: char| c.is_ascii_whitespace() || c == 'T')?);
    let time = time.strip_prefix('T').unwrap_or(time).trim_start();
    let (hour, minute) = time.split_once(':')?;
    let zone = minute.get(2..)?.trim_end();
    let is_hour = number(hour).is_some_and(|hour| hour < 24) && hour.len() <= 2;
    let is_minute = number(&minute[..2]).is_some_and(|minute| minute < 60);
    let is_second = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.');
    let zone = zone.trim_start_matches(is_second).trim_start();
    let is_zone = matches!(zone, "" | "Z")
        || zone.strip_prefix(['+', '-']).is_some_and(|offset| offset.len() <= 5 && offset.chars().all(is_second));
    let date = only_date(day).filter(|date| date.day.is_some() && is_hour && is_minute && is_zone)?;
    Some((date.iso(), time))
}

/// Returns the date of a text with two readings, `03.05.1999`, that Europe uses: the day first.
///
/// With other signs than points, both orders are usual.
pub fn day_first(text: &str) -> Option<Date> {
    let [day, month, year] = number_parts(text.trim(), '.')?;
    (year.len() == 4).then(|| Date::existing(number(year)?, number(month)?, Some(number(day)?)))?
}

/// Parses a text that is one date and nothing else.
fn only_date(text: &str) -> Option<Date> {
    // An open range is not one date, and the fourth day is not April.
    let has_lost_month = text.contains(['日', '일']) && !text.contains(['月', '월']);
    if text.starts_with(['-', '/']) || text.ends_with(['-', '/']) || has_lost_month {
        return None;
    }
    const SIGNS: [char; 10] = ['-', '.', '/', '年', '月', '日', '년', '월', '일', ' '];
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count();
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || SIGNS.contains(&c));
    let whole = is_plain.then(|| Date::find_leading_year(text)).flatten().filter(|(date, precision)| {
        let parts = 1 + usize::from(date.month.is_some()) + usize::from(date.day.is_some());
        let is_lunar = date.year < FIRST_GREGORIAN_YEAR && date.month.is_some() && text.contains('月');
        !is_lunar && *precision != Precision::Days && (parts == numbers || numbers == 1 && text.len() == 8)
    });
    whole.map(|(date, _)| date).or_else(|| parse(text))
}

/// Parses `昭和45年3月5日`, `平成元年` and `令和2年11月`.
fn era_date(text: &str) -> Option<Date> {
    let (rest, before, last) =
        ERAS.iter().find_map(|(era, before, last)| Some((text.strip_prefix(era)?, *before, *last)))?;
    let (year, rest) = rest.split_once('年')?;
    let year = if year == "元" { 1 } else { number(year)? };
    let year = before.checked_add(year).filter(|_| (1..=last).contains(&year))?;
    if rest.is_empty() {
        return Some(Date { year, month: None, day: None });
    }
    let (month, rest) = rest.split_once('月')?;
    let day = if rest.is_empty() { None } else { Some(number(rest.strip_suffix('日')?)?) };
    if year < FIRST_GREGORIAN_YEAR {
        return None;
    }
    Date::existing(year, number(month)?, day)
}

/// Parses day, month and year with points, slashes or hyphens, such as `13.05.1999` and
/// `05/13/1999`. `03.05.1999` has two readings.
fn numeric_date(text: &str) -> Option<Date> {
    let [first, second, third] = ['.', '/', '-'].into_iter().find_map(|sign| number_parts(text, sign))?;
    let mut readings: Vec<Date> = Vec::new();
    let [first_number, second_number] = [number(first)?, number(second)?];
    if let Some(year) = full_year(third) {
        readings.extend(Date::existing(year, second_number, Some(first_number)));
        readings.extend(Date::existing(year, first_number, Some(second_number)));
    }
    if let Some(year) = full_year(first) {
        readings.extend(Date::existing(year, second_number, Some(number(third)?)));
    }
    let date = readings.pop()?;
    readings.iter().all(|reading| *reading == date).then_some(date)
}

/// Splits a text at a sign into three parts.
fn number_parts(text: &str, sign: char) -> Option<[&str; 3]> {
    let mut parts = text.split(sign).map(str::trim);
    let numbers = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(numbers)
}

/// Parses a month in words, perhaps with a day, and a year.
fn worded_date(text: &str) -> Option<Date> {
    let (mut month, mut numbers) = (None, Vec::new());
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | '.' | '-' | '/');
    for word in text.split(is_separator).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        let word = word.trim_start_matches('\'');
        if FILLERS.contains(&word) {
            continue;
        }
        let digits = word.trim_end_matches(char::is_alphabetic);
        let suffix = &word[digits.len()..];
        if digits.is_empty() {
            let name = month_number(word)?;
            if month.replace(name).is_some() {
                return None;
            }
        } else if matches!(suffix, "" | "st" | "nd" | "rd" | "th" | "er") && numbers.len() < 2 {
            numbers.push((digits.to_owned(), !suffix.is_empty()));
        } else {
            return None;
        }
    }
    let (day, (year, is_ordinal)) = match numbers.as_slice() {
        [year] => (None, year),
        [day, year] if day.0.len() < 4 => (Some(day), year),
        [year, day] => (Some(day), year),
        _ => return None,
    };
    if *is_ordinal {
        return None;
    }
    let day = match day {
        Some((day, _)) => Some(number(day)?),
        None => None,
    };
    Date::existing(full_year(year)?, month?, day)
}

/// Parses a year of four digits, or of two digits if only one century is possible.
fn full_year(digits: &str) -> Option<u16> {
    let year = number(digits)?;
    match digits.len() {
        4 => Some(year),
        2 => (year >= FIRST_SHORT_YEAR).then_some(1900 + year),
        _ => None,
    }
}

/// Returns the number of a month from its name or an abbreviation.
fn month_number(word: &str) -> Option<u16> {
    let is_name = |name: &str| name == word || (word.chars().count() >= 3 && name.starts_with(word));
    let mut months = (1..).zip(MONTHS).filter(|(_, names)| names.iter().any(|name| is_name(name)));
    let (month, _) = months.next()?;
    months.next().is_none().then_some(month)
}

/// Parses at most four digits.
fn number(digits: &str) -> Option<u16> {
    let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_separated_from_its_day() {
        for (text, day, time) in [
            ("2017.08.28 12:50", "2017-08-28", "12:50"),
            ("2017-8-28T9:05:30Z", "2017-08-28", "9:05:30Z"),
            ("2017/08/28  12:50:01 +09:00", "2017-08-28", "12:50:01 +09:00"),
        ] {
            assert_eq!(day_and_time(text), Some((day.to_owned(), time)), "{text}");
        }
        for text in [
            "2017-08-28",
            "2017-08 12:50",
            "2017-08-28 25:00",
            "2017-08-28 12:50 - 2017-08-29 13:00",
            "2017-08-28 12:50 JST",
            "03.05.1999 12:50",
            "é:é 1:é",
        ] {
            assert_eq!(day_and_time(text), None, "{text}");
        }
    }

    #[test]
    fn dates_with_one_reading_are_parsed() {
        for (text, iso) in [
            ("May 3 1999", "1999-05-03"),
            ("3 May 1999", "1999-05-03"),
            ("12th of March 94", "1994-03-12"),
            ("12th of march 94", "1994-03-12"),
            ("1st Sept. 1998", "1998-09-01"),
            ("Sept. 1998", "1998-09"),
            ("March 94", "1994-03"),
            ("3. Mai 1999", "1999-05-03"),
            ("5 août 2001", "2001-08-05"),
            ("le 5 AOÛT 2001", "2001-08-05"),
            ("1er janvier 2003", "2003-01-01"),
            ("12 de marzo de 1999", "1999-03-12"),
            ("3 мая 1999 г.", "1999-05-03"),
            ("Dec 24, 2010", "2010-12-24"),
            ("Dec 24, '94", "1994-12-24"),
            ("1999 May 3", "1999-05-03"),
            ("3-May-1999", "1999-05-03"),
            ("13.05.1999", "1999-05-13"),
            ("13.05.99", "1999-05-13"),
            ("99.05.03", "1999-05-03"),
            ("05/13/1999", "1999-05-13"),
            ("05.05.1999", "1999-05-05"),
            ("昭和45年3月5日", "1970-03-05"),
            ("平成元年", "1989"),
            ("令和2年11月", "2020-11"),
            ("民國107年4月27日", "2018-04-27"),
        ] {
            assert_eq!(parse(text).map(|date| date.iso()), Some(iso.into()), "{text}");
        }
    }

    #[test]
    fn ambiguous_and_impossible_dates_are_rejected() {
        for text in [
            "03.05.1999",
            "03/05/1999",
            "31 June 1999",
            "12th of March 12",
            "ju 1999",
            "jui 1999",
            "May",
            "1999",
            "May 3rd 4th",
            "3 May 4 June 1999",
            "3-5 May 1999",
            "13.13.1999",
            "03.05.99",
            "1.2.3.1999",
            "昭和",
            "昭和45年13月",
            "明治4年3月5日",
            "昭和9999999年",
            "昭和65年",
            "平成0年",
            "",
            "May 3 1999 10:30",
            "May 1999 2000",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn lists_of_certain_dates_get_the_standard_form() {
        for (text, form) in [
            ("2018.04.27", Some("2018-04-27")),
            ("2018/4/27", Some("2018-04-27")),
            ("2018年4月27日", Some("2018-04-27")),
            ("2018년 4월 27일", Some("2018-04-27")),
            ("20180427", Some("2018-04-27")),
            ("2020-1-5", Some("2020-01-05")),
            ("2018.04", Some("2018-04")),
            ("2018年", Some("2018")),
            (" 2018-04-27 ", Some("2018-04-27")),
            ("May 3, 1999", Some("1999-05-03")),
            ("3 May 1999, 4 May 1999", Some("1999-05-03,04")),
            ("1996-05-06, 07", Some("1996-05-06,07")),
            ("2018.04.27,2018.04.28", Some("2018-04-27,28")),
            ("2017-8-28,2017-8-29", Some("2017-08-28,29")),
            ("2017-08-31,2017-09-01,2018-09-02", Some("2017-08-31,09-01,2018-09-02")),
            ("2017-08-31,09-01,2018-09-02", Some("2017-08-31,09-01,2018-09-02")),
            ("2017-08,2017-09", Some("2017-08,2017-09")),
            ("2017, 2017-09-01", Some("2017,2017-09-01")),
            ("1996-05-06,5", Some("1996-05-06,5")),
            ("2018-04-27", Some("2018-04-27")),
            ("2018.04.27-28", None),
            ("2018.04.27~28", None),
            ("2018-04-27 12:00", None),
            ("Published on 2018-04-27", None),
            ("2018.02.30", None),
            ("1998-", None),
            ("-1998", None),
            ("2018年4日", None),
            ("1846年7月21日", None),
            ("2018.13", None),
            ("03.05.1999", None),
            ("1999, spring", None),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(standard_dates(text).as_deref(), form, "{text}");
        }
    }

    #[test]
    fn only_points_put_the_day_first() {
        assert_eq!(day_first(" 03.05.1999").map(|date| date.iso()).as_deref(), Some("1999-05-03"));
        for text in ["03/05/1999", "03.05.99", "32.05.1999", "1.2.3.1999"] {
            assert_eq!(day_first(text), None, "{text}");
        }
    }
}
