//! How to train; the same for all phases of a run.

use records::{ReplayWindow, WindowConfig};
use serde::{Deserialize, Serialize};

use crate::error::ConfigError;

/// Settings of training. All have defaults that suit a small board and ten minutes on two cores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Samples in a step.
    pub batch: usize,
    /// How often a position is trained on: samples a step budget gives for each new position.
    pub samples_per_position: f64,
    /// Learning rate at the start of the run.
    pub lr: f64,
    /// Learning rate at the end of the run.
    pub final_lr: f64,
    /// Decoupled weight decay of kernels and matrices (not of biases and gains), a step's share is
    /// this times the learning rate.
    pub weight_decay: f64,
    /// Decay rates of AdamW's first and second moments, in 0..1.
    pub betas: [f64; 2],
    /// Gradients longer than this (Euclidean norm over all parameters) are shortened to it.
    pub clip_norm: f64,
    /// Share of the old average kept in a step by the averaged weights, in 0..1.
    pub ema_decay: f64,
    /// Weight of the final outcome in the value target, in 0..=1; the rest is the search's value.
    /// A proven position's target is its proven value alone.
    pub value_mix: f64,
    /// Whether half of the samples, chosen at random, are mirrored left to right, where the variant
    /// allows it.
    pub mirror: bool,
    /// Weight of the policy target of a position proven lost, in 0..=1.
    pub lost_policy: f64,
    /// Weights of the losses in their sum.
    pub loss: LossWeights,
    /// Which positions are trained on.
    pub window: WindowConfig,
}

/// Weights of the losses in their sum, each at least 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossWeights {
    /// Cross entropy with the policy target.
    pub policy: f64,
    /// Cross entropy with the outcome.
    pub wdl: f64,
    /// Cross entropy with the opponent's policy target one ply later.
    pub reply: f64,
    /// Cross entropy with the fourth root of the policy target.
    pub soft_policy: f64,
    /// Cross entropy with the search's value some plies later.
    pub short_term: f64,
    /// Huber loss of the plies left to the end.
    pub plies_left: f64,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            batch: 256,
            samples_per_position: 8.0,
            lr: 2e-3,
            final_lr: 2e-5,
            weight_decay: 0.01,
            betas: [0.9, 0.99],
            clip_norm: 5.0,
            ema_decay: 0.998,
            value_mix: 0.7,
            mirror: true,
            lost_policy: 0.25,
            loss: LossWeights::default(),
            window: WindowConfig::default(),
        }
    }
}

impl Default for LossWeights {
    fn default() -> Self {
        Self {
            policy: 1.0,
            wdl: 1.0,
            reply: 0.15,
            soft_policy: 1.0,
            short_term: 0.3,
            plies_left: 0.05,
        }
    }
}

impl LossWeights {
    /// In the order of [`crate::Losses`].
    pub(crate) fn in_order(&self) -> [f64; 6] {
        [self.policy, self.wdl, self.reply, self.soft_policy, self.short_term, self.plies_left]
    }
}

impl TrainConfig {
    /// Checks all ranges.
    ///
    /// # Errors
    /// All settings out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let share = |x: f64| (0.0..=1.0).contains(&x);
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let not_negative = |x: f64| x >= 0.0 && x.is_finite();
        let decay = |x: f64| (0.0..1.0).contains(&x);
        let checks = [
            ("batch", (1..=1 << 20).contains(&self.batch), "from 1 to 1048576"),
            ("samples_per_position", positive(self.samples_per_position), "above 0"),
            ("lr", not_negative(self.lr), "at least 0"),
            ("final_lr", not_negative(self.final_lr), "at least 0"),
            ("weight_decay", not_negative(self.weight_decay), "at least 0"),
            ("betas", self.betas.iter().all(|&beta| decay(beta)), "at least 0 and below 1"),
            ("clip_norm", positive(self.clip_norm), "above 0"),
            ("ema_decay", decay(self.ema_decay), "at least 0 and below 1"),
            ("value_mix", share(self.value_mix), "from 0 to 1"),
            ("lost_policy", share(self.lost_policy), "from 0 to 1"),
            ("loss", self.loss.in_order().into_iter().all(not_negative), "each at least 0"),
        ];
        let wrong = checks.iter().filter(|(_, fits, _)| !fits);
        let mut faults: Vec<(&str, String)> =
            wrong.map(|&(key, _, range)| (key, format!("must be {range}"))).collect();
        let window = ReplayWindow::new(self.window).err();
        faults.extend(window.map(|fault| ("window", fault.to_string())));
        if faults.is_empty() { Ok(()) } else { Err(ConfigError(faults)) }
    }

    /// Steps that spend the budget of this many new samples.
    pub fn steps(&self, new_samples: u64) -> u64 {
        (self.samples_per_position * new_samples as f64 / self.batch as f64).round() as u64
    }
}
