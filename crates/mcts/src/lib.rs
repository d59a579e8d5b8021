//! Tree search without IO: Gumbel root search with PUCT below it, proven values, and the
//! [`Evaluator`] seam through which positions get their values.
//!
//! A [`Search`] owns one tree and one game and is driven from outside: [`Search::select`] walks
//! to a position that needs an evaluation, [`Search::apply`] takes the evaluation in. A [`Driver`]
//! does this for many searches at once and is the only such loop for them; its batches are formed
//! across searches, never inside one tree. For one large search, [`Search::set_aside`] lets several
//! leaves of a tree wait together, each counted as a virtual visit on its way.
//!
//! # Points of view
//!
//! Players alternate. An evaluation is seen from the side to move of the evaluated position, and a
//! node keeps visits, values and its proof **from its own side to move**. What is said of a move, in
//! results and when moves are weighed, is from the side that makes it: a large value is always what
//! the chooser wants. A value changes its sign each time it is handed up one ply:
//!
//! ```text
//!        root            Black to move
//!         │  move a      value +0.5 for Black, proof "Black wins in 2" is Win(2)
//!        node A          White to move; White stands at -0.5, proof Loss(1)
//!         │  move b      value -0.5 for White, proof Loss(1)
//!        node B          Black to move; evaluated as +0.5 for Black, or ended: Black won, Win(0)
//! ```
//!
//! # Memory
//!
//! A node takes at most 64 bytes and an edge 12, in arrays that are kept from search to search. Only
//! moves that were tried have nodes; selection looks at these and at the one with the greatest prior
//! among the others. [`Search::play`] can keep the part of the tree that lies below the move.
//!
//! # The same tree everywhere
//!
//! Chance comes from the seed, sums are formed in a fixed order, and logarithms and the like are
//! computed in plain arithmetic (`math.rs`), so that a seed gives the same tree on every machine, as
//! long as its evaluator gives the same numbers.
//!
//! # Proofs
//!
//! Endings are exact, because the tree is a real tree below one game history: a node is one
//! sequence of moves, so an ending by repetition is a fact of its node. A node with a winning
//! move is won, in as many plies as its shortest known winning move; a node whose moves are all
//! proven is drawn if one of them is, else lost, with the longest resistance. Moves proven lost
//! are treated as if they were illegal as long as another move is left. A proven root ends the
//! search.
//!
//! ```
//! use mcts::{Search, SearchConfig, drive_to_end, fake::Uniform};
//! use rules::{Game, Seed, Variant};
//!
//! let game = Game::new(Variant::builtin("micro").expect("micro is built in"));
//! let mut searches = [Search::new(SearchConfig { simulations: 32, ..SearchConfig::default() })];
//! searches[0].start(game, Seed(7));
//! let evaluations = drive_to_end(&mut searches, &mut Uniform)?;
//! let result = searches[0].result();
//! assert_eq!((result.simulations, evaluations), (32, 33));
//! # Ok::<(), mcts::EvalError>(())
//! ```

mod config;
mod drive;
mod eval;
pub mod fake;
mod gumbel;
mod math;
mod proof;
mod prover;
mod puct;
mod result;
mod root;
mod search;
mod state;
mod tree;

pub use config::{RootSelection, SearchConfig};
pub use drive::{Driver, drive_to_end};
pub use eval::{EvalError, Evaluation, Evaluator, Leaf, Wdl};
pub use gumbel::considered_visits;
pub use proof::Proven;
pub use prover::Prover;
pub use result::{MoveStat, SearchResult};
pub use search::{Search, Step, Ticket};
pub use state::State;
