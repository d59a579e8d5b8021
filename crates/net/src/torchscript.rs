//! TorchScript files: the folded net, traced.

use std::path::Path;

use model::{Graph, NetShape, Weights, head};
use tch::{CModule, Device, Kind, Tensor};

use crate::error::{NetError, at};
use crate::module::Module;

/// Writes the folded net as a TorchScript file: its `forward` takes planes `[N, planes, ranks,
/// files]` of any `N` and returns `[N, V + 3]`: the logits of the policy, then those of win, draw and
/// loss. (A traced program has one result.)
///
/// # Errors
/// A graph or weights that do not pass their checks; whatever libtorch refuses, such as the path.
pub fn write(graph: &Graph, weights: &Weights, path: &Path) -> Result<(), NetError> {
    let (graph, weights) = graph.folded(weights)?;
    let module = Module::new(&graph, &weights, Device::Cpu)?;
    for (_, parameter) in module.parameters() {
        // The tracer takes constants alone.
        let _ = parameter.f_set_requires_grad(false).map_err(at(|| "parameters"))?;
    }
    let NetShape { planes, ranks, files, .. } = graph.shape;
    let sizes = [2, planes, ranks, files].map(|size| size as i64);
    let example = Tensor::f_zeros(sizes, (Kind::Float, Device::Cpu)).map_err(at(|| "example"))?;
    let mut failure = None;
    let mut forward = |inputs: &[Tensor]| {
        let outputs = module.forward(&inputs[0]).and_then(|outputs| {
            let heads = [outputs.get(head::POLICY)?, outputs.get(head::WDL)?];
            Tensor::f_cat(&heads, 1).map_err(at(|| "outputs"))
        });
        // The tracer wants tensors in any case; the error is told afterwards.
        vec![outputs.unwrap_or_else(|error| {
            failure = Some(error);
            inputs[0].shallow_clone()
        })]
    };
    let traced =
        tch::no_grad(|| CModule::create_by_tracing("Narikin", "forward", &[example], &mut forward));
    if let Some(error) = failure {
        return Err(error);
    }
    let place = || format!("TorchScript file {}", path.display());
    traced.and_then(|traced| traced.save(path)).map_err(at(place))
}
