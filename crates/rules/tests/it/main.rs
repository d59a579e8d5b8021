//! Tests of the public API of `rules`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod cases;
mod checks;
mod conformance;
mod endings;
mod faults;
mod hostile;
mod micro;
mod notation;
mod oracle;
mod perft;
mod refusals;
mod riders;
mod shogi;
mod text;

use std::sync::Arc;

use rules::{Game, Move, Outcome, Position, Variant};

/// A game from a position of a built-in variant.
fn game(id: &str, position: &str) -> Game {
    let variant = Variant::builtin(id).unwrap();
    from(variant, position)
}

/// A game from a position of any variant.
fn from(variant: Arc<Variant>, position: &str) -> Game {
    let position = Position::parse(&variant, position).unwrap();
    Game::from_position(variant, position)
}

/// The legal moves.
fn legal(game: &Game) -> Vec<Move> {
    let mut moves = Vec::new();
    game.status(&mut moves);
    moves
}

/// How the game ended, if it did.
fn outcome(game: &Game) -> Option<Outcome> {
    game.status(&mut Vec::new())
}

/// Plays moves given as text, separated by blanks.
fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap();
        game.try_play(mv).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}
