use std::fs;

use model::{Metadata, Weights};
use tch::Device;
use train::{CheckpointError, Checkpoints, Control, Trainer};

use crate::{dataset, encoder, plan, trainer};

fn trained(steps: u64) -> Trainer {
    let encoder = encoder();
    let dataset = dataset(&encoder, 1);
    let mut trainer = trainer(&encoder);
    let plan = plan(&dataset, steps, 16);
    trainer.run(&plan, &dataset, 1, &mut |_| Control::Continue).unwrap();
    trainer
}

fn store() -> (tempfile::TempDir, Checkpoints) {
    let dir = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::open(dir.path().join("checkpoints")).unwrap();
    (dir, checkpoints)
}

#[test]
fn the_whole_state_comes_back() {
    let (_dir, checkpoints) = store();
    let trainer = trained(3);
    let info = Metadata::from([("variant".to_owned(), "micro".to_owned())]);
    let path = checkpoints.write(120, &trainer, &info).unwrap();
    assert!(path.ends_with("000120"));
    let mut files: Vec<_> = fs::read_dir(&path).unwrap().map(|f| f.unwrap().file_name()).collect();
    files.sort();
    let expected = [
        "ema.safetensors",
        "meta.toml",
        "model.onnx",
        "optimizer.safetensors",
        "weights.safetensors",
    ];
    assert_eq!(files, expected);

    let checkpoint = checkpoints.read(120).unwrap();
    assert_eq!((checkpoint.meta.number, checkpoint.meta.step), (120, 3));
    assert_eq!(checkpoint.meta.info, info);
    let resumed = Trainer::resume(&checkpoint, Device::Cpu).unwrap();
    assert_eq!(resumed.step(), 3);
    assert_eq!(resumed.weights().unwrap(), trainer.weights().unwrap());
    assert_eq!(resumed.ema().unwrap(), trainer.ema().unwrap());
    assert_eq!(resumed.moments().unwrap(), trainer.moments().unwrap());
    assert!(resumed.moments().unwrap().1.iter().any(|(_, v)| v.data().iter().any(|&x| x > 0.0)));

    let ema = fs::read(path.join("ema.safetensors")).unwrap();
    assert_eq!(Weights::from_safetensors(&ema).unwrap().0, trainer.ema().unwrap());
    let again = checkpoints.write(120, &trainer, &info).unwrap_err();
    assert!(matches!(again, CheckpointError::Exists { .. }));
}

#[test]
fn damage_is_seen_and_the_checkpoint_before_is_taken() {
    let (_dir, checkpoints) = store();
    assert!(checkpoints.latest().unwrap().checkpoint.is_none());
    let trainer = trained(2);
    for number in 1..=7 {
        checkpoints.write(number, &trainer, &Metadata::new()).unwrap();
    }
    for (number, name) in [
        (7, "weights.safetensors"),
        (6, "ema.safetensors"),
        (5, "optimizer.safetensors"),
        (4, "model.onnx"),
    ] {
        let path = checkpoints.path(number).join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    fs::remove_file(checkpoints.path(3).join("ema.safetensors")).unwrap();
    let meta = checkpoints.path(2).join("meta.toml");
    let text = fs::read_to_string(&meta).unwrap().replace("step = 2", "step = 3");
    fs::write(meta, text).unwrap();

    let latest = checkpoints.latest().unwrap();
    assert_eq!(latest.checkpoint.unwrap().meta.number, 1);
    let skipped: Vec<u64> = latest.skipped.iter().map(|(number, _)| *number).collect();
    assert_eq!(skipped, [7, 6, 5, 4, 3, 2]);
    assert!(latest.skipped[0].1.to_string().contains("000007/weights.safetensors: damaged"));
}

#[test]
fn a_kill_while_writing_leaves_no_checkpoint() {
    let (dir, checkpoints) = store();
    let half = dir.path().join("checkpoints/.000004.tmp");
    fs::create_dir(&half).unwrap();
    fs::write(half.join("weights.safetensors"), b"half").unwrap();
    assert!(checkpoints.numbers().unwrap().is_empty());
    let trainer = trained(1);
    checkpoints.write(4, &trainer, &Metadata::new()).unwrap();
    assert_eq!(checkpoints.numbers().unwrap(), [4]);
    assert!(!half.exists());
    assert!(checkpoints.read(4).is_ok());
}
