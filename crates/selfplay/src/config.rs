//! Settings of self-play, as they stand in a run's configuration.

use mcts::SearchConfig;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How self-play games are searched and started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayConfig {
    /// Simulations per move; 1 or more.
    pub simulations: u32,
    /// Root moves that the sequential halving starts with; 1 or more (Danihelka et al. 2022, m).
    pub considered: u32,
    /// Scale of the Gumbel noise at the root; 0 (none) or more. 1 is the paper's.
    pub gumbel_scale: f32,
    /// Visit offset of the transformation of values into logits; 0 or more (paper: 50).
    pub c_visit: f32,
    /// Scale of that transformation; above 0.
    pub c_scale: f32,
    /// Exploration constant of PUCT below the root; above 0.
    pub c_puct: f32,
    /// Games that one worker keeps in flight: its batch size; 1 or more.
    pub games_per_worker: usize,
    /// Games of one record file; 1 to 65,536. Fixed in a run.
    pub games_per_chunk: u64,
    /// Share of games that start after random moves; 0 to 1.
    pub random_start_share: f64,
    /// Most random plies of such a start; the number is drawn uniformly from 1 to this.
    pub random_start_plies: u32,
}

impl Default for SelfPlayConfig {
    fn default() -> Self {
        Self {
            simulations: 24,
            considered: 8,
            gumbel_scale: 1.0,
            c_visit: 50.0,
            c_scale: 0.1,
            c_puct: 1.25,
            games_per_worker: 64,
            games_per_chunk: 64,
            random_start_share: 0.5,
            random_start_plies: 6,
        }
    }
}

/// A setting outside its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{key} must be {expected}")]
pub struct ConfigError {
    /// The field's name.
    pub key: &'static str,
    /// The range it must lie in.
    pub expected: &'static str,
}

impl SelfPlayConfig {
    /// All settings that lie outside their ranges.
    pub fn faults(&self) -> Vec<ConfigError> {
        let weight = |value: f32| value >= 0.0 && value.is_finite();
        let checks = [
            ("simulations", self.simulations >= 1, "1 or more"),
            ("considered", self.considered >= 1, "1 or more"),
            ("gumbel_scale", weight(self.gumbel_scale), "0 or more"),
            ("c_visit", weight(self.c_visit), "0 or more"),
            ("c_scale", weight(self.c_scale) && self.c_scale > 0.0, "above 0"),
            ("c_puct", weight(self.c_puct) && self.c_puct > 0.0, "above 0"),
            ("games_per_worker", self.games_per_worker >= 1, "1 or more"),
            ("games_per_chunk", (1..=65_536).contains(&self.games_per_chunk), "from 1 to 65536"),
            ("random_start_share", (0.0..=1.0).contains(&self.random_start_share), "from 0 to 1"),
            ("random_start_plies", self.random_start_plies >= 1, "1 or more"),
        ];
        checks
            .into_iter()
            .filter(|(_, holds, _)| !holds)
            .map(|(key, _, expected)| ConfigError { key, expected })
            .collect()
    }

    /// The search that these settings describe.
    pub fn search(&self) -> SearchConfig {
        SearchConfig {
            simulations: self.simulations,
            considered: self.considered,
            gumbel_scale: self.gumbel_scale,
            c_visit: self.c_visit,
            c_scale: self.c_scale,
            c_puct: self.c_puct,
            ..SearchConfig::default()
        }
    }
}
