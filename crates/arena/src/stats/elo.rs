//! The strength of a player relative to one opponent: score, Elo, their 95 % intervals, normalized
//! Elo, likelihood of superiority.

use super::counts::{HeadToHead, Pentanomial, Sample, Trinomial};
use super::normal::{Z95, normal_cdf};

/// Elo per standard deviation of a game's score: 800 / ln 10 (M. Van den Bergh, "Normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
pub const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// What results say about the strength of a player relative to its opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Standard error of `score`; 0 when all observations are equal.
    pub score_error: f64,
    /// Lower end of the 95 % interval of the score, 0 to 1.
    pub low: f64,
    /// Upper end of the 95 % interval of the score, 0 to 1.
    pub high: f64,
    /// Elo difference of `score`; `None` when every point was won or lost.
    pub elo: Option<f64>,
    /// Elo of `low`; `None` when there is no lower bound: every point was lost, or all observations
    /// are equal and not one-sided, so that nothing is known of their spread.
    pub elo_low: Option<f64>,
    /// Elo of `high`; `None` when there is no upper bound: every point was won, or all observations
    /// are equal and not one-sided.
    pub elo_high: Option<f64>,
    /// Normalized Elo; `None` when all observations are equal.
    pub nelo: Option<f64>,
    /// Half the width of the 95 % interval of `nelo`.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority, 0 to 1: probability that the true score is above 1/2.
    pub los: f64,
}

impl Estimate {
    /// The estimate from single games; `None` without games.
    pub fn of_games(results: &Trinomial) -> Option<Estimate> {
        Self::of_sample(&results.into())
    }

    /// The estimate from pairs of games; `None` without pairs.
    pub fn of_pairs(results: &Pentanomial) -> Option<Estimate> {
        Self::of_sample(&results.into())
    }

    /// The estimate from the pairs, or without any from the games; `None` without either.
    pub fn of(results: &HeadToHead) -> Option<Estimate> {
        Self::of_pairs(&results.pairs).or_else(|| Self::of_games(&results.games))
    }

    fn of_sample(sample: &Sample) -> Option<Estimate> {
        let total = sample.total();
        if total == 0.0 {
            return None;
        }
        let (score, variance) = sample.moments();
        let equal = sample.is_constant();
        let score_error = (variance / total).sqrt();
        let (low, high) = interval(score, score_error, total);
        let one_sided = score == 0.0 || score == 1.0;
        let known = |bound: f64| (!equal || one_sided).then(|| elo_of_score(bound)).flatten();
        let unit = NORMALIZED_SCALE / (sample.games * variance).sqrt();
        // Without spread, the largest one a score can have (no draws, even players) stands in.
        let los_error = if equal { 0.5 / total.sqrt() } else { score_error };
        Some(Estimate {
            score,
            score_error,
            low,
            high,
            elo: elo_of_score(score),
            elo_low: known(low),
            elo_high: known(high),
            nelo: (!equal).then_some((score - 0.5) * unit),
            nelo_error: (!equal).then_some(Z95 * score_error * unit),
            los: normal_cdf((score - 0.5) / los_error),
        })
    }
}

/// The 95 % interval of a score: normal, or Wilson's where the normal one has no width or leaves
/// (0, 1), as it does for (nearly) one-sided results.
fn interval(score: f64, error: f64, observations: f64) -> (f64, f64) {
    let (low, high) = (score - Z95 * error, score + Z95 * error);
    if error > 0.0 && low > 0.0 && high < 1.0 { (low, high) } else { wilson(score, observations) }
}

/// Wilson's 95 % score interval of a proportion (E. B. Wilson, JASA 22, 1927), exact at its ends: a
/// proportion of 1 has the upper end 1.
fn wilson(proportion: f64, observations: f64) -> (f64, f64) {
    let z2 = Z95 * Z95 / observations;
    let centre = (proportion + z2 / 2.0) / (1.0 + z2);
    let variance = proportion * (1.0 - proportion) / observations;
    let half = Z95 / (1.0 + z2) * (variance + z2 / (4.0 * observations)).sqrt();
    let low = if proportion <= 0.0 { 0.0 } else { centre - half };
    let high = if proportion >= 1.0 { 1.0 } else { centre + half };
    (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0))
}

/// Expected score (0 to 1) of a player that is `elo` stronger: `1 / (1 + 10^(-elo / 400))`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo difference of an expected score, `-400 log10(1 / score - 1)`; `None` unless `0 < score < 1`.
pub fn elo_of_score(score: f64) -> Option<f64> {
    // Adding 0 makes 0 of -0.
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sided_results_give_a_bound() {
        let e = Estimate::of_pairs(&Pentanomial([0, 0, 0, 0, 20])).unwrap();
        assert_eq!((e.score, e.high, e.elo, e.elo_high, e.nelo), (1.0, 1.0, None, None, None));
        assert!(e.elo_low.unwrap() > 200.0 && e.los > 0.999);
        let e = Estimate::of_games(&Trinomial { wins: 0, draws: 0, losses: 3 }).unwrap();
        assert_eq!((e.low, e.elo_low), (0.0, None));
        assert!(e.elo_high.unwrap().is_finite());
    }

    #[test]
    fn nearly_one_sided_results_stay_finite() {
        let e = Estimate::of_games(&Trinomial { wins: 99, draws: 1, losses: 0 }).unwrap();
        assert!(e.high < 1.0 && e.elo_high.unwrap() < 2500.0);
        assert!(e.low < e.score && e.score < e.high);
    }

    #[test]
    fn only_draws_is_not_certainty() {
        let e = Estimate::of_games(&Trinomial { wins: 0, draws: 40, losses: 0 }).unwrap();
        assert_eq!((e.elo, e.los), (Some(0.0), 0.5));
        assert!(e.low < 0.45 && e.high > 0.55, "any score has at most the spread of win and loss");
        assert_eq!((e.elo_low, e.elo_high, e.nelo), (None, None, None));
    }

    #[test]
    fn one_pair_is_no_evidence() {
        let e = Estimate::of_pairs(&Pentanomial([0, 0, 0, 1, 0])).unwrap();
        assert!((e.elo.unwrap() - 190.85).abs() < 0.01);
        assert_eq!((e.elo_low, e.elo_high, e.nelo, e.nelo_error), (None, None, None, None));
        assert!(e.low < 0.5 && e.los < 0.75);
    }

    #[test]
    fn nothing_is_no_estimate() {
        assert_eq!(Estimate::of_pairs(&Pentanomial::default()), None);
    }

    #[test]
    fn exchanging_the_players_mirrors_everything() {
        let a = Estimate::of_pairs(&Pentanomial([3, 18, 55, 30, 6])).unwrap();
        let b = Estimate::of_pairs(&Pentanomial([6, 30, 55, 18, 3])).unwrap();
        assert!((a.elo_low.unwrap() + b.elo_high.unwrap()).abs() < 1e-9);
        assert!((a.los + b.los - 1.0).abs() < 1e-12);
    }
}
