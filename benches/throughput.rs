//! Throughput of each stage on one thread. Every stage checks its result.
//!
//! `JIGO_CORPUS=FOLDER cargo bench --bench throughput` uses the files of FOLDER/collections.
//! Without `JIGO_CORPUS` the games are synthetic.

mod support;

use jigo_archive::formats::csv::CsvRows;
use jigo_archive::row::ColumnSet;
use jigo_archive::tables::GameRow;
use jigo_core::analysis::{Analyzer, Settings};
use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_record::finding::Code;
use jigo_record::sgf::Limits;
use jigo_record::splitter::{GameText, Piece, split_all};
use jigo_record::{DialectChoice, GameRecord, Reading, StepKind};
use jigo_rules::board::{Color, Position};
use jigo_rules::select::Choice;
use jigo_rules::{Preset, Tally};
use jigo_score::count::Counts;
use jigo_score::pass_alive::settled_dead_stones;
use jigo_score::playout::estimate;
use jigo_score::{DeadSource, Decider, FinalPosition};
use support::{best, games, text};

/// Number of runs of each stage. The fastest counts.
const TIMES: usize = 5;
/// Smallest number of endings to decide stage by stage.
const STAGED: usize = 500;
/// Number of endings to estimate.
const ESTIMATES: usize = 10;

/// The amount of work of a stage.
#[derive(Clone, Copy)]
struct Work {
    games: usize,
    bytes: usize,
    turns: usize,
}

impl Work {
    /// Prints a line of the table.
    fn line(self, part: &str, seconds: f64) {
        let [games, megabytes, turns] =
            [self.games as f64, self.bytes as f64 / 1e6, self.turns as f64].map(|amount| amount / seconds);
        println!("{part:<10}{games:>12.0} games/s{megabytes:>10.1} MB/s{turns:>14.0} turns/s");
    }
}

fn main() {
    let text = text();
    let games = games(&text);
    let records: Vec<GameRecord> = games.iter().map(|game| Reading::from_text(game).record).collect();
    let work = Work { games: games.len(), bytes: text.len(), turns: records.iter().map(turns).sum() };
    println!("{} games, {:.1} MB, {} turns", work.games, work.bytes as f64 / 1e6, work.turns);
    split_text(&text, work);
    read(&games, work);
    let final_positions = replay(&records, work);
    check(&games, work);
    score(&games, work);
    settle(&final_positions, work);
    playouts_only(&final_positions, work);
    decide_by_stages(&final_positions);
    write_rows(&games, work);
}

/// Splits the text into games, and checks their number with sgf-parse.
fn split_text(text: &[u8], work: Work) {
    let (seconds, count) = best(TIMES, || {
        let mut count = 0;
        split_all(text, |piece| count += usize::from(matches!(piece, Piece::Game(..))));
        count
    });
    work.line("split", seconds);
    let (seconds, parsed) = best(1, || sgf_parse::parse(&String::from_utf8_lossy(text)).map_or(0, |trees| trees.len()));
    work.line("sgf-parse", seconds);
    assert_eq!((count, parsed), (work.games, work.games));
}

fn turns(record: &GameRecord) -> usize {
    record.steps.iter().filter(|step| matches!(step.kind, StepKind::Turn(..))).count()
}

/// Reads the games into reused memory, and checks the turns against records read into new memory.
fn read(games: &[GameText], work: Work) {
    let mut reading = Reading::default();
    let (seconds, count) = best(TIMES, || {
        games
            .iter()
            .map(|game| {
                reading.read(game, game.bytes, DialectChoice::Auto, Limits::default());
                turns(&reading.record)
            })
            .sum::<usize>()
    });
    work.line("read", seconds);
    assert_eq!(count, work.turns);
}

/// Replays the records, and checks that every stone played or set up is on the board or lost.
fn replay(records: &[GameRecord], work: Work) -> Vec<(Position, Tally)> {
    let mut replayer = Replayer::default();
    let mut run = |record: &GameRecord| replayer.replay(record, &[], ReplayOptions::default(), &mut Vec::new());
    let (seconds, count) = best(TIMES, || records.iter().map(|record| run(record).turns as usize).sum::<usize>());
    work.line("replay", seconds);
    assert_eq!(count, work.turns);
    let mut final_positions = Vec::with_capacity(records.len());
    for record in records {
        let tally = replayer.replay(record, &[], ReplayOptions::default(), &mut Vec::new());
        for color in Color::BOTH {
            let side = color.index();
            let placed = i64::from(tally.plays[side]) + i64::from(tally.setup[side]);
            let present = i64::from(replayer.position().stone_count(color)) + i64::from(tally.lost[side]);
            assert_eq!(placed, present, "stones of {}", color.name());
        }
        final_positions.push((replayer.position().clone(), tally));
    }
    final_positions
}

/// Reads, replays and judges the games, and checks the number of turns.
fn check(games: &[GameText], work: Work) {
    let settings = Settings { judges: vec![Choice::Recorded], ..Settings::default() };
    let mut analyzer = Analyzer::default();
    let (seconds, (count, _findings)) = best(TIMES, || {
        games.iter().fold((0, 0), |(turns, findings), game| {
            let report = analyzer.analyze(game, &settings);
            (turns + report.tally.turns as usize, findings + report.findings.len())
        })
    });
    work.line("check", seconds);
    assert_eq!(count, work.turns);
}

/// Reads and replays the games and scores every ending that marks or the position decide.
///
/// Checks that every game has a row for both rulesets and that area and territory fulfil their
/// identity.
fn score(games: &[GameText], work: Work) {
    let rulesets = ["japanese", "chinese"].map(|name| Choice::Fixed(Preset::find(name).expect("a preset").ruleset()));
    let dead = vec![DeadSource::Markup, DeadSource::Settled];
    let settings = Settings { scored_rulesets: rulesets.to_vec(), dead, all_endings: true, ..Settings::default() };
    let mut analyzer = Analyzer::default();
    let (seconds, count) = best(TIMES, || {
        games.iter().fold((0, 0), |(scores, broken), game| {
            let report = analyzer.analyze(game, &settings);
            let is_broken = report.findings.iter().any(|finding| finding.code == Code::BrokenIdentity);
            (scores + report.scores.len(), broken + usize::from(is_broken))
        })
    });
    work.line("score", seconds);
    assert_eq!(count, (2 * work.games, 0));
}

/// Searches for settled endings, and checks that area and territory of each differ by the stones
/// played.
fn settle(final_positions: &[(Position, Tally)], work: Work) {
    let (seconds, count) =
        best(TIMES, || final_positions.iter().filter(|(position, _)| settled_dead_stones(position).is_some()).count());
    work.line("settle", seconds);
    let endings =
        final_positions.iter().filter_map(|(position, tally)| Some((position, tally, settled_dead_stones(position)?)));
    let consistent =
        endings.filter(|(position, tally, dead)| Counts::from_position(position, dead).identity_holds(tally));
    assert_eq!(consistent.count(), count);
}

/// Estimates some endings by playouts alone, and checks that every dead stone is a stone.
///
/// Here `games/s` means endings per second.
fn playouts_only(final_positions: &[(Position, Tally)], work: Work) {
    let step = (final_positions.len() / ESTIMATES).max(1);
    let selected: Vec<&Position> =
        final_positions.iter().step_by(step).take(ESTIMATES).map(|(position, _)| position).collect();
    let (seconds, dead) =
        best(1, || selected.iter().map(|position| estimate(position, Color::Black).dead).collect::<Vec<_>>());
    let share = |amount: usize| amount * selected.len() / final_positions.len().max(1);
    Work { games: selected.len(), bytes: share(work.bytes), turns: share(work.turns) }.line("alone", seconds);
    for (position, dead) in selected.iter().zip(&dead) {
        assert!(dead.iter().all(|point| position.stone(*point).is_some()));
    }
}

/// Decides endings stage by stage. Each stage gets the endings that the earlier ones leave open,
/// and the last leaves none.
fn decide_by_stages(final_positions: &[(Position, Tally)]) {
    let step = (final_positions.len() / STAGED).max(1);
    let mut undecided: Vec<&Position> = final_positions.iter().step_by(step).map(|(position, _)| position).collect();
    let all = undecided.len() as f64;
    for (name, order) in [
        ("settled", &[DeadSource::Settled][..]),
        ("static", &[DeadSource::Static]),
        // Playouts skip the part of the board that static evaluation decides.
        ("playouts", &[DeadSource::Static, DeadSource::Playouts]),
    ] {
        let mut failures = Vec::new();
        let (seconds, open) = best(1, || {
            let mut decider = Decider::default();
            let mut is_open = |position: &&Position| {
                let final_position = FinalPosition { position, markup: None, next: Color::Black };
                decider.decide(final_position, order, None, &mut failures).is_none()
            };
            undecided.iter().copied().filter(|position| is_open(position)).collect::<Vec<_>>()
        });
        let share = 100.0 * (undecided.len() - open.len()) as f64 / all;
        let rate = undecided.len() as f64 / seconds;
        println!("{name:<10}{rate:>12.0} endings/s, decides {share:.1}% of {all} endings");
        undecided = open;
    }
    assert!(undecided.is_empty());
}

/// Writes the games table, and checks the number of cells with a CSV reader. Here `MB/s` refers to
/// the table.
fn write_rows(games: &[GameText], work: Work) {
    let mut analyzer = Analyzer::default();
    let settings = Settings::default();
    let reports: Vec<_> = games.iter().map(|game| analyzer.analyze(game, &settings).clone()).collect();
    let (seconds, bytes) = best(TIMES, || {
        let mut rows = CsvRows::new(ColumnSet::ALL);
        games.iter().zip(&reports).for_each(|(game, report)| rows.push(&GameRow::new(*game, report, 0)));
        rows.into_bytes()
    });
    Work { bytes: bytes.len(), ..work }.line("rows", seconds);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
    let cells = <GameRow as jigo_archive::row::Row>::TABLE.columns.len();
    assert_eq!(reader.records().filter(|row| row.as_ref().is_ok_and(|row| row.len() == cells)).count(), games.len());
}
