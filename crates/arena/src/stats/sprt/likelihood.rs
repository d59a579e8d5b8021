//! The most likely distribution of scores under a hypothesis on their mean or on their mean over
//! their deviation (M. Van den Bergh, "MLE for multinomial distributions", documents of
//! <https://github.com/vdbergh/pentanomial>).
//!
//! Under a linear constraint `sum p_i a_i = 0` the likelihood of shares `q` is greatest at
//! `p_i = q_i / (1 + theta a_i)`, where `theta` solves `sum q_i a_i / (1 + theta a_i) = 0`.

use crate::stats::counts::Sample;

/// A step this small ends the iteration for a t-value.
const TOLERANCE: f64 = 1e-12;
/// So far one-sided shares may go on trembling by rounding.
const ROUNDING: f64 = 1e-7;
const MAX_ITERATIONS: usize = 200;
/// Steps of a bisection: more than a double has bits.
const HALVINGS: usize = 100;

/// The most likely distribution with the mean score `mean`; `None` if there is none.
pub(super) fn with_mean(sample: &Sample, mean: f64) -> Option<Vec<f64>> {
    let distances: Vec<f64> = sample.scores().map(|x| x - mean).collect();
    constrained(&shares(sample), &distances)
}

/// The most likely distribution whose mean lies `t` standard deviations above 1/2; `None` if none is
/// found.
///
/// The constraint is not linear. Each step takes its tangent at the distribution found before, the
/// first at the shares that were seen or, where these are so one-sided that their tangent excludes
/// every distribution, at even shares.
pub(super) fn with_t_value(sample: &Sample, t: f64) -> Option<Vec<f64>> {
    let shares = shares(sample);
    let even = vec![1.0 / shares.len() as f64; shares.len()];
    [shares.clone(), even].into_iter().find_map(|start| from(sample, &shares, t, start))
}

fn from(sample: &Sample, shares: &[f64], t: f64, start: Vec<f64>) -> Option<Vec<f64>> {
    let (mut p, mut change) = (start, f64::MAX);
    for _ in 0..MAX_ITERATIONS {
        let mean: f64 = p.iter().zip(sample.scores()).map(|(p, x)| p * x).sum();
        let variance: f64 =
            p.iter().zip(sample.scores()).map(|(p, x)| p * (x - mean).powi(2)).sum();
        let sigma = variance.sqrt();
        let tangent = |x: f64| x - 0.5 - t * sigma / 2.0 * (1.0 + ((x - mean) / sigma).powi(2));
        let tangents: Vec<f64> = sample.scores().map(tangent).collect();
        let next = constrained(shares, &tangents)?;
        change = p.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        p = next;
        if change < TOLERANCE {
            return Some(p);
        }
    }
    (change < ROUNDING).then_some(p)
}

fn shares(sample: &Sample) -> Vec<f64> {
    let total = sample.total();
    sample.counts.iter().map(|count| count / total).collect()
}

/// The most likely distribution for `shares` with `sum p_i a_i = 0`; `None` unless `a` has both
/// signs.
fn constrained(shares: &[f64], a: &[f64]) -> Option<Vec<f64>> {
    let (least, most) = a.iter().fold((f64::MAX, f64::MIN), |(l, m), &a| (l.min(a), m.max(a)));
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    // The sum falls from +inf to -inf between the poles, where every p_i is positive.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..HALVINGS {
        theta = low + (high - low) / 2.0;
        let sum: f64 = shares.iter().zip(a).map(|(q, a)| q * a / (1.0 + theta * a)).sum();
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    Some(shares.iter().zip(a).map(|(q, a)| q / (1.0 + theta * a)).collect())
}
