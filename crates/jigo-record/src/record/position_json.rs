//! Bare positions: boards without a game, one JSON object per line.
//!
//! ```json
//! {"id": "photo 7", "board": ["x.o", "xxo", ".xo"], "dead": ["000", "000", "000"],
//!  "captured_by": {"black": 1, "white": 0}, "komi": 6.5, "handicap": 0, "next": "B"}
//! ```
//!
//! In place of `dead`, `dead_stones` names stones as `"D4,Q16"`, and `seki` names stones that live
//! in seki.

use serde_json::Value;

use jigo_rules::HalfPoints;
use jigo_rules::board::{BoardSize, Color, Point, Position, diagram};

/// The fields of a line.
const FIELDS: [&str; 9] = ["id", "board", "dead", "dead_stones", "seki", "captured_by", "komi", "handicap", "next"];

/// A position with the data that a count needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRecord {
    /// The caller's name for the position.
    pub id: String,
    /// The board, read from rows of `x`, `o` and `.`. It includes dead stones.
    pub position: Position,
    /// The dead stones, sorted, if given.
    pub dead: Option<Vec<Point>>,
    /// The names of dead stones, in place of `dead`.
    pub dead_stones: Option<String>,
    /// The names of stones in seki, with `dead_stones`.
    pub seki: String,
    /// The numbers of stones that Black and White have captured; 0 by default.
    pub captured_by: [u32; 2],
    /// Komi, if given. Positive values are points for White.
    pub komi: Option<HalfPoints>,
    /// The number of handicap stones; 0 by default.
    pub handicap: u32,
    /// The player of the next turn; Black by default.
    pub next: Color,
}

impl PositionRecord {
    /// Parses a line.
    ///
    /// # Errors
    ///
    /// Returns a sentence that names the missing, unreadable or unknown field.
    pub fn parse(line: &[u8]) -> Result<PositionRecord, String> {
        let fields: Value = serde_json::from_slice(line).map_err(|error| format!("not a JSON object: {error}"))?;
        let id = match &fields["id"] {
            Value::String(id) => id.clone(),
            Value::Null => return Err("id is missing".into()),
            other => other.to_string(),
        };
        only_known(&fields, &FIELDS, "")?;
        match &fields["captured_by"] {
            Value::Null => {}
            captured if captured.is_object() => only_known(captured, &["black", "white"], "captured_by.")?,
            _ => return Err("captured_by is no object with black and white".into()),
        }
        let position = diagram::read(&rows(&fields["board"], "board")?.join("\n"))?;
        let [dead_stones, seki] = [stone_names(&fields, "dead_stones")?, stone_names(&fields, "seki")?];
        if dead_stones.is_some() && !fields["dead"].is_null() {
            return Err("dead and dead_stones are both given".into());
        }
        if seki.is_some() && dead_stones.is_none() {
            return Err("seki needs dead_stones; write none if no stone is dead".into());
        }
        Ok(PositionRecord {
            dead_stones,
            seki: seki.unwrap_or_default(),
            dead: dead(&fields["dead"], &position)?,
            captured_by: [stones(&fields, "captured_by.black")?, stones(&fields, "captured_by.white")?],
            handicap: stones(&fields, "handicap")?,
            komi: komi(&fields["komi"])?,
            next: next(&fields["next"])?,
            id,
            position,
        })
    }
}

fn rows<'a>(field: &'a Value, name: &str) -> Result<Vec<&'a str>, String> {
    let rows = field.as_array().ok_or_else(|| format!("{name} is no list of rows"))?;
    rows.iter().map(|row| row.as_str().ok_or_else(|| format!("{name} has a row that is no text"))).collect()
}

/// Returns the points marked with `1`, which must have stones.
fn dead(field: &Value, position: &Position) -> Result<Option<Vec<Point>>, String> {
    if field.is_null() {
        return Ok(None);
    }
    let rows = rows(field, "dead")?;
    let size: BoardSize = position.size();
    if rows.len() != usize::from(size.height()) || rows.iter().any(|row| row.len() != usize::from(size.width())) {
        return Err(format!("dead has not the size of the board, {size}"));
    }
    let marks = rows.iter().flat_map(|row| row.bytes());
    let marked: Vec<Point> = size.iter().zip(marks).filter(|(_, mark)| *mark == b'1').map(|(point, _)| point).collect();
    match marked.iter().find(|point| position.stone(**point).is_none()) {
        Some(empty) => Err(format!("dead marks {empty}, where there is no stone")),
        None => Ok(Some(marked)),
    }
}

/// Returns the names of stones in a field: a text, or a list of texts.
fn stone_names(fields: &Value, name: &str) -> Result<Option<String>, String> {
    let error = || format!("{name} is no list of points, such as \"D4,Q16\"");
    match &fields[name] {
        Value::Null => Ok(None),
        Value::String(names) => Ok(Some(names.clone())),
        Value::Array(names) => {
            let names: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
            names.map(|names| Some(names.join(","))).ok_or_else(error)
        }
        _ => Err(error()),
    }
}

/// Returns the number of stones in a field. Dots separate the names of nested fields.
fn stones(fields: &Value, name: &str) -> Result<u32, String> {
    match fields.pointer(&format!("/{}", name.replace('.', "/"))) {
        None | Some(Value::Null) => Ok(0),
        Some(number) => {
            let stones =
                number.as_u64().and_then(|stones| u32::try_from(stones).ok()).filter(|stones| *stones <= 1_000_000);
            stones.ok_or_else(|| format!("{name} is no number of stones"))
        }
    }
}

/// Fails for a field that is not among the known ones. A mistyped `komi` would change the score.
fn only_known(fields: &Value, known: &[&str], prefix: &str) -> Result<(), String> {
    let mut names = fields.as_object().into_iter().flat_map(|fields| fields.keys());
    match names.find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!("{prefix}{name} is no field; the fields are {}", known.join(", "))),
    }
}

fn komi(field: &Value) -> Result<Option<HalfPoints>, String> {
    match field {
        Value::Null => Ok(None),
        Value::String(text) => HalfPoints::parse(text).map(Some).map_err(|error| format!("komi {error}")),
        number => HalfPoints::parse(&number.to_string()).map(Some).map_err(|error| format!("komi {error}")),
    }
}

fn next(field: &Value) -> Result<Color, String> {
    match field.as_str().map(str::to_ascii_lowercase).as_deref() {
        None if field.is_null() => Ok(Color::Black),
        Some("b" | "black" | "x") => Ok(Color::Black),
        Some("w" | "white" | "o") => Ok(Color::White),
        _ => Err("next is neither B nor W".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_is_parsed_with_all_fields() {
        let line = br#"{"id": 7, "board": ["x.o", ".xo"], "dead": ["000", "001"],
            "captured_by": {"white": 2}, "komi": 6.5, "next": "W"}"#;
        let parsed = PositionRecord::parse(line).unwrap();
        assert_eq!(parsed.position, diagram::read("X . O\n. X O").unwrap());
        assert_eq!((parsed.id.as_str(), parsed.dead), ("7", Some(vec![Point::new(2, 1)])));
        assert_eq!((parsed.captured_by, parsed.komi, parsed.next), ([0, 2], Some(HalfPoints(13)), Color::White));
    }

    #[test]
    fn missing_or_wrong_field_is_reported() {
        let cases = [
            ("[", "JSON"),
            ("{}", "id"),
            (r#"{"id": "a"}"#, "board"),
            (r#"{"id": "a", "board": ["x?"]}"#, "'?'"),
            (r#"{"id": "a", "board": ["x."], "dead": ["0"]}"#, "size"),
            (r#"{"id": "a", "board": ["x."], "dead": ["01"]}"#, "ba"),
            (r#"{"id": "a", "board": ["x."], "dead_stones": 4}"#, "dead_stones"),
            (r#"{"id": "a", "board": ["x."], "dead_stones": "A1", "dead": ["10"]}"#, "both"),
            (r#"{"id": "a", "board": ["x."], "seki": "A1"}"#, "seki needs dead_stones"),
            (r#"{"id": "a", "board": ["x."], "captured_by": {"black": -1}}"#, "captured_by.black"),
            (r#"{"id": "a", "board": ["x."], "captured_by": {"b": 1}}"#, "captured_by.b is no field"),
            (r#"{"id": "a", "board": ["x."], "captured_by": 3}"#, "captured_by is no object"),
            (r#"{"id": "a", "board": ["x."], "handicap": "2"}"#, "handicap is no number"),
            (r#"{"id": "a", "board": ["x."], "kmoi": 0.5}"#, "kmoi is no field"),
            (r#"{"id": "a", "board": ["x."], "komi": 6.4}"#, "komi"),
            (r#"{"id": "a", "board": ["x."], "next": "green"}"#, "next"),
        ];
        for (line, word) in cases {
            let error = PositionRecord::parse(line.as_bytes()).unwrap_err();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
