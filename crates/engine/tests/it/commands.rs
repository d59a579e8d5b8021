//! Stop, ponderhit, and nobody there to give them. What is counted are evaluations, not time.

use std::sync::atomic::Ordering::SeqCst;
use std::thread;

use engine::{Decision, End, EngineConfig, Limits, control};
use mcts::EvalError;

use crate::common::{Setup, is_legal, ms, position, start, stop};

/// A mate in one for the first player.
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

#[test]
fn a_stop_waits_for_no_more_than_the_batches_in_flight() {
    for threads in [1, 2] {
        let (handle, commands) = control();
        let at = Some((2000, stop(handle)));
        let config = EngineConfig { batch: 16, ..Setup::default().config };
        let mut bench = Setup { threads, at, config, ..Setup::default() }.build();
        bench.engine.set_game(start("minishogi"));
        let limits = Limits { infinite: true, ..Limits::default() };
        let answer = bench.engine.search(limits, commands, &mut |_| {}).unwrap();
        assert_eq!(answer.end, End::Stopped);
        // The batch that holds evaluation 2000, and with it at most one of each other thread, which
        // may just have been sent a second.
        let most = 2000 + 16 + 2 * 16 * (threads as u64 - 1);
        assert!((2000..=most).contains(&bench.asked()), "{}", bench.asked());
    }
}

#[test]
fn a_stop_that_comes_first_still_gets_an_answer() {
    let mut bench = Setup::default().build();
    bench.engine.set_game(start("micro"));
    let (handle, commands) = control();
    handle.stop();
    handle.stop();
    let limits = Limits { infinite: true, ..Limits::default() };
    let answer = bench.engine.search(limits, commands, &mut |_| {}).unwrap();
    assert_eq!((answer.end, bench.asked()), (End::Stopped, 1));
    assert!(is_legal(&start("micro"), &[answer.result.best]));
}

#[test]
fn a_late_stop_does_not_reach_the_next_search() {
    let mut bench = Setup::default().build();
    bench.engine.set_game(start("micro"));
    let (late, commands) = control();
    bench.engine.search(Limits::nodes(10), commands, &mut |_| {}).unwrap();
    late.stop();
    let answer = bench.search(&start("micro"), Limits::nodes(50));
    assert_eq!((answer.end, answer.info.nodes), (End::Reached, 50));
}

#[test]
fn an_infinite_search_holds_its_answer_back() {
    let mut bench = Setup::default().build();
    bench.engine.set_game(position("shogi", MATE_IN_ONE));
    let (handle, commands) = control();
    thread::spawn(move || {
        // The mate is found long before; were the answer given then, it would not be a stop.
        thread::sleep(ms(50));
        handle.stop();
    });
    let limits = Limits { infinite: true, ..Limits::default() };
    let answer = bench.engine.search(limits, commands, &mut |_| {}).unwrap();
    assert_eq!(answer.end, End::Stopped);
    assert!(answer.result.proven.is_some());
}

#[test]
fn nobody_left_to_say_stop_is_a_stop() {
    let mut bench = Setup::default().build();
    bench.engine.set_game(start("micro"));
    let (handle, commands) = control();
    drop(handle);
    let limits = Limits { infinite: true, ..Limits::default() };
    assert_eq!(bench.engine.search(limits, commands, &mut |_| {}).unwrap().end, End::Stopped);
}

#[test]
fn no_limit_counts_before_the_ponderhit() {
    let (handle, commands) = control();
    let mut hit_at = None;
    let hit = handle.clone();
    let act = Box::new(move || {
        hit.ponderhit(None);
        Ok(())
    });
    let mut bench = Setup { at: Some((1500, act)), ..Setup::default() }.build();
    bench.engine.set_game(start("minishogi"));
    let limits = Limits { ponder: true, nodes: None, ..Limits::movetime(ms(300)) };
    let clock = bench.clock.clone();
    let asked = bench.asked.clone();
    let on_info = &mut |info: &engine::Info| {
        if asked.load(SeqCst) >= 1500 && hit_at.is_none() {
            hit_at = Some((info.elapsed, engine::Clock::now(&*clock)));
        }
    };
    let answer = bench.engine.search(limits, commands, on_info).unwrap();
    assert_eq!(answer.end, End::TimeUp);
    let (elapsed, _) = hit_at.unwrap();
    let after = answer.info.elapsed - elapsed;
    assert!(elapsed > ms(1000), "pondered on beyond the time for a move: {elapsed:?}");
    assert!(after <= ms(300), "{after:?}");
    drop(handle);
}

#[test]
fn a_ponderhit_may_bring_the_limits() {
    let (handle, commands) = control();
    let act = Box::new(move || {
        handle.ponderhit(Some(Limits::nodes(2500)));
        Ok(())
    });
    let mut bench = Setup { at: Some((1000, act)), ..Setup::default() }.build();
    bench.engine.set_game(start("minishogi"));
    let limits = Limits { ponder: true, ..Limits::nodes(10) };
    let answer = bench.engine.search(limits, commands, &mut |_| {}).unwrap();
    assert_eq!((answer.end, answer.info.nodes), (End::Reached, 2500));
}

#[test]
fn a_miss_starts_anew_from_what_is_known() {
    let (handle, commands) = control();
    let mut bench = Setup { at: Some((3000, stop(handle))), ..Setup::default() }.build();
    let mut game = start("minishogi");
    bench.engine.set_game(game.clone());
    let limits = Limits { ponder: true, ..Limits::default() };
    let pondered = bench.engine.search(limits, commands, &mut |_| {}).unwrap();
    // Another move than expected: the second most visited.
    let mut moves = pondered.result.moves.clone();
    moves.sort_by_key(|stat| std::cmp::Reverse(stat.visits));
    let (played, known) = (moves[1].mv, moves[1].visits);
    game.play(played);
    let answer = bench.search(&game, Limits::nodes(100));
    let visits: u32 = answer.result.moves.iter().map(|stat| stat.visits).sum();
    assert_eq!(answer.info.nodes, 100);
    // Of the visits one was the evaluation of the position itself.
    assert_eq!(visits, 100 + known - 1);
    assert_eq!(bench.engine.game().moves(), game.moves());
}

#[test]
fn a_game_that_is_another_drops_the_tree() {
    let mut bench = Setup::default().build();
    bench.search(&start("minishogi"), Limits::nodes(500));
    let answer = bench.search(&start("micro"), Limits::nodes(100));
    let visits: u32 = answer.result.moves.iter().map(|stat| stat.visits).sum();
    assert_eq!(visits, 100);
}

#[test]
fn a_fault_ends_the_search_and_leaves_the_engine_usable() {
    for threads in [1, 2] {
        let act = Box::new(|| Err(EvalError::new("the device is gone")));
        let mut bench = Setup { threads, at: Some((700, act)), ..Setup::default() }.build();
        bench.engine.set_game(start("micro"));
        let (_handle, commands) = control();
        let error = bench.engine.search(Limits::nodes(5000), commands, &mut |_| {}).unwrap_err();
        assert!(error.to_string().ends_with("the device is gone"), "{error}");
        let answer = bench.search(&start("micro"), Limits::nodes(100));
        assert!(matches!(answer.decision, Decision::Play(_)));
        assert_eq!(answer.info.nodes, 100);
    }
}

#[test]
fn an_evaluator_that_panics_is_a_fault() {
    let act = Box::new(|| panic!("this evaluator panics for the test"));
    let mut bench = Setup { at: Some((40, act)), ..Setup::default() }.build();
    bench.engine.set_game(start("micro"));
    let (_handle, commands) = control();
    let error = bench.engine.search(Limits::nodes(500), commands, &mut |_| {}).unwrap_err();
    assert!(error.to_string().ends_with("the evaluator panicked"), "{error}");
    assert_eq!(bench.search(&start("micro"), Limits::nodes(100)).info.nodes, 100);
}
