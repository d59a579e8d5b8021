//! Moves as text, in every notation.

use rules::{Notation, Variant};

use crate::conformance::random_games;
use crate::{game, play};

#[test]
fn every_legal_move_survives_every_notation() {
    for id in Variant::builtin_ids() {
        let mut seen = 0;
        random_games(id, 2, |game, moves| {
            seen += 1;
            if seen % 9 != 0 || seen > 300 {
                return;
            }
            for notation in Notation::ALL {
                let texts: Vec<String> = moves.iter().map(|&mv| notation.write(game, mv)).collect();
                for (&mv, text) in moves.iter().zip(&texts) {
                    let fen = game.position().to_fen(game.variant());
                    assert_eq!(notation.read(game, text), Ok(mv), "{id} {fen} {text}");
                }
            }
        });
    }
}

/// Position, move in USI, text.
const WESTERN: [(&str, &str, &str); 5] = [
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f", "P-7f"),
    ("4k4/9/9/9/9/9/9/9/3GKG3 b - 1", "6i5h", "G6i-5h"),
    ("4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*5e", "S*5e"),
    ("4k4/9/2p6/9/3N5/9/9/9/4K4 b - 1", "6e7c", "Nx7c="),
    ("4k4/9/2p6/9/3N5/9/9/9/4K4 b - 1", "6e7c+", "Nx7c+"),
];

#[test]
fn western_texts_are_those_of_the_rule_book() {
    for (position, usi, text) in WESTERN {
        let game = game("shogi", position);
        let mv = game.parse_move(usi).unwrap();
        assert_eq!(Notation::Western.write(&game, mv), text);
        assert_eq!(Notation::Western.read(&game, text), Ok(mv));
    }
}

#[test]
fn japanese_texts_are_those_of_other_programs() {
    let rows = include_str!("../../../../data/cases/ki2_disambiguation.tsv");
    for row in rows.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let game = game("shogi", fields[0]);
        let mv = game.parse_move(fields[1]).unwrap();
        let text = Notation::Kif.write(&game, mv);
        let plain = |text: &str| text.chars().skip(1).collect::<String>();
        assert_eq!(plain(&text), plain(fields[2]), "{row}");
        assert_eq!(Notation::Kif.read(&game, fields[2]), Ok(mv), "{row}");
    }
    let mut game = game("shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    for (text, usi) in [
        ("☗７六歩", "7g7f"),
        ("▽3四歩", "3c3d"),
        ("22角成", ""),
        ("☗２二角成(88)", "8h2b+"),
        ("△同　銀", "3a2b"),
    ] {
        if usi.is_empty() {
            assert!(Notation::Kif.read(&game, text).is_err(), "{text}");
            continue;
        }
        assert_eq!(Notation::Kif.read(&game, text), game.parse_move(usi), "{text}");
        play(&mut game, usi);
    }
    assert!(Notation::Kif.read(&game, "☖７六歩").unwrap_err().reason.contains("other player"));
}

#[test]
fn wxf_texts_name_pieces_from_the_movers_right() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    let soldiers = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
    let pairs = "3k5/9/4P4/4P4/2P6/2P6/9/9/9/5K3 w - - 0 1";
    let red = format!("{start} w");
    let black = format!("{start} b");
    for (position, uci, written, also) in [
        (red.as_str(), "h3e3", "C2=5", "c2.5"),
        (&red, "b1c3", "H8+7", "N8+7"),
        (&red, "c1e3", "E7+5", "B7+5"),
        (&black, "h8e8", "C8=5", "c8.5"),
        (&black, "h10g8", "H8+7", "h8+7"),
        ("3k5/9/9/9/4C4/4C4/9/9/9/5K3 w - - 0 1", "e6d6", "C+=6", "+C.6"),
        ("3k5/9/9/9/4C4/4C4/9/9/9/5K3 w - - 0 1", "e5e4", "C--1", "-C-1"),
        (soldiers, "e7d7", "25=6", "25.6"),
        (pairs, "e8d8", "+P5=6", "+P5.6"),
    ] {
        let game = game("xiangqi", position);
        let mv = game.parse_move(uci).unwrap();
        assert_eq!(Notation::Wxf.write(&game, mv), written, "{position} {uci}");
        assert_eq!(Notation::Wxf.read(&game, also), Ok(mv), "{position} {also}");
    }
    let game = game("xiangqi", &red);
    let ucci = Notation::Ucci.read(&game, "h2e2").unwrap();
    assert_eq!(ucci, game.parse_move("h3e3").unwrap());
    assert_eq!(Notation::Ucci.write(&game, ucci), "h2e2");
    for text in ["C2", "C2=", "X2=5", "C=5", "9", "+", "C2x5", "C5=2"] {
        assert!(Notation::Wxf.read(&game, text).is_err(), "{text}");
    }
}
