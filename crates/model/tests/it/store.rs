use crate::small;
use model::{Metadata, Model, StoreError, Weights, WeightsError};

fn model() -> Model {
    let (graph, weights) = small();
    let metadata = Metadata::from([("variant".to_owned(), "test \"quoted\" 成金".to_owned())]);
    Model { graph, weights, metadata }
}

/// A file of this header and so many bytes of data.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

fn read(header: &str, data: &[u8]) -> Result<(Weights, Metadata), StoreError> {
    Weights::from_safetensors(&file(header, data))
}

#[test]
fn a_model_survives_a_file_exactly() {
    let model = model();
    let bytes = model.to_safetensors();
    assert_eq!(Model::from_safetensors(&bytes).unwrap(), model);
    assert_eq!(model.to_safetensors(), bytes);
}

#[test]
fn tensors_without_a_net_survive_a_file_but_are_no_model() {
    let model = model();
    let bytes = model.weights.to_safetensors(&model.metadata);
    assert_eq!(Weights::from_safetensors(&bytes).unwrap(), (model.weights, model.metadata));
    assert!(matches!(Model::from_safetensors(&bytes), Err(StoreError::NoGraph)));
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = model().to_safetensors();
    for len in (0..bytes.len()).step_by(7).chain(0..16) {
        assert!(Model::from_safetensors(&bytes[..len]).is_err(), "{len}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(Model::from_safetensors(&longer).is_err());
}

#[test]
fn flipped_bits_in_the_header_never_panic() {
    let model = model();
    let bytes = model.to_safetensors();
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for place in 0..header {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        // Some bits belong to free text or to values before training; the net must still fit.
        if let Ok(read) = Model::from_safetensors(&damaged) {
            read.graph.check().unwrap();
            read.graph.check_weights(&read.weights).unwrap();
        }
    }
}

#[test]
fn a_header_that_claims_too_much_is_refused_before_it_is_read() {
    for len in [u64::MAX, 1 << 40, 99_000_000, 9] {
        let bytes = [len.to_le_bytes().as_slice(), b"{}"].concat();
        assert!(matches!(Weights::from_safetensors(&bytes), Err(StoreError::Format(_))), "{len}");
    }
}

#[test]
fn tensors_must_fill_the_data_once() {
    let two = |a: [u64; 2], b: [u64; 2]| {
        format!(
            r#"{{"a":{{"dtype":"F32","shape":[1],"data_offsets":{a:?}}},"b":{{"dtype":"F32","shape":[1],"data_offsets":{b:?}}}}}"#
        )
    };
    assert!(read(&two([0, 4], [4, 8]), &[0; 8]).is_ok());
    for (a, b) in [([0, 4], [0, 4]), ([0, 4], [2, 6]), ([0, 4], [8, 12]), ([4, 8], [8, 12])] {
        assert!(matches!(read(&two(a, b), &[0; 12]), Err(StoreError::Format(_))), "{a:?} {b:?}");
    }
    assert!(read(&two([0, 4], [4, u64::MAX]), &[0; 8]).is_err());
    assert!(read(&two([0, 4], [8, 4]), &[0; 8]).is_err());
}

#[test]
fn sizes_that_overflow_are_refused() {
    for shape in ["[4294967296,4294967296]", "[18446744073709551615,4]", "[2]", "[1e3]", "[-1]"] {
        let header = format!(r#"{{"a":{{"dtype":"F32","shape":{shape},"data_offsets":[0,4]}}}}"#);
        assert!(matches!(read(&header, &[0; 4]), Err(StoreError::Format(_))), "{shape}");
    }
}

#[test]
fn only_finite_single_precision_is_read() {
    let header =
        |dtype| format!(r#"{{"a":{{"dtype":"{dtype}","shape":[1],"data_offsets":[0,4]}}}}"#);
    let nan = f32::NAN.to_le_bytes();
    assert!(matches!(
        read(&header("F32"), &nan),
        Err(StoreError::Weights(WeightsError::NotFinite { .. }))
    ));
    assert!(matches!(read(&header("I32"), &nan), Err(StoreError::Dtype { .. })));
    assert!(matches!(read(&header("F99"), &nan), Err(StoreError::Format(_))));
}

#[test]
fn a_list_of_operations_that_is_no_net_is_refused() {
    let model = model();
    let text = serde_json::to_string(&model.graph).unwrap();
    let file =
        |text: String| model.weights.to_safetensors(&Metadata::from([("graph".to_owned(), text)]));
    assert!(Model::from_safetensors(&file(text.clone())).is_ok());
    let other = text.replace("\"relu\"", "\"softmax\"");
    assert!(matches!(Model::from_safetensors(&file(other)), Err(StoreError::GraphText(_))));
    let other = text.replace("\"planes\":5", "\"planes\":6");
    assert!(matches!(Model::from_safetensors(&file(other)), Err(StoreError::Graph(_))));
    let deep = "[".repeat(100_000);
    assert!(matches!(Model::from_safetensors(&file(deep)), Err(StoreError::GraphText(_))));
}
