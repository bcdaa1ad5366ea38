//! Of which groups static evaluation is sure while others are in doubt, and where that leaves nothing to play for.
//!
//! A group that surely lives may live only because one in doubt is dead, or in seki with it. So those that touch a region with a group in doubt, and
//! have little room elsewhere, are left to the playouts with it, and so on with those that touch them.

use super::scan::{EMPTY, Scan};
use super::{MOST_ROOM, wrong};
use crate::board::{Color, Point, PointSet};
use crate::score::cell_set::CellSet;

/// How probable it may be that a group is wrong of which somebody is sure: a little more than where a pass leaves it alone. On games that the trees had not seen 0.0005
/// to 0.005 come out alike; with 0.0005 playouts take half as long again, and with 0.005 a few more of those with a high confidence are wrong.
const MOST_WRONG: f32 = 0.001;
/// Points in closed regions of its own beside a group that lives whatever happens elsewhere. With 7, or with two eyes of any size, twice as many of the
/// games fitted to come out wrong that are right by playouts alone.
const ROOM_TO_LIVE: usize = 14;

/// Odds of this logarithm, nearly three to one, speak clearly for a group that is in doubt. Of 34,372 games, each by trees that had not seen it, 11 are wrong that
/// playouts alone get right; with 1.5 it is 14.
const DENIES: f32 = 1.0;

/// The groups of which static evaluation is sure, and the regions that hold no others.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::score) struct Sure {
    /// The stones of those that live whatever becomes of the other groups.
    pub(in crate::score) living: PointSet,
    /// The stones of those that are dead.
    pub(in crate::score) dead: PointSet,
    /// The regions that touch one colour only, Black's first.
    pub(in crate::score) territory: [PointSet; 2],
    /// The regions that touch both colours.
    pub(in crate::score) nobodys: PointSet,
    /// All groups, each by a point, with the odds of its life.
    pub(in crate::score) odds: Vec<(Point, f32)>,
    /// How many of the sure groups are expected to be wrong.
    pub(in crate::score) doubt: f32,
}

impl Sure {
    /// Whether dead stones, sorted, stand against what speaks clearly for a group in doubt.
    pub(in crate::score) fn denies(&self, dead: &[Point]) -> bool {
        self.in_doubt().any(|(point, odds)| odds.abs() >= DENIES && (odds < 0.0) != dead.binary_search(&point).is_ok())
    }

    /// The groups that are neither, each by a point, with the odds of its life.
    pub(in crate::score) fn in_doubt(&self) -> impl Iterator<Item = (Point, f32)> + '_ {
        self.odds.iter().copied().filter(|(point, _)| !self.living.contains(*point) && !self.dead.contains(*point))
    }
}

/// What a part of the board is taken for.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Empty,
    Living,
    Dead,
    InDoubt,
}

/// Regions without stones that surely live and are out of play.
struct Regions<'a> {
    scan: &'a Scan,
    /// For each part that belongs to one, the part that stands for it.
    of: Vec<usize>,
    /// By that part: its points, the colours of the living stones around, whether it has to be played on.
    points: Vec<usize>,
    touches: Vec<u8>,
    is_open: Vec<bool>,
}

impl<'a> Regions<'a> {
    fn new(scan: &'a Scan, roles: &[Role]) -> Regions<'a> {
        let parts = roles.len();
        let of = (0..parts).collect();
        let (points, touches, is_open) = (vec![0; parts], vec![0; parts], vec![false; parts]);
        let mut regions = Regions { scan, of, points, touches, is_open };
        let mut is_seen = vec![false; parts];
        let mut queue = Vec::new();
        for start in 0..parts {
            if roles[start] == Role::Living || std::mem::replace(&mut is_seen[start], true) {
                continue;
            }
            queue.push(start);
            while let Some(part) = queue.pop() {
                regions.of[part] = start;
                regions.points[start] += usize::from(scan.parts[part].size);
                regions.is_open[start] |= roles[part] == Role::InDoubt;
                for &(near, _) in scan.beside(part) {
                    let near = usize::from(near);
                    if roles[near] == Role::Living {
                        regions.touches[start] |= scan.parts[near].color;
                    } else if !std::mem::replace(&mut is_seen[near], true) {
                        queue.push(near);
                    }
                }
            }
            // Where somebody has more room, somebody may still live in it.
            regions.is_open[start] |= regions.points[start] > MOST_ROOM;
        }
        regions
    }

    /// Whether a living group has nothing to do with what has to be played on, or room enough elsewhere.
    fn is_safe(&self, group: usize, roles: &[Role]) -> bool {
        let own = self.scan.parts[group].color;
        let mut beside: Vec<usize> = self.scan.beside(group).iter().map(|&(near, _)| usize::from(near)).collect();
        beside.retain(|&near| roles[near] != Role::Living);
        beside.iter_mut().for_each(|near| *near = self.of[*near]);
        if !beside.iter().any(|&region| self.is_open[region]) {
            return true;
        }
        beside.sort_unstable();
        beside.dedup();
        let own = beside.into_iter().filter(|&region| !self.is_open[region] && self.touches[region] == own);
        own.map(|region| self.points[region]).sum::<usize>() >= ROOM_TO_LIVE
    }
}

/// The groups whose status is in no doubt, by the odds of each part.
pub(super) fn sure(scan: &Scan, odds: &[f32]) -> Sure {
    let role = |part: usize| match scan.parts[part].color {
        EMPTY => Role::Empty,
        _ if wrong(odds[part]) > MOST_WRONG => Role::InDoubt,
        _ if odds[part] < 0.0 => Role::Dead,
        _ => Role::Living,
    };
    let mut roles: Vec<Role> = (0..scan.parts.len()).map(role).collect();
    let regions = loop {
        let regions = Regions::new(scan, &roles);
        let is_unsafe = |&group: &usize| roles[group] == Role::Living && !regions.is_safe(group, &roles);
        let unsafe_groups: Vec<usize> = scan.groups().filter(is_unsafe).collect();
        if unsafe_groups.is_empty() {
            break regions;
        }
        unsafe_groups.into_iter().for_each(|group| roles[group] = Role::InDoubt);
    };
    let mut sure = enter(&regions, &roles);
    let decided = |group: &usize| roles[*group] != Role::InDoubt;
    sure.doubt = scan.groups().filter(decided).map(|group| wrong(odds[group])).sum();
    sure.odds = scan.chains().map(|(point, group)| (point, odds[group])).collect();
    sure
}

/// The points of groups and regions by their roles.
fn enter(regions: &Regions, roles: &[Role]) -> Sure {
    let scan = regions.scan;
    let [mut living, mut dead, mut nobodys] = [CellSet::EMPTY; 3];
    let mut territory = [CellSet::EMPTY; 2];
    for (part, role) in roles.iter().enumerate() {
        let cells = &scan.parts[part].cells;
        match role {
            Role::Living => living.add(cells),
            Role::Dead => dead.add(cells),
            Role::Empty | Role::InDoubt => {}
        }
        let region = regions.of[part];
        if *role != Role::Living && !regions.is_open[region] {
            let owner = Color::BOTH.into_iter().find(|color| *color as u8 == regions.touches[region]);
            owner.map_or(&mut nobodys, |owner| &mut territory[owner.index()]).add(cells);
        }
    }
    let [living, dead, nobodys] = [living, dead, nobodys].map(|cells| scan.grid.points(&cells));
    let territory = territory.map(|cells| scan.grid.points(&cells));
    Sure { living, dead, territory, nobodys, odds: Vec::new(), doubt: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    /// What is sure of a diagram where every chain of `doubtful` has even odds, those of `dead` are dead and all others live.
    fn of(diagram: &str, doubtful: &[(u8, u8)], dead: &[(u8, u8)]) -> Sure {
        let scan = Scan::new(&read(diagram).unwrap());
        let mut odds = vec![9.0; scan.parts.len()];
        let mut enter = |points: &[(u8, u8)], value| {
            points.iter().for_each(|&(x, y)| odds[scan.part_at(Point::new(x, y))] = value);
        };
        enter(doubtful, 0.0);
        enter(dead, -9.0);
        sure(&scan, &odds)
    }

    fn points(set: &PointSet) -> usize {
        set.iter().count()
    }

    #[test]
    fn a_chain_with_room_elsewhere_is_out_of_play_beside_one_in_doubt() {
        let rows = [". . . . . X O . X .", ". . . . . X O . . .", ". . . . . X O O O O", ". O . . . X O . . ."];
        let diagram = [&rows[..], &[". . . . . X O . . ."; 4]].concat().join("\n");
        let sure = of(&diagram, &[(8, 0)], &[(1, 3)]);
        assert_eq!([points(&sure.living), points(&sure.dead), sure.in_doubt().count()], [19, 1, 1]);
        assert_eq!(sure.territory.map(|side| points(&side)), [40, 15]);
        assert!(sure.nobodys.is_empty());
    }

    #[test]
    fn only_clear_odds_of_groups_in_doubt_deny_an_estimate() {
        let of_corner = |odds: f32| Sure { odds: vec![(Point::new(0, 0), odds)], ..of(". X", &[], &[]) };
        let dead = [Point::new(0, 0)];
        for (odds, is_denied) in [(DENIES, true), (0.9 * DENIES, false), (-DENIES, false), (-9.0, false)] {
            assert_eq!(of_corner(odds).denies(&dead), is_denied, "{odds}");
        }
        assert!(of_corner(-DENIES).denies(&[]));
        let is_sure = Sure { living: dead.into_iter().collect(), ..of_corner(9.0) };
        assert!(!is_sure.denies(&dead));
    }

    /// Both colours live in a seki because neither can take the other, which a chain that nobody can take would undo.
    #[test]
    fn a_chain_that_has_room_nowhere_else_is_in_doubt_with_its_neighbour() {
        let sure = of(". X . O .\nX X . O O\nX X . O O", &[(1, 0)], &[]);
        assert_eq!([points(&sure.living), points(&sure.dead), sure.in_doubt().count()], [0, 0, 2]);
        let sure = of(". X . O .\nX X . O O\nX X . O O", &[], &[]);
        assert_eq!([points(&sure.living), points(&sure.nobodys), sure.in_doubt().count()], [10, 3, 0]);
    }
}
