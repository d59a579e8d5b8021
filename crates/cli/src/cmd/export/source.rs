//! What is exported: the net of a run, of a checkpoint, or of a file.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use encode::{Encoder, Encoding};
use model::Model;
use records::ChunkStore;
use rules::Variant;
use serde::Serialize;
use train::{Checkpoint, Checkpoints};

use crate::cmd::{load_variant, variant_of_run};
use crate::nets::read_model;
use crate::results::{Facts, Matches, Opponent};
use crate::run_dir::{State, read_toml};
use crate::{output, zoo};

/// A net with what it was made for.
pub(super) struct Source {
    /// The averaged weights.
    pub(super) model: Model,
    pub(super) variant: Arc<Variant>,
    pub(super) encoder: Encoder,
    /// Where it comes from, for people.
    pub(super) origin: String,
    /// The run that ended with it.
    pub(super) made: Option<Made>,
}

/// A run that has ended, and how strong its last net was.
#[derive(Serialize)]
pub(super) struct Made {
    seed: Option<i64>,
    /// As in the configuration, such as `10m`.
    budget: Option<String>,
    /// Time spent running, the closing matches left out.
    active_seconds: f64,
    /// Games and positions that were recorded, and leaves evaluated for them.
    games: u64,
    positions: u64,
    evaluations: u64,
    /// The closing matches.
    opponents: Vec<Opponent>,
}

impl Made {
    /// Reads a run; `None` if it has not ended with this generation.
    fn read(run: &Path, generation: u64) -> Result<Option<Made>> {
        let Some(state) = read_toml::<State>(&run.join("state.toml"))? else { return Ok(None) };
        let facts = Facts::read(run, state.generation)?;
        let Some(Matches { opponents }) = facts.matches else { return Ok(None) };
        if u64::from(state.generation) != generation {
            return Ok(None);
        }
        let store = ChunkStore::open(run.join("games"), facts.games_per_chunk.unwrap_or(1))?;
        // Damaged files are for `inspect` to name.
        let chunks: Vec<_> =
            store.sealed()?.into_iter().filter_map(|chunk| store.info(chunk).ok()).collect();
        Ok(Some(Made {
            seed: facts.seed,
            budget: facts.budget,
            active_seconds: state.active_seconds,
            games: chunks.iter().map(|chunk| chunk.games).sum(),
            positions: chunks.iter().map(|chunk| chunk.positions).sum(),
            evaluations: state.evaluations,
            opponents,
        }))
    }
}

impl Source {
    /// The net of a run, a checkpoint or a .safetensors file. `variant` names the variant of a file.
    pub(super) fn read(path: &Path, variant: Option<&str>) -> Result<Source> {
        if is_file(path) {
            return Source::of_file(path, variant);
        }
        if variant.is_some() {
            bail!("--variant is for .safetensors files; a run knows its own");
        }
        let checkpoint = checkpoint(path)?;
        let run = checkpoint.path.parent().and_then(Path::parent);
        let run = run.with_context(|| format!("{} is in no run", checkpoint.path.display()))?;
        let model = read_model(&checkpoint.path.join("ema.safetensors"))?;
        let origin =
            format!("checkpoint {} after {} steps", checkpoint.meta.number, checkpoint.meta.step);
        let made = Made::read(run, checkpoint.meta.number)?;
        Ok(Source { made, ..Source::new(model, variant_of_run(run)?, origin)? })
    }

    fn of_file(path: &Path, variant: Option<&str>) -> Result<Source> {
        let model = read_model(path)?;
        let id = model.metadata.get("variant");
        let variant = match (variant, id) {
            (Some(name), _) => load_variant(name)?,
            (None, Some(id)) => Variant::builtin(id).with_context(|| {
                format!(
                    "{} is for `{id}`, which is not built in: name its file with --variant",
                    path.display()
                )
            })?,
            (None, None) => bail!("{} does not say which variant it is for", path.display()),
        };
        Source::new(model, variant, format!("the net of {}", path.display()))
    }

    fn new(model: Model, variant: Arc<Variant>, origin: String) -> Result<Source> {
        let encoding = match model.metadata.get("encoding") {
            None => Encoding::Variant,
            Some(name) => Encoding::from_name(name)
                .with_context(|| format!("the net has an unknown encoding `{name}`"))?,
        };
        let encoder = encoding.encoder(Arc::clone(&variant))?;
        let expected = encoder.fingerprint().to_string();
        match model.metadata.get("encoder_fingerprint") {
            Some(found) if *found == expected => {
                Ok(Source { model, variant, encoder, origin, made: None })
            }
            found => bail!(
                "the net was made for another board, other planes or other moves than {}: its encoder \
                 is {}, here it is {expected}",
                variant.id(),
                found.map_or("not named", String::as_str)
            ),
        }
    }
}

/// Whether a path means the file of a net, or one of the zoo.
fn is_file(path: &Path) -> bool {
    zoo::name(path).is_some() || path.is_file()
}

/// The averaged weights of a run, of a checkpoint, or of a .safetensors file.
///
/// # Errors
/// There is no such thing, or it is damaged.
pub(crate) fn model(path: &Path) -> Result<Model> {
    if is_file(path) {
        return read_model(path);
    }
    read_model(&checkpoint(path)?.path.join("ema.safetensors"))
}

/// The checkpoint that a path means, read and verified.
fn checkpoint(path: &Path) -> Result<Checkpoint> {
    if path.join("meta.toml").exists() {
        let path = path.canonicalize().with_context(|| path.display().to_string())?;
        return Ok(Checkpoint::read(&path)?);
    }
    let folder = path.join("checkpoints");
    if !folder.is_dir() {
        bail!("{} is neither a run, nor a checkpoint, nor a .safetensors file", path.display());
    }
    let latest = Checkpoints::open(folder)?.latest()?;
    for (number, error) in &latest.skipped {
        output::note(&format!("checkpoint {number} passed over: {error}"));
    }
    latest.checkpoint.with_context(|| format!("{} has no readable checkpoint", path.display()))
}
