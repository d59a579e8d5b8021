//! Forced mates: a mate of one or three plies for the leaves of a search ([`LeafMate`]), of any length
//! for one position in slices of nodes ([`Solver`]), and quiet moves that leave no defence against one
//! ([`brinkmates`]).
//!
//! The side to move attacks. Each of its moves gives check, the defender may answer with any legal
//! move, and the last check leaves him none. Two kinds of games need other words for the same thing:
//! where no pieces are held in hand, a move that leaves the other side no legal move also mates if
//! that loses by the rules (stalemate in xiangqi); and where kings may be captured there is no check,
//! so the attacker plays any moves and the end is the capture of the king or a goal reached.
//!
//! A mate is a matter of the position. A game that ends on the way by repetition, by the length of the
//! game or by a declaration is no mate, whoever wins it; the history of the game that is handed over
//! counts.
//!
//! Lengths are in plies to the end of the game, the first move and the last one included, or with
//! [`Options::problem`] as solvers of mate problems count them.

mod attack;
mod brinkmate;
mod hand;
mod interposition;
mod leaf;
mod search;
mod solver;
mod table;
mod value;

pub use brinkmate::{Brinkmate, Brinkmates, brinkmates};
pub use leaf::{LeafMate, Mate};
pub use solver::{Answer, LEAST_SLICE, MOST_PLIES, Options, Solver};
