//! How likely the results of one game are.

/// How draws are understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawModel {
    /// A draw is half a win and half a loss (R. A. Bradley and M. E. Terry, Biometrika 39, 1952).
    /// Ratings then reproduce expected scores and stand on the scale of head-to-head Elo.
    #[default]
    HalfWin,
    /// P. V. Rao and L. L. Kupper, JASA 62, 1967, which BayesElo fits: a player wins with the
    /// probability of Bradley and Terry after `drawelo` is taken off its strength.
    RaoKupper,
    /// R. R. Davidson, JASA 65, 1970: win, draw and loss weigh `g_i`, `nu sqrt(g_i g_j)` and `g_j`.
    /// Its scale is wider than that of expected scores where draws are common.
    Davidson,
}

/// Log-likelihood of a game with its derivatives by `x`, the difference in strength with the
/// advantage of the first move, and `u`, the parameter of draws; all in natural units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slopes {
    pub(super) value: f64,
    pub(super) x: f64,
    pub(super) u: f64,
    pub(super) xx: f64,
    pub(super) xu: f64,
    pub(super) uu: f64,
}

impl Slopes {
    pub(super) fn add(&mut self, other: Slopes, weight: f64) {
        self.value += weight * other.value;
        self.x += weight * other.x;
        self.u += weight * other.u;
        self.xx += weight * other.xx;
        self.xu += weight * other.xu;
        self.uu += weight * other.uu;
    }
}

/// `1 / (1 + exp(-x))`.
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln logistic(x)`.
fn log_logistic(x: f64) -> f64 {
    if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() }
}

impl DrawModel {
    /// Whether draws have a parameter.
    pub(super) fn has_parameter(self) -> bool {
        self != DrawModel::HalfWin
    }

    /// Of a game in which the first player got `half_points` (0 to 2).
    pub(super) fn slopes(self, half_points: usize, x: f64, u: f64) -> Slopes {
        match self {
            DrawModel::HalfWin => half_win(half_points as f64 / 2.0, x),
            DrawModel::RaoKupper => rao_kupper(half_points, x, u),
            DrawModel::Davidson => davidson(half_points, x, u),
        }
    }
}

fn half_win(score: f64, x: f64) -> Slopes {
    let (p, q) = (logistic(x), logistic(-x));
    Slopes {
        value: score * log_logistic(x) + (1.0 - score) * log_logistic(-x),
        x: score * q - (1.0 - score) * p,
        xx: -p * q,
        ..Slopes::default()
    }
}

/// `u` is drawelo: the first player wins with `logistic(x - u)` and loses with `logistic(-x - u)`;
/// the draw is the rest, `(exp(2 u) - 1)` times their product.
fn rao_kupper(half_points: usize, x: f64, u: f64) -> Slopes {
    let factor = |sign: f64| {
        let at = sign * x - u;
        let (p, q) = (logistic(at), logistic(-at));
        let curve = -p * q;
        let value = log_logistic(at);
        Slopes { value, x: sign * q, u: -q, xx: curve, xu: -sign * curve, uu: curve }
    };
    match half_points {
        0 => factor(-1.0),
        2 => factor(1.0),
        _ => {
            let decay = (-2.0 * u).exp();
            let mut draw = Slopes {
                value: 2.0 * u + (1.0 - decay).ln(),
                u: 2.0 / (1.0 - decay),
                uu: -4.0 * decay / (1.0 - decay).powi(2),
                ..Slopes::default()
            };
            draw.add(factor(-1.0), 1.0);
            draw.add(factor(1.0), 1.0);
            draw
        }
    }
}

/// `u` is ln nu.
fn davidson(half_points: usize, x: f64, u: f64) -> Slopes {
    let logits = [-x / 2.0, u, x / 2.0];
    let top = logits.into_iter().fold(f64::MIN, f64::max);
    let weights = logits.map(|logit| (logit - top).exp());
    let sum: f64 = weights.iter().sum();
    let [loss, draw, win] = weights.map(|weight| weight / sum);
    let drift = (win - loss) / 2.0;
    Slopes {
        value: logits[half_points] - top - sum.ln(),
        x: (half_points as f64 - 1.0) / 2.0 - drift,
        u: f64::from(u8::from(half_points == 1)) - draw,
        xx: drift * drift - (win + loss) / 4.0,
        xu: drift * draw,
        uu: -draw * (1.0 - draw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_values() {
        let step = 1e-5;
        for model in [DrawModel::HalfWin, DrawModel::RaoKupper, DrawModel::Davidson] {
            for (x, u) in [(0.3, 0.7), (-2.0, 0.2), (6.0, 1.5)] {
                for result in 0..3 {
                    let at = |x, u| model.slopes(result, x, u);
                    let s = at(x, u);
                    let by_x = |f: &dyn Fn(Slopes) -> f64| {
                        (f(at(x + step, u)) - f(at(x - step, u))) / (2.0 * step)
                    };
                    let by_u = |f: &dyn Fn(Slopes) -> f64| {
                        (f(at(x, u + step)) - f(at(x, u - step))) / (2.0 * step)
                    };
                    for (found, expected) in [
                        (s.x, by_x(&|s| s.value)),
                        (s.u, by_u(&|s| s.value)),
                        (s.xx, by_x(&|s| s.x)),
                        (s.xu, by_x(&|s| s.u)),
                        (s.xu, by_u(&|s| s.x)),
                        (s.uu, by_u(&|s| s.u)),
                    ] {
                        assert!((found - expected).abs() < 1e-6, "{model:?} {result} {s:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn probabilities_sum_to_one() {
        for model in [DrawModel::RaoKupper, DrawModel::Davidson] {
            let sum: f64 = (0..3).map(|k| model.slopes(k, 0.8, 0.4).value.exp()).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }
}
