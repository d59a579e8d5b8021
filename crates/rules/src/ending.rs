//! The end of a game, in the order of the tests: king captured or goal reached, no legal move,
//! repetition, no-capture limit, move limit.

use crate::entering;
use crate::game::Game;
use crate::guard::{attacked_by, in_check};
use crate::outcome::{Outcome, Termination};
use crate::position::Position;
use crate::rule::{Goal, NoMoves, PerpetualCheck, RepetitionResult, Royalty};
use crate::types::Color;
use crate::variant::Variant;

fn won(winner: Color, termination: Termination) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), termination })
}

fn drawn(termination: Termination) -> Option<Outcome> {
    Some(Outcome { winner: None, termination })
}

/// Test 1.
#[inline]
pub(crate) fn by_king(game: &Game) -> Option<Outcome> {
    king_outcome(game.variant(), game.position())
}

/// The end by a lost king or a king on its goal.
#[inline]
pub(crate) fn king_outcome(variant: &Variant, position: &Position) -> Option<Outcome> {
    let rules = variant.rules();
    if rules.royalty == Royalty::Protected && rules.goal.is_none() {
        return None;
    }
    let side = position.side_to_move();
    if rules.royalty == Royalty::Capturable {
        for color in [side, !side] {
            if position.king(color).is_none() {
                return won(!color, Termination::KingCaptured);
            }
        }
    }
    let goal = rules.goal.as_ref()?;
    let reached = |color| at_goal(variant, position, goal, color);
    match (reached(side), reached(!side)) {
        (true, true) => drawn(Termination::Try),
        (true, false) => won(side, Termination::Try),
        (false, true) => won(!side, Termination::Try),
        (false, false) => None,
    }
}

/// Whether a piece of the colour stands on its goal, unattacked if that is asked for.
fn at_goal(variant: &Variant, position: &Position, goal: &Goal, color: Color) -> bool {
    let (occupied, enemies) = (position.occupied(), position.color(!color));
    (position.color(color) & goal.zone[color.index()]).into_iter().any(|at| {
        position.face_at(at).kind() == goal.piece
            && !(goal.safe && attacked_by(variant, position, at, !color, occupied, enemies))
    })
}

/// Tests 2 to 5, given whether the side to move is in check and has no legal move.
#[inline]
pub(crate) fn by_moves(game: &Game, check: bool, none: bool) -> Option<Outcome> {
    if none {
        return no_moves(game, check);
    }
    by_history(game)
}

/// Tests 3 to 5: the end of a game whose side to move has a legal move.
pub(crate) fn by_history(game: &Game) -> Option<Outcome> {
    by_repetition(game).or_else(|| by_limits(game))
}

pub(crate) fn no_moves(game: &Game, check: bool) -> Option<Outcome> {
    let side = game.side_to_move();
    if check {
        return won(!side, Termination::Checkmate);
    }
    match game.variant().rules().no_moves {
        NoMoves::Loss => won(!side, Termination::Stalemate),
        NoMoves::Draw => drawn(Termination::Stalemate),
        NoMoves::Win => won(side, Termination::Stalemate),
    }
}

fn by_repetition(game: &Game) -> Option<Outcome> {
    let rule = &game.variant().rules().repetition;
    if game.ply() < 4 {
        return None;
    }
    let (mut count, mut first) = (0, 0);
    for at in game.occurrences() {
        count += 1;
        first = at;
    }
    if count < rule.count {
        return None;
    }
    if rule.perpetual_check == PerpetualCheck::CheckerLoses {
        let perpetual = Color::ALL.map(|color| only_checks(game, first, color));
        match perpetual {
            [true, true] => return drawn(Termination::PerpetualCheck),
            [true, false] => return won(Color::White, Termination::PerpetualCheck),
            [false, true] => return won(Color::Black, Termination::PerpetualCheck),
            [false, false] => {}
        }
    }
    match rule.result {
        RepetitionResult::Draw => drawn(Termination::Repetition),
        RepetitionResult::FirstLoses => won(Color::White, Termination::Repetition),
        RepetitionResult::MoverLoses => won(game.side_to_move(), Termination::Repetition),
    }
}

/// Whether every move of a colour after the position at `first` gave check.
fn only_checks(game: &Game, first: usize, color: Color) -> bool {
    let after = &game.positions()[first + 1..];
    let mut replies = after.iter().filter(|position| position.side_to_move() != color);
    replies.all(|position| in_check(game.variant(), position, !color))
}

fn by_limits(game: &Game) -> Option<Outcome> {
    let rules = game.variant().rules();
    let quiet_too_long = rules.no_capture_limit.is_some_and(|limit| {
        let run = quiet_run(game);
        run >= limit as usize && run - checks_discount(game, run) >= limit as usize
    });
    if quiet_too_long {
        return drawn(Termination::NoCaptureLimit);
    }
    if game.ply() >= rules.max_plies as usize {
        return entering::impasse(game).or_else(|| drawn(Termination::MoveLimit));
    }
    None
}

/// How many plies were played since the last capture (or the start).
pub(crate) fn quiet_run(game: &Game) -> usize {
    let positions = game.positions();
    let captures = |at: &usize| {
        let mv = game.moves()[*at];
        positions[*at].occupied().contains(mv.to())
    };
    let since = (0..game.ply()).rev().find(captures);
    since.map_or(game.ply(), |at| game.ply() - 1 - at)
}

/// The plies that do not count: twice the checks beyond ten of the side that gave more in the run.
fn checks_discount(game: &Game, run: usize) -> usize {
    let after = &game.positions()[game.ply() + 1 - run..];
    let checks = Color::ALL.map(|color| {
        let given = |position: &&Position| {
            position.side_to_move() != color && in_check(game.variant(), position, !color)
        };
        after.iter().filter(given).count()
    });
    2 * checks[0].max(checks[1]).saturating_sub(10)
}
