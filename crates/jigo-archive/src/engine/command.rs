//! The command line of an engine, and the errors of an engine.

use std::time::Duration;

/// The number of consecutive failures after which the engine is not started again.
pub(super) const MAX_FAILURES: u32 = 5;

/// The command line of an engine and its time limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The time limit for one position.
    pub timeout: Duration,
}

/// The reason why an engine returned no list of dead stones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The program can't be started.
    #[error("the engine can't be started: {0}")]
    Start(String),
    /// The engine closed its output or its input can't be written.
    #[error("the engine ended in the middle")]
    Ended,
    /// The engine exceeded its time limit.
    #[error("the engine took more than {} s", .0.as_secs())]
    Timeout(Duration),
    /// The game's time budget ran out, or the run was interrupted, before the engine answered.
    #[error("there was no time left for the engine to answer")]
    OutOfTime,
    /// The engine failed too often and is not asked again.
    #[error("the engine failed {MAX_FAILURES} times in a row and is not asked any more")]
    TooManyFailures,
    /// The engine answered a command with a failure.
    #[error("the engine refused {command}: {answer}")]
    Refused {
        /// The command.
        command: String,
        /// The engine's answer.
        answer: String,
    },
    /// The engine named a point that holds no stone.
    #[error("the engine answered nonsense: {0}")]
    InvalidAnswer(String),
}
