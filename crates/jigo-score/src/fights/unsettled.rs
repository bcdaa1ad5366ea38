//! Unsettled fights: parts of the board in which the next player gains by playing first.
//!
//! Playouts judge a position without regard to the next play, so they are sometimes sure of a group
//! that one play kills or saves. A search of small parts of the board finds such groups. It examines
//! chains without safe territory, small regions with dead stones, and the points between them.

use super::race::{MAX_POSITIONS, Race};
use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, with_words};
use crate::shape::territory::FloodedTerritory;
use jigo_rules::board::{BoardSize, Point, Position};

/// The number of points of own territory, without dead stones, that make a chain safe. Two separate
/// regions do so as well.
const SAFE_TERRITORY: u32 = 7;
/// The minimum number of points of a region in which dead stones may make two eyes, and the minimum
/// number of these stones.
const ROOM_FOR_EYES: u32 = 7;
const STONES_FOR_EYES: u32 = 3;

/// The limits that depend on the board.
struct Limits {
    /// The maximum number of liberties of a chain in danger.
    liberties: u32,
    /// The maximum number of empty points of a searched part, and of a region with dead stones in it.
    points: u32,
    /// The least gain, in points, that makes a fight unsettled.
    gain: i32,
    /// The maximum number of empty points of a part that is in doubt if the search has no result.
    doubtful_points: u32,
}

/// The limits on 19x19, to which the estimates were fitted. A smaller gain does not mean another
/// status of a group: players of such games leave it more often than an estimate is wrong.
const STANDARD: Limits = Limits { liberties: 2, points: 6, gain: 4, doubtful_points: 4 };
/// The limits on other boards, on which the error of an estimate is less known.
const OTHER: Limits = Limits { liberties: 3, points: 8, gain: 2, doubtful_points: 6 };

/// The maximum number of positions of a search whose failure raises no doubt. It is small, because
/// most searched parts are of this kind.
const FEW_POSITIONS: usize = 150;

/// Returns the gains of both players, in points, by playing first in the fight with the largest
/// gains. Black's gain is first, and both are 0 if a limit of the search hides them.
///
/// Returns `None` if all searched fights are settled.
pub(super) fn unsettled_gains(position: &Position, dead: &[Point]) -> Option<[i32; 2]> {
    with_words!(position.size(), largest_gains, position, dead)
}

fn largest_gains<const W: usize>(position: &Position, dead: &[Point]) -> Option<[i32; 2]> {
    let grid = Grid::<W>::new(position.size());
    let flooded = FloodedTerritory::on(&grid, position, dead);
    let stones = grid.stones(position);
    let limits = if position.size() == BoardSize::standard() { STANDARD } else { OTHER };
    let gains = zones(&grid, &flooded, &limits).into_iter().filter_map(|zone| {
        let points = zone.without(&stones[0]).without(&stones[1]).len();
        if points > limits.points {
            return None;
        }
        let race = Race { zone, stones: [CellSet::EMPTY; 2] };
        let (lead, is_doubtful) = (flooded.lead_inside(&zone), points <= limits.doubtful_points);
        let positions = if is_doubtful { MAX_POSITIONS } else { FEW_POSITIONS };
        match race.gains(&grid, position, lead, limits.gain, positions) {
            None => is_doubtful.then_some([0, 0]),
            gains => gains.filter(|gains| *gains != [0, 0]),
        }
    });
    gains.max_by_key(|gains| gains[0] + gains[1])
}

/// Returns the parts of the board that may contain an unsettled fight.
fn zones<const W: usize>(grid: &Grid<W>, flooded: &FloodedTerritory<CellSet<W>>, limits: &Limits) -> Vec<CellSet<W>> {
    let dead = flooded.dead[0].union(&flooded.dead[1]);
    let is_contested = |region: &CellSet<W>| region.intersects(&dead) && region.without(&dead).len() <= limits.points;
    let [mut exposed, mut in_danger] = [CellSet::EMPTY; 2];
    let add = |all: CellSet<W>, part: CellSet<W>| all.union(&part);
    let mut contested = grid.parts(flooded.dame).filter(is_contested).fold(CellSet::EMPTY, add);
    for side in [0, 1] {
        let (with_dead, safe): (Vec<_>, Vec<_>) = grid.parts(flooded.territory[side]).partition(is_contested);
        contested = with_dead.into_iter().fold(contested, add);
        for chain in grid.parts(flooded.stones[side]) {
            let around = grid.adjacent(&chain, 1);
            let own: Vec<_> = safe.iter().filter(|region| region.intersects(&around)).collect();
            if own.len() >= 2 || own.iter().any(|region| region.len() >= SAFE_TERRITORY) {
                continue;
            }
            exposed = own.into_iter().fold(exposed.union(&chain), |all, region| all.union(region));
            let is_stone = |cell: usize| flooded.stones.iter().any(|stones| stones.contains(cell));
            let liberties = around.iter().filter(|&cell| !is_stone(cell) && !dead.contains(cell)).count();
            if !chain.is_single() && liberties as u32 <= limits.liberties {
                in_danger.add(&chain);
            }
        }
    }
    let fights = exposed.union(&contested);
    let near = grid.dilate(&fights);
    let all = grid.parts(flooded.dame).filter(|dame| dame.intersects(&near)).fold(fights, add);
    let may_gain = |zone: &CellSet<W>| {
        let has_room = || zone.len() >= ROOM_FOR_EYES && zone.intersection(&dead).len() >= STONES_FOR_EYES;
        zone.intersects(&in_danger) || zone.intersects(&contested) && (zone.intersects(&exposed) || has_room())
    };
    grid.parts(all).filter(may_gain).collect()
}
