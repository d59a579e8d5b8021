//! A position: board, hands, side to move, and the key that is kept up to date with them.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::tables::Tables;
use crate::types::{Color, Face, Kind, MAX_FACES, MAX_KINDS, MAX_SQUARES, Piece, Square};
use crate::variant::Variant;

const NOBODY: u8 = 0xff;
const COLOR_SHIFT: u8 = 5;

/// A piece in one byte: `color << 5 | face`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceCode(u8);

impl PieceCode {
    #[inline]
    pub(crate) fn new(color: Color, face: Face) -> PieceCode {
        PieceCode((color.index() as u8) << COLOR_SHIFT | face.0)
    }

    /// Below `2 * MAX_FACES`.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) & (2 * MAX_FACES - 1)
    }

    #[inline]
    pub(crate) fn color(self) -> Color {
        if self.0 >> COLOR_SHIFT == 0 { Color::Black } else { Color::White }
    }

    #[inline]
    pub(crate) fn face(self) -> Face {
        Face(self.0 & (MAX_FACES as u8 - 1))
    }
}

/// A position without its history.
///
/// # Equality
/// Same piece, face and owner on every square, same hands, same side to move. Move numbers and
/// clocks are no part of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    key: u64,
    colors: [Bitboard; 2],
    /// `color << 5 | face`, or [`NOBODY`].
    board: [u8; MAX_SQUARES],
    hands: [[u8; MAX_KINDS]; 2],
    /// Square index, or [`NOBODY`].
    kings: [u8; 2],
    side: Color,
}

impl Position {
    /// No piece anywhere; Black to move.
    pub(crate) fn empty() -> Position {
        Position {
            key: 0,
            colors: [Bitboard::EMPTY; 2],
            board: [NOBODY; MAX_SQUARES],
            hands: [[0; MAX_KINDS]; 2],
            kings: [NOBODY; 2],
            side: Color::Black,
        }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.board[square.index() & (MAX_SQUARES - 1)] {
            NOBODY => None,
            code => {
                let color = if code >> COLOR_SHIFT == 0 { Color::Black } else { Color::White };
                Some(Piece { color, face: Face(code & (MAX_FACES as u8 - 1)) })
            }
        }
    }

    /// The face on a square that is known to be occupied.
    #[inline]
    pub(crate) fn face_at(&self, square: Square) -> Face {
        Face(self.board[square.index() & (MAX_SQUARES - 1)] & (MAX_FACES as u8 - 1))
    }

    /// The piece on a square that is known to be occupied.
    #[inline]
    pub(crate) fn code_at(&self, square: Square) -> PieceCode {
        PieceCode(self.board[square.index() & (MAX_SQUARES - 1)])
    }

    /// The squares with this face of this colour.
    pub fn pieces(&self, color: Color, face: Face) -> Bitboard {
        self.color(color).into_iter().filter(|&square| self.face_at(square) == face).collect()
    }

    /// All squares with pieces of this colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All squares with pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// How many pieces of a kind a player holds.
    #[inline]
    pub fn hand(&self, color: Color, kind: Kind) -> u8 {
        self.hands[color.index()][kind.index() & (MAX_KINDS - 1)]
    }

    /// Where a player's king stands, if there is one.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        match self.kings[color.index()] {
            NOBODY => None,
            square => Some(Square(square)),
        }
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// A hash of board, hands and side to move; equal positions have equal keys, and the reverse
    /// holds but for chance. The key depends on the variant only through the piece numbers.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key of the position after a legal move.
    #[inline]
    pub fn key_after(&self, variant: &Variant, mv: Move) -> u64 {
        let (keys, side, to) = (variant.keys(), self.side, mv.to());
        let code = |color, face| PieceCode::new(color, face).0;
        let mut key = self.key.wrapping_add(keys.piece(code(side, mv.face()), to));
        match mv.from() {
            None => key = key.wrapping_sub(keys.hand(side, mv.face().kind())),
            Some(from) => {
                key = key.wrapping_sub(keys.piece(code(side, self.face_at(from)), from));
                if self.color(!side).contains(to) {
                    let captured = self.face_at(to);
                    key = key.wrapping_sub(keys.piece(code(!side, captured), to));
                    if variant.has_hands() {
                        key = key.wrapping_add(keys.hand(side, captured.kind()));
                    }
                }
            }
        }
        match side {
            Color::Black => key.wrapping_add(keys.side),
            Color::White => key.wrapping_sub(keys.side),
        }
    }

    /// The same position with the other side to move: what a threat is measured against. It is no
    /// position of the game if the side to move was in check.
    pub fn passed(&self, variant: &Variant) -> Position {
        let mut next = self.clone();
        next.flip_side(variant);
        next
    }

    /// The same position with every piece that the start position has, and that is neither on the board
    /// nor in a hand, in the hand of `color`; kings left out. Where there are no hands, the same.
    pub fn with_rest_in_hand(&self, variant: &Variant, color: Color) -> Position {
        let mut filled = self.clone();
        let kinds = (0..variant.kinds()).map(Kind::new);
        for kind in kinds.filter(|&kind| variant.has_hands() && kind != variant.royal()) {
            let missing = variant.piece_count(kind).saturating_sub(self.count(kind));
            filled.add_to_hand(variant, color, kind, missing as u8);
        }
        filled
    }

    /// How many pieces of a kind there are, on the board and in the hands.
    pub(crate) fn count(&self, kind: Kind) -> usize {
        let on_board = self.occupied().into_iter().filter(|&at| self.face_at(at).kind() == kind);
        let held = Color::ALL.map(|color| usize::from(self.hand(color, kind)));
        on_board.count() + held[0] + held[1]
    }

    /// The key computed from nothing, which [`Position::key`] always equals.
    pub fn recomputed_key(&self, variant: &Variant) -> u64 {
        let keys = variant.keys();
        let mut key = if self.side == Color::White { keys.side } else { 0 };
        for square in self.occupied() {
            key = key.wrapping_add(keys.piece(self.board[square.index()], square));
        }
        for color in Color::ALL {
            for (kind, &count) in self.hands[color.index()].iter().enumerate() {
                let each = keys.hand(color, Kind::new(kind));
                key = key.wrapping_add(each.wrapping_mul(u64::from(count)));
            }
        }
        key
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, variant: &Variant, square: Square, piece: Piece) {
        let code = (piece.color.index() as u8) << COLOR_SHIFT | piece.face.0;
        self.board[square.index() & (MAX_SQUARES - 1)] = code;
        self.colors[piece.color.index()].insert(square);
        self.key = self.key.wrapping_add(variant.keys().piece(code, square));
        if piece.face.kind() == variant.royal() {
            self.kings[piece.color.index()] = square.0;
        }
    }

    /// Takes the piece from an occupied square.
    #[inline]
    fn take(&mut self, variant: &Variant, square: Square, color: Color) -> Face {
        let code = self.board[square.index() & (MAX_SQUARES - 1)];
        self.board[square.index() & (MAX_SQUARES - 1)] = NOBODY;
        self.colors[color.index()].remove(square);
        self.key = self.key.wrapping_sub(variant.keys().piece(code, square));
        let face = Face(code & (MAX_FACES as u8 - 1));
        if face.kind() == variant.royal() {
            self.kings[color.index()] = NOBODY;
        }
        face
    }

    /// Adds pieces to a hand.
    pub(crate) fn add_to_hand(&mut self, variant: &Variant, color: Color, kind: Kind, count: u8) {
        self.hands[color.index()][kind.index()] += count;
        let each = variant.keys().hand(color, kind);
        self.key = self.key.wrapping_add(each.wrapping_mul(u64::from(count)));
    }

    /// Gives the turn to a colour.
    pub(crate) fn set_side(&mut self, variant: &Variant, side: Color) {
        if self.side != side {
            self.flip_side(variant);
        }
    }

    #[inline]
    fn flip_side(&mut self, variant: &Variant) {
        self.side = !self.side;
        self.key = match self.side {
            Color::Black => self.key.wrapping_sub(variant.keys().side),
            Color::White => self.key.wrapping_add(variant.keys().side),
        };
    }

    /// Plays a legal (or at least pseudo-legal) move.
    #[inline]
    pub(crate) fn play(&mut self, variant: &Variant, mv: Move) {
        let side = self.side;
        match mv.from() {
            None => {
                let kind = mv.face().kind();
                let count = &mut self.hands[side.index()][kind.index() & (MAX_KINDS - 1)];
                *count = count.wrapping_sub(1);
                self.key = self.key.wrapping_sub(variant.keys().hand(side, kind));
            }
            Some(from) => {
                self.take(variant, from, side);
                if self.color(!side).contains(mv.to()) {
                    let captured = self.take(variant, mv.to(), !side).kind();
                    if variant.has_hands() {
                        self.hands[side.index()][captured.index() & (MAX_KINDS - 1)] += 1;
                        self.key = self.key.wrapping_add(variant.keys().hand(side, captured));
                    }
                }
            }
        }
        self.put(variant, mv.to(), Piece { color: side, face: mv.face() });
        self.flip_side(variant);
    }
}

/// Random numbers whose sum (modulo 2^64) is the key of a position.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    squares: usize,
    /// By `(color << 5 | face) * squares + square`.
    pieces: Vec<u64>,
    /// By `color * MAX_KINDS + kind`, for each piece held.
    hands: Vec<u64>,
    /// Added when White is to move.
    side: u64,
}

impl Keys {
    pub(crate) fn new(tables: &Tables) -> Keys {
        let squares = tables.geometry.squares();
        let mut state = 0x6e61_7269_6b69_6e00;
        let mut next = || splitmix64(&mut state);
        let side = next();
        let hands = (0..2 * MAX_KINDS).map(|_| next()).collect();
        let pieces = (0..2 * MAX_FACES * squares).map(|_| next()).collect();
        Keys { squares, pieces, hands, side }
    }

    /// Keys that make every position collide with every other one.
    #[cfg(test)]
    pub(crate) fn colliding(tables: &Tables) -> Keys {
        let keys = Keys::new(tables);
        let zeros = |numbers: Vec<u64>| vec![0; numbers.len()];
        Keys { pieces: zeros(keys.pieces), hands: zeros(keys.hands), side: 0, ..keys }
    }

    #[inline]
    fn piece(&self, code: u8, square: Square) -> u64 {
        self.pieces[usize::from(code) * self.squares + square.index()]
    }

    #[inline]
    pub(crate) fn hand(&self, color: Color, kind: Kind) -> u64 {
        self.hands[color.index() * MAX_KINDS + kind.index()]
    }
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
