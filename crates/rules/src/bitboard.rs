//! Sets of squares in one `u128`; bit `i` is the square with index `i`.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::types::Square;

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.0)
    }

    /// The first `count` squares (`count` at most 128).
    pub const fn first_n(count: usize) -> Bitboard {
        if count >= 128 { Bitboard(u128::MAX) } else { Bitboard((1 << count) - 1) }
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        // One bit of one word, where a shift of both would be several instructions.
        let half = if square.0 < 64 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        half >> (square.0 & 63) & 1 == 1
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    /// Takes a square out.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.0);
    }

    /// How many squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest square.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// Takes the lowest square out and returns it.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// The squares of `self` that are not in `other`.
    #[inline]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// Whether the sets share a square.
    #[inline]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }
}

impl Bitboard {
    /// The two words, with the number of the first square of each.
    #[inline]
    pub(crate) const fn halves(self) -> [(u64, u8); 2] {
        [(self.0 as u64, 0), ((self.0 >> 64) as u64, 64)]
    }

    /// Calls `each` with every square, ascending, and whether it is `marked` too.
    #[inline]
    pub(crate) fn for_each_marked(self, marked: Bitboard, mut each: impl FnMut(Square, bool)) {
        for ((mut rest, base), (marked, _)) in self.halves().into_iter().zip(marked.halves()) {
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                each(Square(base + rest.trailing_zeros() as u8), bit & marked != 0);
                rest ^= bit;
            }
        }
    }
}

/// Iterates from the lowest square up.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    #[inline]
    fn fold<T, F: FnMut(T, Square) -> T>(self, init: T, mut f: F) -> T {
        // Half by half: one-word arithmetic is what most boards need.
        let mut folded = init;
        for (half, base) in self.0.halves() {
            let mut rest = half;
            while rest != 0 {
                folded = f(folded, Square(base + rest.trailing_zeros() as u8));
                rest &= rest - 1;
            }
        }
        folded
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    /// All 128 bits are turned: intersect with the board afterwards.
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}
