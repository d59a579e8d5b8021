//! Damaged files of a run: named, set aside, made again.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::*;

/// A run of two generations and more.
fn grown(dir: &Path) {
    kill_when(run(dir, "300s"), "generation 2", || {
        fs::read_to_string(dir.join("state.toml")).is_ok_and(|text| text.contains("generation = 2"))
    });
}

fn long(dir: &Path) -> Command {
    run_with(dir, "300s", &["train.samples_per_position=20", "execution.keep_every=300ms"])
}

fn truncate(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() / 3]).unwrap();
}

#[test]
fn damaged_records_are_set_aside_and_played_again() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let chunk = |number: u32| dir.join(format!("games/{number:06}.parquet"));
    kill_when(run(&dir, "300s"), "six files", || (0..6).all(|number| chunk(number).exists()));
    let before = sealed(&dir);
    flip(&chunk(0));
    truncate(&chunk(2));
    fs::write(chunk(3), "").unwrap();
    // Going on plays them again.
    let child = spawn(run(&dir, "300s"));
    let aside = |number: u32| dir.join(format!("games/damaged/{number:06}.1.parquet"));
    wait_for("the games", || {
        [0, 2, 3].iter().all(|&number| aside(number).exists() && chunk(number).exists())
    });
    signal(&child, "TERM");
    let text = stderr(&child.wait_with_output().unwrap());
    let (report, _) = finish(run(&dir, "1s"));
    for number in [0, 2, 3] {
        let lies = format!("games/damaged/{number:06}.1.parquet");
        assert!(text.contains(&chunk(number).display().to_string()), "{text}");
        assert!(text.contains(&lies) && log(&dir).contains(&lies), "{text}");
        assert!(dir.join(lies).exists() && chunk(number).exists());
    }
    assert!(text.contains("its contents do not match its checksum"), "{text}");
    assert_eq!(report["damaged_records"], 3);
    assert!(state(&dir, "damaged_records") == 3.0);
    let inspected = inspect(&dir);
    assert_eq!(inspected["duplicates"], 0);
    assert_eq!(inspected["set_aside"].as_array().unwrap().len(), 3);
    let now = sealed(&dir);
    for (path, bytes) in &before {
        let damaged = [0, 2, 3].iter().any(|&number| *path == chunk(number));
        assert!(damaged || now.get(path) == Some(bytes), "{} was changed", path.display());
    }
    // Nothing is set aside twice.
    let (_, text) = finish(run(&dir, "1s"));
    assert!(!text.contains("damaged record file"), "{text}");
}

#[test]
fn a_plan_whose_games_are_lost_is_made_anew() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    kill_when(long(&dir), "kept steps", || dir.join("partial").exists());
    flip(&dir.join("games/000001.parquet"));
    let mut command = run_with(&dir, "1s", &["execution.keep_every=1h"]);
    command.arg("--retune");
    let (report, text) = finish(command);
    assert!(report["generations"].as_u64().unwrap() >= 1);
    assert!(text.contains("games/damaged/000001.1.parquet"), "{text}");

    // Without other settings, which make a new plan themselves.
    let dir = root.path().join("other");
    kill_in(run(&dir, "300s"), &dir, "train");
    flip(&dir.join("games/000001.parquet"));
    kill_when(run(&dir, "300s"), "the new plan and its games", || {
        log(&dir).contains("training of generation 1 is planned anew")
            && dir.join("games/000001.parquet").exists()
    });
}

#[test]
fn a_damaged_checkpoint_is_trained_again_bit_for_bit() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    grown(&dir);
    let generation = state(&dir, "generation") as u32;
    let before = weights(&dir, generation);
    let folder = |number: u32| dir.join(format!("checkpoints/{number:06}"));
    flip(&folder(generation).join("model.onnx"));
    fs::remove_dir_all(folder(generation - 1)).unwrap();
    let mut child = spawn(run(&dir, "300s"));
    wait_for("both generations", || log(&dir).matches("is there again").count() == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(weights(&dir, generation) == before, "other weights came out");
    assert!(dir.join(format!("checkpoints/damaged/{generation:06}.1/model.onnx")).exists());
    let log = log(&dir);
    assert!(log.contains(&folder(generation).join("model.onnx").display().to_string()), "{log}");
    assert!(log.contains("is trained again"), "{log}");
}

#[test]
fn a_checkpoint_that_cannot_be_had_again_falls_back_to_the_one_before() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    grown(&dir);
    let generation = state(&dir, "generation") as u32;
    let good = weights(&dir, generation - 1);
    truncate(&dir.join(format!("checkpoints/{generation:06}/weights.safetensors")));
    fs::remove_file(dir.join(format!("plans/{generation:06}.toml"))).unwrap();
    let (report, text) = finish(run(&dir, "1s"));
    let told = format!("the run goes on from generation {}", generation - 1);
    assert!(text.contains(&told) && log(&dir).contains(&told), "{text}");
    assert!(text.contains("it cannot be trained again"), "{text}");
    let generations = report["generations"].as_u64().unwrap();
    assert!(generations >= generation.into(), "a new one in the place of the lost one");
    assert!(weights(&dir, generation - 1) == good);
    assert!(dir.join(format!("checkpoints/damaged/{generation:06}.1")).exists());
}

/// Steps are kept while a plan is carried out, so that a kill costs little; what is kept, or its
/// loss, changes nothing in the outcome.
#[test]
fn a_kill_costs_the_steps_since_they_were_kept_and_no_bit() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    kill_when(long(&dir), "kept steps", || {
        fs::read_dir(dir.join("partial")).is_ok_and(|mut kept| {
            let whole = |path: &Path| path.extension().is_none() && path.join("meta.toml").exists();
            kept.any(|entry| whole(&entry.unwrap().path()))
        })
    });
    let (damaged, whole) = (root.path().join("damaged"), root.path().join("whole"));
    copy(&dir, &damaged);
    copy(&dir, &whole);
    fs::remove_dir_all(whole.join("partial")).unwrap();
    for kept in fs::read_dir(damaged.join("partial")).unwrap() {
        let path = kept.unwrap().path().join("optimizer.safetensors");
        if path.exists() {
            flip(&path);
        }
    }
    for dir in [&dir, &damaged, &whole] {
        let rest = run_with(dir, "300s", &["train.samples_per_position=20"]);
        kill_when(rest, "generation 1", || dir.join("checkpoints/000001").exists());
    }
    assert!(weights(&dir, 1) == weights(&whole, 1), "the kept steps changed the net");
    assert!(weights(&damaged, 1) == weights(&whole, 1), "damaged steps changed the net");
    assert!(log(&damaged).contains("the plan's steps kept there are taken again"));
}

#[test]
fn a_lost_state_is_rebuilt() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    grown(&dir);
    let (generation, before) = (state(&dir, "generation") as u32, sealed(&dir));
    let plan = fs::read(dir.join("plans/000001.toml")).unwrap();
    let net = weights(&dir, generation);
    fs::remove_file(dir.join("state.toml")).unwrap();
    let (report, _) = finish(run(&dir, "1s"));
    assert!(report["generations"].as_u64().unwrap() > generation.into(), "{report}");
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert!(fs::read(dir.join("plans/000001.toml")).unwrap() == plan);
    assert!(weights(&dir, generation) == net);
    let now = sealed(&dir);
    assert!(before.iter().all(|(path, bytes)| now.get(path) == Some(bytes)));
}
