//! The cards of the games of `jigo show` and `jigo FILE`.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::card::{card, outside_finding};
use super::{ShowArgs, extended, picture_lettering, write_picture};
use crate::args::run_request::{columns, progress};
use crate::args::{ShowFormatArg, wrong_stones};
use jigo_archive::formats::jsonl::JsonlRows;
use jigo_archive::locate::LocatedGame;
use jigo_archive::pipeline::{SourceFinding, VisitedGame, Visitor};
use jigo_archive::row::line::without_commands;
use jigo_archive::row::{LineCounter, LocatedFinding, Row};
use jigo_archive::source::files::discover::discover_with;
use jigo_archive::tables::{EndingRow, FindingRow, GameRow, ScoreRow};
use jigo_core::analysis::{Analyzer, Settings};
use jigo_diagrams::card::{Card, CardFinding, MAX_CARDS};
use jigo_diagrams::text::Style;
use jigo_record::finding::Finding;
use jigo_record::splitter::GameText;
use jigo_run::config::options::{CountOptions, InputOptions, RunOptions};
use jigo_run::config::run_request::FindingsUse;
use jigo_run::process::{Exit, note, print, quoted, shows_color};
use jigo_run::{Counting, RunConfig, RunRequest, run};

/// The line between two cards.
const RULE: &str = "────────────────────────────────────────\n";

/// Writes the card of each game of the inputs.
///
/// # Errors
/// Fails if an input has no game that can be replayed, if there are too many games, or if writing
/// fails.
pub fn cards(args: &ShowArgs) -> Result<Exit> {
    let mut games: Vec<CardEntry> = Vec::new();
    let mut exit = Exit::Clean;
    for name in &args.games {
        let (batch, end) = match read(args, name, MAX_CARDS + 1 - games.len()) {
            // The other inputs still have cards.
            Err(error) if args.games.len() > 1 => {
                note(&format!("{error:#}"));
                (Vec::new(), Exit::Failure)
            }
            outcome => outcome?,
        };
        games.extend(batch);
        match end {
            Exit::Interrupted(_) => return Ok(end),
            Exit::Clean => {}
            failure => exit = failure,
        }
        if games.len() > MAX_CARDS {
            print(&too_many_games(args));
            return Ok(Exit::Failure);
        }
    }
    if games.iter().all(|game| !game.card.is_replayed) {
        exit = Exit::Failure;
    }
    write(args, &games)?;
    Ok(exit)
}

fn write(args: &ShowArgs, games: &[CardEntry]) -> Result<()> {
    if let Some(lettering) = picture_lettering(args)? {
        let [game] = games else { bail!("a picture shows one game: name one, such as 'FILE#1'") };
        let svg = game.card.svg(lettering, args.width);
        let svg = svg.context("the game can't be replayed, so there is no board to draw")?;
        return write_picture(args, lettering, svg);
    }
    let style = Style { ascii: args.ascii, color: shows_color(&std::io::stdout()) };
    let text = match args.format {
        ShowFormatArg::Json => games.iter().map(CardEntry::json).collect(),
        _ => games.iter().map(|game| game.card.text(style)).collect::<Vec<_>>().join(RULE),
    };
    io::stdout().lock().write_all(without_commands(&text).as_bytes()).context("standard output")
}

/// Returns the message that names the commands for archives.
fn too_many_games(args: &ShowArgs) -> String {
    let words: Option<Vec<String>> = args.games.iter().map(|name| quoted(name.to_str()?)).collect();
    let words = words.map(|words| words.join(" ")).filter(|words| words.len() <= 60).unwrap_or("FILE...".into());
    format!(
        "jigo: these are more than {MAX_CARDS} games. Add a number to see one: jigo 'FILE#3'. For all of them:\n  \
         jigo report --out audit {words}\n      a page about all games, and all tables\n  \
         jigo check {words}\n      the errors and other findings, one row each\n  \
         jigo score {words}\n      the counts of the endings, one row for each game and ruleset\n"
    )
}

/// A card with its file, and the game's rows for programs.
struct CardEntry {
    card: Card,
    file: String,
    /// The row of the endings table, as a JSON object.
    row: Vec<u8>,
    /// The rows of other tables, as a JSON object.
    tables: String,
}

impl CardEntry {
    /// Returns the card of a game.
    ///
    /// # Errors
    /// Fails if the user names dead stones that are not on the board.
    fn new(game: &VisitedGame<'_>) -> Result<CardEntry> {
        let VisitedGame { text, report, reported } = *game;
        wrong_stones(report).with_context(|| format!("{} game {}", text.file, text.game))?;
        let mut counter = LineCounter::default();
        let mut findings = JsonlRows::new(FindingRow::TABLE);
        let mut located = |finding| LocatedFinding::in_game(text, finding, &mut counter);
        reported.iter().for_each(|finding| findings.push(&FindingRow::new(located(finding))));
        let mut scores = JsonlRows::new(ScoreRow::TABLE);
        report.scores.iter().for_each(|scored| scores.push(&ScoreRow::new(*text, report, Some(scored))));
        let [mut games, mut endings] = [GameRow::TABLE, EndingRow::TABLE].map(JsonlRows::new);
        games.push(&GameRow::new(*text, report, reported.len()));
        endings.push(&EndingRow::new(*text, report));
        let [games, scores, findings] = [games, scores, findings].map(|rows| array(rows.as_bytes()));
        let tables = format!("{{\"games\":{games},\"scores\":{scores},\"findings\":{findings}}}");
        Ok(CardEntry { card: card(game), file: text.file.into(), row: endings.into_bytes(), tables })
    }

    /// Returns the row of the endings table with the verdict and the rows of other tables.
    fn json(&self) -> String {
        let row = extended(&self.row, "verdict", &serde_json::json!(self.card.verdict()).to_string());
        String::from_utf8_lossy(&extended(&row, "tables", &self.tables)).into_owned()
    }
}

/// Returns JSON lines as an array.
fn array(lines: &[u8]) -> String {
    let lines: Vec<String> = String::from_utf8_lossy(lines).lines().map(str::to_owned).collect();
    format!("[{}]", lines.join(","))
}

/// Returns the cards of at most `limit` games of an input.
fn read(args: &ShowArgs, name: &OsStr, limit: usize) -> Result<(Vec<CardEntry>, Exit)> {
    let records = &args.records;
    let is_input = name == "-" || Path::new(name).exists();
    let sources = if is_input { discover_with(&[name], columns(records), &mut |_| {}) } else { Vec::new() };
    let config = RunConfig::new(request(args, limit)?, || Ok(sources.into()))?;
    if !is_input {
        let game = LocatedGame::find(name, columns(records), config.job.settings.limits)?;
        let mut settings = config.job.settings.clone();
        CardVisitor.configure(&mut settings);
        let text = GameText { index: settings.index.as_deref(), ..game.text() };
        let mut analyzer = Analyzer::default();
        let report = analyzer.analyze(&text, &settings);
        let reported: Vec<&Finding> = report.findings.iter().collect();
        let entry = CardEntry::new(&VisitedGame { text: &text, report, reported: &reported })?;
        let exit = config.interrupt.received().map_or(Exit::Clean, Exit::Interrupted);
        return Ok((vec![entry], exit));
    }
    let mut entries = Vec::new();
    let mut outside = Vec::new();
    let summary = run(&config, &CardVisitor, |output| {
        for item in output.product {
            match item {
                Visit::Game(entry) => entries.push((*entry)?),
                Visit::Outside(file, finding) => outside.push((file, finding)),
            }
        }
        Ok(())
    })?;
    if entries.is_empty() && summary.all_findings() == 0 {
        note(&format!("{} holds no game", name.display()));
    }
    for (file, finding) in outside {
        match entries.iter_mut().find(|entry| entry.file == file) {
            Some(CardEntry { card, .. }) => card.add_outside_finding(finding),
            None => note(&format!("{file}: {}", finding.text)),
        }
    }
    let failure = if summary.failed_sources > 0 { Exit::Failure } else { Exit::Clean };
    Ok((entries, config.interrupt.received().map_or(failure, Exit::Interrupted)))
}

/// Returns the request of a run over at most `limit` games.
fn request(args: &ShowArgs, limit: usize) -> Result<RunRequest> {
    let count = CountOptions { ending: args.counting.clone(), all_endings: false };
    let mut run = RunOptions { judging: args.judging.clone(), ..RunOptions::default() };
    run.selection.limit = Some(limit.to_string().parse().map_err(anyhow::Error::msg)?);
    Ok(RunRequest {
        input: InputOptions { records: args.records.clone(), ..InputOptions::default() },
        run,
        counting: Some(Counting { given_stones: args.given.stones(), ..Counting::new(&args.judging, &count) }),
        findings: FindingsUse::Ignored,
        progress: Some(progress(false)),
        ..RunRequest::default()
    })
}

/// A game, or a finding outside games.
enum Visit {
    Game(Box<Result<CardEntry>>),
    /// The file and the finding.
    Outside(String, CardFinding),
}

/// Makes the card of each game.
struct CardVisitor;

impl Visitor for CardVisitor {
    type Accumulator = Vec<Visit>;

    fn configure(&self, settings: &mut Settings) {
        (settings.position, settings.turns, settings.details, settings.game_hash) = (true, true, true, true);
    }

    fn start_batch(&self) -> Vec<Visit> {
        Vec::new()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Vec<Visit>) {
        batch.push(Visit::Game(Box::new(CardEntry::new(game))));
    }

    fn visit_finding(&self, finding: &SourceFinding<'_>, batch: &mut Vec<Visit>) {
        if !finding.is_on_stderr {
            batch.push(Visit::Outside(finding.file.into(), outside_finding(finding)));
        }
    }
}
