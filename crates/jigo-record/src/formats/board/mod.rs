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
//! | `X # @ B ● ⚫` | Black; if the board has an X, `#` is empty, as in jigo's drawings in ASCII |
//! | `O W ○ ⚪` | White |
//! | `x`, `o` | stones; dead ones if the board also has the capital letter, or ● or ○ |
//! | `. , + * - ·` and the lines of a drawing | empty |
//! | `( ) [ ]`, blanks, and a digit after a stone | ignored: they mark turns |
//! | `/` | the end of a row |
//!
//! Rows are adjacent lines. They may have their numbers at both ends, which then decrease by one
//! to 1. Borders and the letters of the columns are skipped, and other text is omitted. If lines
//! begin with `$$`, then B, Y, Z and # are Black, W, Q, P and @ White, numbers are turns, and other
//! letters are empty.
//!
//! Before or after the board, lines may give komi, rules, handicap, the player of the next turn,
//! captured stones by their colour (`captured B 3 W 5`; by their captors with `by` or `has captured`), and
//! dead stones (`dead D4 Q16`).
//!
//! Sources: GNU Go's and KataGo's `showboard`; Sensei's Library, *How Diagrams Work*, for `$$`,
//! which Sabaki also writes.

mod drawing;
mod facts;
mod rows;

use super::Row as FormatRow;
use crate::finding::Code;
use crate::formats::rewrite::{BareBoard, ConvertedRecord, SgfWriter};
use crate::splitter::{LineFormat, LineKind};
use drawing::{Drawing, Fault};
use facts::Facts;
use jigo_rules::board::{BoardSize, Color, Point, Position};
use rows::{Cell, Row};

/// The division of a file into games: the whole file is one position.
const LINES: LineFormat = LineFormat { line: line_kind, ..LineFormat::NONE };

/// The format.
pub(super) const ROW: FormatRow = FormatRow {
    name: "board",
    suffixes: &[],
    is_start,
    begins_record: |_| false,
    lines: LINES,
    reader: Some(|text, game| rewrite(text, game.line)),
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
    // The rows may be text before an SGF game, also one in UTF-16.
    if text.contains("(;") || text.contains('\0') {
        return false;
    }
    let drawing = Drawing::read(&text, 1);
    let rows = || drawing.rows().iter().filter(|row| row.is_sound(drawing.width));
    let cells = || rows().flat_map(|row| &row.cells);
    drawing.width >= MIN_SIDE
        && rows().count() >= MIN_SIDE
        && cells().any(|cell| matches!(cell, Cell::Empty(_)))
        && cells().any(|cell| matches!(cell, Cell::Stone(..)))
}

/// Converts a board to SGF. `line` is the number of its first line in the file.
fn rewrite(text: &str, line: u64) -> ConvertedRecord {
    let drawing = Drawing::read(text, line);
    let mut writer = SgfWriter::with_room(4 << 10);
    drawing.report_other_lines(&mut writer);
    match drawing.size().and_then(|size| Stones::new(drawing.rows(), size, drawing.has_sensei_lines)) {
        Ok(stones) => write(stones, drawing.facts, writer),
        Err(faults) => {
            faults.into_iter().for_each(|(offset, detail)| writer.note(Code::UnreadablePosition, offset, detail));
            writer.end_unreadable()
        }
    }
}

/// Writes a board with the facts beside it.
fn write(stones: Stones, facts: Facts, mut writer: SgfWriter) -> ConvertedRecord {
    let Facts { komi, rules, next, lost, handicap, dead: named } = facts;
    let size = stones.size;
    writer.property("GM", "1");
    match (size.width(), size.height()) {
        (width, height) if width == height => writer.property("SZ", &width.to_string()),
        (width, height) => writer.property("SZ", &format!("{width}:{height}")),
    }
    writer.property("KM", &komi.unwrap_or_default());
    writer.property("RU", &rules.unwrap_or_default());
    writer.property("PL", next.map_or("", Color::letter));
    for color in Color::BOTH {
        let stones = stones.living_and_dead.iter().filter(|(_, stone)| *stone == color);
        let places: Vec<_> = stones.map(|(point, _)| (u32::from(point.x()), u32::from(point.y()))).collect();
        writer.stones(color, &places);
    }
    let drawn = stones.dead.iter().map(|point| point.to_a1(size));
    let dead: Vec<String> = named.into_iter().chain(drawn).collect();
    let dead = (!dead.is_empty()).then(|| dead.join(","));
    let (next, handicap) = (next.unwrap_or(Color::Black), handicap.unwrap_or_default());
    ConvertedRecord { bare_board: Some(BareBoard { lost, handicap, dead, next }), ..writer.end() }
}

/// The stones of a board.
struct Stones {
    size: BoardSize,
    living_and_dead: Vec<(Point, Color)>,
    /// The stones that are drawn as dead.
    dead: Vec<Point>,
}

impl Stones {
    /// Reads the stones of sound rows.
    ///
    /// # Errors
    /// Fails if letters of two notations occur, or if a chain has dead and living stones.
    fn new(rows: &[Row], size: BoardSize, is_sensei: bool) -> Result<Stones, Vec<Fault>> {
        let symbols = || rows.iter().flat_map(|row| &row.cells);
        let has = |symbol: char| symbols().any(|cell| matches!(cell, Cell::Stone(_, found) if *found == symbol));
        let (has_x, has_o, has_discs) = (has('X'), has('O'), has('●') || has('○'));
        let is_in = |symbol: char, pair: [char; 2]| pair.contains(&symbol.to_ascii_uppercase());
        let count = |pair: [char; 2]| {
            symbols().filter(|cell| matches!(cell, Cell::Stone(_, found) if is_in(*found, pair))).count()
        };
        let [signs, letters] = [count(['X', 'O']), count(['B', 'W'])];
        let (rare, others) = if signs < letters { (['X', 'O'], "B and W") } else { (['B', 'W'], "X and O") };
        let is_mixed = signs.min(letters) > 0 && !is_sensei;
        let mut stones = Stones { size, living_and_dead: Vec::new(), dead: Vec::new() };
        let mut faults = Vec::new();
        for (point, cell) in size.iter().zip(symbols()) {
            match *cell {
                // jigo's drawings in ASCII show Black's territory like this.
                Cell::Stone(_, '#') if has_x && !is_sensei => {}
                Cell::Stone(_, symbol) if is_mixed && is_in(symbol, rare) => {
                    let row = &rows[usize::from(point.y())];
                    let name = point.to_a1(size);
                    faults.push((row.offset, format!("line {}: '{symbol}' at {name} is among {others}", row.line)));
                }
                Cell::Stone(color, symbol) => {
                    stones.living_and_dead.push((point, color));
                    let is_dead = match symbol {
                        'x' => has_discs || has_x,
                        'o' => has_discs || has_o,
                        _ => false,
                    };
                    stones.dead.extend(is_dead.then_some(point));
                }
                Cell::Empty(_) => {}
            }
        }
        faults.extend(stones.faults(rows));
        if faults.is_empty() { Ok(stones) } else { Err(faults) }
    }

    /// Returns the faults of chains with dead and living stones.
    fn faults(&self, rows: &[Row]) -> Vec<Fault> {
        let mut position = Position::new(self.size);
        position.place(self.living_and_dead.iter().map(|(point, color)| (*point, Some(*color))));
        let is_dead = |stone: &Point| self.dead.binary_search(stone).is_ok();
        let mixed = position.chains(&self.dead).into_iter().filter(|chain| !chain.iter().all(is_dead));
        let dead_stones = mixed.filter_map(|chain| chain.into_iter().find(is_dead));
        let fault = |stone: Point| {
            let (row, name) = (&rows[usize::from(stone.y())], stone.to_a1(self.size));
            (row.offset, format!("line {}: {name} is written as a dead stone, its chain as a living one", row.line))
        };
        dead_stones.map(fault).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sgf(text: &str) -> (String, Option<BareBoard>) {
        let record = rewrite(text, 1);
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
        assert_eq!(board, Some(BareBoard { lost: [Some(3), None], handicap: 0, dead, next: Color::White }));
    }

    fn sgf_board(text: &str) -> BareBoard {
        sgf(text).1.unwrap()
    }

    #[test]
    fn small_letters_beside_capitals_are_dead() {
        assert_eq!(sgf_board("2 X . x\n1 O . o\n").dead.as_deref(), Some("C2,C1"));
        assert_eq!(sgf_board("2 X . X\n1 . o o\n").dead, None);
        assert_eq!(sgf_board("2 ● . o\n1 . o ●\n").dead.as_deref(), Some("C2,B1"));
    }

    #[test]
    fn wrong_rows_name_line_and_column() {
        for (text, offset, detail) in [
            ("3 . X O\n2 X ? O\n1 . X .\n", 8, "line 2, column 5: '?' is not a point"),
            (". X O\nX X O O\n. X .\n", 6, "line 2: this row has 4 points, the others 3"),
            ("? X O\nX X O\n. X .\n", 0, "line 1, column 1: '?' is not a point"),
            ("\n. X O\nX X O\n. X é\n", 13, "line 4, column 5: 'é' is not a point"),
            ("3 . X O\n2 X X O\n1 z X .\n", 16, "line 3, column 3: 'z' is not a point"),
            ("4 . X O\n3 X X O\n1 . X .\n", 16, "row 2 is missing between lines 2 and 3"),
            ("7 . X O\n3 X X O\n2 . X .\n", 8, "rows 6 to 4 are missing between lines 1 and 2"),
            ("4 . X O\n3 X X O\n2 . X .\n", 16, "row 1 is missing after line 3"),
            ("3 . X O\n2 X X O\n2 . X .\n", 16, "line 3: the number of this row is 2 after 2"),
            ("2 . X O\n1 X X O\n0 . X .\n", 16, "line 3: the number of the last row is 0, not 1"),
            ("3 . X O\n. X X\n1 . X .\n", 8, "line 2: this row has no number"),
            ("3 . X O 3\n２ X X O ２\n1 . X . 1\n", 10, "line 2, column 1: '２' is not a point"),
            ("3 . X O\n2 X X\n1 . X .\n", 8, "line 2: row 2 has 2 points, the others 3"),
            (". X O\nX X O\n. X .\n\n. X O\nX X O\n. X .\n", 19, "line 5: another board begins"),
            ("4 . X O .\n3 X X O .\n\n2 . X . .\n1 . X . .\n", 21, "line 4: another board begins"),
            (". X O\nX X O\n. X .\n. X .\n", 0, "line 1: 4 rows of 3 points: a row may be there twice"),
            ("  A B C D\n3 . X O\n2 X X O\n1 . X .\n", 0, "line 1: 4 letters above rows of 3 points"),
            ("  B C D\n3 . X O\n2 X X O\n1 . X .\n", 0, "line 1: the letters of columns are A to C"),
            (
                "$$ -----\n$$ | . X O\n$$ | X X O\n$$ | . X .\n",
                9,
                "line 2: the board has no edge at its bottom and right",
            ),
            (". B W\nB B W\n. X .\n", 12, "line 3: 'X' at B1 is among B and W"),
            (". X O\nX X 0\n. X .\n", 6, "line 2, column 5: '0' is not a point"),
            (". X O\nX B O\n. X .\n", 6, "line 2: 'B' at B2 is among X and O"),
            ("X . x\nX . X\n. O O\n", 0, "line 1: C3 is written as a dead stone, its chain as a living one"),
        ] {
            let record = rewrite(text, 1);
            assert!(record.unreadable.is_some(), "{text}");
            let found = &record.findings[0];
            assert!(found.detail.starts_with(detail) && found.place.offset == offset, "{text}: {found:?}");
        }
    }

    #[test]
    fn numbered_board_without_its_top_row_is_a_fault() {
        let board = |rows: std::ops::RangeInclusive<u8>, width: usize| {
            let rows = rows.rev().map(|row| format!("{row:2} {}\n", ". ".repeat(width)));
            rewrite(&rows.collect::<String>(), 1)
        };
        let record = board(1..=18, 19);
        assert_eq!(record.findings[0].detail, "line 1: 18 rows of 19 points: the top row is missing");
        assert!(record.unreadable.is_some());
        assert!(board(1..=17, 19).unreadable.is_none());
        assert!(board(1..=6, 7).unreadable.is_none());
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
