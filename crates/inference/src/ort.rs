//! Runs an exported model with ONNX Runtime on one CPU thread.

use std::path::Path;

use ::ort::session::builder::{GraphOptimizationLevel, SessionBuilder};
use ::ort::session::{Session, SessionOutputs};
use ::ort::value::{Outlet, TensorElementType, TensorRef, ValueType};
use model::NetShape;
use model::onnx::Contract;

use crate::backend::{Backend, BackendError, check_lengths};
use crate::runtime::Runtime;

/// A model loaded into one ONNX Runtime session that uses the calling thread only.
#[derive(Debug)]
pub struct OrtBackend {
    session: Session,
    shape: NetShape,
    contract: Contract,
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
    /// Loads a model of [`Contract::Graph`] from its bytes, which are copied; sessions of several
    /// threads may load the same ones.
    ///
    /// # Errors
    /// If ONNX Runtime refuses the model, or its inputs and outputs are not those of `shape`.
    pub fn from_bytes(
        runtime: &Runtime,
        model: &[u8],
        shape: &NetShape,
    ) -> Result<Self, ModelError> {
        Self::of_contract(runtime, model, shape, Contract::Graph)
    }

    /// Loads a model of any contract. Of [`Contract::Dlshogi`] the expected score is taken for the
    /// chance to win and the rest for that to lose, for it tells nothing of draws; `shape` is that of
    /// dlshogi's encoding.
    ///
    /// # Errors
    /// As those of [`OrtBackend::from_bytes`].
    pub fn of_contract(
        runtime: &Runtime,
        model: &[u8],
        shape: &NetShape,
        contract: Contract,
    ) -> Result<Self, ModelError> {
        let session = builder(runtime)
            .and_then(|mut builder| builder.commit_from_memory(model))
            .map_err(|error| ModelError::Refused(error.to_string()))?;
        check_shape(&session, shape, contract)?;
        Ok(Self { session, shape: shape.clone(), contract })
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
        let session = &mut self.session;
        let ran = match self.contract {
            Contract::Graph => {
                let NetShape { planes, ranks, files, .. } = self.shape;
                run(session, [batch, planes, ranks, files], input, policy, wdl)
            }
            Contract::Dlshogi => run_dlshogi(session, batch, input, policy, wdl),
        };
        ran.map_err(|error| BackendError {
            backend: "onnx runtime",
            batch,
            reason: error.to_string(),
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
    policy.copy_from_slice(numbers(&outputs, "policy", policy.len())?);
    wdl.copy_from_slice(numbers(&outputs, "wdl", wdl.len())?);
    Ok(())
}

/// Numbers of `input1` and of `input2` for one position.
const DLSHOGI_INPUTS: [usize; 2] = [62 * 81, 57 * 81];

/// The same by the contract of dlshogi.
fn run_dlshogi(
    session: &mut Session,
    batch: usize,
    input: &[f32],
    policy: &mut [f32],
    wdl: &mut [f32],
) -> ::ort::Result<()> {
    let [board, rest] = DLSHOGI_INPUTS;
    let mut parts = [Vec::with_capacity(batch * board), Vec::with_capacity(batch * rest)];
    for row in input.chunks_exact(board + rest) {
        parts[0].extend_from_slice(&row[..board]);
        parts[1].extend_from_slice(&row[board..]);
    }
    let view = |part: usize, planes| {
        TensorRef::from_array_view(([batch, planes, 9, 9], parts[part].as_slice()))
    };
    let inputs = ::ort::inputs!["input1" => view(0, 62)?, "input2" => view(1, 57)?];
    let outputs = session.run(inputs)?;
    policy.copy_from_slice(numbers(&outputs, "output_policy", policy.len())?);
    let scores = numbers(&outputs, "output_value", batch)?;
    for (wdl, &score) in wdl.chunks_exact_mut(3).zip(scores) {
        if !(0.0..=1.0).contains(&score) {
            return Err(::ort::Error::new(format!("`output_value` is {score}, not in 0 to 1")));
        }
        // Logits whose softmax is (score, nearly 0, 1 - score).
        let score = score.clamp(1e-6, 1.0 - 1e-6);
        wdl.copy_from_slice(&[score.ln(), -50.0, (1.0 - score).ln()]);
    }
    Ok(())
}

/// The numbers of an output, which must be so many.
fn numbers<'a>(
    outputs: &'a SessionOutputs<'_>,
    name: &str,
    len: usize,
) -> ::ort::Result<&'a [f32]> {
    let (_, values) = outputs[name].try_extract_tensor::<f32>()?;
    if values.len() != len {
        let found = values.len();
        return Err(::ort::Error::new(format!("`{name}` has {found} numbers, not {len}")));
    }
    Ok(values)
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
fn check_shape(session: &Session, shape: &NetShape, contract: Contract) -> Result<(), ModelError> {
    let NetShape { planes, ranks, files, policy_len, .. } = *shape;
    let board = |name, planes| tensor(name, &[None, Some(planes), Some(ranks), Some(files)]);
    let row = |name, len| tensor(name, &[None, Some(len)]);
    let expected = match contract {
        Contract::Graph => vec![board("planes", planes), row("policy", policy_len), row("wdl", 3)],
        Contract::Dlshogi => vec![
            board("input1", 62),
            board("input2", 57),
            row("output_policy", policy_len),
            row("output_value", 1),
        ],
    };
    let sorted = |outlets: &[Outlet]| {
        let mut outlets: Vec<String> = outlets.iter().map(outlet).collect();
        outlets.sort_unstable();
        outlets
    };
    let found = [sorted(session.inputs()), sorted(session.outputs())].concat();
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
