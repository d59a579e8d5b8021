//! Input planes against a slow description of them, and their keys.

use std::collections::HashMap;
use std::sync::Arc;

use encode::{Encoder, LIMIT_HORIZON, MAX_THERMOMETER};
use rules::{Color, Game, Piece, Square, Variant};

use crate::games::{redrawn, variants, walk};

fn planes(encoder: &Encoder, game: &Game) -> Vec<f32> {
    let mut out = vec![f32::NAN; encoder.input_len()];
    encoder.encode(game, &mut out);
    out
}

/// The planes by name and square, written for clarity.
fn slow_planes(encoder: &Encoder, game: &Game) -> Vec<f32> {
    let variant = encoder.variant();
    let names = encoder.plane_names();
    let squares = variant.squares();
    let own = game.side_to_move();
    let mut out = Vec::new();
    for name in &names {
        for place in 0..squares {
            let square = Square::new(if own == Color::Black { place } else { squares - 1 - place });
            out.push(slow_value(game, name, square));
        }
    }
    out
}

/// What the plane of this name shows at a square.
fn slow_value(game: &Game, name: &str, square: Square) -> f32 {
    let variant = game.variant();
    let own = game.side_to_move();
    let left = variant.max_plies() as usize - game.ply();
    let horizon = LIMIT_HORIZON as usize + 1;
    match name {
        "in check" => return f32::from(game.in_check()),
        "second occurrence" => return f32::from(game.repetitions() >= 2),
        "third occurrence" => return f32::from(game.repetitions() >= 3),
        "few plies left" => return horizon.saturating_sub(left) as f32 / horizon as f32,
        _ => {}
    }
    let (side, what) = name.split_once(' ').expect("a side and a thing");
    let side = if side == "own" { own } else { !own };
    match what {
        "attacks" => f32::from(attackers(game, side, square) >= 1),
        "attacks twice" => f32::from(attackers(game, side, square) >= 2),
        _ => match what.strip_prefix("hand ") {
            Some(hand) => hand_value(game, side, hand),
            None => {
                let face = variant.face_from_letter(what).expect("a face");
                f32::from(game.position().piece_at(square) == Some(Piece { color: side, face }))
            }
        },
    }
}

/// How many pieces of a side attack the square.
fn attackers(game: &Game, side: Color, target: Square) -> usize {
    let position = game.position();
    let attacks = |from: usize| match position.piece_at(Square::new(from)) {
        Some(Piece { color, face }) if color == side => game
            .variant()
            .attacks(face, color, Square::new(from), position.occupied())
            .contains(target),
        _ => false,
    };
    (0..game.variant().squares()).filter(|&from| attacks(from)).count()
}

/// `L / 5` or `L >= 2`.
fn hand_value(game: &Game, side: Color, text: &str) -> f32 {
    let words: Vec<&str> = text.split(' ').collect();
    let [letter, relation, number] = words[..] else { panic!("three words: {text}") };
    let kind = game.variant().face_from_letter(letter).expect("a face").kind();
    let count = game.position().hand(side, kind);
    let number: u8 = number.parse().expect("a number");
    if relation == "/" { f32::from(count) / f32::from(number) } else { f32::from(count >= number) }
}

#[test]
fn planes_agree_with_the_slow_description() {
    for variant in variants() {
        let encoder = Encoder::new(Arc::clone(&variant));
        walk(&variant, 2, |game, _| {
            assert!(planes(&encoder, game) == slow_planes(&encoder, game), "{}", variant.id());
        });
    }
}

#[test]
fn micro_has_these_planes() {
    let encoder = Encoder::new(Variant::builtin("micro").expect("built in"));
    let names = encoder.plane_names();
    assert_eq!((encoder.planes(), names.len(), encoder.input_len()), (42, 42, 840));
    let own = "own L, own +L, own R, own +R, own B, own +B, own P, own +P, own K, \
        own hand L >= 1, own hand L >= 2, own hand R >= 1, own hand R >= 2, \
        own hand B >= 1, own hand B >= 2, own hand P >= 1, own hand P >= 2, \
        own attacks, own attacks twice";
    let shared = "in check, second occurrence, third occurrence, few plies left";
    let expected = format!("{own}, {}, {shared}", own.replace("own", "opponent"));
    assert_eq!(names.join(", "), expected);
}

#[test]
fn a_hand_that_can_hold_many_has_a_scaled_plane() {
    let encoder = Encoder::new(Variant::builtin("shogi").expect("built in"));
    let scaled = |name: &&String| name.contains(" / ");
    let names = encoder.plane_names();
    assert_eq!(
        names.iter().filter(scaled).collect::<Vec<_>>(),
        ["own hand P / 18", "opponent hand P / 18"]
    );
    assert!(names.iter().all(|name| !name.contains(&format!(">= {}", MAX_THERMOMETER + 1))));
}

#[test]
fn white_sees_what_black_sees_with_colours_swapped() {
    for variant in variants() {
        let id = variant.id();
        let encoder = Encoder::new(Arc::clone(&variant));
        walk(&variant, 3, |game, _| {
            let from = |position| Game::from_position(Arc::clone(&variant), position);
            let here = from(game.position().clone());
            let turned = |square: usize| variant.squares() - 1 - square;
            let swapped = |piece: Piece| Piece { color: !piece.color, ..piece };
            let there = from(redrawn(&variant, game.position(), turned, swapped));
            assert!(planes(&encoder, &here) == planes(&encoder, &there), "{id}");
        });
    }
}

#[test]
fn equal_keys_have_equal_planes() {
    for id in ["micro", "dobutsu", "minishogi"] {
        let variant = Arc::new(Variant::builtin(id).expect("built in").with_max_plies(60));
        let encoder = Encoder::new(Arc::clone(&variant));
        let mut seen: HashMap<u64, Vec<f32>> = HashMap::new();
        let mut met_again = 0;
        walk(&variant, 300, |game, _| {
            let planes = planes(&encoder, game);
            if let Some(known) = seen.insert(encoder.key(game), planes.clone()) {
                met_again += 1;
                assert!(known == planes, "{id}");
            }
        });
        assert!(met_again > 100, "{id}: only {met_again} keys were met twice");
    }
}

/// Moves two pieces out and back, so that the position returns every four plies.
fn shuffle(game: &mut Game, times: usize) {
    for text in ["a1a2", "d5d4", "a2a1", "d4d5"].iter().cycle().take(4 * times) {
        let mv = game.parse_move(text).expect("legal");
        game.play(mv);
    }
}

#[test]
fn repetition_shows_in_planes_and_key() {
    let variant = Variant::builtin("micro").expect("built in");
    let encoder = Encoder::new(Arc::clone(&variant));
    let mut game = Game::new(variant);
    let mut seen = vec![(encoder.key(&game), planes(&encoder, &game))];
    for _ in 0..2 {
        shuffle(&mut game, 1);
        let next = (encoder.key(&game), planes(&encoder, &game));
        assert!(seen.iter().all(|old| old.0 != next.0 && old.1 != next.1));
        seen.push(next);
    }
}

#[test]
fn the_limit_shows_only_when_it_is_near() {
    let variant = Variant::builtin("micro").expect("built in");
    let encoder = Encoder::new(Arc::clone(&variant));
    let limited = |plies| Game::new(Arc::new(variant.with_max_plies(plies)));
    let key = |plies| encoder.key(&limited(plies));
    let value = |plies| *planes(&encoder, &limited(plies)).last().expect("planes");
    assert_eq!((value(LIMIT_HORIZON + 1), value(1000)), (0.0, 0.0));
    assert_eq!(key(LIMIT_HORIZON + 1), key(1000));
    assert!((value(1) - 32.0 / 33.0).abs() < 1e-6);
    assert!(value(LIMIT_HORIZON) > 0.0 && value(5) < value(4));
    assert!(key(LIMIT_HORIZON) != key(1000) && key(5) != key(4));
}
