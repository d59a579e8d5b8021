use crate::{gather, shape, small};
use model::{
    Graph, GraphError, Init, NetConfig, NetShape, Op, TensorId, Weights, WeightsError, head,
};
use rules::Seed;

#[test]
fn every_head_is_an_output() {
    let (graph, _) = small();
    let names = [
        head::POLICY,
        head::REPLY,
        head::SOFT_POLICY,
        head::WDL,
        head::SHORT_TERM,
        head::PLIES_LEFT,
    ];
    assert_eq!(graph.outputs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), names);
}

#[test]
fn only_the_last_block_pools_by_default() {
    let graph = Graph::build(&NetConfig::default(), &shape(), &gather(&shape())).unwrap();
    let pools: Vec<&str> = graph
        .params
        .iter()
        .filter(|param| param.name.ends_with("pool.weight"))
        .map(|param| param.name.as_str())
        .collect();
    assert_eq!(pools, ["tower.2.pool.weight"]);
}

#[test]
fn a_default_net_for_a_small_board_has_eighty_thousand_parameters() {
    let shape = NetShape { planes: 50, ranks: 4, files: 5, head_planes: 36, policy_len: 398 };
    let graph = Graph::build(&NetConfig::default(), &shape, &gather(&shape)).unwrap();
    assert_eq!(graph.parameter_count(), 80_275);
}

#[test]
fn every_key_out_of_range_is_named() {
    let config = NetConfig { blocks: 65, channels: 0, ..NetConfig::default() };
    let error = config.validate().unwrap_err();
    assert_eq!(error.to_string(), "blocks = 65 is not in 0..=64; channels = 0 is not in 1..=1024");
}

#[test]
fn no_blocks_are_allowed() {
    let config = NetConfig { blocks: 0, ..NetConfig::default() };
    Graph::build(&config, &shape(), &gather(&shape())).unwrap();
}

#[test]
fn an_unknown_key_is_an_error() {
    assert!(serde_json::from_str::<NetConfig>(r#"{"chanels": 32}"#).is_err());
    assert_eq!(serde_json::from_str::<NetConfig>("{}").unwrap(), NetConfig::default());
}

#[test]
fn a_gather_table_that_does_not_fit_is_refused() {
    let mut table = gather(&shape());
    table[4] = 36;
    assert!(matches!(
        Graph::build(&NetConfig::default(), &shape(), &table),
        Err(GraphError::List(_))
    ));
    assert!(Graph::build(&NetConfig::default(), &shape(), &table[1..]).is_err());
}

#[test]
fn broken_graphs_are_refused() {
    let break_and_check = |change: fn(&mut Graph)| {
        let (mut graph, _) = small();
        change(&mut graph);
        graph.check().unwrap_err()
    };
    break_and_check(|graph| graph.nodes[3].inputs[0] = TensorId(4));
    break_and_check(|graph| graph.nodes[3].inputs[0] = TensorId(usize::MAX));
    break_and_check(|graph| graph.nodes[0].inputs.clear());
    break_and_check(|graph| graph.nodes[1].op = Op::Gather);
    break_and_check(|graph| graph.params[0].shape[1] = 6);
    break_and_check(|graph| graph.params[0].shape = vec![usize::MAX, 5, 3, 3]);
    break_and_check(|graph| graph.params[1].shape = vec![]);
    break_and_check(|graph| graph.params[1].name = "entry.weight".to_owned());
    break_and_check(|graph| graph.outputs[0].1 = TensorId(2));
    break_and_check(|graph| graph.outputs[0].1 = TensorId(1000));
    break_and_check(|graph| graph.outputs[0].0 = "other".to_owned());
    break_and_check(|graph| graph.outputs.clear());
    break_and_check(|graph| graph.shape.ranks = usize::MAX);
    break_and_check(|graph| graph.nodes.truncate(5));
}

/// What is accepted can be written and played: none of these shows before.
#[test]
fn graphs_that_could_not_be_written_or_run_are_refused() {
    let told = |change: fn(&mut Graph)| {
        let (mut graph, _) = small();
        change(&mut graph);
        graph.check().unwrap_err().to_string()
    };
    for (name, quoted) in [("t3", "\"t3\""), ("vocabulary", "\"vocabulary\""), ("", "\"\"")] {
        let (mut graph, _) = small();
        graph.params[0].name = name.to_owned();
        let error = graph.check().unwrap_err().to_string();
        assert_eq!(error, format!("parameter {quoted} has no dot in its name"));
    }
    let error = told(|graph| graph.params[0].init = Init::Normal(f32::INFINITY));
    assert_eq!(error, "parameter \"entry.weight\" starts with a number that is not finite");
    let error = told(|graph| {
        let linear = graph.nodes.iter().find_map(|node| match &node.op {
            Op::Linear { bias, .. } => Some(bias.clone()),
            _ => None,
        });
        let bias = graph.params.iter_mut().find(|param| Some(&param.name) == linear.as_ref());
        bias.unwrap().shape.insert(0, 1);
    });
    assert!(error.ends_with("is not a vector"), "{error}");
}

#[test]
fn two_outputs_of_one_tensor_are_refused() {
    let shape = NetShape { policy_len: 3, ..shape() };
    let mut graph = Graph::build(&NetConfig::default(), &shape, &gather(&shape)).unwrap();
    graph.check().unwrap();
    let policy = graph.outputs.iter().position(|(name, _)| name == head::POLICY).unwrap();
    let wdl = graph.outputs.iter().position(|(name, _)| name == head::WDL).unwrap();
    graph.outputs[wdl].1 = graph.outputs[policy].1;
    assert_eq!(graph.check().unwrap_err().to_string(), "two outputs are the same tensor");
}

#[test]
fn weights_must_fit_exactly() {
    let (graph, weights) = small();
    graph.check_weights(&weights).unwrap();
    let other = weights.iter().filter(|(name, _)| *name != "entry.bias");
    let other: Weights = other.map(|(name, tensor)| (name.to_owned(), tensor.clone())).collect();
    assert!(matches!(graph.check_weights(&other), Err(WeightsError::Missing { .. })));
    let mut other = weights.clone();
    other.insert("more", weights.get("entry.bias").unwrap().clone());
    assert!(matches!(graph.check_weights(&other), Err(WeightsError::Unknown { .. })));
    let mut other = weights.clone();
    other.insert("entry.bias", weights.get("entry.weight").unwrap().clone());
    assert!(matches!(graph.check_weights(&other), Err(WeightsError::Shape { .. })));
    let mut other = weights.clone();
    other.get_mut("entry.bias").unwrap().data_mut()[0] = f32::NAN;
    assert!(matches!(graph.check_weights(&other), Err(WeightsError::NotFinite { .. })));
}

#[test]
fn the_start_depends_on_the_seed_alone() {
    let (graph, _) = small();
    assert_eq!(Weights::init(&graph, Seed(1)), Weights::init(&graph, Seed(1)));
    assert_ne!(Weights::init(&graph, Seed(1)), Weights::init(&graph, Seed(2)));
}
