//! Western shogi notation: `P-7f`, `Bx3c+`, `G6i-5h`, `S*5e`, `Nx7c=`.
//!
//! Piece letter (`+` before it if turned), square of origin if several such pieces could go there,
//! `-` move, `x` capture, `*` drop, USI square, then `+` turned, `-` turned back, `=` not turned
//! though it could.

use super::MoveTextError;
use super::candidates::{declines_to_turn, face_before, legal, pick};
use super::coordinates::{Grid, turn_sign};
use crate::game::Game;
use crate::moves::Move;
use crate::types::{Face, Square};
use crate::variant::Variant;

pub(super) fn write(game: &Game, mv: Move) -> String {
    let variant = game.variant();
    let legal = legal(game);
    let face = face_before(game, mv);
    let rival = |other: &Move| {
        let apart = !other.is_drop() && other.from() != mv.from() && other.to() == mv.to();
        apart && face_before(game, *other) == face
    };
    let origin = mv.from().filter(|_| legal.iter().any(rival));
    let origin = origin.map_or(String::new(), |from| Grid::Usi.name(variant, from));
    let sign = match mv.is_drop() {
        true => '*',
        false if is_capture(game, mv) => 'x',
        false => '-',
    };
    let turn = if declines_to_turn(&legal, mv) { "=" } else { turn_sign(mv) };
    let to = Grid::Usi.name(variant, mv.to());
    format!("{}{origin}{sign}{to}{turn}", variant.face_letter(face))
}

pub(super) fn read(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    let parsed = parse(game.variant(), text).map_err(|why| MoveTextError::new(text, why))?;
    pick(game, text, |mv| {
        let turn = if mv.is_drop() { "" } else { turn_sign(mv) };
        face_before(game, mv) == parsed.face
            && mv.to() == parsed.to
            && (parsed.origin.is_none() || parsed.origin == mv.from())
            && mv.is_drop() == (parsed.sign == '*')
            && is_capture(game, mv) == (parsed.sign == 'x')
            && turn == parsed.turn
    })
}

fn is_capture(game: &Game, mv: Move) -> bool {
    !mv.is_drop() && game.position().color(!game.side_to_move()).contains(mv.to())
}

/// What a text says.
struct Parsed<'a> {
    face: Face,
    origin: Option<Square>,
    sign: char,
    to: Square,
    turn: &'a str,
}

fn parse<'a>(variant: &Variant, text: &'a str) -> Result<Parsed<'a>, &'static str> {
    let Some(at) = text.find(['-', 'x', '*']) else {
        return Err("`-`, `x` or `*` is expected before a square");
    };
    let (piece, rest) = text.split_at(at);
    let letters = piece.find(|c: char| c.is_ascii_digit()).unwrap_or(piece.len());
    let face = variant.face_from_letter(&piece[..letters]);
    let face = face.ok_or("it does not begin with a piece letter of this game")?;
    let origin = match &piece[letters..] {
        "" => None,
        origin => match Grid::Usi.read(variant, origin) {
            Some((square, "")) => Some(square),
            _ => return Err("what follows the piece letter is no square of the board"),
        },
    };
    let sign = if rest.starts_with('*') {
        '*'
    } else if rest.starts_with('x') {
        'x'
    } else {
        '-'
    };
    let to = Grid::Usi.read(variant, &rest[1..]);
    let (to, turn) = to.ok_or("it does not name a square of the board")?;
    if !matches!(turn, "" | "+" | "-" | "=") {
        return Err("only `+`, `-` or `=` may follow the square");
    }
    let turn = if turn == "=" { "" } else { turn };
    Ok(Parsed { face, origin, sign, to, turn })
}
