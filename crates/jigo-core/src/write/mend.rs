//! Mends: edits of a game's text, each of which takes away what a finding says.
//!
//! A text is mended from the outside to the inside: its characters, then its brackets and parentheses, then its properties. After each
//! round it is read again, and edits that change what the record says are left out: a safe mend changes no turn, no setup and no meaning of the
//! header, and this is not assumed but looked at.

mod characters;
mod colors;
mod header;
mod judged;
mod merge;
mod nodes;
mod proof;
mod structure;

pub use merge::{GAME_INFO, Merged, Stated, merge, stated, with_colors_exchanged};

use encoding_rs::Encoding;

use super::edit::{Draft, Edit};
use super::proposal::{self, Proposal, propose};
use crate::audit::Audit;
use crate::finding::{Code, Finding, MendKind};
use crate::record::{DialectChoice, Reading};
use crate::sgf::decode::Decoded;
use crate::sgf::split::Close;
use crate::sgf::{Charset, GameText, Limits, RecordKind};

/// How often a text is looked at again: what one round mends can show what the next one has to.
const ROUNDS: usize = 4;
/// How many bytes of mended text are read again for a game, in search of the mends that can't be made: so many, and its own length so often.
/// What has not been proved by then is left as it is.
const PROOF: usize = 256 << 10;
const PROOFS: usize = 16;

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

/// A text that is being mended.
struct Page<'a> {
    bytes: Vec<u8>,
    draft: Draft,
    close: Close,
    charset: Charset,
    recorded: &'a GameText<'a>,
    wanted: &'a Wanted,
    /// What the record says.
    reading: Reading,
    /// What its turns say of the clock.
    clocks: Vec<u16>,
    /// What reading the text by now finds.
    found: Vec<Finding>,
    /// What the text by now looks like by itself, whatever it is known to be.
    alone: &'static Encoding,
    /// Bytes that may still be read for proofs.
    proof: usize,
    mended: Mended,
}

/// A text after mends that were proved.
struct After {
    draft: Draft,
    bytes: Vec<u8>,
    is_safe: bool,
    proved: proof::Proved,
}

/// Mends a game of SGF in which `findings` were found; `None` where none of them has a mend that is wanted, or none can be made.
pub fn mend(text: &GameText, findings: &[Finding], wanted: &Wanted) -> Option<Mended> {
    mend_counted(text, findings, None, wanted)
}

/// The same where the stated result was held against the count, so that what is wrong with it can be mended as a judgement.
pub fn mend_counted(text: &GameText, findings: &[Finding], audit: Option<&Audit>, wanted: &Wanted) -> Option<Mended> {
    let is_fit = text.kind == RecordKind::default() && text.close != Close::Oversized;
    let has_mend = findings.iter().any(|finding| may_have_mend(finding.code, wanted));
    let fault = findings.iter().map(|finding| finding.code).find(|code| may_be_proposed(*code, wanted));
    if !is_fit || (!has_mend && fault.is_none()) {
        return None;
    }
    let mut page = Page::new(text, wanted);
    for _ in 0..if has_mend { ROUNDS } else { 0 } {
        let made = page.mended.mends.len();
        page.round(characters::fixes);
        page.round(structure::fixes);
        page.round(nodes::fixes);
        if page.mended.mends.len() == made {
            break;
        }
        page.mended.refused.clear();
    }
    if wanted.is_unsafe {
        page.round(|_, decoded, reading| judged::fixes(decoded, reading, (findings, audit)));
    }
    if let Some(code) = fault {
        page.offer(code);
    }
    let Page { bytes, draft, mended, .. } = page;
    let is_nothing = mended.mends.is_empty() && mended.refused.is_empty() && mended.offered.is_empty();
    (!is_nothing).then(|| Mended { bytes, changes: draft.changes(), ..mended })
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

impl<'a> Page<'a> {
    /// A game as it is recorded.
    fn new(text: &'a GameText<'a>, wanted: &'a Wanted) -> Page<'a> {
        let (reading, decoded) = proof::read(text, wanted);
        Page {
            bytes: text.bytes.to_vec(),
            draft: Draft::new(text.bytes.len()),
            close: text.close,
            charset: text.charset,
            recorded: text,
            wanted,
            clocks: proof::clocks_of(&reading, &decoded.text),
            reading,
            found: Vec::new(),
            alone: proof::alone(text.bytes),
            proof: PROOF + PROOFS * text.bytes.len(),
            mended: Mended::default(),
        }
    }

    /// The text by now, as a text of its game.
    fn text<'t>(&self, bytes: &'t [u8]) -> GameText<'t>
    where
        'a: 't,
    {
        GameText { bytes, close: self.close, charset: self.charset, ..*self.recorded }
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
    fn after(&mut self, fixes: &[Fix]) -> Option<After> {
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
            (self.reading, self.clocks) = (proved.reading, proved.clocks);
        }
        (self.draft, self.bytes) = (draft, bytes);
    }

    /// Lists the readings of a record that breaks the rules, and takes one that stands alone if that is wanted.
    fn offer(&mut self, code: Code) {
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
