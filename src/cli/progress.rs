//! Progress on standard error.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::standard_error::print;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use jigo_archive::source::Source;
use jigo_archive::summary::{Summary, counted};
use jigo_archive::tables::formats::text::visible;

/// A bar over the bytes of all sources, or a counter where their length is not known; without a terminal, a line now and then.
pub struct Progress {
    bar: ProgressBar,
    /// Bytes and games that another run had done: they took no time of this one.
    before: [u64; 2],
    /// When the last line was written, where progress is asked for and there is no terminal to draw on.
    last_line: Option<Mutex<Instant>>,
}

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(1);

impl Progress {
    /// Shows progress behind what is done already, or nothing.
    pub fn new(shown: bool, sources: &[Source], done: &Summary) -> Progress {
        let total: Option<u64> = sources.iter().map(Source::length).sum();
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        // What follows is in proportion to the time from here on.
        bar.set_position(done.bytes);
        bar.reset_eta();
        let terminal = io::stderr().is_terminal();
        if shown && terminal {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        // A line of 60 columns holds it, with games in millions.
        let template = match total {
            Some(_) => "{wide_bar} {percent}% {msg} ETA {eta}",
            None => "{spinner} {bytes} {msg} {elapsed}",
        };
        // A template that does not parse leaves the standard style.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let never = Instant::now().checked_sub(LINE_EVERY).unwrap_or_else(Instant::now);
        let last_line = (shown && !terminal).then(|| Mutex::new(never));
        Progress { bar, before: [done.bytes, done.found], last_line }
    }

    /// Shows how far the run is.
    pub fn update(&self, summary: &Summary) {
        let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
        let [bytes, games] = self.before;
        let (bytes, games) = (summary.bytes.saturating_sub(bytes), summary.found.saturating_sub(games));
        let rate = games as f64 / seconds;
        // A poisoned lock would mean that writing a line panicked; then there is no more to show.
        if let Some(Ok(mut last)) = self.last_line.as_ref().map(Mutex::lock)
            && last.elapsed() >= LINE_EVERY
        {
            *last = Instant::now();
            let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
            let rest = self.bar.length().map_or(String::new(), |total| {
                let left = total.saturating_sub(summary.bytes) as f64 / (bytes.max(1) as f64 / seconds);
                format!(" of {}, {left:.0} s left", megabytes(total))
            });
            let found = counted(summary.found, "game");
            let severities = summary.severities_in_words();
            say(format_args!("progress: {}{rest}, {found}, {rate:.0}/s, {severities}", megabytes(summary.bytes)));
        }
        let errors = counted(summary.errors(), "error");
        // The words come first: the bar is drawn by a thread of its own, at any moment.
        self.bar.set_message(format!("{}, {rate:.0}/s, {errors}", counted(summary.found, "game")));
        self.bar.set_position(summary.bytes);
    }

    /// Takes the bar away while rows are written, which may go to the same terminal.
    pub fn beside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
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
    print(&format!("{line}\n"));
}
