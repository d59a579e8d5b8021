use crate::{assert_near, net, planes};
use model::{Graph, TensorId, Weights, head, reference};
use net::{Module, NetError};
use rules::Seed;
use tch::{Device, Kind, Tensor};

fn tensor(graph: &Graph, input: &[f32]) -> Tensor {
    let shape = &graph.shape;
    let sizes = [shape.planes, shape.ranks, shape.files].map(|size| size as i64);
    Tensor::from_slice(input).reshape([-1, sizes[0], sizes[1], sizes[2]])
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    Vec::try_from(tensor.flatten(0, -1)).unwrap()
}

#[test]
fn every_head_agrees_with_the_reference() {
    let (graph, weights) = net();
    let module = Module::new(&graph, &weights, Device::Cpu).unwrap();
    for batch in [1, 7, 64] {
        let input = planes(&graph, batch);
        let expected = reference::run(&graph, &weights, &input).unwrap();
        let outputs = module.forward(&tensor(&graph, &input)).unwrap();
        assert_eq!(outputs.iter().count(), 6);
        for (name, output) in outputs.iter() {
            assert_eq!(output.size()[0], batch as i64);
            assert_near(name, &numbers(output), &expected[name]);
        }
    }
}

#[test]
fn a_folded_module_computes_the_same() {
    let (graph, weights) = net();
    let (folded, folded_weights) = graph.folded(&weights).unwrap();
    let module = Module::new(&graph, &weights, Device::Cpu).unwrap();
    let play = Module::new(&folded, &folded_weights, Device::Cpu).unwrap();
    let input = tensor(&graph, &planes(&graph, 7));
    let (full, play) = (module.forward(&input).unwrap(), play.forward(&input).unwrap());
    for name in head::PLAY {
        assert_near(name, &numbers(play.get(name).unwrap()), &numbers(full.get(name).unwrap()));
    }
    assert!(matches!(play.get(head::REPLY), Err(NetError::NoOutput(_))));
}

/// The sum of all squared outputs, and its gradients left in the module.
fn loss(module: &Module, input: &Tensor) -> Tensor {
    let outputs = module.forward(input).unwrap();
    outputs.iter().map(|(_, output)| output.square().sum(Kind::Float)).sum()
}

#[test]
fn every_parameter_has_a_gradient() {
    let (graph, weights) = net();
    let module = Module::new(&graph, &weights, Device::Cpu).unwrap();
    loss(&module, &tensor(&graph, &planes(&graph, 4))).backward();
    let parameters = module.parameters();
    assert_eq!(parameters.len(), graph.params.len());
    for (name, parameter) in &parameters {
        let gradient = parameter.grad();
        assert!(gradient.defined(), "{name}");
        let size = gradient.abs().sum(Kind::Float).double_value(&[]);
        assert!(size.is_finite() && size > 0.0, "{name}: {size}");
    }
    module.zero_grad();
    assert!(
        parameters.iter().all(|(_, p)| p.grad().abs().sum(Kind::Float).double_value(&[]) == 0.0)
    );
}

#[test]
fn a_gradient_step_through_the_handles_lowers_the_loss() {
    let (graph, weights) = net();
    let module = Module::new(&graph, &weights, Device::Cpu).unwrap();
    let input = tensor(&graph, &planes(&graph, 4));
    let before = loss(&module, &input);
    before.backward();
    tch::no_grad(|| {
        for (_, parameter) in module.parameters() {
            let mut parameter = parameter.shallow_clone();
            let step = parameter.grad() * 1e-5;
            parameter.f_copy_(&(&parameter - step)).unwrap();
        }
    });
    assert_ne!(module.weights().unwrap(), weights);
    assert!(loss(&module, &input).double_value(&[]) < before.double_value(&[]));
}

#[test]
fn weights_come_back_exactly_and_can_be_exchanged() {
    let (graph, weights) = net();
    let module = Module::new(&graph, &weights, Device::Cpu).unwrap();
    assert_eq!(module.weights().unwrap(), weights);
    let handle = module.parameters()[0].1.shallow_clone();
    let other = Weights::init(&graph, Seed(8));
    module.load(&other).unwrap();
    assert_eq!(module.weights().unwrap(), other);
    assert_eq!(numbers(&handle), other.get(&graph.params[0].name).unwrap().data());
    assert!(module.load(&Weights::new()).is_err());
    assert!(module.parameters().iter().all(|(_, parameter)| parameter.requires_grad()));
}

#[test]
fn inputs_of_another_shape_are_an_error() {
    let (graph, weights) = net();
    let module = Module::new(&graph, &weights, Device::Cpu).unwrap();
    for sizes in [vec![], vec![3], vec![2, 10, 5, 4], vec![2, 11, 4, 5], vec![10, 4, 5]] {
        let input = Tensor::zeros(sizes.as_slice(), (Kind::Float, Device::Cpu));
        assert!(matches!(module.forward(&input), Err(NetError::Input { .. })), "{sizes:?}");
    }
    let integers = Tensor::zeros([2, 10, 4, 5], (Kind::Int64, Device::Cpu));
    assert!(matches!(module.forward(&integers), Err(NetError::Torch { .. })));
}

#[test]
fn graphs_and_weights_that_do_not_fit_are_an_error() {
    let (mut graph, weights) = net();
    assert!(Module::new(&graph, &Weights::new(), Device::Cpu).is_err());
    graph.nodes[0].inputs[0] = TensorId(9);
    assert!(matches!(Module::new(&graph, &weights, Device::Cpu), Err(NetError::Fit(_))));
}
