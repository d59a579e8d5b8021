//! A byte for the variant, then four bytes a ply: what is tried is any encodable move, a legal one, or
//! a legal one with some bits changed. A move is accepted if and only if it is listed.
#![no_main]

use fuzz::{check_position, split_variant};
use libfuzzer_sys::fuzz_target;
use rules::{Game, Move};

/// Longer games find nothing new and make the fuzzer slow.
const MOST_PLIES: usize = 120;

fuzz_target!(|data: &[u8]| {
    let Some((variant, script)) = split_variant(data) else { return };
    let mut game = Game::new(variant.clone());
    let mut moves = Vec::new();
    for word in script.chunks_exact(4).take(MOST_PLIES) {
        let over = game.status(&mut moves).is_some();
        assert_eq!(over, moves.is_empty(), "either there are moves or the game is over");
        let before = game.position().clone();
        let mv = chosen(word, &moves);
        let listed = moves.contains(&mv);
        assert_eq!(game.try_play(mv).is_ok(), listed, "{mv:?}");
        if listed {
            check_position(variant, game.position());
        }
        if listed && word[0] >= 0xc0 {
            game.undo();
        }
        assert!(listed && word[0] < 0xc0 || *game.position() == before);
    }
});

/// The top bits of the first byte choose how the others are read.
fn chosen(word: &[u8], moves: &[Move]) -> Move {
    let bits = u32::from_le_bytes([word[1], word[2], word[3], 0]);
    if moves.is_empty() || word[0] & 0x20 != 0 {
        return Move::from_bits(bits);
    }
    let legal = moves[usize::from(word[1]) % moves.len()];
    if word[0] & 0x10 != 0 { Move::from_bits(legal.bits() ^ (bits >> 8) & bits) } else { legal }
}
