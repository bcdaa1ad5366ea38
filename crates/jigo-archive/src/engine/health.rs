//! The health of an engine in a run, shared by all threads.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::gtp_engine::GtpEngine;
use super::process::{EngineCommand, EngineError};
use jigo_rules::board::{Point, Position};
use jigo_rules::budget::Budget;
use jigo_score::EngineFactory;

/// An engine for all games and threads of a run.
///
/// An engine that fails on each of the first games is useless, and ends the run.
pub struct RunEngine {
    command: EngineCommand,
    health: Arc<EngineHealth>,
}

#[derive(Debug)]
struct EngineHealth {
    /// The number of failures before the first answer.
    failures: AtomicU32,
    has_answered: AtomicBool,
    /// The most recent failure.
    last_error: Mutex<Option<EngineError>>,
    /// The flag that the run checks for an interruption.
    stop: Arc<AtomicUsize>,
}

/// The number of failures that ends a run if the engine has never answered.
const MAX_TRIES: u32 = 10;
/// The value that [`RunEngine`] stores to end a run. No signal has this number.
const USELESS: usize = usize::MAX;

impl RunEngine {
    /// Returns an engine that is not running yet. The run ends when `stop` is no longer 0.
    pub fn new(command: EngineCommand, stop: &Arc<AtomicUsize>) -> RunEngine {
        let health = EngineHealth {
            failures: AtomicU32::new(0),
            has_answered: AtomicBool::new(false),
            last_error: Mutex::new(None),
            stop: Arc::clone(stop),
        };
        RunEngine { command, health: Arc::new(health) }
    }

    /// Returns the command line of the engine.
    pub fn command(&self) -> &EngineCommand {
        &self.command
    }

    /// Checks that the engine did not end the run.
    ///
    /// # Errors
    /// Returns [`UselessEngine`] if the engine failed on every game.
    pub fn check(&self) -> Result<(), UselessEngine> {
        match self.health.stop.load(Ordering::Relaxed) {
            USELESS => {
                Err(UselessEngine(self.health.last_error.lock().ok().and_then(|mut last_error| last_error.take())))
            }
            _ => Ok(()),
        }
    }
}

/// The error of an engine that failed on every game.
#[derive(Debug, thiserror::Error)]
#[error("the engine failed on each of the first {MAX_TRIES} games it was asked about{}", .0.as_ref().map_or(String::new(), |last_error| format!("; of the last one: {last_error}")))]
pub struct UselessEngine(Option<EngineError>);

/// Shows only the command, so that the state of the run does not make equal settings look
/// different.
impl fmt::Debug for RunEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.command.fmt(f)
    }
}

impl EngineFactory for RunEngine {
    fn start(&self) -> Box<dyn jigo_score::Engine> {
        Box::new(ThreadEngine { engine: GtpEngine::new(self.command.clone()), health: Arc::clone(&self.health) })
    }
}

/// The engine of one thread.
#[derive(Debug)]
struct ThreadEngine {
    engine: GtpEngine,
    health: Arc<EngineHealth>,
}

impl jigo_score::Engine for ThreadEngine {
    fn dead(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Point>, Box<dyn Error>> {
        let outcome = self.engine.dead(position, budget);
        match &outcome {
            Ok(_) => self.health.has_answered.store(true, Ordering::Relaxed),
            Err(EngineError::OutOfTime) => {}
            Err(error) => self.health.record_failure(error),
        }
        Ok(outcome?)
    }
}

impl EngineHealth {
    fn record_failure(&self, error: &EngineError) {
        if self.has_answered.load(Ordering::Relaxed) {
            return;
        }
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        if let (Ok(mut last_error), false) = (self.last_error.lock(), matches!(error, EngineError::TooManyFailures)) {
            *last_error = Some(error.clone());
        }
        if failures >= MAX_TRIES {
            // A signal that arrived earlier ends the run in its own way.
            let _ = self.stop.compare_exchange(0, USELESS, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}
