//! A game: variant, position and history; also the cursor a search walks with.

use std::sync::Arc;

use crate::guard::in_check;
use crate::illegal::{self, IllegalMove};
use crate::movegen;
use crate::moves::Move;
use crate::notation::{self, MoveTextError};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::rule::Royalty;
use crate::types::Color;
use crate::variant::Variant;
use crate::{ending, entering};

/// A game in progress: all positions from the start to the current one.
///
/// ```
/// use rules::{Game, Variant};
/// let mut game = Game::new(Variant::builtin("micro").expect("micro is built in"));
/// let mut moves = Vec::new();
/// assert!(game.status(&mut moves).is_none());
/// assert_eq!(moves.len(), 9);
/// game.play(moves[0]);
/// game.undo();
/// assert_eq!(game.position(), game.start());
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    variant: Arc<Variant>,
    /// Start to current; never empty.
    positions: Vec<Position>,
    /// The keys of the positions, side by side for quick comparison.
    keys: Vec<u64>,
    moves: Vec<Move>,
}

impl Game {
    /// A game from the start position.
    pub fn new(variant: Arc<Variant>) -> Game {
        let start = variant.start().clone();
        Game::from_position(variant, start)
    }

    /// A game from a position of this variant.
    pub fn from_position(variant: Arc<Variant>, position: Position) -> Game {
        let keys = vec![position.key()];
        Game { variant, positions: vec![position], keys, moves: Vec::new() }
    }

    /// What is played.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The position the game started from.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many moves were played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// Whether the king of the side to move is attacked; never where kings may be captured.
    pub fn in_check(&self) -> bool {
        in_check(&self.variant, self.position(), self.side_to_move())
    }

    /// How many plies were played since the last capture, or since the start.
    pub fn quiet_plies(&self) -> usize {
        ending::quiet_run(self)
    }

    /// How often the current position has stood so far, this time included: at least 1.
    pub fn repetitions(&self) -> u32 {
        self.occurrences().count() as u32
    }

    /// The indices of the positions equal to the current one, latest first, the current one included.
    pub(crate) fn occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.positions.len() - 1;
        let (key, position) = (self.keys[last], self.position());
        let same_side = (0..=last).rev().step_by(2);
        same_side.filter(move |&at| self.keys[at] == key && self.positions[at] == *position)
    }

    /// Start to current position.
    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Clears `moves` and fills it with the legal moves: board moves by origin, then destination,
    /// ascending, the unturned one first; then drops by face, then square, ascending. If the game is
    /// over, `moves` is empty and the outcome is returned.
    pub fn status(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        moves.clear();
        let outcome = ending::by_king(self).or_else(|| {
            let check = movegen::generate(&self.variant, self.position(), moves);
            ending::by_moves(self, check, moves.is_empty())
        });
        if outcome.is_some() {
            moves.clear();
        }
        outcome
    }

    /// The end of the game as players and searches see it: [`Game::status`], and a declaration by the
    /// side to move as soon as it wins, in place of a move. After a declaration `moves` still holds the
    /// legal moves, for it was a choice; otherwise it is as [`Game::status`] leaves it.
    pub fn verdict(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        self.status(moves).or_else(|| entering::winning_declaration(self))
    }

    /// Clears `moves` and fills it with the legal moves that give check, in the order of
    /// [`Game::status`]; where kings may be captured there is no check, and all moves are listed. If the
    /// game is over, `moves` is empty and the outcome is returned; only that the side to move has no
    /// legal move is not noticed.
    pub fn checks(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        moves.clear();
        let outcome = ending::by_king(self).or_else(|| ending::by_history(self));
        if outcome.is_none() {
            if self.variant.rules().royalty == Royalty::Capturable {
                movegen::generate(&self.variant, self.position(), moves);
            } else {
                movegen::generate_checks(&self.variant, self.position(), moves);
            }
        }
        outcome
    }

    /// Whether the position alone, whatever came before, is the end of the game, and a loss for the
    /// side to move: by mate, for want of moves, by a lost king or a goal reached.
    pub fn is_lost(&self) -> bool {
        let outcome = ending::by_king(self).or_else(|| {
            let none = !movegen::has_legal_move(&self.variant, self.position());
            none.then(|| ending::no_moves(self, self.in_check())).flatten()
        });
        outcome.is_some_and(|outcome| outcome.winner == Some(!self.side_to_move()))
    }

    /// How many legal moves the position has, whatever came before; 0 if it is the end by a king.
    pub fn mobility(&self) -> usize {
        let mut count = 0_u64;
        if ending::by_king(self).is_none() {
            movegen::generate(&self.variant, self.position(), &mut count);
        }
        count as usize
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "illegal {mv:?}");
        let mut next = self.position().clone();
        next.play(&self.variant, mv);
        self.keys.push(next.key());
        self.positions.push(next);
        self.moves.push(mv);
    }

    fn is_legal(&self, mv: Move) -> bool {
        let mut moves = Vec::new();
        self.status(&mut moves);
        moves.contains(&mv)
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// The reason why it is not; the game is unchanged.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mut moves = Vec::new();
        if self.status(&mut moves).is_some() {
            return Err(IllegalMove::GameOver);
        }
        if !moves.contains(&mv) {
            return Err(illegal::reason(&self.variant, self.position(), mv));
        }
        self.play(mv);
        Ok(())
    }

    /// Takes the last move back; at the start nothing happens.
    pub fn undo(&mut self) {
        if self.moves.pop().is_some() {
            self.positions.pop();
            self.keys.pop();
        }
    }

    /// The result if the players agree now that the game is an impasse; `None` unless both kings have
    /// entered and the variant knows the rule. At the move limit [`Game::status`] applies it itself.
    pub fn impasse(&self) -> Option<Outcome> {
        entering::impasse(self)
    }

    /// The result if the side to move of an unfinished game declares instead of moving; a declaration
    /// without the conditions for it loses. `None` if the variant has no declaration.
    pub fn declare(&self) -> Option<Outcome> {
        entering::declare(self)
    }

    /// Reads a move in USI or UCI notation, told apart by their shape. It need not be legal: see
    /// [`Game::try_play`]; for other notations [`Notation::read`](crate::Notation::read).
    ///
    /// # Errors
    /// If the text names no squares of the board or no piece of the variant.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        notation::read_usi_or_uci(self, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The status after the moves, from the start position of a game in which all keys are equal.
    fn ended(id: &str, position: &str, moves: &str) -> (u32, Option<Outcome>) {
        let variant = Arc::new(Variant::builtin(id).unwrap().with_colliding_keys());
        let start = Position::parse(&variant, position).unwrap();
        let mut game = Game::from_position(variant, start);
        for text in moves.split_whitespace() {
            assert_eq!(game.position().key(), 0);
            let mv = game.parse_move(text).unwrap();
            assert_eq!(game.try_play(mv), Ok(()), "{text}");
        }
        (game.repetitions(), game.status(&mut Vec::new()))
    }

    #[test]
    fn equal_keys_of_different_positions_do_not_end_a_game() {
        let start = "kb+r+l/p3/4/3P/+L+RBK[-] w 0 1";
        let different = "d2d3 a4a3 b1b2 c5c4 b2b1 d5d4 a1a2";
        assert_eq!(ended("micro", start, different), (1, None));
        let hands = "P*5h 5i5h 1a2a 5h5i P*5h 5i5h 2a1a 5h5i ".repeat(3);
        assert_eq!(ended("shogi", "8k/9/9/9/9/9/9/9/K3R4 w 8p 1", &hands), (1, None));
        let (count, outcome) = ended("micro", start, &"b1b2 c5c4 b2b1 c4c5 ".repeat(3));
        assert!(count == 4 && outcome.is_some());
    }
}
