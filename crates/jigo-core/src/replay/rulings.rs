//! Conversion of rulings on a turn into findings.

use jigo_record::finding::{Code, Finding, Place, RepeatedPosition, Severity};
use jigo_rules::cycle::Cycle;
use jigo_rules::{History, Repetition, RuleViolation, Ruleset, TurnFacts};

/// The ruling of a ruleset on a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ruling {
    fault: Option<RuleViolation>,
    /// True if the fault depends on a judgement that the record does not contain.
    is_open: bool,
}

impl Ruling {
    fn from_facts(facts: &TurnFacts, ruleset: &Ruleset) -> Ruling {
        let fault = facts.violation(&ruleset.axes);
        Ruling {
            fault,
            is_open: matches!(fault, Some(RuleViolation::Superko { .. })) && ruleset.axes.needs_judgement(),
        }
    }
}

/// Reports the rulings of `judges` on the last turn of `history`, each once.
///
/// Returns true if any of them forbids the turn.
pub(super) fn judge(
    judges: &[Ruleset],
    facts: TurnFacts,
    place: Place,
    history: &History,
    findings: &mut Vec<Finding>,
) -> bool {
    if facts.replaced.is_some() {
        findings.push(Finding::new(Code::Occupied, place, "the stone there is replaced"));
        return true;
    }
    let mut rulings: Vec<(Ruling, Vec<&Ruleset>)> = Vec::new();
    for judge in judges {
        let ruling = Ruling::from_facts(&facts, judge);
        match rulings.iter_mut().find(|(existing, _)| *existing == ruling) {
            Some((_, rulesets)) => rulesets.push(judge),
            None => rulings.push((ruling, vec![judge])),
        }
    }
    for (ruling, rulesets) in &rulings {
        findings.extend(finding(history, facts, *ruling, rulesets, place));
    }
    rulings.iter().any(|(ruling, _)| ruling.fault.is_some() && !ruling.is_open)
}

/// Returns the finding for a ruling, or `None` for a legal turn that recreates no position.
fn finding(
    history: &History,
    facts: TurnFacts,
    ruling: Ruling,
    rulesets: &[&Ruleset],
    place: Place,
) -> Option<Finding> {
    let (code, repeats) = match (ruling.fault, facts.repetition) {
        (Some(RuleViolation::Ko { repeats }), _) => (Code::Ko, Some(repeats)),
        (Some(RuleViolation::Superko { repeats }), _) => (Code::Superko, Some(repeats)),
        (None, Some(repetition)) => (Code::Repetition, repetition.psk),
        (None, None) => return None,
        (Some(RuleViolation::Suicide | RuleViolation::Occupied), _) => (Code::SuicidePlay, None),
    };
    let mut finding = Finding::new(code, place, format!("{} removed", count(facts.suicide as usize, "stone")));
    finding.rules = rulesets.iter().map(|ruleset| ruleset.name.as_ref()).collect::<Vec<_>>().join(";");
    if let (Some(repeats), Some(repetition)) = (repeats, facts.repetition) {
        if ruling.is_open {
            finding.severity = Severity::Warning;
        }
        describe_repetition(&mut finding, history, repeats, repetition, rulesets);
    }
    Some(finding)
}

/// Adds the earlier turn, the cycle and the repetition itself.
///
/// If the finding is not an error, its consequence under each ruleset follows.
fn describe_repetition(
    finding: &mut Finding,
    history: &History,
    repeats: usize,
    repetition: Repetition,
    rulesets: &[&Ruleset],
) {
    let cycle = Cycle::between(history, repeats, history.entries().len() - 1);
    let turn = history.entries()[repeats].turn;
    finding.repetition = Some(Box::new(RepeatedPosition { turn, cycle, repetition }));
    let earlier = if turn == 0 { "the initial position".into() } else { format!("the position after turn {turn}") };
    finding.detail = format!("repeats {earlier}: {cycle}");
    if finding.severity < Severity::Error {
        for Ruleset { name, axes, .. } in rulesets {
            finding.detail.push_str(&format!("; under {name} {}", axes.long_cycle.consequence()));
        }
    }
}

/// Formats a number with its noun: `1 stone`, `2 stones`.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
