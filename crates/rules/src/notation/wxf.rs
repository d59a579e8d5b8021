//! WXF notation of xiangqi: `C2=5`, `H8+7`, `R1-2`.
//!
//! Piece letter, file counted from the mover's right, `+` forward, `-` backward or `=` (also `.`)
//! sideways, then the number of steps along the file, or the file of arrival. Of two such pieces on
//! a file, `C+` is the front one and `C-` the rear one (`+C` and `-C` are read too); of three or
//! more, the place from the front stands for the letter: `27=6` is the second soldier of file 7.
//! Where pairs on two files would be confused, the file is added: `+P7=6`.

use std::cmp::Ordering;

use super::candidates::{face_before, legal, pick};
use super::coordinates::{self, Grid, number};
use super::{MoveTextError, move_to_uci};
use crate::bitboard::Bitboard;
use crate::game::Game;
use crate::moves::Move;
use crate::types::{Color, Face, Square};
use crate::variant::Variant;

pub(super) fn write(game: &Game, mv: Move) -> String {
    let legal = legal(game);
    let unique = |text: &Parsed| legal.iter().filter(|&&mv| text.fits(game, mv)).count() == 1;
    let spelling = spellings(game, mv).into_iter().find(unique);
    spelling.map_or_else(|| move_to_uci(game.variant(), mv), |text| text.spell(game.variant()))
}

pub(super) fn read(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    match parse(game.variant(), text) {
        Ok(parsed) => pick(game, text, |mv| parsed.fits(game, mv)),
        Err(why) => coordinates::read(game, Some(Grid::Uci), text)
            .map_err(|_| MoveTextError::new(text, why)),
    }
}

/// Which piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// One on this file.
    File(Face, usize),
    /// The front (or rear) one of several on a file, which may be named.
    Tandem { face: Face, front: bool, file: Option<usize> },
    /// The one in this place from the front, of at least three on this file.
    Place(usize, usize),
}

/// What a text says.
#[derive(Clone, Copy, Debug)]
struct Parsed {
    which: Which,
    /// Greater: forward.
    direction: Ordering,
    number: usize,
}

impl Parsed {
    fn fits(&self, game: &Game, mv: Move) -> bool {
        let Some(from) = mv.from().filter(|_| !mv.turned()) else { return false };
        if (self.direction, self.number) != direction(game, from, mv.to()) {
            return false;
        }
        let face = face_before(game, mv);
        let file = column(game, from);
        let on_file = on_file(game, from);
        let ahead = ahead(game, on_file, from);
        match self.which {
            Which::File(named, at) => (named, at) == (face, file),
            Which::Tandem { face: named, front, file: at } => {
                let place = if front { 0 } else { on_file.len() - 1 };
                named == face
                    && at.is_none_or(|at| at == file)
                    && on_file.len() >= 2
                    && ahead == place
            }
            Which::Place(place, at) => on_file.len() >= 3 && (place, at) == (ahead + 1, file),
        }
    }

    fn spell(&self, variant: &Variant) -> String {
        let sign = |front| if front { '+' } else { '-' };
        let letter = |face| variant.second_letter(face);
        let piece = match self.which {
            Which::File(face, file) => format!("{}{file}", letter(face)),
            Which::Tandem { face, front, file: None } => format!("{}{}", letter(face), sign(front)),
            Which::Tandem { face, front, file: Some(file) } => {
                format!("{}{}{file}", sign(front), letter(face))
            }
            Which::Place(place, file) => format!("{place}{file}"),
        };
        let direction = match self.direction {
            Ordering::Greater => '+',
            Ordering::Equal => '=',
            Ordering::Less => '-',
        };
        format!("{piece}{direction}{}", self.number)
    }
}

/// The spellings of a move, the usual one first; none if the notation lacks it.
fn spellings(game: &Game, mv: Move) -> Vec<Parsed> {
    let Some(from) = mv.from().filter(|_| !mv.turned()) else { return Vec::new() };
    let face = face_before(game, mv);
    if face.is_reverse() {
        return Vec::new();
    }
    let file = column(game, from);
    let on_file = on_file(game, from);
    let ahead = ahead(game, on_file, from);
    let tandem = |file| Which::Tandem { face, front: ahead == 0, file };
    let which = match on_file.len() {
        1 => vec![Which::File(face, file)],
        2 if twin_could(game, on_file, mv) => vec![tandem(None), tandem(Some(file))],
        2 => vec![Which::File(face, file), tandem(Some(file))],
        _ => vec![Which::Place(ahead + 1, file)],
    };
    let (direction, number) = direction(game, from, mv.to());
    which.into_iter().map(|which| Parsed { which, direction, number }).collect()
}

/// Whether the other piece of a pair on a file could ever move alike, as far as the board and its
/// region go. Of two advisors or elephants it cannot, so they need no sign.
fn twin_could(game: &Game, pair: Bitboard, mv: Move) -> bool {
    let variant = game.variant();
    let geometry = variant.tables().geometry;
    let region = variant.tables().movement(face_before(game, mv), game.side_to_move()).region;
    let from = mv.from().expect("drops have no pair");
    let offset = |part: fn(&crate::geometry::Geometry, Square) -> usize| {
        part(&geometry, mv.to()) as i8 - part(&geometry, from) as i8
    };
    let (x, y) = (offset(|board, at| board.file(at)), offset(|board, at| board.rank(at)));
    let mut twins = pair.into_iter().filter(|&twin| twin != from);
    twins.any(|twin| geometry.step(twin, x, y).is_some_and(|to| region.contains(to)))
}

/// The direction of a move, and its steps along a file or else its file of arrival.
fn direction(game: &Game, from: Square, to: Square) -> (Ordering, usize) {
    let geometry = game.variant().tables().geometry;
    let (before, after) = (geometry.rank(from), geometry.rank(to));
    let direction = match game.side_to_move() {
        Color::Black => after.cmp(&before),
        Color::White => before.cmp(&after),
    };
    let straight = geometry.file(from) == geometry.file(to);
    (direction, if straight { after.abs_diff(before) } else { column(game, to) })
}

/// The file, counted from 1 at the right of the side to move.
fn column(game: &Game, square: Square) -> usize {
    let geometry = game.variant().tables().geometry;
    match game.side_to_move() {
        Color::Black => geometry.files - geometry.file(square),
        Color::White => geometry.file(square) + 1,
    }
}

/// The pieces like that on `from` and of its colour on its file.
fn on_file(game: &Game, from: Square) -> Bitboard {
    let tables = game.variant().tables();
    let position = game.position();
    let file = tables.file_masks[tables.geometry.file(from)];
    position.pieces(position.side_to_move(), position.face_at(from)) & file
}

/// How many of these pieces of a file stand before that on `from`, seen by the side to move.
fn ahead(game: &Game, on_file: Bitboard, from: Square) -> usize {
    let before = |other: Square| match game.side_to_move() {
        Color::Black => other > from,
        Color::White => other < from,
    };
    on_file.into_iter().filter(|&other| before(other)).count()
}

fn parse(variant: &Variant, text: &str) -> Result<Parsed, &'static str> {
    let (which, rest) = which(variant, text).ok_or(
        "it does not begin with a piece and its file, such as `C2`, `C+`, `+C`, or `27` for the \
         second soldier of file 7",
    )?;
    let mut letters = rest.chars();
    let direction = match letters.next() {
        Some('+') => Ordering::Greater,
        Some('=' | '.') => Ordering::Equal,
        Some('-') => Ordering::Less,
        _ => return Err("`+`, `-`, `=` or `.` is expected behind the piece"),
    };
    match number(letters.as_str()) {
        Some((number, "")) => Ok(Parsed { which, direction, number }),
        _ => Err("it does not end with a number of steps or a file"),
    }
}

/// The leading part that names a piece, and the text behind it.
fn which<'a>(variant: &Variant, text: &'a str) -> Option<(Which, &'a str)> {
    let letter = |text: &'a str| {
        let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
        let face = variant.face_from_letter(&letter.to_ascii_uppercase().to_string())?;
        Some((face, &text[1..]))
    };
    if let Some(rest) = text.strip_prefix(['+', '-']) {
        let front = text.starts_with('+');
        let (face, rest) = letter(rest)?;
        let (file, rest) = number(rest).map_or((None, rest), |(file, rest)| (Some(file), rest));
        return Some((Which::Tandem { face, front, file }, rest));
    }
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        let (place, rest) = (text[..1].parse().ok()?, &text[1..]);
        let (file, rest) = number(rest)?;
        return Some((Which::Place(place, file), rest));
    }
    let (face, rest) = letter(text)?;
    if let Some((file, rest)) = number(rest) {
        return Some((Which::File(face, file), rest));
    }
    let behind = rest.strip_prefix(['+', '-'])?;
    Some((Which::Tandem { face, front: rest.starts_with('+'), file: None }, behind))
}
