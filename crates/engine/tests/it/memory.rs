//! A tree that may not grow any more.

use engine::{Decision, End, EngineConfig, Limits};
use rules::Game;

use crate::common::{Setup, is_legal, position, start};

fn searched(game: &Game, memory: usize) -> engine::Answer {
    let config = EngineConfig { memory, ..Setup::default().config };
    Setup { config, ..Setup::default() }.build().search(game, Limits::nodes(1_000_000))
}

#[test]
fn a_full_tree_ends_the_search_with_a_sound_answer() {
    for variant in ["micro", "minishogi", "shogi"] {
        let game = start(variant);
        let answer = searched(&game, 1);
        assert_eq!(answer.end, End::MemoryFull, "{variant}");
        assert!(answer.info.nodes < 100_000 && answer.info.hashfull > 500, "{:?}", answer.info);
        let Decision::Play(mv) = answer.decision else { panic!("{:?}", answer.decision) };
        assert!(is_legal(&game, &[mv]) && is_legal(&game, &answer.info.lines[0].pv));
        let visits: u32 = answer.result.moves.iter().map(|stat| stat.visits).sum();
        assert_eq!(u64::from(visits), answer.info.nodes);
    }
}

#[test]
fn a_mate_in_one_is_found_in_the_least_memory() {
    let game = position("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    let answer = searched(&game, 1);
    assert_eq!(answer.end, End::Proven);
    assert_eq!(answer.result.proven.map(|proven| (proven.value, proven.plies)), Some((1, 1)));
}

#[test]
fn more_memory_holds_more() {
    let (one, four) = (searched(&start("minishogi"), 1), searched(&start("minishogi"), 4));
    assert!(four.info.nodes > 3 * one.info.nodes, "{} {}", one.info.nodes, four.info.nodes);
}

#[test]
fn the_move_played_makes_room() {
    let config = EngineConfig { memory: 1, ..Setup::default().config };
    let mut bench = Setup { config, ..Setup::default() }.build();
    let mut game = start("minishogi");
    for _ in 0..4 {
        let answer = bench.search(&game, Limits::nodes(1_000_000));
        assert_eq!(answer.end, End::MemoryFull);
        assert!(answer.info.nodes > 100, "{}", answer.info.nodes);
        game.play(answer.result.best);
    }
}

#[test]
fn a_short_mate_is_found_before_the_memory_is_full() {
    // With so much in White's hand, there is no room for the first replies.
    let game = position("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    assert_eq!(searched(&game, 1).end, End::MemoryFull);
    let config = EngineConfig { memory: 1, mate_nodes: 1000, ..Setup::default().config };
    let mut bench = Setup { config, ..Setup::default() }.build();
    let answer = bench.search(&game, Limits::nodes(1_000_000));
    assert_eq!(answer.end, End::Mate);
    assert_eq!(answer.result.proven.map(|proven| (proven.value, proven.plies)), Some((1, 1)));
}
