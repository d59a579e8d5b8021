use super::*;

fn results(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Results {
    Results { first, second, first_wins: wins, draws, second_wins: losses }
}

/// Both colours, every game won by `a`.
fn shutout(a: usize, b: usize, games: u64) -> [Results; 2] {
    [results(a, b, games / 2, 0, 0), results(b, a, 0, 0, games / 2)]
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[test]
fn five_player_round_robin_equals_the_reference() {
    let names = ["alpha", "bravo", "charlie", "delta", "echo"];
    let table = include_str!("../../../../data/arena/rr5_crosstable.csv");
    let rows: Vec<Results> = table
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let player = |name: &str| names.iter().position(|&n| n == name).unwrap();
            let count = |k: usize| cells[k].parse().unwrap();
            results(player(cells[0]), player(cells[1]), count(2), count(3), count(4))
        })
        .collect();
    let ratings = fit(5, &rows, 4).unwrap();
    // Computed independently (scipy); the standard errors are of the difference to echo.
    let elo = [102.82059781910249, 63.137319692544835, 8.88635473583675, -52.50889733839831];
    let sd = [31.699401584846058, 31.016078765286878, 30.424563428914716, 30.233441446129753];
    for player in 0..4 {
        close(ratings.players[player].elo, elo[player] + 122.33537490908581, 1e-3);
        close(ratings.players[player].sd, sd[player], 1e-3);
    }
    close(ratings.difference_sd(0, 1).unwrap(), 29.9064, 1e-3);
    close(ratings.advantage, 9.815736392049843, 1e-3);
    assert_eq!((ratings.players[4].elo, ratings.players[4].sd), (0.0, 0.0));
    assert_eq!(ratings.players[0].games, 240);
    assert!(!ratings.regularised && ratings.groups == 1);
}

#[test]
fn two_players_reproduce_their_score() {
    let ratings = fit(2, &[results(0, 1, 30, 10, 10), results(1, 0, 10, 10, 30)], 1).unwrap();
    close(ratings.players[0].elo, crate::elo::elo_of_score(0.7).unwrap(), 1e-6);
    close(ratings.advantage, 0.0, 1e-6);
}

#[test]
fn a_chain_of_shutouts_spans_thousands_of_elo_and_stays_finite() {
    let rows: Vec<Results> = (0..8).flat_map(|p| shutout(p + 1, p, 10_000)).collect();
    let ratings = fit(9, &rows, 0).unwrap();
    assert!(ratings.regularised);
    close(ratings.players[8].elo, 8.0 * 400.0 * (10_000.5f64 / 0.5).log10(), 1e-3);
    assert!(ratings.players.iter().all(|p| p.sd.is_finite()));
}

#[test]
fn a_shutout_of_a_player_that_others_rank_too_is_fitted_without_virtual_draws() {
    // 0 beats 2 always, but both are tied to 1 by wins and losses.
    let mut rows = shutout(0, 2, 100).to_vec();
    rows.extend([results(0, 1, 30, 0, 20), results(1, 2, 30, 0, 20), results(2, 1, 20, 0, 30)]);
    let ratings = fit(3, &rows, 1).unwrap();
    assert!(!ratings.regularised);
    assert!(ratings.players[0].elo > 0.0 && ratings.players[2].elo < 0.0);
}

#[test]
fn a_first_player_that_always_wins_has_a_bounded_advantage() {
    let ratings = fit(2, &[results(0, 1, 50, 0, 0), results(1, 0, 50, 0, 0)], 0).unwrap();
    assert!(ratings.regularised);
    close(ratings.players[1].elo, 0.0, 1e-6);
    close(ratings.advantage, 400.0 * (201.0f64).log10(), 0.1);
}

#[test]
fn one_colour_only_does_not_confuse_strength_and_advantage() {
    let ratings = fit(2, &[results(0, 1, 30, 0, 20)], 0).unwrap();
    assert!(ratings.regularised);
    assert!(ratings.advantage.is_finite() && ratings.players[1].elo.is_finite());
}

#[test]
fn groups_that_never_met_are_reported() {
    let mut rows = vec![results(0, 1, 5, 1, 4), results(1, 0, 5, 1, 4)];
    rows.extend([results(2, 3, 5, 1, 2), results(3, 2, 5, 1, 4)]);
    let ratings = fit(5, &rows, 1).unwrap();
    assert_eq!(ratings.players.iter().map(|p| p.group).collect::<Vec<_>>(), [0, 0, 1, 1, 2]);
    assert_eq!(ratings.groups, 3);
    assert_eq!(
        (ratings.players[1].elo, ratings.players[2].elo, ratings.players[4].elo),
        (0.0, 0.0, 0.0)
    );
    assert_eq!(ratings.difference_sd(0, 2), None);
}

#[test]
fn no_games_and_bad_players() {
    let empty = fit(2, &[], 0).unwrap();
    assert_eq!((empty.advantage, empty.players[1].games, empty.groups), (0.0, 0, 2));
    let unknown = RatingError::NoSuchPlayer { index: 0, player: 7, players: 2 };
    assert_eq!(fit(2, &[results(0, 7, 1, 0, 0)], 0), Err(unknown));
    assert_eq!(
        fit(2, &[results(1, 1, 1, 0, 0)], 0),
        Err(RatingError::SelfPlay { index: 0, player: 1 })
    );
}
