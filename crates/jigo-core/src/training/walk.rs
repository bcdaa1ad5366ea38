//! The inputs of the rows of a game: its positions with their history.

use super::ladders::{Ladders, play};
use super::layout::{
    Arrays, GLOBAL_INPUTS, Planes, has_group_tax, has_seki_tax, in_points, is_territory, push_floats, sign,
};
use crate::analysis::{TurnEffects, TurnKind};
use jigo_rules::board::{BoardSize, Color, Point, Position, PositionHash};
use jigo_rules::{Axes, Button, HalfPoints, RepetitionRule, Suicide};
use jigo_score::shape::territory::flood_territory;
use jigo_score::{OpponentSuicide, pass_alive};

/// Turns before a row that it contains.
const RECENT_TURNS: usize = 5;
/// Komi beyond the points of the board that the features can express.
const KOMI_MARGIN: f32 = 20.0;

/// The position and history of a game up to a turn.
pub(super) struct Walk<'a> {
    pub(super) position: Position,
    axes: &'a Axes,
    /// Komi with the handicap bonus and the button.
    komi: HalfPoints,
    /// True if the next pass takes the button.
    has_button: bool,
    /// Black's stones that were set up or played, minus White's.
    black_minus_white_stones: i32,
    /// The turns since the last setup.
    turns: Vec<(Color, Option<Point>)>,
    /// The maximum number of turns that a row contains.
    history: usize,
    /// Passes since the last play or setup.
    passes: usize,
    /// The point that the ko rule forbids.
    ko: Option<Point>,
    /// The ladders of the last two rows, the last one first.
    ladders: [Ladders; 2],
    /// The positions of the rows since the last setup, with the player to move if superko is
    /// situational.
    earlier: Vec<(PositionHash, Option<Color>)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(size: BoardSize, axes: &'a Axes, komi: HalfPoints) -> Walk<'a> {
        Walk {
            position: Position::new(size),
            axes,
            komi,
            // A komi with half a point includes the button.
            has_button: axes.button == Button::HalfPoint || axes.button == Button::Komi && komi.0 % 2 == 0,
            black_minus_white_stones: 0,
            turns: Vec::new(),
            history: 0,
            passes: 0,
            ko: None,
            ladders: Default::default(),
            earlier: Vec::new(),
        }
    }

    /// Makes a turn, or a change by setup, which ends the history.
    pub(super) fn apply(&mut self, turn: &TurnEffects) {
        let balance = |stone: Option<Color>| stone.map_or(0, |color| i32::from(sign(color, Color::Black)));
        self.ko = None;
        match (turn.kind, turn.color, turn.point) {
            (TurnKind::Setup, stone, Some(point)) => {
                self.black_minus_white_stones += balance(stone) - balance(self.position.stone(point));
                self.position.place([(point, stone)]);
                self.turns.clear();
                self.earlier.clear();
                (self.history, self.passes) = (0, 0);
            }
            (kind, Some(player), point) => {
                if self.passes >= 2 {
                    // The last pass did not end the game.
                    self.history = 1;
                }
                self.history += 1;
                self.turns.push((player, point));
                let takes_button = kind == TurnKind::Pass && std::mem::take(&mut self.has_button);
                if takes_button {
                    self.komi = self.komi + HalfPoints(sign(player, Color::White).into());
                    if self.axes.button == Button::HalfPoint {
                        self.earlier.clear();
                    }
                }
                self.passes = if kind == TurnKind::Pass && !takes_button { self.passes + 1 } else { 0 };
                if let Some(point) = point {
                    self.black_minus_white_stones += balance(Some(player));
                    self.ko = play(&mut self.position, player, point).ko;
                }
            }
            _ => {}
        }
    }

    /// Returns White's komi in points. Under territory rules it grows with each stone of Black and
    /// shrinks with each of White, which makes area of territory.
    pub(super) fn white_komi(&self) -> f32 {
        let stones = if is_territory(self.axes) { self.black_minus_white_stones } else { 0 };
        in_points(self.komi) + stones as f32
    }

    /// Appends the inputs of a row.
    pub(super) fn add_inputs(&mut self, player: Color, arrays: &mut Arrays) {
        let mut planes = Planes::new(&self.position, player);
        self.forbidden(player).into_iter().for_each(|point| planes.set(6, point));
        let mut globals = [0.0; GLOBAL_INPUTS];
        let recent: Vec<Option<Point>> = self.recent_turns(player).collect();
        for (age, turn) in recent.iter().enumerate() {
            match *turn {
                Some(point) => planes.set(9 + age, point),
                None => globals[age] = 1.0,
            }
        }
        self.set_ladders(player, recent.len(), &mut planes);
        if !is_territory(self.axes) {
            self.set_area(player, &mut planes);
        }
        self.set_rules(player, &mut globals);
        arrays.bytes[0].extend_from_slice(planes.as_bytes());
        push_floats(&globals, &mut arrays.bytes[1]);
    }

    /// Sets the planes of ladders. Without history, the ladders were always the same.
    fn set_ladders(&mut self, player: Color, recent_turns: usize, planes: &mut Planes) {
        let now = Ladders::read(&self.position, self.ko);
        let attacks = now.attacks.iter().filter(|(color, _)| *color != player);
        attacks.for_each(|&(_, attack)| planes.set(17, attack));
        let [before, earlier] = std::mem::take(&mut self.ladders);
        let before = if recent_turns < 1 { now.clone() } else { before };
        let earlier = if recent_turns < 2 { before.clone() } else { earlier };
        for (plane, ladders) in [(14, &now), (15, &before), (16, &earlier)] {
            ladders.captured.iter().for_each(|&stone| planes.set(plane, stone));
        }
        self.ladders = [now, before];
    }

    /// Returns the last turns before a row, the last one first, as long as the players alternate.
    fn recent_turns(&self, player: Color) -> impl Iterator<Item = Option<Point>> {
        let limit = if self.passes >= 2 { 1 } else { RECENT_TURNS };
        let players = [player.opponent(), player].into_iter().cycle();
        let turns = self.turns.iter().rev().take(limit.min(self.history)).zip(players);
        turns.take_while(|((color, _), expected)| color == expected).map(|((_, point), _)| *point)
    }

    /// Returns the points that ko and superko forbid, and remembers the position.
    fn forbidden(&mut self, player: Color) -> Vec<Point> {
        let next = |player| match self.axes.repetition {
            RepetitionRule::Unrestricted | RepetitionRule::Ko => None,
            RepetitionRule::Psk => Some(None),
            _ => Some(Some(player)),
        };
        let mut forbidden: Vec<Point> = self.ko.into_iter().collect();
        let (Some(now), Some(then)) = (next(player), next(player.opponent())) else { return forbidden };
        self.earlier.push((self.position.hash(), now));
        let position = &self.position;
        for point in position.size().iter().filter(|&point| position.is_empty(point) && Some(point) != self.ko) {
            // A stone on a new point makes a new position, unless it is removed at once.
            if position.is_untouched(point) && position.neighbours(point).any(|neighbour| position.is_empty(neighbour))
            {
                continue;
            }
            let mut after = position.clone();
            let suicide = play(&mut after, player, point).suicide;
            let is_legal = suicide == 0 || suicide > 1 && self.allows_suicide();
            if is_legal && self.earlier.contains(&(after.hash(), then)) {
                forbidden.push(point);
            }
        }
        forbidden
    }

    fn allows_suicide(&self) -> bool {
        self.axes.suicide != Suicide::Forbid
    }

    /// Sets the planes of the area: pass-alive stones with their territory, all other stones, and
    /// the points that only one colour surrounds.
    fn set_area(&self, player: Color, planes: &mut Planes) {
        let suicide = if self.allows_suicide() { OpponentSuicide::Legal } else { OpponentSuicide::Illegal };
        let alive = Color::BOTH.map(|color| pass_alive(&self.position, color, suicide));
        let flooded = flood_territory(&self.position, &[]);
        for point in self.position.size().iter() {
            let is_alive = |color: &Color| alive[color.index()].territory.contains(point);
            let is_area = |color: &Color| {
                self.position.stone(point) == Some(*color) || flooded.territory[color.index()].contains(point)
            };
            let owner = Color::BOTH.into_iter().find(is_alive).or_else(|| Color::BOTH.into_iter().find(is_area));
            if let Some(owner) = owner {
                planes.set(if owner == player { 18 } else { 19 }, point);
            }
        }
    }

    /// Sets the globals after the passes: komi, rules, and the effect of a pass.
    fn set_rules(&self, player: Color, globals: &mut [f32; GLOBAL_INPUTS]) {
        let points = self.position.size().points() as f32;
        let komi = f32::from(sign(Color::White, player)) * self.white_komi();
        let komi = komi.clamp(-points - KOMI_MARGIN, points + KOMI_MARGIN);
        let flag = |is_set| if is_set { 1.0 } else { 0.0 };
        globals[5] = komi / 20.0;
        (globals[6], globals[7]) = match self.axes.repetition {
            RepetitionRule::Unrestricted | RepetitionRule::Ko => (0.0, 0.0),
            RepetitionRule::Psk => (1.0, 0.5),
            _ => (1.0, -0.5),
        };
        globals[8] = flag(self.allows_suicide());
        globals[9] = flag(is_territory(self.axes));
        globals[10] = flag(has_seki_tax(self.axes));
        globals[11] = flag(has_group_tax(self.axes));
        globals[14] = flag(self.passes > 0);
        globals[17] = flag(self.has_button);
        if !is_territory(self.axes) {
            globals[18] = komi_wave(komi, points);
        }
    }
}

/// Returns the value of a small change of komi: a triangular wave with a period of two points. It is
/// 0 at komi that allow a draw and at those between, 0.5 half a point above the former, and -0.5
/// half a point below.
fn komi_wave(komi: f32, points: f32) -> f32 {
    let above_draw = (komi - points % 2.0).rem_euclid(2.0);
    match above_draw {
        ..0.5 => above_draw,
        ..1.5 => 1.0 - above_draw,
        _ => above_draw - 2.0,
    }
}
