//! The owner of each point of a counted ending.

use super::count::Counts;
use super::seki::territory_with_seki;
use jigo_rules::board::{Color, Point, Position};

/// The owner of a point after the removal of dead stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A living stone of this colour, or a point that only this colour surrounds.
    Owned(Color),
    /// The same for a group in seki. It counts as area, and as territory only under rules that
    /// count eyes in seki.
    InSeki(Color),
    /// A point that touches both colours or neither.
    Neither,
}

impl Owner {
    /// Returns `B` or `W`, `b` or `w` for groups in seki, and `.` for points without an owner.
    pub const fn sign(self) -> char {
        match self {
            Owner::Owned(Color::Black) => 'B',
            Owner::Owned(Color::White) => 'W',
            Owner::InSeki(Color::Black) => 'b',
            Owner::InSeki(Color::White) => 'w',
            Owner::Neither => '.',
        }
    }
}

/// Returns the owner of each point, row by row from the top left. `dead` must contain all dead
/// stones.
///
/// The sums are equal to the [`Counts`] of the same position.
pub fn owners(position: &Position, dead: &[Point]) -> Vec<Owner> {
    owners_with_seki(position, dead, &[])
}

/// Returns the owner of each point if the groups of the stones in `seki` live in seki.
pub(crate) fn owners_with_seki(position: &Position, dead: &[Point], seki: &[Point]) -> Vec<Owner> {
    let decided_territory = territory_with_seki(position, dead, seki);
    let owner = |point: Point| {
        let is_owned_by = |color: &Color| {
            let side = color.index();
            decided_territory.flooded.stones[side].contains(point)
                || decided_territory.flooded.territory[side].contains(point)
        };
        match Color::BOTH.into_iter().find(is_owned_by) {
            Some(color) if decided_territory.seki[color.index()].contains(point) => Owner::InSeki(color),
            Some(color) => Owner::Owned(color),
            None => Owner::Neither,
        }
    };
    position.size().iter().map(owner).collect()
}

impl Counts {
    /// Returns the area of each colour, Black first: living stones and points that only this colour
    /// surrounds.
    pub fn area(&self) -> [u32; 2] {
        [0, 1].map(|side| self.stones[side] + self.territory[side])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seki::territory;
    use jigo_rules::board::diagram::read;

    fn signs(board: &str, dead: &[Point]) -> String {
        owners(&read(board).unwrap(), dead).into_iter().map(Owner::sign).collect()
    }

    #[test]
    fn dead_stones_belong_to_captor_and_dame_to_neither() {
        let board = ". . O . X . O . . .\n. . . . X . O . . .\n. . . . X . O . . .";
        assert_eq!(signs(board, &[Point::new(2, 0)]), "BBBBB.WWWW".repeat(3));
        assert_eq!(signs(". .\n. .", &[]), "....");
    }

    /// Both corner groups share the dame between them, and each has one eye.
    #[test]
    fn groups_in_seki_have_separate_signs() {
        let board = ". X . O .\nX X . O O\nO O O X X\n. O . . X\n";
        let position = read(board).unwrap();
        let decided_territory = territory(&position, &[]);
        let owners = owners(&position, &[]);
        let in_seki = owners.iter().filter(|owner| matches!(owner, Owner::InSeki(_))).count();
        assert_eq!(in_seki, decided_territory.seki[0].len() + decided_territory.seki[1].len());
        assert!(in_seki > 0);
    }
}
