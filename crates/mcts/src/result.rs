//! What a search found.
//!
//! Invariant: every value here is from the side to move at the root.

use crate::{
    Proven, RootSelection, SearchConfig, Wdl,
    gumbel::{self, Completion},
    root::Root,
    tree::Edge,
};

/// The outcome of a search. All values are from the root's side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The move to play. Gumbel: of the most visited moves, the one with the greatest Gumbel +
    /// logit + sigma(completed Q) (chance enters by `gumbel_scale`). Puct: the most visited, then
    /// the most valuable. At a proven root: the move with the greatest target.
    pub best: M,
    /// Simulations done; fewer than the budget only if the root is proven.
    pub simulations: u32,
    /// All legal moves, in the order of [`crate::State::status`].
    pub moves: Vec<MoveStat<M>>,
    /// The outcome expected after the search: exact if proven, else the mean of the moves'
    /// outcomes weighted by their targets.
    pub root_wdl: Wdl,
    /// The evaluator's word on the root.
    pub net_wdl: Wdl,
    /// The root's proof.
    pub proven: Option<Proven>,
}

/// What is known of one root move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStat<M> {
    /// The move.
    pub mv: M,
    /// The evaluator's probability, Dirichlet noise included where it was asked for.
    pub prior: f32,
    /// Simulations through the move.
    pub visits: u32,
    /// In `[-1, 1]`: exact if proven, the mean if visited, else the mixed value of the root.
    pub value: f32,
    /// Training target of the policy; sums to 1 over the moves. Gumbel: the improved policy;
    /// Puct: the share of visits. Proven losses get 0 while another move is left. At a proven
    /// root the prior is shared out among the shortest proven wins, among all drawing moves, or
    /// among the longest resistances.
    pub target: f32,
    /// The move's proof, plies counted from the root.
    pub proven: Option<Proven>,
}

/// Reads the result off a root that has been evaluated.
pub(crate) fn read<M: Copy>(
    edges: &[Edge<M>],
    root: &Root,
    config: &SearchConfig,
) -> SearchResult<M> {
    let completion = Completion::new(edges, root, config);
    let target = target(edges, root, config);
    let best = best(edges, root, config, &completion, &target);
    let mut root_wdl = Wdl::default();
    let mut moves = Vec::with_capacity(edges.len());
    for (index, (edge, &target)) in edges.iter().zip(&target).enumerate() {
        let wdl = completion.wdl(root, index, edge);
        root_wdl = root_wdl + wdl * target;
        moves.push(MoveStat {
            mv: edge.mv,
            prior: edge.prior,
            visits: edge.visits,
            value: wdl.value(),
            target,
            proven: edge.proof.get(),
        });
    }
    SearchResult {
        best: edges[best].mv,
        simulations: root.simulations,
        moves,
        root_wdl: root.proof.wdl().unwrap_or(root_wdl),
        net_wdl: root.net,
        proven: root.proof.get(),
    }
}

/// The policy target. Weights are those of the search; where these say nothing, the priors; where
/// these say nothing either, all moves kept are alike.
fn target<M>(edges: &[Edge<M>], root: &Root, config: &SearchConfig) -> Vec<f32> {
    let best = edges.iter().map(|edge| edge.proof).max().unwrap_or_default();
    let keeps = |edge: &Edge<M>| match root.proof.get() {
        None => !edge.proof.is_loss(),
        Some(Proven { value: 0, .. }) => edge.proof.get().is_some_and(|proven| proven.value == 0),
        Some(_) => edge.proof == best,
    };
    let shared_out = |weights: Vec<f32>| {
        let total: f32 = edges.iter().zip(&weights).filter(|(e, _)| keeps(e)).map(|(_, w)| w).sum();
        let share = |(edge, weight)| if keeps(edge) { weight / total } else { 0.0 };
        (total > 0.0).then(|| edges.iter().zip(weights).map(share).collect::<Vec<f32>>())
    };
    let priors = || edges.iter().map(|edge| edge.prior).collect();
    let weights = match (root.proof.is_known(), config.root) {
        (true, _) => priors(),
        (false, RootSelection::Gumbel) => gumbel::improved_policy(edges, root, config),
        (false, RootSelection::Puct) => edges.iter().map(|edge| edge.visits as f32).collect(),
    };
    shared_out(weights)
        .or_else(|| shared_out(priors()))
        .or_else(|| shared_out(vec![1.0; edges.len()]))
        .expect("a root with moves keeps at least one of them")
}

/// The index of the move to play.
fn best<M>(
    edges: &[Edge<M>],
    root: &Root,
    config: &SearchConfig,
    completion: &Completion,
    target: &[f32],
) -> usize {
    let first_max = |score: &dyn Fn(usize) -> (f32, f32)| {
        (1..edges.len())
            .fold(0, |best, index| if score(index) > score(best) { index } else { best })
    };
    if root.proof.is_known() {
        return first_max(&|index| (target[index], 0.0));
    }
    match config.root {
        RootSelection::Gumbel => gumbel::select(edges, root, completion.max_visits, config),
        RootSelection::Puct => first_max(&|index| match edges[index].proof.is_loss() {
            true => (-1.0, 0.0),
            false => {
                let value = completion.wdl(root, index, &edges[index]).value();
                (target[index], value)
            }
        }),
    }
}
