//! The oracle itself, against numbers worked out by hand.

use model::{Graph, Init, NetShape, Node, Op, Param, Tensor, TensorId, Weights, reference};

/// A net of one plane of 2 ranks and 2 files: `op` of the input gives the policy after a gather of
/// all of it; the value is a linear image of the pooled input.
fn run(kernel: Vec<f32>, input: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let name = |name: &str| name.to_owned();
    let conv = Op::Conv { weight: name("conv.weight"), bias: name("conv.bias"), gain: None };
    let linear = Op::Linear { weight: name("linear.weight"), bias: name("linear.bias") };
    let node = |op: &Op, input: usize| Node { op: op.clone(), inputs: vec![TensorId(input)] };
    let param = |text: &str, shape: &[usize]| Param {
        name: name(text),
        shape: shape.to_vec(),
        init: Init::Constant(0.0),
    };
    let graph = Graph {
        shape: NetShape { planes: 1, ranks: 2, files: 2, head_planes: 1, policy_len: 4 },
        gather: vec![0, 1, 3, 2],
        nodes: vec![node(&conv, 0), node(&Op::Gather, 1), node(&Op::Pool, 0), node(&linear, 3)],
        params: vec![
            param("conv.weight", &[1, 1, 3, 3]),
            param("conv.bias", &[1]),
            param("linear.weight", &[3, 2]),
            param("linear.bias", &[3]),
        ],
        outputs: vec![(name("policy"), TensorId(2)), (name("wdl"), TensorId(4))],
    };
    let tensor = |shape: &[usize], data: Vec<f32>| Tensor::new(shape.to_vec(), data).unwrap();
    let mut weights = Weights::new();
    weights.insert("conv.weight", tensor(&[1, 1, 3, 3], kernel));
    weights.insert("conv.bias", tensor(&[1], vec![0.5]));
    weights.insert("linear.weight", tensor(&[3, 2], vec![1.0, 0.0, 0.0, 1.0, 2.0, 2.0]));
    weights.insert("linear.bias", tensor(&[3], vec![0.0, 0.0, 1.0]));
    let mut outputs = reference::run(&graph, &weights, input).unwrap();
    (outputs.remove("policy").unwrap(), outputs.remove("wdl").unwrap())
}

#[test]
fn a_kernel_reads_its_neighbours_and_zeros_beyond_the_edge() {
    let mut left = vec![0.0; 9];
    left[3] = 1.0;
    let (policy, wdl) = run(left, &[1.0, 2.0, 3.0, 4.0]);
    // Every square becomes its left neighbour plus the bias; the gather swaps the last two.
    assert_eq!(policy, [0.5, 1.5, 3.5, 0.5]);
    assert_eq!(wdl, [2.5, 4.0, 14.0]);
    let mut below = vec![0.0; 9];
    below[7] = 1.0;
    assert_eq!(run(below, &[1.0, 2.0, 3.0, 4.0]).0, [3.5, 4.5, 0.5, 0.5]);
}

#[test]
fn positions_of_a_batch_do_not_touch() {
    let kernel: Vec<f32> = (0..9).map(|k| k as f32).collect();
    let (a, b) = ([1.0, -2.0, 3.0, 4.0], [0.5, 0.0, -7.0, 2.0]);
    let both = run(kernel.clone(), &[a, b].concat());
    let (one, two) = (run(kernel.clone(), &a), run(kernel, &b));
    assert_eq!(both, ([one.0, two.0].concat(), [one.1, two.1].concat()));
}

#[test]
fn an_input_of_another_length_is_refused() {
    let (graph, weights) = crate::small();
    assert!(reference::run(&graph, &weights, &[0.0; 61]).is_err());
}
