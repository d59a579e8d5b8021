//! Learning: window → batches → losses → optimiser → checkpoint.
//!
//! A phase of training is described by a [`Plan`], saved before it starts. Everything inside is a
//! function of (plan, step): which positions make up a batch, which of them are mirrored, the
//! learning rate. So a phase that stops at any step goes on from a [`Checkpoint`] as if it had not,
//! bit for bit on a CPU with one thread ([`set_threads`]).
//!
//! - [`Dataset`] holds the window's games compactly and rebuilds samples by replaying them.
//! - [`Trainer`] owns net, optimiser and averaged weights; [`Trainer::run`] performs a plan.
//! - [`Checkpoints`] writes and reads checkpoint folders, absent or complete.
//!
//! Policy and value targets of a position are seen from its side to move, like the net's outputs.

mod batch;
mod checkpoint;
mod config;
mod dataset;
mod error;
mod flat;
mod lanes;
mod loader;
mod loss;
mod optim;
mod order;
mod plan;
mod targets;
mod trainer;

pub use batch::Batch;
pub use checkpoint::{Checkpoint, Checkpoints, Latest};
pub use config::{LossWeights, TrainConfig};
pub use dataset::{Dataset, Held};
pub use error::{CheckpointError, ConfigError, DatasetError, TrainError};
pub use loader::Loader;
pub use loss::Losses;
pub use order::Order;
pub use plan::{Curve, Plan};
pub use trainer::{Control, Progress, TrainEvent, Trainer};

/// Sets the number of threads libtorch computes with, for the whole process.
pub fn set_threads(threads: usize) {
    tch::set_num_threads(i32::try_from(threads).unwrap_or(i32::MAX));
}
