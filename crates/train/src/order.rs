//! Which samples make up which batch.

use rand::RngExt;
use rules::Seed;

/// The order in which the samples of a window are used: one seeded permutation of all of them after
/// another, cut into batches. So after any number of steps each sample has been used equally often,
/// give or take one. A function of (seed, sizes, step); the permutation last used is kept.
#[derive(Clone, Debug)]
pub struct Order {
    seed: Seed,
    samples: usize,
    batch: usize,
    pass: Option<u64>,
    permutation: Vec<u32>,
}

impl Order {
    /// The order of `samples` samples (at least 1, at most 2^32) in batches of `batch`.
    ///
    /// # Panics
    /// If `samples` is out of range.
    pub fn new(seed: Seed, samples: usize, batch: usize) -> Self {
        assert!(samples > 0 && u32::try_from(samples - 1).is_ok(), "1 to 2^32 samples");
        Self { seed, samples, batch, pass: None, permutation: Vec::new() }
    }

    /// The samples of a step, counted from 0.
    pub fn batch(&mut self, step: u64) -> Vec<usize> {
        let start = step * self.batch as u64;
        (start..start + self.batch as u64).map(|use_| self.sample(use_)).collect()
    }

    fn sample(&mut self, use_: u64) -> usize {
        let pass = use_ / self.samples as u64;
        if self.pass != Some(pass) {
            self.permutation = permutation(self.seed.derive("train.order", pass), self.samples);
            self.pass = Some(pass);
        }
        self.permutation[(use_ % self.samples as u64) as usize] as usize
    }
}

/// Fisher and Yates' shuffle, written out so that it is the same with every version of `rand`.
fn permutation(seed: Seed, len: usize) -> Vec<u32> {
    let mut rng = seed.rng();
    let mut items: Vec<u32> = (0..len as u64).map(|i| i as u32).collect();
    for i in (1..len).rev() {
        let j = (rng.random::<u64>() as u128 * (i as u128 + 1)) >> 64;
        items.swap(i, j as usize);
    }
    items
}
