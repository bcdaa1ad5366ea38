//! The part of a position that static evaluation decides while other groups are in doubt.
//!
//! A group with high odds may live only because a group in doubt is dead, or is in seki with it.
//! Therefore a group that touches a region with a group in doubt and has little room elsewhere is
//! also in doubt. The same applies to the groups that touch these, and so on. Playouts judge all
//! groups in doubt.

use super::scan::{EMPTY, Scan};
use crate::shape::cell_set::CellSet;
use jigo_rules::board::{Color, Point, PointSet};

/// Largest probability of error of a decided group, slightly above that of
/// [`DECIDED_ODDS`](super::DECIDED_ODDS).
///
/// On games that the trees had not seen, limits from 0.0005 to 0.005 give similar results. With
/// 0.0005, playouts take half as long again. With 0.005, a few more estimates with a high
/// confidence are wrong.
const MAX_ERROR_PROBABILITY: f32 = 0.001;
/// Points of closed own regions that make a group live independently of other groups.
///
/// With 7 points, or with two eyes of any size, more games are wrong that playouts alone get right:
/// twice the number, on the games used for fitting.
const ROOM_TO_LIVE: usize = 14;

/// Largest region without living stones in a decided position: a fifth of the board.
///
/// In a larger region the opponent may still make life. Nineteen in twenty counted games are below
/// the limit.
pub(super) const MAX_LIFELESS_REGION: usize = 361 / 5;
/// Logarithm of the odds, nearly three to one, that count as clear evidence for a group in doubt.
///
/// Of 34,372 games, each judged by trees that had not seen it, 11 are wrong that playouts alone get
/// right. With 1.5 there are 14.
const CONTRADICTING_ODDS: f32 = 1.0;

/// Returns the probability, from 0 to 0.5, that a group with these odds has the other status.
///
/// The exponential comes from a library. Those of the platforms differ in the last bit, which could
/// move a value across a limit.
pub(super) fn error_probability(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(odds.abs()))
}

/// The groups that static evaluation decides, and the regions without other groups.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConfidentGroups {
    /// Stones of groups that live independently of the other groups.
    pub(crate) living: PointSet,
    /// Stones of dead groups.
    pub(crate) dead: PointSet,
    /// Regions that touch one colour only, Black first.
    pub(crate) territory: [PointSet; 2],
    /// Regions that touch both colours.
    pub(crate) unowned: PointSet,
    /// All groups, each with a point of every chain and the odds that it lives.
    pub(crate) odds: Vec<(Point, f32)>,
    /// Expected number of wrong groups among the decided ones.
    pub(crate) doubt: f32,
}

impl ConfidentGroups {
    /// Returns true if an estimate contradicts clear odds of a group in doubt.
    ///
    /// `dead` contains the estimate's dead stones, sorted.
    pub(crate) fn contradicts(&self, dead: &[Point]) -> bool {
        self.in_doubt()
            .any(|(point, odds)| odds.abs() >= CONTRADICTING_ODDS && (odds < 0.0) != dead.binary_search(&point).is_ok())
    }

    /// Returns the groups in doubt, each with a point of every chain and the odds that it lives.
    pub(crate) fn in_doubt(&self) -> impl Iterator<Item = (Point, f32)> + '_ {
        self.odds.iter().copied().filter(|(point, _)| !self.living.contains(*point) && !self.dead.contains(*point))
    }
}

/// The role of a part of the board.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Empty,
    Living,
    Dead,
    InDoubt,
}

/// Regions between the living groups.
struct Regions<'a> {
    scan: &'a Scan,
    /// For each part of a region, the region's representative.
    region_of: Vec<usize>,
    /// By representative: number of points, colours of the living stones around, and whether the
    /// region is still in play.
    points: Vec<usize>,
    touches: Vec<u8>,
    is_open: Vec<bool>,
}

impl<'a> Regions<'a> {
    fn new(scan: &'a Scan, roles: &[Role]) -> Regions<'a> {
        let parts = roles.len();
        let region_of = (0..parts).collect();
        let (points, touches, is_open) = (vec![0; parts], vec![0; parts], vec![false; parts]);
        let mut regions = Regions { scan, region_of, points, touches, is_open };
        let mut is_seen = vec![false; parts];
        let mut queue = Vec::new();
        for start in 0..parts {
            if roles[start] == Role::Living || std::mem::replace(&mut is_seen[start], true) {
                continue;
            }
            queue.push(start);
            while let Some(part) = queue.pop() {
                regions.region_of[part] = start;
                regions.points[start] += usize::from(scan.parts[part].size);
                regions.is_open[start] |= roles[part] == Role::InDoubt;
                for &(neighbour, _) in scan.neighbours(part) {
                    let neighbour = usize::from(neighbour);
                    if roles[neighbour] == Role::Living {
                        regions.touches[start] |= scan.parts[neighbour].color;
                    } else if !std::mem::replace(&mut is_seen[neighbour], true) {
                        queue.push(neighbour);
                    }
                }
            }
            // In a larger region the opponent may still make life.
            regions.is_open[start] |= regions.points[start] > MAX_LIFELESS_REGION;
        }
        regions
    }

    /// Returns true if a living group touches no region in play or has enough room elsewhere.
    fn is_safe(&self, group: usize, roles: &[Role]) -> bool {
        let color = self.scan.parts[group].color;
        let mut neighbours: Vec<usize> =
            self.scan.neighbours(group).iter().map(|&(neighbour, _)| usize::from(neighbour)).collect();
        neighbours.retain(|&neighbour| roles[neighbour] != Role::Living);
        neighbours.iter_mut().for_each(|neighbour| *neighbour = self.region_of[*neighbour]);
        if !neighbours.iter().any(|&region| self.is_open[region]) {
            return true;
        }
        neighbours.sort_unstable();
        neighbours.dedup();
        let enclosed_regions =
            neighbours.into_iter().filter(|&region| !self.is_open[region] && self.touches[region] == color);
        enclosed_regions.map(|region| self.points[region]).sum::<usize>() >= ROOM_TO_LIVE
    }
}

/// Returns the decided groups, given the odds of each part.
pub(super) fn find_confident_groups(scan: &Scan, odds: &[f32]) -> ConfidentGroups {
    let role = |part: usize| match scan.parts[part].color {
        EMPTY => Role::Empty,
        _ if error_probability(odds[part]) > MAX_ERROR_PROBABILITY => Role::InDoubt,
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
    let mut confident = collect(&regions, &roles);
    let is_decided = |group: &usize| roles[*group] != Role::InDoubt;
    confident.doubt = scan.groups().filter(is_decided).map(|group| error_probability(odds[group])).sum();
    confident.odds = scan.chains().map(|(point, group)| (point, odds[group])).collect();
    confident
}

/// Collects the points of groups and regions by their roles.
fn collect(regions: &Regions, roles: &[Role]) -> ConfidentGroups {
    let scan = regions.scan;
    let [mut living, mut dead, mut unowned] = [CellSet::EMPTY; 3];
    let mut territory = [CellSet::EMPTY; 2];
    for (part, role) in roles.iter().enumerate() {
        let cells = &scan.parts[part].cells;
        match role {
            Role::Living => living.add(cells),
            Role::Dead => dead.add(cells),
            Role::Empty | Role::InDoubt => {}
        }
        let region = regions.region_of[part];
        if *role != Role::Living && !regions.is_open[region] {
            let owner = Color::BOTH.into_iter().find(|color| *color as u8 == regions.touches[region]);
            owner.map_or(&mut unowned, |owner| &mut territory[owner.index()]).add(cells);
        }
    }
    let [living, dead, unowned] = [living, dead, unowned].map(|cells| scan.grid.points(&cells));
    let territory = territory.map(|cells| scan.grid.points(&cells));
    ConfidentGroups { living, dead, territory, unowned, odds: Vec::new(), doubt: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::links::scan_groups;
    use jigo_rules::board::diagram::read;

    /// Evaluates a diagram in which the chains of `doubtful_points` have even odds, those of `dead`
    /// are dead and all others live.
    fn evaluate(diagram: &str, doubtful_points: &[(u8, u8)], dead: &[(u8, u8)]) -> ConfidentGroups {
        let scan = scan_groups(&read(diagram).unwrap());
        let mut odds = vec![9.0; scan.parts.len()];
        let mut set_odds = |points: &[(u8, u8)], value| {
            points.iter().for_each(|&(x, y)| odds[scan.part_at(Point::new(x, y))] = value);
        };
        set_odds(doubtful_points, 0.0);
        set_odds(dead, -9.0);
        find_confident_groups(&scan, &odds)
    }

    fn points(set: &PointSet) -> usize {
        set.iter().count()
    }

    #[test]
    fn chain_with_enough_room_is_decided_next_to_doubt() {
        let rows = [". . . . . X O . X .", ". . . . . X O . . .", ". . . . . X O O O O", ". O . . . X O . . ."];
        let diagram = [&rows[..], &[". . . . . X O . . ."; 4]].concat().join("\n");
        let confident = evaluate(&diagram, &[(8, 0)], &[(1, 3)]);
        assert_eq!([points(&confident.living), points(&confident.dead), confident.in_doubt().count()], [19, 1, 1]);
        assert_eq!(confident.territory.map(|side| points(&side)), [40, 15]);
        assert!(confident.unowned.is_empty());
    }

    #[test]
    fn only_clear_odds_of_a_group_in_doubt_contradict() {
        let of_corner =
            |odds: f32| ConfidentGroups { odds: vec![(Point::new(0, 0), odds)], ..evaluate(". X", &[], &[]) };
        let dead = [Point::new(0, 0)];
        for (odds, contradicts) in
            [(CONTRADICTING_ODDS, true), (0.9 * CONTRADICTING_ODDS, false), (-CONTRADICTING_ODDS, false), (-9.0, false)]
        {
            assert_eq!(of_corner(odds).contradicts(&dead), contradicts, "{odds}");
        }
        assert!(of_corner(-CONTRADICTING_ODDS).contradicts(&[]));
        let decided = ConfidentGroups { living: dead.into_iter().collect(), ..of_corner(9.0) };
        assert!(!decided.contradicts(&dead));
    }

    /// In a seki both colours live because neither can capture the other. If one of the chains were
    /// safe, the other would die.
    #[test]
    fn chain_without_room_shares_its_neighbours_doubt() {
        let confident = evaluate(". X . O .\nX X . O O\nX X . O O", &[(1, 0)], &[]);
        assert_eq!([points(&confident.living), points(&confident.dead), confident.in_doubt().count()], [0, 0, 2]);
        let confident = evaluate(". X . O .\nX X . O O\nX X . O O", &[], &[]);
        assert_eq!([points(&confident.living), points(&confident.unowned), confident.in_doubt().count()], [10, 3, 0]);
    }
}
