//! What may be dropped where, as far as the variant alone decides it.

use crate::bitboard::Bitboard;
use crate::position::PieceCode;
use crate::rule::{DropFaces, Royalty, Rules};
use crate::tables::Tables;
use crate::types::{Color, Face, Kind, MAX_FACES, MAX_KINDS, Square};

/// Limits to drops other than those per file.
#[derive(Clone, Debug)]
pub(crate) struct DropLimits {
    pub(crate) dead_squares_allowed: bool,
    pub(crate) no_mate_by: Vec<Kind>,
    /// By colour.
    pub(crate) zone: [Bitboard; 2],
}

/// The drops of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Drops {
    pub(crate) limits: DropLimits,
    /// The faces that can be dropped, ascending.
    pub(crate) faces: Vec<Face>,
    /// By `face * 2 + color`.
    squares: Vec<Bitboard>,
    /// By `face * 2 + color`.
    dead_squares: Vec<Bitboard>,
    /// By kind: whether its drops depend on what else stands on the board.
    limited: [bool; MAX_KINDS],
    /// By kind that may not give mate and colour, then by the other king's square.
    checks: Vec<[Vec<Bitboard>; 2]>,
}

impl Drops {
    /// `faces` are those of the variant, ascending.
    pub(crate) fn new(tables: &Tables, rules: &Rules, limits: DropLimits, faces: &[Face]) -> Drops {
        let dropped = |face: &&Face| match rules.drop_faces {
            DropFaces::None => false,
            DropFaces::Front => !face.is_reverse(),
            DropFaces::Either => true,
        };
        let taken =
            |face: &&Face| face.kind() != rules.royal || rules.royalty == Royalty::Capturable;
        let mut drops = Drops {
            faces: faces.iter().filter(dropped).filter(taken).copied().collect(),
            squares: Vec::new(),
            dead_squares: Vec::new(),
            limited: [false; MAX_KINDS],
            checks: Vec::new(),
            limits,
        };
        for face in (0..MAX_FACES).map(Face::new) {
            for color in Color::ALL {
                drops.add_squares(tables, face, color);
            }
        }
        // A drop that completes a hop gives check from wherever it stands.
        let hops = |face: &Face| {
            let cells = &tables.movement(*face, Color::Black).cells;
            cells.iter().any(|cell| !cell.hop.is_empty())
        };
        let hoppers = faces.iter().any(hops);
        for kind in (0..MAX_KINDS).map(Kind::new) {
            let per_file = rules.per_file.iter().any(|&(limited, _)| limited == kind);
            drops.limited[kind.index()] = per_file || drops.may_not_mate(kind.front());
            drops
                .checks
                .push(Color::ALL.map(|color| drops.new_checks(tables, kind, color, hoppers)));
        }
        drops
    }

    fn add_squares(&mut self, tables: &Tables, face: Face, color: Color) {
        let movement = tables.movement(face, color);
        let stuck = |square: &Square| {
            movement.cells.get(square.index()).is_some_and(|cell| cell.all.is_empty())
        };
        let dead: Bitboard = tables.geometry.all().filter(stuck).collect();
        let forbidden = if self.limits.dead_squares_allowed { Bitboard::EMPTY } else { dead };
        let zone = self.limits.zone[color.index()];
        self.squares.push((zone & movement.region).without(forbidden));
        self.dead_squares.push(dead);
    }

    fn new_checks(
        &self,
        tables: &Tables,
        kind: Kind,
        color: Color,
        hoppers: bool,
    ) -> Vec<Bitboard> {
        if !self.may_not_mate(kind.front()) {
            return Vec::new();
        }
        let squares = || tables.geometry.all();
        let mover = tables.mover(PieceCode::new(color, kind.front()));
        let from = |king: Square| squares().filter(|&at| mover.reach(at).contains(king)).collect();
        squares().map(|king| if hoppers { tables.board } else { from(king) }).collect()
    }

    /// Where the face may be dropped, as far as the board goes.
    #[inline]
    pub(crate) fn squares(&self, face: Face, color: Color) -> Bitboard {
        self.squares[face.index() * 2 + color.index()]
    }

    /// Where the face could never move again.
    #[inline]
    pub(crate) fn dead_squares(&self, face: Face, color: Color) -> Bitboard {
        self.dead_squares[face.index() * 2 + color.index()]
    }

    /// Whether drops of the face depend on what else stands on the board.
    #[inline]
    pub(crate) fn are_limited(&self, face: Face) -> bool {
        self.limited[face.kind().index()]
    }

    /// Whether drops of the face may not give mate.
    #[inline]
    pub(crate) fn may_not_mate(&self, face: Face) -> bool {
        !face.is_reverse() && self.limits.no_mate_by.contains(&face.kind())
    }

    /// The squares on which the dropped face, one that may not give mate, might give check.
    #[inline]
    pub(crate) fn checks(&self, face: Face, color: Color, king: Square) -> Bitboard {
        self.checks[face.kind().index()][color.index()][king.index()]
    }
}
