//! Every limit is obeyed.

use std::time::Duration;

use engine::{Decision, End, EngineConfig, Limits, PlayerClock};

use crate::common::{Setup, ms, position, start};

#[test]
fn nodes_are_counted_exactly() {
    for threads in [1, 2, 3] {
        for batch in [1, 4, 64] {
            let config = EngineConfig { batch, ..Setup::default().config };
            let mut bench = Setup { config, threads, ..Setup::default() }.build();
            for nodes in [1, 2, 100, 777] {
                bench.engine.forget();
                let answer = bench.search(&start("micro"), Limits::nodes(nodes));
                assert_eq!((answer.info.nodes, answer.end), (nodes, End::Reached));
                assert_eq!(u64::from(answer.result.simulations), nodes);
            }
        }
    }
}

#[test]
fn time_for_a_move_is_used_and_not_exceeded() {
    for (batch, position) in [(1000, 1000), (2000, 0), (0, 30_000), (5000, 10)] {
        for time in [1, 40, 250, 1000, 3333] {
            let mut bench = Setup { batch, position, ..Setup::default() }.build();
            let answer = bench.search(&start("minishogi"), Limits::movetime(ms(time)));
            let root = Duration::from_micros(batch + position);
            assert!(bench.now() <= ms(time).max(root), "{:?} of {time} ms", bench.now());
            assert!(bench.now() + ms(100) >= ms(time), "{:?} of {time} ms", bench.now());
            assert_eq!(answer.end, End::TimeUp);
        }
    }
}

#[test]
fn no_clock_is_overdrawn() {
    let margin = EngineConfig::default().time.margin;
    for remaining in [0, 1, 60, 1000, 20_000] {
        for (increment, byoyomi) in [(0, 0), (2000, 0), (0, 1000), (0, 20)] {
            let clock = PlayerClock {
                remaining: ms(remaining),
                increment: ms(increment),
                byoyomi: ms(byoyomi),
                moves_to_go: None,
            };
            let mut bench = Setup::default().build();
            let answer = bench.search(&start("micro"), Limits::clock(clock));
            let most = (clock.remaining + byoyomi_of(clock)).saturating_sub(margin);
            // Evaluating the root, which takes 2 ms here, is the least that an answer needs.
            assert!(bench.now() <= most.max(ms(2)), "{:?} of {clock:?}", bench.now());
            assert!(matches!(answer.end, End::TimeUp | End::Settled), "{:?}", answer.end);
            assert!(matches!(answer.decision, Decision::Play(_)));
        }
    }
}

fn byoyomi_of(clock: PlayerClock) -> Duration {
    clock.byoyomi
}

#[test]
fn time_is_not_spent_on_the_only_move() {
    // In check by the rook, and the silver keeps the king from the other square.
    let forced = position("shogi", "k8/9/9/9/9/9/6s2/9/r7K b - 1");
    let mut moves = Vec::new();
    forced.status(&mut moves);
    let clock = PlayerClock { remaining: ms(600_000), ..PlayerClock::default() };
    let mut bench = Setup::default().build();
    let answer = bench.search(&forced, Limits::clock(clock));
    assert_eq!(moves.len(), 1, "{moves:?}");
    assert_eq!((answer.end, bench.asked()), (End::Settled, 1));
}

#[test]
fn a_clock_is_left_alone_once_nothing_can_change() {
    // A rook hangs: no other move comes near taking it.
    let game = position("shogi", "4k4/9/9/9/4r4/9/4R4/9/4K4 b - 1");
    let clock = PlayerClock { remaining: ms(60_000), ..PlayerClock::default() };
    let mut bench = Setup::default().build();
    let answer = bench.search(&game, Limits::clock(clock));
    let target = EngineConfig::default().time.allot(&clock).target;
    assert_eq!(answer.end, End::Settled);
    assert!(bench.now() < target);
    let mut visits: Vec<u32> = answer.result.moves.iter().map(|stat| stat.visits).collect();
    visits.sort_unstable();
    let left = (target - bench.now()).as_secs_f64() * answer.info.nps as f64;
    assert!(f64::from(visits[visits.len() - 1] - visits[visits.len() - 2]) > left);
}

#[test]
fn depth_is_a_limit_too() {
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let mut bench = Setup::default().build();
    let answer = bench.search(&start("micro"), limits);
    assert_eq!((answer.end, answer.info.depth), (End::Reached, 4));
    assert!(answer.info.seldepth >= 4);
}

#[test]
fn the_first_limit_reached_counts() {
    let mut bench = Setup::default().build();
    let both = Limits { movetime: Some(ms(500)), ..Limits::nodes(20) };
    assert_eq!(bench.search(&start("micro"), both).info.nodes, 20);
    let mut bench = Setup::default().build();
    let both = Limits { movetime: Some(ms(50)), ..Limits::nodes(1_000_000) };
    assert_eq!(bench.search(&start("micro"), both).end, End::TimeUp);
}

#[test]
fn info_comes_five_times_a_second() {
    let mut bench = Setup::default().build();
    bench.engine.set_game(start("minishogi"));
    let (_control, commands) = engine::control();
    let mut told = Vec::new();
    let on_info = &mut |info: &engine::Info| told.push((info.elapsed, info.nodes, info.nps));
    bench.engine.search(Limits::movetime(ms(2100)), commands, on_info).unwrap();
    assert!((8..=10).contains(&told.len()), "{told:?}");
    assert!(told.windows(2).all(|pair| {
        let gap = pair[1].0 - pair[0].0;
        gap >= ms(200) && gap <= ms(260) && pair[1].1 > pair[0].1
    }));
    assert!(told.iter().all(|&(elapsed, nodes, nps)| {
        (nps as f64 - nodes as f64 / elapsed.as_secs_f64()).abs() <= 1.0
    }));
}
