//! Ratings of many players from their games: Bradley-Terry with a first-move advantage, draws as
//! half wins.
//!
//! The first player of a game between `i` and `j` scores on average `1 / (1 + 10^(-(r_i - r_j + a)
//! / 400))` with the ratings `r` and the advantage `a` of moving first. The fit is the exact
//! maximum of the likelihood (Newton's method), so that ratings reproduce the scores and stand on
//! the scale of head-to-head Elo.
//!
//! A finite maximum does not always exist: a player that lost every game has no lowest rating. This
//! is decided exactly beforehand, and only then one virtual draw is added to every pair that met.

use crate::separation::{self, Meeting};

/// One Elo in natural units: ln 10 / 400.
const UNIT: f64 = std::f64::consts::LN_10 / 400.0;
/// Largest change of a rating in one Newton step, in Elo.
const MAX_STEP: f64 = 800.0;
/// A step below this, in Elo, ends the iteration.
const TOLERANCE: f64 = 1e-7;
const MAX_ITERATIONS: usize = 200;

/// All games with player `first` moving first and `second` second; players are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// Player that moves first.
    pub first: usize,
    /// Player that moves second.
    pub second: usize,
    /// Games won by `first`.
    pub first_wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by `second`.
    pub second_wins: u64,
}

impl Results {
    fn games(&self) -> u64 {
        self.first_wins + self.draws + self.second_wins
    }
}

/// The rating of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo above the reference player of its group.
    pub elo: f64,
    /// Standard error of `elo`, from the inverse Hessian; 0 for the reference player. It takes a
    /// draw for a coin flip, and so is too wide rather than too narrow when draws are common.
    pub sd: f64,
    /// Games played.
    pub games: u64,
    /// Index of the group: players of different groups never met, even through others, and cannot
    /// be compared.
    pub group: usize,
}

/// Ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By player number.
    pub players: Vec<Rating>,
    /// Elo that moving first is worth; 0 without games.
    pub advantage: f64,
    /// Standard error of `advantage`.
    pub advantage_sd: f64,
    /// Number of groups of players connected through games; 1 if all can be compared.
    pub groups: usize,
    /// Whether the results had no finite maximum, so that a virtual draw was added to every pair
    /// that met.
    pub regularised: bool,
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// Standard error of the difference between two players of one group, in Elo; `None` across
    /// groups.
    pub fn difference_sd(&self, a: usize, b: usize) -> Option<f64> {
        let c = &self.covariance;
        (self.players[a].group == self.players[b].group)
            .then(|| (c[a][a] + c[b][b] - 2.0 * c[a][b]).max(0.0).sqrt())
    }
}

/// Why no ratings could be computed.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum RatingError {
    /// A result names a player that does not exist.
    #[error("result {index}: player {player} of {players}")]
    NoSuchPlayer {
        /// Position of the result in the list.
        index: usize,
        /// The number given.
        player: usize,
        /// Number of players.
        players: usize,
    },
    /// A player is its own opponent.
    #[error("result {index}: player {player} cannot play itself")]
    SelfPlay {
        /// Position of the result in the list.
        index: usize,
        /// The number given.
        player: usize,
    },
    /// The iteration did not settle; the results are numerically degenerate.
    #[error("ratings did not converge in {MAX_ITERATIONS} Newton steps")]
    NotConverged,
}

/// Fits the ratings of `players` players; player `anchor` is 0, and in groups without it the
/// lowest-numbered player.
///
/// Whether the maximum is finite is decided by Ford's condition, extended to the advantage. Where
/// it is not, a virtual draw, half with each side moving first, joins every pair that met: 20 wins
/// to nothing are then worth about 640 Elo.
///
/// # Errors
/// A result with an unknown player or of a player against itself; no convergence.
pub fn fit(players: usize, results: &[Results], anchor: usize) -> Result<Ratings, RatingError> {
    check(players, results, anchor)?;
    let mut meetings: Vec<Meeting> =
        results.iter().filter(|r| r.games() > 0).map(meeting).collect();
    let group = separation::groups(players, &meetings);
    let groups = group.iter().max().map_or(0, |g| g + 1);
    let regularised = !separation::finite_maximum(players, &group, &meetings);
    if regularised {
        add_virtual_draws(&mut meetings);
    }
    let model = Model::new(players, &group, anchor, &meetings);
    let solution = model.maximise()?;
    let mut games = vec![0; players];
    for r in results {
        games[r.first] += r.games();
        games[r.second] += r.games();
    }
    let covariance = model.covariance(&solution)?;
    let rating = |player: usize| Rating {
        elo: model.rating(&solution, player),
        sd: covariance[player][player].sqrt(),
        games: games[player],
        group: group[player],
    };
    Ok(Ratings {
        players: (0..players).map(rating).collect(),
        advantage: model.advantage.map_or(0.0, |a| solution[a]),
        advantage_sd: covariance[players][players].sqrt(),
        groups,
        regularised,
        covariance,
    })
}

fn check(players: usize, results: &[Results], anchor: usize) -> Result<(), RatingError> {
    for (index, r) in results.iter().enumerate() {
        for player in [r.first, r.second] {
            if player >= players {
                return Err(RatingError::NoSuchPlayer { index, player, players });
            }
        }
        if r.first == r.second {
            return Err(RatingError::SelfPlay { index, player: r.first });
        }
    }
    if anchor >= players && players > 0 {
        return Err(RatingError::NoSuchPlayer { index: results.len(), player: anchor, players });
    }
    Ok(())
}

fn meeting(r: &Results) -> Meeting {
    let half = r.draws as f64 / 2.0;
    let (first_points, second_points) = (r.first_wins as f64 + half, r.second_wins as f64 + half);
    Meeting { first: r.first, second: r.second, first_points, second_points }
}

/// One draw for each pair that met, half of it with each side moving first.
fn add_virtual_draws(meetings: &mut Vec<Meeting>) {
    let mut pairs: Vec<(usize, usize)> =
        meetings.iter().map(|m| (m.first.min(m.second), m.first.max(m.second))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    for (a, b) in pairs {
        for (first, second) in [(a, b), (b, a)] {
            meetings.push(Meeting { first, second, first_points: 0.25, second_points: 0.25 });
        }
    }
}

/// The likelihood as a function of the free parameters, in Elo: all ratings but those of the
/// reference players, then the advantage (absent without games).
struct Model<'a> {
    meetings: &'a [Meeting],
    /// Parameter of each player; `None` for reference players.
    parameter: Vec<Option<usize>>,
    advantage: Option<usize>,
    len: usize,
}

impl<'a> Model<'a> {
    fn new(players: usize, group: &[usize], anchor: usize, meetings: &'a [Meeting]) -> Model<'a> {
        let mut len = 0;
        let parameter = (0..players)
            .map(|player| {
                let has_anchor = group[anchor] == group[player];
                let lowest = group.iter().position(|&g| g == group[player]) == Some(player);
                let reference = if has_anchor { player == anchor } else { lowest };
                (!reference).then(|| {
                    len += 1;
                    len - 1
                })
            })
            .collect();
        let advantage = (!meetings.is_empty()).then_some(len);
        Model { meetings, parameter, advantage, len: len + usize::from(advantage.is_some()) }
    }

    fn rating(&self, at: &[f64], player: usize) -> f64 {
        self.parameter[player].map_or(0.0, |p| at[p])
    }

    /// The parameters a meeting depends on, with their signs.
    fn terms(&self, m: &Meeting) -> [(Option<usize>, f64); 3] {
        [(self.parameter[m.first], 1.0), (self.parameter[m.second], -1.0), (self.advantage, 1.0)]
    }

    fn difference(&self, at: &[f64], m: &Meeting) -> f64 {
        self.terms(m).iter().map(|&(p, sign)| p.map_or(0.0, |p| sign * at[p])).sum()
    }

    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let loss = |x: f64| if x > 0.0 { (-x).exp().ln_1p() } else { x.exp().ln_1p() - x };
        let of = |m: &Meeting| {
            let x = UNIT * self.difference(at, m);
            -m.first_points * loss(x) - m.second_points * loss(-x)
        };
        self.meetings.iter().map(of).sum()
    }

    /// Gradient and negative Hessian of the log-likelihood, per Elo.
    fn derivatives(&self, at: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut gradient = vec![0.0; self.len];
        let mut hessian = vec![vec![0.0; self.len]; self.len];
        for m in self.meetings {
            let x = UNIT * self.difference(at, m);
            let (win, lose) = (1.0 / (1.0 + (-x).exp()), 1.0 / (1.0 + x.exp()));
            let slope = UNIT * (m.first_points * lose - m.second_points * win);
            let curvature = UNIT * UNIT * (m.first_points + m.second_points) * win * lose;
            let terms = self.terms(m);
            for (p, sign) in terms.iter().filter_map(|&(p, s)| Some((p?, s))) {
                gradient[p] += sign * slope;
                for (q, other) in terms.iter().filter_map(|&(q, s)| Some((q?, s))) {
                    hessian[p][q] += sign * other * curvature;
                }
            }
        }
        (gradient, hessian)
    }

    /// Newton's method with a bounded step, halved while it does not increase the (concave)
    /// likelihood.
    fn maximise(&self) -> Result<Vec<f64>, RatingError> {
        let mut at = vec![0.0; self.len];
        let mut value = self.log_likelihood(&at);
        for _ in 0..MAX_ITERATIONS {
            let (gradient, hessian) = self.derivatives(&at);
            let factor = cholesky(hessian).ok_or(RatingError::NotConverged)?;
            let step = solve(&factor, gradient);
            let size = step.iter().fold(0.0f64, |a, s| a.max(s.abs()));
            if size < TOLERANCE {
                return Ok(at);
            }
            let mut scale = (MAX_STEP / size).min(1.0);
            loop {
                let next: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + scale * s).collect();
                let next_value = self.log_likelihood(&next);
                // Near the maximum the gain drowns in rounding; a small step is then taken as it
                // is.
                if next_value >= value || scale * size < 1e-3 {
                    (at, value) = (next, next_value);
                    break;
                }
                scale /= 2.0;
            }
        }
        Err(RatingError::NotConverged)
    }

    /// Covariance of all ratings (zero for reference players) and, last, the advantage.
    fn covariance(&self, at: &[f64]) -> Result<Vec<Vec<f64>>, RatingError> {
        let factor = cholesky(self.derivatives(at).1).ok_or(RatingError::NotConverged)?;
        let column = |p: usize| {
            let mut unit = vec![0.0; self.len];
            unit[p] = 1.0;
            solve(&factor, unit)
        };
        let inverse: Vec<Vec<f64>> = (0..self.len).map(column).collect();
        let rows: Vec<Option<usize>> =
            self.parameter.iter().copied().chain([self.advantage]).collect();
        let entry = |p: Option<usize>, q: Option<usize>| Some(inverse[p?][q?]);
        Ok(rows
            .iter()
            .map(|&p| rows.iter().map(|&q| entry(p, q).unwrap_or(0.0)).collect())
            .collect())
    }
}

/// Lower factor of a symmetric matrix; `None` if it is not positive definite.
fn cholesky(mut m: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for i in 0..m.len() {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| m[i][k] * m[j][k]).sum();
            let rest = m[i][j] - dot;
            m[i][j] = if i == j { (rest > 0.0).then(|| rest.sqrt())? } else { rest / m[j][j] };
        }
    }
    Some(m)
}

/// Solves `L L^T x = b`.
fn solve(factor: &[Vec<f64>], mut b: Vec<f64>) -> Vec<f64> {
    for i in 0..b.len() {
        let dot: f64 = (0..i).map(|k| factor[i][k] * b[k]).sum();
        b[i] = (b[i] - dot) / factor[i][i];
    }
    for i in (0..b.len()).rev() {
        let dot: f64 = (i + 1..b.len()).map(|k| factor[k][i] * b[k]).sum();
        b[i] = (b[i] - dot) / factor[i][i];
    }
    b
}

#[cfg(test)]
mod tests;
