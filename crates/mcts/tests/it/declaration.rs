//! A declaration that wins is as good as a mate.

use mcts::fake::Uniform;
use mcts::{Proven, Search, SearchConfig, SearchResult, Wdl, drive_to_end};
use rules::{Game, Move, Position, Seed, Variant};

/// Black's king and ten pawns stand in the camp; rooks and bishops in hand make 30 points.
const ENTERED: &str = "4K4/PPPPPPPPP/P8/9/9/9/9/9/4k4[RRBB]";

fn search(position: &str) -> (Game, SearchResult<Move>) {
    let shogi = Variant::builtin("shogi").unwrap();
    let position = Position::parse(&shogi, position).unwrap();
    let game = Game::from_position(shogi, position);
    let config = SearchConfig { simulations: 800, ..SearchConfig::default() };
    let mut searches = [Search::new(config)];
    searches[0].start(game.clone(), Seed(1));
    drive_to_end(&mut searches, &mut Uniform).unwrap();
    (game, searches[0].result())
}

#[test]
fn whoever_can_declare_has_won() {
    let (game, result) = search(&format!("{ENTERED} w 0 1"));
    assert_eq!(result.proven, Some(Proven { value: 1, plies: 0 }));
    assert_eq!((result.simulations, result.root_wdl), (0, Wdl::WIN));
    let mut moves = Vec::new();
    assert!(game.verdict(&mut moves).is_some());
    assert!(moves.contains(&result.best), "the moves are still legal");
}

#[test]
fn whoever_cannot_stop_a_declaration_has_lost() {
    // White has only king moves, none of which checks.
    let (_, result) = search(&format!("{ENTERED} b 0 1"));
    assert_eq!(result.proven, Some(Proven { value: -1, plies: 1 }));
}
