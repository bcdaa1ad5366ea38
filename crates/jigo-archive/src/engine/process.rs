//! The process of an engine: its command and errors, start, exchange of commands with a time limit, and end with all child
//! processes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use jigo_rules::budget::Budget;

/// The maximum length of an answer in bytes. A list of stones is shorter.
const MAX_ANSWER_BYTES: usize = 64 << 10;
/// The maximum number of unrequested answers in the queue. An engine that writes more has to wait.
const MAX_QUEUED: usize = 4;
/// The interval between two checks for an interruption while jigo waits for the engine.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A running engine.
#[derive(Debug)]
pub(super) struct EngineProcess {
    child: Arc<Mutex<Child>>,
    /// The commands for the writer thread, at most one at a time.
    commands: SyncSender<String>,
    /// The writer thread's confirmation of each written command.
    confirmations: Receiver<()>,
    answers: Receiver<String>,
}

/// The limits on the wait for one answer.
#[derive(Clone, Copy)]
pub(super) struct AnswerLimits<'a> {
    pub(super) timeout: Duration,
    pub(super) deadline: Instant,
    pub(super) budget: &'a Budget,
}

impl AnswerLimits<'_> {
    /// Waits for the next message of one of the engine's threads.
    fn wait<T>(&self, receiver: &Receiver<T>) -> Result<T, EngineError> {
        loop {
            if self.budget.is_spent() {
                return Err(EngineError::OutOfTime);
            }
            let remaining = self.deadline.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(remaining.min(POLL_INTERVAL)) {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Ended),
                Err(RecvTimeoutError::Timeout) if remaining.is_zero() => {
                    return Err(EngineError::Timeout(self.timeout));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl EngineProcess {
    /// Starts the program.
    pub(super) fn start(command: &EngineCommand) -> Result<EngineProcess, EngineError> {
        let failed = |error: &dyn std::fmt::Display| EngineError::Start(error.to_string());
        let (program, arguments) = command.words.split_first().ok_or_else(|| failed(&"no program is named"))?;
        let mut child = in_new_group(&mut Command::new(program))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(EngineError::Ended);
        };
        let (commands, command_queue) = sync_channel::<String>(1);
        let (confirm, confirmations) = sync_channel(1);
        // A pipe has no time limit for reads and writes, so each pipe has a thread. The threads end
        // when the engine closes its input and output.
        thread::spawn(move || {
            let mut input: ChildStdin = input;
            for command in command_queue {
                if writeln!(input, "{command}").and_then(|()| input.flush()).is_err() || confirm.send(()).is_err() {
                    return;
                }
            }
        });
        let (sender, answers) = sync_channel(MAX_QUEUED);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(answer) = read_answer(&mut output) {
                if sender.send(answer).is_err() {
                    return;
                }
            }
        });
        let child = Arc::new(Mutex::new(child));
        if let Ok(mut running) = ENGINES.lock() {
            running.retain(|other| other.strong_count() > 0);
            running.push(Arc::downgrade(&child));
        }
        Ok(EngineProcess { child, commands, confirmations, answers })
    }

    /// Sends a command and returns its answer without the `=`.
    pub(super) fn send_command(&mut self, command: String, limits: AnswerLimits<'_>) -> Result<String, EngineError> {
        if let Ok(unrequested) = self.answers.try_recv() {
            return Err(EngineError::InvalidAnswer(unrequested.chars().take(20).collect()));
        }
        // The last command has been written, so the channel has room for this one.
        self.commands.send(command.clone()).map_err(|_| EngineError::Ended)?;
        limits.wait(&self.confirmations)?;
        let answer = limits.wait(&self.answers)?;
        match answer.strip_prefix('=') {
            Some(text) => Ok(text.trim().to_owned()),
            None => {
                let answer = answer.trim_start_matches('?').trim().chars().take(60).collect();
                Err(EngineError::Refused { command, answer })
            }
        }
    }
}

impl EngineCommand {
    /// Starts the program and ends it at once.
    ///
    /// # Errors
    /// Returns [`EngineError::Start`] if the program can't be started.
    pub fn check_start(&self) -> Result<(), EngineError> {
        EngineProcess::start(self).map(drop)
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // The process may have ended already, and its exit status doesn't matter.
        if let Ok(mut child) = self.child.lock() {
            kill(&mut child);
            let _ = child.wait();
        }
    }
}

/// Makes the program and its child processes a process group, so that jigo can kill them together.
/// An engine is often started by a script.
#[cfg(unix)]
fn in_new_group(program: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(program, 0)
}

/// Kills an engine that has not been waited for yet, and its child processes.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn in_new_group(program: &mut Command) -> &mut Command {
    program
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

/// The engines of all threads.
static ENGINES: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Kills the engines of all threads, for a program that can't wait for them to end.
pub fn kill_all_engines() {
    let running = ENGINES.lock().map(|mut running| std::mem::take(&mut *running)).unwrap_or_default();
    for child in running.iter().filter_map(Weak::upgrade) {
        // If another thread holds the lock, that thread kills the engine.
        let _ = child.try_lock().map(|mut child| kill(&mut child));
    }
}

/// Returns the next answer: all lines up to an empty one.
///
/// Returns `None` at the end of the output and after 64 KiB without an empty line.
pub fn read_answer(output: &mut impl BufRead) -> Option<String> {
    let mut answer = String::new();
    while answer.len() < MAX_ANSWER_BYTES {
        let mut line = Vec::new();
        if output.take(MAX_ANSWER_BYTES as u64).read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim(), answer.is_empty()) {
            ("", true) => {}
            ("", false) => return Some(answer),
            (text, _) => {
                answer.push_str(text);
                answer.push('\n');
            }
        }
    }
    None
}

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
