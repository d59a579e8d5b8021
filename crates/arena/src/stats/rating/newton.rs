//! The most likely strengths, and how sure they are.

use super::RatingError;
use super::games::{GameScore, Meeting};
use super::model::{DrawModel, Slopes};
use crate::stats::linear::{Matrix, cholesky, solve, zeros};

/// Largest change of a parameter in one step, in natural units: 800 Elo.
const MAX_STEP: f64 = 800.0 * super::UNIT;
/// A step below this (1e-7 Elo) ends the iteration.
const TOLERANCE: f64 = 1e-7 * super::UNIT;
/// A step below this is taken though the gain drowns in rounding.
const SMALL: f64 = 1e-3 * super::UNIT;
/// Most steps.
pub(super) const MAX_ITERATIONS: usize = 200;

/// A parameter or, where it is none, its value; in natural units.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    Free(usize),
    Fixed(f64),
}

impl Slot {
    pub(super) fn value(self, at: &[f64]) -> f64 {
        match self {
            Slot::Free(index) => at[index],
            Slot::Fixed(value) => value,
        }
    }

    pub(super) fn free(self) -> Option<usize> {
        match self {
            Slot::Free(index) => Some(index),
            Slot::Fixed(_) => None,
        }
    }
}

/// The likelihood of games as a function of the free parameters.
pub(super) struct Likelihood {
    pub(super) draws: DrawModel,
    /// Strength of each player.
    pub(super) players: Vec<Slot>,
    pub(super) advantage: Slot,
    pub(super) draw: Slot,
    /// Number of free parameters.
    pub(super) len: usize,
    /// All games, virtual ones among them.
    pub(super) meetings: Vec<Meeting>,
}

impl Likelihood {
    /// Slopes of one game at these parameters.
    fn slopes(&self, at: &[f64], first: usize, second: usize, half_points: usize) -> Slopes {
        let strength = |player: usize| self.players[player].value(at);
        let x = strength(first) - strength(second) + self.advantage.value(at);
        self.draws.slopes(half_points, x, self.draw.value(at))
    }

    fn of_meeting(&self, at: &[f64], m: &Meeting) -> Slopes {
        let mut sum = Slopes::default();
        for (half_points, &count) in m.counts.iter().enumerate().filter(|&(_, &count)| count > 0.0)
        {
            sum.add(self.slopes(at, m.first, m.second, half_points), count);
        }
        sum
    }

    fn value(&self, at: &[f64]) -> f64 {
        self.meetings.iter().map(|m| self.of_meeting(at, m).value).sum()
    }

    /// The free parameters that a game depends on, each with the changes of `x` and `u` by it.
    fn terms(
        &self,
        first: usize,
        second: usize,
    ) -> impl Iterator<Item = (usize, f64, f64)> + Clone {
        [
            (self.players[first], 1.0, 0.0),
            (self.players[second], -1.0, 0.0),
            (self.advantage, 1.0, 0.0),
            (self.draw, 0.0, 1.0),
        ]
        .into_iter()
        .filter_map(|(slot, x, u)| Some((slot.free()?, x, u)))
    }

    fn add_gradient(&self, gradient: &mut [f64], first: usize, second: usize, s: &Slopes) {
        for (p, x, u) in self.terms(first, second) {
            gradient[p] += x * s.x + u * s.u;
        }
    }

    /// Adds `weight` times the negative second derivatives.
    fn add_information(
        &self,
        information: &mut Matrix,
        (first, second): (usize, usize),
        s: &Slopes,
        weight: f64,
    ) {
        let terms = self.terms(first, second);
        for (p, x, u) in terms.clone() {
            for (q, y, v) in terms.clone() {
                information[p][q] -=
                    weight * (x * y * s.xx + (x * v + u * y) * s.xu + u * v * s.uu);
            }
        }
    }

    /// Gradient and information (the negative Hessian).
    fn derivatives(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let (mut gradient, mut information) = (vec![0.0; self.len], zeros(self.len));
        for m in &self.meetings {
            let slopes = self.of_meeting(at, m);
            self.add_gradient(&mut gradient, m.first, m.second, &slopes);
            self.add_information(&mut information, (m.first, m.second), &slopes, 1.0);
        }
        (gradient, information)
    }

    /// Newton's method from `start` with a bounded step, halved while it does not increase the
    /// likelihood, which is concave.
    pub(super) fn maximise(&self, start: Vec<f64>) -> Result<Vec<f64>, RatingError> {
        let mut at = start;
        let mut value = self.value(&at);
        for _ in 0..MAX_ITERATIONS {
            let (gradient, information) = self.derivatives(&at);
            let factor = cholesky(information).ok_or(RatingError::NotConverged)?;
            let step = solve(&factor, gradient);
            let size = step.iter().fold(0.0f64, |a, s| a.max(s.abs()));
            if size < TOLERANCE {
                return Ok(at);
            }
            let mut scale = (MAX_STEP / size).min(1.0);
            loop {
                let next: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + scale * s).collect();
                let next_value = self.value(&next);
                if next_value >= value || next_value.is_finite() && scale * size < SMALL {
                    (at, value) = (next, next_value);
                    break;
                }
                if scale * size < TOLERANCE {
                    return Err(RatingError::NotConverged);
                }
                scale /= 2.0;
            }
        }
        Err(RatingError::NotConverged)
    }

    /// The factor of the information of all games.
    pub(super) fn information_factor(&self, at: &[f64]) -> Result<Matrix, RatingError> {
        cholesky(self.derivatives(at).1).ok_or(RatingError::NotConverged)
    }

    /// Adds what the model expects of the spread of the gradient of `m` to `spread`.
    pub(super) fn add_expected(&self, spread: &mut Matrix, at: &[f64], m: &Meeting) {
        let slopes = self.of_meeting(at, m);
        self.add_information(spread, (m.first, m.second), &slopes, 1.0);
    }

    /// Adds the same of `times` groups of games.
    pub(super) fn add_expected_of(
        &self,
        spread: &mut Matrix,
        at: &[f64],
        games: &[GameScore],
        times: f64,
    ) {
        for game in games {
            let slopes = self.slopes(at, game.first, game.second, game.half_points.into());
            self.add_information(spread, (game.first, game.second), &slopes, times);
        }
    }

    /// Adds the spread seen: `times` the outer product of the gradient of a group of games.
    pub(super) fn add_seen(
        &self,
        spread: &mut Matrix,
        at: &[f64],
        games: &[GameScore],
        times: f64,
    ) {
        let mut gradient: Vec<(usize, f64)> = Vec::new();
        for game in games {
            let s = self.slopes(at, game.first, game.second, game.half_points.into());
            let terms = self.terms(game.first, game.second);
            gradient.extend(terms.map(|(p, x, u)| (p, x * s.x + u * s.u)));
        }
        for &(p, a) in &gradient {
            for &(q, b) in &gradient {
                spread[p][q] += times * a * b;
            }
        }
    }
}
