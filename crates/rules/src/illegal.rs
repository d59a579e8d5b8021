//! Why a move is illegal.

use crate::bitboard::Bitboard;
use crate::guard::{Guard, in_check};
use crate::movegen::{crowded_files, mating_drops, turn};
use crate::moves::Move;
use crate::position::Position;
use crate::rule::{Promotion, Turn};
use crate::types::{Face, Square};
use crate::variant::Variant;

/// The reason why a move may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("game over")]
    GameOver,
    /// The dropped piece is not held.
    #[error("not in hand")]
    NotInHand,
    /// A drop onto a piece, or a move onto an own piece.
    #[error("square occupied")]
    SquareOccupied,
    /// The piece does not move like that, or there is none.
    #[error("no such move")]
    NoSuchMove,
    /// Something stands in the way, or nothing stands where a screen is needed.
    #[error("path or leg blocked")]
    PathBlocked,
    /// The piece may not stand there.
    #[error("outside its region")]
    OutsideRegion,
    /// The own king would be attacked.
    #[error("leaves king in check")]
    LeavesKingInCheck,
    /// The kings would face each other.
    #[error("generals face")]
    GeneralsFace,
    /// The move has to promote.
    #[error("must promote")]
    MustPromote,
    /// The move cannot promote.
    #[error("cannot promote")]
    CannotPromote,
    /// The piece has to turn over.
    #[error("must turn over")]
    MustTurnOver,
    /// Too many unturned pieces of this kind on the file.
    #[error("nifu")]
    Nifu,
    /// The drop gives mate, which this piece may not.
    #[error("drop mate")]
    DropMate,
    /// The piece could never move from there.
    #[error("dead square")]
    DeadSquare,
}

/// The reason why a move that is not among the legal ones of an unfinished game is illegal.
pub(crate) fn reason(variant: &Variant, position: &Position, mv: Move) -> IllegalMove {
    if mv.to().index() >= variant.squares() {
        return IllegalMove::NoSuchMove;
    }
    let fault = match mv.from() {
        None => drop_fault(variant, position, mv.face(), mv.to()),
        Some(from) => board_fault(variant, position, from, mv),
    };
    fault.unwrap_or_else(|| safety_fault(variant, position, mv))
}

fn drop_fault(
    variant: &Variant,
    position: &Position,
    face: Face,
    to: Square,
) -> Option<IllegalMove> {
    let side = position.side_to_move();
    let at = Bitboard::of(to);
    if !variant.droppable_faces().contains(&face) {
        Some(IllegalMove::NoSuchMove)
    } else if position.hand(side, face.kind()) == 0 {
        Some(IllegalMove::NotInHand)
    } else if position.occupied().contains(to) {
        Some(IllegalMove::SquareOccupied)
    } else if !variant.drops().squares(face, side).contains(to) {
        let dead = variant.drops().dead_squares(face, side).contains(to);
        Some(if dead { IllegalMove::DeadSquare } else { IllegalMove::OutsideRegion })
    } else if crowded_files(variant, position, face, side).contains(to) {
        Some(IllegalMove::Nifu)
    } else if !Guard::new(variant, position, side).targets().contains(to) {
        Some(IllegalMove::LeavesKingInCheck)
    } else if mating_drops(variant, position, face, at).contains(to) {
        Some(IllegalMove::DropMate)
    } else {
        None
    }
}

fn board_fault(
    variant: &Variant,
    position: &Position,
    from: Square,
    mv: Move,
) -> Option<IllegalMove> {
    let side = position.side_to_move();
    let to = mv.to();
    if !position.color(side).contains(from) {
        return Some(IllegalMove::NoSuchMove);
    }
    if position.color(side).contains(to) {
        return Some(IllegalMove::SquareOccupied);
    }
    let face = position.face_at(from);
    let enemies = position.color(!side);
    let mover = variant.tables().mover(position.code_at(from));
    let (quiet, captures) = mover.targets(from, position.occupied(), enemies);
    if !(quiet | captures).contains(to) {
        let ever = variant.empty_board_targets(face, side, from).contains(to);
        let inside = variant.tables().movement(face, side).region.contains(to);
        return Some(match (ever, inside) {
            (true, _) => IllegalMove::PathBlocked,
            (false, false) => IllegalMove::OutsideRegion,
            (false, true) => IllegalMove::NoSuchMove,
        });
    }
    turn_fault(variant, face, mv, turn(variant, side, face, from, to, captures.contains(to)))
}

/// Whether the piece turned as the promotion rule wants.
fn turn_fault(variant: &Variant, face: Face, mv: Move, wanted: Turn) -> Option<IllegalMove> {
    let arrives = if mv.turned() { face.turned() } else { face };
    if mv.turned() && wanted == Turn::Keep {
        return Some(IllegalMove::CannotPromote);
    }
    if !mv.turned() && wanted == Turn::Must {
        let zoned = matches!(variant.promotion().rule, Promotion::Choice | Promotion::Must);
        return Some(if zoned { IllegalMove::MustPromote } else { IllegalMove::MustTurnOver });
    }
    (mv.face() != arrives).then_some(IllegalMove::NoSuchMove)
}

/// What the move does to the own king.
fn safety_fault(variant: &Variant, position: &Position, mv: Move) -> IllegalMove {
    let side = position.side_to_move();
    if variant.protected_king(position, !side).contains(mv.to()) {
        return IllegalMove::NoSuchMove;
    }
    let mut next = position.clone();
    next.play(variant, mv);
    if in_check(variant, &next, side) {
        IllegalMove::LeavesKingInCheck
    } else {
        IllegalMove::GeneralsFace
    }
}
