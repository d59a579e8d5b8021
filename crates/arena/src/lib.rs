//! Players, matches between them, and what the results say about strength.
//!
//! A match is a list of openings; each is played twice with the colours exchanged, because both
//! games of an opening are one observation. [`play_match`] plays them, [`Estimate`] reads a match,
//! [`rating::fit`] many matches at once.
//!
//! ```
//! use std::{num::NonZeroUsize, sync::atomic::AtomicBool};
//!
//! use arena::{Estimate, MatchSpec, OpeningConfig, PlayerSpec, openings, play_match};
//! use rules::{Seed, Variant};
//!
//! let variant = Variant::builtin("micro").expect("micro is built in");
//! let spec = MatchSpec {
//!     openings: openings(&variant, 2, &OpeningConfig::default(), Seed(1))?,
//!     variant,
//!     seed: Seed(2),
//!     games_in_flight: NonZeroUsize::new(4).expect("it is not 0"),
//!     max_replays: 0,
//! };
//! let make = |name: &str| {
//!     let player: PlayerSpec = name.parse().expect("it is a known form");
//!     move || Ok(player.yardstick().expect("it needs no net"))
//! };
//! let (a, b) = (make("alphabeta-2"), make("random"));
//! let (workers, stop) = (NonZeroUsize::MIN, AtomicBool::new(false));
//! let result = play_match(&spec, [&a, &b], workers, &|_| (), &stop)?;
//! assert_eq!(result.total().games(), 4);
//! assert!(Estimate::of_pairs(&result.pentanomial).expect("two pairs were played").score > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alphabeta;
pub mod elo;
pub mod opening;
pub mod play;
pub mod player;
pub mod rating;
pub mod searcher;
mod separation;

pub use alphabeta::AlphaBeta;
pub use elo::{Estimate, Pentanomial, Trinomial, Z95};
pub use opening::{Opening, OpeningConfig, OpeningError, openings};
pub use play::{GameResult, MatchError, MatchResult, MatchSpec, PlayerFactory, play_match};
pub use player::{Player, PlayerError, PlayerSpec, PlayerSpecError, Random};
pub use rating::{Rating, RatingError, Ratings, Results, fit};
pub use searcher::{Searcher, play_config};
