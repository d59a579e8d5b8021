//! `narikin bench arena`: what the arena itself costs, with outside engines and without.

use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command as Program, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use arena::{
    Adjudication, EnginePlayer, EngineSpec, Entrant, Format, GAMES_IN_FLIGHT, GameResult, Limits,
    OpeningConfig, Player, PlayerError, Schedule, Searcher, Tournament, openings,
};
use encode::Encoder;
use inference::{NetEvaluator, OrtBackend, Runtime, net_shape};
use protocol::Protocol;
use rules::{Game, Seed};
use selfplay::{Control, Counters, GameNumbers, Identity, SelfPlayConfig, Worker, play_phase};

use super::selfplay::model_bytes;
use super::{Figure, Report, median};
use crate::cmd::load_variant;
use crate::runtime;

/// Arguments of `bench arena`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A built-in variant's id, or the path of a variant file.
    #[arg(long, default_value = "micro")]
    variant: String,
    /// An exported net; an untrained one of 3 blocks x 32 channels if left out.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Games of each measurement, an even number.
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Simulations a move of games without outside engines.
    #[arg(long, default_value_t = 32)]
    simulations: u32,
    /// Threads; one a core if left out. Games with outside engines take one.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Rounds of all measurements in turn; the medians are reported.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

/// What the measurements share.
struct Setup<'a> {
    args: &'a Args,
    encoder: Arc<Encoder>,
    runtime: Runtime,
    model: Vec<u8>,
    threads: NonZeroUsize,
}

/// Games with outside engines in a measurement: what they cost does not depend on how many there are.
const ENGINE_GAMES: u64 = 20;
/// Questions to a bare engine in one.
const ROUND_TRIPS: u32 = 2000;

/// Carries it out.
pub(super) fn measure(args: &Args) -> Result<Report> {
    ensure!(args.games >= 2 && args.games.is_multiple_of(2), "--games must be even, 2 or more");
    let encoder = Arc::new(Encoder::new(load_variant(&args.variant)?));
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let setup = Setup {
        args,
        model: model_bytes(args.model.as_deref(), &encoder)?,
        encoder,
        runtime: runtime::load()?,
        threads: args.threads.unwrap_or(cores),
    };
    let (mut moves, mut trips, mut matches, mut plays) = (vec![], vec![], vec![], vec![]);
    for _ in 0..args.rounds.max(1) {
        moves.push(setup.engine_move()?);
        trips.push(round_trip()?);
        matches.push(setup.match_games()?);
        plays.push(setup.selfplay_games()?);
    }
    let ratio = |of: &[f64], to: &[f64]| median(of.iter().zip(to).map(|(a, b)| a / b).collect());
    let (overhead, rate) = (ratio(&moves, &trips), ratio(&matches, &plays));
    let figure = |name: &str, values, unit, reference, ratio| Figure {
        name: name.to_owned(),
        value: median(values),
        unit,
        reference: Some(median(reference)),
        ratio: Some(ratio),
    };
    Ok(Report {
        bench: "arena",
        figures: vec![
            figure("engine_move", moves, "us/move", trips, overhead),
            figure("match_games", matches, "games/s", plays, rate),
        ],
    })
}

/// A stub to be asked: this program, as [`super::engine`].
fn stub() -> Result<PathBuf> {
    std::env::current_exe().context("cannot find this program's file")
}

/// Microseconds that a bare engine takes to answer `isready`.
fn round_trip() -> Result<f64> {
    let mut child = Program::new(stub()?)
        .args(["bench", "engine"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start a second process")?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let mut input = input.context("the second process has no input")?;
    let mut output = BufReader::new(output.context("the second process has no output")?);
    let mut line = String::new();
    let mut ask = || {
        input.write_all(b"isready\n")?;
        line.clear();
        output.read_line(&mut line)
    };
    ask()?;
    let begun = Instant::now();
    for _ in 0..ROUND_TRIPS {
        ask()?;
    }
    let each = begun.elapsed() / ROUND_TRIPS;
    drop(input);
    child.wait()?;
    Ok(each.as_secs_f64() * 1e6)
}

impl Setup<'_> {
    /// Microseconds of a move in games of two engines that answer at once, on one thread.
    fn engine_move(&self) -> Result<f64> {
        let variant = self.encoder.variant();
        let mut spec = EngineSpec::new(stub()?, Protocol::Usi);
        spec.args = ["bench", "engine"].map(str::to_owned).to_vec();
        spec.variant = None;
        let entrant = |name: &str| {
            let (name, variant, spec) = (name.to_owned(), Arc::clone(variant), spec.clone());
            let limits = Limits { nodes: Some(1), ..Limits::default() };
            let called = name.clone();
            let make = move || {
                let player = EnginePlayer::new(called.clone(), spec.clone(), Arc::clone(&variant));
                Ok(Box::new(player) as Box<dyn Player>)
            };
            Entrant { name, limits, alone: true, make: Box::new(make) }
        };
        let begun = Instant::now();
        let games =
            self.tournament([entrant("a"), entrant("b")], ENGINE_GAMES, NonZeroUsize::MIN)?;
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(game) = games.iter().find(|game| !game.reason.is_empty()) {
            anyhow::bail!("the engine failed: {}", game.reason);
        }
        let moves: usize = games.iter().map(|game| game.remarks.len()).sum();
        Ok(seconds * 1e6 / moves as f64)
    }

    /// Games a second of a net against itself, openings included.
    fn match_games(&self) -> Result<f64> {
        let simulations = self.args.simulations.max(1);
        let entrant = |name: &str| {
            let name = name.to_owned();
            let called = name.clone();
            let make = move || {
                let failed = |error: anyhow::Error| PlayerError {
                    player: called.clone(),
                    source: error.into(),
                };
                let evaluator = self.evaluator().map_err(failed)?;
                let player = Searcher::new(called.clone(), evaluator, simulations);
                Ok(Box::new(player) as Box<dyn Player>)
            };
            Entrant { name, limits: Limits::default(), alone: false, make: Box::new(make) }
        };
        let begun = Instant::now();
        let games = self.tournament([entrant("a"), entrant("b")], self.args.games, self.threads)?;
        Ok(games.len() as f64 / begun.elapsed().as_secs_f64())
    }

    fn tournament(
        &self,
        entrants: [Entrant<'_>; 2],
        games: u64,
        workers: NonZeroUsize,
    ) -> Result<Vec<GameResult>> {
        let (seed, pairs) = (Seed(1), games / 2);
        let variant = Arc::clone(self.encoder.variant());
        let begun = Instant::now();
        let tournament = Tournament {
            entrants: entrants.into(),
            schedule: Schedule { format: Format::RoundRobin, players: 2, pairs: Some(pairs), seed },
            openings: openings(&variant, pairs as usize, &OpeningConfig::default(), seed)?,
            variant,
            adjudication: Adjudication::default(),
            seed,
            games_in_flight: GAMES_IN_FLIGHT,
            decided: None,
            now: &|| begun.elapsed(),
        };
        Ok(tournament.play(Vec::new(), workers, &|_| (), &AtomicBool::new(false))?)
    }

    /// Games a second of the same net in self-play.
    fn selfplay_games(&self) -> Result<f64> {
        let identity = Identity {
            producer: "bench".to_owned(),
            seed: Seed(1),
            start: Game::new(Arc::clone(self.encoder.variant())),
        };
        let simulations = self.args.simulations.max(1);
        let config = SelfPlayConfig { simulations, ..SelfPlayConfig::default() };
        let threads = self.threads.get();
        let worker = || Worker::new(identity.clone(), config.clone());
        let mut workers: Vec<_> = (0..threads).map(|_| worker()).collect();
        let mut evaluators = (0..threads).map(|_| self.evaluator()).collect::<Result<Vec<_>>>()?;
        let numbers = GameNumbers::new(1, []).up_to(self.args.games);
        let (counters, stop) = (Counters::default(), AtomicBool::new(false));
        let begun = Instant::now();
        let mut sink = |_| Ok(Control::Continue);
        play_phase(&mut workers, &mut evaluators, 1, &numbers, &counters, &stop, &mut sink)?;
        Ok(counters.games() as f64 / begun.elapsed().as_secs_f64())
    }

    fn evaluator(&self) -> Result<NetEvaluator<OrtBackend>> {
        let shape = net_shape(&self.encoder);
        let backend = OrtBackend::from_bytes(&self.runtime, &self.model, &shape)?;
        Ok(NetEvaluator::new(Arc::clone(&self.encoder), backend)?)
    }
}
