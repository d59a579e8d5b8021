//! A face's movement as the generator reads it: flat tables and arithmetic on whole rays, nothing to
//! walk through that the face does not need.

use crate::bitboard::Bitboard;
use crate::movement::Movement;
use crate::types::Square;

/// What has to be computed for a face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Style {
    /// Leaps alone, with and without capture alike: one look-up.
    #[default]
    Leaper,
    /// Leaps and slides, with and without capture alike, anywhere on the board.
    Slider,
    /// Everything else: hops, lame leaps, captures unlike other moves, slides within a region.
    Mixed,
}

/// How a ray of a [`Style::Mixed`] face is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Use {
    quiet: bool,
    capture: bool,
    hops: bool,
}

/// Leaps that share a path, which must be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lame {
    path: u128,
    quiet: u128,
    capture: u128,
}

/// The movement of one face of one colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mover {
    style: Style,
    /// By origin: leaps that capture.
    leaps: Vec<Bitboard>,
    /// By origin: captures in any way, whatever else stands on the board.
    reach: Vec<Bitboard>,
    /// By `origin * uses.len() + ray`: the squares within range on an empty board. Rays to higher
    /// squares come first.
    rays: Vec<u128>,
    rising: usize,
    /// By ray.
    uses: Vec<Use>,
    /// By origin: leaps without capture; for [`Style::Mixed`] alone, as are the next two.
    quiet_leaps: Vec<Bitboard>,
    /// By origin.
    lame: Vec<Vec<Lame>>,
    region: Bitboard,
}

impl Mover {
    pub(crate) fn new(movement: &Movement, board: Bitboard) -> Mover {
        let squares = movement.cells.len();
        let origins = || (0..squares).map(Square::new);
        let mut order: Vec<usize> = (0..movement.rays.len()).collect();
        order.sort_by_key(|&ray| !movement.rays[ray].rises());
        let ray = |from: Square, ray: usize| {
            movement.ray_squares[from.index() * movement.rays.len() + ray]
        };
        let style = match (movement.plain, movement.rays.is_empty()) {
            (true, true) => Style::Leaper,
            (true, false) if movement.region == board => Style::Slider,
            _ => Style::Mixed,
        };
        let mixed = style == Style::Mixed;
        let quiet_leaps = movement.cells.iter().map(|cell| cell.quiet).filter(|_| mixed).collect();
        let reach = origins().map(|from| {
            let cell = &movement.cells[from.index()];
            cell.capture | cell.line | cell.hop | movement.odd_from(from)
        });
        Mover {
            style,
            leaps: movement.cells.iter().map(|cell| cell.capture).collect(),
            reach: reach.collect(),
            rays: origins().flat_map(|from| order.iter().map(move |&at| ray(from, at))).collect(),
            rising: movement.rays.iter().filter(|ray| ray.rises()).count(),
            uses: order
                .iter()
                .map(|&ray| &movement.rays[ray])
                .map(|ray| Use { quiet: ray.quiet, capture: ray.capture, hops: ray.hops })
                .collect(),
            quiet_leaps,
            lame: origins().map(|from| lame(movement, from)).filter(|_| mixed).collect(),
            region: movement.region,
        }
    }

    /// The squares it might capture on, whatever else stands on the board.
    #[inline]
    pub(crate) fn reach(&self, from: Square) -> Bitboard {
        self.reach[from.index()]
    }

    /// Whether it captures all it can reach, whatever else stands on the board.
    #[inline]
    pub(crate) fn leaps_only(&self) -> bool {
        self.style == Style::Leaper
    }

    /// What the piece attacks: capture targets, whoever stands there, and empty squares it would
    /// capture on.
    #[inline]
    pub(crate) fn attacks(&self, from: Square, occupied: Bitboard) -> Bitboard {
        match self.style {
            Style::Leaper => self.leaps[from.index()],
            Style::Slider => Bitboard(self.slides(from, occupied)),
            Style::Mixed => self.mixed(from, occupied).1,
        }
    }

    /// Where the piece may go: without capture, and with the capture of one of `enemies`.
    #[inline]
    pub(crate) fn targets(
        &self,
        from: Square,
        occupied: Bitboard,
        enemies: Bitboard,
    ) -> (Bitboard, Bitboard) {
        let (quiet, attacks) = match self.style {
            Style::Leaper => (self.leaps[from.index()], self.leaps[from.index()]),
            Style::Slider => {
                let slides = Bitboard(self.slides(from, occupied));
                (slides, slides)
            }
            Style::Mixed => self.mixed(from, occupied),
        };
        (quiet.without(occupied), attacks & enemies)
    }

    /// Leaps and slides of a [`Style::Slider`].
    #[inline]
    fn slides(&self, from: Square, occupied: Bitboard) -> u128 {
        let rays = &self.rays[from.index() * self.uses.len()..][..self.uses.len()];
        let (rising, falling) = rays.split_at(self.rising);
        let leaps = self.leaps[from.index()].0;
        let up = rising.iter().fold(leaps, |all, &ray| all | rise(ray, occupied.0));
        falling.iter().fold(up, |all, &ray| all | fall(ray, occupied.0))
    }

    /// Quiet moves (occupied squares not yet left out) and attacks of a [`Style::Mixed`].
    fn mixed(&self, from: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let occupied = occupied.0;
        let mut quiet = self.quiet_leaps[from.index()].0;
        let mut attacks = self.leaps[from.index()].0;
        let rays = &self.rays[from.index() * self.uses.len()..][..self.uses.len()];
        for (at, (&ray, used)) in rays.iter().zip(&self.uses).enumerate() {
            let reached = match (at < self.rising, used.hops) {
                (true, false) => rise(ray, occupied),
                (false, false) => fall(ray, occupied),
                (true, true) => rise(above_first(ray, occupied), occupied),
                (false, true) => fall(below_first(ray, occupied), occupied),
            };
            quiet |= if used.quiet { reached } else { 0 };
            attacks |= if used.capture { reached } else { 0 };
        }
        for lame in &self.lame[from.index()] {
            let free = lame.path & occupied == 0;
            quiet |= if free { lame.quiet } else { 0 };
            attacks |= if free { lame.capture } else { 0 };
        }
        (Bitboard(quiet) & self.region, Bitboard(attacks) & self.region)
    }
}

/// The lame leaps from an origin, those with the same path together.
fn lame(movement: &Movement, from: Square) -> Vec<Lame> {
    let mut groups: Vec<Lame> = Vec::new();
    for leap in movement.lame_from(from) {
        let target = Bitboard::of(leap.target).0;
        let quiet = if leap.quiet { target } else { 0 };
        let capture = if leap.capture { target } else { 0 };
        match groups.iter_mut().find(|group| group.path == leap.path) {
            Some(group) => {
                group.quiet |= quiet;
                group.capture |= capture;
            }
            None => groups.push(Lame { path: leap.path, quiet, capture }),
        }
    }
    groups
}

/// The squares of a ray to higher squares up to the first blocker, it included.
#[inline]
fn rise(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    ray & (blockers ^ blockers.wrapping_sub(1))
}

/// The squares of a ray to lower squares down to the first blocker, it included.
#[inline]
fn fall(ray: u128, occupied: u128) -> u128 {
    ray & (u128::MAX << first_down(ray & occupied))
}

/// The highest of the blockers; square 0 if there is none, which ends every ray down.
#[inline]
fn first_down(blockers: u128) -> u32 {
    127 - (blockers | 1).leading_zeros()
}

/// The squares of a ray to higher squares behind the first blocker.
#[inline]
fn above_first(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    ray & !(blockers ^ blockers.wrapping_sub(1))
}

/// The squares of a ray to lower squares behind the first blocker.
#[inline]
fn below_first(ray: u128, occupied: u128) -> u128 {
    ray & !(u128::MAX << first_down(ray & occupied))
}
