//! What the search needs to know of a game.
//!
//! Invariant: `play` and `undo` are a stack; the search undoes whatever it has played.

use std::{fmt::Debug, hash::Hash};

use mate::LeafMate;
use rules::{Color, Game, Move, Outcome};

use crate::Prover;

/// A game in progress, walked by playing and undoing moves.
///
/// The sides move in turn. The trait exists so that the search can be tested on hand-written
/// trees; production instantiates it with [`rules::Game`] alone.
pub trait State: Clone {
    /// A move, small and cheap to copy.
    type Move: Copy + Eq + Ord + Debug + Hash;

    /// What looks for forced ends at the leaves.
    type Prover: Prover<Self>;

    /// Clears `moves` and fills it with the legal moves in a fixed order. If the game is over,
    /// returns its outcome and leaves `moves` empty; otherwise there is at least one move. If the
    /// side to move may end the game by an act in place of a move and so wins, returns that
    /// outcome together with the legal moves.
    fn status(&self, moves: &mut Vec<Self::Move>) -> Option<Outcome>;

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// Takes the last move back.
    fn undo(&mut self);

    /// The side whose turn it is; after the end, the side that would move next.
    fn side_to_move(&self) -> Color;

    /// A hash of the position, equal for equal positions.
    fn key(&self) -> u64;
}

impl State for Game {
    type Move = Move;
    type Prover = LeafMate;

    fn status(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        Game::verdict(self, moves)
    }

    fn play(&mut self, mv: Move) {
        Game::play(self, mv);
    }

    fn undo(&mut self) {
        Game::undo(self);
    }

    fn side_to_move(&self) -> Color {
        Game::side_to_move(self)
    }

    fn key(&self) -> u64 {
        self.position().key()
    }
}
