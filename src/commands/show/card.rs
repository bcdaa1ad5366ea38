//! The card of a game, made from its report.

use super::text;
use jigo_archive::pipeline::{SourceFinding, VisitedGame};
use jigo_archive::row::line::visible;
use jigo_archive::row::{LineCounter, LocatedFinding};
use jigo_archive::summary::with_noun;
use jigo_archive::tables::{FoldedFindings, fold_findings};
use jigo_core::analysis::comparison::{DifferenceCause, comparisons};
use jigo_core::analysis::{CountedEnding, GameReport, Outcome, TurnKind, Unscored};
use jigo_core::audit::{Audit, Cause, Verdict, agrees};
use jigo_core::diagrams::ending;
use jigo_diagrams::card::{Card, CardFinding, CardScore, MAX_FINDINGS};
use jigo_record::finding::{Finding, Place};
use jigo_rules::board::Picture;
use jigo_rules::board::picture::Mark;
use jigo_rules::{HalfPoints, Ruleset, format_margin};
use jigo_run::process::shell::quoted;
use jigo_score::{Score, UncountedReason};

/// Returns the card of a game. The analysis has stored the last position and the turns.
pub fn card(game: &VisitedGame<'_>) -> Card {
    let VisitedGame { text, report, .. } = *game;
    let name = visible(&format!("{}#{}", text.file, text.game));
    let heading = [format!("{name}: {}", text::players(&report.header)), text::facts(&report.header, report)];
    let counted = certain_ending(report);
    let dead = counted.map(|counted| {
        let ([black, white], dame) = (counted.counts.dead, counted.counts.dame);
        format!("Dead, {}: {black} black, {white} white; {}", source(counted), with_noun(dame.into(), "neutral point"))
    });
    let stones = report.position.is_some().then(|| text::captured(&report.tally).trim_end().to_owned());
    Card {
        heading: heading.map(|line| visible(&line)).to_vec(),
        board: board(report, counted),
        stones: stones.into_iter().chain(dead).collect(),
        scores: scores(report),
        commands: commands(game, &sorted_findings(game)),
        name,
        ..verdict_card(game)
    }
}

/// Returns the parts of a card that make its verdict.
pub fn verdict_card(game: &VisitedGame<'_>) -> Card {
    let mut counter = LineCounter::default();
    let folded = sorted_findings(game);
    let findings = folded.iter().map(|(finding, folded)| card_finding(game, finding, folded, &mut counter)).collect();
    Card {
        is_replayed: game.report.outcome != Outcome::Unreadable,
        result: result_sentence(game.report),
        findings,
        ..Card::default()
    }
}

/// Returns the findings of a game, the worst first.
fn sorted_findings<'a>(game: &VisitedGame<'a>) -> Vec<(&'a Finding, FoldedFindings<'a>)> {
    let mut folded = fold_findings(game.reported);
    folded.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
    folded
}

/// Returns the commands that tell more about the worst finding and about a doubtful count.
fn commands(game: &VisitedGame<'_>, folded: &[(&Finding, FoldedFindings<'_>)]) -> Vec<String> {
    let VisitedGame { text, report, .. } = *game;
    let named = format!("{}#{}", text.file, text.game);
    let (Some(file), Some(named)) = (quoted(text.file), quoted(&named)) else { return Vec::new() };
    let worst = folded.first().map(|(finding, _)| *finding);
    let turn = worst.and_then(|finding| finding.place.turn).filter(|_| report.outcome != Outcome::Unreadable);
    let is_doubtful = report.audit.as_ref().is_some_and(|audit| audit.verdict != Verdict::Same);
    let has_ending = is_doubtful && matches!(report.ending, Some(Ok(_)));
    let explain = worst.map(|finding| format!("jigo explain {}", finding.code.id()));
    let show = turn.map(|turn| format!("jigo show {named} --turn {turn}"));
    let ending = has_ending.then(|| format!("jigo show {named} --ending"));
    let list = (folded.len() > MAX_FINDINGS).then(|| format!("jigo check {file}"));
    [explain, show, ending, list].into_iter().flatten().collect()
}

fn certain_ending(report: &GameReport) -> Option<&CountedEnding> {
    report.ending.as_ref()?.as_ref().ok().filter(|counted| counted.is_certain)
}

/// Returns the source of the dead stones in words.
fn source(counted: &CountedEnding) -> String {
    match counted.ending.source.name() {
        "given" => "as you say".into(),
        "markup" => "as the record marks them".into(),
        "settled" => "proven by the position".into(),
        _ => counted
            .ending
            .confidence
            .map_or("estimated".into(), |value| format!("estimated with confidence {value:.3}")),
    }
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
    Some((format!("{state}, after turn {}", report.tally.turns), picture))
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
    let Some(audit) = &report.audit else { return unrecorded_sentence(report, reason) };
    let counted = audit.counted.map(format_margin);
    match (audit.verdict, counted) {
        (Verdict::Same, Some(counted)) if counted != audit.recorded => {
            format!("The count confirms {}: it is {counted}.", audit.recorded)
        }
        (Verdict::Same, _) => format!("The count confirms {}.", audit.recorded),
        (Verdict::Explained, Some(counted)) => {
            format!("The count is {counted} instead of {recorded}, with a harmless cause: {}.", cause(audit))
        }
        (Verdict::Contradicted, Some(counted)) => {
            format!("The count contradicts the result: {counted} instead of {recorded}; cause: {}.", cause(audit))
        }
        (_, Some(counted)) if reason.is_none() => {
            format!("The result {recorded} is in doubt: the count is {counted}; cause: {}.", cause(audit))
        }
        _ => format!("The count can't confirm {recorded}{}.", reason.map_or("", reason_in_words)),
    }
}

/// Returns what the count says about a game without a recorded result.
fn unrecorded_sentence(report: &GameReport, reason: Option<UncountedReason>) -> String {
    let ruleset = report.ruleset.clone().map(|ruleset| report.header.counted_ruleset(ruleset).name);
    let mut scores = report.scores.iter().filter_map(|(ruleset, score)| Some((ruleset, score.as_ref().ok()?)));
    let first = scores.clone().next();
    let own = scores.find(|(other, _)| Some(&other.name) == ruleset.as_ref());
    match (reason, own.or(first)) {
        (None, Some((ruleset, score))) => {
            format!("The record states no result; by {} rules the count is {}.", ruleset.name, score.result_text())
        }
        _ => format!("The record states no result, and there is no count{}.", reason.map_or("", reason_in_words)),
    }
}

fn cause(audit: &Audit) -> String {
    audit.causes.first().unwrap_or(&Cause::Unknown).to_string()
}

/// Returns the end of a sentence on a game that has no count.
fn reason_in_words(reason: UncountedReason) -> &'static str {
    match reason {
        UncountedReason::Resignation => ": the game ended by resignation, so nothing was counted",
        UncountedReason::Time => ": the game was decided on time, so nothing was counted",
        UncountedReason::Forfeit => ": the game was forfeited, so nothing was counted",
        UncountedReason::Void => ": the game has no result, so nothing was counted",
        UncountedReason::Unfinished => ": the record does not reach the end of the game",
        UncountedReason::Stopped => ": the record can't be replayed to its end",
        UncountedReason::Unsettled => ": no source says which stones are dead (--dead-stones none says that all live)",
        UncountedReason::Doubtful => ": it is in doubt which stones are dead (--dead-stones names them)",
        UncountedReason::Open => ": much of the board is open",
        UncountedReason::WrongGivenStones => ": the named dead stones are not on the board",
        UncountedReason::NoLiberties => ": a chain has no liberties, so a stone of the board is wrong",
        UncountedReason::BrokenIdentity => ": an error in jigo, please report it",
    }
}

/// Returns the score under each ruleset, and how it relates to the recorded result.
fn scores(report: &GameReport) -> Vec<CardScore> {
    let counted = report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
    if counted.is_none() {
        // The sentence on the result says why.
        return Vec::new();
    }
    let line = |(ruleset, score): &(Ruleset, Result<Score, Unscored>)| match score {
        Err(unscored) => {
            CardScore { ruleset: ruleset.name.to_string(), note: unscored.reason().into(), ..CardScore::default() }
        }
        Ok(score) => CardScore {
            ruleset: ruleset.name.to_string(),
            result: score.result_text(),
            confidence: counted.and_then(|counted| counted.confidence(ruleset)),
            note: note(report, ruleset, score),
        },
    };
    report.scores.iter().map(line).collect()
}

/// Returns whether a score is the recorded one, and if not, why.
fn note(report: &GameReport, ruleset: &Ruleset, score: &Score) -> String {
    match agrees(score, &report.header.result) {
        None => return String::new(),
        Some(true) => return "as recorded".into(),
        Some(false) => {}
    }
    let causes = match report.audit.as_ref().filter(|audit| audit.ruleset == ruleset.name) {
        Some(audit) => audit.causes.first().filter(|cause| **cause != Cause::Unknown).map(Cause::to_string),
        None => differences(report, ruleset),
    };
    causes.map_or("not as recorded".into(), |causes| format!("not as recorded ({causes})"))
}

/// Returns the causes for which a score differs from the score that is recorded, or else from that
/// of the recorded ruleset.
fn differences(report: &GameReport, ruleset: &Ruleset) -> Option<String> {
    let is_base = |(other, score): &&(Ruleset, Result<Score, Unscored>)| {
        let is_recorded = report.audit.as_ref().is_some_and(|audit| audit.ruleset == other.name);
        let has_result = score.as_ref().is_ok_and(|score| agrees(score, &report.header.result) == Some(true));
        other.name != ruleset.name && (has_result || is_recorded)
    };
    let (base, _) = report.scores.iter().find(is_base)?;
    let pairs = comparisons(report);
    let pair = pairs.iter().find(|pair| [base, ruleset].iter().all(|name| pair.rulesets.contains(name)))?;
    let causes = DifferenceCause::NAMES.iter().zip(pair.causes).filter(|(_, points)| *points != HalfPoints::ZERO);
    let causes: Vec<String> = causes
        .map(|((_, cause), points)| format!("{} {}", cause_in_words(*cause), HalfPoints(points.0.abs())))
        .collect();
    (!causes.is_empty()).then(|| causes.join(", "))
}

fn cause_in_words(cause: DifferenceCause) -> &'static str {
    match cause {
        DifferenceCause::Parity => "last turn",
        DifferenceCause::Passes => "passes",
        DifferenceCause::HandicapStones => "handicap stones",
        DifferenceCause::Setup => "setup stones",
        DifferenceCause::Seki => "eyes in seki",
        DifferenceCause::Dame => "points to fill",
        DifferenceCause::Komi => "komi",
        DifferenceCause::Bonus => "handicap compensation",
        DifferenceCause::Rest => "other rules",
    }
}

/// Returns a finding of a game in words. `counter` was last used for the previous finding.
fn card_finding(
    VisitedGame { text, report, .. }: &VisitedGame<'_>,
    finding: &Finding,
    folded: &FoldedFindings<'_>,
    counter: &mut LineCounter,
) -> CardFinding {
    let located = LocatedFinding::in_game(text, finding, counter);
    let Place { turn, color, point, offset } = finding.place;
    let name = finding.name().replace('-', " ");
    let (mut place, mut summary) = (String::new(), name.clone());
    if !finding.variation.is_empty() {
        place += &format!("variation {}, ", finding.variation);
    }
    match (turn, located.line) {
        (Some(turn), _) => {
            place += &format!("turn {turn}");
            summary += &format!(" at turn {turn}");
        }
        (None, Some(line)) if offset > 0 => place += &format!("line {line}"),
        _ => {}
    }
    place += &color.map_or(String::new(), |color| format!(", {}", color.name()));
    place += &point.map_or(String::new(), |point| format!(" {}", point.to_a1(report.header.size)));
    let detail = if finding.detail.is_empty() { finding.code.description().what } else { &finding.detail };
    let more = folded.more + folded.violations.iter().map(|(_, count)| *count).sum::<usize>().saturating_sub(1);
    let more_text = if more > 0 { format!(", and {more} more like it") } else { String::new() };
    let rules = match finding.rules.as_str() {
        "" => String::new(),
        "none" => ", rules unknown".into(),
        rules => format!(", {} rules", rules.replace(';', ", ")),
    };
    let separator = if place.is_empty() { "" } else { ": " };
    let text = format!("{place}{separator}{name}: {detail}{more_text} ({}{rules})", finding.code.id());
    CardFinding { severity: finding.severity.name(), count: 1 + more, summary: visible(&summary), text: visible(&text) }
}

/// Returns a finding outside games in words.
pub fn outside_finding(&SourceFinding { line, finding, .. }: &SourceFinding<'_>) -> CardFinding {
    let name = finding.name().replace('-', " ");
    let line = line.map_or(String::new(), |line| format!("line {line}: "));
    let text = format!("{line}{name}: {} ({})", finding.detail, finding.code.id());
    let summary = format!("{name} outside the game");
    CardFinding { severity: finding.severity.name(), count: 1, summary, text: visible(&text) }
}
