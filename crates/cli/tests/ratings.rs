//! `rate` and `sprt`: their JSON, their exit codes, their errors.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

fn narikin(args: &[&str]) -> Output {
    Command::new(cargo_bin("narikin")).args(args).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = narikin(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

fn code(args: &[&str]) -> i32 {
    narikin(args).status.code().unwrap()
}

fn data(name: &str) -> String {
    format!("{}/../../data/arena/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_decision_is_the_exit_code() {
    let test = |elo0, elo1, json| {
        let mut args = vec!["sprt", "--penta", "223,9863,21279,10037,246", "--model", "logistic"];
        args.extend(["--elo0", elo0, "--elo1", elo1]);
        args.extend(json);
        args
    };
    assert_eq!(code(&test("0.5", "2.5", None)), 1);
    assert_eq!(code(&test("-5", "-1", None)), 0, "accepted");
    assert_eq!(code(&test("0.5", "0.7", None)), 0, "undecided");
    let rejected = json(&test("0.5", "2.5", Some("--json")));
    assert_eq!(rejected["decision"], "rejected");
    assert!((rejected["llr"].as_f64().unwrap() + 3.074).abs() < 1e-3);
    for field in ["elo", "elo_low", "elo_high", "nelo", "los", "lower", "upper"] {
        assert!(rejected[field].is_f64(), "{field}");
    }
}

#[test]
fn one_sided_results_are_bounds_in_json_too() {
    let won = json(&["sprt", "--penta", "0,0,0,0,10", "--json"]);
    assert!(won["elo"].is_null() && won["elo_high"].is_null() && won["nelo"].is_null());
    assert!((won["elo_low"].as_f64().unwrap() - 166.2).abs() < 0.01);
    let pair = json(&["sprt", "--penta", "0,0,0,1,0", "--json"]);
    assert!(pair["elo_low"].is_null() && pair["elo_high"].is_null());
}

#[test]
fn what_cannot_be_tested_is_an_error() {
    for (args, told) in [
        (&["sprt"][..], "--penta"),
        (&["sprt", "--penta", "1,2,3"], "expected 5 whole numbers"),
        (&["sprt", "--penta", "1,2,-3,4,5"], "expected 5 whole numbers"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "5", "--elo1", "5"], "must be below elo1"),
        (&["sprt", "--wdl", "1,2,3", "--alpha", "0"], "must be above 0"),
        (&["sprt", "--penta", "1,2,3,2,1", "--model", "bayeselo"], "knows no pairs"),
        (&["sprt", "--penta", "1,2,3,2,1", "--wdl", "1,1,1"], "contradict each other"),
        (&["sprt", "--wdl", "1,2,3", "--model", "elo"], "logistic, normalized or bayeselo"),
    ] {
        let output = narikin(args);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text.contains(told), "{args:?}: {text}");
    }
}

#[test]
fn pgn_and_csv_are_rated_alike() {
    let (pgn, csv) = (data("rr5.pgn"), data("rr5_crosstable.csv"));
    let [a, b] = [&pgn, &csv].map(|file| json(&["rate", file, "--json", "--los"]));
    assert_eq!(a["players"], b["players"]);
    let alpha = &a["players"][0];
    assert_eq!((&alpha["name"], &alpha["games"]), (&"alpha".into(), &240.into()));
    assert!((alpha["elo"].as_f64().unwrap() - 102.82).abs() < 0.05);
    assert!((alpha["sd"].as_f64().unwrap() - 16.19).abs() < 0.05);
    assert!((a["advantage"].as_f64().unwrap() - 9.816).abs() < 0.05);
    assert!((a["los"][0][1].as_f64().unwrap() - 0.937).abs() < 1e-3);
    assert!(a["los"][0][0].is_null());
    let both = json(&["rate", &pgn, &csv, "--json", "--anchor", "echo=1000"]);
    assert_eq!(both["games"], 1200);
    assert_eq!(both["players"][4]["elo"], 1000.0);
    assert_eq!(both["players"][4]["sd"], 0.0);
}

#[test]
fn games_left_out_and_groups_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.pgn");
    let game = |white: &str, black: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    let games = [
        game("a", "b", "1-0"),
        game("a", "a", "1-0"),
        game("c", "d", "1/2-1/2"),
        game("c", "d", "*"),
        game("c", "", "1-0"),
    ];
    fs::write(&file, games.concat()).unwrap();
    let file = file.to_str().unwrap();
    let report = json(&["rate", file, "--json"]);
    assert_eq!((&report["groups"], &report["unfinished"]), (&2.into(), &1.into()));
    assert_eq!(report["prior"], 2.0);
    assert_eq!(report["bad"][0]["line"], 7);
    assert_eq!(report["bad"][1]["reason"], "a game without `Black`");
    let output = narikin(&["rate", file, "--los"]);
    let (told, notes) = (String::from_utf8(output.stdout).unwrap(), output.stderr);
    assert!(told.contains("2 groups of players never met"), "{told}");
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.contains("odd.pgn:7: left out: `a` plays itself"), "{notes}");
}

#[test]
fn folders_of_tournaments_and_runs_are_rated_and_others_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let refused = |told: &str| {
        let output = narikin(&["rate", dir]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.contains(told), "{text}");
    };
    refused("has no games.csv and no metrics/arena.csv");
    fs::write(folder.path().join("games.csv"), "pair,first,second,result\n1,a,b,1-0\n1,b,a,oops\n")
        .unwrap();
    refused("games.csv: line 3: `oops` is no result");
    fs::write(folder.path().join("games.csv"), "pair,first,second,result\n1,a,b,1-0\n1,b,a,1-0\n")
        .unwrap();
    assert_eq!(json(&["rate", dir, "--json"])["pairs"], 1);
    fs::write(folder.path().join("games.csv"), "first,second,result\n").unwrap();
    refused("no finished game");
}
