//! Ratings of many players from their games.
//!
//! The first player of a game between `i` and `j` scores on average `1 / (1 + 10^(-(r_i - r_j + a)
//! / 400))` with the ratings `r` and the advantage `a` of moving first, and draws count as
//! [`DrawModel`] says. The fit is the exact maximum of the likelihood (Newton's method).
//!
//! **Errors** are robust: `H^-1 M H^-1` with the information `H` and the spread `M` of the gradients
//! of whole pairs of games as it was seen, so that neither the share of draws nor what the two games
//! of an opening have in common makes them too wide or too narrow (P. J. Huber, 5th Berkeley
//! Symposium, 1967). Where there is too little to see a spread in, the model's own stands in, which
//! takes a draw for a coin flip and so is too wide rather than too narrow.
//!
//! **A finite maximum** does not always exist: a player that lost every game has no lowest rating.
//! This is decided exactly beforehand, and only then are virtual draws added.

mod fit;
mod games;
mod model;
mod newton;
mod separation;

pub use fit::fit;
pub use games::{GameScore, Observations};
pub use model::DrawModel;

use newton::MAX_ITERATIONS;

use super::linear::Matrix;
use super::normal::normal_cdf;

/// One Elo in natural units: ln 10 / 400.
const UNIT: f64 = std::f64::consts::LN_10 / 400.0;
/// Most players; the work grows with the cube of their number.
pub const MAX_PLAYERS: usize = 3000;

/// A parameter of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    /// Found by the fit.
    Fitted,
    /// Given.
    Fixed(f64),
}

/// What is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingModel {
    /// How draws are understood.
    pub draws: DrawModel,
    /// The advantage of moving first, in Elo.
    pub advantage: Parameter,
    /// The parameter of draws, if the model has one: drawelo in Elo, or Davidson's nu.
    pub draw: Parameter,
    /// Virtual draws of each player, spread over its opponents by games; 0: none, unless the results
    /// have no finite maximum without.
    pub prior: f64,
    /// Whether errors come from the spread seen in pairs of games; otherwise from the model.
    pub robust: bool,
}

impl Default for RatingModel {
    fn default() -> Self {
        Self {
            draws: DrawModel::HalfWin,
            advantage: Parameter::Fitted,
            draw: Parameter::Fitted,
            prior: 0.0,
            robust: true,
        }
    }
}

/// What ratings and their errors are relative to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// The mean of each group of players, which is 0.
    Mean,
    /// A player; in groups without it, their mean, which is 0.
    Player {
        /// Its number.
        player: usize,
        /// Its rating, in Elo.
        elo: f64,
    },
}

/// The rating of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo relative to the anchor.
    pub elo: f64,
    /// Standard error of `elo` relative to the anchor; 0 for the anchor itself.
    pub sd: f64,
    /// Games played.
    pub games: u64,
    /// Index of the group: players of different groups never met, even through others, and cannot
    /// be compared.
    pub group: usize,
    /// Whether its games had a spread to take the error from; otherwise it is the model's.
    pub robust: bool,
}

/// Ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By player number.
    pub players: Vec<Rating>,
    /// Elo that moving first is worth; 0 without games.
    pub advantage: f64,
    /// Standard error of `advantage`; 0 if it was given.
    pub advantage_sd: f64,
    /// The parameter of draws, as in [`RatingModel::draw`].
    pub draw: Option<f64>,
    /// Number of groups of players connected through games; 1 if all can be compared.
    pub groups: usize,
    /// Virtual draws of each player that were added.
    pub prior: f64,
    covariance: Matrix,
}

impl Ratings {
    /// Standard error of the difference between two players of one group, in Elo; `None` across
    /// groups.
    pub fn difference_sd(&self, a: usize, b: usize) -> Option<f64> {
        let c = &self.covariance;
        (self.players[a].group == self.players[b].group)
            .then(|| (c[a][a] + c[b][b] - 2.0 * c[a][b]).max(0.0).sqrt())
    }

    /// Likelihood of superiority of `a` over `b`, 0 to 1; `None` across groups and of a player over
    /// itself.
    pub fn los(&self, a: usize, b: usize) -> Option<f64> {
        let sd = self.difference_sd(a, b).filter(|&sd| sd > 0.0)?;
        Some(normal_cdf((self.players[a].elo - self.players[b].elo) / sd))
    }
}

/// Why no ratings could be computed.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum RatingError {
    /// A result, or the anchor, names a player that does not exist.
    #[error("player {player} of {players}")]
    NoSuchPlayer {
        /// The number given.
        player: usize,
        /// Number of players.
        players: usize,
    },
    /// A player is its own opponent.
    #[error("player {player} cannot play itself")]
    SelfPlay {
        /// The number given.
        player: usize,
    },
    /// More players than can be fitted.
    #[error("{0} players; at most {MAX_PLAYERS} can be rated at once")]
    TooManyPlayers(usize),
    /// A parameter that is not a finite number, or out of its range.
    #[error("the {0} is out of range")]
    Parameter(&'static str),
    /// All games are drawn, or none: the parameter of draws has no finite value.
    #[error("the share of draws cannot be fitted: all games are drawn, or none")]
    NoDrawRate,
    /// The iteration did not settle; the results are numerically degenerate.
    #[error("ratings did not converge in {MAX_ITERATIONS} Newton steps")]
    NotConverged,
}

impl Ratings {
    /// Moves ratings and covariance so that each group's reference stands at its value.
    fn stand_on(&mut self, anchor: Anchor) {
        for group in 0..self.groups {
            let members: Vec<usize> =
                (0..self.players.len()).filter(|&p| self.players[p].group == group).collect();
            match anchor {
                Anchor::Player { player, elo } if members.contains(&player) => {
                    self.shift(&members, &[player], elo);
                }
                _ => self.shift(&members, &members, 0.0),
            }
        }
        for (player, rating) in self.players.iter_mut().enumerate() {
            rating.sd = self.covariance[player][player].max(0.0).sqrt();
        }
    }

    /// Puts the mean of the `reference` players at `elo` and takes its error out of all others.
    fn shift(&mut self, members: &[usize], reference: &[usize], elo: f64) {
        let mean = |of: &dyn Fn(usize) -> f64| {
            reference.iter().map(|&player| of(player)).sum::<f64>() / reference.len() as f64
        };
        let offset = elo - mean(&|player| self.players[player].elo);
        let with_mean: Vec<f64> =
            members.iter().map(|&a| mean(&|player| self.covariance[a][player])).collect();
        let of_mean = mean(&|player| {
            with_mean[members.binary_search(&player).expect("references are members")]
        });
        for (&a, &mean_a) in members.iter().zip(&with_mean) {
            self.players[a].elo = if reference == [a] { elo } else { self.players[a].elo + offset };
            for (&b, &mean_b) in members.iter().zip(&with_mean) {
                self.covariance[a][b] += of_mean - mean_a - mean_b;
            }
        }
    }
}

#[cfg(test)]
mod tests;
