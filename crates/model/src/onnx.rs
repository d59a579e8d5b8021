//! Writes a net as an ONNX file (<https://github.com/onnx/onnx/blob/main/docs/IR.md>).
//!
//! Input `planes` `[N, planes, ranks, files]` of a free batch size `N`; outputs as named in the
//! graph, `[N, len]` logits. Standardised kernels must be folded first, for the format has no
//! operation for them.

mod describe;
mod proto;

use crate::fold::FitError;
use crate::graph::{Graph, Op, Shape, TensorId};
use crate::store::Metadata;
use crate::weights::{Tensor, Weights};
pub use describe::{DescribeError, Description, describe};
use prost::Message;
use proto::{Attribute, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfo};

/// The name of the input.
pub const INPUT: &str = "planes";
/// The metadata key that holds the [`NetShape`](crate::NetShape) as JSON.
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
}

/// The bytes of an ONNX file of a folded net, with `metadata` and [`SHAPE_KEY`] as its
/// `metadata_props`. Equal content gives equal bytes.
///
/// # Errors
/// A net that does not pass its checks or is not folded.
pub fn write(graph: &Graph, weights: &Weights, metadata: &Metadata) -> Result<Vec<u8>, OnnxError> {
    let shapes = graph.check().map_err(FitError::from)?;
    graph.check_weights(weights).map_err(FitError::from)?;
    let mut writer = Writer { graph, shapes: &shapes, out: GraphProto::default() };
    for index in 0..graph.nodes.len() {
        writer.node(index)?;
    }
    let Writer { mut out, .. } = writer;
    out.name = "narikin".to_owned();
    let spare = spare_planes(graph);
    out.initializer.extend(weights.iter().map(|(name, tensor)| {
        if spare != 0 && reads_input(graph, name) {
            initializer(name, &padded(tensor, spare))
        } else {
            initializer(name, tensor)
        }
    }));
    out.input = vec![value_info(INPUT, shapes[0])];
    let output = |(name, id): &(String, TensorId)| value_info(name, shapes[id.0]);
    out.output = graph.outputs.iter().map(output).collect();
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
    out: GraphProto,
}

impl Writer<'_> {
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
            return INPUT.to_owned();
        }
        let output = self.graph.outputs.iter().find(|(_, output)| *output == id);
        output.map_or_else(|| format!("t{}", id.0), |(name, _)| name.clone())
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
            self.push("Pad", &[INPUT, &pads], &padded, vec![]);
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

fn initializer(name: &str, tensor: &Tensor) -> TensorProto {
    TensorProto {
        dims: tensor.shape().iter().map(|&size| size as i64).collect(),
        data_type: proto::FLOAT,
        name: name.to_owned(),
        raw_data: tensor.data().iter().flat_map(|x| x.to_le_bytes()).collect(),
    }
}

fn value_info(name: &str, shape: Shape) -> ValueInfo {
    match shape {
        Shape::Board(sizes) => ValueInfo::floats(name, &sizes),
        Shape::Row(len) => ValueInfo::floats(name, &[len]),
    }
}

#[cfg(test)]
mod tests;
