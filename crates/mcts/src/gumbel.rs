//! The Gumbel root: sequential halving, completed Q, improved policy.
//!
//! Source: Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022 (below: the
//! paper), with the constants and the rescaling of its authors' library mctx.
//! Invariant: moves proven lost are treated as if they were illegal.

use rand_chacha::ChaCha8Rng;

use crate::{
    SearchConfig, Wdl,
    math::{double, exp, ln},
    puct::open_unit,
    root::{self, Root, RootMove},
    tree::{ROOT, Tree},
};

/// The order of visits of sequential halving (the paper's planning at the root, in the
/// form of mctx `get_sequence_of_considered_visits`): entry t is the number of visits that the move chosen in
/// simulation t has had so far. `considered` moves get floor(n / (ceil(log2 m) * moves left))
/// visits each, at least 1; then the better half stays, at least two moves, until the budget of
/// `simulations` is spent.
///
/// ```
/// assert_eq!(mcts::considered_visits(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
/// ```
pub fn considered_visits(considered: u32, simulations: u32) -> Vec<u32> {
    let mut sequence = Vec::new();
    fill_considered_visits(considered, simulations, &mut sequence);
    sequence
}

/// [`considered_visits`] into memory that is kept.
pub(crate) fn fill_considered_visits(considered: u32, simulations: u32, out: &mut Vec<u32>) {
    out.clear();
    if considered <= 1 {
        out.extend(0..simulations);
        return;
    }
    let rounds = considered.next_power_of_two().trailing_zeros();
    let (mut left, mut visits) = (considered, 0);
    while out.len() < simulations as usize {
        for _ in 0..(simulations / (rounds * left)).max(1) {
            out.extend(std::iter::repeat_n(visits, left as usize));
            visits += 1;
        }
        left = (left / 2).max(2);
    }
    out.truncate(simulations as usize);
}

/// Draws Gumbel(0) noise: -ln(-ln(u)).
pub(crate) fn draw(rng: &mut ChaCha8Rng) -> f32 {
    -double::ln(-double::ln(open_unit(rng))) as f32
}

/// The logit of a probability; that of 0 is very small but finite.
pub(crate) fn logit(prior: f32) -> f32 {
    ln(prior.max(f32::MIN_POSITIVE))
}

/// What the root knows of all its moves together. Values are from the root's side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    /// The mixed value of the paper (appendix D), outcome by outcome:
    /// (net + N * sum(prior * Q) / sum(prior)) / (1 + N), the sums over visited moves.
    mix: Wdl,
    low: f32,
    factor: f32,
}

impl Completion {
    pub(crate) fn new<M: Copy>(tree: &Tree<M>, config: &SearchConfig) -> Self {
        let (mut visits, mut max_visits, mut mass) = (0, 0, 0.0);
        let mut weighted = Wdl::default();
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut complete = true;
        for edge in root::moves(tree).filter(|edge| !edge.is_loss()) {
            let Some(mean) = edge.mean() else {
                complete = false;
                continue;
            };
            visits += edge.visits();
            max_visits = max_visits.max(edge.visits());
            let prior = edge.prior.max(f32::MIN_POSITIVE);
            mass += prior;
            weighted = weighted + mean * prior;
            low = low.min(mean.value());
            high = high.max(mean.value());
        }
        let net = tree.node(ROOT).net;
        let mix = match visits {
            0 => net,
            _ => (net + weighted * (visits as f32 / mass)) * (1.0 / (1.0 + visits as f32)),
        };
        if !complete {
            low = low.min(mix.value());
            high = high.max(mix.value());
        }
        let scale = (config.c_visit + max_visits as f32) * config.c_scale;
        let (low, factor) = match config.rescale {
            true => (low, scale / (high - low).max(1e-8)),
            false => (-1.0, 0.5 * scale),
        };
        Self { mix, low, factor }
    }

    /// The outcome expected of a move: exact if proven, its mean if visited, else the mixed value.
    pub(crate) fn wdl<M>(&self, edge: &RootMove<'_, M>) -> Wdl {
        edge.mean().unwrap_or(self.mix)
    }

    /// sigma(q) = (`c_visit` + max N) * `c_scale` * q, with q brought to `[0, 1]` (the paper; mctx
    /// `qtransform_completed_by_mix_value`).
    pub(crate) fn sigma(&self, value: f32) -> f32 {
        (value - self.low) * self.factor
    }
}

/// The next move of sequential halving: the one with the greatest g + logit + sigma(completed Q)
/// among those that this search has visited `considered` times (mctx `score_considered`). Where
/// proofs have taken all of these away, the nearest smaller number of visits counts, or else the
/// nearest greater.
pub(crate) fn select<M: Copy>(
    tree: &Tree<M>,
    root: &Root,
    considered: u32,
    config: &SearchConfig,
) -> usize {
    let completion = Completion::new(tree, config);
    let live = || root::moves(tree).zip(&root.fresh).enumerate().filter(|(_, (e, _))| !e.is_loss());
    let fresh = || live().map(|(_, (_, &fresh))| fresh);
    let standing = fresh().filter(|&n| n <= considered).max().or_else(|| fresh().min());
    let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
    for (slot, (edge, _)) in live().filter(|(_, (_, fresh))| Some(**fresh) == standing) {
        let score = root.noisy_logits[slot] + completion.sigma(completion.wdl(&edge).value());
        if score > best_score {
            (best, best_score) = (slot, score);
        }
    }
    best
}

/// The improved policy softmax(logits + sigma(completed Q)) (the paper), unnormalised;
/// 0 for moves proven lost.
pub(crate) fn improved_policy<M: Copy>(tree: &Tree<M>, config: &SearchConfig) -> Vec<f32> {
    let completion = Completion::new(tree, config);
    let scores = root::moves(tree).map(|edge| match edge.is_loss() {
        true => f32::NEG_INFINITY,
        false => logit(edge.prior) + completion.sigma(completion.wdl(&edge).value()),
    });
    let scores: Vec<f32> = scores.collect();
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.into_iter().map(|score| exp(score - top)).collect()
}

#[cfg(test)]
mod tests {
    use super::considered_visits;

    /// Runs of equal numbers as (visits, moves).
    fn runs(considered: u32, simulations: u32) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for visits in considered_visits(considered, simulations) {
            match runs.last_mut() {
                Some((last, moves)) if *last == visits => *moves += 1,
                _ => runs.push((visits, 1)),
            }
        }
        runs
    }

    /// The pairs (m, n) of mctx's own tests, and the paper's m = 16 with n = 200.
    #[test]
    fn schedule_is_that_of_the_paper() {
        assert_eq!(runs(8, 24), [(0, 8), (1, 4), (2, 4), (3, 2), (4, 2), (5, 2), (6, 2)]);
        assert_eq!(runs(8, 2), [(0, 2)]);
        assert_eq!(runs(8, 13), [(0, 8), (1, 4), (2, 1)]);
        let expected = [(0, 7), (1, 3), (2, 3), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2), (8, 1)];
        assert_eq!(runs(7, 24), expected);
        let long = runs(8, 47);
        assert_eq!(long[..4], [(0, 8), (1, 4), (2, 4), (3, 4)]);
        assert_eq!((long[4], long[17]), ((4, 2), (17, 1)));
        let halving = runs(16, 200);
        assert_eq!(halving[..3], [(0, 16), (1, 16), (2, 16)]);
        assert_eq!(halving[3..9], [(3, 8), (4, 8), (5, 8), (6, 8), (7, 8), (8, 8)]);
        assert!(halving[9..21].iter().all(|&(_, moves)| moves == 4));
        assert!(halving[21..].iter().all(|&(_, moves)| moves <= 2));
    }

    #[test]
    fn schedule_has_the_length_of_the_budget() {
        for considered in 0..40 {
            for simulations in [0, 1, 2, 7, 24, 100] {
                let length = considered_visits(considered, simulations).len();
                assert_eq!(length, simulations as usize);
            }
        }
    }
}
