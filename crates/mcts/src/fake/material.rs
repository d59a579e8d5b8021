//! Counting material.

use rules::{Color, Game, Kind};

use crate::{EvalError, Evaluation, Evaluator, Leaf, State, Wdl, math::tanh};

/// A position whose material can be counted.
pub trait Balance {
    /// Own material less the other side's, in hundredths of a pawn or so, from the side to move.
    fn balance(&self) -> i32;
}

impl Balance for Game {
    /// Pieces on the board count with their face, pieces in hand with the dearest face they can be
    /// dropped with.
    fn balance(&self) -> i32 {
        let (variant, position) = (self.variant(), self.position());
        let in_hand = |kind: Kind| {
            let faces = variant.droppable_faces().iter().filter(move |face| face.kind() == kind);
            faces.map(|&face| variant.piece_value(face)).max().unwrap_or(0)
        };
        let material = |color: Color| -> i32 {
            let board = variant
                .faces()
                .map(|face| variant.piece_value(face) * position.pieces(color, face).len() as i32);
            let hand =
                (0..variant.kinds()).map(Kind::new).map(|kind| match position.hand(color, kind) {
                    0 => 0,
                    count => i32::from(count) * in_hand(kind),
                });
            board.sum::<i32>() + hand.sum::<i32>()
        };
        let own = position.side_to_move();
        material(own) - material(!own)
    }
}

/// Judges by material: the value is tanh(balance / scale), without draws, under a uniform policy.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    /// The balance that stands for a value of tanh(1) = 0.76, in the units of [`Balance`].
    pub scale: f32,
}

impl Default for Material {
    /// A scale of 600.
    fn default() -> Self {
        Self { scale: 600.0 }
    }
}

impl<S: State + Balance> Evaluator<S> for Material {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, S>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        super::fill(leaves, out, |leaf| {
            let value = tanh(leaf.state.balance() as f32 / self.scale);
            Wdl { win: 0.5 + 0.5 * value, draw: 0.0, loss: 0.5 - 0.5 * value }
        });
        Ok(())
    }
}
