//! Reads diagrams of patterns.

use jigo_rules::board::{BoardSize, Color};

use super::pattern_shape::{BoardPattern, Borders, PatternPoint};

/// A fault of a pattern, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct DiagramError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// The fault and its remedy.
    pub reason: String,
}

impl DiagramError {
    /// Returns a fault in a line, both numbers from 1.
    pub(super) fn new(line: usize, column: usize, reason: impl Into<String>) -> DiagramError {
        DiagramError { line, column, reason: reason.into() }
    }
}

/// A row of the pattern.
struct DiagramRow {
    /// The line of the text, from 1.
    line: usize,
    /// The column after the last point, from 1.
    end: usize,
    points: Vec<PatternPoint>,
    has_left_border: bool,
    has_right_border: bool,
}

/// A border line above or below the rows.
struct BorderLine {
    /// The line of the text, from 1.
    line: usize,
    /// The columns of `+` at the start and at the end of the line, from 1.
    corners: [Option<usize>; 2],
}

impl BoardPattern {
    /// Reads a diagram.
    ///
    /// `X`, `O`, `.`, `*` and `?` are points; see [`PatternPoint`]. A `|` at the start or at the
    /// end of every row is the left or right edge of the board. A line of `-` above or below the
    /// rows is the top or bottom edge, and may begin and end with `+` at the corners. Spaces are
    /// ignored, and so are lines that begin with `#`. Rows end with their line or with a comma.
    ///
    /// # Errors
    /// The first fault of the diagram.
    ///
    /// ```
    /// use jigo_core::pattern::BoardPattern;
    ///
    /// assert_eq!(BoardPattern::from_diagram(". X ., X . X").unwrap().size().to_string(), "3x2");
    /// let error = BoardPattern::from_diagram("X O\nX").unwrap_err();
    /// assert_eq!((error.line, error.column), (2, 2));
    /// ```
    pub fn from_diagram(text: &str) -> Result<BoardPattern, DiagramError> {
        let mut diagram = DiagramParser::default();
        for (index, line) in text.lines().enumerate() {
            if line.trim_start().starts_with('#') {
                continue;
            }
            let mut column = 1;
            for part in line.split(',') {
                diagram.add_line(part, index + 1, column)?;
                column += part.chars().count() + 1;
            }
        }
        diagram.pattern()
    }
}

/// The parts of a diagram so far.
#[derive(Default)]
struct DiagramParser {
    rows: Vec<DiagramRow>,
    top: Option<BorderLine>,
    bottom: Option<BorderLine>,
}

impl DiagramParser {
    /// Adds a line, or the part of a line between commas that starts at `column`.
    fn add_line(&mut self, text: &str, line: usize, column: usize) -> Result<(), DiagramError> {
        let symbols: Vec<(usize, char)> = text
            .chars()
            .enumerate()
            .filter(|(_, symbol)| !symbol.is_whitespace())
            .map(|(index, symbol)| (column + index, symbol))
            .collect();
        let Some(&(first, _)) = symbols.first() else { return Ok(()) };
        if let Some(bottom) = &self.bottom {
            let reason = format!("a line follows the border of line {}; the border is the last line", bottom.line);
            return Err(DiagramError::new(line, first, reason));
        }
        if symbols.iter().all(|(_, symbol)| matches!(symbol, '-' | '+')) {
            return self.add_border(&symbols, line);
        }
        let row = row(&symbols, line)?;
        if let Some(top_row) = self.rows.first() {
            top_row.check_alignment(&row)?;
        }
        self.rows.push(row);
        Ok(())
    }

    fn add_border(&mut self, symbols: &[(usize, char)], line: usize) -> Result<(), DiagramError> {
        let last = symbols.len() - 1;
        if let Some((column, _)) = symbols.iter().take(last).skip(1).find(|(_, symbol)| *symbol == '+') {
            let reason = "'+' is a corner; write it only at the start or at the end of a border";
            return Err(DiagramError::new(line, *column, reason));
        }
        let corner = |index: usize| Some(symbols[index]).filter(|(_, symbol)| *symbol == '+').map(|(column, _)| column);
        let border = BorderLine { line, corners: [corner(0), corner(last).filter(|_| last > 0)] };
        if !self.rows.is_empty() {
            self.bottom = Some(border);
        } else if self.top.is_none() {
            self.top = Some(border);
        } else {
            return Err(DiagramError::new(line, symbols[0].0, "there are two borders at the top; remove one"));
        }
        Ok(())
    }

    fn pattern(self) -> Result<BoardPattern, DiagramError> {
        let Some(row) = self.rows.first() else {
            return Err(DiagramError::new(1, 1, "there are no points; write rows of X, O, ., * and ?"));
        };
        let borders = Borders {
            left: row.has_left_border,
            right: row.has_right_border,
            top: self.top.is_some(),
            bottom: self.bottom.is_some(),
        };
        for border in self.top.iter().chain(&self.bottom) {
            border.check_corners(borders)?;
        }
        let side = |length: usize| u8::try_from(length).unwrap_or(u8::MAX);
        let Some(size) = BoardSize::new(side(row.points.len()), side(self.rows.len())) else {
            let reason = format!(
                "the pattern has {} columns and {} rows; a board has at most {} of each",
                row.points.len(),
                self.rows.len(),
                BoardSize::MAX
            );
            return Err(DiagramError::new(row.line, 1, reason));
        };
        let line = row.line;
        let points: Vec<PatternPoint> = self.rows.into_iter().flat_map(|row| row.points).collect();
        if points.iter().all(|point| *point == PatternPoint::Any) {
            let reason = "a pattern of ? matches every position; write X, O, . or * for at least one point";
            return Err(DiagramError::new(line, 1, reason));
        }
        Ok(BoardPattern::new(size, points, borders))
    }
}

/// Reads a row of points with its borders.
fn row(symbols: &[(usize, char)], line: usize) -> Result<DiagramRow, DiagramError> {
    let has_left_border = symbols.first().is_some_and(|(_, symbol)| *symbol == '|');
    let has_right_border = symbols.len() > 1 && symbols.last().is_some_and(|(_, symbol)| *symbol == '|');
    let inside = &symbols[usize::from(has_left_border)..symbols.len() - usize::from(has_right_border)];
    let points = inside.iter().map(|&(column, symbol)| point(symbol, line, column)).collect::<Result<Vec<_>, _>>()?;
    if points.is_empty() {
        return Err(DiagramError::new(line, symbols[0].0, "the row has borders but no points"));
    }
    let end = inside.last().map_or(1, |(column, _)| column + 1);
    Ok(DiagramRow { line, end, points, has_left_border, has_right_border })
}

/// Reads the symbol of a point.
fn point(symbol: char, line: usize, column: usize) -> Result<PatternPoint, DiagramError> {
    let reason = match symbol {
        'X' => return Ok(PatternPoint::Stone(Color::Black)),
        'O' => return Ok(PatternPoint::Stone(Color::White)),
        '.' => return Ok(PatternPoint::Empty),
        '*' => return Ok(PatternPoint::NextTurn),
        '?' => return Ok(PatternPoint::Any),
        '|' => "is an edge of the board; write it only at the start or at the end of a row",
        '-' | '+' => "is an edge of the board; write the top and bottom edges on lines of their own",
        _ => "is not a point; use X for black, O for white, . for empty, * for the next turn, ? for any",
    };
    Err(DiagramError::new(line, column, format!("'{symbol}' {reason}")))
}

impl DiagramRow {
    /// Checks that another row has as many points and the same borders as this one, the first.
    fn check_alignment(&self, other: &DiagramRow) -> Result<(), DiagramError> {
        if other.points.len() != self.points.len() {
            let reason = format!(
                "the row and the row in line {} have different lengths, {} and {}; write ? for a point with any content",
                self.line,
                other.points.len(),
                self.points.len()
            );
            return Err(DiagramError::new(other.line, other.end, reason));
        }
        let sides = [
            (self.has_left_border, other.has_left_border, "begin", 1),
            (self.has_right_border, other.has_right_border, "end", other.end),
        ];
        for (has_border, other_has_border, verb, column) in sides {
            if has_border != other_has_border {
                let reason = format!("only some rows {verb} with '|'; write it in every row or in none");
                return Err(DiagramError::new(other.line, column, reason));
            }
        }
        Ok(())
    }
}

impl BorderLine {
    /// Checks that the rows have a border at each corner.
    fn check_corners(&self, borders: Borders) -> Result<(), DiagramError> {
        let sides = [(self.corners[0], borders.left, "begin"), (self.corners[1], borders.right, "end")];
        for (corner, has_border, verb) in sides {
            if let (Some(column), false) = (corner, has_border) {
                let reason = format!("'+' is a corner, but no row {verb}s with '|'; add '|' to the rows or use '-'");
                return Err(DiagramError::new(self.line, column, reason));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn borders(text: &str) -> [bool; 4] {
        let Borders { left, right, top, bottom } = BoardPattern::from_diagram(text).unwrap().borders();
        [left, right, top, bottom]
    }

    #[test]
    fn borders_fix_edges_and_corners() {
        assert_eq!(borders("X O\n. ."), [false; 4]);
        assert_eq!(borders("+---\n|X O\n|. ."), [true, false, true, false]);
        assert_eq!(borders("X O|\n. .|\n---+"), [false, true, false, true]);
        assert_eq!(borders("---\nX O"), [false, false, true, false]);
        assert_eq!(borders("+-+,|X|,+-+"), [true; 4]);
    }

    #[test]
    fn comments_blank_lines_and_spaces_are_ignored() {
        let one = BoardPattern::from_diagram("# a ponnuki\n\n  ? X ?\n  X . X\n  ? X ?\n\n").unwrap();
        assert_eq!(one, BoardPattern::from_diagram("?X?,X.X,?X?").unwrap());
    }

    #[test]
    fn faults_name_line_column_and_remedy() {
        let fault = |text: &str| {
            let DiagramError { line, column, reason } = BoardPattern::from_diagram(text).unwrap_err();
            (line, column, reason)
        };
        let has = |text: &str, line: usize, column: usize, part: &str| {
            let found = fault(text);
            assert_eq!((found.0, found.1), (line, column), "{text:?}: {}", found.2);
            assert!(found.2.contains(part), "{text:?}: {}", found.2);
        };
        has("", 1, 1, "no points");
        has("--", 1, 1, "no points");
        has("X Q", 1, 3, "'Q'");
        has("X O\nX x", 2, 3, "'x'");
        has("X O\nX", 2, 2, "1 and 2");
        has("X O,X", 1, 6, "1 and 2");
        has("|X O\nX O", 2, 1, "in every row");
        has("X O|\nX O", 2, 4, "in every row");
        has("X|O", 1, 2, "start");
        has("X-O", 1, 2, "lines of their own");
        has("+--\nX O", 1, 1, "no row begins");
        has("--+\nX O", 1, 3, "no row ends");
        has("-+-\nX O", 1, 2, "corner");
        has("X O\n---\nX O", 3, 1, "line 2");
        has("---\n---\nX O", 2, 1, "two borders");
        has("| |", 1, 1, "no points");
        has("? ?\n? ?", 1, 1, "every position");
        has(&"X".repeat(53), 1, 1, "53 columns");
    }
}
