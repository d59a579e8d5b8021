//! Counting the legal move sequences of a given length.
//!
//! A position that is over by its king or for want of moves has none; repetition and limits are
//! ignored.

use std::hint::black_box;

use crate::ending::king_outcome;
use crate::game::Game;
use crate::movegen::generate;
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Variant;

/// How the moves of the last ply are counted. The number is the same, the work is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counting {
    /// By the sizes of their sets of destinations; no list is made.
    Popcount,
    /// By the length of their list.
    List,
    /// One by one, each played.
    Play,
}

/// The number of sequences of `depth` legal moves; 1 for depth 0. The last ply is counted by the
/// length of its list.
///
/// ```
/// use rules::{Game, Variant, perft};
/// let game = Game::new(Variant::builtin("micro").expect("micro is built in"));
/// assert_eq!(perft(&game, 3), 767);
/// ```
pub fn perft(game: &Game, depth: u32) -> u64 {
    perft_counting(game, depth, Counting::List)
}

/// [`perft`] with a choice of how the last ply is counted.
pub fn perft_counting(game: &Game, depth: u32, counting: Counting) -> u64 {
    let mut counter = Counter { variant: game.variant(), counting, lists: Vec::new() };
    counter.count(game.position(), depth)
}

/// [`perft`] split by the first move, in the order of the generator; empty for depth 0.
pub fn perft_divide(game: &Game, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let (variant, position) = (game.variant(), game.position());
    let mut counter = Counter { variant, counting: Counting::List, lists: Vec::new() };
    let mut moves = Vec::new();
    if king_outcome(variant, position).is_none() {
        generate(variant, position, &mut moves);
    }
    let below = |mv| (mv, counter.count(&after(variant, position, mv), rest));
    moves.into_iter().map(below).collect()
}

fn after(variant: &Variant, position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play(variant, mv);
    next
}

struct Counter<'a> {
    variant: &'a Variant,
    counting: Counting,
    /// Move lists that are not in use, to be used again.
    lists: Vec<Vec<Move>>,
}

impl Counter<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            // What is played must not be left out for being of no use.
            black_box(position);
            return 1;
        }
        if king_outcome(self.variant, position).is_some() {
            return 0;
        }
        if depth == 1 && self.counting == Counting::Popcount {
            let mut moves = 0;
            generate(self.variant, position, &mut moves);
            return moves;
        }
        let mut moves = self.lists.pop().unwrap_or_default();
        moves.clear();
        generate(self.variant, position, &mut moves);
        let nodes = if depth == 1 && self.counting == Counting::List {
            moves.len() as u64
        } else {
            moves.iter().map(|&mv| self.count(&after(self.variant, position, mv), depth - 1)).sum()
        };
        self.lists.push(moves);
        nodes
    }
}
