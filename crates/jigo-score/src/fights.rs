//! Fights: living groups without two eyes. A race decides which of them live, and playouts judge
//! races badly.
//!
//! A seki needs groups of both colours that cannot capture each other. An estimate in which a group
//! lives without two eyes is therefore confident only if a search of the race proves the seki.

use super::Counts;
use super::dead_stones::Ending;
use super::playout::{Race, forces_reinforcement};
use super::seki::Territory;
use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, with_words};
use jigo_rules::board::{Color, Point, Position};

/// The minimum number of stones of a group for which other outcomes of its fights are examined.
const LARGE_GROUP: u32 = 5;
/// The maximum number of other outcomes to examine.
const MAX_OUTCOMES: usize = 16;
/// The maximum confidence of an estimate with a fight that no search decides. It is below the
/// confidence that contradicts a result.
const UNDECIDED: f32 = 0.8;

impl Ending {
    /// Lowers the confidence of an estimate if a group lives without two eyes and no search proves
    /// the seki, or if the open dame force a reinforcement.
    pub fn checked_for_fights(self, position: &Position, counts: &Counts) -> Ending {
        let needs_check = self.source.is_estimate() && !self.is_open && self.is_confident(UNDECIDED);
        let has_fight =
            || counts.seki_stones != [0, 0] && !with_words!(position.size(), are_all_seki, position, &self.dead);
        let is_open = || counts.dame > 1 && forces_reinforcement(position, &self.dead);
        if !needs_check || !(has_fight() || is_open()) {
            return self;
        }
        Ending { confidence: Some(UNDECIDED), ..self }
    }
}

/// Returns true if a search proves that every race on the board is a seki.
///
/// A group with an eye usually captures a group without one, since it can fill the liberties that
/// they share. Such a seki rests on a tactic that the search may miss, so it stays in doubt.
fn are_all_seki<const W: usize>(position: &Position, dead: &[Point]) -> bool {
    let grid = Grid::<W>::new(position.size());
    let decided_territory = Territory::on(&grid, position, dead, &[]);
    races(&grid, &decided_territory).iter().all(|race| {
        let has_eye = [0, 1].map(|side| {
            let eyes = decided_territory.seki[side].intersection(&decided_territory.flooded.territory[side]);
            eyes.intersects(&race.zone)
        });
        race.stones.iter().all(|stones| !stones.is_empty()) && has_eye[0] == has_eye[1] && race.is_seki(position)
    })
}

/// Returns the groups without two eyes that touch each other or the same dame, with the points
/// between them.
fn races<const W: usize>(grid: &Grid<W>, decided_territory: &Territory<CellSet<W>>) -> Vec<Race<W>> {
    let in_seki = decided_territory.seki[0].union(&decided_territory.seki[1]);
    let adjacent: CellSet<W> = grid
        .parts(decided_territory.flooded.dame)
        .filter(|dame| grid.dilate(dame).intersects(&in_seki))
        .fold(CellSet::EMPTY, |all, dame| all.union(&dame));
    let stones_of = |zone: &CellSet<W>| {
        Color::BOTH.map(|color| {
            let side = color.index();
            zone.intersection(&decided_territory.seki[side]).intersection(&decided_territory.flooded.stones[side])
        })
    };
    let zones = grid.parts(in_seki.union(&adjacent));
    zones.map(|zone| Race { zone, stones: stones_of(&zone) }).collect()
}

/// The dead stones in case one fight has the other outcome.
pub struct OtherOutcome {
    /// A stone of the group with the other status.
    pub stone: Point,
    /// All dead stones, sorted.
    pub dead: Vec<Point>,
}

/// Returns the other outcomes of the fights between large groups: of fights that are seki, and of
/// fights in which one side loses its group.
pub fn other_outcomes(position: &Position, dead: &[Point]) -> Vec<OtherOutcome> {
    let mut found = with_words!(position.size(), outcomes, position, dead);
    found.truncate(MAX_OUTCOMES);
    found
}

fn outcomes<const W: usize>(position: &Position, dead: &[Point]) -> Vec<OtherOutcome> {
    let grid = Grid::<W>::new(position.size());
    let decided_territory = Territory::on(&grid, position, dead, &[]);
    let all_dead = grid.cells(dead);
    let outcome = |group: &CellSet<W>, dead: &CellSet<W>| {
        Some(OtherOutcome { stone: grid.point(group.first()?), dead: grid.points(dead).iter().collect() })
    };
    let mut outcomes = Vec::new();
    for race in races(&grid, &decided_territory) {
        for side in [0, 1].into_iter().filter(|side| race.stones[*side].len() >= LARGE_GROUP) {
            outcomes.extend(outcome(&race.stones[side], &race.lost_by(side, &decided_territory, &all_dead)));
        }
    }
    for owner in [0, 1] {
        for region in grid.parts(decided_territory.flooded.territory[owner]) {
            let group = region.intersection(&decided_territory.flooded.dead[1 - owner]);
            if group.len() < LARGE_GROUP {
                continue;
            }
            let other_dead = all_dead.without(&group);
            let without_group =
                Territory::on(&grid, position, &grid.points(&other_dead).iter().collect::<Vec<_>>(), &[]);
            let is_of_group =
                |race: &Race<W>| race.stones[1 - owner].intersects(&group) && race.stones[owner].len() >= LARGE_GROUP;
            for race in races(&grid, &without_group).into_iter().filter(is_of_group) {
                outcomes.extend(outcome(&group, &race.lost_by(owner, &without_group, &other_dead)));
                outcomes.extend(outcome(&group, &other_dead));
            }
        }
    }
    outcomes
}

impl<const W: usize> Race<W> {
    /// Returns the dead stones in case this side loses its stones at stake. Dead stones of the
    /// other side inside the zone then live.
    fn lost_by(&self, side: usize, decided_territory: &Territory<CellSet<W>>, dead: &CellSet<W>) -> CellSet<W> {
        let captured_enemies = decided_territory.flooded.dead[1 - side].intersection(&self.zone);
        dead.without(&captured_enemies).union(&self.stones[side])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeadSource;
    use jigo_rules::board::diagram::read;

    /// The confidence of an estimate of 0.99 after the search of its fights.
    fn confidence(diagram: &str) -> f32 {
        let position = read(diagram).unwrap();
        let ending = Ending { confidence: Some(0.99), ..Ending::without_estimate(Vec::new(), DeadSource::Playouts) };
        ending.checked_for_fights(&position, &Counts::from_position(&position, &[])).confidence.unwrap()
    }

    /// Returns a board on which a group of each colour shares two liberties, and White lives around
    /// both. `corner` is White's upper left point.
    fn fight(corner: char) -> String {
        format!("{corner} O . X O . O\nO O . X O O O\nX X X X O . O\nO O O O O O O\n. . . O . . .")
    }

    #[test]
    fn seki_that_a_search_proves_keeps_its_confidence() {
        // The player who takes a shared liberty is captured.
        assert_eq!(Counts::from_position(&read(&fight('O')).unwrap(), &[]).seki_stones, [6, 4]);
        assert_eq!(confidence(&fight('O')), 0.99);
    }

    #[test]
    fn race_that_one_side_wins_is_not_confident() {
        // White has an eye and can fill the shared liberties.
        assert_eq!(Counts::from_position(&read(&fight('.')).unwrap(), &[]).seki_stones, [6, 3]);
        assert_eq!(confidence(&fight('.')), UNDECIDED);
    }

    #[test]
    fn seki_of_a_group_with_an_eye_against_one_without_is_in_doubt() {
        let diagram = ". O . X O . O\nX O O X O O O\n. X X X O . O\nX X X X O O O\nO O O O O . .";
        assert_eq!(Counts::from_position(&read(diagram).unwrap(), &[]).seki, [1, 0]);
        assert_eq!(confidence(diagram), UNDECIDED);
    }

    #[test]
    fn other_outcomes_name_the_groups_of_a_fight() {
        let position = read(&fight('.')).unwrap();
        let outcomes = other_outcomes(&position, &[]);
        assert_eq!(outcomes.len(), 1);
        let black: Vec<Point> = [(3, 0), (3, 1), (0, 2), (1, 2), (2, 2), (3, 2)].map(|(x, y)| Point::new(x, y)).into();
        assert_eq!(outcomes[0].dead, black);
        assert!(other_outcomes(&read(". . X O . .").unwrap(), &[]).is_empty());
    }

    #[test]
    fn endings_without_fights_keep_their_confidence() {
        assert_eq!(confidence(". . X O . .\n. . X O . .\n. . X O . ."), 0.99);
    }
}
