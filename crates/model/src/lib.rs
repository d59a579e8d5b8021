//! The network as data: a short list of operations ([`Graph`]) and named tensors ([`Weights`]).
//!
//! [`Graph::build`] describes a net of a given [`NetConfig`] for a given [`NetShape`] exactly once.
//! Everything else reads that list: libtorch executes it for training, [`Graph::folded`] turns it
//! into its form for play, [`onnx::write`] emits it, [`mod@reference`] computes it slowly,
//! and [`Model`] stores it next to its weights in a safetensors file.
//!
//! The invariant: a graph that passed [`Graph::check`] has shapes that fit everywhere, and weights
//! that passed [`Graph::check_weights`] fit it. Both come from untrusted files, so both are checked
//! on reading.
//!
//! ```
//! use model::{Graph, Metadata, Model, NetConfig, NetShape, Weights, onnx};
//! use rules::Seed;
//!
//! let shape = NetShape { planes: 12, ranks: 4, files: 5, head_planes: 2, policy_len: 40 };
//! let every_place: Vec<u32> = (0..40).collect();
//! let graph = Graph::build(&NetConfig::default(), &shape, &every_place)?;
//! let weights = Weights::init(&graph, Seed(1));
//!
//! let (play, play_weights) = graph.folded(&weights)?;
//! let onnx = onnx::write(&play, &play_weights, &Metadata::new(), onnx::Style::default())?;
//! let model = Model { graph, weights, metadata: Metadata::new() };
//! assert_eq!(Model::from_safetensors(&model.to_safetensors())?, model);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod card;
mod config;
mod fold;
mod graph;
mod init;
pub mod onnx;
pub mod reference;
mod store;
mod tower;
mod weights;

pub use card::Meta;
pub use config::{ConfigError, NetConfig, NetShape, RangeFault};
pub use fold::{FitError, STANDARDISE_EPSILON};
pub use graph::{Graph, GraphError, Init, Node, Op, Param, Shape, TensorId, head};
pub use store::{Metadata, Model, StoreError};
pub use weights::{Tensor, Weights, WeightsError};
