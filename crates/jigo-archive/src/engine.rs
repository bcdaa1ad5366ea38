//! A GTP engine's word on dead stones.
//!
//! The engine is told the final position stone by stone (`play`), then asked `final_status_list dead`: Go Text Protocol version 2,
//! G. Farnebäck 2002. Every program that knows the two will do.

mod process;
mod trial;

pub use process::{kill_all, next_answer};
pub use trial::{EngineOnTrial, UselessEngine};

use std::time::{Duration, Instant};

use jigo_core::board::{Point, Position};
use jigo_core::budget::Budget;
use process::{EngineProcess, Patience};

/// Failures in a row after which an engine is not started again.
const MAX_FAILURES: u32 = 5;
/// How an engine is started and how long it may take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// Program and arguments.
    pub words: Vec<String>,
    /// Time for one position.
    pub timeout: Duration,
}

/// Why an engine gave no list of dead stones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The program can't be started.
    #[error("the engine can't be started: {0}")]
    Start(String),
    /// It closed its output or can't be written to.
    #[error("the engine ended in the middle")]
    Ended,
    /// It took longer than it may.
    #[error("the engine took more than {} s", .0.as_secs())]
    Timeout(Duration),
    /// The game's time was over, or the run is to end, before it answered.
    #[error("there was no time left for the engine to answer")]
    OutOfTime,
    /// It failed too often to be asked again.
    #[error("the engine failed {MAX_FAILURES} times in a row and is not asked any more")]
    GivenUp,
    /// It answered a command with a failure.
    #[error("the engine refused {command}: {answer}")]
    Refused {
        /// The command.
        command: String,
        /// What it said.
        answer: String,
    },
    /// It named something that is no stone of the position.
    #[error("the engine answered nonsense: {0}")]
    Nonsense(String),
}

impl EngineCommand {
    /// Starts the program and ends it at once.
    ///
    /// # Errors
    /// [`EngineError::Start`] where it can't be started.
    pub fn try_out(&self) -> Result<(), EngineError> {
        EngineProcess::start(self).map(drop)
    }
}

/// An engine that is started when it is first asked, and again after every failure, up to five in a row.
#[derive(Debug)]
pub struct GtpEngine {
    command: EngineCommand,
    running: Option<EngineProcess>,
    /// Times in a row that it could not be started, ended or took too long.
    failures: u32,
}

impl GtpEngine {
    /// An engine that is not running yet.
    pub fn new(command: EngineCommand) -> GtpEngine {
        GtpEngine { command, running: None, failures: 0 }
    }

    /// The dead stones of a position, sorted.
    ///
    /// # Errors
    /// [`EngineError`], also when the budget is spent; the engine is started anew for the next position. One that failed too often in a row is not asked any more: a run
    /// over an archive must not wait for its time to pass with every game.
    pub fn dead(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Point>, EngineError> {
        if self.failures >= MAX_FAILURES {
            return Err(EngineError::GivenUp);
        }
        let outcome = self.ask(position, budget);
        if outcome.is_err() {
            self.running = None;
        }
        self.failures = match outcome {
            Err(EngineError::Start(_) | EngineError::Ended | EngineError::Timeout(_)) => self.failures + 1,
            // Nobody knows what it would have done.
            Err(EngineError::OutOfTime) => self.failures,
            // It works, whatever it makes of this position.
            _ => 0,
        };
        outcome
    }

    fn ask(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Point>, EngineError> {
        let timeout = self.command.timeout;
        let patience = Patience { timeout, deadline: Instant::now() + timeout, budget };
        let running = match self.running.take() {
            Some(running) => self.running.insert(running),
            None => self.running.insert(EngineProcess::start(&self.command)?),
        };
        let size = position.size();
        let mut tell = |command: String| running.command(command, patience);
        if size.width() == size.height() {
            tell(format!("boardsize {}", size.width()))?;
        } else {
            tell(format!("rectangular_boardsize {} {}", size.width(), size.height()))?;
        }
        tell("clear_board".into())?;
        for point in size.iter() {
            // Stones of a position with liberties everywhere can be played in any order: none is ever captured.
            if let Some(color) = position.stone(point) {
                tell(format!("play {} {}", color.letter(), point.to_a1(size)))?;
            }
        }
        let answer = tell("final_status_list dead".into())?;
        stones(&answer, position)
    }
}

/// Reads a list of points, each of which has to hold a stone. Engines name one stone of a chain or all of them: the whole chain is dead.
pub fn stones(answer: &str, position: &Position) -> Result<Vec<Point>, EngineError> {
    let mut dead: Vec<Point> = Vec::new();
    for word in answer.split_whitespace() {
        let stone = Point::from_a1(word, position.size()).filter(|point| position.stone(*point).is_some());
        let stone = stone.ok_or_else(|| EngineError::Nonsense(word.chars().take(20).collect()))?;
        dead.extend(position.chain(stone));
    }
    dead.sort();
    dead.dedup();
    Ok(dead)
}

#[cfg(all(test, unix))]
mod tests {
    use std::thread;

    use super::*;
    use jigo_core::board::diagram::read;

    /// An engine that answers every command but the last with success; `last` is a shell command.
    fn engine(last: &str, timeout: u64) -> GtpEngine {
        let script =
            format!("while read command; do case $command in final*) {last};; *) printf '= \\n\\n';; esac; done");
        let words = ["sh", "-c", &script].map(str::to_owned).to_vec();
        GtpEngine::new(EngineCommand { words, timeout: Duration::from_secs(timeout) })
    }

    fn position() -> Position {
        read(". X X .\nX X O .\n. X O O").unwrap()
    }

    #[test]
    fn a_named_stone_means_its_whole_chain() {
        let mut engine = engine("printf '= C2\\n\\n'", 10);
        let dead: Vec<String> =
            engine.dead(&position(), &Budget::default()).unwrap().iter().map(Point::to_string).collect();
        assert_eq!(dead, ["cb", "cc", "dc"]);
        assert_eq!(engine.dead(&position(), &Budget::default()).unwrap().len(), 3, "it goes on answering");
    }

    #[test]
    fn no_dead_stones_are_an_answer() {
        assert_eq!(engine("printf '=\\n\\n'", 10).dead(&position(), &Budget::default()), Ok(vec![]));
    }

    #[test]
    fn whatever_an_engine_does_wrong_is_named() {
        let outcome =
            |last: &str, timeout: u64| engine(last, timeout).dead(&position(), &Budget::default()).unwrap_err();
        assert_eq!(outcome("exit", 10), EngineError::Ended);
        assert_eq!(outcome("sleep 60", 1), EngineError::Timeout(Duration::from_secs(1)));
        assert!(matches!(outcome("printf '? unknown command\\n\\n'", 10), EngineError::Refused { .. }));
        assert_eq!(outcome("printf '= D3 Z9\\n\\n'", 10), EngineError::Nonsense("D3".into()));
        assert_eq!(outcome("yes A1", 10), EngineError::Ended);
        assert_eq!(outcome("yes A1 | tr -d '\\n'", 10), EngineError::Ended);
        let words = vec!["/nonexistent/engine".to_owned()];
        let mut missing = GtpEngine::new(EngineCommand { words, timeout: Duration::from_secs(1) });
        assert!(matches!(missing.dead(&position(), &Budget::default()), Err(EngineError::Start(_))));
    }

    /// An engine that is nothing but a shell script.
    fn script(text: &str, timeout: u64) -> GtpEngine {
        let words = ["sh", "-c", text].map(str::to_owned).to_vec();
        GtpEngine::new(EngineCommand { words, timeout: Duration::from_secs(timeout) })
    }

    /// It answers as fast as it is asked and never reads, until the pipe to it is full. The first answers are taken for what was asked.
    #[test]
    fn an_engine_that_does_not_read_its_input_is_not_waited_for_longer_than_its_time() {
        let mut deaf = script("while sleep 0.001; do printf '=\\n\\n'; done", 2);
        let started = Instant::now();
        let failure = (0..100_000).find_map(|_| {
            assert!(started.elapsed() < Duration::from_secs(60), "the time for one position does not pass");
            deaf.dead(&position(), &Budget::default()).err()
        });
        assert!(matches!(failure, Some(EngineError::Timeout(_) | EngineError::Nonsense(_))), "{failure:?}");
    }

    /// So much is to be told that no pipe holds it.
    #[test]
    fn an_engine_is_told_only_as_long_as_its_time_lasts() {
        let board = vec![vec!["X"; 51].join(" "); 52].join(" .\n") + " .";
        let mut silent = script("exec sleep 60 <&0", 1);
        let mut running = EngineProcess::start(&silent.command).unwrap();
        let patience = Patience {
            timeout: Duration::from_secs(1),
            deadline: Instant::now() + Duration::from_secs(1),
            budget: &Budget::default(),
        };
        assert_eq!(running.command("x".repeat(1 << 20), patience), Err(EngineError::Timeout(Duration::from_secs(1))));
        assert_eq!(
            silent.dead(&read(&board).unwrap(), &Budget::default()).unwrap_err(),
            EngineError::Timeout(Duration::from_secs(1))
        );
    }

    #[test]
    fn a_run_that_is_to_end_waits_for_no_engine() {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let budget = Budget::until(std::sync::Arc::clone(&stop));
        let ends = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            stop.store(15, std::sync::atomic::Ordering::Relaxed);
        });
        let mut hangs = script("exec sleep 60", 60);
        let started = Instant::now();
        assert_eq!(hangs.dead(&position(), &budget), Err(EngineError::OutOfTime));
        assert!(started.elapsed() < Duration::from_secs(30));
        ends.join().unwrap();
    }

    #[test]
    fn an_engine_that_hangs_before_its_first_answer_is_not_waited_for_longer_than_its_time() {
        let started = Instant::now();
        assert_eq!(
            script("exec sleep 60", 1).dead(&position(), &Budget::default()),
            Err(EngineError::Timeout(Duration::from_secs(1)))
        );
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn an_engine_that_dies_in_the_middle_of_an_answer_gave_none() {
        assert_eq!(engine("printf '= C2'; exit", 10).dead(&position(), &Budget::default()), Err(EngineError::Ended));
        assert_eq!(engine("printf '= C2\\n'; exit", 10).dead(&position(), &Budget::default()), Err(EngineError::Ended));
    }

    /// Answers without end take no memory and are no answers: the next one might be taken for that of the last command.
    #[test]
    fn an_engine_that_answers_without_being_asked_is_not_believed() {
        let mut flood = script("yes \"$(printf '=\\n\\n_')\" | tr -d _", 10);
        // Now and then every answer is taken before the next one has come.
        let failure = (0..1_000).find_map(|_| flood.dead(&position(), &Budget::default()).err());
        assert!(matches!(failure, Some(EngineError::Nonsense(_))), "{failure:?}");
        let mut chatty = engine("printf '=\\n\\n= C2\\n\\n'; sleep 0.2", 10);
        assert_eq!(chatty.dead(&position(), &Budget::default()), Ok(vec![]));
        std::thread::sleep(Duration::from_secs(2));
        assert_eq!(chatty.dead(&position(), &Budget::default()), Err(EngineError::Nonsense("= C2\n".into())));
    }

    #[test]
    fn an_engine_that_fails_again_and_again_is_given_up_and_one_that_fails_now_and_then_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let starts = folder.path().join("starts");
        let mut hopeless = script(&format!("echo >> {}; exit 1", starts.display()), 10);
        for _ in 0..MAX_FAILURES {
            assert_eq!(hopeless.dead(&position(), &Budget::default()), Err(EngineError::Ended));
        }
        for _ in 0..3 {
            assert_eq!(hopeless.dead(&position(), &Budget::default()), Err(EngineError::GivenUp));
        }
        assert_eq!(std::fs::read_to_string(&starts).unwrap().lines().count(), MAX_FAILURES as usize);
        let flag = folder.path().join("flag");
        let mut moody =
            engine(&format!("[ -e {0} ] && rm {0} && printf '=\\n\\n' || {{ touch {0}; exit; }}", flag.display()), 10);
        for _ in 0..MAX_FAILURES {
            assert_eq!(moody.dead(&position(), &Budget::default()), Err(EngineError::Ended));
            assert_eq!(moody.dead(&position(), &Budget::default()), Ok(vec![]));
        }
        let mut refusing = engine("printf '? not here\\n\\n'", 10);
        for _ in 0..2 * MAX_FAILURES {
            assert!(matches!(refusing.dead(&position(), &Budget::default()), Err(EngineError::Refused { .. })));
        }
    }

    #[test]
    fn an_engine_that_died_is_started_again() {
        let folder = tempfile::tempdir().unwrap();
        let died = folder.path().join("died");
        let mut engine =
            engine(&format!("[ -e {0} ] && printf '=\\n\\n' || {{ touch {0}; exit; }}", died.display()), 10);
        assert_eq!(engine.dead(&position(), &Budget::default()), Err(EngineError::Ended));
        assert_eq!(engine.dead(&position(), &Budget::default()), Ok(vec![]));
    }
}
