//! The form of a net for play.

use crate::graph::{Graph, GraphError, Node, Op, TensorId, head};
use crate::weights::{Tensor, Weights, WeightsError};

/// Added to the sum of squares of a kernel before the root, so that a kernel of zeros stays zero.
pub const STANDARDISE_EPSILON: f64 = 1e-6;

/// Why a net could not be folded or run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The graph is not a net.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The weights do not fit the graph.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl Graph {
    /// The same net for play: only the outputs [`head::PLAY`] and what they need, every
    /// standardised kernel replaced by a plain one. Computes the same numbers up to rounding.
    /// Folding a folded net changes nothing.
    ///
    /// # Errors
    /// A graph or weights that do not pass their checks.
    pub fn folded(&self, weights: &Weights) -> Result<(Graph, Weights), FitError> {
        self.check()?;
        self.check_weights(weights)?;
        let mut graph = self.pruned();
        let mut folded = Weights::new();
        for node in &mut graph.nodes {
            let (weight, bias, gain) = match &mut node.op {
                Op::Conv { weight, bias, gain } => (weight, bias, gain.take()),
                Op::Linear { weight, bias } => (weight, bias, None),
                _ => continue,
            };
            let kernel = weights.get(weight)?;
            let kernel = match gain {
                Some(gain) => standardised(kernel, weights.get(&gain)?),
                None => kernel.clone(),
            };
            folded.insert(weight.clone(), kernel);
            folded.insert(bias.clone(), weights.get(bias)?.clone());
        }
        graph.params.retain(|param| folded.get(&param.name).is_ok());
        Ok((graph, folded))
    }

    /// The graph without the nodes that no output of play needs; parameters are left alone.
    fn pruned(&self) -> Graph {
        let mut graph = self.clone();
        graph.outputs = head::PLAY
            .iter()
            .filter_map(|name| self.outputs.iter().find(|(output, _)| output == name).cloned())
            .collect();
        let mut needed = vec![false; self.nodes.len() + 1];
        graph.outputs.iter().for_each(|(_, TensorId(id))| needed[*id] = true);
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if needed[index + 1] {
                node.inputs.iter().for_each(|TensorId(id)| needed[*id] = true);
            }
        }
        // New id of each tensor: the number of needed ones up to it; the input keeps 0.
        let mut ids = vec![TensorId::INPUT; self.nodes.len() + 1];
        graph.nodes = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if needed[index + 1] {
                let inputs = node.inputs.iter().map(|TensorId(id)| ids[*id]).collect();
                graph.nodes.push(Node { op: node.op.clone(), inputs });
            }
            ids[index + 1] = TensorId(graph.nodes.len());
        }
        graph.outputs.iter_mut().for_each(|(_, id)| *id = ids[id.0]);
        graph
    }
}

/// The plain kernel that acts as `kernel` does with this gain; see [`Op::Conv`].
pub(crate) fn standardised(kernel: &Tensor, gain: &Tensor) -> Tensor {
    let mut plain = kernel.clone();
    let fan_in = kernel.data().len() / gain.data().len();
    for (row, &gain) in plain.data_mut().chunks_exact_mut(fan_in).zip(gain.data()) {
        let mean = row.iter().map(|&w| f64::from(w)).sum::<f64>() / fan_in as f64;
        let squares = row.iter().map(|&w| (f64::from(w) - mean).powi(2)).sum::<f64>();
        let scale = f64::from(gain) / (squares + STANDARDISE_EPSILON).sqrt();
        row.iter_mut().for_each(|w| *w = ((f64::from(*w) - mean) * scale) as f32);
    }
    plain
}
