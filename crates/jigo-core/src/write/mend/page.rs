//! A text that is being mended, round by round.

use std::cell::OnceCell;

use encoding_rs::Encoding;

use super::content::Content;
use super::{Fix, Judged, Mend, Mended, Offered, Proposing, Wanted, characters, judged, nodes, proof, structure};
use crate::audit::Audit;
use crate::finding::{Code, Finding, Severity};
use crate::record::Reading;
use crate::sgf::decode::Decoded;
use crate::sgf::split::Close;
use crate::sgf::{Charset, GameText};
use crate::write::edit::{Draft, Edit};
use crate::write::proposal::{self, propose};

/// How often a text is looked at again: what one round mends can show what the next one has to.
const ROUNDS: usize = 16;
/// How often that is done again because replay and count have something to say of the text with judgements.
const JUDGED_ROUNDS: usize = 8;
/// How many bytes of mended text are read again for a game, in search of the mends that can't be made: so many, and its own length so often.
/// What has not been proved by then is left as it is.
const PROOF: usize = 256 << 10;
const PROOFS: usize = 16;

/// A text that is being mended.
pub(super) struct Page<'a> {
    pub bytes: Vec<u8>,
    pub draft: Draft,
    pub close: Close,
    pub charset: Charset,
    pub recorded: &'a GameText<'a>,
    pub wanted: &'a Wanted,
    /// What the record says.
    pub reading: Reading,
    /// All that it says, in any form.
    pub content: OnceCell<Content>,
    /// What reading the text by now finds.
    found: Vec<Finding>,
    /// What the text by now looks like by itself, whatever it is known to be.
    alone: &'static Encoding,
    /// Bytes that may still be read for proofs.
    proof: usize,
    pub mended: Mended,
}

/// A text after mends that were proved.
pub(super) struct After {
    draft: Draft,
    bytes: Vec<u8>,
    is_safe: bool,
    proved: proof::Proved,
}

impl<'a> Page<'a> {
    /// A game as it is recorded.
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

    /// The text by now, as a text of its game.
    pub(super) fn text<'t>(&self, bytes: &'t [u8]) -> GameText<'t>
    where
        'a: 't,
    {
        GameText { bytes, close: self.close, charset: self.charset, ..*self.recorded }
    }

    /// Makes mends until nothing is left to be made, also of what `again` finds in a text with judgements. Where there is no end to it, gives the codes
    /// of the mends in the last round: a mend that leaves what it is for would be made for ever. So would those of a result that the count of the mended
    /// game contradicts once more.
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

    /// The codes of the mends from the one at a place on.
    fn codes(&self, from: usize) -> impl Iterator<Item = Code> {
        self.mended.mends[from..].iter().map(|mend| mend.code)
    }

    /// Mends from the outside to the inside until there is nothing more to be made; gives the codes of the mends in the last round where there is no
    /// end to it.
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

    /// How many mends were made after which replay and count can find something else: judgements, and those of damage that hides turns.
    fn uncovering(&self) -> usize {
        let may_uncover = |mend: &&Mend| !mend.is_safe || mend.code.severity() == Severity::Error;
        self.mended.mends.iter().filter(may_uncover).count()
    }

    /// Looks for mends and makes them.
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

    /// Makes those of the mends that leave one game that says the same: safe ones first, all at once where that is possible. Of mends that
    /// can't be made together, each half is tried, so that a few that can't be made among many cost little.
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

    /// The text after mends, if it is one game that says the same.
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
        // A mend can take away what a charset was known by, and the next run would read what is left in another one.
        let expected = if fixes.iter().any(characters::is_conversion) { encoding_rs::UTF_8 } else { self.alone };
        let is_same_charset = proved.alone == expected || bytes.is_ascii();
        let is_sound = is_same_charset && (!is_safe || proof::is_nothing_new(&self.found, &proved.reading.findings));
        (is_sound && self.is_less_left(fixes, &proved.reading)).then_some(After { draft, bytes, is_safe, proved })
    }

    /// Whether judgements leave less to mend: those that leave as much would be made again and again.
    fn is_less_left(&self, fixes: &[Fix], after: &Reading) -> bool {
        let left = |code: Code| after.findings.iter().filter(|finding| finding.code == code).count();
        let before = |code: Code| self.found.iter().filter(|found| found.code == code).count();
        let mut codes: Vec<Code> = fixes.iter().filter(|fix| !fix.is_safe).map(|fix| fix.code).collect();
        codes.sort_unstable_by_key(|code| *code as usize);
        codes.dedup();
        // What replay or count found is not among the findings of a reading.
        codes.into_iter().all(|code| before(code) == 0 || left(code) < before(code))
    }

    /// Goes on with the text after mends.
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

    /// Lists the readings of a record that breaks the rules, and takes one that stands alone if that is wanted.
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

    /// A mend for the log.
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
