//! Progress messages on standard error.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar as Bar, ProgressDrawTarget, ProgressStyle};

use jigo_archive::row::line::visible;
use jigo_archive::summary::{Summary, with_noun};
use jigo_run::process::print;
use jigo_run::progress::{Progress, RunStart};

/// A bar over the bytes of all sources, or a counter if their length is unknown. Without a
/// terminal, progress is a line at intervals.
pub struct ProgressBar {
    bar: Bar,
    /// The bytes and games of the run that this one resumes. They do not count for the speed of
    /// this run.
    resumed_counts: [u64; 2],
    /// The time of the last line, if progress is requested without a terminal.
    last_line: Option<Mutex<Instant>>,
}

/// The time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

impl ProgressBar {
    /// Creates a display that continues after the counts of an earlier run. Messages are printed
    /// even if the counts are not shown.
    pub fn new(is_shown: bool, start: &RunStart<'_>) -> ProgressBar {
        let RunStart { total_bytes: total, done } = start;
        let bar = Bar::with_draw_target(*total, ProgressDrawTarget::hidden());
        // The bar estimates the remaining time from here on, so it must start at the bytes already
        // done.
        bar.set_position(done.bytes);
        bar.reset_eta();
        let terminal = io::stderr().is_terminal();
        if is_shown && terminal {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        // The line fits into 60 columns, even with millions of games.
        let template = match total {
            Some(_) => "{wide_bar} {percent}% {msg} ETA {eta}",
            None => "{spinner} {bytes} {msg} {elapsed}",
        };
        // If the template does not parse, the bar keeps its default style.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let long_ago = Instant::now().checked_sub(LINE_INTERVAL).unwrap_or_else(Instant::now);
        let last_line = (is_shown && !terminal).then(|| Mutex::new(long_ago));
        ProgressBar { bar, resumed_counts: [done.bytes, done.found], last_line }
    }
}

impl Progress for ProgressBar {
    /// Displays the current counts.
    fn update(&self, summary: &Summary) {
        let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
        let [bytes, games] = self.resumed_counts;
        let (bytes, games) = (summary.bytes.saturating_sub(bytes), summary.found.saturating_sub(games));
        let rate = games as f64 / seconds;
        // A poisoned lock means that printing a line has panicked, so no more lines can be printed.
        if let Some(Ok(mut last)) = self.last_line.as_ref().map(Mutex::lock)
            && last.elapsed() >= LINE_INTERVAL
        {
            *last = Instant::now();
            let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
            let rest = self.bar.length().map_or(String::new(), |total| {
                let remaining = total.saturating_sub(summary.bytes) as f64 / (bytes.max(1) as f64 / seconds);
                format!(" of {}, {remaining:.0} s left", megabytes(total))
            });
            let found = with_noun(summary.found, "game");
            let severities = summary.severities_in_words();
            print_line(format_args!(
                "progress: {}{rest}, {found}, {rate:.0}/s, {severities}",
                megabytes(summary.bytes)
            ));
        }
        let errors = with_noun(summary.errors(), "error");
        // Set the message first, because another thread may draw the bar at any moment.
        self.bar.set_message(format!("{}, {rate:.0}/s, {errors}", with_noun(summary.found, "game")));
        self.bar.set_position(summary.bytes);
    }

    /// Hides the bar while rows are written, which may go to the same terminal.
    fn suspend(&self, write: &mut dyn FnMut()) {
        self.bar.suspend(write);
    }

    /// Prints a line above the bar. The line may contain names of archive members from strangers,
    /// so control characters are made visible.
    fn message(&self, line: &str) {
        self.bar.suspend(|| print_line(format_args!("jigo: {}", visible(line))));
    }

    /// Removes the bar.
    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints a line. Ignores errors, because the run does not need standard error.
fn print_line(line: fmt::Arguments<'_>) {
    print(&format!("{line}\n"));
}
