//! `jigo show`: a game's board on the terminal or as a picture.

pub(super) mod text;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::Exit;
use super::format::terminal_shows_color;
use super::interrupt::Interrupt;
use super::limits::{GameLimitArgs, SourceLimitArgs, limits};
use super::output::PendingFile;
use super::plan::{INDEX, index};
use super::settings::{chosen, counting, engine, judging};
use crate::picture::svg;
use crate::picture::text::Style;
use clap::Args;
use jigo_archive::records::OneGame;
use jigo_archive::source::{ID_COLUMN, RECORD_COLUMN, RowColumns};
use jigo_archive::tables::formats::jsonl::JsonlRows;
use jigo_archive::tables::{EndingRow, Row};
use jigo_core::album::{Album, ending};
use jigo_core::analyze::{Analyzer, GameReport, Outcome, Settings};
use jigo_core::board::Picture;
use jigo_core::finding::{Code, Finding};
use jigo_core::record::{GameRecord, Reading};
use jigo_core::rules::select::Choice;
use jigo_core::score::StartEngine;
use jigo_core::sgf::{GameText, Limits};

use super::args::{EndingArgs, JudgingArgs, ShowFormatArg, whole};
use super::examples::examples;
use std::path::PathBuf;

/// Draw a game: the board after a turn, a repetition step by step, or the counted ending
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo show game.sgf" "the last position, and what is found in the game"
    "jigo show game.sgf --move 2" "the board after turn 2, with what is found there"
    "jigo show games/collection.sgf#2 --ending --rules japanese,aga" "an ending with its dead stones and territory, counted"
    "jigo show games/hostile.sgf --cycle" "a repetition, position by position"
    "jigo show games/marked.sgf --ending --out ending.svg" "a picture of it"
    "jigo show games/marked.sgf --format json" "the same for a program: board, dead stones, whose each point is"
))]
pub struct ShowArgs {
    /// The game: FILE, or FILE#N for game N of several, from 1
    ///
    /// FILE may be in an archive, as in 'games.zip!inner/name.sgf', or - for standard input.
    #[arg(value_name = "FILE#GAME")]
    pub game: OsString,
    /// The board after turn N; 0 is the board before the first [default: the last turn]
    #[arg(long = "move", value_name = "N", value_parser = whole::<u32>(0..=u64::from(u32::MAX)))]
    pub turn: Option<u32>,
    /// The positions of a repetition, and the plays between as numbers
    ///
    /// From the one that turn N (--move), or the first repetition, brings back.
    #[arg(long, conflicts_with = "ending")]
    pub cycle: bool,
    /// The last position with its dead stones and territory, and what the rulesets count
    #[arg(long, conflicts_with = "turn")]
    pub ending: bool,
    /// Draw with ASCII characters alone
    #[arg(long)]
    pub ascii: bool,
    /// How it is written
    ///
    /// With json the last position, or with --move the one after turn N, as a row of the endings that jigo score tells.
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with_all = ["cycle", "out"], help_heading = "Output")]
    pub format: ShowFormatArg,
    /// Write the picture to FILE, whose name ends in .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Replace FILE if it is there
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// The column of a table that has the records
    #[arg(long, value_name = "NAME", default_value = RECORD_COLUMN)]
    pub column: String,
    /// The column of a table that has the identifiers of the records
    #[arg(long, value_name = "NAME", default_value = ID_COLUMN)]
    pub id_column: String,
    /// Where lists of moves have their headers, as of check
    #[arg(long = "index", value_name = "FILE")]
    pub list_index: Option<PathBuf>,
    /// How the game is read and judged.
    #[command(flatten)]
    pub judging: JudgingArgs,
    /// How the ending is counted.
    #[command(flatten)]
    pub counting: EndingArgs,
    /// How much of the file is taken in.
    #[command(flatten)]
    pub source_limits: SourceLimitArgs,
    /// How much of the game is taken in.
    #[command(flatten)]
    pub limits: GameLimitArgs,
}

/// Positions of a cycle that are drawn one by one, at most; a longer one is drawn with numbers alone.
const MOST_POSITIONS: u32 = 60;
/// Lines of the board drawn around what is looked at.
const MARGIN: u8 = 3;

/// Draws a game.
///
/// # Errors
/// When there is no such game or turn, the game can't be replayed, or writing fails.
pub fn show(args: &ShowArgs) -> Result<Exit> {
    let limits = limits(&args.source_limits, &args.limits);
    let game = OneGame::find(&args.game, RowColumns { record: &args.column, id: &args.id_column }, limits)?;
    let index = index(INDEX, args.list_index.as_deref())?;
    let text = GameText { index: index.as_deref(), ..game.text() };
    let interrupt = Interrupt::of_program();
    let settings = settings(args, limits, &interrupt)?;
    let mut analyzer = Analyzer::default();
    let report = analyzer.analyze(&text, &settings);
    if let Some(signal) = interrupt.came() {
        return Ok(Exit::Interrupted(signal));
    }
    let name = format!("{} game {}", text.file, text.game);
    if report.outcome == Outcome::Unreadable {
        let findings: Vec<String> = report.findings.iter().map(text::finding).collect();
        bail!("{name} can't be replayed: {}", findings.join("; "));
    }
    let record = Reading::within(&text, settings.dialect, limits).record;
    let album = Album::new(&record, settings.replay);
    if is_json(args) {
        io::stdout().lock().write_all(&json(&text, report, &album, args.turn)?).context("standard output")?;
        return Ok(Exit::Clean);
    }
    let view = View { text: &text, report, record: &record, album };
    let scene = match (args.cycle, args.ending, args.turn) {
        (true, _, turn) => view.cycle(turn)?,
        (_, true, _) => view.ending()?,
        (_, _, turn) => view.turn(turn)?,
    };
    match &args.out {
        Some(path) => save(&scene, path, args.force, &name)?,
        None => {
            let page = view.page(&scene, Style { ascii: args.ascii, color: terminal_shows_color() });
            io::stdout().lock().write_all(page.as_bytes()).context("standard output")?;
        }
    }
    Ok(Exit::Clean)
}

fn is_json(args: &ShowArgs) -> bool {
    matches!(args.format, ShowFormatArg::Json)
}

/// The last position, or the one after a turn, as the endings table has it.
fn json(text: &GameText, report: &GameReport, album: &Album, turn: Option<u32>) -> Result<Vec<u8>> {
    let mut rows = JsonlRows::new(EndingRow::TABLE);
    match turn {
        None => rows.push(&EndingRow::new(*text, report)),
        Some(turn) => {
            is_there(turn, album)?;
            let moment = album.after(turn, true);
            rows.push(&EndingRow::before_the_end(*text, report, (&moment.position, &moment.tally)));
        }
    }
    Ok(rows.into_bytes())
}

/// # Errors
/// When the game has no such turn.
fn is_there(turn: u32, album: &Album) -> Result<()> {
    let last = album.turns();
    ensure!(turn <= last, "the main line has {last} turns, there is no turn {turn}");
    Ok(())
}

/// What is asked of the analysis. Endings are counted where somebody looks at them.
fn settings(args: &ShowArgs, limits: Limits, interrupt: &Interrupt) -> Result<Settings> {
    let of_flags = match args.ending || is_json(args) {
        true => Settings {
            engine: engine(&args.counting, interrupt)?.map(|engine| engine as Arc<dyn StartEngine>),
            ..counting(&args.judging, &args.counting)?
        },
        false => judging(&args.judging)?,
    };
    Ok(Settings {
        judges: chosen(&args.judging)?.unwrap_or_else(|| vec![Choice::Recorded]),
        all_endings: true,
        position: is_json(args),
        limits,
        ..of_flags
    })
}

/// A game to look at.
struct View<'a> {
    text: &'a GameText<'a>,
    report: &'a GameReport,
    record: &'a GameRecord,
    album: Album<'a>,
}

/// What is shown of it.
struct Scene<'a> {
    /// Pictures with their captions.
    pictures: Vec<(String, Picture)>,
    /// The findings that the pictures are about.
    findings: Vec<&'a Finding>,
    /// The turn that is shown; `None` for a cycle and the ending.
    turn: Option<u32>,
    /// What there is to say below the pictures.
    below: String,
}

impl<'a> View<'a> {
    fn findings_at(&self, turn: u32) -> Vec<&'a Finding> {
        let is_at = |finding: &&Finding| finding.place.turn == Some(turn) && finding.variation.is_empty();
        self.report.findings.iter().filter(is_at).collect()
    }

    /// The board after a turn; after the last one where none is named.
    fn turn(&self, turn: Option<u32>) -> Result<Scene<'a>> {
        let turn = turn.unwrap_or(self.album.turns());
        is_there(turn, &self.album)?;
        let findings = self.findings_at(turn);
        let picture = self.album.picture_after(turn, true, &findings);
        let below = text::captured(&self.album.after(turn, true).tally);
        Ok(Scene { pictures: vec![(self.caption(turn), picture)], findings, turn: Some(turn), below })
    }

    fn caption(&self, turn: u32) -> String {
        match (turn, self.album.turn(turn)) {
            (_, Some((color, coordinates))) => {
                format!("after turn {turn}, {}", text::turn(color, coordinates, self.record))
            }
            _ => "before the first turn".into(),
        }
    }

    /// The positions from the one that a turn repeats to the turn, around what happens in between.
    fn cycle(&self, turn: Option<u32>) -> Result<Scene<'a>> {
        let repetition = |finding: &&Finding| finding.repetition.is_some() && finding.variation.is_empty();
        let mut found = self.report.findings.iter().filter(repetition);
        let finding = match turn {
            Some(turn) => found.find(|finding| finding.place.turn == Some(turn)),
            None => found.next(),
        };
        let (Some(finding), Some(to), Some(repeated)) =
            (finding, finding.and_then(|one| one.place.turn), finding.and_then(|one| one.repetition.as_ref()))
        else {
            match turn {
                Some(turn) => bail!("turn {turn} repeats no position; jigo show without --cycle draws it"),
                None => bail!("no position of this game is repeated"),
            }
        };
        let from = repeated.turn;
        let around = self.album.points(from, to);
        let crop = |mut picture: Picture| {
            picture.crop(&around, MARGIN);
            picture
        };
        let mut pictures = Vec::new();
        if to - from <= MOST_POSITIONS {
            for turn in from..=to {
                let findings = if turn == to { vec![finding] } else { Vec::new() };
                pictures.push((
                    text::short_caption(&self.album, turn),
                    crop(self.album.picture_after(turn, false, &findings)),
                ));
            }
        }
        let cycle = self.album.cycle(from, to);
        let legend = cycle.legend();
        pictures.push((format!("turns {} to {to} as 1 to {}", from + 1, to - from), crop(cycle.picture)));
        let below = if legend.is_empty() { String::new() } else { format!("Not on the board: {legend}\n") };
        Ok(Scene { pictures, findings: vec![finding], turn: None, below })
    }

    /// The final position with its dead stones and territory.
    fn ending(&self) -> Result<Scene<'a>> {
        let last = self.album.turns();
        let moment = self.album.after(last, true);
        let counted = match &self.report.ending {
            Some(Ok(counted)) => counted,
            Some(Err(reason)) => {
                let failed = self.report.findings.iter().filter(|finding| finding.code == Code::EngineFailed);
                let failed: String = failed.map(|finding| format!("; {}", text::finding(finding))).collect();
                bail!("the ending is not counted: {}{failed}", reason.name())
            }
            None => bail!("the ending is not counted"),
        };
        let mut picture = ending(&moment.position, counted);
        if let Some(point) = self.album.point(last) {
            picture.mark(point, jigo_core::board::picture::Mark::Last);
        }
        let below = text::captured(&moment.tally) + &text::ending(self.report, counted);
        let caption = format!("the ending, {}", self.caption(last));
        Ok(Scene { pictures: vec![(caption, picture)], findings: Vec::new(), turn: None, below })
    }

    /// Everything that goes to the terminal.
    fn page(&self, scene: &Scene, style: Style) -> String {
        let mut page = text::heading(self.text, self.record, self.report);
        page.push('\n');
        page += &text::pictures(&scene.pictures, style);
        page += &scene.below;
        for finding in &scene.findings {
            page += &format!("{}\n", text::finding(finding));
        }
        if let Some(turn) = scene.turn {
            page += &text::other_findings(&self.report.findings, turn);
        }
        page
    }
}

/// Writes the pictures to a file of the kind that its name says.
fn save(scene: &Scene, path: &Path, force: bool, title: &str) -> Result<()> {
    let svg = svg::sheet(&scene.pictures, title);
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    let bytes = match extension.as_str() {
        "svg" => svg.into_bytes(),
        "png" => png(&svg)?,
        _ => bail!("--out takes a name that ends in .svg or .png, not '{}'", path.display()),
    };
    let mut out = PendingFile::create(path, force)?;
    out.append(&bytes)?;
    out.close()?.put_in_place()
}

#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>> {
    crate::picture::png::png(svg).context("the picture can't be drawn")
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> Result<Vec<u8>> {
    bail!("this jigo was built without PNG: name a file that ends in .svg, or build with --features png")
}
