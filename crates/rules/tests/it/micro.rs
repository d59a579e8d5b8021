//! Micro-shogi's own rules.

use rules::{Face, IllegalMove, Position, Promotion, Variant, move_to_uci};

use crate::{game, legal, play};

fn try_text(game: &mut rules::Game, text: &str) -> Result<(), IllegalMove> {
    let mv = game.parse_move(text).unwrap();
    game.try_play(mv)
}

#[test]
fn a_capture_turns_the_piece_and_nothing_else_does() {
    let mut lance = game("micro", "2pk/4/4/2L1/3K[] w 0 1");
    assert_eq!(try_text(&mut lance, "c2c5"), Err(IllegalMove::MustTurnOver));
    assert_eq!(try_text(&mut lance, "c2c4+"), Err(IllegalMove::CannotPromote));
    play(&mut lance, "c2c5+");
    assert_eq!(lance.position().to_fen(lance.variant()), "2+Lk/4/4/4/3K[P] b 0 1");

    let mut tokin = game("micro", "k3/4/4/p3/+B2K[-] w 0 1");
    assert_eq!(try_text(&mut tokin, "a1a2"), Err(IllegalMove::MustTurnOver));
    play(&mut tokin, "a1a2-");
    assert_eq!(tokin.position().to_fen(tokin.variant()), "k3/4/4/B3/3K[P] b 0 1");
}

#[test]
fn the_king_never_turns() {
    let mut king = game("micro", "k3/4/4/pK2/4[-] w 0 1");
    assert_eq!(try_text(&mut king, "b2a2+"), Err(IllegalMove::CannotPromote));
    play(&mut king, "b2a2");
    assert_eq!(king.position().to_fen(king.variant()), "k3/4/4/K3/4[P] b 0 1");
}

#[test]
fn a_pawn_capturing_on_the_last_rank_arrives_as_a_trapped_knight() {
    let mut pawn = game("micro", "p2k/P3/4/4/3K[] w 0 1");
    play(&mut pawn, "a4a5+ d5d4");
    assert_eq!(pawn.position().to_fen(pawn.variant()), "+P3/3k/4/4/3K[P] w 0 1");
    let knight = pawn.parse_move("a5a5").unwrap().from();
    assert!(legal(&pawn).iter().all(|mv| mv.from() != knight));
}

#[test]
fn either_face_drops_on_every_empty_square() {
    let drops = game("micro", "3k/4/4/P3/K3[P] w 0 1");
    let moves = legal(&drops);
    assert_eq!(moves.len(), 37);
    assert_eq!(moves.iter().filter(|mv| mv.is_drop()).count(), 34);
    let texts: Vec<String> = moves.iter().map(|&mv| move_to_uci(drops.variant(), mv)).collect();
    for text in ["P@b5", "+P@b5", "P@a3", "+P@c4"] {
        assert!(texts.contains(&text.to_owned()), "{text}");
    }
}

#[test]
fn a_captured_tokin_is_a_bishop_in_hand() {
    let mut gold = game("micro", "3k/4/1+b2/1+R2/K3[] w 0 1");
    play(&mut gold, "b2b3-");
    assert_eq!(gold.position().to_fen(gold.variant()), "3k/4/1R2/4/K3[B] b 0 1");
    play(&mut gold, "d5c5 +B@d3");
    assert_eq!(gold.position().to_sfen(gold.variant()), "2k1/4/1R1+B/4/K3 w - 1");
}

#[test]
fn letters_for_display_are_refused_with_the_right_spelling() {
    let variant = Variant::builtin("micro").unwrap();
    for (letter, right) in [("S", "`+L`"), ("g", "`+r`"), ("T", "`+B`"), ("n", "`+p`")] {
        let text = format!("k3/4/2p1/1{letter}2/3K[] w 0 1");
        let error = Position::parse(&variant, &text).unwrap_err();
        assert!(error.reason.contains(right), "{error}");
        assert_eq!(error.column, 11);
    }
}

#[test]
fn the_variant_is_as_the_text_says() {
    let variant = Variant::builtin("micro").unwrap();
    assert_eq!((variant.kinds(), variant.squares()), (5, 20));
    assert_eq!(variant.faces().count(), 9);
    assert_eq!(variant.droppable_faces().len(), 8);
    assert_eq!(variant.promotion().rule, Promotion::TurnOnCapture);
    let letters: Vec<&str> = variant.faces().map(|face| variant.face_letter(face)).collect();
    assert_eq!(letters, ["L", "+L", "R", "+R", "B", "+B", "P", "+P", "K"]);
    for face in variant.faces() {
        assert_eq!(variant.face_from_letter(variant.face_letter(face)), Some(face));
    }
    assert_eq!(variant.face_from_letter("+K"), None);
    assert!(variant.piece_value(Face::new(2)) > variant.piece_value(Face::new(6)));
}

#[test]
fn the_reason_of_an_illegal_move_is_named() {
    let mut start = game("micro", "kb+r+l/p3/4/3P/+L+RBK[-] w 0 1");
    for (text, reason) in [
        ("P@a3", IllegalMove::NotInHand),
        ("K@a3", IllegalMove::NoSuchMove),
        ("a1b1", IllegalMove::SquareOccupied),
        ("a1a3", IllegalMove::NoSuchMove),
        ("a5a4", IllegalMove::NoSuchMove),
        ("b3b4", IllegalMove::NoSuchMove),
        ("c1c3", IllegalMove::NoSuchMove),
    ] {
        assert_eq!(try_text(&mut start, text), Err(reason), "{text}");
    }
    play(&mut start, "d2d3 a4a3 d3d4");
    assert_eq!(start.ply(), 3);
    let mut pinned = game("micro", "r2k/4/4/L3/K3[P] w 0 1");
    assert_eq!(try_text(&mut pinned, "P@a2"), Err(IllegalMove::SquareOccupied));
    let mut check = game("micro", "r2k/4/4/4/K3[P] w 0 1");
    assert_eq!(try_text(&mut check, "P@b3"), Err(IllegalMove::LeavesKingInCheck));
    assert_eq!(try_text(&mut check, "a1a2"), Err(IllegalMove::LeavesKingInCheck));
    play(&mut check, "P@a3");
    let mut over = game("micro", "k3/+R3/+R3/4/3K[-] b 0 1");
    assert_eq!(try_text(&mut over, "a5a4"), Err(IllegalMove::GameOver));
}
