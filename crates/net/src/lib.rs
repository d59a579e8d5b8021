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
pub mod torchscript;

pub use backend::TchBackend;
pub use error::NetError;
pub use module::{Module, Outputs};
pub use tch::Device;

/// The devices that nets can run on here, for people: `CPU`, and `CUDA 0` and so on.
pub fn devices() -> Vec<String> {
    let cuda = (0..tch::Cuda::device_count()).map(|index| format!("CUDA {index}"));
    std::iter::once("CPU".to_owned()).chain(cuda).collect()
}
