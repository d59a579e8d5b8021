//! A thread that looks for a forced mate of the root while the tree grows.
//!
//! Invariant: it has a game of its own and tells once what it has found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Receiver, bounded, never};
use mate::{Answer, MOST_PLIES, Options, Solver};
use rules::{Game, Move};

/// Nodes searched at once: a fraction of a millisecond.
const FIRST: u64 = 100;
/// Nodes between two looks at whether it is still wanted.
const SLICE: u64 = 1000;
/// Memory of its tables, in MiB.
const MEMORY: usize = 64;

/// What a thread has found: the line of a mate, or none.
pub(crate) type Found = Option<Vec<Move>>;

/// A mate search in progress; dropping it ends it.
pub(crate) struct MateSearch {
    /// Tells once, or closes if nothing is found out within the nodes allowed.
    pub(crate) found: Receiver<Found>,
    unwanted: Arc<AtomicBool>,
}

impl MateSearch {
    /// No search; nothing will be found.
    pub(crate) fn none() -> Self {
        Self { found: never(), unwanted: Arc::default() }
    }

    /// Looks for a mate by the side to move in at most so many plies, for at most so many nodes. The
    /// first of them are searched on the calling thread, so that a short mate is there before anything
    /// else.
    pub(crate) fn start(game: &Game, max_plies: Option<u32>, nodes: u64) -> Self {
        let (tell, found) = bounded(1);
        let unwanted = Arc::new(AtomicBool::new(false));
        let is_unwanted = Arc::clone(&unwanted);
        let max_plies = max_plies.unwrap_or(MOST_PLIES);
        let options = Options { memory: MEMORY, max_plies, ..Options::default() };
        let mut solver = Solver::new(game, options);
        if solver.run(FIRST) != Answer::Open {
            tell.send(result(&mut solver)).expect("the receiver is here");
            return Self { found, unwanted };
        }
        thread::spawn(move || {
            while !is_unwanted.load(Relaxed) && solver.nodes() < nodes {
                if solver.run(SLICE) != Answer::Open {
                    // Nobody may be there any more to hear it.
                    return drop(tell.send(result(&mut solver)));
                }
            }
        });
        Self { found, unwanted }
    }
}

/// What a search that is over has found.
fn result(solver: &mut Solver) -> Found {
    Some(solver.line()).filter(|line| !line.is_empty())
}

impl Drop for MateSearch {
    fn drop(&mut self) {
        self.unwanted.store(true, Relaxed);
    }
}
