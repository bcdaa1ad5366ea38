//! A session that fixes one text in several rounds.

use std::cell::OnceCell;

use encoding_rs::Encoding;

use super::acceptance::{ChangedText, OriginalText};
use super::content::Content;
use super::correction::{self, suggest};
use super::detect::{board, characters, nodes, structure, violations};
use super::edit::{Draft, Edit};
use super::fix_list::{FixList, TOO_MANY_EDITS};
use super::fix_options::{FixOptions, Suggestions};
use super::fixed_game::{Assessment, Fix, FixedGame, NOT_VERIFIED};
use super::verify::{self, Verified};
use jigo_record::Reading;
use jigo_record::finding::{Code, Severity};
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Charset;
use jigo_record::sgf::charset::CharsetBasis;
use jigo_record::splitter::{Close, GameText, Piece, Splitter, Unit};

/// The maximum number of rounds. A fix in one round may reveal findings for the next.
const MAX_ROUNDS: usize = 16;
/// The maximum number of repetitions with new findings of replay and count after unsafe fixes.
const MAX_ASSESSMENTS: usize = 8;
/// The budget for rereading fixed text in search of the fixes that must be rejected: a constant,
/// plus a multiple of the text's length. Fixes that are not verified within it are rejected.
const MIN_BUDGET: usize = 256 << 10;
const BUDGET_PER_BYTE: usize = 8;
/// The cost of a new assessment for each byte of the text: the game is replayed and counted.
const ASSESSMENT_COST: usize = 2;

/// Detects fixes of a text.
type Detect<'d> = dyn Fn(&GameText, &Decoded, &Reading, &mut FixList) + 'd;

/// The number of stages: characters, structure, nodes, and violations of FF\[4\].
const STAGES: usize = 4;
/// The stage of fixes that depend on replay and count.
const BOARD: usize = STAGES;

/// A stage of detection. Its fixes depend only on the text, so it runs again only after a change.
#[derive(Default)]
struct Stage {
    /// The version of the text in its last run.
    examined: Option<usize>,
    /// The fixes that this run rejected.
    rejected: Vec<Fix>,
}

/// A text during fixing.
pub(super) struct FixSession<'a> {
    pub bytes: Vec<u8>,
    pub draft: Draft,
    pub close: Close,
    pub charset: Charset,
    pub recorded: &'a GameText<'a>,
    pub options: &'a FixOptions,
    /// The reading of the current text.
    pub reading: Reading,
    /// The complete content, independent of its form.
    pub content: OnceCell<Content>,
    /// The charset that the current text suggests without any context.
    pub detected: &'static Encoding,
    /// The remaining bytes of the budget for verification.
    budget: usize,
    /// The number of edits of the applied fixes.
    edit_count: usize,
    pub fixes: Vec<Fix>,
    /// The number of changes of the text so far.
    pub version: usize,
    stages: [Stage; STAGES + 1],
    suggestions: Vec<Fix>,
    is_corrected: bool,
}

/// A text after verified fixes.
pub(super) struct FixedText {
    draft: Draft,
    bytes: Vec<u8>,
    is_safe: bool,
    verified: Verified,
}

impl<'a> FixSession<'a> {
    /// Returns the session for a recorded game.
    pub(super) fn new(text: &'a GameText<'a>, options: &'a FixOptions) -> FixSession<'a> {
        let (reading, _) = verify::read(text, options);
        FixSession {
            bytes: text.bytes.to_vec(),
            draft: Draft::new(text.bytes.len()),
            close: text.close,
            charset: text.charset,
            recorded: text,
            options,
            content: OnceCell::new(),
            reading,
            detected: verify::detected_encoding(text.bytes),
            budget: MIN_BUDGET + BUDGET_PER_BYTE * text.bytes.len(),
            edit_count: 0,
            fixes: Vec::new(),
            version: 0,
            stages: Default::default(),
            suggestions: Vec::new(),
            is_corrected: false,
        }
    }

    /// Returns the current text as the text of its game.
    pub(super) fn text<'t>(&self, bytes: &'t [u8]) -> GameText<'t>
    where
        'a: 't,
    {
        GameText { bytes, close: self.close, charset: self.charset, ..*self.recorded }
    }

    /// Returns the fixed game.
    pub(super) fn into_fixed(self) -> FixedGame {
        let FixSession { bytes, draft, close, charset, reading, fixes, stages, suggestions, is_corrected, .. } = self;
        let rejected = stages.into_iter().flat_map(|stage| stage.rejected).collect();
        let (changes, findings) = (draft.changes(), reading.findings);
        FixedGame { bytes, changes, close, charset, findings, fixes, rejected, suggestions, is_corrected }
    }

    /// Applies fixes until none is left, including fixes for the findings that `reassess` returns
    /// after unsafe fixes.
    ///
    /// If this does not end, it returns the codes of the fixes in the last round: a fix that leaves
    /// its own finding would be applied forever. It does the same for a result that the count of
    /// the fixed game contradicts again.
    pub(super) fn apply_all(
        &mut self,
        assessment: &Assessment,
        reassess: &mut impl FnMut(&GameText) -> Assessment<'static>,
    ) -> Option<Vec<Code>> {
        let mut revealed: Option<Assessment> = None;
        let mut fix_count = 0;
        for _ in 0..MAX_ASSESSMENTS {
            fix_count = self.fixes.len();
            let revealing = self.count_revealing();
            if let Some(endless) = self.run_rounds() {
                return Some(endless);
            }
            if self.options.is_unsafe {
                let assessment = revealed.as_ref().unwrap_or(assessment);
                self.run_stage(BOARD, &|_, decoded, reading, fixes| {
                    fixes.extend(board::fixes(decoded, reading, assessment));
                });
            }
            let of_results = self.codes(0).filter(|code| Code::RESULT_CODES.contains(code));
            let of_results: Vec<Code> = of_results.collect();
            if of_results.len() > 1 {
                return Some(of_results);
            }
            if !self.options.is_unsafe || self.count_revealing() == revealing {
                return None;
            }
            self.budget = self.budget.saturating_sub(ASSESSMENT_COST * self.bytes.len());
            if self.budget == 0 {
                return None;
            }
            revealed = Some(reassess(&self.text(&self.bytes)));
        }
        Some(self.codes(fix_count).collect())
    }

    /// Returns the codes of the fixes from the index `start` on.
    fn codes(&self, start: usize) -> impl Iterator<Item = Code> {
        self.fixes[start..].iter().map(|fix| fix.code)
    }

    /// Applies fixes from the outside to the inside until none is left. If this does not end, it
    /// returns the codes of the fixes in the last round.
    pub(super) fn run_rounds(&mut self) -> Option<Vec<Code>> {
        let limits = self.options.limits;
        let violation_fixes = |text: &GameText, decoded: &Decoded, reading: &Reading, fixes: &mut FixList| {
            fixes.extend(violations::fixes(text, decoded, reading, limits));
        };
        let stages: [&Detect; STAGES] = [&characters::fixes, &structure::fixes, &nodes::fixes, &violation_fixes];
        let mut fix_count = 0;
        for _ in 0..MAX_ROUNDS {
            fix_count = self.fixes.len();
            for (stage, detect) in stages.into_iter().enumerate() {
                if self.stages[stage].examined != Some(self.version) {
                    self.run_stage(stage, detect);
                }
            }
            if self.fixes.len() == fix_count {
                return None;
            }
        }
        Some(self.codes(fix_count).collect())
    }

    /// Returns the number of fixes that can change the findings of replay and count: unsafe fixes,
    /// and fixes of damage that hides turns.
    fn count_revealing(&self) -> usize {
        let is_revealing = |fix: &&Fix| !fix.is_safe || fix.code.severity() == Severity::Error;
        self.fixes.iter().filter(is_revealing).count()
    }

    /// Detects the fixes of a stage and applies them.
    fn run_stage(&mut self, stage: usize, detect: &Detect) {
        self.stages[stage] = Stage { examined: Some(self.version), rejected: Vec::new() };
        let text = self.text(&self.bytes);
        let decoded = Decoded::new(text.bytes, text.charset);
        let is_unchanged = matches!(decoded.text, std::borrow::Cow::Borrowed(_));
        let mut list = FixList::new(self.options, self.edit_count, &text, &decoded);
        detect(&text, &decoded, &self.reading, &mut list);
        let is_excessive = list.excess.is_some();
        let mut fixes = list.excess.map_or(list.fixes, |fix| vec![fix]);
        if !is_unchanged && !fixes.iter().all(Fix::is_of_characters) {
            for edit in fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
                edit.range = decoded.source(edit.range.start)..decoded.source(edit.range.end);
            }
        }
        drop(decoded);
        if is_excessive {
            let fixes: Vec<Fix> = fixes.into_iter().map(|fix| self.describe(fix).rejected(TOO_MANY_EDITS)).collect();
            self.stages[stage].rejected = fixes;
        } else if !fixes.is_empty() {
            self.apply(stage, fixes);
        }
    }

    /// Applies the fixes that result in one game with the same content, safe ones first, and all at
    /// once if possible.
    ///
    /// If fixes can't be applied together, each half is tried, so that a few bad fixes among many
    /// cost little.
    fn apply(&mut self, stage: usize, mut fixes: Vec<Fix>) {
        fixes.sort_by_key(Fix::start);
        let (safe, not_safe): (Vec<Fix>, Vec<Fix>) = fixes.into_iter().partition(|fix| fix.is_safe);
        let mut parts = vec![not_safe, safe];
        parts.retain(|part| !part.is_empty());
        let mut accepted = Vec::new();
        let mut result = None;
        while let Some(mut part) = parts.pop() {
            let together = accepted.len();
            accepted.append(&mut part);
            if let Some(fixed) = self.text_after(&accepted) {
                result = Some(fixed);
                continue;
            }
            part = accepted.split_off(together);
            let limit = self.limit_offset();
            let (mut rejected, mut left): (Vec<Fix>, Vec<Fix>) =
                part.into_iter().partition(|fix| fix.is_safe && fix.edits.iter().any(|edit| edit.range.end > limit));
            if left.len() + rejected.len() > 1 && self.budget > 0 {
                let second = left.split_off(left.len() / 2);
                parts.extend([second, left].into_iter().filter(|part| !part.is_empty()));
            } else {
                rejected.append(&mut left);
            }
            let rejected: Vec<Fix> =
                rejected.into_iter().map(|fix| self.describe(fix).rejected(NOT_VERIFIED)).collect();
            self.stages[stage].rejected.extend(rejected);
        }
        if let Some(fixed) = result {
            self.accept(accepted, fixed);
        }
    }

    /// Returns the end of the text that is compared after safe fixes. Beyond a limit, the reader
    /// finds nothing to compare.
    fn limit_offset(&self) -> usize {
        let limit = self.content.get().and_then(|content| content.limit_offset);
        limit.map_or(self.bytes.len(), |offset| Decoded::new(&self.bytes, self.charset).source(offset))
    }

    /// Returns the text after fixes if it is one game and meets the rules of acceptance.
    pub(super) fn text_after(&mut self, fixes: &[Fix]) -> Option<FixedText> {
        let mut edits: Vec<Edit> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let overlap = edits.windows(2).any(|pair| pair[1].range.start < pair[0].range.end);
        self.budget = self.budget.saturating_sub(self.bytes.len());
        if self.budget == 0 || overlap && fixes.len() > 1 {
            return None;
        }
        let mut draft = self.draft.clone();
        draft.apply(&edits);
        let bytes = draft.text(self.recorded.bytes);
        let verified = self.verify(&bytes)?;
        let text = GameText { close: verified.close, charset: verified.charset, ..self.text(&bytes) };
        let original = OriginalText {
            text: self.text(&self.bytes),
            reading: &self.reading,
            detected: self.detected,
            content: &self.content,
            options: self.options,
        };
        ChangedText::new(original, fixes, text, &verified).is_acceptable().then_some(())?;
        let is_safe = fixes.iter().all(|fix| fix.is_safe);
        Some(FixedText { draft, bytes, is_safe, verified })
    }

    /// Reads `bytes` as the new text. They must be one game, which is readable as far as before.
    pub(super) fn verify(&self, bytes: &[u8]) -> Option<Verified> {
        let mut pieces = Vec::new();
        Splitter::new(Unit::Game, self.options.limits).split_all(bytes, |piece| pieces.push(piece));
        let [Piece::Game(range, close, charset)] = pieces.as_slice() else { return None };
        // The splitter does not see the next game, which begins at the end of this one.
        let close = if (self.close, *close) == (Close::Fused, Close::Missing) { Close::Fused } else { *close };
        // At the end of a source, blanks after an unclosed game belong to it.
        let is_single_game = range.start == 0 && bytes[range.end..].trim_ascii().is_empty();
        if !is_single_game || (close != Close::Parenthesis && self.close == Close::Parenthesis) {
            return None;
        }
        // Without its source, a text may suggest another charset than the known one. A text that
        // was ASCII has no known charset until it gets other characters.
        let detected = charset.encoding;
        let is_charset_certain = self.charset.basis != CharsetBasis::Utf8
            && ![encoding_rs::UTF_8, self.charset.encoding].contains(&charset.encoding);
        let charset = if is_charset_certain { self.charset } else { *charset };
        let text = GameText { bytes, close, charset, ..*self.recorded };
        let (reading, _) = verify::read(&text, self.options);
        let is_readable =
            reading.unreadable == self.reading.unreadable && (!reading.is_truncated || self.reading.is_truncated);
        is_readable.then_some(Verified { close, charset, detected, reading })
    }

    /// Continues with the text after fixes.
    fn accept(&mut self, fixes: Vec<Fix>, fixed: FixedText) {
        self.edit_count += fixes.iter().map(|fix| fix.edits.len()).sum::<usize>();
        let fixes: Vec<Fix> = fixes.into_iter().map(|fix| Fix { is_made: true, ..self.describe(fix) }).collect();
        self.fixes.extend(fixes);
        let FixedText { draft, bytes, is_safe, verified } = fixed;
        (self.close, self.charset, self.detected) = (verified.close, verified.charset, verified.detected);
        self.reading = verified.reading;
        if !is_safe {
            self.content = OnceCell::new();
        }
        (self.draft, self.bytes, self.version) = (draft, bytes, self.version + 1);
    }

    /// Lists a described fix as rejected.
    pub(super) fn reject(&mut self, fix: Fix) {
        self.stages[BOARD].rejected.push(fix.rejected(NOT_VERIFIED));
    }

    /// Lists the corrections of a record that breaks the rules, and applies the only one or the
    /// chosen one if requested.
    pub(super) fn suggest_corrections(&mut self, code: Code) {
        let decoded = Decoded::new(&self.bytes, self.charset);
        let Some((_, corrections)) = suggest(&self.reading.record) else { return };
        let mut suggested = Vec::new();
        for correction in corrections {
            let Some(mut edits) = correction::edits(&decoded.text, correction.typo) else { continue };
            for edit in &mut edits {
                edit.range = decoded.source(edit.range.start)..decoded.source(edit.range.end);
            }
            suggested.push((Fix::safe(code, edits).into_unsafe(), correction));
        }
        drop(decoded);
        let (count, size) = (suggested.len(), self.reading.record.header.size);
        let suggestions = suggested.into_iter().enumerate().map(|(index, (fix, correction))| {
            let reason = format!("reading {} of {count}: {}", index + 1, correction.in_words(size));
            let caption = format!("reading {}, turn {}", index + 1, correction.typo.turn());
            let picture = correction.picture.map(|picture| Box::new((caption, picture)));
            Fix { reason, picture, ..self.describe(fix) }
        });
        self.suggestions = suggestions.collect();
        let chosen = match self.options.suggestions {
            Suggestions::Apply if count == 1 => Some(0),
            Suggestions::Reading(number) => (number as usize).checked_sub(1),
            _ => None,
        };
        if let Some(fix) = chosen.and_then(|index| self.suggestions.get(index)) {
            let fixes = vec![fix.clone()];
            if let Some(fixed) = self.text_after(&fixes) {
                self.accept(fixes, fixed);
                self.is_corrected = true;
            }
        }
    }

    /// Returns a fix of the current text with its texts and its offset in the recorded text.
    pub(super) fn describe(&self, fix: Fix) -> Fix {
        let offset = self.draft.recorded_byte(fix.start()) as u64;
        if fix.has_texts {
            return Fix { at: offset, ..fix };
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let before: String = fix.edits.iter().map(|edit| text(&self.bytes[edit.range.clone()])).collect();
        let after: String = fix.edits.iter().map(|edit| text(&edit.text)).collect();
        Fix { at: offset, before, after, has_texts: true, ..fix }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "(;GM[1]FF[4]SZ[9]KM[6.5]PB[a];B[ee]C[x];W[cc](;B[dd]C[y])(;B[ff]))";

    /// Returns whether a session accepts a replacement in a game as an unsafe and as a safe fix.
    fn acceptance(sgf: &str, (old, new): (&str, &str), code: Code) -> [bool; 2] {
        let (text, options, start) = (GameText::from_sgf(sgf), FixOptions::safe(), sgf.find(old).unwrap());
        [false, true].map(|is_safe| {
            let edit = Edit::replace(start..start + old.len(), new);
            let fix = Fix::with_edit(code, edit).unsafe_if(!is_safe);
            FixSession::new(&text, &options).text_after(&[fix]).is_some()
        })
    }

    #[test]
    fn safe_fixes_keep_record_and_content() {
        for edit in [("[ee]", "[ef]"), ("C[y]", "C[z]"), ("C[x]", ""), ("(;B[ff])", "")] {
            assert_eq!(acceptance(GAME, edit, Code::Occupied), [true, false], "{edit:?}");
        }
        let comma = GAME.replace("6.5", "6,5");
        assert_eq!(acceptance(&comma, ("6,5", "6.5"), Code::KomiComma), [true, true]);
        // It leaves its finding, so each run would make it.
        assert_eq!(acceptance(&comma, ("C[x]", "C[z]"), Code::KomiComma), [false, false]);
    }

    #[test]
    fn no_fix_loses_other_values_turns_or_the_grammar() {
        // The new value ends with that of the turn.
        assert_eq!(acceptance(GAME, ("PB[a]", "PB[a]C["), Code::Occupied), [false, false]);
        assert_eq!(acceptance(GAME, (";W[cc]", ""), Code::Occupied), [true, false]);
        assert_eq!(acceptance(GAME, (";W[cc]", ""), Code::KomiComma), [false, false]);
        let stray = (";B[ee]", "x;B[ee]");
        assert_eq!(acceptance(GAME, stray, Code::Occupied), [false, false]);
        assert_eq!(acceptance(&GAME.replace("PB[a]", "PB[a]y"), stray, Code::Occupied), [true, false]);
        assert_eq!(acceptance(GAME, ("(;B[ff]))", ")\n(;B[ff])"), Code::Occupied), [false, false], "another game");
    }
}
