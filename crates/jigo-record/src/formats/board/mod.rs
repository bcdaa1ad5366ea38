//! Boards as text: a position without a game, as people type it and programs print it.
//!
//! ```text
//! komi 6.5
//! rules aga
//!    A B C
//!  3 . X O
//!  2 X X O      WHITE (O) has captured 1 stones
//!  1 . X .
//! to play W
//! ```
//!
//! | characters | meaning |
//! |---|---|
//! | `X # @ B ● ⚫` | Black; `#` is empty beside X, as in jigo's drawings in ASCII |
//! | `O W ○ ⚪` | White |
//! | `x`, `o` | stones; dead stones beside X and O, ● and ○ |
//! | `. , + * - ·` and others, lines of a drawing | empty |
//! | `( ) [ ]` and blanks, and a digit behind a stone | nothing: they mark turns |
//! | `/` | the end of a row |
//!
//! Rows are adjacent lines. They may have their numbers at both ends, which then fall by one to 1.
//! Borders and the letters of the columns are skipped, other text is left out. If lines begin with
//! `$$`, then B, Y, Z and # are Black, W, Q, P and @ White, numbers turns, and other letters empty.
//!
//! Before or after the board, lines may give komi, rules, the player of the next turn, captured
//! stones by their colour (`captured B 3 W 5`; by their captors with `by` or `has captured`), and
//! dead stones (`dead D4 Q16`).
//!
//! Sources: GNU Go's and KataGo's `showboard`; Sensei's Library, *How Diagrams Work*, for `$$`,
//! which Sabaki writes, too.

mod facts;
mod rows;

use super::Row as FormatRow;
use crate::finding::{Code, excerpt};
use crate::formats::rewrite::{BareBoard, ConvertedRecord, SgfWriter, lines};
use crate::splitter::{LineFormat, LineKind};
use facts::{Facts, Use};
use jigo_rules::board::{BoardSize, Color, Point, Position};
use rows::{Cell, Notation, Row, is_frame};

/// The division of a file into games: the whole file is one position.
const LINES: LineFormat = LineFormat { line: line_kind, ..LineFormat::NONE };

/// The format.
pub(super) const ROW: FormatRow = FormatRow {
    name: "board",
    suffixes: &[],
    is_start,
    begins_record: |_| false,
    lines: LINES,
    reader: Some(|text, _| rewrite(text)),
};

/// The smallest number of rows and columns that shows a board among other text.
const MIN_SIDE: usize = 3;

fn line_kind(_: &[u8], _: &[u8], state: &mut u8) -> LineKind {
    let kind = if *state == 0 { LineKind::Begins } else { LineKind::Inside };
    *state = 1;
    kind
}

/// Returns true if adjacent lines are equally long rows with stones and empty points.
fn is_start(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    // Text before an SGF game, which may be in UTF-16, is no board.
    if text.contains("(;") || text.contains('\0') {
        return false;
    }
    let drawing = Drawing::read(&text);
    let rows = || drawing.rows[drawing.board()].iter().filter(|row| row.wrong.is_none());
    let cells = || rows().flat_map(|row| &row.cells);
    drawing.width >= MIN_SIDE
        && rows().filter(|row| row.cells.len() == drawing.width).count() >= MIN_SIDE
        && cells().any(|cell| matches!(cell, Cell::Empty(_)))
        && cells().any(|cell| matches!(cell, Cell::Stone(..)))
}

/// The lines of a text.
#[derive(Default)]
struct Drawing<'t> {
    /// The rows, and the lines that may be damaged rows.
    rows: Vec<Row>,
    facts: Facts,
    /// The lines that are neither rows nor readable facts.
    others: Vec<(usize, &'t str, Use)>,
    /// The most frequent number of points in a row, or 0.
    width: usize,
    has_sensei_lines: bool,
}

impl<'t> Drawing<'t> {
    fn read(text: &'t str) -> Drawing<'t> {
        let mut drawing = Drawing::default();
        let is_white_first = lines(text).any(|(_, line)| line.starts_with("$$W"));
        let first = if is_white_first { Color::White } else { Color::Black };
        let (mut line, mut counted) = (1, 0);
        for (offset, content) in lines(text) {
            line += text[counted..offset].matches('\n').count();
            counted = offset;
            drawing.add_line(offset, line, content, first);
        }
        drawing.width = most_frequent_width(&drawing.rows);
        drawing
    }

    fn add_line(&mut self, offset: usize, line: usize, text: &'t str, first: Color) {
        if is_frame(text) {
            return;
        }
        let notation = if text.starts_with("$$") { Notation::Sensei(first) } else { Notation::Plain };
        self.has_sensei_lines |= notation != Notation::Plain;
        let parts: Vec<&str> = text.split('/').collect();
        let rows: Vec<Row> = parts.iter().map(|part| Row::read(part, notation).0).collect();
        if parts.len() > 1 && rows.iter().all(|row| row.wrong.is_none() && !row.cells.is_empty()) {
            self.rows.extend(rows.into_iter().map(|row| Row { offset, line, ..row }));
            return;
        }
        let (row, rest) = Row::read(text, notation);
        if row.wrong.is_none() && !row.cells.is_empty() {
            // A program writes the captures behind some rows.
            self.facts.add_line(rest);
        } else if self.facts.add_line(text) == Use::Read {
            return;
        } else {
            self.others.push((offset, text, self.facts.add_line(text)));
        }
        self.rows.push(Row { offset, line, ..row });
    }

    /// Returns the longest range of rows on adjacent lines that are like rows of the board.
    fn board(&self) -> std::ops::Range<usize> {
        let is_like = |row: &Row| row.is_like(self.width);
        let (mut longest, mut start) = (0..0, 0);
        for (index, row) in self.rows.iter().enumerate() {
            let is_adjacent = index > start && row.line - self.rows[index - 1].line <= 1;
            if !is_adjacent || !is_like(&self.rows[index - 1]) {
                start = index;
            }
            if is_like(row) && index + 1 - start > longest.len() {
                longest = start..index + 1;
            }
        }
        longest
    }
}

/// Returns the most frequent number of points of a row on a board, or 0.
fn most_frequent_width(rows: &[Row]) -> usize {
    let mut counts = [0; BoardSize::MAX as usize + 1];
    for row in rows.iter().filter(|row| row.wrong.is_none()) {
        if let Some(count) = counts.get_mut(row.cells.len()) {
            *count += 1;
        }
    }
    (1..counts.len()).filter(|width| counts[*width] > 0).max_by_key(|width| counts[*width]).unwrap_or(0)
}

/// Converts a board to SGF.
fn rewrite(text: &str) -> ConvertedRecord {
    let mut drawing = Drawing::read(text);
    let mut writer = SgfWriter::with_room(4 << 10);
    let range = drawing.board();
    let rows = &drawing.rows[range.clone()];
    let mut faults = row_faults(rows, drawing.width);
    let others = drawing.rows.iter().enumerate().filter(|(index, _)| !range.contains(index));
    let mut others = others.map(|(_, row)| row).filter(|row| row.wrong.is_none() && row.cells.len() == drawing.width);
    if let (Some(row), Some(_)) = (others.next(), others.next()) {
        faults.push((row.offset, format!("line {}: another board begins here; each file has one", row.line)));
    }
    let size = u8::try_from(drawing.width).ok().zip(u8::try_from(rows.len()).ok());
    let size = size.and_then(|(width, height)| BoardSize::new(width, height));
    if size.is_none() {
        faults.push((0, format!("{} columns and {} rows: a board has 1 to 52", drawing.width, rows.len())));
    }
    let mut stones = Stones::default();
    if let (Some(size), true) = (size, faults.is_empty()) {
        stones.read(rows, drawing.has_sensei_lines);
        faults.extend(stones.living_with_dead(size).map(|(point, row)| {
            let name = point.to_a1(size);
            (row.offset, format!("line {}: {name} is written as a dead stone, its chain as a living one", row.line))
        }));
    }
    let board_lines: Vec<usize> = rows.iter().map(|row| row.offset).collect();
    for (offset, line, line_use) in &drawing.others {
        match line_use {
            _ if board_lines.binary_search(offset).is_ok() => {}
            Use::Unreadable => writer.unreadable_line(
                *offset,
                line,
                "komi, rules, to play, captured or dead is expected as the guide shows",
            ),
            _ => writer.report_omission(*offset, excerpt(line.as_bytes())),
        }
    }
    let (Some(size), true) = (size, faults.is_empty()) else {
        faults.into_iter().for_each(|(offset, detail)| writer.note(Code::UnreadablePosition, offset, detail));
        return writer.end_unreadable();
    };
    let Facts { komi, rules, next, lost, dead: named } = std::mem::take(&mut drawing.facts);
    writer.property("GM", "1");
    match (size.width(), size.height()) {
        (width, height) if width == height => writer.property("SZ", &width.to_string()),
        (width, height) => writer.property("SZ", &format!("{width}:{height}")),
    }
    writer.property("KM", &komi.unwrap_or_default());
    writer.property("RU", &rules.unwrap_or_default());
    writer.property("PL", next.map_or("", Color::letter));
    for color in Color::BOTH {
        writer.stones(color, &stones.places[color.index()]);
    }
    let drawn = stones.dead.iter().map(|(x, y)| Point::new(*x as u8, *y as u8).to_a1(size));
    let dead: Vec<String> = named.into_iter().chain(drawn).collect();
    let dead = (!dead.is_empty()).then(|| dead.join(","));
    ConvertedRecord { bare_board: Some(BareBoard { lost, dead, next: next.unwrap_or(Color::Black) }), ..writer.end() }
}

/// Returns the faults of rows, each with the byte of its line.
fn row_faults(rows: &[Row], width: usize) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let has_numbers = rows.iter().filter(|row| row.number.is_some()).count() * 2 > rows.len();
    for (index, row) in rows.iter().enumerate() {
        let (line, points) = (row.line, row.cells.len());
        let expected = (rows.len() - index) as u32;
        let fault = match row.wrong {
            Some((column, symbol)) => {
                format!("line {line}, column {column}: '{symbol}' is no point; X or ● is Black, O or ○ White, . empty")
            }
            None if points != width => {
                format!("line {line}: row {} from the top has {points} points, the others {width}", index + 1)
            }
            None if has_numbers && row.number != Some(expected) => {
                let number = row.number.map_or("none".into(), |number| number.to_string());
                format!(
                    "line {line}: the number of this row is {number}, not {expected}: the rows end at 1, and none is left out"
                )
            }
            None => continue,
        };
        faults.push((row.offset, fault));
        // After a missing row, all numbers before it are wrong, too.
        if has_numbers && row.wrong.is_none() && points == width {
            break;
        }
    }
    faults
}

/// The stones of a board, by column and row from 0.
#[derive(Default)]
struct Stones<'r> {
    rows: &'r [Row],
    /// Black's and White's stones, dead ones included.
    places: [Vec<(u32, u32)>; 2],
    dead: Vec<(u32, u32)>,
}

impl<'r> Stones<'r> {
    fn read(&mut self, rows: &'r [Row], is_sensei: bool) {
        self.rows = rows;
        let symbols = || rows.iter().flat_map(|row| &row.cells);
        let has = |symbol: char| symbols().any(|cell| matches!(cell, Cell::Stone(_, found) if *found == symbol));
        let has_discs = has('●') || has('○');
        let [has_x, has_o] = [has('X'), has('O')];
        for (y, row) in (0..).zip(rows) {
            for (x, cell) in (0..).zip(&row.cells) {
                let Cell::Stone(color, symbol) = *cell else { continue };
                // jigo's drawings in ASCII show Black's territory like this.
                if symbol == '#' && has_x && !is_sensei {
                    continue;
                }
                self.places[color.index()].push((x, y));
                if matches!(symbol, 'x' | 'o') && (has_discs || (symbol == 'x' && has_x) || (symbol == 'o' && has_o)) {
                    self.dead.push((x, y));
                }
            }
        }
    }

    /// Returns the dead stones in chains with living ones, and their rows.
    fn living_with_dead(&self, size: BoardSize) -> impl Iterator<Item = (Point, &'r Row)> {
        let point = |(x, y): (u32, u32)| Point::new(x as u8, y as u8);
        let mut position = Position::new(size);
        for color in Color::BOTH {
            position.place(self.places[color.index()].iter().map(|place| (point(*place), Some(color))));
        }
        let dead: Vec<Point> = self.dead.iter().map(|place| point(*place)).collect();
        let chains = position.chains(&dead).into_iter();
        let mixed = chains.filter(|chain| chain.iter().any(|stone| !dead.contains(stone)));
        let mixed: Vec<Point> =
            mixed.filter_map(|chain| chain.into_iter().find(|stone| dead.contains(stone))).collect();
        mixed.into_iter().map(|stone| (stone, &self.rows[usize::from(stone.y())]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sgf(text: &str) -> (String, Option<BareBoard>) {
        let record = rewrite(text);
        assert_eq!(record.findings, [], "{text}");
        (String::from_utf8(record.text).unwrap(), record.bare_board)
    }

    #[test]
    fn forms_of_one_board_are_equal() {
        let board = "(;GM[1]SZ[3]AB[ba][ab][bb][bc]AW[ca][cb])";
        for text in [
            ". X O\nX X O\n. X .\n",
            ".xo/xxo/.x.",
            "·●○\n●●○\n·●·\n",
            "+ B W\r\nB B W\r\n+ B +\r\n",
            "   A B C\n 3 . X O 3\n 2 X X O 2   \n 1 . X . 1\n   A B C\n",
            "3 ┌─●─○ 3\n2 ●(●)○ 2\n1 └─●─┘ 1\n",
            "$$B Title\n$$ -------\n$$ | . X O |\n$$ | B X W |\n$$ | a X , |\n$$ -------\n",
            "3 . X1O2\n2 X X O3\n1 . X .\n",
            "-#O\n##O\n-#-\n",
        ] {
            assert!(is_start(text.as_bytes()), "{text}");
            assert_eq!(sgf(text).0, board, "{text}");
        }
    }

    #[test]
    fn facts_beside_the_board_are_read() {
        let text = "Komi: 6.5\nrules AGA\n2 . X  2    WHITE (O) has captured 3 stones\n1 X .  1\nwhite to play\ndead: A1, B2\n";
        let (sgf, board) = sgf(text);
        assert_eq!(sgf, "(;GM[1]SZ[2]KM[6.5]RU[AGA]PL[W]AB[ba][ab])");
        let dead = Some("A1,B2".into());
        assert_eq!(board, Some(BareBoard { lost: [3, 0], dead, next: Color::White }));
    }

    fn sgf_board(text: &str) -> BareBoard {
        sgf(text).1.unwrap()
    }

    #[test]
    fn small_letters_beside_capitals_are_dead() {
        assert_eq!(sgf_board("X . x\nO . o\n").dead.as_deref(), Some("C2,C1"));
        assert_eq!(sgf_board("X . X\n. o o\n").dead, None);
        assert_eq!(sgf_board("● . o\n. o ●\n").dead.as_deref(), Some("C2,B1"));
    }

    #[test]
    fn wrong_rows_name_line_and_column() {
        for (text, offset, detail) in [
            ("3 . X O\n2 X ? O\n1 . X .\n", 8, "line 2, column 5: '?' is no point"),
            (". X O\nX X O O\n. X .\n", 6, "line 2: row 2 from the top has 4 points, the others 3"),
            ("? X O\nX X O\n. X .\n", 0, "line 1, column 1: '?' is no point"),
            ("\n. X O\nX X O\n. X é\n", 13, "line 4, column 5: 'é' is no point"),
            ("3 . X O\n2 X X O\n1 z X .\n", 16, "line 3, column 3: 'z' is no point"),
            ("4 . X O\n3 X X O\n1 . X .\n", 0, "line 1: the number of this row is 4, not 3"),
            (". X O\nX X O\n. X .\n\n. X O\nX X O\n. X .\n", 19, "line 5: another board begins here"),
            ("X . x\nX . X\n. O O\n", 0, "line 1: C3 is written as a dead stone, its chain as a living one"),
        ] {
            let record = rewrite(text);
            assert!(record.unreadable.is_some(), "{text}");
            let found = &record.findings[0];
            assert!(found.detail.starts_with(detail) && found.place.offset == offset, "{text}: {found:?}");
        }
    }

    #[test]
    fn other_texts_are_no_boards() {
        for text in
            ["", "hello\nworld\n", "wow\nbox\n", "---\n---\n", "17 pd dd\n18 pp dp\n", "1. Q16 D4\n2. R4 C3\n", ".X\n"]
        {
            assert!(!is_start(text.as_bytes()), "{text}");
        }
    }
}
