//! The findings table.

use std::fmt::{self, Write as _};

use super::{COLOR, FILE, GAME, column};
use crate::tables::formats::text::{Line, PLACE, of_severity};
use crate::tables::table::{Cells, Kind, Row, Table, table};
use jigo_core::finding::{Code, Finding};
use jigo_core::sgf::GameText;

/// One finding with its position in the input.
pub struct FindingRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// The number of the game in the source, from 1, and the byte of its `(`; `None` for a finding
    /// outside games.
    pub game: Option<(u64, u64)>,
    /// The byte of the finding in the source.
    pub byte: u64,
    /// The line of the finding in the source, from 1.
    pub line: Option<u64>,
    /// The finding.
    pub finding: &'a Finding,
    /// Other findings that the text line of this one also reports. Tables never fold rows.
    pub folded: Folded<'a>,
    /// A hash that identifies the finding in other runs; `None` if the format does not contain it.
    pub fingerprint: Option<u64>,
}

/// Findings of a game that have no text line because another line reports them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folded<'a> {
    /// The number of further findings of the same kind.
    pub more: usize,
    /// The turn of the last of them.
    pub last_turn: Option<u32>,
    /// A pass that follows from the finding.
    pub pass: Option<&'a Finding>,
}

/// Returns the findings of a game that have text lines, each with the findings folded into it.
///
/// A turn out of order and the pass that it implies are one fact for the reader. So are a hundred
/// repetitions of one kind.
pub fn folded<'a>(findings: &[&'a Finding]) -> Vec<(&'a Finding, Folded<'a>)> {
    let mut lines: Vec<(&Finding, Folded)> = Vec::new();
    // The line of each kind of repetition.
    let mut kinds: Vec<usize> = Vec::new();
    for &finding in findings {
        let before = lines.last_mut().filter(|(other, _)| {
            (other.code, finding.code) == (Code::WrongColor, Code::ImpliedPass)
                && (other.place.turn, &other.variation) == (finding.place.turn, &finding.variation)
        });
        if let Some((_, line)) = before {
            line.pass = Some(finding);
            continue;
        }
        if finding.repetition.is_some() {
            let kind_of = |one: &Finding| (one.code, one.severity);
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
        lines.push((finding, Folded::default()));
    }
    lines
}

/// The position of the latest row of a game.
///
/// Findings mostly come in the order of the text. Counting only the bytes between two findings
/// avoids counting from the start each time, which would take minutes in a game with a million
/// findings.
#[derive(Default)]
pub struct Reached {
    /// The byte in the game's text.
    at: usize,
    /// The number of bytes of the source and of line ends between the start of the game and this
    /// byte.
    length: u64,
    lines: u64,
}

impl Reached {
    fn advance(&mut self, at: usize, text: &GameText) {
        let between = &text.bytes[self.at.min(at)..self.at.max(at)];
        let (length, lines) = (text.source_length(between), memchr::memchr_iter(b'\n', between).count() as u64);
        if at < self.at {
            self.length -= length;
            self.lines -= lines;
        } else {
            self.length += length;
            self.lines += lines;
        }
        self.at = at;
    }
}

impl<'a> FindingRow<'a> {
    /// Returns the row of a finding in a game. `reached` is the position of the previous row of the
    /// game.
    pub fn in_game(text: &GameText<'a>, finding: &'a Finding, reached: &mut Reached) -> FindingRow<'a> {
        reached.advance(finding.place.at.min(text.bytes.len()), text);
        FindingRow {
            file: text.file,
            game: Some((text.game, text.offset)),
            byte: text.offset + reached.length,
            line: Some(text.line + reached.lines),
            finding,
            folded: Folded::default(),
            fingerprint: None,
        }
    }

    /// Returns the finding in words: the name of the code, the detail and the rulesets.
    pub fn message(&self) -> String {
        let Finding { code, detail, rules, .. } = self.finding;
        let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
        let rules = if rules.is_empty() { String::new() } else { format!(" [{rules}]") };
        format!("{}{detail}{rules}", code.name())
    }
}

/// The identifiers of all codes.
pub(super) const IDS: [&str; Code::TABLE.len()] = {
    let mut ids = [""; Code::TABLE.len()];
    let mut index = 0;
    while index < ids.len() {
        ids[index] = Code::TABLE[index].id;
        index += 1;
    }
    ids
};

/// The names of all codes.
const NAMES: [&str; Code::TABLE.len()] = {
    let mut names = [""; Code::TABLE.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Code::TABLE[index].name;
        index += 1;
    }
    names
};

impl Row for FindingRow<'_> {
    table! {
        "findings", "one row for each finding, written by jigo check and report", |row|
        let finding = row.finding;
        let repetition = finding.repetition.as_ref();
        FILE => row.file,
        GAME => row.game.map(|(game, _)| game),
        column("offset", Kind::Integer, "byte of the game's ( in the file, from 0; outside games, the byte of the text").always()
            => row.game.map_or(row.byte, |(_, offset)| offset),
        column("line", Kind::Integer, "line of the finding in the file, from 1") => row.line,
        column("turn", Kind::Integer, "number of the turn, from 1; 0 is the setup") => finding.place.turn,
        column("color", COLOR, "player of the turn, or colour of the stone") => finding.place.color,
        column("point", Kind::Text, "point as an SGF pair, column first") => finding.place.point,
        column("code", Kind::Word(&IDS), "code of the finding; see jigo explain CODE").always() => finding.code.id(),
        column("name", Kind::Word(&NAMES), "name of the finding").always() => finding.code.name(),
        column("severity", Kind::Word(&["error", "warning", "info"]), "severity of the finding").always() => severity(finding),
        column("rules", Kind::Text, "rulesets that give this verdict, separated by semicolons; none if the record's rules are unknown")
            => finding.rules.as_str(),
        column("repeats_turn", Kind::Integer, "turn after which the position occurred before; 0 is the initial position")
            => repetition.map(|earlier| earlier.turn),
        column("cycle", Kind::Integer, "turns from that occurrence to this one") => repetition.map(|earlier| earlier.cycle),
        column("forbidden_by", Kind::Text, "repetition rules that forbid the turn, separated by semicolons")
            => repetition.map(|earlier| earlier.forbidden_by.as_str()),
        column("detail", Kind::Text, "further facts, in words") => finding.detail.as_str(),
        column("variation", Kind::Text, "path of the variation: the number of the child, from 1, at every branch; empty on the main line")
            => finding.variation.as_str(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let finding = self.finding;
        line.styled(PLACE, format_args!("{}", self.file))?;
        self.line.map_or(Ok(()), |number| line.styled(PLACE, format_args!(":{number}")))?;
        self.game.map_or(Ok(()), |(game, _)| line.styled(PLACE, format_args!(":{game}")))?;
        if !finding.variation.is_empty() {
            write!(line, " variation {}", finding.variation)?;
        }
        finding.place.turn.map_or(Ok(()), |turn| write!(line, " turn {turn}"))?;
        let point = finding.place.point.map_or(String::new(), |point| format!("[{point}]"));
        finding.place.color.map_or(Ok(()), |color| write!(line, " {}{point}", color.letter()))?;
        line.write_str(" ")?;
        line.styled(of_severity(finding.severity), format_args!("{} {}", severity(finding), finding.code.id()))?;
        write!(line, " {}", self.message())?;
        if let Some(pass) = self.folded.pass {
            write!(line, " ({}: {})", pass.code.id(), pass.detail)?;
        }
        match self.folded {
            Folded { more: 0, .. } => Ok(()),
            Folded { more, last_turn, .. } => {
                let last = last_turn.map_or(String::new(), |turn| format!(", the last at turn {turn}"));
                write!(line, ", and {more} more like it{last}")
            }
        }
    }

    fn finding(&self) -> Option<&FindingRow<'_>> {
        Some(self)
    }
}

fn severity(finding: &Finding) -> &'static str {
    finding.severity.name()
}
