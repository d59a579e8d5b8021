//! The time of this process, and active time: what earlier processes spent on a run and what this one
//! has.

use std::time::{Duration, Instant};

/// The time since it was started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Monotonic(Instant);

impl Monotonic {
    /// A clock that shows zero now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl engine::Clock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that goes on where an earlier process left it. Copies run alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    before: Duration,
    /// None once it is stopped.
    started: Option<Instant>,
}

impl Clock {
    /// A running clock that shows `before` now.
    pub(crate) fn start(before: Duration) -> Self {
        Self { before, started: Some(Instant::now()) }
    }

    /// The time spent.
    pub(crate) fn active(&self) -> Duration {
        self.before + self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }

    /// Stops the clock for good: what follows does not count.
    pub(crate) fn stop(&mut self) {
        *self = Self { before: self.active(), started: None };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_clock_stands() {
        let mut clock = Clock::start(Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(2));
        clock.stop();
        let stood = clock.active();
        assert!(stood > Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(clock.active(), stood);
    }
}
