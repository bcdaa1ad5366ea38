//! Groups in doubt, and which hypothesis about their life makes the more plausible game.
//!
//! Whoever is far behind resigns, so that of the two hypotheses about a group in doubt the one that leaves the game close is the more
//! probable (`prior.rs`). Where playouts and search prefer the other one, and not by far, search goes on around the group.
//! Then of all hypotheses about the groups together the one is taken whose probability times the plausibility of its lead is
//! the largest. That is Bayes' rule with a prior much milder than the counts of real games would give.

use super::confidence::{confidence, decided};
use super::ownership::Ownership;
use super::prior::plausible;
use super::zone::zone;
use crate::board::{BoardSize, Color, Point, Position};
use crate::score::territory::flooded;
use std::cmp::Reverse;

/// Chains that their own colour, or the other, holds more often than this, in percent, are beyond doubt.
const SURE: i64 = 60;
/// Stones of the largest chain of a group that is large enough to matter.
const LARGE: usize = 4;
/// Groups that are looked at, the largest first.
const MOST: usize = 4;
/// How many times smaller the odds of a hypothesis with a more plausible lead may be for search to look into it.
const NEAR: f64 = 7.0;

/// Chains that stand or fall together: those in doubt within one zone.
struct Group {
    chains: Vec<usize>,
    /// Its largest chain, whose status is the group's.
    largest: usize,
}

/// Turns over the groups whose other status is the more probable for the lead that it makes. `settled` are the dead stones
/// beside those of the chains. Only on 19x19: how far from even counted games end was measured there.
pub(super) fn weigh_hypotheses<const W: usize>(
    ownership: &mut Ownership<W>,
    position: &Position,
    settled: &[Point],
    next: Color,
) {
    if position.size() != BoardSize::standard() {
        return;
    }
    let mut groups = groups_in_doubt(ownership);
    if groups.is_empty() {
        return;
    }
    let mut odds = hypotheses(ownership, position, settled, &groups);
    let is_rival = |n: &usize| odds[*n].plausible >= odds[0].plausible && odds[*n].odds() * NEAR > odds[0].odds();
    let rivals = (1..odds.len()).filter(is_rival).fold(0, |turned, n| turned | n);
    if rivals != 0 {
        for group in turned(&groups, rivals) {
            ownership.search_around(group.largest, next, ownership.effort.rival_simulations);
        }
        groups = groups_in_doubt(ownership);
        odds = hypotheses(ownership, position, settled, &groups);
    }
    let best = (0..odds.len()).fold(0, |best, n| if odds[n].odds() > odds[best].odds() { n } else { best });
    turned(&groups, best).flat_map(|group| &group.chains).for_each(|&chain| ownership.turn_over(chain));
}

/// One status for each of the groups.
struct Hypothesis {
    /// The probability of its statuses.
    probability: f64,
    /// How plausible the lead is that it makes.
    plausible: f64,
}

impl Hypothesis {
    fn odds(&self) -> f64 {
        self.probability * self.plausible
    }
}

/// The groups that a hypothesis turns over: the bits of its number.
fn turned(groups: &[Group], hypothesis: usize) -> impl Iterator<Item = &Group> {
    groups.iter().enumerate().filter(move |(index, _)| hypothesis >> index & 1 == 1).map(|(_, group)| group)
}

/// The groups in doubt, the one with the largest chain first.
fn groups_in_doubt<const W: usize>(ownership: &Ownership<W>) -> Vec<Group> {
    let in_doubt = |head: &usize| ownership.decisive(*head) == *head && ownership.status(*head).abs() < SURE;
    let mut left: Vec<usize> = ownership.heads().filter(in_doubt).collect();
    let mut groups = Vec::new();
    while let Some(&first) = left.first() {
        let zone = zone(ownership, first);
        let (chains, others): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|chain| zone.contains(chain));
        let largest = chains.iter().copied().max_by_key(|&chain| ownership.stones(chain)).unwrap_or(first);
        groups.push(Group { chains, largest });
        left = others;
    }
    groups.retain(|group| ownership.stones(group.largest) >= LARGE);
    groups.sort_by_key(|group| Reverse(ownership.stones(group.largest)));
    groups.truncate(MOST);
    groups
}

/// All hypotheses about the groups. The first one is what the statuses say, and the bits of the others' numbers are the groups
/// that they turn over.
fn hypotheses<const W: usize>(
    ownership: &Ownership<W>,
    position: &Position,
    settled: &[Point],
    groups: &[Group],
) -> Vec<Hypothesis> {
    let right = |group: &Group| {
        let decided = decided(ownership.status(group.largest), ownership.stones(group.largest));
        f64::from(confidence(decided)).max(0.5)
    };
    let hypothesis = |number: usize| {
        let turned: Vec<&Group> = turned(groups, number).collect();
        let of_turned: f64 = turned.iter().map(|group| (1.0 - right(group)) / right(group)).product();
        let is_turned = |chain| turned.iter().any(|group| group.chains.contains(&ownership.decisive(chain)));
        let is_dead = |&chain: &usize| (ownership.status(chain) < 0) != is_turned(chain);
        let dead = ownership.heads().filter(is_dead).flat_map(|chain| ownership.points(chain));
        let count = flooded(position, &settled.iter().copied().chain(dead).collect::<Vec<_>>());
        let lead = count.area(Color::Black) as i64 - count.area(Color::White) as i64;
        Hypothesis { probability: groups.iter().map(right).product::<f64>() * of_turned, plausible: plausible(lead) }
    };
    (0..1 << groups.len()).map(hypothesis).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;
    use crate::score::known::Known;

    /// Two halves of a board, a wall of each colour between them, and seven white stones in Black's half that are in doubt
    /// but rather alive. Whether they die in the end.
    fn dies_in_doubt(size: usize) -> bool {
        let half = size / 2;
        let row = |y: usize| {
            let cell = |x: usize| match x {
                x if x == half - 1 => 'X',
                x if x == half + 1 => 'O',
                2 if (4..11).contains(&y) => 'O',
                _ => '.',
            };
            (0..size).map(cell).collect::<String>()
        };
        let position = read(&(0..size).map(row).collect::<Vec<_>>().join("\n")).unwrap();
        let mut ownership = Ownership::<7>::new(&position, &Known::proved(&position), &Default::default());
        ownership.play(Color::Black);
        let lone = ownership.heads().min_by_key(|&chain| ownership.stones(chain)).unwrap();
        ownership.turn_over(lone);
        if ownership.status(lone) < 0 {
            ownership.turn_over(lone);
        }
        weigh_hypotheses(&mut ownership, &position, &[], Color::Black);
        ownership.status(lone) < 0
    }

    #[test]
    fn a_group_in_doubt_that_makes_the_game_lopsided_is_dead_where_it_was_measured() {
        assert!(dies_in_doubt(19));
        assert!(!dies_in_doubt(18));
    }
}
