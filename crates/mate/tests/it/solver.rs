//! The solver against the oracle.

use mate::{Answer, Options, Solver};
use rules::{Game, Variant};

use crate::{brute, random_positions};

/// The answer after all the nodes it takes.
pub(crate) fn solve(game: &Game, options: Options) -> Solver {
    let mut solver = Solver::new(game, options);
    while !solver.is_done() {
        solver.run(10_000);
        assert!(solver.nodes() < 20_000_000, "{}", game.position().to_fen(game.variant()));
    }
    solver
}

#[test]
fn agrees_with_trying_everything() {
    for id in Variant::builtin_ids() {
        let large = Variant::builtin(id).unwrap().squares() > 40;
        let plies = if *id == "dobutsu" { 4 } else { 5 };
        let mut found = [0; 6];
        random_positions(id, if large { 800 } else { 400 }, |game| {
            let expected = brute::shortest(game, game.side_to_move(), plies);
            let options =
                Options { max_plies: plies, shortest: true, memory: 1, ..Options::default() };
            let mut solver = solve(game, options);
            let fen = game.position().to_fen(game.variant());
            match (solver.answer(), expected) {
                (Answer::Mate { plies, shortest: true }, Some(length)) if plies == length => {}
                (Answer::NoMate | Answer::NoneWithin(_), None) => {}
                (answer, expected) => panic!("{id} {fen}: {answer:?}, not {expected:?}"),
            }
            let line = solver.line();
            if let Some(length) = expected {
                found[length as usize] += 1;
                let attacker = game.side_to_move();
                assert_eq!(line.len(), length as usize, "{id} {fen}");
                let mut left = length;
                for mv in line {
                    assert_eq!(brute::shortest(game, attacker, left), Some(left), "{id} {fen}");
                    assert!(game.side_to_move() == attacker || left % 2 == 0);
                    game.try_play(mv).unwrap();
                    left -= 1;
                    assert!(brute::mates(game, attacker, left));
                }
            }
        });
    }
}
