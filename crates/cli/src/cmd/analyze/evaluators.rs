//! What evaluates: a net of a file or of a run, or one of the evaluators without a net.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use encode::Encoder;
use engine::BoxedEvaluator;
use mcts::fake::{Material, Rollout, Uniform};
use rules::{Game, Seed, Variant};

use super::Args;
use crate::cmd::{load_variant, variant_of_run};
use crate::nets::Net;
use crate::players::{PLAY_CACHE, model_path};
use crate::{output, runtime};

/// Evaluators without a net.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Fake {
    /// Knows nothing: all moves alike, all outcomes alike.
    Uniform,
    /// Counts material.
    Material,
    /// Plays one random game to its end.
    Rollout,
}

/// Where evaluations come from.
pub(super) enum Source {
    Fake(Fake),
    /// An exported net with its file, and the run it belongs to, if any.
    Net {
        net: Net,
        file: PathBuf,
        run: Option<PathBuf>,
    },
}

impl Source {
    pub(super) fn of(args: &Args) -> Result<Self> {
        if let Some(file) = &args.model {
            return Self::net(file.clone(), None);
        }
        let Some(run) = &args.run else {
            return Ok(Self::Fake(args.evaluator.unwrap_or(Fake::Material)));
        };
        let generation = match args.generation {
            Some(generation) => generation,
            None => newest(run)?,
        };
        Self::net(model_path(run, generation), Some(run.clone()))
    }

    fn net(file: PathBuf, run: Option<PathBuf>) -> Result<Self> {
        Ok(Self::Net { net: Net::read(&file)?, file, run })
    }

    /// Its name for people.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Fake(Fake::Uniform) => "uniform".to_owned(),
            Self::Fake(Fake::Material) => "material".to_owned(),
            Self::Fake(Fake::Rollout) => "rollout".to_owned(),
            Self::Net { file, .. } => file.display().to_string(),
        }
    }

    /// The variant that is meant where none is named.
    pub(super) fn variant(&self) -> Result<Arc<Variant>> {
        match self {
            Self::Net { run: Some(run), .. } => variant_of_run(run),
            Self::Net { net, run: None, .. } => match net.variant() {
                Some(variant) => Ok(variant),
                None => load_variant("micro"),
            },
            Self::Fake(_) => load_variant("micro"),
        }
    }

    /// One evaluator for each of so many threads.
    pub(super) fn evaluators(&self, game: &Game, threads: usize) -> Result<Vec<BoxedEvaluator>> {
        let one: Box<dyn Fn() -> Result<BoxedEvaluator>> = match self {
            Self::Fake(fake) => {
                let fake = *fake;
                Box::new(move || Ok(fake.evaluator()))
            }
            Self::Net { net, file, .. } => {
                let runtime = runtime::load()?;
                let encoder = Arc::new(Encoder::new(Arc::clone(game.variant())));
                if let Some(warning) = net.warning(game.variant()) {
                    output::note(&warning);
                }
                Box::new(move || {
                    let net = net.evaluator(&encoder, &runtime, PLAY_CACHE);
                    let net = net.with_context(|| format!("cannot use {}", file.display()))?;
                    Ok(Box::new(net))
                })
            }
        };
        (0..threads).map(|_| one()).collect()
    }
}

impl Fake {
    fn evaluator(self) -> BoxedEvaluator {
        match self {
            Self::Uniform => Box::new(Uniform),
            Self::Material => Box::new(Material::default()),
            // Every variant has a move limit, which ends the random games.
            Self::Rollout => Box::new(Rollout { seed: Seed(0), max_plies: u32::MAX }),
        }
    }
}

/// The newest generation of a run that has an exported net.
fn newest(run: &Path) -> Result<u32> {
    let folder = run.join("checkpoints");
    let entries = fs::read_dir(&folder).with_context(|| {
        format!("{} is no run with nets: cannot read {}", run.display(), folder.display())
    })?;
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let with_net = numbers.filter(|&number| model_path(run, number).exists());
    with_net.max().with_context(|| format!("{} has no net yet", run.display()))
}
