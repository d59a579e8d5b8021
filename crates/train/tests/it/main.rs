//! Training on random games of micro-shogi.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod checkpoint;
mod learning;
mod order;
mod targets;

use std::sync::Arc;

use encode::Encoder;
use model::{Graph, NetConfig, NetShape, Weights};
use rand::{Rng, RngExt};
use records::{GameRecord, PlyRecord};
use rules::{Color, Game, Move, Seed, Termination, Variant};
use train::{Curve, Dataset, Plan, TrainConfig, Trainer};

fn encoder() -> Arc<Encoder> {
    Arc::new(Encoder::new(Variant::builtin("micro").unwrap()))
}

fn distribution(rng: &mut impl Rng, len: usize) -> Vec<f32> {
    let weights: Vec<f32> = (0..len).map(|_| rng.random_range(0.01..1.0)).collect();
    let sum: f32 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

fn wdl(rng: &mut impl Rng) -> [f32; 3] {
    distribution(rng, 3).try_into().unwrap()
}

/// A move at random with made-up search results; some plies are proven, quick, or without a target.
fn ply(rng: &mut impl Rng, moves: &[Move]) -> PlyRecord {
    let targets = if rng.random_bool(0.1) { 0 } else { moves.len() };
    PlyRecord {
        mv: moves[rng.random_range(0..moves.len())].bits(),
        generation: 0,
        simulations: 1,
        full_search: rng.random_bool(0.9),
        policy_moves: moves[..targets].iter().map(|mv| mv.bits()).collect(),
        policy_target: distribution(rng, targets),
        visits: Vec::new(),
        root_wdl: wdl(rng),
        net_wdl: wdl(rng),
        proven: rng.random_bool(0.1).then(|| (rng.random_range(-1..=1), 3)),
        played_probability: 1.0 / moves.len() as f32,
    }
}

/// A random game of at most 40 plies after a random opening of up to 3.
fn random_game(variant: &Arc<Variant>, game_id: u64) -> GameRecord {
    let mut rng = Seed(game_id).derive("test.game", 0).rng();
    let mut game = Game::new(Arc::clone(variant));
    let mut moves = Vec::new();
    let mut start_moves = Vec::new();
    for _ in 0..rng.random_range(0..4) {
        assert!(game.status(&mut moves).is_none());
        let mv = moves[rng.random_range(0..moves.len())];
        start_moves.push(mv.bits());
        game.play(mv);
    }
    let mut plies = Vec::new();
    let mut outcome = None;
    while plies.len() < 40 {
        outcome = game.status(&mut moves);
        if outcome.is_some() {
            break;
        }
        let ply = ply(&mut rng, &moves);
        game.play(Move::from_bits(ply.mv));
        plies.push(ply);
    }
    let winner = outcome.and_then(|outcome| outcome.winner);
    GameRecord {
        game_id,
        producer: "test".to_owned(),
        variant: variant.id().to_owned(),
        board_fingerprint: variant.board_fingerprint().to_string(),
        rules_fingerprint: variant.rules_fingerprint().to_string(),
        seed: game_id,
        start: variant.start().to_fen(variant),
        start_moves,
        outcome: match winner {
            Some(Color::Black) => "first",
            Some(Color::White) => "second",
            None => "draw",
        }
        .to_owned(),
        termination: outcome.map_or(Termination::MoveLimit, |o| o.termination).as_str().to_owned(),
        plies,
    }
}

fn random_games(encoder: &Encoder, ids: std::ops::Range<u64>) -> Vec<GameRecord> {
    ids.map(|id| random_game(encoder.variant(), id)).collect()
}

/// Chunks of 4 random games each.
fn dataset(encoder: &Arc<Encoder>, chunks: u64) -> Dataset {
    let mut dataset = Dataset::new(Arc::clone(encoder));
    for chunk in 0..chunks {
        dataset.add(chunk, &random_games(encoder, chunk * 4..chunk * 4 + 4)).unwrap();
    }
    dataset
}

fn plan(dataset: &Dataset, steps: u64, batch: usize) -> Plan {
    Plan {
        phase: 0,
        start_step: 0,
        steps,
        lr_start: 3e-3,
        lr_end: 1e-3,
        curve: Curve::Linear,
        seed: u64::MAX - 5,
        config: TrainConfig { batch, ..TrainConfig::default() },
        window: dataset.manifest(),
    }
}

fn tiny_net(encoder: &Encoder) -> (Graph, Weights) {
    let shape = NetShape {
        planes: encoder.planes(),
        ranks: encoder.ranks(),
        files: encoder.files(),
        head_planes: encoder.vocabulary().head_planes(),
        policy_len: encoder.vocabulary().len(),
    };
    let config = NetConfig { blocks: 1, channels: 16, ..NetConfig::default() };
    let graph = Graph::build(&config, &shape, encoder.vocabulary().head_gather()).unwrap();
    let weights = Weights::init(&graph, Seed(7));
    (graph, weights)
}

fn trainer(encoder: &Encoder) -> Trainer {
    train::set_threads(1);
    let (graph, weights) = tiny_net(encoder);
    Trainer::new(&graph, &weights, tch::Device::Cpu).unwrap()
}
