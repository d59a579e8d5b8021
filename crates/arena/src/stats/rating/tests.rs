use super::*;
use crate::stats::{Trinomial, elo_of_score};

/// Single games by their results, those of the player that moved first.
fn observed(rows: &[(usize, usize, u64, u64, u64)]) -> Observations {
    let mut observations = Observations::default();
    for &(first, second, wins, draws, losses) in rows {
        observations.add_counts(first, second, &Trinomial { wins, draws, losses });
    }
    observations
}

/// Both colours, every game won by `a`.
fn shutout(a: usize, b: usize, games: u64) -> [(usize, usize, u64, u64, u64); 2] {
    [(a, b, games / 2, 0, 0), (b, a, 0, 0, games / 2)]
}

fn rate(players: usize, rows: &[(usize, usize, u64, u64, u64)], anchor: usize) -> Ratings {
    let anchor = Anchor::Player { player: anchor, elo: 0.0 };
    fit(players, &observed(rows), &RatingModel::default(), anchor).unwrap()
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[test]
fn two_players_reproduce_their_score() {
    let ratings = rate(2, &[(0, 1, 30, 10, 10), (1, 0, 10, 10, 30)], 1);
    close(ratings.players[0].elo, elo_of_score(0.7).unwrap(), 1e-6);
    close(ratings.advantage, 0.0, 1e-6);
    assert_eq!((ratings.players[1].elo, ratings.players[1].sd), (0.0, 0.0));
}

#[test]
fn errors_of_two_players_are_those_of_their_pairs() {
    let mut observations = Observations::default();
    // Pairs of 2, 1.5, 1 (a win each for the first), 1 (draws), 0.5 and 0 points of player 0.
    let pairs = [([2, 0], 12), ([2, 1], 9), ([2, 2], 60), ([1, 1], 20), ([1, 2], 8), ([0, 2], 5)];
    let mut pentanomial = crate::Pentanomial::default();
    for ([first, second], times) in pairs {
        let games = [
            GameScore { first: 0, second: 1, half_points: first },
            GameScore { first: 1, second: 0, half_points: second },
        ];
        observations.add_times(&games, times);
        pentanomial.0[usize::from(first + 2 - second)] += times;
    }
    let anchor = Anchor::Player { player: 1, elo: 1000.0 };
    let model = RatingModel { advantage: Parameter::Fixed(0.0), ..RatingModel::default() };
    let ratings = fit(2, &observations, &model, anchor).unwrap();
    let estimate = crate::Estimate::of_pairs(&pentanomial).unwrap();
    let slope = 400.0 / std::f64::consts::LN_10 / (estimate.score * (1.0 - estimate.score));
    close(ratings.players[0].sd, estimate.score_error * slope, 1e-6);
    close(ratings.players[0].elo - 1000.0, estimate.elo.unwrap(), 1e-6);
    close(ratings.los(0, 1).unwrap(), estimate.los, 0.01);
    assert!(ratings.players[0].robust && ratings.players[1].elo == 1000.0);
    let mut single = Observations::default();
    for (games, times) in observations.clusters() {
        games.iter().for_each(|game| single.add_times(&[*game], times));
    }
    let apart = fit(2, &single, &model, anchor).unwrap();
    assert!(apart.players[0].sd > 1.1 * ratings.players[0].sd, "pairs tell more than their games");
}

#[test]
fn a_chain_of_shutouts_spans_thousands_of_elo_and_stays_finite() {
    let rows: Vec<_> = (0..8).flat_map(|p| shutout(p + 1, p, 10_000)).collect();
    let ratings = rate(9, &rows, 0);
    assert_eq!(ratings.prior, 2.0);
    // One virtual draw between neighbours; one and a half where one of them has no other.
    let gap = |draws: f64| 400.0 * ((10_000.0 + draws / 2.0) / (draws / 2.0)).log10();
    close(ratings.players[8].elo, 6.0 * gap(1.0) + 2.0 * gap(1.5), 1e-3);
    assert!(ratings.players.iter().all(|p| p.sd.is_finite() && !p.robust));
}

#[test]
fn gaps_of_thousands_of_elo_are_right() {
    // Each beats the one before it by 99 to 1: 798.25 Elo a step.
    let rows: Vec<_> =
        (0..10).flat_map(|p| [(p + 1, p, 990, 0, 10), (p, p + 1, 10, 0, 990)]).collect();
    let ratings = rate(11, &rows, 0);
    assert_eq!(ratings.prior, 0.0);
    close(ratings.players[10].elo, 10.0 * elo_of_score(0.99).unwrap(), 1e-3);
    // A fit by small steps gave 85.9, 93.0 and 93.8 here.
    let model = RatingModel { draws: DrawModel::Davidson, ..RatingModel::default() };
    for (wins, draws, losses) in [(40, 20, 15), (60, 10, 5), (70, 3, 2)] {
        let rows = observed(&[(0, 1, wins, draws, losses), (1, 0, losses, draws, wins)]);
        let ratings = fit(2, &rows, &model, Anchor::Player { player: 1, elo: 0.0 }).unwrap();
        close(ratings.players[0].elo, 400.0 * (wins as f64 / losses as f64).log10(), 1e-6);
    }
}

#[test]
fn a_shutout_of_a_player_that_others_rank_too_is_fitted_without_virtual_draws() {
    // 0 beats 2 always, but both are tied to 1 by wins and losses.
    let mut rows = shutout(0, 2, 100).to_vec();
    rows.extend([(0, 1, 30, 0, 20), (1, 2, 30, 0, 20), (2, 1, 20, 0, 30)]);
    let ratings = rate(3, &rows, 1);
    assert_eq!(ratings.prior, 0.0);
    assert!(ratings.players[0].elo > 0.0 && ratings.players[2].elo < 0.0);
}

#[test]
fn a_first_player_that_always_wins_has_a_bounded_advantage() {
    let ratings = rate(2, &[(0, 1, 50, 0, 0), (1, 0, 50, 0, 0)], 0);
    assert_eq!(ratings.prior, 2.0);
    close(ratings.players[1].elo, 0.0, 1e-6);
    close(ratings.advantage, 400.0 * (101.0f64).log10(), 0.1);
}

#[test]
fn one_colour_only_does_not_confuse_strength_and_advantage() {
    let ratings = rate(2, &[(0, 1, 30, 0, 20)], 0);
    assert_eq!(ratings.prior, 2.0);
    assert!(ratings.advantage.is_finite() && ratings.players[1].elo.is_finite());
    let known = RatingModel { advantage: Parameter::Fixed(0.0), ..RatingModel::default() };
    let ratings = fit(2, &observed(&[(0, 1, 30, 0, 20)]), &known, Anchor::Mean).unwrap();
    assert_eq!((ratings.prior, ratings.advantage), (0.0, 0.0));
    close(ratings.players[0].elo - ratings.players[1].elo, elo_of_score(0.6).unwrap(), 1e-6);
}

#[test]
fn too_little_to_see_a_spread_in_is_no_certainty() {
    for rows in [vec![(0, 1, 0, 40, 0)], vec![(0, 1, 1, 1, 0), (1, 0, 1, 1, 0)]] {
        let ratings = rate(2, &rows, 0);
        assert!(ratings.players[1].sd > 30.0 && !ratings.players[1].robust);
    }
}

#[test]
fn groups_that_never_met_are_reported() {
    let mut rows = vec![(0, 1, 5, 1, 4), (1, 0, 5, 1, 4)];
    rows.extend([(2, 3, 5, 1, 2), (3, 2, 5, 1, 4)]);
    let ratings = rate(5, &rows, 1);
    assert_eq!(ratings.players.iter().map(|p| p.group).collect::<Vec<_>>(), [0, 0, 1, 1, 2]);
    assert_eq!(ratings.groups, 3);
    assert_eq!((ratings.players[1].elo, ratings.players[4].elo), (0.0, 0.0));
    close(ratings.players[2].elo + ratings.players[3].elo, 0.0, 1e-9);
    assert_eq!((ratings.difference_sd(0, 2), ratings.los(0, 2)), (None, None));
    assert!(ratings.los(0, 1).is_some() && ratings.los(0, 0).is_none());
}

#[test]
fn no_games_and_bad_arguments() {
    let model = RatingModel::default();
    let empty = rate(2, &[], 0);
    assert_eq!((empty.advantage, empty.players[1].games, empty.groups), (0.0, 0, 2));
    let error = |rows: &[_], model: &RatingModel| fit(2, &observed(rows), model, Anchor::Mean);
    let unknown = RatingError::NoSuchPlayer { player: 7, players: 2 };
    assert_eq!(error(&[(0, 7, 1, 0, 0)], &model), Err(unknown));
    assert_eq!(error(&[(1, 1, 1, 0, 0)], &model), Err(RatingError::SelfPlay { player: 1 }));
    let far = MAX_PLAYERS + 1;
    let many = fit(far, &Observations::default(), &model, Anchor::Mean);
    assert_eq!(many, Err(RatingError::TooManyPlayers(far)));
    let nan = RatingModel { advantage: Parameter::Fixed(f64::NAN), ..model };
    assert_eq!(error(&[(0, 1, 1, 1, 1)], &nan), Err(RatingError::Parameter("advantage")));
    for draws in [DrawModel::RaoKupper, DrawModel::Davidson] {
        let model = RatingModel { draws, ..model };
        assert_eq!(error(&[(0, 1, 0, 9, 0)], &model), Err(RatingError::NoDrawRate));
        assert_eq!(
            error(&[(0, 1, 5, 0, 5), (1, 0, 5, 0, 5)], &model),
            Err(RatingError::NoDrawRate)
        );
    }
}
