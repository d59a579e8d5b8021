//! The `[pieces]` tables of a variant file.

use super::read::{Faults, Zones};
use super::tree::{Place, Table, Value, shortened};
use crate::betza::{self, Step};
use crate::bitboard::Bitboard;
use crate::movement::FaceSpec;
use crate::types::{Face, Kind, MAX_FACES, MAX_KINDS};
use crate::variant::FaceInfo;

/// All pieces of a file.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// By face.
    pub(super) specs: Vec<Option<FaceSpec>>,
    /// By face.
    pub(super) infos: Vec<Option<FaceInfo>>,
    /// Letters that are read like another one.
    pub(super) aliases: Vec<(char, Kind)>,
}

impl Pieces {
    pub(super) fn kind(&self, letter: &str) -> Option<Kind> {
        let at = self.infos.iter().position(|info| {
            info.as_ref().is_some_and(|info| info.letter == letter && !letter.is_empty())
        });
        at.filter(|face| face % 2 == 0).map(|face| Kind::new(face / 2))
    }
}

/// A face's name is at most this long, in characters.
const MAX_NAME: usize = 40;
/// So is the letter it is shown with.
const MAX_DISPLAY: usize = 2;

const PIECE_KEYS: [&str; 10] = [
    "name",
    "moves",
    "beyond",
    "region",
    "value",
    "display",
    "kanji",
    "kanji_text",
    "reverse",
    "aliases",
];
const REVERSE_KEYS: [&str; 8] =
    ["name", "moves", "beyond", "region", "value", "display", "kanji", "kanji_text"];
/// The most characters of a piece's Japanese or Chinese name.
const MAX_KANJI: usize = 4;

/// Reads `[pieces]`.
pub(super) fn read(
    faults: &mut Faults,
    root: &Table,
    place: &Place,
    zones: &Zones,
    board: Bitboard,
) -> Pieces {
    let mut pieces =
        Pieces { specs: vec![None; MAX_FACES], infos: vec![None; MAX_FACES], aliases: Vec::new() };
    let Some((table, _)) = faults.table(root, "pieces") else {
        if root.get("pieces").is_none() {
            faults.add(place, "`pieces` is missing");
        }
        return pieces;
    };
    if table.entries.len() > MAX_KINDS {
        let found = table.entries.len();
        faults.add(place, format!("at most {MAX_KINDS} kinds of pieces are possible, not {found}"));
    }
    for (index, entry) in table.entries.iter().take(MAX_KINDS).enumerate() {
        let Some(letter) = letter(&entry.key) else {
            let key = shortened(&entry.key);
            faults
                .add(&entry.key_place, format!("a piece is named by one letter A-Z, not `{key}`"));
            continue;
        };
        let Value::Table(piece) = &entry.node.value else {
            faults.add(&entry.node.place, format!("piece `{letter}` is described by a table"));
            continue;
        };
        let kind = Kind::new(index);
        faults.check_keys(piece, &PIECE_KEYS);
        let front = Reader { zones, board, letter: letter.to_string() };
        front.face(faults, piece, &entry.key_place, kind.front(), &mut pieces);
        if let Some((reverse, place)) = faults.table(piece, "reverse") {
            faults.check_keys(reverse, &REVERSE_KEYS);
            let back = Reader { zones, board, letter: format!("+{letter}") };
            back.face(faults, reverse, place, kind.reverse(), &mut pieces);
        }
        for (text, place) in faults.texts(piece, "aliases") {
            match self::letter(text) {
                Some(alias) => pieces.aliases.push((alias, kind)),
                None => faults.add(place, "an alias is one letter A-Z"),
            }
        }
    }
    check_aliases(faults, &pieces, place);
    pieces
}

fn check_aliases(faults: &mut Faults, pieces: &Pieces, place: &Place) {
    for (index, (alias, _)) in pieces.aliases.iter().enumerate() {
        let taken = pieces.kind(&alias.to_string()).is_some()
            || pieces.aliases[..index].iter().any(|(other, _)| other == alias);
        if taken {
            faults.add(place, format!("the alias `{alias}` is taken by another piece"));
        }
    }
}

/// A name in Japanese or Chinese characters: one text, or the first player's and the second player's.
fn kanji(faults: &mut Faults, table: &Table, key: &str) -> Option<[String; 2]> {
    let node = table.get(key)?;
    let texts = match node.value {
        Value::List(_) => faults.texts(table, key),
        _ => vec![(faults.text(table, key)?, &node.place); 2],
    };
    // Blanks, digits and marks have a meaning in the text of moves.
    let good = |text: &str| {
        (1..=MAX_KANJI).contains(&text.chars().count()) && text.chars().all(char::is_alphabetic)
    };
    match texts.as_slice() {
        [(first, _), (second, _)] if good(first) && good(second) => {
            Some([first, second].map(|text| (*text).to_owned()))
        }
        _ => {
            let why = format!("`{key}` is 1 to {MAX_KANJI} letters, or a list of two such texts");
            faults.add(&node.place, why);
            None
        }
    }
}

/// A single letter A-Z.
fn letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|first| first.is_ascii_uppercase() && letters.next().is_none())
}

/// Reads one face.
struct Reader<'a> {
    zones: &'a Zones,
    board: Bitboard,
    letter: String,
}

impl Reader<'_> {
    fn face(&self, faults: &mut Faults, table: &Table, place: &Place, face: Face, to: &mut Pieces) {
        let steps = self.moves(faults, table, place);
        let beyond = faults.table(table, "beyond").map(|(beyond, place)| {
            faults.check_keys(beyond, &["zone", "moves"]);
            if beyond.get("zone").is_none() {
                faults.add(place, "`zone` is missing");
            }
            let zone = faults.zone(beyond, "zone", self.zones).unwrap_or_default();
            (zone, self.moves(faults, beyond, place))
        });
        let region = faults.zone(table, "region", self.zones).unwrap_or(self.board);
        let name = faults.shown(table, "name", MAX_NAME).unwrap_or(&self.letter).to_owned();
        let value = faults.number(table, "value", 0..=1_000_000).map(|value| value as i32);
        let display = faults.shown(table, "display", MAX_DISPLAY).map(str::to_owned);
        let kanji = kanji(faults, table, "kanji");
        let kanji_text = self::kanji(faults, table, "kanji_text");
        let letter = self.letter.clone();
        to.specs[face.index()] = Some(FaceSpec { steps, beyond, region });
        to.infos[face.index()] = Some(FaceInfo { letter, name, display, kanji, kanji_text, value });
    }

    fn moves(&self, faults: &mut Faults, table: &Table, place: &Place) -> Vec<Step> {
        let Some(text) = faults.needed_text(table, "moves", place) else { return Vec::new() };
        match betza::parse(text) {
            Ok(steps) => steps,
            Err(why) => {
                if let Some(node) = table.get("moves") {
                    let text = shortened(text);
                    faults.add(&node.place, format!("movement `{text}`: {why}"));
                }
                Vec::new()
            }
        }
    }
}
