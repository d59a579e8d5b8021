//! Which part of the records is trained on.

use serde::{Deserialize, Serialize};

use crate::store::ChunkInfo;

/// Size of the replay window, in samples (fully searched positions).
///
/// The window grows with all samples N as `min * (N / min)^exponent`, at least `min`, at most `max`:
/// KataGo's rule (D. Wu, "Accelerating Self-Play Learning in Go", appendix C) with its slope at
/// `min` equal to the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindowConfig {
    /// Samples that are always kept, as far as there are so many; at least 1.
    pub min: u64,
    /// How fast the window grows: 0 keeps it at `min`, 1 keeps everything.
    pub exponent: f64,
    /// Samples the window never exceeds, but for the rest of its oldest chunk.
    pub max: u64,
}

impl Default for WindowConfig {
    fn default() -> Self {
        Self { min: 5_000, exponent: 0.65, max: 200_000 }
    }
}

/// A window setting out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct WindowError(String);

/// The chunks one training phase draws on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Chunk numbers, ascending.
    pub chunks: Vec<u64>,
    /// Samples in them.
    pub samples: u64,
}

/// The newest chunks, as a pure function of their sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplayWindow {
    config: WindowConfig,
}

impl ReplayWindow {
    /// A window of the given size.
    ///
    /// # Errors
    /// If `min` is 0, `max` is below `min`, or `exponent` is not in 0..=1.
    pub fn new(config: WindowConfig) -> Result<Self, WindowError> {
        let WindowConfig { min, exponent, max } = config;
        if min == 0 {
            return Err(WindowError("min must be at least 1".to_owned()));
        }
        if max < min {
            return Err(WindowError(format!(
                "max must be at least min, which is {min}, not {max}"
            )));
        }
        if !(0.0..=1.0).contains(&exponent) {
            return Err(WindowError(format!("exponent must be from 0 to 1, not {exponent}")));
        }
        Ok(Self { config })
    }

    /// Samples wanted when there are `total` in all.
    pub fn size(&self, total: u64) -> u64 {
        let WindowConfig { min, exponent, max } = self.config;
        let growth = (total as f64 / min as f64).max(1.0).powf(exponent);
        ((min as f64 * growth).round() as u64).clamp(min, max)
    }

    /// The newest (highest numbered) whole chunks that together reach [`size`](Self::size); all of
    /// them where there are fewer. The order of `chunks` does not matter.
    pub fn select(&self, chunks: &[ChunkInfo]) -> Manifest {
        let wanted = self.size(chunks.iter().map(|info| info.samples).sum());
        let mut newest: Vec<&ChunkInfo> = chunks.iter().collect();
        newest.sort_unstable_by_key(|info| std::cmp::Reverse(info.chunk));
        let mut manifest = Manifest::default();
        for info in newest {
            if manifest.samples >= wanted {
                break;
            }
            manifest.chunks.push(info.chunk);
            manifest.samples += info.samples;
        }
        manifest.chunks.reverse();
        manifest
    }
}
