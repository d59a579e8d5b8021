//! libtorch executes the operation list of `model`: [`Module`] with gradients for training,
//! [`TchBackend`] folded and without them for play.
//!
//! The invariant: a module's tensors are always exactly the parameters of its graph, in their
//! shapes, on its device. Whatever libtorch refuses comes back as a [`NetError`] with its place.
//! Threads are the caller's business: set `tch::set_num_threads(1)` in a worker and keep threads
//! alive, for libtorch leaks some state with each.

mod backend;
mod error;
mod module;

pub use backend::TchBackend;
pub use error::NetError;
pub use module::{Module, Outputs};
