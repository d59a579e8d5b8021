//! From games to ratings: what is fitted, and how far the results can be trusted.

use super::games::{Meeting, Observations, virtual_draws};
use super::model::DrawModel;
use super::newton::{Likelihood, Slot};
use super::{
    Anchor, MAX_PLAYERS, Parameter, Rating, RatingError, RatingModel, Ratings, UNIT, separation,
};
use crate::stats::linear::{Matrix, sandwich, zeros};

/// Virtual draws of each player where there is no finite maximum without.
const PRIOR: f64 = 2.0;
/// A spread is not taken from fewer pairs of games of a player.
const FEWEST_CLUSTERS: u64 = 10;

/// Fits the ratings of `players` players.
///
/// Whether the maximum is finite is decided by Ford's condition, extended to the advantage. Where
/// it is not, each player gets two virtual draws, spread over its opponents: 20 wins to nothing are
/// then worth 529 Elo.
///
/// # Errors
/// A result with an unknown player or of a player against itself; too many players; parameters out
/// of range; no convergence.
pub fn fit(
    players: usize,
    observations: &Observations,
    model: &RatingModel,
    anchor: Anchor,
) -> Result<Ratings, RatingError> {
    check(players, observations, model, anchor)?;
    let meetings = observations.meetings();
    let group = separation::groups(players, &meetings);
    let fitted = model.advantage == Parameter::Fitted;
    let separated = !separation::finite_maximum(players, &group, &meetings, fitted);
    let prior = if separated && model.prior == 0.0 { PRIOR } else { model.prior };
    let virtual_games = virtual_draws(players, &meetings, prior);
    check_draws(model, &meetings, &virtual_games)?;
    let all = [meetings.as_slice(), &virtual_games].concat();
    let (likelihood, start) = likelihood(model, &group, all);
    let at = likelihood.maximise(start)?;

    let robust: Vec<bool> = match model.robust && !separated {
        true => spread_is_seen(players, observations),
        false => vec![false; players],
    };
    let covariance = covariance(&likelihood, &at, observations, &virtual_games, &robust)?;
    let mut ratings = Ratings {
        players: vec![],
        advantage: likelihood.advantage.value(&at) / UNIT,
        advantage_sd: deviation(&covariance, likelihood.advantage),
        draw: draw_parameter(model.draws, likelihood.draw.value(&at)),
        groups: group.iter().max().map_or(0, |last| last + 1),
        prior: if meetings.is_empty() { 0.0 } else { prior },
        covariance: of_players(&likelihood, &covariance),
    };
    ratings.players = (0..players)
        .map(|player| Rating {
            elo: likelihood.players[player].value(&at) / UNIT,
            sd: 0.0,
            games: 0,
            group: group[player],
            robust: robust[player],
        })
        .collect();
    for m in &meetings {
        ratings.players[m.first].games += m.games() as u64;
        ratings.players[m.second].games += m.games() as u64;
    }
    ratings.stand_on(anchor);
    Ok(ratings)
}

fn check(
    players: usize,
    observations: &Observations,
    model: &RatingModel,
    anchor: Anchor,
) -> Result<(), RatingError> {
    if players > MAX_PLAYERS {
        return Err(RatingError::TooManyPlayers(players));
    }
    let exists = |player: usize| match player < players {
        true => Ok(()),
        false => Err(RatingError::NoSuchPlayer { player, players }),
    };
    for game in observations.clusters().flat_map(|(games, _)| games) {
        exists(game.first)?;
        exists(game.second)?;
        if game.first == game.second {
            return Err(RatingError::SelfPlay { player: game.first });
        }
    }
    if let Anchor::Player { player, elo } = anchor {
        exists(player)?;
        elo.is_finite().then_some(()).ok_or(RatingError::Parameter("anchor's rating"))?;
    }
    let in_range = |parameter, least: f64| match parameter {
        Parameter::Fitted => true,
        Parameter::Fixed(value) => value.is_finite() && value > least,
    };
    match () {
        () if !in_range(model.advantage, f64::MIN) => Err(RatingError::Parameter("advantage")),
        () if !in_range(model.draw, 0.0) => Err(RatingError::Parameter("parameter of draws")),
        () if !(model.prior.is_finite() && model.prior >= 0.0) => {
            Err(RatingError::Parameter("prior"))
        }
        () => Ok(()),
    }
}

/// A fitted parameter of draws needs drawn games and others.
fn check_draws(
    model: &RatingModel,
    meetings: &[Meeting],
    virtual_games: &[Meeting],
) -> Result<(), RatingError> {
    let fitted = model.draws.has_parameter() && model.draw == Parameter::Fitted;
    let all = meetings.iter().chain(virtual_games);
    let drawn = all.clone().any(|m| m.counts[1] > 0.0);
    let decided = all.clone().any(|m| m.counts[0] + m.counts[2] > 0.0);
    match fitted && !meetings.is_empty() && !(drawn && decided) {
        true => Err(RatingError::NoDrawRate),
        false => Ok(()),
    }
}

/// The likelihood, with the first player of each group at 0, and where to start.
fn likelihood(
    model: &RatingModel,
    group: &[usize],
    meetings: Vec<Meeting>,
) -> (Likelihood, Vec<f64>) {
    let mut start = Vec::new();
    let mut free = |value: f64| {
        start.push(value);
        Slot::Free(start.len() - 1)
    };
    let mut groups = 0;
    let mut players = Vec::new();
    for &group in group {
        players.push(if group == groups { Slot::Fixed(0.0) } else { free(0.0) });
        groups = groups.max(group + 1);
    }
    let fits = !meetings.is_empty();
    let advantage = match model.advantage {
        Parameter::Fitted if fits => free(0.0),
        Parameter::Fitted => Slot::Fixed(0.0),
        Parameter::Fixed(elo) => Slot::Fixed(elo * UNIT),
    };
    let draw = match (model.draws, model.draw) {
        (DrawModel::HalfWin, _) => Slot::Fixed(0.0),
        (_, Parameter::Fitted) if fits => free(0.5),
        (_, Parameter::Fitted) => Slot::Fixed(0.5),
        (DrawModel::RaoKupper, Parameter::Fixed(elo)) => Slot::Fixed(elo * UNIT),
        (DrawModel::Davidson, Parameter::Fixed(nu)) => Slot::Fixed(nu.ln()),
    };
    let len = start.len();
    (Likelihood { draws: model.draws, players, advantage, draw, len, meetings }, start)
}

/// The parameter of draws in its own unit.
fn draw_parameter(draws: DrawModel, u: f64) -> Option<f64> {
    match draws {
        DrawModel::HalfWin => None,
        DrawModel::RaoKupper => Some(u / UNIT),
        DrawModel::Davidson => Some(u.exp()),
    }
}

/// For each player, whether its pairs of games are enough, and different enough, to show how far
/// results spread.
fn spread_is_seen(players: usize, observations: &Observations) -> Vec<bool> {
    #[derive(Clone, Copy, Default)]
    struct Seen {
        clusters: u64,
        /// Half points a game in the first group.
        share: f64,
        differs: bool,
    }
    let mut seen = vec![Seen::default(); players];
    for (games, times) in observations.clusters() {
        let mut own: Vec<usize> = games.iter().flat_map(|game| [game.first, game.second]).collect();
        own.sort_unstable();
        own.dedup();
        for player in own {
            let of_player = games.iter().filter(|game| [game.first, game.second].contains(&player));
            let points = of_player.clone().map(|game| f64::from(game.half_points_of(player)));
            let share = points.sum::<f64>() / of_player.count() as f64;
            let seen = &mut seen[player];
            if seen.clusters == 0 {
                seen.share = share;
            }
            seen.differs |= (share - seen.share).abs() > 1e-9;
            seen.clusters += times;
        }
    }
    seen.iter().map(|seen| seen.differs && seen.clusters >= FEWEST_CLUSTERS).collect()
}

/// Covariance of the free parameters, in natural units.
fn covariance(
    likelihood: &Likelihood,
    at: &[f64],
    observations: &Observations,
    virtual_games: &[Meeting],
    robust: &[bool],
) -> Result<Matrix, RatingError> {
    let factor = likelihood.information_factor(at)?;
    let mut spread = zeros(likelihood.len);
    for m in virtual_games {
        likelihood.add_expected(&mut spread, at, m);
    }
    for (games, times) in observations.clusters() {
        let seen = games.iter().all(|game| robust[game.first] && robust[game.second]);
        if seen {
            likelihood.add_seen(&mut spread, at, games, times as f64);
        } else {
            likelihood.add_expected_of(&mut spread, at, games, times as f64);
        }
    }
    Ok(sandwich(&factor, spread))
}

/// Standard error of a parameter, in Elo.
fn deviation(covariance: &Matrix, slot: Slot) -> f64 {
    slot.free().map_or(0.0, |p| covariance[p][p].max(0.0).sqrt() / UNIT)
}

/// Covariance of the players' ratings, in Elo squared; 0 for those that are fixed.
fn of_players(likelihood: &Likelihood, covariance: &Matrix) -> Matrix {
    let slots = &likelihood.players;
    let entry = |p: Slot, q: Slot| Some(covariance[p.free()?][q.free()?] / (UNIT * UNIT));
    let row = |&p: &Slot| slots.iter().map(|&q| entry(p, q).unwrap_or(0.0)).collect();
    slots.iter().map(row).collect()
}
