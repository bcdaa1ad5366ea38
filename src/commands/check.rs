//! `jigo check`: the findings of games.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};

use super::show::card::verdict;
use crate::args::repro_command::own_words;
use crate::args::{FormatArg, OutputArgs, RunArgs, examples, format, run_request};
use crate::version::BUILD;
use clap::Args;
use jigo_archive::duplicates::{KeyedGames, Preference, find_duplicates};
use jigo_archive::formats::Rows;
use jigo_archive::pipeline::baseline::FindingKey;
use jigo_archive::pipeline::{SourceFinding, VisitedGame};
use jigo_archive::row::{LocatedFinding, Table};
use jigo_archive::tables::{EvaluationRows, FindingRow, FindingRows, GameRows, GameTable, KeyRows, TurnRows};
use jigo_archive::visit::KeyVisitor;
use jigo_run::baseline::{BaselineFiles, BaselineRun};
use jigo_run::config::command_tables::CheckTable;
use jigo_run::config::options::CheckOptions;
use jigo_run::config::run_request::GameVerdict;
use jigo_run::execution::run_table::{open_summary, table, table_with_total, write_summary};
use jigo_run::execution::{SPILL_FAILED, check_run, conclude, interrupted, run};
use jigo_run::output::path_conflicts::TableFiles;
use jigo_run::process::Exit;
use jigo_run::{RunConfig, RunRequest};

/// Replay games and list errors and other findings, one row per finding
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo check games/" "every illegal turn, repetition and damage in a folder, one row each, as CSV; with --results, every contradicted result"
    "jigo check --rules nz --format text game.sgf" "one game under New Zealand rules, for reading"
    "jigo check --select K,P004 --format sarif --output findings.sarif games/" "repetitions and suicides for a code host"
    "jigo check --table turns --format jsonl --where 'size = 9' games/" "every turn of the games on 9x9"
    "jigo check --table games --output games.parquet games/" "the header, verdict and counts of every game"
))]
pub struct CheckArgs {
    /// The options of this command.
    #[command(flatten)]
    pub options: CheckOptions,
    /// Write all findings to FILE as a baseline, instead of rows
    ///
    /// Use --force to replace FILE.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Remove findings that no longer occur from the file of --baseline
    ///
    /// If a fixed finding occurs again, the next run reports it.
    #[arg(long, requires = "baseline", conflicts_with = "write_baseline")]
    pub prune_baseline: bool,
    /// The options for inputs and the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Set the format of the rows [default: from the suffix of --output; otherwise text on a
    /// terminal, else csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<FormatArg>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Writes one row for each finding, for each turn, evaluation or game.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn check(args: &CheckArgs) -> Result<Exit> {
    let format =
        format::row_format(args.format.map(|format| format.0), args.run.options.process.safe_text, &args.output)?;
    let options = &args.options;
    let baseline_files = BaselineFiles {
        baseline: options.baseline.as_deref(),
        write_baseline: args.write_baseline.as_deref(),
        prune_baseline: args.prune_baseline,
        force: args.output.files.force,
    };
    let has_baseline = options.baseline.is_some() || args.write_baseline.is_some();
    let identity = Some((BUILD, serde_json::to_value(options)?)).filter(|_| !has_baseline);
    let verdict = (!has_baseline && !options.duplicates && std::io::stderr().is_terminal()).then(Arc::default);
    let request = RunRequest {
        identity,
        verdict: verdict.clone(),
        color: args.output.color.choice(),
        ..run_request(&args.run, None, format, own_words("check", options))
    };
    let request = options.apply(request, has_baseline)?;
    let files = &args.output.files;
    let reserved = args.run.read_files().reads("--baseline", baseline_files.baseline);
    let flag_paths = reserved.writes("--write-baseline", baseline_files.write_baseline).table(files);
    let config = RunConfig::new(request, || args.run.input.sources(&flag_paths))?;
    flag_paths.check(&config.sources)?;
    let baseline = BaselineRun::begin(baseline_files, &config)?;
    let config = match &baseline {
        Some(baseline) => config.with_baseline(baseline.known()),
        None => config,
    };
    let exit = match *options.table {
        CheckTable::Findings if args.write_baseline.is_some() && files.rows.is_none() && !options.duplicates => {
            record_findings(&config, files)?
        }
        CheckTable::Findings if options.duplicates => write_findings_with_duplicates(&config, files)?,
        CheckTable::Findings => match verdict.as_ref().filter(|_| config.job.is_complete()) {
            Some(verdict) => table(&config, files, FindingsWithVerdict(verdict))?,
            None => table(&config, files, FindingRows)?,
        },
        CheckTable::Turns => table(&config, files, TurnRows)?,
        CheckTable::Keys => table(&config, files, KeyRows)?,
        CheckTable::Games => table(&config, files, GameRows)?,
        CheckTable::Evaluations => table(&config, files, EvaluationRows)?,
    };
    // The verdict says whether the result was compared.
    let has_verdict = verdict.is_some_and(|verdict| verdict.of_only_game().is_some());
    if options.quick {
        config.print(
            "--quick reads no turns: illegal turns, repetitions, results and damage within games were not examined\n",
        );
    } else if *options.table == CheckTable::Findings && !config.counts_endings() && !has_verdict && !options.problems {
        config.print("recorded results were not compared with the board (R001, R002); use --results or jigo report\n");
    }
    if let (Some(baseline), None) = (baseline, config.interrupt.received()) {
        config.print(&format!("{}\n", baseline.end(baseline_files, &config)?));
    }
    Ok(exit)
}

/// Performs a run whose findings become the baseline, so that it has no rows.
fn record_findings(config: &RunConfig, files: &TableFiles) -> Result<Exit> {
    let (started, rows) = (Instant::now(), config.table(FindingRows));
    check_run(config, &rows)?;
    let totals = open_summary(files)?;
    let summary = run(config, &rows, |_| Ok(()))?;
    if let Some(signal) = config.interrupt.received() {
        return Ok(interrupted(config, &summary, started, signal, "the baseline is not written"));
    }
    write_summary(config, totals, &summary, &[], None)?;
    Ok(conclude(config, &summary, started))
}

/// Writes the findings of games, and notes the verdict on the first game.
struct FindingsWithVerdict<'a>(&'a GameVerdict);

impl GameTable for FindingsWithVerdict<'_> {
    const TABLE: &'static Table = FindingRows::TABLE;

    fn add_game(&self, game: &VisitedGame<'_>, rows: &mut Rows) {
        self.0.add_game(|| verdict(game));
        FindingRows.add_game(game, rows);
    }

    fn add_finding(&self, finding: &SourceFinding<'_>, rows: &mut Rows) {
        self.0.add_other();
        FindingRows.add_finding(finding, rows);
    }
}

/// Writes one row for each finding. Findings on duplicates follow all others.
fn write_findings_with_duplicates(config: &RunConfig, files: &TableFiles) -> Result<Exit> {
    let keys = (&KeyVisitor { keeps_headers: false }, KeyedGames::new(config.job.settings.limits.memory));
    let merge = |games: &mut KeyedGames, batch| games.add(batch).context(SPILL_FAILED);
    table_with_total(config, files, FindingRows, keys, merge, |games, rows, summary| {
        let duplicates = find_duplicates(games, &Preference::default(), config.threads).context(SPILL_FAILED)?;
        let findings = duplicates.members.iter().filter_map(|member| duplicates.finding(member));
        for (file, place, line, finding) in
            findings.filter(|(.., finding)| config.job.reported_codes.contains(finding.code))
        {
            rows.push(&FindingRow::new(LocatedFinding {
                file,
                game: Some(place),
                byte: place.1,
                line: Some(line),
                finding: &finding,
                // The finding is known if the same duplicate recurs, even if the rest of the file
                // has changed.
                fingerprint: Some(FindingKey::outside_games(file, &finding, Some(&finding.detail)).fingerprint()),
            }));
            summary.add_findings([&finding]);
        }
        Ok(())
    })
}
