//! Runs small enough for tests, and what is done to them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// Longest wait for anything; machines may be slow.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// The configuration for runs in seconds.
pub(crate) fn smoke() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/smoke.toml")
}

pub(crate) fn narikin() -> Command {
    Command::new(cargo_bin("narikin"))
}

/// The keys of a run small enough for a test; training in one thread, so that it repeats bit for
/// bit.
const SETTINGS: [&str; 8] = [
    "execution.train_threads=1",
    "execution.workers=1",
    "schedule.first_positions=500",
    "schedule.positions=300",
    "selfplay.games_per_chunk=4",
    "selfplay.games_per_worker=4",
    "evaluate.opponents=['random']",
    "evaluate.verdict_games=2",
];

/// A run with other keys besides.
pub(crate) fn run_with(dir: &Path, budget: &str, sets: &[&str]) -> Command {
    let mut command = narikin();
    command.args(["run", "--quiet", "--json", "--budget", budget, "--dir"]).arg(dir);
    for set in SETTINGS.iter().chain(sets) {
        command.args(["--set", set]);
    }
    command.arg(smoke()).stdin(Stdio::null());
    command
}

pub(crate) fn run(dir: &Path, budget: &str) -> Command {
    run_with(dir, budget, &[])
}

/// Runs to the end; the report and stderr.
pub(crate) fn finish(mut command: Command) -> (Value, String) {
    let output = command.output().unwrap();
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    (serde_json::from_slice(&output.stdout).unwrap(), text)
}

/// Runs to the error that is expected, and returns it.
pub(crate) fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("error: ") || text.contains("\nerror: "), "{text}");
    text
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Starts a command whose stdout and stderr are kept.
pub(crate) fn spawn(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until something has happened.
pub(crate) fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !happened() {
        assert!(Instant::now() < end, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(3));
    }
}

/// Waits until the run's state names the phase.
pub(crate) fn wait_for_phase(child: &mut Child, dir: &Path, phase: &str) {
    let wanted = format!("phase = \"{phase}\"");
    wait_for(phase, || {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before the phase {phase}");
        fs::read_to_string(dir.join("state.toml")).is_ok_and(|text| text.contains(&wanted))
    });
}

/// Starts the run and kills it when something has happened.
pub(crate) fn kill_when(command: Command, what: &str, mut happened: impl FnMut() -> bool) {
    let mut child = spawn(command);
    wait_for(what, || {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before: {what}");
        happened()
    });
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
}

/// Starts the run and kills it in a phase.
pub(crate) fn kill_in(command: Command, dir: &Path, phase: &str) {
    let wanted = format!("phase = \"{phase}\"");
    let state = dir.join("state.toml");
    kill_when(command, phase, || {
        fs::read_to_string(&state).is_ok_and(|text| text.contains(&wanted))
    });
}

/// Sends a signal by the shell's own `kill`, which every system has.
pub(crate) fn signal(child: &Child, name: &str) {
    let command = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

/// Turns over one bit in the middle of a file.
pub(crate) fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    fs::write(path, bytes).unwrap();
}

/// Replaces text in a file.
pub(crate) fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// A number in `state.toml`.
pub(crate) fn state(dir: &Path, key: &str) -> f64 {
    let text = fs::read_to_string(dir.join("state.toml")).unwrap();
    let lines = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    lines.unwrap().parse().unwrap()
}

/// All files below a folder that a run seals, with their contents.
pub(crate) fn sealed(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let entries = fs::read_dir(dir.join("games")).into_iter().flatten();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|end| end == "parquet") {
            files.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    files
}

/// What `inspect` says of a run.
pub(crate) fn inspect(dir: &Path) -> Value {
    let output = narikin().arg("inspect").arg(dir).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The weights of a generation.
pub(crate) fn weights(dir: &Path, generation: u32) -> Vec<u8> {
    fs::read(dir.join(format!("checkpoints/{generation:06}/weights.safetensors"))).unwrap()
}

pub(crate) fn log(dir: &Path) -> String {
    fs::read_to_string(dir.join("log.txt")).unwrap()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap().success());
}

/// Names of temporary files below a folder.
pub(crate) fn temporary_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|end| end == "tmp") {
            found.push(path.clone());
        }
        if path.is_dir() {
            found.extend(temporary_files(&path));
        }
    }
    found
}
