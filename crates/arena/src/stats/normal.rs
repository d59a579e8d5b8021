//! The standard normal distribution.

/// The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The standard normal distribution function, absolute error below 1e-14
/// (series of G. Marsaglia, "Evaluating the Normal Distribution", JSS 11(4), 2004).
pub(crate) fn normal_cdf(x: f64) -> f64 {
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
