//! What searches of other programs got wrong, as their users reported it.

use std::slice::from_mut;

use mcts::{
    Proven, RootSelection, Search, SearchConfig, SearchResult, drive_to_end,
    fake::{Hashed, Uniform},
};
use rules::{Game, Move, Position, Seed, Variant};

use crate::toy::{Scripted, Toy, search};

/// leela-chess #37: a tree kept with nearly all of the budget in it was neither searched on nor given
/// noise.
#[test]
fn a_kept_root_gets_its_own_noise_and_its_own_simulations() {
    let config = SearchConfig {
        simulations: 800,
        root: RootSelection::Puct,
        noise_fraction: 0.25,
        keep_tree: true,
        ..SearchConfig::default()
    };
    // One move only, so that nearly all visits are kept.
    let text = "((0.1: 0.4*(0.3: 0.4 -0.2) 0.3*(-0.1: 0.2 0.3) 0.2*(0.2: 0.1 -0.4) 0.1*0.2))";
    let kept = |seed| {
        let mut search = Search::new(config);
        search.start(Toy::new(text), Seed(1));
        drive_to_end(from_mut(&mut search), &mut Scripted::default()).unwrap();
        search.play(0);
        search.restart(config, Seed(seed));
        let before: u32 = search.result().moves.iter().map(|stat| stat.visits).sum();
        drive_to_end(from_mut(&mut search), &mut Scripted::default()).unwrap();
        let result = search.result();
        let after: u32 = result.moves.iter().map(|stat| stat.visits).sum();
        assert_eq!((before, after, result.simulations), (799, 1599, 800));
        result
    };
    let (one, two) = (kept(1), kept(2));
    for (at, prior) in [0.4, 0.3, 0.2, 0.1].into_iter().enumerate() {
        assert!(one.moves[at].prior != prior && two.moves[at].prior != one.moves[at].prior);
    }
}

/// aobazero #22: unvisited moves counted as even, so that a losing side tried them all.
#[test]
fn a_losing_root_does_not_spread_its_visits() {
    let untried = "0.03*0.8 ".repeat(15);
    // At the root, and one ply further down.
    for text in [format!("(-0.8: 0.55*0.8 {untried})"), format!("((-0.8: 0.55*0.8 {untried}))")] {
        let config =
            SearchConfig { simulations: 64, root: RootSelection::Puct, ..SearchConfig::default() };
        let (result, leaves) = search(&text, config);
        let favourite = leaves.iter().filter(|path| path.iter().all(|&mv| mv == 0)).count();
        let tried = leaves.iter().filter_map(|path| path.iter().find(|&&mv| mv != 0));
        let tried: std::collections::BTreeSet<_> = tried.collect();
        assert!(favourite >= 40 && tried.len() < 12, "{favourite} {tried:?} {result:?}");
    }
}

/// A game after some moves.
fn after(variant: &str, position: &str, moves: &[&str]) -> Game {
    let variant = Variant::builtin(variant).unwrap();
    let position = Position::parse(&variant, position).unwrap();
    let mut game = Game::from_position(variant, position);
    for text in moves {
        game.try_play(game.parse_move(text).unwrap()).unwrap();
    }
    game
}

fn searched(game: &Game, root: RootSelection, proofs: bool) -> SearchResult<Move> {
    // Every move is tried.
    let config =
        SearchConfig { simulations: 60, considered: 60, root, proofs, ..SearchConfig::default() };
    let mut search = Search::new(config);
    search.start(game.clone(), Seed(1));
    drive_to_end(from_mut(&mut search), &mut Uniform).unwrap();
    search.result()
}

/// fairy-stockfish #49, pychess-variants #472: the search believed in a draw, or in a win, by perpetual
/// check.
#[test]
fn perpetual_check_loses_for_the_checker_in_the_tree_with_the_history_of_the_game() {
    let cycles = |cycle: &'static str, plies| -> Vec<&str> {
        cycle.split_whitespace().cycle().take(plies).collect()
    };
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        // The checker (Black) completes the fourth occurrence with his twelfth ply.
        let (start, cycle) = ("6p1k/9/8+R/9/9/9/9/9/K8 w - 1", "1a2a 1c2c 2a1a 2c1c");
        let game = after("shogi", start, &cycles(cycle, 11));
        let result = searched(&game, root, true);
        let check = game.parse_move("2c1c").unwrap();
        let stat = result.moves.iter().find(|stat| stat.mv == check).unwrap();
        assert_eq!(stat.proven, Some(Proven { value: -1, plies: 1 }));
        assert!(stat.target == 0.0 && result.best != check, "{result:?}");
        let result = searched(&game, root, false);
        let stat = result.moves.iter().find(|stat| stat.mv == check).unwrap();
        assert!(result.best != check && (stat.visits == 0 || stat.value == -1.0));
        // The rook checks with its eleventh ply, and the king completes the fourth occurrence.
        let (start, cycle) = ("4k4/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "a9a10 e10e9 a10a9 e9e10");
        let game = after("xiangqi", start, &cycles(cycle, 10));
        let result = searched(&game, root, true);
        let check = game.parse_move("a10a9").unwrap();
        let stat = result.moves.iter().find(|stat| stat.mv == check).unwrap();
        assert_eq!(stat.proven, Some(Proven { value: -1, plies: 2 }));
        assert_ne!(result.best, check);
        // And the side in check goes for it: White would have to move again and again otherwise.
        let game = after("xiangqi", start, &cycles(cycle, 11));
        let result = searched(&game, root, true);
        assert_eq!(result.proven, Some(Proven { value: 1, plies: 1 }));
        assert_eq!(result.best, game.parse_move("e9e10").unwrap());
    }
}

/// An end by repetition is proven where it stands and nowhere else: the same position on another way is
/// searched as any other.
#[test]
fn what_depends_on_the_way_to_a_position_is_no_proof_of_it() {
    let start = "6p1k/9/8+R/9/9/9/9/9/K8 w - 1";
    let once = after("shogi", start, &["1a2a", "1c2c", "2a1a"]);
    let check = once.parse_move("2c1c").unwrap();
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        let config = SearchConfig { simulations: 400, root, ..SearchConfig::default() };
        let mut search = Search::new(config);
        search.start(once.clone(), Seed(1));
        drive_to_end(from_mut(&mut search), &mut Hashed { seed: Seed(1) }).unwrap();
        let result = search.result();
        let stat = result.moves.iter().find(|stat| stat.mv == check).unwrap();
        assert_eq!(stat.proven, None);
    }
}
