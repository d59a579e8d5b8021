//! Says what is in an ONNX file, whoever wrote it.
//!
//! The file is walked field by field, and only small messages are decoded, so that memory use is
//! bounded by a small multiple of what is returned, whatever the bytes say.

use super::proto::{Dimension, OperatorSet, StringEntry, ValueInfo};
use crate::store::Metadata;
use prost::Message;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use std::collections::{BTreeMap, BTreeSet};

/// Largest message that is decoded as a whole.
const LARGEST: usize = 1 << 20;
/// Most dimensions of a tensor.
const DIMENSIONS: usize = 8;

/// What an ONNX file says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Description {
    /// The program that wrote it.
    pub producer: String,
    /// Version of the format.
    pub ir_version: u64,
    /// Version of the standard operator set; 0 if none is named.
    pub opset: i64,
    /// Inputs with their sizes; a name stands for a size that is free.
    pub inputs: Vec<(String, Vec<String>)>,
    /// Outputs likewise.
    pub outputs: Vec<(String, Vec<String>)>,
    /// Tensors of floats that are stored in the file, with their shapes.
    pub parameters: BTreeMap<String, Vec<u64>>,
    /// How often each operation occurs.
    pub operations: BTreeMap<String, u64>,
    /// Multiplications (each with an addition) for one position.
    pub macs: u64,
    /// `metadata_props`.
    pub metadata: Metadata,
    /// Whether numbers of stored tensors are kept in other files.
    pub external: bool,
}

/// Why a file cannot be described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescribeError {
    /// The bytes are not those of such messages.
    #[error("not a readable ONNX file: {0}")]
    Format(String),
    /// There is no graph in it, as in bytes of another kind that happen to be readable.
    #[error("not an ONNX file: there is no graph in it")]
    NoGraph,
}

impl From<prost::DecodeError> for DescribeError {
    fn from(error: prost::DecodeError) -> Self {
        DescribeError::Format(error.to_string())
    }
}

impl Description {
    /// Numbers in the stored tensors of floats.
    pub fn parameter_count(&self) -> u64 {
        self.parameters.values().map(|shape| product(shape)).fold(0, u64::saturating_add)
    }
}

/// Describes a file; the bytes are not trusted.
///
/// # Errors
/// [`DescribeError`].
pub fn describe(bytes: &[u8]) -> Result<Description, DescribeError> {
    let mut out = Description::default();
    let mut graph = None;
    for field in fields(bytes) {
        match field? {
            (1, Field::Number(version)) => out.ir_version = version,
            (2, Field::Bytes(text)) => out.producer = string(text)?,
            (7, Field::Bytes(bytes)) => graph = Some(bytes),
            (8, Field::Bytes(bytes)) => {
                let set: OperatorSet = small(bytes)?;
                if set.domain.is_empty() {
                    out.opset = set.version;
                }
            }
            (14, Field::Bytes(bytes)) => {
                let StringEntry { key, value } = StringEntry::decode(bytes)?;
                out.metadata.insert(key, value);
            }
            _ => {}
        }
    }
    let graph = graph.ok_or(DescribeError::NoGraph)?;
    read_sizes(graph, &mut out)?;
    count_operations(graph, &mut out)?;
    Ok(out)
}

/// Reads stored tensors, inputs and outputs of a graph.
fn read_sizes(graph: &[u8], out: &mut Description) -> Result<(), DescribeError> {
    /// `TensorProto.DataType.FLOAT`.
    const FLOAT: u64 = super::proto::FLOAT as u64;
    let mut stored = BTreeSet::new();
    for field in fields(graph) {
        match field? {
            (5, Field::Bytes(bytes)) => {
                let Tensor { name, kind, shape, external } = tensor(bytes)?;
                out.external |= external;
                if kind == FLOAT {
                    out.parameters.insert(name.clone(), shape);
                }
                stored.insert(name);
            }
            (11, Field::Bytes(bytes)) => out.inputs.push(value(bytes)?),
            (12, Field::Bytes(bytes)) => out.outputs.push(value(bytes)?),
            _ => {}
        }
    }
    // Old files list what they store among the inputs.
    out.inputs.retain(|(name, _)| !stored.contains(name));
    Ok(())
}

/// Counts operations and multiplications. Convolutions are taken to keep the size of the board,
/// except behind a pooling over all of it.
fn count_operations(graph: &[u8], out: &mut Description) -> Result<(), DescribeError> {
    let squares = out.inputs.first().map_or(1, |(_, sizes)| {
        let sizes = sizes.iter().skip(2).map(|size| size.parse().unwrap_or(1));
        product(&sizes.collect::<Vec<_>>())
    });
    let mut pooled = BTreeSet::new();
    for field in fields(graph) {
        let (1, Field::Bytes(node)) = field? else { continue };
        let (mut inputs, mut outputs, mut op) = (Vec::new(), Vec::new(), String::new());
        for field in fields(node) {
            match field? {
                (1, Field::Bytes(name)) => inputs.push(string(name)?),
                (2, Field::Bytes(name)) => outputs.push(string(name)?),
                (4, Field::Bytes(name)) => op = string(name)?,
                _ => {}
            }
        }
        let one_square = op.starts_with("Global")
            || inputs
                .iter()
                .filter(|name| !out.parameters.contains_key(*name))
                .all(|name| pooled.contains(name));
        let weights = inputs.get(1).and_then(|name| out.parameters.get(name));
        let times = if one_square { 1 } else { squares };
        out.macs = out.macs.saturating_add(match (op.as_str(), weights) {
            ("Conv", Some(shape)) => product(shape).saturating_mul(times),
            ("Gemm" | "MatMul", Some(shape)) => product(shape),
            _ => 0,
        });
        if one_square {
            pooled.extend(outputs);
        }
        *out.operations.entry(op).or_insert(0) += 1;
    }
    Ok(())
}

/// A stored tensor without its numbers.
struct Tensor {
    name: String,
    kind: u64,
    shape: Vec<u64>,
    external: bool,
}

fn tensor(bytes: &[u8]) -> Result<Tensor, DescribeError> {
    let mut tensor = Tensor { name: String::new(), kind: 0, shape: Vec::new(), external: false };
    for field in fields(bytes) {
        match field? {
            (1, Field::Number(size)) => tensor.shape.push(size),
            (1, Field::Bytes(mut packed)) => {
                while !packed.is_empty() && tensor.shape.len() <= DIMENSIONS {
                    tensor.shape.push(decode_varint(&mut packed)?);
                }
            }
            (2, Field::Number(kind)) => tensor.kind = kind,
            (8, Field::Bytes(name)) => tensor.name = string(name)?,
            // `external_data`, and `data_location` other than in this file.
            (13, Field::Bytes(_)) => tensor.external = true,
            (14, Field::Number(place)) => tensor.external |= place != 0,
            _ => {}
        }
        if tensor.shape.len() > DIMENSIONS {
            return Err(DescribeError::Format(format!("a tensor of over {DIMENSIONS} dimensions")));
        }
    }
    Ok(tensor)
}

/// Name and sizes of an input or output.
fn value(bytes: &[u8]) -> Result<(String, Vec<String>), DescribeError> {
    let info: ValueInfo = small(bytes)?;
    let shape = info.r#type.and_then(|kind| kind.tensor_type?.shape);
    let size = |Dimension { dim_value, dim_param }: Dimension| match (dim_value, dim_param) {
        (Some(size), _) => size.to_string(),
        (None, Some(name)) => name,
        (None, None) => "?".to_owned(),
    };
    Ok((info.name, shape.map_or(Vec::new(), |shape| shape.dim.into_iter().map(size).collect())))
}

fn small<M: Message + Default>(bytes: &[u8]) -> Result<M, DescribeError> {
    if bytes.len() > LARGEST {
        return Err(DescribeError::Format(format!("a part of {} bytes", bytes.len())));
    }
    Ok(M::decode(bytes)?)
}

fn string(bytes: &[u8]) -> Result<String, DescribeError> {
    let text = std::str::from_utf8(bytes).map_err(|e| DescribeError::Format(e.to_string()))?;
    Ok(text.to_owned())
}

fn product(sizes: &[u64]) -> u64 {
    sizes.iter().fold(1, |product, &size| product.saturating_mul(size))
}

/// The value of a field of a message.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Other,
}

/// The fields of a message, by number; ends after the first that cannot be read.
fn fields(mut bytes: &[u8]) -> impl Iterator<Item = Result<(u32, Field<'_>), DescribeError>> {
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let field = next_field(&mut bytes);
        if field.is_err() {
            bytes = &[];
        }
        Some(field)
    })
}

fn next_field<'a>(bytes: &mut &'a [u8]) -> Result<(u32, Field<'a>), DescribeError> {
    let (number, kind) = decode_key(bytes)?;
    let field = match kind {
        WireType::Varint => Field::Number(decode_varint(bytes)?),
        WireType::LengthDelimited => {
            let len = decode_varint(bytes)?;
            let (field, rest) = usize::try_from(len)
                .ok()
                .and_then(|len| bytes.split_at_checked(len))
                .ok_or_else(|| DescribeError::Format("it ends within a field".to_owned()))?;
            *bytes = rest;
            Field::Bytes(field)
        }
        _ => {
            skip_field(kind, number, bytes, DecodeContext::default())?;
            Field::Other
        }
    };
    Ok((number, field))
}
