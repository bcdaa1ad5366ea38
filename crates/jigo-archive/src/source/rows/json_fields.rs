//! The fields of a row, as JSON values, and those of a JSON object that a row needs.

use jigo_record::sgf::encoding::byte_order_mark::without_mark;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads the fields of a line whose names `is_needed` accepts.
pub(crate) fn parse_fields(line: &[u8], is_needed: impl Fn(&str) -> bool) -> Result<Map<String, Value>, String> {
    // The first line of a table may begin with a byte order mark.
    let mut line = serde_json::Deserializer::from_slice(without_mark(line));
    let fields = line.deserialize_map(FieldsVisitor(is_needed)).and_then(|fields| line.end().map(|()| fields));
    fields.map_err(|error| format!("not a JSON object: {error}"))
}

/// Deserializes the needed fields of a row.
///
/// Other fields are skipped, and so is the content of arrays and objects. As values they would take
/// many times the memory of the line.
struct FieldsVisitor<F>(F);

impl<'de, F: Fn(&str) -> bool> Visitor<'de> for FieldsVisitor<F> {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut row: A) -> Result<Self::Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = row.next_key::<String>()? {
            if (self.0)(&name) {
                let Scalar(value) = row.next_value()?;
                fields.insert(name, value);
            } else {
                row.next_value::<IgnoredAny>()?;
            }
        }
        Ok(fields)
    }
}

/// A value. The content of an array or object is discarded.
struct Scalar(Value);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Scalar, D::Error> {
        struct ScalarVisitor;
        impl<'de> Visitor<'de> for ScalarVisitor {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Scalar, E> {
                Ok(Scalar(Value::Null))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Scalar, A::Error> {
                while array.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar(Value::Array(Vec::new())))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Scalar, A::Error> {
                while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar(Value::Object(Map::new())))
            }
        }
        value.deserialize_any(ScalarVisitor)
    }
}

/// Returns the text of a field.
pub(crate) fn text_field(field: Option<Value>, name: &str) -> Result<Option<String>, String> {
    match field {
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Null) | None => Ok(None),
        Some(_) => Err(format!("{name} is no text")),
    }
}

/// Returns the number of a field.
pub(crate) fn number_field(field: Option<Value>, name: &str) -> Result<Option<u64>, String> {
    match field {
        Some(Value::Null) | None => Ok(None),
        Some(Value::Number(number)) if !number.is_u64() => Err(format!("{name} is {number}, no whole number")),
        Some(value) => value.as_u64().map(Some).ok_or_else(|| format!("{name} is no whole number")),
    }
}

/// Returns the truth value of a field.
pub(crate) fn bool_field(field: Option<Value>, name: &str) -> Result<Option<bool>, String> {
    match field {
        Some(Value::Null) | None => Ok(None),
        Some(value) => value.as_bool().map(Some).ok_or_else(|| format!("{name} is neither true nor false")),
    }
}
