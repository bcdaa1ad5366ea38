//! Fights: living groups without two eyes. A race decides which of them live, and playouts judge
//! races badly.
//!
//! A seki needs groups of both colours that cannot capture each other. An estimate in which a group
//! lives without two eyes is therefore confident only if a search of the race proves the seki or
//! another status.

mod race;
mod race_board;
mod unsettled;

use super::Counts;
use super::dead_stones::{DeadSource, Ending};
use super::playout::forces_reinforcement;
use super::seki::Territory;
use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, with_words};
use crate::shape::territory::FloodedTerritory;
use jigo_rules::board::{Color, Point, Position};
use race::{Proof, Race};
use unsettled::unsettled_gains;

/// The minimum number of stones of a group for which other outcomes of its fights are examined.
const LARGE_GROUP: u32 = 5;
/// The maximum number of other outcomes to examine.
const MAX_OUTCOMES: usize = 16;
/// The maximum confidence of an estimate with a fight in which the search disagrees or proves
/// nothing. It is below the confidence that contradicts a result.
const UNDECIDED: f32 = 0.8;
/// The confidence from which the search examines no dead groups.
///
/// In 8,874 counted games that a network confirms, no estimate above it has a wrong dead group.
const SURE: f32 = 0.99;

impl Ending {
    /// Searches the fights of an estimate: groups that live without two eyes, and unsettled ones.
    ///
    /// If the search proves another status, the ending gets the dead stones of the proof, and
    /// `counts` are theirs. This lowers the confidence, because players sometimes miss the tactic.
    /// The confidence is also lower without a proof, and if the open dame force a reinforcement.
    pub fn checked_for_fights(self, position: &Position, counts: &mut Counts) -> Ending {
        if !self.source.is_estimate() || self.is_open || !self.is_confident(UNDECIDED) {
            return self;
        }
        let mut ending = self;
        let has_unsure_dead = counts.dead != [0, 0] && !ending.is_confident(SURE);
        if counts.seki_stones != [0, 0] || has_unsure_dead {
            let proven = with_words!(position.size(), proven_dead, position, &ending.dead, has_unsure_dead);
            if proven.as_ref() != Some(&ending.dead) {
                ending.confidence = Some(UNDECIDED);
            }
            if let Some(dead) = proven.filter(|dead| *dead != ending.dead) {
                ending.dead = dead;
                *counts = ending.counts(position);
            }
        }
        if counts.dame > 1 && forces_reinforcement(position, &ending.dead) {
            ending.confidence = Some(UNDECIDED);
        }
        let is_searched = ending.source != DeadSource::Static || !ending.is_confident(SURE);
        let gains = if is_searched { unsettled_gains(position, &ending.dead) } else { None };
        Ending {
            confidence: gains.and(Some(UNDECIDED)).or(ending.confidence),
            gains_of_first: gains.filter(|gains| *gains != [0, 0]),
            ..ending
        }
    }
}

/// Returns the dead stones, sorted, with which a search proves that no fight has a gain for the
/// player who moves first. Returns `None` without a proof.
///
/// A fight in which the estimate has a dead group needs no proof, but the search must not refute
/// its status. Such fights are examined if `has_unsure_dead`.
fn proven_dead<const W: usize>(position: &Position, dead: &[Point], has_unsure_dead: bool) -> Option<Vec<Point>> {
    let grid = Grid::<W>::new(position.size());
    let decided_territory = Territory::on(&grid, position, dead, &[]);
    let estimated = grid.cells(dead);
    let mut corrected = estimated;
    for race in races(&grid, &decided_territory) {
        let lost = |winner: Color| race.lost_by(winner.opponent().index(), &decided_territory, &estimated);
        let before = corrected;
        let proof = race.correct(&grid, position, &mut corrected, lost);
        if proof != Proof::Settled || corrected == before && race.is_lopsided(&decided_territory) {
            return None;
        }
    }
    let fights =
        if has_unsure_dead { dead_fights(&grid, position, &decided_territory, &estimated) } else { Vec::new() };
    for DeadFight { race, other_dead, .. } in fights {
        if let Proof::GainsFirst(_) = race.correct(&grid, position, &mut corrected, |_| other_dead) {
            return None;
        }
    }
    Some(grid.points(&corrected).iter().collect())
}

/// A fight of a dead group that lives without two eyes if it is not dead.
struct DeadFight<const W: usize> {
    /// The side of the group.
    side: usize,
    group: CellSet<W>,
    race: Race<W>,
    /// The dead stones without the group, and the territory if it lives.
    other_dead: CellSet<W>,
    other_territory: Territory<CellSet<W>>,
}

/// Returns the fights of large dead groups.
fn dead_fights<const W: usize>(
    grid: &Grid<W>,
    position: &Position,
    decided_territory: &Territory<CellSet<W>>,
    dead: &CellSet<W>,
) -> Vec<DeadFight<W>> {
    let mut fights = Vec::new();
    for side in [0, 1] {
        for region in grid.parts(decided_territory.flooded.territory[1 - side]) {
            let group = region.intersection(&decided_territory.flooded.dead[side]);
            if group.len() < LARGE_GROUP {
                continue;
            }
            let other_dead = dead.without(&group);
            let living = grid.points(&other_dead).iter().collect::<Vec<_>>();
            let other_territory = Territory::on(grid, position, &living, &[]);
            let of_group =
                races(grid, &other_territory).into_iter().filter(|race| race.stones[side].intersects(&group));
            fights.extend(of_group.map(|race| DeadFight {
                side,
                group,
                race,
                other_dead,
                other_territory: other_territory.clone(),
            }));
        }
    }
    fights
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
    for DeadFight { side, group, race, other_dead, other_territory } in
        dead_fights(&grid, position, &decided_territory, &all_dead)
    {
        if race.stones[1 - side].len() >= LARGE_GROUP {
            outcomes.extend(outcome(&group, &race.lost_by(1 - side, &other_territory, &other_dead)));
            outcomes.extend(outcome(&group, &other_dead));
        }
    }
    outcomes
}

impl<const W: usize> Race<W> {
    /// Returns true if only one side has stones at stake, or if only one has an eye. A group with an
    /// eye usually captures a group without one, so such a seki stays in doubt.
    fn is_lopsided(&self, decided_territory: &Territory<CellSet<W>>) -> bool {
        let has_eye = [0, 1].map(|side| {
            let eyes = decided_territory.seki[side].intersection(&decided_territory.flooded.territory[side]);
            eyes.intersects(&self.zone)
        });
        self.stones.iter().any(CellSet::is_empty) || has_eye[0] != has_eye[1]
    }

    /// Searches the race. If a player gains by playing first, and the search proves the count with
    /// the dead stones of `other`, then `dead` gets these stones of the zone.
    fn correct(
        &self,
        grid: &Grid<W>,
        position: &Position,
        dead: &mut CellSet<W>,
        other: impl Fn(Color) -> CellSet<W>,
    ) -> Proof {
        let prove = |dead: &CellSet<W>, is_strict: bool| {
            let dead: Vec<Point> = grid.points(dead).iter().collect();
            let lead = FloodedTerritory::on(grid, position, &dead).lead_inside(&self.zone);
            self.prove(grid, position, lead, is_strict)
        };
        match prove(dead, false) {
            Proof::GainsFirst(winner) if prove(&other(winner), true) == Proof::Settled => {
                *dead = dead.without(&self.zone).union(&other(winner).intersection(&self.zone));
                Proof::Settled
            }
            proof => proof,
        }
    }

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
    use jigo_rules::board::diagram::read;

    /// Searches the fights of an estimate with a confidence of 0.95. Returns its confidence and
    /// the number of dead stones of each colour.
    fn check(diagram: &str, dead: &[(u8, u8)]) -> (f32, [u32; 2]) {
        let position = read(diagram).unwrap();
        let dead: Vec<Point> = dead.iter().map(|&(x, y)| Point::new(x, y)).collect();
        let mut counts = Counts::from_position(&position, &dead);
        let ending = Ending { confidence: Some(0.95), ..Ending::without_estimate(dead, DeadSource::Playouts) };
        let checked = ending.checked_for_fights(&position, &mut counts);
        assert_eq!(counts, checked.counts(&position));
        (checked.confidence.unwrap(), counts.dead)
    }

    /// Returns a board on which a group of each colour shares two liberties, and White lives around
    /// both. `corner` is White's upper left point.
    fn fight(corner: char) -> String {
        format!("{corner} O . X O . O\nO O . X O O O\nX X X X O . O\nO O O O O O O\n. . . O . . .")
    }

    /// Each group has an eye, and the player who takes the second dame is captured.
    #[test]
    fn seki_that_a_search_proves_keeps_its_confidence() {
        assert_eq!(check(". X . O .\nX X . O O\nX X X O O\nX X X O O", &[]), (0.95, [0, 0]));
    }

    /// White has an eye and can fill the shared liberties.
    #[test]
    fn group_that_loses_its_race_is_dead() {
        assert_eq!(Counts::from_position(&read(&fight('.')).unwrap(), &[]).seki_stones, [6, 3]);
        assert_eq!(check(&fight('.'), &[]), (UNDECIDED, [6, 0]));
    }

    /// Black captures five stones, and White then kills on the middle of their points.
    #[test]
    fn group_that_dies_after_a_capture_is_dead() {
        assert_eq!(Counts::from_position(&read(&fight('O')).unwrap(), &[]).seki_stones, [6, 4]);
        assert_eq!(check(&fight('O'), &[]), (UNDECIDED, [6, 0]));
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
        assert_eq!(check(". . X O . .\n. . X O . .\n. . X O . .", &[]), (0.95, [0, 0]));
    }
}
