//! The numbers that shape a search.

use serde::{Deserialize, Serialize};

/// How the root shares out the simulations, and with that how its result is read.
/// In configurations: `gumbel`, `puct`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootSelection {
    /// Sequential halving over moves drawn with Gumbel noise; the target is the improved policy.
    /// Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022.
    #[default]
    Gumbel,
    /// PUCT, as below the root, with optional Dirichlet noise; the target is the share of visits.
    /// Silver et al., "A general reinforcement learning algorithm...", Science 2018.
    Puct,
}

/// Parameters of a search. Any finite, non-negative values are valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchConfig {
    /// Budget: simulations below the root, after the root's own evaluation (mctx counts alike); those
    /// of an earlier search whose tree was kept do not count. With 0 the result is the evaluator's
    /// policy.
    pub simulations: u32,
    /// Selection at the root.
    pub root: RootSelection,
    /// Gumbel: how many moves sequential halving starts with (the paper's m); at least 1.
    pub considered: u32,
    /// Gumbel: factor on the Gumbel noise; 1 for self-play, 0 for play without chance.
    pub gumbel_scale: f32,
    /// Gumbel: the offset of sigma(q) = (`c_visit` + max N) * `c_scale` * q.
    pub c_visit: f32,
    /// Gumbel: the factor of sigma.
    pub c_scale: f32,
    /// Gumbel: whether the completed Q of a node are stretched to `[0, 1]` before sigma, as mctx
    /// does; otherwise q = (value + 1) / 2.
    pub rescale: bool,
    /// Puct root: the priors are raised to the power of 1 over this; 1 leaves them as they are,
    /// more evens them out (KataGo). Above 0.
    pub root_temperature: f32,
    /// Puct root: total concentration of the Dirichlet noise, divided by the number of legal
    /// moves (KataGo, total 10.83).
    pub noise_concentration: f32,
    /// Puct root: share of the noise in the prior, in `[0, 1]`; 0 for none.
    pub noise_fraction: f32,
    /// Puct root: a move once visited gets at least the square root of this times its prior times
    /// all visits, which then do not count in the target (KataGo, 2); 0 for none.
    pub forced_playouts: f32,
    /// PUCT: weight of the prior against the value, which lies in `[-1, 1]`.
    pub c_puct: f32,
    /// PUCT: an unvisited move counts as the node's mean value less this times the square root
    /// of the prior mass already visited (first-play urgency of KataGo and Leela Chess Zero).
    pub fpu_reduction: f32,
    /// Whether exact values are handed up as proofs. Without, the end of a game counts as its value
    /// and no more.
    pub proofs: bool,
    /// Plies that a [`crate::Prover`] looks ahead at each leaf and, with `proofs`, at the root; 0 for
    /// none. The one for games finds mates of 1 and of 3 plies.
    pub leaf_mate: u32,
    /// Whether [`crate::Search::play`] keeps what was found below the move.
    pub keep_tree: bool,
}

impl Default for SearchConfig {
    /// The values of mctx for the root (scale 0.1, offset 50, 16 moves), of AlphaZero for `c_puct`
    /// and of KataGo for the rest; 64 simulations.
    fn default() -> Self {
        Self {
            simulations: 64,
            root: RootSelection::Gumbel,
            considered: 16,
            gumbel_scale: 1.0,
            c_visit: 50.0,
            c_scale: 0.1,
            rescale: true,
            root_temperature: 1.0,
            noise_concentration: 10.83,
            noise_fraction: 0.0,
            forced_playouts: 0.0,
            c_puct: 1.25,
            fpu_reduction: 0.2,
            proofs: true,
            leaf_mate: 0,
            keep_tree: false,
        }
    }
}
