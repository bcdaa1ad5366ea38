//! Rows as comma separated values (RFC 4180, lines end with LF).

use std::fmt::Write as _;

use super::table::{Row, Value};

/// The header line.
pub fn header<R: Row>() -> Vec<u8> {
    let mut out = Vec::new();
    write_record(R::COLUMNS.iter().map(|column| Value::Text(column.name)), &mut out);
    out
}

/// Appends a row.
pub fn write<R: Row>(row: &R, out: &mut Vec<u8>) {
    write_record(row.values(), out);
}

fn write_record<'a>(values: impl IntoIterator<Item = Value<'a>>, out: &mut Vec<u8>) {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(512).from_writer(out);
    let mut text = String::new();
    // Neither a Vec nor a String refuses to be written to, and one record can't differ from itself in length.
    let written = values.into_iter().try_for_each(|value| {
        text.clear();
        let _ = write!(text, "{value}");
        writer.write_field(text.as_bytes())
    });
    let written = written.and_then(|()| writer.write_record(None::<&[u8]>)).and_then(|()| Ok(writer.flush()?));
    debug_assert!(written.is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_empty_where_nothing_is_known() {
        let mut out = Vec::new();
        write_record([Value::Text("a,b"), Value::Empty, Value::Integer(-3), Value::Text("say \"x\"\n")], &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "\"a,b\",,-3,\"say \"\"x\"\"\n\"\n");
    }
}
