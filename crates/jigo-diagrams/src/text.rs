//! Pictures made of characters, for terminals.

use std::fmt::Write as _;

use jigo_rules::board::{BoardSize, Color, Mark, Picture, Point, PointContent};

/// The characters and colours that a terminal can display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Use ASCII only, for terminals and fonts that display stones badly.
    pub ascii: bool,
    /// Use escape sequences for colours: a wooden board with black and white stones.
    pub color: bool,
}

/// Colours from the palette of 256 colours that terminals support.
const WOOD: u8 = 179;
const BLACK: u8 = 16;
const WHITE: u8 = 231;
const LINE: u8 = 94;
const RED: u8 = 160;

/// A character and its colour on the board.
type Cell = (char, u8);

impl Style {
    /// Returns the symbol of a stone.
    pub fn stone(self, color: Color) -> char {
        // The symbols differ even in colours, because text that is copied loses them.
        match (self.ascii, color) {
            (true, Color::Black) => 'X',
            (true, Color::White) => 'O',
            (false, Color::Black) => '●',
            (false, Color::White) => '○',
        }
    }

    /// Returns the symbol of a dead stone, which is the same in ASCII and Unicode.
    pub fn dead(self, color: Color) -> char {
        match color {
            Color::Black => 'x',
            Color::White => 'o',
        }
    }

    /// Returns the symbol of a point of territory.
    pub fn territory(self, color: Color) -> char {
        match (self.ascii, color) {
            (true, Color::Black) => '#',
            (true, Color::White) => '_',
            (false, Color::Black) => '■',
            (false, Color::White) => '□',
        }
    }

    /// Returns the symbol of a point that only area scoring counts.
    pub fn area_only(self) -> char {
        '~'
    }

    /// Returns the meaning of the symbols in some pictures.
    pub fn legend<'p>(self, pictures: impl IntoIterator<Item = &'p Picture>) -> String {
        let pictures = pictures.into_iter();
        let contents: Vec<&PointContent> =
            pictures.flat_map(|picture| picture.size().iter().map(|point| picture.point(point))).collect();
        let has = |predicate: &dyn Fn(&PointContent) -> bool| contents.iter().any(|content| predicate(content));
        let stones = format!("{} Black  {} White", self.stone(Color::Black), self.stone(Color::White));
        let all = [
            (true, stones),
            (has(&|content| content.mark == Some(Mark::Last)), "( ) last turn".to_owned()),
            (has(&|content| content.mark == Some(Mark::Finding)), "[ ] in question".to_owned()),
            (has(&|content| content.is_dead), format!("{} {} dead", self.dead(Color::Black), self.dead(Color::White))),
            (
                has(&|content| content.territory.is_some()),
                format!("{} {} territory", self.territory(Color::Black), self.territory(Color::White)),
            ),
            (has(&|content| content.area_only.is_some()), format!("{} counts for area only", self.area_only())),
        ];
        let used: Vec<String> = all.into_iter().filter(|(is_used, _)| *is_used).map(|(_, text)| text).collect();
        used.join("  ")
    }

    fn link(self) -> char {
        if self.ascii { ' ' } else { '─' }
    }

    /// Returns the lines of a picture with coordinates around it, all of the same width.
    /// Parentheses mark the last turn, square brackets mark the point of a finding.
    pub fn lines(self, picture: &Picture) -> Vec<String> {
        Drawing { picture, style: self }.lines()
    }
}

/// A picture drawn in a style.
struct Drawing<'p> {
    picture: &'p Picture,
    style: Style,
}

impl Drawing<'_> {
    fn lines(&self) -> Vec<String> {
        let width = self.symbol_width();
        let letters = self.letters(width);
        let mut lines = vec![letters.clone()];
        for y in self.picture.rows() {
            let label = self.picture.size().height() - y;
            let mut line = format!("{label:>2}");
            paint(&mut line, &self.row(y, width), self.style);
            let _ = write!(line, "{label:<2}"); // Writing to a String can't fail.
            lines.push(line);
        }
        lines.push(letters);
        lines
    }

    /// Returns the width of the widest symbol in characters.
    fn symbol_width(&self) -> usize {
        let points = self.picture.rows().flat_map(|y| self.picture.columns().map(move |x| Point::new(x, y)));
        let numbers = points.filter_map(|point| self.picture.point(point).number).map(|(number, _)| number);
        let digits = numbers.max().map_or(1, |most| most.to_string().len());
        let last_letter = self.picture.columns().last().map_or(1, |x| column_letters(x, self.picture.size()).len());
        digits.max(last_letter)
    }

    fn letters(&self, width: usize) -> String {
        let mut line = " ".repeat(2);
        for x in self.picture.columns() {
            let _ = write!(line, " {:>width$}", column_letters(x, self.picture.size()));
        }
        line + "   "
    }

    fn row(&self, y: u8, width: usize) -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![(' ', LINE)];
        let columns = self.picture.columns();
        for x in self.picture.columns() {
            let point = Point::new(x, y);
            let content = self.picture.point(point);
            let symbol = self.symbol(point, content);
            let padding = width - symbol.len();
            if let Some(brackets) = content.mark.map(brackets) {
                let place = cells.len() - 1;
                cells[place] = brackets.0;
                cells.extend(vec![(' ', LINE); padding]);
                cells.extend(symbol);
                cells.push(brackets.1);
            } else {
                let link = if x > columns.start { self.style.link() } else { ' ' };
                cells.extend(vec![(link, LINE); padding]);
                cells.extend(symbol);
                cells.push((if x + 1 < columns.end { self.style.link() } else { ' ' }, LINE));
            }
        }
        cells
    }

    fn symbol(&self, point: Point, content: &PointContent) -> Vec<Cell> {
        let ink = |color: Color| if color == Color::Black { BLACK } else { WHITE };
        match *content {
            PointContent { number: Some((number, color)), .. } => {
                number.to_string().chars().map(|digit| (digit, ink(color))).collect()
            }
            PointContent { stone: Some(color), is_dead: true, .. } => vec![(self.style.dead(color), ink(color))],
            PointContent { stone: Some(color), .. } => vec![(self.style.stone(color), ink(color))],
            PointContent { territory: Some(color), .. } => vec![(self.style.territory(color), ink(color))],
            PointContent { area_only: Some(color), .. } => vec![(self.style.area_only(), ink(color))],
            _ => vec![(self.crossing(point), LINE)],
        }
    }

    /// Returns the symbol for the grid lines at an empty point.
    fn crossing(&self, point: Point) -> char {
        let (right, bottom) = (self.picture.size().width() - 1, self.picture.size().height() - 1);
        if self.style.ascii {
            return if self.picture.is_star(point) { '+' } else { '.' };
        }
        if self.picture.is_star(point) {
            return '╋';
        }
        match (point.x(), point.y()) {
            (0, 0) => '┌',
            (x, 0) if x == right => '┐',
            (_, 0) => '┬',
            (0, y) if y == bottom => '└',
            (x, y) if (x, y) == (right, bottom) => '┘',
            (_, y) if y == bottom => '┴',
            (0, _) => '├',
            (x, _) if x == right => '┤',
            _ => '┼',
        }
    }
}

fn brackets(mark: Mark) -> (Cell, Cell) {
    match mark {
        Mark::Last => (('(', RED), (')', RED)),
        Mark::Finding => (('[', RED), (']', RED)),
    }
}

/// Returns the letters of a column: `A`, `B`, and so on without `I`.
pub(crate) fn column_letters(x: u8, size: BoardSize) -> String {
    Point::new(x, 0).to_a1(size).trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// Appends cells to a line. Each change of colour adds one escape sequence.
fn paint(line: &mut String, cells: &[Cell], style: Style) {
    let mut ink = None;
    for &(symbol, color) in cells {
        if style.color && ink != Some(color) {
            let _ = write!(line, "\x1b[38;5;{color};48;5;{WOOD}m");
            ink = Some(color);
        }
        line.push(symbol);
    }
    if style.color {
        line.push_str("\x1b[0m");
    }
}

/// Arranges blocks of lines in rows, with a caption above each block. A row contains as many blocks
/// as fit into `width` characters.
pub fn side_by_side(blocks: &[(String, Vec<String>)], width: usize) -> String {
    const GAP: usize = 3;
    let widths =
        blocks.iter().flat_map(|(caption, lines)| lines.iter().chain([caption])).map(|line| visible_width(line));
    let block_width = widths.max().unwrap_or(0);
    let in_row = ((width + GAP) / (block_width + GAP)).max(1);
    let mut text = String::new();
    for row in blocks.chunks(in_row) {
        let captions: Vec<String> = row.iter().map(|(caption, _)| format!("{caption:<block_width$}")).collect();
        text += captions.join(&" ".repeat(GAP)).trim_end();
        text.push('\n');
        let height = row.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
        for index in 0..height {
            let mut line = String::new();
            for (column, (_, lines)) in row.iter().enumerate() {
                let part = lines.get(index).map_or("", String::as_str);
                line += part;
                if column + 1 < row.len() {
                    line += &" ".repeat(block_width - visible_width(part) + GAP);
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Returns a text as lines of at most `width` columns, if its words are not longer. The first line
/// begins with `prefix`, and the others with as many spaces.
pub fn wrap(prefix: &str, text: &str, width: usize) -> Vec<String> {
    let indent = columns(prefix);
    let (mut lines, mut line) = (Vec::new(), prefix.to_owned());
    for word in text.split_whitespace() {
        let has_words = columns(&line) > indent;
        if has_words && columns(&line) + 1 + columns(word) > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        } else if has_words {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Returns the columns of a text on a terminal. Chinese, Japanese and Korean letters take two.
fn columns(text: &str) -> usize {
    text.chars().map(|c| if ('\u{2e80}'..='\u{ffdc}').contains(&c) { 2 } else { 1 }).sum()
}

/// Returns the number of characters in a line, without its escape sequences.
fn visible_width(line: &str) -> usize {
    let mut escaped = false;
    let is_shown = |c: &char| {
        let is_in_escape = escaped || *c == '\x1b';
        escaped = is_in_escape && *c != 'm';
        !is_in_escape
    };
    line.chars().filter(is_shown).count()
}

#[cfg(test)]
mod tests {
    use jigo_rules::board::diagram::read;

    use super::*;

    fn lines(picture: &Picture, ascii: bool) -> String {
        Style { ascii, color: false }.lines(picture).iter().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn board_is_drawn_in_ascii_and_unicode() {
        let mut picture = Picture::from_position(&read("X O .\n. X .\n. . .").unwrap());
        picture.mark(Point::new(1, 0), Mark::Last);
        picture.mark(Point::new(2, 2), Mark::Finding);
        assert_eq!(lines(&picture, true), "   A B C\n 3 X(O). 3\n 2 . X . 2\n 1 . .[.]1\n   A B C\n");
        assert_eq!(lines(&picture, false), "   A B C\n 3 ●(○)┐ 3\n 2 ├─●─┤ 2\n 1 └─┴[┘]1\n   A B C\n");
    }

    #[test]
    fn numbers_dead_stones_and_territory_are_drawn() {
        let mut picture = Picture::from_position(&read("X O . .").unwrap());
        let shown = |picture: &mut Picture, x, shown| *picture.point_mut(Point::new(x, 0)).unwrap() = shown;
        shown(&mut picture, 0, PointContent { stone: Some(Color::Black), is_dead: true, ..PointContent::default() });
        shown(&mut picture, 2, PointContent { territory: Some(Color::White), ..PointContent::default() });
        assert_eq!(lines(&picture, true).lines().nth(1), Some(" 1 x O _ . 1"));
        shown(&mut picture, 3, PointContent { number: Some((12, Color::White)), ..PointContent::default() });
        assert_eq!(lines(&picture, true).lines().nth(1), Some(" 1  x  O  _ 12 1"));
    }

    #[test]
    fn colours_keep_the_characters_and_the_width() {
        let mut picture = Picture::from_position(&read(". X O . .\n. X O . .").unwrap());
        picture.mark(Point::new(4, 1), Mark::Last);
        let plain = Style::default().lines(&picture);
        let colored = Style { color: true, ascii: false }.lines(&picture);
        for (one, other) in plain.iter().zip(&colored) {
            assert_eq!(visible_width(one), visible_width(other));
            assert_eq!(visible_width(one), visible_width(&plain[0]));
        }
        assert!(colored[1].contains('\x1b') && !plain[1].contains('\x1b'));
    }

    #[test]
    fn blocks_fill_rows_up_to_the_width() {
        let block = |caption: &str| (caption.to_owned(), vec!["ab".to_owned(), "c".to_owned()]);
        let blocks = [block("1"), block("2"), block("3")];
        assert_eq!(side_by_side(&blocks, 7), "1    2\nab   ab\nc    c\n\n3\nab\nc\n\n");
    }
}
