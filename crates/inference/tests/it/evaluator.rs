//! From leaves to evaluations.

use std::error::Error;
use std::sync::Arc;

use inference::fake::{FromFn, hashed};
use inference::{Backend, BackendError, NetEvaluator, OrtBackend, net_shape};
use mcts::{EvalError, Evaluation, Evaluator, Leaf};
use model::NetShape;
use rules::{Game, Move};

use crate::common::{encoder, net, positions, runtime};

fn evaluate(
    evaluator: &mut impl Evaluator<Game>,
    positions: &[(Game, Vec<Move>)],
) -> Result<Vec<Evaluation>, EvalError> {
    let leaves: Vec<_> = positions.iter().map(|(state, moves)| Leaf { state, moves }).collect();
    let mut out = Vec::new();
    evaluator.evaluate(&leaves, &mut out).map(|()| out)
}

/// The error and its causes in one line.
fn chain(error: &dyn Error) -> String {
    let cause = error.source().map(|cause| format!(": {}", chain(cause)));
    format!("{error}{}", cause.unwrap_or_default())
}

#[test]
fn policies_are_probabilities_of_the_legal_moves() {
    let encoder = encoder();
    let backend = hashed(net_shape(&encoder), 1);
    let mut evaluator = NetEvaluator::new(encoder, backend).expect("the same shape");
    let positions = positions(40);
    let evaluations = evaluate(&mut evaluator, &positions).expect("a sound backend");
    assert_eq!(evaluations.len(), 40);
    for ((_, moves), Evaluation { wdl, policy }) in positions.iter().zip(&evaluations) {
        assert_eq!(policy.len(), moves.len());
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-5);
        assert!(policy.iter().chain([&wdl.win, &wdl.draw, &wdl.loss]).all(|&p| p > 0.0));
    }
    let counters = evaluator.counters();
    assert_eq!((counters.evaluations, counters.batches), (40, 1));
}

#[test]
fn the_logits_of_a_move_are_found_by_its_index() {
    let encoder = encoder();
    let positions = positions(3);
    let mv = positions[2].1[1];
    let index = encoder.vocabulary().index(mv, positions[2].0.side_to_move());
    let length = encoder.vocabulary().len();
    let backend = FromFn::new(net_shape(&encoder), move |_, _, policy, wdl| {
        policy.fill(0.0);
        policy[2 * length + index] = 100.0;
        wdl.copy_from_slice(&[50.0, 0.0, 0.0, 0.0, 50.0, 0.0, 0.0, 0.0, 50.0]);
        Ok(())
    });
    let mut evaluator = NetEvaluator::new(encoder, backend).expect("the same shape");
    let evaluations = evaluate(&mut evaluator, &positions).expect("a sound backend");
    assert!(evaluations[2].policy[1] > 0.999);
    assert!((evaluations[0].policy[0] - 1.0 / positions[0].1.len() as f32).abs() < 1e-6);
    let wdl = [evaluations[0].wdl.win, evaluations[1].wdl.draw, evaluations[2].wdl.loss];
    assert!(wdl.iter().all(|&p| p > 0.999));
}

#[test]
fn what_is_remembered_is_what_was_evaluated() {
    let encoder = encoder();
    let evaluator = |bytes| {
        let backend = hashed(net_shape(&encoder), 3);
        NetEvaluator::new(Arc::clone(&encoder), backend).expect("the same shape").with_cache(bytes)
    };
    let positions = positions(400);
    let expected = evaluate(&mut evaluator(0), &positions).expect("a sound backend");
    for bytes in [500, 20_000, 10_000_000] {
        let mut cached = evaluator(bytes);
        for batch in [7, 100, 400, 1, 400] {
            for (positions, expected) in positions.chunks(batch).zip(expected.chunks(batch)) {
                let found = evaluate(&mut cached, positions).expect("a sound backend");
                assert_eq!(found, expected);
            }
        }
        let counters = cached.counters();
        assert_eq!(counters.evaluations + counters.remembered, 5 * 400);
        if bytes == 10_000_000 {
            assert!(counters.evaluations < 440, "{counters:?}");
            // Another net knows nothing of it.
            let old = cached.replace(hashed(net_shape(&encoder), 3));
            assert!(old.is_ok());
            evaluate(&mut cached, &positions[..50]).expect("a sound backend");
            assert!(cached.counters().evaluations > counters.evaluations + 40);
        }
    }
}

#[test]
fn an_empty_batch_runs_nothing() {
    let encoder = encoder();
    let backend = FromFn::new(net_shape(&encoder), |_, _, _, _| panic!("nothing to run"));
    let mut evaluator = NetEvaluator::new(encoder, backend).expect("the same shape");
    assert!(evaluate(&mut evaluator, &[]).expect("nothing to fail").is_empty());
    assert_eq!(evaluator.counters().batches, 0);
}

#[test]
fn evaluations_do_not_depend_on_the_batch() {
    let encoder = encoder();
    let backend = hashed(net_shape(&encoder), 2);
    let mut evaluator = NetEvaluator::new(encoder, backend).expect("the same shape");
    let positions = positions(12);
    let together = evaluate(&mut evaluator, &positions).expect("a sound backend");
    for (position, expected) in positions.chunks(1).zip(together.chunks(1)) {
        assert_eq!(evaluate(&mut evaluator, position).expect("a sound backend"), expected);
    }
}

#[test]
fn numbers_that_are_not_finite_name_their_row_and_position() {
    let encoder = encoder();
    let positions = positions(4);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for in_policy in [true, false] {
            let length = encoder.vocabulary().len();
            let backend = FromFn::new(net_shape(&encoder), move |_, _, policy, wdl| {
                policy.fill(0.0);
                wdl.fill(0.0);
                let (row, length) = if in_policy { (policy, length) } else { (wdl, 3) };
                row[2 * length..3 * length].fill(bad);
                Ok(())
            });
            let mut evaluator =
                NetEvaluator::new(Arc::clone(&encoder), backend).expect("the same shape");
            let error = chain(&evaluate(&mut evaluator, &positions).expect_err("bad numbers"));
            let fen = positions[2].0.position().to_fen(positions[2].0.variant());
            assert!(error.contains("output of 1 of 4 rows is not finite"), "{error}");
            assert!(error.contains(&fen), "{error}");
        }
    }
}

#[test]
fn a_failing_backend_is_an_error_with_its_cause() {
    let encoder = encoder();
    let backend = FromFn::new(net_shape(&encoder), |batch, _, _, _| {
        Err(BackendError { backend: "fake", batch, reason: "out of order".into() })
    });
    let mut evaluator = NetEvaluator::new(encoder, backend).expect("the same shape");
    let error = chain(&evaluate(&mut evaluator, &positions(2)).expect_err("it fails"));
    assert!(error.contains("fake could not evaluate a batch of 2: out of order"), "{error}");
}

#[test]
fn a_net_of_another_shape_is_refused_and_the_old_one_stays() {
    let encoder = encoder();
    let shape = net_shape(&encoder);
    let other = NetShape { planes: shape.planes - 1, ..shape.clone() };
    let nothing = |_: usize, _: &[f32], policy: &mut [f32], wdl: &mut [f32]| {
        policy.fill(0.0);
        wdl.fill(0.0);
        Ok(())
    };
    let error = NetEvaluator::new(Arc::clone(&encoder), FromFn::new(other.clone(), nothing))
        .map(|_| ())
        .expect_err("another shape");
    assert_eq!((*error.expected, *error.found), (shape.clone(), other.clone()));
    let mut evaluator =
        NetEvaluator::new(encoder, FromFn::new(shape.clone(), nothing)).expect("the same shape");
    assert!(evaluator.replace(FromFn::new(other, nothing)).is_err());
    assert!(evaluate(&mut evaluator, &positions(2)).is_ok());
    let old = evaluator.replace(FromFn::new(shape.clone(), nothing)).expect("the same shape");
    assert_eq!(old.shape(), &shape);
}

#[test]
fn a_net_in_onnx_runtime_evaluates_positions() {
    let encoder = encoder();
    let net = net(&encoder, 6);
    let backend = OrtBackend::from_bytes(&runtime(), &net.onnx, &net.shape).expect("a good model");
    let mut evaluator = NetEvaluator::new(encoder, backend).expect("the same shape");
    let evaluations = evaluate(&mut evaluator, &positions(20)).expect("a sound net");
    assert!(evaluations.iter().any(|e| e.wdl != evaluations[0].wdl));
}
