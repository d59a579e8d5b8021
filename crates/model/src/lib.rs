//! The network as data: a short list of operations ([`Graph`]) and named tensors ([`Weights`]).
//!
//! [`Graph::build`] describes a net of a given [`NetConfig`] for a given [`NetShape`] exactly once.
//! Everything else reads that list: libtorch executes it for training, [`Graph::folded`] turns it
//! into its form for play, [`onnx::write`] emits it, [`reference`] computes it slowly and plainly,
//! and [`Model`] stores it next to its weights in a safetensors file.
//!
//! The invariant: a graph that passed [`Graph::check`] has shapes that fit everywhere, and weights
//! that passed [`Graph::check_weights`] fit it. Both come from untrusted files, so both are checked
//! on reading.

mod config;
mod fold;
mod graph;
mod init;
pub mod onnx;
pub mod reference;
mod store;
mod tower;
mod weights;

pub use config::{ConfigError, NetConfig, NetShape, RangeFault};
pub use fold::{FitError, STANDARDISE_EPSILON};
pub use graph::{Graph, GraphError, Init, Node, Op, Param, Shape, TensorId, head};
pub use store::{Metadata, Model, StoreError};
pub use weights::{Tensor, Weights, WeightsError};
