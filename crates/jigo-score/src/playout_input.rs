//! The input of the playouts: chains and regions whose status is proven or decided by static
//! evaluation.

use super::evaluation::ConfidentGroups;
use super::pass_alive::{OpponentSuicide, pass_alive};
use jigo_rules::board::{Color, Point, PointSet, Position};

/// Chains and regions with a given status.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlayoutInput {
    /// Living stones of both colours.
    pub(super) living: PointSet,
    /// Living stones without a proof.
    pub(super) evaluated: PointSet,
    /// Dead stones of both colours.
    pub(super) dead: PointSet,
    /// Territory in which no play is needed, Black first.
    pub(super) territory: [PointSet; 2],
    /// Points without an owner in which no play is needed.
    pub(super) unowned: PointSet,
    /// Points of other chains, with the logarithm of the odds that they live.
    pub(super) odds: Vec<(Point, f32)>,
    /// Expected number of wrong chains among the judged ones.
    pub(super) doubt: f32,
    /// True if static evaluation decides a part of the board.
    pub(super) has_decided_part: bool,
    /// True if few playouts suffice, because static evaluation came first.
    pub(super) is_brief: bool,
}

impl PlayoutInput {
    /// Returns the proven statuses: pass-alive chains and their territory.
    pub(super) fn from_proofs(position: &Position) -> PlayoutInput {
        let proven = Color::BOTH.map(|color| pass_alive(position, color, OpponentSuicide::Illegal));
        let [black, white] = position.stones_by_color();
        let dead = [proven[0].territory.intersection(&white), proven[1].territory.intersection(&black)];
        PlayoutInput {
            living: proven[0].stones.union(&proven[1].stones),
            evaluated: PointSet::EMPTY,
            dead: dead[0].union(&dead[1]),
            territory: proven.map(|side| side.territory),
            unowned: PointSet::EMPTY,
            odds: Vec::new(),
            doubt: 0.0,
            has_decided_part: false,
            is_brief: false,
        }
    }

    /// Adds the groups and regions that static evaluation decides, unless a proof contradicts them.
    pub(super) fn with_confident(mut self, confident: &ConfidentGroups) -> PlayoutInput {
        let proven = self.closed().union(&self.living);
        let new = |points: PointSet| points.without(&proven);
        self.evaluated = new(confident.living);
        self.living = self.living.union(&self.evaluated);
        self.dead = self.dead.union(&new(confident.dead));
        for (color_territory, more) in self.territory.iter_mut().zip(confident.territory) {
            *color_territory = color_territory.union(&new(more));
        }
        self.unowned = new(confident.unowned);
        self.odds = confident.in_doubt().collect();
        self.doubt = confident.doubt;
        self.has_decided_part = true;
        self.is_brief = true;
        self
    }

    /// Returns the points on which no play is needed.
    pub(super) fn closed(&self) -> PointSet {
        self.territory[0].union(&self.territory[1]).union(&self.unowned)
    }

    /// Returns Black's territory minus White's, in points.
    pub(super) fn lead(&self) -> i64 {
        self.territory[0].len() as i64 - self.territory[1].len() as i64
    }
}
