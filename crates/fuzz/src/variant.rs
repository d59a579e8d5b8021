//! A variant file: reading it never panics, and a game of what is accepted can be begun.
#![no_main]

use std::sync::Arc;

use fuzz::{check_moves, check_position};
use libfuzzer_sys::fuzz_target;
use rules::{Game, Variant, perft};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let builtin = |id: &str| Variant::builtin_text(id).map(str::to_owned);
    let Ok(variant) = Variant::parse(&text, &builtin) else { return };
    let variant = Arc::new(variant);
    let mut game = Game::new(variant.clone());
    check_position(&variant, game.position());
    let moves = check_moves(&mut game);
    assert_eq!(perft(&game, 1), moves.len() as u64);
    game.impasse();
    game.declare();
});
