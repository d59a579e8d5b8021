//! King safety: which moves leave the own king unattacked.
//!
//! Every enemy piece that might attack the king puts a condition on the squares of its path (see
//! `tables`): empty for a line, exactly one occupied for a hop. Moves of other pieces keep all
//! conditions false by where they go (`outside`), and pieces that stand on a path by where they may
//! still go (`inside`). So legal moves come out of masks, without playing them; and so do moves that
//! uncover a check on the other king, which are those that do not keep the conditions false.

use crate::bitboard::Bitboard;
use crate::movement::Passage;
use crate::position::Position;
use crate::rule::{FacingKings, Royalty};
use crate::types::{Color, Square};
use crate::variant::Variant;

/// What one attacker of the king demands of the moving side.
struct Demand {
    /// The moving side's pieces that `inside` speaks of.
    pinned: Bitboard,
    /// Where those may go.
    inside: Bitboard,
    /// Where everyone else may go.
    outside: Bitboard,
    /// Whether the piece attacks the king now.
    checks: bool,
}

/// The demand of a leaper: it must be captured.
#[inline]
fn leap(at: Bitboard) -> Demand {
    Demand { pinned: Bitboard::EMPTY, inside: EVERYWHERE, outside: at, checks: true }
}

const EVERYWHERE: Bitboard = Bitboard(u128::MAX);

/// The safety of one side's king in one position, as a matter of that side's moves, or of the
/// attackers' (`AGAINST`).
pub(crate) struct Guard<'a, const AGAINST: bool = false> {
    variant: &'a Variant,
    position: &'a Position,
    /// Whose king.
    side: Color,
    king: Option<Square>,
    candidates: Bitboard,
    /// Pieces with a mask of their own.
    special: Bitboard,
    /// Where pieces that are not special, and drops, may go.
    targets: Bitboard,
    checks: bool,
}

impl<'a> Guard<'a> {
    /// The guard of `side`'s king; empty demands if it has none or it needs no protection.
    #[inline]
    pub(crate) fn new(variant: &'a Variant, position: &'a Position, side: Color) -> Guard<'a> {
        Guard::of(variant, position, side)
    }
}

impl<'a> Guard<'a, true> {
    /// What the attackers of `side`'s king demand of their own side's moves, so that these uncover no
    /// check.
    #[inline]
    pub(crate) fn against(
        variant: &'a Variant,
        position: &'a Position,
        side: Color,
    ) -> Guard<'a, true> {
        Guard::of(variant, position, side)
    }

    /// Where a move of the piece on `from` gives check with another piece, or a drop for `None`;
    /// squares where it cannot go included.
    #[inline]
    pub(crate) fn uncovers(&self, from: Option<Square>) -> Bitboard {
        match from {
            Some(from) if self.special.contains(from) => !self.special_targets(from),
            _ => !self.targets,
        }
    }

    /// The pieces that [`Guard::uncovers`] has an answer of their own for.
    #[inline]
    pub(crate) fn special_pieces(&self) -> Bitboard {
        self.special
    }
}

impl<'a, const AGAINST: bool> Guard<'a, AGAINST> {
    #[inline]
    fn of(variant: &'a Variant, position: &'a Position, side: Color) -> Guard<'a, AGAINST> {
        let protected = variant.rules().royalty == Royalty::Protected;
        let king = if protected { position.king(side) } else { None };
        let mut guard = Guard {
            variant,
            position,
            side,
            king,
            candidates: Bitboard::EMPTY,
            special: Bitboard::EMPTY,
            targets: EVERYWHERE,
            checks: false,
        };
        if let Some(king) = king {
            let near = variant.tables().influence(!side, king);
            guard.candidates = near & position.color(!side);
            guard.gather(king);
        }
        guard
    }

    #[inline]
    fn gather(&mut self, king: Square) {
        for attacker in self.candidates {
            let mover = self.variant.tables().mover(self.position.code_at(attacker));
            if !mover.reach(attacker).contains(king) {
                continue;
            }
            if self.is_odd(attacker, king) {
                let demands: Vec<Demand> = self.odd_demands(attacker, king).collect();
                demands.into_iter().for_each(|demand| self.impose(demand));
                continue;
            }
            for demand in self.demands(attacker, king).into_iter().flatten() {
                self.impose(demand);
            }
        }
        if let Some(demand) = self.facing(king) {
            self.impose(demand);
        }
    }

    #[inline]
    fn impose(&mut self, demand: Demand) {
        self.special |= demand.pinned;
        self.targets &= demand.outside;
        self.checks |= demand.checks;
    }

    /// Whether the king is attacked.
    #[inline]
    pub(crate) fn checks(&self) -> bool {
        self.checks
    }

    /// Where drops, and pieces that are not special, may go.
    #[inline]
    pub(crate) fn targets(&self) -> Bitboard {
        self.targets
    }

    /// The pieces whose targets [`Guard::limited`] limits, the king among them.
    #[inline]
    pub(crate) fn special(&self) -> Bitboard {
        self.special | self.king.map_or(Bitboard::EMPTY, Bitboard::of)
    }

    /// Those of the targets of such a piece that leave the king safe.
    #[inline]
    pub(crate) fn limited(&self, from: Square, targets: Bitboard) -> Bitboard {
        if self.king == Some(from) {
            self.safe_for_king(targets)
        } else {
            targets & self.special_targets(from)
        }
    }

    #[cold]
    fn special_targets(&self, from: Square) -> Bitboard {
        let Some(king) = self.king else { return EVERYWHERE };
        let fold = |mask: Bitboard, demand: Demand| {
            mask & if demand.pinned.contains(from) { demand.inside } else { demand.outside }
        };
        let mask = self.candidates.into_iter().fold(EVERYWHERE, |mask, attacker| {
            if self.is_odd(attacker, king) {
                self.odd_demands(attacker, king).fold(mask, fold)
            } else {
                self.demands(attacker, king).into_iter().flatten().fold(mask, fold)
            }
        });
        self.facing(king).into_iter().fold(mask, fold)
    }

    /// Whether an enemy piece could capture the king over a path that [`Tables::path`] does not tell.
    ///
    /// [`Tables::path`]: crate::tables::Tables::path
    #[inline]
    fn is_odd(&self, attacker: Square, king: Square) -> bool {
        let tables = self.variant.tables();
        let face = self.position.face_at(attacker);
        tables.odd && tables.movement(face, !self.side).odd_from(attacker).contains(king)
    }

    /// The demands of such a piece, whose ways to the king may be many.
    #[cold]
    fn odd_demands(&self, attacker: Square, king: Square) -> impl Iterator<Item = Demand> + '_ {
        let tables = self.variant.tables();
        let movement = tables.movement(self.position.face_at(attacker), !self.side);
        let at = Bitboard::of(attacker);
        let leaps = movement.cells[attacker.index()].capture.contains(king);
        let ways = tables.ways(movement, attacker);
        let demands =
            ways.filter(move |way| way.target == king && way.capture).filter_map(move |way| {
                let path = Bitboard(way.path);
                let on_path = path & self.position.occupied();
                if way.passage == Passage::Hop {
                    self.hop(at, path, on_path)
                } else {
                    self.line(at, path, on_path)
                }
            });
        leaps.then(|| leap(at)).into_iter().chain(demands)
    }

    /// The demands of an enemy piece: as attacker straight or along a line, and as hopper.
    #[inline]
    fn demands(&self, attacker: Square, king: Square) -> [Option<Demand>; 2] {
        let tables = self.variant.tables();
        let face = self.position.face_at(attacker);
        let cell = &tables.movement(face, !self.side).cells[attacker.index()];
        let at = Bitboard::of(attacker);
        if cell.capture.contains(king) {
            return [Some(leap(at)), None];
        }
        let path = tables.path(attacker, king);
        let on_path = path & self.position.occupied();
        let line = if cell.line.contains(king) { self.line(at, path, on_path) } else { None };
        let hop = if cell.hop.contains(king) { self.hop(at, path, on_path) } else { None };
        [line, hop]
    }

    /// The path must not become empty.
    #[inline]
    fn line(&self, at: Bitboard, path: Bitboard, on_path: Bitboard) -> Option<Demand> {
        let stop = path | at;
        match on_path.len() {
            0 => Some(Demand {
                pinned: Bitboard::EMPTY,
                inside: EVERYWHERE,
                outside: stop,
                checks: true,
            }),
            1 if on_path.meets(self.own()) => {
                Some(Demand { pinned: on_path, inside: stop, outside: EVERYWHERE, checks: false })
            }
            _ => None,
        }
    }

    /// The path must not come to hold exactly one piece.
    fn hop(&self, at: Bitboard, path: Bitboard, on_path: Bitboard) -> Option<Demand> {
        let own = on_path & self.own();
        match on_path.len() {
            // The hopper may step onto its own path.
            0 => Some(Demand {
                pinned: if AGAINST { at } else { Bitboard::EMPTY },
                inside: EVERYWHERE,
                outside: !path,
                checks: false,
            }),
            1 => Some(Demand {
                pinned: own,
                inside: !path,
                outside: path.without(on_path) | at,
                checks: true,
            }),
            2 => Some(Demand {
                pinned: own,
                inside: path.without(on_path) | at,
                outside: EVERYWHERE,
                checks: false,
            }),
            _ => None,
        }
    }

    fn own(&self) -> Bitboard {
        self.position.color(if AGAINST { !self.side } else { self.side })
    }

    /// The demand of the enemy king on an open file, where the variant has that rule.
    #[inline]
    fn facing(&self, king: Square) -> Option<Demand> {
        // Facing kings are no check.
        if AGAINST || self.variant.rules().facing_kings == FacingKings::Allowed {
            return None;
        }
        let tables = self.variant.tables();
        let enemy = self.position.king(!self.side)?;
        if tables.geometry.file(enemy) != tables.geometry.file(king) {
            return None;
        }
        let path = tables.path(king, enemy);
        let demand = self.line(Bitboard::EMPTY, path, path & self.position.occupied())?;
        Some(Demand { checks: false, ..demand })
    }

    /// Those of the king's targets on which it would be safe.
    ///
    /// Attacks are computed without the king on the board, so that it does not hide behind itself;
    /// what stands on a target does not matter for attacks on that target.
    #[inline]
    pub(crate) fn safe_for_king(&self, targets: Bitboard) -> Bitboard {
        let Some(king) = self.king else { return targets };
        if targets.is_empty() {
            return targets;
        }
        let tables = self.variant.tables();
        let enemies = self.position.color(!self.side);
        let occupied = self.position.occupied().without(Bitboard::of(king));
        let mut safe = targets;
        for from in enemies & tables.vicinity(!self.side, king) {
            let mover = tables.mover(self.position.code_at(from));
            if mover.reach(from).meets(safe) {
                safe &= !mover.attacks(from, occupied);
            }
        }
        self.without_facing(safe, occupied)
    }

    /// Those of the squares from which the king, moved there, would not face the other one.
    #[inline]
    fn without_facing(&self, targets: Bitboard, occupied: Bitboard) -> Bitboard {
        if self.variant.rules().facing_kings == FacingKings::Allowed {
            return targets;
        }
        targets.into_iter().filter(|&to| !self.would_face(to, occupied)).collect()
    }

    /// Whether the kings would face each other with the own one on `to`.
    fn would_face(&self, to: Square, occupied: Bitboard) -> bool {
        let tables = self.variant.tables();
        self.position.king(!self.side).is_some_and(|enemy| {
            tables.geometry.file(enemy) == tables.geometry.file(to)
                && !tables.path(to, enemy).meets(occupied)
        })
    }
}

/// Whether one of the `attackers`, pieces of `by`, attacks `target` on a board with these squares
/// occupied.
#[inline]
pub(crate) fn attacked_by(
    variant: &Variant,
    position: &Position,
    target: Square,
    by: Color,
    occupied: Bitboard,
    attackers: Bitboard,
) -> bool {
    let tables = variant.tables();
    let candidates = tables.influence(by, target) & attackers;
    candidates.into_iter().any(|from| {
        let mover = tables.mover(position.code_at(from));
        mover.reach(from).contains(target) && mover.attacks(from, occupied).contains(target)
    })
}

/// Whether a side's king is in check.
pub(crate) fn in_check(variant: &Variant, position: &Position, side: Color) -> bool {
    if variant.rules().royalty == Royalty::Capturable {
        return false;
    }
    position.king(side).is_some_and(|king| {
        let (occupied, enemies) = (position.occupied(), position.color(!side));
        attacked_by(variant, position, king, !side, occupied, enemies)
    })
}
