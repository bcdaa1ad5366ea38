//! The cards of the games of a report, for the page of few games.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::commands::show::card::{card, outside_finding, verdict};
use crate::html::GameCards;
use jigo_archive::pipeline::{SourceFinding, VisitedGame, Visitor};
use jigo_archive::visit::figures::Example;
use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_diagrams::card::MAX_CARDS;
use jigo_record::finding::Severity;

/// Makes the cards of a run of few games. If there are more games, the later ones have no card, so
/// that the cards of an archive cost neither time nor memory.
pub struct CardVisitor {
    games: AtomicUsize,
    /// The settings of the second replay.
    settings: Settings,
}

impl CardVisitor {
    /// Creates a visitor for a run with these settings.
    pub fn new(settings: &Settings) -> CardVisitor {
        let (scored_rulesets, engine) = (Vec::new(), None);
        let settings = Settings { position: true, turns: true, scored_rulesets, engine, ..settings.clone() };
        CardVisitor { games: AtomicUsize::new(0), settings }
    }
}

impl Visitor for CardVisitor {
    type Accumulator = GameCards;

    fn start_batch(&self) -> GameCards {
        GameCards::default()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut GameCards) {
        let worst = game.reported.iter().min_by_key(|finding| std::cmp::Reverse(finding.severity));
        let example = |note: String| {
            let turn = worst.and_then(|finding| finding.place.turn);
            let variation = worst.map_or(String::new(), |finding| finding.variation.clone());
            Example { variation, ..Example::new(game.text, game.report, turn, note) }
        };
        let has_error = worst.is_some_and(|finding| finding.severity == Severity::Error);
        if has_error && batch.with_errors.len() < MAX_CARDS {
            batch.with_errors.push(example(verdict(game)));
        }
        if self.games.fetch_add(1, Ordering::Relaxed) < MAX_CARDS {
            // A replay of each game of an archive with its turns would cost time.
            let mut analyzer = Analyzer::default();
            let traced = analyzer.analyze(game.text, &self.settings);
            let (position, turns) = (traced.position.clone(), traced.turns.clone());
            let report = &GameReport { position, turns, ..game.report.clone() };
            batch.games.push((example(String::new()), card(&VisitedGame { report, ..*game })));
        }
    }

    fn visit_finding(&self, finding: &SourceFinding<'_>, batch: &mut GameCards) {
        if batch.outside.len() < MAX_CARDS {
            batch.outside.push((finding.file.into(), outside_finding(finding)));
        }
    }
}
