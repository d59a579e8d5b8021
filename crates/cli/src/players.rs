//! From names to players: yardsticks, generations of a run, exported models.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use arena::{Player, PlayerError, PlayerSpec, PlayerSpecError, Searcher};
use encode::Encoder;
use inference::{NetEvaluator, OrtBackend, Runtime};
use mcts::fake::Uniform;
use mcts::{EvalError, Evaluation, Evaluator, Leaf, SearchConfig};
use protocol::Protocol;
use rules::Game;

use crate::nets::Net;

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

    /// The net of a file on ONNX Runtime, with that many bytes for evaluations that it remembers. `encoder` is
    /// one of the variant; a net that names another encoding gets that.
    pub(crate) fn onnx(
        path: &Path,
        encoder: &Arc<Encoder>,
        runtime: &Runtime,
        cache: usize,
    ) -> Result<Self> {
        let evaluator = Net::read(path)?
            .evaluator(encoder, runtime, cache)
            .with_context(|| format!("cannot use {}", path.display()))?;
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
                let model = crate::nets::read_model(&path)?;
                let backend = net::TchBackend::new(&model.graph, &model.weights, tch_device())?;
                let evaluator = NetEvaluator::new(Arc::clone(encoder), backend)?.with_cache(cache);
                Ok(Self::Torch(Box::new(evaluator)))
            }
        }
    }
}

/// What plays, as the user says it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlayerName {
    /// One of the forms of `arena`.
    Spec(PlayerSpec),
    /// An exported net.
    Model(PathBuf),
    /// Generations of a run that is named with them.
    Run { dir: PathBuf, which: Which },
    /// An outside program.
    Engine { protocol: Protocol, command: String },
}

/// Which generations of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// `runs/x`
    Newest,
    /// `runs/x@12`
    One(u32),
    /// `runs/x@all`, `runs/x@10..50`, `runs/x@0..50/10`: from, to (with it) and step.
    Range { from: u32, to: Option<u32>, step: u32 },
}

/// How files of nets end.
const MODEL_FILES: [&str; 2] = [".onnx", ".safetensors"];

/// What names a player, for messages and help.
pub(crate) const PLAYERS: &str = "random, blunder-P, uniform-N, rollout-N, alphabeta-N; runs/x (its \
                                  newest generation), runs/x@12, generation-12 (with --run); the path \
                                  of an .onnx or .safetensors file; zoo:NAME; or an outside engine as usi:PATH, uci:PATH, \
                                  ucci:PATH";

impl FromStr for PlayerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((protocol, command)) = text.split_once(':')
            && let Ok(protocol) = protocol.parse()
        {
            return Ok(Self::Engine { protocol, command: command.to_owned() });
        }
        if text.starts_with("zoo:") || MODEL_FILES.iter().any(|end| text.ends_with(end)) {
            return Ok(Self::Model(text.into()));
        }
        let (dir, which) = text.rsplit_once('@').map_or((text, None), |(d, w)| (d, Some(w)));
        if which.is_some() || dir.contains('/') || Path::new(dir).is_dir() {
            let which = which.map_or(Ok(Which::Newest), |which| which.parse())?;
            return Ok(Self::Run { dir: dir.into(), which });
        }
        text.parse().map(Self::Spec).map_err(|error| match error {
            PlayerSpecError::UnknownForm(_) => {
                format!("unknown player `{text}`; known are {PLAYERS}")
            }
            error => error.to_string(),
        })
    }
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("`@{text}`: expected @12, @all, @10..50 or @0..50/10");
        let (range, step) = text.split_once('/').unwrap_or((text, "1"));
        let step = step.parse().ok().filter(|&step| step > 0).ok_or_else(fault)?;
        if range == "all" {
            return Ok(Self::Range { from: 0, to: None, step });
        }
        match range.split_once("..") {
            None if text == range => range.parse().map(Self::One).map_err(|_| fault()),
            None => Err(fault()),
            Some((from, to)) => {
                let from = from.parse().map_err(|_| fault())?;
                let to: u32 = to.parse().map_err(|_| fault())?;
                (from <= to).then_some(Self::Range { from, to: Some(to), step }).ok_or_else(fault)
            }
        }
    }
}

impl std::fmt::Display for PlayerName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Spec(spec) => spec.fmt(f),
            Self::Model(path) => path.display().fmt(f),
            Self::Run { dir, which: Which::One(number) } => write!(f, "{}@{number}", dir.display()),
            Self::Run { dir, .. } => dir.display().fmt(f),
            Self::Engine { protocol, command } => write!(f, "{protocol}:{command}"),
        }
    }
}

impl PlayerName {
    /// The single players that it stands for: generations get their numbers.
    ///
    /// # Errors
    /// There is no such run, or no such generation.
    pub(crate) fn resolved(&self) -> Result<Vec<Self>> {
        let Self::Run { dir, which } = self else { return Ok(vec![self.clone()]) };
        let known = generations(dir)?;
        let newest = *known.last().expect("generation 0 is always there");
        let chosen: Vec<u32> = match *which {
            Which::Newest => vec![newest],
            Which::One(number) => vec![number],
            Which::Range { from, to, step } => {
                let to = to.unwrap_or(newest);
                known
                    .iter()
                    .copied()
                    .filter(|n| (from..=to).contains(n) && (n - from) % step == 0)
                    .collect()
            }
        };
        if chosen.is_empty() || !chosen.iter().all(|number| known.contains(number)) {
            bail!("{} has no such generation; its newest is {newest}", dir.display());
        }
        let one = |number| Self::Run { dir: dir.clone(), which: Which::One(number) };
        Ok(chosen.into_iter().map(one).collect())
    }

    /// Whether it is one of fixed strength, which spends what its name says whatever the time.
    pub(crate) fn is_yardstick(&self) -> bool {
        matches!(self, Self::Spec(spec) if !matches!(spec, PlayerSpec::Generation { .. }))
    }

    /// The file of its net, if it has one; `run` is the one that `generation-N` belongs to.
    ///
    /// # Errors
    /// A generation without a run.
    pub(crate) fn model(&self, run: Option<&Path>) -> Result<Option<PathBuf>> {
        match self {
            Self::Model(path) => Ok(Some(path.clone())),
            Self::Spec(PlayerSpec::Generation { number }) if *number > 0 => match run {
                Some(run) => Ok(Some(model_path(run, *number))),
                None => bail!("{self} is a generation of a run: name the run with --run"),
            },
            Self::Run { dir, which: Which::One(number) } if *number > 0 => {
                Ok(Some(model_path(dir, *number)))
            }
            _ => Ok(None),
        }
    }
}

/// The generations of a run whose nets are there, 0 first.
fn generations(run: &Path) -> Result<Vec<u32>> {
    let folder = run.join("checkpoints");
    let entries = std::fs::read_dir(&folder).with_context(|| {
        format!("{} is no run: cannot read {}", run.display(), folder.display())
    })?;
    let mut numbers = vec![0];
    for entry in entries {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.parse().ok());
        numbers.extend(number.filter(|&number| model_path(run, number).exists()));
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// Bytes for the evaluations that a player with a net remembers, on each thread.
pub(crate) const PLAY_CACHE: usize = 32 << 20;

/// What players with nets are made of.
pub(crate) struct NetSource {
    /// The run that `generation-N` belongs to.
    pub(crate) run: Option<PathBuf>,
    pub(crate) encoder: Arc<Encoder>,
    /// Loaded only when a net plays.
    pub(crate) runtime: Option<Runtime>,
}

impl NetSource {
    /// Makes a player of ours; `search` is that of players with nets, and of generation 0.
    pub(crate) fn player(
        &self,
        name: &PlayerName,
        search: SearchConfig,
    ) -> Result<Box<dyn Player>> {
        if let PlayerName::Spec(spec) = name
            && let Some(player) = spec.yardstick()
        {
            return Ok(player);
        }
        Ok(Box::new(Searcher::with_config(name.to_string(), self.evaluator(name)?, search)))
    }

    /// What evaluates for a player with a net, or for generation 0.
    pub(crate) fn evaluator(&self, name: &PlayerName) -> Result<GenerationEvaluator> {
        if matches!(name, PlayerName::Engine { .. }) {
            bail!("{name} is an outside engine");
        }
        match name.model(self.run.as_deref())? {
            Some(path) => self.net(&path),
            None => Ok(GenerationEvaluator::Uniform(Uniform)),
        }
    }

    /// The same for threads of a tournament.
    pub(crate) fn player_of_match(
        &self,
        name: &PlayerName,
        search: SearchConfig,
    ) -> Result<Box<dyn Player>, PlayerError> {
        self.player(name, search)
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
