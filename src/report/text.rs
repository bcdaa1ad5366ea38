//! Rows as lines for people.

use super::table::Row;

/// Appends a row's line. Control characters, which a record may hold to confuse a terminal, are shown as `·`.
pub fn push(row: &impl Row, out: &mut Vec<u8>) {
    let mut line = String::new();
    // A String does not refuse to be written to.
    let _ = row.line(&mut line);
    out.extend(line.trim_end().chars().map(|c| if c.is_control() { '·' } else { c }).collect::<String>().bytes());
    out.push(b'\n');
}
