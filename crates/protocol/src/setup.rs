//! `position`: a position and the moves played from it.

use std::sync::Arc;

use rules::{Color, Game, IllegalMove, Move, MoveTextError, Notation, Position, Variant};

use crate::Protocol;
use crate::words::{LineError, Words, split_at_word};

/// A position and the moves played from it, not yet compared with the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// SFEN or FEN; `None` is the start position of the variant (`startpos`).
    pub position: Option<String>,
    /// The moves, in the notation of the protocol.
    pub moves: Vec<String>,
}

/// A [`Setup`] is no game of the variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The position is none.
    #[error("position `{text}`, {source}")]
    Position {
        /// The text.
        text: String,
        /// Where and why.
        source: rules::PositionError,
    },
    /// A text is no move.
    #[error("move {number}: {source}")]
    Text {
        /// Which move, from 1.
        number: usize,
        /// Why.
        source: MoveTextError,
    },
    /// A move is illegal.
    #[error("move {number}: `{text}`: {source}")]
    Illegal {
        /// Which move, from 1.
        number: usize,
        /// The move.
        text: String,
        /// Why.
        source: IllegalMove,
    },
}

impl Setup {
    /// The game so far. The position is always spelled out, for `startpos` would be the engine's idea of
    /// it: SFEN with USI moves, FEN with others.
    pub fn of(game: &Game, notation: Notation) -> Setup {
        let mut moves = Vec::with_capacity(game.ply());
        let mut replay = Game::from_position(Arc::clone(game.variant()), game.start().clone());
        for &mv in game.moves() {
            moves.push(notation.write(&replay, mv));
            replay.play(mv);
        }
        let start = game.start();
        let text = match notation {
            Notation::Usi => start.to_sfen(game.variant()),
            _ => start.to_fen(game.variant()),
        };
        Setup { position: Some(text), moves }
    }

    /// Plays it.
    ///
    /// # Errors
    /// If the position is none of the variant, or a move is none or illegal.
    pub fn game(&self, variant: &Arc<Variant>, notation: Notation) -> Result<Game, SetupError> {
        let mut game = match &self.position {
            None => Game::new(Arc::clone(variant)),
            Some(text) => {
                let position = Position::parse(variant, text)
                    .map_err(|source| SetupError::Position { text: text.clone(), source })?;
                Game::from_position(Arc::clone(variant), position)
            }
        };
        for (text, number) in self.moves.iter().zip(1..) {
            let mv = read_move(notation, &game, text)
                .map_err(|source| SetupError::Text { number, source })?;
            game.try_play(mv).map_err(|source| {
                let text = text.clone();
                SetupError::Illegal { number, text, source }
            })?;
        }
        Ok(game)
    }

    /// Reads what follows `position`. The words `sfen` and `fen` may be missing.
    pub(crate) fn read(words: &mut Words<'_>) -> Result<Setup, LineError> {
        let (position, moves) = split_at_word(words.rest(), "moves").unwrap_or((words.rest(), ""));
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let mut fields = Words::new(position);
        let keyword = fields.peek().filter(|word| matches!(*word, "sfen" | "fen"));
        if keyword.is_some() {
            fields.next();
        }
        match fields.rest() {
            "" => Err(words.fault("`startpos`, `sfen …` or `fen …` must follow")),
            "startpos" => Ok(Setup { position: None, moves }),
            text => Ok(Setup { position: Some(text.to_owned()), moves }),
        }
    }

    /// Appends the words behind `position`.
    pub(crate) fn write(&self, out: &mut String, protocol: Protocol) {
        match &self.position {
            None => out.push_str(" startpos"),
            Some(text) => {
                out.push_str(if protocol == Protocol::Usi { " sfen " } else { " fen " });
                out.push_str(text);
            }
        }
        if !self.moves.is_empty() {
            out.push_str(" moves");
        }
        for text in &self.moves {
            out.push(' ');
            out.push_str(text);
        }
    }
}

/// Reads a move of the side to move, as [`Notation::read`] does; the letter of a drop may be small, as
/// in `p*5e`, which some engines write for the second player.
///
/// # Errors
/// If the text has another shape, or names no square or piece of the variant.
pub fn read_move(notation: Notation, game: &Game, text: &str) -> Result<Move, MoveTextError> {
    let fault = match notation.read(game, text) {
        Ok(mv) => return Ok(mv),
        Err(fault) => fault,
    };
    let small = game.side_to_move() == Color::White && text.contains(['*', '@']);
    let Some((piece, _)) = text.split_once(['*', '@']).filter(|_| small) else {
        return Err(fault);
    };
    let large = piece.to_ascii_uppercase() + &text[piece.len()..];
    notation.read(game, &large).map_err(|_| fault)
}
