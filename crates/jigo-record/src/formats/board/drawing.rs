//! The lines of a text with a board: its rows, and the facts beside them.

use super::facts::{FactLine, Facts, is_separator};
use super::rows::{Notation, Row, column_letters, is_border, is_frame};
use crate::finding::excerpt;
use crate::formats::rewrite::{SgfWriter, lines};
use jigo_rules::Ruleset;
use jigo_rules::board::{BoardSize, Color};
use std::ops::Range;

/// The number of other lines whose rules are looked up.
const MAX_SUGGESTIONS: usize = 1_000;

/// The letters of the columns, in order.
const COLUMN_LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

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
    /// The byte and the number of the first line with letters of columns, and the letters.
    columns: Option<(usize, u64, Vec<u8>)>,
    /// The edges that a diagram of Sensei's Library shows: top, bottom, left, right.
    edges: [bool; 4],
}

impl<'t> Drawing<'t> {
    /// Reads a text whose first line has this number.
    pub(super) fn read(text: &'t str, mut line: u64) -> Drawing<'t> {
        let mut drawing = Drawing::default();
        let is_white_first = lines(text).any(|(_, line)| line.starts_with("$$W"));
        let first = if is_white_first { Color::White } else { Color::Black };
        let mut counted = 0;
        for (offset, content) in lines(text) {
            line += text[counted..offset].matches('\n').count() as u64;
            counted = offset;
            if is_frame(content) {
                drawing.add_frame(offset, line, content);
            } else {
                drawing.add_line(offset, line, content, first);
            }
        }
        drawing.width = most_frequent_width(&drawing.lines);
        drawing.board = longest_block(&drawing.lines, drawing.width);
        drawing
    }

    fn add_frame(&mut self, offset: usize, line: u64, text: &str) {
        if is_border(text) {
            self.edges[usize::from(!self.lines.is_empty())] = true;
        } else if let Some(letters) = column_letters(text) {
            self.columns.get_or_insert((offset, line, letters));
        }
    }

    fn add_line(&mut self, offset: usize, line: u64, text: &'t str, first: Color) {
        let notation = if text.starts_with("$$") { Notation::Sensei(first) } else { Notation::Plain };
        if notation != Notation::Plain {
            let row = text.trim_start_matches('$').trim();
            self.has_sensei_lines = true;
            self.edges[2] |= row.starts_with('|');
            self.edges[3] |= row.ends_with('|');
        }
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
            // Rows after it may seem to be missing.
            let detail = "another board begins; a file has one, without lines between its rows";
            faults.insert(0, (row.offset, format!("line {}: {detail}", row.line)));
        }
        let (width, height) = (self.width, self.board.len());
        if let [first, .., last] = self.rows()
            && width != height
            && first.line != last.line
        {
            let reason = match first.number {
                None if height < width => "a row may be missing; number the rows if the board is not square",
                None => "a row may be there twice; number the rows if the board is not square",
                // A copied board often lacks its first line.
                Some(_) if matches!(width, 9 | 13 | 19) && height + 1 == width => "the top row is missing",
                Some(_) => "",
            };
            if !reason.is_empty() {
                faults.push((first.offset, format!("line {}: {height} rows of {width} points: {reason}", first.line)));
            }
        }
        faults.extend(self.column_fault());
        faults.extend(self.edge_fault());
        let sides = u8::try_from(width).ok().zip(u8::try_from(height).ok());
        match sides.and_then(|(width, height)| BoardSize::new(width, height)) {
            Some(size) if faults.is_empty() => return Ok(size),
            Some(_) => {}
            None => faults.push((0, format!("{width} columns and {height} rows: a board has 1 to 52"))),
        }
        Err(faults)
    }

    /// Returns the fault of letters that are not those of the board's columns.
    fn column_fault(&self) -> Option<Fault> {
        let (offset, line, letters) = self.columns.as_ref()?;
        let expected = COLUMN_LETTERS.get(..self.width)?;
        let has_i = letters.contains(&b'I');
        // With I the letters are as in SGF, which matters only for names of points.
        let is_counted_from_a = letters.len() == self.width && letters.starts_with(b"A");
        if letters == expected || (has_i && is_counted_from_a && self.facts.dead.is_empty()) {
            return None;
        }
        let last = expected.last().map_or('A', |letter| char::from(*letter));
        let reason = match letters.len() == self.width {
            false => format!("{} letters above rows of {} points", letters.len(), self.width),
            true if has_i => "the letters of columns leave out I, and so do the names of dead stones".into(),
            true => format!("the letters of columns are A to {last}; a part of a board can't be counted"),
        };
        Some((*offset, format!("line {line}: {reason}")))
    }

    /// Returns the fault of a diagram of Sensei's Library that shows only a part of the board.
    fn edge_fault(&self) -> Option<Fault> {
        let names = ["top", "bottom", "left", "right"].into_iter().zip(self.edges);
        let missing: Vec<&str> = names.filter(|(_, is_shown)| !is_shown).map(|(name, _)| name).collect();
        let row = self.rows().first()?;
        (self.has_sensei_lines && !missing.is_empty() && missing.len() < 4).then(|| {
            let missing = missing.join(" and ");
            (row.offset, format!("line {}: the board has no edge at its {missing}: a part can't be counted", row.line))
        })
    }

    /// Reports the lines beside the board that are not read.
    pub(super) fn report_other_lines(&self, writer: &mut SgfWriter) {
        let is_row = |offset: usize| self.rows().binary_search_by_key(&offset, |row| row.offset).is_ok();
        let others = self.others.iter().filter(|(offset, ..)| !is_row(*offset));
        for (index, (offset, line, fact_line)) in others.enumerate() {
            match fact_line {
                FactLine::Unreadable => {
                    // The search for similar names takes too long for many lines.
                    let small = if index < MAX_SUGGESTIONS { line.to_lowercase() } else { String::new() };
                    let name =
                        small.split_once("rules").map_or("", |(_, rest)| rest.strip_prefix("et").unwrap_or(rest));
                    let rules = name.trim_matches(is_separator);
                    let reason = match rules.parse::<Ruleset>() {
                        Err(error) if !rules.is_empty() => error.to_string(),
                        _ => "write each once: komi 6.5, rules japanese, handicap 3, to play W, dead D4 Q16, captured B 3 W 5 (lost stones)"
                            .into(),
                    };
                    writer.unreadable_line(*offset, line, &reason);
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
    let fault = |row: &Row| {
        let (line, points) = (row.line, row.cells.len());
        let name = row.number.map_or("this row".into(), |number| format!("row {number}"));
        let detail = match row.wrong {
            Some((column, symbol)) => {
                format!(
                    "line {line}, column {column}: '{symbol}' is not a point; X or ● is Black, O or ○ White, . empty"
                )
            }
            None if points != width => format!("line {line}: {name} has {points} points, the others {width}"),
            None if has_numbers && row.number.is_none() => format!("line {line}: this row has no number"),
            None => return None,
        };
        Some((row.offset, detail))
    };
    rows.iter().filter_map(fault).chain(number_fault(rows).filter(|_| has_numbers)).collect()
}

/// Returns the first place at which the numbers of rows do not decrease by one to 1.
fn number_fault(rows: &[Row]) -> Option<Fault> {
    let missing = |above: u32, below: u32| match above - below {
        2 => format!("row {} is missing", below + 1),
        _ => format!("rows {} to {} are missing", above - 1, below + 1),
    };
    for (above, row) in rows.iter().zip(rows.iter().skip(1)) {
        let (Some(previous), Some(number)) = (above.number, row.number) else { continue };
        let detail = match previous.checked_sub(number) {
            Some(1) => continue,
            Some(2..) => format!("{} between lines {} and {}", missing(previous, number), above.line, row.line),
            _ => format!("line {}: the number of this row is {number} after {previous}", row.line),
        };
        return Some((row.offset, detail));
    }
    let last = rows.last()?;
    let detail = match last.number? {
        0 => format!("line {}: the number of the last row is 0, not 1", last.line),
        1 => return None,
        number => format!("{} after line {}", missing(number, 0), last.line),
    };
    Some((last.offset, detail))
}
