//! The ONNX Runtime library and models in it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use encode::Encoder;
use inference::{Backend, ModelError, OrtBackend, Runtime, RuntimeError};
use model::NetShape;
use model::onnx::{self, Contract, Style};
use rules::Variant;

use crate::common::{Net, encoder, library, net, runtime};

/// Planes, policy logits and WDL logits of a batch.
fn run(backend: &mut OrtBackend, batch: usize) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let shape = backend.shape().clone();
    let input: Vec<f32> = (0..batch * shape.input_len()).map(|i| (i % 7) as f32 / 7.0).collect();
    let mut policy = vec![f32::NAN; batch * shape.policy_len];
    let mut wdl = vec![f32::NAN; batch * 3];
    backend.run(batch, &input, &mut policy, &mut wdl).expect("the model runs");
    (input, policy, wdl)
}

fn close(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4)
}

#[test]
fn outputs_are_those_of_the_reference() {
    let Net { graph, weights, shape, onnx } = net(&encoder(), 1);
    let mut backend = OrtBackend::from_bytes(&runtime(), &onnx, &shape).expect("a good model");
    for batch in [1, 3, 16] {
        let (input, policy, wdl) = run(&mut backend, batch);
        let expected = model::reference::run(&graph, &weights, &input).expect("a good net");
        assert!(close(&policy, &expected["policy"]) && close(&wdl, &expected["wdl"]));
        assert!(policy.iter().any(|x| x.abs() > 1e-3));
    }
}

#[test]
fn rows_do_not_depend_on_their_batch() {
    let Net { shape, onnx, .. } = net(&encoder(), 2);
    let mut backend = OrtBackend::from_bytes(&runtime(), &onnx, &shape).expect("a good model");
    let (input, policy, wdl) = run(&mut backend, 5);
    for row in 0..5 {
        let mut one = (vec![0.0; shape.policy_len], vec![0.0; 3]);
        let planes = &input[row * shape.input_len()..][..shape.input_len()];
        backend.run(1, planes, &mut one.0, &mut one.1).expect("the model runs");
        assert!(close(&one.0, &policy[row * shape.policy_len..][..shape.policy_len]));
        assert!(close(&one.1, &wdl[row * 3..][..3]));
    }
}

#[test]
fn sessions_on_two_threads_agree() {
    let Net { shape, onnx, .. } = net(&encoder(), 3);
    let runtime = runtime();
    let work = || {
        let mut backend = OrtBackend::from_bytes(&runtime, &onnx, &shape).expect("a good model");
        run(&mut backend, 16)
    };
    let (first, second) = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        let [first, second] = threads.map(|thread| thread.join().expect("no panic"));
        (first, second)
    });
    assert!(first == second);
}

#[test]
fn a_model_of_another_shape_is_refused_with_both_shapes() {
    let Net { shape, onnx, .. } = net(&encoder(), 4);
    let other = NetShape { planes: shape.planes + 1, policy_len: 7, ..shape };
    let error = OrtBackend::from_bytes(&runtime(), &onnx, &other).expect_err("another shape");
    let ModelError::Shape { expected, found } = &error else { panic!("{error}") };
    assert_eq!(expected, "planes f32[N, 43, 5, 4], policy f32[N, 7], wdl f32[N, 3]");
    assert_eq!(found, "planes f32[N, 42, 5, 4], policy f32[N, 398], wdl f32[N, 3]");
}

#[test]
fn a_file_that_is_no_model_is_refused() {
    let Net { shape, onnx, .. } = net(&encoder(), 5);
    for bytes in [&b"no model"[..], &onnx[..onnx.len() / 2], &[]] {
        let error = OrtBackend::from_bytes(&runtime(), bytes, &shape).expect_err("no model");
        assert!(matches!(error, ModelError::Refused(_)), "{error}");
    }
    let missing = Path::new("/nowhere/model.onnx");
    let error = OrtBackend::load(&runtime(), missing, &shape).expect_err("no file");
    assert!(error.to_string().starts_with("cannot read model /nowhere/model.onnx"), "{error}");
}

#[test]
fn the_library_is_checked_before_use() {
    let loaded = runtime();
    assert_eq!(loaded.version(), "1.31.1");
    assert_eq!(Runtime::load(&library()).expect("the same file").path(), loaded.path());

    let error = Runtime::load(Path::new("/nowhere/lib.so")).expect_err("no file");
    let text = "onnx runtime library not found at /nowhere/lib.so: expected libonnxruntime 1.31";
    assert_eq!(error.to_string(), text);
    let other = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    let error = Runtime::load(other).expect_err("not the same file");
    assert!(matches!(error, RuntimeError::Other { .. }), "{error}");
}

/// A file of dlshogi's contract says the same as the plain one of its net, but for what it cannot say:
/// half of the draws goes to wins, half to losses.
#[test]
fn the_contract_of_dlshogi() {
    let shogi = Variant::builtin("shogi").expect("built in");
    let encoder = Arc::new(Encoder::dlshogi(shogi).expect("it is shogi"));
    let Net { graph, weights, shape, onnx: plain } = net(&encoder, 6);
    let style = Style { contract: Contract::Dlshogi, ..Style::default() };
    let file = onnx::write(&graph, &weights, &BTreeMap::new(), style).expect("a net that fits");
    let mut plain = OrtBackend::from_bytes(&runtime(), &plain, &shape).expect("a good model");
    let mut other = OrtBackend::of_contract(&runtime(), &file, &shape, Contract::Dlshogi)
        .expect("a good model");
    for batch in [1, 3] {
        let (expected, found) = (run(&mut plain, batch), run(&mut other, batch));
        assert!(close(&expected.1, &found.1));
        for (expected, found) in expected.2.chunks(3).zip(found.2.chunks(3)) {
            let ([win, draw, loss], [w, d, l]) = (softmax(expected), softmax(found));
            assert!(close(&[win + draw / 2.0, 0.0, loss + draw / 2.0], &[w, d, l]));
            assert!(draw > 0.05, "nothing is shown without draws");
        }
    }
    let error =
        OrtBackend::of_contract(&runtime(), &file, &shape, Contract::Graph).expect_err("no");
    let found = "input1 f32[N, 62, 9, 9], input2 f32[N, 57, 9, 9], output_policy f32[N, 2187], \
                 output_value f32[N, 1]";
    assert!(error.to_string().ends_with(found), "{error}");
}

fn softmax(logits: &[f32]) -> [f32; 3] {
    let powers: [f32; 3] = std::array::from_fn(|i| logits[i].exp());
    powers.map(|power| power / powers.iter().sum::<f32>())
}
