//! Our sudden death, our impatience, and clocks.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::{Action, Answer, Clock, EnginePlayer, GameId, Limits, Player, TimeControl, Turn};
use protocol::Protocol;
use rules::{Game, Seed, Variant};

use crate::processes::{tag, wait_until, with};
use crate::tournament::{nodes, spec};

/// Kills a host with `kill -9` while its engine lives: engine and children are gone with it.
#[test]
fn no_engine_outlives_us() {
    for (behaviour, expected) in [("good", 2), ("ignore-quit", 2), ("fork", 3)] {
        let tag = tag();
        let mut host = Command::new(env!("CARGO_BIN_EXE_hostile-host"))
            .args([&tag, behaviour])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_until("host, engine and children live", || with(&tag).len() >= expected);
        host.kill().unwrap();
        host.wait().unwrap();
        wait_until("they are gone", || with(&tag).is_empty());
    }
}

/// An engine that writes 100 MB in one of its moves costs a few.
#[test]
fn a_flood_costs_little_memory() {
    for behaviour in ["flood", "flood-without-lines"] {
        let mut host = Command::new(env!("CARGO_BIN_EXE_hostile-host"))
            .args([&tag(), behaviour])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(host.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", host.id())).unwrap();
        host.kill().unwrap();
        host.wait().unwrap();
        assert_eq!(line, "1 failed\n", "{behaviour}");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kibibytes < 20_000, "{behaviour}: {kibibytes} KiB");
    }
}

fn ask(
    player: &mut EnginePlayer,
    game: &Game,
    (clocks, limits): ([Clock; 2], Limits),
    stop: bool,
) -> Option<Answer> {
    let id = GameId { pair: 0, game: 0, replay: 0 };
    let turn = Turn { game, id, seed: Seed(0), clocks, limits };
    let mut answers = Vec::new();
    player.answer(&[turn], &AtomicBool::new(stop), &mut answers).expect("it can play");
    answers.pop()
}

/// An engine is told its own clock as its own, whichever colour it has.
#[test]
fn every_engine_sees_its_own_clock() {
    let variant = Variant::builtin("micro").unwrap();
    let clock = |seconds| {
        let main = Duration::from_secs(seconds);
        let (byoyomi, increment) = (Duration::ZERO, Duration::ZERO);
        Clock::new(Some(TimeControl::Game { main, byoyomi, increment }))
    };
    for protocol in Protocol::ALL {
        let spec = spec(protocol, "clock", &tag());
        let mut player = EnginePlayer::new("clock".to_owned(), spec, variant.clone());
        let mut game = Game::new(variant.clone());
        for _ in 0..2 {
            let own = game.side_to_move().index();
            let mut clocks = [clock(600); 2];
            clocks[1 - own] = clock(300);
            let ahead = ask(&mut player, &game, (clocks, Limits::default()), false).unwrap();
            let Action::Move(mv) = ahead.action else { panic!("{protocol}: {ahead:?}") };
            clocks.swap(0, 1);
            let behind = ask(&mut player, &game, (clocks, Limits::default()), false).unwrap();
            assert_eq!(behind.action, Action::Resign, "{protocol}");
            game.try_play(mv).unwrap();
        }
    }
}

/// The clock runs from `go` to `bestmove`: what an engine thinks is on it, getting ready is not.
#[test]
fn the_clock_runs_from_the_question_to_the_answer() {
    let variant = Variant::builtin("micro").unwrap();
    let game = Game::new(variant.clone());
    let elapsed = |behaviour: &str| {
        let spec = spec(Protocol::Uci, behaviour, &tag());
        let mut player = EnginePlayer::new("timed".to_owned(), spec, variant.clone());
        let answer = ask(&mut player, &game, ([Clock::default(); 2], nodes()), false).unwrap();
        assert!(matches!(answer.action, Action::Move(_)), "{answer:?}");
        answer.elapsed.unwrap()
    };
    assert!(elapsed("late") >= Duration::from_millis(500));
    // It takes as long before the game, and again before the move.
    assert!(elapsed("slow-ready") < Duration::from_secs(2));
}

/// A player that is told to stop returns at once, whatever its engine does.
#[test]
fn a_stop_does_not_wait_for_an_engine() {
    let variant = Variant::builtin("micro").unwrap();
    let game = Game::new(variant.clone());
    for behaviour in ["silent-at-start", "ignore-quit"] {
        let tag = tag();
        let mut spec = spec(Protocol::Usi, behaviour, &tag);
        spec.quit_limit = Duration::from_millis(10);
        let mut player = EnginePlayer::new("silent".to_owned(), spec, variant.clone());
        let limits = ([Clock::default(); 2], nodes());
        assert!(ask(&mut player, &game, limits, true).is_none());
        drop(player);
        wait_until("the engine is gone", || with(&tag).is_empty());
    }
}
