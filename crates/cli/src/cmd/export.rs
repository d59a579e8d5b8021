//! `narikin export`: a net for use elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use train::{Checkpoint, Checkpoints};

use crate::run_dir::write_whole;
use crate::{Verdict, output};

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  narikin export runs/micro --format onnx -o micro.onnx")]
pub(crate) struct Args {
    /// A run's directory (its newest checkpoint is taken) or a checkpoint's.
    source: PathBuf,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Format::Onnx)]
    format: Format,
    /// The file to write.
    #[arg(short, long)]
    output: PathBuf,
}

/// The formats there are.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The net for play, normalisation folded in.
    Onnx,
    /// The averaged weights with the list of operations in the metadata.
    Safetensors,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let checkpoint = checkpoint(&args.source)?;
    let file = match args.format {
        Format::Onnx => checkpoint.onnx(),
        Format::Safetensors => checkpoint.path.join("ema.safetensors"),
    };
    let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    write_whole(&args.output, &bytes)?;
    output::result(&format!(
        "{}: checkpoint {} after {} steps",
        args.output.display(),
        checkpoint.meta.number,
        checkpoint.meta.step
    ));
    Ok(Verdict::Good)
}

/// The checkpoint that a path means, read and verified.
fn checkpoint(path: &Path) -> Result<Checkpoint> {
    if path.join("meta.toml").exists() {
        return Ok(Checkpoint::read(path)?);
    }
    let folder = path.join("checkpoints");
    if !folder.is_dir() {
        bail!("{} is neither a run nor a checkpoint", path.display());
    }
    let latest = Checkpoints::open(folder)?.latest()?;
    for (number, error) in &latest.skipped {
        output::note(&format!("checkpoint {number} passed over: {error}"));
    }
    latest.checkpoint.with_context(|| format!("{} has no readable checkpoint", path.display()))
}
