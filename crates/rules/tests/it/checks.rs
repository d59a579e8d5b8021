//! The list of checks, and what is said of lost positions, against playing every move.

use rand_chacha::rand_core::Rng;
use rules::{Game, Move, Royalty, Seed, Variant};

use crate::conformance::random_games;
use crate::legal;
use crate::riders::riders;

/// Compares the answers on an unfinished game; returns how many checks and mates there were.
fn compare(game: &Game, moves: &[Move]) -> (usize, usize) {
    let mut game = game.clone();
    let free = game.variant().rules().royalty == Royalty::Capturable;
    let (mut expected, mut mates) = (Vec::new(), 0);
    for &mv in moves {
        game.play(mv);
        if free || game.in_check() {
            expected.push(mv);
        }
        let replies = legal(&game);
        let over = game.status(&mut Vec::new());
        if let Some(outcome) = over.filter(|_| game.is_lost()) {
            assert_eq!(outcome.winner, Some(!game.side_to_move()));
            mates += 1;
        } else if over.is_none() {
            assert!(!game.is_lost());
            assert_eq!(game.mobility(), replies.len());
        }
        game.undo();
    }
    let mut checks = Vec::new();
    assert_eq!(game.checks(&mut checks), None);
    let fen = game.position().to_fen(game.variant());
    assert_eq!(checks, expected, "{} {fen}", game.variant().id());
    (if free { 0 } else { checks.len() }, mates)
}

#[test]
fn checks_are_the_moves_after_which_the_king_is_attacked() {
    for id in Variant::builtin_ids() {
        let (mut checks, mut mates) = (0, 0);
        random_games(id, 12, |game, moves| {
            let found = compare(game, moves);
            checks += found.0;
            mates += found.1;
        });
        assert!(checks > 20 || *id == "dobutsu", "{id}: {checks}");
        assert!(mates > 0 || !["micro", "minishogi"].contains(id), "{id}");
    }
}

#[test]
fn checks_over_odd_paths_are_found() {
    let mut checks = 0;
    for number in 0..40 {
        let mut rng = Seed(3).derive("checks", number).rng();
        let mut game = Game::new(riders());
        loop {
            let moves = legal(&game);
            if moves.is_empty() {
                break;
            }
            checks += compare(&game, &moves).0;
            game.play(moves[(rng.next_u64() % moves.len() as u64) as usize]);
        }
    }
    assert!(checks > 1000, "{checks}");
}
