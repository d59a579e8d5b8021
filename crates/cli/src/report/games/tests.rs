use super::*;

/// A game of `plies` plies whose winner was down to `lowest` at its last own ply but one.
fn game(game_id: u64, generation: u32, plies: usize, outcome: &str, lowest: f32) -> GameRecord {
    let ply = |ply: usize| {
        let win = if ply + 3 == plies { lowest } else { 0.75 };
        PlyRecord {
            mv: 0,
            generation,
            simulations: 1,
            full_search: true,
            policy_moves: vec![0, 1],
            policy_target: vec![0.5, 0.5],
            visits: vec![3, 1],
            root_wdl: [win, 0.0, 1.0 - win],
            net_wdl: [1.0, 0.0, 0.0],
            proven: None,
            played_probability: 0.5,
        }
    };
    GameRecord {
        game_id,
        producer: String::new(),
        variant: String::new(),
        board_fingerprint: String::new(),
        rules_fingerprint: String::new(),
        seed: 0,
        start: String::new(),
        start_moves: Vec::new(),
        outcome: outcome.to_owned(),
        termination: "checkmate".to_owned(),
        plies: (0..plies).map(ply).collect(),
    }
}

fn games(limit: usize, of: &[GameRecord]) -> Games {
    let mut games = Games::new(limit);
    of.iter().for_each(|game| games.add(game));
    games
}

#[test]
fn figures_of_a_generation() {
    let lengths = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    let outcomes = ["first", "first", "draw", "second"];
    let of = lengths.iter().zip(outcomes.iter().cycle()).enumerate();
    let of: Vec<_> =
        of.map(|(id, (&plies, outcome))| game(id as u64, 3, plies, outcome, 0.5)).collect();
    let rows = games(5, &of).rows();
    let row = &rows[0];
    assert_eq!((rows.len(), row.generation, row.games, row.positions), (1, 3, 10, 550));
    assert_eq!((row.mean, row.low, row.median, row.high), (55.0, 10, 50, 90));
    assert_eq!(row.endings["checkmate"], 10);
    // Six won, two drawn, two lost.
    let [score, low, high] = row.score.unwrap();
    assert!((score - 0.7).abs() < 1e-9 && low < 0.6 && high > 0.8, "{low} to {high}");
    assert!((row.policy_entropy.unwrap() - 2f64.ln()).abs() < 1e-6);
    let visits = -(0.75 * 0.75f64.ln() + 0.25 * 0.25f64.ln());
    assert!((row.visit_entropy.unwrap() - visits).abs() < 1e-6);
}

#[test]
fn telling_games_are_kept_once_each() {
    let of = [
        game(0, 0, 20, "first", 0.5),
        game(1, 0, 40, "draw", 0.0),
        game(2, 0, 11, "second", 0.5),
        game(3, 0, 30, "second", 0.1),
        game(4, 0, 8, "draw", 0.5),
    ];
    let shown = |limit: usize| {
        let games = games(limit, &of);
        let shown = games.shown().into_iter().map(|(game, reason)| (game.game_id, reason));
        shown.collect::<Vec<_>>()
    };
    let telling = [(4, "last"), (1, "longest"), (2, "shortest"), (3, "comeback"), (0, "first")];
    assert_eq!(shown(9), telling);
    assert_eq!(shown(2), telling[..2]);
    assert!(shown(0).is_empty());
}

#[test]
fn what_is_kept_stays_bounded() {
    let mut games = Games::new(1);
    for generation in 0..1000 {
        games.add(&game(u64::from(generation), generation, 4, "first", 0.5));
        games.thin();
    }
    let shown: Vec<u64> = games.shown().iter().map(|(game, _)| game.game_id).collect();
    assert!(shown.len() <= SHOWN_GENERATIONS as usize + 2, "{shown:?}");
    assert!(shown.contains(&0) && shown.contains(&999));
    assert_eq!((games.rows().len(), games.openings().count()), (1000, shown.len()));
}
