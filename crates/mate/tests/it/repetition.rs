//! Mates and the history of the game: what would need a repetition, or more plies than are left, is no
//! mate.

use std::sync::Arc;

use mate::{Answer, LeafMate, Options};
use rules::{Game, Move, Position, Variant};

use crate::brute;
use crate::problems::problems;
use crate::solver::solve;

fn answer(game: &Game) -> Answer {
    solve(game, Options { shortest: true, memory: 4, ..Options::default() }).answer()
}

#[test]
fn perpetual_check_is_no_mate() {
    for (id, fen) in [
        ("shogi", "8l/6+P2/6+Rpk/8p/9/7S1/9/9/K8 b - 1"),
        ("shogi", "6p2/8k/6+R2/9/9/9/9/9/K8 b - 1"),
        ("xiangqi", "4k4/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1"),
    ] {
        let variant = Variant::builtin(id).unwrap();
        let position = Position::parse(&variant, fen).unwrap();
        let game = Game::from_position(variant, position);
        let solver = solve(&game, Options { max_plies: 60, memory: 4, ..Options::default() });
        assert!(matches!(solver.answer(), Answer::NoMate | Answer::NoneWithin(_)), "{fen}");
    }
}

/// Moves that lead back to the current position: a check, a reply, two moves back.
fn cycles(game: &mut Game) -> Vec<[Move; 4]> {
    let home = game.position().clone();
    let mut lists: [Vec<Move>; 4] = Default::default();
    let mut found = Vec::new();
    game.checks(&mut lists[0]);
    for a in lists[0].clone().into_iter().filter(|mv| !mv.is_drop()) {
        game.play(a);
        game.status(&mut lists[1]);
        for b in lists[1].clone().into_iter().filter(|mv| !mv.is_drop()) {
            game.play(b);
            game.status(&mut lists[2]);
            for c in lists[2].clone().into_iter().filter(|mv| Some(mv.to()) == a.from()) {
                game.play(c);
                game.status(&mut lists[3]);
                for d in lists[3].clone().into_iter().filter(|mv| Some(mv.to()) == b.from()) {
                    game.play(d);
                    if *game.position() == home {
                        found.push([a, b, c, d]);
                    }
                    game.undo();
                }
                game.undo();
            }
            game.undo();
        }
        game.undo();
    }
    found
}

/// The current position of `game` after the one behind `cycle[0]` has stood three times.
fn with_history(game: &Game, cycle: [Move; 4]) -> Option<Game> {
    let [a, b, c, d] = cycle;
    let mut start = game.clone();
    start.play(a);
    let position = start.position().clone();
    let mut played = Game::from_position(game.variant().clone(), position);
    for mv in [b, c, d, a, b, c, d, a, b, c, d] {
        played.try_play(mv).ok()?;
    }
    Some(played)
}

#[test]
fn a_mate_that_would_need_a_repetition_is_none() {
    let (mut changed, mut seen) = (0, 0);
    for mut problem in problems() {
        if problem.game.variant().squares() > 30 && problem.plies.is_none_or(|plies| plies > 5) {
            continue;
        }
        for cycle in cycles(&mut problem.game).into_iter().take(4) {
            let Some(mut game) = with_history(&problem.game, cycle) else { continue };
            let attacker = game.side_to_move();
            let expected = brute::shortest(&mut game, attacker, 5);
            let options = Options { shortest: true, memory: 1, max_plies: 5, ..Options::default() };
            let found = match solve(&game, options).answer() {
                Answer::Mate { plies, .. } => Some(plies),
                _ => None,
            };
            let fen = game.position().to_fen(game.variant());
            assert_eq!(found, expected, "{fen}");
            let leaf = LeafMate::new(3).find(&mut game).map(|mate| mate.plies);
            assert_eq!(leaf, expected.filter(|&plies| plies <= 3), "{fen}");
            let fresh = brute::shortest(&mut problem.game, attacker, 5);
            changed += usize::from(fresh != expected);
            seen += 1;
        }
    }
    assert!(changed >= 2 && seen >= 20, "{changed} of {seen}");
}

#[test]
fn a_mate_beyond_the_length_of_the_game_is_none() {
    let problems = problems();
    let five = problems
        .iter()
        .filter(|problem| problem.plies == Some(5) && problem.game.variant().id() == "shogi");
    for problem in five {
        let with_limit = |plies| {
            let variant = Arc::new(problem.game.variant().with_max_plies(plies));
            Game::from_position(variant, problem.game.position().clone())
        };
        let Answer::Mate { plies, .. } = answer(&problem.game) else { panic!("no mate") };
        assert_eq!(answer(&with_limit(plies)), Answer::Mate { plies, shortest: true });
        assert_eq!(answer(&with_limit(plies - 1)), Answer::NoMate);
    }
}
