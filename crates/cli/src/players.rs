//! From names to players: yardsticks, generations of a run, exported models.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use arena::{Player, PlayerError, PlayerSpec, Searcher};
use encode::Encoder;
use inference::{NetEvaluator, OrtBackend, Runtime};
use mcts::fake::Uniform;
use mcts::{EvalError, Evaluation, Evaluator, Leaf};
use rules::{Game, Variant};

/// The exported net of a generation of a run.
pub(crate) fn model_path(run: &Path, generation: u32) -> PathBuf {
    run.join(format!("checkpoints/{generation:06}/model.onnx"))
}

/// What evaluates positions for a generation: generation 0 has no net.
pub(crate) enum GenerationEvaluator {
    /// Even priors and even chances.
    Uniform(Uniform),
    /// The exported net on ONNX Runtime.
    Onnx(Box<NetEvaluator<OrtBackend>>),
    /// The same net on libtorch.
    #[cfg(feature = "torch")]
    Torch(Box<NetEvaluator<net::TchBackend>>),
}

impl Evaluator<Game> for GenerationEvaluator {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, Game>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        match self {
            Self::Uniform(uniform) => uniform.evaluate(leaves, out),
            Self::Onnx(net) => net.evaluate(leaves, out),
            #[cfg(feature = "torch")]
            Self::Torch(net) => net.evaluate(leaves, out),
        }
    }
}

impl GenerationEvaluator {
    /// Positions whose evaluation was remembered so far.
    #[cfg(feature = "torch")]
    pub(crate) fn remembered(&self) -> u64 {
        match self {
            Self::Uniform(_) => 0,
            Self::Onnx(net) => net.counters().remembered,
            Self::Torch(net) => net.counters().remembered,
        }
    }

    /// The net of an ONNX file, with that many bytes for evaluations that it remembers.
    pub(crate) fn onnx(
        path: &Path,
        encoder: &Arc<Encoder>,
        runtime: &Runtime,
        cache: usize,
    ) -> Result<Self> {
        let cannot = || format!("cannot use {}", path.display());
        let model = std::fs::read(path).with_context(cannot)?;
        check_origin(&model, encoder).with_context(cannot)?;
        let shape = inference::net_shape(encoder);
        let backend = OrtBackend::from_bytes(runtime, &model, &shape).with_context(cannot)?;
        let evaluator = NetEvaluator::new(Arc::clone(encoder), backend)?.with_cache(cache);
        Ok(Self::Onnx(Box::new(evaluator)))
    }

    /// The net of a run's generation.
    #[cfg(feature = "torch")]
    pub(crate) fn of_run(
        run: &Path,
        generation: u32,
        encoder: &Arc<Encoder>,
        runtime: &Runtime,
        backend: crate::config::Backend,
        cache: usize,
    ) -> Result<Self> {
        use crate::config::Backend;
        match backend {
            _ if generation == 0 => Ok(Self::Uniform(Uniform)),
            Backend::Onnxruntime => {
                Self::onnx(&model_path(run, generation), encoder, runtime, cache)
            }
            Backend::Libtorch => {
                let path = run.join(format!("checkpoints/{generation:06}/ema.safetensors"));
                let bytes = std::fs::read(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                let model = model::Model::from_safetensors(&bytes)
                    .with_context(|| path.display().to_string())?;
                let backend = net::TchBackend::new(&model.graph, &model.weights, tch_device())?;
                let evaluator = NetEvaluator::new(Arc::clone(encoder), backend)?.with_cache(cache);
                Ok(Self::Torch(Box::new(evaluator)))
            }
        }
    }
}

/// Refuses a net that says that it was trained for other boards, pieces or planes. Nets of other
/// programs say nothing; their shape is compared.
fn check_origin(model: &[u8], encoder: &Encoder) -> Result<()> {
    let Ok(described) = model::onnx::describe(model) else {
        return Ok(()); // ONNX Runtime will say what is wrong.
    };
    let variant = encoder.variant();
    let pairs = [
        ("board_fingerprint", variant.board_fingerprint().to_string()),
        ("encoder_fingerprint", encoder.fingerprint().to_string()),
    ];
    for (key, ours) in pairs {
        let theirs = described.metadata.get(key);
        if theirs.is_some_and(|theirs| *theirs != ours) {
            let of = described.metadata.get("variant").map_or("another variant", String::as_str);
            let what = key.trim_end_matches("_fingerprint");
            bail!(
                "the net is for {of}, not for {}: {what} fingerprint {}… instead of {}…",
                variant.id(),
                short(theirs.map_or("", String::as_str)),
                short(&ours)
            );
        }
    }
    Ok(())
}

/// So much of a fingerprint tells it from others.
fn short(fingerprint: &str) -> &str {
    fingerprint.get(..12).unwrap_or(fingerprint)
}

/// What is to be said where a net was trained under other endings or from another start.
pub(crate) fn other_rules(model: &[u8], variant: &Variant) -> Option<String> {
    let theirs = model::onnx::describe(model).ok()?.metadata.remove("rules_fingerprint")?;
    (theirs != variant.rules_fingerprint().to_string()).then(|| {
        format!(
            "the net was trained under other endings, limits or from another start than {}",
            variant.id()
        )
    })
}

/// A player of the command line: a yardstick, a generation, or a model file.
#[derive(Clone, Debug)]
pub(crate) enum PlayerName {
    /// One of the forms of `arena`.
    Spec(PlayerSpec),
    /// An exported net.
    Model(PathBuf),
}

impl FromStr for PlayerName {
    type Err = arena::PlayerSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.ends_with(".onnx") {
            return Ok(Self::Model(text.into()));
        }
        text.parse().map(Self::Spec)
    }
}

impl std::fmt::Display for PlayerName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Spec(spec) => spec.fmt(f),
            Self::Model(path) => path.display().fmt(f),
        }
    }
}

/// Bytes for the evaluations that a player with a net remembers, on each thread.
pub(crate) const PLAY_CACHE: usize = 32 << 20;

/// What players with nets are made of.
pub(crate) struct NetSource {
    /// The run that generations belong to.
    pub(crate) run: Option<PathBuf>,
    pub(crate) encoder: Arc<Encoder>,
    /// Loaded only when a net plays.
    pub(crate) runtime: Option<Runtime>,
    /// Simulations a move of players with nets, and of generation 0.
    pub(crate) simulations: u32,
}

impl NetSource {
    /// Makes a player.
    pub(crate) fn player(&self, name: &PlayerName) -> Result<Box<dyn Player>> {
        let evaluator = match name {
            PlayerName::Model(path) => self.net(path)?,
            PlayerName::Spec(PlayerSpec::Generation { number: 0 }) => {
                GenerationEvaluator::Uniform(Uniform)
            }
            PlayerName::Spec(PlayerSpec::Generation { number }) => match &self.run {
                Some(run) => self.net(&model_path(run, *number))?,
                None => bail!("{name} is a generation of a run: name the run with --run"),
            },
            PlayerName::Spec(spec) => {
                return Ok(spec.yardstick().expect("only generations need a net"));
            }
        };
        Ok(Box::new(Searcher::new(name.to_string(), evaluator, self.simulations)))
    }

    /// The same for threads of a match.
    pub(crate) fn player_of_match(
        &self,
        name: &PlayerName,
    ) -> Result<Box<dyn Player>, PlayerError> {
        self.player(name)
            .map_err(|error| PlayerError { player: name.to_string(), source: error.into() })
    }

    fn net(&self, path: &Path) -> Result<GenerationEvaluator> {
        let runtime = self.runtime.as_ref().context("ONNX Runtime has not been loaded")?;
        GenerationEvaluator::onnx(path, &self.encoder, runtime, PLAY_CACHE)
    }
}

/// A player whose moves are counted.
#[cfg(feature = "torch")]
pub(crate) struct Counted {
    player: Box<dyn Player>,
    moves: crate::progress::Meter,
}

#[cfg(feature = "torch")]
impl Counted {
    /// Counts the player's moves on `moves`.
    pub(crate) fn new(player: Box<dyn Player>, moves: crate::progress::Meter) -> Self {
        Self { player, moves }
    }
}

#[cfg(feature = "torch")]
impl Player for Counted {
    fn answer(
        &mut self,
        turns: &[arena::Turn<'_>],
        stop: &std::sync::atomic::AtomicBool,
        out: &mut Vec<arena::Answer>,
    ) -> Result<(), PlayerError> {
        self.player.answer(turns, stop, out)?;
        self.moves.add(out.len() as u64);
        Ok(())
    }
}

#[cfg(feature = "torch")]
fn tch_device() -> net::Device {
    net::Device::cuda_if_available()
}
