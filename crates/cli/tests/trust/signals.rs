//! Ctrl-C, SIGTERM and the closing of the terminal, in every phase.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::common::*;

const LONG: [&str; 3] =
    ["train.samples_per_position=60", "evaluate.games=200", "evaluate.verdict_games=400"];

/// A run whose phases are long enough to be met.
fn long(dir: &Path) -> Command {
    run_with(dir, "300s", &LONG)
}

/// The same with a first self-play that does not end by itself.
fn endless(dir: &Path) -> Command {
    let mut keys = LONG.to_vec();
    keys.push("schedule.first_positions=100000000");
    run_with(dir, "300s", &keys)
}

/// Signals a run in a phase; it must end soon and tell how to go on.
fn stopped_in(dir: &Path, command: Command, phase: &str, name: &str) {
    let mut child = spawn(command);
    wait_for_phase(&mut child, dir, phase);
    let begun = Instant::now();
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    let took = begun.elapsed();
    eprintln!("SIG{name} in {phase}: {:.2} s", took.as_secs_f64());
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("nothing sealed is lost. To go on:\n  narikin run"), "{text}");
    // Five seconds is the promise; a machine busy with other tests may need more.
    assert!(took.as_secs() < 30, "{phase} took {took:?}");
    let state = fs::read_to_string(dir.join("state.toml")).unwrap();
    assert!(state.contains(&format!("phase = \"{phase}\"")), "{state}");
    assert!(temporary_files(dir).is_empty());
}

#[test]
fn every_phase_stops_soon() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("endless");
    stopped_in(&dir, endless(&dir), "self-play", "TERM");
    let dir = root.path().join("run");
    stopped_in(&dir, long(&dir), "train", "INT");
    stopped_in(&dir, long(&dir), "evaluate", "HUP");
    // A budget that is spent: the closing training and the verdict follow.
    let command = run_with(&dir, "1s", &LONG);
    stopped_in(&dir, command, "verdict", "TERM");
}

#[test]
fn the_opening_of_a_run_stops_too() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    kill_in(run(&dir, "300s"), &dir, "train");
    let child = spawn(run(&dir, "300s"));
    signal_when_ready(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("To go on:"), "{}", stderr(&output));
}

/// As soon as the process handles the signal, which it does before it opens anything.
fn signal_when_ready(child: &std::process::Child) {
    let status = format!("/proc/{}/status", child.id());
    wait_for("the handler", || {
        let text = fs::read_to_string(&status).unwrap();
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() >> 14 & 1 == 1
    });
    signal(child, "TERM");
}

#[test]
fn a_second_signal_leaves_at_once_without_damage() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    for phase in ["self-play", "train"] {
        let mut child = spawn(run(&dir, "300s"));
        wait_for_phase(&mut child, &dir, phase);
        signal(&child, "TERM");
        signal(&child, "TERM");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    }
    let before = sealed(&dir);
    finish(run(&dir, "1s"));
    let now = sealed(&dir);
    assert!(before.iter().all(|(path, bytes)| now.get(path) == Some(bytes)));
    assert_eq!(inspect(&dir)["duplicates"], 0);
}

#[test]
fn nohup_outlives_the_terminal() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let run = run(&dir, "1s");
    let mut nohup = Command::new("nohup");
    nohup.arg(run.get_program()).args(run.get_args());
    let mut child = spawn(nohup);
    wait_for_phase(&mut child, &dir, "self-play");
    signal(&child, "HUP");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}
