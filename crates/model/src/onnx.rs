//! Writes a net as an ONNX file (<https://github.com/onnx/onnx/blob/main/docs/IR.md>).
//!
//! The batch size `N` is free; inputs and outputs are those of a [`Contract`], `f32` also where the
//! weights are not. Standardised kernels must be folded first, for the format has no operation for
//! them.

mod describe;
mod proto;
mod style;

use crate::config::NetShape;
use crate::fold::FitError;
use crate::graph::{Graph, Op, Shape, TensorId, head};
use crate::store::Metadata;
use crate::weights::{Tensor, Weights};
pub use describe::{DescribeError, Description, describe};
use half::f16;
use prost::Message;
use proto::{Attribute, FLOAT, FLOAT16, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfo};
pub use style::{Contract, Precision, Style};

/// The name of the input.
pub const INPUT: &str = "planes";
/// The metadata key that holds the [`NetShape`] as JSON.
pub const SHAPE_KEY: &str = "shape";

/// ONNX IR version 8, the one of operator set 17 and 13.
const IR_VERSION: i64 = 8;
/// Operator set; every operation used here is the same from 13 to 17.
const OPSET: i64 = 17;

/// Input planes are padded with zeros to a multiple of this before the first convolution: ONNX
/// Runtime runs a convolution in its fast layout only if both channel counts are multiples of 4
/// (measured on AVX2 with 50 planes: half of the time of a whole 3x32 net).
const CHANNEL_ALIGNMENT: usize = 4;

/// Why a net cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OnnxError {
    /// Graph or weights are wrong.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A kernel is still standardised.
    #[error("node {node}: the kernel has a gain; fold the net before writing it")]
    NotFolded {
        /// Index of the node.
        node: usize,
    },
    /// The net has other planes or another policy than dlshogi's.
    #[error(
        "a net of {planes} planes on {ranks}x{files} squares and {policy_len} moves does not fit the \
         contract of dlshogi (119 planes, 9x9, 2187): train with `encoder = \"dlshogi\"`"
    )]
    NotDlshogi {
        /// Planes of the net.
        planes: usize,
        /// Ranks of the board.
        ranks: usize,
        /// Files of the board.
        files: usize,
        /// Length of the policy.
        policy_len: usize,
    },
    /// A weight is beyond the range of `f16`.
    #[error("parameter {name:?} holds {value}, which f16 cannot")]
    Overflow {
        /// Name of the parameter.
        name: String,
        /// The number, as text.
        value: String,
    },
}

/// The bytes of an ONNX file of a folded net, with `metadata` and [`SHAPE_KEY`] as its
/// `metadata_props`. Equal content gives equal bytes.
///
/// # Errors
/// A net that does not pass its checks, is not folded, or does not fit the style.
pub fn write(
    graph: &Graph,
    weights: &Weights,
    metadata: &Metadata,
    style: Style,
) -> Result<Vec<u8>, OnnxError> {
    let shapes = graph.check().map_err(FitError::from)?;
    graph.check_weights(weights).map_err(FitError::from)?;
    let mut writer = Writer { graph, shapes: &shapes, style, out: GraphProto::default() };
    writer.inputs()?;
    for index in 0..graph.nodes.len() {
        writer.node(index)?;
    }
    writer.outputs();
    let Writer { mut out, .. } = writer;
    out.name = "narikin".to_owned();
    let spare = spare_planes(graph);
    for (name, tensor) in weights.iter() {
        out.initializer.push(if spare != 0 && reads_input(graph, name) {
            initializer(name, &padded(tensor, spare), style.precision)?
        } else {
            initializer(name, tensor, style.precision)?
        });
    }
    let mut metadata = metadata.clone();
    let shape = serde_json::to_string(&graph.shape).expect("a shape is plain data");
    metadata.insert(SHAPE_KEY.to_owned(), shape);
    let model = ModelProto {
        ir_version: IR_VERSION,
        producer_name: "narikin".to_owned(),
        graph: Some(out),
        opset_import: vec![proto::OperatorSet { domain: String::new(), version: OPSET }],
        metadata_props: metadata
            .into_iter()
            .map(|(key, value)| proto::StringEntry { key, value })
            .collect(),
    };
    Ok(model.encode_to_vec())
}

struct Writer<'a> {
    graph: &'a Graph,
    shapes: &'a [Shape],
    style: Style,
    out: GraphProto,
}

impl Writer<'_> {
    /// Declares the inputs and brings them to the one tensor that the graph reads.
    fn inputs(&mut self) -> Result<(), OnnxError> {
        let NetShape { planes, ranks, files, policy_len, .. } = self.graph.shape;
        let declared = match self.style.contract {
            Contract::Graph => vec![(INPUT, planes)],
            Contract::Dlshogi if (planes, ranks, files, policy_len) == (119, 9, 9, 2187) => {
                vec![("input1", 62), ("input2", 57)]
            }
            Contract::Dlshogi => {
                return Err(OnnxError::NotDlshogi { planes, ranks, files, policy_len });
            }
        };
        let info =
            |&(name, planes): &(&str, usize)| ValueInfo::floats(name, &[planes, ranks, files]);
        self.out.input = declared.iter().map(info).collect();
        let mut names: Vec<String> = declared.iter().map(|&(name, _)| name.to_owned()).collect();
        if self.style.precision == Precision::Half {
            for name in &mut names {
                let half = format!("{name}_half");
                self.push("Cast", &[name], &half, vec![Attribute::int("to", FLOAT16.into())]);
                *name = half;
            }
        }
        if let [first, second] = names.as_slice() {
            let attributes = vec![Attribute::int("axis", 1)];
            self.push("Concat", &[first, second], &self.entry(), attributes);
        }
        Ok(())
    }

    /// The name of the tensor that the graph reads.
    fn entry(&self) -> String {
        match self.style.precision {
            Precision::Single => INPUT.to_owned(),
            Precision::Half => format!("{INPUT}_half"),
        }
    }

    /// Declares the outputs and computes them from those of the graph.
    fn outputs(&mut self) {
        let graph = self.graph;
        for (head, id) in &graph.outputs {
            let (name, info) = match (self.style.contract, head.as_str()) {
                (Contract::Graph, _) => (head.as_str(), value_info(head, self.shapes[id.0])),
                (Contract::Dlshogi, head::POLICY) => {
                    ("output_policy", value_info("output_policy", self.shapes[id.0]))
                }
                (Contract::Dlshogi, head::WDL) => {
                    self.score(*id);
                    ("output_value", ValueInfo::floats("output_value", &[1]))
                }
                (Contract::Dlshogi, _) => continue,
            };
            self.out.output.push(info);
            if self.style.precision == Precision::Half {
                let attributes = vec![Attribute::int("to", FLOAT.into())];
                self.push("Cast", &[&self.precise(name)], name, attributes);
            }
        }
    }

    /// The expected score from the logits of win, draw and loss.
    fn score(&mut self, wdl: TensorId) {
        let (logits, score) = (self.name(wdl), self.precise("output_value"));
        self.push("Softmax", &[&logits], "outcome", vec![Attribute::int("axis", 1)]);
        let points = Tensor::new(vec![3, 1], vec![1.0, 0.5, 0.0]).expect("it has three numbers");
        let points = initializer("points", &points, self.style.precision);
        self.out.initializer.push(points.expect("these numbers are small"));
        self.push("MatMul", &["outcome", "points"], &score, vec![]);
    }

    /// The name of an output before it is brought to `f32`.
    fn precise(&self, name: &str) -> String {
        match self.style.precision {
            Precision::Single => name.to_owned(),
            Precision::Half => format!("{name}_half"),
        }
    }

    fn node(&mut self, index: usize) -> Result<(), OnnxError> {
        let node = &self.graph.nodes[index];
        let mut x = self.name(node.inputs[0]);
        let out = self.name(TensorId(index + 1));
        match &node.op {
            Op::Conv { gain: Some(_), .. } => return Err(OnnxError::NotFolded { node: index }),
            Op::Conv { weight, bias, gain: None } => {
                if node.inputs[0] == TensorId::INPUT && spare_planes(self.graph) != 0 {
                    x = self.padded_input();
                }
                let size = self.kernel_size(weight);
                let attributes = vec![
                    Attribute::ints("kernel_shape", &[size, size]),
                    Attribute::ints("pads", &[size / 2; 4]),
                ];
                self.push("Conv", &[&x, weight, bias], &out, attributes);
            }
            Op::Linear { weight, bias } => {
                let flat = self.flattened(x, node.inputs[0]);
                let attributes = vec![Attribute::int("transB", 1)];
                self.push("Gemm", &[&flat, weight, bias], &out, attributes);
            }
            Op::Relu => self.push("Relu", &[&x], &out, vec![]),
            Op::Add => {
                let y = self.name(node.inputs[1]);
                self.push("Add", &[&x, &y], &out, vec![]);
            }
            Op::Pool => {
                let (mean, max) = (format!("{out}_mean"), format!("{out}_max"));
                self.push("GlobalAveragePool", &[&x], &mean, vec![]);
                self.push("GlobalMaxPool", &[&x], &max, vec![]);
                self.push("Concat", &[&mean, &max], &out, vec![Attribute::int("axis", 1)]);
            }
            Op::Gather => {
                let flat = self.flattened(x, node.inputs[0]);
                let places = self.graph.gather.iter().map(|&place| i64::from(place));
                self.constant(GATHER, places.collect());
                let attributes = vec![Attribute::int("axis", 1)];
                self.push("Gather", &[&flat, GATHER], &out, attributes);
            }
        }
        Ok(())
    }

    /// The file's name of a tensor: an output's own, else a number.
    fn name(&self, id: TensorId) -> String {
        if id == TensorId::INPUT {
            return self.entry();
        }
        let output = self.graph.outputs.iter().find(|(_, output)| *output == id);
        match (self.style.contract, output) {
            (Contract::Graph, Some((name, _))) => self.precise(name),
            (Contract::Dlshogi, Some((name, _))) if name == head::POLICY => {
                self.precise("output_policy")
            }
            _ => format!("t{}", id.0),
        }
    }

    /// The name of tensor `id` (so far `name`) as a row; adds a node if it is a board.
    fn flattened(&mut self, name: String, id: TensorId) -> String {
        if let Shape::Row(_) = self.shapes[id.0] {
            return name;
        }
        let flat = format!("{name}_flat");
        self.push("Flatten", &[&name], &flat, vec![Attribute::int("axis", 1)]);
        flat
    }

    /// The input with [`spare_planes`] planes of zeros behind it.
    fn padded_input(&mut self) -> String {
        let (padded, pads) = (format!("{INPUT}_padded"), format!("{INPUT}_pads"));
        let spare = spare_planes(self.graph) as i64;
        if self.constant(&pads, vec![0, 0, 0, 0, 0, spare, 0, 0]) {
            self.push("Pad", &[&self.entry(), &pads], &padded, vec![]);
        }
        padded
    }

    /// Adds a vector of integers; false if it is there already.
    fn constant(&mut self, name: &str, values: Vec<i64>) -> bool {
        let new = self.out.initializer.iter().all(|tensor| tensor.name != name);
        if new {
            self.out.initializer.push(TensorProto {
                dims: vec![values.len() as i64],
                data_type: proto::INT64,
                name: name.to_owned(),
                raw_data: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            });
        }
        new
    }

    fn kernel_size(&self, weight: &str) -> i64 {
        let param = self.graph.params.iter().find(|param| param.name == weight);
        param.expect("a checked graph lists every parameter it reads").shape[2] as i64
    }

    fn push(&mut self, op: &str, inputs: &[&str], output: &str, attribute: Vec<Attribute>) {
        self.out.node.push(NodeProto {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: format!("{op}_{output}"),
            op_type: op.to_owned(),
            attribute,
        });
    }
}

/// The name of the gather table; parameters have a dot in theirs.
const GATHER: &str = "vocabulary";

/// Planes of zeros that are added to the input.
fn spare_planes(graph: &Graph) -> usize {
    graph.shape.planes.next_multiple_of(CHANNEL_ALIGNMENT) - graph.shape.planes
}

/// Whether parameter `name` is the kernel of a convolution of the input.
fn reads_input(graph: &Graph, name: &str) -> bool {
    graph.nodes.iter().any(|node| {
        matches!(&node.op, Op::Conv { weight, .. } if weight == name)
            && node.inputs[0] == TensorId::INPUT
    })
}

/// The kernel with `spare` more input channels of zeros.
fn padded(kernel: &Tensor, spare: usize) -> Tensor {
    let &[outputs, inputs, rows, columns] = kernel.shape() else {
        unreachable!("a checked kernel has four dimensions")
    };
    let mut data = Vec::with_capacity(outputs * (inputs + spare) * rows * columns);
    for row in kernel.data().chunks_exact(inputs * rows * columns) {
        data.extend(row);
        data.extend(std::iter::repeat_n(0.0, spare * rows * columns));
    }
    Tensor::new(vec![outputs, inputs + spare, rows, columns], data)
        .expect("as many numbers as the shape says")
}

fn initializer(
    name: &str,
    tensor: &Tensor,
    precision: Precision,
) -> Result<TensorProto, OnnxError> {
    let numbers = || tensor.data().iter();
    let raw_data: Vec<u8> = match precision {
        Precision::Single => numbers().flat_map(|x| x.to_le_bytes()).collect(),
        Precision::Half => {
            if let Some(x) = numbers().find(|&&x| f16::from_f32(x).is_infinite()) {
                return Err(OnnxError::Overflow { name: name.to_owned(), value: x.to_string() });
            }
            numbers().flat_map(|&x| f16::from_f32(x).to_le_bytes()).collect()
        }
    };
    let data_type = match precision {
        Precision::Single => FLOAT,
        Precision::Half => FLOAT16,
    };
    let dims = tensor.shape().iter().map(|&size| size as i64).collect();
    Ok(TensorProto { dims, data_type, name: name.to_owned(), raw_data })
}

fn value_info(name: &str, shape: Shape) -> ValueInfo {
    match shape {
        Shape::Board(sizes) => ValueInfo::floats(name, &sizes),
        Shape::Row(len) => ValueInfo::floats(name, &[len]),
    }
}

#[cfg(test)]
mod tests;
