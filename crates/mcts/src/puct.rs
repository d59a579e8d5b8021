//! PUCT at the root: what is done to the priors before, and what forced playouts add after.
//!
//! Selection itself is [`Tree::select`](crate::tree::Tree::select).

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{
    SearchConfig,
    math::{double, exp, ln},
    root,
    tree::{Puct, ROOT, Tree},
};

impl SearchConfig {
    /// The part that selection inside the tree needs.
    pub(crate) fn puct(&self) -> Puct {
        Puct { c_puct: self.c_puct, fpu_reduction: self.fpu_reduction }
    }
}

/// Raises the priors of the root to the power 1 / `temperature` and brings their sum back to 1: the
/// root policy temperature of Wu, "Accelerating self-play learning in Go", 2019 (KataGo; 1.03 to
/// 1.25 there).
pub(crate) fn soften(priors: &mut [f32], temperature: f32) {
    // Relative to the greatest, which becomes 1: nothing can underflow altogether.
    let most = priors.iter().copied().fold(0.0, f32::max);
    if most <= 0.0 {
        return;
    }
    let mut sum = 0.0;
    for prior in priors.iter_mut().filter(|prior| **prior > 0.0) {
        *prior = exp(ln(*prior / most) / temperature);
        sum += *prior;
    }
    priors.iter_mut().for_each(|prior| *prior /= sum);
}

/// Mixes Dirichlet noise into the priors of the root: (1 - fraction) * P + fraction * noise, with
/// `noise_concentration` / (number of moves) as the parameter of each move: Silver et al. 2018 for
/// the noise, Wu 2019 (KataGo) for a total that is shared out.
pub(crate) fn add_noise(priors: &mut [f32], config: &SearchConfig, rng: &mut ChaCha8Rng) {
    let alpha = f64::from(config.noise_concentration) / priors.len() as f64;
    let noise: Vec<f64> = priors.iter().map(|_| gamma(alpha, rng)).collect();
    let total: f64 = noise.iter().sum();
    if total <= 0.0 {
        return;
    }
    for (prior, noise) in priors.iter_mut().zip(noise) {
        let share = (noise / total) as f32;
        *prior += config.noise_fraction * (share - *prior);
    }
}

/// Visits that a root move with this prior gets at least, once it has any, among `total`:
/// sqrt(k * P * N), Wu 2019, section 3.2, with k = `forced_playouts`.
fn least_visits(prior: f32, total: u32, config: &SearchConfig) -> f32 {
    (config.forced_playouts * prior * total as f32).sqrt()
}

/// The first root move with fewer visits than are forced on it, if there is one.
pub(crate) fn forced<M: Copy>(tree: &Tree<M>, config: &SearchConfig) -> Option<usize> {
    if config.forced_playouts <= 0.0 {
        return None;
    }
    let node = tree.node(ROOT);
    let total = (node.visits + node.waiting).saturating_sub(1);
    let edges = tree.children(ROOT).iter().zip(tree.priors(ROOT));
    edges.enumerate().filter(|&(_, (&child, _))| child != ROOT).find_map(
        |(slot, (&child, prior))| {
            let child = tree.node(child);
            let visits = child.visits + child.waiting;
            let short = visits > 0 && (visits as f32) < least_visits(*prior, total, config);
            (short && !child.proof.is_win()).then_some(slot)
        },
    )
}

/// Visits of the root moves less those that were only forced (policy target pruning, Wu 2019,
/// section 3.2): from every move but the most visited one, up to the forced number is taken, as long
/// as its PUCT score stays below that of the most visited; what is left with a single visit is taken
/// altogether. Without forced playouts, the visits.
pub(crate) fn pruned_visits<M: Copy>(tree: &Tree<M>, config: &SearchConfig) -> Vec<f32> {
    let edges: Vec<_> = root::moves(tree).collect();
    let mut visits: Vec<f32> = edges.iter().map(|edge| edge.visits() as f32).collect();
    let most = (0..visits.len()).fold(0, |a, b| if visits[b] > visits[a] { b } else { a });
    if config.forced_playouts <= 0.0 || edges[most].mean().is_none() {
        return visits;
    }
    let total = tree.node(ROOT).visits;
    let exploration = config.c_puct * (total as f32).sqrt();
    let value = |slot: usize| edges[slot].mean().map_or(-1.0, |wdl| wdl.value());
    let bound = value(most) + exploration * edges[most].prior / (1.0 + visits[most]);
    for slot in (0..edges.len()).filter(|&slot| slot != most && edges[slot].visits() > 0) {
        let prior = edges[slot].prior;
        // PUCT stays at or below the bound for as many visits or more.
        let gap = bound - value(slot);
        let needed =
            if gap > 0.0 { (exploration * prior / gap - 1.0).max(0.0) } else { f32::INFINITY };
        let least = visits[slot] - least_visits(prior, total - 1, config);
        visits[slot] = visits[slot].min(needed.max(least).ceil());
        if visits[slot] <= 1.0 {
            visits[slot] = 0.0;
        }
    }
    visits
}

/// A draw from Gamma(alpha, 1): Marsaglia and Tsang, "A simple method for generating gamma
/// variables", 2000, with their boost for alpha < 1.
fn gamma(alpha: f64, rng: &mut ChaCha8Rng) -> f64 {
    let d = alpha.max(0.0) + if alpha < 1.0 { 1.0 } else { 0.0 } - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    let boost = if alpha < 1.0 { double::pow(open_unit(rng), 1.0 / alpha) } else { 1.0 };
    loop {
        let radius = (-2.0 * double::ln(open_unit(rng))).sqrt();
        let normal = radius * double::cos(std::f64::consts::TAU * open_unit(rng));
        let root = 1.0 + c * normal;
        let v = root * root * root;
        let bound = 0.5 * normal * normal + d * (1.0 - v + double::ln(v));
        if v > 0.0 && double::ln(open_unit(rng)) < bound {
            return d * v * boost;
        }
    }
}

/// A draw from the open interval (0, 1).
pub(crate) fn open_unit(rng: &mut ChaCha8Rng) -> f64 {
    (f64::from(rng.random::<u32>()) + 0.5) / 4_294_967_296.0
}

#[cfg(test)]
mod tests {
    use rules::Seed;

    use super::*;

    #[test]
    fn gamma_has_its_mean_and_variance() {
        for alpha in [0.3, 1.0, 4.5] {
            let mut rng = Seed(3).rng();
            let draws: Vec<f64> = (0..20_000).map(|_| gamma(alpha, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 20_000.0;
            assert!((mean - alpha).abs() < 0.05 * alpha.max(1.0), "{alpha}: {mean}");
            assert!((variance - alpha).abs() < 0.1 * alpha.max(1.0), "{alpha}: {variance}");
        }
    }
}
