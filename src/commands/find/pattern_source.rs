//! The pattern of `jigo find`: a diagram, a list of points, or the position of a game.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::find_args::FindArgs;
use crate::args::InputArgs;
use crate::args::run_request::columns;
use jigo_archive::locate::LocatedGame;
use jigo_core::Game;
use jigo_core::analysis::Settings;
use jigo_core::diagrams::{GameDiagrams, LaterSetup};
use jigo_core::pattern::BoardPattern;
use jigo_run::config::limits::limits;

/// The largest file with a diagram in bytes. A diagram of the largest board takes 6 KB.
const MAX_DIAGRAM: u64 = 1 << 16;

/// The place that the pattern comes from.
pub(super) enum PatternSource<'a> {
    /// A diagram on the command line.
    Text(&'a str),
    /// A file with a diagram.
    File(&'a Path),
    /// A diagram from standard input.
    Stdin,
    /// The position of a game.
    Game(&'a OsStr),
    /// A list of points.
    Points,
}

impl PatternSource<'_> {
    /// Returns the source that the options name.
    ///
    /// # Errors
    /// Fails if there is none.
    pub(super) fn new(args: &FindArgs) -> Result<PatternSource<'_>> {
        if let Some(game) = &args.position {
            return Ok(PatternSource::Game(game));
        }
        if args.options.points.is_some() {
            return Ok(PatternSource::Points);
        }
        let Some(word) = &args.pattern else {
            bail!(
                "there is no pattern: write a diagram such as '.X,X.', name a file with one, or use --position or --points"
            );
        };
        Ok(match word.to_str() {
            Some("-") => PatternSource::Stdin,
            Some(text) if is_diagram(text) => PatternSource::Text(without_protection(text)),
            _ => PatternSource::File(Path::new(word)),
        })
    }

    /// Checks that pattern and games don't both come from standard input.
    pub(super) fn check_streams(&self, input: &InputArgs) -> Result<()> {
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
    pub(super) fn file(&self) -> Option<PathBuf> {
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

    /// Reads the pattern.
    ///
    /// # Errors
    /// Fails if the pattern can't be read. The message names its place.
    pub(super) fn pattern(&self, args: &FindArgs) -> Result<BoardPattern> {
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
            PatternSource::Points => args.options.pattern(None),
            PatternSource::Game(name) => position(name, args),
        }
    }
}

/// Returns true if a word is a diagram, not a file: it has several rows, or only points and
/// borders.
fn is_diagram(word: &str) -> bool {
    let has_only_symbols = word.chars().all(|symbol| "XO.*?|+-,".contains(symbol) || symbol.is_whitespace());
    let is_folder = matches!(word, "." | "..");
    word.contains('\n') || has_only_symbols && !is_folder && word.contains(|symbol| "XO.*?|,".contains(symbol))
}

/// Removes the blank that protects a diagram with a top edge, so that columns are counted as the
/// user wrote them.
fn without_protection(diagram: &str) -> &str {
    diagram.strip_prefix(' ').filter(|rest| rest.starts_with('-')).unwrap_or(diagram)
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
    let records = &args.run.input.options.records;
    let located = LocatedGame::find(name, columns(records), limits(&records.max)).context("--position")?;
    let game = Game::from_text(&located.text()).with_context(|| format!("--position {}", name.display()))?;
    let diagrams = GameDiagrams::new(game.record(), args.run.options.judging.settings(Settings::default()).replay);
    let last = diagrams.turns();
    let turn = args.turn.unwrap_or(last);
    ensure!(turn <= last, "--turn {turn}: the main line has {last} turns");
    Ok(BoardPattern::from_position(&diagrams.moment_after(turn, LaterSetup::Included).position))
}
