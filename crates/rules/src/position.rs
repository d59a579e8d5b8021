//! A position: board, hands, side to move.

use crate::bitboard::Bitboard;
use crate::types::{Color, Face, Kind, Piece, Square};
use crate::variant::Variant;

/// A position without its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position;

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad position")]
pub struct PositionError;

#[allow(unused_variables, missing_docs, clippy::todo)]
impl Position {
    pub fn parse(variant: &Variant, text: &str) -> Result<Position, PositionError> {
        todo!()
    }
    pub fn to_fen(&self, variant: &Variant) -> String {
        todo!()
    }
    pub fn to_sfen(&self, variant: &Variant) -> String {
        todo!()
    }
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        todo!()
    }
    pub fn pieces(&self, color: Color, face: Face) -> Bitboard {
        todo!()
    }
    pub fn color(&self, color: Color) -> Bitboard {
        todo!()
    }
    pub fn occupied(&self) -> Bitboard {
        todo!()
    }
    pub fn hand(&self, color: Color, kind: Kind) -> u8 {
        todo!()
    }
    pub fn king(&self, color: Color) -> Option<Square> {
        todo!()
    }
    pub fn side_to_move(&self) -> Color {
        todo!()
    }
    pub fn key(&self) -> u64 {
        todo!()
    }
}
