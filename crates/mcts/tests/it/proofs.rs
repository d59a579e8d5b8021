//! Proven values.

use mcts::{Proven, RootSelection, SearchConfig, SearchResult, Wdl};

use crate::toy::search;

const ROOTS: [RootSelection; 2] = [RootSelection::Gumbel, RootSelection::Puct];

fn run(text: &str, simulations: u32, root: RootSelection) -> SearchResult<usize> {
    search(text, SearchConfig { simulations, root, ..SearchConfig::default() }).0
}

fn targets(result: &SearchResult<usize>) -> Vec<f32> {
    result.moves.iter().map(|stat| stat.target).collect()
}

#[test]
fn win_in_one_stops_the_search() {
    for root in ROOTS {
        let result = run("(0 W 0)", 100, root);
        assert_eq!(result.proven, Some(Proven { value: 1, plies: 1 }));
        assert_eq!((result.best, result.root_wdl), (1, Wdl::WIN));
        assert_eq!(targets(&result), [0.0, 1.0, 0.0]);
        assert!(result.simulations <= 4, "{}", result.simulations);
    }
}

#[test]
fn win_in_three_needs_an_answer_to_every_defence() {
    for root in ROOTS {
        let result = run("(0 ((W 0) (0 W)) 0)", 200, root);
        assert_eq!(result.proven, Some(Proven { value: 1, plies: 3 }));
        assert_eq!((result.best, result.root_wdl), (1, Wdl::WIN));
        assert!(result.simulations < 200);
        let open = run("(0 ((W 0) (0 0)) 0)", 200, root);
        assert_eq!((open.proven, open.simulations), (None, 200));
    }
}

#[test]
fn a_prover_ends_lines_at_their_leaves() {
    for root in ROOTS {
        let look = |text, leaf_mate| {
            search(text, SearchConfig { leaf_mate, root, ..SearchConfig::default() })
        };
        // At the root, before any simulation.
        let (result, leaves) = look("(0 0 W)", 1);
        assert_eq!((result.best, result.simulations, leaves.len()), (2, 0, 1));
        assert_eq!(result.proven, Some(Proven { value: 1, plies: 1 }));
        assert_eq!((targets(&result), result.moves[2].value), (vec![0.0, 0.0, 1.0], 1.0));
        let (result, leaves) = look("(0 0 ((W 0) (0 W)))", 3);
        assert_eq!((result.best, result.simulations, leaves.len()), (2, 0, 1));
        assert_eq!(result.proven, Some(Proven { value: 1, plies: 3 }));
        // Below: White to move at [0] mates in one, so no evaluation is asked for there.
        let (result, leaves) = look("((L 0) (0 0))", 1);
        assert_eq!(result.moves[0].proven, Some(Proven { value: -1, plies: 2 }));
        assert!(!leaves.contains(&vec![0]) && result.best == 1);
        // The only move loses: proven with the plies that the prover has seen.
        let (result, leaves) = look("((0 ((L 0) (0 L))))", 3);
        assert_eq!(result.proven, Some(Proven { value: -1, plies: 4 }));
        assert_eq!((result.simulations, leaves.len()), (1, 1));
    }
}

#[test]
fn without_proofs_an_end_is_a_value_and_no_more() {
    for root in ROOTS {
        let config = SearchConfig { root, proofs: false, leaf_mate: 1, ..SearchConfig::default() };
        let (result, _) = search("(0 W 0)", config);
        assert_eq!((result.proven, result.simulations, result.best), (None, 64, 1));
        assert_eq!(result.moves[1].value, 1.0);
        let (result, _) = search("((L 0) (0.1 0.1))", config);
        assert_eq!((result.proven, result.moves[0].value), (None, -1.0));
        assert_eq!((result.simulations, result.best), (64, 1));
        // All moves lose, and one has to be played.
        let (result, _) = search("(0.3*(L 0) 0.7*(0 L))", config);
        assert_eq!((result.proven, result.simulations), (None, 64));
        assert!(result.moves.iter().all(|mv| mv.value == -1.0), "{result:?}");
        let total: f32 = result.moves.iter().map(|mv| mv.target).sum();
        assert!((total - 1.0).abs() < 1e-6, "{result:?}");
    }
}

#[test]
fn loss_takes_the_longest_resistance() {
    for root in ROOTS {
        let result = run("((L 0) (((L 0))) L)", 200, root);
        assert_eq!(result.proven, Some(Proven { value: -1, plies: 4 }));
        assert_eq!((result.best, result.root_wdl), (1, Wdl::LOSS));
        assert_eq!(targets(&result), [0.0, 1.0, 0.0]);
    }
}

#[test]
fn draw_keeps_the_prior_over_the_moves_that_hold_it() {
    for root in ROOTS {
        let result = run("(0.2*D 0.5*(L 0) 0.3*(D))", 200, root);
        assert_eq!(result.proven, Some(Proven { value: 0, plies: 2 }));
        assert_eq!((result.best, result.root_wdl), (2, Wdl::DRAW));
        let target = targets(&result);
        assert!((target[0] - 0.4).abs() < 1e-6 && target[1] == 0.0, "{target:?}");
    }
}

#[test]
fn equally_short_wins_share_the_prior() {
    // Both wins are known only if the first visit goes to the longer one.
    let config = SearchConfig { gumbel_scale: 0.0, ..SearchConfig::default() };
    let (result, _) = search("(0.6*0 0.4*W)", config);
    assert_eq!(targets(&result), [0.0, 1.0]);
    let (result, _) = search("(W W)", config);
    assert_eq!((result.simulations, targets(&result)), (1, vec![1.0, 0.0]));
}

#[test]
fn a_lost_move_is_not_played_nor_searched_on() {
    for root in ROOTS {
        let result = run("(0.98*(0.5: 0.9*L 0.1*0) 0.01*0.2 0.01*0.1)", 64, root);
        assert_eq!(result.moves[0].proven, Some(Proven { value: -1, plies: 2 }));
        assert_eq!(result.moves[0].value, -1.0);
        assert!(result.moves[0].visits <= 2, "{root:?} {}", result.moves[0].visits);
        assert_eq!(result.moves[0].target, 0.0);
        assert_ne!(result.best, 0);
        assert_eq!(result.simulations, 64);
    }
}

#[test]
fn a_proven_draw_counts_as_exactly_zero() {
    for root in ROOTS {
        let result = run("(D 0.5)", 64, root);
        let draw = &result.moves[0];
        assert_eq!((draw.value, draw.proven), (0.0, Some(Proven { value: 0, plies: 1 })));
        assert_eq!(result.best, 0);
        assert!(draw.visits >= 32);
    }
}

#[test]
fn exact_values_replace_what_was_believed() {
    // The net believes in White (the side to move below the root) until the proof.
    for root in ROOTS {
        let result = run("((0.9: (-0.9: W) (-0.9: W)))", 64, root);
        assert_eq!(result.proven, Some(Proven { value: 1, plies: 3 }));
        assert_eq!((result.moves[0].value, result.root_wdl), (1.0, Wdl::WIN));
    }
}

#[test]
fn single_moves_to_the_end_are_proven() {
    for root in ROOTS {
        for (text, value) in [("((((W))))", 1), ("((((L))))", -1), ("((((D))))", 0)] {
            let result = run(text, 64, root);
            assert_eq!(result.proven, Some(Proven { value, plies: 4 }));
            assert_eq!((result.best, result.simulations), (0, 4));
        }
    }
}
