//! Players, tournaments between them, and what the results say about strength.
//!
//! - [`Player`] is the seam: it gets [`Turn`]s (games in which it must move, with clocks) and gives
//!   [`Answer`]s (a move, resignation, a declaration, a failure).
//! - [`Schedule`] says who meets whom. Its unit is the pair: an opening played twice with the colours
//!   exchanged, because both games of an opening are one observation.
//! - [`Tournament::play`] plays the games under the referee, the rules engine, and gives
//!   [`GameResult`]s; [`MatchResult`] counts them, [`Estimate`] reads a match, [`stats::fit`] many at
//!   once.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//!
//! use arena::{
//!     Adjudication, Entrant, Estimate, Format, GAMES_IN_FLIGHT, Limits, MatchResult, OpeningConfig,
//!     PlayerSpec, Schedule, Tournament, openings,
//! };
//! use rules::{Seed, Variant};
//!
//! let variant = Variant::builtin("micro").expect("micro is built in");
//! let entrant = |name: &str| {
//!     let spec: PlayerSpec = name.parse().expect("it is a known form");
//!     let make = move || Ok(spec.yardstick().expect("it needs no net"));
//!     let (name, limits) = (name.to_owned(), Limits::default());
//!     Entrant { name, limits, alone: false, make: Box::new(make) }
//! };
//! let tournament = Tournament {
//!     entrants: vec![entrant("alphabeta-2"), entrant("random")],
//!     schedule: Schedule {
//!         format: Format::RoundRobin,
//!         players: 2,
//!         pairs: Some(2),
//!         seed: Seed(2),
//!     },
//!     openings: openings(&variant, 2, &OpeningConfig::default(), Seed(1))?,
//!     variant,
//!     adjudication: Adjudication::default(),
//!     seed: Seed(2),
//!     games_in_flight: GAMES_IN_FLIGHT,
//!     decided: None,
//!     now: &|| Duration::ZERO,
//! };
//! let stop = AtomicBool::new(false);
//! let games = tournament.play(Vec::new(), NonZeroUsize::MIN, &|_| (), &stop)?;
//! assert_eq!(games.len(), 4);
//! let result = MatchResult::of([0, 1], &games);
//! assert!(Estimate::of_pairs(&result.pentanomial).expect("two pairs were played").score > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adjudication;
pub mod alphabeta;
pub mod clock;
pub mod engine;
pub mod opening;
pub mod player;
pub mod referee;
pub mod results;
pub mod schedule;
pub mod score;
pub mod searcher;
pub mod spec;
pub mod stats;
mod swiss;
pub mod tally;
pub mod tournament;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use alphabeta::AlphaBeta;
pub use clock::{Clock, Limits, TimeControl};
pub use engine::{EngineError, EnginePlayer, EngineSpec};
pub use opening::{
    ListFaults, Opening, OpeningConfig, OpeningError, OpeningList, openings, read_list, shuffle,
};
pub use player::{
    Action, Answer, Blunder, Failure, FailureKind, GameId, Player, PlayerError, PlayerFactory,
    Random, Turn,
};
pub use referee::{GameResult, Remark};
pub use schedule::{Format, Pair, Schedule, Scores};
pub use score::{SCALE, Score, ScoreError};
pub use searcher::{Searcher, play_config, yardstick_config};
pub use spec::{PlayerSpec, PlayerSpecError};
pub use stats::{Estimate, Pentanomial, Trinomial, Z95};
pub use tally::{MatchResult, observations};
pub use tournament::{Decided, Entrant, GAMES_IN_FLIGHT, Now, Tournament, TournamentError};
