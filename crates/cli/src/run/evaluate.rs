//! Matches inside a run: a generation against the one rated before it and at times against a fixed
//! yardstick, within a share of the active time. All results together make the ratings.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::Result;
use arena::stats::RatingError;
use arena::{
    Adjudication, Entrant, Estimate, Format, GAMES_IN_FLIGHT, GameResult, Limits, MatchResult,
    OpeningConfig, OpeningError, Player, PlayerError, Schedule, Tournament, openings, play_config,
};
use mcts::SearchConfig;

use super::Run;
use crate::metrics;
use crate::players::{Counted, NetSource, PlayerName, model_path};
use crate::progress::{Meter, Work};
use crate::results::Row;
use crate::run_dir::Phase;

impl metrics::Row for Row {
    /// The generation.
    fn step(&self) -> u64 {
        self.generation.into()
    }

    fn scalars(&self) -> Vec<(String, f64)> {
        let before = self.opponent.starts_with("generation-");
        let opponent = if before { "before" } else { &self.opponent };
        let mut scalars = metrics::named(&[("elo", self.elo), ("elo_error", self.elo_error)]);
        scalars.push((format!("score_{opponent}"), self.score));
        scalars
    }
}

impl Run {
    /// Rates the newest generation, if its matches fit into the share of time that they may take.
    pub(super) fn evaluate(&mut self) -> Result<()> {
        let generation = self.state.generation;
        let since = Instant::now();
        // The share is never overrun by more than a match.
        if self.evaluation_is_due() {
            let there = |number| model_path(self.dir.root(), number).exists();
            for opponent in self.ladder.opponents(generation, there) {
                if let Err(error) = self.rate(generation, &opponent) {
                    self.go_on_without(&opponent, error)?;
                }
            }
        }
        self.state.evaluation_seconds += since.elapsed().as_secs_f64();
        if !self.stop.load(Relaxed) {
            self.state.phase = Phase::SelfPlay;
        }
        Ok(())
    }

    fn evaluation_is_due(&self) -> bool {
        let spent = self.state.evaluation_seconds;
        let share = self.config.evaluate.share;
        share > 0.0 && spent <= share * self.clock.active().as_secs_f64()
    }

    /// A match that cannot be set up or rated is told and left out: it is no reason to stop a run.
    pub(super) fn go_on_without(&self, opponent: &str, error: anyhow::Error) -> Result<()> {
        if !error.is::<OpeningError>() && !error.is::<RatingError>() {
            return Err(error);
        }
        let text = format!("no match against {opponent}: {error}");
        self.progress.note(&text);
        self.log(&text)
    }

    fn rate(&mut self, generation: u32, opponent: &str) -> Result<()> {
        let games = self.config.evaluate.games;
        let result = self.play_opponent(generation, opponent, games, &self.stop)?;
        if self.stop.load(Relaxed) {
            return Ok(()); // The match is played again, all of it.
        }
        let estimate = Estimate::of_pairs(&result.pentanomial).expect("all pairs were played");
        let [first, second] = result.by_black;
        let row = self.ladder.add(Row {
            generation,
            active_seconds: self.clock.active().as_secs_f64(),
            opponent: opponent.to_owned(),
            wins_first: first.wins,
            draws_first: first.draws,
            losses_first: first.losses,
            wins_second: second.wins,
            draws_second: second.draws,
            losses_second: second.losses,
            score: estimate.score,
            score_low: estimate.low,
            score_high: estimate.high,
            elo: 0.0,
            elo_error: 0.0,
            pairs: result.joint.map(|count| count.to_string()).join(" "),
        })?;
        self.progress.view().elo = Some((row.elo, row.elo_error));
        self.arena_metrics.add(&row)
    }

    /// Plays a generation against an opponent in pairs of games.
    pub(super) fn play_opponent(
        &self,
        generation: u32,
        opponent: &str,
        games: u32,
        stop: &AtomicBool,
    ) -> Result<MatchResult> {
        let own = PlayerName::Spec(format!("generation-{generation}").parse()?);
        let other = PlayerName::Spec(opponent.parse()?);
        let source = NetSource {
            run: Some(self.dir.root().to_owned()),
            encoder: self.encoder.clone(),
            runtime: Some(self.runtime.clone()),
        };
        let simulations = self.config.evaluate.simulations;
        let search = SearchConfig { simulations, ..play_config() };
        let seed = self.seed.derive("match", generation.into()).derive(opponent, 0);
        let progress = &self.progress;
        let moves = Meter::default();
        let show = |played, score| {
            let (opponent, moves) = (opponent.to_owned(), moves.clone());
            progress.view().work = Work::Match { opponent, played, games, score, moves };
        };
        self.show(Work::short("choosing openings"));
        let pairs = games / 2;
        let config = OpeningConfig::default();
        let origin = seed.derive("openings", 0);
        let openings = openings(&self.variant, pairs as usize, &config, origin)?;
        let tally = Mutex::new((0u32, 0usize));
        let on_game = |game: &GameResult| {
            let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            tally.0 += 1;
            tally.1 += game.half_points(0);
            let score = tally.1 as f64 / f64::from(2 * tally.0);
            show(tally.0, score);
        };
        let entrant = |name: &PlayerName| {
            let (name, source, moves) = (name.clone(), &source, moves.clone());
            Entrant {
                name: name.to_string(),
                limits: Limits::default(),
                alone: false,
                make: Box::new(move || -> Result<Box<dyn Player>, PlayerError> {
                    Ok(Box::new(Counted::new(
                        source.player_of_match(&name, search)?,
                        moves.clone(),
                    )))
                }),
            }
        };
        let tournament = Tournament {
            variant: self.variant.clone(),
            entrants: vec![entrant(&own), entrant(&other)],
            schedule: Schedule {
                format: Format::RoundRobin,
                players: 2,
                pairs: Some(pairs.into()),
                seed,
            },
            openings,
            adjudication: Adjudication::default(),
            seed,
            games_in_flight: GAMES_IN_FLIGHT,
            decided: None,
            now: &|| Duration::ZERO,
        };
        show(0, 0.0);
        let workers = NonZeroUsize::new(self.workers.len()).expect("a run has workers");
        let games = tournament.play(Vec::new(), workers, &on_game, stop)?;
        Ok(MatchResult::of([0, 1], &games))
    }
}
