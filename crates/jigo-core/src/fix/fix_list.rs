//! Detected fixes of a text.

use std::cell::OnceCell;
use std::ops::Range;

use encoding_rs::UTF_8;

use super::detect::charset_doubt::{CharsetDoubt, has_nuls_in_values};
use super::edit::Edit;
use super::fix_options::FixOptions;
use super::fixed_game::Fix;
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Charset;
use jigo_record::sgf::charset::CharsetBasis;
use jigo_record::splitter::GameText;

/// The maximum number of edits of one game. Each takes some hundred bytes of memory, and a game can
/// need one for every byte.
pub(super) const MAX_EDITS: usize = 250_000;
/// The reason for a rejected fix of a game that needs more edits.
pub(super) const TOO_MANY_EDITS: &str = "the game needs more than 250000 edits, the limit for one game";

/// The requested fixes of a text. If they exceed the maximum number of edits, further ones are
/// dropped.
pub(super) struct FixList<'a> {
    options: &'a FixOptions,
    edit_count: usize,
    text: &'a GameText<'a>,
    decoded: &'a Decoded<'a>,
    /// The doubt about the charset of the text.
    pub doubt: CharsetDoubt,
    /// True if the text may be UTF-16 that was not recognised. A fix would separate the halves of
    /// all characters after it.
    may_be_utf16: bool,
    /// The parts of the text between semicolons that are not ASCII.
    other_text: OnceCell<Vec<Range<usize>>>,
    pub fixes: Vec<Fix>,
    /// The first fix that exceeds the maximum.
    pub excess: Option<Fix>,
}

impl<'a> FixList<'a> {
    /// Returns an empty list for a game that already has `edit_count` edits.
    pub(super) fn new(
        options: &'a FixOptions,
        edit_count: usize,
        text: &'a GameText<'a>,
        decoded: &'a Decoded<'a>,
    ) -> FixList<'a> {
        let may_be_utf16 = memchr::memchr(0, text.bytes).is_some() && has_nuls_in_values(text.bytes, decoded);
        FixList {
            options,
            edit_count,
            text,
            decoded,
            doubt: CharsetDoubt::assess(text, decoded),
            may_be_utf16,
            other_text: OnceCell::new(),
            fixes: Vec::new(),
            excess: None,
        }
    }

    /// Adds a fix if it is requested and has edits. It is unsafe if its characters are uncertain.
    pub(super) fn push(&mut self, fix: Fix) {
        let is_uncertain = |edit: &Edit| self.is_undecodable(edit) || self.divides_guessed_text(edit);
        let is_in_doubt = self.may_be_utf16 || !fix.is_of_characters() && fix.edits.iter().any(is_uncertain);
        let fix = fix.unsafe_if(is_in_doubt);
        if fix.edits.is_empty() || self.excess.is_some() || !self.options.includes(fix.code, fix.is_safe) {
            return;
        }
        self.edit_count += fix.edits.len();
        if self.edit_count <= MAX_EDITS {
            self.fixes.push(fix);
        } else {
            self.excess = Some(fix);
        }
    }

    /// Makes the fixes from an index on unsafe.
    pub(super) fn doubt_since(&mut self, start: usize) {
        let doubted = self.fixes.split_off(start);
        let doubted = doubted.into_iter().map(Fix::into_unsafe);
        self.fixes.extend(doubted.filter(|fix| self.options.includes(fix.code, false)));
    }

    /// Returns true if an edit replaces undecodable bytes. Different ones look the same
    /// after decoding.
    fn is_undecodable(&self, edit: &Edit) -> bool {
        if self.decoded.damaged_offset.is_none() && self.decoded.cut_offset.is_none() {
            return false;
        }
        let source = self.decoded.source(edit.range.start)..self.decoded.source(edit.range.end);
        let Charset { encoding, basis, .. } = self.text.charset;
        let encoding = if basis == CharsetBasis::Transcoded { UTF_8 } else { encoding };
        encoding.decode_without_bom_handling(&self.text.bytes[source]).1
    }

    /// Returns true if an edit removes characters of an uncertain charset, or changes brackets or
    /// backslashes in a node with such characters. They may be halves of characters.
    fn divides_guessed_text(&self, edit: &Edit) -> bool {
        let bytes = &*self.decoded.text;
        let removed = &bytes[edit.range.clone()];
        let is_sign = |byte: &u8| matches!(byte, b'[' | b']' | b'\\');
        if !self.doubt.exists() || !removed.is_ascii() {
            return self.doubt.exists();
        }
        if !edit.text.iter().chain(removed).any(is_sign) {
            return false;
        }
        let other_text = self.other_text.get_or_init(|| other_text(bytes));
        let next = other_text.partition_point(|part| part.end < edit.range.start);
        other_text.get(next).is_some_and(|part| part.start <= edit.range.end)
    }
}

/// Returns the parts of a text between semicolons that are not ASCII. No character has a semicolon
/// as its half.
fn other_text(bytes: &[u8]) -> Vec<Range<usize>> {
    let ends = memchr::memchr_iter(b';', bytes).chain([bytes.len()]);
    let parts = ends.scan(0, |start, end| Some(std::mem::replace(start, end)..end));
    parts.filter(|part| !bytes[part.clone()].is_ascii()).collect()
}

impl Extend<Fix> for FixList<'_> {
    fn extend<T: IntoIterator<Item = Fix>>(&mut self, fixes: T) {
        fixes.into_iter().for_each(|fix| self.push(fix));
    }
}
