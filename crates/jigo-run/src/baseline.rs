//! `--baseline`, `--write-baseline` and `--prune-baseline`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};

use crate::config::RunConfig;
use crate::output::file_lock::LockFile;
use crate::output::{PendingFile, check_writable};
use jigo_archive::pipeline::baseline::{Baseline, FindingKey};
use jigo_archive::summary::with_noun;

/// The files of `--baseline` and its related flags.
#[derive(Clone, Copy, Debug, Default)]
pub struct BaselineFiles<'a> {
    /// The list of known findings.
    pub baseline: Option<&'a Path>,
    /// The file for a new list.
    pub write_baseline: Option<&'a Path>,
    /// True if known findings that did not occur are removed from the list.
    pub prune_baseline: bool,
    /// True if an existing file is replaced by a new list.
    pub force: bool,
}

/// The baseline of a run, and the pending file of the next one.
pub struct BaselineRun {
    baseline: Arc<Baseline>,
    written: Option<(PendingFile, LockFile)>,
}

impl BaselineRun {
    /// Reads and opens the files. Returns `None` if there are none.
    ///
    /// # Errors
    /// Fails if the baseline can't be read, or the new baseline can't be written.
    pub fn begin(files: BaselineFiles, config: &RunConfig) -> Result<Option<BaselineRun>> {
        if files.baseline.is_none() && files.write_baseline.is_none() {
            return Ok(None);
        }
        // A batch that exceeds the limit is analysed twice, which would count its known findings
        // twice.
        ensure!(config.job.selection.limit.is_none(), "--limit does not go with --baseline");
        let pruned = files.baseline.filter(|_| files.prune_baseline).map(|path| ("--prune-baseline", path, true));
        let written = files.write_baseline.map(|path| ("--write-baseline", path, files.force)).or(pruned);
        // Take the lock before reading. Otherwise this run would overwrite an update of another
        // run.
        let lock = |(_, path, force)| check_writable(path, force).and_then(|_| LockFile::acquire(path));
        let lock = written.map(lock).transpose()?;
        let baseline = files.baseline.map_or(Ok(Baseline::default()), read)?;
        let Some((option, path, force)) = written else {
            return Ok(Some(BaselineRun { baseline: Arc::new(baseline), written: None }));
        };
        ensure!(
            is_whole(config),
            "{option} needs the whole archive, not a --shard, --sample, --limit or --where of it"
        );
        let prunes = files.write_baseline.is_none();
        ensure!(
            !prunes || config.job.reports_all(),
            "--prune-baseline needs all that a run can find: --severity and --quick leave some of it out"
        );
        let written = Some(PendingFile::create(path, force)?).zip(lock);
        let baseline = if prunes { baseline.with_pruning() } else { baseline.with_recording() };
        Ok(Some(BaselineRun { baseline: Arc::new(baseline), written }))
    }

    /// Returns the known findings, for [`RunConfig::with_baseline`].
    pub fn known(&self) -> Arc<Baseline> {
        Arc::clone(&self.baseline)
    }

    /// Puts the new baseline in its place. Returns a line on the known findings.
    ///
    /// # Errors
    /// Fails if the baseline can't be written.
    pub fn end(self, files: BaselineFiles, config: &RunConfig) -> Result<String> {
        let known = self.baseline.known_count();
        let mut line = format!("{} known", with_noun(known, "finding"));
        if let Some(path) = files.baseline {
            let (entries, missing_entries) = self.baseline.missing_entries(&config.job.reported_codes);
            let scope = match config.job.shard.1 {
                1 if is_whole(config) => "",
                1 => " in this part",
                _ => " in this shard",
            };
            line += &format!(", {missing_entries} of the {entries} in {} did not occur{scope}", path.display());
        }
        if let Some((mut file, _lock)) = self.written {
            let (path, (text, count)) = match (files.write_baseline, files.baseline) {
                (None, Some(path)) => (path, pruned(&self.baseline, path, config)?),
                (Some(path), _) => (path, self.baseline.file_text()),
                (None, None) => return Ok(line),
            };
            file.append(text.as_bytes())?;
            file.close()?.put_in_place()?;
            let (entries, path) = (if count == 1 { "entry" } else { "entries" }, path.display());
            line = match files.baseline {
                None => format!("{} written to {path}, as {count} {entries}", with_noun(known, "finding")),
                Some(_) => line + &format!(", {count} {entries} written to {path}"),
            };
        }
        Ok(line)
    }
}

/// Returns the text of the pruned baseline, and its number of entries.
fn pruned(baseline: &Baseline, path: &Path, config: &RunConfig) -> Result<(String, usize)> {
    let can_find = |key: &FindingKey| {
        config.job.reported_codes.contains(key.code())
            && config.looks_for(key.code())
            && (config.job.settings.all_variations || !key.is_in_variation())
    };
    let name = path.display();
    baseline.pruned_file_text(can_find).with_context(|| {
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
fn is_whole(config: &RunConfig) -> bool {
    config.job.shard.1 == 1 && config.job.selection.selects_all()
}
