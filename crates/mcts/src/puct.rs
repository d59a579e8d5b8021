//! PUCT selection inside the tree, and the noise for a PUCT root.
//!
//! Invariant: a move proven lost is never selected; a node whose moves are all lost is itself
//! proven and therefore never asked.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{SearchConfig, tree::Edge};

/// The move that maximises Q + `c_puct` * P * sqrt(N) / (1 + n): Silver et al. 2018, where N are the
/// visits of the node, its own evaluation included. Q of a move is its mean value or its
/// proven one; of an unvisited move, `value` - `fpu_reduction` * sqrt(prior mass visited).
/// `value` is the node's mean, from its side to move. Ties go to the first move.
pub(crate) fn select<M>(
    edges: &[Edge<M>],
    visits: u32,
    value: f32,
    config: &SearchConfig,
) -> usize {
    let exploration = config.c_puct * (visits as f32).sqrt();
    let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
    // Unvisited moves have one Q and one denominator, so only their greatest prior counts.
    let (mut fresh, mut fresh_prior) = (0, f32::NEG_INFINITY);
    let mut visited_mass = 0.0;
    for (index, edge) in edges.iter().enumerate() {
        if edge.visits == 0 {
            if edge.prior > fresh_prior {
                (fresh, fresh_prior) = (index, edge.prior);
            }
            continue;
        }
        visited_mass += edge.prior;
        if edge.proof.is_loss() {
            continue;
        }
        let visits = edge.visits as f32;
        // A known proof that is no loss is a draw: with a win the node would be proven.
        let q = if edge.proof.is_known() { 0.0 } else { edge.value_sum / visits };
        let score = q + exploration * edge.prior / (1.0 + visits);
        if score > best_score {
            (best, best_score) = (index, score);
        }
    }
    let fresh_score =
        value - config.fpu_reduction * visited_mass.sqrt() + exploration * fresh_prior;
    if fresh_score > best_score { fresh } else { best }
}

/// Mixes Dirichlet noise into the priors of the root: (1 - fraction) * P + fraction * noise,
/// with `noise_concentration` / (number of moves) as the parameter of each move.
pub(crate) fn add_noise<M>(edges: &mut [Edge<M>], config: &SearchConfig, rng: &mut ChaCha8Rng) {
    let alpha = f64::from(config.noise_concentration) / edges.len() as f64;
    let noise: Vec<f64> = edges.iter().map(|_| gamma(alpha, rng)).collect();
    let total: f64 = noise.iter().sum();
    if total <= 0.0 {
        return;
    }
    for (edge, noise) in edges.iter_mut().zip(noise) {
        let share = (noise / total) as f32;
        edge.prior += config.noise_fraction * (share - edge.prior);
    }
}

/// A draw from Gamma(alpha, 1): Marsaglia and Tsang, "A simple method for generating gamma
/// variables", 2000, with their boost for alpha < 1.
fn gamma(alpha: f64, rng: &mut ChaCha8Rng) -> f64 {
    let d = alpha.max(0.0) + if alpha < 1.0 { 1.0 } else { 0.0 } - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    let boost = if alpha < 1.0 { open_unit(rng).powf(1.0 / alpha) } else { 1.0 };
    loop {
        let normal =
            (-2.0 * open_unit(rng).ln()).sqrt() * (std::f64::consts::TAU * open_unit(rng)).cos();
        let v = (1.0 + c * normal).powi(3);
        if v > 0.0 && open_unit(rng).ln() < 0.5 * normal * normal + d * (1.0 - v + v.ln()) {
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
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
            assert!((mean - alpha).abs() < 0.05 * alpha.max(1.0), "{alpha}: {mean}");
            assert!((variance - alpha).abs() < 0.1 * alpha.max(1.0), "{alpha}: {variance}");
        }
    }
}
