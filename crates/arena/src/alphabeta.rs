//! A yardstick that needs no net: alpha-beta search of fixed depth on material.

use std::mem;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

use mcts::fake::Balance;
use rand::RngExt;
use rules::{Color, Game, Move, Outcome};

use crate::player::{Action, Answer, Player, PlayerError, Turn};

/// Value of a mate now; a mate in `n` plies is worth `MATE - n`. Far above any material.
pub const MATE: i32 = 1_000_000_000;
/// Above every value.
const INFINITE: i32 = MATE + 1;

/// Negamax with alpha-beta to a fixed depth, no quiescence search. Leaves are valued by material on
/// board and in hand, endings exactly: mate the sooner the better, draws 0. Among equally good
/// moves the seed decides.
#[derive(Debug)]
pub struct AlphaBeta {
    depth: u32,
    /// A move list per ply from the root, kept for its memory.
    lists: Vec<Vec<Move>>,
    best: Vec<Move>,
}

impl AlphaBeta {
    /// A player that looks `depth` plies ahead.
    pub fn new(depth: NonZeroU32) -> AlphaBeta {
        let depth = depth.get();
        let lists = vec![Vec::new(); depth as usize + 1];
        AlphaBeta { depth, lists, best: Vec::new() }
    }

    /// The value of a game from the side to move, and every move that reaches it (none if the game
    /// is over).
    pub fn search(&mut self, game: &Game) -> (i32, &[Move]) {
        let mut game = game.clone();
        self.best.clear();
        let mut moves = mem::take(&mut self.lists[0]);
        if let Some(outcome) = game.verdict(&mut moves) {
            self.lists[0] = moves;
            return (ending(outcome, game.side_to_move(), 0), &self.best);
        }
        order(&game, &mut moves);
        let mut value = -INFINITE;
        for &mv in &moves {
            game.play(mv);
            // One below the best value, so that an equal value comes out exact and not as a bound.
            let found = -self.negamax(&mut game, 1, -INFINITE, 1 - value);
            game.undo();
            if found > value {
                value = found;
                self.best.clear();
            }
            if found == value {
                self.best.push(mv);
            }
        }
        self.lists[0] = moves;
        (value, &self.best)
    }

    /// Value from the side to move, exact within (`alpha`, `beta`), else a bound. `ply` counts from
    /// the root.
    fn negamax(&mut self, game: &mut Game, ply: u32, mut alpha: i32, beta: i32) -> i32 {
        let mut moves = mem::take(&mut self.lists[ply as usize]);
        let value = if let Some(outcome) = game.verdict(&mut moves) {
            ending(outcome, game.side_to_move(), ply)
        } else if ply == self.depth {
            game.balance()
        } else {
            order(game, &mut moves);
            let mut value = -INFINITE;
            for &mv in &moves {
                game.play(mv);
                value = value.max(-self.negamax(game, ply + 1, -beta, -alpha));
                game.undo();
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
            value
        };
        self.lists[ply as usize] = moves;
        value
    }
}

impl AlphaBeta {
    /// One of the best moves, by the turn's seed.
    pub(crate) fn choose(&mut self, turn: &Turn<'_>) -> Move {
        let (_, best) = self.search(turn.game);
        best[turn.seed.rng().random_range(0..best.len())]
    }
}

impl Player for AlphaBeta {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        stop: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for turn in turns.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
            out.push(Answer::of(Action::Move(self.choose(turn))));
        }
        Ok(())
    }
}

/// Value of an ending at `ply` from the root, for `side`.
fn ending(outcome: Outcome, side: Color, ply: u32) -> i32 {
    let mate = MATE - i32::try_from(ply).unwrap_or(MATE);
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => mate,
        Some(_) => -mate,
    }
}

/// Captures first, the most valuable victim before others; then by the number of the move.
fn order(game: &Game, moves: &mut [Move]) {
    let (variant, position) = (game.variant(), game.position());
    moves.sort_unstable_by_key(|mv| {
        let victim = position.piece_at(mv.to()).map_or(-1, |p| variant.piece_value(p.face));
        (-victim, mv.bits())
    });
}

#[cfg(test)]
mod tests;
