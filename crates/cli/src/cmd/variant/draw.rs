//! Boards as text: a position with its hands, and what a face reaches from one square.

use std::collections::BTreeSet;

use rules::{Color, Face, Kind, Passage, Position, Reach, Square, Variant};

/// The position with coordinates, the second player above, and what both hold.
pub(super) fn position(variant: &Variant, position: &Position) -> String {
    let cells = (0..variant.squares()).map(|at| match position.piece_at(Square::new(at)) {
        None => ".".to_owned(),
        Some(piece) => cased(variant.face_letter(piece.face), piece.color),
    });
    let mut text = board(variant, &cells.collect::<Vec<_>>());
    if !variant.droppable_faces().is_empty() {
        for color in Color::ALL {
            let held = (0..variant.kinds()).map(Kind::new).filter_map(|kind| {
                let letter = cased(variant.face_letter(kind.front()), color);
                match position.hand(color, kind) {
                    0 => None,
                    1 => Some(letter),
                    count => Some(format!("{count}{letter}")),
                }
            });
            let held: Vec<_> = held.collect();
            let held = if held.is_empty() { "nothing".to_owned() } else { held.join(" ") };
            text.push_str(&format!("\n{} holds {held}", super::super::side(color)));
        }
    }
    text
}

/// Upper case for the first player, lower case for the second.
fn cased(letter: &str, color: Color) -> String {
    if color == Color::Black { letter.to_owned() } else { letter.to_lowercase() }
}

/// The square that a face is shown on: of those where it may stand and can move, the one nearest to
/// the middle.
pub(super) fn centre(variant: &Variant, face: Face) -> Square {
    let middle = (variant.files() as isize - 1, variant.ranks() as isize - 1);
    let distance = |square: &Square| {
        let files = variant.files();
        let (file, rank) = ((square.index() % files) as isize, (square.index() / files) as isize);
        let away = (2 * file - middle.0).abs().max((2 * rank - middle.1).abs());
        (variant.empty_board_targets(face, Color::Black, *square).is_empty(), away)
    };
    let region = variant.region(face, Color::Black);
    region.into_iter().min_by_key(distance).expect("a region has squares")
}

/// What a face reaches from a square on a board without other pieces (screens and legs aside): `o`
/// leaps, `+` slides or rides, `n` needs the passed squares empty too, `p` hops over one piece; then
/// `m` without capture only, `c` with capture only.
pub(super) fn moves(variant: &Variant, face: Face, from: Square) -> String {
    let mut cells = vec![BTreeSet::new(); variant.squares()];
    for Reach { target, passage, quiet, capture } in variant.reaches(face, Color::Black, from) {
        let sign = match passage {
            Passage::Leap => 'o',
            Passage::Slide => '+',
            Passage::Lame => 'n',
            Passage::Hop => 'p',
        };
        let mode = match (quiet, capture) {
            (true, false) => "m",
            (false, true) => "c",
            _ => "",
        };
        cells[target.index()].insert(format!("{sign}{mode}"));
    }
    let cells: Vec<String> = cells
        .into_iter()
        .enumerate()
        .map(|(at, signs)| match signs.is_empty() {
            _ if at == from.index() => variant.face_letter(face).to_owned(),
            true => ".".to_owned(),
            false => signs.into_iter().collect(),
        })
        .collect();
    board(variant, &cells)
}

/// Cells by square, between rank numbers and file letters.
fn board(variant: &Variant, cells: &[String]) -> String {
    let width = 1 + cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(1);
    let mut rows: Vec<String> = cells
        .chunks(variant.files())
        .enumerate()
        .map(|(rank, row)| {
            let row: String = row.iter().map(|cell| format!("{cell:>width$}")).collect();
            format!("{:>3} {row}", rank + 1)
        })
        .collect();
    rows.reverse();
    let names = ('a'..='z').take(variant.files());
    let names: String = names.map(|name| format!("{name:>width$}")).collect();
    format!("{}\n    {names}", rows.join("\n"))
}
