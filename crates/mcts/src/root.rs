//! What only the root keeps: outcomes by move, noise, the schedule.
//!
//! Invariant: all values are from the root's side to move.

use rand_chacha::ChaCha8Rng;

use crate::{
    RootSelection, SearchConfig, Wdl, gumbel,
    proof::Proof,
    puct,
    tree::{Edge, Tree},
};

/// State of the root beside its edges. Vectors run parallel to the root's edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Root {
    /// The evaluator's word on the root.
    pub(crate) net: Wdl,
    /// The root's own proof.
    pub(crate) proof: Proof,
    /// Simulations done.
    pub(crate) simulations: u32,
    /// Sum of the net's value and those of all simulations.
    value_sum: f32,
    /// Sum of the outcomes of the visits of each move.
    wdl_sums: Vec<Wdl>,
    /// Gumbel noise plus logit of each move.
    pub(crate) noisy_logits: Vec<f32>,
    /// Visits of the move to choose, by simulation.
    schedule: Vec<u32>,
}

impl Root {
    /// Forgets the last search; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.proof = Proof::UNKNOWN;
        self.simulations = 0;
        self.wdl_sums.clear();
        self.noisy_logits.clear();
        self.schedule.clear();
    }

    /// Takes the evaluation of the root in, once its edges stand in `tree`.
    pub(crate) fn begin<M: Copy>(
        &mut self,
        tree: &mut Tree<M>,
        net: Wdl,
        config: &SearchConfig,
        rng: &mut ChaCha8Rng,
    ) {
        self.net = net;
        self.value_sum = net.value();
        let edges = tree.root_edges_mut();
        self.wdl_sums.resize(edges.len(), Wdl::default());
        match config.root {
            RootSelection::Gumbel => {
                self.noisy_logits.extend(edges.iter().map(|edge| {
                    config.gumbel_scale * gumbel::draw(rng) + gumbel::logit(edge.prior)
                }));
                let considered = config.considered.min(edges.len() as u32);
                let schedule = &mut self.schedule;
                gumbel::fill_considered_visits(considered, config.simulations, schedule);
            }
            RootSelection::Puct if config.noise_fraction > 0.0 => {
                puct::add_noise(edges, config, rng);
            }
            RootSelection::Puct => {}
        }
    }

    /// The move that the next simulation starts with.
    pub(crate) fn select<M>(&self, edges: &[Edge<M>], config: &SearchConfig) -> usize {
        match config.root {
            RootSelection::Gumbel => {
                let considered = self.schedule[self.simulations as usize];
                gumbel::select(edges, self, considered, config)
            }
            RootSelection::Puct => {
                let visits = self.simulations + 1;
                puct::select(edges, visits, self.value_sum / visits as f32, config)
            }
        }
    }

    /// Counts a simulation through root move `index`.
    pub(crate) fn record(&mut self, index: usize, wdl: Wdl, proof: Proof) {
        self.wdl_sums[index] = self.wdl_sums[index] + wdl;
        self.value_sum += wdl.value();
        self.simulations += 1;
        self.proof = proof;
    }

    /// The outcome of a visited move: exact if proven, else the mean of its visits.
    pub(crate) fn mean<M>(&self, index: usize, edge: &Edge<M>) -> Wdl {
        edge.proof.wdl().unwrap_or_else(|| self.wdl_sums[index] * (1.0 / edge.visits as f32))
    }
}
