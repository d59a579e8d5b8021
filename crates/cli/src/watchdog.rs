//! Notices a stage of the work that no longer moves.
//!
//! Each stage has a [`Mark`]: its name and a number that grows with everything it gets done. The
//! watchdog looks at the mark often and speaks when neither has changed for a while. Time in which
//! nobody looked (the process was stopped, the machine was asleep or overloaded) is not held
//! against the stage.

use std::time::Duration;

use crate::text::clock;

/// How far a stage is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Which stage of which generation.
    pub(crate) stage: String,
    /// Grows whenever the stage gets something done.
    pub(crate) done: u64,
    /// What must happen for it to move.
    pub(crate) waits_for: String,
}

/// What the watchdog says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// The stage stands still for so long.
    Stalled { mark: Mark, still: Duration },
    /// The stage that stood still for so long has moved.
    Moves { stage: String, still: Duration },
}

/// Most of the time between two looks that counts.
const LONGEST_GAP: Duration = Duration::from_secs(5);

/// Watches one stage after another.
#[derive(Debug)]
pub(crate) struct Watchdog {
    limit: Duration,
    mark: Mark,
    looked: Duration,
    /// How long the mark has been the same.
    still: Duration,
    /// How often the limit was reached.
    told: u32,
}

impl Watchdog {
    /// Speaks after `limit` without movement, and after each further `limit`.
    pub(crate) fn new(limit: Duration) -> Self {
        Self {
            limit,
            mark: Mark::default(),
            looked: Duration::ZERO,
            still: Duration::ZERO,
            told: 0,
        }
    }

    /// Looks at the mark at time `now` of any clock that does not go back.
    pub(crate) fn look(&mut self, now: Duration, mark: &Mark) -> Option<Word> {
        let gap = now.saturating_sub(self.looked).min(LONGEST_GAP);
        self.looked = now;
        if (&self.mark.stage, self.mark.done) != (&mark.stage, mark.done) {
            let before = std::mem::replace(&mut self.mark, mark.clone());
            let still = std::mem::take(&mut self.still);
            let stalled = std::mem::take(&mut self.told) > 0;
            return stalled.then_some(Word::Moves { stage: before.stage, still });
        }
        self.still += gap;
        if self.still < self.limit * (self.told + 1) {
            return None;
        }
        self.told += 1;
        Some(Word::Stalled { mark: self.mark.clone(), still: self.still })
    }
}

impl Word {
    /// The word as a line.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Stalled { mark: Mark { stage, waits_for, .. }, still } => {
                format!("{stage} has not moved for {}: it waits for {waits_for}", clock(*still))
            }
            Self::Moves { stage, still } => {
                format!("{stage} has moved again, after {}", clock(*still))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// A watchdog that is shown marks second by second.
    struct Bench {
        watchdog: Watchdog,
        now: Duration,
    }

    impl Bench {
        fn new() -> Self {
            Self { watchdog: Watchdog::new(MINUTE), now: Duration::from_secs(1000) }
        }

        fn look(&mut self, stage: &str, done: u64) -> Option<Word> {
            let mark = Mark { stage: stage.to_owned(), done, waits_for: "a step".to_owned() };
            self.now += Duration::from_secs(1);
            self.watchdog.look(self.now, &mark)
        }

        /// The words of so many seconds without movement, with the second at which they came.
        fn still(&mut self, seconds: u32, stage: &str, done: u64) -> Vec<(u32, Word)> {
            (0..seconds).filter_map(|at| Some((at, self.look(stage, done)?))).collect()
        }
    }

    #[test]
    fn a_stage_that_stands_is_named_once_a_minute_until_it_moves() {
        let mut bench = Bench::new();
        let words = bench.still(200, "train", 7);
        let at: Vec<u32> = words.iter().map(|(at, _)| *at).collect();
        assert_eq!(at, [60, 120, 180]);
        assert_eq!(words[1].1.text(), "train has not moved for 2:00: it waits for a step");
        let moved = bench.look("train", 8).unwrap();
        assert_eq!(moved.text(), "train has moved again, after 3:19");
        assert_eq!(bench.look("train", 9), None);
    }

    #[test]
    fn a_stage_that_moves_or_changes_is_left_alone() {
        let mut bench = Bench::new();
        for round in 0..10 {
            assert_eq!(bench.still(59, "self-play", round), []);
        }
        assert_eq!(bench.still(59, "train", 9), [], "the same number, but another stage");
        assert_eq!(bench.still(59, "self-play", 9), []);
    }

    #[test]
    fn time_in_which_nobody_looked_does_not_count() {
        let mut bench = Bench::new();
        assert_eq!(bench.still(30, "train", 1), []);
        bench.now += 100 * MINUTE; // Stopped and continued.
        assert_eq!(bench.look("train", 1), None);
        assert_eq!(bench.still(20, "train", 1), []);
        assert_eq!(bench.look("train", 2), None, "no word of a movement that was never missed");
    }
}
