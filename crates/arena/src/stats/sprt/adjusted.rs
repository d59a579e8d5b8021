//! The strength seen by a test that has ended, with the bias of stopping taken out.
//!
//! A test stops when the results look good or bad, so the plain estimate is too far out. Here the
//! logarithm of the ratio is taken for a Brownian motion between the bounds; the estimate is the
//! strength at which an outcome as good as the one seen has the probability 1/2 (median-unbiased),
//! and the interval holds those at which it has 2.5 % to 97.5 %. As in fishtest
//! (<https://github.com/official-stockfish/fishtest>, `stats/sprt.py` and `stats/brownian.py`);
//! for hypotheses a few Elo apart.

use std::f64::consts::{PI, TAU};

use super::{EloModel, Sprt};
use crate::stats::counts::Sample;
use crate::stats::elo::{NORMALIZED_SCALE, score_of_elo};
use crate::stats::normal::normal_cdf;

/// Strengths beyond this, in Elo, are not told apart.
const MOST: f64 = 1000.0;

/// Elo with the bias of stopping taken out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjusted {
    /// Median-unbiased Elo (logistic, whatever the model of the test), -1000 to 1000.
    pub elo: f64,
    /// Lower end of its 95 % interval.
    pub elo_low: f64,
    /// Upper end of its 95 % interval.
    pub elo_high: f64,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

impl Adjusted {
    /// For a test that may have ended; `None` for BayesElo and where the results have no spread.
    pub(in crate::stats) fn of(test: &Sprt, sample: &Sample) -> Option<Adjusted> {
        let walk = Walk::new(test, sample)?;
        Some(Adjusted {
            elo: walk.elo_with(0.5),
            elo_low: walk.elo_with(0.975),
            elo_high: walk.elo_with(0.025),
            los: walk.worse_outcome(0.0),
        })
    }
}

/// The ratio as a Brownian motion, one observation a unit of time.
struct Walk {
    /// The bounds of the ratio.
    lower: f64,
    upper: f64,
    /// Where it ended, within the bounds, and after how many observations.
    end: f64,
    time: f64,
    /// Scores of the hypotheses.
    scores: [f64; 2],
    /// Moments of the observed scores.
    mean: f64,
    variance: f64,
}

impl Walk {
    fn new(test: &Sprt, sample: &Sample) -> Option<Walk> {
        let (mean, variance) = sample.moments();
        if variance == 0.0 {
            return None;
        }
        let sigma = (sample.games * variance).sqrt();
        let score = |elo: f64| match test.model {
            EloModel::Logistic => Some(score_of_elo(elo)),
            EloModel::Normalized => Some(0.5 + elo / NORMALIZED_SCALE * sigma),
            EloModel::BayesElo => None,
        };
        let scores = [score(test.elo0)?, score(test.elo1)?];
        let (lower, upper) = test.bounds();
        let mut walk =
            Walk { lower, upper, end: 0.0, time: sample.total(), scores, mean, variance };
        let drift = walk.drift(mean, variance);
        walk.end = (walk.time * drift).clamp(lower, upper);
        // What was played after a bound had been passed is left out.
        walk.time = if drift == 0.0 { walk.time } else { walk.end / drift };
        Some(walk)
    }

    /// Mean change of the ratio with an observation (Van den Bergh, "GSPRT approximation", 6).
    fn drift(&self, score: f64, variance: f64) -> f64 {
        let [s0, s1] = self.scores;
        (score - (s0 + s1) / 2.0) * (s1 - s0) / variance
    }

    /// Probability of an outcome no better than the one seen for a player of this strength: a
    /// rejection at any time up to this one, or a smaller ratio now.
    fn worse_outcome(&self, elo: f64) -> f64 {
        let score = score_of_elo(elo);
        let variance = self.variance + (score - self.mean).powi(2);
        let [s0, s1] = self.scores;
        let motion = Motion {
            below: -self.lower,
            width: self.upper - self.lower,
            drift: self.drift(score, variance),
            variance: (s1 - s0).powi(2) / variance,
        };
        motion.ends_left_of(self.time, self.end)
    }

    /// The strength at which an outcome as bad has this probability, which falls with strength.
    fn elo_with(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (-MOST, MOST);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if self.worse_outcome(middle) > probability { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }
}

/// A Brownian motion from 0 that ends at the barriers `-below` and `width - below`.
struct Motion {
    below: f64,
    width: f64,
    drift: f64,
    /// Of a unit of time.
    variance: f64,
}

impl Motion {
    /// Probability that it has ended at the lower barrier by `time`, or goes on and is at most `y`
    /// then.
    fn ends_left_of(&self, time: f64, y: f64) -> f64 {
        let short = self.variance * time / self.width.powi(2) < 1e-2;
        let steep = (self.drift * self.width / self.variance).abs() > 15.0;
        let p = if short || steep { self.by_images(time, y) } else { self.by_series(time, y) };
        p.clamp(0.0, 1.0)
    }

    /// The exact series of eigenfunctions.
    fn by_series(&self, time: f64, y: f64) -> f64 {
        let Motion { below: x, width, drift, variance } = *self;
        let y = y + x;
        let gamma = drift / variance;
        let rate = |n: f64| ((n * PI / width).powi(2) * variance + drift.powi(2) / variance) / 2.0;
        let scale = (-rate(1.0) * time + (y - x) * gamma).exp();
        let mut sum = 0.0;
        for n in (1..10_000).map(f64::from) {
            let decay = (-(rate(n) - rate(1.0)) * time).exp();
            let angle = n * PI / width;
            // Integral of exp(gamma y) sin(angle y), times 2 / width exp(-gamma y).
            let part = 2.0 * (gamma * (angle * y).sin() - angle * (angle * y).cos())
                / (width * (gamma.powi(2) + angle.powi(2)));
            sum += decay * part * (angle * x).sin();
            if (scale * decay * part).abs() <= 1e-9 && decay < 1e-3 {
                break;
            }
        }
        let ever_low = match gamma * width {
            steep if steep > 30.0 => (-2.0 * gamma * x).exp(),
            flat if flat.abs() < 1e-8 => (width - x) / width,
            slope => (1.0 - (2.0 * gamma * (width - x)).exp()) / (1.0 - (2.0 * slope).exp()),
        };
        ever_low + scale * sum
    }

    /// Siegmund's approximation, which needs no series: one image of each barrier.
    fn by_images(&self, time: f64, y: f64) -> f64 {
        let deviation = (time * self.variance).sqrt();
        let (mean, gamma) = (self.drift * time, self.drift / self.variance);
        let (a, b) = (-self.below, self.width - self.below);
        let image = |barrier: f64, z: f64| {
            if gamma * barrier >= 5.0 {
                let exponent = -z * z / 2.0 + 2.0 * gamma * barrier;
                -exponent.exp() / TAU.sqrt() * (1.0 / z - 1.0 / z.powi(3))
            } else {
                (2.0 * gamma * barrier).exp() * normal_cdf(z)
            }
        };
        normal_cdf((y - mean) / deviation) + image(a, (2.0 * a + mean - y) / deviation)
            - image(b, (y - mean - 2.0 * b) / deviation)
    }
}
