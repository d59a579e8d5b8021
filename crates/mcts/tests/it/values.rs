//! Signs of values, and the improved policy against its formula.

use mcts::{RootSelection, SearchConfig, SearchResult, fake::Hashed};
use rules::Seed;

use crate::toy::{Toy, search};

fn gumbel(simulations: u32) -> SearchConfig {
    SearchConfig { simulations, gumbel_scale: 0.0, ..SearchConfig::default() }
}

#[test]
fn each_ply_turns_the_sign() {
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        let config = SearchConfig { simulations: 1, root, ..SearchConfig::default() };
        // The child is White to move and good for White: bad for Black.
        let (result, _) = search("(0.1: 0.5)", config);
        assert_eq!((result.moves[0].value, result.root_wdl.value()), (-0.5, -0.5));
        assert!((result.net_wdl.value() - 0.1).abs() < 1e-6);
        let config = SearchConfig { simulations: 3, ..config };
        // Values -0.2 after one ply, +0.8 after two, and after three (White to move) -0.8.
        let (result, _) = search("((0.2: (0.8: 0.8)))", config);
        assert!((result.moves[0].value - (-0.2 + 0.8 - 0.8) / 3.0).abs() < 1e-6);
    }
}

#[test]
fn each_side_takes_what_is_good_for_itself() {
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        let config = SearchConfig { simulations: 400, root, ..SearchConfig::default() };
        // White answers move 0 with what is bad for Black; move 1 is even.
        let (result, _) = search("((0.8 -0.8) (0.1 0.1))", config);
        assert_eq!(result.best, 1);
        let [trap, even] = [&result.moves[0], &result.moves[1]];
        assert!(trap.value < -0.2 && even.value > -0.2, "{result:?}");
        assert!(even.target > 0.9 && trap.target < 0.1, "{result:?}");
    }
}

/// The formulas of the paper's appendix D and of mctx, in double precision and one by one.
#[expect(clippy::disallowed_methods, reason = "compared with a tolerance")]
fn reference(result: &SearchResult<usize>, config: &SearchConfig) -> Vec<f64> {
    let stats = &result.moves;
    let visited = || stats.iter().filter(|stat| stat.visits > 0);
    let total: f64 = visited().map(|stat| f64::from(stat.visits)).sum();
    let mass: f64 = visited().map(|stat| f64::from(stat.prior)).sum();
    let net = f64::from(result.net_wdl.value());
    let weighted: f64 =
        visited().map(|stat| f64::from(stat.prior) * f64::from(stat.value)).sum::<f64>();
    let mixed = if total == 0.0 { net } else { (net + total * weighted / mass) / (total + 1.0) };
    let completed: Vec<f64> = stats
        .iter()
        .map(|stat| if stat.visits > 0 { f64::from(stat.value) } else { mixed })
        .collect();
    let low = completed.iter().copied().fold(f64::INFINITY, f64::min);
    let high = completed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let most = stats.iter().map(|stat| stat.visits).max().unwrap();
    let scale = (f64::from(config.c_visit) + f64::from(most)) * f64::from(config.c_scale);
    let scores = stats.iter().zip(&completed).map(|(stat, q)| {
        let unit = match config.rescale {
            true => (q - low) / (high - low).max(1e-8),
            false => (q + 1.0) / 2.0,
        };
        (f64::from(stat.prior).ln() + scale * unit).exp()
    });
    let scores: Vec<f64> = scores.collect();
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

/// A bush of depth 3 that does not end.
const BUSH: &str = "(0.1: 0.5*(0.3: 0.4 -0.2 (0.5: 0.1 0.9)) 0.2*(-0.6: -0.1 -0.9) 0.1*0.25
    0.1*(0.7: 0.7 0.1) 0.05*-0.4 0.05*(0.2: 0.3 0.3))";

#[test]
fn improved_policy_is_that_of_the_formula() {
    for rescale in [true, false] {
        for simulations in [0, 1, 2, 3, 5, 8, 16, 31, 64, 200] {
            let config = SearchConfig { rescale, ..gumbel(simulations) };
            for considered in [1, 2, 4, 16] {
                let config = SearchConfig { considered, ..config };
                let (result, _) = search(BUSH, config);
                let expected = reference(&result, &config);
                for (stat, expected) in result.moves.iter().zip(&expected) {
                    let difference = (f64::from(stat.target) - expected).abs();
                    assert!(difference < 1e-4, "{simulations} {considered}: {difference}");
                }
            }
        }
    }
}

#[test]
fn targets_and_outcomes_sum_to_one() {
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        for simulations in 0..50 {
            let (result, _) = search(BUSH, SearchConfig { root, ..gumbel(simulations) });
            let sum: f32 = result.moves.iter().map(|stat| stat.target).sum();
            let wdl = result.root_wdl;
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-5, "{wdl:?}");
        }
    }
}

#[test]
fn without_simulations_the_target_is_the_policy() {
    let (result, leaves) = search(BUSH, gumbel(0));
    assert_eq!((result.best, leaves.len()), (0, 1));
    assert!((result.root_wdl.value() - result.net_wdl.value()).abs() < 1e-6);
    assert!(result.moves.iter().all(|stat| (stat.target - stat.prior).abs() < 1e-6));
}

#[test]
fn hashed_evaluations_are_distributions_and_depend_on_the_seed() {
    let mut outs = Vec::new();
    for seed in [1, 1, 2] {
        let state = Toy::new("(0 0 0)");
        let leaf = || mcts::Leaf { state: &state, moves: &[0, 1, 2] };
        let mut out = Vec::new();
        let mut evaluator = Hashed { seed: Seed(seed) };
        mcts::Evaluator::evaluate(&mut evaluator, &[leaf(), leaf()], &mut out).unwrap();
        assert_eq!(out[0], out[1]);
        assert!((out[0].policy.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let wdl = out[0].wdl;
        assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6);
        outs.push(out);
    }
    assert_eq!(outs[0], outs[1]);
    assert_ne!(outs[0], outs[2]);
}

/// Policy target pruning as the paper of KataGo tells it, one playout at a time.
fn pruned(result: &SearchResult<usize>, config: &SearchConfig) -> Vec<f32> {
    let total = 1 + result.simulations;
    let puct = |at: usize, visits: f32| {
        let stat = &result.moves[at];
        stat.value + config.c_puct * stat.prior * (total as f32).sqrt() / (1.0 + visits)
    };
    let visits: Vec<f32> = result.moves.iter().map(|stat| stat.visits as f32).collect();
    let most = (0..visits.len()).fold(0, |a, b| if visits[b] > visits[a] { b } else { a });
    let mut left = visits.clone();
    for at in (0..visits.len()).filter(|&at| at != most) {
        let forced = (config.forced_playouts * result.moves[at].prior * (total - 1) as f32).sqrt();
        let mut taken = 0.0;
        while taken + 1.0 <= forced
            && left[at] >= 1.0
            && puct(at, left[at] - 1.0) <= puct(most, visits[most])
        {
            left[at] -= 1.0;
            taken += 1.0;
        }
        if left[at] <= 1.0 {
            left[at] = 0.0;
        }
    }
    let sum: f32 = left.iter().sum();
    left.into_iter().map(|visits| visits / sum).collect()
}

#[test]
fn forced_playouts_are_made_and_leave_the_target() {
    let mut differ = 0;
    for simulations in [1, 2, 10, 50, 200, 400] {
        let plain = SearchConfig { root: RootSelection::Puct, ..gumbel(simulations) };
        let config = SearchConfig { forced_playouts: 2.0, ..plain };
        let (result, _) = search(BUSH, config);
        assert_eq!(result.moves.iter().map(|stat| stat.visits).sum::<u32>(), simulations);
        for (stat, expected) in result.moves.iter().zip(pruned(&result, &config)) {
            assert!((stat.target - expected).abs() < 1e-6, "{simulations}: {result:?}");
            let forced = (2.0 * stat.prior * (simulations - 1) as f32).sqrt();
            // Those that became due with the last simulations are still to come.
            assert!(stat.visits == 0 || stat.visits as f32 + 4.0 > forced, "{result:?}");
            let share = stat.visits as f32 / simulations as f32;
            differ += u32::from((stat.target - share).abs() > 0.01);
        }
        let best = result.moves.iter().max_by_key(|stat| stat.visits).unwrap().mv;
        assert_eq!(result.best, best);
    }
    assert!(differ > 5, "{differ}");
}

#[test]
fn root_temperature_and_noise_change_the_priors_of_the_root_alone() {
    let plain = SearchConfig { root: RootSelection::Puct, ..gumbel(100) };
    let priors = |config| -> Vec<f32> {
        search(BUSH, config).0.moves.iter().map(|stat| stat.prior).collect()
    };
    let before = priors(plain);
    assert_eq!(before, [0.5, 0.2, 0.1, 0.1, 0.05, 0.05].map(|p: f32| p / 1.0));
    let softened = priors(SearchConfig { root_temperature: 2.0, ..plain });
    let roots: Vec<f32> = before.iter().map(|p| p.sqrt()).collect();
    for (softened, root) in softened.iter().zip(&roots) {
        assert!((softened - root / roots.iter().sum::<f32>()).abs() < 1e-6);
    }
    let noisy = priors(SearchConfig { noise_fraction: 0.25, ..plain });
    assert!((noisy.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    assert!(noisy.iter().zip(&before).all(|(noisy, p)| *noisy >= 0.75 * p && noisy != p));
}
