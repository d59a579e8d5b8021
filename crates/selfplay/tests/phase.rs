//! Self-play as its users see it: the same games for any number of workers, none lost or doubled.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use mcts::fake::{Hashed, Uniform};
use mcts::{EvalError, Evaluation, Evaluator, Leaf, RootSelection};
use records::{ChunkStore, Collector, GameRecord, PlyRecord};
use rules::{Color, Game, Move, Seed, Variant};
use selfplay::{
    Control, Counters, GameNumbers, Identity, PhaseEnd, SelfPlayConfig, SelfPlayError, Worker,
    play_phase,
};

const GAMES: u64 = 24;

fn config() -> SelfPlayConfig {
    SelfPlayConfig {
        simulations: 12,
        games_per_worker: 5,
        games_per_chunk: 8,
        ..Default::default()
    }
}

fn identity() -> Identity {
    Identity {
        producer: "test".to_owned(),
        seed: Seed(7),
        start: Game::new(Variant::builtin("micro").unwrap()),
    }
}

/// Plays what is missing of the first [`GAMES`] games into `dir`, at most `most` games.
fn play(dir: &Path, workers: usize, most: usize) -> PhaseEnd {
    play_with(dir, workers, most, &config())
}

fn play_with(dir: &Path, workers: usize, most: usize, config: &SelfPlayConfig) -> PhaseEnd {
    let store = ChunkStore::open(dir, config.games_per_chunk).unwrap();
    let numbers = GameNumbers::new(8, store.sealed().unwrap()).up_to(GAMES);
    let mut collector = Collector::new(store).unwrap();
    let mut workers: Vec<_> =
        (0..workers).map(|_| Worker::new(identity(), config.clone())).collect();
    let mut evaluators = vec![Uniform; workers.len()];
    let mut taken = 0;
    play_phase(
        &mut workers,
        &mut evaluators,
        0,
        &numbers,
        &Counters::default(),
        &AtomicBool::new(false),
        &mut |record| {
            collector.push(record).map_err(|error| SelfPlayError::Sink(error.into()))?;
            taken += 1;
            Ok(if taken >= most { Control::Stop } else { Control::Continue })
        },
    )
    .unwrap()
}

fn files(dir: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn the_same_files_for_one_and_four_workers() {
    let (one, four) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(play(one.path(), 1, usize::MAX), PhaseEnd::Exhausted);
    assert_eq!(play(four.path(), 4, usize::MAX), PhaseEnd::Exhausted);
    assert_eq!(files(one.path()).len(), 3);
    assert!(files(one.path()) == files(four.path()));
}

#[test]
fn an_interrupted_run_is_completed_to_the_same_files() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    play(whole.path(), 2, usize::MAX);
    while play(parts.path(), 2, 9) != PhaseEnd::Exhausted {}
    assert!(files(whole.path()) == files(parts.path()));
}

#[test]
fn records_replay_and_say_who_won() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), 2, usize::MAX);
    let store = ChunkStore::open(dir.path(), 8).unwrap();
    let games = (0..3).flat_map(|chunk| store.read(chunk).unwrap());
    let mut random_starts = 0;
    for record in games {
        let mut game = identity().start;
        for &mv in record.start_moves.iter().chain(record.plies.iter().map(|ply| &ply.mv)) {
            game.try_play(Move::from_bits(mv)).unwrap();
        }
        let outcome = game.status(&mut Vec::new()).expect("a recorded game is over");
        assert_eq!(record.termination, outcome.termination.as_str());
        let winner =
            outcome.winner.map(|color| if color == Color::Black { "first" } else { "second" });
        assert_eq!(record.outcome, winner.unwrap_or("draw"));
        random_starts += usize::from(!record.start_moves.is_empty());
    }
    assert!((4..=20).contains(&random_starts), "{random_starts} of 24 starts are random");
}

#[test]
fn cheap_searches_leave_no_policy_target() {
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        let config = SelfPlayConfig {
            simulations: 40,
            full_share: 0.25,
            cheap_simulations: 6,
            sampled_plies: 4,
            root,
            ..config()
        };
        let (one, four) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        play_with(one.path(), 1, usize::MAX, &config);
        play_with(four.path(), 4, usize::MAX, &config);
        assert!(files(one.path()) == files(four.path()));
        let store = ChunkStore::open(one.path(), 8).unwrap();
        let plies: Vec<PlyRecord> = (0..3)
            .flat_map(|chunk| store.read(chunk).unwrap())
            .flat_map(|game| game.plies)
            .collect();
        let full = plies.iter().filter(|ply| ply.full_search).count();
        let share = full as f64 / plies.len() as f64;
        assert!((share - 0.25).abs() < 0.1, "{full} of {}", plies.len());
        for ply in plies {
            assert_eq!(ply.policy_moves.is_empty(), !ply.full_search);
            let budget = if ply.full_search { 40 } else { 6 };
            assert_eq!(ply.simulations < budget, ply.proven.is_some() && ply.simulations < budget);
            assert!(ply.simulations <= budget);
        }
    }
}

#[test]
fn games_go_on_under_the_next_evaluator() {
    let mut workers = vec![Worker::new(identity(), config())];
    let counters = Counters::default();
    let numbers = GameNumbers::new(8, []);
    let (mut games, mut continued) = (0, false);
    // The phase ends some time after its first game, and by then other games are under way.
    for generation in 0..100 {
        let mut sink = |record: GameRecord| {
            games += 1;
            let by = |ply: Option<&PlyRecord>| ply.map(|ply| ply.generation);
            continued |= by(record.plies.first()) < by(record.plies.last());
            Ok(Control::Stop)
        };
        let evaluators = &mut [Hashed { seed: Seed(generation.into()) }];
        let stop = AtomicBool::new(false);
        play_phase(&mut workers, evaluators, generation, &numbers, &counters, &stop, &mut sink)
            .unwrap();
    }
    assert!(continued, "no game was continued by a later evaluator");
    assert_eq!(counters.games(), games);
}

#[test]
fn an_error_of_the_sink_ends_the_phase() {
    let mut workers = vec![Worker::new(identity(), config()), Worker::new(identity(), config())];
    let result = play_phase(
        &mut workers,
        &mut [Uniform, Uniform],
        0,
        &GameNumbers::new(8, []),
        &Counters::default(),
        &AtomicBool::new(false),
        &mut |_| Err(SelfPlayError::Sink("the disk is full".into())),
    );
    assert!(result.unwrap_err().to_string().contains("the disk is full"));
}

/// Panics at its first batch.
struct Broken;

impl Evaluator<Game> for Broken {
    fn evaluate(&mut self, _: &[Leaf<'_, Game>], _: &mut Vec<Evaluation>) -> Result<(), EvalError> {
        panic!("a fault in {:?}", std::thread::current().name())
    }
}

#[test]
fn a_panic_ends_the_phase_and_is_named() {
    let mut workers = vec![Worker::new(identity(), config()), Worker::new(identity(), config())];
    let result = play_phase(
        &mut workers,
        &mut [Broken, Broken],
        0,
        &GameNumbers::new(8, []),
        &Counters::default(),
        &AtomicBool::new(false),
        &mut |_| Ok(Control::Continue),
    );
    let text = result.unwrap_err().to_string();
    assert_eq!(text, "self-play: worker 0 panicked: a fault in Some(\"self-play 0\")");
}

/// The side to move declares as soon as that wins; the record says so.
#[test]
fn a_winning_declaration_ends_the_game() {
    let shogi = Variant::builtin("shogi").unwrap();
    let fen = "4K4/PPPPPPPPP/P8/9/9/9/9/9/4k4[RRBB] b 0 1";
    let position = rules::Position::parse(&shogi, fen).unwrap();
    let identity = Identity { start: Game::from_position(shogi, position), ..identity() };
    let config = SelfPlayConfig { random_start_share: 0.0, ..config() };
    let mut workers = vec![Worker::new(identity, config)];
    let mut records = Vec::new();
    play_phase(
        &mut workers,
        &mut [Uniform],
        0,
        &GameNumbers::new(8, []).up_to(4),
        &Counters::default(),
        &AtomicBool::new(false),
        &mut |record| {
            records.push(record);
            Ok(Control::Continue)
        },
    )
    .unwrap();
    assert_eq!(records.len(), 4);
    for record in records {
        assert_eq!(
            (record.outcome.as_str(), record.termination.as_str()),
            ("first", "declaration")
        );
        assert_eq!(record.plies.len(), 1);
        assert_eq!(record.plies[0].proven, Some((-1, 1)));
    }
}
