//! Backends without a net: for tests, and to measure everything around one.

use model::NetShape;

use crate::backend::{Backend, BackendError, check_lengths};

/// A backend made of a function, called as [`Backend::run`].
pub struct FromFn<F> {
    shape: NetShape,
    run: F,
}

impl<F> FromFn<F>
where
    F: FnMut(usize, &[f32], &mut [f32], &mut [f32]) -> Result<(), BackendError> + Send,
{
    /// A backend of this shape that calls `run` with batch, input, policy and wdl.
    pub fn new(shape: NetShape, run: F) -> Self {
        Self { shape, run }
    }
}

impl<F> Backend for FromFn<F>
where
    F: FnMut(usize, &[f32], &mut [f32], &mut [f32]) -> Result<(), BackendError> + Send,
{
    fn shape(&self) -> &NetShape {
        &self.shape
    }

    fn run(
        &mut self,
        batch: usize,
        input: &[f32],
        policy: &mut [f32],
        wdl: &mut [f32],
    ) -> Result<(), BackendError> {
        check_lengths(&self.shape, batch, input, policy, wdl);
        (self.run)(batch, input, policy, wdl)
    }
}

/// Logits in -1..1 that depend only on the planes of a position and the seed.
pub fn hashed(shape: NetShape, seed: u64) -> impl Backend {
    let (planes, policy_len) = (shape.input_len(), shape.policy_len);
    FromFn::new(shape, move |_batch, input, policy, wdl| {
        let rows = input.chunks_exact(planes).zip(policy.chunks_exact_mut(policy_len));
        for ((input, policy), wdl) in rows.zip(wdl.chunks_exact_mut(3)) {
            let mut state = input.iter().fold(seed, |hash, x| next(hash ^ u64::from(x.to_bits())));
            for logit in policy.iter_mut().chain(wdl) {
                state = next(state);
                *logit = (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
            }
        }
        Ok(())
    })
}

/// One step of splitmix64 (Steele, Lea, Flood 2014).
fn next(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
