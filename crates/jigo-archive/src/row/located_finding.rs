//! Findings with their positions in the input.

use jigo_record::finding::Finding;
use jigo_record::splitter::GameText;

/// One finding with its position in the input.
pub struct LocatedFinding<'a> {
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
    /// A hash that identifies the finding in other runs; `None` if the format does not contain it.
    pub fingerprint: Option<u64>,
}

/// Counts bytes and lines from the start of a game up to its latest finding.
///
/// Most findings of a game are in the order of its text. So only the bytes between two findings are
/// counted. Counting from the start each time would take minutes in a game with a million findings.
#[derive(Default)]
pub struct LineCounter {
    /// The byte in the game's text up to which the other fields count.
    byte: usize,
    /// The number of bytes in the source, which may be UTF-16.
    source_length: u64,
    /// The number of line ends.
    lines: u64,
}

impl LineCounter {
    /// Returns the byte and the line, from 1, of a place in the game's text.
    pub fn place(&mut self, offset: usize, text: &GameText) -> (u64, u64) {
        self.advance(offset.min(text.bytes.len()), text);
        (text.offset + self.source_length, text.line + self.lines)
    }

    fn advance(&mut self, offset: usize, text: &GameText) {
        let skipped = &text.bytes[self.byte.min(offset)..self.byte.max(offset)];
        let (length, lines) = (text.source_length(skipped), memchr::memchr_iter(b'\n', skipped).count() as u64);
        if offset < self.byte {
            self.source_length -= length;
            self.lines -= lines;
        } else {
            self.source_length += length;
            self.lines += lines;
        }
        self.byte = offset;
    }
}

impl<'a> LocatedFinding<'a> {
    /// Returns a finding in a game. `counter` was last used for the previous finding of the game.
    pub fn in_game(text: &GameText<'a>, finding: &'a Finding, counter: &mut LineCounter) -> LocatedFinding<'a> {
        let (byte, line) = counter.place(finding.place.offset, text);
        LocatedFinding {
            file: text.file,
            game: Some((text.game, text.offset)),
            byte,
            line: Some(line),
            finding,
            fingerprint: None,
        }
    }

    /// Returns the finding in words: its name, the detail and the rulesets.
    pub fn message(&self) -> String {
        let Finding { detail, rules, .. } = self.finding;
        let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
        let rules = if rules.is_empty() { String::new() } else { format!(" [{rules}]") };
        format!("{}{detail}{rules}", self.finding.name())
    }
}
