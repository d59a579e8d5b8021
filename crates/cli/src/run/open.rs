//! Opening a run: a new directory, or one that goes on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use ::selfplay::{GameNumbers, Identity, Worker};
use anyhow::{Context, Result, bail, ensure};
use model::Model;
use records::{ChunkStore, Collector};
use rules::{Game, Seed, Variant};
use serde::{Deserialize, Serialize};
use train::Dataset;

use super::learn::Learner;
use super::mend::rebuilt_state;
use super::survey::{Survey, survey};
use super::{Args, Run, init};
use crate::clock::Clock;
use crate::config::{KeyKind, RunConfig, differences, duration};
use crate::metrics::Metrics;
use crate::monitor::Monitor;
use crate::output::on_terminal;
use crate::progress::{Meter, Progress, Show, View, Work};
use crate::report::Reporter;
use crate::results::Ladder;
use crate::run_dir::{Phase, RunDir, State, log_line};
use crate::{cmd, output, runtime};

impl Run {
    /// Opens the run that the arguments name, making it if need be; `None` if `stop` was raised
    /// meanwhile.
    pub(super) fn open(args: &Args, stop: Arc<AtomicBool>) -> Result<Option<Self>> {
        let mut sets = args.sets.clone();
        if let Some(budget) = &args.budget {
            sets.push(format!("execution.budget={budget}"));
        }
        if args.json && !args.quiet && !on_terminal() {
            output::notes_as_json();
        }
        let config = RunConfig::load(&args.config, &sets)?;
        let variant = variant_of(&config)?;
        let runtime = runtime::load()?;
        let encoder = Arc::new(config.encoder.encoder(Arc::clone(&variant))?);
        let init = args.init_from.as_ref().map(|path| init::read(path, &config, &encoder));
        let init = init.transpose()?;
        let dir = RunDir::open(&directory(args)?)?;
        let changes = agree(&dir, &config, &variant, args.retune, init.as_ref())?;
        let budget = duration(&config.execution.budget).expect("checked when loaded");
        let state = state(&dir, budget, !changes.is_empty())?;
        for change in &changes {
            output::note(change);
            log_line(dir.root(), clock(&state)?.active(), state.generation, change)?;
        }
        let store = ChunkStore::open(dir.games(), config.selfplay.games_per_chunk)?
            .expecting(variant.board_fingerprint().to_string());
        let (progress, monitor) = shown(args, &config, &state, &dir)?;
        let (sealed, read) = (store.sealed()?, Meter::default());
        let (what, all) = ("the games", sealed.len() as u64);
        progress.view().work = Work::Read { what, read: read.clone(), all };
        let Some(Survey { chunks, damaged }) = survey(&store, &sealed, &read, &stop)? else {
            return Ok(None);
        };
        let metrics = |name: &str| Metrics::open(dir.root(), name);
        let (selfplay_metrics, train_metrics, arena_metrics) =
            (metrics("selfplay")?, metrics("train")?, metrics("arena")?);
        // Read after it was opened, which drops what a crash cut off.
        let ladder = Ladder::read(&dir.join("metrics/arena.csv"))?;
        let reporter = Reporter::of_run(dir.root())?;
        let clock = clock(&state)?; // From here on time counts.
        let games = chunks.values().map(|info| info.games).sum();
        let positions = chunks.values().map(|info| info.positions).sum();
        {
            let mut view = progress.view();
            (view.clock, view.elo) = (clock, ladder.elo());
            (view.games, view.positions) = (games, positions);
            view.work = Work::short("opening the run");
        }
        // Each lane of the trainer computes alone; see `train::Trainer::set_lanes`.
        train::set_threads(1);
        let seed = Seed(config.seed);
        let sealed = chunks.keys().copied();
        Ok(Some(Self {
            clock,
            games,
            positions,
            _monitor: monitor,
            progress,
            workers: workers(&config, &variant, seed),
            numbers: Arc::new(GameNumbers::new(config.selfplay.games_per_chunk, sealed)),
            collector: Collector::new(store)?,
            learner: Learner::new(Dataset::new(Arc::clone(&encoder))),
            encoder,
            dir,
            config,
            variant,
            runtime,
            seed,
            budget,
            state,
            chunks,
            ladder,
            reporter,
            selfplay_metrics,
            train_metrics,
            arena_metrics,
            stop,
            damaged,
        }))
    }
}

/// Begins to show the run and to watch it, unless it has ended.
fn shown(
    args: &Args,
    config: &RunConfig,
    state: &State,
    dir: &RunDir,
) -> Result<(Progress, Option<Monitor>)> {
    let view = View {
        budget: duration(&config.execution.budget).expect("checked when loaded"),
        clock: clock(state)?,
        generation: state.generation,
        games: 0,
        positions: 0,
        elo: None,
        work: Work::short("opening the run"),
        losses: None,
    };
    if state.phase == Phase::Done {
        return Ok((Progress::start(view, Show::Nothing), None));
    }
    let progress = Progress::start(view, Show::new(args.quiet, args.json));
    let limit = duration(&config.execution.watchdog).expect("checked when loaded");
    let monitor = Monitor::start(&progress, dir.root(), limit)?;
    Ok((progress, Some(monitor)))
}

/// Where the run stands. A larger budget extends one that had begun to close, and changed settings
/// make a new plan of one that was about to train.
fn state(dir: &RunDir, budget: Duration, retuned: bool) -> Result<State> {
    let mut state = match dir.state()? {
        Some(state) => state,
        None => rebuilt_state(dir)?,
    };
    if state.closing_budget > 0.0 && budget.as_secs_f64() > state.closing_budget {
        state.closing_budget = 0.0;
        state.closing = false;
        if matches!(state.phase, Phase::Verdict | Phase::Done) {
            state.phase = Phase::SelfPlay;
        }
    }
    if retuned && state.phase == Phase::Train {
        state.phase = Phase::SelfPlay;
        let partial = dir.join("partial");
        if partial.exists() {
            std::fs::remove_dir_all(&partial)?;
        }
    }
    Ok(state)
}

/// The run's clock, which stands still from the verdict on.
fn clock(state: &State) -> Result<Clock> {
    let before = Duration::try_from_secs_f64(state.active_seconds)
        .context("state.toml: active_seconds is no time")?;
    let mut clock = Clock::start(before);
    if matches!(state.phase, Phase::Verdict | Phase::Done) {
        clock.stop();
    }
    Ok(clock)
}

/// The run's directory: as told, else named after the configuration file.
pub(super) fn directory(args: &Args) -> Result<PathBuf> {
    if let Some(dir) = &args.dir {
        return Ok(dir.clone());
    }
    let name = args.config.file_stem().context("the configuration has no file name")?;
    Ok(Path::new("runs").join(name))
}

fn variant_of(config: &RunConfig) -> Result<Arc<Variant>> {
    let variant = cmd::load_variant(&config.variant)?;
    cmd::as_in_run(variant, config.max_plies, &config.handicap)
}

/// What a run's records and nets were made with; `fingerprints.toml`.
#[derive(PartialEq, Serialize, Deserialize)]
struct Fingerprints {
    board: String,
    rules: String,
}

/// Compares the configuration with the run's, and stores it where the run is new or it may change.
/// Returns what the user should know of.
fn agree(
    dir: &RunDir,
    config: &RunConfig,
    variant: &Variant,
    retune: bool,
    init: Option<&Model>,
) -> Result<Vec<String>> {
    let (path, prints_path) = (dir.join("config.toml"), dir.join("fingerprints.toml"));
    let prints = Fingerprints {
        board: variant.board_fingerprint().to_string(),
        rules: variant.rules_fingerprint().to_string(),
    };
    let before = dir.read::<RunConfig>(&path).context(
        "what the run was made with cannot be read; write the configuration it had there again",
    )?;
    let Some(before) = before else {
        dir.write_text(&dir.join(VARIANT), &cmd::variant_text(&config.variant)?)?;
        dir.write(&prints_path, &prints)?;
        init::keep(dir, init)?;
        dir.write(&path, &kept(config))?; // Last: with it the directory is a run.
        return Ok(Vec::new());
    };
    let root = dir.root().display();
    let known: Fingerprints = dir.read(&prints_path)?.context("fingerprints.toml is missing")?;
    let mut changed = differences(&before, &kept(config));
    if known == prints {
        // The same game, wherever its file lies.
        changed.retain(|difference| difference.key != "variant");
    }
    let list = |kind| {
        let of_kind = changed.iter().filter(|difference| KeyKind::of(&difference.key) == kind);
        of_kind.map(|difference| format!("\n  {difference}")).collect::<String>()
    };
    let (fixed, tunable) = (list(KeyKind::Identity), list(KeyKind::Tunable));
    if !fixed.is_empty() {
        bail!("{root} is another run; these keys cannot change in it (name another --dir):{fixed}");
    }
    ensure!(
        known.board == prints.board,
        "{root} was made for another board, other pieces, promotion or drops of {}; its own are in \
         variant.toml there",
        config.variant
    );
    ensure!(
        known.rules == prints.rules,
        "{root} was made for other endings of {} (repetition, limits); its games would not mix with \
         new ones. Its own are in variant.toml there",
        config.variant
    );
    if let Some(model) = init {
        init::agree(dir, model)?;
    }
    if !tunable.is_empty() && !retune {
        bail!(
            "the configuration differs from that of {root} (--retune goes on with the new one):\
             {tunable}"
        );
    }
    if !changed.is_empty() {
        dir.write(&path, &RunConfig { variant: before.variant, ..config.clone() })?;
    }
    let told = (!tunable.is_empty()).then(|| format!("going on with changed keys:{tunable}"));
    Ok(told.into_iter().collect())
}

/// The run's own copy of its variant's file.
const VARIANT: &str = "variant.toml";

/// The configuration as the run keeps it: the run's own copy in place of a variant file that lies
/// elsewhere.
fn kept(config: &RunConfig) -> RunConfig {
    let mut kept = config.clone();
    if Variant::builtin_text(&kept.variant).is_none() {
        kept.variant = VARIANT.to_owned();
    }
    kept
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
