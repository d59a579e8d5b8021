//! Reports of runs made of random games, of every variant and with faults, and of a tournament. What
//! the page does with them is tested in a browser, by `scripts/browser-test`.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use records::{ChunkStore, GameRecord, PlyRecord};
use rules::{Color, Game, Seed, Variant};
use serde_json::Value;

fn narikin(arguments: &[&str], run: &Path) -> Output {
    let mut command = Command::new(cargo_bin("narikin"));
    command.arg(arguments[0]).arg(run).args(&arguments[1..]).output().unwrap()
}

/// The report's `--json`, and the data in its page.
fn report(run: &Path, arguments: &[&str]) -> (Value, Value) {
    let output = narikin(&[&["report", "--json"], arguments].concat(), run);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let page = fs::read_to_string(summary["file"].as_str().unwrap()).unwrap();
    assert!(page.len() < 5_000_000);
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    (summary, serde_json::from_str(data).unwrap())
}

/// A game of random moves, searched by generation `number / 4`.
fn game(variant: &std::sync::Arc<Variant>, number: u64) -> GameRecord {
    let mut game = Game::new(variant.clone());
    let (mut moves, mut plies) = (Vec::new(), Vec::new());
    let outcome = loop {
        if let Some(outcome) = game.status(&mut moves) {
            break outcome;
        }
        let count = moves.len();
        let mv = moves[Seed(number).derive("ply", plies.len() as u64).0 as usize % count];
        plies.push(PlyRecord {
            mv: mv.bits(),
            generation: (number / 4) as u32,
            simulations: 8,
            full_search: true,
            policy_moves: moves.iter().map(|mv| mv.bits()).collect(),
            policy_target: vec![1.0 / count as f32; count],
            visits: vec![1; count],
            root_wdl: [0.5, 0.25, 0.25],
            net_wdl: [0.25, 0.25, 0.5],
            proven: None,
            played_probability: 1.0 / count as f32,
        });
        game.play(mv);
    };
    let start_moves = plies.drain(..2).map(|ply| ply.mv).collect();
    GameRecord {
        game_id: number,
        producer: "test".to_owned(),
        variant: variant.id().to_owned(),
        board_fingerprint: variant.board_fingerprint().to_string(),
        rules_fingerprint: variant.rules_fingerprint().to_string(),
        seed: number,
        start: variant.start().to_fen(variant),
        start_moves,
        outcome: match outcome.winner {
            Some(Color::Black) => "first",
            Some(Color::White) => "second",
            None => "draw",
        }
        .to_owned(),
        termination: outcome.termination.as_str().to_owned(),
        plies,
    }
}

/// A run with the given games and nothing else.
fn run_of(dir: &Path, text: &str, games: &[GameRecord]) {
    fs::write(dir.join("config.toml"), "variant = \"of the test\"\nseed = 7\n").unwrap();
    fs::write(dir.join("variant.toml"), text).unwrap();
    let store = ChunkStore::open(dir.join("games"), 4).unwrap();
    for (chunk, games) in games.chunks(4).enumerate() {
        store.seal(chunk as u64, games).unwrap();
    }
}

#[test]
fn games_of_every_variant_are_replayed() {
    for id in Variant::builtin_ids() {
        let dir = tempfile::tempdir().unwrap();
        let variant = Variant::builtin(id).unwrap();
        let games: Vec<_> = (0..8).map(|number| game(&variant, number)).collect();
        run_of(dir.path(), Variant::builtin_text(id).unwrap(), &games);
        let (summary, data) = report(dir.path(), &["--games", "4"]);
        assert_eq!(summary["faults"], Value::Array(Vec::new()), "{id}");
        assert_eq!(summary["games"].as_array().unwrap().len(), 8, "{id}");
        assert_eq!(data["variant"]["id"], *id);
        for (number, game) in games.iter().enumerate() {
            let shown = &summary["games"][number];
            let plies = game.start_moves.len() + game.plies.len();
            assert_eq!(shown["game_id"], number);
            assert_eq!(shown["fens"].as_array().unwrap().len(), plies + 1, "{id}");
            assert_eq!(data["games"][number]["plies"].as_array().unwrap().len(), plies, "{id}");
        }
        for generation in [0, 1] {
            let row = &data["generations"][generation];
            let own = &games[4 * generation..][..4];
            let positions: usize = own.iter().map(|game| game.plies.len()).sum();
            assert_eq!(
                (row["games"].as_u64(), row["positions"].as_u64()),
                (Some(4), Some(positions as u64))
            );
            let entropy = |key: &str| row[key].as_f64().unwrap();
            let (target, visits) = (entropy("policy_entropy"), entropy("visit_entropy"));
            assert!(target > 0.5 && (target - visits).abs() < 1e-3, "{id}: {target}, {visits}");
        }
    }
}

#[test]
fn faults_are_told_and_the_run_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let variant = Variant::builtin("micro").unwrap();
    let mut games: Vec<_> = (0..8).map(|number| game(&variant, number)).collect();
    games[5].plies[3].mv = games[5].plies[2].mv;
    let hostile = "</script><script>alert(1)</script>";
    let text = Variant::builtin_text("micro").unwrap();
    run_of(dir.path(), &text.replace("Micro-shogi", hostile), &games);
    fs::write(dir.path().join("games/000002.parquet"), "no Parquet").unwrap();
    fs::create_dir(dir.path().join("metrics")).unwrap();
    fs::write(dir.path().join("metrics/train.csv"), "generation,step,total\n1,5,0.5\n1,1").unwrap();
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("bericht über alles.html");
    let (summary, data) = report(dir.path(), &["-o", file.to_str().unwrap(), "--games", "9"]);
    let faults: Vec<_> =
        summary["faults"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
    assert!(faults[0].contains("000002.parquet"), "{faults:?}");
    assert!(faults[1].contains("game 5, ply 6"), "{faults:?}");
    assert_eq!((faults.len(), summary["games"].as_array().unwrap().len()), (2, 7));
    assert_eq!(data["faults"], summary["faults"]);
    assert_eq!(data["variant"]["name"], hostile);
    assert_eq!(
        data["losses"].as_array().unwrap().len(),
        1,
        "a row that is being written is left out"
    );
    let page = fs::read_to_string(&file).unwrap();
    assert!(!page.contains("<script>alert"));
    assert!(!dir.path().join("report.html").exists() && !dir.path().join("lock").exists());
}

#[test]
fn what_is_no_run_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let output = narikin(&["report"], dir.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no config.toml"));
}

#[test]
fn a_tournament_is_reported_whole_and_half_played() {
    let dir = tempfile::tempdir().unwrap();
    let (config, cup) = (dir.path().join("cup.toml"), dir.path().join("cup"));
    let players = ["alphabeta-1", "random", "blunder-50"]
        .map(|player| format!("[[player]]\nplayer = \"{player}\"\n"));
    fs::write(&config, format!("variant = \"micro\"\ngames = 4\n{}", players.concat())).unwrap();
    let played = narikin(&["tournament", "--quiet", "--dir", cup.to_str().unwrap()], &config);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let page = fs::read_to_string(cup.join("report.html")).unwrap();
    assert!(page.contains("\"kind\":\"tournament\""));

    let (summary, data) = report(&cup, &["--games", "3"]);
    assert_eq!((&summary["variant"], &data["counted"]), (&"micro".into(), &12.into()));
    assert_eq!(summary["games"].as_array().unwrap().len(), 9);
    assert_eq!(data["standings"].as_array().unwrap().len(), 3);
    assert_eq!(data["planned"], 12);

    // One game and a part of the next: the tournament is being played.
    let games = fs::read_to_string(cup.join("games.csv")).unwrap();
    let half: String = games.lines().take(2).map(|line| format!("{line}\n")).collect();
    fs::write(cup.join("games.csv"), half + "1,0,0,0,alph").unwrap();
    let (summary, data) = report(&cup, &[]);
    assert_eq!(summary["games"].as_array().unwrap().len(), 1);
    assert_eq!((&data["counted"], &data["halves"]), (&0.into(), &1.into()));
    fs::write(cup.join("games.csv"), games.replace("1-0", "2-0")).unwrap();
    let output = narikin(&["report"], &cup);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("games.csv, line") && told.contains("`2-0` is no result"), "{told}");
}
