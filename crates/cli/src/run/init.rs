//! A run that begins with a net that is there already: `--init-from`.
//!
//! The net becomes generation 1, which plays from the first game on and is rated against generation 0,
//! the search without a net, as any generation is. Its weights go on being trained; the optimiser starts
//! afresh. The run keeps the net as [`FILE`], written before anything else, so it needs the original no
//! more.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use encode::Encoder;
use model::{Graph, Model, NetConfig, Weights};
use train::Checkpoints;

use super::Run;
use crate::cmd::export;
use crate::config::RunConfig;
use crate::nets::{fingerprints, read_model, tower};
use crate::run_dir::{Phase, RunDir, write_whole};

/// The net that a run began with.
const FILE: &str = "init.safetensors";

/// The net of a file, of a run's newest checkpoint, or of the zoo, if it fits the run.
///
/// # Errors
/// It cannot be read, or is for another game, other planes, or built otherwise than the configuration
/// says, with the differences.
pub(super) fn read(path: &Path, config: &RunConfig, encoder: &Encoder) -> Result<Model> {
    let model = export::model(path)?;
    check(&model, config, encoder).with_context(|| {
        format!("no run of this configuration can begin with {}", path.display())
    })?;
    Ok(model)
}

/// Keeps the net in a new run; without one nothing that a crash may have left.
pub(super) fn keep(dir: &RunDir, model: Option<&Model>) -> Result<()> {
    let path = dir.join(FILE);
    match model {
        Some(model) => write_whole(&path, &model.to_safetensors()),
        None if path.exists() => Ok(fs::remove_file(&path)?),
        None => Ok(()),
    }
}

/// Refuses another net than the one that a run began with.
pub(super) fn agree(dir: &RunDir, model: &Model) -> Result<()> {
    let root = dir.root().display();
    let path = dir.join(FILE);
    ensure!(
        path.exists(),
        "{root} began without a net; name another --dir for a run from this one"
    );
    let kept = read_model(&path)?;
    ensure!(
        kept.graph == model.graph && kept.weights == model.weights,
        "{root} began with another net, which is {FILE} there; to go on, leave out --init-from"
    );
    Ok(())
}

fn check(model: &Model, config: &RunConfig, encoder: &Encoder) -> Result<()> {
    for (key, ours) in fingerprints(encoder) {
        let theirs = model.metadata.get(key).map_or("not named", String::as_str);
        let of = model.metadata.get("variant").map_or("an unknown variant", String::as_str);
        ensure!(
            theirs == ours,
            "it is for {of} with another {}, not for {} with encoder = \"{}\"",
            key.trim_end_matches("_fingerprint"),
            encoder.variant().id(),
            encoder.encoding().as_str()
        );
    }
    let wanted = graph(&config.net, encoder)?;
    if model.graph == wanted {
        return Ok(());
    }
    let shapes = |graph: &Graph| -> Vec<String> {
        let of = |param: &model::Param| format!("{} {:?}", param.name, param.shape);
        graph.params.iter().map(of).collect()
    };
    let (theirs, ours) = (shapes(&model.graph), shapes(&wanted));
    let only = |these: &[String], those: &[String]| {
        let mut only: Vec<_> =
            these.iter().filter(|param| !those.contains(param)).cloned().collect();
        let more = only.len().saturating_sub(SHOWN);
        only.truncate(SHOWN);
        match (only.as_slice(), more) {
            ([], _) => "nothing".to_owned(),
            (_, 0) => only.join(", "),
            _ => format!("{} and {more} more", only.join(", ")),
        }
    };
    let first = |param: &model::Param| param.shape.first().map_or(0, |&size| size as u64);
    let params = model.graph.params.iter().map(|param| (param.name.as_str(), first(param)));
    let (blocks, channels) = tower(params);
    let same = (blocks, channels) == (config.net.blocks, config.net.channels as u64);
    let advice = if same || channels == 0 {
        String::new()
    } else {
        format!("; try --set net.blocks={blocks} --set net.channels={channels}")
    };
    bail!(
        "its net is built otherwise than [net] says{advice}. Only it has: {}. Only the configuration's \
         has: {}",
        only(&theirs, &ours),
        only(&ours, &theirs)
    )
}

/// So many parameters tell the difference.
const SHOWN: usize = 4;

/// The net that a configuration describes.
fn graph(config: &NetConfig, encoder: &Encoder) -> Result<Graph> {
    let shape = inference::net_shape(encoder);
    Ok(Graph::build(config, &shape, encoder.vocabulary().head_gather())?)
}

impl Run {
    /// Makes the net that the run was given its generation 1, unless that was done before.
    pub(super) fn begin_with_net(&mut self) -> Result<()> {
        let first = self.state.generation == 0 && self.state.phase == Phase::SelfPlay;
        if !first || !self.dir.join(FILE).exists() {
            return Ok(());
        }
        let checkpoints = Checkpoints::open(self.dir.checkpoints())?;
        if !checkpoints.path(1).exists() {
            let trainer = self.trainer_of(0)?;
            checkpoints.write(1, &trainer, &self.facts(1))?;
        }
        self.state.generation = 1;
        self.state.first_net_seconds = self.clock.active().as_secs_f64();
        self.state.phase = Phase::Evaluate;
        self.tell("generation 1 is the net that the run begins with")
    }

    /// The first generation that was trained in this run.
    pub(super) fn first_trained(&self) -> u32 {
        if self.dir.join(FILE).exists() { 2 } else { 1 }
    }

    /// The net before any training: the one that the run was given, else random weights.
    pub(super) fn untrained(&self) -> Result<(Graph, Weights)> {
        let path = self.dir.join(FILE);
        if path.exists() {
            let Model { graph, weights, .. } = read_model(&path)?;
            return Ok((graph, weights));
        }
        let graph = graph(&self.config.net, &self.encoder)?;
        let weights = Weights::init(&graph, self.seed.derive("net.init", 0));
        Ok((graph, weights))
    }
}
