//! The left-right mirror of planes and policy.

use std::sync::Arc;

use encode::{Encoder, Mirror};
use rules::{Game, Move, Piece, Square, Variant};

use crate::games::{redrawn, variants, walk};

/// The mirror image of a move.
fn mirrored(variant: &Variant, mirror: &Mirror, mv: Move) -> Move {
    let square = |s: Square| Square::new(mirror.squares()[s.index()] as usize);
    let face = variant.mirror_face(mv.face()).expect("the variant has a mirror");
    match mv.from() {
        Some(from) => Move::board(square(from), square(mv.to()), face, mv.turned()),
        None => Move::drop(face, square(mv.to())),
    }
}

#[test]
fn every_builtin_variant_has_a_mirror_that_undoes_itself() {
    for variant in variants() {
        let encoder = Encoder::new(variant);
        let mirror = encoder.mirror().expect("all built-in movement is symmetric");
        for table in [mirror.squares(), mirror.planes(), mirror.policy()] {
            assert!((0u32..).zip(table).all(|(i, &j)| table[j as usize] == i));
        }
        let input: Vec<f32> = (0..encoder.input_len()).map(|i| i as f32).collect();
        let (mut once, mut twice) = (input.clone(), input.clone());
        mirror.apply_planes(&input, &mut once);
        mirror.apply_planes(&once, &mut twice);
        assert!(once != input && twice == input);
    }
}

#[test]
fn mirrored_policy_names_mirrored_moves() {
    for variant in variants() {
        let encoder = Encoder::new(Arc::clone(&variant));
        let vocabulary = encoder.vocabulary();
        let mirror = encoder.mirror().expect("symmetric");
        walk(&variant, 5, |game, moves| {
            for &mv in moves {
                let color = game.side_to_move();
                let image = vocabulary.index(mirrored(&variant, mirror, mv), color);
                assert_eq!(mirror.policy()[vocabulary.index(mv, color)] as usize, image);
            }
        });
    }
}

#[test]
fn mirrored_positions_have_mirrored_planes_and_moves() {
    for variant in variants() {
        let encoder = Encoder::new(Arc::clone(&variant));
        let mirror = encoder.mirror().expect("symmetric");
        let [mut here, mut there, mut image] = [(); 3].map(|()| vec![0.0; encoder.input_len()]);
        let mut other_moves = Vec::new();
        walk(&variant, 3, |game, moves| {
            let square = |square: usize| mirror.squares()[square] as usize;
            let piece = |piece: Piece| Piece {
                face: variant.mirror_face(piece.face).expect("the variant has a mirror"),
                ..piece
            };
            let position = redrawn(&variant, game.position(), square, piece);
            let other = Game::from_position(Arc::clone(&variant), position);
            let game = Game::from_position(Arc::clone(&variant), game.position().clone());
            encoder.encode(&game, &mut here);
            encoder.encode(&other, &mut there);
            mirror.apply_planes(&here, &mut image);
            assert!(image == there, "{}", variant.id());

            assert!(other.status(&mut other_moves).is_none());
            let mut expected: Vec<_> =
                moves.iter().map(|&mv| mirrored(&variant, mirror, mv)).collect();
            expected.sort_unstable();
            other_moves.sort_unstable();
            assert!(expected == other_moves, "{}", variant.id());
        });
    }
}
