//! The left-right mirror image of squares, planes and policy.

use rules::{Color, Face, Square, Variant};

use crate::layout::{Layout, SHARED};
use crate::vocabulary::Entry;

/// A reflection under which the variant's movement stays the same. It may swap faces (a left quail
/// becomes a right quail). All three tables are permutations equal to their own inverse.
#[derive(Clone, Debug)]
pub struct Mirror {
    pub(crate) squares: Vec<u32>,
    pub(crate) planes: Vec<u32>,
    pub(crate) policy: Vec<u32>,
}

impl Mirror {
    /// Derives the mirror and checks it; `None` if the variant has none.
    pub(crate) fn new(variant: &Variant, layout: &Layout, entries: &[Entry]) -> Option<Self> {
        let squares = mirrored_squares(variant);
        if !variant.faces().all(|face| moves_mirrored(variant, face, &squares)) {
            return None;
        }
        let policy = mirrored_policy(variant, entries, &squares)?;
        let planes = mirrored_planes(variant, layout)?;
        let checked = [&squares, &planes, &policy].into_iter().all(|table| is_involution(table));
        checked.then_some(Self { squares, planes, policy })
    }

    /// `[squares]`: the mirror image of each square.
    #[must_use]
    pub fn squares(&self) -> &[u32] {
        &self.squares
    }

    /// `[planes]`: plane `p` of the mirrored position is plane `planes()[p]` with its squares mirrored.
    #[must_use]
    pub fn planes(&self) -> &[u32] {
        &self.planes
    }

    /// `[policy]`: the mirror image of each policy index.
    #[must_use]
    pub fn policy(&self) -> &[u32] {
        &self.policy
    }

    /// Writes the planes of the mirrored position to `out`; both are `[planes, ranks, files]`.
    ///
    /// # Panics
    /// If a slice does not hold the planes exactly.
    pub fn apply_planes(&self, input: &[f32], out: &mut [f32]) {
        let n = self.squares.len();
        assert_eq!(input.len(), n * self.planes.len(), "input must hold the planes exactly");
        assert_eq!(out.len(), input.len(), "output must hold the planes exactly");
        for (plane, &source) in out.chunks_exact_mut(n).zip(&self.planes) {
            let source = &input[source as usize * n..][..n];
            for (value, &square) in plane.iter_mut().zip(&self.squares) {
                *value = source[square as usize];
            }
        }
    }
}

/// The mirror image of each square.
fn mirrored_squares(variant: &Variant) -> Vec<u32> {
    let files = variant.files();
    let image = |s: usize| s / files * files + (files - 1 - s % files);
    (0..variant.squares()).map(|s| index_u32(image(s))).collect()
}

/// Whether the mirror image of the face moves as the mirror image of its moves.
fn moves_mirrored(variant: &Variant, face: Face, squares: &[u32]) -> bool {
    let Some(image) = variant.mirror_face(face) else { return false };
    (0..variant.squares()).all(|from| {
        let target =
            |face, from: usize| variant.empty_board_targets(face, Color::Black, Square::new(from));
        let mut expected: Vec<u32> =
            target(face, from).into_iter().map(|to| squares[to.index()]).collect();
        expected.sort_unstable();
        let found = target(image, squares[from] as usize).into_iter();
        found.map(|to| index_u32(to.index())).eq(expected)
    })
}

/// The mirror image of each policy index.
fn mirrored_policy(variant: &Variant, entries: &[Entry], squares: &[u32]) -> Option<Vec<u32>> {
    let image = |entry| {
        let square = |s: usize| squares[s] as usize;
        Some(match entry {
            Entry::Board { from, to, turned } => {
                Entry::Board { from: square(from), to: square(to), turned }
            }
            Entry::Drop { face, to } => {
                Entry::Drop { face: variant.mirror_face(face)?, to: square(to) }
            }
        })
    };
    let place = |entry| entries.binary_search(&entry).ok().map(index_u32);
    entries.iter().map(|&entry| image(entry).and_then(place)).collect()
}

/// The plane each plane of the mirrored position comes from.
fn mirrored_planes(variant: &Variant, layout: &Layout) -> Option<Vec<u32>> {
    let mut side: Vec<usize> = Vec::with_capacity(layout.side_planes());
    for &face in &layout.faces {
        let image = variant.mirror_face(face)?;
        side.push(layout.faces.iter().position(|&other| other == image)?);
    }
    for hand in &layout.hands {
        let image = variant.mirror_face(hand.kind.front())?.kind();
        let image = layout.hands.iter().find(|other| other.kind == image)?;
        if image.most != hand.most {
            return None;
        }
        side.extend(image.planes());
    }
    side.extend([layout.attacks, layout.attacks + 1]);

    let length = layout.side_planes();
    let opponent = side.iter().map(|plane| plane + length);
    let shared = 2 * length..2 * length + SHARED.len();
    Some(side.iter().copied().chain(opponent).chain(shared).map(index_u32).collect())
}

/// Whether applying the table twice changes nothing (which makes it a permutation).
fn is_involution(table: &[u32]) -> bool {
    let image = |i: u32| table.get(i as usize).copied();
    (0u32..).zip(table).all(|(i, &j)| image(j) == Some(i))
}

/// A table index, small by construction.
fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("tables are small")
}
