//! Japanese notation: `☗７六歩`, `☖同銀不成`, `☗５八金右`, `☗４八金打`.
//!
//! Mark of the side, square of arrival (`同`: that of the last move), name of the piece before the
//! move; where several pieces of that name could go there, how this one comes ([`super::manner`]),
//! or as a last resort its square of origin in brackets, as game files have it; `打` for a drop
//! where such a piece on the board could go there too; `成` turned over, `不成` not though it could.
//! Source: the rules of the Japan Shogi Association, <https://www.shogi.or.jp/faq/kihuhyouki.html>.

use super::MoveTextError;
use super::candidates::{declines_to_turn, face_before, legal, pick};
use super::manner::{Comers, Manner};
use super::numerals::{kanji, read_kanji, read_wide, wide};
use crate::bitboard::Bitboard;
use crate::game::Game;
use crate::moves::Move;
use crate::types::{Color, Face, Square};
use crate::variant::Variant;

const MARKS: [char; 2] = ['☗', '☖'];
/// Marks that are read, by colour.
const KNOWN_MARKS: [&[char]; 2] = [&['☗', '▲', '⛊'], &['☖', '△', '▽', '⛉']];
const SAME: char = '同';
const DROP: char = '打';
const TURNED: char = '成';
const NOT_TURNED: [&str; 2] = ["不成", "生"];
const BLANKS: [char; 2] = [' ', '\u{3000}'];

pub(super) fn write(game: &Game, mv: Move) -> String {
    let variant = game.variant();
    let side = game.side_to_move();
    let legal = legal(game);
    let to = mv.to();
    let same = game.moves().last().is_some_and(|last| last.to() == to);
    let place = if same { SAME.to_string() } else { square(variant, to) };
    let name_of = |mv| name(variant, face_before(game, mv), side);
    let name = name_of(mv);
    let comers = Comers::new(game, to, origins(&legal, to, |other| name_of(other) == name));
    let how = match mv.from() {
        None if comers.is_empty() => String::new(),
        None => DROP.to_string(),
        Some(from) => comers.manner(from).map_or_else(|| origin(variant, from), Manner::spell),
    };
    let turn = match mv.turned() {
        true => TURNED.to_string(),
        false if declines_to_turn(&legal, mv) => NOT_TURNED[0].to_owned(),
        false => String::new(),
    };
    format!("{}{place}{name}{how}{turn}", MARKS[side.index()])
}

pub(super) fn read(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    let parsed = parse(game, text).map_err(|why| MoveTextError::new(text, why))?;
    let side = game.side_to_move();
    let named = |mv| fold(name(game.variant(), face_before(game, mv), side)) == parsed.name;
    let comers = Comers::new(game, parsed.to, origins(&legal(game), parsed.to, named));
    pick(game, text, |mv| {
        let comes = match mv.from() {
            None => (parsed.drop || comers.is_empty()) && parsed.manner == Manner::default(),
            Some(from) => !parsed.drop && comers.fits(parsed.manner, from),
        };
        let from_there = parsed.origin.is_none() || parsed.origin == mv.from();
        comes && from_there && mv.to() == parsed.to && mv.turned() == parsed.turned && named(mv)
    })
}

/// The name of a face in the text of moves.
fn name(variant: &Variant, face: Face, color: Color) -> &str {
    variant.face_kanji_text(face, color).unwrap_or(variant.face_letter(face))
}

/// Where pieces of a name come from that may legally go to the square.
fn origins(legal: &[Move], to: Square, named: impl Fn(Move) -> bool) -> Bitboard {
    let there = legal.iter().filter(|&&mv| mv.to() == to && named(mv));
    there.filter_map(|mv| mv.from()).collect()
}

/// File from Black's right and rank from the far side, both from 1.
fn file_and_rank(variant: &Variant, square: Square) -> (usize, usize) {
    let geometry = variant.tables().geometry;
    (geometry.files - geometry.file(square), geometry.ranks - geometry.rank(square))
}

/// The inverse of [`file_and_rank`].
fn at(variant: &Variant, file: usize, rank: usize) -> Option<Square> {
    let geometry = variant.tables().geometry;
    let inside = (1..=geometry.files).contains(&file) && (1..=geometry.ranks).contains(&rank);
    inside.then(|| geometry.at(geometry.files - file, geometry.ranks - rank))
}

fn square(variant: &Variant, square: Square) -> String {
    let (file, rank) = file_and_rank(variant, square);
    format!("{}{}", wide(file), kanji(rank))
}

/// `(77)`; with a comma between numbers of more than a digit.
fn origin(variant: &Variant, square: Square) -> String {
    let (file, rank) = file_and_rank(variant, square);
    if file < 10 && rank < 10 { format!("({file}{rank})") } else { format!("({file},{rank})") }
}

/// What a text says.
struct Parsed {
    to: Square,
    /// As [`fold`] writes it, in the text of moves of the side to move.
    name: String,
    manner: Manner,
    drop: bool,
    turned: bool,
    origin: Option<Square>,
}

fn parse(game: &Game, text: &str) -> Result<Parsed, String> {
    let side = game.side_to_move();
    if text.starts_with(KNOWN_MARKS[(!side).index()]) {
        return Err(format!("the mark is that of the other player; the {side} player moves"));
    }
    let text = text.strip_prefix(KNOWN_MARKS[side.index()]).unwrap_or(text);
    let (to, rest) = arrival(game, text)?;
    let (name, rest) = piece(game, rest.trim_start_matches(BLANKS))?;
    let (manner, rest) = Manner::read(rest);
    let (drop, rest) = rest.strip_prefix(DROP).map_or((false, rest), |rest| (true, rest));
    let declined = NOT_TURNED.iter().find_map(|word| rest.strip_prefix(word));
    let (turned, rest) = match (declined, rest.strip_prefix(TURNED)) {
        (Some(rest), _) => (false, rest),
        (None, Some(rest)) => (true, rest),
        (None, None) => (false, rest),
    };
    let (origin, rest) = match rest.strip_prefix('(') {
        None => (None, rest),
        Some(inside) => {
            let (inside, rest) = inside.split_once(')').unwrap_or((inside, ""));
            let square = read_origin(game.variant(), inside);
            (Some(square.ok_or("the brackets hold no square of origin")?), rest)
        }
    };
    if !rest.trim_end_matches(BLANKS).is_empty() {
        return Err(format!("`{rest}` is left over behind piece, manner and `成`"));
    }
    Ok(Parsed { to, name, manner, drop, turned, origin })
}

/// The leading square of arrival, and the text behind it.
fn arrival<'a>(game: &Game, text: &'a str) -> Result<(Square, &'a str), String> {
    if let Some(rest) = text.strip_prefix(SAME) {
        let last = game.moves().last().ok_or("`同` stands for the last move, but there is none")?;
        return Ok((last.to(), rest));
    }
    let square = read_wide(text).and_then(|(file, rest)| {
        let (rank, rest) = read_kanji(rest)?;
        Some((at(game.variant(), file, rank)?, rest))
    });
    square.ok_or_else(|| "it does not begin with a square such as `７六`, or `同`".to_owned())
}

/// The leading name of a piece, whichever of its names is used, as [`Parsed::name`] has it.
fn piece<'a>(game: &Game, text: &'a str) -> Result<(String, &'a str), String> {
    let variant = game.variant();
    let mut found: Option<(usize, String)> = None;
    for face in variant.faces() {
        let kanji = Color::ALL.into_iter().flat_map(|color| {
            [variant.face_kanji(face, color), variant.face_kanji_text(face, color)]
        });
        for known in kanji.flatten().chain([variant.face_letter(face)]) {
            let longer = found.as_ref().is_none_or(|(length, _)| *length < known.len());
            if longer && fold(text).starts_with(&fold(known)) {
                found = Some((known.len(), fold(name(variant, face, game.side_to_move()))));
            }
        }
    }
    let (length, name) = found.ok_or("no piece of this game is named behind the square")?;
    Ok((name, &text[length..]))
}

/// Old and new shapes of one character are the same. They take equally many bytes.
fn fold(text: &str) -> String {
    text.replace('竜', "龍")
}

fn read_origin(variant: &Variant, text: &str) -> Option<Square> {
    let (file, rank) = match text.split_once(',') {
        Some((file, rank)) => (file, rank),
        None => text.split_at_checked(1)?,
    };
    at(variant, file.parse().ok()?, rank.parse().ok()?)
}
