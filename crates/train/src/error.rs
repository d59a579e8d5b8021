//! What can go wrong.

use std::path::PathBuf;

use crate::batch::Batch;

/// Settings out of range, all of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(|(key, problem)| format!("{key} {problem}")).collect::<Vec<_>>().join("; "))]
pub struct ConfigError(
    /// Key and what is wrong with its value, such as `must be above 0`.
    pub Vec<(&'static str, String)>,
);

/// A record that cannot be trained on.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A record file cannot be read.
    #[error(transparent)]
    Records(#[from] records::RecordsError),
    /// A game does not fit the rules it is replayed with.
    #[error("chunk {chunk}, game {game_id}{}: {what}", .ply.map(|p| format!(", ply {p}")).unwrap_or_default())]
    Game {
        /// Chunk.
        chunk: u64,
        /// Game.
        game_id: u64,
        /// Recorded ply, where the fault belongs to one.
        ply: Option<usize>,
        /// What is wrong.
        what: String,
    },
}

/// Why training stopped.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Settings out of range.
    #[error("training settings: {0}")]
    Config(#[from] ConfigError),
    /// A plan that cannot be read or does not fit trainer or data.
    #[error("training plan: {0}")]
    Plan(String),
    /// A loss or gradient is infinite or not a number; the step was not taken.
    #[error("step {step}: {what} is not finite")]
    NotFinite {
        /// The global step that failed, counted from 0.
        step: u64,
        /// Which number.
        what: &'static str,
        /// The batch of that step, to be saved and looked at.
        batch: Box<Batch>,
    },
    /// The net refused.
    #[error(transparent)]
    Net(#[from] net::NetError),
    /// Weights that do not fit the net.
    #[error(transparent)]
    Weights(#[from] model::WeightsError),
    /// libtorch refused.
    #[error("libtorch: {0}")]
    Torch(#[from] tch::TchError),
}

/// What is wrong with a checkpoint folder.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system said no.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file is damaged or does not belong to the others.
    #[error("{}: {what}", path.display())]
    Invalid {
        /// File.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Checkpoints are never overwritten.
    #[error("{}: exists already", path.display())]
    Exists {
        /// Folder.
        path: PathBuf,
    },
    /// The state cannot be taken from the net.
    #[error(transparent)]
    Train(#[from] Box<TrainError>),
}
