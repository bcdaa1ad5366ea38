//! What is known of a position before it is played on: whose stones live, which are dead, and where nothing is left to play for.

use super::evaluation::Sure;
use super::settled::pass_alive;
use crate::board::{Color, Point, PointSet, Position};

/// What is known of a position's chains and regions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Known {
    /// Stones that live, of both colours.
    pub(super) living: PointSet,
    /// Those of them that nothing proves to live.
    pub(super) judged: PointSet,
    /// Stones that are dead, of both colours.
    pub(super) dead: PointSet,
    /// Each colour's territory in which nobody needs to play, Black's first.
    pub(super) territory: [PointSet; 2],
    /// Points where nobody needs to play and which are nobody's.
    pub(super) nobodys: PointSet,
    /// What speaks for the life of other chains, each named by a point: the logarithm of the odds.
    pub(super) odds: Vec<(Point, f32)>,
    /// How many of the judged chains are expected to be wrong.
    pub(super) doubt: f32,
    /// Whether static evaluation knows a part of the board.
    pub(super) is_part: bool,
    /// Whether playouts are to be few, as static evaluation was asked before them.
    pub(super) is_brief: bool,
}

impl Known {
    /// What is proved: pass-alive chains and their territory.
    pub(super) fn proved(position: &Position) -> Known {
        let proved = Color::BOTH.map(|color| pass_alive(position, color, false));
        let [black, white] = position.by_color();
        let dead = [proved[0].territory.intersection(&white), proved[1].territory.intersection(&black)];
        Known {
            living: proved[0].stones.union(&proved[1].stones),
            judged: PointSet::EMPTY,
            dead: dead[0].union(&dead[1]),
            territory: proved.map(|side| side.territory),
            nobodys: PointSet::EMPTY,
            odds: Vec::new(),
            doubt: 0.0,
            is_part: false,
            is_brief: false,
        }
    }

    /// The same with what static evaluation is sure of, where that contradicts no proof.
    pub(super) fn and(mut self, sure: &Sure) -> Known {
        let proved = self.closed().union(&self.living);
        let new = |points: PointSet| points.without(&proved);
        self.judged = new(sure.living);
        self.living = self.living.union(&self.judged);
        self.dead = self.dead.union(&new(sure.dead));
        for (own, more) in self.territory.iter_mut().zip(sure.territory) {
            *own = own.union(&new(more));
        }
        self.nobodys = new(sure.nobodys);
        self.odds = sure.in_doubt().collect();
        self.doubt = sure.doubt;
        self.is_part = true;
        self.is_brief = true;
        self
    }

    /// The same with what static evaluation says of all chains, none of which it is asked to judge.
    pub(super) fn with_odds(mut self, odds: Vec<(Point, f32)>) -> Known {
        self.odds = odds;
        self
    }

    /// Where nobody needs to play.
    pub(super) fn closed(&self) -> PointSet {
        self.territory[0].union(&self.territory[1]).union(&self.nobodys)
    }

    /// How many points of territory Black has more than White.
    pub(super) fn lead(&self) -> i64 {
        self.territory[0].len() as i64 - self.territory[1].len() as i64
    }
}
