//! Where the generator puts its moves: into a list, or into a count.

#![allow(unsafe_code, reason = "writing a list is most of what making it costs")]

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::types::{Face, MAX_SQUARES, Square};

/// Takes the legal moves of a position as sets of destinations.
pub(crate) trait Sink {
    /// The moves of the piece on `from` that shows `face`: to `keep` as it lies, to `turn` turned
    /// over. A destination may be in both.
    fn board(&mut self, from: Square, face: Face, keep: Bitboard, turn: Bitboard);

    /// Drops of a piece that then shows `face`.
    fn drops(&mut self, face: Face, targets: Bitboard);
}

/// A list by destination, ascending, the unturned move first.
impl Sink for Vec<Move> {
    #[inline(always)]
    fn board(&mut self, from: Square, face: Face, keep: Bitboard, turn: Bitboard) {
        let kept = Move::board(from, Square(0), face, false);
        if turn.is_empty() {
            return each(self, kept, keep);
        }
        let turned = Move::board(from, Square(0), face.turned(), true);
        if keep.is_empty() {
            return each(self, turned, turn);
        }
        either(self, kept, keep, turned, turn);
    }

    #[inline]
    fn drops(&mut self, face: Face, targets: Bitboard) {
        many(self, Move::drop(face, Square(0)), targets);
    }
}

/// The number of moves.
impl Sink for u64 {
    #[inline]
    fn board(&mut self, _: Square, _: Face, keep: Bitboard, turn: Bitboard) {
        *self += (keep.len() + turn.len()) as u64;
    }

    #[inline]
    fn drops(&mut self, _: Face, targets: Bitboard) {
        *self += targets.len() as u64;
    }
}

/// Appends both moves with each of their destinations, the first one first.
fn either(moves: &mut Vec<Move>, kept: Move, keep: Bitboard, turned: Move, turn: Bitboard) {
    moves.reserve(2 * MAX_SQUARES);
    let mut len = moves.len();
    let list = moves.as_mut_ptr();
    (keep | turn).for_each_marked(keep, |to, keeps| {
        // SAFETY: a set has at most `MAX_SQUARES` members, and there is room for two moves for each.
        unsafe { list.add(len).write(kept.onto(to)) };
        len += usize::from(keeps);
        // SAFETY: as before.
        unsafe { list.add(len).write(turned.onto(to)) };
        len += usize::from(turn.contains(to));
    });
    // SAFETY: the moves up to `len` have just been written.
    unsafe { moves.set_len(len) };
}

/// Appends the move with each of the destinations; made for few of them.
#[inline(always)]
fn each(moves: &mut Vec<Move>, mv: Move, targets: Bitboard) {
    moves.reserve(MAX_SQUARES);
    let mut len = moves.len();
    let list = moves.as_mut_ptr();
    targets.into_iter().for_each(|to| {
        // SAFETY: a set has at most `MAX_SQUARES` members, for which room was reserved.
        unsafe { list.add(len).write(mv.onto(to)) };
        len += 1;
    });
    // SAFETY: the moves up to `len` have just been written.
    unsafe { moves.set_len(len) };
}

/// [`each`] made for many destinations: eight at a time.
#[inline]
fn many(moves: &mut Vec<Move>, mv: Move, targets: Bitboard) {
    moves.reserve(MAX_SQUARES + 8);
    let mut len = moves.len();
    let list = moves.as_mut_ptr();
    for (half, first) in targets.halves() {
        let (mut rest, mut base) = (half, first);
        while rest != 0 {
            let byte = (rest & 0xff) as usize;
            let eight = SET_BITS[byte].map(|bit| mv.onto(Square(base + bit)));
            // SAFETY: before this, at most `MAX_SQUARES` moves were written, and there is room for
            // eight more; those beyond the set's members are written over or left out.
            unsafe { list.add(len).cast::<[Move; 8]>().write_unaligned(eight) };
            len += byte.count_ones() as usize;
            rest >>= 8;
            base = base.wrapping_add(8);
        }
    }
    // SAFETY: the moves up to `len` have just been written.
    unsafe { moves.set_len(len) };
}

/// By byte: the numbers of its set bits, ascending; the rest is 0.
static SET_BITS: [[u8; 8]; 256] = set_bits();

const fn set_bits() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    #[test]
    fn both_ways_to_write_a_set_are_the_plain_one() {
        let mut sets = vec![Bitboard::EMPTY, Bitboard(u128::MAX), Bitboard(1), Bitboard(1 << 127)];
        let word = |number| u128::from(Seed(1).derive("set", number).0);
        sets.extend((0..1000).map(|number| {
            let sparse = (word(3 * number) << 64 | word(3 * number + 1)) & word(3 * number + 2);
            Bitboard(sparse.rotate_left(number as u32))
        }));
        let mv = Move::board(Square(77), Square(0), Face(9), true);
        for set in sets {
            let plain: Vec<Move> =
                set.into_iter().map(|to| Move::board(Square(77), to, Face(9), true)).collect();
            for write in [each, many] {
                let mut moves = vec![mv];
                write(&mut moves, mv, set);
                assert_eq!(moves[1..], plain);
            }
        }
    }
}
