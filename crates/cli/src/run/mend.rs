//! What a run does about damaged files before it goes on. Nothing is deleted, and everything is
//! told: on the terminal, in the log, and by counts in `state.toml`.
//!
//! - A damaged record file is set aside when the run is opened; the games of its chunk are played
//!   again from their seeds, by the present generation. A plan that was to draw on them is made anew.
//! - A damaged checkpoint is set aside and trained again by its saved plan, from the checkpoint
//!   before it: the same weights, bit for bit, for the same number of training threads. Where the
//!   plan or its games are lost too, the run falls back to the newest good checkpoint and goes on
//!   from there.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, Result, anyhow, bail, ensure};
use train::{Checkpoint, Checkpoints, Control, Progress};

use super::Run;
use super::learn::LOADERS;
use super::survey::Damaged;
use crate::clock::Clock;
use crate::progress::Work;
use crate::results::Ladder;
use crate::run_dir::Phase;

impl Run {
    /// Sets right what damaged files have left undone; ends early if the user stops it, and is then
    /// to be called again when the run is next opened.
    pub(super) fn mend(&mut self) -> Result<()> {
        for Damaged { error, moved } in std::mem::take(&mut self.damaged) {
            let games = self.config.selfplay.games_per_chunk;
            self.state.damaged_records += 1;
            self.tell(&format!(
                "damaged record file: {error}; it lies in {} now, and its {games} games are played \
                 again",
                moved.display()
            ))?;
            self.save()?;
        }
        self.mend_plan()?;
        for generation in self.needed() {
            if let Err(cause) = self.check(generation) {
                self.mend_checkpoint(generation, &cause)?;
            }
            if self.stop.load(Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// A plan that cannot be carried out is made anew, which self-play does when it ends.
    fn mend_plan(&mut self) -> Result<()> {
        let next = self.state.generation + 1;
        let trained = self.dir.checkpoints().join(format!("{next:06}")).exists();
        if self.state.phase != Phase::Train || trained {
            return Ok(());
        }
        if let Err(cause) = self.ready_plan(next) {
            self.tell(&format!("training of generation {next} is planned anew: {cause:#}"))?;
            self.forget_partial()?;
            self.state.phase = Phase::SelfPlay;
            self.save()?;
        }
        Ok(())
    }

    /// A plan, if all its games are those that it was made for.
    fn ready_plan(&self, generation: u32) -> Result<train::Plan> {
        let plan = self.read_plan(generation)?;
        for &chunk in &plan.window.chunks {
            ensure!(
                self.was_there(chunk, generation),
                "the games of {} are no longer those of its plan",
                self.collector.store().path(chunk).display()
            );
        }
        Ok(plan)
    }

    /// Generations whose nets the run is going to use, ascending.
    fn needed(&self) -> Vec<u32> {
        let named = self.config.evaluate.opponents.iter().filter_map(|name| {
            name.strip_prefix("generation-").and_then(|number| number.parse().ok())
        });
        let mut needed: Vec<u32> = named.collect();
        needed.extend([self.state.generation, self.ladder.last()]);
        needed.retain(|&generation| (1..=self.state.generation).contains(&generation));
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Reads a generation's checkpoint, all of it.
    fn check(&self, generation: u32) -> Result<Checkpoint> {
        let checkpoint = Checkpoints::open(self.dir.checkpoints())?.read(generation.into())?;
        let board = checkpoint.meta.info.get("board_fingerprint");
        ensure!(
            board.is_none_or(|board| *board == self.variant.board_fingerprint().to_string()),
            "{} belongs to another board",
            checkpoint.path.display()
        );
        Ok(checkpoint)
    }

    /// Trains a generation again, after those before it that are lost as well; where that cannot be
    /// done and the generation is the present one, falls back to an earlier one.
    fn mend_checkpoint(&mut self, generation: u32, cause: &anyhow::Error) -> Result<()> {
        let mut lost = vec![(generation, format!("{cause:#}"))];
        while let Some(before) = lost.last().map(|&(lost, _)| lost - 1).filter(|&n| n > 0)
            && let Err(cause) = self.check(before)
        {
            lost.push((before, format!("{cause:#}")));
        }
        while let Some((lost, cause)) = lost.pop() {
            if let Err(obstacle) = self.ready_plan(lost) {
                let what = format!("{cause}; it cannot be trained again: {obstacle:#}");
                return self.fall_back(lost, generation, &what);
            }
            self.tell(&format!("damaged checkpoint: {cause}; generation {lost} is trained again"))?;
            if !self.train_again(lost)? {
                return Ok(()); // The user stopped it.
            }
            self.tell(&format!("generation {lost} is there again"))?;
        }
        Ok(())
    }

    /// Trains a generation by its plan, from the checkpoint before it; false if the user stopped it.
    fn train_again(&mut self, generation: u32) -> Result<bool> {
        let checkpoints = Checkpoints::open(self.dir.checkpoints())?;
        if let Some(moved) = checkpoints.set_aside(generation.into())? {
            self.tell(&format!("the damaged files lie in {} now", moved.display()))?;
        }
        let plan = self.ready_plan(generation)?;
        let mut trainer = self.trainer_of(generation - 1)?;
        if !self.read_window(&plan.window)? {
            return Ok(false);
        }
        let (progress, stop) = (&self.progress, &self.stop);
        let begun = std::time::Instant::now();
        let ran = trainer.run(&plan, &self.learner.dataset, LOADERS, &mut |event| {
            let done = event.phase_step as f64 * plan.config.batch as f64;
            progress.view().work = Work::Train {
                step: event.phase_step,
                steps: plan.steps,
                samples_per_second: done / begun.elapsed().as_secs_f64(),
            };
            if stop.load(Relaxed) { Control::Stop } else { Control::Continue }
        })?;
        if ran == Progress::Done {
            checkpoints.write(generation.into(), &trainer, &self.facts(generation))?;
        }
        Ok(ran == Progress::Done)
    }

    /// Goes back to the generation before `lost`, the first that cannot be had again. `wanted`, which
    /// needed it, may be an opponent only: then it is left out.
    fn fall_back(&mut self, lost: u32, wanted: u32, what: &str) -> Result<()> {
        if wanted < self.state.generation {
            return self.tell(&format!("no matches against generation {wanted}: {what}"));
        }
        let good = lost - 1;
        self.tell(&format!("damaged checkpoint: {what}; the run goes on from generation {good}"))?;
        let checkpoints = Checkpoints::open(self.dir.checkpoints())?;
        for number in lost..=self.state.generation {
            checkpoints.set_aside(number.into())?;
            let verdict = self.dir.join(&format!("arena/verdict-{number:06}.toml"));
            if verdict.exists() {
                fs::rename(&verdict, verdict.with_extension("toml.lost"))
                    .with_context(|| format!("cannot rename {}", verdict.display()))?;
            }
        }
        self.forget_partial()?;
        self.arena_metrics.forget_generations_beyond(good)?;
        self.ladder = Ladder::read(&self.dir.join("metrics/arena.csv"))?;
        let samples = match good {
            0 => 0,
            _ => samples_of(&self.check(good)?)?,
        };
        if matches!(self.state.phase, Phase::Verdict | Phase::Done) {
            self.clock = Clock::start(self.clock.active());
            self.progress.view().clock = self.clock;
        }
        self.state.generation = good;
        self.state.phase = Phase::SelfPlay;
        self.state.closing = false;
        self.state.closing_budget = 0.0;
        self.state.trained_samples = samples;
        self.state.planned_samples = samples;
        self.save()
    }
}

/// Samples that were sealed when a checkpoint's plan was made.
fn samples_of(checkpoint: &Checkpoint) -> Result<u64> {
    let samples = checkpoint.meta.info.get("samples").and_then(|text| text.parse().ok());
    samples.with_context(|| format!("{} does not tell its samples", checkpoint.path.display()))
}

/// What `state.toml` would say of a run that has lost it, but for times that only it knew.
pub(super) fn rebuilt_state(dir: &crate::run_dir::RunDir) -> Result<crate::run_dir::State> {
    let mut state = crate::run_dir::State::new();
    let latest = Checkpoints::open(dir.checkpoints())?.latest()?;
    let Some(checkpoint) = latest.checkpoint else {
        return Ok(state);
    };
    let number = checkpoint.meta.number;
    state.generation = u32::try_from(number).map_err(|_| anyhow!("checkpoint {number}"))?;
    state.trained_samples = samples_of(&checkpoint)?;
    state.planned_samples = state.trained_samples;
    for name in ["selfplay", "train", "arena"] {
        let seconds = last_time(&dir.join(&format!("metrics/{name}.csv")))?;
        state.active_seconds = state.active_seconds.max(seconds);
    }
    Ok(state)
}

/// The largest `active_seconds` of a CSV file; 0 if there is none.
fn last_time(path: &Path) -> Result<f64> {
    if !path.exists() {
        return Ok(0.0);
    }
    let fault = || path.display().to_string();
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).from_path(path).with_context(fault)?;
    let names = reader.headers().with_context(fault)?;
    let Some(column) = names.iter().position(|name| name == "active_seconds") else {
        return Ok(0.0);
    };
    let mut last = 0.0_f64;
    for row in reader.records() {
        let row = row.with_context(fault)?;
        last =
            row.get(column).and_then(|text| text.parse().ok()).map_or(last, |time| last.max(time));
    }
    if !last.is_finite() {
        bail!("{}: a time is not finite", path.display());
    }
    Ok(last)
}
