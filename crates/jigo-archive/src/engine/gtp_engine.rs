//! An engine that answers the questions of one thread.

use std::time::Instant;

use super::process::{AnswerLimits, EngineCommand, EngineError, EngineProcess, MAX_FAILURES};
use jigo_rules::board::{Point, Position};
use jigo_rules::budget::Budget;

/// An engine that starts with the first question and restarts after each failure.
///
/// After five consecutive failures it is not started again.
#[derive(Debug)]
pub struct GtpEngine {
    command: EngineCommand,
    process: Option<EngineProcess>,
    /// Consecutive failures to start, to stay alive or to answer in time.
    failures: u32,
}

impl GtpEngine {
    /// Returns an engine that is not running yet.
    pub fn new(command: EngineCommand) -> GtpEngine {
        GtpEngine { command, process: None, failures: 0 }
    }

    /// Returns the dead stones of a position, sorted.
    ///
    /// # Errors
    /// Returns an [`EngineError`], also when the budget is spent. The engine restarts for the next
    /// position. After too many consecutive failures it is not asked again. Otherwise a run over an
    /// archive would wait for the full time limit with every game.
    pub fn dead(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Point>, EngineError> {
        if self.failures >= MAX_FAILURES {
            return Err(EngineError::TooManyFailures);
        }
        let outcome = self.query_dead(position, budget);
        if outcome.is_err() {
            self.process = None;
        }
        self.failures = match outcome {
            Err(EngineError::Start(_) | EngineError::Ended | EngineError::Timeout(_)) => self.failures + 1,
            // The engine might have answered with more time, so this is neither a failure nor a
            // success.
            Err(EngineError::OutOfTime) => self.failures,
            // The engine works, even if it rejects this position.
            _ => 0,
        };
        outcome
    }

    fn query_dead(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Point>, EngineError> {
        let timeout = self.command.timeout;
        let limits = AnswerLimits { timeout, deadline: Instant::now() + timeout, budget };
        let process = match self.process.take() {
            Some(process) => self.process.insert(process),
            None => self.process.insert(EngineProcess::start(&self.command)?),
        };
        let size = position.size();
        let mut send = |command: String| process.send_command(command, limits);
        if size.width() == size.height() {
            send(format!("boardsize {}", size.width()))?;
        } else {
            send(format!("rectangular_boardsize {} {}", size.width(), size.height()))?;
        }
        send("clear_board".into())?;
        for point in size.iter() {
            // In a position where every chain has a liberty, the order of plays doesn't matter:
            // none of them captures.
            if let Some(color) = position.stone(point) {
                send(format!("play {} {}", color.letter(), point.to_a1(size)))?;
            }
        }
        let answer = send("final_status_list dead".into())?;
        parse_stones(&answer, position)
    }
}

/// Parses a list of points into the dead stones, each of which must be a stone of `position`.
///
/// Some engines name one stone of a chain, others all of them. In both cases the whole chain is
/// dead.
///
/// # Errors
/// Fails if a word is not a point with a stone.
pub fn parse_stones(answer: &str, position: &Position) -> Result<Vec<Point>, EngineError> {
    let mut dead: Vec<Point> = Vec::new();
    for word in answer.split_whitespace() {
        let stone = Point::from_a1(word, position.size()).filter(|point| position.stone(*point).is_some());
        let stone = stone.ok_or_else(|| EngineError::InvalidAnswer(word.chars().take(20).collect()))?;
        dead.extend(position.chain(stone));
    }
    dead.sort();
    dead.dedup();
    Ok(dead)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;
    use jigo_rules::board::diagram::read;

    /// Returns an engine that answers every command with success, except the last one, for which it
    /// runs the shell command `last`.
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
    fn one_dead_stone_marks_its_whole_chain_dead() {
        let mut engine = engine("printf '= C2\\n\\n'", 10);
        let dead: Vec<String> =
            engine.dead(&position(), &Budget::default()).unwrap().iter().map(Point::to_string).collect();
        assert_eq!(dead, ["cb", "cc", "dc"]);
        assert_eq!(engine.dead(&position(), &Budget::default()).unwrap().len(), 3, "it goes on answering");
    }

    #[test]
    fn empty_list_of_dead_stones_is_an_answer() {
        assert_eq!(engine("printf '=\\n\\n'", 10).dead(&position(), &Budget::default()), Ok(vec![]));
    }

    #[test]
    fn each_engine_failure_has_its_own_error() {
        let outcome =
            |last: &str, timeout: u64| engine(last, timeout).dead(&position(), &Budget::default()).unwrap_err();
        assert_eq!(outcome("exit", 10), EngineError::Ended);
        assert_eq!(outcome("sleep 60", 1), EngineError::Timeout(Duration::from_secs(1)));
        assert!(matches!(outcome("printf '? unknown command\\n\\n'", 10), EngineError::Refused { .. }));
        assert_eq!(outcome("printf '= D3 Z9\\n\\n'", 10), EngineError::InvalidAnswer("D3".into()));
        assert_eq!(outcome("yes A1", 10), EngineError::Ended);
        assert_eq!(outcome("yes A1 | tr -d '\\n'", 10), EngineError::Ended);
        let words = vec!["/nonexistent/engine".to_owned()];
        let mut missing = GtpEngine::new(EngineCommand { words, timeout: Duration::from_secs(1) });
        assert!(matches!(missing.dead(&position(), &Budget::default()), Err(EngineError::Start(_))));
    }

    /// Returns an engine that runs the shell script `text`.
    fn script(text: &str, timeout: u64) -> GtpEngine {
        let words = ["sh", "-c", text].map(str::to_owned).to_vec();
        GtpEngine::new(EngineCommand { words, timeout: Duration::from_secs(timeout) })
    }

    /// This engine writes answers without reading its input, until the input pipe is full. jigo
    /// takes the first answers for answers to its own commands.
    #[test]
    fn engine_that_never_reads_times_out() {
        let mut deaf = script("while sleep 0.001; do printf '=\\n\\n'; done", 2);
        let started = Instant::now();
        let failure = (0..100_000).find_map(|_| {
            assert!(started.elapsed() < Duration::from_secs(60), "the time for one position does not pass");
            deaf.dead(&position(), &Budget::default()).err()
        });
        assert!(matches!(failure, Some(EngineError::Timeout(_) | EngineError::InvalidAnswer(_))), "{failure:?}");
    }

    /// The command is longer than the pipe's buffer.
    #[test]
    fn writing_to_an_engine_times_out() {
        let board = vec![vec!["X"; 51].join(" "); 52].join(" .\n") + " .";
        let mut silent = script("exec sleep 60 <&0", 1);
        let mut running = EngineProcess::start(&silent.command).unwrap();
        let limits = AnswerLimits {
            timeout: Duration::from_secs(1),
            deadline: Instant::now() + Duration::from_secs(1),
            budget: &Budget::default(),
        };
        assert_eq!(
            running.send_command("x".repeat(1 << 20), limits),
            Err(EngineError::Timeout(Duration::from_secs(1)))
        );
        assert_eq!(
            silent.dead(&read(&board).unwrap(), &Budget::default()).unwrap_err(),
            EngineError::Timeout(Duration::from_secs(1))
        );
    }

    #[test]
    fn interrupted_run_does_not_wait_for_the_engine() {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let budget = Budget::with_stop_flag(std::sync::Arc::clone(&stop));
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
    fn engine_that_hangs_at_start_times_out() {
        let started = Instant::now();
        assert_eq!(
            script("exec sleep 60", 1).dead(&position(), &Budget::default()),
            Err(EngineError::Timeout(Duration::from_secs(1)))
        );
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn half_an_answer_is_reported_as_ended() {
        assert_eq!(engine("printf '= C2'; exit", 10).dead(&position(), &Budget::default()), Err(EngineError::Ended));
        assert_eq!(engine("printf '= C2\\n'; exit", 10).dead(&position(), &Budget::default()), Err(EngineError::Ended));
    }

    /// Unrequested answers must neither fill the memory nor count as answers: the next one could be
    /// taken for the answer to the last command.
    #[test]
    fn unrequested_answers_are_rejected() {
        let mut flood = script("yes \"$(printf '=\\n\\n_')\" | tr -d _", 10);
        // Sometimes jigo takes each answer before the next one arrives, so one position is not
        // enough.
        let failure = (0..1_000).find_map(|_| flood.dead(&position(), &Budget::default()).err());
        assert!(matches!(failure, Some(EngineError::InvalidAnswer(_))), "{failure:?}");
        let mut chatty = engine("printf '=\\n\\n= C2\\n\\n'; sleep 0.2", 10);
        assert_eq!(chatty.dead(&position(), &Budget::default()), Ok(vec![]));
        std::thread::sleep(Duration::from_secs(2));
        assert_eq!(chatty.dead(&position(), &Budget::default()), Err(EngineError::InvalidAnswer("= C2\n".into())));
    }

    #[test]
    fn only_consecutive_failures_end_an_engine() {
        let folder = tempfile::tempdir().unwrap();
        let starts = folder.path().join("starts");
        let mut hopeless = script(&format!("echo >> {}; exit 1", starts.display()), 10);
        for _ in 0..MAX_FAILURES {
            assert_eq!(hopeless.dead(&position(), &Budget::default()), Err(EngineError::Ended));
        }
        for _ in 0..3 {
            assert_eq!(hopeless.dead(&position(), &Budget::default()), Err(EngineError::TooManyFailures));
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
    fn engine_that_died_is_restarted() {
        let folder = tempfile::tempdir().unwrap();
        let died = folder.path().join("died");
        let mut engine =
            engine(&format!("[ -e {0} ] && printf '=\\n\\n' || {{ touch {0}; exit; }}", died.display()), 10);
        assert_eq!(engine.dead(&position(), &Budget::default()), Err(EngineError::Ended));
        assert_eq!(engine.dead(&position(), &Budget::default()), Ok(vec![]));
    }
}
