//! Tournaments: interrupted and resumed, changed, asked for wrongly.
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

const SMALL: &str = "games = 6\nseed = 4\n\
    [[player]]\nplayer = \"alphabeta-2\"\n[[player]]\nplayer = \"blunder-40\"\n\
    [[player]]\nplayer = \"uniform-16\"\nname = \"a name, with \\\"quotes\\\"\"\n\
    [[player]]\nplayer = \"random\"\n";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("narikin"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn tournament(config: &Path, dir: &Path, more: &[&str]) -> Output {
    let paths = ["tournament", config.to_str().unwrap(), "--dir", dir.to_str().unwrap(), "--json"];
    command(&[&paths[..], more].concat()).output().unwrap()
}

fn written(dir: &tempfile::TempDir, text: &str) -> PathBuf {
    let path = dir.path().join("t.toml");
    fs::write(&path, text).unwrap();
    path
}

fn json(output: &Output) -> Value {
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"))
}

/// Everything that a finished tournament holds but the lock, by name.
fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && !path.ends_with("lock"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Cut off at any byte, as a kill may leave it, the games come again as they were.
#[test]
fn a_tournament_goes_on_from_wherever_it_was_killed() {
    for format in ["round-robin", "swiss"] {
        let home = tempfile::tempdir().unwrap();
        let config = written(&home, &format!("format = \"{format}\"\nrounds = 3\n{SMALL}"));
        let (whole, cut) = (home.path().join("whole"), home.path().join("cut"));
        let report = json(&tournament(&config, &whole, &[]));
        assert_eq!(report["players"].as_array().unwrap().len(), 4);
        assert_eq!((&report["complete"], &report["halves"]), (&true.into(), &0.into()));
        let expected = files(&whole);
        let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["games.csv", "games.parquet", "games.usi", "ratings.csv", "report.html"] {
            assert!(names.contains(&name), "{names:?}");
        }
        // What other commands make of the files.
        let rated = |file: &str| {
            let path = whole.join(file);
            json(&command(&["rate", path.to_str().unwrap(), "--json"]).output().unwrap())
        };
        assert_eq!(rated("")["players"], rated("games.pgn")["players"]);
        let elo = |report: &Value, at: usize| report["players"][at]["elo"].as_f64().unwrap();
        assert!((elo(&rated("games.csv"), 0) - elo(&report, 0)).abs() < 1e-6);
        let journal = fs::read(whole.join("games.csv")).unwrap();
        let games = journal.iter().filter(|&&byte| byte == b'\n').count() - 1;
        // Six meetings of all with all, or three rounds of two.
        assert_eq!(games, 36);
        for share in [0, 40, 95] {
            fs::remove_dir_all(&cut).unwrap_or_default();
            fs::create_dir(&cut).unwrap();
            for name in ["tournament.toml", "manifest.json"] {
                fs::copy(whole.join(name), cut.join(name)).unwrap();
            }
            fs::write(cut.join("games.csv"), &journal[..journal.len() * share / 100]).unwrap();
            fs::write(cut.join("games.pgn.tmp"), "half").unwrap();
            let threads = ["--set", "execution.threads=3"];
            let report_again = json(&tournament(&config, &cut, &threads));
            assert_eq!(report_again["pairs"], report["pairs"]);
            let mut found = files(&cut);
            // The number of threads may change; it is kept.
            let config = found.iter_mut().find(|(name, _)| name == "tournament.toml").unwrap();
            config.1 =
                expected.iter().find(|(name, _)| name == "tournament.toml").unwrap().1.clone();
            for ((name, found), (_, expected)) in found.iter().zip(&expected) {
                if name == "report.html" {
                    continue; // It tells when it was written.
                }
                let same = if name == "games.pgn" || name == "games.csa" {
                    // They name the directory as the event.
                    let plain = |text: &[u8]| String::from_utf8_lossy(text).replace("cut", "whole");
                    plain(found) == plain(expected)
                } else {
                    found == expected
                };
                assert!(same, "{name} differs after a cut at {share} %");
            }
        }
    }
}

/// Waits until `done`, or the child has ended.
fn wait_for(child: &mut Child, done: impl Fn() -> bool) {
    while !done() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(5));
    }
}

fn lines(path: &Path) -> usize {
    fs::read(path).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count()
}

/// Enough games that they do not end of themselves.
const LONG: &str = "games = 100000\n[openings]\ncount = 20\n\
    [[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"blunder-50\"\n";

#[test]
fn a_killed_one_keeps_its_games_and_a_stopped_one_says_how_to_go_on() {
    let home = tempfile::tempdir().unwrap();
    let (config, dir) = (written(&home, LONG), home.path().join("it"));
    let paths = ["tournament", config.to_str().unwrap(), "--dir", dir.to_str().unwrap()];
    let mut child = command(&paths).spawn().unwrap();
    let journal = dir.join("games.csv");
    wait_for(&mut child, || lines(&journal) > 30);
    let second = command(&paths).output().unwrap();
    assert!(String::from_utf8_lossy(&second.stderr).contains("in use by pid"), "one writer only");
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
    let before = lines(&journal) - 1;
    assert!(before >= 30);

    let mut child = command(&["tournament", dir.to_str().unwrap()]).spawn().unwrap();
    wait_for(&mut child, || lines(&journal) > before + 30);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains(&format!("narikin tournament {}", dir.display())), "{told}");
    assert!(lines(&journal) > before + 30);
    assert!(dir.join("ratings.csv").exists() && dir.join("games.pgn").exists());
}

#[test]
fn another_configuration_is_refused_with_what_differs() {
    let home = tempfile::tempdir().unwrap();
    let (config, dir) = (written(&home, SMALL), home.path().join("it"));
    let few = ["--set", "games=2"];
    assert!(tournament(&config, &dir, &few).status.success());
    let output = tournament(&config, &dir, &["--set", "games=4", "--set", "execution.threads=1"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("games: 2 -> 4") && !told.contains("threads"), "{told}");
    // The directory alone goes on, here with nothing left to play.
    let output = command(&["tournament", dir.to_str().unwrap(), "--json"]).output().unwrap();
    assert_eq!(json(&output)["complete"], true);
    let foreign = home.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.tex"), "").unwrap();
    let output = tournament(&config, &foreign, &few);
    assert!(String::from_utf8_lossy(&output.stderr).contains("thesis.tex"));
}

#[test]
fn faults_have_their_lines_and_players_their_causes() {
    let home = tempfile::tempdir().unwrap();
    let told = |text: &str| {
        let config = written(&home, text);
        let output = tournament(&config, &home.path().join("it"), &[]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = told("games = 3\n[[player]]\nplayer = \"stockfish\"\n[[player]]\nname = 4\n");
    assert!(text.contains("4 faults") && text.contains("t.toml:1") && text.contains("t.toml:3"));
    let two = |a: &str, b: &str| {
        told(&format!("[[player]]\nplayer = \"{a}\"\n[[player]]\nplayer = \"{b}\"\n"))
    };
    assert!(two("random", "random").contains("both called `random`"));
    assert!(two("random", "runs/nowhere@3").contains("runs/nowhere is no run"));
    assert!(two("random", "usi:/no/such/engine").contains("/no/such/engine"));
    assert!(told("[[player]]\nplayer = \"random\"\n").contains("two players or more"));
}

#[test]
fn a_test_decides_and_its_exit_code_tells() {
    let decided = |a: &str, b: &str| {
        let args = ["match", a, b, "--elo1", "100", "--json", "--quiet"];
        let output = command(&args).output().unwrap();
        (output.status.code(), json(&output)["pairs"][0]["decision"].clone())
    };
    assert_eq!(decided("alphabeta-2", "random"), (Some(0), "accepted".into()));
    assert_eq!(decided("random", "alphabeta-2"), (Some(1), "rejected".into()));
}

#[test]
fn openings_of_a_list_are_played_in_turn() {
    let home = tempfile::tempdir().unwrap();
    let (book, dir) = (home.path().join("book.txt"), home.path().join("it"));
    fs::write(&book, "startpos\nstartpos moves d2d3\n").unwrap();
    let (book, dir) = (book.to_str().unwrap(), dir.to_str().unwrap());
    let args = ["match", "random", "blunder-50", "--games", "8", "--openings", book, "--dir", dir];
    let output = command(&args).output().unwrap();
    assert!(output.status.success());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("only 2 openings"), "{told}");
    let games = fs::read_to_string(Path::new(dir).join("games.usi")).unwrap();
    assert_eq!(games.lines().count(), 8);
    assert!(games.lines().filter(|line| line.starts_with("startpos moves 1d1c")).count() >= 4);
}
