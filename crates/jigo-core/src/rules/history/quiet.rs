//! Quiet plays, of which nearly every game is made, many in one go.

use std::ops::ControlFlow;

use super::{History, Repetition};
use crate::board::{Color, Played, Point, Position};

/// What a play did that was not quiet.
type Unquiet = (Played, Option<Repetition>);

/// Plays to be made as long as they are quiet.
struct Plays<'a, S, F> {
    position: &'a mut Position,
    /// The steps that are left.
    steps: std::slice::Iter<'a, S>,
    /// Whose play a step is, if it is one.
    play: F,
    /// What a turn's number is more than its entry's.
    ahead: u32,
    /// Stones of each colour that were captured.
    lost: &'a mut [u32; 2],
}

impl History {
    /// Makes the plays that `steps` begin with, by turns from `due` on and numbered from `turn` on, as long as they are quiet: onto empty
    /// points, with nothing lost but stones of the opponent, which are added to `lost`, Black's first, and no position recreated. Gives
    /// how many were made, and what the last of them did if it was not quiet after all.
    ///
    /// This is the hot path: nearly all turns of an archive are such plays. `play` says whose play a step is, if it is one.
    #[inline(never)]
    pub fn quiet_plays<S>(
        &mut self,
        position: &mut Position,
        (steps, play): (&[S], impl Fn(&S) -> Option<(Color, Point)>),
        (due, turn): (Color, u32),
        lost: &mut [u32; 2],
    ) -> (u32, Option<Unquiet>) {
        // Every play is an entry, so nothing else has to be counted.
        let first = self.entries.len() as u32;
        let mut plays = Plays { position, steps: steps.iter(), play, ahead: turn.wrapping_sub(first), lost };
        // Each colour has its own code, in which it is a constant.
        let unquiet = match due {
            Color::Black => self.plays_of_both([Color::Black, Color::White], &mut plays),
            Color::White => self.plays_of_both([Color::White, Color::Black], &mut plays),
        };
        (self.entries.len() as u32 - first, unquiet)
    }

    /// Makes quiet plays of two players, by turns.
    #[inline(always)]
    fn plays_of_both<S, F: Fn(&S) -> Option<(Color, Point)>>(
        &mut self,
        [first, second]: [Color; 2],
        plays: &mut Plays<S, F>,
    ) -> Option<Unquiet> {
        loop {
            if let ControlFlow::Break(unquiet) = self.quiet_play(first, plays) {
                return unquiet;
            }
            if let ControlFlow::Break(unquiet) = self.quiet_play(second, plays) {
                return unquiet;
            }
        }
    }

    /// Makes the next play if it is one of this colour, and stops if it is not a quiet one.
    #[inline(always)]
    fn quiet_play<S, F: Fn(&S) -> Option<(Color, Point)>>(
        &mut self,
        color: Color,
        plays: &mut Plays<S, F>,
    ) -> ControlFlow<Option<Unquiet>> {
        let play = plays.steps.next().and_then(&plays.play).filter(|(by, _)| *by == color);
        let Some((_, point)) = play else { return ControlFlow::Break(None) };
        let turn = plays.ahead.wrapping_add(self.entries.len() as u32);
        let mut played = None;
        if plays.position.is_untouched(point) {
            let did = plays.position.play(color, point, &mut self.removed);
            if did == Played::default() {
                // A stone where none ever was makes a position that never was.
                self.push((color, Some(point)), turn, [0; 2], None);
                return ControlFlow::Continue(());
            }
            played = Some(did);
        } else if !plays.position.is_empty(point) {
            return ControlFlow::Break(None);
        }
        match self.unusual_play(plays.position, (color, point), (turn, played), plays.lost) {
            None => ControlFlow::Continue(()),
            unquiet => ControlFlow::Break(unquiet),
        }
    }

    /// Adds a play onto a point that had a stone before, or one that took stones off, which was made then; says what it did if it was not
    /// quiet.
    #[inline(never)]
    fn unusual_play(
        &mut self,
        position: &mut Position,
        (color, point): (Color, Point),
        (turn, played): (u32, Option<Played>),
        lost: &mut [u32; 2],
    ) -> Option<Unquiet> {
        let is_untouched = played.is_some();
        let played = played.unwrap_or_else(|| position.play(color, point, &mut self.removed));
        let is_new = self.add_unusual((color, point), turn, (played, None, is_untouched));
        let repetition = if is_new { None } else { self.repetition(position) };
        if repetition.is_some() || played.suicide > 0 {
            return Some((played, repetition));
        }
        lost[color.opponent().index()] += played.captured;
        None
    }
}
