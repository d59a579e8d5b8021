//! What holds in every variant, checked on random games.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rules::{Bitboard, Color, Game, Move, Outcome, Position, Seed, Square, Turn, Variant};

use crate::oracle::Oracle;

fn draw(rng: &mut ChaCha8Rng, below: usize) -> usize {
    (rng.next_u64() % below as u64) as usize
}

/// Plays random games; `look` sees every unfinished position with its legal moves.
pub(crate) fn random_games(
    id: &str,
    games: u64,
    mut look: impl FnMut(&Game, &[Move]),
) -> Vec<Outcome> {
    let variant = Variant::builtin(id).unwrap();
    let mut outcomes = Vec::new();
    for number in 0..games {
        let mut rng = Seed(1).derive(id, number).rng();
        let mut game = Game::new(variant.clone());
        let mut moves = Vec::new();
        loop {
            if let Some(outcome) = game.status(&mut moves) {
                assert!(moves.is_empty());
                outcomes.push(outcome);
                break;
            }
            assert!(!moves.is_empty());
            look(&game, &moves);
            game.play(moves[draw(&mut rng, moves.len())]);
        }
    }
    outcomes
}

#[test]
fn legal_is_what_is_generated() {
    for id in Variant::builtin_ids() {
        let limit = if Variant::builtin(id).unwrap().squares() > 60 { 60 } else { 150 };
        let mut seen = 0;
        random_games(id, 4, |game, moves| {
            seen += 1;
            if seen > limit {
                return;
            }
            let mut expected = Oracle::new(game.variant(), game.position()).legal_moves();
            let mut found = moves.to_vec();
            expected.sort_unstable();
            found.sort_unstable();
            let fen = game.position().to_fen(game.variant());
            assert_eq!(found, expected, "{id} {fen}");
        });
    }
}

#[test]
fn try_play_accepts_the_generated_moves_and_no_others() {
    for id in Variant::builtin_ids() {
        let mut rng = Seed(2).derive(id, 0).rng();
        let mut seen = 0;
        random_games(id, 1, |game, moves| {
            seen += 1;
            if seen > 40 {
                return;
            }
            for _ in 0..300 {
                let mv = Move::from_bits(rng.next_u64() as u32);
                let mut copy = game.clone();
                assert_eq!(copy.try_play(mv).is_ok(), moves.contains(&mv), "{id} {mv:?}");
            }
            let mut copy = game.clone();
            assert_eq!(copy.try_play(moves[0]), Ok(()));
        });
    }
}

#[test]
fn keys_are_what_they_are_when_recomputed() {
    for id in Variant::builtin_ids() {
        random_games(id, 5, |game, _| {
            let position = game.position();
            assert_eq!(position.key(), position.recomputed_key(game.variant()));
        });
    }
}

#[test]
fn positions_survive_fen_and_sfen() {
    for id in Variant::builtin_ids() {
        random_games(id, 5, |game, _| {
            let (variant, position) = (game.variant(), game.position());
            for text in [position.to_fen(variant), position.to_sfen(variant)] {
                let read = Position::parse(variant, &text)
                    .unwrap_or_else(|why| panic!("{id} {text}: {why}"));
                assert_eq!(read, *position, "{text}");
            }
        });
    }
}

#[test]
fn moves_survive_usi_and_uci() {
    for id in Variant::builtin_ids() {
        random_games(id, 3, |game, moves| {
            let variant = game.variant();
            for &mv in moves {
                let texts = [rules::move_to_usi(variant, mv), rules::move_to_uci(variant, mv)];
                for text in texts {
                    assert_eq!(game.parse_move(&text), Ok(mv), "{id} {text}");
                }
                assert_eq!(Move::from_bits(mv.bits()), mv);
            }
        });
    }
}

#[test]
fn moves_come_in_the_documented_order() {
    for id in Variant::builtin_ids() {
        random_games(id, 3, |_, moves| {
            let order = |mv: &Move| match mv.from() {
                Some(from) => (0, from.index(), mv.to().index(), usize::from(mv.turned())),
                None => (1, mv.face().index(), mv.to().index(), 0),
            };
            assert!(moves.is_sorted_by(|one, other| order(one) < order(other)), "{id}");
        });
    }
}

#[test]
fn undo_leads_back() {
    for id in Variant::builtin_ids() {
        random_games(id, 2, |game, moves| {
            let mut copy = game.clone();
            for &mv in moves {
                copy.play(mv);
                copy.undo();
                assert_eq!(copy.position(), game.position());
                assert_eq!(copy.repetitions(), game.repetitions());
            }
        });
    }
}

#[test]
fn moves_stay_within_the_empty_board_and_the_promotion_rule() {
    for id in Variant::builtin_ids() {
        random_games(id, 3, |game, moves| {
            let (variant, position) = (game.variant(), game.position());
            let side = position.side_to_move();
            for &mv in moves {
                let Some(from) = mv.from() else {
                    assert!(variant.droppable_faces().contains(&mv.face()));
                    continue;
                };
                let face = position.piece_at(from).unwrap().face;
                assert!(variant.empty_board_targets(face, side, from).contains(mv.to()), "{id}");
                let capture = position.occupied().contains(mv.to());
                let turn = variant.turn(face, side, from, mv.to(), capture);
                assert!(turn == Turn::May || mv.turned() == (turn == Turn::Must), "{id}");
            }
        });
    }
}

#[test]
fn the_other_side_sees_the_board_turned_by_half() {
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        let turned = |set: Bitboard| -> Bitboard {
            set.into_iter().map(|at| Square::new(variant.squares() - 1 - at.index())).collect()
        };
        for face in variant.faces() {
            for from in (0..variant.squares()).map(Square::new) {
                let opposite = Square::new(variant.squares() - 1 - from.index());
                let black = variant.empty_board_targets(face, Color::Black, from);
                let white = variant.empty_board_targets(face, Color::White, opposite);
                assert_eq!(turned(black), white, "{id} {}", variant.face_letter(face));
            }
        }
    }
}

#[test]
fn games_end_and_most_have_a_winner() {
    for id in Variant::builtin_ids() {
        let outcomes = random_games(id, 10, |_, _| {});
        assert_eq!(outcomes.len(), 10);
    }
    let micro = random_games("micro", 200, |_, _| {});
    assert!(micro.iter().filter(|outcome| outcome.winner.is_some()).count() > 150);
}

#[test]
fn mirrored_faces_move_like_mirror_images() {
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        for face in variant.faces() {
            let image = variant.mirror_face(face).expect("all these games have mirror images");
            assert_eq!(variant.mirror_face(image), Some(face));
            let swapped = id == &"torishogi" && ["L", "R"].contains(&variant.face_letter(face));
            assert_eq!(image != face, swapped, "{id} {}", variant.face_letter(face));
        }
    }
}

#[test]
fn variants_and_games_are_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Variant>();
    check::<Game>();
}
