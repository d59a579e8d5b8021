//! No room for a file, of whatever kind: an error that names it, and nothing else happens.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::*;

/// The same command with files limited to this many blocks of 512 bytes, which every system can do
/// for itself; a file that grows beyond fails to be written as on a full disk.
fn limited(command: &Command, blocks: u64) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    shell
}

/// The run goes on after a failure and ends whole.
fn goes_on(dir: &Path, again: Command) {
    let before = sealed(dir);
    finish(again);
    let now = sealed(dir);
    assert!(before.iter().all(|(path, bytes)| now.get(path) == Some(bytes)));
    assert_eq!(inspect(dir)["duplicates"], 0);
    assert_eq!(temporary_files(dir), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn no_room_for_a_new_run() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let text = refused(limited(&run(&dir, "300s"), 1));
    assert!(text.contains("cannot write") && text.contains("File too large"), "{text}");
    assert!(temporary_files(&dir).is_empty());
    goes_on(&dir, run(&dir, "1s"));
}

/// Limits from small to large, each of which another kind of file meets first.
#[test]
fn no_room_for_records_and_checkpoints() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let mut met = String::new();
    for blocks in [8, 16, 32, 64, 96] {
        let text = refused(limited(&run(&dir, "300s"), blocks));
        assert!(text.contains("File too large"), "{text}");
        assert!(text.contains(&dir.display().to_string()), "{text}");
        assert!(temporary_files(&dir).is_empty(), "{:?}", temporary_files(&dir));
        met.push_str(&text);
    }
    assert!(met.contains(".parquet"), "{met}");
    assert!(met.contains("checkpoints/.000001.tmp/"), "{met}");
    goes_on(&dir, run(&dir, "1s"));
}

/// Files that grow are made large first, so that they are the ones that fail.
#[test]
fn no_room_for_rows_and_lines() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    kill_in(run(&dir, "300s"), &dir, "self-play");
    let grow = |name: &str, by: &str| {
        let path = dir.join(name);
        let text = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, text + &by.repeat(60_000 / by.len())).unwrap();
        path
    };
    for (name, by) in [("log.txt", "an old line\n"), ("metrics/selfplay.csv", "\n")] {
        let path = grow(name, by);
        let before = fs::read(&path).unwrap();
        let blocks = before.len() as u64 / 512;
        let text = refused(limited(&run(&dir, "300s"), blocks));
        assert!(text.contains(&path.display().to_string()), "{text}");
        let now = fs::read(&path).unwrap();
        assert!(now == before, "half a line was left in {name}");
        fs::remove_file(path).unwrap();
    }
    goes_on(&dir, run(&dir, "1s"));
}

/// A plan that is missing is made anew, and is larger than all that is written before it: with more
/// positions than wanted and large chunks, no game has to be sealed first.
#[test]
fn no_room_for_a_plan() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    // Long numbers make it longer than a block.
    let keys = [
        "schedule.first_positions=1",
        "selfplay.games_per_chunk=32",
        "train.lr=0.0021234567890123456",
        "train.final_lr=0.000021234567890123456",
        "train.weight_decay=0.011234567890123456",
        "train.ema_decay=0.9981234567890123",
    ];
    let content = |budget: &str| run_with(&dir, budget, &keys);
    kill_in(content("300s"), &dir, "train");
    fs::remove_file(dir.join("plans/000001.toml")).unwrap();
    let mut met = String::new();
    for blocks in 1..=3 {
        for name in ["log.txt", "metrics/selfplay.csv"] {
            fs::remove_file(dir.join(name)).unwrap();
        }
        let output = limited(&content("300s"), blocks).output().unwrap();
        met.push_str(&stderr(&output));
        if met.contains("plans/000001.toml: File too large") {
            break;
        }
    }
    assert!(met.contains("cannot write") && met.contains("plans/000001.toml: "), "{met}");
    goes_on(&dir, content("1s"));
}

#[test]
fn no_room_for_an_export() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    finish(run(&dir, "1s"));
    let file = root.path().join("net.onnx");
    let mut export = narikin();
    export.arg("export").arg(&dir).arg("-o").arg(&file);
    let text = refused(limited(&export, 4));
    assert!(text.contains("net.onnx") && text.contains("File too large"), "{text}");
    assert!(!file.exists() && temporary_files(root.path()).is_empty());
    assert!(export.status().unwrap().success());
}

/// A file system of its own that fills up, in a mount namespace of its own; grown afterwards.
#[test]
fn a_full_file_system() {
    let namespace: &[&str] = if Command::new("unshare")
        .args(["-m", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
    {
        &["-m"]
    } else {
        &["-rm"]
    };
    let probe = "mount -t tmpfs -o size=64k none \"$0\"";
    let root = tempfile::tempdir().unwrap();
    let allowed = Command::new("unshare")
        .args(namespace)
        .args(["sh", "-c", probe])
        .arg(root.path())
        .stderr(Stdio::null())
        .status();
    if !allowed.is_ok_and(|status| status.success()) {
        eprintln!("left out: this machine lets nobody mount a small file system");
        return;
    }
    // Sizes at which the room ends in this file or that; the run goes on with each.
    let script = "mount -t tmpfs -o size=40k none \"$0\" || exit 9\n\
                  size=40\n\
                  while [ $size -lt 400 ]; do\n\
                    mount -o remount,size=${size}k \"$0\" || exit 9\n\
                    \"$@\" --budget 300s --dir \"$0/run\" >/dev/null; code=$?\n\
                    [ $code = 2 ] || { echo \"size $size: code $code\" >&2; exit 8; }\n\
                    size=$((size * 8 / 5))\n\
                  done\n\
                  mount -o remount,size=64m \"$0\"\n\
                  \"$@\" --budget 1s --dir \"$0/run\" >/dev/null || exit 7\n\
                  find \"$0\" -name '*.tmp' >&2\n\
                  \"$1\" inspect \"$0/run\" --json";
    let run = run(Path::new("unused"), "1s");
    let args: Vec<_> = run.get_args().filter(|arg| *arg != "--budget" && *arg != "--dir").collect();
    let args = args.into_iter().filter(|arg| *arg != "unused" && *arg != "1s");
    let output = Command::new("unshare")
        .args(namespace)
        .args(["sh", "-c", script])
        .arg(root.path())
        .arg(run.get_program())
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("No space left on device"), "{text}");
    assert!(!text.contains(".tmp\n"), "temporary files are left: {text}");
    let inspected: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(inspected["duplicates"], 0);
    assert_eq!(inspected["set_aside"], serde_json::json!([]));
}
