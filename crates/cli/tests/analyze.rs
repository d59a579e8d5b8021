//! `narikin analyze`: its JSON, its table, what it refuses.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

fn narikin(args: &[&str]) -> Output {
    Command::new(cargo_bin("narikin")).arg("analyze").args(args).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = narikin(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refusal(args: &[&str]) -> String {
    let output = narikin(args);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_object_names_moves_visits_and_values() {
    let value = json(&["--nodes", "300", "--multipv", "3", "--moves", "d2d3", "a4a3"]);
    let moves = value["moves"].as_array().unwrap();
    assert_eq!(value["best"], moves[0]["move"]);
    assert_eq!(value["pv"][0], value["best"]);
    assert_eq!(value["visits"], 300);
    assert_eq!((&value["turn"], &value["end"]), (&"first".into(), &"limit reached".into()));
    let sum = |key: &str| moves.iter().map(|row| row[key].as_f64().unwrap()).sum::<f64>();
    assert_eq!(sum("visits"), 300.0);
    assert!((sum("prior") - 1.0).abs() < 1e-3);
    assert!(moves.iter().all(|row| row["value"].as_f64().unwrap().abs() <= 1.0));
    assert_eq!(moves.iter().filter(|row| row["pv"].is_array()).count(), 3);
    let text = narikin(&["--moves", "d2d3", "a4a3", "--nodes", "1"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with(value["fen"].as_str().unwrap()), "{text}");
}

#[test]
fn one_thread_gives_the_same_again() {
    for evaluator in ["uniform", "material", "rollout"] {
        let one_by_one = ["--threads", "1", "--batch", "1", "--mate-nodes", "0"];
        let args = [&["--nodes", "200", "--evaluator", evaluator], &one_by_one[..]].concat();
        let (one, two) = (json(&args), json(&args));
        assert_eq!(one["moves"], two["moves"]);
    }
}

#[test]
fn a_mate_is_proven_and_told_in_every_notation() {
    let fen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let of = |notation| json(&["--variant", "shogi", "--fen", fen, "--notation", notation]);
    for (notation, best) in [("usi", "G*5b"), ("uci", "G@e8"), ("western", "G*5b")] {
        let value = of(notation);
        assert_eq!((&value["best"], &value["end"]), (&best.into(), &"mate found".into()));
        assert_eq!(value["proven"]["value"], "win");
        assert_eq!((&value["proven"]["plies"], &value["value"]), (&1.into(), &1.0.into()));
    }
    let text = narikin(&["--variant", "shogi", "--fen", fen]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("won 1") && text.contains("best G@e8: proven win in 1 ply"), "{text}");
}

#[test]
fn what_cannot_be_analysed_is_told_in_one_line() {
    let over = refusal(&["--fen", "k3/4/4/4/3K[-] w 0 1", "--moves", "d1d9"]);
    assert!(over.starts_with("error: ") && over.lines().count() == 1, "{over}");
    assert!(refusal(&["--moves", "d2d3", "d2d3"]).contains("d2d3"));
    assert!(refusal(&["--model", "missing.onnx"]).contains("missing.onnx"));
    assert!(refusal(&["--run", "missing"]).contains("missing"));
    assert!(refusal(&["--threads", "0"]).contains("--threads"));
    assert!(refusal(&["--time", "soon"]).contains("--time"));
}
