//! Which face moves like the left-right mirror image of which.

use crate::bitboard::Bitboard;
use crate::movement::Movement;
use crate::tables::Way;
use crate::types::{Color, Face, MAX_FACES, Square};
use crate::variant::Variant;

/// The mirror image of every face, by face. Front faces mirror to front faces, and both faces of a
/// piece to both faces of one other piece.
pub(crate) fn faces(variant: &Variant) -> Vec<Option<Face>> {
    let mut images = vec![None; MAX_FACES];
    let zone = variant.promotion().zone[0];
    if mirrored(variant, zone) != zone {
        return images;
    }
    for face in variant.faces().filter(|face| !face.is_reverse()) {
        let others = variant.faces().filter(|other| !other.is_reverse() && *other != face);
        let image = std::iter::once(face).chain(others).find(|&other| pair(variant, face, other));
        images[face.index()] = image;
        if variant.has_face(face.turned()) {
            images[face.turned().index()] = image.map(Face::turned);
        }
    }
    images
}

/// Whether two pieces are mirror images on both faces.
fn pair(variant: &Variant, face: Face, other: Face) -> bool {
    let royal = |face: Face| face.kind() == variant.royal();
    let crowd = |face: Face| {
        variant.rules().per_file.iter().find(|(kind, _)| *kind == face.kind()).map(|(_, n)| *n)
    };
    royal(face) == royal(other)
        && crowd(face) == crowd(other)
        && variant.drops().may_not_mate(face) == variant.drops().may_not_mate(other)
        && variant.has_face(face.turned()) == variant.has_face(other.turned())
        && alike(variant, face, other)
        && (!variant.has_face(face.turned()) || alike(variant, face.turned(), other.turned()))
}

/// Whether `other` moves and is dropped like the mirror image of `face`.
fn alike(variant: &Variant, face: Face, other: Face) -> bool {
    let (tables, color) = (variant.tables(), Color::Black);
    let (own, image) = (tables.movement(face, color), tables.movement(other, color));
    let mirrored = |set| mirrored(variant, set);
    let drops = |face| variant.drops().squares(face, color);
    mirrored(own.region) == image.region
        && mirrored(drops(face)) == drops(other)
        && tables.geometry.all().all(|from| {
            let (cell, other) =
                (own.cells[from.index()], image.cells[square(variant, from).index()]);
            mirrored(cell.quiet) == other.quiet
                && mirrored(cell.capture) == other.capture
                && mirrored(cell.all) == other.all
                && ways(variant, own, from, true)
                    == ways(variant, image, square(variant, from), false)
        })
}

/// The ways of a movement from a square in a fixed order, or their mirror images.
fn ways(variant: &Variant, movement: &Movement, from: Square, mirror: bool) -> Vec<Way> {
    let mut ways: Vec<Way> = variant.tables().ways(movement, from).collect();
    if mirror {
        for way in &mut ways {
            way.target = square(variant, way.target);
            way.path = mirrored(variant, Bitboard(way.path)).0;
        }
    }
    ways.sort_unstable();
    ways
}

/// The same rank, the file counted from the other side.
fn square(variant: &Variant, at: Square) -> Square {
    let geometry = variant.tables().geometry;
    geometry.at(geometry.files - 1 - geometry.file(at), geometry.rank(at))
}

fn mirrored(variant: &Variant, set: Bitboard) -> Bitboard {
    set.into_iter().map(|at| square(variant, at)).collect()
}
