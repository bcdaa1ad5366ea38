//! Violations of the standard.

use crate::finding::Code;

/// The number of characters of a value that a detail quotes.
pub(super) const QUOTED: usize = 40;

/// A fault of a value: the code, and the end of a sentence about it.
pub(super) type Fault = (Code, &'static str);

/// A violation of the standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormViolation {
    pub code: Code,
    pub offset: usize,
    pub detail: String,
}

/// Quotes a property with one value for a detail.
pub(super) fn quoted(name: &[u8], value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let excerpt: String = text.chars().take(QUOTED).collect();
    let rest = if excerpt.len() < text.len() { "…" } else { "" };
    format!("{}[{excerpt}{rest}]", String::from_utf8_lossy(name))
}
