//! The handicap of a record: Black's stones before White's first play.

use jigo_rules::board::{Color, PointSet};
use jigo_rules::{HalfPoints, Handicap};

use super::game_record::{Coordinates, GameRecord, StepKind};

/// The smallest komi that shows an even game. Handicap games have at most a point to prevent draws.
const MIN_EVEN_KOMI: HalfPoints = HalfPoints(9);

/// The beginning of a record in which Black receives the handicap.
///
/// The stones are set up or are Black's first turns, with or without passes of White in between,
/// which some rules require. A single stone is an even game, and a position with stones of White is
/// no handicap: it has the setup, but no turns.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandicapPrefix {
    /// The counts, all 0 without a handicap.
    pub handicap: Handicap,
    /// Black's stones. Without a handicap, those that setup places.
    pub stones: PointSet,
    /// White's stones, which only setup places.
    pub white_stones: PointSet,
    /// The number of steps.
    pub steps: usize,
    /// The number of turns among the steps, including White's passes.
    pub turns: u32,
}

impl GameRecord {
    /// Returns the handicap, however the record gives it.
    ///
    /// Two turns of White in a row after Black's show a position whose players placed their stones
    /// one after the other, unless HA confirms Black's number. Two or three turns of Black with the
    /// komi of an even game show that White's first turn is missing or has the wrong colour.
    pub fn handicap(&self) -> HandicapPrefix {
        // In most games White answers Black's first turn.
        if let [first, second, ..] = self.steps.as_slice()
            && matches!(first.kind, StepKind::Turn(Color::Black, _))
            && matches!(second.kind, StepKind::Turn(Color::White, coordinates) if coordinates != Coordinates::Pass)
        {
            return HandicapPrefix::default();
        }
        let (set_up, to_play) = self.set_up_handicap();
        let (mut prefix, mut end, mut turns, mut passes) = (set_up, set_up.steps, 0, 0);
        // After PL[W] a turn of Black is out of order.
        let is_whole = !set_up.white_stones.is_empty() || (!set_up.stones.is_empty() && to_play == Some(Color::White));
        let steps = if is_whole { &[] } else { &self.steps[set_up.steps..] };
        for step in steps {
            match step.kind {
                StepKind::Setup(setup) if !self.places_stones(setup) => {}
                StepKind::Turn(Color::White, Coordinates::Pass) if self.players(end).nth(1) == Some(Color::Black) => {
                    turns += 1;
                    passes += 1;
                }
                StepKind::Turn(Color::Black, coordinates) if coordinates != Coordinates::Pass => {
                    turns += 1;
                    if let Coordinates::Play(point) = coordinates {
                        prefix.handicap.plays += u32::from(prefix.stones.insert(point));
                    }
                    (prefix.handicap.passes, prefix.turns, prefix.steps) = (passes, turns, end + 1);
                }
                _ => break,
            }
            end += 1;
        }
        let is_confirmed = self.header.handicap.is_some_and(|stones| stones == prefix.handicap.stones());
        let is_position = || self.players(end).take(2).eq([Color::White; 2]);
        if !is_confirmed && (is_position() || self.has_early_slip(&prefix)) {
            prefix = set_up;
        }
        let is_handicap = prefix.white_stones.is_empty() && prefix.handicap.stones() > 0;
        if is_handicap { prefix } else { HandicapPrefix { handicap: Handicap::default(), ..set_up } }
    }

    /// Returns true if Black's first turns are a slip in an even game: HA gives no handicap, and the
    /// komi is that of an even game.
    fn has_early_slip(&self, HandicapPrefix { handicap, turns, .. }: &HandicapPrefix) -> bool {
        let is_even = self.header.handicap.is_none_or(|stones| stones < 2)
            && self.header.komi.is_some_and(|komi| komi >= MIN_EVEN_KOMI);
        is_even && handicap.set_up + handicap.passes == 0 && *turns <= 3
    }

    /// Returns the player of the first turn. Without a turn it is the player that PL names, White
    /// after a handicap or a setup of black stones only, or Black.
    pub(super) fn first_player(&self) -> Color {
        let (set_up, to_play) = self.set_up_handicap();
        let is_handicap = self.header.handicap.is_some_and(|stones| stones >= 2)
            || (set_up.handicap.set_up > 0 && set_up.white_stones.is_empty());
        let default = if is_handicap { Color::White } else { Color::Black };
        self.players(0).next().or(to_play).unwrap_or(default)
    }

    /// Returns the setup before the first turn as a prefix, and PL.
    fn set_up_handicap(&self) -> (HandicapPrefix, Option<Color>) {
        let (mut prefix, mut to_play) = (HandicapPrefix::default(), None);
        for step in &self.steps {
            let StepKind::Setup(setup) = step.kind else { break };
            to_play = self.setup(setup).to_play.or(to_play);
            for &(point, stone) in
                self.setup(setup).stones.iter().filter(|(point, _)| self.header.size.contains(*point))
            {
                prefix.stones.remove(point);
                prefix.white_stones.remove(point);
                match stone {
                    Some(Color::Black) => prefix.stones.insert(point),
                    Some(Color::White) => prefix.white_stones.insert(point),
                    None => false,
                };
            }
            prefix.steps += 1;
        }
        prefix.handicap.set_up = prefix.stones.len() as u32;
        (prefix, to_play)
    }

    /// Returns true if a setup changes the board.
    fn places_stones(&self, setup: u32) -> bool {
        self.setup(setup).stones.iter().any(|(point, _)| self.header.size.contains(*point))
    }

    /// Returns the players of the turns from a step on.
    fn players(&self, step: usize) -> impl Iterator<Item = Color> {
        self.steps[step..].iter().filter_map(|step| Some(step.turn()?.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::DialectChoice;
    use crate::record::Reading;
    use crate::sgf::Limits;
    use crate::splitter::GameText;

    fn prefix(sgf: &str) -> HandicapPrefix {
        let text = GameText::from_sgf(sgf);
        let mut reading = Reading::default();
        reading.read(&text, text.bytes, DialectChoice::Auto, Limits::default());
        reading.record.handicap()
    }

    /// Returns the stones, steps and turns.
    fn sizes(sgf: &str) -> (u32, usize, u32) {
        let prefix = prefix(sgf);
        (prefix.handicap.stones(), prefix.steps, prefix.turns)
    }

    #[test]
    fn every_form_of_a_handicap_has_the_same_stones() {
        let forms = [
            ("(;SZ[9]HA[3]AB[cc][gg][cg];W[ee];B[aa])", 1, 0),
            ("(;SZ[9]AB[cc];AB[gg];AB[cg]PL[W];W[ee];B[aa])", 3, 0),
            ("(;SZ[9]AB[cc][gg]AE[gg];AB[gg][cg];W[ee];B[aa])", 2, 0),
            ("(;SZ[9];B[cc];B[gg];B[cg];W[ee];B[aa])", 3, 3),
            ("(;SZ[9]HA[0]PL[W];B[cc];B[gg];B[cg];W[ee];B[aa])", 4, 3),
            ("(;SZ[9];B[cc];W[];B[gg];W[tt];B[cg];W[ee];B[aa])", 5, 5),
            ("(;SZ[9]AB[cc][gg];B[cg];W[ee];B[aa])", 2, 1),
            ("(;SZ[9]AB[cc];W[];B[gg];B[cg];W[ee];B[aa])", 4, 3),
            ("(;SZ[9]HA[3];B[cc];B[gg];B[cg];W[ee];W[aa];B[ab])", 3, 3),
            ("(;SZ[9];B[cc];B[gg];B[cg])", 3, 3),
            ("(;SZ[9]KM[6.5]HA[3];B[cc];B[gg];B[cg];W[ee])", 3, 3),
            ("(;SZ[9]KM[0.5]HA[0];B[cc];B[gg];B[cg];W[ee])", 3, 3),
            ("(;SZ[9]KM[6.5];B[cc];B[cc];B[gg];B[cg];W[ee])", 4, 4),
        ];
        let stones = prefix(forms[0].0).stones;
        for (form, steps, turns) in forms {
            assert_eq!(sizes(form), (3, steps, turns), "{form}");
            assert_eq!(prefix(form).stones, stones, "{form}");
        }
    }

    #[test]
    fn even_games_and_positions_have_no_handicap() {
        for game in [
            "(;SZ[9]HA[2];B[cc];W[gg];B[cg])",
            "(;SZ[9]AB[cc];W[gg];B[cg])",
            "(;SZ[9];B[cc];W[];B[])",
            "(;SZ[9];B[cc];W[];W[gg])",
            "(;SZ[9];B[];B[gg];B[cc])",
            "(;SZ[9];W[];B[gg];W[cc])",
            "(;SZ[9];W[cc];B[gg];B[cg])",
            "(;SZ[9]AB[cc][gg]AW[ee];B[aa];B[ab])",
            "(;SZ[9]AB[cc]PL[W];B[aa];W[ab])",
            // White's first turn has the wrong colour, or is missing.
            "(;SZ[9]KM[6.5];B[cc];B[gg];B[cg];W[ee];B[aa])",
            "(;SZ[9]KM[4.5]HA[0];B[cc];B[gg];W[ee];B[aa])",
            // Players placed a position in turns.
            "(;SZ[9];B[cc];B[gg];B[cg];W[ee];W[aa];W[ab])",
            "(;SZ[9];B[cc];B[gg];AE[cc];W[ee];W[aa])",
            "(;SZ[9]HA[3];B[cc];B[gg];AW[cg];W[ee];W[aa])",
            "(;SZ[9])",
        ] {
            assert_eq!((prefix(game).handicap, prefix(game).turns), (Handicap::default(), 0), "{game}");
        }
        assert_eq!(prefix("(;SZ[9]HA[2]AB[cc][gg]AW[ee];B[aa])").stones.len(), 2);
    }
}
