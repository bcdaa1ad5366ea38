//! `jigo find`: a position or a pattern in games, and the turns that follow it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::args::examples::examples;
use crate::args::format;
use crate::args::run_options::{judging, run_options};
use crate::args::{InputArgs, OutputArgs, RunArgs, TableFormatArg};
use jigo_archive::formats::Format;
use jigo_archive::locate::LocatedGame;
use jigo_archive::source::RowColumns;
use jigo_archive::tables::{ContinuationLines, Continuations, MatchRows};
use jigo_core::diagrams::{GameDiagrams, LaterSetup};
use jigo_core::pattern::{BoardPattern, PatternSearch, SearchOptions};
use jigo_core::{BoardSize, Game};
use jigo_run::config::limits::limits;
use jigo_run::config::options::FindingsUse;
use jigo_run::config::values::integer_parser;
use jigo_run::execution::run_table::{aggregate_table, table, table_with_aggregate};
use jigo_run::process::exit::Exit;
use jigo_run::{RunConfig, RunOptions};

/// Find a position or a pattern in games, and the turns that follow it
///
/// PATTERN is a diagram: X black, O white, . empty, * empty and the next turn is here, ? anything.
/// A | at the start or end of every row is the left or right edge of the board, a line of - above
/// or below is the top or bottom edge, and + is a corner. Without an edge the pattern may lie
/// anywhere. Rows end with their line or with a comma.
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo find '+----,|....,|....,|..X.' games/" "the games with a black stone at 3-3 in a corner, one row each"
    "jigo find --table continuations '?X?,X.X,?X?' games/" "how often each turn follows a ponnuki, and who won"
    "jigo find --points 'B Q16, W D4' --turns ..20 --format text games/" "these stones within 20 turns, for reading"
    "jigo find --position game.sgf --turn 2 --swap-colors games/" "the games with this position, also with exchanged colours"
))]
#[command(override_usage = "jigo find [OPTIONS] <PATTERN> [PATH]...
       jigo find [OPTIONS] --position <FILE#GAME> [PATH]...
       jigo find [OPTIONS] --points <LIST> [PATH]...")]
pub struct FindArgs {
    /// The diagram, a file that contains it, or - for standard input
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<OsString>,
    /// Search the whole position of this game, FILE or FILE#N, instead of a diagram
    #[arg(long, value_name = "FILE#GAME", conflicts_with = "points")]
    pub position: Option<OsString>,
    /// With --position, search the position after turn N [default: the last turn]
    #[arg(long, value_name = "N", requires = "position", value_parser = integer_parser::<u32>(0..=u64::from(u32::MAX)))]
    pub turn: Option<u32>,
    /// Search these points instead of a diagram: 'B D4, W Q16, . R14'
    ///
    /// B and W are stones, . is empty, * is empty and the next turn is here. All other points may
    /// have any content. The board has the size of --size.
    #[arg(long, value_name = "LIST")]
    pub points: Option<String>,
    /// With --points, set the size of the board
    #[arg(long, value_name = "N", default_value_t = 19, requires = "points", value_parser = integer_parser::<u8>(1..=u64::from(BoardSize::MAX)))]
    pub size: u8,
    /// Search the pattern only as it is, not rotated or mirrored
    #[arg(long)]
    pub no_symmetry: bool,
    /// Also search the pattern with exchanged colours
    #[arg(long)]
    pub swap_colors: bool,
    /// Search the positions after these turns: A..B, A.. or ..B, where 0 is the initial position
    #[arg(long, value_name = "A..B", default_value = "0..", value_parser = turn_range)]
    pub turns: RangeInclusive<u32>,
    /// Match only if the next turn is inside the pattern
    ///
    /// The turn of the match is the last one before it, so play elsewhere may lie between.
    #[arg(long)]
    pub next: bool,
    /// Write every match, not only the first one of each game
    ///
    /// A match begins at the turn that completes the pattern, and ends at a turn that changes it.
    #[arg(long)]
    pub all: bool,
    /// Choose the table
    #[arg(long, value_name = "TABLE", default_value = "matches")]
    pub table: FindTableArg,
    /// The options for inputs.
    #[command(flatten)]
    pub input: InputArgs,
    /// The options for the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Set the format of the rows [default: as --output ends; else text on a terminal, and csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The values of `--table`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindTableArg {
    /// One row for each game with the pattern, or for each match
    Matches,
    /// One row for each next turn, with the number of games and their results
    Continuations,
}

/// The largest file with a diagram in bytes. A diagram of the largest board takes 6 KB.
const MAX_DIAGRAM: u64 = 1 << 16;

/// Writes one row for each match, or for each next turn.
///
/// # Errors
/// Fails if the pattern is faulty, the options contradict each other or the output fails.
pub fn find(args: &FindArgs) -> Result<Exit> {
    let input = input(args);
    let format = format::row_format(args.format.map(|format| format.0), args.run.safe_text, &args.output)?;
    let source = PatternSource::new(args)?;
    source.check_streams(&input)?;
    let options = SearchOptions {
        has_symmetries: !args.no_symmetry,
        swaps_colors: args.swap_colors,
        turns: args.turns.clone(),
        needs_next_inside: args.next,
        returns_all: args.all,
    };
    let search = Arc::new(PatternSearch::new(source.pattern(args)?, options));
    let options = RunOptions { findings: FindingsUse::Ignored, ..run_options(&input, &args.run, None, format)? };
    let config = RunConfig::new(options, || input.sources())?;
    let (files, pattern_file) = (args.output.files(), source.file());
    input.read_files().reads("PATTERN", pattern_file.as_deref()).table(&files).check(config.sources())?;
    let rows = MatchRows { search: Arc::clone(&search) };
    let continuations = Continuations { search };
    match args.table {
        FindTableArg::Continuations => {
            aggregate_table(&config, &files, &continuations, "the next turns are not counted")
        }
        FindTableArg::Matches if matches!(format, Format::Text { .. }) => {
            table_with_aggregate(&config, &files, rows, &ContinuationLines(continuations))
        }
        FindTableArg::Matches => table(&config, &files, rows),
    }
}

/// Returns the options for inputs. If another option gives the pattern, the first word is a path.
fn input(args: &FindArgs) -> InputArgs {
    let mut input = args.input.clone();
    if let (Some(path), true) = (&args.pattern, args.position.is_some() || args.points.is_some()) {
        input.paths.insert(0, path.into());
    }
    input
}

/// Parses a range of turns.
fn turn_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    const FORM: &str = "write A..B, A.. or ..B, such as 1..60";
    let number = |text: &str, default: u32| match text.trim() {
        "" => Ok(default),
        digits => digits.parse().map_err(|_| format!("'{digits}' is not a turn; {FORM}")),
    };
    let Some((first, last)) = text.split_once("..") else { return Err(FORM.into()) };
    let (first, last) = (number(first, 0)?, number(last, u32::MAX)?);
    if first > last { Err(format!("turn {first} comes after turn {last}; exchange them")) } else { Ok(first..=last) }
}

/// The place that the pattern comes from.
enum PatternSource<'a> {
    /// A diagram on the command line.
    Text(&'a str),
    /// A file with a diagram.
    File(&'a Path),
    /// A diagram from standard input.
    Stdin,
    /// The position of a game.
    Game(&'a OsStr),
    /// A list of points.
    Points(&'a str),
}

impl PatternSource<'_> {
    fn new(args: &FindArgs) -> Result<PatternSource<'_>> {
        if let Some(game) = &args.position {
            return Ok(PatternSource::Game(game));
        }
        if let Some(points) = &args.points {
            return Ok(PatternSource::Points(points));
        }
        let Some(word) = &args.pattern else {
            bail!(
                "there is no pattern: write a diagram such as '.X,X.', name a file with one, or use --position or --points"
            );
        };
        Ok(match word.to_str() {
            Some("-") => PatternSource::Stdin,
            Some(text) if is_diagram(text) => PatternSource::Text(text),
            _ => PatternSource::File(Path::new(word)),
        })
    }

    /// Checks that pattern and games don't both come from standard input.
    fn check_streams(&self, input: &InputArgs) -> Result<()> {
        let is_stream = match self {
            PatternSource::Stdin => true,
            PatternSource::Game(name) => name.to_str().is_some_and(|name| name == "-" || name.starts_with("-#")),
            _ => false,
        };
        let reads_stdin = input.paths.iter().any(|path| path == Path::new("-"))
            || input.paths.is_empty() && input.files_from.is_none()
            || input.files_from.as_deref() == Some(Path::new("-"));
        ensure!(
            !(is_stream && reads_stdin),
            "standard input can't contain both the pattern and the games: name files for one of them"
        );
        Ok(())
    }

    /// Returns the file that contains the pattern, if any.
    fn file(&self) -> Option<PathBuf> {
        match self {
            PatternSource::File(path) => Some((*path).into()),
            PatternSource::Game(name) => {
                let path = Path::new(name);
                let (file, _) = name.to_str().and_then(|name| name.rsplit_once('#')).unwrap_or_default();
                Some(if path.exists() || file.is_empty() { path.into() } else { file.into() })
            }
            _ => None,
        }
    }

    fn pattern(&self, args: &FindArgs) -> Result<BoardPattern> {
        match self {
            PatternSource::Text(text) => BoardPattern::from_diagram(text).context("PATTERN"),
            PatternSource::Stdin => {
                BoardPattern::from_diagram(&read_diagram(io::stdin().lock())?).context("standard input")
            }
            PatternSource::File(path) => {
                let name = path.display().to_string();
                let opened = File::open(path).with_context(|| unreadable_pattern(&name))?;
                ensure!(!path.is_dir(), "{name} is a folder, not a pattern: write the pattern before the paths");
                let text = read_diagram(opened).with_context(|| name.clone())?;
                BoardPattern::from_diagram(&text).context(name)
            }
            PatternSource::Points(text) => {
                // clap has checked the size.
                let size = BoardSize::square(args.size).unwrap_or(BoardSize::standard());
                BoardPattern::from_points(text, size).context("--points")
            }
            PatternSource::Game(name) => position(name, args),
        }
    }
}

/// Returns true if a word is a diagram, not a file: it has several rows, or only points and
/// borders.
fn is_diagram(word: &str) -> bool {
    let has_only_symbols = word.chars().all(|symbol| "XO.*?|+-,".contains(symbol) || symbol.is_whitespace());
    word.contains('\n') || has_only_symbols && word.contains(['X', 'O', '*', '?', '|', ','])
}

/// Describes a word that is neither a file nor a diagram.
fn unreadable_pattern(word: &str) -> String {
    match BoardPattern::from_diagram(word) {
        Err(error) => format!("PATTERN '{word}' is no diagram ({error}) and no file"),
        Ok(_) => format!("PATTERN '{word}'"),
    }
}

/// Reads a diagram.
fn read_diagram(source: impl Read) -> Result<String> {
    let mut bytes = Vec::new();
    source.take(MAX_DIAGRAM + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MAX_DIAGRAM, "a diagram has at most {MAX_DIAGRAM} bytes");
    String::from_utf8(bytes).context("the diagram is not UTF-8 text")
}

/// Returns the whole position of a game after a turn.
fn position(name: &OsStr, args: &FindArgs) -> Result<BoardPattern> {
    let input = &args.input;
    let columns = RowColumns { record: &input.column, id: &input.id_column };
    let located = LocatedGame::find(name, columns, limits(&input.limits)).context("--position")?;
    let game = Game::from_text(&located.text()).with_context(|| format!("--position {}", name.display()))?;
    let diagrams = GameDiagrams::new(game.record(), judging(&args.run.judging)?.settings().replay);
    let last = diagrams.turns();
    let turn = args.turn.unwrap_or(last);
    ensure!(turn <= last, "--turn {turn}: the main line has {last} turns");
    Ok(BoardPattern::from_position(&diagrams.moment_after(turn, LaterSetup::Included).position))
}
