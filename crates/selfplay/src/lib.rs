//! Self-play: many games at once, each searched move by move, finished games handed to a sink.
//!
//! The roles:
//!
//! - a [`Worker`] is one thread's set of games. It owns their searches, forms one batch of leaves
//!   across all of them per step, and outlives a phase: games in flight are suspended when the
//!   phase ends and go on under the next net, neither drained nor dropped;
//! - [`GameNumbers`] hands out game numbers in order, leaving out those of sealed chunks, so that a
//!   resumed run replays exactly what is missing;
//! - [`play_phase`] runs the workers of one phase and feeds their finished games to the sink.
//!
//! Everything random in a game is derived from the run's seed and the game's number. With an
//! evaluator whose answers do not depend on the batch, a game is therefore the same whichever
//! worker plays it.

mod config;
mod numbers;
mod phase;
mod worker;

pub use config::{ConfigError, SelfPlayConfig};
pub use numbers::GameNumbers;
pub use phase::{Control, Counters, PhaseEnd, SelfPlayError, play_phase};
pub use worker::{Identity, Worker};
