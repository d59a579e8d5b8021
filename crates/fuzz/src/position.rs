//! A byte for the variant, then a FEN or SFEN: reading it never panics, and what is accepted is
//! written, read and played rightly.
#![no_main]

use fuzz::{check_moves, check_position, split_variant};
use libfuzzer_sys::fuzz_target;
use rules::{Game, Position};

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = split_variant(data) else { return };
    let Ok(position) = Position::parse(variant, &String::from_utf8_lossy(text)) else { return };
    check_position(variant, &position);
    let mut game = Game::from_position(variant.clone(), position);
    check_moves(&mut game);
    game.impasse();
    game.declare();
});
