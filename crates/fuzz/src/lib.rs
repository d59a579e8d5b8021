//! What the fuzz targets share: choosing a built-in variant, and what must hold in every position.

use std::sync::{Arc, LazyLock};

use rules::{Game, Move, Position, Variant};

static VARIANTS: LazyLock<Vec<Arc<Variant>>> = LazyLock::new(|| {
    let variant = |id: &&str| Variant::builtin(id).expect("it is listed as built in");
    Variant::builtin_ids().iter().map(variant).collect()
});

/// The built-in variant that the first byte names, and the other bytes.
pub fn split_variant(data: &[u8]) -> Option<(&'static Arc<Variant>, &[u8])> {
    let (&first, rest) = data.split_first()?;
    Some((&VARIANTS[usize::from(first) % VARIANTS.len()], rest))
}

/// Panics unless the position survives being written and read, by FEN and by SFEN, and has the key
/// that is computed from nothing. Reading refuses a position in which the side that has just moved
/// stands in check, so that this also judges the move that led here.
pub fn check_position(variant: &Variant, position: &Position) {
    assert_eq!(position.key(), position.recomputed_key(variant));
    for text in [position.to_fen(variant), position.to_sfen(variant)] {
        match Position::parse(variant, &text) {
            Ok(read) => assert!(read == *position, "`{text}` is read as another position"),
            Err(error) => panic!("`{text}`, just written, is refused: {error}"),
        }
    }
}

/// Checks the positions after each legal move, and that taking it back leads back. Returns the moves.
pub fn check_moves(game: &mut Game) -> Vec<Move> {
    let variant = game.variant().clone();
    let before = game.position().clone();
    let mut moves = Vec::new();
    game.status(&mut moves);
    for &mv in &moves {
        game.play(mv);
        check_position(&variant, game.position());
        game.undo();
        assert!(*game.position() == before);
    }
    moves
}
