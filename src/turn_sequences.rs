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
    let mut counts = counts(size, rules, depth).sequences;
    counts.resize(depth, 0);
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
    if endless { None } else { Some(counts(size, rules, usize::MAX).games) }
}

/// The numbers of legal sequences.
#[derive(Default)]
struct Counts {
    /// The number of sequences of each length from 1.
    sequences: Vec<u128>,
    /// The number of sequences that end with two passes.
    games: u128,
}

impl Counts {
    /// Adds sequences of a length, from 1.
    fn add_sequences(&mut self, length: usize, count: u128) {
        self.sequences.resize(self.sequences.len().max(length), 0);
        self.sequences[length - 1] += count;
    }
}

/// Counts the sequences of up to `depth` turns.
fn counts(size: BoardSize, rules: &Axes, depth: usize) -> Counts {
    let mut counts = Counts::default();
    let openings = openings(size, rules, depth.min(2), &mut counts);
    let deeper: Vec<Counts> = openings.par_iter().map(|opening| counts_after(opening, size, rules, depth)).collect();
    for part in deeper {
        part.sequences.iter().zip(1..).for_each(|(count, length)| counts.add_sequences(length, *count));
        counts.games += part.games;
    }
    counts
}

/// Counts the sequences that begin with an opening and are longer, and the complete games.
///
/// This function is not inlined, because a position takes much space on the stack. The frames of
/// rayon, which may nest deeply, must not contain it.
#[inline(never)]
fn counts_after(opening: &[Turn], size: BoardSize, rules: &Axes, depth: usize) -> Counts {
    let passes = opening.iter().rev().take_while(|turn| turn.action == Action::Pass).count();
    let mut counts = Counts::default();
    Walk { referee: replayed(size, opening), rules, size, depth }.count(opening.len(), passes, &mut counts);
    counts
}

/// Returns all legal sequences of `length` turns, which become parallel tasks. Counts the sequences
/// of each length up to `length`.
fn openings(size: BoardSize, rules: &Axes, length: usize, counts: &mut Counts) -> Vec<Vec<Turn>> {
    let mut sequences = vec![Vec::new()];
    for length in 1..=length {
        let mut longer = Vec::new();
        for opening in &sequences {
            let mut walk = Walk { referee: replayed(size, opening), rules, size, depth: length };
            for turn in walk.turns(opening.len()) {
                if walk.take(turn) {
                    longer.push([opening.as_slice(), &[turn]].concat());
                }
                walk.referee.take_back();
            }
        }
        counts.add_sequences(length, longer.len() as u128);
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

/// A depth-first walk over all sequences.
struct Walk<'a> {
    referee: Referee,
    rules: &'a Axes,
    size: BoardSize,
    /// The number of turns of the longest sequences.
    depth: usize,
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

    /// Counts the sequences that continue the current one, which ends with some passes.
    fn count(&mut self, played: usize, passes: usize, counts: &mut Counts) {
        if passes == 2 {
            counts.games += 1;
            return;
        }
        if played == self.depth {
            return;
        }
        for turn in self.turns(played) {
            if self.take(turn) {
                counts.add_sequences(played + 1, 1);
                let passes = if turn.action == Action::Pass { passes + 1 } else { 0 };
                self.count(played + 1, passes, counts);
            }
            self.referee.take_back();
        }
    }
}
