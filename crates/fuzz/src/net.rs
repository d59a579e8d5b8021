//! A .safetensors file: reading it never panics, and what is accepted can be folded, written as ONNX and
//! described, and computes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use model::{Metadata, Model, onnx, reference};

fuzz_target!(|data: &[u8]| {
    let Ok(model) = Model::from_safetensors(data) else { return };
    let again = Model::from_safetensors(&model.to_safetensors()).expect("a file of ours");
    assert!(again == model);
    let (graph, weights) = model.graph.folded(&model.weights).expect("it passed its checks");
    let file = onnx::write(&graph, &weights, &Metadata::new(), onnx::Style::default());
    let found = onnx::describe(&file.expect("a folded net")).expect("a file of ours");
    assert_eq!(found.outputs.len(), graph.outputs.len());
    if graph.shape.input_len() < 1000 && found.macs < 100_000 {
        let planes = vec![0.5; graph.shape.input_len()];
        reference::run(&graph, &weights, &planes).expect("a net that fits");
    }
});
