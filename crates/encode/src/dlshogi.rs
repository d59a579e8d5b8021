//! The encoding of dlshogi for 9x9 shogi: 62 + 57 planes and 2,187 labels, as engines that load such
//! nets expect them (contract of dlshogi and of YaneuraOu's deep edition, `dlshogi-WCSC28`).
//!
//! Cells are numbered file by file from the mover's right, each from the far rank:
//! `cell = (file - 1) * 9 + rank`, with rank 0 the far one. Planes are `[9 files, 9 ranks]`.
//!
//! Planes of the board, for the mover and then for the opponent: a plane per face with the squares it
//! stands on, a plane per face with the squares it attacks, and three with the squares attacked at
//! least once, twice, three times. Planes of the hands, for both: as many full planes of each kind as
//! there are pieces in the hand, within the kind's room; last, one that is full in check.
//!
//! Labels are `direction * 81 + cell of arrival`: ten directions, ten with promotion, seven drops.

use rules::{Color, Fingerprint, Game, Kind, MAX_FACES, Position, Variant};

use crate::Mirror;
use crate::vocabulary::{NONE, Vocabulary};

const SIDE: usize = 9;
const CELLS: usize = SIDE * SIDE;

/// The faces in the order of their planes.
const FACES: [&str; 14] =
    ["P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"];
/// Attacked at least 1, 2, 3 times.
const COUNTS: usize = 3;
const BOARD_PLANES_EACH: usize = 2 * FACES.len() + COUNTS;

/// The kinds in the order of their planes, each with its room.
const HANDS: [(&str, usize); 7] =
    [("P", 8), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)];
const HAND_PLANES_EACH: usize = 28;

/// Planes of the first input, the board.
pub const BOARD_PLANES: usize = 2 * BOARD_PLANES_EACH;
/// Planes of the second input: hands and check.
pub const HAND_PLANES: usize = 2 * HAND_PLANES_EACH + 1;

/// The directions of a move on the board in the order of their labels, as steps
/// (files to the mover's right, ranks forward).
const DIRECTIONS: [(&str, isize, isize); 10] = [
    ("up", 0, 1),
    ("up-left", -1, 1),
    ("up-right", 1, 1),
    ("left", -1, 0),
    ("right", 1, 0),
    ("down", 0, -1),
    ("down-left", -1, -1),
    ("down-right", 1, -1),
    ("jump-left", -1, 2),
    ("jump-right", 1, 2),
];
/// The kinds in the order of their drops.
const DROPS: [&str; 7] = ["P", "L", "N", "S", "B", "R", "G"];
/// Planes of the policy head, each `[9 files, 9 ranks]`.
const LABELS: usize = 2 * DIRECTIONS.len() + DROPS.len();

/// A variant that this encoding does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the dlshogi encoding is for 9x9 shogi; the board of `{0}` differs from it")]
pub struct NotShogi(
    /// Id of the variant.
    pub String,
);

/// Where the planes of 9x9 shogi lie.
#[derive(Clone, Debug)]
pub(crate) struct Planes {
    /// By face: its place in [`FACES`].
    face_planes: [u8; MAX_FACES],
    /// In the order of [`HANDS`].
    hands: [Kind; HANDS.len()],
}

impl Planes {
    /// The encoding, if `variant` has the board and pieces of shogi.
    pub(crate) fn new(variant: &Variant) -> Result<Planes, NotShogi> {
        let shogi = Variant::builtin("shogi").expect("shogi is built in");
        if variant.board_fingerprint() != shogi.board_fingerprint() {
            return Err(NotShogi(variant.id().to_owned()));
        }
        let face = |letter| variant.face_from_letter(letter).expect("shogi has this piece");
        let mut face_planes = [0; MAX_FACES];
        for (plane, letter) in (0..).zip(FACES) {
            face_planes[face(letter).index()] = plane;
        }
        Ok(Planes { face_planes, hands: HANDS.map(|(letter, _)| face(letter).kind()) })
    }

    /// Writes all planes, the board's first; `out` is `[BOARD_PLANES + HAND_PLANES, 9, 9]` of zeros.
    pub(crate) fn encode(&self, variant: &Variant, game: &Game, out: &mut [f32]) {
        let position = game.position();
        let mover = position.side_to_move();
        let (board, hands) = out.split_at_mut(BOARD_PLANES * CELLS);
        for (side, planes) in
            [mover, !mover].into_iter().zip(board.chunks_exact_mut(BOARD_PLANES_EACH * CELLS))
        {
            self.encode_board(variant, position, side, mover, planes);
        }
        for (side, planes) in
            [mover, !mover].into_iter().zip(hands.chunks_exact_mut(HAND_PLANES_EACH * CELLS))
        {
            self.encode_hand(position, side, planes);
        }
        if game.in_check() {
            hands[2 * HAND_PLANES_EACH * CELLS..].fill(1.0);
        }
    }

    fn encode_board(
        &self,
        variant: &Variant,
        position: &Position,
        side: Color,
        mover: Color,
        out: &mut [f32],
    ) {
        let occupied = position.occupied();
        let mut attackers = [0_usize; CELLS];
        position.color(side).into_iter().for_each(|square| {
            let face = position.piece_at(square).expect("a square of a colour holds a piece").face;
            let plane = usize::from(self.face_planes[face.index()]);
            out[plane * CELLS + cell(square.index(), mover)] = 1.0;
            let attacks = variant.attacks(face, side, square, occupied);
            attacks.into_iter().for_each(|target| {
                let target = cell(target.index(), mover);
                out[(FACES.len() + plane) * CELLS + target] = 1.0;
                attackers[target] += 1;
            });
        });
        let counts = out[2 * FACES.len() * CELLS..].chunks_exact_mut(CELLS);
        for (least, plane) in (1..).zip(counts) {
            for (value, _) in plane.iter_mut().zip(attackers).filter(|&(_, n)| n >= least) {
                *value = 1.0;
            }
        }
    }

    fn encode_hand(&self, position: &Position, side: Color, out: &mut [f32]) {
        let mut first = 0;
        for (kind, (_, room)) in self.hands.into_iter().zip(HANDS) {
            let count = usize::from(position.hand(side, kind)).min(room);
            out[first * CELLS..(first + count) * CELLS].fill(1.0);
            first += room;
        }
    }
}

/// The planes in words, in order.
pub(crate) fn plane_names() -> Vec<String> {
    let mut names = Vec::with_capacity(BOARD_PLANES + HAND_PLANES);
    for side in ["own", "opponent"] {
        names.extend(FACES.map(|face| format!("{side} {face}")));
        names.extend(FACES.map(|face| format!("{side} attacks of {face}")));
        names.extend((1..=COUNTS).map(|n| format!("{side} attackers >= {n}")));
    }
    for side in ["own", "opponent"] {
        for (letter, room) in HANDS {
            names.extend((1..=room).map(|n| format!("{side} hand {letter} >= {n}")));
        }
    }
    names.push("in check".to_owned());
    names
}

/// The labels as a vocabulary: as many entries as the head has outputs, in their order.
pub(crate) fn vocabulary(variant: &Variant) -> Vocabulary {
    let mut table = vec![NONE; (2 * CELLS + MAX_FACES) * CELLS];
    let mut set = |slot: usize, label: usize, to: usize| {
        let index = label * CELLS + cell(to, Color::Black);
        table[slot] = u16::try_from(index).expect("there are 2,187 labels");
    };
    for (from, to) in (0..CELLS).flat_map(|from| (0..CELLS).map(move |to| (from, to))) {
        let Some(direction) = direction(from, to) else { continue };
        for promoted in 0..2 {
            let label = promoted * DIRECTIONS.len() + direction;
            set((promoted * CELLS + from) * CELLS + to, label, to);
        }
    }
    for (drop, letter) in DROPS.into_iter().enumerate() {
        let face = variant.face_from_letter(letter).expect("shogi has this piece").index();
        for to in 0..CELLS {
            set((2 * CELLS + face) * CELLS + to, 2 * DIRECTIONS.len() + drop, to);
        }
    }
    let names = label_names();
    Vocabulary {
        fingerprint: Fingerprint::of(&format!("vocabulary dlshogi\n{}\n", names.join("\n"))),
        head_gather: (0..u32::try_from(names.len()).expect("2,187 labels")).collect(),
        head_planes: LABELS,
        squares: CELLS,
        table,
        names,
    }
}

/// The direction of a move from one square to another; `None` if no piece moves so.
fn direction(from: usize, to: usize) -> Option<usize> {
    let files = (to % SIDE).cast_signed() - (from % SIDE).cast_signed();
    let ranks = (to / SIDE).cast_signed() - (from / SIDE).cast_signed();
    let step = match (files.abs(), ranks) {
        (1, 2) => (files, ranks),
        (f, r) if (f, r) != (0, 0) && (f == 0 || r == 0 || f == r.abs()) => {
            (files.signum(), ranks.signum())
        }
        _ => return None,
    };
    DIRECTIONS.iter().position(|&(_, files, ranks)| (files, ranks) == step)
}

/// `up 7f`, `up+ 7c`, `drop P 5e`: the label, and the square of arrival as the first player names it.
fn label_names() -> Vec<String> {
    let moves = DIRECTIONS.iter().map(|(name, ..)| (*name).to_owned());
    let promotions = DIRECTIONS.iter().map(|(name, ..)| format!("{name}+"));
    let drops = DROPS.iter().map(|letter| format!("drop {letter}"));
    let labels = moves.chain(promotions).chain(drops);
    let cells = || (0..CELLS).map(|cell| (cell / SIDE + 1, b'a' + (cell % SIDE) as u8));
    labels
        .flat_map(|label| {
            cells().map(move |(file, rank)| format!("{label} {file}{}", char::from(rank)))
        })
        .collect()
}

/// The left-right mirror of cells and labels; no plane changes its meaning.
pub(crate) fn mirror() -> Mirror {
    let image = |cell: usize| (SIDE - 1 - cell / SIDE) * SIDE + cell % SIDE;
    let label_image = |label: usize| match label {
        0..20 => {
            let (_, files, ranks) = DIRECTIONS[label % 10];
            let mirrored = DIRECTIONS.iter().position(|&(_, f, r)| (f, r) == (-files, ranks));
            label / 10 * 10 + mirrored.expect("each direction has its mirror image")
        }
        drop => drop,
    };
    let index = |i: usize| u32::try_from(i).expect("tables are small");
    let policy = |i: usize| index(label_image(i / CELLS) * CELLS + image(i % CELLS));
    Mirror {
        squares: (0..CELLS).map(|cell| index(image(cell))).collect(),
        planes: (0..BOARD_PLANES + HAND_PLANES).map(index).collect(),
        policy: (0..LABELS * CELLS).map(policy).collect(),
    }
}

/// The cell of a square as the mover sees it.
fn cell(square: usize, mover: Color) -> usize {
    let square = crate::own_view(square, mover, CELLS);
    (SIDE - 1 - square % SIDE) * SIDE + (SIDE - 1 - square / SIDE)
}
