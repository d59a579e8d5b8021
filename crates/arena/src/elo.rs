//! Match results as numbers: score, Elo, their 95 % intervals, likelihood of superiority,
//! normalized Elo.
//!
//! Invariant: nothing here is ever infinite or NaN. A value that does not exist as a finite number
//! (the Elo of a player that won every game) is `None`, and the interval then still gives the
//! finite end as a bound.
//!
//! Both games of an opening are one observation (a pair), because they are not independent;
//! [`Estimate::of_pairs`] is therefore the one to use for matches, [`Estimate::of_games`] for
//! results that come without pairs.

/// The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo per standard deviation of a game's score: 800 / ln 10 (M. Van den Bergh, "Normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
pub const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Game results of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Trinomial {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// Results of pairs of games (one opening, both colours) of one player against another: entry `k`
/// counts the pairs that brought `k / 2` points out of 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts one more pair that brought `half_points` (0 to 4) half points.
    ///
    /// # Panics
    /// If `half_points > 4`.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }
}

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
    /// Elo of `low`; `None` when there is no lower bound (every point lost).
    pub elo_low: Option<f64>,
    /// Elo of `high`; `None` when there is no upper bound (every point won).
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
        Self::of_counts(&[results.losses, results.draws, results.wins], 1.0)
    }

    /// The estimate from pairs of games; `None` without pairs.
    pub fn of_pairs(results: &Pentanomial) -> Option<Estimate> {
        Self::of_counts(&results.0, 2.0)
    }

    /// `counts[k]` observations of score `k / (len - 1)`, each the mean of `games` games.
    fn of_counts(counts: &[u64], games: f64) -> Option<Estimate> {
        let total = counts.iter().sum::<u64>() as f64;
        if total == 0.0 {
            return None;
        }
        let top = (counts.len() - 1) as f64;
        let mean_of = |f: &dyn Fn(f64) -> f64| {
            counts.iter().enumerate().map(|(k, &c)| c as f64 * f(k as f64 / top)).sum::<f64>()
                / total
        };
        let score = mean_of(&|x| x);
        // Equal observations must give exactly zero, whatever the rounding of the mean.
        let equal = counts.iter().filter(|&&c| c > 0).count() == 1;
        let variance = if equal { 0.0 } else { mean_of(&|x| (x - score).powi(2)) };
        let score_error = (variance / total).sqrt();
        let (low, high) = interval(score, score_error, total);
        let (nelo, nelo_error) = if equal {
            (None, None)
        } else {
            let sigma = (games * variance).sqrt();
            let unit = NORMALIZED_SCALE / sigma;
            (Some((score - 0.5) * unit), Some(Z95 * score_error * unit))
        };
        // Without spread, the largest one a score can have (no draws, even players) stands in.
        let los_error = if equal { 0.5 / total.sqrt() } else { score_error };
        Some(Estimate {
            score,
            score_error,
            low,
            high,
            elo: elo_of_score(score),
            elo_low: elo_of_score(low),
            elo_high: elo_of_score(high),
            nelo,
            nelo_error,
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
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

/// The standard normal distribution function, absolute error below 1e-14
/// (series of G. Marsaglia, "Evaluating the Normal Distribution", JSS 11(4), 2004).
pub fn normal_cdf(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut k) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        k += 2.0;
        term *= x * x / k;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Vec<u64> {
        text.split_whitespace().map(|c| c.parse().unwrap()).collect()
    }

    fn estimate(kind: &str, text: &str) -> Estimate {
        let c = counts(text);
        if kind.starts_with("pentanomial") {
            Estimate::of_pairs(&Pentanomial(c.try_into().unwrap())).unwrap()
        } else {
            let results = Trinomial { losses: c[0], draws: c[1], wins: c[2] };
            Estimate::of_games(&results).unwrap()
        }
    }

    #[test]
    fn reference_cases() {
        let text = include_str!("../../../data/arena/elo_cases.csv");
        let mut checked = 0;
        for line in text.lines().skip(1) {
            let row: Vec<&str> = line.split(',').collect();
            let [_, kind, data, params, quantity, expected, tolerance] = row[..] else {
                panic!("{line}")
            };
            let expected: f64 = expected.parse().unwrap();
            let tolerance: f64 = tolerance.parse().unwrap();
            let found = if kind.starts_with("logistic") {
                score_of_elo(params.strip_prefix("elo=").unwrap().parse().unwrap())
            } else {
                let e = estimate(kind, data);
                match quantity {
                    "score" => e.score,
                    "se" => e.score_error,
                    "elo" => e.elo.unwrap(),
                    "elo_lo" => e.elo_low.unwrap(),
                    "elo_hi" => e.elo_high.unwrap(),
                    "elo_err" => (e.elo_high.unwrap() - e.elo_low.unwrap()) / 2.0,
                    "nelo" => e.nelo.unwrap(),
                    "nelo_err" => e.nelo_error.unwrap(),
                    "los" => e.los,
                    other => panic!("{other}"),
                }
            };
            assert!((found - expected).abs() <= tolerance, "{line}: {found}");
            checked += 1;
        }
        assert_eq!(checked, 78);
    }

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
        assert!(e.elo_low.unwrap() < -50.0 && e.elo_high.unwrap() > 50.0);
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
