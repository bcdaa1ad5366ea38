//! Counts of legal turn sequences: the proof that referee and literature agree.
//!
//! Named after the counts that chess programs check their move generators by. Black begins on an empty board, colours alternate, a
//! pass is always legal and nothing follows two passes in a row.

use rayon::prelude::*;

use jigo_rules::board::{Action, BoardSize, Color, Turn};
use jigo_rules::{Axes, Referee, RepetitionRule, Suicide};

/// The number of legal turn sequences of each length from 1 to `depth`.
///
/// Known rows stand in the tests; on 1x1 to 1x4 and 2x2 they were counted by two more programs.
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

/// The number of complete games: sequences ended by two passes. `None` where games need not end, for want of a superko rule.
///
/// The counts for positional superko with suicide are those of Tromp and Farnebäck, "Combinatorics of Go".
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

/// Those that begin with an opening, by their lengths. A position lies in its frame, as in that of [`games_after`], and rayon's own frames, of which many
/// may lie on top of each other, must not have it in them.
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

/// All legal sequences of `length` turns, each a task of its own; `counts` gets how many there are of each length up to it.
fn openings(size: BoardSize, rules: &Axes, length: usize, counts: &mut [u128]) -> Vec<Vec<Turn>> {
    let mut found = vec![Vec::new()];
    for count in &mut counts[..length] {
        let mut longer = Vec::new();
        for opening in &found {
            let mut walk = Walk { referee: replayed(size, opening), rules, size };
            for turn in walk.turns(opening.len()) {
                if walk.take(turn) {
                    longer.push([opening.as_slice(), &[turn]].concat());
                }
                walk.referee.take_back();
            }
        }
        *count = longer.len() as u128;
        found = longer;
    }
    found
}

fn replayed(size: BoardSize, opening: &[Turn]) -> Referee {
    let mut referee = Referee::new(size);
    for (number, turn) in opening.iter().enumerate() {
        referee.take(*turn, number as u32 + 1);
    }
    referee
}

fn passes_at_end(opening: &[Turn]) -> usize {
    opening.iter().rev().take_while(|turn| turn.action == Action::Pass).count()
}

/// A walk over all sequences, depth first.
struct Walk<'a> {
    referee: Referee,
    rules: &'a Axes,
    size: BoardSize,
}

impl Walk<'_> {
    /// Every turn that can be tried after so many turns: all empty points and the pass.
    fn turns(&self, taken: usize) -> impl Iterator<Item = Turn> + use<> {
        let color = Color::BOTH[taken % 2];
        let position = self.referee.position();
        let empty: Vec<_> = self.size.iter().filter(|point| position.stone(*point).is_none()).collect();
        empty.into_iter().map(move |point| Turn::play(color, point)).chain([Turn::pass(color)])
    }

    /// Takes a turn; false when the ruleset forbids it. It has to be taken back either way.
    fn take(&mut self, turn: Turn) -> bool {
        self.referee.take(turn, 0).fault(self.rules).is_none()
    }

    fn count(&mut self, taken: usize, passes: usize, counts: &mut [u128]) {
        if passes == 2 || taken >= counts.len() {
            return;
        }
        for turn in self.turns(taken) {
            if self.take(turn) {
                counts[taken] += 1;
                self.count(taken + 1, passes_after(passes, turn), counts);
            }
            self.referee.take_back();
        }
    }

    fn games(&mut self, taken: usize, passes: usize) -> u128 {
        if passes == 2 {
            return 1;
        }
        let mut games = 0;
        for turn in self.turns(taken) {
            if self.take(turn) {
                games += self.games(taken + 1, passes_after(passes, turn));
            }
            self.referee.take_back();
        }
        games
    }
}

fn passes_after(passes: usize, turn: Turn) -> usize {
    if turn.action == Action::Pass { passes + 1 } else { 0 }
}
