//! Games of one's own: checked, shown, explained in the README, and trained without code.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use rules::Variant;
use serde_json::{Value, json};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

/// Exit code, stdout, stderr.
fn narikin(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(cargo_bin("narikin")).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn object(args: &[&str]) -> Value {
    let (code, out, err) = narikin(args);
    assert_eq!(code, Some(0), "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn the_readme_shows_the_file_it_explains() {
    let readme = fs::read_to_string(data("variants/README.md")).unwrap();
    let (_, block) = readme.split_once("```toml\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let shown: String = block
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix("   ").unwrap_or(line)))
        .collect();
    let file = fs::read_to_string(data("examples/relay.toml")).unwrap();
    assert_eq!(shown.trim_end(), file.trim_end());
}

#[test]
fn the_readmes_line_ends_where_it_says() {
    let readme = fs::read_to_string(data("variants/README.md")).unwrap();
    let (_, line) = readme.split_once("relay.toml --play ").unwrap();
    let moves: Vec<&str> = line.lines().next().unwrap().split_whitespace().collect();
    let file = data("examples/relay.toml");
    let mut args = vec!["moves", "--variant", file.to_str().unwrap(), "--json", "--play"];
    args.extend(&moves);
    let value = object(&args);
    assert_eq!(value["illegal"]["move"], *moves.last().unwrap());
    assert!(value["illegal"]["reason"].as_str().unwrap().contains("region"), "{value}");
}

#[test]
fn a_check_draws_and_counts() {
    let file = data("examples/relay.toml");
    let file = file.to_str().unwrap();
    let (code, text, _) = narikin(&["variant", "check", file]);
    assert_eq!(code, Some(0));
    for part in [
        "Relay (relay), 5 x 6",
        "  6  g h k h g\n",
        "  1  G H K H G\n",
        "     a b c d e",
        "second holds nothing",
        "G guard",
        "stands on 15 squares",
        "K on the goal: a win",
        "occurrence 3 of a position: whoever made it loses",
        "goal: 3 squares",
        "policy entries",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let value = object(&["variant", "check", file, "--json"]);
    assert_eq!(value["id"], "relay");
    assert_eq!(value["perft"].as_array().unwrap().len(), 3);
    assert!(value["perft"][2]["nodes"].as_u64().unwrap() > 100);
    assert!(value["random_game"]["outcome"]["termination"].is_string(), "{value}");
    assert_eq!(value["mirror"], true);
    let pieces = value["pieces"].as_array().unwrap();
    let ways = |letter: &str| {
        let piece = pieces.iter().find(|piece| piece["letter"] == letter).unwrap();
        piece["reaches"].as_array().unwrap().clone()
    };
    assert!(ways("H").iter().all(|way| way["passage"] == "lame"));
    assert!(ways("+H").iter().any(|way| way["passage"] == "slide"));
    assert!(ways("P").iter().any(|way| way["capture"] == false));
}

#[test]
fn built_in_variants_are_checked_too() {
    for id in Variant::builtin_ids() {
        let value = object(&["variant", "check", id, "--json"]);
        assert_eq!(value["id"], *id);
        assert_eq!(value["perft"][0]["depth"], 1, "{id}");
    }
    let text = narikin(&["variant", "check", "xiangqi"]).1;
    assert!(text.contains("+mpc") && text.contains("stands on 9 squares"), "{text}");
}

#[test]
fn faults_come_at_once_with_their_places() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.toml");
    let text = "extends = \"micro\"\nid = \"bad\"\nname = 3\n[pieces.R]\nmoves = \"WjN\"\n[drops]\nface = 1\n";
    fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap();
    let (code, _, err) = narikin(&["variant", "check", name]);
    assert_eq!(code, Some(2));
    for part in [
        format!("{name}:3:8: `name` takes a string"),
        format!("{name}:5:9: movement `WjN`: at character 2: `j`"),
        format!("{name}:7:1: unknown key `face`; did you mean `faces`?"),
    ] {
        assert!(err.contains(&part), "{part}\n{err}");
    }
    let (code, _, err) = narikin(&["variant", "show", name]);
    assert_eq!((code, err.contains(":3:8:")), (Some(2), true));
    fs::write(&path, "x".repeat(10_000_000)).unwrap();
    let (code, _, err) = narikin(&["variant", "check", name]);
    assert_eq!(code, Some(2));
    assert!(err.contains("at most 65536 bytes") && err.len() < 1000, "{err}");
    let relay = data("examples/relay.toml");
    let (code, out, _) = narikin(&["variant", "show", relay.to_str().unwrap()]);
    assert_eq!((code, out.contains("name = \"Relay\"")), (Some(0), true));
}

#[test]
fn moves_tell_what_a_declaration_and_an_impasse_would_give() {
    let declared = "4K4/PPPPPPPPP/P8/9/9/9/9/9/4k4[RRBB] w 0 1";
    let value = object(&["moves", "--variant", "shogi", "--fen", declared, "--json"]);
    assert_eq!(value["outcome"], Value::Null);
    assert!(value["count"].as_u64().unwrap() > 0);
    assert_eq!(value["declaration"], json!({"winner": "first", "termination": "declaration"}));
    assert_eq!(value["impasse"]["termination"], "impasse");
    let (_, text, _) = narikin(&["moves", "--variant", "shogi", "--fen", declared]);
    assert!(text.contains("declared now: declaration, first wins"), "{text}");
    let start = object(&["moves", "--variant", "shogi", "--json"]);
    assert_eq!(start["declaration"]["termination"], "false_declaration");
    assert_eq!(start["impasse"], Value::Null);
    let micro = object(&["moves", "--json"]);
    assert_eq!((&micro["declaration"], &micro["impasse"]), (&Value::Null, &Value::Null));
}

#[test]
fn matches_take_rules_of_their_own() {
    let base = ["match", "random", "random", "--games", "40", "--json", "--repetition-count", "2"];
    let counted = object(&base);
    assert!(counted["terminations"]["repetition"].as_u64().unwrap() > 0, "{counted}");
    assert_eq!(counted["replays"], 0);
    let replayed = object(&[&base[..], &["--replay", "--max-replays", "50"]].concat());
    assert!(replayed["replays"].as_u64().unwrap() > 0, "{replayed}");
    assert_eq!(replayed["terminations"]["repetition"], Value::Null);
    let (code, _, err) = narikin(&["match", "random", "random", "--impasse", "draw"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("no camp for kings to enter"), "{err}");
}

/// The promise of the project: a file is a game, and `run` trains it.
#[cfg(feature = "torch")]
#[test]
fn a_run_trains_a_game_that_is_only_a_file() {
    let root = tempfile::tempdir().unwrap();
    let games = root.path().join("games");
    fs::create_dir(&games).unwrap();
    for name in ["relay.toml", "relay-run.toml"] {
        fs::copy(data("examples").join(name), games.join(name)).unwrap();
    }
    let dir = root.path().join("run");
    let run = |from: &Path, config: &Path, budget: &str| {
        let mut command = Command::new(cargo_bin("narikin"));
        command.current_dir(from).args(["run", "--quiet", "--json", "--budget", budget]);
        for set in [
            "schedule.first_positions=600",
            "schedule.positions=600",
            "evaluate.opponents=['random']",
            "evaluate.verdict_games=4",
        ] {
            command.args(["--set", set]);
        }
        let output = command.arg("--dir").arg(&dir).arg(config).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null), err)
    };
    let (code, report, err) = run(root.path(), Path::new("games/relay-run.toml"), "4s");
    assert_eq!(code, Some(0), "{err}");
    assert!(report["generations"].as_u64().unwrap() >= 1, "{report}");
    assert_eq!(report["opponents"][0]["games"], 4);

    // The files may move; the run goes on. Other rules are another run.
    let moved = root.path().join("elsewhere");
    fs::rename(&games, &moved).unwrap();
    let (code, again, err) = run(&moved, Path::new("relay-run.toml"), "4s");
    assert_eq!((code, again), (Some(0), report), "{err}");
    let text = fs::read_to_string(moved.join("relay.toml")).unwrap();
    fs::write(moved.join("relay.toml"), text.replace("count = 3", "count = 4")).unwrap();
    let (code, _, err) = run(&moved, Path::new("relay-run.toml"), "4s");
    assert_eq!((code, err.contains("other endings")), (Some(2), true), "{err}");
}
