//! The card of a game: the verdict, the players, the last position, the scores and the findings.

use std::borrow::Cow;

use jigo_rules::Preset;
use jigo_rules::board::Picture;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use crate::boards::page_board;
use crate::svg::{Lettering, SheetText, sheet};
use crate::text::{Style, wrap};

/// The columns of a card on a terminal.
const WIDTH: usize = 80;
/// The columns of text in a picture.
const SHEET_COLUMNS: usize = 66;
/// The maximum number of findings that a card lists.
pub const MAX_FINDINGS: usize = 12;
/// The maximum number of games with a card. Commands and pages for archives suit more games better.
pub const MAX_CARDS: usize = 20;
/// The maximum number of findings that a verdict names.
const MAX_NAMED: usize = 3;

/// The facts about one game, as sentences and a board.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Card {
    /// True if the game was replayed.
    pub is_replayed: bool,
    /// True if the count differs from the recorded result.
    pub has_other_count: bool,
    /// The sentence on the recorded result.
    pub result: String,
    /// The file and number of the game.
    pub name: String,
    /// The players, event and date; empty if none is recorded.
    pub players: String,
    /// The facts of the header; empty if the game was not replayed.
    pub facts: String,
    /// The recorded result as in the record; empty without one.
    pub recorded: String,
    /// The last position with its caption. `None` if the game was not replayed.
    pub board: Option<(String, Picture)>,
    /// The captured and the dead stones, one paragraph each.
    pub stones: Vec<String>,
    /// The score under each ruleset.
    pub scores: Vec<CardScore>,
    /// The findings, errors first.
    pub findings: Vec<CardFinding>,
    /// The commands that tell more.
    pub commands: Vec<String>,
}

/// A score under one ruleset.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CardScore {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The result, such as `B+3.5`; empty without a score.
    pub result: String,
    /// The probability, from 0 to 1, that the players counted this number. `None` without doubt.
    pub confidence: Option<f32>,
    /// The relation to the recorded result, or the reason for a missing score.
    pub note: String,
}

/// A finding, or several of one kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CardFinding {
    /// `error`, `warning` or `info`.
    pub severity: Cow<'static, str>,
    /// The number of findings.
    pub count: usize,
    /// A few words for the verdict, such as `superko at turn 10`.
    pub summary: String,
    /// The finding as a sentence.
    pub text: String,
}

impl Card {
    /// Returns the verdict: whether the record has errors, and whether the count confirms its
    /// result.
    pub fn verdict(&self) -> String {
        let [errors, warnings] = ["error", "warning"].map(|severity| self.findings_in_words(severity));
        let state = match (errors, warnings) {
            (Some(errors), _) => format!("{errors}."),
            (None, _) if !self.is_replayed => "This game can't be replayed.".into(),
            (None, Some(warnings)) => format!("No errors, but {warnings}."),
            (None, None) if self.has_other_count => "The record has no errors.".into(),
            (None, None) => "This record is sound.".into(),
        };
        format!("{state} {}", self.result).trim_end().to_owned()
    }

    /// Adds a finding outside games, in the game's file. An error comes first.
    pub fn add_outside_finding(&mut self, finding: CardFinding) {
        let place = if finding.severity == "error" { 0 } else { self.findings.len() };
        self.findings.insert(place, finding);
    }

    /// Returns the number and the names of the findings of a severity.
    fn findings_in_words(&self, severity: &str) -> Option<String> {
        let findings: Vec<&CardFinding> = self.findings.iter().filter(|finding| finding.severity == severity).collect();
        let count: usize = findings.iter().map(|finding| finding.count).sum();
        let names: Vec<&str> = findings.iter().take(MAX_NAMED).map(|finding| finding.summary.as_str()).collect();
        let more = if findings.len() > MAX_NAMED { " and others" } else { "" };
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {severity}{plural}: {}{more}", names.join(", ")))
    }

    /// Returns the card as lines for a terminal of 80 columns.
    pub fn text(&self, style: Style) -> String {
        let mut lines = self.above(WIDTH);
        if let Some((caption, picture)) = &self.board {
            lines.extend([String::new(), format!("{caption}:")]);
            lines.extend(style.lines(picture).iter().map(|line| line.trim_end().to_owned()));
            lines.extend([String::new(), style.legend([picture])]);
        }
        lines.extend(self.below(WIDTH));
        lines.extend((!self.commands.is_empty()).then(String::new));
        let prefixes = std::iter::once("More:").chain(std::iter::repeat(""));
        // A command is not wrapped, so that it can be copied.
        lines.extend(self.commands.iter().zip(prefixes).map(|(command, prefix)| format!("{prefix:<9}{command}")));
        lines.join("\n") + "\n"
    }

    /// Returns the card as an SVG file, with its width in pixels. `None` without a board.
    pub fn svg(&self, lettering: Lettering, width: Option<u32>) -> Option<String> {
        let (caption, picture) = self.board.clone()?;
        let above = [self.above(SHEET_COLUMNS), vec![String::new(), caption.clone()]].concat();
        let text = SheetText { above: &above, below: &self.below(SHEET_COLUMNS), lettering, width };
        Some(sheet(&[(caption, picture)], &self.title(), text))
    }

    /// Returns the card below its verdict as a part of a page. `id` is unique on the page, which has
    /// the [`definitions`](crate::boards::definitions) of the board. `links` come last.
    pub fn html(&self, id: &str, links: &Markup) -> Markup {
        let (shown, hidden) = self.findings.split_at(self.findings.len().min(MAX_FINDINGS));
        let list = |findings: &[CardFinding]| {
            html! { ul { @for finding in findings { li { b class=(finding.severity) { (finding.severity) } " " (finding.text) } } } }
        };
        html! {
            div.card {
                @if let Some((caption, picture)) = &self.board {
                    @let marks = if self.scores.is_empty() { "" } else { " a cross marks a dead stone, a square territory," };
                    figure { (page_board(picture, caption, id)) figcaption.dim { (caption) ":" (marks) " a ring marks the last turn." } }
                }
                div {
                    @if !self.players.is_empty() { p { b { (self.players) } } }
                    p { (self.facts) }
                    @for line in &self.stones { p.dim { (line) } }
                    @if !self.scores.is_empty() { (self.score_table()) }
                    @if !shown.is_empty() { (list(shown)) }
                    @if !hidden.is_empty() { details { summary { (hidden.len()) " more" } (list(hidden)) } }
                    (links)
                }
            }
        }
    }

    /// Returns the scores below the recorded result.
    fn score_table(&self) -> Markup {
        html! {
            table.list.counts {
                thead { tr { th { "ruleset" } th { "result" } th.num { "confidence" } th {} } }
                @if !self.recorded.is_empty() {
                    tr { td { "the record (RE)" } td { b { (self.recorded) } } td {} td {} }
                }
                @for CardScore { ruleset, result, confidence, note } in &self.scores {
                    tr {
                        td { (ruleset_title(ruleset)) }
                        td { b { (result) } }
                        td.num { (confidence.map_or(String::new(), |value| format!("{value:.3}"))) }
                        td.dim { (note) }
                    }
                }
            }
        }
    }

    /// Returns the name of the game with its players.
    fn title(&self) -> String {
        [self.name.as_str(), &self.players].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
    }

    /// Returns the lines above the board.
    fn above(&self, width: usize) -> Vec<String> {
        let facts = if self.facts.is_empty() { Vec::new() } else { wrap("", &self.facts, width) };
        [wrap("", &self.verdict(), width), vec![String::new()], wrap("", &self.title(), width), facts].concat()
    }

    /// Returns the lines below the board.
    fn below(&self, width: usize) -> Vec<String> {
        let mut lines: Vec<String> = self.stones.iter().flat_map(|line| wrap("", line, width)).collect();
        let name_width = self.scores.iter().map(|score| score.ruleset.chars().count()).max().unwrap_or(0).max(7);
        if !self.scores.is_empty() {
            lines.extend([String::new(), format!("{:<name_width$}  Result    Confidence", "Ruleset")]);
        }
        for CardScore { ruleset, result, confidence, note } in &self.scores {
            let confidence = confidence.map_or(String::new(), |value| format!("{value:.3}"));
            lines.extend(wrap(&format!("{ruleset:<name_width$}  {result:<8}  {confidence:<10}  "), note, width));
        }
        lines.extend((!self.findings.is_empty()).then(String::new));
        for finding in self.findings.iter().take(MAX_FINDINGS) {
            lines.extend(wrap(&format!("{:<9}", finding.severity), &finding.text, width));
        }
        let hidden = self.findings.len().saturating_sub(MAX_FINDINGS);
        lines.extend((hidden > 0).then(|| format!("{:<9}and {hidden} more", "")));
        lines
    }
}

/// The titles of rulesets as servers count them, which differ from the text of the rules.
const SERVER_TITLES: [(&str, &str); 2] = [
    ("korean territory=every-region", "Korean, as TYGEM counts"),
    ("japanese territory=every-region", "Japanese, as TOM and OGS counted"),
];

/// Returns the title of a ruleset, with its name and axes as a tooltip.
pub fn ruleset_title(name: &str) -> Markup {
    let (preset, changes) = name.split_once(' ').unwrap_or((name, ""));
    let Some(Preset { title, axes, .. }) = Preset::find(preset) else { return html! { (name) } };
    let (scoring, territory) = (axes.scoring.name(), axes.territory.name());
    let (repetition, suicide) = (axes.repetition.name(), axes.suicide.name());
    let axes = format!("{preset}: {scoring}, territory {territory}, repetition {repetition}, suicide {suicide}");
    let server_title = SERVER_TITLES.iter().find(|(ruleset, _)| *ruleset == name).map(|(_, title)| *title);
    html! {
        @if changes.is_empty() { span title=(axes) { (title) } } @else {
            span title=(format!("{axes}; changed: {changes}")) {
                @if let Some(title) = server_title { (title) } @else { (title) ", " (changes.replace('=', " ")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(severity: &'static str, count: usize, summary: &str) -> CardFinding {
        CardFinding { severity: severity.into(), count, summary: summary.into(), text: format!("turn 1: {summary}") }
    }

    #[test]
    fn verdict_names_the_worst_findings() {
        let card = |findings: Vec<CardFinding>| {
            Card { is_replayed: true, result: "The count confirms B+1.".into(), findings, ..Card::default() }.verdict()
        };
        assert_eq!(card(Vec::new()), "This record is sound. The count confirms B+1.");
        assert_eq!(card(vec![finding("info", 1, "a")]), "This record is sound. The count confirms B+1.");
        assert_eq!(card(vec![finding("warning", 1, "a")]), "No errors, but 1 warning: a. The count confirms B+1.");
        let errors = ["a", "b", "c", "d"].map(|name| finding("error", 2, name));
        assert_eq!(card(errors.to_vec()), "8 errors: a, b, c and others. The count confirms B+1.");
        assert_eq!(
            Card { findings: vec![finding("info", 1, "not go")], ..Card::default() }.verdict(),
            "This game can't be replayed."
        );
    }

    #[test]
    fn lines_of_text_fit_and_keep_their_indent() {
        let card = Card {
            name: "a.sgf#1".into(),
            findings: vec![finding("error", 1, &"word ".repeat(40))],
            ..Card::default()
        };
        let text = card.text(Style::default());
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("\nerror    turn 1: word") && text.contains("\n         word"), "{text}");
    }
}
