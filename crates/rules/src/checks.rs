//! Which of the legal moves give check.

use crate::bitboard::Bitboard;
use crate::guard::Guard;
use crate::position::{PieceCode, Position};
use crate::rule::Royalty;
use crate::sink::Sink;
use crate::tables::Tables;
use crate::types::{Color, Face, Square};
use crate::variant::Variant;

/// Hands on the moves that give check, by the piece that moves or by one that it uncovers, and
/// swallows the others.
pub(crate) struct Checks<'a, S> {
    tables: &'a Tables,
    position: &'a Position,
    side: Color,
    /// The other side's king.
    king: Square,
    guard: Guard<'a, true>,
    moves: &'a mut S,
}

impl<'a, S: Sink> Checks<'a, S> {
    /// Of the side to move; `None` if there is no king to be checked.
    pub(crate) fn new(
        variant: &'a Variant,
        position: &'a Position,
        moves: &'a mut S,
    ) -> Option<Checks<'a, S>> {
        let side = position.side_to_move();
        let king = position.king(!side)?;
        (variant.rules().royalty == Royalty::Protected).then(|| Checks {
            tables: variant.tables(),
            position,
            side,
            king,
            guard: Guard::against(variant, position, !side),
            moves,
        })
    }

    /// The pieces that might give check by a move.
    pub(crate) fn pieces(&self) -> Bitboard {
        let own = self.position.color(self.side);
        if self.guard.uncovers(None).meets(self.tables.board) {
            return own;
        }
        let near = |from: &Square| {
            self.tables.approaches(self.position.code_at(*from), self.king).contains(*from)
        };
        own.into_iter().filter(near).collect::<Bitboard>() | self.guard.special_pieces() & own
    }

    /// Those of the targets from which the face attacks the king, with these squares occupied.
    fn direct(&self, face: Face, targets: Bitboard, occupied: Bitboard) -> Bitboard {
        let piece = PieceCode::new(self.side, face);
        let mover = self.tables.mover(piece);
        let aims = targets & self.tables.aims(piece, self.king);
        if mover.leaps_only() {
            return aims;
        }
        aims.into_iter().filter(|&at| mover.attacks(at, occupied).contains(self.king)).collect()
    }
}

impl<S: Sink> Sink for Checks<'_, S> {
    fn board(&mut self, from: Square, face: Face, keep: Bitboard, turn: Bitboard) {
        let occupied = self.position.occupied().without(Bitboard::of(from));
        let uncovers = self.guard.uncovers(Some(from));
        let keep = keep & uncovers | self.direct(face, keep, occupied);
        let turn = if turn.is_empty() {
            turn
        } else {
            turn & uncovers | self.direct(face.turned(), turn, occupied)
        };
        if !(keep | turn).is_empty() {
            self.moves.board(from, face, keep, turn);
        }
    }

    fn drops(&mut self, face: Face, targets: Bitboard) {
        let direct = self.direct(face, targets, self.position.occupied());
        self.moves.drops(face, targets & self.guard.uncovers(None) | direct);
    }
}
