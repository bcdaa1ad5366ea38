//! The fixes of one game: changes, rows and counts.

use super::FixCount;
use super::shown::{MendRow, NOT_PROVED, PartFix, ShownKind};
use crate::pipeline::Visited;
use jigo_core::finding::{Code, MendKind, Severity};
use jigo_core::write::{Mend, Mended, Offered};

/// Returns the fixes of a game. Without fixes, the game stays unchanged and its errors count as
/// left.
pub(super) fn fix(game: &Visited<'_>, mended: Option<Mended>) -> PartFix {
    let errors = errors(game, |_| true);
    let as_it_is = |rows, count| PartFix {
        changes: Vec::new(),
        becomes: ShownKind::Game(game.text.charset),
        rows,
        count,
        errors,
        is_offered: false,
    };
    let Some(mut mended) = mended else {
        return as_it_is(Vec::new(), FixCount { errors_left: errors, ..FixCount::default() });
    };
    let fix = as_it_is(rows(game, &mended), counted(game, &mended));
    PartFix {
        changes: std::mem::take(&mut mended.changes),
        becomes: ShownKind::Game(mended.charset),
        is_offered: !mended.offered.is_empty(),
        ..fix
    }
}

/// Returns the row for a game that is converted from UTF-16 to UTF-8.
pub(super) fn transcoded(game: &Visited<'_>) -> MendRow {
    MendRow {
        game: Some(game.text.game),
        offset: game.text.offset,
        code: Code::NotUtf8,
        before: game.text.charset.encoding.name().into(),
        after: "UTF-8".into(),
        is_safe: std::str::from_utf8(game.text.bytes).is_ok(),
        byte: game.text.offset,
        is_made: true,
        reason: String::new(),
    }
}

/// Returns the number of reported findings of severity error whose codes satisfy `is_left`.
fn errors(game: &Visited<'_>, is_left: impl Fn(Code) -> bool) -> u64 {
    let errors = game.reported.iter().filter(|finding| finding.severity == Severity::Error);
    errors.filter(|finding| is_left(finding.code)).count() as u64
}

/// Returns the counts in case the fixes are applied.
fn counted(game: &Visited<'_>, mended: &Mended) -> FixCount {
    let is_taken = |code: Code| {
        mended.is_taken && code.description().mending.is_some_and(|mending| mending.kind == MendKind::Proposed)
    };
    // Adding the implied pass also removes the error of the turn order.
    let is_by_pass = |made: Code, code: Code| (made, code) == (Code::ImpliedPass, Code::WrongColor);
    let mut made: Vec<Code> = mended.mends.iter().map(|mend| mend.code).collect();
    made.sort_unstable_by_key(|code| *code as usize);
    made.dedup();
    let is_left = |code: Code| !is_taken(code) && !made.iter().any(|made| *made == code || is_by_pass(*made, code));
    let safe = mended.mends.iter().filter(|mend| mend.is_safe).count();
    FixCount {
        safe: safe as u64,
        judged: (mended.mends.len() - safe) as u64,
        refused: mended.refused.len() as u64,
        games: u64::from(!mended.mends.is_empty()),
        proposed: u64::from(!mended.offered.is_empty() && !mended.is_taken),
        errors_left: errors(game, is_left),
    }
}

fn rows(game: &Visited<'_>, mended: &Mended) -> Vec<MendRow> {
    // A correction that was applied is also among the suggested ones.
    let is_offered = |mend: &Mend| mended.offered.iter().any(|offered| offered.mend == *mend);
    let made = mended.mends.iter().filter(|mend| !is_offered(mend)).map(|mend| row(game, mend, true, String::new()));
    let refused = mended.refused.iter().map(|mend| row(game, mend, false, NOT_PROVED.into()));
    let count = mended.offered.len();
    let offered = mended.offered.iter().enumerate().map(|(index, Offered { mend, proposal })| {
        let (slip, turn) = (proposal.slip.name(), proposal.slip.turn());
        let because = if proposal.evidence.is_empty() { "" } else { "; " };
        let evidence = proposal.evidence.join("; ");
        let reason = format!("reading {} of {count}: {slip} at turn {turn}{because}{evidence}", index + 1);
        row(game, mend, mended.is_taken, reason)
    });
    made.chain(refused).chain(offered).collect()
}

fn row(game: &Visited<'_>, mend: &Mend, is_made: bool, reason: String) -> MendRow {
    let Mend { code, is_safe, at, before, after } = mend;
    MendRow {
        game: Some(game.text.game),
        offset: game.text.offset,
        code: *code,
        is_safe: *is_safe,
        byte: game.text.source_byte(*at),
        before: before.clone(),
        after: after.clone(),
        is_made,
        reason,
    }
}
