//! Runs nets: from leaves of a search to evaluations, in batches.
//!
//! [`NetEvaluator`] is the bridge: it encodes the leaves, runs a [`Backend`] and turns logits into
//! probabilities over the legal moves;
//! it can remember what it has evaluated. [`OrtBackend`] runs an exported model with ONNX Runtime;
//! [`fake`] holds backends without a net.
//!
//! The one invariant: one worker = one thread = one backend. Nothing here is shared or locked but
//! the [`Runtime`] handle and the bytes of a model.

mod backend;
mod cache;
mod evaluator;
pub mod fake;
mod ort;
mod runtime;

pub use backend::{Backend, BackendError};
pub use evaluator::{Counters, NetEvaluator, NotFinite, ShapeMismatch, net_shape};
pub use ort::{ModelError, OrtBackend};
pub use runtime::{LIBRARY_VERSION, Runtime, RuntimeError};
