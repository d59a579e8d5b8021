//! The canonical description of a variant, from which its fingerprints are made. It is written from
//! the compiled form, so that only what matters for play is in it.

use std::fmt::Write;

use crate::rule::Chase;
use crate::types::{Color, Face};
use crate::variant::Variant;

/// Geometry, pieces, promotion and drops.
pub(crate) fn board(variant: &Variant) -> String {
    let mut text = format!("board 1\n{} x {}\n", variant.files(), variant.ranks());
    let rules = variant.rules();
    for face in variant.faces() {
        let movement = variant.tables().movement(face, Color::Black);
        let drops = variant.drops().squares(face, Color::Black).0;
        line(&mut text, format_args!("face {} {}", face.index(), variant.face_letter(face)));
        line(&mut text, format_args!("region {:x} drops {drops:x}", movement.region.0));
        for cell in &movement.cells {
            let (quiet, capture, all) = (cell.quiet.0, cell.capture.0, cell.all.0);
            line(&mut text, format_args!("{quiet:x} {capture:x} {all:x}"));
        }
        line(&mut text, format_args!("rays {:?} {:x?}", movement.rays, movement.ray_squares));
        line(&mut text, format_args!("lame {:?}", movement.lame));
    }
    let zone = rules.promotion.zone[0].0;
    let (rule, trigger) = (rules.promotion.rule, rules.promotion.trigger);
    line(&mut text, format_args!("promotion {rule:?} {trigger:?} {zone:x}"));
    let no_mate_by: Vec<&Face> = variant
        .droppable_faces()
        .iter()
        .filter(|&&face| variant.drops().may_not_mate(face))
        .collect();
    line(&mut text, format_args!("drops {:?} no mate by {no_mate_by:?}", rules.drop_faces));
    line(&mut text, format_args!("per file {:?}", rules.per_file));
    let (royal, royalty, facing) = (rules.royal, rules.royalty, rules.facing_kings);
    line(&mut text, format_args!("royal {royal:?} {royalty:?} facing {facing:?}"));
    text
}

/// The board part, the start position and the endings.
pub(crate) fn rules(variant: &Variant) -> String {
    let mut text = board(variant);
    let rules = variant.rules();
    line(&mut text, format_args!("start {}", variant.start().to_fen(variant)));
    line(&mut text, format_args!("no moves {:?}", rules.no_moves));
    line(&mut text, format_args!("{:?}", rules.repetition));
    match rules.chase {
        Chase::None => {}
    }
    line(&mut text, format_args!("{:?}", rules.goal));
    line(&mut text, format_args!("{:?}", rules.entering));
    let (captures, plies) = (rules.no_capture_limit, rules.max_plies);
    line(&mut text, format_args!("limits {captures:?} {plies}"));
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("writing to a string cannot fail");
}
