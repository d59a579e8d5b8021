//! How one face of one colour moves, as tables by origin.
//!
//! A move from `s` to `t` is a leap (always), or goes over a path: all squares of the path must be
//! empty (sliders, riders, lame leaps) or exactly one of them occupied (hops). Along a line, the path
//! is what lies between; lines are those of rook and bishop and those with longer steps.

use crate::betza::{Manner, Step};
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{Color, Square};

/// The steps of lines. Those to neighbours come first, in ascending order of what a step adds to the
/// square index.
const DIRECTIONS: [(i8, i8); 28] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-2, 0),
    (2, 0),
    (0, -2),
    (0, 2),
    (-2, -2),
    (2, -2),
    (-2, 2),
    (2, 2),
    (-3, 0),
    (3, 0),
    (0, -3),
    (0, 3),
    (-1, -2),
    (1, -2),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (2, 1),
    (-1, 2),
    (1, 2),
];
/// So many of them lead to neighbours.
pub(crate) const NEIGHBOURS: usize = 8;
/// Those from here on are a knight's.
const KNIGHT: usize = 20;

/// Bit `d`: direction `d` leads to higher square indices. A step aside is shorter than a rank, so the
/// way up or down decides.
const ASCENDING: u32 = {
    let (mut mask, mut at) = (0, 0);
    while at < DIRECTIONS.len() {
        let (x, y) = DIRECTIONS[at];
        if y > 0 || y == 0 && x > 0 {
            mask |= 1 << at;
        }
        at += 1;
    }
    mask
};

/// How one face moves: the movement, another one inside a zone, and where it may stand.
#[derive(Clone, Debug)]
pub(crate) struct FaceSpec {
    pub(crate) steps: Vec<Step>,
    pub(crate) beyond: Option<(Bitboard, Vec<Step>)>,
    pub(crate) region: Bitboard,
}

/// What a move asks of the squares on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Passage {
    /// Nothing.
    Leap,
    /// That they are empty: a slider or rider.
    Slide,
    /// The same, those that a single step passes included.
    Lame,
    /// That exactly one of them is occupied.
    Hop,
}

/// One way of a piece to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reach {
    /// The square.
    pub target: Square,
    /// What is asked of those before it.
    pub passage: Passage,
    /// Whether the way may be gone without capture.
    pub quiet: bool,
    /// Whether it may be gone with capture.
    pub capture: bool,
}

/// What a face can reach from one square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Leaps without capture.
    pub(crate) quiet: Bitboard,
    /// Leaps that capture.
    pub(crate) capture: Bitboard,
    /// Captures along an empty path, where it is the one of [`paths`].
    pub(crate) line: Bitboard,
    /// Captures over one piece on that path.
    pub(crate) hop: Bitboard,
    /// All it could ever reach, in any way.
    pub(crate) all: Bitboard,
}

/// One direction of a slider, rider or hopper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ray {
    direction: u8,
    pub(crate) quiet: bool,
    pub(crate) capture: bool,
    pub(crate) hops: bool,
}

impl Ray {
    /// How far a step goes, to the right and up.
    pub(crate) fn step(self) -> (i8, i8) {
        DIRECTIONS[usize::from(self.direction)]
    }

    /// Whether it leads to higher square indices.
    pub(crate) fn rises(self) -> bool {
        ASCENDING >> self.direction & 1 == 1
    }
}

/// One leap over a path that must be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LameLeap {
    pub(crate) path: u128,
    pub(crate) target: Square,
    pub(crate) quiet: bool,
    pub(crate) capture: bool,
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
    /// By origin: captures over a path other than that of [`paths`]; no entries at all if the face
    /// has none.
    pub(crate) odd: Vec<Bitboard>,
    pub(crate) region: Bitboard,
    /// Whether it captures as it moves, without hops and lame leaps.
    pub(crate) plain: bool,
}

impl Movement {
    /// `paths` are those of the function [`paths`].
    pub(crate) fn new(
        geometry: Geometry,
        spec: &FaceSpec,
        color: Color,
        paths: &[Bitboard],
    ) -> Movement {
        let turn = |set| if color == Color::Black { set } else { geometry.rotated(set) };
        let squares = geometry.squares();
        let region = turn(spec.region);
        let mut movement = Movement {
            cells: vec![Cell::default(); squares],
            region,
            plain: true,
            ..Movement::default()
        };
        let (beyond, inside) = match &spec.beyond {
            Some((zone, steps)) => (turn(*zone), steps.as_slice()),
            None => (Bitboard::EMPTY, &[][..]),
        };
        let mut rays = Vec::new();
        // A piece never stands outside its region.
        for (steps, on) in [(spec.steps.as_slice(), !beyond), (inside, beyond)] {
            for &step in steps {
                let step = oriented(step, color);
                rays.extend(movement.add(geometry, step, on & region, paths));
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

    /// The rays with their squares from an origin.
    #[inline]
    pub(crate) fn rays_from(&self, from: Square) -> impl Iterator<Item = (Ray, u128)> + '_ {
        let start = from.index() * self.rays.len();
        let squares = &self.ray_squares[start..start + self.rays.len()];
        self.rays.iter().copied().zip(squares.iter().copied())
    }

    /// The lame leaps from an origin.
    #[inline]
    pub(crate) fn lame_from(&self, from: Square) -> &[LameLeap] {
        self.lame.get(from.index()).map_or(&[], Vec::as_slice)
    }

    /// The captures from an origin whose path is not that of [`paths`].
    #[inline]
    pub(crate) fn odd_from(&self, from: Square) -> Bitboard {
        self.odd.get(from.index()).copied().unwrap_or_default()
    }

    /// Adds one step from the squares of `on`; a slider's or hopper's comes back as a ray with its
    /// squares by origin.
    fn add(
        &mut self,
        geometry: Geometry,
        step: Step,
        on: Bitboard,
        paths: &[Bitboard],
    ) -> Option<(Ray, Vec<u128>)> {
        let origins = || geometry.all().filter(|&from| on.contains(from));
        let plain = step.quiet && step.capture;
        match step.manner {
            Manner::Leap => {
                self.plain &= plain;
                origins().for_each(|from| self.add_leap(geometry, step, from));
                None
            }
            Manner::Lame(range) => {
                self.plain = false;
                self.lame.resize(geometry.squares(), Vec::new());
                origins().for_each(|from| self.add_lame(geometry, step, range, from, paths));
                None
            }
            Manner::Slide(range) => {
                self.plain &= plain;
                Some(self.ray(geometry, step, range, on))
            }
            Manner::Hop(range) => {
                self.plain = false;
                Some(self.ray(geometry, step, range, on))
            }
        }
    }

    fn add_leap(&mut self, geometry: Geometry, step: Step, from: Square) {
        let target = geometry.step(from, step.x, step.y);
        let Some(target) = target.filter(|&target| self.region.contains(target)) else { return };
        let cell = &mut self.cells[from.index()];
        cell.all.insert(target);
        cell.quiet |= only(step.quiet, target);
        cell.capture |= only(step.capture, target);
    }

    /// Adds a lame leap, or all the leaps of a lame rider.
    fn add_lame(
        &mut self,
        geometry: Geometry,
        step: Step,
        range: u8,
        from: Square,
        paths: &[Bitboard],
    ) {
        let (leg_x, leg_y) = leg(step.x, step.y);
        // A knight's leap passes one square, a straight one all in between.
        let legs = if DIRECTIONS[KNIGHT..].contains(&(step.x, step.y)) { 1 } else { usize::MAX };
        let (mut path, mut at) = (Bitboard::EMPTY, from);
        for target in geometry.ray(from, step.x, step.y).take(steps(range)) {
            let passed = geometry.ray(at, leg_x, leg_y).take_while(|&square| square != target);
            path |= passed.take(legs).collect();
            if self.region.contains(target) {
                let (quiet, capture) = (step.quiet, step.capture);
                let leap = LameLeap { path: path.0, target, quiet, capture };
                self.lame[from.index()].push(leap);
                self.cells[from.index()].all.insert(target);
                if paths[from.index() * geometry.squares() + target.index()] == path {
                    self.cells[from.index()].line |= only(capture, target);
                } else if capture {
                    self.add_odd(geometry, from, Bitboard::of(target));
                }
            }
            path.insert(target);
            at = target;
        }
    }

    fn add_odd(&mut self, geometry: Geometry, from: Square, targets: Bitboard) {
        self.odd.resize(geometry.squares(), Bitboard::EMPTY);
        self.odd[from.index()] |= targets;
    }

    fn ray(&mut self, geometry: Geometry, step: Step, range: u8, on: Bitboard) -> (Ray, Vec<u128>) {
        let direction = DIRECTIONS.iter().position(|&(x, y)| (x, y) == (step.x, step.y));
        let direction = direction.expect("all steps of the notation are among them");
        let hops = matches!(step.manner, Manner::Hop(_));
        let mut squares = vec![0; geometry.squares()];
        for from in geometry.all().filter(|&from| on.contains(from)) {
            let ray: Bitboard = geometry.ray(from, step.x, step.y).take(steps(range)).collect();
            squares[from.index()] = ray.0;
            let nearest = geometry.step(from, step.x, step.y).map_or(Bitboard::EMPTY, Bitboard::of);
            let reach = if hops { ray.without(nearest) } else { ray } & self.region;
            let cell = &mut self.cells[from.index()];
            cell.all |= reach;
            match (step.capture, direction < NEIGHBOURS) {
                (false, _) => {}
                (true, true) => *(if hops { &mut cell.hop } else { &mut cell.line }) |= reach,
                (true, false) => self.add_odd(geometry, from, reach),
            }
        }
        let (quiet, capture) = (step.quiet, step.capture);
        (Ray { direction: direction as u8, quiet, capture, hops }, squares)
    }
}

/// How many steps a range allows.
fn steps(range: u8) -> usize {
    if range == 0 { usize::MAX } else { usize::from(range) }
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

/// The first step of a lame leap: along the longer side, diagonally if both are equal.
fn leg(x: i8, y: i8) -> (i8, i8) {
    let longest = x.abs().max(y.abs());
    let part = |along: i8| if along.abs() == longest { along.signum() } else { 0 };
    (part(x), part(y))
}

/// By `from * squares + to`: what lies strictly between squares on one line of neighbours; the leg for
/// a knight's leap; empty otherwise.
pub(crate) fn paths(geometry: Geometry) -> Vec<Bitboard> {
    let squares = geometry.squares();
    let mut paths = vec![Bitboard::EMPTY; squares * squares];
    for from in geometry.all() {
        for &(x, y) in &DIRECTIONS[..NEIGHBOURS] {
            let mut passed = Bitboard::EMPTY;
            for to in geometry.ray(from, x, y) {
                paths[from.index() * squares + to.index()] = passed;
                passed.insert(to);
            }
        }
        for &(x, y) in &DIRECTIONS[KNIGHT..] {
            let (leg_x, leg_y) = leg(x, y);
            let ends = geometry.step(from, x, y).zip(geometry.step(from, leg_x, leg_y));
            if let Some((to, leg)) = ends {
                paths[from.index() * squares + to.index()] = Bitboard::of(leg);
            }
        }
    }
    paths
}
