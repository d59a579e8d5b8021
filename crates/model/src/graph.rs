//! The list of operations and its checker.

use crate::config::{ConfigError, NetShape};
use crate::weights::{Tensor, Weights, WeightsError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Names of a net's outputs.
pub mod head {
    /// Policy logits, `[N, V]`; all that play needs together with [`WDL`].
    pub const POLICY: &str = "policy";
    /// Logits of win, draw, loss of the side to move, `[N, 3]`.
    pub const WDL: &str = "wdl";
    /// Training only: logits of the opponent's next move in the opponent's view, `[N, V]`.
    pub const REPLY: &str = "reply";
    /// Training only: logits of the policy target softened by a temperature, `[N, V]`.
    pub const SOFT_POLICY: &str = "soft_policy";
    /// Training only: logits of the search's win, draw, loss some plies later, for the side to
    /// move now, `[N, 3]`.
    pub const SHORT_TERM: &str = "short_term";
    /// Training only: plies left to the end of the game, in a unit of the trainer's, `[N, 1]`.
    pub const PLIES_LEFT: &str = "plies_left";
    /// The outputs that remain in a folded graph, in this order.
    pub const PLAY: [&str; 2] = [POLICY, WDL];
}

/// A tensor of a graph: 0 is the input planes, `i + 1` is what node `i` computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TensorId(pub usize);

impl TensorId {
    /// The input planes.
    pub const INPUT: TensorId = TensorId(0);
}

/// The shape of one position's share of a tensor; the batch comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `[N, channels, ranks, files]`.
    Board([usize; 3]),
    /// `[N, len]`.
    Row(usize),
}

impl Shape {
    /// Numbers in one position's share.
    pub fn len(&self) -> usize {
        match *self {
            Shape::Board([channels, ranks, files]) => channels * ranks * files,
            Shape::Row(len) => len,
        }
    }

    /// Whether there is nothing in it; never true in a checked graph.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One operation. Parameters are named; see [`Graph::params`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Op {
    /// Convolution of a board with stride 1 and zero padding that keeps the size. The kernel
    /// `[out, in, k, k]` has an odd `k`; `bias` is `[out]`. With a `gain` `[out]` the kernel of
    /// each output channel is first standardised: its mean is subtracted, it is divided by its
    /// Euclidean norm, `sqrt(sum of squares + 1e-6)`, and multiplied by the gain (scaled weight
    /// standardisation, Brock et al. 2021, <https://arxiv.org/abs/2101.08692>, equation 1).
    Conv {
        /// Kernel, `[out, in, k, k]`.
        weight: String,
        /// Bias, `[out]`.
        bias: String,
        /// Gain of the standardised kernel, `[out]`; absent: the kernel is used as it is.
        gain: Option<String>,
    },
    /// Matrix product of the flattened input: `weight [out, in] * x + bias [out]`; gives a row.
    Linear {
        /// Matrix, `[out, in]`.
        weight: String,
        /// Bias, `[out]`.
        bias: String,
    },
    /// `max(x, 0)`.
    Relu,
    /// Sum of two inputs of equal shape; a second one of one square is added on every square.
    Add,
    /// Mean over the squares of each channel, then maximum over the squares of each channel:
    /// `[C, R, F]` becomes `[2C, 1, 1]`.
    Pool,
    /// Picks the entries [`Graph::gather`] of the flattened input; gives a row.
    Gather,
}

/// An operation with the tensors it reads; [`TensorId`] says how its own result is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// What is computed.
    pub op: Op,
    /// What it reads, all computed before; two for [`Op::Add`], one for all others.
    pub inputs: Vec<TensorId>,
}

/// How a parameter starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Init {
    /// Every entry has this value.
    Constant(f32),
    /// Independent normal entries of mean 0 and this standard deviation.
    Normal(f32),
}

/// A trainable tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Its name in [`Weights`] and in files, such as `tower.0.conv1.weight`; always with a dot, so
    /// that it is none of the names that the ONNX writer gives.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values before training.
    pub init: Init,
}

/// A net without its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// Sizes of the game.
    pub shape: NetShape,
    /// For each entry of the policy vocabulary its place in the flattened head output
    /// `[head_planes, ranks, files]`.
    pub gather: Vec<u32>,
    /// The operations in an order in which they can be computed.
    pub nodes: Vec<Node>,
    /// The parameters in a fixed order, each read by exactly one node.
    pub params: Vec<Param>,
    /// Named results (see [`head`]), each a row.
    pub outputs: Vec<(String, TensorId)>,
}

/// Why a list of operations is not a net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A size of the game or of the net is out of range.
    #[error("net sizes: {0}")]
    Sizes(#[from] ConfigError),
    /// An operation cannot be computed.
    #[error("node {node}: {fault}")]
    Node {
        /// Index of the node.
        node: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// The parameter list, the outputs or the gather table are wrong.
    #[error("{0}")]
    List(String),
}

/// Larger graphs are refused: no net has so many operations, and a file could claim more.
const MAX_NODES: usize = 4096;
/// Largest parameter, in numbers.
const MAX_PARAM: usize = 1 << 28;
/// Largest tensor of one position, in numbers.
const MAX_TENSOR: usize = 1 << 22;

impl Graph {
    /// Whether the graph has an output of this name.
    pub fn has_output(&self, name: &str) -> bool {
        self.outputs.iter().any(|(output, _)| output == name)
    }

    /// Number of trainable numbers.
    pub fn parameter_count(&self) -> usize {
        self.params.iter().map(|param| param.shape.iter().product::<usize>()).sum()
    }

    /// Checks everything that the other functions of this crate rely on and returns the shape of
    /// every tensor, by [`TensorId`].
    ///
    /// # Errors
    /// Names the first node, parameter or output that is wrong.
    pub fn check(&self) -> Result<Vec<Shape>, GraphError> {
        self.shape.validate()?;
        if self.nodes.len() > MAX_NODES {
            return list(format!("{} nodes; at most {MAX_NODES} are allowed", self.nodes.len()));
        }
        self.check_gather()?;
        let mut unread = self.param_shapes()?;
        let NetShape { planes, ranks, files, .. } = self.shape;
        let mut shapes = vec![Shape::Board([planes, ranks, files])];
        for (index, node) in self.nodes.iter().enumerate() {
            let shape = self
                .node_shape(node, &shapes, &mut unread)
                .map_err(|fault| GraphError::Node { node: index, fault })?;
            shapes.push(shape);
        }
        if let Some(name) = unread.keys().next() {
            return list(format!("parameter {name:?} is read by no node"));
        }
        self.check_outputs(&shapes)?;
        Ok(shapes)
    }

    /// Checks that `weights` holds exactly this graph's parameters, in their shapes and finite.
    ///
    /// # Errors
    /// Names the first tensor that is missing, wrong or not known.
    pub fn check_weights(&self, weights: &Weights) -> Result<(), WeightsError> {
        for param in &self.params {
            let tensor = weights.get(&param.name)?;
            if tensor.shape() != param.shape {
                return Err(WeightsError::Shape {
                    name: param.name.clone(),
                    found: tensor.shape().to_vec(),
                    expected: param.shape.clone(),
                });
            }
            if tensor.data().iter().any(|x| !x.is_finite()) {
                return Err(WeightsError::NotFinite { name: param.name.clone() });
            }
        }
        let known: BTreeSet<&str> = self.params.iter().map(|param| param.name.as_str()).collect();
        match weights.iter().find(|(name, _)| !known.contains(name)) {
            Some((name, _)) => Err(WeightsError::Unknown { name: name.to_owned() }),
            None => Ok(()),
        }
    }

    fn check_gather(&self) -> Result<(), GraphError> {
        if self.gather.len() != self.shape.policy_len {
            return list(format!(
                "gather table has {} entries instead of {}",
                self.gather.len(),
                self.shape.policy_len
            ));
        }
        let end = self.shape.head_planes * self.shape.squares();
        match self.gather.iter().position(|&place| place as usize >= end) {
            Some(entry) => list(format!(
                "gather entry {entry} is {}, beyond the head output of {end}",
                self.gather[entry]
            )),
            None => Ok(()),
        }
    }

    fn param_shapes(&self) -> Result<BTreeMap<&str, &[usize]>, GraphError> {
        let mut shapes = BTreeMap::new();
        for Param { name, shape, init } in &self.params {
            if !name.contains('.') {
                return list(format!("parameter {name:?} has no dot in its name"));
            }
            let (Init::Constant(start) | Init::Normal(start)) = init;
            if !start.is_finite() {
                return list(format!("parameter {name:?} starts with a number that is not finite"));
            }
            let len = shape.iter().try_fold(1usize, |len, &size| len.checked_mul(size));
            if !len.is_some_and(|len| (1..=MAX_PARAM).contains(&len)) {
                return list(format!("parameter {name:?} has the impossible shape {shape:?}"));
            }
            if shapes.insert(name.as_str(), shape.as_slice()).is_some() {
                return list(format!("parameter {name:?} is listed twice"));
            }
        }
        Ok(shapes)
    }

    fn check_outputs(&self, shapes: &[Shape]) -> Result<(), GraphError> {
        for (name, TensorId(id)) in &self.outputs {
            let expected = match name.as_str() {
                head::POLICY | head::REPLY | head::SOFT_POLICY => self.shape.policy_len,
                head::WDL | head::SHORT_TERM => 3,
                head::PLIES_LEFT => 1,
                _ => return list(format!("output {name:?} is not known")),
            };
            if *id == 0 || shapes.get(*id) != Some(&Shape::Row(expected)) {
                return list(format!("output {name:?} is not a row of {expected}"));
            }
        }
        let names: BTreeSet<&String> = self.outputs.iter().map(|(name, _)| name).collect();
        if names.len() != self.outputs.len() {
            return list("an output is listed twice".to_owned());
        }
        let tensors: BTreeSet<TensorId> = self.outputs.iter().map(|(_, id)| *id).collect();
        if tensors.len() != self.outputs.len() {
            return list("two outputs are the same tensor".to_owned());
        }
        match head::PLAY.iter().find(|name| !self.has_output(name)) {
            Some(name) => list(format!("output {name:?} is missing")),
            None => Ok(()),
        }
    }

    /// The shape that `node` gives; takes the parameters it reads out of `unread`.
    fn node_shape(
        &self,
        node: &Node,
        shapes: &[Shape],
        unread: &mut BTreeMap<&str, &[usize]>,
    ) -> Result<Shape, String> {
        let arity = if node.op == Op::Add { 2 } else { 1 };
        if node.inputs.len() != arity {
            return Err(format!("{} inputs instead of {arity}", node.inputs.len()));
        }
        let mut inputs = [Shape::Row(0); 2];
        for (slot, &TensorId(id)) in inputs.iter_mut().zip(&node.inputs) {
            *slot = *shapes.get(id).ok_or(format!("tensor {id} is not computed before"))?;
        }
        let mut take = |name: &str| {
            unread.remove(name).ok_or(format!("parameter {name:?} is missing or read twice"))
        };
        let shape = match (&node.op, inputs) {
            (Op::Relu, [shape, _]) => shape,
            (Op::Add, [a, b]) if a == b => a,
            (Op::Add, [Shape::Board(a), Shape::Board([channels, 1, 1])]) if channels == a[0] => {
                inputs[0]
            }
            (Op::Pool, [Shape::Board([channels, ..]), _]) => Shape::Board([2 * channels, 1, 1]),
            (Op::Gather, [Shape::Board(board), _])
                if board == [self.shape.head_planes, self.shape.ranks, self.shape.files] =>
            {
                Shape::Row(self.shape.policy_len)
            }
            (Op::Conv { weight, bias, gain }, [Shape::Board([channels, ranks, files]), _]) => {
                let kernel = take(weight)?;
                let &[out, inputs, rows, columns] = kernel else {
                    return Err(format!("kernel {kernel:?} has not four dimensions"));
                };
                if inputs != channels || rows != columns || rows % 2 == 0 || rows > 2 * 32 + 1 {
                    return Err(format!("kernel {kernel:?} does not fit {channels} channels"));
                }
                for vector in [Some(bias), gain.as_ref()].into_iter().flatten() {
                    expect_shape(vector, take(vector)?, &[out])?;
                }
                Shape::Board([out, ranks, files])
            }
            (Op::Linear { weight, bias }, [shape, _]) => {
                let vector = take(bias)?;
                let &[out] = vector else {
                    return Err(format!("bias {vector:?} is not a vector"));
                };
                expect_shape(weight, take(weight)?, &[out, shape.len()])?;
                Shape::Row(out)
            }
            (op, [a, b]) => return Err(format!("{op:?} cannot read {a:?} {b:?}")),
        };
        if (1..=MAX_TENSOR).contains(&shape.len()) {
            Ok(shape)
        } else {
            Err(format!("result {shape:?} is too large"))
        }
    }
}

fn expect_shape(name: &str, found: &[usize], expected: &[usize]) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("parameter {name:?} is {found:?} instead of {expected:?}"))
    }
}

fn list<T>(fault: String) -> Result<T, GraphError> {
    Err(GraphError::List(fault))
}

impl Param {
    /// The values before training, given a source of standard normal numbers.
    pub(crate) fn start(&self, mut normal: impl FnMut() -> f32) -> Tensor {
        let len = self.shape.iter().product();
        let data = match self.init {
            Init::Constant(value) => vec![value; len],
            Init::Normal(deviation) => (0..len).map(|_| deviation * normal()).collect(),
        };
        Tensor::new(self.shape.clone(), data).expect("the length is the product of the shape")
    }
}
