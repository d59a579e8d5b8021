use std::path::Path;

use crate::{assert_near, net, net_of, planes};
use encode::Encoder;
use inference::{Backend, OrtBackend, Runtime, net_shape};
use model::{Graph, Metadata, Weights, onnx, reference};
use net::TchBackend;
use rules::Variant;
use tch::Device;

/// Policy and WDL of a batch.
fn run(backend: &mut dyn Backend, batch: usize, input: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let mut policy = vec![f32::NAN; batch * backend.shape().policy_len];
    let mut wdl = vec![f32::NAN; batch * 3];
    backend.run(batch, input, &mut policy, &mut wdl).unwrap();
    (policy, wdl)
}

/// Of a net with every operation, and of one for each variant and encoding.
#[test]
fn libtorch_onnx_runtime_and_the_reference_agree() {
    let variants = Variant::builtin_ids().iter().map(|id| Variant::builtin(id).unwrap());
    let mut encoders: Vec<Encoder> = variants.map(Encoder::new).collect();
    encoders.push(Encoder::dlshogi(Variant::builtin("shogi").unwrap()).unwrap());
    assert_eq!(encoders.len(), 16);
    let of = |encoder: &Encoder| net_of(&net_shape(encoder), encoder.vocabulary().head_gather(), 8);
    let library = env!("ORT_DYLIB_PATH", "run scripts/fetch-libs first");
    let runtime = Runtime::load(Path::new(library)).unwrap();
    for (graph, weights) in std::iter::once(net()).chain(encoders.iter().map(of)) {
        agree(&runtime, &graph, &weights);
    }
}

fn agree(runtime: &Runtime, graph: &Graph, weights: &Weights) {
    let (folded, folded_weights) = graph.folded(weights).unwrap();
    let file =
        onnx::write(&folded, &folded_weights, &Metadata::new(), onnx::Style::default()).unwrap();
    let mut ort = OrtBackend::from_bytes(runtime, &file, &graph.shape).unwrap();
    let mut tch = TchBackend::new(graph, weights, Device::Cpu).unwrap();
    for batch in [1, 7, 64] {
        let input = planes(graph, batch);
        let expected = reference::run(graph, weights, &input).unwrap();
        let (policy, wdl) = run(&mut tch, batch, &input);
        assert_near("libtorch policy", &policy, &expected["policy"]);
        assert_near("libtorch wdl", &wdl, &expected["wdl"]);
        let (policy, wdl) = run(&mut ort, batch, &input);
        assert_near("onnx runtime policy", &policy, &expected["policy"]);
        assert_near("onnx runtime wdl", &wdl, &expected["wdl"]);
    }
}

#[test]
fn slices_of_another_length_are_an_error() {
    let (graph, weights) = net();
    let mut tch = TchBackend::new(&graph, &weights, Device::Cpu).unwrap();
    let input = planes(&graph, 2);
    let error = tch.run(2, &input, &mut [0.0; 70], &mut [0.0; 6]).unwrap_err();
    assert_eq!((error.backend, error.batch), ("libtorch", 2));
    assert!(tch.run(3, &input, &mut [0.0; 210], &mut [0.0; 9]).is_err());
}

#[test]
fn an_empty_batch_is_nothing_to_do() {
    let (graph, weights) = net();
    let mut tch = TchBackend::new(&graph, &weights, Device::Cpu).unwrap();
    tch.run(0, &[], &mut [], &mut []).unwrap();
}

#[test]
fn torchscript_gives_the_same_at_any_batch() {
    let (graph, weights) = net();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.pt");
    net::torchscript::write(&graph, &weights, &path).unwrap();
    let module = tch::CModule::load(&path).unwrap();
    let mut backend = TchBackend::new(&graph, &weights, Device::Cpu).unwrap();
    let shape = &graph.shape;
    for batch in [1, 7, 64] {
        let input = planes(&graph, batch);
        let sizes = [batch, shape.planes, shape.ranks, shape.files].map(|size| size as i64);
        let tensor = tch::Tensor::from_slice(&input).reshape(sizes);
        let found = Vec::<f32>::try_from(module.forward_ts(&[tensor]).unwrap().flatten(0, -1));
        let (policy, wdl) = run(&mut backend, batch, &input);
        let rows = policy.chunks(shape.policy_len).zip(wdl.chunks(3));
        let expected: Vec<f32> = rows.flat_map(|(policy, wdl)| [policy, wdl].concat()).collect();
        assert_near("torchscript", &found.unwrap(), &expected);
    }
}
