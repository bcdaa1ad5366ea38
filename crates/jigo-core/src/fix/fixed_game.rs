//! Fixes, and games with their fixes.

use std::borrow::Cow;

use super::edit::Edit;
use crate::audit::Audit;
use jigo_record::finding::{Code, Finding};
use jigo_record::sgf::Charset;
use jigo_record::splitter::{Close, GameText};
use jigo_rules::board::Picture;

/// A fix from its detection to its row in the log. Its edits are applied together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The finding that it removes.
    pub code: Code,
    /// True if it preserves the content of the record.
    pub is_safe: bool,
    /// True if it was applied.
    pub is_made: bool,
    /// The offset of its first change in the recorded text.
    pub at: u64,
    /// The line of that change in its source, from 1; `None` if it is unknown.
    pub line: Option<u64>,
    /// The text before the fix.
    pub before: String,
    /// The text after the fix.
    pub after: String,
    /// The reason why it was not applied, or the evidence for it.
    pub reason: String,
    /// For a suggestion: the board around the corrected turn, with a caption.
    pub picture: Option<Box<(String, Picture)>>,
    /// The edits of the text in which it was detected, sorted by offset.
    pub(super) edits: Vec<Edit>,
    /// True if `before` and `after` describe the edits in another form.
    pub(super) has_texts: bool,
}

impl Fix {
    pub(super) fn safe(code: Code, edits: Vec<Edit>) -> Fix {
        let (before, after, reason) = (String::new(), String::new(), String::new());
        Fix {
            code,
            is_safe: true,
            is_made: false,
            at: 0,
            line: None,
            before,
            after,
            reason,
            picture: None,
            edits,
            has_texts: false,
        }
    }

    pub(super) fn with_edit(code: Code, edit: Edit) -> Fix {
        Fix::safe(code, vec![edit])
    }

    pub(super) fn into_unsafe(self) -> Fix {
        Fix { is_safe: false, ..self }
    }

    /// Makes the fix unsafe if it is in doubt.
    pub(super) fn unsafe_if(self, is_in_doubt: bool) -> Fix {
        Fix { is_safe: self.is_safe && !is_in_doubt, ..self }
    }

    /// Sets the texts of the log. By default they are the changed bytes.
    pub(super) fn with_texts(self, before: impl Into<String>, after: impl Into<String>) -> Fix {
        Fix { before: before.into(), after: after.into(), has_texts: true, ..self }
    }

    /// Returns the fix as rejected for this reason.
    pub fn rejected(self, reason: &str) -> Fix {
        let reason = if self.reason.is_empty() { reason.into() } else { self.reason };
        Fix { is_made: false, reason, ..self }
    }

    /// Returns a fix that was applied without a session.
    pub fn applied(code: Code, is_safe: bool, offset: u64, before: String, after: String) -> Fix {
        Fix { is_safe, is_made: true, at: offset, ..Fix::safe(code, Vec::new()).with_texts(before, after) }
    }

    /// Returns true if the fix converts a text to another charset.
    pub(super) fn is_conversion(&self) -> bool {
        matches!(self.code, Code::NotUtf8 | Code::GuessedCharset | Code::WrongCharsetLabel)
    }

    /// Returns true if the fix refers to bytes of the recorded text instead of the decoded one.
    pub(super) fn is_of_characters(&self) -> bool {
        self.is_conversion() || matches!(self.code, Code::DamagedText | Code::CutCharacter | Code::NulBytes)
    }

    pub(super) fn start(&self) -> usize {
        self.edits.first().map_or(0, |edit| edit.range.start)
    }
}

/// The reason for a rejected fix.
pub const NOT_VERIFIED: &str = "it could not be shown that the record says the same then";

/// A game with its fixes.
#[derive(Clone, Debug)]
pub struct FixedGame {
    /// The fixed text.
    pub bytes: Vec<u8>,
    /// The difference from the recorded text.
    pub changes: Vec<Edit>,
    /// The way in which the fixed text ends.
    pub close: Close,
    /// The charset of the fixed text.
    pub charset: Charset,
    /// The findings of the reader in the fixed text.
    pub findings: Vec<Finding>,
    /// The applied fixes, in the order of application.
    pub fixes: Vec<Fix>,
    /// The rejected fixes: they would change the content, or the budget for checking them was
    /// spent.
    pub rejected: Vec<Fix>,
    /// The possible corrections of a typing error, the likeliest first.
    pub suggestions: Vec<Fix>,
    /// True if a correction was applied, which is then the last fix.
    pub is_corrected: bool,
}

impl FixedGame {
    /// Returns the fixed text of a game with this recorded text.
    pub fn text<'t>(&'t self, recorded: &GameText<'t>) -> GameText<'t> {
        GameText { bytes: &self.bytes, close: self.close, charset: self.charset, ..*recorded }
    }
}

/// The findings of a game, and the comparison of its recorded result with the count.
#[derive(Clone, Debug, Default)]
pub struct Assessment<'a> {
    /// The findings of reading, replay and count.
    pub findings: Cow<'a, [Finding]>,
    /// The comparison of the recorded result with the count.
    pub audit: Option<Cow<'a, Audit>>,
}
