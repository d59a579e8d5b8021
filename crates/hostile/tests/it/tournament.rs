//! Tournaments with hostile engines.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::{
    Adjudication, EnginePlayer, EngineSpec, Entrant, Format, GAMES_IN_FLIGHT, GameResult, Limits,
    OpeningConfig, Player, PlayerSpec, Schedule, TimeControl, Tournament, TournamentError,
    openings,
};
use protocol::Protocol;
use rules::{Color, Seed, Variant};

/// Number of the engine among the players.
const ENGINE: usize = 1;

/// How the engine is run.
pub(crate) fn spec(protocol: Protocol, behaviour: &str, tag: &str) -> EngineSpec {
    let mut spec = EngineSpec::new(env!("CARGO_BIN_EXE_hostile-engine"), protocol);
    spec.args = [protocol.as_str(), behaviour, tag].map(str::to_owned).to_vec();
    // Only what is meant to fail by it comes near it; a busy machine does not.
    spec.start_limit = Duration::from_secs(60);
    spec.stall_limit = Duration::from_secs(60);
    spec
}

/// No clock.
pub(crate) fn nodes() -> Limits {
    Limits { nodes: Some(1), ..Limits::default() }
}

/// So much for each move.
pub(crate) fn fixed(milliseconds: u64) -> Limits {
    let time = Some(TimeControl::Move(Duration::from_millis(milliseconds)));
    Limits { time, ..Limits::default() }
}

/// Three players of micro-shogi, all against all: `random`, the engine, `blunder-10`.
pub(crate) fn play(
    spec: EngineSpec,
    limits: Limits,
    pairs: u64,
) -> Result<Vec<GameResult>, TournamentError> {
    play_game("micro", spec, limits, pairs)
}

/// The same in another game.
pub(crate) fn play_game(
    game: &str,
    spec: EngineSpec,
    limits: Limits,
    pairs: u64,
) -> Result<Vec<GameResult>, TournamentError> {
    let variant = Variant::builtin(game).expect("it is built in");
    let yardstick = |name: &str| {
        let player: PlayerSpec = name.parse().expect("it is a known form");
        let make = move || Ok(player.yardstick().expect("it needs no net"));
        let (name, limits) = (name.to_owned(), Limits::default());
        Entrant { name, limits, alone: false, make: Box::new(make) }
    };
    let for_engine = variant.clone();
    let make = move || {
        let player = EnginePlayer::new("hostile".to_owned(), spec.clone(), for_engine.clone());
        Ok(Box::new(player) as Box<dyn Player>)
    };
    let engine = Entrant { name: "hostile".to_owned(), limits, alone: true, make: Box::new(make) };
    let (seed, format) = (Seed(7), Format::RoundRobin);
    let starts = openings(&variant, 4, &OpeningConfig::default(), seed);
    let tournament = Tournament {
        entrants: vec![yardstick("random"), engine, yardstick("blunder-10")],
        schedule: Schedule { format, players: 3, pairs: Some(pairs), seed },
        openings: starts.expect("the game has as many"),
        variant,
        adjudication: Adjudication::default(),
        seed,
        games_in_flight: GAMES_IN_FLIGHT,
        decided: None,
        now: &|| Duration::ZERO,
    };
    let two = NonZeroUsize::new(2).expect("it is not 0");
    tournament.play(Vec::new(), two, &|_| (), &AtomicBool::new(false))
}

/// The games of the engine, after a look at the whole tournament: every game is there.
pub(crate) fn games_of_engine(games: Vec<GameResult>, pairs: u64) -> Vec<GameResult> {
    assert_eq!(games.len() as u64, 3 * 2 * pairs, "no game is lost");
    let of_engine = |game: &GameResult| game.pair.players.contains(&ENGINE);
    let (mine, others): (Vec<_>, Vec<_>) = games.into_iter().partition(of_engine);
    assert_eq!(others.len() as u64, 2 * pairs);
    assert!(others.iter().all(|game| game.reason.is_empty()), "others are not touched");
    mine
}

/// Whether the engine lost.
pub(crate) fn lost(game: &GameResult) -> bool {
    let side = if game.player(Color::Black) == ENGINE { Color::Black } else { Color::White };
    game.outcome.winner == Some(!side)
}
