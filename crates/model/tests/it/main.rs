//! Tests of the public interface of `model`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod fold;
mod graph;
mod reference;
mod store;

use model::{Graph, NetConfig, NetShape, Weights};
use rand::RngExt;
use rules::Seed;

/// A small net with every operation and odd sizes.
pub(crate) fn small() -> (Graph, Weights) {
    let config = NetConfig {
        blocks: 2,
        channels: 6,
        pool_every: 1,
        policy_channels: 5,
        value_channels: 4,
        value_hidden: 7,
        value_flat_channels: 2,
    };
    let graph = Graph::build(&config, &shape(), &gather(&shape())).unwrap();
    let weights = random(&graph, Seed(3));
    (graph, weights)
}

pub(crate) fn shape() -> NetShape {
    NetShape { planes: 5, ranks: 4, files: 3, head_planes: 3, policy_len: 20 }
}

/// A table that skips and repeats places.
pub(crate) fn gather(shape: &NetShape) -> Vec<u32> {
    let end = (shape.head_planes * shape.squares()) as u32;
    (0..shape.policy_len as u32).map(|i| (i * 7 + 3) % end).collect()
}

/// Weights without any zero, so that no parameter can be overlooked.
pub(crate) fn random(graph: &Graph, seed: Seed) -> Weights {
    let mut weights = Weights::init(graph, seed);
    let mut rng = seed.derive("test", 0).rng();
    for param in &graph.params {
        let tensor = weights.get_mut(&param.name).unwrap();
        tensor.data_mut().iter_mut().for_each(|x| *x += 0.2 * (rng.random::<f32>() - 0.5));
    }
    weights
}

/// Inputs in -1..1.
pub(crate) fn planes(graph: &Graph, batch: usize) -> Vec<f32> {
    let mut rng = Seed(9).rng();
    (0..batch * graph.shape.input_len()).map(|_| 2.0 * rng.random::<f32>() - 1.0).collect()
}
