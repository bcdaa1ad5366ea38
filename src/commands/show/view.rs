//! The parts of a game that `jigo show` displays.

use anyhow::{Result, bail, ensure};

use super::{arithmetic, text};
use jigo_core::analysis::GameReport;
use jigo_core::diagrams::{GameDiagrams, LaterSetup, ending};
use jigo_diagrams::text::{Style, wrap};
use jigo_record::GameRecord;
use jigo_record::finding::{Code, Finding};
use jigo_record::splitter::GameText;
use jigo_rules::board::{Mark, Picture};

/// The most positions of a cycle that are drawn as separate boards. A longer cycle is drawn as one
/// board with numbers.
const MAX_POSITIONS: u32 = 60;
/// The columns of the text in a picture.
const SHEET_COLUMNS: usize = 58;
/// The lines of the board that are drawn around the points of interest.
const MARGIN: u8 = 3;

/// Checks that the game has a turn.
///
/// # Errors
/// Fails if it does not.
pub fn check_turn(turn: u32, diagrams: &GameDiagrams, variation: &str) -> Result<()> {
    let line = if variation.is_empty() { "the main line" } else { "the variation" };
    let last = diagrams.turns();
    ensure!(turn <= last, "{line} has {last} turns, there is no turn {turn}");
    Ok(())
}

/// Reads the first and the last turn of a diagram, such as `1-50`.
///
/// # Errors
/// Fails for anything but two turns from 1 in ascending order.
pub fn turn_range(text: &str) -> Result<(u32, u32), String> {
    let ends = text.split_once("..").or_else(|| text.split_once('-'));
    let ends = ends.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    ends.filter(|(first, last)| (1..=*last).contains(first))
        .ok_or_else(|| "it takes the first and the last turn, from 1, such as 1-50".into())
}

/// The game that is displayed.
pub struct GameView<'a> {
    /// The text.
    pub text: &'a GameText<'a>,
    /// The report of its analysis.
    pub report: &'a GameReport,
    /// The record.
    pub record: &'a GameRecord,
    /// Its pictures.
    pub diagrams: GameDiagrams<'a>,
    /// The variation that the text was cut to, such as `1.2`; empty for the main line.
    pub variation: &'a str,
}

/// The parts of the game that are displayed.
#[derive(Default)]
pub struct Scene<'a> {
    /// The pictures with their captions.
    pub pictures: Vec<(String, Picture)>,
    /// The findings that the pictures show.
    pub findings: Vec<&'a Finding>,
    /// The turn of the picture. `None` for a cycle and for the ending.
    pub turn: Option<u32>,
    /// The text below the pictures.
    pub below: String,
    /// The lines below the pictures in a file.
    pub lines: Vec<String>,
}

impl<'a> GameView<'a> {
    fn findings_at(&self, turn: u32) -> Vec<&'a Finding> {
        let is_at = |finding: &&Finding| finding.place.turn == Some(turn) && finding.variation.is_empty();
        self.report.findings.iter().filter(is_at).collect()
    }

    /// Returns the board after a turn, by default the last one.
    pub fn turn(&self, turn: Option<u32>) -> Result<Scene<'a>> {
        let turn = turn.unwrap_or(self.diagrams.turns());
        check_turn(turn, &self.diagrams, self.variation)?;
        let findings = self.findings_at(turn);
        let picture = self.diagrams.picture_after(turn, LaterSetup::Included, &findings);
        let is_last = turn == self.diagrams.turns() && self.report.tally.stopped_at.is_none();
        // Only the report knows the stones that the text of a typed board calls captured.
        let below = match is_last {
            true => text::captured(&self.report.tally),
            false => text::captured(&self.diagrams.moment_after(turn, LaterSetup::Included).tally),
        };
        let pictures = vec![(self.caption(turn), picture)];
        Ok(Scene { pictures, findings, turn: Some(turn), below, ..Scene::default() })
    }

    /// Returns turns as numbers on their stones, as in a printed diagram.
    pub fn turns(&self, first: u32, last: u32) -> Result<Scene<'a>> {
        check_turn(last, &self.diagrams, self.variation)?;
        let findings: Vec<&Finding> = (first..=last).flat_map(|turn| self.findings_at(turn)).collect();
        let mut diagram = self.diagrams.printed(first, last);
        let removed = self.diagrams.removed(&diagram, last);
        for point in findings.iter().filter_map(|finding| finding.place.point) {
            diagram.picture.mark(point, Mark::Finding);
        }
        let mut lines = Vec::new();
        for (prefix, entries) in [("Not shown: ", diagram.entries()), ("Captured: ", removed)] {
            lines.extend((!entries.is_empty()).then(|| wrap(prefix, &entries.join(", "), SHEET_COLUMNS)));
        }
        let lines = lines.concat();
        let below = lines.iter().map(|line| format!("{line}\n")).collect();
        let [from, to] = [first, last].map(|turn| self.diagrams.turn(turn));
        let name = |turn: Option<_>| turn.map_or(String::new(), |(color, at)| text::turn(color, at, self.record));
        let caption = format!("turns {first} to {last}, {} to {}", name(from), name(to));
        Ok(Scene { pictures: vec![(caption, diagram.picture)], findings, below, lines, ..Scene::default() })
    }

    fn caption(&self, turn: u32) -> String {
        match (turn, self.diagrams.turn(turn)) {
            (_, Some((color, coordinates))) => {
                format!("after turn {turn}, {}", text::turn(color, coordinates, self.record))
            }
            _ => "before the first turn".into(),
        }
    }

    /// Returns the positions from the one that a turn repeats up to that turn, cut to the affected
    /// part of the board.
    pub fn cycle(&self, turn: Option<u32>) -> Result<Scene<'a>> {
        let findings = self.report.findings.iter().filter(|finding| finding.variation.is_empty());
        let mut repetitions =
            findings.filter_map(|finding| Some((finding, finding.place.turn?, finding.repetition.as_ref()?)));
        let found = repetitions.find(|(_, to, _)| turn.is_none_or(|turn| turn == *to));
        let Some((finding, to, repeated)) = found else {
            match turn {
                Some(turn) => bail!("turn {turn} repeats no position; jigo show without --cycle draws it"),
                None => bail!("no position of this game is repeated"),
            }
        };
        let start = repeated.turn;
        let around = self.diagrams.points(start, to);
        let crop = |mut picture: Picture| {
            picture.crop(&around, MARGIN);
            picture
        };
        let mut pictures = Vec::new();
        if to - start <= MAX_POSITIONS {
            for turn in start..=to {
                let findings = if turn == to { vec![finding] } else { Vec::new() };
                pictures.push((
                    text::short_caption(&self.diagrams, turn),
                    crop(self.diagrams.picture_after(turn, LaterSetup::Omitted, &findings)),
                ));
            }
        }
        let cycle = self.diagrams.cycle(start, to);
        let legend = cycle.legend();
        pictures.push((format!("turns {} to {to} as 1 to {}", start + 1, to - start), crop(cycle.picture)));
        let below = if legend.is_empty() { String::new() } else { format!("Not on the board: {legend}\n") };
        let lines = wrap("", &below, SHEET_COLUMNS);
        Ok(Scene { pictures, findings: vec![finding], below, lines, ..Scene::default() })
    }

    /// Returns the final position with its dead stones and territory.
    pub fn ending(&self) -> Result<Scene<'a>> {
        let last = self.diagrams.turns();
        let moment = self.diagrams.moment_after(last, LaterSetup::Included);
        let counted_ending = match &self.report.ending {
            Some(Ok(counted_ending)) => counted_ending,
            Some(Err(reason)) => {
                let failed = self.report.findings.iter().filter(|finding| finding.code == Code::EngineFailed);
                let failed: String = failed.map(|finding| format!("; {}", text::finding(finding))).collect();
                let advice = self
                    .report
                    .count_fault()
                    .map_or_else(|| "; --dead-stones names all dead stones".into(), |fault| format!(": {fault}"));
                bail!("the ending is not counted: {}{failed}{advice}", reason.name())
            }
            None => bail!("the ending is not counted"),
        };
        let mut picture = ending(&moment.position, counted_ending);
        if let Some(point) = self.diagrams.point(last) {
            picture.mark(point, Mark::Last);
        }
        let below = text::captured(&self.report.tally) + &text::ending(self.report, counted_ending);
        let mut lines = vec![text::dead_stones(counted_ending, self.report.header.size), String::new()];
        lines.extend(arithmetic::table(self.report, SHEET_COLUMNS));
        let caption = format!("the ending, {}", self.caption(last));
        Ok(Scene { pictures: vec![(caption, picture)], below, lines, ..Scene::default() })
    }

    /// Returns the complete text for the terminal.
    pub fn page(&self, scene: &Scene, style: Style) -> String {
        let mut page = text::heading(self.text, self.variation, self.record, self.report);
        page.push('\n');
        page += &text::pictures(&scene.pictures, style);
        page += &scene.below;
        for finding in &scene.findings {
            page += &format!("{}\n", text::finding(finding));
        }
        if let Some(turn) = scene.turn {
            page += &text::other_findings(&self.report.findings, turn);
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_ranges_are_two_turns_in_order() {
        assert_eq!([turn_range("1-50"), turn_range("7..7")], [Ok((1, 50)), Ok((7, 7))]);
        for text in ["", "5", "0-5", "6-5", "-5", "5-", "a-b", "1-2-3", "1-99999999999"] {
            assert!(turn_range(text).is_err(), "{text}");
        }
    }
}
