//! The playouts of one position, and what they say of its chains.

use super::board::{BORDER, Board, EMPTY};
use super::policy::Policy;
use super::prior::{LeadPrior, is_small};
use super::search::Search;
use super::shape::killers;
use super::zone::zone;
use crate::board::{Color, Point, Position};
use crate::budget::Budget;
use crate::score::grid::cell_of;
use crate::score::known::Known;

/// Playouts between two looks at the chains, one with each side to move first.
const ROUND: usize = 2;
/// How much is done at most to find the status of what is not known.
pub(super) struct Effort {
    /// Playouts.
    playouts: usize,
    /// Simulations of a search with each side to move first.
    simulations: usize,
    /// The same where the odds of two hypotheses are near.
    pub(super) rival_simulations: usize,
    /// Empty points of the largest zone that a search of this size can cope with.
    largest_zone: usize,
}

/// Where nobody was asked before.
const LONG: Effort = Effort { playouts: 256, simulations: 150, rival_simulations: 600, largest_zone: 60 };
/// Where static evaluation knows a part of the board, and has odds for the rest. On games that its trees had not seen
/// more come out than with half as many playouts, and no more with twice as many simulations.
const BRIEF: Effort = Effort { playouts: 128, simulations: 75, rival_simulations: 150, largest_zone: 40 };
/// Playouts after which a board is looked at for being wide open: such a one will not become closed. On small boards, where a lead says little, fewer may agree by
/// chance on one that is open.
const LOOK: usize = 32;
/// A board is wide open where more than one of so many of its points is nobody's: far more than players leave when they stop, and twice as much as makes it open.
const OPEN_SHARE: usize = 4;
/// A chain is decided when its mean owner is so many times as far from zero as chance alone brings.
const DECIDED: f64 = 1.949;
/// How much less is asked for when static evaluation says the same: that times the logarithm of the odds that it gives. On games that its trees had not seen
/// endings come out as with a third of it and with twice as much.
const AGREED: f64 = 0.3;
/// But no less than chance alone brings. Without that, twice as many endings are left in doubt, most of which are right.
const LEAST: f64 = 1.0;
/// A chain is searched when its mean owner, in percent, is nearer to zero than this.
pub(super) const DOUBTFUL: i64 = 25;
/// Stones that a search is about: those whose mean owner, in percent, is nearer to zero than this.
const DISPUTED: i64 = 50;
/// The status of what is dead, or alive, by the shape of an eye.
const BY_SHAPE: i64 = 60;
/// Odds of this logarithm, twenty to one, say nothing beside playouts, and of larger ones counts what is above it. On games that its trees had not seen as many
/// endings come out without it, but of those that then get a high confidence more are wrong.
const FAINT: f32 = 3.0;
/// How many percent the logarithm of the odds that static evaluation gives a chain counts, above what is faint.
const ODDS_WEIGHT: f32 = 12.0;
/// How decided a chain is at most whose status was turned over.
const TURNED: i64 = 10;
/// Chains that their own colour holds this often, in percent, do not depend on the group with the eye that they surround.
const SURE: i64 = 60;

/// Who owned which cell at the end of playouts.
pub(super) struct Ownership<const W: usize> {
    pub(super) start: Board<W>,
    seed: u64,
    /// Points of the board.
    points: usize,
    /// Cells where nobody needs to play.
    pub(super) closed: Vec<bool>,
    /// Cells of stones that live.
    safe: Vec<bool>,
    /// Stones whose status nobody asks for.
    is_known: Vec<bool>,
    /// One stone of each chain whose status is asked for, in ascending order.
    heads: Vec<usize>,
    /// For the head of a chain in doubt, what static evaluation says for its life: the logarithm of the odds, less what is faint.
    odds: Vec<f32>,
    /// Whether playouts and search may stop where it says the same.
    is_part: bool,
    pub(super) effort: &'static Effort,
    /// Playouts before anything is taken for decided.
    fewest: usize,
    lead: LeadPrior,
    playouts: usize,
    /// The cells that are not closed.
    open: Vec<usize>,
    /// For each of them, 1 if it was Black's at the end of the latest playout and -1 if it was White's.
    owned: Vec<i64>,
    /// For each cell, playouts in which it was Black's less those in which it was White's.
    ends: Vec<i64>,
    /// The same with the weights of the playouts.
    sum: Vec<i64>,
    /// The weights of all playouts, and their squares.
    weights: i64,
    squares: i64,
    /// For the head of a chain that was searched, the mean of playouts and both searches.
    searched: Vec<Option<i64>>,
    budget: Budget,
}

/// The sign of a colour's cells in sums.
fn sign(stone: u8) -> i64 {
    if stone == Color::Black as u8 { 1 } else { -1 }
}

impl<const W: usize> Ownership<W> {
    pub(super) fn new(position: &Position, known: &Known, budget: &Budget) -> Ownership<W> {
        let size = position.size();
        let mut start = Board::<W>::new(position);
        let cells = start.stone.len();
        let [mut closed, mut safe, mut is_known] = [(); 3].map(|()| vec![false; cells]);
        known.closed().iter().for_each(|point| closed[cell_of(size, point)] = true);
        known.living.iter().for_each(|point| safe[cell_of(size, point)] = true);
        for point in known.judged.iter() {
            start.make_immortal(cell_of(size, point));
            is_known[cell_of(size, point)] = true;
        }
        known.dead.iter().for_each(|point| is_known[cell_of(size, point)] = true);
        for cell in (0..cells).filter(|&cell| closed[cell]) {
            if start.stone[cell] == EMPTY {
                start.drop_empty(cell);
            }
        }
        let open: Vec<usize> = (0..cells).filter(|&cell| start.stone[cell] != BORDER && !closed[cell]).collect();
        let mut odds = vec![0.0; cells];
        for &(point, of_chain) in &known.odds {
            odds[start.head(cell_of(size, point))] = of_chain.signum() * (of_chain.abs() - FAINT).max(0.0);
        }
        let is_asked = |&cell: &usize| {
            let is_stone = !matches!(start.stone[cell], EMPTY | BORDER);
            is_stone && start.head(cell) == cell && !closed[cell] && !is_known[cell]
        };
        let heads = (0..cells).filter(is_asked).collect();
        let hash = position.hash().0;
        let seed = (hash >> 64) as u64 ^ hash as u64;
        Ownership {
            fewest: if is_small(size) { LOOK } else { ROUND },
            lead: LeadPrior::new(size, known),
            owned: vec![0; open.len()],
            open,
            ends: vec![0; cells],
            sum: vec![0; cells],
            searched: vec![None; cells],
            start,
            seed,
            points: size.points(),
            closed,
            safe,
            is_known,
            heads,
            odds,
            is_part: known.is_part,
            effort: if known.is_brief { &BRIEF } else { &LONG },
            playouts: 0,
            weights: 0,
            squares: 0,
            budget: budget.clone(),
        }
    }

    /// Plays until every chain is decided, or for as long as is worth while.
    pub(super) fn play(&mut self, next: Color) {
        let (closed, safe) = (self.closed.clone(), self.safe.clone());
        let mut policy = Policy::new(self.seed, &closed, &safe);
        let mut board = self.start.clone();
        while self.playouts < self.fewest || self.playouts < self.effort.playouts && !self.is_over() {
            for first in [next, next.opponent()].into_iter().cycle().take(ROUND) {
                board.copy_from(&self.start);
                policy.trace.clear();
                policy.play_out(&mut board, first as u8, 0);
                self.enter(&board);
            }
            self.playouts += ROUND;
        }
    }

    /// Whether no more playouts are needed, or may be played.
    fn is_over(&self) -> bool {
        let is_wide_open = || self.playouts == LOOK && OPEN_SHARE * self.open_points() > self.points;
        self.budget.is_spent() || is_wide_open() || self.heads().all(|head| self.is_decided(head))
    }

    /// Enters the end of a playout.
    fn enter(&mut self, end: &Board<W>) {
        let mut lead = 0;
        for (owned, &cell) in self.owned.iter_mut().zip(&self.open) {
            *owned = owner(end, cell);
            lead += *owned;
        }
        let weight = self.lead.plausibility(lead);
        self.weights += weight;
        self.squares += weight * weight;
        for (owned, &cell) in self.owned.iter().zip(&self.open) {
            self.sum[cell] += weight * owned;
            self.ends[cell] += owned;
        }
    }

    /// Searches around the chains that are in doubt after the playouts.
    pub(super) fn search(&mut self, next: Color) {
        let mut is_done = vec![false; self.closed.len()];
        let in_doubt =
            |head: &usize| self.ko_fellow(*head).is_none() && (self.mean(*head) + self.heard(*head)).abs() < DOUBTFUL;
        for head in self.heads().filter(in_doubt).collect::<Vec<_>>() {
            if !is_done[head] && !self.budget.is_spent() {
                self.search_around(head, next, self.effort.simulations)
                    .into_iter()
                    .for_each(|cell| is_done[cell] = true);
            }
        }
    }

    /// Searches around a chain, with so many simulations for each side to move first. The cells of its zone.
    pub(super) fn search_around(&mut self, head: usize, next: Color, simulations: usize) -> Vec<usize> {
        let zone = zone(self, head);
        if zone.iter().filter(|&&cell| self.start.stone[cell] == EMPTY).count() > self.effort.largest_zone {
            return zone;
        }
        let is_disputed = |chain: usize| chain == head || self.mean(chain).abs() < DISPUTED && !self.is_known[chain];
        let stones = zone.iter().filter(|&&cell| self.start.stone[cell] != EMPTY);
        let disputed: Vec<usize> = stones.copied().filter(|&stone| is_disputed(self.start.head(stone))).collect();
        let (closed, safe) = (self.closed.clone(), self.safe.clone());
        let mut policy = Policy::new(!self.seed ^ head as u64 ^ (simulations as u64) << 32, &closed, &safe);
        let mut sum = vec![0; self.closed.len()];
        for first in [next, next.opponent()] {
            let one =
                Search::new(&self.start, &mut policy, &zone, &disputed).run(first as u8, simulations, &self.budget);
            sum.iter_mut().zip(one).for_each(|(sum, more)| *sum += more);
        }
        for &cell in &zone {
            if self.start.stone[cell] != EMPTY && self.start.head(cell) == cell {
                self.searched[cell] = Some(self.blend(cell, &sum, simulations));
            }
        }
        zone
    }

    /// Adds what static evaluation says to what playouts and search say.
    pub(super) fn add_odds(&mut self) {
        for chain in (0..self.odds.len()).filter(|&cell| self.odds[cell] != 0.0) {
            self.searched[chain] = Some((self.status(chain) + self.spoken(chain)).clamp(-100, 100));
        }
    }

    /// Rules the chains dead that are dead by the shape of their only eye, and alive the stones that took its vital point.
    pub(super) fn judge_shapes(&mut self) {
        for head in self.heads().collect::<Vec<_>>() {
            let Some(killers) = killers(&self.start, head) else { continue };
            if self.is_surrounded(head, &killers) {
                self.searched[head] = Some(-BY_SHAPE);
                killers.iter().for_each(|&stone| self.searched[self.start.head(stone)] = Some(BY_SHAPE));
            }
        }
    }

    /// Whether all opposing chains around a chain are alive beyond doubt, but for those in its eye.
    fn is_surrounded(&self, chain: usize, in_eye: &[usize]) -> bool {
        let color = self.start.stone[chain];
        let mut around = self.start.chain(chain).flat_map(|stone| self.start.neighbours(stone));
        around.all(|near| {
            let is_opposing = ![EMPTY, BORDER, color].contains(&self.start.stone[near]);
            !is_opposing || in_eye.contains(&near) || self.mean(self.start.head(near)) >= SURE
        })
    }

    /// The mean of a chain over playouts, search as the one side to move, and search as the other, all three alike.
    fn blend(&self, chain: usize, sum: &[i64], simulations: usize) -> i64 {
        let counted = i64::from(self.start.chain_size(chain)) * simulations.div_ceil(2) as i64;
        (self.mean(chain) + self.held(chain, sum) * 100 / counted) / 3
    }

    /// Empty points that neither side holds in a fourth of the playouts more than the other.
    pub(super) fn open_points(&self) -> usize {
        let is_empty = |cell: &usize| self.start.stone[*cell] == EMPTY && !self.closed[*cell];
        let empty = (0..self.start.stone.len()).filter(is_empty);
        empty.filter(|&cell| 4 * self.ends[cell].unsigned_abs() < self.playouts as u64).count()
    }

    /// One stone of each chain that is in the playouts.
    pub(super) fn heads(&self) -> impl Iterator<Item = usize> + use<'_, W> {
        self.heads.iter().copied()
    }

    /// How often a chain is its own colour's, in percent: 100 for always, -100 for never. What decides.
    pub(super) fn status(&self, chain: usize) -> i64 {
        let decisive = self.decisive(chain);
        self.searched[decisive].unwrap_or_else(|| self.mean(decisive))
    }

    /// What static evaluation adds to the status of a chain.
    fn spoken(&self, chain: usize) -> i64 {
        (ODDS_WEIGHT * self.odds[chain]) as i64
    }

    /// The part of that which decides how much is played and searched.
    fn heard(&self, chain: usize) -> i64 {
        if self.is_part { self.spoken(chain) } else { 0 }
    }

    /// The same by playouts alone.
    pub(super) fn mean(&self, chain: usize) -> i64 {
        self.held(chain, &self.sum) * 100 / (i64::from(self.start.chain_size(chain)) * self.weights)
    }

    /// The chain whose status a chain has: its own, but for stones in a ko.
    pub(super) fn decisive(&self, chain: usize) -> usize {
        self.ko_fellow(chain).unwrap_or(chain)
    }

    /// Makes a chain dead that is alive, or alive that is dead, and leaves it in doubt.
    pub(super) fn turn_over(&mut self, chain: usize) {
        let status = self.status(chain);
        let decided = status.abs().clamp(1, TURNED);
        self.searched[chain] = Some(if status < 0 { decided } else { -decided });
    }

    /// How much of a chain its own colour owns, summed over its stones.
    fn held(&self, chain: usize, sum: &[i64]) -> i64 {
        sign(self.start.stone[chain]) * self.start.chain(chain).map(|cell| sum[cell]).sum::<i64>()
    }

    fn is_decided(&self, chain: usize) -> bool {
        let (held, size) = (self.held(chain, &self.sum) as f64, f64::from(self.start.chain_size(chain)));
        let by_chance = size * (self.squares as f64).sqrt();
        let odds = if self.is_part { f64::from(self.odds[chain]) } else { 0.0 };
        let agreed = if odds * held > 0.0 { AGREED * odds.abs() } else { 0.0 };
        held.abs() >= (DECIDED - agreed).max(LEAST) * by_chance || self.ko_fellow(chain).is_some()
    }

    /// For a stone that can be taken in a ko, a stone of a chain that the ko connects it with. Playouts win a ko as often
    /// as not; players leave it standing, or fill it, where the chains around are alive.
    pub(super) fn ko_fellow(&self, stone: usize) -> Option<usize> {
        if self.start.chain_size(stone) != 1 || self.start.liberty_count(stone) != 1 {
            return None;
        }
        let color = self.start.stone[stone];
        let mouth = self.start.liberties_of(stone).next()?;
        let around = self.start.neighbours(mouth);
        let is_ko = around.iter().all(|&cell| [color, BORDER].contains(&self.start.stone[cell]));
        let fellows = around.into_iter().filter(|&cell| is_ko && cell != stone && self.start.stone[cell] == color);
        fellows.max_by_key(|&cell| self.start.chain_size(cell)).map(|cell| self.start.head(cell))
    }

    /// How many stones a chain has.
    pub(super) fn stones(&self, chain: usize) -> usize {
        usize::from(self.start.chain_size(chain))
    }

    /// The points of a chain.
    pub(super) fn points(&self, chain: usize) -> impl Iterator<Item = Point> + '_ {
        let stride = self.start.stride;
        self.start.chain(chain).map(move |cell| Point::new((cell % stride - 1) as u8, (cell / stride - 1) as u8))
    }
}

/// 1 for a cell that is Black's, -1 for White's, 0 for nobody's.
pub(super) fn owner<const W: usize>(board: &Board<W>, cell: usize) -> i64 {
    match board.stone[cell] {
        BORDER => 0,
        EMPTY => {
            let around = board.neighbours(cell).map(|near| board.stone[near]);
            if around.contains(&EMPTY) {
                return 0;
            }
            let touches = |color: Color| i64::from(around.contains(&(color as u8)));
            touches(Color::Black) - touches(Color::White)
        }
        stone => sign(stone),
    }
}
