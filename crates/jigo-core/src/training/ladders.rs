//! Chains that a ladder captures, as KataGo reads ladders: the attacker gives atari with each play,
//! and a ladder that depends on a ko fails.

use jigo_rules::board::{Color, Point, PointSet, Position};

/// The plays that a search may try before the ladder counts as failed.
const MAX_PLAYS: u32 = 25_000;

/// The ladders of a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Ladders {
    /// The stones of chains with one liberty that can't escape, and of chains with two that an
    /// attacker who moves first captures.
    pub(super) captured: Vec<Point>,
    /// The first plays that capture a chain with two liberties, with the colour of the chain.
    pub(super) attacks: Vec<(Color, Point)>,
}

impl Ladders {
    /// Reads all ladders. `ko` is the point that the ko rule forbids.
    pub(super) fn read(position: &Position, ko: Option<Point>) -> Ladders {
        let (mut ladders, mut visited) = (Ladders::default(), PointSet::EMPTY);
        for point in position.size().iter() {
            let Some(color) = position.stone(point).filter(|_| !visited.contains(point)) else { continue };
            let chain: Vec<Point> = position.chain(point).collect();
            chain.iter().for_each(|&stone| _ = visited.insert(stone));
            let is_caught = |position: &Position| {
                let mut search = Search { stone: point, color, plays: 0, depth: 0 };
                search.is_caught(position, None) && search.plays < MAX_PLAYS
            };
            let captured = match position.liberties(point, 3)[..] {
                [_] => is_caught(position),
                [first, second] => {
                    let works = |&attack: &Point| {
                        after(position, color.opponent(), attack, ko).is_some_and(|(after, _)| is_caught(&after))
                    };
                    let earlier = ladders.attacks.len();
                    let attacks = [first, second].into_iter().filter(works);
                    ladders.attacks.extend(attacks.map(|attack| (color, attack)));
                    ladders.attacks.len() > earlier
                }
                _ => false,
            };
            if captured {
                ladders.captured.extend(chain);
            }
        }
        ladders
    }
}

/// Returns the position after a play with the point that ko forbids then; `None` if the play is
/// forbidden by ko or would be suicide.
fn after(position: &Position, color: Color, point: Point, ko: Option<Point>) -> Option<(Box<Position>, Option<Point>)> {
    let mut after = Box::new(position.clone());
    let played = (ko != Some(point)).then(|| play(&mut after, color, point))?;
    (played.suicide == 0).then_some((after, played.ko))
}

/// The search of one ladder.
struct Search {
    /// A stone of the chain.
    stone: Point,
    color: Color,
    plays: u32,
    /// The plays of the current line. More than the board has points occur only in cycles.
    depth: usize,
}

impl Search {
    /// Returns true if the chain is captured although its player moves.
    fn is_caught(&mut self, position: &Position, ko: Option<Point>) -> bool {
        let own = position.liberties(self.stone, 2);
        if own.len() > 1 || ko.is_some() {
            return false;
        }
        let defences = captures(position, self.stone, self.color.opponent()).into_iter().chain(own);
        defences
            .into_iter()
            .all(|point| self.try_play(position, self.color, point, ko, Search::can_catch).unwrap_or(true))
    }

    /// Returns true if the attacker, who moves, captures the chain.
    fn can_catch(&mut self, position: &Position, ko: Option<Point>) -> bool {
        let [first, second] = match position.liberties(self.stone, 3)[..] {
            [first, second] => [first, second],
            [_, _, ..] => return false,
            _ => return true,
        };
        // A liberty that would give the chain two more is the only attack, unless the other one is
        // next to it.
        let are_adjacent = position.neighbours(first).any(|neighbour| neighbour == second);
        let open = |point| position.neighbours(point).filter(|neighbour| position.is_empty(*neighbour)).count();
        let attacker = self.color.opponent();
        // A chain in a double ko is caught, although the attacker has to take the kos first.
        if open(first) + open(second) == 0
            && self.is_ko_mouth(position, first)
            && self.is_ko_mouth(position, second)
            && captures(position, self.stone, attacker).is_empty()
        {
            return true;
        }
        let attacks = match (open(first) >= 3, open(second) >= 3) {
            (true, true) if !are_adjacent => return false,
            (true, false) if !are_adjacent => vec![first],
            (false, true) if !are_adjacent => vec![second],
            _ if open(second) > open(first) => vec![second, first],
            _ => vec![first, second],
        };
        attacks
            .into_iter()
            .any(|point| self.try_play(position, attacker, point, ko, Search::is_caught).unwrap_or(false))
    }

    /// Returns true if the attacker can take a ko at a liberty of the chain, and a stone there gives
    /// the chain no more liberties.
    fn is_ko_mouth(&self, position: &Position, point: Point) -> bool {
        let taken = after(position, self.color.opponent(), point, None);
        let connected = after(position, self.color, point, None);
        taken.is_some_and(|(_, ko)| ko.is_some())
            && connected.is_none_or(|(position, _)| position.liberties(point, 3).len() <= 2)
    }

    /// Returns the result of the search after a play, or `None` if the play is illegal.
    fn try_play(
        &mut self,
        position: &Position,
        color: Color,
        point: Point,
        ko: Option<Point>,
        next: fn(&mut Search, &Position, Option<Point>) -> bool,
    ) -> Option<bool> {
        if self.plays >= MAX_PLAYS || self.depth > position.size().points() {
            return Some(false);
        }
        let (after, ko) = after(position, color, point, ko)?;
        self.plays += 1;
        self.depth += 1;
        let is_captured = next(self, &after, ko);
        self.depth -= 1;
        Some(is_captured)
    }
}

/// Returns the plays that capture an opposing chain next to the chain of the defender at a point.
fn captures(position: &Position, defender: Point, attacker: Color) -> Vec<Point> {
    let (mut captures, mut visited) = (Vec::new(), PointSet::EMPTY);
    for stone in position.chain(defender).flat_map(|stone| position.neighbours(stone)) {
        if position.stone(stone) == Some(attacker)
            && visited.insert(stone)
            && let [capture] = position.liberties(stone, 2)[..]
            && !captures.contains(&capture)
        {
            captures.push(capture);
        }
    }
    captures
}

/// The effect of a play.
pub(super) struct Played {
    /// The number of own stones that the play removed.
    pub(super) suicide: u32,
    /// The point that the ko rule forbids next.
    pub(super) ko: Option<Point>,
}

/// Plays a stone on an empty point.
pub(super) fn play(position: &mut Position, player: Color, point: Point) -> Played {
    let mut removed = Vec::new();
    let suicide = position.play(player, point, &mut removed).suicide;
    let is_single = position.neighbours(point).all(|neighbour| position.stone(neighbour) != Some(player));
    let is_ko = suicide == 0 && removed.len() == 1 && is_single && position.liberties(point, 2).len() == 1;
    Played { suicide, ko: removed.first().copied().filter(|_| is_ko) }
}
