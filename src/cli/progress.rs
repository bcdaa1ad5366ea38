//! Progress on standard error.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Source;
use crate::report::Summary;

/// A bar over the bytes of all sources, or a counter where their length is not known.
pub struct Progress(ProgressBar);

impl Progress {
    /// Shows progress, or nothing.
    pub fn new(shown: bool, sources: &[Source]) -> Progress {
        let total: Option<u64> = sources.iter().map(Source::length).sum();
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        if shown {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        let template = match total {
            Some(_) => "{wide_bar} {bytes}/{total_bytes} {msg} ETA {eta}",
            None => "{spinner} {bytes} {msg} {elapsed}",
        };
        // A template that does not parse leaves the standard style.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress(bar)
    }

    /// Shows how far the run is.
    pub fn update(&self, summary: &Summary) {
        let seconds = self.0.elapsed().as_secs_f64().max(1e-3);
        self.0.set_position(summary.bytes);
        self.0.set_message(format!(
            "{} games, {:.0}/s, {} findings ({} errors)",
            summary.found,
            summary.found as f64 / seconds,
            summary.all_findings(),
            summary.errors()
        ));
    }

    /// Prints a line above the bar.
    pub fn message(&self, line: &str) {
        self.0.suspend(|| eprintln!("jigo: {line}"));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
