//! The findings table: one row per reported finding.

use std::fmt::{self, Write as _};

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::baseline::FindingKey;
use crate::pipeline::{SourceFinding, VisitedGame};
use crate::row::line::{LOCATION, Line, severity_style};
use crate::row::shared_columns::{COLOR, FILE, GAME, column, table};
use crate::row::{Cells, ColumnType, LineCounter, LocatedFinding, Row, Table};
use jigo_record::finding::{Code, Finding, Place};
use jigo_rules::cycle::CycleKind;

/// One finding with its position in the input.
pub struct FindingRow<'a> {
    /// The finding.
    pub located: LocatedFinding<'a>,
    /// Other findings that the text line of this one also reports. Tables never fold rows.
    pub folded: FoldedFindings<'a>,
}

impl<'a> FindingRow<'a> {
    /// Returns a row that reports no other findings.
    pub fn new(located: LocatedFinding<'a>) -> FindingRow<'a> {
        FindingRow { located, folded: FoldedFindings::default() }
    }
}

/// Findings of a game that have no text line because another line reports them.
#[derive(Clone, Debug, Default)]
pub struct FoldedFindings<'a> {
    /// The number of further findings of the same kind.
    pub more: usize,
    /// The turn of the last of them.
    pub last_turn: Option<u32>,
    /// A pass that follows from the finding.
    pub pass: Option<&'a Finding>,
    /// The numbers of violations of the standard by code, if the line counts all of them.
    pub violations: Vec<(Code, usize)>,
}

/// The class of the codes for violations of the SGF standard.
const CONFORMANCE: u8 = b'F';
/// The class of the codes for damage of the text, which has no turn but a byte.
const STRUCTURE: u8 = b'D';

/// Returns the findings of a game that have text lines, each with the findings folded into it.
///
/// A turn out of order and the pass that it implies are one fact for the reader. So are a hundred
/// repetitions of one kind. Violations of the SGF standard come last, in one line.
pub fn fold_findings<'a>(findings: &[&'a Finding]) -> Vec<(&'a Finding, FoldedFindings<'a>)> {
    let mut lines: Vec<(&Finding, FoldedFindings)> = Vec::new();
    // The line of each kind of repetition.
    let mut kinds: Vec<usize> = Vec::new();
    let (violations, others): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|finding| finding.code.class() == CONFORMANCE);
    for finding in others {
        let previous = lines.last_mut().filter(|(previous_finding, _)| {
            (previous_finding.code, finding.code) == (Code::WrongColor, Code::ImpliedPass)
                && (previous_finding.place.turn, &previous_finding.variation)
                    == (finding.place.turn, &finding.variation)
        });
        if let Some((_, line)) = previous {
            line.pass = Some(finding);
            continue;
        }
        if finding.repetition.is_some() {
            let kind_of = |finding: &Finding| (finding.code, finding.severity);
            let kind = kinds.iter().copied().find(|line| {
                kind_of(lines[*line].0) == kind_of(finding)
                    && (&lines[*line].0.rules, &lines[*line].0.variation) == (&finding.rules, &finding.variation)
            });
            if let Some(line) = kind {
                lines[line].1.more += 1;
                lines[line].1.last_turn = finding.place.turn;
                continue;
            }
            kinds.push(lines.len());
        }
        lines.push((finding, FoldedFindings::default()));
    }
    lines.extend(fold_violations(&violations));
    lines
}

/// Returns the line about all violations of a game: the most severe one and the numbers by code.
fn fold_violations<'a>(violations: &[&'a Finding]) -> Option<(&'a Finding, FoldedFindings<'a>)> {
    let mut counts: Vec<(Code, usize)> = Vec::new();
    for finding in violations {
        match counts.iter_mut().find(|(code, _)| *code == finding.code) {
            Some((_, count)) => *count += 1 + finding.more,
            None => counts.push((finding.code, 1 + finding.more)),
        }
    }
    counts.sort();
    // The first of the most severe ones.
    let shown = violations.iter().rev().max_by_key(|finding| finding.severity)?;
    let violations = if violations.len() > 1 { counts } else { Vec::new() };
    Some((shown, FoldedFindings { violations, ..FoldedFindings::default() }))
}

/// The identifiers of all codes.
pub(super) const CODE_IDS: [&str; Code::TABLE.len()] = {
    let mut ids = [""; Code::TABLE.len()];
    let mut index = 0;
    while index < ids.len() {
        ids[index] = Code::TABLE[index].id;
        index += 1;
    }
    ids
};

impl Row for FindingRow<'_> {
    table! {
        "findings", "one row for each finding, written by jigo check and report", |row|
        let LocatedFinding { finding, .. } = row.located;
        let repetition = finding.repetition.as_ref();
        let cycle = repetition.map(|earlier| earlier.cycle);
        let forbidden_by = repetition.map(|earlier| {
            let rules = earlier.repetition.forbidding_rules();
            rules.map(|rule| rule.name()).collect::<Vec<_>>().join(";")
        });
        FILE => row.located.file,
        GAME => row.located.game.map(|(game, _)| game),
        column("offset", ColumnType::Integer, "byte of the game's ( in the file, from 0; outside games, the byte of the text").not_null()
            => row.located.game.map_or(row.located.byte, |(_, offset)| offset),
        column("line", ColumnType::Integer, "line of the finding in the file, from 1") => row.located.line,
        column("turn", ColumnType::Integer, "number of the turn, from 1; 0 is the setup") => finding.place.turn,
        column("color", COLOR, "player of the turn, or colour of the stone") => finding.place.color,
        column("point", ColumnType::Point, "point as an SGF pair, column first") => finding.place.point,
        column("code", ColumnType::Word(&CODE_IDS), "code of the finding; see jigo explain CODE").not_null() => finding.code.id(),
        column("name", ColumnType::Text, "name of the code; of A001, the name of the expectation").not_null() => finding.name(),
        column("severity", ColumnType::Word(&["error", "warning", "info"]), "severity of the finding").not_null() => severity(finding),
        column("rules", ColumnType::Text, "rulesets that give this verdict, separated by semicolons; none if the record's rules are unknown")
            => finding.rules.as_str(),
        column("repeats_turn", ColumnType::Integer, "turn after which the position occurred before; 0 is the initial position")
            => repetition.map(|earlier| earlier.turn),
        column("cycle", ColumnType::Integer, "turns from that occurrence to this one") => cycle.map(|cycle| cycle.length),
        column("forbidden_by", ColumnType::Text, "repetition rules that forbid the turn, separated by semicolons")
            => forbidden_by.as_deref(),
        column("detail", ColumnType::Text, "further facts, in words") => finding.detail.as_str(),
        column("variation", ColumnType::Text, "path of the variation: the number of the child, from 1, at every branch; empty on the main line")
            => finding.variation.as_str(),
        column("byte", ColumnType::Integer, "byte of the finding in the file, from 0").not_null() => row.located.byte,
        column("cycle_kind", ColumnType::Word(&CycleKind::WORDS), "kind of the repetition's cycle; triple-ko has three or more kos") => cycle.map_or("", |cycle| cycle.kind.name()),
        column("cycle_length", ColumnType::Integer, "turns of the cycle, as cycle") => cycle.map(|cycle| cycle.length),
        column("cycle_black_lost", ColumnType::Integer, "black stones captured in the cycle") => cycle.map(|cycle| cycle.lost_black),
        column("cycle_white_lost", ColumnType::Integer, "white stones captured in the cycle") => cycle.map(|cycle| cycle.lost_white),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let finding = self.located.finding;
        line.styled(LOCATION, format_args!("{}", self.located.file))?;
        self.located.line.map_or(Ok(()), |number| line.styled(LOCATION, format_args!(":{number}")))?;
        self.located.game.map_or(Ok(()), |(game, _)| line.styled(LOCATION, format_args!(":{game}")))?;
        if !finding.variation.is_empty() {
            write!(line, " variation {}", finding.variation)?;
        }
        match finding.place {
            Place { turn: Some(turn), .. } => write!(line, " turn {turn}")?,
            // A finding of a whole file has neither line nor byte.
            _ if finding.code.class() == STRUCTURE && self.located.line.or(Some(self.located.byte)) > Some(0) => {
                write!(line, " byte {}", self.located.byte)?
            }
            _ => {}
        }
        let point = finding.place.point.map_or(String::new(), |point| format!("[{point}]"));
        finding.place.color.map_or(Ok(()), |color| write!(line, " {}{point}", color.letter()))?;
        line.write_str(" ")?;
        line.styled(severity_style(finding.severity), format_args!("{} {}", severity(finding), finding.code.id()))?;
        write!(line, " {}", self.located.message())?;
        if let Some(pass) = self.folded.pass {
            write!(line, " ({}: {})", pass.code.id(), pass.detail)?;
        }
        if !self.folded.violations.is_empty() {
            line.write_str(" (violations of SGF in this game:")?;
            for (index, (code, count)) in self.folded.violations.iter().enumerate() {
                write!(line, "{} {} {count}", if index == 0 { "" } else { "," }, code.id())?;
            }
            line.write_str(")")?;
        }
        match self.folded {
            FoldedFindings { more: 0, .. } => Ok(()),
            FoldedFindings { more, last_turn, .. } => {
                let last = last_turn.map_or(String::new(), |turn| format!(", the last at turn {turn}"));
                write!(line, ", and {more} more like it{last}")
            }
        }
    }

    fn finding(&self) -> Option<&LocatedFinding<'_>> {
        Some(&self.located)
    }
}

fn severity(finding: &Finding) -> &'static str {
    finding.severity.name()
}

/// Writes the findings of games.
pub struct FindingRows;

impl GameTable for FindingRows {
    const TABLE: &'static Table = FindingRow::TABLE;

    fn add_game(&self, game: &VisitedGame<'_>, rows: &mut Rows) {
        let mut position = LineCounter::default();
        if rows.is_text() {
            for (finding, folded) in fold_findings(game.reported) {
                let located = LocatedFinding::in_game(game.text, finding, &mut position);
                rows.push(&FindingRow { located, folded });
            }
            return;
        }
        let needs_fingerprints = rows.has_fingerprints() && !game.reported.is_empty();
        let game_number = needs_fingerprints.then(|| FindingKey::game_number(game.text, game.report));
        for finding in game.reported {
            let fingerprint = game_number.map(|game_number| {
                FindingKey::in_game(game.text.file, game_number, game.report, finding).fingerprint()
            });
            let located = LocatedFinding::in_game(game.text, finding, &mut position);
            rows.push(&FindingRow::new(LocatedFinding { fingerprint, ..located }));
        }
    }

    fn add_finding(&self, &SourceFinding { file, byte, line, finding, .. }: &SourceFinding<'_>, rows: &mut Rows) {
        let stray_text = line.map(|_| finding.detail.as_str());
        let fingerprint =
            rows.has_fingerprints().then(|| FindingKey::outside_games(file, finding, stray_text).fingerprint());
        rows.push(&FindingRow::new(LocatedFinding { file, game: None, byte, line, finding, fingerprint }));
    }
}
