//! One training phase, decided before it starts.

use std::f64::consts::PI;

use records::Manifest;
use rules::Seed;
use serde::{Deserialize, Serialize};

use crate::config::TrainConfig;
use crate::error::TrainError;

/// Everything a phase depends on besides the trainer's state at its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Number of the phase.
    pub phase: u64,
    /// Global step at which the phase starts.
    pub start_step: u64,
    /// Steps in the phase.
    pub steps: u64,
    /// Learning rate of the first step.
    pub lr_start: f64,
    /// Learning rate the phase runs down (or up) to.
    pub lr_end: f64,
    /// How it gets there.
    pub curve: Curve,
    /// Seed of the phase.
    #[serde(with = "hex")]
    pub seed: u64,
    /// Settings.
    pub config: TrainConfig,
    /// The chunks trained on.
    pub window: Manifest,
}

/// The course of the learning rate in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Curve {
    /// A straight line.
    #[default]
    Linear,
    /// Half a cosine wave: slow, fast, slow.
    Cosine,
}

impl Plan {
    /// The plan as TOML.
    ///
    /// # Errors
    /// A number TOML cannot hold, above 2^63.
    pub fn to_toml(&self) -> Result<String, TrainError> {
        toml::to_string(self).map_err(|e| TrainError::Plan(e.to_string()))
    }

    /// Reads what [`Plan::to_toml`] wrote.
    ///
    /// # Errors
    /// With line and column; settings out of range.
    pub fn from_toml(text: &str) -> Result<Self, TrainError> {
        let plan: Self = toml::from_str(text).map_err(|e| TrainError::Plan(e.to_string()))?;
        plan.config.validate()?;
        Ok(plan)
    }

    /// Learning rate of a step of the phase, counted from 0.
    pub fn lr(&self, step: u64) -> f64 {
        let done = step as f64 / self.steps.max(1) as f64;
        let done = match self.curve {
            Curve::Linear => done,
            Curve::Cosine => (1.0 - (PI * done).cos()) / 2.0,
        };
        self.lr_start + (self.lr_end - self.lr_start) * done
    }

    /// The seed all chance in the phase comes from.
    pub(crate) fn seed(&self) -> Seed {
        Seed(self.seed)
    }
}

/// Seeds have 64 bits, TOML integers 63.
mod hex {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{seed:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<u64, D::Error> {
        let text = String::deserialize(input)?;
        u64::from_str_radix(&text, 16).map_err(|e| D::Error::custom(format!("seed {text:?}: {e}")))
    }
}
