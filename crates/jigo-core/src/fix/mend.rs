//! Fixes: edits of a game's text that remove findings.
//!
//! A text is fixed from the outside to the inside: characters, then brackets and parentheses, then
//! properties. After each round it is read again, and edits that change the content of the record
//! are rejected. So a safe fix never changes turns, setup, or the meaning of the header.

mod characters;
mod colors;
mod content;
mod header;
mod judged;
mod merge;
mod nodes;
mod page;
mod proof;
mod repeated;
mod structure;

pub use merge::{GAME_INFO, Merged, Stated, merge, stated, with_colors_exchanged};

use std::borrow::Cow;

use super::edit::Edit;
use super::proposal::Proposal;
use crate::audit::Audit;
use jigo_record::DialectChoice;
use jigo_record::finding::{Code, Finding, MendKind};
use jigo_record::sgf::{Charset, Limits};
use jigo_record::splitter::Close;
use jigo_record::splitter::{GameText, RecordKind};
use page::Page;

/// The requested fixes, and the settings for reading records.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// For each code, in the order of the table, whether its fixes are requested.
    pub codes: Vec<bool>,
    /// True to also apply unsafe fixes, which depend on a judgement.
    pub is_unsafe: bool,
    /// The treatment of typing errors.
    pub proposing: Proposing,
    /// The dialect of the records.
    pub dialect: DialectChoice,
    /// The limits on a game.
    pub limits: Limits,
}

/// The treatment of typing errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proposing {
    /// Ignore them.
    #[default]
    Nothing,
    /// List the possible corrections.
    List,
    /// Apply a correction if it is the only one.
    Take,
}

impl Wanted {
    /// Requests every safe fix.
    pub fn safe() -> Wanted {
        let (dialect, limits) = (DialectChoice::Auto, Limits::default());
        let codes = vec![true; Code::TABLE.len()];
        Wanted { codes, is_unsafe: false, proposing: Proposing::Nothing, dialect, limits }
    }

    /// Returns true if fixes of this code and safety are requested.
    pub fn wants(&self, code: Code, is_safe: bool) -> bool {
        self.codes[code as usize] && (is_safe || self.is_unsafe)
    }
}

/// A fix that was applied, or that was rejected because the record might change its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// The finding that it removes.
    pub code: Code,
    /// True if it preserves the content of the record.
    pub is_safe: bool,
    /// The offset of its first change in the recorded text.
    pub at: usize,
    /// The text before the fix.
    pub before: String,
    /// The text after the fix.
    pub after: String,
}

/// A game with its fixes.
#[derive(Clone, Debug, Default)]
pub struct Mended {
    /// The fixed text.
    pub bytes: Vec<u8>,
    /// The difference from the recorded text.
    pub changes: Vec<Edit>,
    /// The charset of the fixed text.
    pub charset: Charset,
    /// The applied fixes, in the order of application.
    pub mends: Vec<Mend>,
    /// The rejected fixes: they would change the content, or the budget for checking them was
    /// spent.
    pub refused: Vec<Mend>,
    /// The possible corrections of a typing error, the likeliest first.
    pub offered: Vec<Offered>,
    /// True if the only correction was applied. It is then the last of the fixes.
    pub is_taken: bool,
}

/// A correction of a typing error as a fix.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// The fix.
    pub mend: Mend,
    /// The correction.
    pub proposal: Proposal,
}

/// A fix that is not applied yet. Its edits are applied together or not at all.
#[derive(Clone, Debug)]
struct Fix {
    code: Code,
    is_safe: bool,
    /// Sorted by offset.
    edits: Vec<Edit>,
    /// The texts to show instead of the changed bytes.
    shown: Option<(String, String)>,
}

impl Fix {
    fn safe(code: Code, edits: Vec<Edit>) -> Fix {
        Fix { code, is_safe: true, edits, shown: None }
    }

    fn one(code: Code, edit: Edit) -> Fix {
        Fix::safe(code, vec![edit])
    }

    fn judged(self) -> Fix {
        Fix { is_safe: false, ..self }
    }

    fn shown(self, before: impl Into<String>, after: impl Into<String>) -> Fix {
        Fix { shown: Some((before.into(), after.into())), ..self }
    }

    fn begins(&self) -> usize {
        self.edits.first().map_or(0, |edit| edit.range.start)
    }
}

/// The findings of replay and count, and the comparison of the recorded result with the count.
pub type Judged = (Vec<Finding>, Option<Audit>);

/// Fixes an SGF game with these `findings`; `None` if no requested fix applies.
pub fn mend(text: &GameText, findings: &[Finding], wanted: &Wanted) -> Option<Mended> {
    mend_judged(text, (findings, None), wanted, |_| Judged::default())
}

/// Does the same for a game whose recorded result was compared with the count, so that unsafe fixes
/// can change it.
///
/// An unsafe fix may reveal new findings, which are also fixed. `again` returns the findings of the
/// changed text.
pub fn mend_judged(
    text: &GameText,
    (findings, audit): (&[Finding], Option<&Audit>),
    wanted: &Wanted,
    mut again: impl FnMut(&GameText) -> Judged,
) -> Option<Mended> {
    let is_fit = text.kind == RecordKind::default() && text.close != Close::Oversized;
    let has_mend = findings.iter().any(|finding| may_have_mend(finding.code, wanted));
    let fault = findings.iter().map(|finding| finding.code).find(|code| may_be_proposed(*code, wanted));
    if !is_fit || (!has_mend && fault.is_none()) {
        return None;
    }
    let mut wanted = Cow::Borrowed(wanted);
    let mut endless: Vec<Mend> = Vec::new();
    let mended = loop {
        let mut page = Page::new(text, &wanted);
        let without_end = if has_mend { page.settle((findings, audit), &mut again) } else { None };
        let Some(without_end) = without_end else {
            if let Some(code) = fault {
                page.offer(code);
            }
            let Page { bytes, draft, charset, mended, .. } = page;
            break Mended { bytes, changes: draft.changes(), charset, ..mended };
        };
        let mut codes = wanted.codes.clone();
        for mend in page.mended.mends.iter().filter(|mend| without_end.contains(&mend.code)) {
            if std::mem::take(&mut codes[mend.code as usize]) {
                endless.push(mend.clone());
            }
        }
        wanted = Cow::Owned(Wanted { codes, ..wanted.into_owned() });
    };
    let mut refused = mended.refused;
    refused.append(&mut endless);
    let is_nothing = mended.mends.is_empty() && refused.is_empty() && mended.offered.is_empty();
    (!is_nothing).then_some(Mended { refused, ..mended })
}

/// Returns true if corrections for this code are requested.
fn may_be_proposed(code: Code, wanted: &Wanted) -> bool {
    let is_proposed = code.description().mending.is_some_and(|mending| mending.kind == MendKind::Proposed);
    is_proposed && wanted.proposing != Proposing::Nothing && wanted.codes[code as usize]
}

/// Returns true if the code has fixes of a requested safety.
fn may_have_mend(code: Code, wanted: &Wanted) -> bool {
    let mending = code.description().mending;
    mending.is_some_and(|mending| {
        mending.kind.has_safe() && wanted.wants(code, true) || mending.kind.has_unsafe() && wanted.wants(code, false)
    })
}
