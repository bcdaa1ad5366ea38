//! Text diagrams of positions.
//!
//! A line of text is a row of the board. `X` is Black, `O` is White, `.` is empty; spaces are
//! ignored.

use std::fmt;

use super::point::{BoardSize, Color, Point};
use super::position::Position;

/// Reads a diagram.
///
/// The stones are placed, not played, so nothing is captured.
///
/// # Errors
/// A sentence that names the first row that is empty, differs in width from the first row or
/// contains an unknown character.
///
/// ```
/// let position = jigo_rules::diagram::read("
///     . X O
///     X . O
/// ").unwrap();
/// assert_eq!(position.size().to_string(), "3x2");
/// assert_eq!(position.stone_count(jigo_rules::Color::Black), 2);
/// ```
pub fn read(text: &str) -> Result<Position, String> {
    let rows: Vec<Vec<char>> = text
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let width = rows.first().map_or(0, Vec::len);
    let size = u8::try_from(width)
        .ok()
        .zip(u8::try_from(rows.len()).ok())
        .and_then(|(width, height)| BoardSize::new(width, height))
        .ok_or_else(|| format!("a diagram has 1 to 52 rows and columns, this one {width}x{}", rows.len()))?;
    let mut position = Position::new(size);
    let mut stones = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        if row.len() != width {
            return Err(format!("row {} of the diagram has {} points, not {width}", y + 1, row.len()));
        }
        for (x, symbol) in row.iter().enumerate() {
            let stone = match symbol {
                'X' | 'x' => Some(Color::Black),
                'O' | 'o' => Some(Color::White),
                '.' | '+' => None,
                _ => return Err(format!("row {} of the diagram has '{symbol}': X, O or . are known", y + 1)),
            };
            stones.push((Point::new(x as u8, y as u8), stone));
        }
    }
    position.place(stones);
    Ok(position)
}

/// Draws a position as text. This is the inverse of [`read`].
pub fn draw(position: &Position) -> String {
    let size = position.size();
    let mut text = String::with_capacity(size.points() * 2);
    for y in 0..size.height() {
        for x in 0..size.width() {
            if x > 0 {
                text.push(' ');
            }
            text.push(match position.stone(Point::new(x, y)) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            });
        }
        text.push('\n');
    }
    text
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", draw(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_and_reading_are_inverse() {
        let text = ". X O\nO O .\n";
        assert_eq!(draw(&read(text).unwrap()), text);
    }

    #[test]
    fn invalid_diagrams_report_their_row() {
        assert!(read("").unwrap_err().contains("0x0"));
        assert!(read("X O\nX").unwrap_err().contains("row 2"));
        assert!(read("X ?").unwrap_err().contains("'?'"));
    }
}
