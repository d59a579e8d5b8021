//! What only the root keeps: noise, the schedule, what this search has spent on each move.
//!
//! Invariant: all values are from the root's side to move; vectors run parallel to the root's edges.

use rand_chacha::ChaCha8Rng;

use crate::{
    RootSelection, SearchConfig, Wdl, gumbel,
    proof::Proof,
    puct,
    tree::{Node, ROOT, Tree},
};

/// State of the root beside its node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Root {
    /// Simulations of this search that are done.
    pub(crate) simulations: u32,
    /// Gumbel: simulations of this search through each move, waiting ones included.
    pub(crate) fresh: Vec<u32>,
    /// Gumbel: noise plus logit of each move.
    pub(crate) noisy_logits: Vec<f32>,
    /// Gumbel: fresh visits of the move to choose, by simulation.
    schedule: Vec<u32>,
}

impl Root {
    /// Forgets the last search; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.simulations = 0;
        self.fresh.clear();
        self.noisy_logits.clear();
        self.schedule.clear();
    }

    /// Takes up a root that has been evaluated, whether just now or by an earlier search.
    pub(crate) fn begin<M: Copy>(
        &mut self,
        tree: &mut Tree<M>,
        config: &SearchConfig,
        rng: &mut ChaCha8Rng,
    ) {
        match config.root {
            RootSelection::Gumbel => {
                let priors = tree.priors(ROOT);
                self.fresh.resize(priors.len(), 0);
                self.noisy_logits.extend(
                    priors.iter().map(|&prior| {
                        config.gumbel_scale * gumbel::draw(rng) + gumbel::logit(prior)
                    }),
                );
                let considered = config.considered.min(priors.len() as u32);
                gumbel::fill_considered_visits(considered, config.simulations, &mut self.schedule);
            }
            RootSelection::Puct => {
                if config.root_temperature != 1.0 {
                    puct::soften(tree.priors_mut(ROOT), config.root_temperature);
                }
                if config.noise_fraction > 0.0 {
                    puct::add_noise(tree.priors_mut(ROOT), config, rng);
                }
                tree.weigh(ROOT);
            }
        }
    }

    /// The move that the next simulation starts with, when `waiting` others wait.
    pub(crate) fn select<M: Copy>(
        &self,
        tree: &mut Tree<M>,
        config: &SearchConfig,
        waiting: u32,
    ) -> usize {
        match config.root {
            RootSelection::Gumbel => {
                let considered = self.schedule[(self.simulations + waiting) as usize];
                gumbel::select(tree, self, considered, config)
            }
            RootSelection::Puct => {
                let chosen = tree.select(ROOT, config.puct());
                puct::forced(tree, config).unwrap_or(chosen)
            }
        }
    }

    /// Counts a simulation that begins with the move `slot`.
    pub(crate) fn begin_simulation(&mut self, slot: usize) {
        if let Some(fresh) = self.fresh.get_mut(slot) {
            *fresh += 1;
        }
    }
}

/// A move at the root and what is known of it, from the root's side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMove<'a, M> {
    pub(crate) mv: M,
    pub(crate) prior: f32,
    child: Option<&'a Node>,
    /// Whether it is proven lost while another move is left, or at a root that is proven.
    lost: bool,
}

impl<M> RootMove<'_, M> {
    /// Simulations through the move, those of earlier searches included.
    pub(crate) fn visits(&self) -> u32 {
        self.child.map_or(0, |child| child.visits)
    }

    pub(crate) fn proof(&self) -> Proof {
        self.child.map_or(Proof::UNKNOWN, |child| child.proof.handed_up())
    }

    pub(crate) fn is_loss(&self) -> bool {
        self.lost
    }

    /// Exact if proven, else the mean of the visits; `None` without any.
    pub(crate) fn mean(&self) -> Option<Wdl> {
        let known = |child: &&Node| child.visits > 0 || child.proof.is_known();
        self.child.filter(known).map(|child| child.mean().flipped())
    }
}

/// The moves of the root in the order of its edges.
pub(crate) fn moves<M: Copy>(tree: &Tree<M>) -> impl Iterator<Item = RootMove<'_, M>> + Clone + '_ {
    let loses = |&child: &u32| child != ROOT && tree.node(child).proof.is_win();
    // Without proofs handed up, all moves can be lost and the root not proven: one has to be chosen.
    let hopeless = !tree.node(ROOT).proof.is_known() && tree.children(ROOT).iter().all(loses);
    let edges = tree.moves(ROOT).iter().zip(tree.priors(ROOT)).zip(tree.children(ROOT));
    edges.map(move |((&mv, &prior), child)| RootMove {
        mv,
        prior,
        child: (*child != ROOT).then(|| tree.node(*child)),
        lost: !hopeless && loses(child),
    })
}
