//! Whose every point of a counted ending is.

use super::count::Counts;
use super::seki::territory;
use crate::board::{Color, Point, Position};

/// Whose a point is once the dead stones are off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A colour's living stone, or a point that it alone surrounds.
    Of(Color),
    /// The same of a group in seki: it counts for area, and for territory only where eyes in seki do.
    InSeki(Color),
    /// Nobody's: a point that touches both colours, or neither.
    Nobody,
}

impl Owner {
    /// `B`, `W`, `b` and `w` for groups in seki, `.` for nobody's.
    pub const fn sign(self) -> char {
        match self {
            Owner::Of(Color::Black) => 'B',
            Owner::Of(Color::White) => 'W',
            Owner::InSeki(Color::Black) => 'b',
            Owner::InSeki(Color::White) => 'w',
            Owner::Nobody => '.',
        }
    }
}

/// The owner of every point of a position of which `dead` are all the dead stones: row by row from the top, each from the left. They add up to the
/// [`Counts`] of the same position.
pub fn owners(position: &Position, dead: &[Point]) -> Vec<Owner> {
    let judged = territory(position, dead);
    let owner = |point: Point| {
        let holds = |color: &Color| {
            let side = color.index();
            judged.flooded.stones[side].contains(point) || judged.flooded.territory[side].contains(point)
        };
        match Color::BOTH.into_iter().find(holds) {
            Some(color) if judged.seki[color.index()].contains(point) => Owner::InSeki(color),
            Some(color) => Owner::Of(color),
            None => Owner::Nobody,
        }
    };
    position.size().iter().map(owner).collect()
}

impl Counts {
    /// A colour's area, Black's first: living stones and the points that it alone surrounds.
    pub fn area(&self) -> [u32; 2] {
        [0, 1].map(|side| self.stones[side] + self.territory[side])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    fn signs(board: &str, dead: &[Point]) -> String {
        owners(&read(board).unwrap(), dead).into_iter().map(Owner::sign).collect()
    }

    #[test]
    fn dead_stones_lie_on_points_of_their_captor_and_dame_are_nobodys() {
        let board = ". . O . X . O . . .\n. . . . X . O . . .\n. . . . X . O . . .";
        assert_eq!(signs(board, &[Point::new(2, 0)]), "BBBBB.WWWW".repeat(3));
        assert_eq!(signs(". .\n. .", &[]), "....");
    }

    /// Both corner groups share the dame between them, and each has one eye.
    #[test]
    fn groups_in_seki_have_signs_of_their_own() {
        let board = ". X . O .\nX X . O O\nO O O X X\n. O . . X\n";
        let position = read(board).unwrap();
        let judged = territory(&position, &[]);
        let owners = owners(&position, &[]);
        let in_seki = owners.iter().filter(|owner| matches!(owner, Owner::InSeki(_))).count();
        assert_eq!(in_seki, judged.seki[0].len() + judged.seki[1].len());
        assert!(in_seki > 0);
    }
}
