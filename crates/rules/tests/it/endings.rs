//! Endings: mate, repetition, perpetual check, limits, goals.

use std::sync::Arc;

use rules::{Color, Outcome, Termination, Variant};

use crate::{from, game, outcome, play};

fn ended(winner: Option<Color>, termination: Termination) -> Option<Outcome> {
    Some(Outcome { winner, termination })
}

#[test]
fn mate_and_stalemate_lose() {
    let mate = game("micro", "k3/+R3/+R3/4/3K[-] b 0 1");
    assert_eq!(outcome(&mate), ended(Some(Color::Black), Termination::Checkmate));
    let stalemate = game("xiangqi", "4k4/9/9/9/9/9/9/3r1r3/9/4K4 w - - 0 1");
    assert_eq!(outcome(&stalemate), ended(Some(Color::White), Termination::Stalemate));
}

#[test]
fn the_fourth_occurrence_is_a_draw_and_the_third_is_not() {
    let mut shuffle = game("micro", "kb+r+l/p3/4/3P/+L+RBK[-] w 0 1");
    for cycle in 1..=3 {
        assert_eq!(shuffle.repetitions(), cycle);
        assert_eq!(outcome(&shuffle), None);
        play(&mut shuffle, "b1b2 c5c4 b2b1");
        assert_eq!(outcome(&shuffle), None);
        play(&mut shuffle, "c4c5");
    }
    assert_eq!(shuffle.repetitions(), 4);
    assert_eq!(outcome(&shuffle), ended(None, Termination::Repetition));
    shuffle.undo();
    assert_eq!(outcome(&shuffle), None);
}

const CHASE: &str = "b1a1 a5b5 a1b1 b5a5 ";

#[test]
fn nothing_but_checks_loses_for_the_checker() {
    let mut chase = game("micro", "k3/4/4/4/1R1K[-] w 0 1");
    play(&mut chase, &CHASE.repeat(2));
    play(&mut chase, "b1a1 a5b5 a1b1");
    assert_eq!(outcome(&chase), None);
    play(&mut chase, "b5a5");
    assert_eq!(outcome(&chase), ended(Some(Color::White), Termination::PerpetualCheck));
}

#[test]
fn the_checker_loses_when_the_check_makes_the_last_occurrence() {
    let mut chase = game("micro", "k3/4/4/4/R2K[-] b 0 1");
    play(&mut chase, &"a5b5 a1b1 b5a5 b1a1 ".repeat(3));
    assert_eq!(outcome(&chase), ended(Some(Color::White), Termination::PerpetualCheck));
}

#[test]
fn the_second_player_can_be_the_checker() {
    let mut chase = game("micro", "k1r1/4/4/4/3K[-] b 0 1");
    play(&mut chase, &"c5d5 d1c1 d5c5 c1d1 ".repeat(3));
    assert_eq!(outcome(&chase), ended(Some(Color::Black), Termination::PerpetualCheck));
}

#[test]
fn one_quiet_move_clears_a_perpetual_check() {
    let mut chase = game("micro", "k3/4/4/4/1R1K[-] w 0 1");
    play(&mut chase, "d1d2 a5a4 d2d1 a4a5 ");
    play(&mut chase, &CHASE.repeat(2));
    assert_eq!(outcome(&chase), ended(None, Termination::Repetition));
}

#[test]
fn quiet_moves_before_the_first_occurrence_do_not_count() {
    let mut chase = game("micro", "4/k3/4/4/1RK1[-] w 0 1");
    play(&mut chase, "c1d1 a4a5");
    play(&mut chase, &CHASE.repeat(3));
    assert_eq!(outcome(&chase), ended(Some(Color::White), Termination::PerpetualCheck));
}

/// Kings that move like queens and never capture, so that each evasion uncovers a check.
const CROSSED: &str = r#"
id = "crossed"
name = "Crossed checks"
files = 6
ranks = 6
start = "1r4/5R/6/6/RK2k1/4r1[-] w 0 1"
[pieces]
K = { moves = "mQ" }
R = { moves = "R" }
[drops]
faces = "front"
[royal]
piece = "K"
"#;

#[test]
fn perpetual_check_by_both_sides_is_a_draw() {
    let variant = Arc::new(Variant::parse(CROSSED, &|_| None).unwrap());
    let mut crossed = rules::Game::new(variant);
    for text in "b2e5 e2b5 e5b2 b5e2 ".repeat(3).split_whitespace() {
        assert!(crossed.in_check());
        assert_eq!(outcome(&crossed), None);
        play(&mut crossed, text);
    }
    assert_eq!(outcome(&crossed), ended(None, Termination::PerpetualCheck));
}

#[test]
fn plain_repetition_is_judged_by_the_variant() {
    let mut mini = game("minishogi", "rbsgk/4p/5/P4/KGSBR[-] w 0 1");
    play(&mut mini, &"e1e2 a5a4 e2e1 a4a5 ".repeat(3));
    assert_eq!(outcome(&mini), ended(Some(Color::White), Termination::Repetition));

    let tori = Variant::builtin("torishogi").unwrap();
    let mut tori = rules::Game::new(tori);
    play(&mut tori, &"d1e2 d7c6 e2d1 c6d7 ".repeat(3));
    assert_eq!(outcome(&tori), ended(Some(Color::Black), Termination::Repetition));
}

#[test]
fn the_move_limit_is_a_draw_but_mate_goes_first() {
    let micro = Variant::builtin("micro").unwrap();
    let short = Arc::new(micro.with_max_plies(1));
    assert_ne!(short.rules_fingerprint(), micro.rules_fingerprint());
    assert_eq!(short.board_fingerprint(), micro.board_fingerprint());
    let mut limited = rules::Game::new(short.clone());
    play(&mut limited, "a1a2");
    assert_eq!(outcome(&limited), ended(None, Termination::MoveLimit));
    let mut mate = from(short, "k3/4/1+R2/3K/4[R] w 0 1");
    play(&mut mate, "+R@a4");
    assert_eq!(outcome(&mate), ended(Some(Color::Black), Termination::Checkmate));
}

#[test]
fn the_no_capture_limit_does_not_count_a_flood_of_checks() {
    let variant = |limit| {
        let repetition = "repetition = { count = 90 }";
        changed("micro", &format!("[endings]\nno_capture_limit = {limit}\n{repetition}"))
    };
    let mut shuffle = rules::Game::new(variant(4));
    play(&mut shuffle, "b1b2 c5c4 b2b1");
    assert_eq!(outcome(&shuffle), None);
    play(&mut shuffle, "c4c5");
    assert_eq!(outcome(&shuffle), ended(None, Termination::NoCaptureLimit));
    // Of 24 plies 12 are checks, 2 more than ten: 20 plies count.
    let mut chase = from(variant(21), "k3/4/4/4/1R1K[-] w 0 1");
    play(&mut chase, &CHASE.repeat(6));
    assert_eq!(outcome(&chase), None);
    play(&mut chase, "d1d2");
    assert_eq!(outcome(&chase), ended(None, Termination::NoCaptureLimit));
}

#[test]
fn a_lion_is_taken_or_reaches_its_goal() {
    let mut taken = game("dobutsu", "gle/2c/2G/E1L[C] b - - 1 3");
    assert_eq!(outcome(&taken), None);
    play(&mut taken, "c3c2");
    assert_eq!(outcome(&taken), None);
    let captured = game("dobutsu", "3/1C1/3/L2[L] b");
    assert_eq!(outcome(&captured), ended(Some(Color::Black), Termination::KingCaptured));
    let safe = game("dobutsu", "L2/3/3/l2[] b");
    assert_eq!(outcome(&safe), ended(None, Termination::Try));
    let safe = game("dobutsu", "L2/3/l2/3[] b");
    assert_eq!(outcome(&safe), ended(Some(Color::Black), Termination::Try));
    let attacked = game("dobutsu", "Lg1/3/l2/3[] b");
    assert_eq!(outcome(&attacked), None);
    let later = game("dobutsu", "L2/3/l2/3[] w");
    assert_eq!(outcome(&later), ended(Some(Color::Black), Termination::Try));
}

/// A built-in variant with other endings.
fn changed(id: &str, change: &str) -> Arc<Variant> {
    let text = format!("extends = \"{id}\"\nid = \"changed\"\n{change}");
    let loader = |id: &str| Variant::builtin_text(id).map(str::to_owned);
    Arc::new(Variant::parse(&text, &loader).unwrap())
}

#[test]
fn the_end_without_a_move_is_an_option_but_mate_loses() {
    for (rule, winner) in
        [("loss", Some(Color::White)), ("draw", None), ("win", Some(Color::Black))]
    {
        let variant = changed("xiangqi", &format!("[endings]\nno_moves = \"{rule}\""));
        let stalemate = from(variant.clone(), "4k4/9/9/9/9/9/9/3r1r3/9/4K4 w");
        assert_eq!(outcome(&stalemate), ended(winner, Termination::Stalemate));
        let mate = from(variant, "3k5/9/9/9/9/9/9/9/r8/r3K4 w");
        assert_eq!(outcome(&mate), ended(Some(Color::White), Termination::Checkmate));
    }
}

#[test]
fn perpetual_check_can_be_ignored() {
    let rule = "[endings]\nrepetition = { count = 3, perpetual_check = \"ignored\" }";
    let mut chase = from(changed("micro", rule), "k3/4/4/4/1R1K[-] w 0 1");
    play(&mut chase, &CHASE.repeat(2));
    assert_eq!(outcome(&chase), ended(None, Termination::Repetition));
}

#[test]
fn terminations_have_names() {
    for &termination in Termination::ALL {
        assert_eq!(termination.as_str().parse(), Ok(termination));
    }
    assert!("mate".parse::<Termination>().is_err());
    assert_eq!(Termination::FalseDeclaration.to_string(), "false_declaration");
}
