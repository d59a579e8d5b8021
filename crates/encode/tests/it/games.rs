//! Random games for the tests.

use std::sync::Arc;

use rand::RngExt;
use rules::{Color, Game, Kind, Move, Piece, Position, Seed, Square, Variant};

/// All built-in variants.
pub(crate) fn variants() -> impl Iterator<Item = Arc<Variant>> {
    Variant::builtin_ids().iter().map(|id| Variant::builtin(id).expect("listed"))
}

/// Calls `visit` with every position of a few random games and its legal moves.
pub(crate) fn walk(variant: &Arc<Variant>, games: u64, mut visit: impl FnMut(&Game, &[Move])) {
    let mut moves = Vec::new();
    for number in 0..games {
        let mut rng = Seed(number).derive("encode test", 0).rng();
        let mut game = Game::new(Arc::clone(variant));
        while game.status(&mut moves).is_none() {
            visit(&game, &moves);
            game.play(moves[rng.random_range(0..moves.len())]);
        }
    }
}

/// The position with every square and piece (of hands too, and the king of the side to move)
/// replaced by its image. `square` must be its own inverse.
pub(crate) fn redrawn(
    variant: &Variant,
    position: &Position,
    square: impl Fn(usize) -> usize,
    piece: impl Fn(Piece) -> Piece,
) -> Position {
    let letter = |shown: Piece| {
        let letter = variant.face_letter(shown.face);
        if shown.color == Color::Black { letter.to_string() } else { letter.to_lowercase() }
    };
    let on = |place: usize| position.piece_at(Square::new(square(place))).map(&piece);
    let rows = (0..variant.ranks()).rev().map(|rank| {
        let (mut row, mut empty) = (String::new(), 0);
        for place in rank * variant.files()..(rank + 1) * variant.files() {
            match on(place) {
                None => empty += 1,
                Some(shown) if empty == 0 => row += &letter(shown),
                Some(shown) => row += &format!("{}{}", std::mem::take(&mut empty), letter(shown)),
            }
        }
        if empty > 0 { format!("{row}{empty}") } else { row }
    });
    let board = rows.collect::<Vec<_>>().join("/");
    let mut hands = String::new();
    for color in Color::ALL {
        for kind in (0..variant.kinds()).map(Kind::new) {
            let shown = letter(piece(Piece { color, face: kind.front() }));
            hands += &shown.repeat(usize::from(position.hand(color, kind)));
        }
    }
    let hands = if variant.droppable_faces().is_empty() { hands } else { format!("[{hands}]") };
    let king = Piece { color: position.side_to_move(), face: variant.royal().front() };
    let turn = if piece(king).color == Color::Black { "w" } else { "b" };
    let text = format!("{board}{hands} {turn} 0 1");
    Position::parse(variant, &text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
