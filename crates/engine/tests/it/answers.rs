//! What a search finds.

use engine::{Decision, End, EngineConfig, Limits, PlayerClock, Score};
use mcts::fake::Material;
use mcts::{RootSelection, Search, SearchConfig, drive_to_end};
use rules::{Game, Seed};

use crate::common::{Setup, is_legal, ms, position, start};

#[test]
fn one_thread_and_batches_of_one_are_the_plain_search() {
    for variant in ["micro", "minishogi", "xiangqi"] {
        for nodes in [1, 50, 1500] {
            let config = EngineConfig { batch: 1, ..Setup::default().config };
            let mut bench = Setup { config, ..Setup::default() }.build();
            let answer = bench.search(&start(variant), Limits::nodes(nodes));
            let mut plain = [Search::new(SearchConfig {
                simulations: nodes as u32,
                root: RootSelection::Puct,
                ..SearchConfig::default()
            })];
            plain[0].start(start(variant), Seed(0));
            drive_to_end(&mut plain, &mut Material::default()).unwrap();
            assert_eq!(answer.result, plain[0].result(), "{variant} {nodes}");
        }
    }
}

#[test]
fn lines_are_distinct_legal_and_in_order() {
    for variant in ["micro", "minishogi", "shogi", "xiangqi", "dobutsu"] {
        let config = EngineConfig { multipv: 5, ..Setup::default().config };
        let mut bench = Setup { config, threads: 2, ..Setup::default() }.build();
        let game = start(variant);
        let answer = bench.search(&game, Limits::nodes(2000));
        let lines = &answer.info.lines;
        let mut moves = Vec::new();
        game.status(&mut moves);
        assert_eq!(lines.len(), moves.len().min(5), "{variant}");
        assert_eq!(lines[0].pv[0], answer.result.best);
        for (at, line) in lines.iter().enumerate() {
            assert!(is_legal(&game, &line.pv), "{variant} {:?}", line.pv);
            assert!(lines[..at].iter().all(|other| other.pv[0] != line.pv[0]));
            assert!(line.visits > 0 && line.pv.len() > 1);
        }
        assert!(lines.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
        assert_eq!(answer.ponder, Some(lines[0].pv[1]));
    }
}

/// Positions in which the side to move mates, in how many plies at least.
const MATES: [(&str, &str, i32); 7] = [
    ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
    ("shogi", "8k/9/8P/7N1/9/9/9/9/9 b 2G 1", 1),
    ("minishogi", "k4/5/P4/5/4K[G] w 0 1", 1),
    ("xiangqi", "3k5/9/9/9/9/9/9/9/R3R4/4K4 w - - 0 1", 1),
    // One rook takes the second rank, the other mates on the first.
    ("shogi", "4k4/9/9/9/9/9/9/R7R/4K4 b - 1", 3),
    ("minishogi", "2k2/5/R3R/5/2K2[-] w 0 1", 3),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/R7R/3K5 w - - 0 1", 3),
];

#[test]
fn known_mates_are_found() {
    for (variant, fen, plies) in MATES {
        let game = position(variant, fen);
        for threads in [1, 2] {
            let mut bench = Setup { threads, ..Setup::default() }.build();
            let answer = bench.search(&game, Limits::nodes(100_000));
            let line = &answer.info.lines[0];
            assert_eq!(answer.end, End::Proven, "{variant} {fen}");
            // A tree search may prove a longer win first.
            let found = line.pv.len() as i32;
            assert_eq!(line.score(), Score::Mate(found), "{variant} {fen} {:?}", line.pv);
            assert!(found >= plies && found % 2 == 1 && (plies > 1 || found == 1), "{found}");
            let mut end = game.clone();
            line.pv.iter().for_each(|&mv| end.play(mv));
            let winner = end.status(&mut Vec::new()).and_then(|outcome| outcome.winner);
            assert_eq!(winner, Some(game.side_to_move()), "{variant} {fen}");
        }
    }
}

/// Black's king and ten pawns stand in the camp; rooks and bishops in hand make 30 points.
const ENTERED: &str = "4K4/PPPPPPPPP/P8/9/9/9/9/9/4k4[RRBB] w 0 1";

#[test]
fn who_may_declare_declares() {
    let mut bench = Setup::default().build();
    let answer = bench.search(&position("shogi", ENTERED), Limits::nodes(100));
    assert_eq!((answer.decision, answer.end), (Decision::Declare, End::Proven));
    assert_eq!(bench.asked(), 1);
}

fn lost() -> Game {
    position("shogi", "k8/9/9/9/9/9/9/9/r3K4 b 2b4g4s4n4l18pr 1")
}

#[test]
fn a_lost_game_is_resigned_only_where_that_was_asked_for() {
    for (resign, resigns) in [(None, false), (Some(0.05), true), (Some(0.0), false)] {
        let config = EngineConfig { resign, ..Setup::default().config };
        let mut bench = Setup { config, ..Setup::default() }.build();
        let answer = bench.search(&lost(), Limits::nodes(200));
        assert_eq!(answer.decision == Decision::Resign, resigns, "{:?}", answer.info.lines);
        let even = bench.search(&start("shogi"), Limits::nodes(200));
        assert!(matches!(even.decision, Decision::Play(_)));
    }
}

#[test]
fn a_game_is_played_on_a_clock_with_one_tree() {
    let mut bench = Setup::default().build();
    let mut game = start("micro");
    let mut left = ms(20_000);
    while game.verdict(&mut Vec::new()).is_none() {
        let clock = PlayerClock { remaining: left, ..PlayerClock::default() };
        let before = bench.now();
        let answer = bench.search(&game, Limits::clock(clock));
        // Both sides think on one clock here, as if each had half of it.
        left = left.checked_sub(bench.now() - before).unwrap();
        game.play(answer.result.best);
    }
    assert!(game.ply() > 4);
}

/// A mate in 11 plies, from data/mate/problems.csv, that this tree search, which is told nothing of checks, is far from proving.
const LONG_MATE: &str = "9/5g1LR/7k1/8R/8P/8+l/9/9/K8 b N2b3g4s3n2l17p 1";

#[test]
fn a_mate_found_beside_the_tree_ends_the_search_with_its_line() {
    let config = EngineConfig { mate_nodes: 1_000_000, memory: 1024, ..Setup::default().config };
    let mut bench = Setup { config, ..Setup::default() }.build();
    let game = position("shogi", LONG_MATE);
    let answer = bench.search(&game, Limits::default());
    let line = &answer.info.lines[0];
    assert_eq!(answer.end, End::Mate);
    assert_eq!(line.score(), Score::Mate(line.pv.len() as i32));
    assert_eq!((answer.decision, answer.result.best), (Decision::Play(line.pv[0]), line.pv[0]));
    assert!(is_legal(&game, &line.pv));
    let mut end = game.clone();
    line.pv.iter().for_each(|&mv| end.play(mv));
    assert!(end.status(&mut Vec::new()).is_some_and(|outcome| outcome.winner.is_some()));
}

#[test]
fn a_limit_of_mate_ends_where_there_is_none() {
    let limits = Limits { mate: Some(5), ..Limits::default() };
    let mut bench = Setup::default().build();
    let answer = bench.search(&start("shogi"), limits);
    assert_eq!(answer.end, End::NoMate);
    assert!(matches!(answer.decision, Decision::Play(_)));
}
