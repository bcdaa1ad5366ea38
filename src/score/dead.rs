//! Which stones are dead, and who says so.

use super::settled::settled;
use crate::board::{Color, Point, Position};
use crate::record::MarkedTerritory;

/// Who decided which stones are dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadSource {
    /// The record's TB and TW.
    Markup,
    /// The position: nothing is left to decide.
    Settled,
}

impl DeadSource {
    /// The word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            DeadSource::Markup => "markup",
            DeadSource::Settled => "settled",
        }
    }
}

/// The dead stones of a final position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The dead stones, sorted.
    pub dead: Vec<Point>,
    /// Who says so.
    pub source: DeadSource,
}

impl Ending {
    /// Decides by markup, then by what the position settles; `None` when neither does.
    ///
    /// TB and TW mean territory or area, depending on the rules, so only opposing stones inside them say anything: they are dead.
    pub fn decide(position: &Position, markup: Option<&MarkedTerritory>) -> Option<Ending> {
        if let Some(markup) = markup {
            let holds =
                |point: &Point, color| position.size().contains(*point) && position.stone(*point) == Some(color);
            let black = markup.white.iter().filter(|point| holds(point, Color::Black));
            let white = markup.black.iter().filter(|point| holds(point, Color::White));
            let mut dead: Vec<Point> = black.chain(white).copied().collect();
            dead.sort();
            dead.dedup();
            return Some(Ending { dead, source: DeadSource::Markup });
        }
        settled(position).map(|dead| Ending { dead, source: DeadSource::Settled })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    #[test]
    fn opposing_stones_in_marked_territory_are_dead_and_own_ones_are_not() {
        let position = read("X X . O\nX O . O").unwrap();
        let markup =
            MarkedTerritory { black: vec![Point::new(0, 0), Point::new(1, 1), Point::new(9, 9)], white: vec![] };
        let ending = Ending::decide(&position, Some(&markup)).unwrap();
        assert_eq!(ending, Ending { dead: vec![Point::new(1, 1)], source: DeadSource::Markup });
    }

    #[test]
    fn without_markup_only_a_settled_position_is_decided() {
        let settled = read(". X . X O .\nX X X X O O\nO O O O O .\n. O . O O O").unwrap();
        assert_eq!(Ending::decide(&settled, None).map(|ending| ending.source), Some(DeadSource::Settled));
        let open = read(". X . O .\n. X . O .").unwrap();
        assert_eq!(Ending::decide(&open, None), None);
    }
}
