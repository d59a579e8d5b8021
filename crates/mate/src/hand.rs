//! A position as the table knows it: a key for board and turn, and the attacker's hand packed in one
//! number, so that two hands are compared by one subtraction.
//!
//! Every kind has a field wide enough for all its pieces and a spare bit above it. The pieces of a game
//! are always the same, so on an equal board more in one hand is less in the other, and a mate with
//! some pieces in hand is a mate with more.

use rules::{Color, DropFaces, Game, Kind, Move, Passage, Position, Royalty, Square, Variant};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    /// Of all of it.
    pub(crate) key: u64,
    /// Of board and turn; of all of it where hands are not compared.
    pub(crate) board: u64,
    /// The attacker's hand; 0 where hands are not compared.
    pub(crate) hand: u64,
}

/// How positions of a game are split into board and hand.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    attacker: Color,
    /// By kind: what one piece adds to a hand; empty where hands are not compared.
    units: Vec<u64>,
    /// The spare bits.
    spare: u64,
}

impl Split {
    /// For the positions that can follow the current one of `game`. `compared`: whether more in hand
    /// may count as better, as far as the rules go.
    pub(crate) fn new(game: &Game, attacker: Color, compared: bool) -> Split {
        let mut split = Split { attacker, units: Vec::new(), spare: 0 };
        if !compared || !more_is_better(game.variant()) {
            return split;
        }
        let mut shift = 0;
        for kind in (0..game.variant().kinds()).map(Kind::new) {
            let width = u32::BITS - count(game.position(), kind).leading_zeros();
            if shift + width >= u64::BITS {
                return Split { units: Vec::new(), spare: 0, ..split };
            }
            split.units.push(1 << shift);
            split.spare |= 1 << (shift + width);
            shift += width + 1;
        }
        split
    }

    /// Whether a hand holds all that the other one does.
    #[inline]
    pub(crate) fn includes(&self, hand: u64, other: u64) -> bool {
        (hand | self.spare).wrapping_sub(other) & self.spare == self.spare
    }

    /// The current position.
    pub(crate) fn id(&self, game: &Game) -> Id {
        let position = game.position();
        let (hands, hand) = self.hands(game.variant(), position);
        let key = position.key();
        Id { key, board: key.wrapping_sub(hands), hand }
    }

    /// What the hands add to the key, and the attacker's hand.
    #[inline]
    pub(crate) fn hands(&self, variant: &Variant, position: &Position) -> (u64, u64) {
        let (mut keys, mut hand) = (0_u64, 0);
        for (kind, unit) in self.units.iter().enumerate() {
            let kind = Kind::new(kind);
            for color in Color::ALL {
                let held = u64::from(position.hand(color, kind));
                if held > 0 {
                    keys = keys.wrapping_add(variant.hand_key(color, kind).wrapping_mul(held));
                    hand += if color == self.attacker { unit * held } else { 0 };
                }
            }
        }
        (keys, hand)
    }

    /// The position after a legal move; `hands` is what [`Split::hands`] says of the one before it.
    #[inline]
    pub(crate) fn after(
        &self,
        variant: &Variant,
        position: &Position,
        mv: Move,
        hands: (u64, u64),
    ) -> Id {
        let key = position.key_after(variant, mv);
        if self.units.is_empty() {
            return Id { key, board: key, hand: 0 };
        }
        let (mut keys, mut hand) = hands;
        let mover = position.side_to_move();
        let unit = |kind: Kind| if mover == self.attacker { self.units[kind.index()] } else { 0 };
        if mv.is_drop() {
            let kind = mv.face().kind();
            keys = keys.wrapping_sub(variant.hand_key(mover, kind));
            hand -= unit(kind);
        } else if let Some(captured) = position.piece_at(mv.to()) {
            let kind = captured.face.kind();
            keys = keys.wrapping_add(variant.hand_key(mover, kind));
            hand += unit(kind);
        }
        Id { key, board: key.wrapping_sub(keys), hand }
    }
}

/// Whether more pieces in the attacker's hand, and fewer in the defender's, never harm the attacker.
/// They could where there is no check, and where a drop that may not mate could be answered by another
/// drop: with fewer pieces to answer, it would become a forbidden mate.
fn more_is_better(variant: &Variant) -> bool {
    let rules = variant.rules();
    let leaps = |face| {
        let squares = (0..variant.squares()).map(Square::new);
        let mut reaches = squares.flat_map(|from| variant.reaches(face, Color::Black, from));
        reaches.all(|reach| reach.passage == Passage::Leap)
    };
    let mut limited = variant.faces().filter(|&face| variant.may_not_mate(face));
    rules.royalty == Royalty::Protected && rules.drop_faces != DropFaces::None && limited.all(leaps)
}

fn count(position: &Position, kind: Kind) -> u32 {
    let count = |color| {
        let on_board =
            [kind.front(), kind.reverse()].map(|face| position.pieces(color, face).len());
        on_board[0] + on_board[1] + usize::from(position.hand(color, kind))
    };
    Color::ALL.map(count).iter().sum::<usize>() as u32
}
