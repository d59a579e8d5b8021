//! Everything the generator looks up: built once from the pieces of a variant, for both colours.
//!
//! White's tables are Black's turned by 180 degrees. An attack from `s` on `t` is one of three sorts:
//! a leap (always), a line (the squares `path(s, t)` must be empty; sliders and lame leapers) or a hop
//! (exactly one of them must be occupied).

use crate::betza::{Manner, Step};
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{Color, Face, Kind, MAX_FACES, Square};

/// Directions in ascending order of what a step adds to the square index, negative ones first.
const DIRECTIONS: [(i8, i8); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const FIRST_ASCENDING: usize = 4;

/// How one face moves: the movement, another one inside a zone, and where it may stand.
#[derive(Clone, Debug)]
pub(crate) struct FaceSpec {
    pub(crate) steps: Vec<Step>,
    pub(crate) beyond: Option<(Bitboard, Vec<Step>)>,
    pub(crate) region: Bitboard,
}

/// What a face can reach from one square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Leaps without capture.
    pub(crate) quiet: Bitboard,
    /// Leaps that capture.
    pub(crate) capture: Bitboard,
    /// Captures along an empty path.
    pub(crate) line: Bitboard,
    /// Captures over one piece.
    pub(crate) hop: Bitboard,
    /// All it could ever reach, in any way.
    pub(crate) all: Bitboard,
}

/// One direction of a slider or hopper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ray {
    direction: u8,
    quiet: bool,
    capture: bool,
    hops: bool,
}

/// One lame leap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LameLeap {
    leg: Square,
    target: Square,
    quiet: bool,
    capture: bool,
}

/// The movement of one face of one colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Movement {
    /// By origin.
    pub(crate) cells: Vec<Cell>,
    pub(crate) rays: Vec<Ray>,
    /// By `origin * rays.len() + ray`: the squares within range on an empty board.
    pub(crate) ray_squares: Vec<u128>,
    /// By origin; no entries at all if the face has none.
    pub(crate) lame: Vec<Vec<LameLeap>>,
    pub(crate) region: Bitboard,
    /// Whether it captures as it moves, without hops and lame leaps.
    pub(crate) plain: bool,
}

/// The tables of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) geometry: Geometry,
    /// All squares.
    pub(crate) board: Bitboard,
    /// By square: the whole ray in each direction.
    full: Vec<[u128; 8]>,
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
}

impl Tables {
    /// `faces` by [`Face::index`]; a missing face is `None`.
    pub(crate) fn new(geometry: Geometry, faces: &[Option<FaceSpec>], royal: Kind) -> Tables {
        let full = geometry
            .all()
            .map(|from| DIRECTIONS.map(|(x, y)| geometry.ray(from, x, y).collect::<Bitboard>().0))
            .collect();
        let mut movements = vec![Movement::default(); 2 * MAX_FACES];
        let mut two_faced = 0;
        for (index, spec) in faces.iter().enumerate() {
            let Some(spec) = spec else { continue };
            if index % 2 == 1 {
                two_faced |= 1 << (index / 2);
            }
            for color in Color::ALL {
                movements[index * 2 + color.index()] = Movement::new(geometry, spec, color);
            }
        }
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
        let path = paths(geometry);
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
        for leap in movement.lame.get(from.index()).into_iter().flatten() {
            if leap.quiet && !occupied.contains(leap.leg) {
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
        for leap in movement.lame.get(from.index()).into_iter().flatten() {
            if leap.capture && !occupied.contains(leap.leg) {
                targets |= 1 << leap.target.0;
            }
        }
        Bitboard(targets) & movement.region
    }

    /// The squares of a ray up to the first blocker, or behind the first up to the second.
    #[inline]
    fn cast(&self, ray: Ray, mut squares: u128, occupied: Bitboard) -> u128 {
        let direction = usize::from(ray.direction);
        if ray.hops {
            match first(squares & occupied.0, direction) {
                Some(screen) => squares &= self.full[screen][direction],
                None => return 0,
            }
        }
        match first(squares & occupied.0, direction) {
            Some(blocker) => squares & !self.full[blocker][direction],
            None => squares,
        }
    }
}

/// The blocker nearest to the origin.
#[inline]
fn first(blockers: u128, direction: usize) -> Option<usize> {
    if blockers == 0 {
        None
    } else if direction >= FIRST_ASCENDING {
        Some(blockers.trailing_zeros() as usize)
    } else {
        Some(127 - blockers.leading_zeros() as usize)
    }
}

impl Movement {
    /// The rays with their squares from an origin.
    #[inline]
    fn rays_from(&self, from: Square) -> impl Iterator<Item = (Ray, u128)> + '_ {
        let start = from.index() * self.rays.len();
        let squares = &self.ray_squares[start..start + self.rays.len()];
        self.rays.iter().copied().zip(squares.iter().copied())
    }

    fn new(geometry: Geometry, spec: &FaceSpec, color: Color) -> Movement {
        let turn = |set| if color == Color::Black { set } else { geometry.rotated(set) };
        let squares = geometry.squares();
        let region = turn(spec.region);
        let mut movement = Movement {
            cells: vec![Cell::default(); squares],
            rays: Vec::new(),
            ray_squares: Vec::new(),
            lame: Vec::new(),
            region,
            plain: true,
        };
        let (beyond, inside) = match &spec.beyond {
            Some((zone, steps)) => (turn(*zone), steps.as_slice()),
            None => (Bitboard::EMPTY, &[][..]),
        };
        let mut rays = Vec::new();
        // A piece never stands outside its region.
        for (steps, on) in [(spec.steps.as_slice(), !beyond), (inside, beyond)] {
            for &step in steps {
                rays.extend(movement.add(geometry, oriented(step, color), on & region));
            }
        }
        rays.sort_unstable();
        movement.ray_squares = (0..squares)
            .flat_map(|from| rays.iter().map(move |(_, squares): &(Ray, Vec<u128>)| squares[from]))
            .collect();
        movement.rays = rays.into_iter().map(|(ray, _)| ray).collect();
        movement.lame.iter_mut().for_each(|leaps| leaps.sort_unstable());
        movement
    }

    /// Adds one step from the squares of `on`; a slider's or hopper's comes back as a ray with its
    /// squares by origin.
    fn add(&mut self, geometry: Geometry, step: Step, on: Bitboard) -> Option<(Ray, Vec<u128>)> {
        let origins = || geometry.all().filter(|&from| on.contains(from));
        match step.manner {
            Manner::Leap => {
                self.plain &= step.quiet && step.capture;
                for from in origins() {
                    let target = geometry.step(from, step.x, step.y);
                    let target = target.filter(|&target| self.region.contains(target));
                    let cell = &mut self.cells[from.index()];
                    if let Some(target) = target {
                        cell.all.insert(target);
                        cell.quiet |= only(step.quiet, target);
                        cell.capture |= only(step.capture, target);
                    }
                }
                None
            }
            Manner::Lame => {
                self.plain = false;
                self.lame.resize(geometry.squares(), Vec::new());
                for from in origins() {
                    self.add_lame(geometry, step, from);
                }
                None
            }
            Manner::Slide(range) => {
                self.plain &= step.quiet && step.capture;
                Some(self.ray(geometry, step, range, on))
            }
            Manner::Hop(range) => {
                self.plain = false;
                Some(self.ray(geometry, step, range, on))
            }
        }
    }

    fn add_lame(&mut self, geometry: Geometry, step: Step, from: Square) {
        let (leg_x, leg_y) = leg(step.x, step.y);
        let squares = geometry.step(from, leg_x, leg_y).zip(geometry.step(from, step.x, step.y));
        let Some((leg, target)) = squares else { return };
        if !self.region.contains(target) {
            return;
        }
        let leap = LameLeap { leg, target, quiet: step.quiet, capture: step.capture };
        self.lame[from.index()].push(leap);
        let cell = &mut self.cells[from.index()];
        cell.all.insert(target);
        cell.line |= only(step.capture, target);
    }

    fn ray(&mut self, geometry: Geometry, step: Step, range: u8, on: Bitboard) -> (Ray, Vec<u128>) {
        let hops = matches!(step.manner, Manner::Hop(_));
        let range = if range == 0 { usize::MAX } else { usize::from(range) };
        let mut squares = vec![0; geometry.squares()];
        for from in geometry.all().filter(|&from| on.contains(from)) {
            let ray: Bitboard = geometry.ray(from, step.x, step.y).take(range).collect();
            squares[from.index()] = ray.0;
            let nearest = geometry.step(from, step.x, step.y).map_or(Bitboard::EMPTY, Bitboard::of);
            let reach = if hops { ray.without(nearest) } else { ray } & self.region;
            let cell = &mut self.cells[from.index()];
            cell.all |= reach;
            if step.capture {
                *(if hops { &mut cell.hop } else { &mut cell.line }) |= reach;
            }
        }
        let direction = DIRECTIONS.iter().position(|&(x, y)| (x, y) == (step.x, step.y));
        let direction = direction.expect("sliders step to neighbours") as u8;
        let (quiet, capture) = (step.quiet, step.capture);
        (Ray { direction, quiet, capture, hops }, squares)
    }
}

fn only(wanted: bool, square: Square) -> Bitboard {
    if wanted { Bitboard::of(square) } else { Bitboard::EMPTY }
}

/// The step as the colour's owner makes it.
fn oriented(step: Step, color: Color) -> Step {
    match color {
        Color::Black => step,
        Color::White => Step { x: -step.x, y: -step.y, ..step },
    }
}

/// The square a lame leap passes: one step along the longer side, diagonally if both are equal.
fn leg(x: i8, y: i8) -> (i8, i8) {
    let longest = x.abs().max(y.abs());
    let part = |along: i8| if along.abs() == longest { along.signum() } else { 0 };
    (part(x), part(y))
}

/// Strictly between for squares on one line; the leg for a knight's leap; empty otherwise.
fn paths(geometry: Geometry) -> Vec<Bitboard> {
    let squares = geometry.squares();
    let mut paths = vec![Bitboard::EMPTY; squares * squares];
    for from in geometry.all() {
        for (x, y) in DIRECTIONS {
            let mut passed = Bitboard::EMPTY;
            for to in geometry.ray(from, x, y) {
                paths[from.index() * squares + to.index()] = passed;
                passed.insert(to);
            }
        }
        for (x, y) in [(1, 2), (2, 1)] {
            for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
                let (leg_x, leg_y) = leg(x, y);
                let ends = geometry.step(from, x, y).zip(geometry.step(from, leg_x, leg_y));
                if let Some((to, leg)) = ends {
                    paths[from.index() * squares + to.index()] = Bitboard::of(leg);
                }
            }
        }
    }
    paths
}

fn influence(geometry: Geometry, movements: &[Movement], color: Color) -> Vec<Bitboard> {
    let mut influence = vec![Bitboard::EMPTY; geometry.squares()];
    for movement in movements.iter().skip(color.index()).step_by(2) {
        for (from, cell) in movement.cells.iter().enumerate() {
            for target in cell.capture | cell.line | cell.hop {
                influence[target.index()].insert(Square::new(from));
            }
        }
    }
    influence
}
