//! What a search found.
//!
//! Invariant: every value here is from the side to move at the root.

use crate::{
    Proven, RootSelection, SearchConfig, Wdl,
    gumbel::{self, Completion},
    puct,
    root::{self, Root, RootMove},
    tree::{ROOT, Tree},
};

/// The outcome of a search. All values are from the root's side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The move to play. Gumbel: of the most visited moves, the one with the greatest Gumbel +
    /// logit + sigma(completed Q) (chance enters by `gumbel_scale`). Puct: the most visited, then
    /// the most valuable. At a proven root: the move with the greatest target.
    pub best: M,
    /// Simulations that this search has done; fewer than the budget only if the root is proven, the
    /// tree is full or the search was broken off.
    pub simulations: u32,
    /// All legal moves, in their order.
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
    /// The evaluator's probability; temperature and Dirichlet noise of the root included where they
    /// were asked for.
    pub prior: f32,
    /// Simulations through the move; where the tree was kept from an earlier search, with those.
    pub visits: u32,
    /// The outcome expected: exact if proven, the mean if visited, else the mixed value of the root.
    pub wdl: Wdl,
    /// Its value, in `[-1, 1]`.
    pub value: f32,
    /// Training target of the policy; sums to 1 over the moves. Gumbel: the improved policy;
    /// Puct: the share of visits, less what was only forced. Proven losses get 0 while another move is left. At a proven
    /// root the prior is shared out among the shortest proven wins, among all drawing moves, or
    /// among the longest resistances.
    pub target: f32,
    /// The move's proof, plies counted from the root.
    pub proven: Option<Proven>,
}

/// Reads the result off a root that has been evaluated.
pub(crate) fn read<M: Copy + Ord>(
    tree: &Tree<M>,
    root: &Root,
    config: &SearchConfig,
) -> SearchResult<M> {
    let completion = Completion::new(tree, config);
    let edges: Vec<RootMove<'_, M>> = root::moves(tree).collect();
    let target = target(tree, &edges, config);
    let best = best(tree, &edges, root, config, &completion, &target);
    let mut root_wdl = Wdl::default();
    let mut moves = Vec::with_capacity(edges.len());
    for (edge, &target) in edges.iter().zip(&target) {
        let wdl = completion.wdl(edge);
        root_wdl = root_wdl + wdl * target;
        moves.push(MoveStat {
            mv: edge.mv,
            prior: edge.prior,
            visits: edge.visits(),
            wdl,
            value: wdl.value(),
            target,
            proven: edge.proof().get(),
        });
    }
    moves.sort_unstable_by_key(|stat| stat.mv);
    let node = tree.node(ROOT);
    SearchResult {
        best: edges[best].mv,
        simulations: root.simulations,
        moves,
        root_wdl: node.proof.wdl().unwrap_or(root_wdl),
        net_wdl: node.net,
        proven: node.proof.get(),
    }
}

/// The policy target. Weights are those of the search; where these say nothing, the priors; where
/// these say nothing either, all moves kept are alike.
fn target<M: Copy>(tree: &Tree<M>, edges: &[RootMove<'_, M>], config: &SearchConfig) -> Vec<f32> {
    let proof = tree.node(ROOT).proof;
    let best = edges.iter().map(|edge| edge.proof()).max().unwrap_or_default();
    let keeps = |edge: &RootMove<'_, M>| match proof.get() {
        None => !edge.is_loss(),
        Some(Proven { value: 0, .. }) => edge.proof().get().is_some_and(|proven| proven.value == 0),
        Some(_) => edge.proof() == best,
    };
    let shared_out = |weights: Vec<f32>| {
        let total: f32 = edges.iter().zip(&weights).filter(|(e, _)| keeps(e)).map(|(_, w)| w).sum();
        let share = |(edge, weight)| if keeps(edge) { weight / total } else { 0.0 };
        (total > 0.0).then(|| edges.iter().zip(weights).map(share).collect::<Vec<f32>>())
    };
    let priors = || tree.priors(ROOT).to_vec();
    let weights = match (proof.is_known(), config.root) {
        (true, _) => priors(),
        (false, RootSelection::Gumbel) => gumbel::improved_policy(tree, config),
        (false, RootSelection::Puct) => puct::pruned_visits(tree, config),
    };
    shared_out(weights)
        .or_else(|| shared_out(priors()))
        .or_else(|| shared_out(vec![1.0; edges.len()]))
        .expect("a root with moves keeps at least one of them")
}

/// The edge of the move to play.
fn best<M: Copy>(
    tree: &Tree<M>,
    edges: &[RootMove<'_, M>],
    root: &Root,
    config: &SearchConfig,
    completion: &Completion,
    target: &[f32],
) -> usize {
    let first_max = |score: &dyn Fn(usize) -> (f32, f32)| {
        (1..edges.len())
            .fold(0, |best, index| if score(index) > score(best) { index } else { best })
    };
    if tree.node(ROOT).proof.is_known() {
        return first_max(&|index| (target[index], 0.0));
    }
    match config.root {
        RootSelection::Gumbel => gumbel::select(tree, root, u32::MAX, config),
        RootSelection::Puct => first_max(&|index| match edges[index].is_loss() {
            true => (-1.0, 0.0),
            false => (edges[index].visits() as f32, completion.wdl(&edges[index]).value()),
        }),
    }
}
