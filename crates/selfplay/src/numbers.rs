//! Which game is played next.

use std::collections::BTreeSet;
use std::sync::Mutex;

/// Hands out the numbers of games to play, in order, leaving out those of sealed chunks.
///
/// Chunk `c` holds the games `c * games_per_chunk .. (c + 1) * games_per_chunk`.
#[derive(Debug)]
pub struct GameNumbers {
    games_per_chunk: u64,
    sealed: BTreeSet<u64>,
    /// One past the last number to hand out.
    limit: u64,
    next: Mutex<u64>,
}

impl GameNumbers {
    /// Numbers from 0 without end, except the games of the `sealed` chunks.
    pub fn new(games_per_chunk: u64, sealed: impl IntoIterator<Item = u64>) -> Self {
        Self {
            games_per_chunk,
            sealed: sealed.into_iter().collect(),
            limit: u64::MAX,
            next: Mutex::new(0),
        }
    }

    /// The same, ending before the number `limit`.
    pub fn up_to(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The next number; `None` when all are handed out.
    pub fn take(&self) -> Option<u64> {
        let mut next = self.next.lock().expect("no holder of this lock can panic while it is held");
        while *next < self.limit && self.sealed.contains(&(*next / self.games_per_chunk)) {
            *next = (*next / self.games_per_chunk + 1) * self.games_per_chunk;
        }
        if *next >= self.limit {
            return None;
        }
        *next += 1;
        Some(*next - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_chunks_are_left_out() {
        let numbers = GameNumbers::new(3, [0, 2]).up_to(11);
        let taken: Vec<_> = std::iter::from_fn(|| numbers.take()).collect();
        assert_eq!(taken, [3, 4, 5, 9, 10]);
        assert_eq!(numbers.take(), None);
    }
}
