//! Fixes: edits of a record's text that remove findings and leave every other byte in place.
//!
//! A session (`session.rs`) fixes a text from the outside to the inside: characters,
//! then brackets and parentheses, then properties. After each round it reads the text again and
//! rejects edits that change the content of the record. So a safe fix never changes turns, setup,
//! or the meaning of the header.

mod acceptance;
mod content;
pub mod correction;
mod detect;
pub mod edit;
mod fix_list;
mod fix_options;
mod fixed_game;
mod line_position;
mod merge;
mod mergeable_values;
mod normalize;
mod session;
mod verify;

pub use acceptance::lost_value;
pub use correction::{Correction, Typo, suggest};
pub use edit::{Draft, Edit};
pub use fix_options::{FixOptions, HeaderField, Normalization, Suggestions};
pub use fixed_game::{Assessment, Fix, FixedGame, NOT_VERIFIED};
pub use merge::{MergedGame, exchange_colors, is_same_value, merge};
pub use mergeable_values::{MergeableValues, RecordedValue, mergeable_values};

use std::borrow::Cow;

use jigo_record::finding::{Code, Finding, FixSafety};
use jigo_record::splitter::{Close, GameText, RecordKind};
use session::FixSession;

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
    let normalizes = options.codes.contains(Code::HeaderForm) && !options.normalization.fields.is_empty();
    if !is_fixable || (!has_fix && fault.is_none() && !normalizes) {
        return None;
    }
    let mut options = Cow::Borrowed(options);
    let mut endless: Vec<Fix> = Vec::new();
    let fixed = loop {
        let mut session = FixSession::new(text, &options);
        let mut endless_codes = if has_fix { session.apply_all(assessment, &mut reassess) } else { None };
        if let (None, Some(code)) = (&endless_codes, fault) {
            session.suggest_corrections(code);
        }
        // A value in another form may repeat one of a later node, which is a fix of its own.
        if endless_codes.is_none() && normalizes && session.normalize() {
            endless_codes = session.run_rounds();
        }
        let Some(endless_codes) = endless_codes else { break session.into_fixed() };
        let mut codes = options.codes;
        for fix in session.fixes.into_iter().filter(|fix| endless_codes.contains(&fix.code)) {
            if codes.remove(fix.code) {
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
    is_suggested && options.suggestions != Suggestions::Off && options.codes.contains(code)
}

/// Returns true if the code has fixes of a requested safety.
fn can_have_fix(code: Code, options: &FixOptions) -> bool {
    let is_requested = |safety: FixSafety| {
        safety.has_safe() && options.includes_safe(code) || safety.has_unsafe() && options.includes(code, false)
    };
    code.description().fix.is_some_and(|fix| is_requested(fix.safety))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::Reading;
    use jigo_record::finding::{CodeSet, Place};

    /// KM has a safe fix and GM an unsafe one.
    const TEXT: &str = "(;FF[4]GM[Chess]SZ[9]KM[6,5]BR[9 dan];B[ee];W[cc];W[cc])";

    fn fix(text: &GameText, options: &FixOptions) -> Option<FixedGame> {
        fix_game(text, &Reading::from_text(text).findings, options)
    }

    #[test]
    fn only_requested_fixes_are_made() {
        let (safe, text) = (FixOptions::safe(), GameText::from_sgf(TEXT));
        let fixed = |options: &FixOptions| {
            let fixed = fix(&text, options).unwrap();
            assert!(fixed.suggestions.is_empty() && fixed.rejected.is_empty());
            String::from_utf8(fixed.bytes).unwrap()
        };
        let (with_komi, game) = (TEXT.replace("6,5", "6.5"), "GM[1]");
        assert_eq!(fixed(&safe), with_komi);
        let all = FixOptions { is_unsafe: true, ..safe.clone() };
        assert_eq!(fixed(&all), with_komi.replace("GM[Chess]", game));
        let of = |code: Code| FixOptions { codes: CodeSet::from_iter([code]), ..all.clone() };
        assert_eq!(fixed(&of(Code::MissingGame)), TEXT.replace("GM[Chess]", game));
        let fields = vec![HeaderField::Ranks];
        let ranks =
            FixOptions { normalization: Normalization { fields, ..Normalization::default() }, ..of(Code::HeaderForm) };
        assert_eq!(fixed(&ranks), TEXT.replace("9 dan", "9d"));
        for codes in [CodeSet::default(), CodeSet::from_iter([Code::HeaderForm]), CodeSet::from_iter([Code::Occupied])]
        {
            assert!(fix(&text, &FixOptions { codes, ..all.clone() }).is_none());
        }
    }

    #[test]
    fn corrections_are_listed_on_request() {
        let (text, safe) = (GameText::from_sgf(TEXT), FixOptions::safe());
        let occupied = [Finding::new(Code::Occupied, Place::byte(0), "")];
        let listing = FixOptions { suggestions: Suggestions::List, ..safe.clone() };
        let fixed = fix_game(&text, &occupied, &listing).unwrap();
        assert!(!fixed.suggestions.is_empty() && fixed.changes.is_empty());
        let codes = CodeSet::from_iter([Code::KomiComma]);
        for options in [safe, FixOptions { codes, ..listing }] {
            assert!(fix_game(&text, &occupied, &options).is_none());
        }
    }

    #[test]
    fn only_complete_sgf_is_fixed() {
        let (text, kind) = (GameText::from_sgf(TEXT), RecordKind::from_name("a.gib").unwrap());
        for unfixable in [GameText { close: Close::Oversized, ..text }, GameText { kind, ..text }] {
            assert!(fix_game(&unfixable, &Reading::from_text(&text).findings, &FixOptions::safe()).is_none());
        }
    }
}
