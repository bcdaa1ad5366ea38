//! Hypotheses about the life of groups in doubt, weighed by the plausibility of the resulting game.
//!
//! A player with a hopeless score resigns. So of two hypotheses about a group in doubt, the one
//! with the closer game is more probable (`prior.rs`). If playouts and search prefer the other one
//! by a small margin, search continues around the group.
//!
//! Then the most probable combined hypothesis about all groups is chosen: its probability times the
//! plausibility of its lead. This is Bayes' rule with a prior much milder than the scores of real
//! games suggest.

use super::confidence::{confidence, decision_degree};
use super::ownership::Ownership;
use super::prior::lead_plausibility;
use crate::shape::territory::flood_territory;
use jigo_rules::board::{BoardSize, Color, Point, Position};
use std::cmp::Reverse;

/// Chains that one colour owns more often than this, in percent, are not in doubt.
const CLEAR_STATUS: i64 = 60;
/// Smallest number of stones in the largest chain of a group that is considered.
const MIN_CHAIN_SIZE: usize = 4;
/// Largest number of considered groups. The groups with the largest chains come first.
const MAX_GROUPS: usize = 4;
/// Largest ratio of the odds at which search examines a hypothesis with a more plausible lead.
const MAX_RIVAL_ODDS: f64 = 7.0;

/// Chains in doubt within one zone, which live or die together.
struct Group {
    chains: Vec<usize>,
    /// The largest chain, whose status is that of the group.
    largest: usize,
}

/// Reverses the status of groups if the other status is more probable, given the lead that it
/// produces.
///
/// `settled_dead` contains the dead stones outside the chains. The function works on 19x19 only,
/// because the leads of counted games were measured there.
pub(super) fn weigh_hypotheses<const W: usize>(
    ownership: &mut Ownership<W>,
    position: &Position,
    settled_dead: &[Point],
    next: Color,
) {
    if position.size() != BoardSize::standard() {
        return;
    }
    let mut groups = groups_in_doubt(ownership);
    if groups.is_empty() {
        return;
    }
    let mut hypotheses = evaluate_hypotheses(ownership, position, settled_dead, &groups);
    let is_rival = |n: &usize| {
        hypotheses[*n].plausibility >= hypotheses[0].plausibility
            && hypotheses[*n].odds() * MAX_RIVAL_ODDS > hypotheses[0].odds()
    };
    // The groups that any rival hypothesis reverses, one bit each.
    let rivals = (1..hypotheses.len()).filter(is_rival).fold(0, |groups, n| groups | n);
    if rivals != 0 {
        for group in reversed_groups(&groups, rivals) {
            ownership.search_around(group.largest, next, ownership.effort.rival_simulations);
        }
        groups = groups_in_doubt(ownership);
        hypotheses = evaluate_hypotheses(ownership, position, settled_dead, &groups);
    }
    let best =
        (0..hypotheses.len()).fold(0, |best, n| if hypotheses[n].odds() > hypotheses[best].odds() { n } else { best });
    reversed_groups(&groups, best).flat_map(|group| &group.chains).for_each(|&chain| ownership.reverse(chain));
}

/// One status for each group.
struct Hypothesis {
    /// Probability of these statuses.
    probability: f64,
    /// Plausibility of the resulting lead.
    plausibility: f64,
}

impl Hypothesis {
    fn odds(&self) -> f64 {
        self.probability * self.plausibility
    }
}

/// Returns the groups that a hypothesis reverses, given by the bits of its number.
fn reversed_groups(groups: &[Group], hypothesis: usize) -> impl Iterator<Item = &Group> {
    groups.iter().enumerate().filter(move |(index, _)| hypothesis >> index & 1 == 1).map(|(_, group)| group)
}

/// Returns the groups in doubt, the one with the largest chain first.
fn groups_in_doubt<const W: usize>(ownership: &Ownership<W>) -> Vec<Group> {
    let in_doubt =
        |head: &usize| ownership.deciding_chain(*head) == *head && ownership.status(*head).abs() < CLEAR_STATUS;
    let mut remaining: Vec<usize> = ownership.heads().filter(in_doubt).collect();
    let mut groups = Vec::new();
    while let Some(&first) = remaining.first() {
        let zone = ownership.zone(first);
        let (chains, others): (Vec<usize>, Vec<usize>) = remaining.into_iter().partition(|chain| zone.contains(chain));
        let largest = chains.iter().copied().max_by_key(|&chain| ownership.stones(chain)).unwrap_or(first);
        groups.push(Group { chains, largest });
        remaining = others;
    }
    groups.retain(|group| ownership.stones(group.largest) >= MIN_CHAIN_SIZE);
    groups.sort_by_key(|group| Reverse(ownership.stones(group.largest)));
    groups.truncate(MAX_GROUPS);
    groups
}

/// Evaluates all hypotheses about the groups.
///
/// Number 0 keeps all statuses. The bits of the other numbers select the groups to reverse.
fn evaluate_hypotheses<const W: usize>(
    ownership: &Ownership<W>,
    position: &Position,
    settled_dead: &[Point],
    groups: &[Group],
) -> Vec<Hypothesis> {
    let probability_as_estimated = |group: &Group| {
        let degree = decision_degree(ownership.status(group.largest), ownership.stones(group.largest));
        f64::from(confidence(degree)).max(0.5)
    };
    let hypothesis = |number: usize| {
        let reversed: Vec<&Group> = reversed_groups(groups, number).collect();
        let ratio: f64 = reversed
            .iter()
            .map(|group| (1.0 - probability_as_estimated(group)) / probability_as_estimated(group))
            .product();
        let is_reversed = |chain| reversed.iter().any(|group| group.chains.contains(&ownership.deciding_chain(chain)));
        let is_dead = |&chain: &usize| (ownership.status(chain) < 0) != is_reversed(chain);
        let dead = ownership.heads().filter(is_dead).flat_map(|chain| ownership.points(chain));
        let flooded = flood_territory(position, &settled_dead.iter().copied().chain(dead).collect::<Vec<_>>());
        let lead = flooded.area(Color::Black) as i64 - flooded.area(Color::White) as i64;
        Hypothesis {
            probability: groups.iter().map(probability_as_estimated).product::<f64>() * ratio,
            plausibility: lead_plausibility(lead),
        }
    };
    (0..1 << groups.len()).map(hypothesis).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout_input::PlayoutInput;
    use jigo_rules::board::diagram::read;

    /// Returns true if seven white stones in Black's half of a board die. They are in doubt, but
    /// more likely alive.
    ///
    /// Each half of the board has a wall.
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
        let mut ownership = Ownership::<7>::new(&position, &PlayoutInput::from_proofs(&position), &Default::default());
        ownership.play(Color::Black);
        let lone = ownership.heads().min_by_key(|&chain| ownership.stones(chain)).unwrap();
        ownership.reverse(lone);
        if ownership.status(lone) < 0 {
            ownership.reverse(lone);
        }
        weigh_hypotheses(&mut ownership, &position, &[], Color::Black);
        ownership.status(lone) < 0
    }

    #[test]
    fn lopsided_doubtful_group_is_dead_on_19x19_only() {
        assert!(dies_in_doubt(19));
        assert!(!dies_in_doubt(18));
    }
}
