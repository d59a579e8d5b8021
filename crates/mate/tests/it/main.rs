//! Tests of the public API of `mate`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod brute;
mod leaf;
mod problems;
mod repetition;
mod solver;

use rules::{Game, Move, Seed, Variant};

/// Plays random games and shows every unfinished position to `look`, without its history, until it
/// has seen `positions`. Checks are preferred now and then, so that there is something to find.
fn random_positions(id: &str, positions: usize, mut look: impl FnMut(&mut Game)) {
    let variant = Variant::builtin(id).unwrap();
    let (mut seen, mut moves, mut checks) = (0, Vec::new(), Vec::new());
    for number in 0.. {
        let mut game = Game::new(variant.clone());
        let seed = Seed(11).derive(id, number);
        while game.status(&mut moves).is_none() && game.ply() < 150 {
            if seen == positions {
                return;
            }
            seen += 1;
            look(&mut Game::from_position(variant.clone(), game.position().clone()));
            game.checks(&mut checks);
            let draw = seed.derive("move", game.ply() as u64).0;
            let from: &[Move] = if draw & 3 == 0 && !checks.is_empty() { &checks } else { &moves };
            game.play(from[(draw >> 8) as usize % from.len()]);
        }
    }
}
