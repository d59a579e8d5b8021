//! A slow executor of the list of operations, in plain loops and double precision: the oracle that
//! every fast backend is compared with.

use crate::fold::{FitError, standardised};
use crate::graph::{Graph, Op, Shape, TensorId};
use crate::weights::{Tensor, Weights};
use std::collections::BTreeMap;

/// Why a reference run was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// Graph or weights are wrong.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The input is not a batch.
    #[error("input of {found} numbers is not a multiple of {expected}")]
    Input {
        /// Numbers given.
        found: usize,
        /// Numbers of one position.
        expected: usize,
    },
}

/// Runs the net on `input` `[N, planes, ranks, files]`; every output by name, `[N, len]`.
///
/// # Errors
/// Whatever does not fit: graph, weights or input.
pub fn run(
    graph: &Graph,
    weights: &Weights,
    input: &[f32],
) -> Result<BTreeMap<String, Vec<f32>>, ReferenceError> {
    let shapes = graph.check().map_err(FitError::from)?;
    graph.check_weights(weights).map_err(FitError::from)?;
    let expected = graph.shape.input_len();
    if !input.len().is_multiple_of(expected) {
        return Err(ReferenceError::Input { found: input.len(), expected });
    }
    let mut outputs: BTreeMap<String, Vec<f32>> =
        graph.outputs.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
    for position in input.chunks_exact(expected) {
        let mut tensors = vec![position.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>()];
        for node in &graph.nodes {
            let input = |k: usize| {
                let TensorId(id) = node.inputs[k];
                (tensors[id].as_slice(), shapes[id])
            };
            let result = match &node.op {
                Op::Add => add(input(0).0, input(1)),
                Op::Gather => graph.gather.iter().map(|&i| input(0).0[i as usize]).collect(),
                op => unary(op, weights, input(0))?,
            };
            tensors.push(result);
        }
        for (name, TensorId(id)) in &graph.outputs {
            let output = outputs.get_mut(name).expect("every output was entered above");
            output.extend(tensors[*id].iter().map(|&x| x as f32));
        }
    }
    Ok(outputs)
}

fn unary(op: &Op, weights: &Weights, (x, shape): (&[f64], Shape)) -> Result<Vec<f64>, FitError> {
    let squares = match shape {
        Shape::Board([_, ranks, files]) => ranks * files,
        Shape::Row(_) => 1,
    };
    Ok(match op {
        Op::Conv { weight, bias, gain } => {
            let kernel = weights.get(weight)?;
            let kernel = match gain {
                Some(gain) => standardised(kernel, weights.get(gain)?),
                None => kernel.clone(),
            };
            let Shape::Board(board) = shape else { unreachable!("checked: a board") };
            conv(x, board, &kernel, weights.get(bias)?.data())
        }
        Op::Linear { weight, bias } => {
            let rows = weights.get(weight)?.data().chunks_exact(x.len());
            let dot = |row: &[f32]| row.iter().zip(x).map(|(&w, x)| f64::from(w) * x).sum::<f64>();
            rows.zip(weights.get(bias)?.data()).map(|(row, &b)| dot(row) + f64::from(b)).collect()
        }
        Op::Relu => x.iter().map(|x| x.max(0.0)).collect(),
        Op::Pool => {
            let channels = || x.chunks_exact(squares);
            let means = channels().map(|c| c.iter().sum::<f64>() / squares as f64);
            let maxima = channels().map(|c| c.iter().copied().fold(f64::NEG_INFINITY, f64::max));
            means.chain(maxima).collect()
        }
        Op::Add | Op::Gather => unreachable!("done by the caller"),
    })
}

fn add(a: &[f64], (b, shape): (&[f64], Shape)) -> Vec<f64> {
    match shape {
        Shape::Board([channels, 1, 1]) => {
            let squares = a.len() / channels;
            a.iter().enumerate().map(|(i, a)| a + b[i / squares]).collect()
        }
        _ => a.iter().zip(b).map(|(a, b)| a + b).collect(),
    }
}

fn conv(x: &[f64], [_, ranks, files]: [usize; 3], kernel: &Tensor, bias: &[f32]) -> Vec<f64> {
    let &[outputs, inputs, size, _] = kernel.shape() else { unreachable!("checked: a kernel") };
    let reach = size / 2;
    let mut result = Vec::with_capacity(outputs * ranks * files);
    for (output, &bias) in bias.iter().enumerate() {
        for (rank, file) in (0..ranks).flat_map(|rank| (0..files).map(move |file| (rank, file))) {
            let mut sum = f64::from(bias);
            for input in 0..inputs {
                for (dr, df) in (0..size).flat_map(|dr| (0..size).map(move |df| (dr, df))) {
                    // Wraps below 0 to a huge number, which is off the board as well.
                    let (r, f) = ((rank + dr).wrapping_sub(reach), (file + df).wrapping_sub(reach));
                    if r < ranks && f < files {
                        let w = kernel.data()[((output * inputs + input) * size + dr) * size + df];
                        sum += f64::from(w) * x[(input * ranks + r) * files + f];
                    }
                }
            }
            result.push(sum);
        }
    }
    result
}
