//! Arbitrary but repeatable evaluations.

use rules::Seed;

use crate::{EvalError, Evaluation, Evaluator, Leaf, State, Wdl, math::ln};

/// Draws policy and outcome from a hash of the seed and [`State::key`]: both are uniform on their
/// simplex (Dirichlet with parameter 1). Equal positions get equal evaluations.
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    /// Another seed is another evaluator.
    pub seed: Seed,
}

impl<S: State> Evaluator<S> for Hashed {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, S>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        out.resize_with(leaves.len(), Evaluation::default);
        for (leaf, evaluation) in leaves.iter().zip(out) {
            let mut stream = Stream(leaf.state.key() ^ mix(self.seed.0));
            let [win, draw, loss] = std::array::from_fn(|_| stream.exponential());
            evaluation.wdl = Wdl { win, draw, loss } * (1.0 / (win + draw + loss));
            evaluation.policy.clear();
            evaluation.policy.extend(leaf.moves.iter().map(|_| stream.exponential()));
            let total: f32 = evaluation.policy.iter().sum();
            evaluation.policy.iter_mut().for_each(|p| *p /= total);
        }
        Ok(())
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(super) struct Stream(pub(super) u64);

impl Stream {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A draw from the exponential distribution with mean 1; positive.
    fn exponential(&mut self) -> f32 {
        let unit = ((self.next() >> 40) as f32 + 0.5) / 16_777_216.0;
        -ln(unit)
    }

    /// A number below `bound`, which is at most 2^32.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }
}

/// The finaliser of SplitMix64: a bijection whose output bits all depend on all input bits.
pub(super) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
