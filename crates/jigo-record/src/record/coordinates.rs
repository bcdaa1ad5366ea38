//! Parser for the value of a turn, in all forms that records use.

use super::reader::Reader;
use crate::Coordinates;
use crate::finding::Code;
use jigo_rules::board::{BoardSize, Point};

impl Reader<'_> {
    /// Parses the value of a turn: a pair of letters, or nothing for a pass.
    #[inline]
    pub(crate) fn coordinates(&mut self, value: &[u8], offset: usize) -> Coordinates {
        match *value {
            [] => Coordinates::Pass,
            [column, row] => match Point::from_sgf(column, row) {
                Some(point) => self.on_board_or_reported(point, offset),
                None => self.parse_unusual(value, offset),
            },
            _ => self.parse_unusual(value, offset),
        }
    }

    /// Parses unusual forms: blanks around or between letters, `pass`, and coordinates such as
    /// `Q16`.
    #[cold]
    fn parse_unusual(&mut self, value: &[u8], offset: usize) -> Coordinates {
        let size = self.reading.record.header.size;
        let trimmed: Vec<u8> = value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let text = String::from_utf8_lossy(&trimmed);
        let letters = match *trimmed.as_slice() {
            [column, row] => Point::from_sgf(column, row),
            _ => None,
        };
        let coordinates = match letters.map(|point| classify(point, size)) {
            _ if trimmed.is_empty() || text.eq_ignore_ascii_case("pass") => Coordinates::Pass,
            Some(Coordinates::OffBoard(point)) => {
                with_small_letters(point, size).map_or(Coordinates::OffBoard(point), Coordinates::Play)
            }
            Some(on_board) => on_board,
            None => match Point::from_a1(&text, size) {
                Some(point) => Coordinates::Play(point),
                None => return self.unreadable(value),
            },
        };
        if !value.is_empty() {
            let original = String::from_utf8_lossy(value);
            let meaning = match &coordinates {
                Coordinates::Play(point) | Coordinates::OffBoard(point) => point.to_string(),
                _ => "a pass".into(),
            };
            self.note(Code::OddCoordinates, offset, format!("{original:?} is read as {meaning}"));
        }
        coordinates
    }

    /// Stores the value of a turn that is neither a point nor a pass.
    #[cold]
    fn unreadable(&mut self, value: &[u8]) -> Coordinates {
        let texts = &mut self.reading.record.unreadable;
        texts.push(String::from_utf8_lossy(value).into());
        Coordinates::Unreadable(texts.len() as u32 - 1)
    }

    /// Returns a point of the board or a pass.
    ///
    /// Capital letters are points of boards larger than 26. On smaller boards they are read as
    /// small letters.
    #[inline]
    pub(crate) fn on_board_or_reported(&mut self, point: Point, offset: usize) -> Coordinates {
        let size = self.reading.record.header.size;
        match classify(point, size) {
            Coordinates::OffBoard(point) => self.capital(point, offset),
            on_board => on_board,
        }
    }

    /// Reads a point off the board as small letters if these are a point of the board.
    #[cold]
    fn capital(&mut self, point: Point, offset: usize) -> Coordinates {
        let Some(lowered) = with_small_letters(point, self.reading.record.header.size) else {
            return Coordinates::OffBoard(point);
        };
        self.note(Code::OddCoordinates, offset, format!("{point} is read as {lowered}"));
        Coordinates::Play(lowered)
    }
}

/// Converts a point off the board to small letters; `None` if the board is so large that capitals
/// are points of it.
pub fn with_small_letters(point: Point, size: BoardSize) -> Option<Point> {
    let lowered = Point::new(point.x() % 26, point.y() % 26);
    (size.width() <= 26 && size.height() <= 26 && size.contains(lowered)).then_some(lowered)
}

/// Returns the meaning of two letters. FF[3] writes a pass as `tt`, which is a point only on boards
/// larger than 19x19.
#[inline]
fn classify(point: Point, size: BoardSize) -> Coordinates {
    if size.contains(point) {
        Coordinates::Play(point)
    } else if (point.x(), point.y()) == (19, 19) && size.width() <= 19 && size.height() <= 19 {
        Coordinates::Pass
    } else {
        Coordinates::OffBoard(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitter::GameText;

    fn coordinates(value: &str) -> Option<Coordinates> {
        let text = format!("(;GM[1]SZ[9];B[{value}])");
        let reading = crate::Reading::from_text(&GameText::from_sgf(&text));
        reading.record.turns().next().map(|(_, coordinates)| coordinates)
    }

    #[test]
    fn blanks_and_capitals_together_name_the_same_point() {
        for value in ["dc", "DC", "Dc", " dc", "d c", " DC", "D C", "Dc\n", "D7", " d 7"] {
            assert_eq!(coordinates(value), Some(Coordinates::Play(Point::new(3, 2))), "{value:?}");
        }
        for value in ["tt", " tt", "T T", "", " ", " Pass"] {
            let is_pass = coordinates(value) == Some(Coordinates::Pass);
            assert_eq!(is_pass, value != "T T", "{value:?}");
        }
    }
}
