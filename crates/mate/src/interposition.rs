//! Useless interpositions, which do not count in a mate problem.
//!
//! A checked defender who can only drop pieces between his king and a distant attacker, each of which
//! that attacker takes with mate or with such a check again, is mated already: the drops would only
//! lengthen the line. This is the rule at the end of a mate, which solvers agree on. Interpositions
//! earlier in the line, and those by a piece from the board, count.

use rules::{Game, Move, Royalty, Square};

/// Whether the side to move, whose legal moves these are, is mated but for useless interpositions.
/// `lists` are spare.
pub(crate) fn are_useless(game: &mut Game, moves: &[Move], lists: &mut Vec<Vec<Move>>) -> bool {
    let drops = moves.iter().all(|mv| mv.is_drop()) && !moves.is_empty();
    if !drops || game.variant().rules().royalty != Royalty::Protected {
        return false;
    }
    let Some(attacker) = only_checker(game) else { return false };
    moves.iter().all(|&drop| {
        game.play(drop);
        let useless = is_taken_with_mate(game, attacker, drop.to(), lists);
        game.undo();
        useless
    })
}

/// Whether the piece on `attacker` takes the one on `at` with mate, useless interpositions left out.
fn is_taken_with_mate(
    game: &mut Game,
    attacker: Square,
    at: Square,
    lists: &mut Vec<Vec<Move>>,
) -> bool {
    let mut checks = lists.pop().unwrap_or_default();
    let mut replies = lists.pop().unwrap_or_default();
    game.checks(&mut checks);
    let mates = checks.iter().any(|&mv| {
        if mv.from() != Some(attacker) || mv.to() != at {
            return false;
        }
        game.play(mv);
        let mated = game.is_lost() || {
            game.status(&mut replies);
            are_useless(game, &replies, lists)
        };
        game.undo();
        mated
    });
    lists.extend([checks, replies]);
    mates
}

/// The square of the piece that attacks the king of the side to move, if it is one alone.
fn only_checker(game: &Game) -> Option<Square> {
    let (variant, position) = (game.variant(), game.position());
    let side = position.side_to_move();
    let king = position.king(side)?;
    let attacks = |at: &Square| {
        let face = position.piece_at(*at).map(|piece| piece.face);
        face.is_some_and(|face| {
            variant.attacks(face, !side, *at, position.occupied()).contains(king)
        })
    };
    let mut checkers = position.color(!side).into_iter().filter(attacks);
    checkers.next().filter(|_| checkers.next().is_none())
}
