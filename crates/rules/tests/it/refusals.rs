//! Every move that can be written down is either listed or refused, for the reason the oracle finds.

use rules::{Face, Game, IllegalMove, Move, Position, Square, Variant};

use crate::conformance::random_games;
use crate::oracle::{Fault, Oracle, encodable, no_mate_by};
use crate::{game, legal};

fn kind_of(reason: IllegalMove) -> Fault {
    match reason {
        IllegalMove::LeavesKingInCheck => Fault::Check,
        IllegalMove::GeneralsFace => Fault::Facing,
        IllegalMove::DropMate => Fault::DropMate,
        _ => Fault::Shape,
    }
}

/// Panics unless `try_play` judges all moves as the list and the oracle do.
fn check_all(game: &Game) {
    let variant = game.variant();
    let fen = game.position().to_fen(variant);
    let oracle = Oracle::new(variant, game.position());
    let moves = legal(game);
    let mut copy = game.clone();
    for mv in encodable(variant) {
        let refused = copy.try_play(mv).err();
        assert_eq!(refused.is_none(), moves.contains(&mv), "{} {fen} {mv:?}", variant.id());
        assert_ne!(refused, Some(IllegalMove::GameOver));
        assert_eq!(refused.map(kind_of), oracle.fault(mv), "{} {fen} {mv:?}", variant.id());
        if refused.is_none() {
            copy.undo();
        }
        assert_eq!(copy.ply(), game.ply());
    }
}

#[test]
fn every_encodable_move_is_listed_or_refused_for_the_right_reason() {
    for id in Variant::builtin_ids() {
        let mut seen = 0;
        random_games(id, 1, |game, _| {
            seen += 1;
            if [1, 12, 31].contains(&seen) {
                check_all(game);
            }
        });
    }
}

#[test]
fn the_end_of_a_game_refuses_every_move() {
    let mut over = game("micro", "k3/+R3/+R3/4/3K[-] b 0 1");
    for mv in encodable(&over.variant().clone()) {
        assert_eq!(over.try_play(mv), Err(IllegalMove::GameOver));
    }
}

/// Both judges on every drop of a limited piece; returns how many are mates.
fn check_drops(game: &Game, limited: Face) -> usize {
    let variant = game.variant();
    let oracle = Oracle::new(variant, game.position());
    let drops = (0..variant.squares()).map(|to| Move::drop(limited, Square::new(to)));
    drops
        .filter(|&mv| {
            let refused = game.clone().try_play(mv) == Err(IllegalMove::DropMate);
            let fen = game.position().to_fen(variant);
            assert_eq!(refused, oracle.fault(mv) == Some(Fault::DropMate), "{fen} {mv:?}");
            refused
        })
        .count()
}

#[test]
fn a_drop_is_refused_as_mate_if_and_only_if_there_is_no_reply() {
    let tables = [
        include_str!("../../../../data/perft/perft.csv"),
        include_str!("../../../../data/perft/tricky.csv"),
    ];
    for id in Variant::builtin_ids() {
        let Some(letter) = no_mate_by(id) else { continue };
        let variant = Variant::builtin(id).unwrap();
        let limited = variant.face_from_letter(letter).unwrap();
        let mut mates = 0;
        let lines = tables.iter().flat_map(|table| table.lines());
        for line in lines.filter(|line| line.split(',').next() == Some(*id)) {
            let position = Position::parse(&variant, line.split(',').nth(1).unwrap()).unwrap();
            mates += check_drops(&Game::from_position(variant.clone(), position), limited);
        }
        // The oracle is slow on large boards, for which the tables have the more rows.
        let games = if variant.squares() > 70 { 1 } else { 8 };
        random_games(id, games, |game, _| mates += check_drops(game, limited));
        assert!(mates > 0, "{id}: no mate by a drop was met");
    }
}
