use std::sync::Arc;

use rules::{Position, Seed, Variant};

use super::*;
use crate::clock::{Clock, Limits};
use crate::player::GameId;

fn micro() -> Arc<Variant> {
    Variant::builtin("micro").unwrap()
}

fn player(depth: u32) -> AlphaBeta {
    AlphaBeta::new(NonZeroU32::new(depth).unwrap())
}

fn game(fen: &str) -> Game {
    let variant = micro();
    let position = Position::parse(&variant, fen).unwrap();
    Game::from_position(variant, position)
}

/// The game after `plies` random moves, if it is not over.
fn random_game(seed: Seed, plies: usize) -> Option<Game> {
    let mut rng = seed.rng();
    let (mut game, mut moves) = (Game::new(micro()), Vec::new());
    for _ in 0..plies {
        if game.status(&mut moves).is_some() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]);
    }
    game.status(&mut moves).is_none().then_some(game)
}

/// The definition of the value, without any pruning.
fn minimax(game: &mut Game, depth: u32, ply: u32) -> i32 {
    let mut moves = Vec::new();
    if let Some(outcome) = game.status(&mut moves) {
        return ending(outcome, game.side_to_move(), ply);
    }
    if ply == depth {
        return game.balance();
    }
    let value_of = |mv| {
        game.play(mv);
        let value = -minimax(game, depth, ply + 1);
        game.undo();
        value
    };
    moves.into_iter().map(value_of).max().unwrap()
}

/// All best moves by definition.
fn best_moves(game: &Game, depth: u32) -> (i32, Vec<Move>) {
    let (mut game, mut moves) = (game.clone(), Vec::new());
    game.status(&mut moves);
    let mut value_of = |mv| {
        game.play(mv);
        let value = -minimax(&mut game, depth, 1);
        game.undo();
        value
    };
    let values: Vec<i32> = moves.iter().map(|&mv| value_of(mv)).collect();
    let value = *values.iter().max().unwrap();
    let mut best: Vec<Move> =
        moves.iter().zip(&values).filter(|&(_, &v)| v == value).map(|(&mv, _)| mv).collect();
    best.sort();
    (value, best)
}

#[test]
fn finds_a_mate_in_one() {
    let game = game("k3/4/1+R2/4/3K[R] w 0 1");
    let mut player = player(1);
    let (value, best) = player.search(&game);
    assert_eq!(value, MATE - 1);
    assert!(best.contains(&game.parse_move("+R@a4").unwrap()));
    for &mv in best {
        let mut after = game.clone();
        after.play(mv);
        assert_eq!(after.status(&mut Vec::new()).unwrap().winner, Some(Color::Black));
    }
}

#[test]
fn finds_a_mate_in_two_and_plays_it_out() {
    let mut found = 0;
    for seed in 0..400 {
        let Some(mut game) = random_game(Seed(seed), 14) else { continue };
        let winner = game.side_to_move();
        if player(3).search(&game).0 != MATE - 3 {
            continue;
        }
        found += 1;
        for depth in [3, 2, 1] {
            let mv = player(depth).search(&game).1[0];
            game.play(mv);
        }
        assert_eq!(game.status(&mut Vec::new()).unwrap().winner, Some(winner));
    }
    assert!(found >= 5, "{found}");
}

#[test]
fn equals_plain_minimax() {
    for seed in 0..12 {
        for depth in 1..=3 {
            let plies = 2 + 3 * (seed as usize % 5);
            let Some(game) = random_game(Seed(seed), plies) else { continue };
            let mut player = player(depth);
            let (value, best) = player.search(&game);
            let mut best = best.to_vec();
            best.sort();
            assert_eq!((value, best), best_moves(&game, depth), "seed {seed} depth {depth}");
        }
    }
}

#[test]
fn the_seed_decides_among_equals_only() {
    let game = Game::new(micro());
    let mut player = player(2);
    let best = player.search(&game).1.to_vec();
    let turn = |seed| Turn {
        game: &game,
        id: GameId { pair: 0, game: 0, replay: 0 },
        seed: Seed(seed),
        clocks: [Clock::default(); 2],
        limits: Limits::default(),
    };
    let mut choose = || (0..50).map(|seed| player.choose(&turn(seed))).collect::<Vec<Move>>();
    let (mut chosen, again) = (choose(), choose());
    assert_eq!(chosen, again);
    assert!(chosen.iter().all(|mv| best.contains(mv)));
    chosen.sort();
    chosen.dedup();
    assert!(best.len() == 1 || chosen.len() > 1);
}
