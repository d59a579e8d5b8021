//! The small values of a board game: colours, squares, kinds, faces and pieces.
//!
//! A *kind* is the physical piece, the thing that lies in a hand; a *face* is one of its two sides.

use std::fmt;
use std::ops::Not;

/// At most this many kinds of physical pieces in a variant.
pub const MAX_KINDS: usize = 16;
/// At most this many faces (two a kind).
pub const MAX_FACES: usize = 2 * MAX_KINDS;
/// At most this many squares on a board.
pub const MAX_SQUARES: usize = 128;

/// A player. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The first player (sente; Red in xiangqi).
    Black,
    /// The second player.
    White,
}

impl Color {
    /// Both colours, the first player first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// A point of the board: `rank * files + file`, rank 0 = Black's near rank, file 0 = Black's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square with this index; below [`MAX_SQUARES`], and below the variant's square count to be
    /// of any use.
    ///
    /// # Panics
    /// If the index is not below [`MAX_SQUARES`].
    pub fn new(index: usize) -> Square {
        assert!(index < MAX_SQUARES, "square index {index} out of range");
        Square(index as u8)
    }

    /// `rank * files + file`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A physical piece, the unit of a hand; 0 .. [`MAX_KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub(crate) u8);

impl Kind {
    /// The kind with this index.
    ///
    /// # Panics
    /// If the index is not below [`MAX_KINDS`].
    pub fn new(index: usize) -> Kind {
        assert!(index < MAX_KINDS, "kind index {index} out of range");
        Kind(index as u8)
    }

    /// Position in the variant's list of kinds.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The face a piece has before it turns.
    pub const fn front(self) -> Face {
        Face(self.0 << 1)
    }

    /// The other face (which need not exist).
    pub const fn reverse(self) -> Face {
        Face(self.0 << 1 | 1)
    }
}

/// One side of a physical piece: `kind << 1 | reverse`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(pub(crate) u8);

impl Face {
    /// The face with this index.
    ///
    /// # Panics
    /// If the index is not below [`MAX_FACES`].
    pub fn new(index: usize) -> Face {
        assert!(index < MAX_FACES, "face index {index} out of range");
        Face(index as u8)
    }

    /// `kind << 1 | reverse`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The physical piece.
    pub const fn kind(self) -> Kind {
        Kind(self.0 >> 1)
    }

    /// Whether this is the `+` face.
    pub const fn is_reverse(self) -> bool {
        self.0 & 1 == 1
    }

    /// The other face of the same piece (which need not exist).
    pub const fn turned(self) -> Face {
        Face(self.0 ^ 1)
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Its owner.
    pub color: Color,
    /// The face that lies up.
    pub face: Face,
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "first",
            Color::White => "second",
        })
    }
}
