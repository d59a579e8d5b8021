//! What the page must know of a variant to draw its board and to play its moves.

use std::collections::BTreeSet;

use rules::{Color, Face, Game, Kind, MAX_FACES, Position, Promotion, Square, Variant};
use serde::Serialize;

/// A variant as the page draws it.
#[derive(Debug, Serialize)]
pub(super) struct Look {
    id: String,
    name: String,
    files: usize,
    ranks: usize,
    /// Whether captured pieces go to the captor's hand. Games without hands are drawn as xiangqi:
    /// round pieces on the crossings of lines.
    hands: bool,
    /// Whether pieces turn over all the time, so that the reverse face is worth showing.
    turning: bool,
    /// By face number; absent faces are null.
    faces: Vec<Option<FaceLook>>,
    /// Files and ranks of the corners of each palace, left, low, right, high; empty without one.
    palaces: Vec<[usize; 4]>,
    start: Placed,
}

/// A face as the page draws it.
#[derive(Debug, Serialize)]
struct FaceLook {
    /// As in positions: `L`, `+L`.
    letter: String,
    name: String,
    /// The first and the second player's; empty if the variant has none.
    kanji: [String; 2],
}

/// A position as plain numbers.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Placed {
    /// By square, file by file along rank 1 first: `2 * face + colour`, or -1.
    board: Vec<i32>,
    /// By colour and kind.
    hands: [Vec<u8>; 2],
    /// 0 for the first player.
    turn: usize,
}

impl Look {
    pub(super) fn of(variant: &Variant) -> Self {
        let face = |number: usize| {
            let face = Face::new(number);
            let kanji = |color| variant.face_kanji(face, color).unwrap_or_default().to_owned();
            variant.has_face(face).then(|| FaceLook {
                letter: variant.face_letter(face).to_owned(),
                name: variant.face_name(face).to_owned(),
                kanji: Color::ALL.map(kanji),
            })
        };
        let rule = variant.promotion().rule;
        Self {
            id: variant.id().to_owned(),
            name: variant.name().to_owned(),
            files: variant.files(),
            ranks: variant.ranks(),
            hands: !variant.droppable_faces().is_empty(),
            turning: matches!(rule, Promotion::TurnOnCapture | Promotion::TurnAlways),
            faces: (0..MAX_FACES).map(face).collect(),
            palaces: Color::ALL.iter().filter_map(|&color| palace(variant, color)).collect(),
            start: Placed::of(variant, variant.start()),
        }
    }
}

impl Placed {
    pub(super) fn of(variant: &Variant, position: &Position) -> Self {
        let number = |square: usize| {
            position
                .piece_at(Square::new(square))
                .map_or(-1, |piece| 2 * piece.face.index() as i32 + piece.color.index() as i32)
        };
        let hand = |color: Color| {
            (0..variant.kinds()).map(|kind| position.hand(color, Kind::new(kind))).collect()
        };
        Self {
            board: (0..variant.squares()).map(number).collect(),
            hands: Color::ALL.map(hand),
            turn: position.side_to_move().index(),
        }
    }
}

/// The corners of the part of the board that a king cannot leave, if there is one.
fn palace(variant: &Variant, color: Color) -> Option<[usize; 4]> {
    let start = variant.start().king(color)?;
    let face = variant.royal().front();
    let (mut reached, mut open) = (BTreeSet::from([start.index()]), vec![start]);
    while let Some(square) = open.pop() {
        for to in variant.empty_board_targets(face, color, square) {
            if reached.insert(to.index()) {
                open.push(to);
            }
        }
    }
    let files = || reached.iter().map(|square| square % variant.files());
    let ranks = || reached.iter().map(|square| square / variant.files());
    let corners = [files().min()?, ranks().min()?, files().max()?, ranks().max()?];
    (reached.len() < variant.squares()).then_some(corners)
}

/// The FEN of a game's position.
pub(super) fn fen(game: &Game) -> String {
    game.position().to_fen(game.variant())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_games_with_palaces_have_them() {
        let palaces = |id: &str| Look::of(&Variant::builtin(id).unwrap()).palaces;
        assert_eq!(palaces("xiangqi"), [[3, 0, 5, 2], [3, 7, 5, 9]]);
        for id in Variant::builtin_ids().iter().filter(|id| !id.contains("xiangqi")) {
            assert!(palaces(id).is_empty(), "{id}");
        }
    }

    #[test]
    fn pieces_are_numbered_by_face_and_owner() {
        let variant = Variant::builtin("micro").unwrap();
        let placed = Placed::of(&variant, variant.start());
        let king = variant.royal().front().index() as i32;
        assert_eq!(
            (placed.board[3], placed.board[16], placed.board[8]),
            (2 * king, 2 * king + 1, -1)
        );
        assert_eq!(placed.turn, 0);
    }
}
