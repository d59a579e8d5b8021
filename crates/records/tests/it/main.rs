//! Records against the file system, damage and other programs' habits.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod codec;
mod damage;
mod store;
mod variants;
mod window;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use records::{GameRecord, PlyRecord};

fn wdl(rng: &mut impl Rng) -> [f32; 3] {
    let win = rng.random_range(0.0..0.5);
    let draw = rng.random_range(0.0..0.5);
    [win, draw, 1.0 - win - draw]
}

fn ply(rng: &mut impl Rng, generation: u32) -> PlyRecord {
    let moves = rng.random_range(0..6usize);
    let weights: Vec<f32> = (0..moves).map(|_| rng.random_range(0.1..1.0)).collect();
    let sum: f32 = weights.iter().sum();
    PlyRecord {
        mv: rng.random_range(0..1 << 12),
        generation,
        simulations: rng.random_range(1..100),
        full_search: rng.random(),
        policy_moves: (0..moves as u32).map(|i| i * 7 + 1).collect(),
        policy_target: weights.iter().map(|w| w / sum).collect(),
        visits: if rng.random() { vec![3; moves] } else { Vec::new() },
        root_wdl: wdl(rng),
        net_wdl: wdl(rng),
        proven: rng.random_bool(0.2).then(|| (rng.random_range(-1..=1), rng.random_range(0..50))),
        played_probability: rng.random_range(0.0..1.0),
    }
}

/// A record that is valid in form; its moves belong to no game.
fn game(game_id: u64) -> GameRecord {
    let mut rng = ChaCha8Rng::seed_from_u64(game_id);
    let plies = rng.random_range(0..12);
    GameRecord {
        game_id,
        producer: "test".to_owned(),
        variant: "micro".to_owned(),
        board_fingerprint: "b0".repeat(32),
        rules_fingerprint: "c0".repeat(32),
        seed: rng.random(),
        start: "4k/5/5/5/5 w - - 0 1".to_owned(),
        start_moves: (0..rng.random_range(0..3)).collect(),
        outcome: ["first", "second", "draw"][rng.random_range(0..3)].to_owned(),
        termination: TERMINATION.to_owned(),
        plies: (0..plies).map(|i| ply(&mut rng, i / 4)).collect(),
    }
}

const TERMINATION: &str = "checkmate";

fn games(ids: std::ops::Range<u64>) -> Vec<GameRecord> {
    ids.map(game).collect()
}
