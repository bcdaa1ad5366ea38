//! `jigo fix`: what can be mended, mended.

mod backup;
mod diff;
mod files;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::args::{InputArgs, InputFormatArg, RunArgs};
use super::examples::examples;
use super::format::of_log;
use super::output::{Output, TableOutput};
use super::places::NamedPlaces;
use super::plan::Plan;
use super::run::{closed_pipe, fail_if, is_possible, run};
use super::standard_error::print;
use super::{Exit, abandon, interrupt, is_broken_pipe};
use backup::{Backup, suffix};
use diff::Diff;
use files::{AS_FILES, Goal, MendedFiles};
use jigo_archive::summary::{Summary, counted};
use jigo_archive::tables::{FixRow, Row};
use jigo_archive::visit::{FixCount, Fixes, Proof, Stretch, UnsafeFixes};
use jigo_core::finding::Code;
use jigo_core::write::{Proposing, Wanted};

/// Mend records: each mend belongs to a finding, keeps what the record says unless --unsafe allows more, and is a row.
///
/// Without --diff, --out or --in-place the mends are listed and nothing is written. Exit codes: 0 nothing is left to do, 1 there are mends to be made
/// (--diff and the list) or findings of severity error are left, 2 the command could not be carried out
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo fix --exit-zero games/" "what could be mended, one row each, as CSV; nothing is written"
    "jigo fix --exit-zero --diff game.sgf" "the same as a unified diff, for patch -p0"
    "jigo fix --exit-zero --out fixed --log fixes.csv games/" "mended copies of all files below fixed, and what was done"
    "jigo fix --exit-zero --in-place --backup .orig --select D games/" "damaged text mended where it stands; what was there is kept beside it"
))]
pub struct FixArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// Make mends, too, that rest on a judgement
    ///
    /// What the record says may change. Stated results are held against the count, as of check --results, which takes most of the time; --ignore R
    /// spares it.
    #[arg(long = "unsafe", help_heading = "Mends")]
    pub is_unsafe: bool,
    /// List the readings of typing errors that make records legal
    ///
    /// Of turns that are illegal, off the board or out of order, those after which the whole record is legal. It takes a few milliseconds for each such
    /// game.
    #[arg(long, help_heading = "Mends")]
    pub propose: bool,
    /// Take a reading that stands alone
    #[arg(long, help_heading = "Mends")]
    pub apply_proposals: bool,
    /// Write no file, but a unified diff to standard output
    ///
    /// patch -p0 makes the changes.
    #[arg(long, conflicts_with_all = ["out", "in_place"], help_heading = "Output")]
    pub diff: bool,
    /// Write all inputs below the folder OUT, mended or not
    ///
    /// They keep their names. A single input goes into a file if OUT ends with .sgf, or to standard output if it is -.
    #[arg(long, value_name = "OUT", conflicts_with = "in_place", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Write mended files in the place of those that they were read from
    ///
    /// Others are not touched.
    #[arg(long, help_heading = "Output")]
    pub in_place: bool,
    /// Keep each file that is changed in place, with SUFFIX behind its name
    // What needs a flag that contradicts another one given is not asked for it: hence the second half.
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, requires = "in_place", conflicts_with_all = ["out", "diff"], help_heading = "Output")]
    pub backup: Option<String>,
    /// Write a row for each mend to FILE
    ///
    /// In CSV, or as JSON lines if FILE ends with .jsonl.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// What becomes of mended sources.
enum MendOutput {
    /// Nothing: the mends are listed.
    List(Box<TableOutput<Output>>),
    /// The changes are shown.
    Diff(Box<Diff<Output>>, Option<Box<TableOutput<Output>>>),
    /// Files are written.
    Files(Box<MendedFiles>),
}

impl MendOutput {
    /// Takes the next part of a source.
    fn add(&mut self, mut stretch: Stretch) -> Result<()> {
        match self {
            MendOutput::List(list) => stretch.rows.map_or(Ok(()), |rows| list.write(rows)),
            MendOutput::Diff(diff, log) => {
                if let (Some(log), Some(rows)) = (log, stretch.rows.take()) {
                    log.write(rows)?;
                }
                diff.add(&stretch)
            }
            MendOutput::Files(files) => files.add(stretch),
        }
    }

    /// Ends where the run fails, with this error.
    fn give_up(self, error: anyhow::Error) -> anyhow::Error {
        match self {
            MendOutput::Files(files) => files.give_up(error),
            _ => error,
        }
    }

    /// Ends what is written; gives how many files were changed.
    fn finish(self) -> Result<Option<u64>> {
        match self {
            MendOutput::List(list) => list.finish()?.finish()?,
            MendOutput::Diff(diff, log) => {
                diff.finish()?.finish()?;
                log.map_or(Ok(()), |log| log.finish()?.finish())?;
            }
            MendOutput::Files(files) => return files.finish().map(Some),
        }
        Ok(None)
    }
}

/// Mends games.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn fix(args: &FixArgs) -> Result<Exit> {
    let is_text = matches!(args.input.input_format, InputFormatArg::Auto | InputFormatArg::Sgf);
    ensure!(is_text, "jigo fix takes --input-format auto and sgf only");
    ensure!(
        args.run.limit.is_none(),
        "--limit would leave the rest of a file out; choose games with --where or --sample"
    );
    let format = of_log(args.log.as_deref())?;
    let mut plan = Plan::new(&args.input, &args.run, None, format)?;
    if args.is_unsafe && Code::OF_RESULTS.iter().any(|code| plan.job.reported[*code as usize]) {
        plan.count_results();
    }
    let places = NamedPlaces::of(&args.input).writes("--out", args.out.as_deref());
    places.writes("--log", args.log.as_deref()).check(&plan.sources)?;
    let settings = plan.job.settings.clone();
    let visitor = Fixes {
        settings,
        wanted: wanted(&plan, args),
        format: plan.format,
        input: plan.job.input,
        column: plan.job.column.clone(),
        id_column: plan.job.id_column.clone(),
    };
    is_possible(&plan, &visitor)?;
    let mut sink = sink(args, &plan)?;
    let mut proof = Proof::new(&visitor);
    abandon::leaves("what is not whole is not written");
    let started = Instant::now();
    let (mut count, mut unsafe_fixes) = (FixCount::default(), UnsafeFixes::default());
    let summary = run(&plan, &visitor, |output| {
        unsafe_fixes.add(&output.part.unsafe_fixes);
        count.add(&proof.add(output.part, |stretch| sink.add(stretch))?);
        Ok(())
    });
    let summary = match summary {
        Ok(summary) => summary,
        Err(error) => {
            let is_closed = is_broken_pipe(&error);
            let error = sink.give_up(error);
            return if is_closed { Ok(closed_pipe(&plan)) } else { Err(error) };
        }
    };
    let files = sink.finish()?;
    if let Some(signal) = plan.interrupt.came() {
        say(
            &plan,
            &format!(
                "jigo: {} after {} games: what is written is whole, the rest is left out",
                interrupt::name(signal),
                summary.found
            ),
        );
        return Ok(Exit::Interrupted(signal));
    }
    let exit = conclude(&plan, (&summary, started), count, files);
    if unsafe_fixes.total() > 0 {
        say(&plan, &format!("{} more with --unsafe: {unsafe_fixes}", unsafe_fixes.total()));
    }
    Ok(exit)
}

/// Which mends are made.
fn wanted(plan: &Plan, args: &FixArgs) -> Wanted {
    let settings = &plan.job.settings;
    let proposing = match (args.apply_proposals, args.propose) {
        (true, _) => Proposing::Take,
        (false, true) => Proposing::List,
        (false, false) => Proposing::Nothing,
    };
    let (dialect, limits) = (settings.dialect, settings.limits);
    Wanted { codes: plan.job.reported.clone(), is_unsafe: args.is_unsafe, proposing, dialect, limits }
}

fn sink(args: &FixArgs, plan: &Plan) -> Result<MendOutput> {
    let to_output = |path: &Path| path == Path::new("-");
    if let (true, Some(table)) = (args.diff, plan.sources.iter().find(|source| source.is_table())) {
        bail!("{}: no patch can be made of a table: {AS_FILES}", table.name);
    }
    let goal = match &args.out {
        _ if args.diff => {
            let diff = Box::new(Diff::new(Output::open(None, false)?));
            return Ok(MendOutput::Diff(diff, log(args, plan)?.map(Box::new)));
        }
        Some(out) if to_output(out) => Goal::Output,
        Some(out) if out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf")) && !out.is_dir() => {
            Goal::File(out.clone())
        }
        Some(out) if !out.is_dir() && is_table(out) => {
            bail!(
                "--out {}: jigo fix writes records, no tables: --out DIR, and jigo extract --out FILE.jsonl makes a table of them",
                out.display()
            )
        }
        Some(out) => Goal::Folder(out.clone()),
        None if args.in_place => Goal::Replaced(backup(args, plan)?),
        None => {
            let list = match log(args, plan)? {
                Some(log) => log,
                None => open_log(plan, Output::open(None, false)?)?,
            };
            return Ok(MendOutput::List(Box::new(list)));
        }
    };
    let inputs = (plan.sources.as_slice(), plan.job.input, args.log.as_deref());
    let mut files = MendedFiles::new(goal, inputs, args.force)?;
    if let Some(log) = log(args, plan)? {
        files.log_to(log);
    }
    Ok(MendOutput::Files(Box::new(files)))
}

/// `--backup`.
fn backup(args: &FixArgs, plan: &Plan) -> Result<Option<Backup>> {
    let Some(backup) = args.backup.as_deref().map(|suffix| Backup::new(suffix, args.force)) else { return Ok(None) };
    let InputArgs { files_from, list_index, .. } = &args.input;
    let named = [("--log", &args.log), ("--files-from", files_from), ("--index", list_index)];
    backup.is_apart_from(&plan.sources, &named)?;
    Ok(Some(backup))
}

/// Whether a file is called as a table is.
fn is_table(path: &Path) -> bool {
    const ENDINGS: [&str; 6] = ["jsonl", "ndjson", "csv", "parquet", "arrow", "arrows"];
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// The file of `--log`.
fn log(args: &FixArgs, plan: &Plan) -> Result<Option<TableOutput<Output>>> {
    let open = |path: &Path| open_log(plan, Output::open(Some(path), args.force)?);
    args.log.as_deref().map(open).transpose()
}

fn open_log(plan: &Plan, out: Output) -> Result<TableOutput<Output>> {
    let failure = out.failure();
    TableOutput::new(plan.format, FixRow::TABLE, out, failure)
}

fn say(plan: &Plan, line: &str) {
    if !plan.quiet {
        print(&format!("{line}\n"));
    }
}

/// Prints the summary and turns the counts into an exit code.
fn conclude(plan: &Plan, (summary, started): (&Summary, Instant), count: FixCount, files: Option<u64>) -> Exit {
    if !plan.quiet {
        print(&summary.text(started.elapsed(), 0));
    }
    let FixCount { safe, judged, refused, games, proposed, errors_left } = count;
    let written = match files {
        Some(files) => format!("{} changed", counted(files, "file")),
        None => "nothing written".into(),
    };
    let (mends, games) = (counted(safe + judged, "mend"), counted(games, "game"));
    say(plan, &format!("{mends} in {games} ({safe} safe, {judged} unsafe), {written}"));
    if refused > 0 {
        say(
            plan,
            &format!("{} not made: it could not be shown that the record says the same then", counted(refused, "mend")),
        );
    }
    if proposed > 0 {
        say(plan, &format!("{} with readings of a typing error, none of them taken", counted(proposed, "game")));
    }
    let is_to_be_made = files.is_none() && count.made() > 0;
    let by_gate = fail_if(plan, summary);
    match summary {
        Summary { failed_sources: 1.., .. } => Exit::Failure,
        _ => by_gate.unwrap_or(match is_to_be_made || errors_left > 0 {
            true if !plan.exit_zero => Exit::Findings,
            _ => Exit::Clean,
        }),
    }
}
