//! The progress of a run, as events for a display.

use jigo_archive::summary::Summary;

/// A display of the progress of a run. Every method does nothing by default.
pub trait Progress: Sync {
    /// Shows the counts so far.
    fn update(&self, _summary: &Summary) {}

    /// Shows a message about an input.
    fn message(&self, _line: &str) {}

    /// Hides the display while rows are written, which may go to the same terminal.
    fn suspend(&self, write: &mut dyn FnMut()) {
        write();
    }

    /// Removes the display at the end of the run.
    fn finish(&self) {}
}

/// The start of a run.
pub struct RunStart<'a> {
    /// The length of all sources in bytes, if known.
    pub total_bytes: Option<u64>,
    /// The counts of the run that this one resumes.
    pub done: &'a Summary,
}

/// Creates the display of a run when it starts. A command may have several runs.
pub type StartProgress = dyn Fn(RunStart<'_>) -> Box<dyn Progress> + Send + Sync;

/// A run without a display.
pub struct NoProgress;

impl Progress for NoProgress {}
