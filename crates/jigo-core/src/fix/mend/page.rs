//! A session that fixes one text in several rounds.

use std::cell::OnceCell;

use encoding_rs::Encoding;

use super::content::Content;
use super::{Fix, Judged, Mend, Mended, Offered, Proposing, Wanted, characters, judged, nodes, proof, structure};
use crate::audit::Audit;
use crate::fix::edit::{Draft, Edit};
use crate::fix::proposal::{self, propose};
use jigo_record::Reading;
use jigo_record::finding::{Code, Finding, Severity};
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Charset;
use jigo_record::splitter::Close;
use jigo_record::splitter::GameText;

/// The maximum number of rounds. A fix in one round may reveal findings for the next.
const ROUNDS: usize = 16;
/// The maximum number of repetitions with new findings of replay and count after unsafe fixes.
const JUDGED_ROUNDS: usize = 8;
/// The budget for rereading fixed text in search of the fixes that must be rejected: a constant,
/// plus a multiple of the text's length. Fixes that are not verified within it are rejected.
const PROOF: usize = 256 << 10;
const PROOFS: usize = 16;

/// A text during fixing.
pub(super) struct Page<'a> {
    pub bytes: Vec<u8>,
    pub draft: Draft,
    pub close: Close,
    pub charset: Charset,
    pub recorded: &'a GameText<'a>,
    pub wanted: &'a Wanted,
    /// The record as last read.
    pub reading: Reading,
    /// The complete content, independent of its form.
    pub content: OnceCell<Content>,
    /// The findings of the current text.
    found: Vec<Finding>,
    /// The charset that the current text suggests without any context.
    alone: &'static Encoding,
    /// The remaining bytes of the budget for verification.
    proof: usize,
    pub mended: Mended,
}

/// A text after verified fixes.
pub(super) struct After {
    draft: Draft,
    bytes: Vec<u8>,
    is_safe: bool,
    proved: proof::Proved,
}

impl<'a> Page<'a> {
    /// Returns the session for a recorded game.
    pub(super) fn new(text: &'a GameText<'a>, wanted: &'a Wanted) -> Page<'a> {
        let (reading, _) = proof::read(text, wanted);
        Page {
            bytes: text.bytes.to_vec(),
            draft: Draft::new(text.bytes.len()),
            close: text.close,
            charset: text.charset,
            recorded: text,
            wanted,
            content: OnceCell::new(),
            reading,
            found: Vec::new(),
            alone: proof::alone(text.bytes),
            proof: PROOF + PROOFS * text.bytes.len(),
            mended: Mended::default(),
        }
    }

    /// Returns the current text as the text of its game.
    pub(super) fn text<'t>(&self, bytes: &'t [u8]) -> GameText<'t>
    where
        'a: 't,
    {
        GameText { bytes, close: self.close, charset: self.charset, ..*self.recorded }
    }

    /// Applies fixes until none is left, including fixes for what `again` finds after unsafe fixes.
    ///
    /// If this does not end, it returns the codes of the fixes in the last round: a fix that leaves
    /// its own finding would be applied forever. It does the same for a result that the count of
    /// the fixed game contradicts again.
    pub(super) fn settle(
        &mut self,
        found: (&[Finding], Option<&Audit>),
        again: &mut impl FnMut(&GameText) -> Judged,
    ) -> Option<Vec<Code>> {
        let mut uncovered: Option<Judged> = None;
        let mut made = 0;
        for _ in 0..JUDGED_ROUNDS {
            made = self.mended.mends.len();
            let uncovering = self.uncovering();
            if let Some(endless) = self.rounds() {
                return Some(endless);
            }
            if self.wanted.is_unsafe {
                let found = uncovered.as_ref().map_or(found, |(findings, audit)| (findings, audit.as_ref()));
                self.round(|_, decoded, reading| judged::fixes(decoded, reading, found));
            }
            let of_results = self.codes(0).filter(|code| Code::OF_RESULTS.contains(code));
            let of_results: Vec<Code> = of_results.collect();
            if of_results.len() > 1 {
                return Some(of_results);
            }
            if !self.wanted.is_unsafe || self.uncovering() == uncovering {
                return None;
            }
            uncovered = Some(again(&self.text(&self.bytes)));
        }
        Some(self.codes(made).collect())
    }

    /// Returns the codes of the fixes from the index `from` on.
    fn codes(&self, from: usize) -> impl Iterator<Item = Code> {
        self.mended.mends[from..].iter().map(|mend| mend.code)
    }

    /// Applies fixes from the outside to the inside until none is left. If this does not end, it
    /// returns the codes of the fixes in the last round.
    fn rounds(&mut self) -> Option<Vec<Code>> {
        let mut made = 0;
        for _ in 0..ROUNDS {
            self.mended.refused.clear();
            made = self.mended.mends.len();
            self.round(characters::fixes);
            self.round(structure::fixes);
            self.round(nodes::fixes);
            if self.mended.mends.len() == made {
                return None;
            }
        }
        Some(self.codes(made).collect())
    }

    /// Returns the number of fixes that can change the findings of replay and count: unsafe fixes,
    /// and fixes of damage that hides turns.
    fn uncovering(&self) -> usize {
        let may_uncover = |mend: &&Mend| !mend.is_safe || mend.code.severity() == Severity::Error;
        self.mended.mends.iter().filter(may_uncover).count()
    }

    /// Finds fixes and applies them.
    fn round(&mut self, look: impl Fn(&Page, &Decoded, &Reading) -> Vec<Fix>) {
        let text = self.text(&self.bytes);
        let (reading, decoded) = proof::read(&text, self.wanted);
        let is_plain = matches!(decoded.text, std::borrow::Cow::Borrowed(_));
        let mut fixes = look(self, &decoded, &reading);
        fixes.retain(|fix| !fix.edits.is_empty() && self.wanted.wants(fix.code, fix.is_safe));
        if !is_plain && !fixes.iter().all(characters::is_of_characters) {
            for edit in fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
                edit.range = decoded.source(edit.range.start)..decoded.source(edit.range.end);
            }
        }
        drop(decoded);
        self.found = reading.findings;
        if !fixes.is_empty() {
            self.make(fixes);
        }
    }

    /// Applies the fixes that result in one game with the same content, safe ones first, and all at
    /// once if possible.
    ///
    /// If fixes can't be applied together, each half is tried, so that a few bad fixes among many
    /// cost little.
    fn make(&mut self, mut fixes: Vec<Fix>) {
        fixes.sort_by_key(Fix::begins);
        let (safe, judged): (Vec<Fix>, Vec<Fix>) = fixes.into_iter().partition(|fix| fix.is_safe);
        let mut parts = vec![judged, safe];
        parts.retain(|part| !part.is_empty());
        let mut made = Vec::new();
        let mut outcome = None;
        while let Some(mut part) = parts.pop() {
            let together = made.len();
            made.append(&mut part);
            if let Some(after) = self.after(&made) {
                outcome = Some(after);
                continue;
            }
            part = made.split_off(together);
            if part.len() > 1 && self.proof > 0 {
                parts.push(part.split_off(part.len() / 2));
                parts.push(part);
            } else {
                let refused: Vec<Mend> = part.iter().map(|fix| self.mend_of(fix)).collect();
                self.mended.refused.extend(refused);
            }
        }
        if let Some(after) = outcome {
            self.take(&made, after);
        }
    }

    /// Returns the text after fixes if it is one game with the same content.
    pub(super) fn after(&mut self, fixes: &[Fix]) -> Option<After> {
        let mut edits: Vec<Edit> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let overlap = edits.windows(2).any(|pair| pair[1].range.start < pair[0].range.end);
        self.proof = self.proof.saturating_sub(self.bytes.len());
        if self.proof == 0 || overlap && fixes.len() > 1 {
            return None;
        }
        let mut draft = self.draft.clone();
        draft.apply(&edits);
        let bytes = draft.text(self.recorded.bytes);
        let is_safe = fixes.iter().all(|fix| fix.is_safe);
        let proved = proof::proved(self, &bytes, is_safe)?;
        // A fix can remove the text that identified the charset. The next run would then read the
        // rest in another charset.
        let expected = if fixes.iter().any(characters::is_conversion) { encoding_rs::UTF_8 } else { self.alone };
        let is_same_charset = proved.alone == expected || bytes.is_ascii();
        let is_sound = is_same_charset && (!is_safe || proof::is_nothing_new(&self.found, &proved.reading.findings));
        (is_sound && self.is_less_left(fixes, &proved.reading)).then_some(After { draft, bytes, is_safe, proved })
    }

    /// Returns true if unsafe fixes reduce the number of their findings. Otherwise they would be
    /// applied repeatedly.
    fn is_less_left(&self, fixes: &[Fix], after: &Reading) -> bool {
        let left = |code: Code| after.findings.iter().filter(|finding| finding.code == code).count();
        let before = |code: Code| self.found.iter().filter(|found| found.code == code).count();
        let mut codes: Vec<Code> = fixes.iter().filter(|fix| !fix.is_safe).map(|fix| fix.code).collect();
        codes.sort_unstable_by_key(|code| *code as usize);
        codes.dedup();
        // The findings of a reading exclude those of replay and count.
        codes.into_iter().all(|code| before(code) == 0 || left(code) < before(code))
    }

    /// Continues with the text after fixes.
    fn take(&mut self, fixes: &[Fix], after: After) {
        let mends: Vec<Mend> = fixes.iter().map(|fix| self.mend_of(fix)).collect();
        self.mended.mends.extend(mends);
        let After { draft, bytes, is_safe, proved } = after;
        (self.close, self.charset, self.alone) = (proved.close, proved.charset, proved.alone);
        if !is_safe {
            (self.reading, self.content) = (proved.reading, OnceCell::new());
        }
        (self.draft, self.bytes) = (draft, bytes);
    }

    /// Lists the corrections of a record that breaks the rules, and applies the only one if
    /// requested.
    pub(super) fn offer(&mut self, code: Code) {
        let text = self.text(&self.bytes);
        let (reading, decoded) = proof::read(&text, self.wanted);
        let Some((_, proposals)) = propose(&reading.record) else { return };
        let mut fixes = Vec::new();
        for proposal in proposals {
            let Some(mut edits) = proposal::edits(&decoded.text, proposal.slip) else { continue };
            for edit in &mut edits {
                edit.range = decoded.source(edit.range.start)..decoded.source(edit.range.end);
            }
            fixes.push((Fix::safe(code, edits).judged(), proposal));
        }
        drop(decoded);
        let offered =
            fixes.iter().map(|(fix, proposal)| Offered { mend: self.mend_of(fix), proposal: proposal.clone() });
        self.mended.offered = offered.collect();
        if let ([(fix, _)], Proposing::Take) = (fixes.as_slice(), self.wanted.proposing)
            && let Some(after) = self.after(std::slice::from_ref(fix))
        {
            self.take(std::slice::from_ref(fix), after);
            self.mended.is_taken = true;
        }
    }

    /// Returns a fix for the log.
    fn mend_of(&self, fix: &Fix) -> Mend {
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (before, after) = fix.shown.clone().unwrap_or_else(|| {
            let before = fix.edits.iter().map(|edit| shown(&self.bytes[edit.range.clone()]));
            let after = fix.edits.iter().map(|edit| shown(&edit.text));
            (before.collect::<Vec<_>>().join(""), after.collect::<Vec<_>>().join(""))
        });
        Mend { code: fix.code, is_safe: fix.is_safe, at: self.draft.recorded_byte(fix.begins()), before, after }
    }
}
