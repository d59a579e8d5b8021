//! `narikin run`: self-play, training and matches in turn until the budget is spent.
//!
//! [`Run`] holds what the phases share. Each phase is a method in a file of its own, does its work
//! from `state.toml` and the sealed files alone, and ends by writing the state that names the next
//! one. A run that was killed therefore goes on by doing the phase again: what was sealed is kept,
//! what was not is replayed from the same seeds.

#[cfg(test)]
mod columns;
mod evaluate;
mod evidence;
mod init;
mod learn;
mod mend;
mod open;
mod selfplay;
mod survey;
mod verdict;
mod window;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use ::selfplay::{GameNumbers, Worker};
use anyhow::{Result, ensure};
use encode::Encoder;
use inference::Runtime;
use records::{ChunkInfo, Collector};
use rules::{Seed, Variant};

use crate::Verdict;
use crate::clock::Clock;
use crate::config::RunConfig;
use crate::metrics::Metrics;
use crate::monitor::Monitor;
use crate::progress::{Progress, Work};
use crate::report::Reporter;
use crate::results::Ladder;
use crate::run_dir::{Phase, RunDir, State, log_line};
use crate::signals;
use crate::text::shell;
use open::directory;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  narikin run configs/micro.toml --budget 10m
  narikin run configs/micro.toml --dir runs/second --set seed=2 --set selfplay.simulations=32
  narikin run configs/minishogi.toml --dir runs/further --init-from zoo:minishogi --budget 2h

The same command resumes a run that was stopped or killed; a larger budget extends a finished one.
Interrupted by Ctrl-C or SIGTERM it writes its state and ends with code 130.

Progress goes to stderr: bars on a terminal; elsewhere a line at every change of work and every 30 s, with --json an object a line:
  narikin run configs/micro.toml --json 2>events.jsonl >result.json
  {\"event\":\"progress\",\"active_seconds\":61.5,\"generation\":4,\"stage\":\"train\",\"done\":0.25,\"loss\":3.1,…}
Events with these fields in each line are progress, stalled and moves (a stage has not moved for execution.watchdog, and moves again); note and error have a text only.")]
pub(crate) struct Args {
    /// The configuration file.
    config: PathBuf,
    /// The run's directory; `runs/<name of the configuration>` if left out.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Total active time of the run, such as 10m or `2h 30m`; overrides execution.budget.
    #[arg(long)]
    budget: Option<String>,
    /// Override a key of the configuration.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Begin a new run with this net as its generation 1: a .safetensors file, a run (its newest
    /// checkpoint), a checkpoint, or zoo:NAME. Its shape must be that of [net]; the optimiser starts
    /// afresh. The run keeps a copy.
    #[arg(long, value_name = "NET")]
    init_from: Option<PathBuf>,
    /// Go on although tunable keys differ from the run's; the change is logged.
    #[arg(long)]
    retune: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object; where stderr is no terminal, progress as one a line.
    #[arg(long)]
    json: bool,
}

/// Arguments of `selfplay` and `learn`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  narikin selfplay runs/micro && narikin learn runs/micro")]
pub(crate) struct PhaseArgs {
    /// The run's directory.
    dir: PathBuf,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// What the phases of a run share.
struct Run {
    dir: RunDir,
    config: RunConfig,
    variant: Arc<Variant>,
    encoder: Arc<Encoder>,
    runtime: Runtime,
    seed: Seed,
    budget: Duration,
    state: State,
    clock: Clock,
    /// Finished games whose chunk is not sealed yet wait in here.
    collector: Collector,
    /// Sealed chunks, by number.
    chunks: BTreeMap<u64, ChunkInfo>,
    /// Positions of all finished games, sealed or not.
    positions: u64,
    games: u64,
    numbers: Arc<GameNumbers>,
    workers: Vec<Worker>,
    /// Matches of the run's generations so far.
    ladder: Ladder,
    reporter: Reporter,
    selfplay_metrics: Metrics,
    train_metrics: Metrics,
    arena_metrics: Metrics,
    learner: learn::Learner,
    progress: Progress,
    /// Watches the progress while there is work.
    _monitor: Option<Monitor>,
    stop: Arc<AtomicBool>,
    /// Record files that were set aside when the run was opened and are still to be told of.
    damaged: Vec<survey::Damaged>,
}

impl Args {
    /// The command line that resumes the run, for a shell.
    fn command(&self, root: &Path) -> String {
        let mut words = vec!["narikin".to_owned(), "run".to_owned()];
        words.push(self.config.display().to_string());
        words.extend(["--dir".to_owned(), root.display().to_string()]);
        words.extend(self.budget.iter().flat_map(|budget| ["--budget".to_owned(), budget.clone()]));
        words.extend(self.sets.iter().flat_map(|set| ["--set".to_owned(), set.clone()]));
        let flags = [(self.retune, "--retune"), (self.quiet, "--quiet"), (self.json, "--json")];
        words.extend(flags.iter().filter(|(given, _)| *given).map(|(_, flag)| (*flag).to_owned()));
        shell(&words)
    }

    fn of_config(config: PathBuf) -> Self {
        let (dir, budget, sets, init_from) = Default::default();
        Self { config, dir, budget, sets, init_from, retune: false, quiet: false, json: false }
    }
}

/// Carries out one phase of a run, which must stand at it.
pub(crate) fn phase(args: PhaseArgs, wanted: Phase) -> Result<Verdict> {
    let config = args.dir.join("config.toml");
    ensure!(config.exists(), "{} is no run: it has no config.toml", args.dir.display());
    let args = Args { dir: Some(args.dir), quiet: args.quiet, ..Args::of_config(config) };
    let Some(mut run) = Run::open(&args, signals::stop_flag()?)? else {
        return Ok(Verdict::Interrupted);
    };
    run.begin()?;
    run.mend()?;
    if run.state.phase == Phase::Evaluate {
        run.advance()?; // Matches are no phase that anyone asks for.
    }
    let stands = run.state.phase;
    ensure!(stands == wanted, "the run stands before another phase: {}", stands.name());
    run.advance()?;
    if run.stop.load(Relaxed) {
        return Ok(Verdict::Interrupted);
    }
    let State { generation, phase, .. } = run.state;
    crate::output::result(&format!("generation {generation}, next: {}", phase.name()));
    Ok(Verdict::Good)
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let Some(mut run) = Run::open(&args, signals::stop_flag()?)? else {
        return Ok(stopped(&args, &directory(&args)?));
    };
    if run.state.phase != Phase::Done {
        run.begin()?;
        run.log(concat!("opened by narikin ", env!("CARGO_PKG_VERSION")))?;
    }
    run.mend()?;
    while run.state.phase != Phase::Done {
        if run.stop.load(Relaxed) {
            let root = run.dir.root().to_owned();
            drop(run);
            return Ok(stopped(&args, &root));
        }
        run.advance()?;
    }
    run.report(args.json)
}

impl Run {
    /// Makes ready for work.
    fn begin(&mut self) -> Result<()> {
        self.begin_with_net()?;
        self.save()?;
        if self.state.phase == Phase::SelfPlay {
            // The figures of a phase that goes on come again.
            self.selfplay_metrics.restart(self.state.generation.into())?;
        }
        Ok(())
    }

    /// Carries out the present phase and writes the state that follows it.
    fn advance(&mut self) -> Result<()> {
        let phase = self.state.phase;
        let done = match phase {
            Phase::SelfPlay => self.play(),
            Phase::Train => self.learn(),
            Phase::Evaluate => self.evaluate(),
            Phase::Verdict => self.judge(),
            Phase::Done => Ok(()),
        };
        done.map_err(|error| self.with_evidence(error))?;
        self.save()?;
        self.log(&format!("next: {}", self.state.phase.name()))?;
        if matches!(phase, Phase::Evaluate | Phase::Verdict) && self.state.phase != phase {
            self.write_report()?;
        }
        Ok(())
    }

    /// Writes `report.html`. That it cannot be written is told, but is no reason to stop.
    fn write_report(&mut self) -> Result<()> {
        self.show(Work::short("writing the report"));
        let Err(error) = self.reporter.write() else { return Ok(()) };
        let text = format!("no report.html: {error:#}");
        self.progress.note(&text);
        self.log(&text)
    }

    /// Adds a line to the run's log, with active time and generation.
    fn log(&self, text: &str) -> Result<()> {
        log_line(self.dir.root(), self.clock.active(), self.state.generation, text)
    }

    /// Writes `state.toml`. The clock stands still from the verdict on.
    fn save(&mut self) -> Result<()> {
        self.state.active_seconds = self.clock.active().as_secs_f64();
        self.dir.write(&self.dir.join("state.toml"), &self.state)
    }

    /// Active time at which self-play ends and the closing training begins.
    fn play_end(&self) -> Duration {
        self.budget.mul_f64(1.0 - self.config.schedule.closing_share)
    }

    fn show(&self, work: Work) {
        let mut view = self.progress.view();
        view.work = work;
        view.generation = self.state.generation;
        view.games = self.games;
        view.positions = self.positions;
    }

    /// Tells what the user should know, now and in the log.
    fn tell(&self, text: &str) -> Result<()> {
        crate::output::note(text);
        self.log(text)
    }
}

/// Tells how to go on after an interruption.
fn stopped(args: &Args, root: &Path) -> Verdict {
    let command = args.command(root);
    crate::output::note(&format!("stopped; nothing sealed is lost. To go on:\n  {command}"));
    Verdict::Interrupted
}
