//! Moves as text, in the notations that programs and people use.
//!
//! Whatever the variant, every legal move can be written in every notation and is read back as the
//! same move. Reading does not judge: a text that fits one illegal move names that move, so that
//! [`Game::try_play`] can say what is wrong with it.

mod candidates;
mod coordinates;
mod kif;
mod manner;
mod numerals;
mod western;
mod wxf;

use std::fmt;
use std::str::FromStr;

use crate::game::Game;
use crate::moves::Move;

pub use coordinates::{move_to_uci, move_to_usi, square_name};

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `7g7f`, `8h2b+`, `P*5e`: files counted from Black's right, ranks lettered from the far side.
    Usi,
    /// `c3c4`, `b2h8+`, `P@e5`: files lettered from Black's left, ranks counted from 1 at the near
    /// side. `+` turns a piece to its `+` face, `-` turns it back.
    Uci,
    /// UCI with ranks counted from 0: `h2e2` is UCI's `h3e3`.
    Ucci,
    /// `C2=5`, `H8+7`, `C+-1`: letter, file from the mover's right, direction, and steps or the file
    /// of arrival. Drops and promotions, which it lacks, are written as in UCI.
    Wxf,
    /// `P-7f`, `Bx3c+`, `G6i-5h`, `S*5e`, `Nx7c=`: Western shogi notation on USI squares.
    Western,
    /// `☗７六歩`, `☖同銀不成`, `☗５八金右`: Japanese, with the names of the variant file.
    Kif,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 6] = [
        Notation::Usi,
        Notation::Uci,
        Notation::Ucci,
        Notation::Wxf,
        Notation::Western,
        Notation::Kif,
    ];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Notation::Usi => "usi",
            Notation::Uci => "uci",
            Notation::Ucci => "ucci",
            Notation::Wxf => "wxf",
            Notation::Western => "western",
            Notation::Kif => "kif",
        }
    }

    /// Writes a legal move of the game's current position.
    pub fn write(self, game: &Game, mv: Move) -> String {
        use coordinates::Grid;
        match self {
            Notation::Usi => coordinates::write(game.variant(), Grid::Usi, mv),
            Notation::Uci => coordinates::write(game.variant(), Grid::Uci, mv),
            Notation::Ucci => coordinates::write(game.variant(), Grid::Ucci, mv),
            Notation::Wxf => wxf::write(game, mv),
            Notation::Western => western::write(game, mv),
            Notation::Kif => kif::write(game, mv),
        }
    }

    /// Reads a move of the side to move. It need not be legal: see [`Game::try_play`].
    ///
    /// # Errors
    /// If the text has another shape, names no square or piece of the variant, or fits several legal
    /// moves, or no piece at all.
    pub fn read(self, game: &Game, text: &str) -> Result<Move, MoveTextError> {
        use coordinates::Grid;
        match self {
            Notation::Usi => coordinates::read(game, Some(Grid::Usi), text),
            Notation::Uci => coordinates::read(game, Some(Grid::Uci), text),
            Notation::Ucci => coordinates::read(game, Some(Grid::Ucci), text),
            Notation::Wxf => wxf::read(game, text),
            Notation::Western => western::read(game, text),
            Notation::Kif => kif::read(game, text),
        }
    }
}

/// Reads a move in USI or UCI, told apart by their shape.
pub(crate) fn read_usi_or_uci(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    coordinates::read(game, None, text)
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No notation has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown notation `{0}`; known: usi, uci, ucci, wxf, western, kif")]
pub struct UnknownNotation(pub String);

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(text: &str) -> Result<Notation, UnknownNotation> {
        let found = Notation::ALL.into_iter().find(|notation| notation.as_str() == text);
        found.ok_or_else(|| UnknownNotation(text.to_owned()))
    }
}

/// The text is no move of the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no move: {reason}")]
pub struct MoveTextError {
    /// The text, shortened.
    pub text: String,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// The longest text of a move that an error repeats, in characters.
const SHOWN: usize = 20;

impl MoveTextError {
    fn new(text: &str, reason: impl Into<String>) -> MoveTextError {
        MoveTextError { text: text.chars().take(SHOWN).collect(), reason: reason.into() }
    }
}
