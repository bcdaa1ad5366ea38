//! What a scan gives of each chain before anybody's status is known.

use super::links::Links;
use super::scan::{BORDER, EMPTY, Scan, Sums, other, sign};
use super::trees::{ROW, Row};

/// Features of a chain in the first pass.
pub const FIRST: usize = 34;

/// Largest values of features that count: what is beyond makes no difference.
const MANY: f32 = 60.0;

/// What is known of all chains of a scan before any status is.
pub(super) struct Ground {
    /// For each part, the colours next to it: 1, 2, or 3 for both.
    pub(super) touches: Vec<u8>,
    /// For each cell that is empty, the colours next to it.
    pub(super) near: Vec<u8>,
    pub(super) links: Links,
    /// For each part that is a chain, what it can reach.
    reach: Vec<Reach>,
    /// Stones of Black less those of White.
    sums: Sums,
}

/// Where a colour can walk without meeting the other one's stones, or points that those shut.
#[derive(Clone, Copy, Default)]
struct Reach {
    points: u16,
    empty: u16,
    stones: u16,
    chains: u16,
    walls: u16,
}

impl Ground {
    pub(super) fn new(scan: &Scan) -> Ground {
        let mut near = vec![0; scan.stone.len()];
        let mut touches = vec![0; scan.parts.len()];
        for part in 0..scan.parts.len() {
            let color = scan.parts[part].color;
            for &(beside, _) in scan.beside(part) {
                touches[usize::from(beside)] |= color;
            }
            if color == EMPTY {
                for &cell in scan.cells(part) {
                    near[usize::from(cell)] = scan
                        .around(usize::from(cell))
                        .iter()
                        .fold(0, |all, &cell| if scan.stone[cell] == BORDER { all } else { all | scan.stone[cell] });
                }
            }
        }
        let links = Links::new(scan, &touches, &near);
        let reach = reaches(scan, &near);
        let sums = Sums::new(scan, |cell| sign(scan.stone[cell]));
        Ground { touches, near, links, reach, sums }
    }

    /// The features of a chain.
    pub(super) fn row(&self, scan: &Scan, chain: usize, marks: &mut Marks) -> Row {
        let part = &scan.parts[chain];
        let (own, enemy) = (part.color, other(part.color));
        let mut eyes = [0.0_f32; 3];
        let mut open = [0.0_f32; 2];
        let mut enemies = Enemies::default();
        for &(beside, contacts) in scan.beside(chain) {
            let (beside, near) = (usize::from(beside), &scan.parts[usize::from(beside)]);
            match near.color {
                EMPTY if self.touches[beside] == own => {
                    eyes[0] += 1.0;
                    eyes[1] += near.size() as f32;
                    eyes[2] = eyes[2].max(near.size() as f32);
                }
                EMPTY => {
                    open[0] += near.size() as f32;
                    open[1] = open[1].max(near.size() as f32);
                }
                _ => enemies.see(near.size(), near.liberties, contacts),
            }
        }
        let [private, second, edge, bad_eyes, sure_eyes] = self.liberties(scan, chain, marks);
        let group = self.links.group(chain);
        let reach = self.reach[chain];
        let [narrow, wide] = self.sums.around(scan, chain);
        let sign = sign(own) as f32;
        let cap = |value: f32| value.min(MANY);
        let features: [f32; FIRST] = [
            cap(part.size() as f32),
            cap(f32::from(part.liberties)),
            eyes[0],
            cap(eyes[1]),
            cap(eyes[2]),
            cap(open[0]),
            cap(open[1]),
            private,
            cap(second),
            edge,
            bad_eyes,
            sure_eyes,
            enemies.chains,
            enemies.least,
            enemies.most,
            cap(enemies.largest),
            enemies.in_atari,
            enemies.weak,
            cap(enemies.contacts),
            cap(group.stones),
            cap(group.liberties),
            group.eyes,
            cap(group.eye_points),
            group.chains,
            cap(f32::from(reach.points)),
            cap(f32::from(reach.empty)),
            cap(f32::from(reach.stones)),
            f32::from(reach.chains),
            f32::from(reach.walls),
            narrow * sign,
            wide * sign,
            f32::from(self.links.closest_enemy(scan, chain, enemy)),
            part.size() as f32 / f32::from(reach.points.max(1)),
            enemies.least - f32::from(part.liberties),
        ];
        let mut row = [0.0; ROW];
        row[..FIRST].copy_from_slice(&features);
        row
    }

    /// Liberties that the other colour does not touch, points one step behind the liberties, the distance to the edge, and eyes of one point:
    /// those with as many diagonals lost as make them false, and the others.
    fn liberties(&self, scan: &Scan, chain: usize, marks: &mut Marks) -> [f32; 5] {
        let own = scan.parts[chain].color;
        let [mut private, mut second, mut bad, mut sure] = [0.0; 4];
        let mut edge = usize::MAX;
        let (width, height) = (usize::from(scan.size.width()), usize::from(scan.size.height()));
        let liberty = marks.next();
        for &cell in scan.cells(chain) {
            let cell = usize::from(cell);
            let (x, y) = (cell % scan.stride - 1, cell / scan.stride - 1);
            edge = edge.min(x).min(y).min(width - 1 - x).min(height - 1 - y);
            for near in scan.around(cell) {
                if scan.stone[near] == EMPTY && marks.mark(near, liberty) {
                    private += f32::from(u8::from(self.near[near] == own));
                    if self.touches[usize::from(scan.of[near])] == own
                        && scan.parts[usize::from(scan.of[near])].size() == 1
                    {
                        let lost = is_false(scan, near, own);
                        bad += f32::from(u8::from(lost));
                        sure += f32::from(u8::from(!lost));
                    }
                }
            }
        }
        let behind = marks.next();
        for &cell in scan.cells(chain) {
            for near in scan.around(usize::from(cell)) {
                if scan.stone[near] != EMPTY {
                    continue;
                }
                for next in scan.around(near) {
                    let is_new = scan.stone[next] == EMPTY && !marks.is(next, liberty) && marks.mark(next, behind);
                    second += f32::from(u8::from(is_new));
                }
            }
        }
        [private, second, edge as f32, bad, sure]
    }
}

/// What is known of the enemies next to a chain.
#[derive(Default)]
struct Enemies {
    chains: f32,
    least: f32,
    most: f32,
    largest: f32,
    in_atari: f32,
    weak: f32,
    contacts: f32,
}

impl Enemies {
    fn see(&mut self, size: usize, liberties: u16, contacts: u16) {
        let liberties = f32::from(liberties).min(20.0);
        self.least = if self.chains == 0.0 { liberties } else { self.least.min(liberties) };
        self.most = self.most.max(liberties);
        self.chains += 1.0;
        self.largest = self.largest.max(size as f32);
        self.in_atari += f32::from(u8::from(liberties == 1.0));
        self.weak += f32::from(u8::from(liberties <= 3.0));
        self.contacts += f32::from(contacts);
    }
}

/// Marks on cells that need not be taken off.
pub(super) struct Marks {
    marks: Vec<u32>,
    latest: u32,
}

impl Marks {
    pub(super) fn new(cells: usize) -> Marks {
        Marks { marks: vec![0; cells], latest: 0 }
    }

    /// A mark that is on no cell yet.
    pub(super) fn next(&mut self) -> u32 {
        self.latest += 1;
        self.latest
    }

    /// Marks a cell; whether it was not so marked.
    #[inline]
    pub(super) fn mark(&mut self, cell: usize, mark: u32) -> bool {
        let is_new = self.marks[cell] != mark;
        self.marks[cell] = mark;
        is_new
    }

    #[inline]
    pub(super) fn is(&self, cell: usize, mark: u32) -> bool {
        self.marks[cell] == mark
    }
}

/// Whether an eye of one point has more diagonals lost than an eye can bear.
pub(super) fn is_false(scan: &Scan, cell: usize, own: u8) -> bool {
    let diagonals = [cell - scan.stride - 1, cell - scan.stride + 1, cell + scan.stride - 1, cell + scan.stride + 1];
    let lost = diagonals.iter().filter(|&&cell| scan.stone[cell] == other(own)).count();
    let is_edge = diagonals.iter().any(|&cell| scan.stone[cell] == BORDER);
    lost + usize::from(is_edge) >= 2
}

/// What each chain can reach without crossing the enemy's stones and the points that those shut.
fn reaches(scan: &Scan, near: &[u8]) -> Vec<Reach> {
    let mut reaches = vec![Reach::default(); scan.parts.len()];
    let mut marks = Marks::new(scan.stone.len());
    let mut seen = vec![0_u32; scan.parts.len()];
    let mut queue: Vec<usize> = Vec::new();
    let mut chains: Vec<usize> = Vec::new();
    for own in [1, 2] {
        let shut: Vec<bool> = (0..scan.stone.len()).map(|cell| is_shut(scan, near, cell, own)).collect();
        for chain in scan.chains().filter(|&chain| scan.parts[chain].color == own) {
            if reaches[chain].points > 0 {
                continue;
            }
            let mark = marks.next();
            let mut reach = Reach::default();
            chains.clear();
            queue.clear();
            let start = usize::from(scan.cells(chain)[0]);
            marks.mark(start, mark);
            queue.push(start);
            while let Some(cell) = queue.pop() {
                reach.points += 1;
                let number = usize::from(scan.of[cell]);
                if scan.stone[cell] == EMPTY {
                    reach.empty += 1;
                } else {
                    reach.stones += 1;
                    if seen[number] != mark {
                        seen[number] = mark;
                        chains.push(number);
                    }
                }
                for next in scan.around(cell) {
                    if scan.stone[next] == other(own) {
                        let wall = usize::from(scan.of[next]);
                        reach.walls += u16::from(seen[wall] != mark);
                        seen[wall] = mark;
                    } else if scan.stone[next] != BORDER && !marks.is(next, mark) && !shut[next] {
                        marks.mark(next, mark);
                        queue.push(next);
                    }
                }
            }
            reach.chains = chains.len() as u16;
            chains.iter().for_each(|&chain| reaches[chain] = reach);
        }
    }
    reaches
}

/// Whether a point that `own` could play on leads nowhere, as the enemy stands on both sides of it.
fn is_shut(scan: &Scan, near: &[u8], cell: usize, own: u8) -> bool {
    let enemy = other(own);
    if scan.stone[cell] != EMPTY || near[cell] & enemy == 0 {
        return false;
    }
    let [north, west, east, south] = scan.around(cell).map(|cell| scan.stone[cell]);
    let is_wall = |stone: u8| stone == enemy || stone == BORDER;
    let row = |at: usize| {
        let diagonal = |cell: usize| scan.stone[cell];
        match at {
            0 => [diagonal(cell - scan.stride - 1), north, diagonal(cell - scan.stride + 1)],
            1 => [diagonal(cell + scan.stride - 1), south, diagonal(cell + scan.stride + 1)],
            2 => [diagonal(cell - scan.stride - 1), west, diagonal(cell + scan.stride - 1)],
            _ => [diagonal(cell - scan.stride + 1), east, diagonal(cell + scan.stride + 1)],
        }
    };
    let clear = |at: usize| row(at).iter().all(|&stone| stone != own);
    (is_wall(west) && is_wall(east) && (clear(0) || clear(1)))
        || (is_wall(north) && is_wall(south) && (clear(2) || clear(3)))
}
