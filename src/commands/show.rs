//! `jigo show`: the board of a game on the terminal or as a picture.

mod arithmetic;
pub(super) mod text;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use crate::args::format::terminal_shows_color;
use crate::args::limits::any_limit;
use crate::args::run_options::{counting, judging};
use clap::Args;
use jigo_archive::formats::jsonl::JsonlRows;
use jigo_archive::locate::LocatedGame;
use jigo_archive::row::Row;
use jigo_archive::source::{ID_COLUMN, RECORD_COLUMN, RowColumns};
use jigo_archive::tables::EndingRow;
use jigo_core::analysis::{Analyzer, GameReport, Outcome, Settings};
use jigo_core::diagrams::{GameDiagrams, LaterSetup, ending};
use jigo_diagrams::svg::{self, SheetText};
use jigo_diagrams::text::Style;
use jigo_record::finding::{Code, Finding};
use jigo_record::sgf::Limits;
use jigo_record::splitter::GameText;
use jigo_record::{GameRecord, Reading};
use jigo_rules::board::Picture;
use jigo_run::Counting;
use jigo_run::config::values::header_index;
use jigo_run::interrupt::Interrupt;
use jigo_run::output::PendingFile;
use jigo_run::process::exit::Exit;
use jigo_score::EngineFactory;

use crate::args::examples::examples;
use crate::args::{EndingArgs, GivenStonesArgs, JudgingArgs, ShowFormatArg, wrong_stones};
use jigo_run::config::limits::{LimitSetting, limits};
use jigo_run::config::values::integer_parser;
use std::path::PathBuf;

/// Draw the board after a turn, a repetition step by step, or a counted ending
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo show game.sgf" "the last position, and the findings of the game"
    "jigo show game.sgf --turn 2" "the board after turn 2, with its findings"
    "jigo show games/collection.sgf#2 --ending --rules japanese,aga" "an ending with its dead stones and territory, counted"
    "jigo show games/marked.sgf --ending --dead-stones A5" "an ending with its dead stones by hand, and the arithmetic of its scores"
    "jigo show games/hostile.sgf --cycle" "a repetition, position by position"
    "jigo show games/marked.sgf --ending --out ending.svg" "a picture of it"
    "jigo show games/marked.sgf --format json" "the same for a program: board, dead stones, owner of each point"
))]
pub struct ShowArgs {
    /// Draw this game: FILE, or FILE#N for game N of several, from 1
    ///
    /// FILE may be in an archive, as in 'games.zip!inner/name.sgf', or - for standard input.
    #[arg(value_name = "FILE#GAME")]
    pub game: OsString,
    /// Draw the board after turn N; 0 is the board before the first turn [default: the last turn]
    #[arg(long, visible_alias = "move", value_name = "N", value_parser = integer_parser::<u32>(0..=u64::from(u32::MAX)))]
    pub turn: Option<u32>,
    /// Draw the positions of a repetition, and the turns between as numbers
    ///
    /// Use the repetition at turn N (--turn), or the first one.
    #[arg(long, conflicts_with = "ending")]
    pub cycle: bool,
    /// Draw the last position with its dead stones and territory, and its count under the rulesets
    #[arg(long, conflicts_with = "turn")]
    pub ending: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    pub ascii: bool,
    /// Read the records of a table from column NAME
    #[arg(long, value_name = "NAME", default_value = RECORD_COLUMN, help_heading = "Input")]
    pub column: String,
    /// Read the identifiers of the records from column NAME
    #[arg(long, value_name = "NAME", default_value = ID_COLUMN, help_heading = "Input")]
    pub id_column: String,
    /// Read the headers of lists of moves from FILE, as in check
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub headers: Option<PathBuf>,
    /// Set a limit on the input, such as nodes=5000; see jigo help limits
    ///
    /// Repeat the option, or separate the limits by commas.
    #[arg(long = "max", value_name = "NAME=VALUE", value_delimiter = ',', value_parser = any_limit(), hide_possible_values = true, help_heading = "Input")]
    pub limits: Vec<LimitSetting>,
    /// The options for reading and judging the game.
    #[command(flatten)]
    pub judging: JudgingArgs,
    /// The options for counting the ending.
    #[command(flatten)]
    pub counting: EndingArgs,
    /// The options for dead stones by hand.
    #[command(flatten)]
    pub given: GivenStonesArgs,
    /// Set the format
    ///
    /// With json, print the last position, or with --turn the one after turn N, as a row of the
    /// endings table of jigo score. With --ending, add the scores and their arithmetic.
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with_all = ["cycle", "out"], help_heading = "Output")]
    pub format: ShowFormatArg,
    /// Write the picture to FILE, whose name ends in .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Replace an existing FILE
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// The most positions of a cycle that are drawn as separate boards. A longer cycle is drawn as one
/// board with numbers.
const MAX_POSITIONS: u32 = 60;
/// The columns of the text in a picture.
const SHEET_COLUMNS: usize = 58;
/// The lines of the board that are drawn around the points of interest.
const MARGIN: u8 = 3;

/// Draws a game.
///
/// # Errors
/// Fails if there is no such game or turn, if the game can't be replayed, or if writing fails.
pub fn show(args: &ShowArgs) -> Result<Exit> {
    let limits = limits(&args.limits);
    let game = LocatedGame::find(&args.game, RowColumns { record: &args.column, id: &args.id_column }, limits)?;
    let index = header_index(args.headers.as_deref())?;
    let text = GameText { index: index.as_deref(), ..game.text() };
    let interrupt = Interrupt::for_program();
    let settings = settings(args, limits, &interrupt)?;
    let mut analyzer = Analyzer::default();
    let report = analyzer.analyze(&text, &settings);
    if let Some(signal) = interrupt.received() {
        return Ok(Exit::Interrupted(signal));
    }
    let name = format!("{} game {}", text.file, text.game);
    wrong_stones(report).with_context(|| name.clone())?;
    if report.outcome == Outcome::Unreadable {
        let findings: Vec<String> = report.findings.iter().map(text::finding).collect();
        bail!("{name} can't be replayed: {}", findings.join("; "));
    }
    let record = Reading::with_limits(&text, settings.dialect, limits).record;
    let diagrams = GameDiagrams::new(&record, settings.replay);
    if is_json(args) {
        let mut row = json(&text, report, &diagrams, args.turn)?;
        if args.ending {
            row = with_scores(row, report);
        }
        io::stdout().lock().write_all(&row).context("standard output")?;
        return Ok(Exit::Clean);
    }
    let view = View { text: &text, report, record: &record, diagrams };
    let scene = match (args.cycle, args.ending, args.turn) {
        (true, _, turn) => view.cycle(turn)?,
        (_, true, _) => view.ending()?,
        (_, _, turn) => view.turn(turn)?,
    };
    match &args.out {
        Some(path) => save(&view, &scene, path, args.force)?,
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

/// Returns the last position, or the position after a turn, as a row of the endings table.
fn json(text: &GameText, report: &GameReport, diagrams: &GameDiagrams, turn: Option<u32>) -> Result<Vec<u8>> {
    let mut rows = JsonlRows::new(EndingRow::TABLE);
    match turn {
        None => rows.push(&EndingRow::new(*text, report)),
        Some(turn) => {
            check_turn(turn, diagrams)?;
            let moment = diagrams.moment_after(turn, LaterSetup::Included);
            rows.push(&EndingRow::before_end(*text, report, &moment.position, &moment.tally));
        }
    }
    Ok(rows.into_bytes())
}

/// Adds the scores with their arithmetic to a row that is a JSON object.
fn with_scores(mut row: Vec<u8>, report: &GameReport) -> Vec<u8> {
    let ending = report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
    let scores = arithmetic::json(report, ending);
    row.truncate(row.trim_ascii_end().strip_suffix(b"}").map_or(row.len(), <[u8]>::len));
    row.extend_from_slice(format!(",\"scores\":{scores}}}\n").as_bytes());
    row
}

/// Checks that the game has a turn.
///
/// # Errors
/// Fails if it does not.
fn check_turn(turn: u32, diagrams: &GameDiagrams) -> Result<()> {
    let last = diagrams.turns();
    ensure!(turn <= last, "the main line has {last} turns, there is no turn {turn}");
    Ok(())
}

/// Returns the settings of the analysis. Endings are counted only if they are displayed.
fn settings(args: &ShowArgs, limits: Limits, interrupt: &Interrupt) -> Result<Settings> {
    let mut settings = judging(&args.judging)?.settings();
    ensure!(
        args.given.dead_stones.is_none() || args.ending || is_json(args),
        "--dead-stones is for a count: add --ending or --format json"
    );
    if args.ending || is_json(args) {
        let counting = Counting { all_endings: true, ..counting(&args.judging, &args.counting)? };
        counting.check()?;
        settings = counting.settings(settings);
        settings.given_stones = args.given.stones();
        settings.engine = counting.try_engine(interrupt)?.map(|engine| engine as Arc<dyn EngineFactory>);
    }
    Ok(Settings { all_endings: true, position: is_json(args), limits, ..settings })
}

/// The game that is displayed.
struct View<'a> {
    text: &'a GameText<'a>,
    report: &'a GameReport,
    record: &'a GameRecord,
    diagrams: GameDiagrams<'a>,
}

/// The parts of the game that are displayed.
struct Scene<'a> {
    /// The pictures with their captions.
    pictures: Vec<(String, Picture)>,
    /// The findings that the pictures show.
    findings: Vec<&'a Finding>,
    /// The turn of the picture. `None` for a cycle and for the ending.
    turn: Option<u32>,
    /// The text below the pictures.
    below: String,
    /// The lines below the pictures in a file.
    lines: Vec<String>,
}

impl<'a> View<'a> {
    fn findings_at(&self, turn: u32) -> Vec<&'a Finding> {
        let is_at = |finding: &&Finding| finding.place.turn == Some(turn) && finding.variation.is_empty();
        self.report.findings.iter().filter(is_at).collect()
    }

    /// Returns the board after a turn, by default the last one.
    fn turn(&self, turn: Option<u32>) -> Result<Scene<'a>> {
        let turn = turn.unwrap_or(self.diagrams.turns());
        check_turn(turn, &self.diagrams)?;
        let findings = self.findings_at(turn);
        let picture = self.diagrams.picture_after(turn, LaterSetup::Included, &findings);
        let below = text::captured(&self.diagrams.moment_after(turn, LaterSetup::Included).tally);
        Ok(Scene {
            pictures: vec![(self.caption(turn), picture)],
            findings,
            turn: Some(turn),
            below,
            lines: Vec::new(),
        })
    }

    fn caption(&self, turn: u32) -> String {
        match (turn, self.diagrams.turn(turn)) {
            (_, Some((color, coordinates))) => {
                format!("after turn {turn}, {}", text::turn(color, coordinates, self.record))
            }
            _ => "before the first turn".into(),
        }
    }

    /// Returns the positions from the one that a turn repeats up to that turn, cut to the affected
    /// part of the board.
    fn cycle(&self, turn: Option<u32>) -> Result<Scene<'a>> {
        let repetition = |finding: &&Finding| finding.repetition.is_some() && finding.variation.is_empty();
        let mut repetitions = self.report.findings.iter().filter(repetition);
        let finding = match turn {
            Some(turn) => repetitions.find(|finding| finding.place.turn == Some(turn)),
            None => repetitions.next(),
        };
        let (Some(finding), Some(to), Some(repeated)) = (
            finding,
            finding.and_then(|cycle_finding| cycle_finding.place.turn),
            finding.and_then(|cycle_finding| cycle_finding.repetition.as_ref()),
        ) else {
            match turn {
                Some(turn) => bail!("turn {turn} repeats no position; jigo show without --cycle draws it"),
                None => bail!("no position of this game is repeated"),
            }
        };
        let start = repeated.turn;
        let around = self.diagrams.points(start, to);
        let crop = |mut picture: Picture| {
            picture.crop(&around, MARGIN);
            picture
        };
        let mut pictures = Vec::new();
        if to - start <= MAX_POSITIONS {
            for turn in start..=to {
                let findings = if turn == to { vec![finding] } else { Vec::new() };
                pictures.push((
                    text::short_caption(&self.diagrams, turn),
                    crop(self.diagrams.picture_after(turn, LaterSetup::Omitted, &findings)),
                ));
            }
        }
        let cycle = self.diagrams.cycle(start, to);
        let legend = cycle.legend();
        pictures.push((format!("turns {} to {to} as 1 to {}", start + 1, to - start), crop(cycle.picture)));
        let below = if legend.is_empty() { String::new() } else { format!("Not on the board: {legend}\n") };
        Ok(Scene { pictures, findings: vec![finding], turn: None, below, lines: Vec::new() })
    }

    /// Returns the final position with its dead stones and territory.
    fn ending(&self) -> Result<Scene<'a>> {
        let last = self.diagrams.turns();
        let moment = self.diagrams.moment_after(last, LaterSetup::Included);
        let counted_ending = match &self.report.ending {
            Some(Ok(counted_ending)) => counted_ending,
            Some(Err(reason)) => {
                let failed = self.report.findings.iter().filter(|finding| finding.code == Code::EngineFailed);
                let failed: String = failed.map(|finding| format!("; {}", text::finding(finding))).collect();
                bail!("the ending is not counted: {}{failed}", reason.name())
            }
            None => bail!("the ending is not counted"),
        };
        let mut picture = ending(&moment.position, counted_ending);
        if let Some(point) = self.diagrams.point(last) {
            picture.mark(point, jigo_rules::board::picture::Mark::Last);
        }
        let below = text::captured(&moment.tally) + &text::ending(self.report, counted_ending);
        let mut lines = vec![text::dead_stones(counted_ending), String::new()];
        lines.extend(arithmetic::table(self.report, SHEET_COLUMNS));
        let caption = format!("the ending, {}", self.caption(last));
        Ok(Scene { pictures: vec![(caption, picture)], findings: Vec::new(), turn: None, below, lines })
    }

    /// Returns the complete text for the terminal.
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

/// Writes the pictures to a file, in the format of its name.
fn save(view: &View, scene: &Scene, path: &Path, force: bool) -> Result<()> {
    let mut above = text::picture_heading(view.record, view.report);
    if let [(caption, _)] = &scene.pictures[..] {
        above.push(caption.clone());
    }
    let title = format!("{} game {}", view.text.file, view.text.game);
    let svg = svg::sheet(&scene.pictures, &title, SheetText { above: &above, below: &scene.lines });
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
    jigo_diagrams::png::png(svg).context("the picture can't be drawn")
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> Result<Vec<u8>> {
    bail!("this jigo was built without PNG: name a file that ends in .svg, or build with --features png")
}
