//! Runs an exported model with ONNX Runtime on one CPU thread.

use std::path::Path;

use ::ort::session::Session;
use ::ort::session::builder::{GraphOptimizationLevel, SessionBuilder};
use ::ort::value::{Outlet, TensorElementType, TensorRef, ValueType};
use model::NetShape;

use crate::backend::{Backend, BackendError, check_lengths};
use crate::runtime::Runtime;

/// A model loaded into one ONNX Runtime session that uses the calling thread only.
#[derive(Debug)]
pub struct OrtBackend {
    session: Session,
    shape: NetShape,
}

/// A model file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read model {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// ONNX Runtime refuses the model.
    #[error("onnx runtime refuses the model: {0}")]
    Refused(String),
    /// The inputs and outputs are not those of the net that is expected.
    #[error("model does not fit: expected {expected}; found {found}")]
    Shape {
        /// Inputs and outputs a model of the variant has.
        expected: String,
        /// Inputs and outputs of the file.
        found: String,
    },
}

impl OrtBackend {
    /// Loads a model from its bytes, which are copied; sessions of several threads may load the
    /// same ones.
    ///
    /// # Errors
    /// If ONNX Runtime refuses the model, or its inputs and outputs are not those of `shape`.
    pub fn from_bytes(
        runtime: &Runtime,
        model: &[u8],
        shape: &NetShape,
    ) -> Result<Self, ModelError> {
        let session = builder(runtime)
            .and_then(|mut builder| builder.commit_from_memory(model))
            .map_err(|error| ModelError::Refused(error.to_string()))?;
        check_shape(&session, shape)?;
        Ok(Self { session, shape: shape.clone() })
    }

    /// Loads a model from a file; see [`OrtBackend::from_bytes`].
    ///
    /// # Errors
    /// If the file cannot be read or the model not be used.
    pub fn load(runtime: &Runtime, path: &Path, shape: &NetShape) -> Result<Self, ModelError> {
        let model = std::fs::read(path)
            .map_err(|source| ModelError::Read { path: path.display().to_string(), source })?;
        Self::from_bytes(runtime, &model, shape)
    }
}

impl Backend for OrtBackend {
    fn shape(&self) -> &NetShape {
        &self.shape
    }

    fn run(
        &mut self,
        batch: usize,
        input: &[f32],
        policy: &mut [f32],
        wdl: &mut [f32],
    ) -> Result<(), BackendError> {
        check_lengths(&self.shape, batch, input, policy, wdl);
        let NetShape { planes, ranks, files, .. } = self.shape;
        run(&mut self.session, [batch, planes, ranks, files], input, policy, wdl).map_err(|error| {
            BackendError { backend: "onnx runtime", batch, reason: error.to_string() }
        })
    }
}

/// The model reads `input` in place; its outputs are copied once.
fn run(
    session: &mut Session,
    shape: [usize; 4],
    input: &[f32],
    policy: &mut [f32],
    wdl: &mut [f32],
) -> ::ort::Result<()> {
    let planes = TensorRef::from_array_view((shape, input))?;
    let outputs = session.run(::ort::inputs!["planes" => planes])?;
    for (name, target) in [("policy", policy), ("wdl", wdl)] {
        let (_, values) = outputs[name].try_extract_tensor::<f32>()?;
        if values.len() != target.len() {
            let (found, expected) = (values.len(), target.len());
            return Err(::ort::Error::new(format!("`{name}` has {found} numbers, not {expected}")));
        }
        target.copy_from_slice(values);
    }
    Ok(())
}

/// Session options: the calling thread does all the work.
fn builder(runtime: &Runtime) -> ::ort::Result<SessionBuilder> {
    Ok(Session::builder(runtime.environment())?
        .with_intra_threads(1)?
        .with_inter_threads(1)?
        .with_parallel_execution(false)?
        .with_optimization_level(GraphOptimizationLevel::All)?)
}

/// Compares the inputs and outputs of the model with those of a net of this shape.
fn check_shape(session: &Session, shape: &NetShape) -> Result<(), ModelError> {
    let NetShape { planes, ranks, files, policy_len, .. } = *shape;
    let expected = [
        tensor("planes", &[None, Some(planes), Some(ranks), Some(files)]),
        tensor("policy", &[None, Some(policy_len)]),
        tensor("wdl", &[None, Some(3)]),
    ];
    let mut found: Vec<String> = session.inputs().iter().map(outlet).collect();
    let mut outputs: Vec<String> = session.outputs().iter().map(outlet).collect();
    outputs.sort_unstable();
    found.append(&mut outputs);
    if found == expected {
        return Ok(());
    }
    Err(ModelError::Shape { expected: expected.join(", "), found: found.join(", ") })
}

/// A tensor of the model in words; `None` is a free dimension.
fn tensor(name: &str, dimensions: &[Option<usize>]) -> String {
    let text = |d: &Option<usize>| d.map_or("N".to_string(), |d| d.to_string());
    let dimensions: Vec<String> = dimensions.iter().map(text).collect();
    format!("{name} f32[{}]", dimensions.join(", "))
}

/// An input or output of the model in words.
fn outlet(outlet: &Outlet) -> String {
    match outlet.dtype() {
        ValueType::Tensor { ty: TensorElementType::Float32, shape, .. } => {
            let dimensions: Vec<_> = shape.iter().map(|&d| usize::try_from(d).ok()).collect();
            tensor(outlet.name(), &dimensions)
        }
        other => format!("{} {other}", outlet.name()),
    }
}
