//! Random games to the end.

use rules::Seed;

use super::hashed::{Stream, mix};
use crate::{EvalError, Evaluation, Evaluator, Leaf, State, Wdl};

/// Judges a leaf by one random game from there, under a uniform policy. The game's random numbers
/// come from the seed and [`State::key`]: equal positions see the same choices.
#[derive(Clone, Copy, Debug)]
pub struct Rollout {
    /// Another seed is another evaluator.
    pub seed: Seed,
    /// A game that has not ended after this many plies counts as a draw.
    pub max_plies: u32,
}

impl<S: State> Evaluator<S> for Rollout {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, S>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        let mut moves = Vec::new();
        super::fill(leaves, out, |leaf| self.play_out(leaf, &mut moves));
        Ok(())
    }
}

impl Rollout {
    fn play_out<S: State>(&self, leaf: &Leaf<'_, S>, moves: &mut Vec<S::Move>) -> Wdl {
        let mut stream = Stream(leaf.state.key() ^ mix(self.seed.0));
        let mut state = leaf.state.clone();
        moves.clear();
        moves.extend_from_slice(leaf.moves);
        for _ in 0..self.max_plies {
            state.play(moves[stream.below(moves.len())]);
            if let Some(outcome) = state.status(moves) {
                return match outcome.winner {
                    None => Wdl::DRAW,
                    Some(winner) if winner == leaf.state.side_to_move() => Wdl::WIN,
                    Some(_) => Wdl::LOSS,
                };
            }
        }
        Wdl::DRAW
    }
}
