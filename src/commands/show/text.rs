//! The text of `jigo show`.

use std::fmt::Write as _;
use std::io::IsTerminal;

use jigo_archive::row::line::visible;
use jigo_archive::summary::with_noun;
use jigo_core::analysis::{CountedEnding, GameReport};
use jigo_core::audit::{MarginDifference, agrees};
use jigo_core::diagrams::GameDiagrams;
use jigo_diagrams::text::{Style, side_by_side};
use jigo_record::finding::{Finding, Severity, excerpt};
use jigo_record::splitter::GameText;
use jigo_record::{Coordinates, GameRecord, Header};
use jigo_rules::board::{BoardSize, Color, Picture, Point};
use jigo_rules::{HalfPoints, Tally};
use jigo_score::{DeadSource, Ending};

/// The width of text for people, in columns.
const MAX_WIDTH: usize = 100;
/// The maximum number of findings on other turns that are listed.
const MAX_OTHER_FINDINGS: usize = 8;
/// The maximum number of dead stones that are named.
const MAX_DEAD_POINTS: usize = 4;

/// Returns the names, date, board, komi, rules and result.
pub fn heading(text: &GameText, variation: &str, record: &GameRecord, report: &GameReport) -> String {
    let variation = if variation.is_empty() { String::new() } else { format!(", variation {variation}") };
    let players = recorded_players(&record.header).map_or(String::new(), |players| format!(": {players}"));
    let line = format!("{}#{}{variation}{players}", text.file, text.game);
    format!("{}\n{}\n", visible(&line), visible(&facts(&record.header, report)))
}

/// Returns the lines above a picture: the players and date if they are recorded, and the facts.
pub fn picture_heading(record: &GameRecord, report: &GameReport) -> Vec<String> {
    let header = &record.header;
    recorded_players(header).into_iter().chain([facts(header, report)]).map(|line| visible(&line)).collect()
}

/// Returns the players, event and date if the record states one of them.
pub fn recorded_players(header: &Header) -> Option<String> {
    let player = |name: &str, rank: &str, otherwise: &str| match (name, rank) {
        ("", _) => otherwise.to_owned(),
        (name, "") => name.to_owned(),
        (name, rank) => format!("{name} {rank}"),
    };
    let is_named = !header.black.is_empty() || !header.white.is_empty();
    let players = is_named.then(|| {
        let black = player(&header.black, &header.black_rank, "unknown");
        let white = player(&header.white, &header.white_rank, "unknown");
        format!("{black} (Black) - {white} (White)")
    });
    let stated = [&header.event, &header.date].into_iter().filter(|part| !part.is_empty()).cloned();
    let parts: Vec<String> = players.into_iter().chain(stated).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the board, handicap, komi, rules, result and number of turns.
pub fn facts(header: &Header, report: &GameReport) -> String {
    let komi = header.komi.map_or("komi unknown".into(), |komi| format!("komi {komi}"));
    let rules = report.ruleset.as_ref().map_or("rules unknown".into(), |rules| format!("{} rules", rules.name));
    let result = if header.result_text.is_empty() { "none" } else { &header.result_text };
    let handicap = match report.tally.handicap.stones() {
        0 => String::new(),
        stones => format!(", {}", with_noun(stones.into(), "handicap stone")),
    };
    let turns = with_noun(report.tally.turns.into(), "turn");
    format!("{}{handicap}, {komi}, {rules}, result {result}, {turns}", header.size)
}

/// Returns pictures with captions above and a legend below.
pub fn pictures(pictures: &[(String, Picture)], style: Style) -> String {
    let width = if std::io::stdout().is_terminal() { terminal_width().unwrap_or(MAX_WIDTH) } else { MAX_WIDTH };
    let blocks: Vec<(String, Vec<String>)> =
        pictures.iter().map(|(caption, picture)| (capital(caption), style.lines(picture))).collect();
    let mut text = side_by_side(&blocks, width);
    let _ = writeln!(text, "{}", style.legend(pictures.iter().map(|(_, picture)| picture)));
    text
}

/// Returns the width of the terminal in columns, from the variable that shells set.
fn terminal_width() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok()
}

/// Returns a turn as text: `W[dd] (D16)`, `B pass`.
pub fn turn(color: Color, coordinates: Coordinates, record: &GameRecord) -> String {
    let letter = color.letter();
    match coordinates {
        Coordinates::Play(point) => format!("{letter}[{point}] ({})", point.to_a1(record.header.size)),
        Coordinates::Pass => format!("{letter} pass"),
        Coordinates::OffBoard(point) => format!("{letter}[{point}], off the board"),
        Coordinates::Unreadable(text) => {
            format!("{letter}[{}], unreadable", visible(&excerpt(record.unreadable[text as usize].as_bytes())))
        }
    }
}

/// Returns the caption of one of many small boards, such as `turn 143 W D16`. It contains only
/// characters that pictures can draw.
pub fn short_caption(diagrams: &GameDiagrams, number: u32) -> String {
    match diagrams.turn(number) {
        None => "before the first turn".into(),
        Some((color, Coordinates::Play(point))) => {
            format!("turn {number} {} {}", color.letter(), point.to_a1(diagrams.size()))
        }
        Some((color, Coordinates::Pass)) => format!("turn {number} {} passes", color.letter()),
        Some((color, _)) => format!("turn {number} {} off the board", color.letter()),
    }
}

/// Returns the number of captured stones.
pub fn captured(tally: &Tally) -> String {
    let [black, white] = tally.lost;
    format!("Captured: {black} black, {white} white\n")
}

/// Returns a finding in one line.
pub fn finding(finding: &Finding) -> String {
    let mut line = String::new();
    if let Some(turn) = finding.place.turn {
        let _ = write!(line, "turn {turn} ");
    }
    if let Some(color) = finding.place.color {
        let point = finding.place.point.map_or(String::new(), |point: Point| format!("[{point}]"));
        let _ = write!(line, "{}{point} ", color.letter());
    }
    let _ = write!(line, "{} {} {}", finding.severity.name(), finding.code.id(), finding.code.name());
    if !finding.detail.is_empty() {
        let _ = write!(line, ": {}", finding.detail);
    }
    if !finding.rules.is_empty() {
        let _ = write!(line, " [{}]", finding.rules);
    }
    visible(&line)
}

/// Returns the findings that the board does not show, the worst first.
pub fn other_findings(findings: &[Finding], turn: u32) -> String {
    let is_other = |candidate: &&Finding| candidate.place.turn != Some(turn) || !candidate.variation.is_empty();
    let mut other_findings: Vec<&Finding> = findings.iter().filter(is_other).collect();
    if other_findings.is_empty() {
        return String::new();
    }
    other_findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let errors = other_findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let findings = if other_findings.len() == 1 { "finding" } else { "findings" };
    let mut text =
        format!("\n{} other {findings}, of them errors: {errors}; --turn N goes to turn N\n", other_findings.len());
    for other in other_findings.iter().take(MAX_OTHER_FINDINGS) {
        let _ = writeln!(text, "  {}", finding(other));
    }
    if other_findings.len() > MAX_OTHER_FINDINGS {
        let _ = writeln!(text, "  and {} more: jigo check lists them", other_findings.len() - MAX_OTHER_FINDINGS);
    }
    text
}

/// Returns the source of the dead stones, their number and the open dame in a line.
pub fn dead_stones(ending: &CountedEnding, size: BoardSize) -> String {
    // This is the confidence of the dead stones only. A score under a ruleset may also depend on
    // the territory rule.
    let confidence = ending.ending.confidence.map_or(String::new(), |value| format!(", confidence {value:.3}"));
    let doubt = if ending.is_certain { "" } else { ", too low to rely on" };
    let source = format!("Dead by {}{confidence}{doubt}", ending.ending.source.name());
    format!("{}; {} dame open", dead(&source, ending, size), ending.counts.dame)
}

/// Returns the number of dead stones after their source. If a person named them, also returns the
/// first points, since a name stands for a whole chain.
pub fn dead(source: &str, counted: &CountedEnding, size: BoardSize) -> String {
    let CountedEnding { ending: Ending { dead, source: dead_source, .. }, counts, .. } = counted;
    let [black, white] = counts.dead;
    let note = counted.estimate_note(size).map_or(String::new(), |note| format!("; {note}"));
    if *dead_source != DeadSource::Provided || dead.is_empty() {
        return format!("{source}: {black} black, {white} white{note}");
    }
    let points: Vec<String> = dead.iter().take(MAX_DEAD_POINTS).map(|point| point.to_a1(size)).collect();
    let more = if dead.len() > points.len() { " and others" } else { "" };
    format!("Dead as given: {black} black, {white} white ({}{more}){note}", points.join(", "))
}

/// Returns the source of the dead stones, the counts of the board, the score under each ruleset,
/// and the arithmetic of the scores.
pub fn ending(report: &GameReport, ending: &CountedEnding) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", dead_stones(ending, report.header.size));
    let difference = MarginDifference::new(&ending.counts, &report.tally);
    let _ = writeln!(text, "{}", difference_text(&difference));
    let _ =
        writeln!(text, "\nruleset             Black   White  result   confidence  stated {}", recorded_result(report));
    for (ruleset, score) in &report.scores {
        let _ = match score {
            Ok(score) => {
                let agrees = match agrees(score, &report.header.result) {
                    Some(true) => "the same",
                    Some(false) => "another",
                    None => "",
                };
                let (black, white) = (score.black.to_string(), score.white.to_string());
                let confidence = ending.confidence(ruleset).map_or(String::new(), |value| format!("{value:.3}"));
                let result = score.result_text();
                writeln!(text, "{:<18} {black:>6} {white:>7}  {result:<8} {confidence:>10}  {agrees}", ruleset.name)
            }
            Err(unscored) => writeln!(text, "{:<18} {}", ruleset.name, unscored.reason()),
        };
    }
    let arithmetic = super::arithmetic::table(report, MAX_WIDTH);
    if !arithmetic.is_empty() {
        let _ = writeln!(text, "\n{}", arithmetic.join("\n"));
    }
    text
}

fn recorded_result(report: &GameReport) -> String {
    match report.header.result_text.as_str() {
        "" => "nothing".into(),
        text => visible(text),
    }
}

/// Returns the difference of area and territory with its causes, such as `Area 5, territory 4,
/// Black minus White without komi: Black made more turns (+1)`.
pub fn difference_text(difference: &MarginDifference) -> String {
    // In words for more points of Black and of White.
    let causes = [
        (difference.parity, "Black made more turns", "White made more turns"),
        (difference.passes, "White passed or skipped more turns", "Black passed or skipped more turns"),
        (difference.handicap, "handicap stones", "handicap stones"),
        (difference.setup, "more black stones set up", "more white stones set up"),
        (difference.seki, "eyes of Black in seki", "eyes of White in seki"),
        (difference.dame, "Black must fill more points", "White must fill more points"),
    ];
    let causes: Vec<String> = causes
        .iter()
        .filter(|(points, ..)| *points != HalfPoints::ZERO)
        .map(|(points, of_black, of_white)| match *points > HalfPoints::ZERO {
            true => format!("{of_black} (+{points})"),
            false => format!("{of_white} ({points})"),
        })
        .collect();
    let causes = if causes.is_empty() { "they are the same".into() } else { causes.join(", ") };
    format!(
        "Area {}, territory {}, Black minus White without komi: {causes}",
        difference.area, difference.strict_territory
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
