//! A game: variant, position and history; also the cursor a search walks with.

use crate::moves::Move;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::types::Color;
use crate::variant::Variant;
use std::sync::Arc;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game;

/// Why a move may not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move")]
pub struct IllegalMove;

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad move")]
pub struct MoveTextError;

#[allow(unused_variables, missing_docs, clippy::todo)]
impl Game {
    pub fn new(variant: Arc<Variant>) -> Game {
        todo!()
    }
    pub fn from_position(variant: Arc<Variant>, position: Position) -> Game {
        todo!()
    }
    pub fn variant(&self) -> &Arc<Variant> {
        todo!()
    }
    pub fn position(&self) -> &Position {
        todo!()
    }
    pub fn start(&self) -> &Position {
        todo!()
    }
    pub fn moves(&self) -> &[Move] {
        todo!()
    }
    pub fn ply(&self) -> usize {
        todo!()
    }
    pub fn side_to_move(&self) -> Color {
        todo!()
    }
    pub fn in_check(&self) -> bool {
        todo!()
    }
    pub fn repetitions(&self) -> u32 {
        todo!()
    }
    pub fn status(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        todo!()
    }
    pub fn play(&mut self, mv: Move) {
        todo!()
    }
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        todo!()
    }
    pub fn undo(&mut self) {
        todo!()
    }
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        todo!()
    }
}

/// The move in USI notation.
#[allow(unused_variables, clippy::todo)]
pub fn move_to_usi(variant: &Variant, mv: Move) -> String {
    todo!()
}
/// The move in UCI notation.
#[allow(unused_variables, clippy::todo)]
pub fn move_to_uci(variant: &Variant, mv: Move) -> String {
    todo!()
}
/// Counts the leaves.
#[allow(unused_variables, clippy::todo)]
pub fn perft(game: &Game, depth: u32) -> u64 {
    todo!()
}
/// Counts the leaves below each move.
#[allow(unused_variables, clippy::todo)]
pub fn perft_divide(game: &Game, depth: u32) -> Vec<(Move, u64)> {
    todo!()
}
