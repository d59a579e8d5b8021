//! Mistakes of the user, of the machine, and of numbers.

use std::fs;
use std::path::Path;
use std::process::Command;

use model::{Model, onnx};
use sha2::{Digest, Sha256};

use crate::common::*;

#[test]
fn all_faults_of_a_configuration_at_once() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("bad.toml");
    let text = "variant = \"micro\"\nseed = \"x\"\n\n[selfplay]\nsimulation = 8\nconsidered = 0\n";
    fs::write(&path, text).unwrap();
    let mut command = narikin();
    command.arg("run").arg(&path).args(["--set", "evaluate.games=7", "--set", "train.lt=1"]);
    let text = refused(command);
    for part in [
        "5 faults",
        "bad.toml:2: `seed` must be a value of type integer",
        "bad.toml:5: unknown key `selfplay.simulation`; did you mean `selfplay.simulations`?",
        "bad.toml:6: `selfplay.considered` must be 1 or more",
        "--set evaluate.games=7: `evaluate.games` must be an even number",
        "--set train.lt=1: unknown key `train.lt`; did you mean `train.lr`?",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let text = refused(run_with(&root.path().join("run"), "1s", &["variant=mikro"]));
    assert!(text.contains("`mikro`; did you mean `micro`"), "{text}");
}

#[test]
fn a_run_of_another_variant_and_a_second_process_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let mut child = spawn(run(&dir, "300s"));
    wait_for_phase(&mut child, &dir, "self-play");
    let text = refused(run(&dir, "300s"));
    assert!(text.contains(&format!("in use by pid {} on ", child.id())), "{text}");
    child.kill().unwrap();
    child.wait().unwrap();
    let text = refused(run_with(&dir, "1s", &["variant=minishogi", "net.blocks=2", "seed=7"]));
    for part in ["net.blocks: 1 -> 2", "seed: 1 -> 7", "variant: \"micro\" -> \"minishogi\""] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn a_loss_that_is_not_finite_stops_with_its_batch() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let text = refused(run_with(&dir, "300s", &["train.lr=1e30"]));
    assert!(
        text.contains("is not finite") && text.contains("there is no checkpoint yet"),
        "{text}"
    );
    let path = dir.join("not-finite-batch.safetensors");
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert!(fs::metadata(path).unwrap().len() > 1000);
    assert!(!dir.join("checkpoints/000001").exists());
    assert!(!sealed(&dir).is_empty());
    let mut command = run(&dir, "1s");
    command.arg("--retune");
    finish(command);
}

/// Makes the averaged weights of a checkpoint useless, with checksums that fit.
fn poison(checkpoint: &Path) {
    let ema =
        Model::from_safetensors(&fs::read(checkpoint.join("ema.safetensors")).unwrap()).unwrap();
    let (folded, mut weights) = ema.graph.folded(&ema.weights).unwrap();
    let names: Vec<String> = weights.iter().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        weights.get_mut(&name).unwrap().data_mut().fill(3e38);
    }
    let onnx = onnx::write(&folded, &weights, &ema.metadata, onnx::Style::default()).unwrap();
    let path = checkpoint.join("model.onnx");
    let sum = |bytes: &[u8]| -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let before = sum(&fs::read(&path).unwrap());
    edit(&checkpoint.join("meta.toml"), &before, &sum(&onnx));
    fs::write(path, onnx).unwrap();
}

#[test]
fn a_net_whose_output_is_not_finite_is_named_with_its_positions() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    finish(run(&dir, "1s"));
    let folder = format!("checkpoints/{:06}", state(&dir, "generation"));
    poison(&dir.join(&folder));
    let before = sealed(&dir);
    let text = refused(run(&dir, "300s"));
    let path = dir.join("not-finite-positions.safetensors");
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert!(text.contains("; the evidence is kept in ") && text.contains(&folder), "{text}");
    assert!(text.contains("is not finite, the first for position "), "{text}");
    let kept = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    assert!(kept.contains("planes") && kept.contains("positions"), "{kept:.200}");
    let now = sealed(&dir);
    assert!(before.iter().all(|(path, bytes)| now.get(path) == Some(bytes)));
}

#[test]
fn a_window_beyond_the_memory_is_refused_with_figures() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    kill_in(run(&dir, "300s"), &dir, "train");
    let plan = fs::read_to_string(dir.join("plans/000001.toml")).unwrap();
    let samples = plan.lines().find(|line| line.starts_with("samples = ")).unwrap();
    edit(&dir.join("plans/000001.toml"), samples, "samples = 1000000000000");
    let text = refused(run(&dir, "300s"));
    assert!(text.contains("no memory for the replay window"), "{text}");
    assert!(text.contains("1,000,000,000,000 positions need "), "{text}");
    assert!(text.contains("train.window.max") && text.contains("(now 400000)"), "{text}");
    let mut command = run_with(&dir, "1s", &["train.window.max=30000"]);
    command.arg("--retune");
    finish(command);
}

/// A library of ONNX Runtime's interface and another version; needs the linker's C compiler.
fn other_version(folder: &Path) -> std::path::PathBuf {
    let source = folder.join("other.c");
    let text = "static const char *version(void) { return \"1.20.1\"; }\n\
                static const void *api(unsigned v) { return 0; }\n\
                static struct { const void *(*a)(unsigned); const char *(*v)(void); } base = \
                { api, version };\n\
                const void *OrtGetApiBase(void) { return &base; }\n";
    fs::write(&source, text).unwrap();
    let library = folder.join("libother.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source);
    assert!(cc.status().unwrap().success());
    library
}

#[test]
fn onnx_runtime_missing_or_another_is_told() {
    let root = tempfile::tempdir().unwrap();
    let missing = root.path().join("nowhere.so");
    let other = other_version(root.path());
    for (path, part) in [
        (missing, "not found"),
        (smoke(), "cannot be loaded as onnx runtime"),
        (other, "is onnx runtime 1.20.1, expected 1.31"),
    ] {
        let mut command = run(&root.path().join("run"), "1s");
        command.env("ORT_DYLIB_PATH", &path);
        let text = refused(command);
        assert!(text.contains(part), "{part} is not in {text}");
        assert!(text.contains(path.file_name().unwrap().to_str().unwrap()), "{text}");
        assert!(text.contains("scripts/fetch-libs"), "{text}");
    }
    assert!(!root.path().join("run").exists());
}

/// The loader ends a binary without libtorch before its first line; it must name the library, and
/// the script that starts the binary what to do.
#[test]
fn libtorch_missing_is_told() {
    let loader = Path::new("/lib64/ld-linux-x86-64.so.2");
    let binary = assert_cmd::cargo::cargo_bin("narikin");
    let mut command = Command::new(loader);
    command
        .args(["--inhibit-rpath", ""])
        .arg(&binary)
        .arg("--version")
        .env_remove("LD_LIBRARY_PATH");
    let output = command.output().unwrap();
    assert!(!output.status.success());
    assert!(stderr(&output).contains("libtorch_cpu.so"), "{}", stderr(&output));
    // The folder that the build knows comes before LD_LIBRARY_PATH, where another version may be.
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("libtorch_cpu.so"), "another version").unwrap();
    let mut command = narikin();
    let output = command.arg("--version").env("LD_LIBRARY_PATH", root.path()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_state_that_cannot_be_is_refused_by_its_line() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    finish(run(&dir, "1s"));
    let path = dir.join("state.toml");
    let good = fs::read_to_string(&path).unwrap();
    let active = good.lines().find(|line| line.starts_with("active_seconds")).unwrap();
    for (line, part) in [
        ("active_seconds = -5.0", "active_seconds = -5, expected a number from 0"),
        ("active_seconds = nan", "active_seconds = NaN"),
        ("active_seconds = \"late\"", "expected f64"),
        ("aktive_seconds = 1.0", "aktive_seconds"),
    ] {
        fs::write(&path, good.replace(active, line)).unwrap();
        let text = refused(run(&dir, "1s"));
        assert!(text.contains("state.toml") && text.contains(part), "{text}");
    }
    // A run that has had more time than its budget closes.
    fs::write(&path, good.replace(active, "active_seconds = 1e9")).unwrap();
    finish(run(&dir, "1s"));
    for name in ["config.toml", "fingerprints.toml"] {
        let path = dir.join(name);
        let good = fs::read(&path).unwrap();
        // Cut within a line: between two lines, what is left may be whole.
        let cut = good[..good.len() / 2].iter().rposition(|&byte| byte == b'=').unwrap() + 1;
        fs::write(&path, &good[..cut]).unwrap();
        let text = refused(run(&dir, "1s"));
        assert!(text.contains(&path.display().to_string()), "{text}");
        fs::write(&path, good).unwrap();
    }
}
