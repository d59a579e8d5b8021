//! The training phase: the next generation is trained by a plan that is saved before it begins.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use model::Metadata;
use records::ReplayWindow;
use serde::Serialize;
use train::{Checkpoint, Checkpoints, Control, Curve, Dataset, Losses, Plan, TrainEvent, Trainer};

use super::Run;
use super::open::or_cores;
use super::selfplay::SAVE_EVERY;
use crate::config::duration;
use crate::metrics;
use crate::progress::Work;
use crate::run_dir::Phase;

/// Steps that one row of `metrics/train.csv` averages over.
const STEPS_A_ROW: u64 = 50;
/// Threads that prepare batches beside libtorch's own.
pub(super) const LOADERS: usize = 1;

/// A row of `metrics/train.csv`: the mean of some steps.
#[derive(Default, Serialize)]
pub(super) struct Row {
    generation: u32,
    step: u64,
    active_seconds: f64,
    learning_rate: f64,
    gradient_norm: f64,
    total: f64,
    policy: f64,
    wdl: f64,
    reply: f64,
    soft_policy: f64,
    short_term: f64,
    plies_left: f64,
}

impl metrics::Row for Row {
    fn step(&self) -> u64 {
        self.step
    }

    fn scalars(&self) -> Vec<(String, f64)> {
        metrics::named(&[
            ("generation", self.generation.into()),
            ("learning_rate", self.learning_rate),
            ("gradient_norm", self.gradient_norm),
            ("loss/total", self.total),
            ("loss/policy", self.policy),
            ("loss/wdl", self.wdl),
            ("loss/reply", self.reply),
            ("loss/soft_policy", self.soft_policy),
            ("loss/short_term", self.short_term),
            ("loss/plies_left", self.plies_left),
        ])
    }
}

/// Sums of what the steps since the last row reported.
#[derive(Default)]
struct Sums {
    steps: u64,
    /// Gradient norm and the losses in the order of [`Row`].
    values: [f64; 8],
}

/// What training keeps between phases.
pub(super) struct Learner {
    /// None until the first training phase of this process.
    pub(super) trainer: Option<Trainer>,
    pub(super) dataset: Dataset,
}

impl Learner {
    pub(super) fn new(dataset: Dataset) -> Self {
        Self { trainer: None, dataset }
    }
}

impl Run {
    /// Decides how the next generation is trained, and saves the plan.
    pub(super) fn begin_training(&mut self) -> Result<()> {
        self.state.closing = self.clock.active() >= self.play_end();
        if self.state.closing {
            self.state.closing_budget = self.budget.as_secs_f64();
        }
        let start_step = self.trainer()?.step();
        let next = self.state.generation + 1;
        let config = &self.config.train;
        let chunks: Vec<_> = self.chunks.values().cloned().collect();
        let window = ReplayWindow::new(config.window)?.select(&chunks);
        let sealed: u64 = chunks.iter().map(|info| info.samples).sum();
        let steps = if self.state.closing {
            self.closing_steps(window.samples)
        } else {
            config.steps(sealed.saturating_sub(self.state.trained_samples))
        };
        let plan = Plan {
            phase: next.into(),
            start_step,
            steps: steps.max(1),
            lr_start: config.lr,
            lr_end: if self.state.closing { config.final_lr } else { config.lr },
            curve: Curve::Cosine,
            seed: self.seed.derive("train", next.into()).0,
            config: config.clone(),
            window,
        };
        self.dir.write_text(&self.dir.plan(next), &plan.to_toml()?)?;
        self.state.planned_samples = sealed;
        self.state.phase = Phase::Train;
        Ok(())
    }

    /// Steps that fill the time left, but never fewer than the promised uses of every position.
    fn closing_steps(&self, samples: u64) -> u64 {
        let batch = self.config.train.batch as f64;
        let left = self.budget.saturating_sub(self.clock.active()).as_secs_f64();
        let affordable = self.state.training_rate * left;
        let promised = f64::from(self.config.schedule.closing_epochs) * samples as f64;
        (affordable.max(promised) / batch).ceil() as u64
    }

    /// Trains the next generation by its plan, unless that was done before a crash.
    pub(super) fn learn(&mut self) -> Result<()> {
        let next = self.state.generation + 1;
        let checkpoints = Checkpoints::open(self.dir.checkpoints())?;
        if !checkpoints.path(next.into()).exists() {
            let plan = self.read_plan(next)?;
            if !self.carry_out(&plan, next)? {
                return Ok(()); // Interrupted; the phase is done again.
            }
            let facts = self.facts(next);
            self.show(Work::short(format!("writing checkpoint {next}")));
            checkpoints.write(next.into(), self.trainer()?, &facts)?;
        }
        self.forget_partial()?;
        self.state.trained_samples = self.state.planned_samples;
        self.state.generation = next;
        if next == 1 {
            self.state.first_net_seconds = self.clock.active().as_secs_f64();
        }
        if self.state.closing {
            self.state.phase = Phase::Verdict;
        } else if self.clock.active() >= self.play_end() {
            self.begin_training()?;
        } else {
            self.state.phase = Phase::Evaluate;
        }
        Ok(())
    }

    pub(super) fn read_plan(&self, generation: u32) -> Result<Plan> {
        let path = self.dir.plan(generation);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Plan::from_toml(&text).with_context(|| path.display().to_string())
    }

    /// Takes the plan's steps; false if the user stopped it.
    fn carry_out(&mut self, plan: &Plan, generation: u32) -> Result<bool> {
        self.show(Work::short("preparing the trainer"));
        self.trainer()?;
        let mut trainer = self.learner.trainer.take().expect("it was just made");
        self.train_metrics.forget_beyond(trainer.step())?;
        if !self.read_window(&plan.window)? {
            return Ok(false);
        }
        loop {
            let done = self.take_steps(&mut trainer, plan, generation)?;
            if !done {
                self.keep_partial(&trainer, generation)?;
            }
            if done || self.stop.load(Relaxed) {
                self.learner.trainer = Some(trainer);
                return Ok(done);
            }
        }
    }

    /// Takes steps until the plan is done, it is time to keep them, or the user stops it; true if
    /// the plan is done.
    fn take_steps(&mut self, trainer: &mut Trainer, plan: &Plan, generation: u32) -> Result<bool> {
        let (begun, first) = (Instant::now(), trainer.step() - plan.start_step);
        let batch = plan.config.batch as f64;
        let keep_every = duration(&self.config.execution.keep_every).expect("checked when loaded");
        let mut sums = Sums::default();
        let mut fault = None;
        let (progress, metrics) = (&self.progress, &mut self.train_metrics);
        let (clock, stop) = (&self.clock, &self.stop);
        let (dir, state, mut saved) = (&self.dir, &mut self.state, Instant::now());
        let ran = trainer.run(plan, &self.learner.dataset, LOADERS, &mut |event| {
            sums.add(&event);
            let taken = (event.phase_step - first) as f64;
            let rate = batch * taken / begun.elapsed().as_secs_f64();
            state.training_rate = rate;
            let mut view = progress.view();
            view.work =
                Work::Train { step: event.phase_step, steps: plan.steps, samples_per_second: rate };
            let keep = begun.elapsed() >= keep_every;
            let stops = keep || event.phase_step == plan.steps || stop.load(Relaxed);
            if sums.steps == STEPS_A_ROW || stops {
                let row = sums.row(generation, &event, clock.active());
                view.losses = Some([row.policy, row.wdl, row.total]);
                fault = metrics.add(&row).err();
                sums = Sums::default();
            }
            drop(view);
            if saved.elapsed() >= SAVE_EVERY {
                saved = Instant::now();
                state.active_seconds = clock.active().as_secs_f64();
                fault = fault.take().or(dir.write(&dir.join("state.toml"), state).err());
            }
            if stops || fault.is_some() { Control::Stop } else { Control::Continue }
        });
        let done = ran? == train::Progress::Done;
        fault.map_or(Ok(done), Err)
    }

    /// Keeps the steps of a plan that is not done; the same plan goes on from there.
    fn keep_partial(&self, trainer: &Trainer, generation: u32) -> Result<()> {
        let partial = Checkpoints::open(self.partial())?;
        let before = partial.numbers()?;
        if before.contains(&trainer.step()) {
            return Ok(());
        }
        partial.write(trainer.step(), trainer, &self.facts(generation))?;
        for number in before {
            let path = partial.path(number);
            fs::remove_dir_all(&path)
                .with_context(|| format!("cannot remove {}", path.display()))?;
        }
        Ok(())
    }

    /// The steps kept of the plan that trains `generation`.
    fn read_partial(&self, generation: u32) -> Result<Option<Checkpoint>> {
        if self.state.phase != Phase::Train || !self.partial().exists() {
            return Ok(None);
        }
        let latest = Checkpoints::open(self.partial())?.latest()?;
        for (_, error) in latest.skipped {
            self.tell(&format!("{error}; the plan's steps kept there are taken again"))?;
        }
        let of_plan =
            |kept: &Checkpoint| kept.meta.info.get("generation") == Some(&generation.to_string());
        Ok(latest.checkpoint.filter(of_plan))
    }

    pub(super) fn forget_partial(&self) -> Result<()> {
        let path = self.partial();
        if path.exists() {
            fs::remove_dir_all(&path)
                .with_context(|| format!("cannot remove {}", path.display()))?;
        }
        Ok(())
    }

    fn partial(&self) -> PathBuf {
        self.dir.join("partial")
    }

    /// The trainer as the present generation left it, or as an interrupted plan did.
    fn trainer(&mut self) -> Result<&Trainer> {
        if self.learner.trainer.is_none() {
            let trainer = match self.read_partial(self.state.generation + 1)? {
                Some(kept) => self.resumed(&kept)?,
                None => self.trainer_of(self.state.generation)?,
            };
            self.learner.trainer = Some(trainer);
        }
        Ok(self.learner.trainer.as_ref().expect("it was just made"))
    }

    /// The trainer as a generation left it.
    pub(super) fn trainer_of(&self, generation: u32) -> Result<Trainer> {
        if generation > 0 {
            let checkpoints = Checkpoints::open(self.dir.checkpoints())?;
            return self.resumed(&checkpoints.read(generation.into())?);
        }
        let (graph, weights) = self.untrained()?;
        self.with_lanes(Trainer::new(&graph, &weights, net::Device::cuda_if_available())?)
    }

    fn resumed(&self, checkpoint: &Checkpoint) -> Result<Trainer> {
        self.with_lanes(Trainer::resume(checkpoint, net::Device::cuda_if_available())?)
    }

    fn with_lanes(&self, mut trainer: Trainer) -> Result<Trainer> {
        trainer.set_lanes(or_cores(self.config.execution.train_threads));
        Ok(trainer)
    }

    /// What a checkpoint says of its origin.
    pub(super) fn facts(&self, generation: u32) -> Metadata {
        let facts = [
            ("producer", concat!("narikin ", env!("CARGO_PKG_VERSION")).to_owned()),
            ("variant", self.variant.id().to_owned()),
            ("board_fingerprint", self.variant.board_fingerprint().to_string()),
            ("rules_fingerprint", self.variant.rules_fingerprint().to_string()),
            ("encoding", self.encoder.encoding().as_str().to_owned()),
            ("vocabulary_fingerprint", self.encoder.vocabulary().fingerprint().to_string()),
            ("encoder_fingerprint", self.encoder.fingerprint().to_string()),
            ("generation", generation.to_string()),
            ("samples", self.state.planned_samples.to_string()),
        ];
        facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

impl Sums {
    fn add(&mut self, event: &TrainEvent) {
        let Losses { policy, wdl, reply, soft_policy, short_term, plies_left, total } =
            event.losses;
        let values =
            [event.gradient_norm, total, policy, wdl, reply, soft_policy, short_term, plies_left];
        self.steps += 1;
        for (sum, value) in self.values.iter_mut().zip(values) {
            *sum += f64::from(value);
        }
    }

    fn row(&self, generation: u32, event: &TrainEvent, active: Duration) -> Row {
        let [gradient_norm, total, policy, wdl, reply, soft_policy, short_term, plies_left] =
            self.values.map(|sum| sum / self.steps as f64);
        Row {
            generation,
            step: event.step,
            active_seconds: active.as_secs_f64(),
            learning_rate: event.lr,
            gradient_norm,
            total,
            policy,
            wdl,
            reply,
            soft_policy,
            short_term,
            plies_left,
        }
    }
}
