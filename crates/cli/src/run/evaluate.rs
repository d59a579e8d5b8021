//! Matches inside a run: a generation against the one rated before it and at times against a fixed
//! yardstick, within a share of the active time. All results together make the ratings.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{Context, Result};
use arena::{
    Estimate, GameResult, MatchResult, MatchSpec, OpeningError, Player, PlayerError, RatingError,
    Results, Z95, fit, play_match,
};
use serde::{Deserialize, Serialize};

use super::Run;
use crate::metrics;
use crate::players::{Counted, NetSource, PlayerName};
use crate::progress::{Meter, Work};
use crate::run_dir::Phase;

/// Another opponent, when the number of matches comes to a multiple of this, so that the ladder also
/// stands on fixed ground.
const YARDSTICK: &str = "alphabeta-3";
const YARDSTICK_EVERY: usize = 3;
/// The name of the players without a net.
const ANCHOR: &str = "generation-0";
/// A row of `metrics/arena.csv`: one match, seen from the generation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Row {
    generation: u32,
    active_seconds: f64,
    opponent: String,
    /// Wins, draws and losses with the first move, then with the second.
    wins_first: u64,
    draws_first: u64,
    losses_first: u64,
    wins_second: u64,
    draws_second: u64,
    losses_second: u64,
    score: f64,
    score_low: f64,
    score_high: f64,
    /// Elo of the generation and half its 95 % interval, from all matches up to this one.
    elo: f64,
    elo_error: f64,
}

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

/// All matches of a run's generations, and what follows from them.
#[derive(Debug, Default)]
pub(super) struct Ladder {
    rows: Vec<Row>,
}

impl Ladder {
    /// Reads `metrics/arena.csv`.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut reader = csv::Reader::from_path(path)?;
        let rows = reader.deserialize().collect::<Result<_, _>>();
        Ok(Self { rows: rows.with_context(|| path.display().to_string())? })
    }

    /// Whom a generation meets to be rated: nobody if it was rated before a crash.
    fn opponents(&self, generation: u32) -> Vec<String> {
        let last = self.rows.last().map_or(0, |row| row.generation);
        if last >= generation {
            return Vec::new();
        }
        let mut opponents = vec![format!("generation-{last}")];
        if (self.rows.len() + 1).is_multiple_of(YARDSTICK_EVERY) {
            opponents.push(YARDSTICK.to_owned());
        }
        opponents
    }

    /// Elo and half its 95 % interval of the generation rated last.
    pub(super) fn elo(&self) -> Option<(f64, f64)> {
        self.rows.last().map(|row| (row.elo, row.elo_error))
    }

    /// Adds a match and rates the generation by all of them.
    fn add(&mut self, mut row: Row) -> Result<Row> {
        let name = format!("generation-{}", row.generation);
        self.rows.push(row.clone());
        let mut numbers = BTreeMap::from([(ANCHOR.to_owned(), 0)]);
        let mut number = |name: &str| {
            let next = numbers.len();
            *numbers.entry(name.to_owned()).or_insert(next)
        };
        let mut results = Vec::new();
        for row in &self.rows {
            let (own, other) =
                (number(&format!("generation-{}", row.generation)), number(&row.opponent));
            results.push(Results {
                first: own,
                second: other,
                first_wins: row.wins_first,
                draws: row.draws_first,
                second_wins: row.losses_first,
            });
            results.push(Results {
                first: other,
                second: own,
                first_wins: row.losses_second,
                draws: row.draws_second,
                second_wins: row.wins_second,
            });
        }
        let own = number(&name);
        let ratings = fit(numbers.len(), &results, 0)?;
        row.elo = ratings.players[own].elo;
        row.elo_error = Z95 * ratings.players[own].sd;
        *self.rows.last_mut().expect("a row was pushed") = row.clone();
        Ok(row)
    }
}

impl Run {
    /// Rates the newest generation, if its matches fit into the share of time that they may take.
    pub(super) fn evaluate(&mut self) -> Result<()> {
        let generation = self.state.generation;
        let since = Instant::now();
        // The share is never overrun by more than a match.
        if self.evaluation_is_due() {
            for opponent in self.ladder.opponents(generation) {
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
        let own: PlayerName = format!("generation-{generation}").parse()?;
        let other: PlayerName = opponent.parse()?;
        let source = NetSource {
            run: Some(self.dir.root().to_owned()),
            encoder: self.encoder.clone(),
            runtime: Some(self.runtime.clone()),
            simulations: self.config.evaluate.simulations,
        };
        let seed = self.seed.derive("match", generation.into()).derive(opponent, 0);
        let progress = &self.progress;
        let moves = Meter::default();
        let show = |played, score| {
            let (opponent, moves) = (opponent.to_owned(), moves.clone());
            progress.view().work = Work::Match { opponent, played, games, score, moves };
        };
        self.show(Work::short("choosing openings"));
        let spec = MatchSpec::varied(self.variant.clone(), games as usize / 2, seed)?;
        let tally = Mutex::new((0u32, 0usize));
        let on_game = |game: &GameResult| {
            let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            tally.0 += 1;
            tally.1 += game.half_points(0);
            let score = tally.1 as f64 / f64::from(2 * tally.0);
            show(tally.0, score);
        };
        let counted = |name: &PlayerName| -> Result<Box<dyn Player>, PlayerError> {
            Ok(Box::new(Counted::new(source.player_of_match(name)?, moves.clone())))
        };
        show(0, 0.0);
        let workers = NonZeroUsize::new(self.workers.len()).expect("a run has workers");
        let result =
            play_match(&spec, [&|| counted(&own), &|| counted(&other)], workers, &on_game, stop)?;
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(generation: u32, opponent: &str, wins: u64, losses: u64) -> Row {
        Row {
            generation,
            active_seconds: 0.0,
            opponent: opponent.to_owned(),
            wins_first: wins,
            draws_first: 0,
            losses_first: losses,
            wins_second: wins,
            draws_second: 0,
            losses_second: losses,
            score: 0.0,
            score_low: 0.0,
            score_high: 0.0,
            elo: 0.0,
            elo_error: 0.0,
        }
    }

    #[test]
    fn ratings_add_up_along_the_ladder() {
        let mut ladder = Ladder::default();
        let first = ladder.add(row(1, ANCHOR, 15, 5)).unwrap();
        let second = ladder.add(row(4, "generation-1", 15, 5)).unwrap();
        // Three wins to one loss are 190.85 Elo.
        assert!((first.elo - 190.85).abs() < 0.1, "{}", first.elo);
        assert!((second.elo - 381.7).abs() < 0.2, "{}", second.elo);
        assert!(second.elo_error > first.elo_error);
        assert_eq!(ladder.opponents(6), ["generation-4", YARDSTICK]);
        assert!(ladder.opponents(4).is_empty(), "rated before");
        ladder.add(row(6, "generation-4", 15, 5)).unwrap();
        let third = ladder.add(row(6, YARDSTICK, 20, 0)).unwrap();
        assert!(third.elo > second.elo, "{} is above generation 0", third.elo);
        assert_eq!(ladder.opponents(7), ["generation-6"]);
    }
}
