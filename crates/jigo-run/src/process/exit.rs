//! The exit code of a command.

use std::io;
use std::process::ExitCode;

/// The result of a command, which becomes its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// No errors were found.
    Clean,
    /// Findings of severity error exist.
    Findings,
    /// The command failed, or a named input could not be read.
    Failure,
    /// A signal with this number ended the run early.
    Interrupted(u8),
}

impl Exit {
    /// Returns the exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failure => 2,
            Exit::Interrupted(signal) => 128 + signal,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Returns true if the reader of the output has closed the pipe, which is not a failure.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}
