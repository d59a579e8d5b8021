//! Everything the generator looks up: built once from the pieces of a variant, for both colours.
//!
//! White's tables are Black's turned by 180 degrees. An attack from `s` on `t` is one of three sorts:
//! a leap (always), a line (the squares `path(s, t)` must be empty; sliders and lame leapers) or a hop
//! (exactly one of them must be occupied). Riders with longer steps have paths of their own, see
//! `Tables::ways`.

use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::movement::{DIRECTIONS, FaceSpec, LameLeap, Movement, Passage, Ray, paths};
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

/// Room for the directions of lines; a power of two, so that a place is found by a shift.
const LINES: usize = DIRECTIONS.len().next_power_of_two();

/// The tables of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) geometry: Geometry,
    /// All squares.
    pub(crate) board: Bitboard,
    /// By square: the whole ray in each direction.
    full: Vec<[u128; LINES]>,
    /// By `from * squares + to`.
    path: Vec<Bitboard>,
    /// By `face * 2 + color`.
    movements: Vec<Movement>,
    /// By colour and target: the squares any face of that colour might capture it from.
    influence: [Vec<Bitboard>; 2],
    /// By colour and square of the other colour's king: the squares from which any face might
    /// capture where that king may go, or the king itself.
    vicinity: [Vec<Bitboard>; 2],
    /// By file.
    pub(crate) file_masks: Vec<Bitboard>,
    two_faced: u32,
    /// Whether any face has captures over paths of its own.
    pub(crate) odd: bool,
}

impl Tables {
    /// `faces` by [`Face::index`]; a missing face is `None`.
    pub(crate) fn new(geometry: Geometry, faces: &[Option<FaceSpec>], royal: Kind) -> Tables {
        let full = geometry
            .all()
            .map(|from| {
                let mut lines = [0; LINES];
                for (line, &(x, y)) in lines.iter_mut().zip(&DIRECTIONS) {
                    *line = geometry.ray(from, x, y).collect::<Bitboard>().0;
                }
                lines
            })
            .collect();
        let path = paths(geometry);
        let mut movements = vec![Movement::default(); 2 * MAX_FACES];
        let mut two_faced = 0;
        for (index, spec) in faces.iter().enumerate() {
            let Some(spec) = spec else { continue };
            if index % 2 == 1 {
                two_faced |= 1 << (index / 2);
            }
            for color in Color::ALL {
                movements[index * 2 + color.index()] = Movement::new(geometry, spec, color, &path);
            }
        }
        let odd = movements.iter().any(|movement| !movement.odd.is_empty());
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
        let file_masks = (0..geometry.files)
            .map(|file| (0..geometry.ranks).map(|rank| geometry.at(file, rank)).collect())
            .collect();
        let board = Bitboard::first_n(geometry.squares());
        Tables {
            geometry,
            board,
            full,
            path,
            movements,
            influence,
            vicinity,
            file_masks,
            two_faced,
            odd,
        }
    }

    #[inline]
    pub(crate) fn movement(&self, face: Face, color: Color) -> &Movement {
        &self.movements[face.index() * 2 + color.index()]
    }

    /// Whether the piece has a second face.
    #[inline]
    pub(crate) fn two_faced(&self, kind: Kind) -> bool {
        self.two_faced >> kind.index() & 1 == 1
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

    /// The squares that decide whether an attack from `from` reaches `to`.
    #[inline]
    pub(crate) fn path(&self, from: Square, to: Square) -> Bitboard {
        self.path[from.index() * self.geometry.squares() + to.index()]
    }

    /// Where the piece may go without capture, on empty squares only.
    #[inline]
    pub(crate) fn quiet(&self, movement: &Movement, from: Square, occupied: Bitboard) -> Bitboard {
        let leaps = movement.cells[from.index()].quiet.0;
        let mut targets = leaps;
        for (ray, squares) in movement.rays_from(from).filter(|(ray, _)| ray.quiet) {
            targets |= self.cast(ray, squares, occupied);
        }
        for leap in movement.lame_from(from) {
            if leap.quiet && leap.path & occupied.0 == 0 {
                targets |= 1 << leap.target.0;
            }
        }
        (Bitboard(targets) & movement.region).without(occupied)
    }

    /// What the piece attacks: capture targets, whoever stands there, and empty squares it would
    /// capture on.
    #[inline]
    pub(crate) fn attacks(
        &self,
        movement: &Movement,
        from: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let mut targets = movement.cells[from.index()].capture.0;
        for (ray, squares) in movement.rays_from(from) {
            if ray.capture {
                targets |= self.cast(ray, squares, occupied);
            }
        }
        for leap in movement.lame_from(from) {
            if leap.capture && leap.path & occupied.0 == 0 {
                targets |= 1 << leap.target.0;
            }
        }
        Bitboard(targets) & movement.region
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
                let beyond = self.full[target.index()][ray.direction()];
                let path = squares & !beyond & !Bitboard::of(target).0;
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

    /// The squares of a ray up to the first blocker, or behind the first up to the second.
    #[inline]
    fn cast(&self, ray: Ray, mut squares: u128, occupied: Bitboard) -> u128 {
        let direction = ray.direction();
        if ray.hops {
            match ray.first(squares & occupied.0) {
                Some(screen) => squares &= self.full[screen][direction],
                None => return 0,
            }
        }
        match ray.first(squares & occupied.0) {
            Some(blocker) => squares & !self.full[blocker][direction],
            None => squares,
        }
    }
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
