//! Nets and games for the tests.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use encode::Encoder;
use inference::{Runtime, net_shape};
use model::{Graph, NetConfig, NetShape, Weights, onnx};
use rand::RngExt;
use rules::{Game, Seed, Variant};

/// Where the library is.
pub(crate) fn library() -> PathBuf {
    env!("ORT_DYLIB_PATH", "run scripts/fetch-libs first").into()
}

pub(crate) fn runtime() -> Runtime {
    Runtime::load(&library()).expect("scripts/fetch-libs has been run")
}

pub(crate) fn encoder() -> Arc<Encoder> {
    Arc::new(Encoder::new(Variant::builtin("micro").expect("built in")))
}

/// A small untrained net for the encoder's variant.
pub(crate) struct Net {
    pub(crate) graph: Graph,
    pub(crate) weights: Weights,
    pub(crate) shape: NetShape,
    pub(crate) onnx: Vec<u8>,
}

pub(crate) fn net(encoder: &Encoder, seed: u64) -> Net {
    let shape = net_shape(encoder);
    let config = NetConfig { blocks: 1, channels: 8, ..NetConfig::default() };
    let gather = encoder.vocabulary().head_gather();
    let graph = Graph::build(&config, &shape, gather).expect("a valid net");
    let mut weights = Weights::init(&graph, Seed(seed));
    // Output layers start at zero; give every layer something to say.
    let names: Vec<String> = weights.iter().map(|(name, _)| name.to_string()).collect();
    let mut rng = Seed(seed).derive("noise", 0).rng();
    for name in names {
        let tensor = weights.get_mut(&name).expect("listed");
        tensor.data_mut().iter_mut().for_each(|x| *x += rng.random_range(-0.1..0.1));
    }
    let (graph, weights) = graph.folded(&weights).expect("a valid net");
    let onnx = onnx::write(&graph, &weights, &BTreeMap::new(), onnx::Style::default())
        .expect("a folded net");
    Net { graph, weights, shape, onnx }
}

/// Positions of a random game, each a game of its own, with their legal moves.
pub(crate) fn positions(count: usize) -> Vec<(Game, Vec<rules::Move>)> {
    let mut rng = Seed(5).derive("positions", 0).rng();
    let variant = Variant::builtin("micro").expect("built in");
    let mut out = Vec::new();
    while out.len() < count {
        let mut game = Game::new(Arc::clone(&variant));
        let mut moves = Vec::new();
        while out.len() < count && game.status(&mut moves).is_none() {
            out.push((game.clone(), moves.clone()));
            game.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    out
}
