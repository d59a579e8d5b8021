//! A variant: what a variant file compiles to.

use crate::bitboard::Bitboard;
use crate::fingerprint::Fingerprint;
use crate::position::Position;
use crate::rule::{PromotionRule, Rules, Turn};
use crate::types::{Color, Face, Kind, Square};
use std::sync::Arc;

/// A compiled variant.
#[derive(Clone, Debug)]
pub struct Variant;

/// All faults of a variant file.
#[derive(Clone, Debug, thiserror::Error)]
#[error("faults")]
pub struct VariantErrors(pub Vec<String>);

#[allow(unused_variables, missing_docs, clippy::todo)]
impl Variant {
    pub fn parse(
        text: &str,
        load: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Variant, VariantErrors> {
        todo!()
    }
    pub fn builtin(id: &str) -> Option<Arc<Variant>> {
        todo!()
    }
    pub fn builtin_ids() -> &'static [&'static str] {
        todo!()
    }
    pub fn builtin_text(id: &str) -> Option<&'static str> {
        todo!()
    }
    pub fn id(&self) -> &str {
        todo!()
    }
    pub fn name(&self) -> &str {
        todo!()
    }
    pub fn files(&self) -> usize {
        todo!()
    }
    pub fn ranks(&self) -> usize {
        todo!()
    }
    pub fn squares(&self) -> usize {
        todo!()
    }
    pub fn kinds(&self) -> usize {
        todo!()
    }
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        std::iter::empty()
    }
    pub fn has_face(&self, face: Face) -> bool {
        todo!()
    }
    pub fn face_letter(&self, face: Face) -> &str {
        todo!()
    }
    pub fn face_name(&self, face: Face) -> &str {
        todo!()
    }
    pub fn face_from_letter(&self, letter: &str) -> Option<Face> {
        todo!()
    }
    pub fn board_fingerprint(&self) -> Fingerprint {
        todo!()
    }
    pub fn rules_fingerprint(&self) -> Fingerprint {
        todo!()
    }
    pub fn start(&self) -> &Position {
        todo!()
    }
    pub fn rules(&self) -> &Rules {
        todo!()
    }
    pub fn max_plies(&self) -> u32 {
        todo!()
    }
    #[must_use]
    pub fn with_max_plies(&self, plies: u32) -> Variant {
        todo!()
    }
    pub fn attacks(&self, face: Face, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
        todo!()
    }
    pub fn empty_board_targets(&self, face: Face, color: Color, from: Square) -> Bitboard {
        todo!()
    }
    pub fn droppable_faces(&self) -> &[Face] {
        todo!()
    }
    pub fn mirror_face(&self, face: Face) -> Option<Face> {
        todo!()
    }
    pub fn mirror_square(&self, square: Square) -> Square {
        todo!()
    }
    pub fn promotion(&self) -> &PromotionRule {
        todo!()
    }
    pub fn turn(&self, face: Face, color: Color, from: Square, to: Square, capture: bool) -> Turn {
        todo!()
    }
    pub fn royal(&self) -> Kind {
        todo!()
    }
    pub fn piece_count(&self, kind: Kind) -> usize {
        todo!()
    }
    pub fn piece_value(&self, face: Face) -> i32 {
        todo!()
    }
}
