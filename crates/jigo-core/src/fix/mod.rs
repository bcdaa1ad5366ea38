//! Fixes: edits of a record's text that remove findings and leave every other byte in place.
//!
//! A session (`session.rs`) fixes a text from the outside to the inside: characters,
//! then brackets and parentheses, then properties. After each round it reads the text again and
//! rejects edits that change the content of the record. So a safe fix never changes turns, setup,
//! or the meaning of the header.

mod content;
pub mod correction;
mod detect;
pub mod edit;
mod merge;
mod session;
mod verify;

pub use correction::{Correction, Typo, suggest};
pub use edit::{Draft, Edit};
pub use merge::{GAME_INFO, GameInfo, MergedGame, exchange_colors, game_info, merge};

use std::borrow::Cow;

use crate::audit::Audit;
use jigo_record::DialectChoice;
use jigo_record::finding::{Code, Finding, FixSafety};
use jigo_record::sgf::{Charset, Limits};
use jigo_record::splitter::{Close, GameText, RecordKind};
use session::FixSession;

/// The requested fixes, and the settings for reading records.
#[derive(Clone, Debug)]
pub struct FixOptions {
    /// For each code, in the order of the table, whether its fixes are requested.
    pub codes: Vec<bool>,
    /// True to also apply unsafe fixes, which depend on a judgement.
    pub is_unsafe: bool,
    /// The treatment of typing errors.
    pub suggestions: Suggestions,
    /// The dialect of the records.
    pub dialect: DialectChoice,
    /// The limits on a game.
    pub limits: Limits,
}

/// The treatment of typing errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suggestions {
    /// Ignore them.
    #[default]
    Off,
    /// List the possible corrections.
    List,
    /// Apply a correction if it is the only one.
    Apply,
}

impl FixOptions {
    /// Requests every safe fix.
    pub fn safe() -> FixOptions {
        let (dialect, limits) = (DialectChoice::Auto, Limits::default());
        let codes = vec![true; Code::TABLE.len()];
        FixOptions { codes, is_unsafe: false, suggestions: Suggestions::Off, dialect, limits }
    }

    /// Returns true if fixes of this code and safety are requested.
    pub fn includes(&self, code: Code, is_safe: bool) -> bool {
        self.codes[code as usize] && (is_safe || self.is_unsafe)
    }
}

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
    /// The text before the fix.
    pub before: String,
    /// The text after the fix.
    pub after: String,
    /// The reason why it was not applied, or the evidence for it.
    pub reason: String,
    /// The edits of the text in which it was detected, sorted by offset.
    edits: Vec<Edit>,
    /// True if `before` and `after` describe the edits in another form.
    has_texts: bool,
}

impl Fix {
    fn safe(code: Code, edits: Vec<Edit>) -> Fix {
        let (before, after, reason) = (String::new(), String::new(), String::new());
        Fix { code, is_safe: true, is_made: false, at: 0, before, after, reason, edits, has_texts: false }
    }

    fn one(code: Code, edit: Edit) -> Fix {
        Fix::safe(code, vec![edit])
    }

    fn into_unsafe(self) -> Fix {
        Fix { is_safe: false, ..self }
    }

    /// Sets the texts of the log. By default they are the changed bytes.
    fn with_texts(self, before: impl Into<String>, after: impl Into<String>) -> Fix {
        Fix { before: before.into(), after: after.into(), has_texts: true, ..self }
    }

    /// Returns the fix as rejected for this reason.
    pub fn rejected(self, reason: &str) -> Fix {
        let reason = if self.reason.is_empty() { reason.into() } else { self.reason };
        Fix { is_made: false, reason, ..self }
    }

    /// Returns a fix that was applied without a session.
    pub fn applied(code: Code, is_safe: bool, offset: u64, (before, after): (String, String)) -> Fix {
        Fix { is_safe, is_made: true, at: offset, ..Fix::safe(code, Vec::new()).with_texts(before, after) }
    }

    fn start(&self) -> usize {
        self.edits.first().map_or(0, |edit| edit.range.start)
    }
}

/// The reason for a rejected fix.
pub const NOT_VERIFIED: &str = "it could not be shown that the record says the same then";

/// A game with its fixes.
#[derive(Clone, Debug, Default)]
pub struct FixedGame {
    /// The fixed text.
    pub bytes: Vec<u8>,
    /// The difference from the recorded text.
    pub changes: Vec<Edit>,
    /// The charset of the fixed text.
    pub charset: Charset,
    /// The applied fixes, in the order of application.
    pub fixes: Vec<Fix>,
    /// The rejected fixes: they would change the content, or the budget for checking them was
    /// spent.
    pub rejected: Vec<Fix>,
    /// The possible corrections of a typing error, the likeliest first.
    pub suggestions: Vec<Fix>,
    /// True if the only correction was applied.
    pub is_corrected: bool,
}

/// The findings of a game, and the comparison of its recorded result with the count.
#[derive(Clone, Debug, Default)]
pub struct Assessment<'a> {
    /// The findings of reading, replay and count.
    pub findings: Cow<'a, [Finding]>,
    /// The comparison of the recorded result with the count.
    pub audit: Option<Cow<'a, Audit>>,
}

/// Fixes an SGF game with these `findings`; `None` if no requested fix applies.
pub fn fix_game(text: &GameText, findings: &[Finding], options: &FixOptions) -> Option<FixedGame> {
    let assessment = Assessment { findings: Cow::Borrowed(findings), audit: None };
    fix_assessed_game(text, &assessment, options, |_| Assessment::default())
}

/// Fixes a game whose recorded result was compared with the count, so that unsafe fixes can change
/// it.
///
/// An unsafe fix may reveal new findings, which are also fixed. `reassess` returns the findings of
/// the changed text.
pub fn fix_assessed_game(
    text: &GameText,
    assessment: &Assessment,
    options: &FixOptions,
    mut reassess: impl FnMut(&GameText) -> Assessment<'static>,
) -> Option<FixedGame> {
    let findings = &assessment.findings;
    let is_fixable = text.kind == RecordKind::default() && text.close != Close::Oversized;
    let has_fix = findings.iter().any(|finding| can_have_fix(finding.code, options));
    let fault = findings.iter().map(|finding| finding.code).find(|code| can_be_corrected(*code, options));
    if !is_fixable || (!has_fix && fault.is_none()) {
        return None;
    }
    let mut options = Cow::Borrowed(options);
    let mut endless: Vec<Fix> = Vec::new();
    let fixed = loop {
        let mut session = FixSession::new(text, &options);
        let endless_codes = if has_fix { session.apply_all(assessment, &mut reassess) } else { None };
        let Some(endless_codes) = endless_codes else {
            if let Some(code) = fault {
                session.suggest_corrections(code);
            }
            break session.into_fixed();
        };
        let mut codes = options.codes.clone();
        for fix in session.fixed.fixes.into_iter().filter(|fix| endless_codes.contains(&fix.code)) {
            if std::mem::take(&mut codes[fix.code as usize]) {
                endless.push(fix.rejected(NOT_VERIFIED));
            }
        }
        options = Cow::Owned(FixOptions { codes, ..options.into_owned() });
    };
    let mut rejected = fixed.rejected;
    rejected.append(&mut endless);
    let is_unchanged = fixed.fixes.is_empty() && rejected.is_empty() && fixed.suggestions.is_empty();
    (!is_unchanged).then_some(FixedGame { rejected, ..fixed })
}

/// Returns true if corrections for this code are requested.
fn can_be_corrected(code: Code, options: &FixOptions) -> bool {
    let is_suggested = code.description().fix.is_some_and(|fix| fix.safety == FixSafety::Suggested);
    is_suggested && options.suggestions != Suggestions::Off && options.codes[code as usize]
}

/// Returns true if the code has fixes of a requested safety.
fn can_have_fix(code: Code, options: &FixOptions) -> bool {
    let is_requested = |safety: FixSafety| {
        safety.has_safe() && options.includes(code, true) || safety.has_unsafe() && options.includes(code, false)
    };
    code.description().fix.is_some_and(|fix| is_requested(fix.safety))
}
