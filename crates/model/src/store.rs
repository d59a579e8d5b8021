//! Weights and nets in safetensors files (<https://github.com/huggingface/safetensors>): readable
//! by every Python library, and by this module without trust.

use crate::graph::{Graph, GraphError};
use crate::weights::{Tensor, Weights, WeightsError};
use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Facts about a file by name, in its `__metadata__`.
pub type Metadata = BTreeMap<String, String>;

/// The metadata key under which [`Model`] keeps its operations.
const GRAPH_KEY: &str = "graph";

/// A net complete with weights and what its owner wants to know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The operations.
    pub graph: Graph,
    /// Exactly the parameters of `graph`.
    pub weights: Weights,
    /// Anything else, such as the variant and fingerprints; the key `graph` is taken.
    pub metadata: Metadata,
}

/// Why a file is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Not a safetensors file, or damaged: header, sizes, overlaps, holes.
    #[error("not a valid safetensors file: {0}")]
    Format(String),
    /// A tensor is of another type than `f32`.
    #[error("tensor {name:?} holds {dtype} instead of F32")]
    Dtype {
        /// Its name.
        name: String,
        /// The type found.
        dtype: String,
    },
    /// A tensor holds an infinity or not-a-number, or the weights do not fit the net.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The file has no list of operations.
    #[error("no net in this file: metadata {GRAPH_KEY:?} is missing")]
    NoGraph,
    /// The list of operations cannot be read.
    #[error("metadata {GRAPH_KEY:?}: {0}")]
    GraphText(String),
    /// The list of operations is not a net.
    #[error("metadata {GRAPH_KEY:?}: {0}")]
    Graph(GraphError),
}

impl Weights {
    /// The bytes of a safetensors file. Equal content gives equal bytes.
    pub fn to_safetensors(&self, metadata: &Metadata) -> Vec<u8> {
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), json!(metadata));
        let mut end = 0;
        for (name, tensor) in self.iter() {
            let start = end;
            end += 4 * tensor.data().len();
            let entry =
                json!({"dtype": "F32", "shape": tensor.shape(), "data_offsets": [start, end]});
            header.insert(name.to_owned(), entry);
        }
        let mut header = Value::Object(header).to_string();
        // The format wants the numbers aligned to 8 bytes and allows spaces.
        header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
        let mut bytes = Vec::with_capacity(8 + header.len() + end);
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header.as_bytes());
        for (_, tensor) in self.iter() {
            bytes.extend(tensor.data().iter().flat_map(|x| x.to_le_bytes()));
        }
        bytes
    }

    /// Reads a safetensors file; the bytes are not trusted. Memory use is bounded by a small
    /// multiple of their length.
    ///
    /// # Errors
    /// Anything but a well-formed file of finite `f32` tensors.
    pub fn from_safetensors(bytes: &[u8]) -> Result<(Weights, Metadata), StoreError> {
        let format = |error: safetensors::SafeTensorError| StoreError::Format(error.to_string());
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(format)?;
        let metadata = header.metadata().iter().flatten();
        let metadata = metadata.map(|(key, value)| (key.clone(), value.clone())).collect();
        let tensors = SafeTensors::deserialize(bytes).map_err(format)?;
        let mut weights = Weights::new();
        for (name, view) in tensors.iter() {
            if view.dtype() != Dtype::F32 {
                let dtype = format!("{:?}", view.dtype());
                return Err(StoreError::Dtype { name: name.to_owned(), dtype });
            }
            let (numbers, _) = view.data().as_chunks::<4>();
            let data: Vec<f32> = numbers.iter().map(|&x| f32::from_le_bytes(x)).collect();
            if data.iter().any(|x| !x.is_finite()) {
                return Err(WeightsError::NotFinite { name: name.to_owned() }.into());
            }
            let tensor = Tensor::new(view.shape().to_vec(), data)
                .ok_or_else(|| StoreError::Format(format!("tensor {name:?} has a wrong size")))?;
            weights.insert(name, tensor);
        }
        Ok((weights, metadata))
    }
}

impl Model {
    /// The bytes of a safetensors file with the list of operations in its metadata.
    pub fn to_safetensors(&self) -> Vec<u8> {
        let mut metadata = self.metadata.clone();
        let graph = serde_json::to_string(&self.graph).expect("a graph is plain data");
        metadata.insert(GRAPH_KEY.to_owned(), graph);
        self.weights.to_safetensors(&metadata)
    }

    /// Reads what [`Model::to_safetensors`] wrote; the bytes are not trusted.
    ///
    /// # Errors
    /// A damaged file, a list of operations that is not a net, weights that do not fit it.
    pub fn from_safetensors(bytes: &[u8]) -> Result<Model, StoreError> {
        let (weights, mut metadata) = Weights::from_safetensors(bytes)?;
        let text = metadata.remove(GRAPH_KEY).ok_or(StoreError::NoGraph)?;
        let graph: Graph =
            serde_json::from_str(&text).map_err(|e| StoreError::GraphText(e.to_string()))?;
        graph.check().map_err(StoreError::Graph)?;
        graph.check_weights(&weights)?;
        Ok(Model { graph, weights, metadata })
    }
}
