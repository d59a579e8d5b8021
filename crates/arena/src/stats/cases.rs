//! Every published number of `data/arena/elo_cases.csv`, each within its tolerance.

use std::collections::BTreeMap;

use super::counts::Sample;
use super::elo::NORMALIZED_SCALE;
use super::normal::Z95;
use super::rating::Ratings;
use super::sprt::{Adjusted, bayeselo_distribution, drawelo};
use super::*;

/// A row: what was given, which number is asked for, what it is.
struct Case<'a> {
    kind: &'a str,
    counts: Vec<u64>,
    parameters: BTreeMap<&'a str, f64>,
    quantity: &'a str,
}

impl Case<'_> {
    fn parameter(&self, name: &str) -> f64 {
        self.parameters[name]
    }

    fn sample(&self) -> Sample {
        match self.counts[..] {
            [losses, draws, wins] => Sample::from(&Trinomial { wins, draws, losses }),
            [a, b, c, d, e] => Sample::from(&Pentanomial([a, b, c, d, e])),
            _ => panic!("{} counts", self.counts.len()),
        }
    }

    fn sprt(&self, model: EloModel, elos: [&str; 2]) -> Sprt {
        let [elo0, elo1] = elos.map(|name| self.parameter(name));
        Sprt { model, elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    fn llr(&self, test: &Sprt) -> f64 {
        let result = match self.counts[..] {
            [losses, draws, wins] => test.of_games(&Trinomial { wins, draws, losses }),
            [a, b, c, d, e] => test.of_pairs(&Pentanomial([a, b, c, d, e])),
            _ => panic!("{} counts", self.counts.len()),
        };
        result.unwrap().llr
    }

    fn number(&self) -> f64 {
        match self.kind.split([' ', ',', '(']).next().unwrap() {
            "trinomial" | "pentanomial" if self.quantity == "llr" => {
                let normalized = self.kind.ends_with("normalized");
                let model = if normalized { EloModel::Normalized } else { EloModel::Logistic };
                self.llr(&self.sprt(model, ["elo0", "elo1"]))
            }
            "trinomial" | "pentanomial" => self.estimate(),
            "degenerate" => self.regularised_estimate(),
            "all" if self.kind.starts_with("all wins, Wilson") => self.estimate(),
            "all" => elo_of_score(0.025f64.powf(1.0 / self.sample().total())).unwrap(),
            "OpenBench" => self.student(),
            "Wald" => self.bound(),
            "normal" | "normalized" => self.approximate_llr(),
            "post-SPRT" => self.adjusted(),
            "logistic" => score_of_elo(self.parameter("elo")),
            "BayesElo-model" if self.quantity == "drawelo" => drawelo(&self.sample()),
            "BayesElo-model" => self.llr(&self.sprt(EloModel::BayesElo, ["belo0", "belo1"])),
            "BayesElo" => self.bayeselo(),
            other => panic!("{other}"),
        }
    }

    fn estimate(&self) -> f64 {
        let e = match self.counts[..] {
            [losses, draws, wins] => Estimate::of_games(&Trinomial { wins, draws, losses }),
            [a, b, c, d, e] => Estimate::of_pairs(&Pentanomial([a, b, c, d, e])),
            _ => panic!("{} counts", self.counts.len()),
        };
        let e = e.unwrap();
        match self.quantity {
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
    }

    /// What fishtest shows for results without spread: the moments of the regularised counts.
    fn regularised_estimate(&self) -> f64 {
        let sample = self.sample().regularised();
        let (mean, variance) = sample.moments();
        let error = Z95 * (variance / sample.total()).sqrt();
        let elo = |score: f64| elo_of_score(score.clamp(1e-3, 1.0 - 1e-3)).unwrap();
        match self.quantity {
            "elo" => elo(mean),
            _ => (elo(mean + error) - elo(mean - error)) / 2.0,
        }
    }

    /// Student's t in the place of the normal quantile, as OpenBench takes it.
    fn student(&self) -> f64 {
        let sample = self.sample();
        let (mean, variance) = sample.moments();
        let t = student_quantile(sample.total() - 1.0);
        let error = t * (variance / sample.total()).sqrt();
        elo_of_score(if self.quantity == "elo_lo" { mean - error } else { mean + error }).unwrap()
    }

    fn bound(&self) -> f64 {
        let (alpha, beta) = (self.parameter("alpha"), self.parameter("beta"));
        let test = Sprt { model: EloModel::Logistic, elo0: 0.0, elo1: 1.0, alpha, beta };
        let (lower, upper) = test.bounds();
        if self.quantity == "lower" { lower } else { upper }
    }

    /// The approximations in wide use, which the exact ratio is to be near for small Elo.
    fn approximate_llr(&self) -> f64 {
        let sample = self.sample().regularised();
        let (total, (mean, variance)) = (sample.total(), sample.moments());
        let (elo0, elo1) = (self.parameter("elo0"), self.parameter("elo1"));
        if self.kind.starts_with("normal ") {
            let (s0, s1) = (score_of_elo(elo0), score_of_elo(elo1));
            return (s1 - s0) * (2.0 * mean - s0 - s1) * total / (2.0 * variance);
        }
        let t = (mean - 0.5) / (sample.games * variance).sqrt();
        let off = |elo: f64| 1.0 + (t - elo / NORMALIZED_SCALE).powi(2);
        total * sample.games / 2.0 * (off(elo0) / off(elo1)).ln()
    }

    fn adjusted(&self) -> f64 {
        let normalized = self.kind.ends_with("normalized");
        let model = if normalized { EloModel::Normalized } else { EloModel::Logistic };
        let test = self.sprt(model, ["elo0", "elo1"]);
        let adjusted = Adjusted::of(&test, &self.sample()).unwrap();
        match self.quantity {
            "elo_median_unbiased" => adjusted.elo,
            "ci_lo" => adjusted.elo_low,
            "ci_hi" => adjusted.elo_high,
            "los" => adjusted.los,
            _ => {
                let (lower, upper) = test.bounds();
                self.approximate_brownian_llr(&test).clamp(lower, upper)
            }
        }
    }

    /// The ratio by the approximation that the adjustment rests on.
    fn approximate_brownian_llr(&self, test: &Sprt) -> f64 {
        let sample = self.sample();
        let (mean, variance) = sample.moments();
        let sigma = (sample.games * variance).sqrt();
        let score = |elo: f64| match test.model {
            EloModel::Logistic => score_of_elo(elo),
            _ => 0.5 + elo / NORMALIZED_SCALE * sigma,
        };
        let (s0, s1) = (score(test.elo0), score(test.elo1));
        (s1 - s0) * (2.0 * mean - s0 - s1) * sample.total() / (2.0 * variance)
    }

    fn bayeselo(&self) -> f64 {
        if self.quantity == "llr" {
            let drawelo = drawelo(&self.sample());
            let elo = |name| elo_of_bayeselo(self.parameter(name), drawelo);
            let (elo0, elo1) = (elo("belo0"), elo("belo1"));
            return self.llr(&Sprt {
                model: EloModel::Logistic,
                elo0,
                elo1,
                alpha: 0.05,
                beta: 0.05,
            });
        }
        let (elo, drawelo) = (self.parameter("belo"), self.parameter("drawelo"));
        let distribution = bayeselo_distribution(elo, drawelo);
        match self.quantity {
            "pwin" => distribution[2],
            "pdraw" => distribution[1],
            _ => elo_of_bayeselo(elo, drawelo),
        }
    }
}

/// Elo of the score that a strength in the BayesElo model brings.
fn elo_of_bayeselo(elo: f64, drawelo: f64) -> f64 {
    let distribution = bayeselo_distribution(elo, drawelo);
    elo_of_score(distribution[2] + distribution[1] / 2.0).unwrap()
}

/// The 97.5 % quantile of Student's t: the integral of its density by Simpson's rule, halved into.
fn student_quantile(freedom: f64) -> f64 {
    let density = |x: f64| (-(freedom + 1.0) / 2.0 * (x * x / freedom).ln_1p()).exp();
    let area = |to: f64| {
        let steps = 20_000;
        let h = to / f64::from(steps);
        let inner = |k: i32| f64::from(if k % 2 == 1 { 4 } else { 2 }) * density(f64::from(k) * h);
        (density(0.0) + (1..steps).map(inner).sum::<f64>() + density(to)) * h / 3.0
    };
    let half = area(100.0);
    let (mut low, mut high) = (1.0, 4.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if area(middle) < 0.95 * half { low = middle } else { high = middle }
    }
    low
}

const NAMES: [&str; 5] = ["alpha", "bravo", "charlie", "delta", "echo"];

fn player(name: &str) -> usize {
    NAMES.iter().position(|&known| known == name).unwrap()
}

/// The 600 games of `data/arena/rr5_crosstable.csv`.
fn rr5() -> Observations {
    let table = include_str!("../../../../data/arena/rr5_crosstable.csv");
    let mut observations = Observations::default();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let count = |k: usize| cells[k].parse().unwrap();
        let results = Trinomial { wins: count(2), draws: count(3), losses: count(4) };
        observations.add_counts(player(cells[0]), player(cells[1]), &results);
    }
    observations
}

/// Ratings as the rows of a case have them, and what their Elo is multiplied by.
fn ratings_of(case: &str) -> (Ratings, f64) {
    let plain = RatingModel { robust: false, ..RatingModel::default() };
    let fixed = RatingModel { advantage: Parameter::Fixed(0.0), ..plain };
    let rao_kupper = RatingModel { draws: DrawModel::RaoKupper, ..plain };
    let bayeselo = RatingModel { prior: 2.0, ..rao_kupper };
    let rate = |model: &RatingModel| fit(5, &rr5(), model, Anchor::Mean).unwrap();
    // BayesElo shrinks its scale so that a small difference brings as many points as in Elo.
    let scale = |drawelo: f64| {
        let x = 10f64.powf(-drawelo / 400.0);
        4.0 * x / (1.0 + x).powi(2)
    };
    let given = |advantage: f64, drawelo: f64| RatingModel {
        advantage: Parameter::Fixed(advantage),
        draw: Parameter::Fixed(drawelo),
        ..bayeselo
    };
    match case {
        "R1" => (rate(&given(32.8, 97.3)), 1.0),
        "R2" => {
            let ratings = rate(&bayeselo);
            let scale = scale(ratings.draw.unwrap());
            (ratings, scale)
        }
        "R2b" => {
            let fitted = rate(&bayeselo);
            let drawelo = fitted.draw.unwrap();
            (rate(&given(fitted.advantage, drawelo)), scale(drawelo))
        }
        "R3" => (rate(&rao_kupper), 1.0),
        "R4" => (rate(&fixed), 1.0),
        "R5" => (rate(&RatingModel { robust: true, ..fixed }), 1.0),
        "R6" => (rate(&plain), 1.0),
        "R7" => (rate(&RatingModel { draws: DrawModel::Davidson, ..plain }), 1.0),
        // Ordo's unit makes 76 % of 202 Elo.
        "R9" => (rate(&fixed), 202.0 / elo_of_score(0.76).unwrap()),
        other => panic!("{other}"),
    }
}

fn rated(case: &str, quantity: &str, counts: &str) -> f64 {
    if case == "R8" {
        return difference_of_wins(counts.split('-').next().unwrap().parse().unwrap());
    }
    let (ratings, scale) = ratings_of(case);
    let (what, of) = quantity.split_once(':').unwrap_or((quantity, ""));
    match what {
        "elo" => ratings.players[player(of)].elo * scale,
        "sd" => ratings.players[player(of)].sd * scale,
        "los" => {
            let (a, b) = of.split_once('>').unwrap();
            ratings.los(player(a), player(b)).unwrap()
        }
        "first_player_advantage" => ratings.advantage,
        "drawelo_or_nu" => ratings.draw.unwrap(),
        other => panic!("{other}"),
    }
}

/// What BayesElo makes of `wins` to nothing with the first move.
fn difference_of_wins(wins: u64) -> f64 {
    let model = RatingModel {
        draws: DrawModel::RaoKupper,
        advantage: Parameter::Fixed(32.8),
        draw: Parameter::Fixed(97.3),
        prior: 2.0,
        robust: false,
    };
    let mut observations = Observations::default();
    observations.add_counts(0, 1, &Trinomial { wins, draws: 0, losses: 0 });
    let ratings = fit(2, &observations, &model, Anchor::Mean).unwrap();
    ratings.players[0].elo - ratings.players[1].elo
}

#[test]
fn every_published_number_is_met() {
    let text = include_str!("../../../../data/arena/elo_cases.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in reader.records() {
        let row = row.unwrap();
        let (id, kind, counts, quantity) = (&row[0], &row[1], &row[2], &row[4]);
        let expected: f64 = row[5].parse().unwrap();
        let tolerance: f64 = row[6].parse().unwrap();
        let found = if id.starts_with('R') {
            rated(id, quantity, counts)
        } else {
            let parameters = row[3].split_whitespace().filter_map(|word| {
                let (names, value) = word.rsplit_once('=')?;
                Some((names, value.parse::<f64>().ok()?))
            });
            let parameters =
                parameters.flat_map(|(names, value)| names.split('=').map(move |n| (n, value)));
            let counts = counts.split_whitespace().map(|c| c.parse().unwrap()).collect();
            Case { kind, counts, parameters: parameters.collect(), quantity }.number()
        };
        if found.is_nan() || (found - expected).abs() > tolerance {
            wrong.push(format!("{id} {kind} {quantity}: {found}, expected {expected}"));
        }
        checked += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(checked, 339);
}
