//! `jigo show`: the card of a game, or a board of it, on the terminal or as a picture.

mod arithmetic;
pub(super) mod card;
mod cards;
pub(super) mod text;
mod variation;
mod view;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use variation::{VariationPath, variation_path};
use view::{GameView, Scene, check_turn, turn_range};

use crate::args::run_request::columns;
use clap::Args;
use jigo_archive::formats::jsonl::JsonlRows;
use jigo_archive::locate::LocatedGame;
use jigo_archive::row::Row;
use jigo_archive::row::line::without_commands;
use jigo_archive::source::header_index::read_header_index;
use jigo_archive::tables::EndingRow;
use jigo_core::analysis::{Analyzer, GameReport, Outcome, Settings};
use jigo_core::diagrams::{GameDiagrams, LaterSetup};
use jigo_diagrams::svg::{self, Lettering, SheetText};
use jigo_diagrams::text::Style;
use jigo_record::Reading;
use jigo_record::sgf::Limits;
use jigo_record::splitter::GameText;
use jigo_run::Counting;
use jigo_run::config::limits::limits;
use jigo_run::config::option_value::integer_parser;
use jigo_run::config::options::{CountOptions, EndingOptions, JudgingOptions, RecordOptions};
use jigo_run::config::values::read_file;
use jigo_run::interrupt::Interrupt;
use jigo_run::output::Output;
use jigo_run::process::{Exit, shows_color};
use jigo_score::EngineFactory;

use crate::args::{ConfigArgs, GivenStonesArgs, ShowFormatArg, examples, wrong_stones};

/// Show games: a verdict, the board, the scores and the findings; or one position, a repetition or
/// a counted ending
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo show game.sgf" "is it sound, what is the score, and the board; jigo game.sgf does the same"
    "jigo show game.sgf --turn 2" "the board after turn 2, with its findings"
    "jigo show games/marked.sgf --turns 1-10" "turns 1 to 10 as numbers, as in a printed diagram"
    "jigo show games/collection.sgf#2 --ending --rules japanese,aga" "an ending with its dead stones and territory, counted"
    "jigo show games/marked.sgf --ending --dead-stones A5" "an ending with its dead stones by hand, and the arithmetic of its scores"
    "jigo show games/variations.sgf --variation 2" "the end of the second variation"
    "jigo show games/hostile.sgf --cycle" "a repetition, position by position"
    "jigo show games/marked.sgf --ending --out ending.svg" "a picture of it"
    "jigo show games/marked.sgf --format svg > card.svg" "the card as a picture"
    "jigo show games/marked.sgf --format json" "the card for a program, with the rows of all tables"
))]
pub struct ShowArgs {
    /// Show these games: FILE for all games of a file, FILE#N for game N, from 1
    ///
    /// Each game has a card, up to 20 games. FILE may be a folder, an archive, in an archive, as in
    /// 'games.zip!inner/name.sgf', or - for standard input. The other drawings show one game. A text
    /// file may have a board as typed, in rows such as . X O, with lines such as komi 6.5, rules
    /// aga, to play W and dead D4.
    #[arg(value_name = "FILE#GAME", required = true)]
    pub games: Vec<OsString>,
    /// Draw the board after turn N; 0 is the board before the first turn
    #[arg(long, visible_alias = "move", value_name = "N", value_parser = integer_parser::<u32>(0..=u64::from(u32::MAX)))]
    pub turn: Option<u32>,
    /// Draw turns FIRST to LAST as numbers, as in a printed diagram, such as 1-50
    ///
    /// The stones on the board before FIRST have no number. Below are the turns on points that are
    /// taken, as in '12 at 5', and the captured stones.
    #[arg(long, value_name = "FIRST-LAST", value_parser = turn_range, conflicts_with_all = ["turn", "cycle", "ending"])]
    pub turns: Option<(u32, u32)>,
    /// Draw a variation: the number of the child, from 1, at every branch, such as 1.2
    ///
    /// This is the column variation of findings and matches. Turns count from the start of the
    /// game. After the last number, the variation continues with first children.
    #[arg(long, value_name = "PATH", value_parser = variation_path)]
    pub variation: Option<VariationPath>,
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
    /// The options for reading the game.
    #[command(flatten)]
    pub records: RecordOptions,
    /// The options for judging the game.
    #[command(flatten)]
    pub judging: JudgingOptions,
    /// The options for counting the ending.
    #[command(flatten)]
    pub counting: EndingOptions,
    /// The options for dead stones by hand.
    #[command(flatten)]
    pub given: GivenStonesArgs,
    /// The options for the configuration file.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Set the format
    ///
    /// With json, print the card as a row of the endings table of jigo score, with a verdict and
    /// the rows of the games, scores and findings tables. With --turn, print the row of that
    /// position; with --ending, add the scores and their arithmetic. Pictures go to standard output.
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "out", help_heading = "Output")]
    pub format: ShowFormatArg,
    /// Write the picture to FILE, whose name ends in .svg or .png
    ///
    /// A PNG draws letters from A to Z. It leaves out names in other letters; an SVG has them.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Set the width of the picture in pixels, from 100 to 5000
    #[arg(long, value_name = "PIXELS", value_parser = integer_parser::<u32>(100..=5000), help_heading = "Output")]
    pub width: Option<u32>,
    /// Replace an existing FILE
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// Writes the cards of games, or draws one game.
///
/// # Errors
/// Fails if there is no such game or turn, if no game can be replayed, or if writing fails.
pub fn show(args: &ShowArgs) -> Result<Exit> {
    let is_drawing =
        args.cycle || args.ending || args.turn.is_some() || args.turns.is_some() || args.variation.is_some();
    match &args.games[..] {
        _ if !is_drawing => cards::cards(args),
        [game] => draw(args, game),
        _ => bail!("--turn, --turns, --cycle, --ending and --variation draw one game: name only one"),
    }
}

/// Draws the part of a game that the options choose.
fn draw(args: &ShowArgs, game: &OsStr) -> Result<Exit> {
    let has_row = !args.cycle && args.turns.is_none();
    ensure!(has_row || !is_json(args), "--format json is for one position: --cycle and --turns draw several turns");
    let limits = limits(&args.records.max);
    let game = LocatedGame::find(game, columns(&args.records), limits)?;
    let index = read_file("--headers", args.records.headers.as_deref(), read_header_index)?;
    let text = GameText { index: index.as_deref(), ..game.text() };
    let line = args.variation.as_ref().map(|path| path.cut(&text)).transpose()?;
    let text = line.as_deref().map_or(text, |line| variation::game_text(&text, line));
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
        let mut row = json(&text, report, &diagrams, args)?;
        if args.ending {
            row = with_scores(&row, report);
        }
        io::stdout().lock().write_all(&row).context("standard output")?;
        return Ok(Exit::Clean);
    }
    let variation = args.variation.as_ref().map_or("", VariationPath::name);
    let view = GameView { text: &text, report, record: &record, diagrams, variation };
    let scene = match (args.cycle, args.ending, args.turns) {
        (true, ..) => view.cycle(args.turn)?,
        (_, true, _) => view.ending()?,
        (.., Some((first, last))) => view.turns(first, last)?,
        _ => view.turn(args.turn)?,
    };
    match picture_lettering(args)? {
        Some(lettering) => write_picture(args, lettering, sheet(&view, &scene, lettering, args.width))?,
        None => {
            let page = view.page(&scene, Style { ascii: args.ascii, color: shows_color(&std::io::stdout()) });
            io::stdout().lock().write_all(without_commands(&page).as_bytes()).context("standard output")?;
        }
    }
    Ok(Exit::Clean)
}

fn is_json(args: &ShowArgs) -> bool {
    matches!(args.format, ShowFormatArg::Json)
}

/// Returns the last position, or the position after a turn, as a row of the endings table.
fn json(text: &GameText, report: &GameReport, diagrams: &GameDiagrams, args: &ShowArgs) -> Result<Vec<u8>> {
    let mut rows = JsonlRows::new(EndingRow::TABLE);
    match args.turn {
        None => rows.push(&EndingRow::new(*text, report)),
        Some(turn) => {
            check_turn(turn, diagrams, args.variation.as_ref().map_or("", VariationPath::name))?;
            let moment = diagrams.moment_after(turn, LaterSetup::Included);
            rows.push(&EndingRow::before_end(*text, report, &moment.position, &moment.tally));
        }
    }
    Ok(rows.into_bytes())
}

/// Adds the scores with their arithmetic to a row that is a JSON object.
fn with_scores(row: &[u8], report: &GameReport) -> Vec<u8> {
    let ending = report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
    extended(row, "scores", &arithmetic::json(report, ending).to_string())
}

/// Returns a line with a JSON object that has one more member, which is written as JSON.
fn extended(row: &[u8], name: &str, value: &str) -> Vec<u8> {
    let members = row.trim_ascii_end().strip_suffix(b"}").unwrap_or(row);
    [members, format!(",\"{name}\":{value}}}\n").as_bytes()].concat()
}

/// Returns the settings of the analysis. Endings are counted only if they are displayed.
fn settings(args: &ShowArgs, limits: Limits, interrupt: &Interrupt) -> Result<Settings> {
    let mut settings = args.judging.settings(Settings::default());
    ensure!(
        args.given.dead_stones.is_none() || args.ending || is_json(args),
        "--dead-stones is for a count: add --ending or --format json"
    );
    if args.ending || is_json(args) {
        let options = CountOptions { ending: args.counting.clone(), all_endings: true };
        let counting = Counting::new(&args.judging, &options);
        settings = counting.settings(settings);
        settings.given_stones = args.given.stones();
        settings.engine = counting.try_engine(interrupt)?.map(|engine| engine as Arc<dyn EngineFactory>);
    }
    Ok(Settings { all_endings: true, position: is_json(args), limits, ..settings })
}

/// Returns the lettering of the picture that `--out` or `--format` requests: a font for SVG, and
/// strokes for PNG, whose conversion has no fonts. `None` for text.
fn picture_lettering(args: &ShowArgs) -> Result<Option<Lettering>> {
    let extension = |path: &PathBuf| path.extension()?.to_str().map(str::to_ascii_lowercase);
    let is_picture = args.out.is_some() || matches!(args.format, ShowFormatArg::Svg | ShowFormatArg::Png);
    ensure!(is_picture || args.width.is_none(), "--width is for pictures: add --out FILE, or --format svg or png");
    match (&args.out, args.format) {
        (Some(path), _) => match extension(path).as_deref() {
            Some("svg") => Ok(Some(Lettering::Font)),
            Some("png") => Ok(Some(Lettering::Strokes)),
            _ => bail!("--out takes a name that ends in .svg or .png, not '{}'", path.display()),
        },
        (None, ShowFormatArg::Svg) => Ok(Some(Lettering::Font)),
        (None, ShowFormatArg::Png) => Ok(Some(Lettering::Strokes)),
        (None, ShowFormatArg::Text | ShowFormatArg::Json) => Ok(None),
    }
}

/// Returns the pictures of a drawing on one sheet.
fn sheet(view: &GameView, scene: &Scene, lettering: Lettering, width: Option<u32>) -> String {
    let mut above = text::picture_heading(view.record, view.report);
    above.extend((!view.variation.is_empty()).then(|| format!("variation {}", view.variation)));
    if let [(caption, _)] = &scene.pictures[..] {
        above.push(caption.clone());
    }
    let title = format!("{} game {}", view.text.file, view.text.game);
    svg::sheet(&scene.pictures, &title, SheetText { above: &above, below: &scene.lines, lettering, width })
}

/// Writes a picture to the file of `--out` or to standard output.
fn write_picture(args: &ShowArgs, lettering: Lettering, svg: String) -> Result<()> {
    let bytes = match lettering {
        Lettering::Font => svg.into_bytes(),
        Lettering::Strokes => png(&svg, args.width.is_some())?,
    };
    let is_binary = lettering == Lettering::Strokes && args.out.is_none() && io::stdout().is_terminal();
    ensure!(!is_binary, "a PNG is not for a terminal: name a file with --out, or send it down a pipe");
    let mut out = Output::open(args.out.as_deref(), args.force)?;
    out.write_all(&bytes)?;
    out.finish()
}

#[cfg(feature = "png")]
fn png(svg: &str, with_width: bool) -> Result<Vec<u8>> {
    jigo_diagrams::png::png(svg, with_width).context("the picture can't be drawn")
}

#[cfg(not(feature = "png"))]
fn png(_: &str, _: bool) -> Result<Vec<u8>> {
    bail!("this jigo was built without PNG: name a file that ends in .svg, or build with --features png")
}
