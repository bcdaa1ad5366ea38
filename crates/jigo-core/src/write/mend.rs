//! Mends: edits of a game's text, each of which takes away what a finding says.
//!
//! A text is mended from the outside to the inside: its characters, then its brackets and parentheses, then its properties. After each
//! round it is read again, and edits that change what the record says are left out: a safe mend changes no turn, no setup and no meaning of the
//! header, and this is not assumed but looked at.

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
use crate::finding::{Code, Finding, MendKind};
use crate::record::DialectChoice;
use crate::sgf::split::Close;
use crate::sgf::{Charset, GameText, Limits, RecordKind};
use page::Page;

/// Which mends are made, and how records are read.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The codes whose mends are made, by the table's order.
    pub codes: Vec<bool>,
    /// Make those, too, that rest on a judgement.
    pub is_unsafe: bool,
    /// What is done about typing errors.
    pub proposing: Proposing,
    /// Which dialect records are read in.
    pub dialect: DialectChoice,
    /// How much of a game is read.
    pub limits: Limits,
}

/// What is done about typing errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proposing {
    /// Nothing.
    #[default]
    Nothing,
    /// Readings are listed.
    List,
    /// A reading that stands alone is taken.
    Take,
}

impl Wanted {
    /// Every safe mend.
    pub fn safe() -> Wanted {
        let (dialect, limits) = (DialectChoice::Auto, Limits::default());
        let codes = vec![true; Code::TABLE.len()];
        Wanted { codes, is_unsafe: false, proposing: Proposing::Nothing, dialect, limits }
    }

    /// Whether a mend of this code is made, safe or not.
    pub fn wants(&self, code: Code, is_safe: bool) -> bool {
        self.codes[code as usize] && (is_safe || self.is_unsafe)
    }
}

/// One mend that was made, or was left out because nothing shows that the record says the same then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// The finding that it takes away.
    pub code: Code,
    /// Whether it keeps what the record says.
    pub is_safe: bool,
    /// The byte of the recorded text where it begins.
    pub at: usize,
    /// What stood there.
    pub before: String,
    /// What stands there.
    pub after: String,
}

/// A game with its mends.
#[derive(Clone, Debug, Default)]
pub struct Mended {
    /// Its text.
    pub bytes: Vec<u8>,
    /// How it differs from the recorded one.
    pub changes: Vec<Edit>,
    /// What its bytes mean.
    pub charset: Charset,
    /// Why, in the order they were made.
    pub mends: Vec<Mend>,
    /// Mends that were not made: the record would say something else, or there were too many such ones to look at each.
    pub refused: Vec<Mend>,
    /// Readings of a typing error, the likeliest first.
    pub offered: Vec<Offered>,
    /// The only one of them was taken, and is the last of the mends.
    pub is_taken: bool,
}

/// A reading of a typing error as a mend.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// What would be changed.
    pub mend: Mend,
    /// The reading.
    pub proposal: Proposal,
}

/// A mend of a text that was looked at, not made yet. Its edits are made together or not at all.
#[derive(Clone, Debug)]
struct Fix {
    code: Code,
    is_safe: bool,
    /// Sorted.
    edits: Vec<Edit>,
    /// What to show instead of the bytes that go and come.
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

/// What replay and count found in a game: its findings, and its stated result held against the count.
pub type Judged = (Vec<Finding>, Option<Audit>);

/// Mends a game of SGF in which `findings` were found; `None` where none of them has a mend that is wanted, or none can be made.
pub fn mend(text: &GameText, findings: &[Finding], wanted: &Wanted) -> Option<Mended> {
    mend_judged(text, (findings, None), wanted, |_| Judged::default())
}

/// The same where the stated result was held against the count, so that what is wrong with it can be mended as a judgement. What a judgement uncovers is
/// mended, too: `again` says what is found in the text with it.
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

/// Whether readings are wanted of what this code says.
fn may_be_proposed(code: Code, wanted: &Wanted) -> bool {
    let is_proposed = code.description().mending.is_some_and(|mending| mending.kind == MendKind::Proposed);
    is_proposed && wanted.proposing != Proposing::Nothing && wanted.codes[code as usize]
}

/// Whether the code has a mend of the kinds that are wanted.
fn may_have_mend(code: Code, wanted: &Wanted) -> bool {
    let mending = code.description().mending;
    mending.is_some_and(|mending| {
        mending.kind.has_safe() && wanted.wants(code, true) || mending.kind.has_unsafe() && wanted.wants(code, false)
    })
}
