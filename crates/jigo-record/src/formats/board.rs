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
//! | `X # @ B ● ⚫` | Black; `#` is empty beside X, as in drawings in ASCII |
//! | `O W ○ ⚪` | White |
//! | `x`, `o` | stones; dead stones beside X and O, ● and ○ |
//! | `. , + * - ·` and others, lines of a drawing | empty |
//! | `( ) [ ]` and blanks, and a digit behind a stone | nothing: they mark turns |
//! | `/` | the end of a row |
//!
//! Rows may have their numbers at both ends. Lines of letters and borders are skipped, and text
//! that is no row belongs to no row. A line may begin with `$$`: then B, Y and Z are Black, W, Q, P
//! and @ White, and other letters are empty.
//!
//! Before or after the board, lines may give komi, rules, the player of the next turn, captured
//! stones by their colour (`captured B 3 W 5`; by their captors with `by` or `has captured`), and
//! dead stones (`dead D4 Q16`).
//!
//! Sources: GNU Go's and KataGo's `showboard`; Sensei's Library, *How Diagrams Work*, for `$$`,
//! which Sabaki writes, too.

use super::Row as FormatRow;
use crate::finding::{Code, excerpt};
use crate::formats::rewrite::{BareBoard, ConvertedRecord, SgfWriter, lines};
use crate::splitter::{LineFormat, LineKind};
use jigo_rules::board::{BoardSize, Color, Point};

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

fn line_kind(_: &[u8], _: &[u8], state: &mut u8) -> LineKind {
    let kind = if *state == 0 { LineKind::Begins } else { LineKind::Inside };
    *state = 1;
    kind
}

/// Returns true if at least two of the first lines are equally long rows, which have numbers or are
/// at least a third of these lines.
fn is_start(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut drawing = Drawing::default();
    for (offset, line) in lines(&text).take(64) {
        if line.contains("(;") {
            return false;
        }
        drawing.add_line(offset, line);
    }
    let rows = drawing.rows.iter().filter(|row| row.cells.len() == drawing.width());
    let cells = || rows.clone().flat_map(|row| &row.cells);
    // A sentence of capitals has no empty points.
    let count = rows.clone().count();
    count >= 2
        && (count >= drawing.wrong_lines.len() / 2 || rows.clone().all(|row| row.is_numbered))
        && drawing.width() >= 2
        && cells().any(|cell| matches!(cell, Cell::Empty(_)))
        && cells().any(|cell| matches!(cell, Cell::Stone(..)))
}

/// The content of a point, with its character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty(char),
    Stone(Color, char),
}

/// Returns the content that a character shows, in a line that begins with `$$` if `is_marked`.
fn cell(symbol: char, is_marked: bool) -> Option<Cell> {
    let stone = |color: Color| Some(Cell::Stone(color, symbol));
    match symbol {
        'Y' | 'Z' if is_marked => stone(Color::Black),
        'Q' | 'P' | '@' if is_marked => stone(Color::White),
        'C' | 'S' | 'T' | 'M' | 'a'..='z' if is_marked => Some(Cell::Empty(symbol)),
        'X' | 'x' | 'B' | 'b' | '#' | '@' | '●' | '⚫' => stone(Color::Black),
        'O' | 'o' | 'W' | 'w' | '○' | '⚪' | '◯' => stone(Color::White),
        '.' | ',' | '+' | '*' | '-' | '_' | '~' | '·' | '・' | '■' | '□' | '┌'..='╋' => {
            Some(Cell::Empty(symbol))
        }
        _ => None,
    }
}

/// A row of the board.
struct Row {
    /// The byte of its line.
    offset: usize,
    cells: Vec<Cell>,
    /// True if the row begins with its number.
    is_numbered: bool,
}

/// A line that is neither a row nor another known line.
struct WrongLine<'t> {
    offset: usize,
    text: &'t str,
    /// The number of rows before it.
    row: usize,
    /// The column of the character that is no point, in characters from 1.
    column: usize,
    symbol: char,
    /// The number of points before it.
    cells: usize,
}

/// The rows and other lines of a text.
#[derive(Default)]
struct Drawing<'t> {
    rows: Vec<Row>,
    wrong_lines: Vec<WrongLine<'t>>,
    facts: Facts,
}

/// What the lines beside the board say.
#[derive(Default)]
struct Facts {
    komi: Option<String>,
    rules: Option<String>,
    next: Option<Color>,
    /// The stones that Black and White have lost.
    lost: [u32; 2],
    dead: Option<String>,
}

impl<'t> Drawing<'t> {
    /// Returns the most frequent number of points in a row, or 0.
    fn width(&self) -> usize {
        let count = |width: usize| self.rows.iter().filter(|row| row.cells.len() == width).count();
        self.rows.iter().map(|row| row.cells.len()).max_by_key(|width| (count(*width), *width)).unwrap_or(0)
    }

    fn add_line(&mut self, offset: usize, line: &'t str) {
        if is_frame(line) {
            return;
        }
        let mut start = offset;
        for text in line.split('/') {
            let mut cells = Vec::new();
            match read_row(text, &mut cells) {
                Ok(rest) => {
                    self.facts.add_line(rest);
                    if !cells.is_empty() {
                        let is_numbered = text.trim_start().starts_with(|symbol: char| symbol.is_ascii_digit());
                        self.rows.push(Row { offset: start, cells, is_numbered });
                    }
                }
                Err(_) if self.facts.add_line(line) => return,
                Err((column, symbol)) => {
                    let (row, cells) = (self.rows.len(), cells.len());
                    self.wrong_lines.push(WrongLine { offset: start, text, row, column, symbol, cells });
                }
            }
            start += text.len() + 1;
        }
    }
}

/// Reads the points of a row, and returns the text after the number at its end.
///
/// # Errors
/// The column, in characters from 1, and the character that is no point.
fn read_row<'t>(text: &'t str, cells: &mut Vec<Cell>) -> Result<&'t str, (usize, char)> {
    let (is_marked, row) = match text.trim_start().strip_prefix("$$") {
        Some(row) => (true, row),
        None => (false, text),
    };
    let begin = row.trim_start();
    let digits = begin.len() - begin.trim_start_matches(|symbol: char| symbol.is_ascii_digit()).len();
    let (number, row) = begin.split_at(digits);
    let mut is_behind_stone = false;
    for (index, symbol) in row.char_indices() {
        let found = cell(symbol, is_marked);
        match symbol {
            '0'..='9' if is_behind_stone => {}
            '0'..='9' if !number.is_empty() && row[index..].starts_with(number) => {
                return Ok(&row[index + number.len()..]);
            }
            '─' | '━' | '│' | '┃' | '|' | '(' | ')' | '[' | ']' => {}
            _ if symbol.is_whitespace() => {}
            _ => match found {
                Some(found) => cells.push(found),
                None => {
                    let before = text.len() - row.len() + index;
                    return Err((text[..before].chars().count() + 1, symbol));
                }
            },
        }
        is_behind_stone = matches!(found, Some(Cell::Stone(..)));
    }
    Ok("")
}

/// Returns true for a border, for the letters or numbers of the columns, and for a title with `$$`.
fn is_frame(line: &str) -> bool {
    let text = line.trim_start_matches('$').trim();
    let is_title = line.starts_with("$$") && !text.starts_with('|');
    let is_border = text.contains("--") && text.chars().all(|symbol| "-+=| ".contains(symbol));
    let letters: String = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    let is_columns =
        letters.starts_with("AB") || letters.starts_with("ab") || letters.bytes().all(|b| b.is_ascii_digit());
    is_title || is_border || is_columns
}

impl Facts {
    /// Reads a line beside the board. Returns false if it says nothing of it.
    fn add_line(&mut self, line: &str) -> bool {
        let is_separator = |symbol: char| symbol.is_whitespace() || ":=,;()".contains(symbol);
        let small = line.to_lowercase();
        let words: Vec<&str> = small.split(is_separator).filter(|word| !word.is_empty()).collect();
        let rest =
            || line.trim_start().split_once(is_separator).map_or("", |(_, rest)| rest.trim_matches(is_separator));
        let color = || words.iter().find_map(|word| color(word));
        match words[..] {
            ["komi", number] => self.komi = Some(number.to_owned()),
            ["rules" | "ruleset", _, ..] => self.rules = Some(rest().to_owned()),
            ["dead", ref names @ ..] if names.iter().all(|name| is_point(name)) => self.dead = Some(rest().to_owned()),
            ["next", ..] | [_, .., "play" | "move"] | ["to", "play" | "move", ..] if color().is_some() => {
                self.next = color()
            }
            _ if words.contains(&"captured") => self.add_captures(&words),
            _ => return false,
        }
        true
    }

    /// Reads numbers with a colour before or after them.
    fn add_captures(&mut self, words: &[&str]) {
        let is_by_captor = words.contains(&"by") || words.contains(&"has");
        let (mut player, mut number): (Option<Color>, Option<u32>) = (None, None);
        for word in words {
            player = color(word).or(player);
            number = word.parse().ok().or(number);
            if let (Some(color), Some(stones)) = (player, number) {
                let loser = if is_by_captor { color.opponent() } else { color };
                self.lost[loser.index()] = stones.min(MAX_CAPTURED);
                (player, number) = (None, None);
            }
        }
    }
}

/// Returns true for the name of a point, and for `none`.
fn is_point(name: &str) -> bool {
    let letters = name.trim_end_matches(|symbol: char| symbol.is_ascii_digit());
    name == "none"
        || (letters.len() < name.len() && letters.len() <= 3 && letters.bytes().all(|b| b.is_ascii_lowercase()))
}

/// The largest number of captured stones, which no game reaches.
const MAX_CAPTURED: u32 = 1_000_000;

fn color(word: &str) -> Option<Color> {
    match word {
        "b" | "black" | "x" | "●" => Some(Color::Black),
        "w" | "white" | "o" | "○" => Some(Color::White),
        _ => None,
    }
}

/// Converts a board to SGF.
fn rewrite(text: &str) -> ConvertedRecord {
    let mut drawing = Drawing::default();
    lines(text).for_each(|(offset, line)| drawing.add_line(offset, line));
    let mut writer = SgfWriter::with_room(4 << 10);
    let width = drawing.width();
    let size = u8::try_from(width).ok().zip(u8::try_from(drawing.rows.len()).ok());
    let size = size.and_then(|(width, height)| BoardSize::new(width, height));
    let is_sound = report_wrong_rows(text, &drawing, &mut writer);
    let (Some(size), true) = (size, is_sound) else {
        if is_sound {
            let rows = drawing.rows.len();
            writer.note(Code::UnreadablePosition, 0, format!("{width} columns and {rows} rows: a board has 1 to 52"));
        }
        return writer.end_unreadable();
    };
    writer.property("GM", "1");
    match (size.width(), size.height()) {
        (width, height) if width == height => writer.property("SZ", &width.to_string()),
        (width, height) => writer.property("SZ", &format!("{width}:{height}")),
    }
    let Facts { komi, rules, next, lost, dead } = drawing.facts;
    writer.property("KM", &komi.unwrap_or_default());
    writer.property("RU", &rules.unwrap_or_default());
    writer.property("PL", next.map_or("", Color::letter));
    let stones = Stones::of(&drawing.rows);
    for color in Color::BOTH {
        writer.stones(color, &stones.places[color.index()]);
    }
    let drawn: Vec<String> = stones.dead.iter().map(|(x, y)| Point::new(*x as u8, *y as u8).to_a1(size)).collect();
    let dead =
        dead.map(|named| format!("{named} {}", drawn.join(" "))).or((!drawn.is_empty()).then(|| drawn.join(" ")));
    let next = next.unwrap_or(Color::Black);
    ConvertedRecord { bare_board: Some(BareBoard { lost, dead, next }), ..writer.end() }
}

/// Reports rows that can't be read, and text beside the board. Returns false if a row is wrong.
fn report_wrong_rows(text: &str, drawing: &Drawing, writer: &mut SgfWriter) -> bool {
    let width = drawing.width();
    let line_number = |offset: usize| text[..offset].matches('\n').count() + 1;
    let mut is_sound = true;
    for WrongLine { offset, text: excluded, row, column, symbol, cells } in &drawing.wrong_lines {
        let is_within = *row > 0 && *row < drawing.rows.len();
        if !is_within && cells * 2 < width {
            writer.report_omission(*offset, excerpt(excluded.as_bytes()));
            continue;
        }
        is_sound = false;
        let line = line_number(*offset);
        let detail =
            format!("line {line}, column {column}: '{symbol}' is no point; X or ● is Black, O or ○ White, . empty");
        writer.note(Code::UnreadablePosition, *offset, detail);
    }
    for (index, row) in drawing.rows.iter().enumerate().filter(|(_, row)| row.cells.len() != width) {
        is_sound = false;
        let points = row.cells.len();
        let (line, row, offset) = (line_number(row.offset), index + 1, row.offset);
        let detail = format!("line {line}: row {row} from the top has {points} points, the others {width}");
        writer.note(Code::UnreadablePosition, offset, detail);
    }
    is_sound
}

/// The stones of a board, by column and row from 0.
#[derive(Default)]
struct Stones {
    /// Black's and White's stones, dead ones included.
    places: [Vec<(u32, u32)>; 2],
    dead: Vec<(u32, u32)>,
}

impl Stones {
    fn of(rows: &[Row]) -> Stones {
        let symbols = || rows.iter().flat_map(|row| &row.cells);
        let has = |symbol: char| symbols().any(|cell| matches!(cell, Cell::Stone(_, found) if *found == symbol));
        let has_discs = has('●') || has('○');
        let [has_x, has_o] = [has('X'), has('O')];
        let mut stones = Stones::default();
        for (y, row) in (0..).zip(rows) {
            for (x, cell) in (0..).zip(&row.cells) {
                let Cell::Stone(color, symbol) = *cell else { continue };
                // Drawings in ASCII show Black's territory like this.
                if symbol == '#' && has_x {
                    continue;
                }
                stones.places[color.index()].push((x, y));
                if matches!(symbol, 'x' | 'o') && (has_discs || (symbol == 'x' && has_x) || (symbol == 'o' && has_o)) {
                    stones.dead.push((x, y));
                }
            }
        }
        stones
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
        let text = "Komi: 6.5\nrules AGA\n2 . X  2    WHITE (O) has captured 3 stones\n1 X .  1    BLACK (X) has captured 1 stones\nwhite to play\ndead: A1, B2\n";
        let (sgf, board) = sgf(text);
        assert_eq!(sgf, "(;GM[1]SZ[2]KM[6.5]RU[AGA]PL[W]AB[ba][ab])");
        let board = board.unwrap();
        assert_eq!((board.lost, board.next, board.dead.as_deref()), ([3, 1], Color::White, Some("A1, B2 ")));
        let lost = |line: &str| sgf_board(&format!("{line}\n. X\nX .\n")).lost;
        assert_eq!(lost("captured B 3 W 5"), [3, 5]);
        assert_eq!(lost("Captured: 11 black, 8 white"), [11, 8]);
        assert_eq!(lost("captured by B 3 W 5"), [5, 3]);
    }

    fn sgf_board(text: &str) -> BareBoard {
        sgf(text).1.unwrap()
    }

    #[test]
    fn small_letters_beside_capitals_are_dead() {
        assert_eq!(sgf_board("X . x\n. O o\n").dead.as_deref(), Some("C2 C1"));
        assert_eq!(sgf_board("X . X\n. o o\n").dead, None);
        assert_eq!(sgf_board("● . o\n. o ●\n").dead.as_deref(), Some("C2 B1"));
    }

    #[test]
    fn wrong_rows_name_line_and_column() {
        let detail = |text: &str| {
            let record = rewrite(text);
            assert!(record.unreadable.is_some(), "{text}");
            (record.findings[0].place.offset, record.findings[0].detail.to_string())
        };
        let (offset, text) = detail("3 . X O\n2 X ? O\n1 . X .\n");
        assert_eq!(offset, 8);
        assert!(text.starts_with("line 2, column 5: '?' is no point"), "{text}");
        let (offset, text) = detail(". X O\nX X O O\n. X .\n");
        assert_eq!((offset, text.as_str()), (6, "line 2: row 2 from the top has 4 points, the others 3"));
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
