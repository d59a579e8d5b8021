use super::*;

fn leaps(text: &str) -> Vec<(i8, i8)> {
    parse(text).unwrap().iter().map(|step| (step.x, step.y)).collect()
}

#[test]
fn one_letter_names_two_diagonals_and_two_name_one() {
    assert_eq!(leaps("fF"), [(-1, 1), (1, 1)]);
    assert_eq!(leaps("lbF"), [(-1, -1)]);
    assert_eq!(leaps("bA"), [(-2, -2), (2, -2)]);
    assert_eq!(leaps("F").len(), 4);
}

#[test]
fn orthogonal_letters_stand_alone() {
    assert_eq!(leaps("fsW"), [(-1, 0), (0, 1), (1, 0)]);
    assert_eq!(leaps("frlR").len(), 3);
    assert_eq!(leaps("vR"), [(0, -1), (0, 1)]);
    assert_eq!(leaps("fD"), [(0, 2)]);
}

#[test]
fn a_forward_knight_goes_two_forward() {
    assert_eq!(leaps("fN"), [(-1, 2), (1, 2)]);
    assert_eq!(leaps("ffN"), [(-1, 2), (1, 2)]);
    assert_eq!(leaps("fsN"), [(-2, 1), (2, 1)]);
    assert_eq!(leaps("fhN").len(), 4);
    assert_eq!(leaps("nN").len(), 8);
}

#[test]
fn parts_add_up() {
    assert_eq!(leaps("WfF").len(), 6);
    assert_eq!(leaps("KbRfBbF2").len(), 8 + 1 + 2 + 2);
    let cannon = parse("mRcpR").unwrap();
    assert_eq!(cannon.iter().filter(|step| step.manner == Manner::Hop(0)).count(), 4);
    assert!(cannon.iter().all(|step| step.quiet != step.capture));
    assert!(parse("bF2").unwrap().iter().all(|step| step.manner == Manner::Slide(2)));
}

#[test]
fn doubled_atoms_ride() {
    for (text, same) in [("WW", "R"), ("FF", "B"), ("KK", "Q"), ("WW3", "R3"), ("W3", "R3")] {
        assert_eq!(parse(text).unwrap(), parse(same).unwrap(), "{text}");
    }
    let manners = |text: &str| {
        let mut manners: Vec<_> = parse(text).unwrap().iter().map(|s| s.manner).collect();
        manners.dedup();
        manners
    };
    for (text, manner) in [
        ("NN", Manner::Slide(0)),
        ("N3", Manner::Slide(3)),
        ("NN3", Manner::Slide(3)),
        ("N1", Manner::Leap),
        ("nN", Manner::Lame(1)),
        ("nNN", Manner::Lame(0)),
        ("nH", Manner::Lame(1)),
        ("nAA2", Manner::Lame(2)),
        ("pDD", Manner::Hop(0)),
        ("pN2", Manner::Hop(2)),
    ] {
        assert_eq!(manners(text), [manner], "{text}");
    }
    assert_eq!(leaps("fNN"), [(-1, 2), (1, 2)]);
    assert_eq!(leaps("bHH"), [(0, -3)]);
    assert_eq!(leaps("NNW").len(), 12);
}

#[test]
fn nonsense_is_named_with_its_place() {
    for (text, word) in [
        ("", "needs at least one atom"),
        ("fs", "at character 1: modifiers without an atom"),
        ("WX", "at character 2: unknown atom `X`; known are the atoms W F D N A H K R B Q"),
        ("fxW", "at character 2: `x` (pieces that lend their moves) is not supported"),
        ("fkW", "at character 2: unknown modifier `k`"),
        ("Wm(cW)", "at character 3: `(` (a group of moves) is not supported"),
        ("KjN", "at character 2: `j` (a jump over the first square)"),
        ("RgB", "at character 2: `g`"),
        ("WoR", "at character 2: `o`"),
        ("zB", "at character 1: `z` (crooked riders)"),
        ("KO", "at character 2: `O` (castling)"),
        ("FC", "at character 2: `C` ((3,1) leaps)"),
        ("FZ", "at character 2: `Z`"),
        ("FmcW", "at character 3: `m` and `c` exclude"),
        ("npN", "exclude each other"),
        ("fmmW", "at character 3: `m` stands twice"),
        ("fnR", "at character 2: `n` goes with N D A H"),
        ("nW2", "at character 1: `n` goes with"),
        ("FpW", "at character 2: a hop needs"),
        ("pN1", "at character 1: a hop needs"),
        ("FRR", "at character 3: `R` repeats its step already"),
        ("NNN", "at character 3: `N` makes a rider written twice"),
        ("R0", "at character 2: a range is"),
        ("DD999", "at character 3: a range is"),
        ("fhW", "at character 2: `h` goes only with N"),
        ("hF", "at character 1: `h` goes only with N"),
        ("fslW", "at character 1: a direction is named twice"),
        ("é", "unknown atom `é`"),
        ("W\u{1b}", "unknown atom `\\u{1b}`"),
        ("2W", "unknown atom `2`"),
    ] {
        let why = parse(text).unwrap_err();
        assert!(why.contains(word), "{text}: {why}");
    }
}
