//! Time limits for the work on one game.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A budget that ends the work on a game early, on request or after a deadline.
///
/// Loops over untrusted input test it regularly. The default budget is never spent.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    stop: Option<Arc<AtomicUsize>>,
    deadline: Option<Instant>,
}

impl Budget {
    /// Creates a budget that is spent as soon as `stop` is not 0.
    pub fn with_stop_flag(stop: Arc<AtomicUsize>) -> Budget {
        Budget { stop: Some(stop), deadline: None }
    }

    /// Sets the remaining time, from now on. `None` removes the limit.
    pub fn set_remaining_time(&mut self, time: Option<Duration>) {
        self.deadline = time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Returns true if the work must end. Costs an atomic load, and reads the clock if time is
    /// limited.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed) != 0)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_is_spent_when_stopped_or_out_of_time() {
        let mut budget = Budget::default();
        assert!(!budget.is_spent());
        budget.set_remaining_time(Some(Duration::ZERO));
        assert!(budget.is_spent());
        budget.set_remaining_time(Some(Duration::MAX));
        assert!(!budget.is_spent(), "a time beyond the range of the clock is no limit");
        let stop = Arc::new(AtomicUsize::new(0));
        let mut budget = Budget::with_stop_flag(Arc::clone(&stop));
        budget.set_remaining_time(Some(Duration::from_secs(3600)));
        assert!(!budget.is_spent());
        stop.store(15, Ordering::Relaxed);
        assert!(budget.is_spent());
    }
}
