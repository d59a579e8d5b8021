//! What is kept of a failure that numbers cause, to be looked at.

use std::path::Path;

use anyhow::Error;
use arena::{PlayerError, TournamentError};
use inference::NotFinite;
use model::{Metadata, Tensor, Weights};
use train::TrainError;

use super::Run;
use crate::run_dir::write_whole;

impl Run {
    /// Saves what made a loss or a net's output infinite or not a number, if that is what the error
    /// is about, and says where it lies and what is still good.
    pub(super) fn with_evidence(&self, error: Error) -> Error {
        let generation = match find(&error) {
            Some(TournamentError::Player(PlayerError { player, .. })) => {
                let number = player.strip_prefix("generation-").and_then(|text| text.parse().ok());
                number.unwrap_or(self.state.generation)
            }
            _ => self.state.generation,
        };
        let folder = self.dir.checkpoints().join(format!("{generation:06}"));
        let (name, bytes, place) = if let Some(TrainError::NotFinite { batch, .. }) = find(&error) {
            let good = match generation {
                0 => "there is no checkpoint yet".to_owned(),
                _ => format!("the last good checkpoint is {}", folder.display()),
            };
            let place = format!("training of generation {}; {good}", generation + 1);
            ("not-finite-batch.safetensors", batch.to_safetensors(), place)
        } else if let Some(outputs) = find::<NotFinite>(&error) {
            let place = format!("generation {generation}, {}", folder.display());
            ("not-finite-positions.safetensors", positions(outputs, &place), place)
        } else {
            return error;
        };
        let path = self.dir.join(name);
        error.context(format!("{place}; {}", kept(&path, &bytes)))
    }
}

fn find<E: std::error::Error + Send + Sync + 'static>(error: &Error) -> Option<&E> {
    error.chain().find_map(|cause| cause.downcast_ref())
}

/// Writes the evidence; that it cannot be kept must not hide why it should be.
fn kept(path: &Path, bytes: &[u8]) -> String {
    match write_whole(path, bytes) {
        Ok(()) => format!("the evidence is kept in {}", path.display()),
        Err(error) => format!("the evidence is lost: {error:#}"),
    }
}

/// The input planes, and the positions in the metadata, one a line.
fn positions(outputs: &NotFinite, place: &str) -> Vec<u8> {
    let mut tensors = Weights::new();
    let planes = Tensor::new(outputs.shape.to_vec(), outputs.planes.clone());
    tensors.insert("planes", planes.expect("the planes have their shape"));
    let facts = [("positions", outputs.positions.join("\n")), ("net", place.to_owned())];
    let facts = facts.map(|(key, value)| (key.to_owned(), value));
    tensors.to_safetensors(&Metadata::from(facts))
}
