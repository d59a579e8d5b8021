//! The self-play phase: the present generation plays until it has recorded its positions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ::selfplay::{Control, Counters, PhaseEnd, SelfPlayError, play_phase};
use anyhow::Result;
use serde::Serialize;

use super::Run;
use crate::metrics;
use crate::players::GenerationEvaluator;
use crate::progress::Work;

/// Time between two writings of the state within a phase.
pub(super) const SAVE_EVERY: Duration = Duration::from_secs(5);

/// A row of `metrics/selfplay.csv`: one phase of one process. Games that end in it count, whether
/// their chunk is sealed or, after a crash, they are played again.
#[derive(Default, Serialize)]
pub(super) struct Row {
    generation: u32,
    active_seconds: f64,
    seconds: f64,
    games: u64,
    positions: u64,
    simulations: u64,
    evaluations: u64,
    positions_per_second: f64,
    evaluations_per_second: f64,
    remembered: u64,
    batch_fill: f64,
    mean_plies: f64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
}

impl metrics::Row for Row {
    /// The generation.
    fn step(&self) -> u64 {
        self.generation.into()
    }

    fn scalars(&self) -> Vec<(String, f64)> {
        let share = |games: f64| games / self.games.max(1) as f64;
        let (first, draws) = (self.first_wins as f64, self.draws as f64);
        metrics::named(&[
            ("positions_per_second", self.positions_per_second),
            ("evaluations_per_second", self.evaluations_per_second),
            ("remembered_share", self.remembered as f64 / self.evaluations.max(1) as f64),
            ("batch_fill", self.batch_fill),
            ("games", self.games as f64),
            ("positions", self.positions as f64),
            ("mean_plies", self.mean_plies),
            ("first_player_score", share(first + draws / 2.0)),
            ("draw_share", share(draws)),
        ])
    }
}

/// Endings of the games of a phase.
#[derive(Default)]
struct Endings {
    games: u64,
    plies: u64,
    first: u64,
    second: u64,
    draws: u64,
}

impl Run {
    pub(super) fn play(&mut self) -> Result<()> {
        let generation = self.state.generation;
        let goal = self.goal(generation);
        let play_end = self.play_end();
        let mut evaluators = (0..self.workers.len())
            .map(|_| self.generation(generation))
            .collect::<Result<Vec<_>>>()?;
        let counters = Arc::new(Counters::default());
        let since = Instant::now();
        self.show(Work::SelfPlay {
            counters: Arc::clone(&counters),
            since,
            goal: goal.saturating_sub(self.positions),
        });
        let mut endings = Endings::default();
        let mut workers = std::mem::take(&mut self.workers);
        let (numbers, stop) = (Arc::clone(&self.numbers), Arc::clone(&self.stop));
        let (mut saved, mut counted) = (Instant::now(), 0);
        let end = play_phase(
            &mut workers,
            &mut evaluators,
            generation,
            &numbers,
            &counters,
            &stop,
            &mut |record| {
                endings.count(&record);
                self.take(record).map_err(|error| SelfPlayError::Sink(error.into()))?;
                if saved.elapsed() >= SAVE_EVERY {
                    saved = Instant::now();
                    let evaluations = counters.evaluations();
                    self.state.evaluations += evaluations - counted;
                    counted = evaluations;
                    self.save().map_err(|error| SelfPlayError::Sink(error.into()))?;
                }
                let enough = self.positions >= goal || self.clock.active() >= play_end;
                // Training needs a sealed chunk at least.
                let enough = enough && !self.chunks.is_empty();
                Ok(if enough { Control::Stop } else { Control::Continue })
            },
        );
        self.workers = workers;
        let end = end?;
        self.state.evaluations += counters.evaluations() - counted;
        let remembered = evaluators.iter().map(GenerationEvaluator::remembered).sum();
        self.selfplay_row(&counters, remembered, &endings, since.elapsed())?;
        if end == PhaseEnd::Enough {
            self.begin_training()?;
        }
        Ok(())
    }

    /// What evaluates positions for a generation, one for each thread.
    pub(super) fn generation(&self, generation: u32) -> Result<GenerationEvaluator> {
        GenerationEvaluator::of_run(
            self.dir.root(),
            generation,
            &self.encoder,
            &self.runtime,
            self.config.execution.backend,
            self.config.execution.cache_mb << 20,
        )
    }

    /// Positions that are recorded in all when `generation` has played its share.
    fn goal(&self, generation: u32) -> u64 {
        let schedule = &self.config.schedule;
        schedule.first_positions + u64::from(generation) * schedule.positions
    }

    /// Takes in a finished game; seals its chunk if it was the last of it.
    fn take(&mut self, record: records::GameRecord) -> Result<()> {
        self.games += 1;
        self.positions += record.plies.len() as u64;
        if let Some(info) = self.collector.push(record)? {
            self.chunks.insert(info.chunk, info);
        }
        let mut view = self.progress.view();
        view.games = self.games;
        view.positions = self.positions;
        Ok(())
    }

    fn selfplay_row(
        &mut self,
        counters: &Counters,
        remembered: u64,
        endings: &Endings,
        time: Duration,
    ) -> Result<()> {
        let seconds = time.as_secs_f64();
        self.selfplay_metrics.add(&Row {
            generation: self.state.generation,
            active_seconds: self.clock.active().as_secs_f64(),
            seconds,
            games: endings.games,
            positions: counters.positions(),
            simulations: counters.simulations(),
            evaluations: counters.evaluations(),
            positions_per_second: counters.positions() as f64 / seconds,
            evaluations_per_second: counters.evaluations() as f64 / seconds,
            remembered,
            batch_fill: counters.batch_fill(),
            mean_plies: endings.plies as f64 / endings.games.max(1) as f64,
            first_wins: endings.first,
            second_wins: endings.second,
            draws: endings.draws,
        })
    }
}

impl Endings {
    fn count(&mut self, record: &records::GameRecord) {
        self.games += 1;
        self.plies += (record.start_moves.len() + record.plies.len()) as u64;
        match record.outcome.as_str() {
            "first" => self.first += 1,
            "second" => self.second += 1,
            _ => self.draws += 1,
        }
    }
}
