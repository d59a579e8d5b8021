//! Tests of the public interface of `net`: libtorch against the reference executor and against
//! ONNX Runtime, gradients, and weights coming and going.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod backend;
mod module;

use model::{Graph, NetConfig, NetShape, Weights};
use rand::RngExt;
use rules::Seed;

/// A net with every operation, with no parameter at a special value.
pub(crate) fn net() -> (Graph, Weights) {
    let shape = NetShape { planes: 10, ranks: 4, files: 5, head_planes: 6, policy_len: 70 };
    let gather: Vec<u32> = (0..70).map(|i| (i * 7 + 3) % 120).collect();
    net_of(&shape, &gather, 16)
}

/// The same for other boards, planes and moves.
pub(crate) fn net_of(shape: &NetShape, gather: &[u32], channels: usize) -> (Graph, Weights) {
    let config = NetConfig {
        blocks: 2,
        channels,
        pool_every: 1,
        policy_channels: 8,
        value_channels: 8,
        value_hidden: 12,
        value_flat_channels: 2,
    };
    let graph = Graph::build(&config, shape, gather).unwrap();
    let mut weights = Weights::init(&graph, Seed(3));
    let mut rng = Seed(4).rng();
    for param in &graph.params {
        let tensor = weights.get_mut(&param.name).unwrap();
        tensor.data_mut().iter_mut().for_each(|x| *x += 0.2 * (rng.random::<f32>() - 0.5));
    }
    (graph, weights)
}

/// Inputs in -1..1.
pub(crate) fn planes(graph: &Graph, batch: usize) -> Vec<f32> {
    let mut rng = Seed(batch as u64).rng();
    (0..batch * graph.shape.input_len()).map(|_| 2.0 * rng.random::<f32>() - 1.0).collect()
}

/// Asserts that all numbers differ by less than 1e-4.
pub(crate) fn assert_near(what: &str, a: &[f32], b: &[f32]) {
    assert_eq!(a.len(), b.len(), "{what}");
    let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 1e-4, "{what}: {worst}");
    assert!(a.iter().any(|x| x.abs() > 1e-3), "{what}: nothing but zeros was compared");
}
