//! How many leaves go into a batch: measured and adapted.
//!
//! Invariant: sizes are powers of two up to the largest allowed; a size that takes longer than allowed,
//! twice in a row, is not used again.

use std::time::Duration;

/// Batches of a size before it is judged. The fastest counts, so that a busy machine misleads less.
const TRIALS: u32 = 4;
/// A size twice as large must save this share of the time of a position to be kept: leaves that are
/// chosen without knowing each other's values are worth less.
const GAIN: f64 = 0.1;

/// The size of batches. Grows from 1 by doubling while that pays.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    size: usize,
    most: usize,
    limit: Duration,
    /// The shortest time of a position in full batches of 2^k, in seconds, and how many were seen.
    seen: Vec<(f64, u32)>,
    /// Whether a larger size is still looked for.
    growing: bool,
    /// Batches in a row that took longer than allowed.
    late: u32,
    /// What a batch of this size takes: the latest full one, or twice that of half the size.
    expected: Duration,
}

impl Pace {
    /// Batches of at most `most` leaves that take `limit` or less.
    pub(crate) fn new(most: usize, limit: Duration) -> Self {
        let seen = Vec::new();
        Self {
            size: 1,
            most: most.max(1),
            limit,
            seen,
            growing: true,
            late: 0,
            expected: Duration::ZERO,
        }
    }

    /// Leaves in the next batch.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// What the next batch may take.
    pub(crate) fn expected(&self) -> Duration {
        self.expected
    }

    /// A batch of `len` leaves has taken so long.
    pub(crate) fn learn(&mut self, len: usize, took: Duration) {
        self.expected = if len == self.size { took } else { self.expected.max(took) };
        // Once may be the machine's doing.
        self.late = if took > self.limit { self.late + 1 } else { 0 };
        if self.late == 2 {
            (self.size, self.late, self.growing) = ((self.size / 2).max(1), 0, false);
        } else if self.growing && len == self.size {
            self.judge(took);
        }
    }

    fn judge(&mut self, took: Duration) {
        let level = self.size.trailing_zeros() as usize;
        self.seen.resize(level + 1, (f64::INFINITY, 0));
        let position = took.as_secs_f64() / self.size as f64;
        let (shortest, trials) = &mut self.seen[level];
        (*shortest, *trials) = (shortest.min(position), *trials + 1);
        if *trials < TRIALS {
            return;
        }
        let shortest = *shortest;
        let smaller = level.checked_sub(1).map(|level| self.seen[level].0);
        let pays = smaller.is_none_or(|smaller| shortest <= smaller * (1.0 - GAIN));
        // A batch twice as large takes twice as long at most; by two sizes one knows the third.
        let time = shortest * self.size as f64;
        let twice = smaller.map_or(2.0 * time, |smaller| 3.0 * time - smaller * self.size as f64);
        let fits = self.size * 2 <= self.most && twice <= self.limit.as_secs_f64();
        match (pays, fits) {
            (true, true) => (self.size, self.expected) = (self.size * 2, self.expected * 2),
            (true, false) => self.growing = false,
            (false, _) => (self.size, self.growing) = (self.size / 2, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size that is settled on where a batch of n takes `time(n)` microseconds.
    fn settled(most: usize, time: impl Fn(usize) -> u64) -> usize {
        let mut pace = Pace::new(most, Duration::from_millis(50));
        for _ in 0..200 {
            let size = pace.size();
            assert!(size <= most);
            pace.learn(size, Duration::from_micros(time(size)));
        }
        pace.size()
    }

    #[test]
    fn grows_while_it_pays() {
        assert_eq!(settled(256, |_| 100), 256, "a batch costs as much as one position");
        assert_eq!(settled(100, |_| 100), 64, "powers of two");
        assert_eq!(settled(256, |n| 100 * n as u64), 1, "nothing is saved");
        assert_eq!(settled(256, |n| 100 + 50 * n as u64), 16, "from 16 on less than a tenth is");
        assert_eq!(settled(1, |_| 100), 1);
    }

    #[test]
    fn batches_stay_within_the_time_allowed() {
        assert_eq!(settled(256, |n| 15_000 + 6_000 * n as u64), 4);
        assert_eq!(settled(256, |_| 80_000), 1, "less than one is not to be had");
        let mut pace = Pace::new(64, Duration::from_millis(50));
        while pace.size() < 64 {
            pace.learn(pace.size(), Duration::from_millis(10));
        }
        pace.learn(64, Duration::from_millis(51));
        assert_eq!(pace.size(), 64, "an accident");
        pace.learn(64, Duration::from_millis(10));
        pace.learn(64, Duration::from_millis(51));
        pace.learn(60, Duration::from_millis(51));
        assert_eq!(pace.size(), 32, "a machine that has become slower");
        for _ in 0..20 {
            pace.learn(32, Duration::from_millis(1));
        }
        assert_eq!(pace.size(), 32);
    }

    #[test]
    fn one_slow_batch_among_several_does_not_decide() {
        let mut pace = Pace::new(2, Duration::from_millis(50));
        for took in [10, 40, 10, 10, 10, 10, 45, 45, 45] {
            pace.learn(pace.size(), Duration::from_millis(took));
        }
        assert_eq!(pace.size(), 2);
    }
}
