//! `--baseline`, `--write-baseline` and `--prune-baseline`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};

use super::output::{PendingFile, is_free};
use super::plan::Plan;
use crate::args::BaselineArgs;
use crate::run::output::lock_file::PlaceLock;
use jigo_archive::pipeline::baseline::{Baseline, Known};
use jigo_archive::summary::with_noun;
use jigo_record::finding::Severity;

/// The baseline of a run, and the pending file of the next one.
pub struct BaselineRun {
    baseline: Arc<Baseline>,
    written: Option<(PendingFile, PlaceLock)>,
}

impl BaselineRun {
    /// Reads and opens the files that the flags name, and adds the baseline to the plan. Returns
    /// `None` without such flags.
    ///
    /// # Errors
    /// Fails if the baseline can't be read, or the new baseline can't be written.
    pub fn begin(args: &BaselineArgs, force: bool, plan: &mut Plan) -> Result<Option<BaselineRun>> {
        if args.baseline.is_none() && args.write_baseline.is_none() {
            return Ok(None);
        }
        // A batch that exceeds the limit is analysed twice, which would count its known findings
        // twice.
        ensure!(plan.job.selection.limit.is_none(), "--limit does not go with --baseline");
        // Take the lock before reading. Otherwise this run would overwrite an update of another
        // run.
        let pruned = args.baseline.as_deref().filter(|_| args.prune_baseline);
        let mut lock =
            match args.write_baseline.as_deref().map(|path| (path, force)).or(pruned.map(|path| (path, true))) {
                Some((path, force)) => {
                    is_free(path, force)?;
                    Some(PlaceLock::take(path)?)
                }
                None => None,
            };
        let mut baseline = args.baseline.as_deref().map_or(Ok(Baseline::default()), read)?;
        let mut written = None;
        if let Some(path) = &args.write_baseline {
            ensure!(
                is_whole(plan),
                "--write-baseline needs the whole archive, not a --shard, --sample, --limit or --where of it"
            );
            written = Some(PendingFile::create(path, force)?).zip(lock.take());
            baseline = baseline.recording();
        }
        if let (true, Some(path)) = (args.prune_baseline, &args.baseline) {
            ensure!(
                is_whole(plan),
                "--prune-baseline needs the whole archive, not a --shard, --sample, --limit or --where of it"
            );
            ensure!(
                plan.job.least == Severity::Info && !plan.job.settings.header_only,
                "--prune-baseline needs all that a run can find: --severity and --quick leave some of it out"
            );
            written = Some(PendingFile::create(path, true)?).zip(lock.take());
            baseline = baseline.pruning();
        }
        let baseline = Arc::new(baseline);
        plan.job.baseline = Some(Arc::clone(&baseline));
        plan.job.settings.game_hash = true;
        Ok(Some(BaselineRun { baseline, written }))
    }

    /// Puts the new baseline in its place. Returns a line on the known findings.
    ///
    /// # Errors
    /// Fails if the baseline can't be written.
    pub fn end(self, args: &BaselineArgs, plan: &Plan) -> Result<String> {
        let mut line = format!("{} known", with_noun(self.baseline.known(), "finding"));
        if let Some(path) = &args.baseline {
            let (entries, gone) = self.baseline.gone(&plan.job.reported);
            let where_to = match plan.job.shard.1 {
                1 if is_whole(plan) => "",
                1 => " in this part",
                _ => " in this shard",
            };
            line += &format!(", {gone} of the {entries} in {} did not occur{where_to}", path.display());
        }
        if let Some((mut file, _lock)) = self.written {
            let (path, (text, count)) = match (&args.write_baseline, &args.baseline) {
                (None, Some(path)) => (path, pruned(&self.baseline, path, plan)?),
                (Some(path), _) => (path, self.baseline.file()),
                (None, None) => return Ok(line),
            };
            file.append(text.as_bytes())?;
            file.close()?.put_in_place()?;
            let entries = if count == 1 { "entry" } else { "entries" };
            line += &format!(", {count} {entries} written to {}", path.display());
        }
        Ok(line)
    }
}

/// Returns the text of the pruned baseline, and its number of entries.
fn pruned(baseline: &Baseline, path: &Path, plan: &Plan) -> Result<(String, usize)> {
    let looks_for = |known: &Known| {
        plan.job.reported[known.code() as usize]
            && plan.looks_for(known.code())
            && (plan.job.settings.all_variations || !known.is_in_variation())
    };
    let name = path.display();
    baseline.pruned(looks_for).with_context(|| {
        format!("--prune-baseline: no input of this run is a file that {name} names, which is as it was; name the inputs as you did before")
    })
}

fn read(path: &Path) -> Result<Baseline> {
    let name = path.display();
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read --baseline {name}; jigo check --write-baseline {name} makes one"))?;
    Baseline::parse(&text).map_err(|reason| anyhow!("--baseline {name}, {reason}"))
}

/// Returns true if the run analyses every game of its inputs.
fn is_whole(plan: &Plan) -> bool {
    plan.job.shard.1 == 1 && plan.job.selection.is_everything()
}
