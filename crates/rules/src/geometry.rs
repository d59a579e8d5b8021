//! The board as files and ranks.

use crate::bitboard::Bitboard;
use crate::types::Square;

/// Files and ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) files: usize,
    pub(crate) ranks: usize,
}

impl Geometry {
    pub(crate) fn squares(self) -> usize {
        self.files * self.ranks
    }

    pub(crate) fn all(self) -> impl Iterator<Item = Square> {
        (0..self.squares()).map(Square::new)
    }

    pub(crate) fn file(self, square: Square) -> usize {
        square.index() % self.files
    }

    pub(crate) fn rank(self, square: Square) -> usize {
        square.index() / self.files
    }

    pub(crate) fn at(self, file: usize, rank: usize) -> Square {
        Square::new(rank * self.files + file)
    }

    /// The square `x` to the right and `y` forward, if it is on the board.
    pub(crate) fn step(self, from: Square, x: i8, y: i8) -> Option<Square> {
        let file = self.file(from) as isize + isize::from(x);
        let rank = self.rank(from) as isize + isize::from(y);
        let inside =
            (0..self.files as isize).contains(&file) && (0..self.ranks as isize).contains(&rank);
        inside.then(|| self.at(file as usize, rank as usize))
    }

    /// The squares in one direction, nearest first.
    pub(crate) fn ray(self, from: Square, x: i8, y: i8) -> impl Iterator<Item = Square> {
        std::iter::successors(self.step(from, x, y), move |&square| self.step(square, x, y))
    }

    /// The set as the other player sees it (turned by 180 degrees).
    pub(crate) fn rotated(self, set: Bitboard) -> Bitboard {
        set.into_iter().map(|square| Square::new(self.squares() - 1 - square.index())).collect()
    }
}
