//! The end of a run: the last generation against every opponent, and the table of it all.

use std::ops::Add;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use arena::Estimate;
use serde::Serialize;

use super::Run;
use crate::config::duration;
use crate::results::{Matches, Opponent};
use crate::run_dir::Phase;
use crate::text::{clock, table, thousands};
use crate::{Verdict, output};

/// What a run has come to. Games and positions are those of sealed chunks.
#[derive(Serialize)]
struct Report {
    dir: String,
    variant: String,
    generations: u32,
    games: u64,
    positions: u64,
    /// Record files that were found damaged, set aside and played again.
    damaged_records: u64,
    /// Positions of generation 1 and later.
    net_positions: u64,
    /// Fewest uses in training of any of those, and how often they were used on average.
    fewest_uses: f64,
    mean_uses: f64,
    evaluations: u64,
    seconds: f64,
    /// Active time when the first trained generation stood.
    first_net_seconds: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    opponents: Vec<Opponent>,
}

impl Run {
    /// Plays the closing matches that have not been played yet.
    pub(super) fn judge(&mut self) -> Result<()> {
        self.clock.stop();
        self.progress.view().clock = self.clock;
        let path = self.verdict_path();
        let mut matches: Matches = self.dir.read(&path)?.unwrap_or_default();
        let budget = duration(&self.config.evaluate.verdict_budget).expect("checked when loaded");
        let end = Instant::now() + budget;
        let names = self.config.evaluate.opponents.clone();
        for (index, name) in names.iter().enumerate() {
            if matches.opponents.iter().any(|played| played.name == *name) {
                continue;
            }
            let left = end.saturating_duration_since(Instant::now());
            let share = left / (names.len() - index) as u32;
            // A match may use half of all that is left, which leaves enough for shorter ones.
            match self.judge_against(name, share.max(left / 2)) {
                Ok(_) if self.stop.load(Relaxed) => return Ok(()),
                Ok(opponent) => matches.opponents.push(opponent),
                Err(error) => self.go_on_without(name, error)?,
            }
            self.dir.write(&path, &matches)?;
        }
        self.state.phase = Phase::Done;
        Ok(())
    }

    fn verdict_path(&self) -> std::path::PathBuf {
        Matches::path(self.dir.root(), self.state.generation)
    }

    /// One closing match, ended after `time`.
    fn judge_against(&self, name: &str, time: Duration) -> Result<Opponent> {
        let games = self.config.evaluate.verdict_games;
        let halt = Arc::new(AtomicBool::new(false));
        let done = AtomicBool::new(false);
        let result = thread::scope(|scope| {
            let (user, halt, done) = (&self.stop, &halt, &done);
            let guard = scope.spawn(move || {
                let end = Instant::now() + time;
                while !done.load(Relaxed) && !user.load(Relaxed) && Instant::now() < end {
                    thread::park_timeout(Duration::from_millis(50));
                }
                halt.store(true, Relaxed);
            });
            let result = self.play_opponent(self.state.generation, name, games, halt);
            done.store(true, Relaxed);
            guard.thread().unpark();
            result
        })?;
        let total = result.total();
        // No pair of games ended in time: nothing is known.
        let (score, low, high) = Estimate::of_pairs(&result.pentanomial)
            .map_or((0.5, 0.0, 1.0), |estimate| (estimate.score, estimate.low, estimate.high));
        Ok(Opponent {
            name: name.to_owned(),
            games: total.games(),
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            score,
            low,
            high,
        })
    }

    /// Prints what the run has come to.
    pub(super) fn report(self, json: bool) -> Result<Verdict> {
        let matches: Matches = self.dir.read(&self.verdict_path())?.unwrap_or_default();
        let net = |info: &records::ChunkInfo| {
            info.by_generation.range(1..).map(|(_, count)| count).sum::<u64>()
        };
        let uses = self.uses()?;
        let with_net: Vec<_> = self.chunks.values().filter(|info| net(info) > 0).collect();
        let uses_of = |info: &records::ChunkInfo| uses.get(&info.chunk).copied().unwrap_or(0.0);
        let net_positions: u64 = with_net.iter().copied().map(net).sum();
        let used = with_net.iter().map(|info| uses_of(info) * net(info) as f64).fold(0.0, f64::add);
        let report = Report {
            dir: self.dir.root().display().to_string(),
            variant: self.variant.id().to_owned(),
            generations: self.state.generation,
            games: self.chunks.values().map(|info| info.games).sum(),
            positions: self.chunks.values().map(|info| info.positions).sum(),
            damaged_records: self.state.damaged_records,
            net_positions,
            fewest_uses: with_net.iter().map(|info| uses_of(info)).reduce(f64::min).unwrap_or(0.0),
            mean_uses: used / net_positions.max(1) as f64,
            evaluations: self.state.evaluations,
            seconds: self.state.active_seconds,
            first_net_seconds: self.state.first_net_seconds,
            elo: self.ladder.elo().map(|(elo, _)| elo),
            elo_error: self.ladder.elo().map(|(_, error)| error),
            opponents: matches.opponents,
        };
        drop(self.progress);
        if json {
            output::json(&report)
        } else {
            report.print()
        }
        Ok(Verdict::Good)
    }
}

impl Report {
    fn print(&self) {
        output::result(&format!(
            "{}: {} generations in {}, the first net after {}\n\
             {} games, {} positions, {} evaluations\n\
             {} positions with a net, each used {:.1} times in training (at least {:.1})",
            self.dir,
            self.generations,
            clock(Duration::from_secs_f64(self.seconds)),
            clock(Duration::from_secs_f64(self.first_net_seconds)),
            thousands(self.games),
            thousands(self.positions),
            thousands(self.evaluations),
            thousands(self.net_positions),
            self.mean_uses,
            self.fewest_uses,
        ));
        if self.damaged_records > 0 {
            output::result(&format!(
                "{} record files were damaged: they lie in games/damaged, their games were played \
                 again",
                self.damaged_records
            ));
        }
        if let (Some(elo), Some(error)) = (self.elo, self.elo_error) {
            output::result(&format!(
                "Elo {elo:+.0} ± {error:.0} above generation 0, when last rated"
            ));
        }
        let last = format!("generation {} against", self.generations);
        let mut table = table(&[&last, "games", "won", "drawn", "lost", "score", "95 %"]);
        for opponent in &self.opponents {
            table.add_row([
                opponent.name.clone(),
                opponent.games.to_string(),
                opponent.wins.to_string(),
                opponent.draws.to_string(),
                opponent.losses.to_string(),
                format!("{:.1} %", opponent.score * 100.0),
                format!("{:.1} to {:.1}", opponent.low * 100.0, opponent.high * 100.0),
            ]);
        }
        output::result(&table.to_string());
    }
}
