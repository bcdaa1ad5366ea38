//! Matches of patterns that cover the whole board, by their hash and then by their stones.

use jigo_rules::board::hash::zobrist_key;
use jigo_rules::board::{BoardSize, Color, Point, Position};

use super::match_collector::MatchCollector;
use super::pattern_search::ViewedPattern;
use super::timeline::{MatchEnd, Timeline};

/// Finds all matches of the views and adds them to `collector`.
pub(super) fn search(views: &[ViewedPattern], size: BoardSize, timeline: &Timeline, collector: &mut MatchCollector) {
    let fits = |viewed: &&ViewedPattern| viewed.pattern.size() == size;
    let views: Vec<&ViewedPattern> = views.iter().filter(fits).collect();
    // A set of the hashes by their lowest bits, so that most positions need one comparison.
    let filter = views.iter().fold(0_u64, |filter, viewed| filter | 1 << (viewed.hash % 64));
    let (mut hash, mut stones) = (0, ConfirmedStones { position: Position::new(size), positions_read: 0 });
    for (index, position) in timeline.positions.iter().enumerate() {
        if position.turn > collector.last_turn {
            return;
        }
        let changes = timeline.changes(index);
        if changes.is_empty() && index > 0 {
            continue;
        }
        for change in changes {
            hash ^= key(change.before, change.point) ^ key(change.after, change.point);
        }
        if filter >> (hash % 64) & 1 == 0 {
            continue;
        }
        let matching = views.iter().enumerate().filter(|(_, viewed)| viewed.hash == hash);
        for (number, viewed) in matching {
            if stones.after(timeline, index).equals(viewed) {
                collector.note_start(position);
                collector.add(viewed, (number, Point::new(0, 0)), *position, end_of(timeline, index));
            }
        }
    }
}

fn key(content: Option<Color>, point: Point) -> u64 {
    content.map_or(0, |color| zobrist_key(color.index(), point.cell()))
}

/// Returns the end of a match of the whole position.
fn end_of(timeline: &Timeline, index: usize) -> MatchEnd {
    let mut later = timeline.positions.iter().enumerate().skip(index + 1);
    let changed = later.find(|(later, _)| !timeline.changes(*later).is_empty());
    let whole_game = MatchEnd { turn: timeline.last_turn, is_by_setup: false };
    changed.map_or(whole_game, |(_, position)| MatchEnd::before(position))
}

/// The stones of the game, read only as far as a position with a searched hash.
struct ConfirmedStones {
    position: Position,
    /// The number of positions whose changes are read.
    positions_read: usize,
}

impl ConfirmedStones {
    /// Reads the changes up to a position. Positions come in order.
    fn after(&mut self, timeline: &Timeline, index: usize) -> &ConfirmedStones {
        for next in self.positions_read..=index {
            self.position.place(timeline.changes(next).iter().map(|change| (change.point, change.after)));
        }
        self.positions_read = index + 1;
        self
    }

    fn equals(&self, viewed: &ViewedPattern) -> bool {
        viewed.pattern.iter().all(|(point, condition)| condition.accepts(self.position.stone(point)))
    }
}
