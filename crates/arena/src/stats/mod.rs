//! What results say about strength: Elo of two players, sequential tests, ratings of many.
//!
//! Invariant: nothing here is ever infinite or NaN. A value that does not exist as a finite number
//! (the Elo of a player that won every game) is `None`, and a finite end of its interval still
//! stands as a bound.
//!
//! Both games of an opening are one observation (a pair), because they are not independent; counts of
//! single games are for results that come without pairs.

pub mod counts;
pub mod elo;
mod linear;
mod normal;
pub mod rating;
pub mod sprt;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod coverage;

pub use counts::{HeadToHead, Pentanomial, Trinomial};
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use normal::Z95;
pub use rating::{
    Anchor, DrawModel, GameScore, Observations, Parameter, Rating, RatingError, RatingModel,
    Ratings, fit,
};
pub use sprt::{Adjusted, Decision, EloModel, Sprt, SprtError, SprtResult};
