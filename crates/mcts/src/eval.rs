//! The seam between the search and whatever judges positions.
//!
//! Invariant: every value here is seen from the side to move of the judged position.

use std::{
    error::Error,
    ops::{Add, Mul},
};

use crate::State;

/// Probabilities of win, draw and loss, each in `[0, 1]` and summing to 1, from a point of view
/// that the holder documents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wdl {
    /// Probability that the side in view wins.
    pub win: f32,
    /// Probability of a draw.
    pub draw: f32,
    /// Probability that the side in view loses.
    pub loss: f32,
}

impl Wdl {
    /// A certain win.
    pub const WIN: Self = Self { win: 1.0, draw: 0.0, loss: 0.0 };
    /// A certain draw.
    pub const DRAW: Self = Self { win: 0.0, draw: 1.0, loss: 0.0 };
    /// A certain loss.
    pub const LOSS: Self = Self { win: 0.0, draw: 0.0, loss: 1.0 };
    /// Nothing known: each outcome has probability 1/3.
    pub const UNKNOWN: Self = Self { win: 1.0 / 3.0, draw: 1.0 / 3.0, loss: 1.0 / 3.0 };

    /// Expected score in `[-1, 1]`: win is 1, draw 0, loss -1; same point of view.
    #[inline]
    pub fn value(self) -> f32 {
        self.win - self.loss
    }

    /// The same probabilities from the other side.
    #[inline]
    pub fn flipped(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}

impl Add for Wdl {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            win: self.win + other.win,
            draw: self.draw + other.draw,
            loss: self.loss + other.loss,
        }
    }
}

impl Mul<f32> for Wdl {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self { win: self.win * factor, draw: self.draw * factor, loss: self.loss * factor }
    }
}

/// A position that waits for its evaluation. It is not over.
#[derive(Debug)]
pub struct Leaf<'a, S: State> {
    /// The game, standing at the position.
    pub state: &'a S,
    /// Its legal moves, in the order of [`State::status`]; at least one.
    pub moves: &'a [S::Move],
}

/// What an evaluator says of one leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Expected outcome, from the side to move of the leaf.
    pub wdl: Wdl,
    /// `policy[k]` is the probability of `moves[k]`; finite, non-negative, sums to 1.
    pub policy: Vec<f32>,
}

/// Judges positions, many at a time.
pub trait Evaluator<S: State> {
    /// Evaluates `leaves` in order into `out`, which is resized to `leaves.len()`; policies
    /// already in `out` are overwritten, so that their memory is reused.
    ///
    /// # Errors
    /// If an evaluation cannot be had; `out` then holds nothing of use.
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, S>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError>;
}

/// An evaluator failed; the cause says how.
#[derive(Debug, thiserror::Error)]
#[error("evaluation of a batch of positions failed: {0}")]
pub struct EvalError(#[source] Box<dyn Error + Send + Sync>);

impl EvalError {
    /// Wraps the cause: an error, or a text.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}
