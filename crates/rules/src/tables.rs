//! Everything the generator looks up: built once from the pieces of a variant, for both colours.
//!
//! White's tables are Black's turned by 180 degrees. An attack from `s` on `t` is one of three sorts:
//! a leap (always), a line (the squares `path(s, t)` must be empty; sliders and lame leapers) or a hop
//! (exactly one of them must be occupied). Riders with longer steps have paths of their own, see
//! `Tables::ways`.

use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::movement::{FaceSpec, LameLeap, Movement, Passage, Ray, paths};
use crate::mover::Mover;
use crate::position::PieceCode;
use crate::types::{Color, Face, Kind, MAX_FACES, Square};

/// One way to a square: a path and what must hold of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) target: Square,
    /// The squares that decide.
    pub(crate) path: u128,
    /// What must hold of them; never [`Passage::Leap`].
    pub(crate) passage: Passage,
    pub(crate) quiet: bool,
    pub(crate) capture: bool,
}

/// The tables of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) geometry: Geometry,
    /// All squares.
    pub(crate) board: Bitboard,
    /// By `from * squares + to`.
    path: Vec<Bitboard>,
    /// By `face * 2 + color`.
    movements: Vec<Movement>,
    /// By piece.
    movers: [Mover; 2 * MAX_FACES],
    /// By colour and target: the squares any face of that colour might capture it from.
    influence: [Vec<Bitboard>; 2],
    /// By colour and square of the other colour's king: the squares from which any face might
    /// capture where that king may go, or the king itself.
    vicinity: [Vec<Bitboard>; 2],
    /// By square: its file.
    pub(crate) file_masks: Vec<Bitboard>,
    /// Whether any face has captures over paths of its own.
    pub(crate) odd: bool,
    /// By `piece * squares + target`: the squares from which the piece might capture there.
    aims: Vec<Bitboard>,
    /// By `piece * squares + target`: the squares from which it might come to one of those by a move.
    approaches: Vec<Bitboard>,
}

impl Tables {
    /// `faces` by [`Face::index`]; a missing face is `None`.
    pub(crate) fn new(geometry: Geometry, faces: &[Option<FaceSpec>], royal: Kind) -> Tables {
        let path = paths(geometry);
        let board = Bitboard::first_n(geometry.squares());
        let mut movements = vec![Movement::default(); 2 * MAX_FACES];
        for (index, spec) in faces.iter().enumerate() {
            let Some(spec) = spec else { continue };
            for color in Color::ALL {
                movements[index * 2 + color.index()] = Movement::new(geometry, spec, color, &path);
            }
        }
        let odd = movements.iter().any(|movement| !movement.odd.is_empty());
        let movers = std::array::from_fn(|code| {
            let (face, color) = (code % MAX_FACES, code / MAX_FACES);
            Mover::new(&movements[face * 2 + color], board)
        });
        let influence = Color::ALL.map(|color| influence(geometry, &movements, color));
        let vicinity = Color::ALL.map(|color| {
            let king = &movements[royal.front().index() * 2 + (!color).index()];
            let influence = &influence[color.index()];
            let around = king.cells.iter().enumerate().map(|(square, cell)| {
                let around = cell.all | Bitboard::of(Square::new(square));
                around.into_iter().fold(Bitboard::EMPTY, |all, at| all | influence[at.index()])
            });
            around.collect()
        });
        let (aims, approaches) = aims(geometry, &movements, &movers);
        let file =
            |at| (0..geometry.ranks).map(|rank| geometry.at(geometry.file(at), rank)).collect();
        let file_masks = geometry.all().map(file).collect();
        Tables {
            geometry,
            board,
            path,
            movements,
            movers,
            influence,
            vicinity,
            file_masks,
            odd,
            aims,
            approaches,
        }
    }

    #[inline]
    pub(crate) fn movement(&self, face: Face, color: Color) -> &Movement {
        &self.movements[face.index() * 2 + color.index()]
    }

    /// How a face moves, for the generator.
    #[inline]
    pub(crate) fn mover(&self, piece: PieceCode) -> &Mover {
        &self.movers[piece.index()]
    }

    /// The squares from which a face of `color` might capture on `target`, whatever stands between.
    #[inline]
    pub(crate) fn influence(&self, color: Color, target: Square) -> Bitboard {
        self.influence[color.index()][target.index()]
    }

    /// The squares from which a face of `color` might capture the other king on `king`, or on a
    /// square where that king may go, whatever stands between.
    #[inline]
    pub(crate) fn vicinity(&self, color: Color, king: Square) -> Bitboard {
        self.vicinity[color.index()][king.index()]
    }

    /// The squares from which the piece might capture on `target`, whatever stands between.
    #[inline]
    pub(crate) fn aims(&self, piece: PieceCode, target: Square) -> Bitboard {
        self.aims[piece.index() * self.geometry.squares() + target.index()]
    }

    /// The squares from which a move of the piece, turned over by it or not, might lead to one of its
    /// [`Tables::aims`].
    #[inline]
    pub(crate) fn approaches(&self, piece: PieceCode, target: Square) -> Bitboard {
        self.approaches[piece.index() * self.geometry.squares() + target.index()]
    }

    /// The squares that decide whether an attack from `from` reaches `to`.
    #[inline]
    pub(crate) fn path(&self, from: Square, to: Square) -> Bitboard {
        self.path[from.index() * self.geometry.squares() + to.index()]
    }

    /// All the ways over paths, leaps left out: along the rays, then the lame leaps.
    pub(crate) fn ways<'a>(
        &'a self,
        movement: &'a Movement,
        from: Square,
    ) -> impl Iterator<Item = Way> + 'a {
        let rays = movement.rays_from(from).flat_map(move |(ray, squares)| {
            let Ray { quiet, capture, hops, .. } = ray;
            let passage = if hops { Passage::Hop } else { Passage::Slide };
            (Bitboard(squares) & movement.region).into_iter().filter_map(move |target| {
                let (x, y) = ray.step();
                let passed = self.geometry.ray(from, x, y).take_while(|&at| at != target);
                let path = passed.collect::<Bitboard>().0;
                let leads = !hops || path != 0;
                leads.then_some(Way { target, path, passage, quiet, capture })
            })
        });
        let lame =
            movement.lame_from(from).iter().map(|&LameLeap { path, target, quiet, capture }| Way {
                target,
                path,
                passage: Passage::Lame,
                quiet,
                capture,
            });
        rays.chain(lame)
    }
}

/// [`Tables::aims`] and [`Tables::approaches`].
fn aims(
    geometry: Geometry,
    movements: &[Movement],
    movers: &[Mover; 2 * MAX_FACES],
) -> (Vec<Bitboard>, Vec<Bitboard>) {
    let movement = |code: usize| &movements[code % MAX_FACES * 2 + code / MAX_FACES];
    let mut aims = vec![Bitboard::EMPTY; movers.len() * geometry.squares()];
    for (code, mover) in movers.iter().enumerate() {
        for from in (0..movement(code).cells.len()).map(Square::new) {
            for target in mover.reach(from) {
                aims[code * geometry.squares() + target.index()].insert(from);
            }
        }
    }
    let approaches = (0..aims.len()).map(|at| {
        let (code, target) = (at / geometry.squares(), at % geometry.squares());
        let turned = aims[(code ^ 1) * geometry.squares() + target];
        let cells = movement(code).cells.iter().enumerate();
        let near = cells.filter(|(_, cell)| cell.all.meets(aims[at] | turned));
        near.map(|(from, _)| Square::new(from)).collect()
    });
    let approaches = approaches.collect();
    (aims, approaches)
}

fn influence(geometry: Geometry, movements: &[Movement], color: Color) -> Vec<Bitboard> {
    let mut influence = vec![Bitboard::EMPTY; geometry.squares()];
    for movement in movements.iter().skip(color.index()).step_by(2) {
        for (from, cell) in movement.cells.iter().enumerate() {
            let odd = movement.odd_from(Square::new(from));
            for target in cell.capture | cell.line | cell.hop | odd {
                influence[target.index()].insert(Square::new(from));
            }
        }
    }
    influence
}
