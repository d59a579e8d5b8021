//! The problems of data/mate: every one solved with its length, none where there is none.

use mate::{Answer, MOST_PLIES, Options, Solver, brinkmates};
use rules::{Game, Move, Position, Variant};

use crate::brute;
use crate::solver::solve;

/// A line of the file.
pub(crate) struct Problem {
    pub(crate) game: Game,
    kind: String,
    /// `None` if there is no mate.
    pub(crate) plies: Option<u32>,
    moves: Vec<String>,
    traits: String,
}

/// All of them.
pub(crate) fn problems() -> Vec<Problem> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/mate/problems.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let problem = |row: csv::StringRecord| {
        let variant = Variant::builtin(&row[0]).unwrap();
        let position = Position::parse(&variant, &row[2]).unwrap();
        Problem {
            game: Game::from_position(variant, position),
            kind: row[1].to_owned(),
            plies: row[3].parse().ok(),
            moves: row[4].split_whitespace().map(str::to_owned).collect(),
            traits: row[5].to_owned(),
        }
    };
    reader.records().map(|row| problem(row.unwrap())).collect()
}

fn as_problem(memory: usize) -> Options {
    Options { memory, shortest: true, problem: true, ..Options::default() }
}

#[test]
fn every_problem_is_solved_with_its_length() {
    let (mut mates, mut none) = (0, 0);
    for problem in problems().into_iter().filter(|problem| problem.kind != "hisshi") {
        let mut solver = solve(&problem.game, as_problem(64));
        let fen = problem.game.position().to_sfen(problem.game.variant());
        match problem.plies {
            Some(plies) => {
                let expected = Answer::Mate { plies, shortest: true };
                assert_eq!(solver.answer(), expected, "{fen}");
                let line = solver.line();
                assert_eq!(line.len(), plies as usize, "{fen}");
                play_out(problem.game, &line);
                mates += 1;
            }
            None => {
                assert_eq!(solver.answer(), Answer::NoMate, "{fen}");
                assert!(solver.line().is_empty());
                none += 1;
            }
        }
    }
    assert!(mates >= 110 && none >= 25);
}

/// Plays a line: every attack is a check where there is such a thing, and at the end the defender has no
/// reply, or only drops.
fn play_out(mut game: Game, line: &[Move]) {
    let attacker = game.side_to_move();
    let mut checks = Vec::new();
    for &mv in line {
        if game.side_to_move() == attacker {
            game.checks(&mut checks);
            assert!(checks.contains(&mv) || game.variant().id() == "xiangqi");
        }
        game.try_play(mv).unwrap();
    }
    let mut replies = Vec::new();
    let over = game.status(&mut replies).is_some_and(|outcome| outcome.winner == Some(attacker));
    assert!(over || replies.iter().all(|mv| mv.is_drop()));
}

#[test]
fn short_ones_are_confirmed_by_trying_everything() {
    let mut confirmed = 0;
    for mut problem in problems() {
        // Useless interpositions are another way to count.
        if problem.kind == "hisshi" || problem.traits.contains("useless") {
            continue;
        }
        let attacker = problem.game.side_to_move();
        let depth = if problem.game.variant().id() == "dobutsu" { 3 } else { 5 };
        let expected = problem.plies.filter(|&plies| plies <= depth);
        let shortest = brute::shortest(&mut problem.game, attacker, depth);
        assert_eq!(shortest, expected);
        confirmed += usize::from(expected.is_some());
    }
    assert!(confirmed > 30, "{confirmed}");
}

#[test]
fn useless_interpositions_count_in_the_game_alone() {
    let mut longer = 0;
    for problem in problems().into_iter().filter(|problem| problem.traits.contains("useless")) {
        let strict = Options { problem: false, ..as_problem(64) };
        let solver = solve(&problem.game, strict);
        let Answer::Mate { plies, shortest: true } = solver.answer() else { panic!("no mate") };
        assert!(plies > problem.plies.unwrap());
        longer += 1;
    }
    assert!(longer >= 2);
}

#[test]
fn forbidden_drop_mates_make_the_traps() {
    let rule = "id = \"free\"\nextends = \"shogi\"\n[drops]\nno_mate_by = []\n";
    let text = |id: &str| Variant::builtin_text(id).map(str::to_owned);
    let free = std::sync::Arc::new(Variant::parse(rule, &text).unwrap());
    let mut traps = 0;
    for problem in problems().into_iter().filter(|problem| problem.traits.contains("drop-mate")) {
        let game = Game::from_position(free.clone(), problem.game.position().clone());
        let solver = solve(&game, as_problem(64));
        let Answer::Mate { plies, .. } = solver.answer() else { panic!("no mate") };
        assert!(problem.plies.is_none_or(|longer| plies < longer));
        traps += 1;
    }
    assert!(traps >= 4);
}

#[test]
fn brinkmates_are_found() {
    let mut count = 0;
    for problem in problems().into_iter().filter(|problem| problem.kind == "hisshi") {
        let Problem { game, moves, plies, .. } = problem;
        let found = brinkmates(&game, as_problem(16), 50_000);
        let texts: Vec<String> = found
            .found
            .iter()
            .map(|brinkmate| game.variant().id().to_owned() + &usi(&game, brinkmate.mv))
            .collect();
        let expected: Vec<String> =
            moves.iter().map(|mv| game.variant().id().to_owned() + mv).collect();
        assert_eq!(texts, expected);
        assert_eq!(found.found.iter().map(|brinkmate| brinkmate.plies).min(), plies);
        assert!(found.found.iter().all(|brinkmate| found.threats.contains(&brinkmate.mv)));
        leaves_no_defence(&game, found.found[0].mv);
        count += 1;
    }
    assert!(count >= 10);
}

fn usi(game: &Game, mv: Move) -> String {
    rules::move_to_usi(game.variant(), mv)
}

/// Every reply leaves a mate to a search that starts anew.
fn leaves_no_defence(game: &Game, mv: Move) {
    let mut game = game.clone();
    game.try_play(mv).unwrap();
    let mut replies = Vec::new();
    assert!(game.status(&mut replies).is_none() && !game.in_check());
    for reply in replies {
        game.play(reply);
        let solver = solve(&game, Options { memory: 16, ..Options::default() });
        assert!(matches!(solver.answer(), Answer::Mate { .. }));
        game.undo();
    }
}

#[test]
fn memory_stays_within_its_bound() {
    let hardest = problems().into_iter().filter(|problem| problem.game.variant().id() == "shogi");
    let hardest = hardest.filter(|problem| problem.plies < Some(21));
    let hardest = hardest.max_by_key(|problem| problem.plies).unwrap();
    let mut collected = 0;
    for memory in [1, 2, 64] {
        let solver = solve(&hardest.game, as_problem(memory));
        let expected = Answer::Mate { plies: hardest.plies.unwrap(), shortest: true };
        assert_eq!(solver.answer(), expected);
        assert!(solver.memory() <= memory << 20, "{} bytes", solver.memory());
        collected += solver.collections();
    }
    assert!(collected > 0);
}

#[test]
fn slices_and_limits_change_no_answer() {
    for problem in problems().into_iter().filter(|problem| problem.plies == Some(9)) {
        let mut slices = Solver::new(&problem.game, as_problem(16));
        while !slices.is_done() {
            slices.run(1);
        }
        assert_eq!(slices.answer(), Answer::Mate { plies: 9, shortest: true });
        let limited =
            |max_plies| solve(&problem.game, Options { max_plies, ..as_problem(16) }).answer();
        assert_eq!(limited(8), Answer::NoneWithin(8));
        assert_eq!(limited(9), Answer::Mate { plies: 9, shortest: true });
        let any = solve(&problem.game, Options { shortest: false, ..as_problem(16) });
        let Answer::Mate { plies, .. } = any.answer() else { panic!("no mate") };
        assert!((9..=MOST_PLIES).contains(&plies));
    }
}
