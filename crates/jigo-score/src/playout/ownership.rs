//! The playouts of one position and their results for its chains.

use super::board::{BORDER, Board, EMPTY, sign};
use super::nakade::vital_points;
use super::policy::Policy;
use super::prior::{LeadPrior, is_small};
use super::search::TreeSearch;
use super::zone::zone;
use crate::playout_input::PlayoutInput;
use crate::shape::grid::cell_of;
use jigo_rules::board::{Color, Point, Position};
use jigo_rules::budget::Budget;

/// Playouts between two tests for decided chains, one with each side to move first.
const ROUND: usize = 2;
/// Limits of the work on one position.
pub(super) struct Effort {
    /// Number of playouts.
    playouts: usize,
    /// Simulations of a search for each side to move first.
    simulations: usize,
    /// Simulations if the odds of two hypotheses are close.
    pub(super) rival_simulations: usize,
    /// Empty points of the largest zone that a search of this size can handle.
    largest_zone: usize,
}

/// Limits if static evaluation did not judge the position before.
const LONG: Effort = Effort { playouts: 256, simulations: 150, rival_simulations: 600, largest_zone: 60 };
/// Limits for positions that static evaluation decides in part, with odds for the rest.
///
/// On games that the trees had not seen, half as many playouts give worse results, and twice as
/// many simulations give no better ones.
const BRIEF: Effort = Effort { playouts: 128, simulations: 75, rival_simulations: 150, largest_zone: 40 };
/// Number of playouts after which wide open boards are detected; further playouts do not close
/// them.
///
/// It is also the smallest number of playouts on small boards. There the lead says little, and
/// fewer playouts may agree by chance on an open board.
const OPEN_BOARD_CHECK: usize = 32;
/// A board is wide open if more than one in this number of points is open.
///
/// This is far more than players leave at the end, and twice the share that makes a board open.
const OPEN_SHARE: usize = 4;
/// A chain is decided if its mean owner differs from zero by this multiple of the standard
/// deviation of random owners.
const DECIDED_DEVIATIONS: f64 = 1.949;
/// Reduction of [`DECIDED_DEVIATIONS`] if static evaluation agrees: this factor times the logarithm
/// of its odds.
///
/// On games that the trees had not seen, a third of it and twice as much give the same results.
const AGREEMENT_FACTOR: f64 = 0.3;
/// Smallest multiple after the reduction.
///
/// Without this limit, twice as many endings are left in doubt, and most of these are correct.
const MIN_DEVIATIONS: f64 = 1.0;
/// Chains with a mean owner nearer to zero than this, in percent, are searched.
pub(super) const DOUBTFUL: i64 = 25;
/// Stones with a mean owner nearer to zero than this, in percent, are the subject of a search.
const DISPUTED: i64 = 50;
/// Status of chains that are dead, or alive, by the shape of an eye.
const SHAPE_STATUS: i64 = 60;
/// Logarithm of the odds, twenty to one, up to which static evaluation adds nothing to playouts. Of
/// larger odds only the excess counts.
///
/// On games that the trees had not seen, the number of correct endings is the same without this
/// limit, but more endings with a high confidence are wrong.
const FAINT_ODDS: f32 = 3.0;
/// Percent added to a chain's status for each unit of the static odds' logarithm above
/// [`FAINT_ODDS`].
const ODDS_WEIGHT: f32 = 12.0;
/// Largest degree of decision of a chain whose status was reversed.
const MAX_REVERSED_DEGREE: i64 = 10;
/// Chains that their own colour owns this often, in percent, do not depend on the group in their
/// eye.
const SECURE_STATUS: i64 = 60;

/// The owners of all cells at the end of playouts.
pub(super) struct Ownership<const W: usize> {
    pub(super) start: Board<W>,
    seed: u64,
    /// Number of points of the board.
    points: usize,
    /// Cells that need no play.
    pub(super) closed: Vec<bool>,
    /// Cells of living stones.
    safe: Vec<bool>,
    /// Stones whose status is given.
    has_status: Vec<bool>,
    /// One stone of each chain whose status is estimated, in ascending order.
    heads: Vec<usize>,
    /// For the head of a chain in doubt, the logarithm of the static odds that it lives, reduced by
    /// [`FAINT_ODDS`].
    odds: Vec<f32>,
    /// True if agreement with static evaluation shortens playouts and search.
    has_decided_part: bool,
    pub(super) effort: &'static Effort,
    /// Number of playouts before the first test for decided chains.
    min_playouts: usize,
    lead: LeadPrior,
    playouts: usize,
    /// The cells that are not closed.
    open_cells: Vec<usize>,
    /// The owner of each open cell at the end of the latest playout: 1 for Black, -1 for White.
    playout_owners: Vec<i64>,
    /// For each cell, the playouts in which Black owned it minus those in which White did.
    owner_sums: Vec<i64>,
    /// The same sum, weighted by playout.
    weighted_sums: Vec<i64>,
    /// Sum of the weights of all playouts, and of their squares.
    weights: i64,
    squares: i64,
    /// For the head of a chain, its status if search, static odds, the shape of an eye or a
    /// hypothesis replaced the mean of the playouts.
    revised_status: Vec<Option<i64>>,
    budget: Budget,
}

impl<const W: usize> Ownership<W> {
    pub(super) fn new(position: &Position, input: &PlayoutInput, budget: &Budget) -> Ownership<W> {
        let size = position.size();
        let mut start = Board::<W>::new(position);
        let cells = start.stone.len();
        let [mut closed, mut safe, mut has_status] = [(); 3].map(|()| vec![false; cells]);
        input.closed().iter().for_each(|point| closed[cell_of(size, point)] = true);
        input.living.iter().for_each(|point| safe[cell_of(size, point)] = true);
        for point in input.evaluated.iter() {
            start.make_immortal(cell_of(size, point));
            has_status[cell_of(size, point)] = true;
        }
        input.dead.iter().for_each(|point| has_status[cell_of(size, point)] = true);
        for cell in (0..cells).filter(|&cell| closed[cell]) {
            if start.stone[cell] == EMPTY {
                start.drop_empty(cell);
            }
        }
        let open_cells: Vec<usize> = (0..cells).filter(|&cell| start.stone[cell] != BORDER && !closed[cell]).collect();
        let mut odds = vec![0.0; cells];
        for &(point, of_chain) in &input.odds {
            odds[start.head(cell_of(size, point))] = of_chain.signum() * (of_chain.abs() - FAINT_ODDS).max(0.0);
        }
        let is_estimated = |&cell: &usize| {
            let is_stone = !matches!(start.stone[cell], EMPTY | BORDER);
            is_stone && start.head(cell) == cell && !closed[cell] && !has_status[cell]
        };
        let heads = (0..cells).filter(is_estimated).collect();
        let hash = position.hash().0;
        let seed = (hash >> 64) as u64 ^ hash as u64;
        Ownership {
            min_playouts: if is_small(size) { OPEN_BOARD_CHECK } else { ROUND },
            lead: LeadPrior::new(size, input),
            playout_owners: vec![0; open_cells.len()],
            open_cells,
            owner_sums: vec![0; cells],
            weighted_sums: vec![0; cells],
            revised_status: vec![None; cells],
            start,
            seed,
            points: size.points(),
            closed,
            safe,
            has_status,
            heads,
            odds,
            has_decided_part: input.has_decided_part,
            effort: if input.is_brief { &BRIEF } else { &LONG },
            playouts: 0,
            weights: 0,
            squares: 0,
            budget: budget.clone(),
        }
    }

    /// Runs playouts until every chain is decided or the limit is reached.
    pub(super) fn play(&mut self, next: Color) {
        let (start, closed, safe) = (self.start.clone(), self.closed.clone(), self.safe.clone());
        let mut policy = Policy::new(&start, self.seed, &closed, &safe);
        while self.playouts < self.min_playouts || self.playouts < self.effort.playouts && !self.is_finished() {
            for first in [next, next.opponent()].into_iter().cycle().take(ROUND) {
                policy.restart();
                policy.play_out(first as u8, 0);
                self.record(&policy.board);
            }
            self.playouts += ROUND;
        }
    }

    /// Returns true if no more playouts are needed or allowed.
    fn is_finished(&self) -> bool {
        let is_wide_open = || self.playouts == OPEN_BOARD_CHECK && OPEN_SHARE * self.open_points() > self.points;
        self.budget.is_spent() || is_wide_open() || self.heads().all(|head| self.is_decided(head))
    }

    /// Records the end of a playout.
    fn record(&mut self, end: &Board<W>) {
        let mut lead = 0;
        for (owner, &cell) in self.playout_owners.iter_mut().zip(&self.open_cells) {
            *owner = end.owner(cell);
            lead += *owner;
        }
        let weight = self.lead.plausibility(lead);
        self.weights += weight;
        self.squares += weight * weight;
        for (owner, &cell) in self.playout_owners.iter().zip(&self.open_cells) {
            self.weighted_sums[cell] += weight * owner;
            self.owner_sums[cell] += owner;
        }
    }

    /// Searches around the chains that are in doubt after the playouts.
    pub(super) fn search(&mut self, next: Color) {
        let mut is_done = vec![false; self.closed.len()];
        let in_doubt = |head: &usize| {
            self.ko_partner(*head).is_none() && (self.mean(*head) + self.shortening_odds(*head)).abs() < DOUBTFUL
        };
        for head in self.heads().filter(in_doubt).collect::<Vec<_>>() {
            if !is_done[head] && !self.budget.is_spent() {
                self.search_around(head, next, self.effort.simulations)
                    .into_iter()
                    .for_each(|cell| is_done[cell] = true);
            }
        }
    }

    /// Searches around a chain, with `simulations` for each side to move first. Returns the cells
    /// of its zone.
    pub(super) fn search_around(&mut self, head: usize, next: Color, simulations: usize) -> Vec<usize> {
        let zone = self.zone(head);
        if zone.iter().filter(|&&cell| self.start.stone[cell] == EMPTY).count() > self.effort.largest_zone {
            return zone;
        }
        let is_disputed = |chain: usize| chain == head || self.mean(chain).abs() < DISPUTED && !self.has_status[chain];
        let stones = zone.iter().filter(|&&cell| self.start.stone[cell] != EMPTY);
        let disputed: Vec<usize> = stones.copied().filter(|&stone| is_disputed(self.start.head(stone))).collect();
        let seed = !self.seed ^ head as u64 ^ (simulations as u64) << 32;
        let mut policy = Policy::new(&self.start, seed, &self.closed, &self.safe);
        let mut sum = vec![0; self.closed.len()];
        for first in [next, next.opponent()] {
            let owner_sums_of_search =
                TreeSearch::new(&mut policy, &zone, &disputed).run(first as u8, simulations, &self.budget);
            sum.iter_mut().zip(owner_sums_of_search).for_each(|(sum, more)| *sum += more);
        }
        for &cell in &zone {
            if self.start.stone[cell] != EMPTY && self.start.head(cell) == cell {
                self.revised_status[cell] = Some(self.blend(cell, &sum, simulations));
            }
        }
        zone
    }

    /// Returns the cells of the zone around a chain.
    pub(super) fn zone(&self, chain: usize) -> Vec<usize> {
        zone(&self.start, &self.closed, chain, |chain| self.mean(chain))
    }

    /// Adds the static odds to the results of playouts and search.
    pub(super) fn add_odds(&mut self) {
        for chain in (0..self.odds.len()).filter(|&cell| self.odds[cell] != 0.0) {
            self.revised_status[chain] = Some((self.status(chain) + self.odds_contribution(chain)).clamp(-100, 100));
        }
    }

    /// Declares chains dead if the shape of their only eye makes them so, and the stones on its
    /// vital point alive.
    pub(super) fn judge_shapes(&mut self) {
        for head in self.heads().collect::<Vec<_>>() {
            let Some(vital_points) = vital_points(&self.start, head) else { continue };
            if self.is_surrounded(head, &vital_points) {
                self.revised_status[head] = Some(-SHAPE_STATUS);
                vital_points.iter().for_each(|&stone| self.revised_status[self.start.head(stone)] = Some(SHAPE_STATUS));
            }
        }
    }

    /// Returns true if all opposing chains around a chain are clearly alive, except those in its
    /// eye.
    fn is_surrounded(&self, chain: usize, in_eye: &[usize]) -> bool {
        let color = self.start.stone[chain];
        let mut adjacent = self.start.chain(chain).flat_map(|stone| self.start.neighbours(stone));
        adjacent.all(|neighbour| {
            let is_opposing = ![EMPTY, BORDER, color].contains(&self.start.stone[neighbour]);
            !is_opposing || in_eye.contains(&neighbour) || self.mean(self.start.head(neighbour)) >= SECURE_STATUS
        })
    }

    /// Returns the mean of the playouts, the search with one side to move first and the search with
    /// the other. `sum` adds up the owners of both searches.
    fn blend(&self, chain: usize, sum: &[i64], simulations: usize) -> i64 {
        let most_owned_stones = i64::from(self.start.chain_size(chain)) * simulations.div_ceil(2) as i64;
        (self.mean(chain) + self.owned_stones(chain, sum) * 100 / most_owned_stones) / 3
    }

    /// Returns the number of empty points that neither side owns clearly: by a quarter of the
    /// playouts more than the other.
    pub(super) fn open_points(&self) -> usize {
        let is_empty = |cell: &usize| self.start.stone[*cell] == EMPTY && !self.closed[*cell];
        let empty = (0..self.start.stone.len()).filter(is_empty);
        empty.filter(|&cell| 4 * self.owner_sums[cell].unsigned_abs() < self.playouts as u64).count()
    }

    /// Returns one stone of each chain in the playouts.
    pub(super) fn heads(&self) -> impl Iterator<Item = usize> + use<'_, W> {
        self.heads.iter().copied()
    }

    /// Returns how often the chain's own colour owns it, in percent: 100 means always, -100 never.
    ///
    /// The sign decides whether the chain is alive.
    pub(super) fn status(&self, chain: usize) -> i64 {
        let deciding_chain = self.deciding_chain(chain);
        self.revised_status[deciding_chain].unwrap_or_else(|| self.mean(deciding_chain))
    }

    /// Returns the contribution of the static odds to a chain's status.
    fn odds_contribution(&self, chain: usize) -> i64 {
        (ODDS_WEIGHT * self.odds[chain]) as i64
    }

    /// Returns the part of this contribution that shortens playouts and search.
    fn shortening_odds(&self, chain: usize) -> i64 {
        if self.has_decided_part { self.odds_contribution(chain) } else { 0 }
    }

    /// Returns the status by playouts alone.
    pub(super) fn mean(&self, chain: usize) -> i64 {
        self.owned_stones(chain, &self.weighted_sums) * 100 / (i64::from(self.start.chain_size(chain)) * self.weights)
    }

    /// Returns the chain that decides the status: the chain itself, or another one for a stone in a
    /// ko.
    pub(super) fn deciding_chain(&self, chain: usize) -> usize {
        self.ko_partner(chain).unwrap_or(chain)
    }

    /// Reverses the status of a chain and leaves it in doubt.
    pub(super) fn reverse(&mut self, chain: usize) {
        let status = self.status(chain);
        let degree = status.abs().clamp(1, MAX_REVERSED_DEGREE);
        self.revised_status[chain] = Some(if status < 0 { degree } else { -degree });
    }

    /// Sums the ownership of a chain's stones by its own colour.
    fn owned_stones(&self, chain: usize, sum: &[i64]) -> i64 {
        sign(self.start.stone[chain]) * self.start.chain(chain).map(|cell| sum[cell]).sum::<i64>()
    }

    fn is_decided(&self, chain: usize) -> bool {
        let (ownership, size) =
            (self.owned_stones(chain, &self.weighted_sums) as f64, f64::from(self.start.chain_size(chain)));
        let by_chance = size * (self.squares as f64).sqrt();
        let odds = if self.has_decided_part { f64::from(self.odds[chain]) } else { 0.0 };
        let agreement = if odds * ownership > 0.0 { AGREEMENT_FACTOR * odds.abs() } else { 0.0 };
        ownership.abs() >= (DECIDED_DEVIATIONS - agreement).max(MIN_DEVIATIONS) * by_chance
            || self.ko_partner(chain).is_some()
    }

    /// Returns a chain that a ko connects with `stone`, if the stone can be captured in a ko.
    ///
    /// Playouts win a ko half of the time. Players leave it open, or fill it, if the chains around
    /// are alive.
    pub(super) fn ko_partner(&self, stone: usize) -> Option<usize> {
        if self.start.chain_size(stone) != 1 || self.start.liberty_count(stone) != 1 {
            return None;
        }
        let color = self.start.stone[stone];
        let mouth = self.start.liberties_of(stone).next()?;
        let neighbours = self.start.neighbours(mouth);
        let is_ko = neighbours.iter().all(|&cell| [color, BORDER].contains(&self.start.stone[cell]));
        let partners = neighbours.into_iter().filter(|&cell| is_ko && cell != stone && self.start.stone[cell] == color);
        partners.max_by_key(|&cell| self.start.chain_size(cell)).map(|cell| self.start.head(cell))
    }

    /// Returns the number of stones of a chain.
    pub(super) fn stones(&self, chain: usize) -> usize {
        usize::from(self.start.chain_size(chain))
    }

    /// Returns the points of a chain.
    pub(super) fn points(&self, chain: usize) -> impl Iterator<Item = Point> + '_ {
        let stride = self.start.stride;
        self.start.chain(chain).map(move |cell| Point::new((cell % stride - 1) as u8, (cell / stride - 1) as u8))
    }
}
