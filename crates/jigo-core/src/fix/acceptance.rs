//! The rules by which a session accepts fixes.
//!
//! Every fix must preserve the values and games that a strict reader finds in the text. Safe fixes
//! must also keep the content of the record. Each rule is a function, and a fix that breaks one is rejected.

use std::cell::OnceCell;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use super::content::Content;
use super::edit::Edit;
use super::fix_options::FixOptions;
use super::fixed_game::Fix;
use super::verify::{self, Verified, count};
use jigo_record::Reading;
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::grammar::is_well_formed;
use jigo_record::sgf::tokens::lexer::plain_values;
use jigo_record::splitter::GameText;

/// A text before fixes, with its reading and charset.
#[derive(Clone, Copy)]
pub(super) struct OriginalText<'c> {
    pub text: GameText<'c>,
    pub reading: &'c Reading,
    /// The charset that the text suggests without any context.
    pub detected: &'static Encoding,
    /// The complete content, if it was read already.
    pub content: &'c OnceCell<Content>,
    pub options: &'c FixOptions,
}

/// A text before and after fixes.
pub(super) struct ChangedText<'c> {
    original: OriginalText<'c>,
    fixes: &'c [Fix],
    text: GameText<'c>,
    verified: &'c Verified,
    /// The texts in UTF-8.
    before: Decoded<'c>,
    after: Decoded<'c>,
}

impl<'c> ChangedText<'c> {
    /// Returns a text after fixes.
    pub(super) fn new(
        original: OriginalText<'c>,
        fixes: &'c [Fix],
        text: GameText<'c>,
        verified: &'c Verified,
    ) -> ChangedText<'c> {
        let before = Decoded::new(original.text.bytes, original.text.charset);
        let after = Decoded::new(text.bytes, text.charset);
        ChangedText { original, fixes, text, verified, before, after }
    }

    /// Returns true if the session may accept the fixes.
    pub(super) fn is_acceptable(&self) -> bool {
        let rules: [fn(&Self) -> bool; 5] =
            [Self::keeps_charset, Self::reduces_findings, Self::keeps_values, Self::keeps_turns, Self::keeps_grammar];
        let safe_rules: [fn(&Self) -> bool; 5] = [
            Self::adds_no_findings,
            Self::keeps_unread_text,
            Self::keeps_record,
            Self::keeps_content,
            Self::keeps_plain_content,
        ];
        rules.iter().all(|rule| rule(self)) && (!self.is_safe() || safe_rules.iter().all(|rule| rule(self)))
    }

    fn is_safe(&self) -> bool {
        self.fixes.iter().all(|fix| fix.is_safe)
    }

    /// The text suggests the same charset. A fix can remove the text that identified it, and the
    /// next run would then read the rest in another charset.
    fn keeps_charset(&self) -> bool {
        let is_converted = self.fixes.iter().any(Fix::is_conversion);
        let expected = if is_converted { UTF_8 } else { self.original.detected };
        self.verified.detected == expected || self.text.bytes.is_ascii()
    }

    /// Unsafe fixes reduce the number of their findings. Otherwise they would be applied
    /// repeatedly. The findings of a reading exclude those of replay and count.
    fn reduces_findings(&self) -> bool {
        let codes = self.fixes.iter().filter(|fix| !fix.is_safe).map(|fix| fix.code);
        codes.into_iter().all(|code| {
            let before = count(&self.original.reading.findings, code);
            before == 0 || count(&self.verified.reading.findings, code) < before
        })
    }

    /// All bytes between brackets that no edit touches are still there, between brackets and in
    /// the same order. Fixes of characters leave the text in UTF-8 as it is.
    fn keeps_values(&self) -> bool {
        self.fixes.iter().any(Fix::is_of_characters)
            || lost_value(&self.before.text, &self.after.text, &self.edits(self.fixes)).is_none()
    }

    /// Fixes of values keep the number of turns. Such a fix can remove the only violation of the
    /// grammar, so that other values have another end.
    fn keeps_turns(&self) -> bool {
        let is_of_values = |fix: &Fix| matches!(fix.code.class(), b'H' | b'I');
        let count = |reading: &Reading| reading.record.steps.len();
        count(&self.verified.reading) == count(self.original.reading) || !self.fixes.iter().all(is_of_values)
    }

    /// A text that follows the grammar of FF\[4\] still follows it.
    fn keeps_grammar(&self) -> bool {
        !is_well_formed(&self.before.text) || is_well_formed(&self.after.text)
    }

    /// The text has no new flaws.
    fn adds_no_findings(&self) -> bool {
        verify::has_no_new_findings(&self.original.reading.findings, &self.verified.reading.findings)
    }

    /// The text has as much unread text as before. A fix that removes such text would hide that it
    /// may be the rest of a turn. Fixes of NUL bytes in names and of an odd GM make it readable.
    fn keeps_unread_text(&self) -> bool {
        let count = |reading: &Reading| count(&reading.findings, Code::UnreadableNode);
        let is_reader = |fix: &Fix| matches!(fix.code, Code::NulBytes | Code::MissingGame);
        self.fixes.iter().any(is_reader) || count(self.original.reading) <= count(&self.verified.reading)
    }

    /// The reader finds the same turns, setup, territory and header.
    fn keeps_record(&self) -> bool {
        verify::is_same_record(&self.original.reading.record, &self.verified.reading.record)
    }

    /// The writer finds the same properties.
    fn keeps_content(&self) -> bool {
        let OriginalText { text, content, options, .. } = &self.original;
        let before = content.get_or_init(|| Content::from_text(text, options));
        before.is_contained_in(&Content::from_text(&self.text, options))
    }

    /// A text that follows the grammar of FF\[4\] has the same properties at the same places.
    ///
    /// Fixes that change only values give them another form, and the other rules compare their
    /// meaning.
    fn keeps_plain_content(&self) -> bool {
        if !is_well_formed(&self.before.text) {
            return true;
        }
        let values: Vec<Range<usize>> = plain_values(&self.before.text).collect();
        let is_in_value = |edit: &Edit| {
            let index = values.partition_point(|value| value.end < edit.range.start);
            values.get(index).is_some_and(|value| value.start <= edit.range.start && edit.range.end <= value.end)
        };
        let of_characters = self.fixes.iter().any(Fix::is_of_characters);
        let is_of_values = |fix: &&Fix| !of_characters && self.edits([*fix]).iter().all(is_in_value);
        let mut expected = Vec::with_capacity(self.before.text.len());
        let edits = self.edits(self.fixes.iter().filter(is_of_values));
        Edit::append_edited(&self.before.text, &edits, &mut expected);
        match (Content::from_grammar(&expected), Content::from_grammar(&self.after.text)) {
            (Some(before), Some(after)) => before.is_contained_in(&after),
            _ => false,
        }
    }

    /// Returns the edits of fixes, in order, with offsets in the text in UTF-8.
    fn edits<'f>(&self, fixes: impl IntoIterator<Item = &'f Fix>) -> Vec<Edit> {
        let edits = fixes.into_iter().flat_map(|fix| &fix.edits);
        let mut edits: Vec<Edit> = edits
            .map(|Edit { range, text }| {
                let range = self.before.text_offset(range.start)..self.before.text_offset(range.end);
                Edit { range, text: text.clone() }
            })
            .collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        edits
    }
}

/// Returns the first value that no edit touches and that is not a value at the same place in the
/// edited text.
///
/// A value extends from a `[` to the next `]` without a backslash, also outside nodes. The edits
/// are sorted.
pub fn lost_value(before: &[u8], after: &[u8], edits: &[Edit]) -> Option<usize> {
    let mut edits = edits.iter().peekable();
    let mut found = plain_values(after).peekable();
    let mut shift = 0;
    let lost = plain_values(before).find(|value| {
        while let Some(edit) = edits.next_if(|edit| edit.range.end < value.start) {
            shift += edit.text.len() as isize - edit.range.len() as isize;
        }
        if edits.peek().is_some_and(|edit| edit.range.start <= value.end) {
            return false;
        }
        let start = value.start.wrapping_add_signed(shift);
        while found.next_if(|other| other.start < start).is_some() {}
        found.next_if(|other| other.start == start && other.len() == value.len()).is_none()
    });
    lost.map(|value| value.start)
}
