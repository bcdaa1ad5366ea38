//! `[Data]` and `[Figure]`: setup, turns, and their comments.

use std::collections::BTreeMap;

use super::review::Review;
use super::sections::{UgfBoard, UgfRecord};
use super::turn::{MoveLine, NumberedTurn, TurnNote, move_line};
use crate::finding::Code;
use crate::formats::rewrite::{LOWER_RIGHT, SgfWriter, handicap};
use jigo_rules::board::Color;

impl UgfRecord<'_> {
    /// Writes setup and turns with their comments, or the review if it has the same turns.
    pub(super) fn game(&self, text: &str, board: UgfBoard, writer: &mut SgfWriter) {
        let mut notes = self.turn_notes(board, writer);
        let UgfMoves { setup, turns, has_seconds } = self.moves(board, writer);
        self.setup(&setup, &turns, *self.data.first().map_or(&0, |(offset, _)| offset), writer);
        if !self.has_data {
            writer.note(Code::UnclosedGame, text.len(), "there is no [Data]");
        }
        if has_seconds {
            writer.report_omission(self.data[0].0, "seconds that turns took");
        }
        let review = Review::from_lines(&self.review, &self.comments, board);
        if review.has_main_line(&turns) {
            return review.write(notes, writer);
        }
        if let Some((offset, _)) = self.review.first() {
            writer.report_omission(*offset, "a review of other turns");
        }
        if let Some(note) = notes.remove(&0) {
            note.write(writer);
        }
        let mut last = 0;
        for turn in turns {
            if turn.number != last + 1 {
                writer.note(Code::TurnNumbers, turn.offset, format!("{last} is followed by {}", turn.number));
            }
            last = turn.number;
            // The board has at most 52 columns and rows, so letters can name every point.
            writer.turn(turn.offset, turn.color, turn.point);
            if let Some(note) = notes.remove(&turn.number) {
                note.write(writer);
            }
        }
    }

    /// Parses `[Data]`.
    fn moves(&self, board: UgfBoard, writer: &mut SgfWriter) -> UgfMoves {
        let mut moves = UgfMoves::default();
        for (offset, line) in &self.data {
            match move_line(line) {
                Some(MoveLine { column, row, color, number, has_seconds }) => {
                    moves.has_seconds |= has_seconds;
                    let color = color.unwrap_or_else(|| moves.next(self.stones()));
                    match board.point(column, row) {
                        Some(point) if number == 0 => moves.setup[color.index()].push(point),
                        point => moves.turns.push(NumberedTurn { offset: *offset, color, point, number }),
                    }
                }
                // Found after the turns of one record.
                None if line.trim_start().starts_with('.') => writer.report_omission(*offset, "texts among turns"),
                None => writer.unreadable_line(*offset, line, "no turn"),
            }
        }
        moves
    }

    /// Writes the stones with number 0. If there are none and White begins, it writes the usual
    /// handicap stones.
    fn setup(&self, setup: &[Vec<(u32, u32)>; 2], turns: &[NumberedTurn], offset: usize, writer: &mut SgfWriter) {
        let stones = self.stones();
        let is_missing = setup.iter().all(Vec::is_empty) && stones > 1;
        if is_missing && turns.first().is_some_and(|turn| turn.color == Color::White) {
            let played = turns.iter().filter_map(|turn| turn.point);
            let points = handicap(stones, LOWER_RIGHT, played);
            writer.stones(Color::Black, points);
            let detail = format!(
                "{stones} stones are not in [Data]: {}",
                if points.is_empty() { "their places are unknown" } else { "the usual points are taken" }
            );
            writer.note(Code::HandicapStones, offset, detail);
        }
        Color::BOTH.into_iter().for_each(|color| writer.stones(color, &setup[color.index()]));
    }

    /// Collects comments and labels by the number of their turn.
    fn turn_notes(&self, board: UgfBoard, writer: &mut SgfWriter) -> BTreeMap<u32, TurnNote> {
        let mut notes: BTreeMap<u32, TurnNote> = BTreeMap::new();
        let (mut open, mut in_diagram) = (None, false);
        for (offset, line) in &self.figure {
            let trimmed = line.trim_start();
            if in_diagram {
                in_diagram = !trimmed.starts_with(".EndFig");
            } else if trimmed.starts_with(".EndText") {
                open = None;
            } else if let Some(rest) = trimmed.strip_prefix(".Text") {
                open = rest.trim_start_matches(',').split(',').next().and_then(|turn| turn.trim().parse().ok());
                if open.is_none() {
                    writer.unreadable_line(*offset, line, "no turn for this text");
                }
            } else if trimmed.starts_with(".Fig") {
                (open, in_diagram) = (None, true);
                writer.report_omission(*offset, "diagrams");
            } else if let Some(turn) = open {
                let note = notes.entry(turn).or_default();
                match label(trimmed, board) {
                    Some(label) => note.labels.push(label),
                    None => note.line(line),
                }
            } else {
                writer.unreadable_line(*offset, line, "no text and no diagram");
            }
        }
        notes
    }
}

/// Parses `.#,6,16,A`.
fn label(line: &str, board: UgfBoard) -> Option<((u32, u32), String)> {
    let mut parts = line.strip_prefix(".#,")?.splitn(3, ',');
    let column = parts.next()?.trim().parse().ok()?;
    let row = parts.next()?.trim().parse().ok()?;
    Some((board.point(column, row)?, parts.next()?.trim().to_owned()))
}

/// The content of `[Data]`.
#[derive(Default)]
struct UgfMoves {
    /// The setup stones, Black's first.
    setup: [Vec<(u32, u32)>; 2],
    turns: Vec<NumberedTurn>,
    has_seconds: bool,
}

impl UgfMoves {
    /// Returns the player after the last turn. `stones` is the declared number of handicap stones.
    fn next(&self, stones: u32) -> Color {
        let is_handicap = stones > 1 || !self.setup[Color::Black.index()].is_empty();
        let first = if is_handicap { Color::White } else { Color::Black };
        self.turns.last().map_or(first, |turn| turn.color.opponent())
    }
}

#[cfg(test)]
mod tests {
    use super::super::rewrite;

    #[test]
    fn pass_without_color_belongs_to_the_next_player() {
        let sgf = |header: &str, data: &str| {
            let text = format!("[Header]\nSize=9\n{header}\n[Data]\n{data}\n");
            String::from_utf8(rewrite(&text).text).unwrap()
        };
        for (header, data, expected) in [
            (
                "Hdcp=2,0.50",
                "CC,B1,0,0\nGG,B1,0,0\nEE,W1,1,0\nCD,B1,2,0\nYA,MK,3,0\nYA,MK,4,0",
                ";W[ee];B[cd];W[];B[])",
            ),
            ("Hdcp=2,0.50", "YA,MK,1,0", ";W[])"),
            ("", "CC,B1,0,0\nYA,MK,1,0\nYA,MK,2,0", ";W[];B[])"),
            ("", "YA,MK,1,0\nYA,MK,2,0", ";B[];W[])"),
        ] {
            let actual = sgf(header, data);
            assert!(actual.ends_with(expected), "{actual}");
        }
    }
}
