//! Values in the form of FF\[4\], as the second reader of records compares them. The rules share
//! no code with jigo.

/// The type of a property's values.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Empty,
    Double,
    Color,
    Number,
    Time,
    Komi,
    Dates,
    Result,
    Size,
    Turn,
    Points,
    PointsOrEmpty,
    Labels,
    Figure,
    Application,
    Arrows,
    Text,
    Line,
    /// Of a property that FF\[4\] does not define.
    Unknown,
}

/// Returns the type of the values of the property with this name.
pub fn form(name: &str) -> Form {
    match name {
        "KO" | "DO" | "IT" => Form::Empty,
        "BM" | "TE" | "DM" | "GB" | "GW" | "HO" | "UC" => Form::Double,
        "PL" => Form::Color,
        "MN" | "OB" | "OW" | "BL" | "WL" | "V" | "PM" | "HA" | "ST" | "FF" | "GM" => Form::Number,
        "TM" => Form::Time,
        "KM" => Form::Komi,
        "DT" => Form::Dates,
        "RE" => Form::Result,
        "SZ" => Form::Size,
        "B" | "W" => Form::Turn,
        "AB" | "AW" | "AE" | "CR" | "MA" | "SL" | "SQ" | "TR" => Form::Points,
        "AR" | "LN" => Form::Arrows,
        "TB" | "TW" | "DD" | "VW" => Form::PointsOrEmpty,
        "LB" => Form::Labels,
        "FG" => Form::Figure,
        "AP" => Form::Application,
        "C" | "GC" => Form::Text,
        "N" | "CA" | "AN" | "BR" | "BT" | "CP" | "EV" | "GN" | "ON" | "OT" | "PB" | "PC" | "PW" | "RO" | "RU"
        | "SO" | "US" | "WR" | "WT" => Form::Line,
        _ => Form::Unknown,
    }
}

/// Returns a single value in the form of FF\[4\].
pub fn plain_value(form: Form, value: String, size: usize) -> String {
    let trimmed = value.trim().to_owned();
    let small = trimmed.to_ascii_lowercase();
    match form {
        Form::Empty if trimmed == "1" => String::new(),
        Form::Double if trimmed.is_empty() => "1".into(),
        Form::Empty | Form::Double => trimmed,
        Form::Color => match small.as_str() {
            "b" | "black" | "1" => "B".into(),
            "w" | "white" | "2" => "W".into(),
            _ => value,
        },
        Form::Number => number(&trimmed).map_or(small, |number| number.to_string()),
        Form::Time => number(&trimmed).map(|number| number.to_string()).or_else(|| seconds(&small)).unwrap_or(value),
        Form::Komi => komi(&trimmed).map_or(value, |komi| komi.to_string()),
        Form::Dates => dates(&trimmed).unwrap_or(value),
        Form::Result => result(&small).unwrap_or(value),
        Form::Size => board_size(&small).unwrap_or(value),
        Form::Turn => point(&value, size),
        Form::Figure if !trimmed.is_empty() && !trimmed.contains(':') => trimmed + ":",
        Form::Figure => with_part(&value, &|flags| flags.trim().to_owned()),
        Form::Application if !trimmed.is_empty() && !trimmed.contains(':') => trimmed + ":",
        Form::Application => with_part(&value, &|name| name.trim().to_owned()),
        _ => value,
    }
}

/// Changes the part of a value before its colon, or the whole value without one.
pub fn with_part(value: &str, change: &dyn Fn(&str) -> String) -> String {
    match value.split_once(':') {
        Some((part, rest)) => format!("{}:{rest}", change(part)),
        None => change(value),
    }
}

/// Returns a number with a point or a comma, and with or without a fraction.
fn number(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.,".contains(&byte));
    text.replace(',', ".").parse().ok().filter(|_| is_number)
}

/// Returns the komi in points: servers write hundredths, and Chinese records quarters of a zi.
fn komi(text: &str) -> Option<f64> {
    let quarter = ["¼", "½", "¾"].iter().position(|sign| text.ends_with(sign));
    let whole = text.trim_end_matches(['¼', '½', '¾']);
    let komi = number(whole)? + quarter.map_or(0.0, |index| (index + 1) as f64 / 4.0);
    let komi = if komi.abs() >= 100.0 { komi / 100.0 } else { komi };
    Some(if (komi * 4.0) % 2.0 == 0.0 { komi } else { komi * 2.0 })
}

/// Returns the seconds of a time such as `1 h 30 min`.
fn seconds(text: &str) -> Option<String> {
    let words = text.replace(|letter: char| !letter.is_ascii_alphanumeric(), " ");
    let mut total = 0;
    let mut rest = words.trim_start();
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let word = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        total += number * [('h', 3600), ('m', 60), ('s', 1)].iter().find(|(unit, _)| rest.starts_with(*unit))?.1;
        rest = rest[word..].trim_start();
    }
    Some(total.to_string())
}

/// Returns the days of a text with the year first, or with the name of one month.
fn dates(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let small = text.to_ascii_lowercase();
    let numbers = |text: &str| -> Vec<String> {
        let numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty());
        numbers.map(|number| format!("{number:0>2}")).collect()
    };
    let words: Vec<&str> = small.split(|letter: char| !letter.is_ascii_alphabetic()).collect();
    let month = words.iter().find_map(|word| MONTHS.iter().position(|month| word.starts_with(month)));
    match (month, numbers(&small).as_slice()) {
        (Some(month), [first, second]) => {
            let (year, day) = if first.len() == 4 || number(first)? > 31.0 { (first, second) } else { (second, first) };
            let century = if year.len() == 2 { "19" } else { "" };
            Some(format!("{century}{year}-{:02}-{day}", month + 1))
        }
        (None, [year, rest @ ..]) if year.len() == 4 && small.starts_with(year) && !rest.is_empty() => {
            // In FF[4] a comma begins another day.
            let days: Vec<String> = small.split(',').map(|day| numbers(day).join("-")).collect();
            Some(days.join(","))
        }
        _ => None,
    }
}

/// Returns the winner with a margin in points or the first letter of a reason. Chinese records
/// write quarters of a zi.
fn result(small: &str) -> Option<String> {
    if matches!(small, "0" | "draw" | "jigo") {
        return Some("0".into());
    }
    let (winner, rest) =
        ["black", "white", "b", "w"].iter().find_map(|name| Some((name, small.strip_prefix(name)?)))?;
    let rest = rest.trim_start().trim_start_matches('+').trim();
    let digits = |letter: char| letter.is_ascii_digit() || letter == '.';
    let margin = rest.find(|letter: char| letter.is_ascii_digit()).and_then(|start| {
        let end = rest[start..].find(|letter| !digits(letter)).map_or(rest.len(), |length| start + length);
        let margin: f64 = rest[start..end].parse().ok()?;
        let is_in_zi = rest.contains("zi") || (margin * 4.0) % 2.0 != 0.0;
        Some(if is_in_zi { margin * 2.0 } else { margin })
    });
    let reason =
        || ["r", "t", "f"].iter().find(|reason| rest.split(' ').next_back().unwrap_or("").starts_with(**reason));
    match margin {
        Some(0.0) => Some(format!("{}+", &winner[..1])),
        Some(margin) => Some(format!("{}+{margin}", &winner[..1])),
        None if rest.is_empty() => Some(format!("{}+", &winner[..1])),
        None => reason().map(|reason| format!("{}+{reason}", &winner[..1])),
    }
}

/// Returns the sides of a board, or one if both are the same.
fn board_size(small: &str) -> Option<String> {
    let sides: Vec<u32> =
        small.split([':', 'x', ' ']).filter(|side| !side.is_empty()).map(str::parse).collect::<Result<_, _>>().ok()?;
    match sides.as_slice() {
        [side] => Some(side.to_string()),
        [columns, rows] if columns == rows => Some(columns.to_string()),
        [columns, rows] => Some(format!("{columns}:{rows}")),
        _ => None,
    }
}

/// Returns a point or a rectangle without blanks, and in small letters on a board that has no
/// others.
pub fn point_form(value: &str, size: usize) -> String {
    let letters: String = value.split_ascii_whitespace().collect();
    let parts: Vec<&str> = letters.split(':').collect();
    let is_point = parts.len() <= 2
        && parts.iter().all(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    match is_point {
        true if size <= 26 => letters.to_ascii_lowercase(),
        true => letters,
        false => value.trim().to_owned(),
    }
}

/// Returns the points of a rectangle with its corners in any order, or the value itself.
pub fn points(value: &str) -> Vec<String> {
    let &[left, top, b':', right, bottom] = value.as_bytes() else { return vec![value.to_owned()] };
    let columns = left.min(right)..=left.max(right);
    let point = |column: u8, row: u8| format!("{}{}", char::from(column), char::from(row));
    columns.flat_map(|column| (top.min(bottom)..=top.max(bottom)).map(move |row| point(column, row))).collect()
}

/// Returns a pass, or a point in two letters. Reads `Q16` too, on a board of this size.
fn point(value: &str, size: usize) -> String {
    let small = point_form(value, size).to_ascii_lowercase();
    let coordinates = || {
        let (column, row) = small.split_at_checked(1)?;
        let column = ('a'..='z').filter(|letter| *letter != 'i').position(|letter| column.starts_with(letter))?;
        let row = size.checked_sub(row.parse().ok()?)?;
        let letters = [column, row].map(|number| char::from(b'a' + number as u8));
        Some(letters.iter().collect())
    };
    match small.as_str() {
        "" | "pass" => "pass".into(),
        "tt" if size <= 19 => "pass".into(),
        _ => coordinates().unwrap_or_else(|| point_form(value, size)),
    }
}
