//! Elementary functions that give the same bits on every machine.
//!
//! Those of the standard library are the operating system's, whose last bit differs between its
//! versions and with the instructions a processor has; `clippy.toml` forbids them in this crate.
//! `libm` computes in plain IEEE arithmetic, which, like square root and division, is exact alike
//! everywhere.

pub(crate) fn exp(x: f32) -> f32 {
    libm::expf(x)
}

pub(crate) fn ln(x: f32) -> f32 {
    libm::logf(x)
}

pub(crate) fn tanh(x: f32) -> f32 {
    libm::tanhf(x)
}

/// The same in double precision, for drawing random numbers.
pub(crate) mod double {
    pub(crate) use libm::{cos, log as ln, pow};
}
