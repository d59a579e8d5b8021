//! The leaf mate against the oracle.

use mate::LeafMate;
use rules::Variant;

use crate::{brute, random_positions};

#[test]
fn finds_what_is_there_and_nothing_else() {
    for id in Variant::builtin_ids() {
        let (mut one, mut three) = (LeafMate::new(1), LeafMate::new(3));
        let large = Variant::builtin(id).unwrap().squares() > 40;
        let mut found = [0; 4];
        random_positions(id, if large { 4000 } else { 2000 }, |game| {
            let before = game.clone();
            let expected = brute::shortest(game, game.side_to_move(), 3);
            let fen = game.position().to_fen(game.variant());
            let mate = three.find(game);
            assert_eq!(mate.map(|mate| mate.plies), expected, "{id} {fen}");
            let short = one.find(game).map(|mate| mate.plies);
            assert_eq!(short, expected.filter(|&plies| plies == 1), "{id} {fen}");
            assert_eq!(game.moves(), before.moves());
            assert_eq!(game.position(), before.position());
            if let Some(mate) = mate {
                found[mate.plies as usize] += 1;
                let attacker = game.side_to_move();
                game.try_play(mate.mv).unwrap();
                assert!(brute::mates(game, attacker, mate.plies - 1), "{id} {fen}");
            }
        });
        // Of one ply and of two or three.
        assert!(found[1] > 30 && found[2] + found[3] > 15, "{id}: {found:?}");
    }
}
