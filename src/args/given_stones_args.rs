//! The options for dead stones by hand.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::InputArgs;
use super::run_request::columns;
use jigo_archive::locate::{self, LocatedGame};
use jigo_archive::pipeline::GameList;
use jigo_core::analysis::{Analyzer, GameReport};
use jigo_record::finding::Code;
use jigo_record::splitter::GameText;
use jigo_run::config::limits::limits;
use jigo_run::process::note;
use jigo_run::{Counting, InputSources, RunConfig, RunRequest};
use jigo_score::GivenStones;

/// The options for dead stones by hand.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub struct GivenStonesArgs {
    /// Count one game with these dead stones, such as D4,Q16; all other stones are alive
    ///
    /// Write points as on the board or as SGF pairs, with commas between. A stone names its whole
    /// chain, and none names no stone. The game is counted even if its recorded result is no score.
    #[arg(long, value_name = "POINTS")]
    pub dead_stones: Option<String>,
    /// With --dead-stones, let the groups of these stones live in seki
    ///
    /// Their eyes are not territory under rulesets that exclude eyes in seki. Other groups in seki
    /// are found by their shape.
    #[arg(long, value_name = "POINTS")]
    pub seki: Option<String>,
}

impl GivenStonesArgs {
    /// Returns the named stones if there are any.
    pub fn stones(&self) -> Option<Arc<GivenStones>> {
        let dead = self.dead_stones.as_deref()?;
        Some(Arc::new(GivenStones::new(dead, self.seki.as_deref().unwrap_or_default())))
    }

    /// Returns the configuration of a run that counts one game, `FILE` or `FILE#N`, with the named
    /// stones.
    ///
    /// # Errors
    /// Fails if the input is not one game, if the board has no such stones, or as
    /// [`RunConfig::new`].
    pub fn run_config(&self, stones: Arc<GivenStones>, input: &InputArgs, request: RunRequest) -> Result<RunConfig> {
        let name = single_input(input)?;
        let records = &input.options.records;
        let game = LocatedGame::find(name, columns(records), limits(&records.max))?;
        let games = Some(Arc::new(GameList::from_games([(game.text().file, game.text().game)])));
        let counting = request.counting.map(|counting| Counting { given_stones: Some(stones), ..counting });
        let request = RunRequest { games, counting, ..request };
        let config = RunConfig::new(request, || Ok(InputSources::from(locate::sources(name, columns(records))?)))?;
        let settings = &config.job.settings;
        let text = GameText { index: settings.index.as_deref(), ..game.text() };
        let mut analyzer = Analyzer::default();
        let report = analyzer.analyze(&text, settings);
        wrong_stones(report).with_context(|| format!("{} game {}", text.file, text.game))?;
        if let Some(Ok(counted)) = &report.ending
            && counted.has_open_borders()
            && !config.is_quiet()
        {
            let dame = counted.counts.dame;
            note(&format!("{dame} dame: --dead-stones may lack a stone, since all that it does not name are alive"));
        }
        Ok(config)
    }
}

/// Returns the only input of a run that counts one game.
fn single_input(input: &InputArgs) -> Result<&OsStr> {
    ensure!(input.files_from.is_none(), "--dead-stones is for one game; name it instead of --files-from");
    match &input.paths[..] {
        [path] if path == Path::new("-") => {
            bail!("--dead-stones reads the game before the count: name a file instead of standard input")
        }
        [path] => Ok(path.as_os_str()),
        _ => bail!("--dead-stones is for one game: name one file, or FILE#N for game N of several"),
    }
}

/// Returns the first wrong stone of a report as an error.
///
/// # Errors
/// Fails if a named stone is not on the board.
pub fn wrong_stones(report: &GameReport) -> Result<()> {
    match report.findings.iter().find(|finding| finding.code == Code::GivenStones) {
        Some(finding) => bail!("the dead stones or those in seki: {}", finding.detail),
        None => Ok(()),
    }
}
