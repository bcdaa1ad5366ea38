//! The findings table.

use std::fmt;

use super::{FILE, GAME, column};
use crate::finding::Finding;
use crate::input::GameText;
use crate::report::table::{Column, Kind, Row, Value};

/// One finding, with its place in the input.
pub struct FindingRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// Which game of the source, from 1, with the byte of its `(`; `None` for a finding outside games.
    pub game: Option<(u64, u64)>,
    /// Byte in the source that the finding is at.
    pub byte: u64,
    /// Line in the source that the finding is at, from 1.
    pub line: Option<u64>,
    /// The finding.
    pub finding: &'a Finding,
}

impl<'a> FindingRow<'a> {
    /// The row of a finding in a game.
    pub fn in_game(text: &GameText<'a>, finding: &'a Finding) -> FindingRow<'a> {
        let at = finding.place.at.min(text.bytes.len());
        let lines = memchr::memchr_iter(b'\n', &text.bytes[..at]).count();
        FindingRow {
            file: text.file,
            game: Some((text.game, text.offset)),
            byte: text.source_byte(at),
            line: Some(text.line + lines as u64),
            finding,
        }
    }
}

impl Row for FindingRow<'_> {
    const TABLE: &'static str = "findings";
    const COLUMNS: &'static [Column] = &[
        FILE,
        GAME,
        column(
            "offset",
            Kind::Integer,
            "byte of the game's ( in the file, from 0; of the text for a finding outside games",
        ),
        column("line", Kind::Integer, "line of the finding in the file, from 1"),
        column("turn", Kind::Integer, "B and W properties of the main line, from 1; 0 is the setup"),
        column("color", Kind::Word, "B or W"),
        column("point", Kind::Text, "SGF pair, column first"),
        column("code", Kind::Word, "identifier of the finding; jigo explain CODE"),
        column("name", Kind::Word, "name of the finding"),
        column("severity", Kind::Word, "error, warning or info"),
        column(
            "rules",
            Kind::Text,
            "rulesets that give this verdict, with ; between; none where the record's rules are unknown",
        ),
        column(
            "repeats_turn",
            Kind::Integer,
            "turn after which the repeated position stood before; 0 is the initial position",
        ),
        column("cycle", Kind::Integer, "turns from there to this one"),
        column("forbidden_by", Kind::Text, "repetition rules that forbid it, with ; between"),
        column("detail", Kind::Text, "what else there is to know"),
        column(
            "variation",
            Kind::Text,
            "which child, from 1, at every node with more than one; empty on the main line",
        ),
    ];

    fn values(&self) -> impl IntoIterator<Item = Value<'_>> {
        let finding = self.finding;
        let repetition = finding.repetition.as_ref();
        [
            self.file.into(),
            self.game.map(|(game, _)| game).into(),
            self.game.map_or(self.byte, |(_, offset)| offset).into(),
            self.line.into(),
            finding.place.turn.into(),
            finding.place.color.into(),
            finding.place.point.into(),
            finding.code.id().into(),
            finding.code.name().into(),
            severity(finding).into(),
            finding.rules.as_str().into(),
            repetition.map(|earlier| earlier.turn).into(),
            repetition.map(|earlier| earlier.cycle).into(),
            repetition.map_or(Value::Empty, |earlier| earlier.forbidden_by.as_str().into()),
            finding.detail.as_str().into(),
            finding.variation.as_str().into(),
        ]
    }

    fn line(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let finding = self.finding;
        write!(out, "{}", self.file)?;
        self.line.map_or(Ok(()), |line| write!(out, ":{line}"))?;
        self.game.map_or(Ok(()), |(game, _)| write!(out, ":{game}"))?;
        if !finding.variation.is_empty() {
            write!(out, " variation {}", finding.variation)?;
        }
        finding.place.turn.map_or(Ok(()), |turn| write!(out, " turn {turn}"))?;
        let point = finding.place.point.map_or(String::new(), |point| format!("[{point}]"));
        finding.place.color.map_or(Ok(()), |color| write!(out, " {}{point}", color.letter()))?;
        write!(out, " {} {} {}", severity(finding), finding.code.id(), finding.code.name())?;
        if !finding.detail.is_empty() {
            write!(out, ": {}", finding.detail)?;
        }
        if !finding.rules.is_empty() {
            write!(out, " [{}]", finding.rules)?;
        }
        Ok(())
    }
}

fn severity(finding: &Finding) -> &'static str {
    finding.severity.name()
}
