//! Opening a run: a new directory, or one that goes on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use ::selfplay::{GameNumbers, Identity, Worker};
use anyhow::{Context, Result, bail, ensure};
use encode::Encoder;
use records::{ChunkStore, Collector};
use rules::{Game, Seed, Variant};
use train::Dataset;

use super::evaluate::Ladder;
use super::learn::Learner;
use super::{Args, Clock, Run};
use crate::config::{KeyKind, RunConfig, differences, duration};
use crate::metrics::Metrics;
use crate::progress::{Progress, View, Work};
use crate::run_dir::{Phase, RunDir, State};
use crate::{cmd, output, runtime};

impl Run {
    /// Opens the run that the arguments name, making it if need be.
    pub(super) fn open(args: &Args, stop: Arc<AtomicBool>) -> Result<Self> {
        let mut sets = args.sets.clone();
        if let Some(budget) = &args.budget {
            sets.push(format!("execution.budget={budget}"));
        }
        let config = RunConfig::load(&args.config, &sets)?;
        let variant = variant_of(&config)?;
        let runtime = runtime::load()?;
        let dir = RunDir::open(&directory(args)?)?;
        agree(&dir, &config, &variant, args.retune)?;
        let state: State = dir.read(&dir.join("state.toml"))?.unwrap_or_else(State::new);
        let budget = duration(&config.execution.budget).expect("checked when loaded");
        let state = extended(state, budget);

        let store = ChunkStore::open(dir.games(), config.selfplay.games_per_chunk)?
            .expecting(variant.board_fingerprint().to_string());
        store.remove_stale()?;
        let mut chunks = BTreeMap::new();
        for chunk in store.sealed()? {
            chunks.insert(chunk, store.info(chunk)?);
        }
        let numbers = GameNumbers::new(config.selfplay.games_per_chunk, chunks.keys().copied());
        let seed = Seed(config.seed);
        let ladder = Ladder::read(&dir.join("metrics/arena.csv"))?;
        let before = Duration::from_secs_f64(state.active_seconds);
        let clock = Clock { before, started: Instant::now() };
        let games = chunks.values().map(|info| info.games).sum();
        let positions = chunks.values().map(|info| info.positions).sum();
        let view = View {
            budget,
            active_before: before,
            started: clock.started,
            generation: state.generation,
            games,
            positions,
            elo: ladder.elo(),
            work: Work::Short("opening the run"),
            losses: None,
        };
        // Each lane of the trainer computes alone; see `train::Trainer::set_lanes`.
        train::set_threads(1);
        let encoder = Arc::new(Encoder::new(Arc::clone(&variant)));
        Ok(Self {
            selfplay_metrics: Metrics::open(&dir.join("metrics/selfplay.csv"))?,
            train_metrics: Metrics::open(&dir.join("metrics/train.csv"))?,
            arena_metrics: Metrics::open(&dir.join("metrics/arena.csv"))?,
            progress: Progress::start(view, args.quiet || state.phase == Phase::Done),
            workers: workers(&config, &variant, seed),
            collector: Collector::new(store)?,
            numbers: Arc::new(numbers),
            learner: Learner::new(Dataset::new(Arc::clone(&encoder))),
            encoder,
            dir,
            config,
            variant,
            runtime,
            seed,
            budget,
            state,
            clock,
            chunks,
            positions,
            games,
            ladder,
            stop,
        })
    }
}

/// The run's directory: as told, else named after the configuration file.
fn directory(args: &Args) -> Result<PathBuf> {
    if let Some(dir) = &args.dir {
        return Ok(dir.clone());
    }
    let name = args.config.file_stem().context("the configuration has no file name")?;
    Ok(Path::new("runs").join(name))
}

fn variant_of(config: &RunConfig) -> Result<Arc<Variant>> {
    let variant = cmd::load_variant(&config.variant)?;
    Ok(match config.max_plies {
        0 => variant,
        plies => Arc::new(variant.with_max_plies(plies)),
    })
}

/// Compares the configuration with the run's, and stores it where the run is new or it may change.
fn agree(dir: &RunDir, config: &RunConfig, variant: &Variant, retune: bool) -> Result<()> {
    let path = dir.join("config.toml");
    let Some(before) = dir.read::<RunConfig>(&path)? else {
        let text = Variant::builtin_text(&config.variant).map(str::to_owned);
        let text = text.map_or_else(|| std::fs::read_to_string(&config.variant), Ok)?;
        dir.write_text(&dir.join("variant.toml"), &text)?;
        dir.write_text(&dir.join("fingerprint"), &variant.board_fingerprint().to_string())?;
        return dir.write(&path, config);
    };
    let fingerprint = std::fs::read_to_string(dir.join("fingerprint"))?;
    ensure!(
        fingerprint == variant.board_fingerprint().to_string(),
        "{} was made for other rules of {}; its own are in variant.toml there",
        dir.root().display(),
        config.variant
    );
    let changed = differences(&before, config);
    let list = |kind| {
        let of_kind = changed.iter().filter(|difference| difference.kind == kind);
        of_kind.map(|difference| format!("\n  {difference}")).collect::<String>()
    };
    let (fixed, tunable) = (list(KeyKind::Identity), list(KeyKind::Tunable));
    if !fixed.is_empty() {
        bail!(
            "{} is another run; these keys cannot change in it (name another --dir):{fixed}",
            dir.root().display()
        );
    }
    if !tunable.is_empty() && !retune {
        bail!(
            "the configuration differs from that of {} (--retune goes on with the new one):{tunable}",
            dir.root().display()
        );
    }
    if !tunable.is_empty() {
        let text = format!("going on with changed keys:{tunable}");
        dir.log(&text)?;
        output::note(&text);
    }
    if changed.is_empty() { Ok(()) } else { dir.write(&path, config) }
}

/// A finished run goes on when its budget has grown.
fn extended(mut state: State, budget: Duration) -> State {
    if state.phase == Phase::Done && state.active_seconds < budget.as_secs_f64() {
        state.phase = Phase::SelfPlay;
        state.closing = false;
    }
    state
}

fn workers(config: &RunConfig, variant: &Arc<Variant>, seed: Seed) -> Vec<Worker> {
    let identity = Identity {
        producer: concat!("narikin ", env!("CARGO_PKG_VERSION")).to_owned(),
        seed,
        start: Game::new(Arc::clone(variant)),
    };
    (0..or_cores(config.execution.workers))
        .map(|_| Worker::new(identity.clone(), config.selfplay.clone()))
        .collect()
}

/// A number of threads from the configuration, where 0 means one a core.
pub(super) fn or_cores(threads: usize) -> usize {
    match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}
