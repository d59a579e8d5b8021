//! Moves as text: USI (`2c2b+`, `P*5e`) and UCI (`c3c4+`, `P@e5`).
//!
//! `+` turns a piece to its `+` face, `-` turns it back; no sign: it stays. USI counts files from
//! Black's right and letters ranks from the far side; UCI letters files from Black's left and counts
//! ranks from the near side.

use crate::moves::Move;
use crate::position::Position;
use crate::types::{Face, Square};
use crate::variant::Variant;

/// The text is no move, whatever the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no move: {reason}")]
pub struct MoveTextError {
    /// The text, shortened.
    pub text: String,
    /// What is wrong and what was expected.
    pub reason: &'static str,
}

/// The move in USI notation.
pub fn move_to_usi(variant: &Variant, mv: Move) -> String {
    move_text(variant, mv, '*', |square| {
        let geometry = variant.tables().geometry;
        let rank = geometry.ranks - 1 - geometry.rank(square);
        format!("{}{}", geometry.files - geometry.file(square), letter(rank))
    })
}

/// The move in UCI notation.
pub fn move_to_uci(variant: &Variant, mv: Move) -> String {
    move_text(variant, mv, '@', |square| square_name(variant, square))
}

/// The square in UCI notation: file letter from Black's left, rank from 1 at Black's side.
pub fn square_name(variant: &Variant, square: Square) -> String {
    let geometry = variant.tables().geometry;
    format!("{}{}", letter(geometry.file(square)), geometry.rank(square) + 1)
}

fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

fn move_text(
    variant: &Variant,
    mv: Move,
    drop_sign: char,
    square: impl Fn(Square) -> String,
) -> String {
    match mv.from() {
        None => format!("{}{drop_sign}{}", variant.face_letter(mv.face()), square(mv.to())),
        Some(from) => {
            let sign = match (mv.turned(), mv.face().is_reverse()) {
                (false, _) => "",
                (true, true) => "+",
                (true, false) => "-",
            };
            format!("{}{}{sign}", square(from), square(mv.to()))
        }
    }
}

/// Reads a move in either notation. The result need not be legal.
pub(crate) fn parse_move(
    variant: &Variant,
    position: &Position,
    text: &str,
) -> Result<Move, MoveTextError> {
    let fault = |reason| {
        let text = text.chars().take(20).collect();
        Err(MoveTextError { text, reason })
    };
    if let Some((piece, to)) = text.split_once(['*', '@']) {
        let Some(face) = variant.face_from_letter(piece) else {
            return fault("unknown piece letter before the drop sign");
        };
        return match square(variant, to) {
            Some((to, "")) => Ok(Move::drop(face, to)),
            _ => fault("the drop does not name a square of the board"),
        };
    }
    let Some((from, rest)) = square(variant, text) else {
        return fault("it does not begin with a square of the board");
    };
    let Some((to, sign)) = square(variant, rest) else {
        return fault("it does not name a second square of the board");
    };
    let face = position.piece_at(from).map_or(Face(0), |piece| piece.face);
    match sign {
        "" | "=" => Ok(Move::board(from, to, face, false)),
        "+" if !face.is_reverse() => Ok(Move::board(from, to, face.turned(), true)),
        "-" if face.is_reverse() => Ok(Move::board(from, to, face.turned(), true)),
        // There is nothing to turn to: the move that turns without turning is never legal.
        "+" | "-" => Ok(Move::board(from, to, face, true)),
        _ => fault("only `+`, `-` or `=` may follow the squares"),
    }
}

/// A leading square in USI (`5e`) or UCI (`e5`, `a10`) notation, with the text behind it.
fn square<'a>(variant: &Variant, text: &'a str) -> Option<(Square, &'a str)> {
    let geometry = variant.tables().geometry;
    let digits_end =
        |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()).min(2);
    let alphabet = |c: char| c.is_ascii_lowercase().then(|| usize::from(c as u8 - b'a'));
    let first = text.chars().next()?;
    let (file, rank, rest) = if first.is_ascii_digit() {
        let end = digits_end(text);
        let file = geometry.files.checked_sub(text[..end].parse().ok()?)?;
        let row = alphabet(text[end..].chars().next()?)?;
        (file, (geometry.ranks - 1).checked_sub(row)?, &text[end + 1..])
    } else {
        let file = alphabet(first)?;
        let rest = &text[1..];
        let end = digits_end(rest);
        let rank: usize = rest[..end].parse().ok()?;
        (file, rank.checked_sub(1)?, &rest[end..])
    };
    let inside = file < geometry.files && rank < geometry.ranks;
    inside.then(|| (geometry.at(file, rank), rest))
}
