//! Moves and their policy indices.

use std::collections::HashSet;

use encode::{Encoder, Vocabulary};
use rules::{Color, Face, Move, Square, Variant};

use crate::games::{variants, walk};

#[test]
fn sizes_are_those_counted_from_the_geometry() {
    let expected = [
        ("micro", 398, 36),
        ("shogi", 3849, 139),
        ("xiangqi", 2062, 50),
        ("minishogi", 545, 69),
        ("kyotoshogi", 544, 42),
        ("dobutsu", 94, 11),
    ];
    for (id, length, head_planes) in expected {
        let vocabulary = Vocabulary::new(&Variant::builtin(id).expect("built in"));
        assert_eq!((vocabulary.len(), vocabulary.head_planes()), (length, head_planes), "{id}");
    }
}

#[test]
fn names_and_head_places_are_distinct() {
    for variant in variants() {
        let vocabulary = Vocabulary::new(&variant);
        let names: HashSet<_> = (0..vocabulary.len()).map(|i| vocabulary.name(i)).collect();
        let places: HashSet<_> = vocabulary.head_gather().iter().copied().collect();
        let last = vocabulary.head_planes() * variant.squares();
        assert_eq!((names.len(), places.len()), (vocabulary.len(), vocabulary.len()));
        assert!(places.iter().all(|&place| (place as usize) < last), "{}", variant.id());
    }
}

#[test]
fn legal_moves_of_a_position_have_distinct_indices() {
    for variant in variants() {
        let vocabulary = Vocabulary::new(&variant);
        walk(&variant, 10, |game, moves| {
            let color = game.side_to_move();
            let indices: HashSet<_> = moves.iter().map(|&mv| vocabulary.index(mv, color)).collect();
            assert_eq!(indices.len(), moves.len(), "{}", variant.id());
            assert!(indices.iter().all(|&index| index < vocabulary.len()));
        });
    }
}

#[test]
fn names_are_seen_from_the_mover() {
    let variant = Variant::builtin("micro").expect("built in");
    let vocabulary = Vocabulary::new(&variant);
    let pawn = variant.face_from_letter("P").expect("micro has pawns");
    let (from, to) = (Square::new(7), Square::new(11));
    let black = vocabulary.index(Move::board(from, to, pawn, false), Color::Black);
    assert_eq!(vocabulary.name(black), "d2d3");
    let (from, to) = (Square::new(12), Square::new(8));
    let white = vocabulary.index(Move::board(from, to, pawn, false), Color::White);
    assert_eq!(white, black);
    let drop = vocabulary.index(Move::drop(pawn.turned(), Square::new(19)), Color::White);
    assert_eq!(vocabulary.name(drop), "+P@a1");
    // A capture decides about turning, so both ways of writing the move are one entry.
    let turned = Move::board(Square::new(7), Square::new(11), pawn.turned(), true);
    assert_eq!(vocabulary.index(turned, Color::Black), black);
}

#[test]
fn only_a_choice_has_entries_for_turning() {
    let turned = |id| {
        let vocabulary = Vocabulary::new(&Variant::builtin(id).expect("built in"));
        (0..vocabulary.len()).filter(|&i| vocabulary.name(i).ends_with('+')).count()
    };
    assert_eq!((turned("shogi"), turned("minishogi")), (1058, 100));
    assert_eq!(["micro", "kyotoshogi", "dobutsu", "xiangqi"].map(turned), [0; 4]);
}

#[test]
fn impossible_moves_have_no_index() {
    let variant = Variant::builtin("micro").expect("built in");
    let vocabulary = Vocabulary::new(&variant);
    for bits in (0..1 << 21).step_by(7) {
        if let Some(index) = vocabulary.find(Move::from_bits(bits), Color::White) {
            assert!(index < vocabulary.len());
        }
    }
    let far = Move::board(Square::new(0), Square::new(127), Face::new(0), false);
    assert_eq!(vocabulary.find(far, Color::Black), None);
    let odd = Move::board(Square::new(0), Square::new(0), Face::new(0), false);
    assert_eq!(vocabulary.find(odd, Color::Black), None);
}

#[test]
fn fingerprints_differ_between_variants_only() {
    let all: HashSet<_> = variants().map(|v| Encoder::new(v).fingerprint()).collect();
    assert_eq!(all.len(), Variant::builtin_ids().len());
    for variant in variants() {
        let longer = std::sync::Arc::new(variant.with_max_plies(77));
        assert_eq!(Encoder::new(longer).fingerprint(), Encoder::new(variant).fingerprint());
    }
}
