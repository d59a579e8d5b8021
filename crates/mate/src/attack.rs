//! The moves of the attacker, and what counts as mated.

use rules::{Color, DropFaces, Game, Move, NoMoves, Outcome, Royalty, Termination};

/// Clears `moves` and fills it with the moves the attacker, the side to move, may try: checks, or all
/// moves where there is no check; without moves that only stalemate (see [`add_stalemating_moves`]).
/// Returns whether the game is over with a win of the attacker by the position; `moves` is then empty,
/// as it is if the game is over in any other way.
pub(crate) fn attacks(game: &Game, moves: &mut Vec<Move>) -> bool {
    game.checks(moves).is_some_and(|outcome| is_mate(outcome, game.side_to_move()))
}

/// Whether the attacker won by the position, not by what came before it.
pub(crate) fn is_mate(outcome: Outcome, attacker: Color) -> bool {
    let by_position = matches!(
        outcome.termination,
        Termination::Checkmate
            | Termination::Stalemate
            | Termination::KingCaptured
            | Termination::Try
    );
    by_position && outcome.winner == Some(attacker)
}

/// Whether moves that leave the other side nothing to play end the attack too, though they give no
/// check.
pub(crate) fn stalemate_wins(game: &Game) -> bool {
    let rules = game.variant().rules();
    rules.royalty == Royalty::Protected
        && rules.drop_faces == DropFaces::None
        && rules.no_moves == NoMoves::Loss
}

/// Appends the moves that are not among `checks` and leave the other side no legal move.
pub(crate) fn add_stalemating_moves(game: &mut Game, checks: &mut Vec<Move>, all: &mut Vec<Move>) {
    if game.status(all).is_some() {
        return;
    }
    let known = checks.len();
    for &mv in &*all {
        if checks[..known].contains(&mv) {
            continue;
        }
        game.play(mv);
        if game.is_lost() {
            checks.push(mv);
        }
        game.undo();
    }
}
