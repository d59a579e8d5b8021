//! Moves as two squares: USI, UCI and UCCI.

use super::MoveTextError;
use crate::game::Game;
use crate::moves::Move;
use crate::types::{Face, Square};
use crate::variant::Variant;

/// How squares are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grid {
    /// `7g`: file from Black's right, rank letter from the far side.
    Usi,
    /// `c3`: file letter from Black's left, rank from 1.
    Uci,
    /// `c2`: file letter from Black's left, rank from 0.
    Ucci,
}

impl Grid {
    /// The number of the near rank, where ranks are numbers.
    fn first_rank(self) -> usize {
        usize::from(self != Grid::Ucci)
    }

    pub(super) fn name(self, variant: &Variant, square: Square) -> String {
        let geometry = variant.tables().geometry;
        let (file, rank) = (geometry.file(square), geometry.rank(square));
        match self {
            Grid::Usi => format!("{}{}", geometry.files - file, letter(geometry.ranks - 1 - rank)),
            Grid::Uci | Grid::Ucci => format!("{}{}", letter(file), rank + self.first_rank()),
        }
    }

    /// A leading square, with the text behind it.
    pub(super) fn read<'a>(self, variant: &Variant, text: &'a str) -> Option<(Square, &'a str)> {
        let geometry = variant.tables().geometry;
        let (file, rank, rest) = match self {
            Grid::Usi => {
                let (file, rest) = number(text)?;
                let (row, rest) = index(rest)?;
                (geometry.files.checked_sub(file)?, (geometry.ranks - 1).checked_sub(row)?, rest)
            }
            Grid::Uci | Grid::Ucci => {
                let (file, rest) = index(text)?;
                let (rank, rest) = number(rest)?;
                (file, rank.checked_sub(self.first_rank())?, rest)
            }
        };
        let inside = file < geometry.files && rank < geometry.ranks;
        inside.then(|| (geometry.at(file, rank), rest))
    }
}

/// The move in USI notation.
pub fn move_to_usi(variant: &Variant, mv: Move) -> String {
    write(variant, Grid::Usi, mv)
}

/// The move in UCI notation.
pub fn move_to_uci(variant: &Variant, mv: Move) -> String {
    write(variant, Grid::Uci, mv)
}

/// The square in UCI notation: file letter from Black's left, rank from 1 at Black's side.
pub fn square_name(variant: &Variant, square: Square) -> String {
    Grid::Uci.name(variant, square)
}

pub(super) fn write(variant: &Variant, grid: Grid, mv: Move) -> String {
    let to = grid.name(variant, mv.to());
    match mv.from() {
        None => {
            let sign = if grid == Grid::Usi { '*' } else { '@' };
            format!("{}{sign}{to}", variant.face_letter(mv.face()))
        }
        Some(from) => format!("{}{to}{}", grid.name(variant, from), turn_sign(mv)),
    }
}

/// `+` if the move turns the piece to its `+` face, `-` if it turns it back, else nothing.
pub(super) fn turn_sign(mv: Move) -> &'static str {
    match (mv.turned(), mv.face().is_reverse()) {
        (false, _) => "",
        (true, true) => "+",
        (true, false) => "-",
    }
}

/// Reads a move; without a grid, squares that begin with a digit are USI's and others UCI's.
pub(super) fn read(game: &Game, grid: Option<Grid>, text: &str) -> Result<Move, MoveTextError> {
    let variant = game.variant();
    let fault = |reason| Err(MoveTextError::new(text, reason));
    let square = |text| square(variant, grid, text);
    if let Some((piece, to)) = text.split_once(['*', '@']) {
        let Some(face) = variant.face_from_letter(piece) else {
            return fault("unknown piece letter before the drop sign");
        };
        return match square(to) {
            Some((to, "")) => Ok(Move::drop(face, to)),
            _ => fault("the drop does not name a square of the board"),
        };
    }
    let Some((from, rest)) = square(text) else {
        return fault("it does not begin with a square of the board");
    };
    let Some((to, sign)) = square(rest) else {
        return fault("it does not name a second square of the board");
    };
    let face = game.position().piece_at(from).map_or(Face(0), |piece| piece.face);
    match sign {
        "" | "=" => Ok(Move::board(from, to, face, false)),
        "+" if !face.is_reverse() => Ok(Move::board(from, to, face.turned(), true)),
        "-" if face.is_reverse() => Ok(Move::board(from, to, face.turned(), true)),
        // There is nothing to turn to: the move that turns without turning is never legal.
        "+" | "-" => Ok(Move::board(from, to, face, true)),
        _ => fault("only `+`, `-` or `=` may follow the squares"),
    }
}

/// A leading square, with the text behind it.
fn square<'a>(variant: &Variant, grid: Option<Grid>, text: &'a str) -> Option<(Square, &'a str)> {
    let usi = text.starts_with(|first: char| first.is_ascii_digit());
    grid.unwrap_or(if usi { Grid::Usi } else { Grid::Uci }).read(variant, text)
}

fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

/// A leading letter, as its place in the alphabet from 0.
fn index(text: &str) -> Option<(usize, &str)> {
    let first = text.chars().next().filter(char::is_ascii_lowercase)?;
    Some((usize::from(first as u8 - b'a'), &text[1..]))
}

/// A leading number of one or two digits.
pub(super) fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()).min(2);
    Some((text[..end].parse().ok()?, &text[end..]))
}
