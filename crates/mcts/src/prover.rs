//! The seam between the search and whatever finds forced ends.

use std::fmt::Debug;

use mate::LeafMate;
use rules::{Game, Move};

use crate::{Proven, State};

/// Looks for a forced end at a leaf, before the leaf is evaluated.
pub trait Prover<S: State>: Clone + Debug {
    /// One that looks this many plies ahead, as far as it can; with 0, nothing is found.
    fn with_plies(plies: u32) -> Self;

    /// A winning move of the side to move and the value it has, plies counted from here, if one is
    /// found. It must win in this game with its history, and not only in the position. `state` is
    /// not over, and the same after the call.
    fn prove(&mut self, state: &mut S) -> Option<(S::Move, Proven)>;
}

/// Mates of at most three plies.
impl Prover<Game> for LeafMate {
    fn with_plies(plies: u32) -> Self {
        LeafMate::new(plies)
    }

    fn prove(&mut self, game: &mut Game) -> Option<(Move, Proven)> {
        let mate = self.find(game)?;
        Some((mate.mv, Proven { value: 1, plies: mate.plies as u16 }))
    }
}
