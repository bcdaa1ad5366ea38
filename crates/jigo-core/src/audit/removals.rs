//! Search for groups that the players forgot to remove at the end, or removed although they live.
//!
//! Players mark dead stones by hand. A forgotten mark leaves a dead group on the board, so the
//! opponent's territory around it counts for no one; a wrong mark gives a living group away.

use super::cause::Cause;
use jigo_rules::board::{BoardSize, Point, Position};
use jigo_score::{Counts, Ending};

/// The largest number of dead groups of which pairs are tried.
const MAX_PAIRED_GROUPS: usize = 12;

/// Returns the fewest groups whose other treatment gives the recorded result.
///
/// One dead group comes before two, and two before one living group. Many pairs and living groups
/// are possible, so a match is often chance: they count only if no other one matches.
pub(super) fn wrong_removals(
    position: &Position,
    ending: &Ending,
    matches_recorded: impl Fn(&Counts) -> bool,
) -> Option<Cause> {
    let removals = Removals { position, ending };
    let matches_dead = |dead: &[Point]| matches_recorded(&Counts::from_position(position, dead));
    let (size, dead_groups) = (position.size(), removals.dead_groups());
    let left = |groups: &[&Vec<Point>]| Cause::DeadStonesLeft(names(groups, size));
    if let Some(group) = dead_groups.iter().find(|group| matches_dead(&removals.without(&[group]))) {
        return Some(left(&[group]));
    }
    let paired = &dead_groups[..dead_groups.len().min(MAX_PAIRED_GROUPS)];
    let pairs = paired.iter().enumerate().flat_map(|(index, first)| {
        paired[index + 1..].iter().filter(move |second| !second.contains(&first[0])).map(move |second| (first, second))
    });
    let pairs = pairs.filter(|(first, second)| matches_dead(&removals.without(&[first, second])));
    if let Some((first, second)) = only(pairs) {
        return Some(left(&[first, second]));
    }
    let living_groups = removals.living_groups();
    let taken = only(living_groups.iter().filter(|group| matches_dead(&removals.with(group))))?;
    Some(Cause::LivingStonesTaken(names(&[taken], size)))
}

/// Returns the only item, or `None` if there is none or several.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// Returns a stone of each group.
fn names(groups: &[&Vec<Point>], size: BoardSize) -> Vec<String> {
    groups.iter().filter_map(|group| Some(group.iter().min()?.to_a1(size))).collect()
}

/// A final position whose dead stones may have been removed wrongly.
struct Removals<'a> {
    position: &'a Position,
    ending: &'a Ending,
}

impl Removals<'_> {
    fn is_dead(&self, point: Point) -> bool {
        self.ending.dead.binary_search(&point).is_ok()
    }

    /// Returns the dead chains, and after them the groups of several dead chains of a colour that
    /// no living stone separates.
    fn dead_groups(&self) -> Vec<Vec<Point>> {
        let chains = self.position.chains(&self.ending.dead);
        let mut groups: Vec<Vec<Point>> = Vec::new();
        for chain in &chains {
            if groups.iter().any(|group| group.contains(&chain[0])) {
                continue;
            }
            let group = self.group(chain[0]);
            if group.len() > chain.len() {
                groups.push(group);
            }
        }
        [chains, groups].concat()
    }

    /// Returns the living groups, as players mark them.
    fn living_groups(&self) -> Vec<Vec<Point>> {
        let is_alive = |point: &Point| self.position.stone(*point).is_some() && !self.is_dead(*point);
        let mut groups: Vec<Vec<Point>> = Vec::new();
        for stone in self.position.size().iter().filter(is_alive) {
            if !groups.iter().any(|group| group.contains(&stone)) {
                groups.push(self.group(stone));
            }
        }
        groups
    }

    /// Returns the stones that servers mark together with a stone: those of its colour and status
    /// that are connected by points without living stones of the other colour.
    fn group(&self, start: Point) -> Vec<Point> {
        let (color, status) = (self.position.stone(start), self.is_dead(start));
        let is_passable = |point: Point| match self.position.stone(point) {
            None => true,
            stone if stone == color => status == self.is_dead(point),
            Some(_) => self.is_dead(point),
        };
        let (mut reached, mut next) = (vec![start], 0);
        while let Some(&point) = reached.get(next) {
            next += 1;
            for neighbour in self.position.neighbours(point) {
                if is_passable(neighbour) && !reached.contains(&neighbour) {
                    reached.push(neighbour);
                }
            }
        }
        reached.retain(|point| self.position.stone(*point) == color && self.is_dead(*point) == status);
        reached
    }

    /// Returns the dead stones without some groups.
    fn without(&self, groups: &[&Vec<Point>]) -> Vec<Point> {
        let is_left = |point: &&Point| groups.iter().any(|group| group.contains(point));
        self.ending.dead.iter().filter(|point| !is_left(point)).copied().collect()
    }

    /// Returns the dead stones with a chain added, sorted.
    fn with(&self, chain: &[Point]) -> Vec<Point> {
        let mut dead = [&self.ending.dead[..], chain].concat();
        dead.sort_unstable();
        dead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::Tally;
    use jigo_rules::board::diagram::read;

    /// Returns the cause of a territory margin on a board with two dead stones, A2 and F2.
    fn cause_of(margin: i32) -> Option<String> {
        let position = read(". . X O . .\nO . X O . X\n. . X O . .").unwrap();
        let ending = Ending::given(vec![Point::new(0, 1), Point::new(5, 1)]);
        assert_eq!(ending.counts(&position).territory_margin(&Tally::default()), 0);
        let matches_recorded = |counts: &Counts| counts.territory_margin(&Tally::default()) == margin;
        wrong_removals(&position, &ending, matches_recorded).map(|cause| cause.to_string())
    }

    #[test]
    fn forgotten_and_wrong_removals_are_named_by_a_stone() {
        assert_eq!(cause_of(-7).unwrap(), "dead stones left: A2");
        assert_eq!(cause_of(7).unwrap(), "dead stones left: F2");
        assert_eq!(cause_of(-18).unwrap(), "living stones taken off: C3");
        assert_eq!(cause_of(3), None);
    }

    #[test]
    fn two_forgotten_groups_are_named_together() {
        let position = read(". . X . O . .\nO . X X O . .\n. . X . X . .\nX X X X X X X\nO . X . . . .").unwrap();
        let dead = vec![Point::new(0, 1), Point::new(0, 4)];
        let left = Counts::from_position(&position, &[]);
        let cause = wrong_removals(&position, &Ending::given(dead), |counts| *counts == left);
        assert_eq!(cause.unwrap().to_string(), "dead stones left: A4 and A1");
    }
}
