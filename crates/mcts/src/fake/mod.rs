//! Evaluators without a net. They are product code: generation 0 of a run plays with [`Uniform`],
//! benchmarks and tests use [`Hashed`], yardsticks use [`Material`] and [`Rollout`].
//!
//! Invariant: an evaluation depends on the position alone, not on the batch it comes in.

mod hashed;
mod material;
mod rollout;

pub use hashed::Hashed;
pub use material::{Balance, Material};
pub use rollout::Rollout;

use crate::{EvalError, Evaluation, Evaluator, Leaf, State, Wdl};

/// Knows nothing: each outcome has probability 1/3, all moves are alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<S: State> Evaluator<S> for Uniform {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, S>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        fill(leaves, out, |_| Wdl::UNKNOWN);
        Ok(())
    }
}

/// Evaluates each leaf by `judge`, with a uniform policy.
fn fill<S: State>(
    leaves: &[Leaf<'_, S>],
    out: &mut Vec<Evaluation>,
    mut judge: impl FnMut(&Leaf<'_, S>) -> Wdl,
) {
    out.resize_with(leaves.len(), Evaluation::default);
    for (leaf, evaluation) in leaves.iter().zip(out) {
        evaluation.wdl = judge(leaf);
        evaluation.policy.clear();
        evaluation.policy.resize(leaf.moves.len(), 1.0 / leaf.moves.len() as f32);
    }
}
