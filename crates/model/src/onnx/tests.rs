//! Decodes a written file again and checks what an ONNX reader would.

use super::{INPUT, OnnxError, SHAPE_KEY, proto, write};
use crate::{Graph, Metadata, NetConfig, NetShape, Weights};
use prost::Message;
use proto::{Dimension, ModelProto, TensorProto, ValueInfo};
use rules::Seed;
use std::collections::BTreeSet;

fn net(planes: usize) -> (Graph, Weights) {
    let shape = NetShape { planes, ranks: 4, files: 5, head_planes: 3, policy_len: 7 };
    let config =
        NetConfig { blocks: 2, channels: 8, value_flat_channels: 2, ..NetConfig::default() };
    let graph = Graph::build(&config, &shape, &[0, 5, 2, 59, 8, 8, 1]).unwrap();
    let weights = Weights::init(&graph, Seed(1));
    graph.folded(&weights).unwrap()
}

fn decoded(planes: usize) -> ModelProto {
    let (graph, weights) = net(planes);
    let metadata = Metadata::from([("variant".to_owned(), "test".to_owned())]);
    ModelProto::decode(write(&graph, &weights, &metadata).unwrap().as_slice()).unwrap()
}

fn sizes(info: &ValueInfo) -> Vec<i64> {
    let shape = info.r#type.clone().unwrap().tensor_type.unwrap().shape.unwrap();
    let size = |dim: &Dimension| dim.dim_value.unwrap_or(-1);
    assert_eq!(shape.dim[0].dim_param.as_deref(), Some("N"));
    shape.dim.iter().map(size).collect()
}

#[test]
fn inputs_outputs_and_metadata_are_as_promised() {
    let model = decoded(6);
    assert_eq!((model.ir_version, model.opset_import[0].version), (8, 17));
    let graph = model.graph.unwrap();
    assert_eq!(graph.input.len(), 1);
    assert_eq!((graph.input[0].name.as_str(), sizes(&graph.input[0])), (INPUT, vec![-1, 6, 4, 5]));
    let outputs: Vec<_> =
        graph.output.iter().map(|info| (info.name.as_str(), sizes(info))).collect();
    assert_eq!(outputs, [("policy", vec![-1, 7]), ("wdl", vec![-1, 3])]);
    let keys: Vec<_> = model.metadata_props.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, [SHAPE_KEY, "variant"]);
    let shape: NetShape = serde_json::from_str(&model.metadata_props[0].value).unwrap();
    assert_eq!(shape, net(6).0.shape);
}

#[test]
fn every_name_is_written_once_before_it_is_read() {
    let graph = decoded(6).graph.unwrap();
    let mut known: BTreeSet<&str> = graph.initializer.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(known.len(), graph.initializer.len());
    assert!(known.insert(&graph.input[0].name));
    for node in &graph.node {
        for input in &node.input {
            assert!(known.contains(input.as_str()), "{input}");
        }
        assert!(known.insert(&node.output[0]), "{}", node.output[0]);
    }
    assert!(graph.output.iter().all(|output| known.contains(output.name.as_str())));
    let used: BTreeSet<_> = graph.node.iter().flat_map(|node| &node.input).collect();
    assert!(graph.initializer.iter().all(|tensor| used.contains(&tensor.name)));
}

#[test]
fn raw_data_has_the_length_of_its_shape() {
    for tensor in decoded(6).graph.unwrap().initializer {
        let width = if tensor.data_type == proto::INT64 { 8 } else { 4 };
        assert_eq!(tensor.raw_data.len() as i64, width * tensor.dims.iter().product::<i64>());
    }
}

#[test]
fn planes_are_padded_to_a_multiple_of_four() {
    let entry = |planes| {
        let graph = decoded(planes).graph.unwrap();
        let entry: TensorProto =
            graph.initializer.into_iter().find(|tensor| tensor.name == "entry.weight").unwrap();
        (entry.dims, graph.node[0].op_type.clone())
    };
    assert_eq!(entry(6), (vec![8, 8, 3, 3], "Pad".to_owned()));
    assert_eq!(entry(8), (vec![8, 8, 3, 3], "Conv".to_owned()));
}

#[test]
fn a_net_that_is_not_folded_is_refused() {
    let shape = net(6).0.shape;
    let graph = Graph::build(&NetConfig::default(), &shape, &[0; 7]).unwrap();
    let weights = Weights::init(&graph, Seed(1));
    let error = write(&graph, &weights, &Metadata::new()).unwrap_err();
    assert_eq!(error, OnnxError::NotFolded { node: 0 });
}
