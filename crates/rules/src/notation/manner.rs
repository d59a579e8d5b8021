//! How one of several pieces comes to a square, in Japanese notation: `上` forward, `寄` sideways,
//! `引` backward; `右`, `左` from the right or the left, `直` straight ahead by one square.
//!
//! The direction is named if it is enough, else the side, else both. The side is that of the origin,
//! seen from the square of arrival; of sliding pieces (dragons, horses), which never come `直`, it is
//! the side of the one piece seen from the others.

use std::cmp::Ordering;

use crate::bitboard::Bitboard;
use crate::game::Game;
use crate::types::{Color, Square};

/// The words of a text; none if there is only one piece to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Manner {
    side: Option<Side>,
    /// Greater: forward.
    direction: Option<Ordering>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Straight,
    Left,
    Right,
}

/// The first word of each line is written, all are read.
const SIDES: [(char, Side); 3] = [('直', Side::Straight), ('左', Side::Left), ('右', Side::Right)];
const DIRECTIONS: [(char, Ordering); 5] = [
    ('上', Ordering::Greater),
    ('寄', Ordering::Equal),
    ('引', Ordering::Less),
    ('行', Ordering::Greater),
    ('入', Ordering::Greater),
];

impl Manner {
    pub(super) fn spell(self) -> String {
        let side = SIDES.iter().find(|(_, side)| self.side == Some(*side));
        let way = DIRECTIONS.iter().find(|(_, way)| self.direction == Some(*way));
        side.map(|(word, _)| *word).into_iter().chain(way.map(|(word, _)| *word)).collect()
    }

    /// The leading words, and the text behind them.
    pub(super) fn read(text: &str) -> (Manner, &str) {
        fn word<'a, T: Copy>(text: &'a str, words: &[(char, T)]) -> Option<(T, &'a str)> {
            words.iter().find_map(|(word, value)| Some((*value, text.strip_prefix(*word)?)))
        }
        let (side, text) =
            word(text, &SIDES).map_or((None, text), |(side, rest)| (Some(side), rest));
        let (direction, text) =
            word(text, &DIRECTIONS).map_or((None, text), |(way, rest)| (Some(way), rest));
        (Manner { side, direction }, text)
    }

    /// From the shortest to the longest.
    fn all() -> impl Iterator<Item = Manner> {
        let sides = || SIDES.map(|(_, side)| Some(side)).into_iter();
        let ways = || DIRECTIONS[..3].iter().map(|(_, way)| Some(*way));
        let none = [Manner::default()].into_iter();
        none.chain(ways().map(|direction| Manner { side: None, direction }))
            .chain(sides().map(|side| Manner { side, direction: None }))
            .chain(
                sides()
                    .flat_map(move |side| ways().map(move |way| Manner { side, direction: way })),
            )
    }
}

/// The pieces of one name that could go to a square.
pub(super) struct Comers<'a> {
    game: &'a Game,
    to: Square,
    origins: Bitboard,
}

impl<'a> Comers<'a> {
    pub(super) fn new(game: &'a Game, to: Square, origins: Bitboard) -> Comers<'a> {
        Comers { game, to, origins }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// The words that tell the piece on `from` from the others, if any do.
    pub(super) fn manner(&self, from: Square) -> Option<Manner> {
        let alone = |manner: &Manner| {
            let fitting = self.origins.into_iter().filter(|&origin| self.fits(*manner, origin));
            fitting.eq([from])
        };
        Manner::all().find(alone)
    }

    /// Whether the words are true of the piece on `from`.
    pub(super) fn fits(&self, manner: Manner, from: Square) -> bool {
        let goes = |origin| manner.direction.is_none_or(|way| way == self.direction(origin));
        goes(from)
            && manner.side.is_none_or(|side| {
                let others: Bitboard = self
                    .origins
                    .into_iter()
                    .filter(|&origin| origin != from && goes(origin))
                    .collect();
                self.comes_from(side, from, others)
            })
    }

    fn direction(&self, from: Square) -> Ordering {
        self.seen(self.to).1.cmp(&self.seen(from).1)
    }

    fn comes_from(&self, side: Side, from: Square, others: Bitboard) -> bool {
        let (file, rank) = self.seen(from);
        let (target_file, target_rank) = self.seen(self.to);
        let beside = |order: Ordering| match self.slides(from) {
            true => others.into_iter().all(|other| file.cmp(&self.seen(other).0) == order),
            false => file.cmp(&target_file) == order,
        };
        match side {
            Side::Straight => !self.slides(from) && file == target_file && rank + 1 == target_rank,
            Side::Left => beside(Ordering::Less),
            Side::Right => beside(Ordering::Greater),
        }
    }

    fn slides(&self, from: Square) -> bool {
        let face = self.game.position().face_at(from);
        !self.game.variant().tables().movement(face, self.game.side_to_move()).rays.is_empty()
    }

    /// File from the left and rank from the near side, as the side to move sees them.
    fn seen(&self, square: Square) -> (usize, usize) {
        let geometry = self.game.variant().tables().geometry;
        let (file, rank) = (geometry.file(square), geometry.rank(square));
        match self.game.side_to_move() {
            Color::Black => (file, rank),
            Color::White => (geometry.files - 1 - file, geometry.ranks - 1 - rank),
        }
    }
}
