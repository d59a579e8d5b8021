use crate::{planes, small};
use model::{Op, head, reference};

#[test]
fn a_folded_net_computes_the_same() {
    let (graph, weights) = small();
    let (folded, folded_weights) = graph.folded(&weights).unwrap();
    let input = planes(&graph, 5);
    let full = reference::run(&graph, &weights, &input).unwrap();
    let play = reference::run(&folded, &folded_weights, &input).unwrap();
    assert_eq!(play.keys().collect::<Vec<_>>(), head::PLAY);
    for (name, values) in &play {
        assert_eq!(values.len(), full[name].len());
        for (a, b) in values.iter().zip(&full[name]) {
            assert!((a - b).abs() < 1e-5, "{name}: {a} {b}");
        }
    }
}

#[test]
fn a_folded_net_has_no_gains_and_no_training_heads() {
    let (graph, weights) = small();
    let (folded, folded_weights) = graph.folded(&weights).unwrap();
    folded.check().unwrap();
    folded.check_weights(&folded_weights).unwrap();
    assert!(folded.nodes.iter().all(|node| !matches!(node.op, Op::Conv { gain: Some(_), .. })));
    assert!(!folded.has_output(head::REPLY));
    assert_eq!(folded.nodes.iter().filter(|node| node.op == Op::Gather).count(), 1);
}

#[test]
fn folding_twice_changes_nothing() {
    let (graph, weights) = small();
    let (graph, weights) = graph.folded(&weights).unwrap();
    assert_eq!(graph.folded(&weights).unwrap(), (graph, weights));
}

#[test]
fn a_standardised_kernel_has_mean_zero_and_its_gain_as_norm() {
    let (graph, weights) = small();
    let (_, folded) = graph.folded(&weights).unwrap();
    let gains = weights.get("entry.gain").unwrap().data();
    let kernel = folded.get("entry.weight").unwrap();
    let fan_in = kernel.data().len() / gains.len();
    for (row, gain) in kernel.data().chunks(fan_in).zip(gains) {
        assert!(row.iter().sum::<f32>().abs() < 1e-4);
        assert!((row.iter().map(|w| w * w).sum::<f32>().sqrt() - gain).abs() < 1e-4);
    }
}
