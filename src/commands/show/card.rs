//! The card of a game, made from its report.

use super::text;
use jigo_archive::pipeline::{SourceFinding, VisitedGame};
use jigo_archive::row::line::visible;
use jigo_archive::row::{LineCounter, LocatedFinding};
use jigo_archive::tables::{FoldedFindings, fold_findings};
use jigo_core::analysis::{CountedEnding, GameReport, Outcome, TurnKind, Unscored};
use jigo_core::audit::{Audit, Cause, Verdict, agrees};
use jigo_core::diagrams::ending;
use jigo_diagrams::card::{Card, CardFinding, CardScore, MAX_FINDINGS};
use jigo_record::ResultKind;
use jigo_record::finding::{Finding, Place};
use jigo_record::splitter::GameText;
use jigo_rules::board::{BoardSize, Mark, Picture};
use jigo_rules::{Ruleset, format_margin};
use jigo_run::process::quoted;
use jigo_score::{DeadSource, Remark, Score, UncountedReason};

/// Returns the card of a game. The analysis has stored the last position and the turns.
pub fn card(game: &VisitedGame<'_>) -> Card {
    let VisitedGame { text, report, .. } = *game;
    let header = &report.header;
    let facts = (report.outcome != Outcome::Unreadable).then(|| text::facts(header, report));
    let counted = certain_ending(report);
    let dead = counted.map(|counted| {
        let dame = counted.counts.dame;
        let doubt =
            if counted.has_open_borders() { ": a dead stone, or a stone of a wall, may be missing" } else { "" };
        let dead = text::dead(&format!("Dead, {}", report.status()), counted, header.size);
        format!("{dead}; {dame} dame{doubt}")
    });
    let difference = report.difference().map(|difference| text::difference_text(&difference));
    let stones = report.position.is_some().then(|| text::captured(&report.tally).trim_end().to_owned());
    let folded = sorted_findings(game);
    Card {
        name: visible(&format!("{}#{}", text.file, text.game)),
        players: visible(&text::recorded_players(header).unwrap_or_default()),
        facts: visible(&facts.unwrap_or_default()),
        recorded: visible(&header.result_text),
        board: board(report, counted),
        stones: stones.into_iter().chain(dead).chain(difference).collect(),
        scores: scores(report),
        commands: commands(text, report, &folded),
        ..with_verdict(game, &folded)
    }
}

/// Returns the verdict of a card.
pub fn verdict(game: &VisitedGame<'_>) -> String {
    with_verdict(game, &sorted_findings(game)).verdict()
}

/// Returns a card with only the parts that make its verdict.
fn with_verdict(game: &VisitedGame<'_>, folded: &[(&Finding, FoldedFindings<'_>)]) -> Card {
    let mut counter = LineCounter::default();
    let in_words = |(finding, folded): &(&Finding, FoldedFindings<'_>)| {
        card_finding(&LocatedFinding::in_game(game.text, finding, &mut counter), folded, game.report.header.size)
    };
    let audit = game.report.audit.as_ref();
    Card {
        is_replayed: game.report.outcome != Outcome::Unreadable,
        has_other_count: audit.is_some_and(|audit| audit.verdict != Verdict::Same && audit.counted.is_some()),
        result: result_sentence(game.report),
        findings: folded.iter().map(in_words).collect(),
        ..Card::default()
    }
}

/// Returns the findings of a game, the worst first.
fn sorted_findings<'a>(game: &VisitedGame<'a>) -> Vec<(&'a Finding, FoldedFindings<'a>)> {
    let mut folded = fold_findings(game.reported);
    folded.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
    folded
}

/// Returns the commands that tell more about the worst finding and the others, and that count the
/// last position of a game that did not end by a count.
fn commands(text: &GameText, report: &GameReport, folded: &[(&Finding, FoldedFindings<'_>)]) -> Vec<String> {
    use UncountedReason::{Forfeit, Resignation, Time};
    let GameText { file, game, .. } = *text;
    let worst = folded.first().map(|(worst, _)| worst);
    let show = |turn| Some(format!("jigo show {} --turn {turn}", quoted(&format!("{file}#{game}"))?));
    let list = || quoted(file).filter(|_| folded.len() > MAX_FINDINGS).map(|file| format!("jigo check {file}"));
    let is_uncounted = matches!(report.ending, Some(Err(Resignation | Time | Forfeit)));
    let count = || quoted(file).filter(|_| is_uncounted).map(|file| format!("jigo score --all-endings {file}"));
    let explain = worst.map(|worst| format!("jigo explain {}", worst.code.id()));
    let turn = worst.and_then(|worst| worst.place.turn).and_then(show);
    let own_count = is_marked_otherwise(report)
        .then(|| Some(format!("jigo show {} --ending --dead {OWN_SOURCES}", quoted(&format!("{file}#{game}"))?)));
    [explain, turn, list(), count(), own_count.flatten(), count_again(text, report)].into_iter().flatten().collect()
}

/// The default sources of dead stones without the marks.
const OWN_SOURCES: &str = "settled,static,playouts";

/// Returns true if the scores follow the marks of a record whose result jigo's own count
/// contradicts.
fn is_marked_otherwise(report: &GameReport) -> bool {
    let is_by_marks = matches!(&report.ending, Some(Ok(counted)) if counted.ending.source == DeadSource::Markup);
    let is_contradicted =
        |audit: &Audit| audit.verdict == Verdict::Contradicted && matches!(audit.causes.first(), Some(Cause::Marks(_)));
    is_by_marks && report.audit.as_ref().is_some_and(is_contradicted)
}

/// Returns the command that counts a doubtful ending with the estimated dead stones by name, one of
/// each chain, for a reader who corrects them.
fn count_again(text: &GameText, report: &GameReport) -> Option<String> {
    let counted = report.ending.as_ref()?.as_ref().ok().filter(|counted| counted.ending.confidence.is_some())?;
    let is_doubtful = report.audit.as_ref().is_none_or(|audit| audit.verdict != Verdict::Same);
    let position = report.position.as_deref().filter(|_| is_doubtful)?;
    let chains = position.chains(&counted.ending.dead);
    let names: Vec<String> = chains.iter().map(|chain| chain[0].to_a1(position.size())).collect();
    let names = if names.is_empty() { "none".into() } else { names.join(",") };
    Some(format!("jigo show {} --dead-stones {names}", quoted(&format!("{}#{}", text.file, text.game))?))
}

fn certain_ending(report: &GameReport) -> Option<&CountedEnding> {
    report.ending.as_ref()?.as_ref().ok().filter(|counted| counted.is_certain)
}

/// Returns the last position with its caption: with dead stones and territory if it was counted.
fn board(report: &GameReport, counted: Option<&CountedEnding>) -> Option<(String, Picture)> {
    let position = report.position.as_deref()?;
    let mut picture = counted.map_or_else(|| Picture::from_position(position), |counted| ending(position, counted));
    let last = report.turns.iter().rev().find(|turn| turn.kind != TurnKind::Setup);
    if let Some(point) = last.and_then(|turn| turn.point) {
        picture.mark(point, Mark::Last);
    }
    let state = if counted.is_some() { "The counted position" } else { "The last position" };
    let caption = match report.tally.turns {
        0 => state.into(),
        turns => format!("{state}, after turn {turns}"),
    };
    Some((caption, picture))
}

/// Returns what the count says about the recorded result.
fn result_sentence(report: &GameReport) -> String {
    let recorded = visible(&report.header.result_text);
    let Some(ending) = &report.ending else {
        return match recorded.as_str() {
            "" => String::new(),
            _ => format!("The result {recorded} was not compared with the board: add --results."),
        };
    };
    let reason = match ending {
        Err(reason) => Some(*reason),
        Ok(counted) if counted.is_certain => None,
        Ok(counted) if counted.ending.is_open => Some(UncountedReason::Open),
        Ok(_) => Some(UncountedReason::Doubtful),
    };
    let has_winner = !matches!(report.header.result.kind, ResultKind::Unknown | ResultKind::Unreadable);
    let Some(audit) = report.audit.as_ref().filter(|_| has_winner) else { return unrecorded_sentence(report, reason) };
    let counted = audit.counted.map(format_margin);
    match (audit.verdict, counted) {
        (Verdict::Same, _) => format!("The count confirms {}.", audit.recorded),
        (Verdict::Explained, Some(counted)) => {
            format!("The count is {counted} instead of {recorded}, which this explains: {}.", cause(audit))
        }
        (Verdict::Contradicted, Some(counted)) => {
            format!("The count contradicts the result: {counted} instead of {recorded}; cause: {}.", cause(audit))
        }
        (_, Some(counted)) if reason.is_none() => {
            format!("The result {recorded} is in doubt: the count is {counted}; cause: {}.", cause(audit))
        }
        _ => format!("The count can't confirm {recorded}{}.", reason.map_or(String::new(), reason_in_words)),
    }
}

/// Returns what the count says about a game without a recorded winner.
fn unrecorded_sentence(report: &GameReport, reason: Option<UncountedReason>) -> String {
    let stated = match report.header.result_text.as_str() {
        "" => "The record states no result".into(),
        text if report.header.result.kind == ResultKind::Unreadable => {
            format!("The result {} can't be read (B+3.5, W+R, 0, Void and ? can)", visible(text))
        }
        text => format!("The result {} names no winner", visible(text)),
    };
    let ruleset = report.ruleset.clone().map(|ruleset| report.header.counted_ruleset(ruleset).name);
    let mut scores = report.scores.iter().filter_map(|(ruleset, score)| Some((ruleset, score.as_ref().ok()?)));
    let first = scores.clone().next();
    let own = scores.find(|(other, _)| Some(&other.name) == ruleset.as_ref());
    match (reason, own.or(first)) {
        (None, Some((ruleset, score))) => {
            let komi = match report.header.komi {
                Some(_) => String::new(),
                None => format!(", with an assumed komi of {},", score.komi),
            };
            format!("{stated}; by {} rules{komi} the count is {}.", ruleset.name, score.result_text())
        }
        _ => format!("{stated}, and there is no count{}.", reason.map_or(String::new(), reason_in_words)),
    }
}

fn cause(audit: &Audit) -> String {
    audit.causes.first().unwrap_or(&Cause::Unknown).to_string()
}

/// Returns the end of a sentence on a game that has no count.
fn reason_in_words(reason: UncountedReason) -> String {
    use UncountedReason::*;
    match reason {
        Resignation | Time | Forfeit => format!(": the game ended by {}, so nothing was counted", reason.name()),
        Unsettled | Doubtful | Open => format!(": {} (--dead-stones names all dead stones)", reason.name()),
        NoLiberties | WrongGivenStones | BrokenIdentity => format!(": {}", reason.name()),
        Void | Unfinished | Stopped => format!(": the game is {}", reason.name()),
    }
}

/// Returns the score under each ruleset, and how it relates to the recorded result.
fn scores(report: &GameReport) -> Vec<CardScore> {
    // Without a count, the sentence on the result says why.
    let Some(Ok(counted)) = &report.ending else { return Vec::new() };
    let line = |(ruleset, score): &(Ruleset, Result<Score, Unscored>)| {
        let (result, note) = match score {
            Ok(score) => (score.result_text(), note(report, ruleset, score)),
            Err(unscored) => (String::new(), unscored.reason().into()),
        };
        let confidence = counted.confidence(ruleset).filter(|_| score.is_ok());
        CardScore { ruleset: ruleset.name.to_string(), result, confidence, note }
    };
    report.scores.iter().map(line).collect()
}

/// Returns whether a score is the recorded one, and if not, why.
fn note(report: &GameReport, ruleset: &Ruleset, score: &Score) -> String {
    match agrees(score, &report.header.result) {
        None => return score.remark.map_or("", Remark::text).into(),
        Some(true) if is_marked_otherwise(report) => return "as recorded, by the marks".into(),
        Some(true) => return "as recorded".into(),
        Some(false) => {}
    }
    let audit = report.audit.as_ref();
    let own_cause = audit.filter(|audit| audit.ruleset == ruleset.name).and_then(|audit| audit.causes.first());
    // Another count of the same game differs by its rules only if the recorded rules give the result.
    let is_by_rules = audit.is_some_and(|audit| audit.verdict == Verdict::Same && audit.ruleset != ruleset.name);
    match own_cause.filter(|cause| **cause != Cause::Unknown) {
        Some(cause) => format!("not as recorded: {cause}"),
        None if is_by_rules => format!("not as recorded, by {}", ruleset.axes.scoring.name()),
        None => "not as recorded".into(),
    }
}

/// Returns a finding, or several of one kind, in words. Points are named as on the board.
pub fn card_finding(located: &LocatedFinding<'_>, folded: &FoldedFindings<'_>, size: BoardSize) -> CardFinding {
    let finding = located.finding;
    let Place { turn, color, point, .. } = finding.place;
    let mut summary = finding.name().replace('-', " ");
    let mut place = match (turn, located.line) {
        (Some(turn), _) => format!("turn {turn}"),
        (None, Some(line)) => format!("line {line}"),
        (None, None) => "file".into(),
    };
    if let Some(turn) = turn {
        summary += &format!(" at turn {turn}");
    }
    place += &color.map_or(String::new(), |color| format!(", {}", color.name()));
    place += &point.map_or(String::new(), |point| format!(" {}", point.to_a1(size)));
    let more = folded.more + folded.violations.iter().map(|(_, count)| *count).sum::<usize>().saturating_sub(1);
    let more_text = if more > 0 { format!(", and {more} more like it") } else { String::new() };
    let text = format!("{place}: {}{more_text} ({})", located.message(), finding.code.id());
    CardFinding {
        severity: finding.severity.name().into(),
        count: 1 + more,
        summary: visible(&summary),
        text: visible(&text),
    }
}

/// Returns a finding outside games in words.
pub fn outside_finding(&SourceFinding { file, byte, line, finding, .. }: &SourceFinding<'_>) -> CardFinding {
    let located = LocatedFinding { file, game: None, byte, line, finding, fingerprint: None };
    card_finding(&located, &FoldedFindings::default(), BoardSize::standard())
}
