//! Progress on standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use jigo_archive::source::Source;
use jigo_archive::summary::Summary;
use jigo_archive::tables::formats::text::visible;

/// A bar over the bytes of all sources, or a counter where their length is not known; without a terminal, a line now and then.
pub struct Progress {
    bar: ProgressBar,
    /// When the last line was written, where progress is asked for and there is no terminal to draw on.
    last_line: Option<Mutex<Instant>>,
}

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(1);

impl Progress {
    /// Shows progress, or nothing.
    pub fn new(shown: bool, sources: &[Source]) -> Progress {
        let total: Option<u64> = sources.iter().map(Source::length).sum();
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let terminal = io::stderr().is_terminal();
        if shown && terminal {
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
        let never = Instant::now().checked_sub(LINE_EVERY).unwrap_or_else(Instant::now);
        Progress { bar, last_line: (shown && !terminal).then(|| Mutex::new(never)) }
    }

    /// Shows how far the run is.
    pub fn update(&self, summary: &Summary) {
        let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
        self.bar.set_position(summary.bytes);
        let [infos, warnings, errors] = summary.severities;
        let message = format!(
            "{} games, {:.0}/s, {errors} errors, {warnings} warnings, {infos} infos",
            summary.found,
            summary.found as f64 / seconds,
        );
        // A poisoned lock would mean that writing a line panicked; then there is no more to show.
        if let Some(Ok(mut last)) = self.last_line.as_ref().map(Mutex::lock)
            && last.elapsed() >= LINE_EVERY
        {
            *last = Instant::now();
            let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
            let rest = self.bar.length().map_or(String::new(), |total| {
                let left = total.saturating_sub(summary.bytes) as f64 / (summary.bytes.max(1) as f64 / seconds);
                format!(" of {}, {left:.0} s left", megabytes(total))
            });
            say(format_args!("progress: {}{rest}, {message}", megabytes(summary.bytes)));
        }
        self.bar.set_message(message);
    }

    /// Prints a line above the bar; names of members may come from strangers.
    pub fn message(&self, line: &str) {
        self.bar.suspend(|| say(format_args!("jigo: {}", visible(line))));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints a line where there is a place for it; without one the run goes on.
fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}
