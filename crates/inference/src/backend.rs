//! The seam between searches and whatever runs a net: plain slices of numbers.

use model::NetShape;

/// Runs a net on batches of encoded positions.
pub trait Backend: Send {
    /// Shape of the net's inputs and outputs.
    fn shape(&self) -> &NetShape;

    /// Evaluates `batch` positions. All slices are row-major and hold exactly `batch` rows:
    /// `input` `[batch, planes, ranks, files]`, `policy` `[batch, policy_len]` logits by vocabulary
    /// index, `wdl` `[batch, 3]` logits of win, draw, loss for the side to move.
    ///
    /// # Errors
    /// If the net cannot be run. Numbers that are not finite are left to the caller to find.
    ///
    /// # Panics
    /// If a slice has another length.
    fn run(
        &mut self,
        batch: usize,
        input: &[f32],
        policy: &mut [f32],
        wdl: &mut [f32],
    ) -> Result<(), BackendError>;
}

/// A net could not be run.
#[derive(Debug, thiserror::Error)]
#[error("{backend} could not evaluate a batch of {batch}: {reason}")]
pub struct BackendError {
    /// Which backend.
    pub backend: &'static str,
    /// Positions in the batch.
    pub batch: usize,
    /// What it said.
    pub reason: String,
}

/// Checks the promise of [`Backend::run`] about lengths.
pub(crate) fn check_lengths(
    shape: &NetShape,
    batch: usize,
    input: &[f32],
    policy: &[f32],
    wdl: &[f32],
) {
    assert_eq!(input.len(), batch * shape.input_len(), "input holds `batch` positions");
    assert_eq!(policy.len(), batch * shape.policy_len, "policy holds `batch` rows");
    assert_eq!(wdl.len(), batch * 3, "wdl holds `batch` rows");
}
