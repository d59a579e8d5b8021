//! What can go wrong between this crate and libtorch.

use model::{FitError, WeightsError};
use tch::TchError;

/// Why a net could not be made or run.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The graph is not a net, or the weights do not fit it.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The input has another shape than the net wants.
    #[error("input has shape {found:?} instead of [N, {}]", list(.expected))]
    Input {
        /// The shape found.
        found: Vec<i64>,
        /// The shape of one position, `[planes, ranks, files]`.
        expected: [i64; 3],
    },
    /// The graph has no output of this name.
    #[error("the net has no output {0:?}")]
    NoOutput(String),
    /// libtorch refused.
    #[error("{place}: libtorch: {source}")]
    Torch {
        /// What was being done.
        place: String,
        /// What libtorch said.
        source: TchError,
    },
}

impl From<WeightsError> for NetError {
    fn from(error: WeightsError) -> NetError {
        NetError::Fit(error.into())
    }
}

/// Adds the place to an error of libtorch.
pub(crate) fn at<P: Into<String>>(place: impl FnOnce() -> P) -> impl FnOnce(TchError) -> NetError {
    move |source| NetError::Torch { place: place().into(), source }
}

fn list(sizes: &[i64]) -> String {
    sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}
