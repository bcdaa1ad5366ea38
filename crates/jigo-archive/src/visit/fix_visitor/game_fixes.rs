//! The fixes of one game: changes, rows and counts.

use super::text_part::{FixCount, PartFixes, PartKind};
use crate::pipeline::VisitedGame;
use crate::row::LineCounter;
use jigo_core::fix::{Fix, FixedGame};
use jigo_record::finding::{Code, Finding, FixSafety, Severity};

/// Returns the fixes of a game. Without fixes, the game stays unchanged and its errors count as
/// left.
pub(super) fn part_fixes(game: &VisitedGame<'_>, fixed: Option<FixedGame>) -> PartFixes {
    let errors = count_errors(game, |_| true);
    let Some(fixed) = fixed else {
        return PartFixes {
            expected_kind: PartKind::Game(game.text.charset),
            count: FixCount { errors_left: errors, ..FixCount::default() },
            errors,
            ..PartFixes::default()
        };
    };
    let count = count_fixes(game, &fixed);
    let has_suggestions = !fixed.suggestions.is_empty();
    let FixedGame { changes, charset, mut fixes, rejected, mut suggestions, is_corrected, .. } = fixed;
    if is_corrected {
        // The chosen suggestion was applied as the last fix.
        suggestions = fixes.pop().into_iter().collect();
    }
    let mut fixes: Vec<Fix> = fixes.into_iter().chain(rejected).chain(suggestions).collect();
    let mut counter = LineCounter::default();
    for fix in &mut fixes {
        let (byte, line) = counter.place(fix.at as usize, game.text);
        (fix.at, fix.line) = (byte, Some(line));
    }
    PartFixes { changes, expected_kind: PartKind::Game(charset), fixes, count, errors, has_suggestions }
}

/// Findings of damage after which a lone parenthesis may belong to a tree of the game.
const TREE_DAMAGE: [Code; 6] = [
    Code::UnclosedGame,
    Code::UnclosedValue,
    Code::FusedGames,
    Code::ExtraParenthesis,
    Code::MisplacedNode,
    Code::UnreadableNode,
];

/// Returns true if the trees of the game stay damaged after its fixes, or the game has no header,
/// so that it may be a part of another game.
pub(super) fn stays_damaged(game: &VisitedGame<'_>, fixed: Option<&FixedGame>) -> bool {
    let fixed = fixed.filter(|fixed| !fixed.changes.is_empty());
    is_damaged(&game.report.findings) && fixed.is_none_or(|fixed| is_damaged(&fixed.findings))
}

/// Returns true for findings of a game with damaged trees or without a header.
fn is_damaged(findings: &[Finding]) -> bool {
    let has = |code: &Code| findings.iter().any(|finding| finding.code == *code);
    TREE_DAMAGE.iter().any(has) || [Code::MissingGame, Code::MissingBoardSize].iter().all(has)
}

/// Returns the fix of a game that is converted from UTF-16 to UTF-8.
pub(super) fn conversion(game: &VisitedGame<'_>) -> Fix {
    let is_safe = std::str::from_utf8(game.text.bytes).is_ok();
    let charset = game.text.charset.encoding.name().to_owned();
    let mut fix = Fix::applied(Code::NotUtf8, is_safe, game.text.offset, charset, "UTF-8".to_owned());
    fix.line = Some(game.text.line);
    fix
}

/// Returns the number of reported findings of severity error whose codes satisfy `is_counted`.
fn count_errors(game: &VisitedGame<'_>, is_counted: impl Fn(Code) -> bool) -> u64 {
    let errors = game.reported.iter().filter(|finding| finding.severity == Severity::Error);
    errors.filter(|finding| is_counted(finding.code)).count() as u64
}

/// Returns the counts in case the fixes are applied.
fn count_fixes(game: &VisitedGame<'_>, fixed: &FixedGame) -> FixCount {
    let is_corrected =
        |code: Code| fixed.is_corrected && code.description().fix.is_some_and(|fix| fix.safety == FixSafety::Suggested);
    // Adding the implied pass also removes the error of the turn order.
    let is_implied = |made: Code, code: Code| (made, code) == (Code::ImpliedPass, Code::WrongColor);
    let mut made_codes: Vec<Code> = fixed.fixes.iter().map(|fix| fix.code).collect();
    made_codes.sort_unstable_by_key(|code| *code as usize);
    made_codes.dedup();
    let remains =
        |code: Code| !is_corrected(code) && !made_codes.iter().any(|made| *made == code || is_implied(*made, code));
    let safe = fixed.fixes.iter().filter(|fix| fix.is_safe).count();
    FixCount {
        safe: safe as u64,
        unsafe_fixes: (fixed.fixes.len() - safe) as u64,
        rejected: fixed.rejected.len() as u64,
        games: u64::from(!fixed.fixes.is_empty()),
        suggested: u64::from(!fixed.suggestions.is_empty() && !fixed.is_corrected),
        corrected: u64::from(fixed.is_corrected),
        errors_left: count_errors(game, remains),
    }
}
