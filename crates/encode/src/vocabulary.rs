//! The policy vocabulary: one index for every move a variant can have, and where the head finds it.
//!
//! Board moves are (from, to) pairs of the movement of any face on an empty board, seen from the
//! mover. Where the player may choose whether to turn the piece over, pairs that touch the zone have
//! a second, *turned* entry; where the rules alone decide (a capture, every move, a compulsory
//! promotion) the position tells, and no entry is spent on it. Drops are face x square.
//!
//! The head is a stack of planes over the board, one per displacement, one per displacement of a
//! turned move, one per droppable face. An entry sits at its from-square, a drop at its to-square.

use std::collections::BTreeSet;

use rules::{Color, Face, Fingerprint, MAX_FACES, Move, Promotion, Square, Turn, Variant};

use crate::{dropped_faces, own_view, square_name};

/// Marks a place of the index table that no move of the variant reaches.
pub(crate) const NONE: u16 = u16::MAX;

/// One entry, in the mover's own coordinates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Entry {
    /// A move on the board; `turned` only where the player chooses.
    Board { from: usize, to: usize, turned: bool },
    /// A drop of a face.
    Drop { face: Face, to: usize },
}

/// All policy indices of a variant, in a fixed order: board moves by from, to, turned; then drops by
/// face, square.
#[derive(Debug)]
pub struct Vocabulary {
    pub(crate) names: Vec<String>,
    /// `[plain | turned | drops]` = `[squares x squares | squares x squares | faces x squares]`.
    pub(crate) table: Vec<u16>,
    pub(crate) squares: usize,
    pub(crate) head_planes: usize,
    pub(crate) head_gather: Vec<u32>,
    pub(crate) fingerprint: Fingerprint,
}

impl Vocabulary {
    /// Derives the vocabulary from the variant.
    #[must_use]
    pub fn new(variant: &Variant) -> Self {
        let entries = entries(variant);
        let names: Vec<String> = entries.iter().map(|&e| entry_name(variant, e)).collect();
        let head = HeadLayout::new(variant, &entries);
        let head_gather = entries.iter().map(|&e| head.place(e)).collect();
        let description = format!(
            "vocabulary 1\n{}x{}\n{}\n",
            variant.files(),
            variant.ranks(),
            names.join("\n")
        );
        Self {
            table: index_table(variant, &entries),
            squares: variant.squares(),
            head_planes: head.planes(),
            head_gather,
            fingerprint: Fingerprint::of(&description),
            names,
        }
    }

    /// Number of entries: the length of the policy.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a variant without moves does not compile")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The index of a move played by `color`.
    ///
    /// # Panics
    /// If it is not a move of this variant; see [`Vocabulary::find`] for moves from outside.
    #[inline]
    #[must_use]
    pub fn index(&self, mv: Move, color: Color) -> usize {
        self.find(mv, color).expect("moves of the variant's own generator are in its vocabulary")
    }

    /// The index of a move played by `color`; `None` if no piece of the variant can move so.
    #[inline]
    #[must_use]
    pub fn find(&self, mv: Move, color: Color) -> Option<usize> {
        let n = self.squares;
        let to = mv.to().index();
        let from = mv.from().map_or(0, |from| from.index());
        if to >= n || from >= n {
            return None;
        }
        let to = own_view(to, color, n);
        let slot = if mv.is_drop() {
            (2 * n + mv.face().index()) * n + to
        } else {
            (usize::from(mv.turned()) * n + own_view(from, color, n)) * n + to
        };
        let index = self.table[slot];
        (index != NONE).then_some(usize::from(index))
    }

    /// The entry in words, in the mover's own coordinates: `a2a3`, `a2a3+` (turned over), `P@b3`.
    ///
    /// # Panics
    /// If `index >= len()`.
    #[must_use]
    pub fn name(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// Number of planes the policy head gives, each `[ranks, files]`.
    #[must_use]
    pub fn head_planes(&self) -> usize {
        self.head_planes
    }

    /// `[len()]`: where in the flattened head output `[head_planes, ranks, files]` each entry lies.
    #[must_use]
    pub fn head_gather(&self) -> &[u32] {
        &self.head_gather
    }

    /// Hash of the board's shape and all entries in order: equal for equal policies.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
}

/// All entries in index order.
pub(crate) fn entries(variant: &Variant) -> Vec<Entry> {
    let chosen = turning_is_chosen(variant);
    let mut set = BTreeSet::new();
    for face in variant.faces() {
        for from in 0..variant.squares() {
            for to in variant.empty_board_targets(face, Color::Black, Square::new(from)) {
                let to = to.index();
                set.insert(Entry::Board { from, to, turned: false });
                if chosen && can_turn(variant, face, from, to) {
                    set.insert(Entry::Board { from, to, turned: true });
                }
            }
        }
    }
    for face in dropped_faces(variant) {
        set.extend((0..variant.squares()).map(|to| Entry::Drop { face, to }));
    }
    set.into_iter().collect()
}

/// Whether turned moves have entries of their own: elsewhere the position decides which it is.
fn turning_is_chosen(variant: &Variant) -> bool {
    variant.promotion().rule == Promotion::Choice
}

/// Whether this face can turn over on this move.
fn can_turn(variant: &Variant, face: Face, from: usize, to: usize) -> bool {
    let (from, to) = (Square::new(from), Square::new(to));
    variant.turn(face, Color::Black, from, to, false) != Turn::Keep
}

/// The flat table behind [`Vocabulary::find`].
fn index_table(variant: &Variant, entries: &[Entry]) -> Vec<u16> {
    let n = variant.squares();
    let chosen = turning_is_chosen(variant);
    let mut table = vec![NONE; (2 * n + MAX_FACES) * n];
    for (index, entry) in entries.iter().enumerate() {
        let index = u16::try_from(index).expect("128 squares and 32 faces give fewer entries");
        match *entry {
            Entry::Board { from, to, turned } => {
                table[(usize::from(turned) * n + from) * n + to] = index;
                if !chosen {
                    table[(n + from) * n + to] = index;
                }
            }
            Entry::Drop { face, to } => table[(2 * n + face.index()) * n + to] = index,
        }
    }
    table
}

/// The entry in words, for fingerprints and people.
fn entry_name(variant: &Variant, entry: Entry) -> String {
    let files = variant.files();
    match entry {
        Entry::Board { from, to, turned } => {
            let mark = if turned { "+" } else { "" };
            format!("{}{}{mark}", square_name(from, files), square_name(to, files))
        }
        Entry::Drop { face, to } => {
            format!("{}@{}", variant.face_letter(face), square_name(to, files))
        }
    }
}

/// The planes of the policy head: which kind of move each one stands for.
struct HeadLayout {
    /// Sorted: plain displacements, displacements of turned moves, drop faces.
    planes: Vec<HeadPlane>,
    files: usize,
    squares: usize,
}

/// What one plane of the policy head stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum HeadPlane {
    Board { turned: bool, ranks: isize, files: isize },
    Drop { face: Face },
}

impl HeadLayout {
    fn new(variant: &Variant, entries: &[Entry]) -> Self {
        let files = variant.files();
        let planes: BTreeSet<_> = entries.iter().map(|&e| HeadPlane::of(e, files)).collect();
        Self { planes: planes.into_iter().collect(), files, squares: variant.squares() }
    }

    fn planes(&self) -> usize {
        self.planes.len()
    }

    /// The place of an entry in the flattened head output.
    fn place(&self, entry: Entry) -> u32 {
        let plane = self.planes.binary_search(&HeadPlane::of(entry, self.files));
        let plane = plane.expect("the planes were collected from the same entries");
        let square = match entry {
            Entry::Board { from, .. } => from,
            Entry::Drop { to, .. } => to,
        };
        u32::try_from(plane * self.squares + square).expect("planes and squares are few")
    }
}

impl HeadPlane {
    fn of(entry: Entry, board_files: usize) -> Self {
        match entry {
            Entry::Board { from, to, turned } => Self::Board {
                turned,
                ranks: (to / board_files).cast_signed() - (from / board_files).cast_signed(),
                files: (to % board_files).cast_signed() - (from % board_files).cast_signed(),
            },
            Entry::Drop { face, .. } => Self::Drop { face },
        }
    }
}
