//! Signals that end a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signal that came, 0 until one does.
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Listens for Ctrl-C and SIGTERM from now on. The first lets the run end with what is done, the second ends the program at once.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn listen() -> Result<Interrupt> {
        let signal = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for number in [SIGINT, SIGTERM] {
            // Actions are taken in this order, so the first signal does not yet find the flag that the third one sets.
            let exit = flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&again));
            let noted =
                exit.and_then(|_| flag::register_usize(number, Arc::clone(&signal), number.unsigned_abs() as usize));
            noted.and_then(|_| flag::register(number, Arc::clone(&again))).context("cannot listen for signals")?;
        }
        Ok(Interrupt(signal))
    }

    /// The number that the run watches.
    pub fn signal(&self) -> &AtomicUsize {
        &self.0
    }

    /// The signal that came.
    pub fn came(&self) -> Option<u8> {
        u8::try_from(self.0.load(Ordering::Relaxed)).ok().filter(|number| *number != 0)
    }
}

/// A signal's name.
pub fn name(signal: u8) -> &'static str {
    signal_hook::low_level::signal_name(signal.into()).unwrap_or("a signal")
}
