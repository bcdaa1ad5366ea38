//! The parts of a record that its normal form omits.

use std::fmt;

/// The maximum number of parts that are named.
const MAX_NAMED: usize = 8;
/// The maximum length of a name, in characters.
const MAX_CHARS: usize = 80;

/// The parts of a record that its normal form omits: names of properties, and short descriptions.
///
/// It displays the names, separated by commas, in the order of the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    names: Vec<String>,
    /// True if there are more parts than names.
    has_more: bool,
}

impl LeftOut {
    /// Adds a part, unless it is already named.
    pub fn add(&mut self, name: &str) {
        let name = if name.is_empty() { "a value without a name" } else { name };
        let name: String = name.chars().take(MAX_CHARS).collect();
        if self.names.contains(&name) {
            return;
        }
        match self.names.len() < MAX_NAMED {
            true => self.names.push(name),
            false => self.has_more = true,
        }
    }

    /// Adds a part if `is_left_out` is true.
    pub(super) fn add_if(&mut self, is_left_out: bool, name: &str) {
        if is_left_out {
            self.add(name);
        }
    }

    /// Adds the parts of another list.
    pub(super) fn append(&mut self, other: &LeftOut) {
        other.names.iter().for_each(|name| self.add(name));
        self.has_more |= other.has_more;
    }

    /// Returns true if the normal form is complete.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(", "))?;
        if self.has_more { f.write_str(" and more") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_and_length_of_names_are_bounded() {
        let mut left_out = LeftOut::default();
        for name in ["LB", "XX", "LB", &"n".repeat(1000)] {
            left_out.add(name);
        }
        assert_eq!(left_out.to_string(), format!("LB, XX, {}", "n".repeat(MAX_CHARS)));
        for number in 0..1000 {
            left_out.add(&number.to_string());
        }
        assert_eq!(left_out.names.len(), MAX_NAMED);
        assert!(left_out.to_string().ends_with("3, 4 and more"), "{left_out}");
    }
}
