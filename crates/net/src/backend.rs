//! libtorch as a [`Backend`] for play.

use crate::error::NetError;
use crate::module::{Module, download};
use inference::{Backend, BackendError};
use model::{Graph, NetShape, Weights, head};
use tch::{Device, Tensor};

/// Runs a folded net without gradients.
#[derive(Debug)]
pub struct TchBackend {
    module: Module,
}

impl TchBackend {
    /// Folds the net and puts it on `device`.
    ///
    /// # Errors
    /// A graph or weights that do not pass their checks; a device that is not there.
    pub fn new(graph: &Graph, weights: &Weights, device: Device) -> Result<TchBackend, NetError> {
        let (graph, weights) = graph.folded(weights)?;
        Ok(TchBackend { module: Module::new(&graph, &weights, device)? })
    }

    fn evaluate(
        &self,
        batch: usize,
        input: &[f32],
        policy: &mut [f32],
        wdl: &mut [f32],
    ) -> Result<(), NetError> {
        let NetShape { planes, ranks, files, .. } = *self.shape();
        let sizes = [batch, planes, ranks, files].map(|size| size as i64);
        let input = Tensor::f_from_slice(input)
            .and_then(|tensor| tensor.f_reshape(sizes)?.f_to_device(self.module.device()))
            .map_err(crate::error::at(|| "input"))?;
        let outputs = tch::no_grad(|| self.module.forward(&input))?;
        for (name, row) in [(head::POLICY, policy), (head::WDL, wdl)] {
            download(outputs.get(name)?, row).map_err(crate::error::at(|| name))?;
        }
        Ok(())
    }
}

impl Backend for TchBackend {
    fn shape(&self) -> &NetShape {
        &self.module.graph().shape
    }

    /// Like every backend; but slices of another length are an error here, not a panic.
    fn run(
        &mut self,
        batch: usize,
        input: &[f32],
        policy: &mut [f32],
        wdl: &mut [f32],
    ) -> Result<(), BackendError> {
        let fail = |reason| BackendError { backend: "libtorch", batch, reason };
        let shape = self.shape();
        let expected = [shape.input_len(), shape.policy_len, 3].map(|len| batch * len);
        let found = [input.len(), policy.len(), wdl.len()];
        if found != expected {
            return Err(fail(format!("slices of {found:?} numbers instead of {expected:?}")));
        }
        self.evaluate(batch, input, policy, wdl).map_err(|error| fail(error.to_string()))
    }
}
