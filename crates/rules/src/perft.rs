//! Counting the legal move sequences of a given length.
//!
//! A position that is over by its king or for want of moves has none; repetition and limits are
//! ignored. The last ply is counted by the length of its list of legal moves.

use crate::ending::king_outcome;
use crate::game::Game;
use crate::movegen::generate;
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Variant;

/// The number of sequences of `depth` legal moves; 1 for depth 0.
///
/// ```
/// use rules::{Game, Variant, perft};
/// let game = Game::new(Variant::builtin("micro").expect("micro is built in"));
/// assert_eq!(perft(&game, 3), 767);
/// ```
pub fn perft(game: &Game, depth: u32) -> u64 {
    count(game.variant(), game.position(), depth, &mut Vec::new())
}

/// [`perft`] split by the first move, in the order of the generator; empty for depth 0.
pub fn perft_divide(game: &Game, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let (variant, position) = (game.variant(), game.position());
    let mut lists = Vec::new();
    let below = |mv| {
        let mut next = position.clone();
        next.play(variant, mv);
        (mv, count(variant, &next, rest, &mut lists))
    };
    legal_moves(variant, position).into_iter().map(below).collect()
}

fn legal_moves(variant: &Variant, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    if king_outcome(variant, position).is_none() {
        generate(variant, position, &mut moves);
    }
    moves
}

/// `lists` is a stack of move lists, one a ply, kept to be used again.
fn count(variant: &Variant, position: &Position, depth: u32, lists: &mut Vec<Vec<Move>>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if king_outcome(variant, position).is_some() {
        return 0;
    }
    let mut moves = lists.pop().unwrap_or_default();
    moves.clear();
    generate(variant, position, &mut moves);
    let mut nodes = 0;
    if depth == 1 {
        nodes = moves.len() as u64;
    } else {
        for &mv in &moves {
            let mut next = position.clone();
            next.play(variant, mv);
            nodes += count(variant, &next, depth - 1, lists);
        }
    }
    lists.push(moves);
    nodes
}
