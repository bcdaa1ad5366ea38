//! Runs with visitors that write rows.

use std::error::Error;
use std::sync::Arc;

use super::{Figures, FiguresVisitor, FixSettings, FixVisitor};
use crate::formats::{Format, Rows};
use crate::partial_result::PartialResult;
use crate::pipeline::{BatchOutput, Job, ResumePoint, run};
use crate::row::ColumnChoice;
use crate::source::files::discover;
use crate::summary::Summary;
use crate::tables::{GameRows, TableVisitor};
use jigo_core::analysis::Settings;
use jigo_core::fix::FixOptions;
use jigo_record::finding::Code;
use jigo_rules::Preset;
use jigo_rules::board::{Point, Position};
use jigo_rules::budget::Budget;
use jigo_rules::select::Choice;
use jigo_score::{DeadSource, Engine, EngineFactory};

#[test]
fn figures_round_trip_through_json() {
    let sources = discover::discover(&[concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures")]);
    let mut figures = Figures::default();
    let sink = |output: BatchOutput<Box<Figures>>, _: &Summary| {
        figures.add_part(*output.product);
        Ok(())
    };
    let job = Job::default();
    let fixes = FixSettings::new(&job, Format::Csv, FixOptions::safe());
    let visitor =
        FiguresVisitor { fixes: FixVisitor { settings: job.settings.clone(), fixes, interrupt: Arc::default() } };
    let summary = run(&sources, 2, &job, &visitor, &Arc::default(), ResumePoint::default(), sink).unwrap();
    assert!(summary.found > 100 && !figures.examples.boards.is_empty() && figures.komi.len() > 2);
    assert!(figures.fixes.safe > 10 && figures.fixes.unsafe_fixes > 10, "{:?}", figures.fixes);
    let text = serde_json::to_string(&figures).unwrap();
    assert_eq!(serde_json::from_str::<Figures>(&text).unwrap(), figures);
}

/// An engine that panics if point (1, 1) is occupied.
#[derive(Debug)]
struct Panicking;

impl Engine for Panicking {
    fn dead(&mut self, position: &Position, _: &Budget) -> Result<Vec<Point>, Box<dyn Error>> {
        assert!(position.stone(Point::new(1, 1)).is_none(), "the judge panics");
        Ok(Vec::new())
    }
}

impl EngineFactory for Panicking {
    fn start(&self) -> Box<dyn Engine> {
        Box::new(Panicking)
    }
}

/// Runs an archive in which every third game makes the engine panic, with one thread and with
/// three.
#[test]
fn panic_affects_only_its_own_game() {
    let folder = tempfile::tempdir().unwrap();
    let games = ["(;SZ[9];B[aa])", "(;SZ[9];B[bb])", "(;SZ[9];B[cc];W[cc])"].concat();
    for name in ["a.sgf", "b.sgf"] {
        std::fs::write(folder.path().join(name), &games).unwrap();
    }
    std::fs::write(folder.path().join("large.sgf"), games.repeat(1_000)).unwrap();
    let sources = discover::discover(&[folder.path()]);
    let settings = Settings {
        scored_rulesets: vec![Choice::Fixed(Preset::find("aga").unwrap().ruleset())],
        dead: vec![DeadSource::Engine],
        engine: Some(Arc::new(Panicking)),
        all_endings: true,
        ..Settings::default()
    };
    let job = Job { settings, ..Job::default() };
    let visitor = TableVisitor::new(GameRows, Format::Csv, job.input, &ColumnChoice::default());
    let mut summaries = Vec::new();
    for jobs in [1, 3] {
        let mut rows = 0;
        let sink = |output: BatchOutput<Rows>, _: &Summary| {
            rows += output.product.count();
            Ok(())
        };
        let summary = run(&sources, jobs, &job, &visitor, &Arc::default(), ResumePoint::default(), sink).unwrap();
        assert_eq!(rows, 3_006);
        summaries.push(summary);
    }
    let summary = &summaries[0];
    assert!(summary.is_balanced());
    assert_eq!((summary.found, summary.unreadable, summary.replayed), (3_006, 1_002, 2_004));
    assert_eq!(summary.count(Code::InternalError), 1_002);
    assert_eq!(summaries[1], *summary);
}
