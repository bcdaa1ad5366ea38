//! Reads lists of points such as `B D4, W Q16, . R14`.

use jigo_rules::board::{BoardSize, Color, Point};

use super::diagram_parser::DiagramError;
use super::pattern_shape::{BoardPattern, Borders, PatternPoint};

impl BoardPattern {
    /// Reads a list of points on a board of this size. All other points may have any content.
    ///
    /// Each entry is `B`, `W`, `.` or `*` and a point in A1 coordinates. Commas separate the
    /// entries.
    ///
    /// # Errors
    /// The first fault of the list.
    ///
    /// ```
    /// use jigo_core::pattern::BoardPattern;
    ///
    /// let size = jigo_core::BoardSize::standard();
    /// assert!(BoardPattern::from_points("B D4, W Q16, . R14", size).is_ok());
    /// let error = BoardPattern::from_points("B D4, W Z99", size).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1, column 9: there is no point Z99 on 19x19");
    /// ```
    pub fn from_points(text: &str, size: BoardSize) -> Result<BoardPattern, DiagramError> {
        let mut points = vec![PatternPoint::Any; size.points()];
        let (mut column, mut is_empty) = (1, true);
        for entry in text.split(',') {
            if !entry.trim().is_empty() {
                let (point, condition, start) = named_point(entry, column, size)?;
                let index = size.index(point);
                if points[index] != PatternPoint::Any && points[index] != condition {
                    let reason = format!("{} has another content before; name it once", point.to_a1(size));
                    return Err(DiagramError::new(1, start, reason));
                }
                (points[index], is_empty) = (condition, false);
            }
            column += entry.chars().count() + 1;
        }
        if is_empty {
            return Err(DiagramError::new(1, 1, "there are no points; write them as in 'B D4, W Q16, . R14'"));
        }
        Ok(BoardPattern::new(size, points, Borders::ALL))
    }
}

/// Reads an entry that starts at `column`. Returns the point, its content and its column.
fn named_point(entry: &str, column: usize, size: BoardSize) -> Result<(Point, PatternPoint, usize), DiagramError> {
    let start = column + entry.chars().take_while(|symbol| symbol.is_whitespace()).count();
    let mut symbols = entry.trim().chars();
    let condition = match symbols.next() {
        Some('B' | 'X') => PatternPoint::Stone(Color::Black),
        Some('W' | 'O') => PatternPoint::Stone(Color::White),
        Some('.') => PatternPoint::Empty,
        Some('*') => PatternPoint::NextTurn,
        _ => {
            let reason = format!("'{}' does not begin with B, W, . or *; write it as in 'B D4'", entry.trim());
            return Err(DiagramError::new(1, start, reason));
        }
    };
    let rest = symbols.as_str();
    let name = rest.trim_start();
    let place = start + 1 + rest.chars().count() - name.chars().count();
    match Point::from_a1(name, size) {
        Some(point) => Ok((point, condition, place)),
        None if name.is_empty() => Err(DiagramError::new(1, place, "the point is missing; write it as in 'B D4'")),
        None => Err(DiagramError::new(1, place, format!("there is no point {name} on {size}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_conditions_and_the_rest_has_none() {
        let pattern = BoardPattern::from_points("B A1,W b2 , . C3", BoardSize::square(3).unwrap()).unwrap();
        let symbols: String = pattern.iter().map(|(_, condition)| condition.symbol()).collect();
        assert_eq!(symbols, "??.?O?X??");
        assert_eq!(pattern.borders(), Borders::ALL);
    }

    #[test]
    fn faults_name_their_column() {
        let fault = |text| BoardPattern::from_points(text, BoardSize::standard()).unwrap_err().to_string();
        assert!(fault("").starts_with("line 1, column 1: there are no points"));
        assert!(fault("B D4, D4").starts_with("line 1, column 7: 'D4' does not begin"));
        assert!(fault("B D4, W D4").starts_with("line 1, column 9: D4 has another content"));
        assert!(fault("B").starts_with("line 1, column 2: the point is missing"));
    }
}
