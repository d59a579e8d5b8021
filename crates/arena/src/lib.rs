//! Players, matches between them, and what the results say about strength.
pub mod elo;
pub mod rating;
mod separation;

pub use elo::{Estimate, Pentanomial, Trinomial};
pub use rating::{Rating, RatingError, Ratings, Results};
