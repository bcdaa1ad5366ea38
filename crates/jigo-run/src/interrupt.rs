//! Signals that end a run early.
//!
//! After the first signal, a run ends normally with the completed part of its work. Its loops check
//! regularly for a signal. Some runs can't end in this way, because they wait for a pipe or a disk,
//! or work for too long without a check. They are ended by force, and so is a run that receives a
//! second signal. In both cases, no incomplete output remains.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::output::cleanup;

/// The time between two checks for a signal.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// The time limit for a normal end. Including the steps that follow, a run ends within a second.
const MAX_NORMAL_END: Duration = Duration::from_millis(600);

/// The signal that arrived, or 0.
#[derive(Clone, Default)]
pub struct Interrupt {
    signal: Arc<AtomicUsize>,
    /// True if the run checks for the signal, so that waiting for its end is worthwhile.
    is_awaited: Arc<AtomicBool>,
}

/// The interrupt of the program, which exists once the program listens for signals.
static LISTENING: OnceLock<Interrupt> = OnceLock::new();

impl Interrupt {
    /// Listens for Ctrl-C, SIGTERM and SIGHUP from the first call on.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn listen() -> Result<Interrupt> {
        if let Some(interrupt) = LISTENING.get() {
            return Ok(interrupt.clone());
        }
        let arrived = Arc::new(AtomicUsize::new(0));
        for number in signals() {
            let registered = flag::register_usize(number, Arc::clone(&arrived), number.unsigned_abs() as usize);
            registered.context("cannot listen for signals")?;
        }
        #[cfg(unix)]
        report_file_size_limit()?;
        let interrupt = Interrupt::default();
        let watched = interrupt.clone();
        let watch = thread::Builder::new().name("signals".into()).spawn(move || watched.watch(&arrived));
        watch.context(
            "cannot start the thread that watches for Ctrl-C: end other programs, or raise the limit of processes (ulimit -u) or of memory (ulimit -v)",
        )?;
        Ok(LISTENING.get_or_init(|| interrupt).clone())
    }

    /// Returns the interrupt of the program if it listens for signals. As part of another program,
    /// returns a new one, which that program can set.
    pub fn for_program() -> Interrupt {
        LISTENING.get().cloned().unwrap_or_default()
    }

    /// Records that the run checks for the signal from now on.
    pub fn start_checking(&self) {
        self.is_awaited.store(true, Ordering::Relaxed);
    }

    /// Returns the number that the run checks.
    pub fn signal(&self) -> &Arc<AtomicUsize> {
        &self.signal
    }

    /// Returns the signal that arrived.
    pub fn received(&self) -> Option<u8> {
        u8::try_from(self.signal.load(Ordering::Relaxed)).ok().filter(|number| *number != 0)
    }

    /// Passes the first signal on, and ends the program by force if necessary.
    fn watch(&self, arrived: &AtomicUsize) {
        let mut first: Option<Instant> = None;
        loop {
            thread::sleep(CHECK_INTERVAL);
            let received = arrived.swap(0, Ordering::Relaxed);
            if received != 0 && first.is_none() {
                first = Some(Instant::now());
                self.signal.store(received, Ordering::Relaxed);
                if self.is_awaited.load(Ordering::Relaxed) {
                    continue;
                }
            }
            if let (Some(first), Some(signal)) = (first, self.received())
                && (received != 0 || first.elapsed() >= MAX_NORMAL_END)
            {
                cleanup::exit_after_cleanup(signal, name(signal));
            }
        }
    }
}

/// Lets a write beyond the limit of file sizes fail with an error. Without a handler, the signal
/// ends the program without a message.
#[cfg(unix)]
fn report_file_size_limit() -> Result<()> {
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).context("cannot listen for signals")?;
    Ok(())
}

/// Returns the signals that end a run. SIGHUP is one of them, unless the run was started to survive
/// it, as with `nohup`.
#[cfg(unix)]
fn signals() -> Vec<i32> {
    use signal_hook::consts::SIGHUP;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let hangup = (!is_ignored(&status, SIGHUP)).then_some(SIGHUP);
    [SIGINT, SIGTERM].into_iter().chain(hangup).collect()
}

/// Returns the signals that end a run.
#[cfg(not(unix))]
fn signals() -> Vec<i32> {
    vec![SIGINT, SIGTERM]
}

/// Returns true if a process with this status ignores a signal, or if the status doesn't contain
/// the signal. Installing a handler would end that state.
#[cfg_attr(not(unix), allow(dead_code))]
fn is_ignored(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Returns the name of a signal.
pub fn name(signal: u8) -> &'static str {
    signal_hook::low_level::signal_name(signal.into()).unwrap_or("a signal")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status() {
        let status = "Name:\tjigo\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001000\n";
        assert!(!is_ignored(status, 1) && is_ignored(status, 13));
        assert!(is_ignored("SigIgn:\t0000000000001001\n", 1) && is_ignored("", 1));
    }
}
