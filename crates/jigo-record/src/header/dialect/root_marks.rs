//! Marks of dialects in the root.

use MarkForm::{Any, Text, Whole, Words};

/// The part of a value that a mark must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkForm {
    /// The whole value, except for white space around it.
    Whole,
    /// One or several whole words in it.
    Words,
    /// Any text but nothing, 1 and 2, which FF\[4\] defines for annotations of a turn.
    Text,
    /// None; the property only has to be present.
    Any,
}

/// A mark: a root property, the form of the match, and the text. Case does not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMark(pub(crate) &'static str, pub(crate) MarkForm, pub(crate) &'static str);

impl RootMark {
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let RootMark(_, form, mark) = self;
        match form {
            Text => !matches!(text.trim(), "" | "1" | "2"),
            Any => true,
            Whole => text.trim().eq_ignore_ascii_case(mark),
            Words => has_words(text.as_bytes(), mark.as_bytes()),
        }
    }
}

/// Returns true if `text` contains `words` without an ASCII letter directly before or after it.
/// `words` must be in small letters.
fn has_words(text: &[u8], words: &[u8]) -> bool {
    let Some(last) = text.len().checked_sub(words.len()) else { return false };
    let is_letter = |index: usize| text.get(index).is_some_and(u8::is_ascii_alphabetic);
    (0..=last).any(|index| {
        text[index].to_ascii_lowercase() == words[0]
            && text[index..index + words.len()].eq_ignore_ascii_case(words)
            && !(index > 0 && is_letter(index - 1))
            && !is_letter(index + words.len())
    })
}
