//! Entered kings: impasse by agreement or at the move limit, and declaration.
//!
//! Pieces missing from the full set, as in handicap games, count for White, so that both sides
//! together always have the points of the full set.

use crate::bitboard::Bitboard;
use crate::game::Game;
use crate::outcome::{Outcome, Termination};
use crate::position::Position;
use crate::rule::{Declaration, Entering, Impasse};
use crate::types::{Color, Kind};
use crate::variant::Variant;

/// Other own pieces a declarer needs in the camp.
const DECLARER_PIECES: usize = 10;

/// The result of an impasse, if both kings have entered.
pub(crate) fn impasse(game: &Game) -> Option<Outcome> {
    let (variant, position) = (game.variant(), game.position());
    let rule = variant.rules().entering.as_ref()?;
    let impasse = rule.impasse?;
    if !Color::ALL.into_iter().all(|color| entered(rule, position, color)) {
        return None;
    }
    let [black, white] =
        Color::ALL.map(|color| points(variant, position, rule, color, position.color(color)));
    let winner = match impasse {
        Impasse::Draw => None,
        Impasse::Points24 if black < 24 => Some(Color::White),
        Impasse::Points24 if white < 24 => Some(Color::Black),
        Impasse::Points24 => None,
        Impasse::Points27 if white >= 27 => Some(Color::White),
        Impasse::Points27 if black >= 27 => Some(Color::Black),
        Impasse::Points27 => None,
    };
    Some(Outcome { winner, termination: Termination::Impasse })
}

/// The result of a declaration by the side to move.
pub(crate) fn declare(game: &Game) -> Option<Outcome> {
    let (variant, position) = (game.variant(), game.position());
    let rule = variant.rules().entering.as_ref()?;
    let declaration = rule.declaration?;
    let side = position.side_to_move();
    let camp = position.color(side) & rule.zone[side.index()];
    let ready = entered(rule, position, side) && !game.in_check() && camp.len() > DECLARER_PIECES;
    let points = if ready { points(variant, position, rule, side, camp) } else { 0 };
    let (wins, draws) = match declaration {
        Declaration::Declare27 if side == Color::Black => (28, 28),
        Declaration::Declare27 => (27, 27),
        Declaration::Declare24 => (31, 24),
    };
    Some(match points {
        points if points >= wins => {
            Outcome { winner: Some(side), termination: Termination::Declaration }
        }
        points if points >= draws => {
            Outcome { winner: None, termination: Termination::Declaration }
        }
        _ => Outcome { winner: Some(!side), termination: Termination::FalseDeclaration },
    })
}

/// The declaration of the side to move if it wins; a glance at the king for most positions.
#[inline]
pub(crate) fn winning_declaration(game: &Game) -> Option<Outcome> {
    let rule = game.variant().rules().entering.as_ref()?;
    let side = game.side_to_move();
    if rule.declaration.is_none() || !entered(rule, game.position(), side) {
        return None;
    }
    declare(game).filter(|outcome| outcome.winner == Some(side))
}

fn entered(rule: &Entering, position: &Position, color: Color) -> bool {
    position.king(color).is_some_and(|king| rule.zone[color.index()].contains(king))
}

/// The points of a colour for the pieces on these of its squares, its hand, and for White the missing
/// pieces.
fn points(
    variant: &Variant,
    position: &Position,
    rule: &Entering,
    color: Color,
    squares: Bitboard,
) -> usize {
    let worth = |kind: Kind| match kind {
        royal if royal == variant.royal() => 0,
        big if rule.big.contains(&big) => 5,
        _ => 1,
    };
    let on_board: usize =
        squares.into_iter().map(|square| worth(position.face_at(square).kind())).sum();
    let kinds = (0..variant.kinds()).map(Kind::new);
    let others = kinds.map(|kind| {
        let missing = match color {
            Color::Black => 0,
            Color::White => variant.piece_count(kind).saturating_sub(position.count(kind)),
        };
        worth(kind) * (usize::from(position.hand(color, kind)) + missing)
    });
    on_board + others.sum::<usize>()
}
