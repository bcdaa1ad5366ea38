//! Counts of legal turn sequences, which verify the referee against the literature.
//!
//! The name comes from the counts that verify the move generators of chess programs. Black begins
//! on an empty board, the colours alternate, a pass is always legal, and two passes in a row end
//! the game.

use rayon::prelude::*;

use jigo_rules::board::{Action, BoardSize, Color, Turn};
use jigo_rules::{Axes, Referee, RepetitionRule, Suicide};

/// Returns the number of legal turn sequences of each length from 1 to `depth`.
///
/// The tests contain known counts. For boards from 1x1 to 1x4 and 2x2, two other programs gave the
/// same counts.
pub fn sequences(size: BoardSize, rules: &Axes, depth: usize) -> Vec<u128> {
    let mut counts = vec![0; depth];
    let openings = openings(size, rules, depth.min(2), &mut counts);
    let deeper: Vec<Vec<u128>> =
        openings.par_iter().map(|opening| sequences_after(opening, size, rules, depth)).collect();
    for part in deeper {
        counts.iter_mut().zip(part).for_each(|(sum, more)| *sum += more);
    }
    counts
}

/// Returns the number of complete games, which are sequences that end with two passes. Returns
/// `None` if games may be endless because the ruleset has no superko rule.
///
/// The counts for positional superko with suicide agree with Tromp and Farnebäck, "Combinatorics of
/// Go".
pub fn complete_games(size: BoardSize, rules: &Axes) -> Option<u128> {
    let endless = match rules.repetition {
        RepetitionRule::Unrestricted | RepetitionRule::Ko => size.points() > 1 || rules.suicide == Suicide::Any,
        _ => false,
    };
    if endless {
        return None;
    }
    let openings = openings(size, rules, 2, &mut [0; 2]);
    let ended = openings.iter().filter(|opening| passes_at_end(opening) == 2).count() as u128;
    let open = openings.par_iter().filter(|opening| passes_at_end(opening) < 2);
    Some(ended + open.map(|opening| games_after(opening, size, rules)).sum::<u128>())
}

/// Counts the sequences that begin with an opening, by length.
///
/// This function and [`games_after`] are not inlined, because a position takes much space on the
/// stack. The frames of rayon, which may nest deeply, must not contain it.
#[inline(never)]
fn sequences_after(opening: &[Turn], size: BoardSize, rules: &Axes, depth: usize) -> Vec<u128> {
    let mut walk = Walk { referee: replayed(size, opening), rules, size };
    let mut counts = vec![0; depth];
    walk.count(opening.len(), passes_at_end(opening), &mut counts);
    counts
}

#[inline(never)]
fn games_after(opening: &[Turn], size: BoardSize, rules: &Axes) -> u128 {
    let mut walk = Walk { referee: replayed(size, opening), rules, size };
    walk.games(opening.len(), passes_at_end(opening))
}

/// Returns all legal sequences of `length` turns, which become parallel tasks. Stores in `counts`
/// the number of sequences of each length up to `length`.
fn openings(size: BoardSize, rules: &Axes, length: usize, counts: &mut [u128]) -> Vec<Vec<Turn>> {
    let mut sequences = vec![Vec::new()];
    for count in &mut counts[..length] {
        let mut longer = Vec::new();
        for opening in &sequences {
            let mut walk = Walk { referee: replayed(size, opening), rules, size };
            for turn in walk.turns(opening.len()) {
                if walk.take(turn) {
                    longer.push([opening.as_slice(), &[turn]].concat());
                }
                walk.referee.take_back();
            }
        }
        *count = longer.len() as u128;
        sequences = longer;
    }
    sequences
}

fn replayed(size: BoardSize, opening: &[Turn]) -> Referee {
    let mut referee = Referee::new(size);
    for (number, turn) in opening.iter().enumerate() {
        referee.make_turn(*turn, number as u32 + 1);
    }
    referee
}

fn passes_at_end(opening: &[Turn]) -> usize {
    opening.iter().rev().take_while(|turn| turn.action == Action::Pass).count()
}

/// A depth-first walk over all sequences.
struct Walk<'a> {
    referee: Referee,
    rules: &'a Axes,
    size: BoardSize,
}

impl Walk<'_> {
    /// Returns every turn to try after `played` turns: a play on each empty point, and a pass.
    fn turns(&self, played: usize) -> impl Iterator<Item = Turn> + use<> {
        let color = Color::BOTH[played % 2];
        let position = self.referee.position();
        let empty: Vec<_> = self.size.iter().filter(|point| position.stone(*point).is_none()).collect();
        empty.into_iter().map(move |point| Turn::play(color, point)).chain([Turn::pass(color)])
    }

    /// Plays a turn. Returns false if the ruleset forbids it. The caller must take the turn back in
    /// both cases.
    fn take(&mut self, turn: Turn) -> bool {
        self.referee.make_turn(turn, 0).violation(self.rules).is_none()
    }

    fn count(&mut self, played: usize, passes: usize, counts: &mut [u128]) {
        if passes == 2 || played >= counts.len() {
            return;
        }
        for turn in self.turns(played) {
            if self.take(turn) {
                counts[played] += 1;
                self.count(played + 1, passes_after(passes, turn), counts);
            }
            self.referee.take_back();
        }
    }

    fn games(&mut self, played: usize, passes: usize) -> u128 {
        if passes == 2 {
            return 1;
        }
        let mut games = 0;
        for turn in self.turns(played) {
            if self.take(turn) {
                games += self.games(played + 1, passes_after(passes, turn));
            }
            self.referee.take_back();
        }
        games
    }
}

fn passes_after(passes: usize, turn: Turn) -> usize {
    if turn.action == Action::Pass { passes + 1 } else { 0 }
}
