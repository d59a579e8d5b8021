//! The sequential probability ratio test: is the first player stronger by `elo1` rather than by
//! `elo0`?
//!
//! The ratio is the generalised one (GSPRT): the likelihood of the counts under their most likely
//! distribution with strength `elo1`, against that with strength `elo0`, both found exactly
//! (module `likelihood`). The normal approximation in wide use is wrong for lopsided results.

mod adjusted;
mod likelihood;

use std::fmt;
use std::str::FromStr;

pub use adjusted::Adjusted;

use super::counts::{HeadToHead, Pentanomial, Sample, Trinomial};
use super::elo::{NORMALIZED_SCALE, score_of_elo};

/// What `elo0` and `elo1` of a test measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EloModel {
    /// Elo of the expected score.
    Logistic,
    /// Normalized Elo: score above 1/2 in standard deviations of a game, times 800 / ln 10. It takes
    /// about as many games for the same bounds whatever the share of draws.
    Normalized,
    /// Elo of the BayesElo model, with the drawelo of the data; games without pairs only. Older
    /// tools test with it.
    BayesElo,
}

impl EloModel {
    /// Its name in arguments and output.
    pub fn as_str(self) -> &'static str {
        match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
            EloModel::BayesElo => "bayeselo",
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EloModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [EloModel::Logistic, EloModel::Normalized, EloModel::BayesElo]
            .into_iter()
            .find(|model| model.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no model: logistic, normalized or bayeselo"))
    }
}

/// A test: two hypotheses and how often it may err.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// What the Elo of the hypotheses is.
    pub model: EloModel,
    /// Strength under H0, in Elo of the model.
    pub elo0: f64,
    /// Strength under H1, above `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 where H0 holds, between 0 and 1.
    pub alpha: f64,
    /// Probability of accepting H0 where H1 holds, between 0 and 1.
    pub beta: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// H1: the player is stronger.
    Accepted,
    /// H0: it is not.
    Rejected,
    /// More games are needed.
    Undecided,
}

impl Decision {
    /// Its name in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Decision::Accepted => "accepted",
            Decision::Rejected => "rejected",
            Decision::Undecided => "undecided",
        }
    }
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtResult {
    /// Logarithm of the likelihood ratio of H1 to H0; 0 without observations.
    pub llr: f64,
    /// At or below this H0 is accepted: ln(beta / (1 - alpha)).
    pub lower: f64,
    /// At or above this H1 is accepted: ln((1 - beta) / alpha).
    pub upper: f64,
    /// The verdict.
    pub decision: Decision,
    /// The strength seen with the bias of stopping taken out; `None` while undecided, and for
    /// BayesElo.
    pub adjusted: Option<Adjusted>,
}

/// Why there is no ratio.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("elo0 ({elo0}) must be below elo1 ({elo1}), both finite")]
    Hypotheses {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
    /// An error probability out of range.
    #[error("alpha ({alpha}) and beta ({beta}) must be above 0 and together below 1")]
    Errors {
        /// As given.
        alpha: f64,
        /// As given.
        beta: f64,
    },
    /// No distribution of scores of this strength was found that the counts could come from.
    #[error(
        "no distribution of these results has the strength {elo}: choose hypotheses nearer to them"
    )]
    Unreachable {
        /// The hypothesis, in Elo of the model.
        elo: f64,
    },
    /// BayesElo and pairs.
    #[error(
        "the BayesElo model knows no pairs of games: choose logistic or normalized, or give games"
    )]
    BayesEloOfPairs,
}

impl Sprt {
    /// The test on pairs of games.
    ///
    /// # Errors
    /// Settings out of range, hypotheses that cannot be told from the counts, the model BayesElo.
    pub fn of_pairs(&self, results: &Pentanomial) -> Result<SprtResult, SprtError> {
        if self.model == EloModel::BayesElo {
            return Err(SprtError::BayesEloOfPairs);
        }
        self.of_sample(&results.into())
    }

    /// The test on single games; on games that were played in pairs it takes longer than
    /// [`of_pairs`](Self::of_pairs), or errs more often.
    ///
    /// # Errors
    /// Settings out of range, hypotheses that cannot be told from the counts.
    pub fn of_games(&self, results: &Trinomial) -> Result<SprtResult, SprtError> {
        self.of_sample(&results.into())
    }

    /// The test on the pairs, or without any, and with BayesElo, on the games.
    ///
    /// # Errors
    /// Settings out of range, hypotheses that cannot be told from the counts, the model BayesElo
    /// without games.
    pub fn of(&self, results: &HeadToHead) -> Result<SprtResult, SprtError> {
        let games = results.pairs.pairs() == 0
            || (self.model == EloModel::BayesElo && results.games.games() > 0);
        if games { self.of_games(&results.games) } else { self.of_pairs(&results.pairs) }
    }

    /// The bounds of the ratio, lower and upper (A. Wald, "Sequential Analysis", 1947).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    fn of_sample(&self, sample: &Sample) -> Result<SprtResult, SprtError> {
        self.check()?;
        let (lower, upper) = self.bounds();
        let llr = if sample.total() > 0.0 { self.llr(&sample.regularised())? } else { 0.0 };
        let decision = match llr {
            llr if llr >= upper => Decision::Accepted,
            llr if llr <= lower => Decision::Rejected,
            _ => Decision::Undecided,
        };
        let adjusted = match decision {
            Decision::Undecided => None,
            _ => Adjusted::of(self, sample),
        };
        Ok(SprtResult { llr, lower, upper, decision, adjusted })
    }

    fn check(&self) -> Result<(), SprtError> {
        let Sprt { elo0, elo1, alpha, beta, .. } = *self;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(())
    }

    /// The logarithm of the ratio; no count is 0.
    fn llr(&self, sample: &Sample) -> Result<f64, SprtError> {
        let distribution = |elo: f64| {
            let found = match self.model {
                EloModel::Logistic => likelihood::with_mean(sample, score_of_elo(elo)),
                EloModel::Normalized => {
                    let per_game = elo / NORMALIZED_SCALE;
                    likelihood::with_t_value(sample, per_game * sample.games.sqrt())
                }
                EloModel::BayesElo => Some(bayeselo_distribution(elo, drawelo(sample))),
            };
            let possible = |p: &Vec<f64>| p.iter().all(|p| p.is_finite() && *p > 0.0);
            found.filter(possible).ok_or(SprtError::Unreachable { elo })
        };
        let (p0, p1) = (distribution(self.elo0)?, distribution(self.elo1)?);
        Ok(sample
            .counts
            .iter()
            .zip(p0.iter().zip(&p1))
            .map(|(c, (p0, p1))| c * (p1 / p0).ln())
            .sum())
    }
}

/// The drawelo of the BayesElo model that fits counts of single games, none of them 0.
pub(crate) fn drawelo(sample: &Sample) -> f64 {
    let share = |k: usize| sample.counts[k] / sample.total();
    let odds = |p: f64| (1.0 - p) / p;
    200.0 * (odds(share(0)) * odds(share(2))).log10()
}

/// Probabilities of a loss, a draw and a win in the BayesElo model (R. Coulom, "Whole-History
/// Rating", 2008; Rao and Kupper, JASA 62, 1967), strengths in Elo.
pub(crate) fn bayeselo_distribution(elo: f64, drawelo: f64) -> Vec<f64> {
    let (win, loss) = (score_of_elo(elo - drawelo), score_of_elo(-elo - drawelo));
    vec![loss, 1.0 - win - loss, win]
}

#[cfg(test)]
mod tests;
