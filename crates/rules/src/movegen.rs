//! Legal moves.
//!
//! Order: board moves by origin, then destination, ascending, the unturned one first; then drops by
//! face, then square, ascending. Records and seeds rely on it.

use crate::bitboard::Bitboard;
use crate::checks::Checks;
use crate::guard::{Guard, in_check};
use crate::moves::Move;
use crate::position::{PieceCode, Position};
use crate::rule::{Promotion, Trigger, Turn};
use crate::sink::Sink;
use crate::types::{Color, Face, Square};
use crate::variant::Variant;

/// Passes on all legal moves of the side to move and says whether it is in check. Knows nothing of a
/// game that is already over by a lost king.
#[inline]
pub(crate) fn generate(variant: &Variant, position: &Position, moves: &mut impl Sink) -> bool {
    let generator = Generator::new(variant, position);
    generator.board_moves(position.color(generator.side), moves);
    if variant.has_hands() {
        generator.drops(moves);
    }
    generator.guard.checks()
}

/// Passes on the legal moves that give check, in the order of [`generate`].
pub(crate) fn generate_checks(variant: &Variant, position: &Position, moves: &mut impl Sink) {
    let Some(mut checks) = Checks::new(variant, position, moves) else { return };
    let generator = Generator::new(variant, position);
    generator.board_moves(checks.pieces(), &mut checks);
    if variant.has_hands() {
        generator.drops(&mut checks);
    }
}

/// Whether the side to move has a legal move.
pub(crate) fn has_legal_move(variant: &Variant, position: &Position) -> bool {
    let generator = Generator::new(variant, position);
    // Whoever is asked is in check, and then the king moves most often.
    let king = position.king(generator.side);
    let others = position.color(generator.side).without(king.map_or(Bitboard::EMPTY, Bitboard::of));
    let special = generator.guard.special();
    let moves = |from| !generator.board_targets(from, special.contains(from)).targets.is_empty();
    let mut drops = 0;
    king.is_some_and(moves) || others.into_iter().any(moves) || {
        generator.drops(&mut drops);
        drops > 0
    }
}

/// What all moves of a position depend on.
struct Generator<'a> {
    variant: &'a Variant,
    position: &'a Position,
    side: Color,
    guard: Guard<'a>,
    occupied: Bitboard,
    /// The pieces that may be captured.
    enemies: Bitboard,
}

/// Where a piece on the board may go.
struct BoardTargets {
    piece: PieceCode,
    targets: Bitboard,
    /// Those of them that capture, and others.
    captures: Bitboard,
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(variant: &'a Variant, position: &'a Position) -> Generator<'a> {
        let side = position.side_to_move();
        let safe_king = variant.protected_king(position, !side);
        Generator {
            variant,
            position,
            side,
            guard: Guard::new(variant, position, side),
            occupied: position.occupied(),
            enemies: position.color(!side).without(safe_king),
        }
    }

    #[inline(always)]
    fn board_moves(&self, pieces: Bitboard, moves: &mut impl Sink) {
        let zone = self.variant.rules().promotion.zone[self.side.index()];
        pieces.for_each_marked(self.guard.special(), |from, special| {
            let found = self.board_targets(from, special);
            if !found.targets.is_empty() {
                emit(self.variant, from, &found, zone, moves);
            }
        });
    }

    #[inline(always)]
    fn board_targets(&self, from: Square, special: bool) -> BoardTargets {
        let piece = self.position.code_at(from);
        let mover = self.variant.tables().mover(piece);
        let (quiet, captures) = mover.targets(from, self.occupied, self.enemies);
        let targets = quiet | captures;
        let targets = if special {
            self.guard.limited(from, targets)
        } else {
            targets & self.guard.targets()
        };
        BoardTargets { piece, targets, captures }
    }

    fn drops(&self, moves: &mut impl Sink) {
        let Generator { variant, position, side, .. } = *self;
        let empty = self.guard.targets().without(self.occupied);
        if empty.is_empty() {
            return;
        }
        for &face in variant.droppable_faces() {
            if position.hand(side, face.kind()) == 0 {
                continue;
            }
            let mut targets = empty & variant.drops().squares(face, side);
            if variant.drops().are_limited(face) {
                targets &= !crowded_files(variant, position, face, side);
                targets &= !mating_drops(variant, position, face, targets);
            }
            moves.drops(face, targets);
        }
    }
}

/// Passes on the moves of one piece, turned as the promotion rule says.
#[inline(always)]
fn emit(
    variant: &Variant,
    from: Square,
    found: &BoardTargets,
    zone: Bitboard,
    moves: &mut impl Sink,
) {
    let &BoardTargets { piece, targets, captures } = found;
    let (face, nothing) = (piece.face(), Bitboard::EMPTY);
    match variant.turning(piece) {
        Turning::Never => moves.board(from, face, targets, nothing),
        Turning::Always => moves.board(from, face, nothing, targets),
        Turning::OnCapture => {
            moves.board(from, face, targets.without(captures), targets & captures);
        }
        Turning::AtZone if !targets.meets(zone) && !zone.contains(from) => {
            moves.board(from, face, targets, nothing);
        }
        Turning::AtZone => {
            let (optional, forced) = zone_turns(variant, piece.color(), face, from);
            moves.board(from, face, targets.without(forced), targets & (optional | forced));
        }
    }
}

/// When a piece turns over by moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turning {
    Never,
    Always,
    OnCapture,
    AtZone,
}

impl Turning {
    /// Of a face, which `two_faced` says has another one.
    pub(crate) fn new(rule: Promotion, face: Face, two_faced: bool) -> Turning {
        match rule {
            _ if !two_faced => Turning::Never,
            Promotion::None => Turning::Never,
            Promotion::TurnAlways => Turning::Always,
            Promotion::TurnOnCapture => Turning::OnCapture,
            Promotion::Choice | Promotion::Must if face.is_reverse() => Turning::Never,
            Promotion::Choice | Promotion::Must => Turning::AtZone,
        }
    }
}

/// The destinations at which a move may turn the piece, and those at which it has to, under a rule
/// with a zone.
fn zone_turns(variant: &Variant, side: Color, face: Face, from: Square) -> (Bitboard, Bitboard) {
    let promotion = &variant.rules().promotion;
    let zone = promotion.zone[side.index()];
    let leaves = promotion.trigger == Trigger::EnterOrLeave && zone.contains(from);
    let at = if leaves { variant.tables().board } else { zone };
    match promotion.rule {
        Promotion::Must => (Bitboard::EMPTY, at),
        _ => (at, at & variant.drops().dead_squares(face, side)),
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
    match variant.turning(PieceCode::new(side, face)) {
        Turning::Never => Turn::Keep,
        Turning::OnCapture if !capture => Turn::Keep,
        Turning::OnCapture | Turning::Always => Turn::Must,
        Turning::AtZone => {
            let (optional, forced) = zone_turns(variant, side, face, from);
            match (optional.contains(to), forced.contains(to)) {
                (_, true) => Turn::Must,
                (true, false) => Turn::May,
                (false, false) => Turn::Keep,
            }
        }
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
    let (own, tables) = (position.color(side), variant.tables());
    let file = |at: Square| tables.file_masks[at.index()];
    let mut crowded = Bitboard::EMPTY;
    let limited = PieceCode::new(side, face);
    own.into_iter().for_each(|at| {
        if position.code_at(at) == limited {
            crowded |= file(at);
        }
    });
    if limit == 1 {
        return crowded;
    }
    let pieces = position.pieces(side, face);
    let full = |at: &Square| (file(*at) & pieces).len() >= limit.into();
    pieces.into_iter().filter(full).fold(Bitboard::EMPTY, |all, at| all | file(at))
}

/// Those of the drops that give a mate which the variant forbids for this face.
pub(crate) fn mating_drops(
    variant: &Variant,
    position: &Position,
    face: Face,
    targets: Bitboard,
) -> Bitboard {
    let side = position.side_to_move();
    if !variant.drops().may_not_mate(face) {
        return Bitboard::EMPTY;
    }
    let Some(king) = position.king(!side) else { return Bitboard::EMPTY };
    let near = targets & variant.drops().checks(face, side, king);
    near.into_iter()
        .filter(|&to| {
            let mut next = position.clone();
            next.play(variant, Move::drop(face, to));
            in_check(variant, &next, !side) && !has_legal_move(variant, &next)
        })
        .collect()
}
