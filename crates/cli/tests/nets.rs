//! Nets of files: ours as safetensors and ONNX, others by the contract of dlshogi, those of the zoo;
//! and what is refused.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use assert_cmd::cargo::cargo_bin;
use encode::{Encoder, Encoding};
use model::onnx::{self, Contract, Precision, Style};
use model::{Graph, Meta, Metadata, Model, NetConfig, Weights};
use rand::RngExt;
use rules::{Seed, Variant};
use serde_json::Value;

fn narikin(args: &[&str]) -> Output {
    Command::new(cargo_bin("narikin")).args(args).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = narikin(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a net says of a position: its moves with their priors and the value, by one evaluation.
fn answer(net: &Path, more: &[&str]) -> Value {
    let net = net.to_str().unwrap();
    let args = ["analyze", "--nodes", "1", "--threads", "1", "--mate-nodes", "0", "--model", net];
    json(&[&args, more].concat())
}

/// The one line with which a net is refused.
fn refusal(net: &Path, more: &[&str]) -> String {
    let net = net.to_str().unwrap();
    let output = narikin(&[&["analyze", "--nodes", "1", "--model", net], more].concat());
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
    text
}

/// A net of a variant with random weights, none of them zero.
fn net(variant: &str, encoding: Encoding) -> Model {
    let variant = Variant::builtin(variant).unwrap();
    let encoder: Encoder = encoding.encoder(Arc::clone(&variant)).unwrap();
    let config = NetConfig { blocks: 1, channels: 8, ..NetConfig::default() };
    let gather = encoder.vocabulary().head_gather();
    let graph = Graph::build(&config, &inference::net_shape(&encoder), gather).unwrap();
    let mut weights = Weights::init(&graph, Seed(1));
    let mut rng = Seed(2).rng();
    for param in &graph.params {
        let numbers = weights.get_mut(&param.name).unwrap().data_mut();
        numbers.iter_mut().for_each(|x| *x += 0.2 * (rng.random::<f32>() - 0.5));
    }
    let facts = [
        ("variant", variant.id().to_owned()),
        ("encoding", encoding.as_str().to_owned()),
        ("board_fingerprint", variant.board_fingerprint().to_string()),
        ("encoder_fingerprint", encoder.fingerprint().to_string()),
    ];
    let metadata = facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Model { graph, weights, metadata }
}

/// The net as ONNX; `named` says whether its origin is in the file.
fn onnx_of(net: &Model, style: Style, named: bool) -> Vec<u8> {
    let (graph, weights) = net.graph.folded(&net.weights).unwrap();
    let metadata = if named { net.metadata.clone() } else { Metadata::new() };
    onnx::write(&graph, &weights, &metadata, style).unwrap()
}

fn written(dir: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Greatest difference of priors and values.
fn difference(a: &Value, b: &Value) -> f64 {
    let figures = |of: &Value| {
        let mut moves: Vec<_> = of["moves"].as_array().unwrap().iter().collect();
        moves.sort_by_key(|row| row["move"].as_str().unwrap().to_owned());
        let priors = moves.iter().map(|row| row["prior"].as_f64().unwrap());
        priors.chain([of["value"].as_f64().unwrap()]).collect::<Vec<_>>()
    };
    let (a, b) = (figures(a), figures(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn safetensors_and_onnx_of_a_net_say_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let net = net("minishogi", Encoding::Variant);
    let half = Style { precision: Precision::Half, ..Style::default() };
    let files = [
        written(&dir, "net.safetensors", &net.to_safetensors()),
        written(&dir, "net.onnx", &onnx_of(&net, Style::default(), true)),
        written(&dir, "half.onnx", &onnx_of(&net, half, true)),
        // The kind is told by the content.
        written(&dir, "safetensors.onnx", &net.to_safetensors()),
    ];
    let answers = files.each_ref().map(|path| answer(path, &[]));
    assert_eq!(answers[0]["variant"], "minishogi");
    assert!(difference(&answers[0], &answers[1]) < 1e-5);
    assert!(difference(&answers[0], &answers[2]) < 5e-3);
    assert!(difference(&answers[0], &answers[3]) == 0.0);
    let path = files[0].to_str().unwrap();
    let played = json(&["match", path, "random", "--games", "2", "--simulations", "8", "--quiet"]);
    assert_eq!(played["players"][0]["games"], 2);
}

/// Nets of the contract of dlshogi, whoever wrote them: they name no origin, and tell nothing of draws.
#[test]
fn a_net_of_dlshogis_contract_plays_shogi() {
    let dir = tempfile::tempdir().unwrap();
    let net = net("shogi", Encoding::Dlshogi);
    let style = Style { contract: Contract::Dlshogi, ..Style::default() };
    let plain = written(&dir, "plain.safetensors", &net.to_safetensors());
    let foreign = written(&dir, "foreign.onnx", &onnx_of(&net, style, false));
    // Of the second player too, whose board is turned.
    for moves in [&[][..], &["--moves", "7g7f"]] {
        let (plain, foreign) = (answer(&plain, moves), answer(&foreign, moves));
        assert_eq!(foreign["variant"], "shogi");
        assert!(difference(&plain, &foreign) < 1e-5);
    }
    let path = foreign.to_str().unwrap();
    let played = json(&["match", path, "random", "--games", "2", "--simulations", "4", "--quiet"]);
    assert_eq!(played["players"][0]["games"], 2);
    assert!(refusal(&foreign, &["--variant", "minishogi"]).contains("shogi"));
}

#[test]
fn the_nets_of_the_zoo() {
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/zoo");
    let cards = json(&["inspect", "zoo:"]);
    let cards = cards.as_array().unwrap();
    assert_eq!(cards.len(), 3);
    for card in cards {
        let variant = card["variant"].as_str().unwrap();
        let bytes = fs::read(zoo.join(card["file"].as_str().unwrap())).unwrap();
        assert!(bytes.len() < 1_000_000);
        assert_eq!(card["sha256"], Meta::checksum(&bytes));
        let name = format!("zoo:{variant}");
        for (opponent, least) in [("random", 19.0), ("alphabeta-1", 15.0)] {
            // The variant is that of the net.
            let sure = ["--games", "20", "--simulations", "50", "--quiet"];
            let played = json(&[&["match", &name, opponent], &sure[..]].concat());
            let player = &played["players"][0];
            let points = player["score"].as_f64().unwrap() * 20.0;
            assert!(points >= least, "{name} against {opponent}: {player}");
        }
    }
    assert!(refusal(Path::new("zoo:chess"), &[]).contains("zoo:micro, zoo:dobutsu, zoo:minishogi"));
}

#[test]
fn a_net_for_another_game_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let net = net("minishogi", Encoding::Variant);
    for (name, bytes) in [
        ("net.onnx", onnx_of(&net, Style::default(), true)),
        ("net.safetensors", net.to_safetensors()),
    ] {
        let refused = refusal(&written(&dir, name, &bytes), &["--variant", "judkins"]);
        assert!(refused.contains("the net is for minishogi, not for judkins"), "{refused}");
    }
    // It names no origin, but its sizes tell.
    let unnamed = written(&dir, "unnamed.onnx", &onnx_of(&net, Style::default(), false));
    let refused = refusal(&unnamed, &["--variant", "shogi"]);
    assert!(refused.contains("expected planes f32[N, ") && refused.contains("found"), "{refused}");
}

/// The file with another list of operations or other facts.
fn forged(net: &Model, change: impl Fn(&mut Value, &mut Metadata)) -> Vec<u8> {
    let mut metadata = net.metadata.clone();
    let mut graph = serde_json::to_value(&net.graph).unwrap();
    change(&mut graph, &mut metadata);
    metadata.insert("graph".to_owned(), graph.to_string());
    net.weights.to_safetensors(&metadata)
}

/// The file with another header, over the same numbers.
fn header(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let len = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let text = change(std::str::from_utf8(&bytes[8..8 + len]).unwrap());
    [&(text.len() as u64).to_le_bytes(), text.as_bytes(), &bytes[8 + len..]].concat()
}

/// A message of protocol buffers: field 7 of a model is its graph, 5 of that a stored tensor.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
}

#[test]
fn tampered_and_foreign_files_are_refused_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let net = net("micro", Encoding::Variant);
    let (good, onnx) = (net.to_safetensors(), onnx_of(&net, Style::default(), true));
    let shogi = self::net("shogi", Encoding::Dlshogi);
    let dlshogi = Style { contract: Contract::Dlshogi, ..Style::default() };
    let dlshogi = onnx_of(&shogi, dlshogi, false);
    let replaced = |bytes: &[u8], from: &[u8], to: &[u8]| {
        let place = bytes.windows(from.len()).position(|window| window == from).unwrap();
        [&bytes[..place], to, &bytes[place + from.len()..]].concat()
    };
    // 119 planes in place of 57.
    let mut later = dlshogi;
    let input = later.windows(6).rposition(|window| window == b"input2").unwrap();
    let planes = later[input..].iter().position(|&byte| byte == 57).unwrap();
    later[input + planes] = 119;
    let mut weights = net.weights.clone();
    let name = net.graph.params[0].name.clone();
    weights.get_mut(&name).unwrap().data_mut()[0] = f32::NAN;
    let not_finite = Model { weights, ..net.clone() }.to_safetensors();
    let other_planes = |graph: &mut Value, _: &mut Metadata| graph["shape"]["planes"] = 41.into();
    let files: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", vec![], "no graph in it"),
        ("text", b"not a net at all".to_vec(), "not a readable ONNX file"),
        ("zip", b"PK\x03\x04 net.pt".to_vec(), "zip archive"),
        ("pickle 2", b"\x80\x02}q\x00.".to_vec(), "a pickle"),
        ("pickle 4", b"\x80\x04\x95rest".to_vec(), "a pickle"),
        ("truncated", good[..good.len() / 2].to_vec(), "not a valid safetensors file"),
        ("one byte more", [good.as_slice(), &[0]].concat(), "not a valid safetensors file"),
        ("a huge header", [&u64::MAX.to_le_bytes()[..], b"{}"].concat(), "not a valid safetensors"),
        (
            "deep JSON",
            [&(1u64 << 16).to_le_bytes()[..], &b"{\"a\":".repeat(1 << 16)].concat(),
            "not a",
        ),
        ("no list of operations", net.weights.to_safetensors(&net.metadata), "no net in this file"),
        ("a tensor twice", header(&good, |text| text.replacen("[0,", "[4,", 1)), "not a valid"),
        (
            "a huge tensor",
            header(&good, |text| text.replacen("\"shape\":[", "\"shape\":[4294967296,", 1)),
            "not a valid",
        ),
        (
            "other numbers",
            header(&good, |text| text.replacen("\"F32\"", "\"I32\"", 1)),
            "instead of F32",
        ),
        ("halves", header(&good, |text| text.replacen("\"F32\"", "\"F16\"", 1)), "not a valid"),
        (
            "an unknown tensor",
            header(&good, |text| text.replacen(&format!("\"{name}\":"), "\"spare\":", 1)),
            &name,
        ),
        ("not a number", not_finite, "finite"),
        ("other planes", forged(&net, other_planes), "[8, 42, 3, 3]"),
        (
            "an unknown operation",
            forged(&net, |graph, _| graph["nodes"][0]["op"] = "exec".into()),
            "unknown variant `exec`",
        ),
        (
            "a forward reference",
            forged(&net, |graph, _| graph["nodes"][0]["inputs"][0] = 9.into()),
            "node 0",
        ),
        (
            "a missing input",
            forged(&net, |graph, _| graph["nodes"][0]["inputs"] = serde_json::json!([])),
            "node 0",
        ),
        ("no outputs", forged(&net, |graph, _| graph["outputs"] = serde_json::json!([])), "output"),
        (
            "an output beyond the end",
            forged(&net, |graph, _| graph["outputs"][0][1] = 999_999.into()),
            "is not a row of 398",
        ),
        (
            "a gather beyond the board",
            forged(&net, |graph, _| graph["gather"][0] = 999_999.into()),
            "gather entry 0",
        ),
        (
            "a huge board",
            forged(&net, |graph, _| graph["shape"]["files"] = (1u64 << 40).into()),
            "files",
        ),
        (
            "endless nodes",
            forged(&net, |graph, _| {
                let node = graph["nodes"][1].clone();
                graph["nodes"] = Value::Array(vec![node; 20_000]);
            }),
            "20000 nodes",
        ),
        (
            "another board",
            forged(&net, |_, facts| drop(facts.insert("board_fingerprint".into(), "00".into()))),
            "board fingerprint 00",
        ),
        (
            "another encoder",
            forged(&net, |_, facts| drop(facts.insert("encoder_fingerprint".into(), "00".into()))),
            "encoder fingerprint 00",
        ),
        (
            "another encoding",
            forged(&net, |_, facts| drop(facts.insert("encoding".into(), "alien".into()))),
            "`alien`",
        ),
        ("half an ONNX file", onnx[..onnx.len() / 2].to_vec(), "not a readable ONNX file"),
        ("other names", replaced(&onnx, b"\x0a\x06planes", b"\x0a\x06plains"), "plains"),
        ("an unknown operation in ONNX", replaced(&onnx, b"\x22\x04Relu", b"\x22\x04Exec"), "Exec"),
        ("weights elsewhere", field(7, &field(5, &[0x70, 1])), "in other files"),
        ("later planes", later, "WCSC35"),
    ];
    for (what, bytes, expected) in files {
        for name in ["net.safetensors", "net.onnx"] {
            let refused = refusal(&written(&dir, name, &bytes), &[]);
            assert!(refused.contains(expected), "{what}: {refused}");
        }
    }
    let refused = refusal(dir.path(), &[]);
    assert!(refused.contains("cannot read"), "{refused}");
    let refused = refusal(Path::new("/dev/zero"), &[]);
    assert!(refused.contains("larger than 1 GiB"), "{refused}");
}
