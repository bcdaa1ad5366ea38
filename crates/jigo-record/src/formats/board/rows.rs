//! The rows of a board as text.

use jigo_rules::board::Color;

/// The content of a point, with its character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Empty(char),
    Stone(Color, char),
}

/// A row of the board.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The byte and the number of its line, from 1.
    pub offset: usize,
    pub line: u64,
    /// The number at its start.
    pub number: Option<u32>,
    pub cells: Vec<Cell>,
    /// The first character that is not a point, with its column in characters from 1.
    pub wrong: Option<(usize, char)>,
    /// The number of characters except the row's number and marks of turns.
    pub symbols: usize,
}

/// The meaning of the characters of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Plain,
    /// Sensei's Library, whose lines begin with `$$`. Numbers are stones: 1 has this colour.
    Sensei(Color),
}

/// Returns the content that a character shows.
fn cell(symbol: char, notation: Notation) -> Option<Cell> {
    let stone = |color: Color| Some(Cell::Stone(color, symbol));
    if let Notation::Sensei(first) = notation {
        match symbol {
            'X' | 'B' | 'Y' | 'Z' | '#' => return stone(Color::Black),
            'O' | 'W' | 'Q' | 'P' | '@' => return stone(Color::White),
            'C' | 'S' | 'T' | 'M' | 'a'..='z' => return Some(Cell::Empty(symbol)),
            '0'..='9' => return stone(if u32::from(symbol) % 2 == 1 { first } else { first.opponent() }),
            _ => {}
        }
    }
    match symbol {
        'X' | 'x' | 'B' | 'b' | '#' | '@' | '●' | '⚫' => stone(Color::Black),
        'O' | 'o' | 'W' | 'w' | '○' | '⚪' | '◯' => stone(Color::White),
        '.' | ',' | '+' | '*' | '-' | '_' | '~' | '·' | '・' | '■' | '□' | '┌'..='╋' => {
            Some(Cell::Empty(symbol))
        }
        _ => None,
    }
}

impl Row {
    /// Reads a row, and returns it with the text after the number at its end. Any text is read: if it
    /// is not a row, it has a wrong character.
    pub(super) fn read(text: &str, notation: Notation) -> (Row, &str) {
        let start = text.trim_start().trim_start_matches('$');
        let after_number = start.trim_start().trim_start_matches(|symbol: char| symbol.is_ascii_digit());
        let number = start.trim_start().strip_suffix(after_number).unwrap_or_default();
        let has_number = notation == Notation::Plain
            && !number.is_empty()
            && !after_number.starts_with(|symbol: char| symbol.is_alphanumeric() || symbol == '.');
        let (number, row) = if has_number { (number, after_number) } else { ("", start) };
        let mut read = Row { number: number.parse().ok(), ..Row::default() };
        let mut is_behind_stone = false;
        for (index, symbol) in row.char_indices() {
            let found = cell(symbol, notation);
            match (symbol, found) {
                ('1'..='9', None) if is_behind_stone => {}
                ('0'..='9', None) if has_number && row[index..].starts_with(number) => {
                    return (read, &row[index + number.len()..]);
                }
                ('─' | '━' | '│' | '┃' | '|' | '(' | ')' | '[' | ']' | '\u{FE0F}', _) => {}
                _ if symbol.is_whitespace() => {}
                (_, Some(found)) => {
                    read.cells.push(found);
                    read.symbols += 1;
                }
                (_, None) => {
                    let before = text.len() - row.len() + index;
                    read.wrong.get_or_insert_with(|| (text[..before].chars().count() + 1, symbol));
                    read.symbols += 1;
                }
            }
            is_behind_stone = matches!(found, Some(Cell::Stone(..)));
        }
        (read, "")
    }

    /// Returns true for a row without a wrong character.
    pub(super) fn has_only_points(&self) -> bool {
        self.wrong.is_none() && !self.cells.is_empty()
    }

    /// Returns true for a row of this width without a wrong character.
    pub(super) fn is_sound(&self, width: usize) -> bool {
        self.has_only_points() && self.cells.len() == width
    }

    /// Returns true for a row of this width, and for a line that should be one: it has a number, or
    /// nearly as many characters, most of them points. A mistyped number may be at both ends.
    pub(super) fn is_like(&self, width: usize) -> bool {
        let has_points = self.cells.len() * 2 >= self.symbols && !self.cells.is_empty();
        has_points && (self.number.is_some() || self.symbols.abs_diff(width) <= 2)
    }
}

/// Returns true for a border, for the letters or numbers of the columns, and for a title with `$$`.
pub(super) fn is_frame(line: &str) -> bool {
    let text = line.trim_start_matches('$').trim();
    let is_title = line.starts_with("$$") && !text.starts_with('|') && text.chars().any(char::is_alphanumeric);
    let has_digits_only = || text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    is_title || is_border(line.trim()) || column_letters(text).is_some() || (text.len() > 1 && has_digits_only())
}

/// Returns true for the line of a border.
pub(super) fn is_border(line: &str) -> bool {
    let has_sign = line.starts_with("$$") || line.contains(['+', '|', '=']);
    has_sign && line.contains("--") && line.chars().all(|symbol| "-+=| $".contains(symbol))
}

/// Returns the letters of the columns, as capitals, if a line has nothing else: `A B C` or `ABC`, and
/// `B C D` of a part of a board.
pub(super) fn column_letters(line: &str) -> Option<Vec<u8>> {
    let words = || line.split_whitespace();
    let letters: Vec<u8> = words().flat_map(str::bytes).map(|byte| byte.to_ascii_uppercase()).collect();
    let is_spaced = letters.len() > 2 && words().all(|word| word.len() == 1);
    let is_sorted = letters.is_sorted_by(|left, right| left < right) && letters.iter().all(u8::is_ascii_alphabetic);
    (is_sorted && (is_spaced || letters.starts_with(b"AB"))).then_some(letters)
}
