//! The lines of a text with a board: its rows, and the facts beside them.

use super::facts::{FactLine, Facts};
use super::rows::{Notation, Row, is_frame};
use crate::finding::excerpt;
use crate::formats::rewrite::{SgfWriter, lines};
use jigo_rules::board::{BoardSize, Color};
use std::ops::Range;

/// A fault of a board: the byte of its line, and the reason with the number of the line.
pub(super) type Fault = (usize, String);

/// The lines of a text.
#[derive(Default)]
pub(super) struct Drawing<'t> {
    /// All lines that are rows or may be damaged rows.
    lines: Vec<Row>,
    /// The board among them.
    board: Range<usize>,
    pub facts: Facts,
    /// The lines that are neither rows nor readable facts, with their offsets.
    others: Vec<(usize, &'t str, FactLine)>,
    /// The most frequent number of points in a row; 0 without a row.
    pub width: usize,
    pub has_sensei_lines: bool,
}

impl<'t> Drawing<'t> {
    pub(super) fn read(text: &'t str) -> Drawing<'t> {
        let mut drawing = Drawing::default();
        let is_white_first = lines(text).any(|(_, line)| line.starts_with("$$W"));
        let first = if is_white_first { Color::White } else { Color::Black };
        let (mut line, mut counted) = (1, 0);
        for (offset, content) in lines(text) {
            line += text[counted..offset].matches('\n').count();
            counted = offset;
            if !is_frame(content) {
                drawing.add_line(offset, line, content, first);
            }
        }
        drawing.width = most_frequent_width(&drawing.lines);
        drawing.board = longest_block(&drawing.lines, drawing.width);
        drawing
    }

    fn add_line(&mut self, offset: usize, line: usize, text: &'t str, first: Color) {
        let notation = if text.starts_with("$$") { Notation::Sensei(first) } else { Notation::Plain };
        self.has_sensei_lines |= notation != Notation::Plain;
        let parts: Vec<Row> = text.split('/').map(|part| Row::read(part, notation).0).collect();
        if parts.len() > 1 && parts.iter().all(Row::has_only_points) {
            self.lines.extend(parts.into_iter().map(|row| Row { offset, line, ..row }));
            return;
        }
        let (row, rest) = Row::read(text, notation);
        if row.has_only_points() {
            // Some programs write the captures after a row.
            self.facts.add_line(rest);
        } else {
            match self.facts.add_line(text) {
                FactLine::Read => return,
                fact_line => self.others.push((offset, text, fact_line)),
            }
        }
        self.lines.push(Row { offset, line, ..row });
    }

    /// Returns the rows of the board.
    pub(super) fn rows(&self) -> &[Row] {
        &self.lines[self.board.clone()]
    }

    /// Returns the size of the board.
    ///
    /// # Errors
    /// Fails if a row is damaged or missing, if there is another board, or if the board is too
    /// large.
    pub(super) fn size(&self) -> Result<BoardSize, Vec<Fault>> {
        let mut faults = row_faults(self.rows(), self.width);
        let others = self.lines[..self.board.start].iter().chain(&self.lines[self.board.end..]);
        let mut others = others.filter(|row| row.is_sound(self.width));
        if let (Some(row), Some(_)) = (others.next(), others.next()) {
            faults.push((row.offset, format!("line {}: another board begins; a file has one", row.line)));
        }
        let (width, height) = (self.width, self.board.len());
        if let [first, .., last] = self.rows()
            && width != height
            && first.number.is_none()
            && first.line != last.line
        {
            let fault = format!("{height} rows of {width} points; number the rows if the board is not square");
            faults.push((first.offset, format!("line {}: {fault}", first.line)));
        }
        let sides = u8::try_from(width).ok().zip(u8::try_from(height).ok());
        match sides.and_then(|(width, height)| BoardSize::new(width, height)) {
            Some(size) if faults.is_empty() => return Ok(size),
            Some(_) => {}
            None => faults.push((0, format!("{width} columns and {height} rows: a board has 1 to 52"))),
        }
        Err(faults)
    }

    /// Reports the lines beside the board that are not read.
    pub(super) fn report_other_lines(&self, writer: &mut SgfWriter) {
        let is_row = |offset: usize| self.rows().binary_search_by_key(&offset, |row| row.offset).is_ok();
        for (offset, line, fact_line) in self.others.iter().filter(|(offset, ..)| !is_row(*offset)) {
            match fact_line {
                FactLine::Unreadable => {
                    writer.unreadable_line(
                        *offset,
                        line,
                        "write komi 6.5, rules japanese, to play W, captured B 3 W 5, dead D4 Q16",
                    );
                }
                _ => writer.report_omission(*offset, excerpt(line.as_bytes())),
            }
        }
    }
}

/// Returns the most frequent number of points of a row on a board, or 0.
fn most_frequent_width(rows: &[Row]) -> usize {
    let mut counts = [0; BoardSize::MAX as usize + 1];
    for row in rows.iter().filter(|row| row.has_only_points()) {
        if let Some(count) = counts.get_mut(row.cells.len()) {
            *count += 1;
        }
    }
    (1..counts.len()).filter(|width| counts[*width] > 0).max_by_key(|width| counts[*width]).unwrap_or(0)
}

/// Returns the longest range of rows on adjacent lines that are like rows of the board.
fn longest_block(rows: &[Row], width: usize) -> Range<usize> {
    let ends = |previous: &Row, row: &Row| !previous.is_like(width) || row.line > previous.line + 1;
    let (mut longest, mut start) = (0..0, 0);
    for (index, row) in rows.iter().enumerate() {
        if index > 0 && ends(&rows[index - 1], row) {
            start = index;
        }
        if row.is_like(width) && index + 1 - start > longest.len() {
            longest = start..index + 1;
        }
    }
    longest
}

/// Returns the faults of the rows of a board.
fn row_faults(rows: &[Row], width: usize) -> Vec<Fault> {
    let has_numbers = rows.iter().filter(|row| row.number.is_some()).count() * 2 > rows.len();
    let mut faults = Vec::new();
    for (row, expected) in rows.iter().zip((1..=rows.len() as u32).rev()) {
        let (line, points) = (row.line, row.cells.len());
        let fault = match (row.wrong, row.number) {
            (Some((column, symbol)), _) => {
                format!(
                    "line {line}, column {column}: '{symbol}' is not a point; X or ● is Black, O or ○ White, . empty"
                )
            }
            _ if points != width => format!("line {line}: this row has {points} points, the others {width}"),
            (None, number) if has_numbers && number != Some(expected) => {
                let number = number.map_or("none".into(), |number| number.to_string());
                // After a missing row, the numbers of all rows above it are wrong.
                let fault =
                    format!("line {line}: the number of this row is {number}, not {expected}; a row may be missing");
                faults.push((row.offset, fault));
                break;
            }
            _ => continue,
        };
        faults.push((row.offset, fault));
    }
    faults
}
