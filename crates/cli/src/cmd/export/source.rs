//! What is exported: the net of a run, of a checkpoint, or of a file.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use encode::{Encoder, Encoding};
use model::Model;
use rules::Variant;
use train::{Checkpoint, Checkpoints};

use crate::cmd::{load_variant, variant_of_run};
use crate::output;

/// A net with what it was made for.
pub(super) struct Source {
    /// The averaged weights.
    pub(super) model: Model,
    pub(super) variant: Arc<Variant>,
    pub(super) encoder: Encoder,
    /// Where it comes from, for people.
    pub(super) origin: String,
}

impl Source {
    /// The net of a run, a checkpoint or a .safetensors file. `variant` names the variant of a file.
    pub(super) fn read(path: &Path, variant: Option<&str>) -> Result<Source> {
        if path.extension().is_some_and(|extension| extension == "safetensors") {
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
        Source::new(model, variant_of_run(run)?, origin)
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
            Some(found) if *found == expected => Ok(Source { model, variant, encoder, origin }),
            found => bail!(
                "the net was made for another board, other planes or other moves than {}: its encoder \
                 is {}, here it is {expected}",
                variant.id(),
                found.map_or("not named", String::as_str)
            ),
        }
    }
}

fn read_model(path: &Path) -> Result<Model> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Model::from_safetensors(&bytes).with_context(|| path.display().to_string())
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
