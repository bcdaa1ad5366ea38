//! An engine on trial: whether it is of any use to a run, which all threads find out together.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::{EngineCommand, EngineError, GtpEngine};
use jigo_core::board::{Point, Position};
use jigo_core::budget::Budget;
use jigo_core::score::{self, StartEngine};

/// An engine for the games of a run, on all its threads together. One that fails on the first games it is asked about is of no use, and ends the run.
pub struct EngineOnTrial {
    command: EngineCommand,
    trial: Arc<Trial>,
}

struct Trial {
    /// Times that it failed, as long as it has never answered.
    failures: AtomicU32,
    has_answered: AtomicBool,
    /// What it failed with last.
    last: Mutex<Option<EngineError>>,
    /// What the run looks at to know whether it is to end.
    stop: Arc<AtomicUsize>,
}

/// Failures of an engine that never answered which end a run.
const MAX_TRIES: u32 = 10;
/// What [`EngineOnTrial`] stores to end a run: no signal has this number.
const OF_NO_USE: usize = usize::MAX;

impl EngineOnTrial {
    /// An engine that has not been asked yet. The run that it is asked in ends once `stop` is no longer 0.
    pub fn new(command: EngineCommand, stop: &Arc<AtomicUsize>) -> EngineOnTrial {
        let trial = Trial {
            failures: AtomicU32::new(0),
            has_answered: AtomicBool::new(false),
            last: Mutex::new(None),
            stop: Arc::clone(stop),
        };
        EngineOnTrial { command, trial: Arc::new(trial) }
    }

    /// What is started.
    pub fn command(&self) -> &EngineCommand {
        &self.command
    }

    /// Why it ended the run, if it did.
    ///
    /// # Errors
    /// That it failed on every game.
    pub fn verdict(&self) -> Result<(), UselessEngine> {
        match self.trial.stop.load(Ordering::Relaxed) {
            OF_NO_USE => Err(UselessEngine(self.trial.last.lock().ok().and_then(|mut last| last.take()))),
            _ => Ok(()),
        }
    }
}

/// An engine that failed on every game.
#[derive(Debug, thiserror::Error)]
#[error("the engine failed on each of the first {MAX_TRIES} games it was asked about{}", .0.as_ref().map_or(String::new(), |last| format!("; of the last one: {last}")))]
pub struct UselessEngine(Option<EngineError>);

/// What it was asked up to now does not make it another engine.
impl fmt::Debug for EngineOnTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.command.fmt(f)
    }
}

impl StartEngine for EngineOnTrial {
    fn start(&self) -> Box<dyn score::Engine> {
        Box::new(OnTrial { engine: GtpEngine::new(self.command.clone()), trial: Arc::clone(&self.trial) })
    }
}

/// The engine of one thread.
#[derive(Debug)]
struct OnTrial {
    engine: GtpEngine,
    trial: Arc<Trial>,
}

impl score::Engine for OnTrial {
    fn dead(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Point>, Box<dyn Error>> {
        let outcome = self.engine.dead(position, budget);
        match &outcome {
            Ok(_) => self.trial.has_answered.store(true, Ordering::Relaxed),
            Err(EngineError::OutOfTime) => {}
            Err(error) => self.trial.failed(error),
        }
        Ok(outcome?)
    }
}

impl Trial {
    fn failed(&self, error: &EngineError) {
        if self.has_answered.load(Ordering::Relaxed) {
            return;
        }
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        if let (Ok(mut last), false) = (self.last.lock(), matches!(error, EngineError::GivenUp)) {
            *last = Some(error.clone());
        }
        if failures >= MAX_TRIES {
            // A signal that came before has its own end.
            let _ = self.stop.compare_exchange(0, OF_NO_USE, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failures", self.failures.load(Ordering::Relaxed))
    }
}
