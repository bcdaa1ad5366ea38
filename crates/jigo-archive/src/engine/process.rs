//! The program of an engine: started, spoken to within a time, and killed with all that it started.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::{EngineCommand, EngineError};
use jigo_core::budget::Budget;

/// Longest answer that is read, in bytes: more is a flood, not a list of stones.
const MAX_ANSWER: usize = 64 << 10;
/// Answers that are read before they are asked for, at most: an engine that says more has to wait.
const MAX_WAITING: usize = 4;
/// Time between two looks at whether the run is to end, while an engine is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// An engine that runs.
#[derive(Debug)]
pub(super) struct EngineProcess {
    child: Arc<Mutex<Child>>,
    /// Commands to write, of which one is under way at most.
    commands: SyncSender<String>,
    /// Says of each command that it is written.
    written: Receiver<()>,
    answers: Receiver<String>,
}

/// How long an answer may take.
#[derive(Clone, Copy)]
pub(super) struct Patience<'a> {
    pub(super) timeout: Duration,
    pub(super) deadline: Instant,
    pub(super) budget: &'a Budget,
}

impl Patience<'_> {
    /// Waits for what a thread of the engine says.
    fn wait<T>(&self, receiver: &Receiver<T>) -> Result<T, EngineError> {
        loop {
            if self.budget.is_spent() {
                return Err(EngineError::OutOfTime);
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(left.min(LOOK_EVERY)) {
                Ok(said) => return Ok(said),
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Ended),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(EngineError::Timeout(self.timeout)),
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
        let mut child = apart(&mut Command::new(program))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(EngineError::Ended);
        };
        let (commands, to_write) = sync_channel::<String>(1);
        let (wrote, written) = sync_channel(1);
        // Threads of their own, because a pipe can't be read or written with a time limit. They end with the engine's input and output.
        thread::spawn(move || {
            let mut input: ChildStdin = input;
            for command in to_write {
                if writeln!(input, "{command}").and_then(|()| input.flush()).is_err() || wrote.send(()).is_err() {
                    return;
                }
            }
        });
        let (sender, answers) = sync_channel(MAX_WAITING);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(answer) = next_answer(&mut output) {
                if sender.send(answer).is_err() {
                    return;
                }
            }
        });
        let child = Arc::new(Mutex::new(child));
        if let Ok(mut running) = RUNNING.lock() {
            running.retain(|other| other.strong_count() > 0);
            running.push(Arc::downgrade(&child));
        }
        Ok(EngineProcess { child, commands, written, answers })
    }

    /// Sends a command and waits for its answer, without the `=`.
    pub(super) fn command(&mut self, command: String, patience: Patience<'_>) -> Result<String, EngineError> {
        if let Ok(unasked) = self.answers.try_recv() {
            return Err(EngineError::Nonsense(unasked.chars().take(20).collect()));
        }
        // The last command is written, so there is room for this one.
        self.commands.send(command.clone()).map_err(|_| EngineError::Ended)?;
        patience.wait(&self.written)?;
        let answer = patience.wait(&self.answers)?;
        match answer.strip_prefix('=') {
            Some(text) => Ok(text.trim().to_owned()),
            None => {
                let answer = answer.trim_start_matches('?').trim().chars().take(60).collect();
                Err(EngineError::Refused { command, answer })
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // It may be gone already, and whether it dies well is nobody's concern.
        if let Ok(mut child) = self.child.lock() {
            kill(&mut child);
            let _ = child.wait();
        }
    }
}

/// Makes a program and all that it starts a group of its own, to be killed together: a script stays behind its engine.
#[cfg(unix)]
fn apart(program: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(program, 0)
}

/// Kills an engine that nobody has waited for yet, and what it has started.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn apart(program: &mut Command) -> &mut Command {
    program
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

/// The engines of all threads.
static RUNNING: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Kills the engines of all threads: for the end of a program that can't wait for them.
pub fn kill_all() {
    let running = RUNNING.lock().map(|mut running| std::mem::take(&mut *running)).unwrap_or_default();
    for child in running.iter().filter_map(Weak::upgrade) {
        // Whoever holds it kills it.
        let _ = child.try_lock().map(|mut child| kill(&mut child));
    }
}

/// The next answer: lines up to an empty one. `None` at the end of the output or in a flood.
pub fn next_answer(output: &mut impl BufRead) -> Option<String> {
    let mut answer = String::new();
    while answer.len() < MAX_ANSWER {
        let mut line = Vec::new();
        if output.take(MAX_ANSWER as u64).read_until(b'\n', &mut line).ok()? == 0 {
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
