//! Violations of the standard.

use crate::finding::{Code, excerpt};

/// A fault of a value: the code, and the end of a sentence about it.
pub(super) type Fault = (Code, &'static str);

/// Quotes a property with one value for a detail.
pub(super) fn quoted(name: &[u8], value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let excerpt = excerpt(value);
    let rest = if excerpt.len() < text.len() { "…" } else { "" };
    format!("{}[{excerpt}{rest}]", String::from_utf8_lossy(name))
}
