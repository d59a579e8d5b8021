//! The one net of the project: a residual tower with policy and value heads.
//!
//! A block is `x = relu(x + conv2(relu(conv1(x))))`; that order costs two fused operations a block
//! where a pre-activated one costs three. There is no normalisation layer: kernels are standardised
//! and have a gain, chosen so that the variance stays near 1 at the start, and smaller by
//! `1/sqrt(blocks)` at the end of a residual branch (Brock et al. 2021,
//! <https://arxiv.org/abs/2101.08692>). A block with global pooling adds a linear image of the mean
//! and maximum of `x` to every square after `conv1` (Wu 2019, <https://arxiv.org/abs/1902.10565>,
//! section 3.3, without its own convolution before the pooling).

use crate::config::{NetConfig, NetShape};
use crate::graph::{Graph, GraphError, Init, Node, Op, Param, TensorId, head};

/// `sqrt(2 / (1 - 1/pi))`: keeps the variance through a ReLU and a kernel of zero mean.
const RELU_GAIN: f32 = 1.712_858;

impl Graph {
    /// The net of `config` for a game of sizes `shape`. `head_gather` has `shape.policy_len`
    /// entries; see [`Graph::gather`].
    ///
    /// # Errors
    /// A size out of range, or a gather table that does not fit.
    pub fn build(
        config: &NetConfig,
        shape: &NetShape,
        head_gather: &[u32],
    ) -> Result<Graph, GraphError> {
        config.validate()?;
        shape.validate()?;
        let mut builder = Builder {
            graph: Graph {
                shape: shape.clone(),
                gather: head_gather.to_vec(),
                nodes: Vec::new(),
                params: Vec::new(),
                outputs: Vec::new(),
            },
        };
        let trunk = builder.tower(config);
        builder.policy_heads(config, trunk);
        builder.value_heads(config, trunk);
        builder.graph.check()?;
        Ok(builder.graph)
    }
}

struct Builder {
    graph: Graph,
}

/// A kernel before its gain is applied.
#[derive(Clone, Copy)]
struct Kernel {
    inputs: usize,
    outputs: usize,
    size: usize,
}

impl Builder {
    fn tower(&mut self, config: &NetConfig) -> TensorId {
        let channels = config.channels;
        let entry = Kernel { inputs: self.graph.shape.planes, outputs: channels, size: 3 };
        let same = Kernel { inputs: channels, outputs: channels, size: 3 };
        let mut x = self.conv("entry", TensorId::INPUT, entry, Some(RELU_GAIN));
        x = self.relu(x);
        for block in 0..config.blocks {
            let name = format!("tower.{block}");
            let mut y = self.conv(&format!("{name}.conv1"), x, same, Some(RELU_GAIN));
            if config.pools(block) {
                let pooled = self.push(Op::Pool, &[x]);
                let kernel = Kernel { inputs: 2 * channels, outputs: channels, size: 1 };
                let bias = self.conv(&format!("{name}.pool"), pooled, kernel, None);
                y = self.push(Op::Add, &[y, bias]);
            }
            y = self.relu(y);
            let gain = RELU_GAIN / (config.blocks as f32).sqrt();
            y = self.conv(&format!("{name}.conv2"), y, same, Some(gain));
            y = self.push(Op::Add, &[y, x]);
            x = self.relu(y);
        }
        x
    }

    fn policy_heads(&mut self, config: &NetConfig, trunk: TensorId) {
        let channels = config.policy_channels;
        let kernel = Kernel { inputs: config.channels, outputs: channels, size: 1 };
        let hidden = self.conv("policy_hidden", trunk, kernel, Some(RELU_GAIN));
        let hidden = self.relu(hidden);
        for name in [head::POLICY, head::REPLY, head::SOFT_POLICY] {
            let outputs = self.graph.shape.head_planes;
            let logits =
                self.conv(name, hidden, Kernel { inputs: channels, outputs, size: 1 }, None);
            let output = self.push(Op::Gather, &[logits]);
            self.graph.outputs.push((name.to_owned(), output));
        }
    }

    fn value_heads(&mut self, config: &NetConfig, trunk: TensorId) {
        let (pooled, width) = (config.value_channels, config.value_hidden);
        let kernel = Kernel { inputs: config.channels, outputs: pooled, size: 1 };
        let x = self.conv("value_channels", trunk, kernel, Some(RELU_GAIN));
        let x = self.relu(x);
        let x = self.push(Op::Pool, &[x]);
        let mut x = self.linear("value_hidden", x, 2 * pooled, width, 1.0);
        if config.value_flat_channels != 0 {
            let outputs = config.value_flat_channels;
            let kernel = Kernel { inputs: config.channels, outputs, size: 1 };
            let flat = self.conv("value_flat_channels", trunk, kernel, Some(RELU_GAIN));
            let flat = self.relu(flat);
            let inputs = outputs * self.graph.shape.squares();
            let flat = self.linear("value_flat_hidden", flat, inputs, width, 1.0);
            x = self.push(Op::Add, &[x, flat]);
        }
        let hidden = self.relu(x);
        for (name, outputs) in [(head::WDL, 3), (head::SHORT_TERM, 3), (head::PLIES_LEFT, 1)] {
            let output = self.linear(name, hidden, width, outputs, 0.1);
            self.graph.outputs.push((name.to_owned(), output));
        }
    }

    fn push(&mut self, op: Op, inputs: &[TensorId]) -> TensorId {
        self.graph.nodes.push(Node { op, inputs: inputs.to_vec() });
        TensorId(self.graph.nodes.len())
    }

    fn relu(&mut self, x: TensorId) -> TensorId {
        self.push(Op::Relu, &[x])
    }

    /// A convolution; with a gain it is standardised, without one it starts near 0.
    fn conv(&mut self, name: &str, x: TensorId, kernel: Kernel, gain: Option<f32>) -> TensorId {
        let Kernel { inputs, outputs, size } = kernel;
        let fan_in = (inputs * size * size) as f32;
        let scale = if gain.is_some() { 1.0 } else { 0.1 };
        let shape = [outputs, inputs, size, size];
        let weight = self.param(name, "weight", &shape, Init::Normal(scale / fan_in.sqrt()));
        let bias = self.param(name, "bias", &[outputs], Init::Constant(0.0));
        let gain = gain.map(|gain| self.param(name, "gain", &[outputs], Init::Constant(gain)));
        self.push(Op::Conv { weight, bias, gain }, &[x])
    }

    fn linear(
        &mut self,
        name: &str,
        x: TensorId,
        inputs: usize,
        outputs: usize,
        scale: f32,
    ) -> TensorId {
        let deviation = scale / (inputs as f32).sqrt();
        let weight = self.param(name, "weight", &[outputs, inputs], Init::Normal(deviation));
        let bias = self.param(name, "bias", &[outputs], Init::Constant(0.0));
        self.push(Op::Linear { weight, bias }, &[x])
    }

    fn param(&mut self, layer: &str, part: &str, shape: &[usize], init: Init) -> String {
        let name = format!("{layer}.{part}");
        self.graph.params.push(Param { name: name.clone(), shape: shape.to_vec(), init });
        name
    }
}
