//! Searches of micro-shogi.

use std::fmt::Write;

use expect_test::{Expect, expect};
use mcts::{
    Proven, RootSelection, Search, SearchConfig, drive_to_end,
    fake::{Hashed, Material, Rollout, Uniform},
};
use rand::RngExt;
use rules::{Game, Move, Seed, Variant, move_to_usi};

fn micro() -> Game {
    Game::new(Variant::builtin("micro").unwrap())
}

fn run(
    game: &Game,
    config: SearchConfig,
    evaluator: &mut impl mcts::Evaluator<Game>,
) -> Search<Game> {
    let mut searches = [Search::new(config)];
    searches[0].start(game.clone(), Seed(3));
    drive_to_end(&mut searches, evaluator).unwrap();
    let [search] = searches;
    search
}

/// A line of the moves visited.
fn check(root: RootSelection, expected: &Expect) {
    let game = micro();
    let config = SearchConfig { simulations: 200, root, ..SearchConfig::default() };
    let result = run(&game, config, &mut Hashed { seed: Seed(1) }).result();
    let mut out = format!("best {}", move_to_usi(game.variant(), result.best));
    for stat in result.moves.iter().filter(|stat| stat.visits > 0) {
        write!(out, " {}:{}", move_to_usi(game.variant(), stat.mv), stat.visits).unwrap();
    }
    expected.assert_eq(&out);
}

#[test]
fn gumbel_visits_under_hashed_evaluations() {
    check(
        RootSelection::Gumbel,
        &expect!["best 3e2d 4e4d:5 4e3d:17 3e4d:5 3e3d:5 3e2d:71 2e3d:17 2e4c:5 1d1c:70 1e2d:5"],
    );
}

#[test]
fn puct_visits_under_hashed_evaluations() {
    check(
        RootSelection::Puct,
        &expect!["best 3e2d 4e4d:6 4e3d:8 3e4d:2 3e3d:3 3e2d:103 2e3d:39 1d1c:37 1e2d:2"],
    );
}

/// Positions of random games, one in `every`.
fn positions(games: u64, every: usize) -> Vec<Game> {
    let (mut found, mut moves) = (Vec::new(), Vec::new());
    for index in 0..games {
        let mut rng = Seed(11).derive("game", index).rng();
        let mut game = micro();
        while game.status(&mut moves).is_none() {
            if game.ply() % every == index as usize % every {
                found.push(game.clone());
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    found
}

/// Whether the side to move wins by force within `plies` (odd).
fn wins_within(game: &mut Game, plies: u32) -> bool {
    let mut moves = Vec::new();
    assert!(game.status(&mut moves).is_none());
    moves.into_iter().any(|mv| after(game, mv, |game| is_lost_within(game, plies - 1)))
}

fn is_lost_within(game: &mut Game, plies: u32) -> bool {
    let mut moves = Vec::new();
    if let Some(outcome) = game.status(&mut moves) {
        return outcome.winner == Some(!game.side_to_move());
    }
    plies > 0
        && moves.into_iter().all(|mv| {
            after(game, mv, |game| {
                let over = game.status(&mut Vec::new());
                match over {
                    Some(outcome) => outcome.winner == Some(game.side_to_move()),
                    None => wins_within(game, plies - 1),
                }
            })
        })
}

fn after<T>(game: &mut Game, mv: Move, ask: impl FnOnce(&mut Game) -> T) -> T {
    game.play(mv);
    let answer = ask(game);
    game.undo();
    answer
}

#[test]
fn mates_in_one_are_found_and_nothing_is_proven_that_is_not_so() {
    let config = SearchConfig {
        simulations: 200,
        root: RootSelection::Puct,
        fpu_reduction: 0.0,
        ..SearchConfig::default()
    };
    let (mut mates, mut proven) = (0, 0);
    for mut game in positions(60, 9) {
        let result = run(&game, config, &mut Uniform).result();
        if wins_within(&mut game, 1) {
            mates += 1;
            assert!(result.simulations < 200);
            assert_eq!(result.proven, Some(Proven { value: 1, plies: 1 }));
        }
        if let Some(Proven { value: 1, plies: plies @ ..=3 }) = result.proven {
            proven += 1;
            assert!(wins_within(&mut game, u32::from(plies)));
        }
    }
    assert!(mates > 20 && proven > mates, "{mates} {proven}");
}

#[test]
fn mates_in_three_are_found() {
    let config =
        SearchConfig { simulations: 4000, root: RootSelection::Puct, ..SearchConfig::default() };
    let (mut mates, mut found) = (0, 0);
    for mut game in positions(40, 13) {
        if !wins_within(&mut game, 1) && wins_within(&mut game, 3) {
            mates += 1;
            let result = run(&game, config, &mut Uniform).result();
            found += u32::from(result.proven.is_some_and(|proven| proven.value == 1));
        }
    }
    // Some are too hard without knowledge: many defences, or drops of many pieces.
    assert!(mates > 20 && found * 10 >= mates * 8, "{found} of {mates}");
}

#[test]
fn many_games_at_once_are_searched_as_each_alone() {
    let config = SearchConfig { simulations: 24, considered: 8, ..SearchConfig::default() };
    let starts: Vec<Game> = positions(20, 3).into_iter().take(64).collect();
    assert_eq!(starts.len(), 64);
    let mut evaluator = Hashed { seed: Seed(5) };
    let mut together: Vec<Search<Game>> = Vec::new();
    for game in &starts {
        let mut search = Search::new(config);
        search.start(game.clone(), Seed(3));
        together.push(search);
    }
    drive_to_end(&mut together, &mut evaluator).unwrap();
    for (game, search) in starts.iter().zip(&together) {
        assert_eq!(search.result(), run(game, config, &mut evaluator).result());
        assert_eq!(search.state().moves(), game.moves());
    }
}

#[test]
fn a_search_used_before_finds_the_same() {
    let config = SearchConfig { simulations: 64, ..SearchConfig::default() };
    let mut evaluator = Hashed { seed: Seed(5) };
    let mut used = Search::new(config);
    for game in positions(3, 4) {
        used.start(game.clone(), Seed(3));
        drive_to_end(std::slice::from_mut(&mut used), &mut evaluator).unwrap();
        assert_eq!(used.result(), run(&game, config, &mut evaluator).result());
    }
}

#[test]
fn rollouts_and_material_beat_random_moves() {
    let config =
        SearchConfig { simulations: 60, root: RootSelection::Puct, ..SearchConfig::default() };
    let mut rollout = Rollout { seed: Seed(1), max_plies: 200 };
    let mut moves = Vec::new();
    let mut points = [0, 0];
    for index in 0..20 {
        let mut rng = Seed(2).derive("opponent", index).rng();
        let mut game = micro();
        let outcome = loop {
            if let Some(outcome) = game.status(&mut moves) {
                break outcome;
            }
            let mv = match (game.ply() + index as usize) % 2 {
                0 if index < 10 => run(&game, config, &mut rollout).result().best,
                0 => run(&game, config, &mut Material::default()).result().best,
                _ => moves[rng.random_range(0..moves.len())],
            };
            game.play(mv);
        };
        let won = outcome.winner.is_some_and(|winner| winner.index() == index as usize % 2);
        points[usize::from(index >= 10)] += u32::from(won);
    }
    assert!(points[0] >= 9 && points[1] >= 9, "{points:?}");
}
