//! `[Data]` and `[Figure]`: setup, turns, and their comments.

use std::collections::BTreeMap;

use super::review::Review;
use super::sections::{UgfBoard, UgfRecord};
use super::turn::{MoveLine, NumberedTurn, TurnNote, move_line};
use crate::finding::Code;
use crate::formats::rewrite::{SgfWriter, ThirdStone, handicap};
use jigo_rules::board::Color;

impl UgfRecord<'_> {
    /// Writes setup and turns with their comments, or the review if it has the same turns.
    pub(super) fn game(&self, text: &str, board: UgfBoard, writing: &mut SgfWriter) {
        let mut notes = self.figure(board, writing);
        let UgfMoves { setup, turns, has_seconds } = self.moves(board, writing);
        self.setup(&setup, &turns, *self.data.first().map_or(&0, |(at, _)| at), writing);
        if !self.has_data {
            writing.note(Code::UnclosedGame, text.len(), "there is no [Data]");
        }
        if has_seconds {
            writing.report_omission(self.data[0].0, "seconds that turns took");
        }
        let review = Review::from_lines(&self.review, &self.comments, board);
        if review.has_main_line(&turns) {
            return review.write(notes, writing);
        }
        if let Some((at, _)) = self.review.first() {
            writing.report_omission(*at, "a review of other turns");
        }
        if let Some(note) = notes.remove(&0) {
            note.write(writing);
        }
        let mut last = 0;
        for turn in turns {
            if turn.number != last + 1 {
                writing.note(Code::TurnNumbers, turn.offset, format!("{last} is followed by {}", turn.number));
            }
            last = turn.number;
            turn.write(writing);
            if let Some(note) = notes.remove(&turn.number) {
                note.write(writing);
            }
        }
    }

    /// Parses `[Data]`.
    fn moves(&self, board: UgfBoard, writing: &mut SgfWriter) -> UgfMoves {
        let mut moves = UgfMoves::default();
        for (at, line) in &self.data {
            match move_line(line) {
                Some(MoveLine { column, row, color, number, seconds }) => {
                    moves.has_seconds |= seconds;
                    let is_blacks = moves.turns.len().is_multiple_of(2);
                    let color = color.unwrap_or(if is_blacks { Color::Black } else { Color::White });
                    match board.point(column, row) {
                        Some(point) if number == 0 => moves.setup[color.index()].push(point),
                        point => moves.turns.push(NumberedTurn { offset: *at, color, point, number }),
                    }
                }
                // Found after the turns of one record.
                None if line.trim_start().starts_with('.') => writing.report_omission(*at, "texts among turns"),
                None => writing.unreadable_line(*at, line, "no turn"),
            }
        }
        moves
    }

    /// Writes the stones with number 0. If there are none and White begins, it writes the usual
    /// handicap stones.
    fn setup(&self, setup: &[Vec<(u32, u32)>; 2], turns: &[NumberedTurn], at: usize, writing: &mut SgfWriter) {
        let stones = self.stones();
        let is_missing = setup.iter().all(Vec::is_empty) && stones > 1;
        if is_missing && turns.first().is_some_and(|turn| turn.color == Color::White) {
            let played = turns.iter().filter_map(|turn| turn.point);
            let points = handicap(stones, ThirdStone::LowerRight, played);
            writing.stones(Color::Black, points);
            let detail = format!(
                "{stones} stones are not in [Data]: {}",
                if points.is_empty() { "their places are unknown" } else { "the usual points are taken" }
            );
            writing.note(Code::HandicapStones, at, detail);
        }
        Color::BOTH.into_iter().for_each(|color| writing.stones(color, &setup[color.index()]));
    }

    /// Collects comments and labels by the number of their turn.
    fn figure(&self, board: UgfBoard, writing: &mut SgfWriter) -> BTreeMap<u32, TurnNote> {
        let mut notes: BTreeMap<u32, TurnNote> = BTreeMap::new();
        let (mut open, mut in_diagram) = (None, false);
        for (at, line) in &self.figure {
            let bare = line.trim_start();
            if in_diagram {
                in_diagram = !bare.starts_with(".EndFig");
            } else if bare.starts_with(".EndText") {
                open = None;
            } else if let Some(rest) = bare.strip_prefix(".Text") {
                open = rest.trim_start_matches(',').split(',').next().and_then(|turn| turn.trim().parse().ok());
                if open.is_none() {
                    writing.unreadable_line(*at, line, "no turn for this text");
                }
            } else if bare.starts_with(".Fig") {
                (open, in_diagram) = (None, true);
                writing.report_omission(*at, "diagrams");
            } else if let Some(turn) = open {
                let note = notes.entry(turn).or_default();
                match label(bare, board) {
                    Some(label) => note.labels.push(label),
                    None => note.line(line),
                }
            } else {
                writing.unreadable_line(*at, line, "no text and no diagram");
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
