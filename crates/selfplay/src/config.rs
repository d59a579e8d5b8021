//! Settings of self-play, as they stand in a run's configuration.

use mcts::{RootSelection, SearchConfig};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How self-play games are searched and started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayConfig {
    /// Simulations per move; 1 or more.
    pub simulations: u32,
    /// Share of the moves that are searched in full and trained on; above 0, to 1. The others cost
    /// `cheap_simulations` and only bring their game to its end (playout cap randomisation: Wu,
    /// "Accelerating self-play learning in Go", 2019, section 3.1; 0.25 there).
    pub full_share: f64,
    /// Simulations of the moves that are not searched in full, without the noise, the temperature and
    /// the forced playouts of a PUCT root; 1 or more.
    pub cheap_simulations: u32,
    /// How the root shares out the simulations: `gumbel` or `puct`.
    pub root: RootSelection,
    /// Root moves that the sequential halving starts with; 1 or more (Danihelka et al. 2022, m).
    pub considered: u32,
    /// Scale of the Gumbel noise at the root; 0 (none) or more. 1 is the paper's.
    pub gumbel_scale: f32,
    /// Visit offset of the transformation of values into logits; 0 or more (paper: 50).
    pub c_visit: f32,
    /// Scale of that transformation; above 0.
    pub c_scale: f32,
    /// Exploration constant of PUCT; above 0.
    pub c_puct: f32,
    /// How much an unvisited move counts below the mean value of its position, times the square root
    /// of the prior mass already visited; 0 or more (KataGo: 0.2).
    pub fpu_reduction: f32,
    /// `puct` root: the priors to the power of 1 over this; above 0 (KataGo: 1.25 falling to 1.1).
    pub root_temperature: f32,
    /// `puct` root: concentration of the Dirichlet noise, shared out among the legal moves; above 0
    /// (KataGo: 10.83).
    pub noise_concentration: f32,
    /// `puct` root: share of the noise in the priors; 0 to 1 (AlphaZero: 0.25).
    pub noise_fraction: f32,
    /// `puct` root: a move once visited gets at least the square root of this times its prior times
    /// all visits, which do not count in the target; 0 (none) or more (KataGo: 2).
    pub forced_playouts: f32,
    /// Plies at the start of a game whose move is drawn from the policy target, in place of the best.
    pub sampled_plies: u32,
    /// Whether exact values are handed up and end a search.
    pub proofs: bool,
    /// Longest mate that is looked for at every leaf, in plies: 0 (none), 1 or 3.
    pub leaf_mate: u32,
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
            full_share: 1.0,
            cheap_simulations: 8,
            root: RootSelection::Gumbel,
            considered: 8,
            gumbel_scale: 1.0,
            c_visit: 50.0,
            c_scale: 0.1,
            c_puct: 1.25,
            fpu_reduction: 0.2,
            root_temperature: 1.0,
            noise_concentration: 10.83,
            noise_fraction: 0.25,
            forced_playouts: 2.0,
            sampled_plies: 0,
            proofs: true,
            leaf_mate: 1,
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
        let positive = |value: f32| value > 0.0 && value.is_finite();
        let full_share = self.full_share > 0.0 && self.full_share <= 1.0;
        let checks = [
            ("simulations", self.simulations >= 1, "1 or more"),
            ("full_share", full_share, "above 0, at most 1"),
            ("cheap_simulations", self.cheap_simulations >= 1, "1 or more"),
            ("considered", self.considered >= 1, "1 or more"),
            ("gumbel_scale", weight(self.gumbel_scale), "0 or more"),
            ("c_visit", weight(self.c_visit), "0 or more"),
            ("c_scale", positive(self.c_scale), "above 0"),
            ("c_puct", positive(self.c_puct), "above 0"),
            ("fpu_reduction", weight(self.fpu_reduction), "0 or more"),
            ("root_temperature", positive(self.root_temperature), "above 0"),
            ("noise_concentration", positive(self.noise_concentration), "above 0"),
            ("noise_fraction", (0.0..=1.0).contains(&self.noise_fraction), "from 0 to 1"),
            ("forced_playouts", weight(self.forced_playouts), "0 or more"),
            ("leaf_mate", [0, 1, 3].contains(&self.leaf_mate), "0, 1 or 3"),
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

    /// The full search that these settings describe.
    pub fn full_search(&self) -> SearchConfig {
        SearchConfig {
            simulations: self.simulations,
            root: self.root,
            considered: self.considered,
            gumbel_scale: self.gumbel_scale,
            c_visit: self.c_visit,
            c_scale: self.c_scale,
            rescale: true,
            c_puct: self.c_puct,
            fpu_reduction: self.fpu_reduction,
            root_temperature: self.root_temperature,
            noise_concentration: self.noise_concentration,
            noise_fraction: self.noise_fraction,
            forced_playouts: self.forced_playouts,
            proofs: self.proofs,
            leaf_mate: self.leaf_mate,
            // A kept tree would break the halving, and a PUCT root's noise would come too late.
            keep_tree: false,
        }
    }

    /// The search of the moves that are not searched in full.
    pub fn cheap_search(&self) -> SearchConfig {
        SearchConfig {
            simulations: self.cheap_simulations,
            root_temperature: 1.0,
            noise_fraction: 0.0,
            forced_playouts: 0.0,
            ..self.full_search()
        }
    }
}
