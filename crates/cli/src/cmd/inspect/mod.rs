//! `narikin inspect`: what is in a run, in record files, in a checkpoint, in a net's file.

mod checkpoint;
mod model;
mod records;
mod run;
mod zoo;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::Verdict;
use crate::zoo::name as zoo_name;

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  narikin inspect runs/micro\n  \
                        narikin inspect runs/micro/games/000017.parquet --json\n  \
                        narikin inspect runs/micro/checkpoints/000012\n  \
                        narikin inspect micro.onnx\n  \
                        narikin inspect zoo:micro\n\n\
                        Exit code 1: a file is damaged, or a game is there twice.")]
pub(crate) struct Args {
    /// A run's directory, a checkpoint's, a folder of record files, or one file: .parquet, .onnx,
    /// .safetensors; or zoo:NAME, or `zoo:` for a list of them.
    path: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let Args { path, json } = args;
    match zoo_name(&path) {
        Some("") => return zoo::inspect(json),
        Some(_) => return model::inspect(&path, json),
        None => {}
    }
    let exists = path.try_exists().with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(exists, "there is no {}", path.display());
    if path.join("config.toml").is_file() {
        return run::inspect(&path, json);
    }
    if path.join("meta.toml").is_file() {
        return checkpoint::inspect(&path, json);
    }
    if path.is_dir() {
        return records::inspect(&path, json);
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("parquet") => records::inspect(&path, json),
        Some("onnx" | "safetensors") => model::inspect(&path, json),
        _ => bail!(
            "{} is none of what inspect knows: a run, a checkpoint, a folder of record files, or a \
             file .parquet, .onnx or .safetensors",
            path.display()
        ),
    }
}

/// A text of a file, fit for a terminal: short and without control characters.
fn plain(text: &str) -> String {
    const LONGEST: usize = 100;
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let mut plain: String = text.chars().take(LONGEST).map(clean).collect();
    if text.chars().nth(LONGEST).is_some() {
        plain.push('…');
    }
    plain
}

/// `1.5 MB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Names of a folder's entries, in order; none if there is no such folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = || -> std::io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut paths = read().with_context(|| format!("cannot read {}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_files_cannot_move_the_cursor() {
        assert_eq!(plain("ok\u{1b}[2Jgone"), "ok?[2Jgone");
        assert_eq!(plain(&"x".repeat(200)).chars().count(), 101);
    }

    #[test]
    fn sizes() {
        let of = [(999, "999 bytes"), (1_500, "1.5 kB"), (2_000_000, "2.0 MB")];
        of.iter().for_each(|&(bytes, text)| assert_eq!(size(bytes), text));
    }
}
