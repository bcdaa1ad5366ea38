//! The choices of the writer, and the parts of a record that its normal form omits.

use std::fmt;

/// The maximum number of parts that are named.
const MAX_NAMES: usize = 8;
/// The maximum length of a name, in characters.
const MAX_CHARS: usize = 80;

/// The parts of a record that its normal form omits: names of properties, and short descriptions.
///
/// It displays the names, separated by commas, in the order of the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omissions {
    names: Vec<String>,
    /// True if there are more parts than names.
    has_more: bool,
    /// The complete text of each part, if the list keeps texts.
    texts: Option<Vec<String>>,
}

impl Omissions {
    /// Returns an empty list that also keeps the text of each part.
    pub(super) fn with_texts() -> Omissions {
        Omissions { texts: Some(Vec::new()), ..Omissions::default() }
    }

    /// Returns true if the list keeps texts.
    pub(super) fn keeps_texts(&self) -> bool {
        self.texts.is_some()
    }

    /// Adds a part with its text.
    pub(super) fn add_text(&mut self, name: &str, text: impl FnOnce() -> String) {
        self.add(name);
        self.keep_text(text);
    }

    /// Adds the text of a part without a name, if the list keeps texts.
    pub(super) fn keep_text(&mut self, text: impl FnOnce() -> String) {
        if let Some(texts) = &mut self.texts {
            texts.push(text());
        }
    }

    /// Returns the texts in the order in which they were added. They include values that the normal
    /// form replaces by equal or preceding ones.
    pub fn texts(&self) -> &[String] {
        self.texts.as_deref().unwrap_or_default()
    }

    /// Adds a part, unless it is already named.
    pub fn add(&mut self, name: &str) {
        let name = if name.is_empty() { "a value without a name" } else { name };
        let name: String = name.chars().take(MAX_CHARS).collect();
        if self.names.contains(&name) {
            return;
        }
        match self.names.len() < MAX_NAMES {
            true => self.names.push(name),
            false => self.has_more = true,
        }
    }

    /// Adds a part if `is_omitted` is true.
    pub(super) fn add_if(&mut self, is_omitted: bool, name: &str) {
        if is_omitted {
            self.add(name);
        }
    }

    /// Adds the parts of another list.
    pub(super) fn append(&mut self, other: &Omissions) {
        other.names.iter().for_each(|name| self.add(name));
        self.has_more |= other.has_more;
        if let Some(texts) = &mut self.texts {
            texts.extend_from_slice(other.texts());
        }
    }

    /// Returns true if the normal form is complete.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl fmt::Display for Omissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(", "))?;
        if self.has_more { f.write_str(" and more") } else { Ok(()) }
    }
}

/// The options of the normal form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Break lines for human readers. Otherwise a game is one line, except for line breaks in its
    /// texts.
    pub is_pretty: bool,
    /// Omit variations.
    pub is_main_line_only: bool,
    /// Omit C and GC.
    pub omits_comments: bool,
    /// Keep the texts of the parts that the normal form omits; see [`Omissions::texts`]. Clocks
    /// with other values of the same node are written.
    pub keeps_omitted_texts: bool,
}

impl WriteOptions {
    /// Returns an empty list for the parts that the normal form omits.
    pub(super) fn empty_omissions(self) -> Omissions {
        if self.keeps_omitted_texts { Omissions::with_texts() } else { Omissions::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_and_length_of_names_are_bounded() {
        let mut omissions = Omissions::default();
        for name in ["LB", "XX", "LB", &"n".repeat(1000)] {
            omissions.add(name);
        }
        assert_eq!(omissions.to_string(), format!("LB, XX, {}", "n".repeat(MAX_CHARS)));
        for number in 0..1000 {
            omissions.add(&number.to_string());
        }
        assert_eq!(omissions.names.len(), MAX_NAMES);
        assert!(omissions.to_string().ends_with("3, 4 and more"), "{omissions}");
    }
}
