//! What a checkpoint says about itself: its `meta.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::store::Metadata;

/// What `meta.toml` of a checkpoint folder says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// Number of the checkpoint, also the folder's name.
    pub number: u64,
    /// Steps the trainer had taken in all.
    pub step: u64,
    /// Facts of the writer, such as variant, fingerprints, generation and phase.
    pub info: Metadata,
    /// SHA-256 of the other files, in hex.
    pub files: BTreeMap<String, String>,
}

impl Meta {
    /// Whether these are the bytes that the file of this name was written with.
    pub fn matches(&self, name: &str, bytes: &[u8]) -> bool {
        self.files.get(name).is_some_and(|sum| *sum == Meta::checksum(bytes))
    }

    /// SHA-256 in hex, as in [`Meta::files`].
    pub fn checksum(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
