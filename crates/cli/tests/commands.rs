//! The commands that need no run: their JSON, their exit codes, their errors.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

fn narikin(args: &[&str]) -> (Option<i32>, Value, String) {
    let output = Command::new(cargo_bin("narikin")).args(args).output().unwrap();
    let value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), value, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name).display().to_string()
}

#[test]
fn perft_counts_and_divides() {
    let (code, value, _) = narikin(&["perft", "--depth", "4", "--divide", "--json"]);
    assert_eq!(code, Some(0));
    assert_eq!(value["nodes"], 7256);
    assert_eq!(value["moves"].as_array().unwrap().len(), 9);
    let (_, threaded, _) = narikin(&["perft", "--depth", "5", "--threads", "2", "--json"]);
    assert_eq!(threaded["nodes"], 71328);
}

#[test]
fn a_suite_passes_and_a_wrong_one_fails() {
    let suite = data("perft/perft.csv");
    let args = ["perft", "--suite", &suite, "--max-nodes", "20000", "--json"];
    let (code, value, _) = narikin(&args);
    assert_eq!(code, Some(0));
    assert_eq!(value["wrong"], json!([]));
    assert!(value["rows"].as_u64().unwrap() > 100);

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wrong.csv");
    let row = "micro,kb+r+l/p3/4/3P/+L+RBK[-] w 0 1,2,81";
    std::fs::write(&path, format!("variant,fen,depth,nodes\n{row}\n")).unwrap();
    let (code, value, _) = narikin(&["perft", "--suite", path.to_str().unwrap(), "--json"]);
    assert_eq!(code, Some(1));
    assert_eq!(value["wrong"][0]["expected"], 81);
    assert_eq!(value["wrong"][0]["nodes"], 80);
}

#[test]
fn moves_tells_why_not() {
    let fen = "k3/4/4/p3/1B1K[-] w 0 1";
    let args = ["moves", "--fen", fen, "--play", "b1a2", "--json"];
    let (code, value, _) = narikin(&args);
    assert_eq!(code, Some(0));
    assert_eq!(value["turn"], "first");
    assert_eq!(value["count"], 6);
    assert_eq!(value["illegal"]["move"], "b1a2");
    assert!(value["illegal"]["reason"].as_str().unwrap().contains("turn"), "{value}");

    let (_, played, _) = narikin(&["moves", "--play", "d2d3", "a4a3", "d3d4", "--json"]);
    assert_eq!(played["turn"], "second");
    assert_eq!(played["illegal"], Value::Null);
}

#[test]
fn moves_answers_every_line() {
    let lines =
        "startpos moves d2d3 a4a3\nk3/4/4/4/3G[] w\n\nk3/4/4/4/3K[-] w 0 1\nk3/4/4/4/3K b - 1";
    let mut child = Command::new(cargo_bin("narikin"))
        .args(["moves", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 5);
    let (_, alone, _) = narikin(&["moves", "--play", "d2d3", "a4a3", "--json"]);
    assert_eq!(answers[0], alone);
    assert!(answers[1]["error"].as_str().unwrap().contains("+R"), "{}", answers[1]);
    assert!(answers[2]["error"].is_string(), "{}", answers[2]);
    assert_eq!(answers[3]["count"], 3);
    assert_eq!(answers[3], answers[4]);
}

#[test]
fn a_match_of_yardsticks() {
    let args = ["match", "alphabeta-2", "random", "--games", "20", "--json"];
    let (code, value, _) = narikin(&args);
    assert_eq!(code, Some(0));
    let players = value["players"].as_array().unwrap();
    assert_eq!(players[0]["name"], "alphabeta-2");
    assert_eq!(players[0]["games"], 20);
    assert_eq!(players[0]["wins"], players[1]["losses"]);
    assert!(players[0]["score"].as_f64().unwrap() > 0.8);
    assert_eq!(value["pairs"][0]["pentanomial"].as_array().unwrap().len(), 5);
}

#[test]
fn errors_name_what_would_be_right() {
    let (code, _, text) = narikin(&["moves", "--variant", "mikro"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("did you mean `micro`"), "{text}");
    let (code, _, text) = narikin(&["match", "random", "generation-3"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("--run"), "{text}");
    let (code, _, text) = narikin(&["moves", "--fen", "k3/4/4/4/3G[] w 0 1"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("+R"), "{text}");
    let (code, _, text) = narikin(&["inspect", "/nowhere"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("/nowhere"), "{text}");
}

/// `doctor` where ONNX Runtime lies at `library`; nothing: where it was found at build time.
fn doctor(library: Option<&Path>) -> (Option<i32>, Value) {
    let mut command = Command::new(cargo_bin("narikin"));
    command.args(["doctor", "--json"]);
    match library {
        Some(path) => command.env("ORT_DYLIB_PATH", path),
        None => command.env_remove("ORT_DYLIB_PATH"),
    };
    let output = command.output().unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

fn finding<'a>(report: &'a Value, what: &str) -> &'a Value {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["what"] == what).unwrap()
}

#[test]
fn doctor_names_what_is_missing_and_what_mends_it() {
    let (code, report) = doctor(None);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(report["good"], true);
    let runtime = finding(&report, "ONNX Runtime");
    assert!(runtime["found"].as_str().unwrap().starts_with("1.31"), "{runtime}");
    assert_eq!(finding(&report, "processor")["state"], "ok");
    assert!(finding(&report, "disk")["found"].as_str().unwrap().contains("GB free"));
    assert!(finding(&report, "open files")["found"].is_string());
    let torch = finding(&report, "libtorch");
    if cfg!(feature = "torch") {
        assert!(torch["found"].as_str().unwrap().starts_with("2."), "{torch}");
    } else {
        assert_eq!(torch["state"], "warning");
    }

    let wrong = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    for (path, said) in
        [(Path::new("/nowhere/libonnxruntime.so"), "not found"), (&wrong, "cannot be loaded")]
    {
        let (code, report) = doctor(Some(path));
        assert_eq!((code, &report["good"]), (Some(1), &false.into()));
        let runtime = finding(&report, "ONNX Runtime");
        assert_eq!(runtime["state"], "missing");
        assert!(runtime["found"].as_str().unwrap().contains(said), "{runtime}");
        assert!(runtime["fix"].as_str().unwrap().contains("scripts/fetch-libs"), "{runtime}");
    }
}

#[test]
fn moves_are_written_and_read_in_every_notation() {
    for (variant, notation, play, expected) in [
        ("shogi", "usi", vec!["7g7f", "g7g6"], "8h2b+"),
        ("shogi", "western", vec!["P-7f", "P-3d"], "Bx2b+"),
        ("shogi", "kif", vec!["☗７六歩", "3c3d"], "☗２二角成"),
        ("xiangqi", "wxf", vec!["C2=5", "H8+7"], "C5+4"),
        ("xiangqi", "ucci", vec!["h2e2", "h9g7"], "e2e6"),
    ] {
        let start = ["moves", "--variant", variant, "--notation", notation, "--json", "--play"];
        let (code, value, _) = narikin(&[&start[..], &play].concat());
        assert_eq!((code, &value["illegal"]), (Some(0), &Value::Null), "{notation} {value}");
        let moves = value["moves"].as_array().unwrap();
        assert!(moves.contains(&json!(expected)), "{notation} {value}");
    }
    let args = ["perft", "--variant", "xiangqi", "--depth", "1", "--divide", "--notation", "wxf"];
    let (_, value, _) = narikin(&[&args[..], &["--json"]].concat());
    assert!(value["moves"].as_array().unwrap().iter().any(|branch| branch["move"] == "H8+7"));
    let (code, _, text) = narikin(&["moves", "--notation", "morse"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("known: usi, uci"), "{text}");
}

#[test]
fn handicap_games_start_with_the_second_player() {
    let six = ["moves", "--variant", "shogi", "--handicap", "six", "--json"];
    let (code, value, _) = narikin(&six);
    assert_eq!((code, &value["turn"]), (Some(0), &json!("second")));
    assert!(value["fen"].as_str().unwrap().starts_with("2sgkgs2/9/ppppppppp"), "{value}");
    let (_, list, _) = narikin(&["variant", "list", "--json"]);
    let shogi = list["variants"].as_array().unwrap().iter().find(|entry| entry["id"] == "shogi");
    assert_eq!(shogi.unwrap()["handicaps"].as_object().unwrap().len(), 10);
    let (code, _, text) = narikin(&["perft", "--variant", "shogi", "--handicap", "rok"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("did you mean `rook`? Known: lance, "), "{text}");
}

/// Variant, position, move, reason.
const REFUSED: [[&str; 4]; 14] = [
    ["shogi", "4k4/9/9/9/9/9/4P4/9/4K4[P] w", "P*5d", "nifu"],
    [
        "shogi",
        "lnsg3nk/1r2b1gs1/ppppppp1p/7N1/7p1/9/PPPPPPPP1/1B5R1/LNSGKGS1L b P 1",
        "P*1b",
        "drop mate",
    ],
    ["shogi", "4k4/4r4/9/9/9/9/9/4G4/4K4[] w", "5h4h", "leaves king in check"],
    ["shogi", "", "8h2b", "path or leg blocked"],
    ["shogi", "3k5/4P4/9/9/9/9/9/9/4K4[] w", "5b5a", "must promote"],
    ["shogi", "", "7g7f+", "cannot promote"],
    ["kyotoshogi", "", "a1a2", "must turn over"],
    ["shogi", "4k4/9/9/9/9/9/9/9/4K4[P] w", "P*9a", "dead square"],
    ["xiangqi", "", "d1c2", "outside its region"],
    ["xiangqi", "4k4/9/9/9/9/9/9/9/4A4/4K4 w", "e2d3", "generals face"],
    ["shogi", "", "P*5e", "not in hand"],
    ["shogi", "", "9i9g", "square occupied"],
    ["shogi", "", "7g7e", "no such move"],
    ["micro", "k3/+R3/+R3/4/3K[-] b", "a5b5", "game over"],
];

#[test]
fn every_reason_of_an_illegal_move_is_told() {
    for [variant, fen, mv, reason] in REFUSED {
        let mut args = vec!["moves", "--json", "--variant", variant, "--play", mv];
        if !fen.is_empty() {
            args.extend(["--fen", fen]);
        }
        let (code, value, error) = narikin(&args);
        assert_eq!(code, Some(0), "{error}");
        assert_eq!(value["illegal"]["move"], mv, "{value}");
        assert_eq!(value["illegal"]["reason"], reason, "{variant} {mv}: {value}");
    }
}

#[test]
fn a_match_may_start_from_a_handicap() {
    let players = ["match", "alphabeta-1", "random", "--variant", "shogi", "--games", "2"];
    let (code, value, error) = narikin(&[&players[..], &["--handicap", "ten", "--json"]].concat());
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(value["players"][0]["games"], 2, "{value}");
    let (code, _, error) = narikin(&[&players[..], &["--handicap", "tne"]].concat());
    assert_eq!(code, Some(2));
    assert!(error.contains("did you mean `ten`"), "{error}");
}

#[test]
fn the_generator_is_measured_beside_others() {
    let quick = ["--rounds", "1", "--seconds", "0.001", "--variant", "dobutsu"];
    let (code, value, error) = narikin(&[&["bench", "movegen", "--json"], &quick[..]].concat());
    assert_eq!(code, Some(0), "{error}");
    let figure = |name: &str| {
        let figures = value["figures"].as_array().unwrap();
        figures.iter().find(|figure| figure["name"] == name).unwrap_or_else(|| panic!("{name}"))
    };
    for way in ["popcount", "list", "play"] {
        assert!(figure(&format!("dobutsu/start/{way}"))["value"].as_f64().unwrap() > 0.0);
    }
    let planes = figure("dobutsu/encoded/planes")["value"].as_f64().unwrap();
    assert!((-1.0..1.0).contains(&planes), "{planes}");
    if cfg!(feature = "peers") {
        assert!(figure("dobutsu/start/list")["ratio"].as_f64().unwrap() > 0.0);
        assert!(figure("haitaka/start/popcount")["value"].as_f64().unwrap() > 0.0);
    }
    assert!(figure("shogi/start/threads-2")["ratio"].as_f64().unwrap() > 0.0);
}

#[test]
fn bench_arena_plays_both_kinds_of_games() {
    let quick = ["bench", "arena", "--games", "4", "--rounds", "1", "--simulations", "4", "--json"];
    let (code, value, error) = narikin(&quick);
    assert_eq!(code, Some(0), "{error}");
    let names: Vec<_> = value["figures"].as_array().unwrap().iter().map(|f| &f["name"]).collect();
    assert_eq!(names, ["engine_move", "match_games"]);
    for figure in value["figures"].as_array().unwrap() {
        assert!(figure["ratio"].as_f64().unwrap() > 0.0, "{figure}");
    }
}

#[test]
fn solve_finds_mates_and_says_when_there_is_none() {
    let solve =
        |args: &[&str]| narikin(&[&["solve", "--json", "--variant", "shogi"], args].concat());
    let (code, value, _) = solve(&["--notation", "usi", "8k/9/8P/7N1/9/9/9/9/9 b 2G 1"]);
    assert_eq!(code, Some(0));
    assert_eq!((&value["status"], &value["plies"]), (&json!("mate"), &json!(1)));
    assert_eq!(value["moves"].as_array().unwrap().len(), 1);
    assert!(value["nodes"].as_u64().unwrap() > 0 && value["seconds"].is_f64());

    // The pawn may not mate, and the defender holds what is not shown.
    let trap = "8k/9/7SG/9/9/9/9/9/9 b P 1";
    let (code, value, note) = solve(&["--fen", trap, "--max-plies", "1"]);
    assert_eq!((code, &value["status"]), (Some(0), &json!("mate")), "{value}");
    assert!(note.contains("all pieces not shown"), "{note}");
    let (code, value, _) = solve(&["k8/9/9/9/9/9/9/9/8K b P 1"]);
    assert_eq!(
        (code, &value["status"], &value["plies"]),
        (Some(0), &json!("no_mate"), &Value::Null)
    );

    // A mate of nine plies, with too little of anything.
    let fen = "9/7+P+b/7sk/5B2+l/5R2R/9/9/9/K8 b P4g3s4n3l16p 1";
    let (_, value, _) = solve(&["--max-plies", "3", fen]);
    assert_eq!((&value["status"], &value["none_within"]), (&json!("unknown"), &json!(3)));
    let (_, value, _) = solve(&["--nodes", "10", fen]);
    assert_eq!(value["status"], "unknown");

    let (code, _, error) = solve(&["--memory", "0", fen]);
    assert_eq!(code, Some(2));
    assert!(error.contains("--memory"), "{error}");
}

#[test]
fn solve_finds_brinkmates() {
    let row = std::fs::read_to_string(data("mate/problems.csv")).unwrap();
    let row = row.lines().find(|row| row.starts_with("micro,hisshi,")).unwrap().to_owned();
    let fields: Vec<&str> = row.split(',').collect();
    let args =
        ["solve", "--variant", "micro", "--hisshi", "--json", "--notation", "usi", fields[2]];
    let (code, value, _) = narikin(&args);
    assert_eq!((code, &value["status"]), (Some(0), &json!("mate")));
    let moves: Vec<&str> =
        value["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    assert_eq!(moves.join(" "), fields[4]);
    assert!(value["threats"].as_array().unwrap().len() >= moves.len());
}
