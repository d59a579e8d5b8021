//! A move in one `u32`, complete without the position it is played in.

use crate::types::{Face, Square};

const FROM_SHIFT: u32 = 7;
const FACE_SHIFT: u32 = 14;
const DROP_BIT: u32 = 1 << 19;
const TURNED_BIT: u32 = 1 << 20;

/// A board move or a drop.
///
/// Bits 0-6: to; 7-13: from (0 for drops); 14-18: face after the move; 19: drop; 20: turned, that
/// is, the face differs from the one before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u32);

impl Move {
    /// A move of a piece on the board; `face` is the one that lies up afterwards.
    #[inline]
    pub const fn board(from: Square, to: Square, face: Face, turned: bool) -> Move {
        let turned = if turned { TURNED_BIT } else { 0 };
        Move(to.0 as u32 | (from.0 as u32) << FROM_SHIFT | (face.0 as u32) << FACE_SHIFT | turned)
    }

    /// A drop from the mover's hand.
    #[inline]
    pub const fn drop(face: Face, to: Square) -> Move {
        Move(to.0 as u32 | (face.0 as u32) << FACE_SHIFT | DROP_BIT)
    }

    /// The same move with destination `to`; that of `self` must be square 0.
    #[inline]
    pub(crate) const fn onto(self, to: Square) -> Move {
        Move(self.0 | to.0 as u32)
    }

    /// Where a board move starts; `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() { None } else { Some(Square((self.0 >> FROM_SHIFT & 127) as u8)) }
    }

    /// Where the piece arrives.
    #[inline]
    pub const fn to(self) -> Square {
        Square((self.0 & 127) as u8)
    }

    /// The face after the move.
    #[inline]
    pub const fn face(self) -> Face {
        Face((self.0 >> FACE_SHIFT & 31) as u8)
    }

    /// Whether a piece of the hand is dropped.
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.0 & DROP_BIT != 0
    }

    /// Whether the piece turned over (promotion in either direction).
    #[inline]
    pub const fn turned(self) -> bool {
        self.0 & TURNED_BIT != 0
    }

    /// The packed form, for records.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move with this packed form; any number is accepted, `Game::try_play` judges it.
    #[inline]
    pub const fn from_bits(bits: u32) -> Move {
        Move(bits & 0x1f_ffff)
    }
}
