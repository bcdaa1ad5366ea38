//! How long the work on a game may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Ends the work on a game before its end: when somebody asks for it, or when its time is over. Whoever loops over what a stranger wrote
/// looks now and then. By default it is never spent.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    stop: Option<Arc<AtomicUsize>>,
    deadline: Option<Instant>,
}

impl Budget {
    /// A budget that is spent once `stop` is no longer 0.
    pub fn until(stop: Arc<AtomicUsize>) -> Budget {
        Budget { stop: Some(stop), deadline: None }
    }

    /// From now on so much time is left, whatever it was before; without end for `None`.
    pub fn allow(&mut self, time: Option<Duration>) {
        self.deadline = time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Whether the work has to end. An atomic load, and a look at the clock where time is limited.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed) != 0)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The deadline, for somebody who has to wait: the nearer one of this and the budget's.
    pub fn sooner(&self, deadline: Instant) -> Instant {
        self.deadline.map_or(deadline, |own| own.min(deadline))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_when_it_is_stopped_or_its_time_is_over() {
        let mut budget = Budget::default();
        assert!(!budget.is_spent());
        budget.allow(Some(Duration::ZERO));
        assert!(budget.is_spent());
        budget.allow(Some(Duration::MAX));
        assert!(!budget.is_spent(), "beyond what the clock can say there is no end");
        let stop = Arc::new(AtomicUsize::new(0));
        let mut budget = Budget::until(Arc::clone(&stop));
        budget.allow(Some(Duration::from_secs(3600)));
        assert!(!budget.is_spent());
        stop.store(15, Ordering::Relaxed);
        assert!(budget.is_spent());
    }
}
