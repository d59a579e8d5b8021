//! What lies around a run: pipes, terminals, names, clocks, rights, numbers of files.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::common::*;

/// A reader that does not read: stdout and stderr are full from the start.
#[test]
fn full_pipes_do_not_hold_up_the_work() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let run = run(&dir, "2s");
    // The shell fills the pipe of stderr before it becomes the run; `dd` stops when it is full.
    let fill =
        "dd if=/dev/zero bs=1k count=1000 oflag=nonblock >&2 2>/dev/null; exec \"$0\" \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", fill]).arg(run.get_program());
    shell.args(run.get_args().filter(|arg| *arg != "--quiet"));
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let done = || {
        let state = fs::read_to_string(dir.join("state.toml"));
        state.is_ok_and(|text| text.contains("phase = \"done\""))
    };
    wait_for("the verdict", done);
    let mut report = String::new();
    child.stdout.take().unwrap().read_to_string(&mut report).unwrap();
    assert!(report.contains("\"generations\""), "{report}");
    wait_for("the end", || child.try_wait().unwrap().is_some());
    assert!(child.wait().unwrap().success());
}

#[test]
fn readers_that_go_away_do_no_harm() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let run = run(&dir, "2s");
    let mut command = Command::new(run.get_program());
    command.args(run.get_args().filter(|arg| *arg != "--quiet"));
    let mut child = spawn(command);
    drop(child.stdout.take());
    drop(child.stderr.take());
    wait_for("the end", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(inspect(&dir)["games"].as_u64().unwrap() > 0);
}

#[test]
fn any_name_and_any_time_of_files() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("成金 — läuft's \"gut\"");
    let future = SystemTime::now() + Duration::from_secs(1_000_000_000);
    finish(run(&dir, "1s"));
    for path in sealed(&dir).keys().chain([&dir.join("state.toml")]) {
        fs::File::options().append(true).open(path).unwrap().set_modified(future).unwrap();
    }
    let before = state(&dir, "active_seconds");
    let (report, _) = finish(run(&dir, "4s"));
    let seconds = report["seconds"].as_f64().unwrap();
    assert!(seconds >= before && seconds < 3600.0, "{report}");
    assert_eq!(report["dir"], dir.display().to_string());
    let net = root.path().join("netz 1.onnx");
    assert!(narikin().arg("export").arg(&dir).arg("-o").arg(&net).status().unwrap().success());
    assert!(net.exists() && inspect(&dir)["games"].as_u64().unwrap() > 0);
    let mut child = spawn(run(&dir, "300s"));
    wait_for_phase(&mut child, &dir, "self-play");
    signal(&child, "TERM");
    let text = stderr(&child.wait_with_output().unwrap());
    // The command that it tells is one for a shell.
    let told = text.lines().find_map(|line| line.strip_prefix("  narikin ")).unwrap();
    let again = format!("timeout -s TERM 60 \"$0\" {}", told.replace("300s", "4s"));
    let program = narikin().get_program().to_owned();
    let output = Command::new("sh").args(["-c", &again]).arg(program).output().unwrap();
    assert!(output.status.success(), "{told}\n{}", stderr(&output));
}

/// Makes the folder unwritable by what this machine allows; false if it allows nothing.
fn read_only(dir: &Path, command: &Command) -> Option<Command> {
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"";
    for namespace in [["-m"], ["-rm"]] {
        let mut unshare = Command::new("unshare");
        unshare.args(namespace).args(["sh", "-c", script]).arg(dir);
        let mut probe = Command::new(unshare.get_program());
        probe.args(unshare.get_args()).arg("true").stderr(Stdio::null());
        if probe.status().is_ok_and(|status| status.success()) {
            unshare.arg(command.get_program()).args(command.get_args());
            return Some(unshare);
        }
    }
    let chmod = Command::new("chmod").args(["-R", "a-w"]).arg(dir).status();
    let refuses =
        chmod.is_ok_and(|status| status.success()) && fs::write(dir.join("probe"), "").is_err();
    refuses.then(|| {
        let mut same = Command::new(command.get_program());
        same.args(command.get_args());
        same
    })
}

#[test]
fn a_read_only_directory_is_named() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    finish(run(&dir, "1s"));
    let Some(command) = read_only(&dir, &run(&dir, "4s")) else {
        eprintln!("left out: this machine has no way to make a folder read-only for this user");
        return;
    };
    let text = refused(command);
    assert!(text.contains(&dir.display().to_string()), "{text}");
    assert!(text.contains("Read-only") || text.contains("Permission denied"), "{text}");
    // Looking is allowed.
    let mut look = narikin();
    look.arg("inspect").arg(&dir).arg("--json");
    let output = read_only(&dir, &look).unwrap().output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(&dir).status();
}

/// Ten thousand record files, made of the games of a real one.
#[test]
fn ten_thousand_record_files_open_quickly() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    finish(run(&dir, "1s"));
    let store = records::ChunkStore::open(dir.join("games"), 4).unwrap();
    let first = sealed(&dir).len() as u64;
    let games = store.read(0).unwrap();
    for chunk in first + 100..10_000 {
        let games: Vec<_> = games
            .iter()
            .zip(4 * chunk..)
            .map(|(game, game_id)| records::GameRecord { game_id, ..game.clone() })
            .collect();
        let bytes = records::encode(&games).unwrap();
        fs::write(store.path(chunk), bytes).unwrap();
    }
    let count = sealed(&dir).len();
    assert!(count > 9_000);
    let begun = Instant::now();
    let (report, _) = finish(run(&dir, "1s"));
    let opened = begun.elapsed();
    assert_eq!(report["games"].as_u64().unwrap(), 4 * count as u64);
    let begun = Instant::now();
    inspect(&dir);
    eprintln!("{count} files: opened in {opened:.1?}, inspected in {:.1?}", begun.elapsed());
    assert!(opened < PATIENCE, "{opened:?}");
}
