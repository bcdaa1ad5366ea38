//! Dead stones and seki as a person names them, such as a tournament director.

use super::count::Counts;
use super::dead_stones::{DeadSource, Ending};
use super::owner::{Owner, owners_with_seki};
use super::seki::{Territory, territory_with_seki};
use jigo_rules::board::{BoardSize, Point, Position};

/// The word for no stones.
const NONE: &str = "none";

/// The dead stones of a final position, and the stones in seki, as a person names them.
///
/// A stone names its whole chain. All chains that are not named as dead are alive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenStones {
    dead: Vec<String>,
    seki: Vec<String>,
}

/// The reason why named stones do not describe a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenStonesError {
    /// The text is not a point in any notation.
    #[error("'{0}' is not a point; write it as D4, or as an SGF pair such as dp")]
    NotAPoint(String),
    /// The board has no such point.
    #[error("{0} is not on the board of {1}")]
    OffBoard(String, BoardSize),
    /// There is no stone on the point.
    #[error("there is no stone on {0}")]
    Empty(String),
    /// The chain of the stone is named as dead and in seki.
    #[error("{0} is named as dead and as in seki")]
    DeadAndInSeki(String),
}

impl GivenStones {
    /// Reads two lists of stones.
    ///
    /// Points are written as on the board (`D4`) or as SGF pairs (`dp`), with commas, semicolons or
    /// blanks between. `none` or an empty list names no stone.
    ///
    /// ```
    /// use jigo_rules::{Point, diagram};
    /// use jigo_score::GivenStones;
    ///
    /// let position = diagram::read("O X . O .\nO X . O .").unwrap();
    /// let ending = GivenStones::new("A1", "none").ending(&position).unwrap();
    /// assert_eq!(ending.dead, [Point::new(0, 0), Point::new(0, 1)]);
    /// assert_eq!(ending.counts(&position).dead, [0, 2]);
    ///
    /// let error = GivenStones::new("C1", "").ending(&position).unwrap_err();
    /// assert_eq!(error.to_string(), "there is no stone on C1");
    /// ```
    pub fn new(dead: &str, seki: &str) -> GivenStones {
        GivenStones { dead: names(dead), seki: names(seki) }
    }

    /// Returns the ending that the names describe, with confidence 1.
    ///
    /// # Errors
    /// [`GivenStonesError`] names the first wrong point.
    pub fn ending(&self, position: &Position) -> Result<Ending, GivenStonesError> {
        let dead = whole_chains(position, &self.dead)?;
        let seki = whole_chains(position, &self.seki)?;
        match seki.iter().find(|point| dead.binary_search(point).is_ok()) {
            Some(point) => Err(GivenStonesError::DeadAndInSeki(point.to_a1(position.size()))),
            None => Ok(Ending { seki, ..Ending::given(dead) }),
        }
    }
}

fn names(text: &str) -> Vec<String> {
    let is_separator = |symbol: char| symbol == ',' || symbol == ';' || symbol.is_whitespace();
    let names = text.split(is_separator).filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(NONE));
    names.map(str::to_owned).collect()
}

/// Returns the stones of all chains that a name refers to, sorted.
fn whole_chains(position: &Position, names: &[String]) -> Result<Vec<Point>, GivenStonesError> {
    let mut stones: Vec<Point> = Vec::new();
    for name in names {
        let point = point(name, position.size())?;
        if position.stone(point).is_none() {
            return Err(GivenStonesError::Empty(name.clone()));
        }
        if !stones.contains(&point) {
            stones.extend(position.chain(point));
        }
    }
    stones.sort_unstable();
    Ok(stones)
}

/// Returns the point with this name: two letters of an SGF pair, or letters and digits.
fn point(name: &str, size: BoardSize) -> Result<Point, GivenStonesError> {
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = name.bytes().skip(letters).filter(u8::is_ascii_digit).count();
    let found = match (name.as_bytes(), letters, digits) {
        ([column, row], 2, 0) => Point::from_sgf(*column, *row).filter(|point| size.contains(*point)),
        (_, 1..=3, 1..) if letters + digits == name.len() => Point::from_a1(name, size),
        _ => return Err(GivenStonesError::NotAPoint(name.to_owned())),
    };
    found.ok_or_else(|| GivenStonesError::OffBoard(name.to_owned(), size))
}

impl Ending {
    /// Returns the ending with the dead stones that a person gives.
    pub fn given(dead: Vec<Point>) -> Ending {
        Ending { confidence: Some(1.0), ..Ending::without_estimate(dead, DeadSource::Provided) }
    }

    /// Returns the ending with the stones in doubt that another ending has otherwise.
    #[must_use]
    pub fn doubted_by(mut self, other: &Ending) -> Ending {
        let is_in = |dead: &[Point], point: &&Point| dead.binary_search(point).is_ok();
        let (more, less) = (other.dead.iter(), self.dead.iter());
        let more = more.filter(|point| !is_in(&self.dead, point) && !is_in(&self.seki, point));
        let less = less.filter(|point| !is_in(&other.dead, point));
        self.doubtful = more.chain(less).copied().collect();
        self.doubtful.sort_unstable();
        self
    }

    /// Counts a position with this ending.
    pub fn counts(&self, position: &Position) -> Counts {
        Counts::with_seki(position, &self.dead, &self.seki)
    }

    /// Returns the territory of a position with this ending.
    pub fn territory(&self, position: &Position) -> Territory {
        territory_with_seki(position, &self.dead, &self.seki)
    }

    /// Returns the owner of each point of a position with this ending, row by row.
    pub fn owners(&self, position: &Position) -> Vec<Owner> {
        owners_with_seki(position, &self.dead, &self.seki)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    fn board() -> Position {
        read("O X . O .\nO X . O .\n. X . O X").unwrap()
    }

    fn error(dead: &str, seki: &str) -> String {
        GivenStones::new(dead, seki).ending(&board()).unwrap_err().to_string()
    }

    #[test]
    fn both_notations_name_whole_chains() {
        let expected = [Point::new(0, 0), Point::new(0, 1), Point::new(4, 2)];
        for names in ["A3,E1", "a2 e1", "aa;ec", "ab, E1, aa, E1"] {
            let ending = GivenStones::new(names, "").ending(&board()).unwrap();
            assert_eq!(ending.dead, expected, "{names}");
            assert_eq!((ending.source, ending.confidence), (DeadSource::Provided, Some(1.0)));
        }
        assert_eq!(GivenStones::new("none", "none").ending(&board()).unwrap().dead, []);
    }

    #[test]
    fn wrong_names_are_reported() {
        assert_eq!(error("C1", ""), "there is no stone on C1");
        assert_eq!(error("A3,cc", ""), "there is no stone on cc");
        assert_eq!(error("F1", ""), "F1 is not on the board of 5x3");
        assert_eq!(error("A0", ""), "A0 is not on the board of 5x3");
        assert_eq!(error("fa", ""), "fa is not on the board of 5x3");
        assert!(error("D", "").starts_with("'D' is not a point"));
        assert_eq!(error("I1", ""), "I1 is not on the board of 5x3");
        assert_eq!(error("A3", "A2"), "A3 is named as dead and as in seki");
    }

    /// Both corner groups have two eyes, so by shape neither is in seki.
    #[test]
    fn named_seki_excludes_eyes_from_territory() {
        let position = read(". X . O . O .\nX X . O O O O\n. X . O O O O").unwrap();
        let by_shape = GivenStones::new("", "").ending(&position).unwrap();
        assert_eq!(by_shape.counts(&position).territory_outside_seki, [2, 2]);
        let named = GivenStones::new("none", "D1").ending(&position).unwrap();
        let counts = named.counts(&position);
        assert_eq!((counts.territory, counts.territory_outside_seki, counts.seki), ([2, 2], [2, 0], [0, 2]));
        let signs: String = named.owners(&position).into_iter().map(Owner::sign).collect();
        assert_eq!(signs, "BB.wwwwBB.wwwwBB.wwww");
    }
}
