//! Quiet plays, made in batches. Nearly all plays of a game are quiet.

use std::ops::ControlFlow;

use super::{History, Repetition};
use crate::board::{Color, Point, Position, RemovedStones};

/// The effects of a play that was not quiet.
type PlayEffects = (RemovedStones, Option<Repetition>);

/// A sequence of steps, most of which are plays of alternating players.
pub struct PlaySequence<'a, S, F> {
    /// The steps.
    pub steps: &'a [S],
    /// Returns the colour and point of a step if it is a play.
    pub play: F,
    /// The player of the first step.
    pub first_player: Color,
    /// The turn number of the first step.
    pub first_turn: u32,
}

/// A sequence of plays to make until one is not quiet.
struct Plays<'a, S, F> {
    position: &'a mut Position,
    /// The remaining steps.
    steps: std::slice::Iter<'a, S>,
    /// Returns the colour and point of a step if it is a play.
    play: F,
    /// Turn number minus entry number.
    turn_offset: u32,
    /// Captured stones of each colour.
    lost: &'a mut [u32; 2],
}

impl History {
    /// Makes the leading quiet plays and stops at the first step that is something else, or a play
    /// of the same player as the one before.
    ///
    /// A play is quiet if its point is empty, it loses no own stone and it recreates no position.
    /// Captured stones are added to `lost`, Black first.
    ///
    /// Returns the number of plays made. If the last of them was not quiet after all, its effects
    /// follow.
    ///
    /// This is the hot path: nearly all turns of an archive are quiet plays.
    #[inline(never)]
    pub fn make_quiet_plays<S>(
        &mut self,
        position: &mut Position,
        sequence: PlaySequence<'_, S, impl Fn(&S) -> Option<(Color, Point)>>,
        lost: &mut [u32; 2],
    ) -> (u32, Option<PlayEffects>) {
        let PlaySequence { steps, play, first_player, first_turn } = sequence;
        // Every play adds an entry, so the entries also count the plays.
        let first = self.entries.len() as u32;
        let mut plays =
            Plays { position, steps: steps.iter(), play, turn_offset: first_turn.wrapping_sub(first), lost };
        // Each colour gets a copy of the code in which it is a constant.
        let unquiet = match first_player {
            Color::Black => self.make_plays_of_both([Color::Black, Color::White], &mut plays),
            Color::White => self.make_plays_of_both([Color::White, Color::Black], &mut plays),
        };
        (self.entries.len() as u32 - first, unquiet)
    }

    /// Makes quiet plays of alternating players.
    #[inline(always)]
    fn make_plays_of_both<S, F: Fn(&S) -> Option<(Color, Point)>>(
        &mut self,
        [first, second]: [Color; 2],
        plays: &mut Plays<S, F>,
    ) -> Option<PlayEffects> {
        loop {
            if let ControlFlow::Break(unquiet) = self.make_quiet_play(first, plays) {
                return unquiet;
            }
            if let ControlFlow::Break(unquiet) = self.make_quiet_play(second, plays) {
                return unquiet;
            }
        }
    }

    /// Makes the next play if it has this colour. Breaks if the step is not a quiet play.
    #[inline(always)]
    fn make_quiet_play<S, F: Fn(&S) -> Option<(Color, Point)>>(
        &mut self,
        color: Color,
        plays: &mut Plays<S, F>,
    ) -> ControlFlow<Option<PlayEffects>> {
        let play = plays.steps.next().and_then(&plays.play).filter(|(player, _)| *player == color);
        let Some((_, point)) = play else { return ControlFlow::Break(None) };
        let turn = plays.turn_offset.wrapping_add(self.entries.len() as u32);
        let mut play_result = None;
        if plays.position.is_untouched(point) {
            let removed_stones = plays.position.play(color, point, &mut self.removed);
            if removed_stones == RemovedStones::default() {
                // A stone on a point that never had one makes a new position.
                self.push(color, Some(point), turn, [0; 2], None);
                return ControlFlow::Continue(());
            }
            play_result = Some(removed_stones);
        } else if !plays.position.is_empty(point) {
            return ControlFlow::Break(None);
        }
        match self.make_unusual_play(plays.position, color, point, turn, play_result, plays.lost) {
            None => ControlFlow::Continue(()),
            unquiet => ControlFlow::Break(unquiet),
        }
    }

    /// Makes a play on a point that had a stone before, or adds one that removed stones.
    ///
    /// The latter was already made, and `play_result` contains the removed stones. Returns the
    /// effects if the play was not quiet.
    #[inline(never)]
    fn make_unusual_play(
        &mut self,
        position: &mut Position,
        color: Color,
        point: Point,
        turn: u32,
        play_result: Option<RemovedStones>,
        lost: &mut [u32; 2],
    ) -> Option<PlayEffects> {
        let is_untouched = play_result.is_some();
        let play_result = play_result.unwrap_or_else(|| position.play(color, point, &mut self.removed));
        let is_new = self.add_play(color, point, turn, play_result, None, is_untouched);
        let repetition = if is_new { None } else { self.repetition(position) };
        if repetition.is_some() || play_result.suicide > 0 {
            return Some((play_result, repetition));
        }
        lost[color.opponent().index()] += play_result.captured;
        None
    }
}
