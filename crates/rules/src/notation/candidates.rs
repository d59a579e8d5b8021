//! From a description of a move to the move: the legal one that fits, or the illegal one that says
//! most about what is wrong.

use super::{MoveTextError, move_to_uci};
use crate::game::Game;
use crate::illegal::{self, IllegalMove};
use crate::moves::Move;
use crate::types::Face;

/// How many moves an error names.
const NAMED: usize = 4;

/// The legal moves.
pub(super) fn legal(game: &Game) -> Vec<Move> {
    let mut moves = Vec::new();
    game.status(&mut moves);
    moves
}

/// The face before the move.
pub(super) fn face_before(game: &Game, mv: Move) -> Face {
    mv.from().map_or(mv.face(), |from| game.position().face_at(from))
}

/// Whether the piece could also have turned over, but did not.
pub(super) fn declines_to_turn(legal: &[Move], mv: Move) -> bool {
    let turns = |other: &Move| other.turned() && (other.from(), other.to()) == (mv.from(), mv.to());
    !mv.is_drop() && !mv.turned() && legal.iter().any(turns)
}

/// The move that fits the description of `text`.
pub(super) fn pick(
    game: &Game,
    text: &str,
    fits: impl Fn(Move) -> bool,
) -> Result<Move, MoveTextError> {
    let mut moves = legal(game);
    moves.retain(|&mv| fits(mv));
    match moves.as_slice() {
        [mv] => Ok(*mv),
        [] => most_telling(game, fits)
            .ok_or_else(|| MoveTextError::new(text, "the side to move has no such piece")),
        several => {
            let named = several.iter().take(NAMED).map(|&mv| move_to_uci(game.variant(), mv));
            let named = named.collect::<Vec<_>>().join(", ");
            Err(MoveTextError::new(text, format!("it fits several moves: {named}")))
        }
    }
}

/// Of the illegal moves that fit, one with a reason beyond "no such move".
fn most_telling(game: &Game, fits: impl Fn(Move) -> bool) -> Option<Move> {
    let reason = |mv: &Move| match illegal::reason(game.variant(), game.position(), *mv) {
        IllegalMove::NoSuchMove => 2,
        IllegalMove::PathBlocked => 1,
        _ => 0,
    };
    imaginable(game).filter(|&mv| fits(mv)).min_by_key(reason)
}

/// Every piece of the side to move to every square, turned or not, and every drop.
fn imaginable(game: &Game) -> impl Iterator<Item = Move> + '_ {
    let (variant, position) = (game.variant(), game.position());
    let squares = || variant.tables().geometry.all();
    let board = position.color(position.side_to_move()).into_iter().flat_map(move |from| {
        let face = position.face_at(from);
        let faces = [face, face.turned()].into_iter().filter(|&face| variant.has_face(face));
        faces.flat_map(move |after| {
            squares().map(move |to| Move::board(from, to, after, after != face))
        })
    });
    let drops = variant.droppable_faces().iter();
    board.chain(drops.flat_map(move |&face| squares().map(move |to| Move::drop(face, to))))
}
