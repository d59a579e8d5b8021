//! Games of `alphabeta-2` with Fairy-Stockfish in all its protocols: `real-engines ENGINE PAIRS`.
//!
//! One line for each protocol and game; status 1 if the engine lost any game by a fault, which is one of
//! its, of ours, or a difference between its rules and ours.
#![expect(clippy::print_stdout, reason = "the lines are the result")]

use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::{
    Adjudication, EnginePlayer, EngineSpec, Entrant, Format, GAMES_IN_FLIGHT, GameResult, Limits,
    OpeningConfig, PlayerSpec, Schedule, TimeControl, Tournament, openings,
};
use protocol::Protocol;
use rules::{Color, Seed, Variant};

/// Games whose rules Fairy-Stockfish 11 has, with the limits of its moves. In dobutsu it has no move for
/// a lion that is lost, in torishogi and yarishogi it plays other rules or none.
const GAMES: [(&str, Protocol, Limits); 15] = [
    ("shogi", Protocol::Usi, byoyomi(50)),
    ("minishogi", Protocol::Usi, increment(500, 50)),
    ("kyotoshogi", Protocol::Usi, nodes(300)),
    ("micro", Protocol::Usi, nodes(300)),
    ("gorogoro", Protocol::Usi, nodes(300)),
    ("judkins", Protocol::Usi, nodes(300)),
    ("euroshogi", Protocol::Uci, nodes(300)),
    ("minixiangqi", Protocol::Uci, depth(2)),
    ("xiangqi", Protocol::Uci, fixed(50)),
    ("xiangqi", Protocol::Ucci, increment(500, 50)),
    ("shogi", Protocol::Uci, nodes(300)),
    ("minishogi", Protocol::Uci, fixed(20)),
    ("kyotoshogi", Protocol::Uci, nodes(300)),
    ("micro", Protocol::Uci, depth(4)),
    ("minixiangqi", Protocol::Ucci, fixed(20)),
];

/// What a busy machine may delay an answer by.
const MARGIN: Duration = Duration::from_secs(5);

const fn timed(time: TimeControl) -> Limits {
    Limits { time: Some(time), nodes: None, depth: None, margin: MARGIN }
}

const fn byoyomi(milliseconds: u64) -> Limits {
    let byoyomi = Duration::from_millis(milliseconds);
    timed(TimeControl::Game { main: Duration::ZERO, byoyomi, increment: Duration::ZERO })
}

const fn increment(main: u64, milliseconds: u64) -> Limits {
    let (main, increment) = (Duration::from_millis(main), Duration::from_millis(milliseconds));
    timed(TimeControl::Game { main, byoyomi: Duration::ZERO, increment })
}

const fn fixed(milliseconds: u64) -> Limits {
    timed(TimeControl::Move(Duration::from_millis(milliseconds)))
}

const fn nodes(nodes: u64) -> Limits {
    Limits { time: None, nodes: Some(nodes), depth: None, margin: MARGIN }
}

const fn depth(plies: u32) -> Limits {
    Limits { time: None, nodes: None, depth: Some(plies), margin: MARGIN }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [engine, pairs] = args.as_slice() else {
        return Err("usage: real-engines ENGINE PAIRS".into());
    };
    let mut faults = 0;
    for (game, protocol, limits) in GAMES {
        let begun = Instant::now();
        let games = play(game, EngineSpec::new(engine, protocol), limits, pairs.parse()?)?;
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
        for game in &games {
            *ends.entry(game.outcome.termination.as_str()).or_default() += 1;
        }
        let (won, seconds) =
            (games.iter().filter(|game| engine_won(game)).count(), begun.elapsed());
        let (count, seconds) = (games.len(), seconds.as_secs_f64());
        println!(
            "{protocol:4} {game:12} {count} games, engine won {won}, {plies} plies, {seconds:.1} s, {ends:?}"
        );
        for game in games.iter().filter(|game| !game.reason.is_empty()) {
            println!("  {}: {}", game.outcome.termination, game.reason);
            faults += 1;
        }
    }
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn play(
    game: &str,
    spec: EngineSpec,
    limits: Limits,
    pairs: u64,
) -> Result<Vec<GameResult>, Box<dyn Error>> {
    let variant = Variant::builtin(game).ok_or("no such game")?;
    spec.probe(&variant)?;
    let player: PlayerSpec = "alphabeta-2".parse()?;
    let yardstick = Entrant {
        name: player.to_string(),
        limits: Limits::default(),
        alone: false,
        make: Box::new(move || Ok(player.yardstick().expect("it needs no net"))),
    };
    let (name, for_engine) = ("engine".to_owned(), variant.clone());
    let make = move || {
        let player = EnginePlayer::new("engine".to_owned(), spec.clone(), for_engine.clone());
        Ok(Box::new(player) as Box<dyn arena::Player>)
    };
    let engine = Entrant { name, limits, alone: true, make: Box::new(make) };
    let seed = Seed(1);
    let tournament = Tournament {
        entrants: vec![engine, yardstick],
        schedule: Schedule { format: Format::RoundRobin, players: 2, pairs: Some(pairs), seed },
        openings: openings(&variant, pairs as usize, &OpeningConfig::default(), seed)?,
        variant,
        adjudication: Adjudication::default(),
        seed,
        games_in_flight: GAMES_IN_FLIGHT,
        decided: None,
        now: &|| Duration::ZERO,
    };
    let workers = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Ok(tournament.play(Vec::new(), workers, &|_| (), &AtomicBool::new(false))?)
}

fn engine_won(game: &GameResult) -> bool {
    let side = if game.player(Color::Black) == 0 { Color::Black } else { Color::White };
    game.outcome.winner == Some(side)
}
