//! Legal moves.
//!
//! Order: board moves by origin, then destination, ascending, the unturned one first; then drops by
//! face, then square, ascending. Records and seeds rely on it.

use crate::bitboard::Bitboard;
use crate::guard::{Guard, in_check};
use crate::moves::Move;
use crate::position::Position;
use crate::rule::{Promotion, Trigger, Turn};
use crate::types::{Color, Face, Square};
use crate::variant::Variant;

/// Appends all legal moves of the side to move and says whether it is in check. Knows nothing of a
/// game that is already over by a lost king.
#[inline]
pub(crate) fn generate(variant: &Variant, position: &Position, moves: &mut Vec<Move>) -> bool {
    let side = position.side_to_move();
    let guard = Guard::new(variant, position, side);
    board_moves(variant, position, &guard, moves);
    if variant.has_hands() {
        drops(variant, position, guard.drop_targets(), moves);
    }
    guard.checks()
}

fn board_moves(variant: &Variant, position: &Position, guard: &Guard<'_>, moves: &mut Vec<Move>) {
    let side = position.side_to_move();
    let king = position.king(side);
    let safe_king = variant.protected_king(position, !side);
    let occupied = position.occupied();
    let enemies = position.color(!side).without(safe_king);
    for from in position.color(side) {
        let face = position.face_at(from);
        let (quiet, captures) = pseudo_targets(variant, side, face, from, occupied, enemies);
        let allowed = if king == Some(from) {
            guard.safe_for_king(quiet | captures)
        } else {
            guard.targets(from)
        };
        emit(variant, side, face, from, quiet & allowed, captures & allowed, moves);
    }
}

/// Where a piece may go by movement alone: without and with capture.
#[inline]
pub(crate) fn pseudo_targets(
    variant: &Variant,
    side: Color,
    face: Face,
    from: Square,
    occupied: Bitboard,
    enemies: Bitboard,
) -> (Bitboard, Bitboard) {
    let tables = variant.tables();
    let movement = tables.movement(face, side);
    let attacks = tables.attacks(movement, from, occupied);
    let quiet = if movement.plain {
        attacks.without(occupied)
    } else {
        tables.quiet(movement, from, occupied)
    };
    (quiet, attacks & enemies)
}

/// Writes the moves of one piece, turned as the promotion rule says.
#[inline]
fn emit(
    variant: &Variant,
    side: Color,
    face: Face,
    from: Square,
    quiet: Bitboard,
    captures: Bitboard,
    moves: &mut Vec<Move>,
) {
    let targets = quiet | captures;
    let nothing = Bitboard::EMPTY;
    let (optional, forced) = if variant.tables().two_faced(face.kind()) {
        match variant.rules().promotion.rule {
            Promotion::None => (nothing, nothing),
            Promotion::TurnOnCapture => (nothing, captures),
            Promotion::TurnAlways => (nothing, targets),
            Promotion::Choice | Promotion::Must => zone_turns(variant, side, face, from),
        }
    } else {
        (nothing, nothing)
    };
    if optional.meets(targets) {
        targets.into_iter().for_each(|to| {
            if !forced.contains(to) {
                moves.push(Move::board(from, to, face, false));
            }
            if optional.contains(to) {
                moves.push(Move::board(from, to, face.turned(), true));
            }
        });
    } else {
        targets.into_iter().for_each(|to| {
            let turned = forced.contains(to);
            moves.push(Move::board(from, to, Face(face.0 ^ u8::from(turned)), turned));
        });
    }
}

/// The destinations at which a move may turn the piece, and those at which it has to, under a rule
/// with a zone.
fn zone_turns(variant: &Variant, side: Color, face: Face, from: Square) -> (Bitboard, Bitboard) {
    let promotion = &variant.rules().promotion;
    if face.is_reverse() {
        return (Bitboard::EMPTY, Bitboard::EMPTY);
    }
    let zone = promotion.zone[side.index()];
    let leaves = promotion.trigger == Trigger::EnterOrLeave && zone.contains(from);
    let at = if leaves { variant.tables().board } else { zone };
    match promotion.rule {
        Promotion::Must => (Bitboard::EMPTY, at),
        _ => (at, at & variant.dead_squares(face, side)),
    }
}

/// What the promotion rule says about one board move.
pub(crate) fn turn(
    variant: &Variant,
    side: Color,
    face: Face,
    from: Square,
    to: Square,
    capture: bool,
) -> Turn {
    if !variant.tables().two_faced(face.kind()) {
        return Turn::Keep;
    }
    match variant.rules().promotion.rule {
        Promotion::None => Turn::Keep,
        Promotion::TurnOnCapture if !capture => Turn::Keep,
        Promotion::TurnOnCapture | Promotion::TurnAlways => Turn::Must,
        Promotion::Choice | Promotion::Must => {
            let (optional, forced) = zone_turns(variant, side, face, from);
            match (optional.contains(to), forced.contains(to)) {
                (_, true) => Turn::Must,
                (true, false) => Turn::May,
                (false, false) => Turn::Keep,
            }
        }
    }
}

/// Writes the drops onto the squares that king safety allows.
fn drops(variant: &Variant, position: &Position, safe: Bitboard, moves: &mut Vec<Move>) {
    let side = position.side_to_move();
    let empty = safe.without(position.occupied());
    if empty.is_empty() {
        return;
    }
    for &face in variant.droppable_faces() {
        if position.hand(side, face.kind()) == 0 {
            continue;
        }
        let mut targets = empty & variant.drop_squares(face, side);
        targets &= !crowded_files(variant, position, face, side);
        targets &= !mating_drops(variant, position, face, targets);
        targets.into_iter().for_each(|to| moves.push(Move::drop(face, to)));
    }
}

/// The files on which the side already has as many of this face as it may.
pub(crate) fn crowded_files(
    variant: &Variant,
    position: &Position,
    face: Face,
    side: Color,
) -> Bitboard {
    let limits = &variant.rules().per_file;
    let Some(&(_, limit)) = limits.iter().find(|(kind, _)| kind.front() == face) else {
        return Bitboard::EMPTY;
    };
    let own = position.pieces(side, face);
    let crowded =
        variant.tables().file_masks.iter().filter(|&&file| (file & own).len() >= limit.into());
    crowded.fold(Bitboard::EMPTY, |all, &file| all | file)
}

/// Those of the drops that give a mate which the variant forbids for this face.
pub(crate) fn mating_drops(
    variant: &Variant,
    position: &Position,
    face: Face,
    targets: Bitboard,
) -> Bitboard {
    let side = position.side_to_move();
    if !variant.may_not_mate_by_drop(face) {
        return Bitboard::EMPTY;
    }
    let Some(king) = position.king(!side) else { return Bitboard::EMPTY };
    let near = targets & variant.tables().influence(side, king);
    near.into_iter()
        .filter(|&to| {
            let mut next = position.clone();
            next.play(variant, Move::drop(face, to));
            in_check(variant, &next, !side) && !has_legal_move(variant, &next)
        })
        .collect()
}

/// Whether the side to move has a legal move.
pub(crate) fn has_legal_move(variant: &Variant, position: &Position) -> bool {
    let mut moves = Vec::new();
    generate(variant, position, &mut moves);
    !moves.is_empty()
}
