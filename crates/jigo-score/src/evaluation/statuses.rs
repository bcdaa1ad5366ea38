//! The features of each group in the later passes, which depend on provisional statuses of all
//! groups.

use super::features::FIRST_FEATURES;
use super::scan::{EMPTY, Scan, color_sign, opponent};
use super::sums::Sums;
use super::trees::Row;
use crate::shape::union_find::{find, join};

/// Number of features of a group in the second and third pass: those of the first pass and
/// `ADDED_FEATURES` more.
pub const LATER_FEATURES: usize = FIRST_FEATURES + ADDED_FEATURES;
const ADDED_FEATURES: usize = 29;

/// Marks on parts. A new mark replaces clearing the old ones.
pub(super) struct PartMarks {
    marks: Vec<u32>,
    latest: u32,
}

impl PartMarks {
    pub(super) fn new(parts: usize) -> PartMarks {
        PartMarks { marks: vec![0; parts], latest: 0 }
    }

    /// Returns a mark that no part has yet.
    pub(super) fn next(&mut self) -> u32 {
        self.latest += 1;
        self.latest
    }

    /// Marks a part. Returns true if it did not have this mark.
    #[inline]
    pub(super) fn mark(&mut self, part: usize, mark: u32) -> bool {
        let is_new = self.marks[part] != mark;
        self.marks[part] = mark;
        is_new
    }
}

/// The board after removing the stones with the provisional status dead.
pub(super) struct Statuses<'a> {
    scan: &'a Scan,
    /// For each group, the logarithm of the odds that it lives.
    odds: &'a [f32],
    /// For each part that is not a living group, the index of its region.
    region_of: Vec<u16>,
    regions: Vec<LifelessRegion>,
    /// For each living group, the representative of the linked groups.
    link_of: Vec<u16>,
    linked_groups: Vec<LinkedGroups>,
    /// Number of points in regions that touch both colours.
    open_points: usize,
}

/// The extent of regions, which depends only on the statuses and not on the odds.
#[derive(Clone, Copy)]
pub(super) struct OpenExtent {
    /// Points of regions that touch both colours.
    pub(super) open: usize,
    /// Points of the largest region without living stones.
    pub(super) room: usize,
}

/// Connected points without living stones.
#[derive(Clone, Copy, Default)]
struct LifelessRegion {
    points: u16,
    empty: u16,
    /// The colours of living stones next to the region.
    touches: u8,
    /// Dead stones by colour.
    dead: [u16; 2],
    dead_groups: u16,
}

/// Living groups linked by their territory.
#[derive(Clone, Copy, Default)]
struct LinkedGroups {
    stones: u16,
    /// Regions that touch only their colour, and the points of all of them and of the largest.
    regions: u16,
    points: u16,
    largest: u16,
    /// Dead stones in these regions.
    prisoners: u16,
    /// Smallest odds of a group.
    least: f32,
}

/// The neighbours of a group: enemy groups, and points that touch both colours.
struct NeighbourSummary {
    /// Touching pairs of points with living and with dead enemies.
    contacts: [f32; 2],
    /// Smallest and largest odds of the enemies.
    least: f32,
    most: f32,
    /// Stones of the largest dead enemy.
    dead_enemy: f32,
    /// Smallest and largest territory of a living enemy with its linked groups, and their smallest
    /// number of regions.
    weakest: f32,
    strongest: f32,
    weakest_regions: f32,
    /// Touching pairs of points with dame.
    dame: f32,
}

impl NeighbourSummary {
    /// The values for a group without neighbours.
    const EMPTY: NeighbourSummary = NeighbourSummary {
        contacts: [0.0; 2],
        least: 20.0,
        most: -20.0,
        dead_enemy: 0.0,
        weakest: 99.0,
        strongest: 0.0,
        weakest_regions: 9.0,
        dame: 0.0,
    };
}

impl<'a> Statuses<'a> {
    pub(super) fn new(scan: &'a Scan, odds: &'a [f32]) -> Statuses<'a> {
        let parts = scan.parts.len();
        let is_living = |part: usize| scan.parts[part].color != EMPTY && odds[part] >= 0.0;
        let mut region_of: Vec<u16> = (0..parts as u16).collect();
        for part in (0..parts).filter(|&part| !is_living(part)) {
            for &(neighbour, _) in scan.neighbours(part) {
                if !is_living(usize::from(neighbour)) {
                    join(&mut region_of, part as u16, neighbour);
                }
            }
        }
        let mut regions = vec![LifelessRegion::default(); parts];
        for part in (0..parts).filter(|&part| !is_living(part)) {
            let region = &mut regions[usize::from(find(&mut region_of, part as u16))];
            let (size, color) = (scan.parts[part].size, scan.parts[part].color);
            region.points += size;
            if color == EMPTY {
                region.empty += size;
            } else {
                region.dead[usize::from(color) - 1] += size;
                region.dead_groups += 1;
            }
            for &(neighbour, _) in scan.neighbours(part) {
                if is_living(usize::from(neighbour)) {
                    region.touches |= scan.parts[usize::from(neighbour)].color;
                }
            }
        }
        let mut statuses = Statuses {
            scan,
            odds,
            region_of,
            regions,
            link_of: (0..parts as u16).collect(),
            linked_groups: vec![LinkedGroups::default(); parts],
            open_points: 0,
        };
        statuses.link();
        statuses
    }

    /// Returns the extent of regions that touch both colours or have no living stones.
    pub(super) fn extent(&self) -> OpenExtent {
        let room = self.regions.iter().map(|region| usize::from(region.points)).max().unwrap_or(0);
        OpenExtent { open: self.open_points, room }
    }

    fn is_living(&self, part: usize) -> bool {
        self.scan.parts[part].color != EMPTY && self.odds[part] >= 0.0
    }

    /// Links living groups by the territory between them, and adds up their stones and territory.
    fn link(&mut self) {
        let parts = self.scan.parts.len();
        let mut first_neighbour = vec![u16::MAX; parts];
        for part in 0..parts {
            if self.is_living(part) {
                continue;
            }
            let region = usize::from(find(&mut self.region_of, part as u16));
            if self.regions[region].touches == 3 {
                continue;
            }
            for &(neighbour, _) in self.scan.neighbours(part) {
                if self.is_living(usize::from(neighbour)) {
                    match first_neighbour[region] {
                        u16::MAX => first_neighbour[region] = neighbour,
                        first => join(&mut self.link_of, first, neighbour),
                    }
                }
            }
        }
        for (part, &adjacent) in first_neighbour.iter().enumerate() {
            if self.is_living(part) {
                let odds = self.odds[part];
                let linked_groups = &mut self.linked_groups[usize::from(find(&mut self.link_of, part as u16))];
                linked_groups.least = if linked_groups.stones == 0 { odds } else { linked_groups.least.min(odds) };
                linked_groups.stones += self.scan.parts[part].size;
            } else if usize::from(self.region_of[part]) == part {
                let region = self.regions[part];
                match adjacent {
                    u16::MAX => self.open_points += usize::from(region.points) * usize::from(region.touches == 3),
                    neighbour => {
                        let linked_groups = &mut self.linked_groups[usize::from(find(&mut self.link_of, neighbour))];
                        linked_groups.regions += 1;
                        linked_groups.points += region.points;
                        linked_groups.largest = linked_groups.largest.max(region.points);
                        linked_groups.prisoners += region.dead[0] + region.dead[1];
                    }
                }
            }
        }
        for part in 0..parts {
            self.link_of[part] = find(&mut self.link_of, part as u16);
            self.region_of[part] = find(&mut self.region_of, part as u16);
        }
    }

    /// Sums the stones and territory of Black minus those of White.
    pub(super) fn sums(&self) -> Sums {
        let values: Vec<i32> = (0..self.scan.parts.len())
            .map(|part| {
                color_sign(if self.is_living(part) {
                    self.scan.parts[part].color
                } else {
                    self.regions[usize::from(self.region_of[part])].touches
                })
            })
            .collect();
        Sums::new(self.scan, |cell| values[usize::from(self.scan.part_of[cell])])
    }

    /// Computes the features of a group and appends them to those of the first pass.
    pub(super) fn row(&self, first: &Row, group: usize, sums: &Sums, marks: &mut PartMarks) -> Row {
        let scan = self.scan;
        let part = &scan.parts[group];
        let (color, enemy) = (part.color, opponent(part.color));
        let summary = self.summarise_neighbours(group);
        let is_living = self.is_living(group);
        let region = if is_living {
            self.region_if_dead(group, marks)
        } else {
            self.regions[usize::from(self.region_of[group])]
        };
        let linked_groups =
            if is_living { self.linked_groups[usize::from(self.link_of[group])] } else { LinkedGroups::default() };
        let own_touches = region.touches & color != 0;
        let enemy_touches = region.touches & enemy != 0;
        let [narrow_sum, wide_sum] = sums.around(scan, group);
        let sign = color_sign(color) as f32;
        let size = f32::from(part.size);
        let cap = |value: u16| f32::from(value.min(60));
        let added: [f32; ADDED_FEATURES] = [
            self.odds[group],
            summary.contacts[0],
            summary.contacts[1],
            summary.least,
            summary.most,
            summary.dead_enemy.min(60.0),
            summary.weakest.min(60.0),
            summary.weakest_regions,
            summary.strongest.min(60.0),
            summary.dame,
            cap(region.points),
            cap(region.empty),
            f32::from(u8::from(own_touches)),
            f32::from(u8::from(enemy_touches)),
            cap(region.dead[usize::from(color) - 1]),
            cap(region.dead[usize::from(enemy) - 1]),
            cap(region.dead_groups),
            cap(linked_groups.stones),
            cap(linked_groups.regions),
            cap(linked_groups.points),
            cap(linked_groups.largest),
            cap(linked_groups.prisoners),
            linked_groups.least,
            narrow_sum * sign,
            wide_sum * sign,
            self.open_points.min(99) as f32,
            size / f32::from(region.points.max(1)),
            f32::from(region.empty) / f32::from(region.points.max(1)),
            summary.contacts[1] / (summary.contacts[0] + summary.contacts[1]).max(1.0),
        ];
        let mut row = *first;
        row[FIRST_FEATURES..LATER_FEATURES].copy_from_slice(&added);
        row
    }

    /// Collects the neighbours of a group.
    #[inline]
    fn summarise_neighbours(&self, group: usize) -> NeighbourSummary {
        let mut summary = NeighbourSummary::EMPTY;
        for &(neighbour, contact_count) in self.scan.neighbours(group) {
            let (neighbour, contact_count) = (usize::from(neighbour), f32::from(contact_count));
            if self.scan.parts[neighbour].color == EMPTY {
                if self.regions[usize::from(self.region_of[neighbour])].touches == 3 {
                    summary.dame += contact_count;
                }
                continue;
            }
            let odds = self.odds[neighbour];
            (summary.least, summary.most) = (summary.least.min(odds), summary.most.max(odds));
            if odds >= 0.0 {
                let linked_groups = self.linked_groups[usize::from(self.link_of[neighbour])];
                summary.contacts[0] += contact_count;
                summary.weakest = summary.weakest.min(f32::from(linked_groups.points));
                summary.weakest_regions = summary.weakest_regions.min(f32::from(linked_groups.regions));
                summary.strongest = summary.strongest.max(f32::from(linked_groups.points));
            } else {
                summary.contacts[1] += contact_count;
                summary.dead_enemy = summary.dead_enemy.max(f32::from(self.scan.parts[neighbour].size));
            }
        }
        summary
    }

    /// Returns the region that would contain a living group if it were dead.
    fn region_if_dead(&self, group: usize, marks: &mut PartMarks) -> LifelessRegion {
        let scan = self.scan;
        let part = &scan.parts[group];
        let mark = marks.next();
        let mut region = LifelessRegion { points: part.size, dead_groups: 1, ..LifelessRegion::default() };
        region.dead[usize::from(part.color) - 1] = part.size;
        for &(neighbour, _) in scan.neighbours(group) {
            let neighbour = usize::from(neighbour);
            if self.is_living(neighbour) {
                region.touches |= scan.parts[neighbour].color;
                continue;
            }
            let joined_region = usize::from(self.region_of[neighbour]);
            if !marks.mark(joined_region, mark) {
                continue;
            }
            let more = self.regions[joined_region];
            region.points += more.points;
            region.empty += more.empty;
            region.dead_groups += more.dead_groups;
            region.dead[0] += more.dead[0];
            region.dead[1] += more.dead[1];
            // The group's own contact with the region proves nothing.
            region.touches |= more.touches & opponent(part.color);
        }
        region
    }
}
