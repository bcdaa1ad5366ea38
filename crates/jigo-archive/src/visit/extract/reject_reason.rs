//! The reason for a rejected game, as the rejects table shows it.

use std::collections::HashMap;

use jigo_record::Unreadable;
use jigo_record::finding::{Code, Finding, Severity};
use jigo_record::splitter::GameText;

use crate::pipeline::Rejection;
use crate::tables::{RejectKind, RejectReason};

/// The reasons for games that are dropped as duplicates, by file and number of the game.
#[derive(Clone, Debug, Default)]
pub struct DropReasons(HashMap<String, HashMap<u64, DropReason>>);

/// The reason for a duplicate.
#[derive(Clone, Debug)]
pub struct DropReason {
    /// The representative of the cluster: its file and number.
    pub representative: Box<str>,
    /// The relation to another game of the cluster, and why the representative is kept.
    pub detail: Box<str>,
}

impl DropReasons {
    /// Adds the reason for a game by file and number.
    pub fn insert(&mut self, file: &str, game: u64, reason: DropReason) {
        match self.0.get_mut(file) {
            Some(games) => games.insert(game, reason),
            None => self.0.entry(file.to_owned()).or_default().insert(game, reason),
        };
    }

    fn reason(&self, text: &GameText) -> RejectReason<'_> {
        match self.0.get(text.file).and_then(|games| games.get(&text.game)) {
            None => RejectReason::new(RejectKind::Duplicate, ""),
            Some(DropReason { representative, detail }) => RejectReason {
                detail: (&**detail).into(),
                ..RejectReason::new(RejectKind::Duplicate, &**representative)
            },
        }
    }
}

/// Returns the reason for a rejected game; `None` for a game of another shard, which is not
/// rejected.
pub(super) fn reject_reason<'a>(
    rejection: Rejection<'a>,
    text: &GameText,
    dropped: &'a DropReasons,
) -> Option<RejectReason<'a>> {
    let of_kind = |kind: RejectKind| Some(RejectReason::new(kind, ""));
    match rejection {
        Rejection::OtherShard => None,
        Rejection::Limit => of_kind(RejectKind::Limit),
        Rejection::Unlisted => of_kind(RejectKind::List),
        Rejection::Excluded => Some(dropped.reason(text)),
        Rejection::Unsampled => of_kind(RejectKind::Sample),
        Rejection::Condition(condition) => Some(RejectReason::new(RejectKind::Filter, condition)),
        Rejection::Errors(findings) => Some(error_reason(findings)),
        Rejection::NoError => of_kind(RejectKind::Clean),
    }
}

/// Returns the reason for a game with errors, of which the first one in the order of the record
/// counts.
fn error_reason<'a>(findings: &[&'a Finding]) -> RejectReason<'a> {
    let mut errors = findings.iter().filter(|finding| finding.severity == Severity::Error).peekable();
    let Some(first) = errors.peek() else { return RejectReason::new(RejectKind::Code, "") };
    let (turn, detail) = (first.place.turn, first.detail.as_str().into());
    let (kind, reason) = match &first.expectation {
        Some(name) => (RejectKind::Expectation, name.to_string()),
        None => (RejectKind::Code, format!("{} {}", first.code.id(), first.code.name())),
    };
    let mut codes: Vec<Code> = Vec::new();
    for error in errors {
        if !codes.contains(&error.code) {
            codes.push(error.code);
        }
    }
    let ids: Vec<&str> = codes.into_iter().map(Code::id).collect();
    RejectReason { turn, codes: ids.join(";"), detail, ..RejectReason::new(kind, reason) }
}

/// Returns the reason for a game without a normal form.
pub(super) fn form_reason(unreadable: Unreadable) -> RejectReason<'static> {
    let detail = match unreadable {
        Unreadable::NotGo => "GM names another game",
        Unreadable::BoardSize => "the board size is invalid",
        Unreadable::Oversized => "the game is larger than --max game",
        Unreadable::Encrypted => "the record is encrypted",
        Unreadable::Position => "the board can't be read",
    };
    RejectReason { detail: detail.into(), ..RejectReason::new(RejectKind::Form, "") }
}
