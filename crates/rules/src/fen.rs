//! Positions as text: FEN (Fairy-Stockfish's spelling) and SFEN.
//!
//! In a variant with hands a bracket means FEN (`w` = first player) and none means SFEN (`b` = first
//! player). Variants without hands have FEN only, with `w` or `r` for the first player.

use std::fmt::Write;

use crate::guard::in_check;
use crate::notation::square_name;
use crate::position::Position;
use crate::types::{Color, Face, Kind, Piece, Square};
use crate::variant::Variant;

/// Why a text is not a position of the variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {column}: {reason}")]
pub struct PositionError {
    /// Where, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// No text of a position is longer.
const MAX_TEXT: usize = 1024;
/// No count in a hand is longer.
const MAX_COUNT: usize = 100;

fn error<T>(at: usize, reason: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError { column: at + 1, reason: reason.into() })
}

impl Position {
    /// Reads a FEN or an SFEN.
    ///
    /// Accepted: a missing king, doubled pawns, pieces that cannot move, kings that face each other,
    /// missing counters.
    ///
    /// # Errors
    /// Wrong shape, unknown letters, a face that does not exist, two kings on a side, more pieces of
    /// a kind than the variant has, a piece outside its region, the side not to move in check.
    pub fn parse(variant: &Variant, text: &str) -> Result<Position, PositionError> {
        let position = Position::parse_start(variant, text)?;
        check_counts(variant, &position)?;
        let waiting = !position.side_to_move();
        if in_check(variant, &position, waiting) {
            let reason = format!("the {waiting} player is in check, but it is not their turn");
            return error(0, reason);
        }
        Ok(position)
    }

    /// Reads a position without comparing it with the start position.
    pub(crate) fn parse_start(variant: &Variant, text: &str) -> Result<Position, PositionError> {
        if text.len() > MAX_TEXT {
            return error(MAX_TEXT, format!("a position has at most {MAX_TEXT} characters"));
        }
        let mut fields = fields(text);
        // Engine protocols write `position sfen …` or `fen …`; the keywords may stay.
        for keyword in ["position", "sfen", "fen"] {
            if fields.first().is_some_and(|(_, field)| *field == keyword) {
                fields.remove(0);
            }
        }
        let mut next = || if fields.is_empty() { None } else { Some(fields.remove(0)) };
        let Some((at, board)) = next() else { return error(0, "the position is empty") };
        let (board, bracket) = match board.find('[') {
            Some(open) if variant.has_hands() => {
                let Some(hand) = board[open + 1..].strip_suffix(']') else {
                    return error(at + open, "the hand after `[` does not end with `]`");
                };
                (&board[..open], Some((at + open + 1, hand)))
            }
            Some(open) => return error(at + open, "this game has no hands"),
            None => (board, None),
        };
        let mut position = Position::empty();
        read_board(variant, &mut position, at, board)?;
        let fen = bracket.is_some() || !variant.has_hands();
        let side = next().unwrap_or((text.len(), ""));
        position.set_side(variant, read_side(variant, fen, side)?);
        let hand = if fen { bracket } else { next() };
        if let Some((at, hand)) = hand {
            read_hand(variant, &mut position, at, hand)?;
        }
        let counters = if fen { 4 } else { 1 };
        for index in 0.. {
            match next() {
                None => break,
                Some((at, field)) => {
                    let number = field == "-" && fen || field.parse::<u32>().is_ok();
                    if !number || index >= counters {
                        return error(at, format!("`{field}` is one field too many or no counter"));
                    }
                }
            }
        }
        Ok(position)
    }

    /// The position as FEN; the counters are `0 1`, for they are no part of a position.
    pub fn to_fen(&self, variant: &Variant) -> String {
        let mut text = board_text(variant, self);
        if variant.has_hands() {
            let hand = hand_text(variant, self, |text, letter, count| {
                (0..count).for_each(|_| text.push_str(letter));
            });
            text.push_str(&format!("[{hand}]"));
        }
        let side = if self.side_to_move() == Color::Black { 'w' } else { 'b' };
        let counters = if variant.has_hands() { "0 1" } else { "- - 0 1" };
        text.push_str(&format!(" {side} {counters}"));
        text
    }

    /// The position as SFEN, with move number 1. Only variants with hands have SFEN; for others this
    /// is the FEN.
    pub fn to_sfen(&self, variant: &Variant) -> String {
        if !variant.has_hands() {
            return self.to_fen(variant);
        }
        let side = if self.side_to_move() == Color::Black { 'b' } else { 'w' };
        let hand = hand_text(variant, self, |text, letter, count| {
            if count > 1 {
                text.push_str(&count.to_string());
            }
            text.push_str(letter);
        });
        format!("{} {side} {hand} 1", board_text(variant, self))
    }
}

/// The fields of a text with their offsets.
fn fields(text: &str) -> Vec<(usize, &str)> {
    let offset = |field: &str| field.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().map(|field| (offset(field), field)).collect()
}

fn read_side(
    variant: &Variant,
    fen: bool,
    (at, field): (usize, &str),
) -> Result<Color, PositionError> {
    match (fen, field) {
        (true, "w") | (false, "b") => Ok(Color::Black),
        (true, "r") if !variant.has_hands() => Ok(Color::Black),
        (true, "b") | (false, "w") => Ok(Color::White),
        _ => error(at, format!("the side to move is `w` or `b`, not `{field}`")),
    }
}

fn read_board(
    variant: &Variant,
    position: &mut Position,
    at: usize,
    board: &str,
) -> Result<(), PositionError> {
    let (files, ranks) = (variant.files(), variant.ranks());
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != ranks {
        return error(at, format!("the board has {ranks} ranks, the text {}", rows.len()));
    }
    let mut at = at;
    for (index, row) in rows.iter().enumerate() {
        let rank = ranks - 1 - index;
        let mut file = 0;
        let mut rest = *row;
        while !rest.is_empty() {
            let place = at + row.len() - rest.len();
            if let Some((count, tail)) = number(rest) {
                file += count;
                rest = tail;
            } else {
                let (piece, tail) = read_piece(variant, place, rest)?;
                if file < files {
                    let square = variant.tables().geometry.at(file, rank);
                    place_piece(variant, position, place, square, piece)?;
                }
                file += 1;
                rest = tail;
            }
            if file > files {
                return error(place, format!("rank {} has more than {files} files", rank + 1));
            }
        }
        if file < files {
            return error(at, format!("rank {} has {file} files instead of {files}", rank + 1));
        }
        at += row.len() + 1;
    }
    Ok(())
}

/// A leading number of at most three digits, with the text behind it.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let end = end.min(3);
    text[..end].parse().ok().map(|number| (number, &text[end..]))
}

/// A piece with its `+`, and the text behind it.
fn read_piece<'a>(
    variant: &Variant,
    at: usize,
    text: &'a str,
) -> Result<(Piece, &'a str), PositionError> {
    let plus = if text.starts_with('+') { "+" } else { "" };
    let behind = &text[plus.len()..];
    let Some(letter) = behind.chars().next() else {
        return error(at, "`+` stands before no piece");
    };
    let tail = &behind[letter.len_utf8()..];
    let color = if letter.is_ascii_lowercase() { Color::White } else { Color::Black };
    let upper = letter.to_ascii_uppercase();
    if let Some(face) = variant.face_from_letter(&format!("{plus}{upper}")) {
        return Ok((Piece { color, face }, tail));
    }
    if let Some(face) = variant.face_displayed_as(&upper.to_string()).filter(|_| plus.is_empty()) {
        let right = cased(variant.face_letter(face), color);
        let name = variant.face_name(face);
        return error(at, format!("`{letter}` is no letter of this game; a {name} is `{right}`"));
    }
    if variant.face_from_letter(&upper.to_string()).is_some() {
        return error(at, format!("the piece `{letter}` has no `+` face"));
    }
    error(at, format!("unknown piece `{plus}{letter}`"))
}

fn place_piece(
    variant: &Variant,
    position: &mut Position,
    at: usize,
    square: Square,
    piece: Piece,
) -> Result<(), PositionError> {
    let letter = cased(variant.face_letter(piece.face), piece.color);
    if piece.face.kind() == variant.royal() && position.king(piece.color).is_some() {
        return error(at, format!("a second king `{letter}` of the {} player", piece.color));
    }
    let region = variant.tables().movement(piece.face, piece.color).region;
    if !region.contains(square) {
        let name = variant.face_name(piece.face);
        let place = square_name(variant, square);
        let why =
            format!("the {} player's {name} `{letter}` may not stand on {place}", piece.color);
        return error(at, format!("{why}: outside its region"));
    }
    position.put(variant, square, piece);
    Ok(())
}

fn read_hand(
    variant: &Variant,
    position: &mut Position,
    at: usize,
    hand: &str,
) -> Result<(), PositionError> {
    if matches!(hand, "" | "-") {
        return Ok(());
    }
    let mut rest = hand;
    while !rest.is_empty() {
        let place = at + hand.len() - rest.len();
        let (count, tail) = number(rest).unwrap_or((1, rest));
        let Some(letter) = tail.chars().next() else {
            return error(place, "a count stands before no piece");
        };
        let color = if letter.is_ascii_lowercase() { Color::White } else { Color::Black };
        let face = variant.face_from_letter(&letter.to_ascii_uppercase().to_string());
        let droppable = |face: &Face| variant.droppable_faces().contains(face);
        let Some(face) = face.filter(droppable) else {
            return error(place, format!("`{letter}` is no piece of a hand"));
        };
        let held = usize::from(position.hand(color, face.kind()));
        if count == 0 || count + held > MAX_COUNT {
            return error(place, format!("a hand holds 1 to {MAX_COUNT} of a kind, not {count}"));
        }
        position.add_to_hand(variant, color, face.kind(), count as u8);
        rest = &tail[letter.len_utf8()..];
    }
    Ok(())
}

/// No more pieces of a kind than the start position has; per side where pieces never change sides.
fn check_counts(variant: &Variant, position: &Position) -> Result<(), PositionError> {
    for kind in (0..variant.kinds()).map(Kind::new) {
        let count = |position: &Position, color: Color| {
            let on_board = position.pieces(color, kind.front()).len()
                + position.pieces(color, kind.reverse()).len();
            on_board + usize::from(position.hand(color, kind))
        };
        let counts =
            Color::ALL.map(|color| (count(position, color), count(variant.start(), color)));
        let [black, white] = counts;
        let total = (black.0 + white.0, black.1 + white.1);
        let groups = if variant.has_hands() { vec![total] } else { vec![black, white] };
        if let Some((found, most)) = groups.into_iter().find(|(found, most)| found > most) {
            let letter = variant.face_letter(kind.front());
            return error(0, format!("{found} pieces `{letter}`, but the game has {most}"));
        }
    }
    Ok(())
}

/// Upper case for Black, lower case for White.
fn cased(letter: &str, color: Color) -> String {
    match color {
        Color::Black => letter.to_owned(),
        Color::White => letter.to_ascii_lowercase(),
    }
}

fn board_text(variant: &Variant, position: &Position) -> String {
    let geometry = variant.tables().geometry;
    let mut text = String::new();
    for rank in (0..geometry.ranks).rev() {
        let mut empty = 0;
        for file in 0..geometry.files {
            match position.piece_at(geometry.at(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    flush(&mut text, &mut empty);
                    text.push_str(&cased(variant.face_letter(piece.face), piece.color));
                }
            }
        }
        flush(&mut text, &mut empty);
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn flush(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        write!(text, "{empty}").expect("writing to a string cannot fail");
        *empty = 0;
    }
}

/// The hands: the first player's pieces first, R B G S N L P, then the other letters in the order of
/// the variant file; `-` if both are empty.
fn hand_text(
    variant: &Variant,
    position: &Position,
    write: impl Fn(&mut String, &str, u8),
) -> String {
    let usual = |kind: &Kind| {
        let letter = variant.face_letter(kind.front());
        "RBGSNLP".find(letter).unwrap_or(usize::MAX)
    };
    let mut kinds: Vec<Kind> = (0..variant.kinds()).map(Kind::new).collect();
    kinds.sort_by_key(usual);
    let mut text = String::new();
    for color in Color::ALL {
        for &kind in &kinds {
            match position.hand(color, kind) {
                0 => {}
                count => write(&mut text, &cased(variant.face_letter(kind.front()), color), count),
            }
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}
