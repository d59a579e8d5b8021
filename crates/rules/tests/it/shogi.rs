//! Rules of shogi and xiangqi that micro-shogi does not have.

use std::sync::Arc;

use rules::{Color, IllegalMove, Outcome, Position, Termination, Variant};

use crate::{from, game, outcome};

fn reason(id: &str, position: &str, text: &str) -> Result<(), IllegalMove> {
    let mut game = game(id, position);
    let mv = game.parse_move(text).unwrap();
    game.try_play(mv)
}

#[test]
fn drop_limits_are_named() {
    let nifu = "4k4/9/9/9/9/9/4P4/9/4K4[PN] w 0 1";
    assert_eq!(reason("shogi", nifu, "P*5e"), Err(IllegalMove::Nifu));
    assert_eq!(reason("shogi", nifu, "P*4a"), Err(IllegalMove::DeadSquare));
    assert_eq!(reason("shogi", nifu, "N@a8"), Err(IllegalMove::DeadSquare));
    assert_eq!(reason("shogi", nifu, "P*4b"), Ok(()));
    let tokin = "4k4/9/9/9/9/9/4+P4/9/4K4[P] w 0 1";
    assert_eq!(reason("shogi", tokin, "P*5e"), Ok(()));
    let mate = "4k/2G2/3S1/5/K4[P] w 0 1";
    assert_eq!(reason("minishogi", mate, "P@e4"), Err(IllegalMove::DropMate));
    let escape = "4k/2G2/5/5/K4[P] w 0 1";
    assert_eq!(reason("minishogi", escape, "P@e4"), Ok(()));
    let tori = "3k3/7/7/S6/S6/7/3K3[S] w 0 1";
    assert_eq!(reason("torishogi", tori, "S@a1"), Err(IllegalMove::Nifu));
}

#[test]
fn promotion_duties_are_named() {
    let shogi = "4k4/P8/9/9/9/9/P8/9/4K4[-] w 0 1";
    assert_eq!(reason("shogi", shogi, "9b9a"), Err(IllegalMove::MustPromote));
    assert_eq!(reason("shogi", shogi, "9g9f+"), Err(IllegalMove::CannotPromote));
    assert_eq!(reason("shogi", shogi, "9b9a+"), Ok(()));
    let kyoto = "2k2/5/5/5/P1K2[-] w 0 1";
    assert_eq!(reason("kyotoshogi", kyoto, "a1a2"), Err(IllegalMove::MustTurnOver));
}

#[test]
fn zones_limit_drops_and_promotion_on_request() {
    let text = "extends = \"shogi\"\nid = \"test\"\n[zones]\nhome = \"a1-i3\"\n\
                [drops]\nzone = \"home\"\n[promotion]\ntrigger = \"arrive\"";
    let loader = |id: &str| Variant::builtin_text(id).map(str::to_owned);
    let variant = Arc::new(Variant::parse(text, &loader).unwrap());
    let mut game = from(variant, "4k4/S8/9/9/9/9/9/9/4K4[G] w 0 1");
    let try_text = |game: &mut rules::Game, text: &str| {
        let mv = game.parse_move(text).unwrap();
        game.try_play(mv)
    };
    assert_eq!(try_text(&mut game, "G@a4"), Err(IllegalMove::OutsideRegion));
    assert_eq!(try_text(&mut game.clone(), "G@a3"), Ok(()));
    assert_eq!(try_text(&mut game.clone(), "a8b9+"), Ok(()));
    let mut leaving = from(game.variant().clone(), "4k4/9/S8/9/9/9/9/9/4K4[G] w 0 1");
    assert_eq!(try_text(&mut leaving, "a7b6+"), Err(IllegalMove::CannotPromote));
}

#[test]
fn legs_palaces_and_facing_generals_are_named() {
    let position = "5k3/9/9/9/9/9/9/9/9/1NB1K4 w - - 0 1";
    for (text, why) in [
        ("e1d1", Ok(())),
        ("e1f1", Err(IllegalMove::GeneralsFace)),
        ("b1d2", Err(IllegalMove::PathBlocked)),
        ("b1c3", Ok(())),
        ("c1e3", Ok(())),
    ] {
        assert_eq!(reason("xiangqi", position, text), why, "{text}");
    }
    let palace = "3k5/9/9/9/9/9/9/5K3/9/9 w - - 0 1";
    assert_eq!(reason("xiangqi", palace, "f3g3"), Err(IllegalMove::OutsideRegion));
    let capture = "3k5/9/9/9/9/9/9/9/9/C3K3r w - - 0 1";
    assert_eq!(reason("xiangqi", capture, "a1i1"), Ok(()));
    let no_screen = "3k5/9/9/9/9/9/9/9/4K4/C7r w - - 0 1";
    assert_eq!(reason("xiangqi", no_screen, "a1i1"), Err(IllegalMove::PathBlocked));
}

#[test]
fn positions_outside_the_rules_are_refused() {
    let xiangqi = Variant::builtin("xiangqi").unwrap();
    for (text, word) in [
        ("4k4/9/9/9/9/9/9/9/9/A3K4 w", "region"),
        ("4k4/9/9/9/9/9/9/9/P8/4K4 w", "region"),
        ("4k4/9/9/9/9/1P7/9/9/9/4K4 w", "region"),
        ("4k4/9/9/9/B8/9/9/9/9/4K4 w", "region"),
        ("4k4/9/9/9/9/9/9/9/9/4K4[-] w", "no hands"),
        ("4k4/9/9/9/RRR6/9/9/9/9/4K4 w", "3 pieces `R`"),
    ] {
        let error = Position::parse(&xiangqi, text).unwrap_err();
        assert!(error.reason.contains(word), "{text}: {error}");
    }
    let facing = Position::parse(&xiangqi, "4k4/9/9/9/9/9/9/9/9/4K4 r").unwrap();
    assert!(!rules::Game::from_position(xiangqi.clone(), facing).in_check());
    let aliases = "rhebkabhr/9/9/9/9/9/9/9/9/RHEAKABHR w";
    assert!(Position::parse(&xiangqi, &aliases.replace("rheb", "rhea")).is_ok());
}

/// Shogi with other rules for entered kings.
fn shogi_with(rules: &str) -> Arc<Variant> {
    let text = format!("extends = \"shogi\"\nid = \"test\"\n[endings.entering]\n{rules}\n");
    let loader = |id: &str| Variant::builtin_text(id).map(str::to_owned);
    Arc::new(Variant::parse(&text, &loader).unwrap())
}

/// The impasse of two entered kings with everything else in the hands.
fn impasse(rules: &str, hands: &str) -> Option<Outcome> {
    from(shogi_with(rules), &format!("4K4/9/9/9/9/9/9/9/4k4[{hands}] w 0 1")).impasse()
}

#[test]
fn impasse_counts_the_points_of_both_sides() {
    let won = |winner| Some(Outcome { winner, termination: Termination::Impasse });
    // Two rooks and bishops with seven small pieces against 27 small pieces.
    let even = "2R2B4G3Ss4n4l18p";
    assert_eq!(impasse("impasse = \"points24\"", even), won(None));
    assert_eq!(impasse("impasse = \"points27\"", even), won(Some(Color::White)));
    assert_eq!(impasse("impasse = \"draw\"", even), won(None));
    assert_eq!(impasse("impasse = \"none\"", even), None);
    let more = "2R2B4G4S4n4l18p";
    assert_eq!(impasse("impasse = \"points27\"", more), won(Some(Color::Black)));
    let few = "2r2B4G3Ss4n4l18p";
    assert_eq!(impasse("impasse = \"points24\"", few), won(Some(Color::White)));
    // Missing pieces count for White.
    assert_eq!(impasse("impasse = \"points24\"", "RBGG"), won(Some(Color::White)));
}

#[test]
fn an_impasse_at_the_move_limit_is_counted() {
    let variant = Arc::new(Variant::builtin("shogi").unwrap().with_max_plies(1));
    let mut counted = from(variant.clone(), "4K4/9/9/9/9/9/9/9/4k4[RBGG] w 0 1");
    crate::play(&mut counted, "5a4a");
    let lost = Outcome { winner: Some(Color::White), termination: Termination::Impasse };
    assert_eq!(outcome(&counted), Some(lost));
    let mut plain = from(variant, "4k4/9/9/9/9/9/9/9/4K4[RBGG] w 0 1");
    crate::play(&mut plain, "5i4i");
    let drawn = Outcome { winner: None, termination: Termination::MoveLimit };
    assert_eq!(outcome(&plain), Some(drawn));
}

#[test]
fn a_declaration_needs_its_conditions() {
    let declare = |rule: &str, position: &str| {
        let outcome = from(shogi_with(rule), position).declare().unwrap();
        (outcome.winner, outcome.termination)
    };
    let (won, lost) = (Termination::Declaration, Termination::FalseDeclaration);
    // Ten pieces in the camp: 10 points; two rooks, two bishops more in hand make 30.
    let ten = "4K4/PPPPPPPPP/P8/9/9/9/9/9/4k4[RRBB] w 0 1";
    assert_eq!(declare("", ten), (Some(Color::Black), won));
    assert_eq!(declare("declaration = \"declare24\"", ten), (None, won));
    let one_more = ten.replace("RRBB", "RRBBG");
    assert_eq!(declare("declaration = \"declare24\"", &one_more), (Some(Color::Black), won));
    let nine = ten.replace("/P8/", "/9/");
    assert_eq!(declare("", &nine), (Some(Color::White), lost));
    let outside = "9/PPPPPPPPP/P8/4K4/9/9/9/9/4k4[RRBB] w 0 1";
    assert_eq!(declare("", outside), (Some(Color::White), lost));
    let poor = ten.replace("RRBB", "RRB");
    assert_eq!(declare("", &poor), (Some(Color::White), lost));
    let check = ten.replace("4K4", "r3K4");
    assert_eq!(declare("", &check.replace("RRBB", "RBB")), (Some(Color::White), lost));
    // White needs one point less: 16 pawns in the camp, two rooks and a pawn in hand make 27.
    let white = "4K4/9/9/9/9/9/9/pppppppp1/ppppppppk[2B4G4S4N4LP2rp] b 0 1";
    assert_eq!(declare("", white), (Some(Color::White), won));
    assert_eq!(declare("", &white.replace("P2rp", "2P2r")), (Some(Color::Black), lost));
    // Missing pieces count for White.
    assert_eq!(declare("", &white.replace("P2rp", "P2r")), (Some(Color::White), won));
    assert!(game("micro", "k3/4/4/4/3K[-] w 0 1").declare().is_none());
}

#[test]
fn handicaps_leave_54_points_in_all() {
    let variant = Variant::builtin("shogi").unwrap();
    let mut missing: Vec<(String, usize)> = Vec::new();
    for (name, start) in variant.handicaps() {
        assert_eq!(start.side_to_move(), Color::White, "{name}");
        missing.push((name.to_owned(), 40 - start.occupied().len()));
    }
    let counts: Vec<usize> = missing.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [1, 1, 1, 1, 2, 2, 4, 6, 8, 10], "{missing:?}");
    // Ten pieces given: nine pawns and the 18 points of the missing pieces are White's 27.
    let even = game("shogi", "4K4/9/9/9/9/9/9/9/4k4 w RB2G2S2N2L9P9p 1").impasse();
    let draw = Outcome { winner: None, termination: Termination::Impasse };
    assert_eq!(even, Some(draw));
    assert!(variant.handicap("seven").is_none());
}
