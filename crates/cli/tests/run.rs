//! Runs as their users see them: killed in every phase, resumed, extended, refused.
#![cfg(feature = "torch")]
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// A configuration of the repository.
fn config(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs").join(name)
}

fn narikin() -> Command {
    Command::new(cargo_bin("narikin"))
}

/// A run small enough for a test; training in one thread, so that it repeats bit for bit.
fn run(dir: &Path, budget: &str) -> Command {
    let mut command = narikin();
    command.args(["run", "--quiet", "--json", "--budget", budget, "--dir"]).arg(dir);
    command.args(["--set", "execution.train_threads=1", "--set", "schedule.positions=700"]);
    command.args([
        "--set",
        "schedule.first_positions=700",
        "--set",
        "evaluate.opponents=['random']",
    ]);
    command.arg(config("smoke.toml"));
    command
}

/// Runs to the end and returns the report.
fn finish(mut command: Command) -> Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Exit code and stderr.
fn refused(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
    let sealed = entries.filter(|path| path.extension().is_some_and(|end| end == "parquet"));
    sealed.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Waits until something has happened.
fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !happened() {
        assert!(Instant::now() < end, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the run's state names the phase, a while longer, then kills the run.
fn kill_in(mut child: Child, dir: &Path, phase: &str, after: Duration) {
    let state = dir.join("state.toml");
    let wanted = format!("phase = \"{phase}\"");
    wait_for(phase, || {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before the phase {phase}");
        fs::read_to_string(&state).is_ok_and(|text| text.contains(&wanted))
    });
    thread::sleep(after);
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
}

/// Sends a signal by the shell's own `kill`, which every system has.
fn signal(child: &Child, name: &str) {
    let command = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

#[test]
fn a_run_killed_in_every_phase_ends_whole() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("läufe mit leerzeichen");
    let mut sealed: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    for (round, phase) in ["self-play", "train", "evaluate", "train", "verdict"].iter().enumerate()
    {
        // Time enough for every phase, until the verdict is wanted.
        let mut command = run(&dir, if *phase == "verdict" { "8s" } else { "300s" });
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill_in(child, &dir, phase, Duration::from_millis(20 * round as u64));
        let now = files(&dir.join("games"));
        for (path, bytes) in &sealed {
            assert!(now.get(path) == Some(bytes), "{} was changed or lost", path.display());
        }
        sealed = now;
    }
    let report = finish(run(&dir, "8s"));
    let now = files(&dir.join("games"));
    assert!(sealed.iter().all(|(path, bytes)| now.get(path) == Some(bytes)));
    assert!(report["generations"].as_u64().unwrap() >= 2, "{report}");
    let page = fs::read_to_string(dir.join("report.html")).unwrap();
    assert!(
        page.contains("\"phase\":\"done\"") && page.contains("\"verdict\":[{\"name\":\"random\"")
    );
    assert_eq!(report["opponents"][0]["name"], "random");
    assert_eq!(report["opponents"][0]["games"], 4);

    let output = narikin().arg("inspect").arg(&dir).arg("--json").output().unwrap();
    let inspected: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(inspected["duplicates"], 0);
    assert_eq!(inspected["files"].as_u64().unwrap() as usize, now.len());

    // A finished run repeats its verdict; a larger budget extends it.
    let again = finish(run(&dir, "8s"));
    assert_eq!(again, report);
    let more = report["seconds"].as_f64().unwrap() as u64 + 30;
    let longer = finish(run(&dir, &format!("{more}s")));
    assert!(longer["generations"].as_u64() > report["generations"].as_u64());
    assert!(longer["games"].as_u64() > report["games"].as_u64());
}

#[test]
fn a_phase_repeated_after_a_kill_trains_the_same_net() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let child = run(&dir, "6s").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    kill_in(child, &dir, "train", Duration::ZERO);
    let copy = root.path().join("copy");
    let copied = Command::new("cp").arg("-r").arg(&dir).arg(&copy).status().unwrap();
    assert!(copied.success());
    finish(run(&dir, "6s"));
    finish(run(&copy, "6s"));
    let net = |dir: &Path| fs::read(dir.join("checkpoints/000001/weights.safetensors")).unwrap();
    assert!(net(&dir) == net(&copy), "the same plan gave two nets");
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let mut command = run(&dir, "30s");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the run to begin", || dir.join("state.toml").exists());
    signal(&child, "TERM");
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("To go on:\n  narikin run"), "{text}");
}

/// Interrupted in training, the run keeps its steps and still ends with the same net.
#[test]
fn an_interrupted_plan_goes_on_from_its_step() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let long = |dir: &Path| {
        let mut command = run(dir, "6s");
        command.args(["--set", "train.samples_per_position=40"]);
        command
    };
    let child = long(&dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    kill_in(child, &dir, "train", Duration::ZERO);
    let whole = root.path().join("whole");
    assert!(Command::new("cp").arg("-r").arg(&dir).arg(&whole).status().unwrap().success());

    let child = long(&dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let rows = || fs::read_to_string(dir.join("metrics/train.csv")).unwrap_or_default();
    wait_for("a row of training", || rows().lines().count() > 1);
    signal(&child, "INT");
    child.wait_with_output().unwrap();
    let kept = fs::read_dir(dir.join("partial")).unwrap();
    assert_eq!(kept.count(), 1, "no steps were kept");
    finish(long(&dir));
    finish(long(&whole));
    let net = |dir: &Path| fs::read(dir.join("checkpoints/000001/weights.safetensors")).unwrap();
    assert!(net(&dir) == net(&whole), "the interruption changed the net");
    assert!(!dir.join("partial").exists());
    let rows = rows();
    let steps: Vec<u64> =
        rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
}

/// What a crash may leave behind between any two writings of files.
#[test]
fn half_made_runs_and_cut_rows_are_no_obstacle() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    finish(run(&dir, "1s"));
    for left in [&["variant.toml"][..], &["variant.toml", "fingerprints.toml"]] {
        let half = root.path().join(format!("half {}", left.len()));
        fs::create_dir_all(half.join("games")).unwrap();
        for name in left {
            fs::copy(dir.join(name), half.join(name)).unwrap();
        }
        fs::write(half.join("config.toml.tmp"), "seed = ").unwrap();
        finish(run(&half, "1s"));
    }
    for name in ["selfplay", "train", "arena"] {
        let path = dir.join(format!("metrics/{name}.csv"));
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("7,3.2");
        fs::write(&path, text).unwrap();
    }
    finish(run(&dir, "3s"));
}

#[test]
fn another_run_is_refused_with_its_differences() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    finish(run(&dir, "1s"));
    let mut other = run(&dir, "1s");
    other.args(["--set", "net.channels=16", "--set", "seed=2"]);
    let (code, text) = refused(other);
    assert_eq!(code, Some(2));
    assert!(text.contains("net.channels: 8 -> 16"), "{text}");
    assert!(text.contains("seed: 1 -> 2"), "{text}");

    let mut tuned = run(&dir, "1s");
    tuned.args(["--set", "train.lr=0.001"]);
    let (code, text) = refused(tuned);
    assert_eq!(code, Some(2));
    assert!(text.contains("--retune") && text.contains("train.lr"), "{text}");
    let mut tuned = run(&dir, "2s");
    tuned.args(["--set", "train.lr=0.001", "--retune"]);
    finish(tuned);
}

#[test]
fn phases_alone() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let mut command = run(&dir, "60s");
    // Long enough that the kill does not come too late.
    command.args(["--set", "schedule.first_positions=8000"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    kill_in(child, &dir, "self-play", Duration::ZERO);
    let phase = |name: &str| {
        let mut command = narikin();
        command.arg(name).arg(&dir).arg("--quiet");
        command
    };
    let (code, text) = refused(phase("learn"));
    assert_eq!(code, Some(2));
    assert!(text.contains("self-play"), "{text}");
    for name in ["selfplay", "learn", "selfplay"] {
        assert!(phase(name).status().unwrap().success(), "{name}");
    }
    let state = fs::read_to_string(dir.join("state.toml")).unwrap();
    assert!(state.contains("generation = 1") && state.contains("phase = \"train\""), "{state}");
}

/// `--init-from`: generation 1 is the net as it was given, which plays and is trained on.
#[test]
fn a_run_begins_with_a_net() {
    let root = tempfile::tempdir().unwrap();
    let (first, second) = (root.path().join("first"), root.path().join("second"));
    finish(run(&first, "1s"));
    let net = root.path().join("net.safetensors");
    let mut export = narikin();
    export.arg("export").arg(&first).args(["--format", "safetensors", "-o"]).arg(&net);
    assert!(export.status().unwrap().success());
    let begun = |dir: &Path, net: &Path| {
        let mut command = run(dir, "2s");
        command.arg("--init-from").arg(net);
        command
    };
    let report = finish(begun(&second, &net));
    assert!(report["generations"].as_u64().unwrap() >= 2, "{report}");
    let onnx = |dir: &Path, number: &str| {
        model_answer(&dir.join("checkpoints").join(number).join("model.onnx"))
    };
    let newest = fs::read_dir(first.join("checkpoints")).unwrap();
    let newest = newest.map(|entry| entry.unwrap().file_name().into_string().unwrap()).max();
    assert_eq!(onnx(&second, "000001"), onnx(&first, &newest.unwrap()));
    assert_ne!(onnx(&second, "000001"), onnx(&second, "000002"));

    // The copy in the run is enough, and the same file is no contradiction.
    finish(run(&second, "2s"));
    finish(begun(&second, &net));
    let (code, text) = refused(begun(&second, &second));
    assert!(code == Some(2) && text.contains("began with another net"), "{text}");
    let (code, text) = refused(begun(&first, &net));
    assert!(code == Some(2) && text.contains("began without a net"), "{text}");

    let third = root.path().join("third");
    let mut other = begun(&third, &net);
    other.args(["--set", "net.channels=16"]);
    let (code, text) = refused(other);
    assert!(code == Some(2) && text.contains("--set net.channels=8"), "{text}");
    let (code, text) = refused(begun(&third, Path::new("zoo:dobutsu")));
    assert!(code == Some(2) && text.contains("it is for dobutsu"), "{text}");
    let (code, text) = refused(begun(&third, &first.join("checkpoints/000001/model.onnx")));
    assert!(code == Some(2) && text.contains("not a .safetensors file"), "{text}");
    assert!(!third.exists(), "nothing is made where the net is refused");
}

/// What a net says of the start position.
fn model_answer(path: &Path) -> Value {
    let mut command = narikin();
    command.args(["analyze", "--nodes", "1", "--threads", "1", "--json", "--model"]).arg(path);
    let answer = finish(command);
    serde_json::json!([answer["wdl"], answer["moves"]])
}

#[test]
fn libtorch_plays_as_well() {
    let root = tempfile::tempdir().unwrap();
    let mut command = run(&root.path().join("run"), "2s");
    command.args(["--set", "execution.backend=libtorch"]);
    let report = finish(command);
    assert!(report["generations"].as_u64().unwrap() >= 1);
}
