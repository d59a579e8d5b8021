//! Weights before training.

use crate::graph::Graph;
use crate::weights::Weights;
use rand::RngExt;
use rules::Seed;

impl Weights {
    /// The weights of an untrained net: each parameter by its [`Init`](crate::Init), from a
    /// stream of its own that depends on the seed and on its name alone.
    pub fn init(graph: &Graph, seed: Seed) -> Weights {
        let start = |param: &crate::Param| {
            let mut rng = seed.derive(&param.name, 0).rng();
            // Box and Muller 1958; 1 - u lies in (0, 1], so that the logarithm is finite.
            let normal = || {
                let (u, v): (f64, f64) = (rng.random(), rng.random());
                ((-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()) as f32
            };
            (param.name.clone(), param.start(normal))
        };
        graph.params.iter().map(start).collect()
    }
}
