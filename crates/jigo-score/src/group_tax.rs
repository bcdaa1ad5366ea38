//! The living groups of both colours, from which the group tax is taken.
//!
//! KataGo (`tax ALL`) counts a maximal region without opposing stones if it contains no dame and no
//! chain in atari. This assumes that the players have filled all dame. Records often stop earlier,
//! and one open dame would hide every group that touches it. So this module treats each dame as
//! filled: it belongs to neither colour and separates groups. A shape without two eyes is seki.

use super::seki::Territory;
use crate::shape::cell_set::CellSet;
use crate::shape::grid::Grid;
use jigo_rules::board::Color;

/// The groups of one colour that live independently.
pub(super) struct LivingGroups {
    /// The number of groups.
    pub(super) count: u32,
    /// Empty points inside these groups, including those under dead stones.
    pub(super) territory: u32,
    /// True if the number of groups does not depend on the colour that fills the dame.
    pub(super) is_certain: bool,
}

impl LivingGroups {
    /// Finds the living groups of a position whose territory was judged.
    pub(super) fn new<const W: usize>(
        grid: &Grid<W>,
        decided_territory: &Territory<CellSet<W>>,
        color: Color,
    ) -> LivingGroups {
        let (stones, territory) =
            (decided_territory.flooded.stones[color.index()], decided_territory.flooded.territory[color.index()]);
        let living: Vec<CellSet<W>> = grid
            .parts(stones.union(&territory))
            .filter(|group| !group.intersection(&stones).without(&decided_territory.seki[color.index()]).is_empty())
            .collect();
        // The player who takes a dame between two groups joins them or separates them.
        let joins = |part: CellSet<W>| {
            let surroundings = grid.dilate(&part);
            living.iter().filter(|group| group.intersects(&surroundings)).nth(1).is_some()
        };
        LivingGroups {
            count: living.len() as u32,
            territory: living.iter().map(|group| group.intersection(&territory).len()).sum(),
            is_certain: !grid.parts(decided_territory.flooded.dame).any(joins),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Counts;
    use crate::count::{NoScore, score};
    use jigo_rules::board::diagram::read;
    use jigo_rules::{HalfPoints, Ruleset, Tally};

    /// The margin of a position without komi.
    fn margin(diagram: &str, rules: &str) -> Result<HalfPoints, NoScore> {
        let counts = Counts::from_position(&read(diagram).unwrap(), &[]);
        let ruleset: Ruleset = rules.parse().unwrap();
        let score = score(&counts, &Tally::default(), &ruleset.axes, Some(HalfPoints::ZERO));
        score.map(|score| score.black_minus_white())
    }

    const TWO_HALVES: &str = ". . X O . .\n. . X O . .\n. X . O . .\n. . X O . .\n. . X O . .";

    #[test]
    fn group_next_to_an_open_dame_keeps_its_territory() {
        // Black: 5 stones and 9 points. White: 5 stones and 10 points. Each pays for one group.
        assert_eq!(margin(TWO_HALVES, "stone"), Ok(HalfPoints::from_points(-1)));
        let filled = TWO_HALVES.replace(". X . O", ". X X O");
        assert_eq!(margin(&filled, "stone"), Ok(HalfPoints::ZERO));
        assert_eq!(margin(&TWO_HALVES.replace(". X . O", ". X O O"), "stone"), Ok(HalfPoints::from_points(-2)));
    }

    #[test]
    fn territory_under_the_tax_counts_the_same_groups() {
        assert_eq!(margin(TWO_HALVES, "ancient-territory"), Ok(HalfPoints::from_points(-1)));
    }

    #[test]
    fn groups_in_seki_pay_nothing_and_keep_their_stones() {
        // Each group has one eye, and they share the dame between them.
        let counts = Counts::from_position(&read(". X . O .\nX X . O O").unwrap(), &[]);
        assert_eq!((counts.groups, counts.group_territory, counts.are_groups_certain), ([0, 0], [0, 0], true));
    }

    #[test]
    fn dame_that_may_join_two_groups_leaves_the_tax_unsettled() {
        // Black's left and right groups have two eyes each, and meet at the dame in the middle.
        let joined = "O O O O O O O\n. X X O X X .\nX X X . X X X\n. X X O X X .\nO O O O O O O\n. . O . O . .";
        assert_eq!(margin(joined, "stone"), Err(NoScore::GroupsUncertain));
        assert!(margin(joined, "chinese").is_ok());
    }
}
