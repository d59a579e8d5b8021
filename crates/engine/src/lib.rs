//! One large search with the clock running: for an engine in a game, and for the analysis of a position.
//!
//! An [`Engine`] owns one tree (a [`mcts::Search`]) and keeps it from move to move. The thread that
//! calls [`Engine::search`] owns the tree; other threads, one an evaluator, only evaluate. Leaves go to
//! them in batches, chosen with virtual visits, as many at a time as is worth it and takes 50 ms or less.
//! A thread more looks for a forced mate of the root, for a while; one that it finds ends the search.
//! [`Limits`] say when the search ends, [`Control`] tells it from another thread to stop or that its
//! clock runs now, [`Info`] is what it says of itself meanwhile, [`Answer`] what it found.
//!
//! Time enters through a [`Clock`]; it is looked at whenever a batch comes back, so that everything is
//! late by a batch at most. Nothing here waits for time to pass.
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use engine::{Clock, Decision, Engine, EngineConfig, Limits, control};
//! use mcts::fake::Material;
//! use rules::{Game, Variant};
//!
//! struct NoTime;
//! impl Clock for NoTime {
//!     fn now(&self) -> Duration {
//!         Duration::ZERO
//!     }
//! }
//!
//! let evaluators = vec![Box::new(Material::default()) as _, Box::new(Material::default()) as _];
//! let mut engine = Engine::new(EngineConfig::default(), evaluators, Arc::new(NoTime));
//! engine.set_game(Game::new(Variant::builtin("micro").expect("micro is built in")));
//! let (_control, commands) = control();
//! let answer = engine.search(Limits::nodes(100), commands, &mut |_| {})?;
//! assert!(matches!(answer.decision, Decision::Play(_)));
//! assert_eq!(answer.info.nodes, 100);
//! # Ok::<(), mcts::EvalError>(())
//! ```

mod control;
mod engine;
mod info;
mod limits;
mod mate;
mod pace;
mod pool;
mod run;
mod time;

pub use control::{Commands, Control, control};
pub use engine::{Answer, Decision, End, Engine, EngineConfig};
pub use info::{Info, Line, Score, ranked};
pub use limits::{Limits, PlayerClock};
pub use pool::BoxedEvaluator;
pub use time::{Allotment, Clock, TimeConfig};
