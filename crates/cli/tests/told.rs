//! What a run says of itself, and what can be asked of what it left.
#![cfg(feature = "torch")]
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// A small run of one training phase.
fn run(dir: &Path, budget: &str) -> Command {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/smoke.toml");
    let mut command = Command::new(cargo_bin("narikin"));
    command.arg("run").arg(config).args(["--budget", budget, "--dir"]).arg(dir);
    for set in ["schedule.first_positions=700", "evaluate.opponents=['random']"] {
        command.args(["--set", set]);
    }
    command
}

fn inspect(path: &Path) -> (Option<i32>, Value, String) {
    let output =
        Command::new(cargo_bin("narikin")).arg("inspect").arg(path).arg("--json").output().unwrap();
    let value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), value, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect()
}

#[test]
fn events_are_json_and_a_finished_run_can_be_asked() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let output = run(&dir, "2s").arg("--json").output().unwrap();
    assert!(output.status.success(), "{:?}", lines(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let events: Vec<Value> =
        lines(&output).iter().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(events.len() >= 2, "{events:?}");
    for event in &events {
        assert_eq!(event["event"], "progress");
        assert!(event["active_seconds"].is_number() && event["stage"].is_string(), "{event}");
        assert_eq!(event["budget_seconds"], 2.0);
    }
    assert!(events.iter().any(|event| event["stage"] == "train"), "{events:?}");

    let (code, of_run, _) = inspect(&dir);
    assert_eq!(code, Some(0), "{of_run}");
    assert_eq!((&of_run["kind"], &of_run["phase"]), (&"run".into(), &"done".into()));
    assert_eq!(of_run["games"], result["games"]);
    assert_eq!(of_run["generation"], result["generations"]);
    assert_eq!(of_run["opponents"][0]["name"], "random");
    assert_eq!(of_run["damaged"].as_array().unwrap().len(), 0);
    let columns = of_run["columns"].as_array().unwrap();
    assert!(columns.iter().any(|column| column["name"] == "policy_target"), "{columns:?}");
    let sum = |key: &str| {
        let all = of_run["by_generation"].as_array().unwrap();
        all.iter().map(|of| of[key].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(
        (sum("games").into(), sum("positions").into()),
        (result["games"].clone(), result["positions"].clone())
    );
    ask_for_nets(&dir);
    memory_is_written(&dir);
}

/// A checkpoint and its files say of which net they are, and which of them are damaged.
fn ask_for_nets(dir: &Path) {
    let checkpoint = dir.join("checkpoints/000001");
    let (code, found, _) = inspect(&checkpoint);
    assert_eq!(code, Some(0), "{found}");
    assert_eq!((&found["kind"], &found["variant"]), (&"checkpoint".into(), &"micro".into()));
    let net = &found["net"];
    assert_eq!((&net["blocks"], &net["channels"]), (&1.into(), &8.into()));
    assert!(net["macs"].as_u64().unwrap() > net["parameters"].as_u64().unwrap(), "{net}");
    assert_eq!(found["files"].as_array().unwrap().len(), 4);

    let (_, onnx, _) = inspect(&checkpoint.join("model.onnx"));
    let (_, ema, _) = inspect(&checkpoint.join("ema.safetensors"));
    assert_eq!(&onnx["net"], net);
    assert_eq!(&ema["net"], net, "both are the same net for play");
    assert_eq!(onnx["net"]["inputs"][0]["name"], "planes");
    assert_eq!(onnx["generation"], 1);
    assert!(ema["parameters"].as_u64() > onnx["parameters"].as_u64(), "training heads count");

    let model = checkpoint.join("model.onnx");
    let mut bytes = fs::read(&model).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&model, &bytes).unwrap();
    let (code, found, _) = inspect(&checkpoint);
    assert_eq!(code, Some(1));
    let files = found["files"].as_array().unwrap();
    let damaged: Vec<_> = files.iter().filter(|file| file["state"] == "damaged").collect();
    assert_eq!(damaged.len(), 1);
    assert_eq!(damaged[0]["name"], "model.onnx");
    assert_eq!(inspect(dir).0, Some(1), "a run with a damaged checkpoint");
    fs::write(&model, &bytes[..bytes.len() / 2]).unwrap();
    let (code, _, text) = inspect(&model);
    assert_eq!(code, Some(2));
    assert!(text.contains("model.onnx") && text.contains("ONNX"), "{text}");

    let mut records = fs::read_dir(dir.join("games")).unwrap().map(|entry| entry.unwrap().path());
    let record = records.find(|path| path.extension().is_some_and(|end| end == "parquet")).unwrap();
    let name = record.file_name().unwrap().to_str().unwrap();
    let bytes = fs::read(&record).unwrap();
    fs::write(&record, &bytes[..bytes.len() / 2]).unwrap();
    let (code, _, text) = inspect(&record);
    assert_eq!(code, Some(2));
    assert!(text.contains(name), "{text}");
    let (code, found, _) = inspect(dir);
    assert_eq!(code, Some(1));
    assert!(found["damaged"][0]["fault"].as_str().unwrap().contains(name), "{found}");
    fs::write(&record, bytes).unwrap();
}

fn memory_is_written(dir: &Path) {
    let rows = fs::read_to_string(dir.join("metrics/machine.csv")).unwrap();
    let (header, rest) = rows.split_once('\n').unwrap();
    let at = header.split(',').position(|name| name == "peak_rss_mb").unwrap();
    let peaks: Vec<f64> =
        rest.lines().map(|row| row.split(',').nth(at).unwrap().parse().unwrap()).collect();
    assert!(peaks.len() >= 2 && peaks.iter().all(|peak| *peak > 10.0), "{rows}");
}

#[test]
fn quiet_is_quiet_and_plain_is_plain() {
    let root = tempfile::tempdir().unwrap();
    let quiet = run(&root.path().join("quiet"), "1s").arg("--quiet").output().unwrap();
    assert!(quiet.status.success() && quiet.stderr.is_empty(), "{:?}", lines(&quiet));
    let plain = run(&root.path().join("plain"), "1s").output().unwrap();
    let lines = lines(&plain);
    assert!(lines.iter().any(|line| line.contains("| train")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains('\u{1b}')), "{lines:?}");
}

/// A run whose every file of state waits for a reader: all its work comes to a stop.
#[test]
fn the_watchdog_names_what_does_not_move() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let mut command = run(&dir, "300s");
    command.args(["--set", "execution.watchdog=2s", "--set", "schedule.first_positions=100000000"]);
    let child = Ended(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    wait_for("the run to begin", || dir.join("log.txt").exists());
    let fifo = dir.join("state.toml.tmp");
    wait_for("a place for the pipe", || {
        Command::new("mkfifo").arg(&fifo).stderr(Stdio::null()).status().unwrap().success()
    });
    let log = || fs::read_to_string(dir.join("log.txt")).unwrap();
    let named = "self-play (generation 0) has not moved for 0:0";
    wait_for("the watchdog", || log().matches(named).count() >= 2);
    assert!(log().contains("it waits for an evaluation or a position after "), "{}", log());
    drop(child);
}

/// A process that was stopped and goes on has not stood still of its own will.
#[test]
fn the_watchdog_is_not_fooled_by_a_stopped_process() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let mut command = run(&dir, "300s");
    command.args(["--set", "execution.watchdog=6s", "--set", "schedule.first_positions=100000000"]);
    let child = Ended(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let rows = || fs::read_to_string(dir.join("metrics/machine.csv")).unwrap_or_default();
    wait_for("self-play", || rows().lines().count() > 1);
    let signal = |name: &str| {
        let command = format!("kill -{name} {}", child.0.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    };
    signal("STOP");
    thread::sleep(Duration::from_secs(12));
    signal("CONT");
    thread::sleep(Duration::from_secs(3));
    let log = fs::read_to_string(dir.join("log.txt")).unwrap();
    assert!(!log.contains("has not moved"), "{log}");
}

/// A process that ends with its test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until something has happened.
fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !happened() {
        assert!(Instant::now() < end, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A path that is none of what can be asked.
#[test]
fn what_cannot_be_inspected_is_named() {
    let root = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = root.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let cases = [
        (file("notes.txt", b"x"), "is none of what inspect knows"),
        (file("a.onnx", b"not a net"), "ONNX"),
        (file("a.safetensors", &[0xff; 64]), "safetensors"),
        (file("a.parquet", b"PAR1PAR1"), "a.parquet"),
        (root.path().join("nothing"), "there is no"),
    ];
    for (path, expected) in cases {
        let (code, _, text) = inspect(&path);
        assert_eq!(code, Some(2), "{}", path.display());
        assert!(text.contains(expected), "{text}");
    }
    fs::write(root.path().join("meta.toml"), "number = 'x'").unwrap();
    let (code, _, text) = inspect(root.path());
    assert_eq!(code, Some(2));
    assert!(text.contains("meta.toml"), "{text}");
}
