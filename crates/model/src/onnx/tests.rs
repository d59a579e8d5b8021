//! Decodes a written file again and checks what an ONNX reader would.

use super::{
    Contract, DescribeError, INPUT, OnnxError, Precision, SHAPE_KEY, Style, describe, proto, write,
};
use crate::{Graph, Metadata, NetConfig, NetShape, Tensor, Weights};
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
    ModelProto::decode(write(&graph, &weights, &metadata, Style::default()).unwrap().as_slice())
        .unwrap()
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
    let error = write(&graph, &weights, &Metadata::new(), Style::default()).unwrap_err();
    assert_eq!(error, OnnxError::NotFolded { node: 0 });
}

#[test]
fn a_description_says_what_was_written() {
    let (graph, weights) = net(6);
    let metadata = Metadata::from([("variant".to_owned(), "test".to_owned())]);
    let bytes = write(&graph, &weights, &metadata, Style::default()).unwrap();
    let found = describe(&bytes).unwrap();
    assert_eq!((found.producer.as_str(), found.ir_version, found.opset), ("narikin", 8, 17));
    let sizes = |sizes: &[&str]| sizes.iter().map(|&size| size.to_owned()).collect::<Vec<_>>();
    assert_eq!(found.inputs, [(INPUT.to_owned(), sizes(&["N", "6", "4", "5"]))]);
    assert_eq!(found.outputs[0], ("policy".to_owned(), sizes(&["N", "7"])));
    assert_eq!(found.metadata["variant"], "test");
    assert_eq!(found.parameters["tower.1.conv1.weight"], [8, 8, 3, 3]);
    // Two planes more than the net has: the input is padded to a multiple of four.
    let padding = 2 * 8 * 9;
    assert_eq!(found.parameter_count() as usize, graph.parameter_count() + padding);
    // Entry, four 3x3 convolutions and the heads' 1x1 on 20 squares; the last block's pooling on 1.
    let board = 8 * 8 * 9 + 4 * (8 * 8 * 9) + 32 * 8 + 3 * 32 + 32 * 8 + 2 * 8;
    let rows = 16 * 8 + 64 * 32 + 2 * 20 * 32 + 32 * 3;
    assert_eq!(found.macs, 20 * board + rows);
}

#[test]
fn bytes_that_are_no_net_are_refused() {
    let (graph, weights) = net(6);
    let bytes = write(&graph, &weights, &Metadata::new(), Style::default()).unwrap();
    for length in [1, bytes.len() / 2, bytes.len() - 1] {
        assert!(describe(&bytes[..length]).is_err(), "{length}");
    }
    assert_eq!(describe(&[]), Err(DescribeError::NoGraph));
    assert!(describe(b"PAR1 is no protobuf").is_err());
    // A tensor that claims more dimensions than there are.
    let shape = [&[0x0a, 40][..], &[1; 40]].concat();
    let tensor = [&[0x2a, shape.len() as u8][..], &shape].concat();
    let graph = [&[0x3a, tensor.len() as u8][..], &tensor].concat();
    assert!(describe(&graph).unwrap_err().to_string().contains("dimensions"));
}

fn dlshogi_net() -> (Graph, Weights) {
    let shape = NetShape { planes: 119, ranks: 9, files: 9, head_planes: 27, policy_len: 2187 };
    let config = NetConfig { blocks: 1, channels: 8, ..NetConfig::default() };
    let graph = Graph::build(&config, &shape, &(0..2187).collect::<Vec<_>>()).unwrap();
    let weights = Weights::init(&graph, Seed(1));
    graph.folded(&weights).unwrap()
}

#[test]
fn the_contract_of_dlshogi_has_its_names_and_sizes() {
    let (graph, weights) = dlshogi_net();
    for precision in [Precision::Single, Precision::Half] {
        let style = Style { contract: Contract::Dlshogi, precision };
        let found = describe(&write(&graph, &weights, &Metadata::new(), style).unwrap()).unwrap();
        let sizes = |sizes: &[&str]| sizes.iter().map(|&size| size.to_owned()).collect::<Vec<_>>();
        let expected = [
            ("input1".to_owned(), sizes(&["N", "62", "9", "9"])),
            ("input2".to_owned(), sizes(&["N", "57", "9", "9"])),
        ];
        assert_eq!(found.inputs, expected);
        let expected = [
            ("output_policy".to_owned(), sizes(&["N", "2187"])),
            ("output_value".to_owned(), sizes(&["N", "1"])),
        ];
        assert_eq!(found.outputs, expected);
    }
}

#[test]
fn other_nets_do_not_fit_the_contract_of_dlshogi() {
    let (graph, weights) = net(6);
    let style = Style { contract: Contract::Dlshogi, ..Style::default() };
    let error = write(&graph, &weights, &Metadata::new(), style).unwrap_err().to_string();
    assert!(error.contains("6 planes on 4x5 squares and 7 moves"), "{error}");
}

#[test]
fn halves_take_half_the_room_and_refuse_what_they_cannot_hold() {
    let (graph, mut weights) = dlshogi_net();
    let half = Style { precision: Precision::Half, ..Style::default() };
    let size = |weights: &Weights, style| {
        write(&graph, weights, &Metadata::new(), style).map(|bytes| bytes.len())
    };
    let single = size(&weights, Style::default()).unwrap();
    let numbers = graph.parameter_count();
    assert!(size(&weights, half).unwrap() + 2 * numbers < single + 1000);
    weights.insert("wdl.bias", Tensor::new(vec![3], vec![0.0, 1e6, 0.0]).unwrap());
    let error = size(&weights, half).unwrap_err().to_string();
    assert!(error.contains("\"wdl.bias\" holds 1000000"), "{error}");
}
