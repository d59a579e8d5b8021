//! Evaluations remembered by what the net saw.
//!
//! Invariant: an entry is of use as long as its policy has not been written over; the memory is taken
//! once and never grows.

use mcts::{Evaluation, Wdl};

/// Evaluations by [`Encoder::key`](encode::Encoder::key). The newest are kept: policies lie in a ring,
/// where new ones are written over the oldest.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    /// By the low bits of the key; a length of 0 marks an empty one.
    entries: Vec<Entry>,
    ring: Vec<f32>,
    /// Numbers written so far; the next goes to this place in the ring, taken modulo its length.
    written: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// What `written` was when the policy was written.
    start: u64,
    wdl: Wdl,
    len: u32,
}

/// Numbers of the ring for each entry: about the legal moves of a position.
const POLICY: usize = 32;

impl Cache {
    /// A cache that takes at most so many bytes; too few for one evaluation make one that keeps
    /// nothing.
    pub(crate) fn new(bytes: usize) -> Self {
        let each = size_of::<Entry>() + POLICY * size_of::<f32>();
        let entries = match bytes / each {
            0 => 0,
            // The greatest power of two that leaves its share to the ring.
            most => 1 << most.ilog2(),
        };
        let ring = (bytes - entries * size_of::<Entry>()) / size_of::<f32>();
        Self {
            entries: vec![Entry::default(); entries],
            ring: vec![0.0; if entries == 0 { 0 } else { ring }],
            written: 0,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    fn place(&self, key: u64) -> Option<usize> {
        self.entries.len().checked_sub(1).map(|mask| key as usize & mask)
    }

    /// Writes what is known of a position with that many legal moves to `out`; false if nothing is.
    pub(crate) fn get(&self, key: u64, moves: usize, out: &mut Evaluation) -> bool {
        let Some(entry) = self.place(key).map(|place| self.entries[place]) else { return false };
        let age = self.written - entry.start;
        if entry.key != key || entry.len as usize != moves || age > self.ring.len() as u64 {
            return false;
        }
        let start = (entry.start % self.ring.len() as u64) as usize;
        out.wdl = entry.wdl;
        out.policy.clear();
        out.policy.extend_from_slice(&self.ring[start..start + moves]);
        true
    }

    /// Remembers an evaluation.
    pub(crate) fn put(&mut self, key: u64, evaluation: &Evaluation) {
        let len = evaluation.policy.len();
        let Some(place) = self.place(key).filter(|_| len <= self.ring.len()) else { return };
        let mut start = (self.written % self.ring.len() as u64) as usize;
        if start + len > self.ring.len() {
            // A policy lies in one piece: the rest of the ring is left out.
            self.written += (self.ring.len() - start) as u64;
            start = 0;
        }
        self.ring[start..start + len].copy_from_slice(&evaluation.policy);
        self.entries[place] =
            Entry { key, start: self.written, wdl: evaluation.wdl, len: len as u32 };
        self.written += len as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(number: u64) -> Evaluation {
        let moves = 1 + number % 50;
        let policy = (0..moves).map(|at| (number * 100 + at) as f32).collect();
        Evaluation { wdl: Wdl { win: number as f32, draw: 0.0, loss: 0.0 }, policy }
    }

    /// Keys whose low bits are spread.
    fn key(number: u64) -> u64 {
        number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
    }

    #[test]
    fn what_is_found_is_what_was_put() {
        for bytes in [0, 100, 1_000, 20_000, 1_000_000] {
            let mut cache = Cache::new(bytes);
            let held = cache.entries.len() * size_of::<Entry>() + cache.ring.len() * 4;
            assert!(held <= bytes, "{held} of {bytes}");
            let mut found = 0;
            for number in 0..5_000 {
                cache.put(key(number), &evaluation(number));
                for back in [0, 1, 10, 100, 1_000] {
                    let Some(number) = u64::checked_sub(number, back) else { continue };
                    let mut out = Evaluation::default();
                    let moves = evaluation(number).policy.len();
                    if cache.get(key(number), moves, &mut out) {
                        assert_eq!(out, evaluation(number));
                        found += 1;
                    }
                    assert!(!cache.get(key(number), moves + 1, &mut out));
                }
            }
            assert_eq!(found > 0, bytes >= 1_000, "{bytes}");
            if bytes == 1_000_000 {
                assert!(found > 18_000, "{found}");
            }
            cache.clear();
            assert!(!cache.get(key(4_999), 50, &mut Evaluation::default()));
        }
    }
}
