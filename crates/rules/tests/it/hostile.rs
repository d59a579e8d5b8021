//! Variant files that want to hurt: all end in a clear error, in little time.

use std::time::{Duration, Instant};

use rules::{Game, Variant, VariantErrors, perft};

fn builtin(id: &str) -> Option<String> {
    Variant::builtin_text(id).map(str::to_owned)
}

fn faults(text: &str) -> VariantErrors {
    Variant::parse(text, &builtin).expect_err("the file is faulty")
}

fn micro_with(change: &str) -> String {
    format!("extends = \"micro\"\nid = \"changed\"\n{change}")
}

/// Any accepted or refused file compiles within this time; far above what is measured.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn many_of_anything_is_refused_quickly_and_shortly() {
    let many =
        |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let zones = format!("[zones]\n{}", many(2500, &|n| format!("z{n} = \"a1-d5 a1 b2\"\n")));
    let hundred_thousand = many(100_000, &|n| format!("z{n} = \"a1\"\n"));
    let long = "a1 ".repeat(3_500_000);
    let per_file = many(3000, &|n| format!("P{n} = 1\n"));
    let kings = "\"K\", ".repeat(9000);
    for (text, part) in [
        (micro_with(&zones), "at most 64 zones are possible, not 2500"),
        (micro_with(&format!("[zones]\n{hundred_thousand}")), "at most 65536 bytes"),
        (micro_with(&format!("[zones]\nz = \"{long}\"")), "at most 65536 bytes"),
        (
            micro_with(&format!("[zones]\nz = \"{}\"\n[drops]\nzone = \"y\"", &long[..60_000])),
            "names no zone",
        ),
        (many(7_000, &|n| format!("a{n}=1\n")), "only 100 faults are told"),
        (micro_with(&many(7_000, &|n| format!("a{n}=1\n"))), "only 100 faults are told"),
        (many(5_000, &|n| format!("[a{n}]\n")), "only 100 faults are told"),
        (micro_with(&format!("[drops.per_file]\n{per_file}")), "there is no piece `P0`"),
        (micro_with(&format!("[drops]\nno_mate_by = [{kings} \"Z\"]")), "there is no piece `Z`"),
        (micro_with("[endings]\nmax_plies = 9223372036854775807"), "from 1 to 100000"),
        (micro_with("[endings]\nmax_plies = 9223372036854775808"), "out of range"),
        (micro_with("[endings]\nmax_plies = -0x1"), "variant:4"),
        (micro_with("[endings]\nmax_plies = 1e99"), "a fraction"),
        (micro_with("start = \"k3/4/4/4/3K[100P100P100P] w\""), "a hand holds"),
        (micro_with("start = \"k3/4/4/4/3K[100P] w\"\n[pieces.X]\nmoves=\"W\"\n"), ""),
        (micro_with("start = \"k3/4/4/4/R2K[-] w 0 1\""), "in check, but it is not their turn"),
        (
            micro_with("start = \"3k/4/4/r1r1/1K2[-] w 0 1\"\n[pieces.K]\nmoves = \"fF\""),
            "over before it begins: stalemate",
        ),
    ] {
        let begun = Instant::now();
        let found = Variant::parse(&text, &builtin);
        assert!(begun.elapsed() < PATIENCE, "{part}");
        if part.is_empty() {
            continue;
        }
        let shown = found.expect_err(part).to_string();
        assert!(shown.contains(part), "{part}: {}", &shown[..shown.len().min(2000)]);
        assert!(shown.len() < 100_000, "{part}: {} bytes", shown.len());
    }
}

#[test]
fn deep_nesting_is_refused() {
    let depth = 20_000;
    for text in [
        format!("{} = 1", vec!["a"; depth].join(".")),
        format!("{} = 1", vec!["a"; depth].join(" . ")),
        format!("[{}]", vec!["a"; depth].join(".")),
        format!("[[{}]]", vec!["a"; depth].join(".")),
        format!("a = {}1{}", "{a=".repeat(depth), "}".repeat(depth)),
        format!("a = {}{}", "[".repeat(depth), "]".repeat(depth)),
        format!("x = {{ {} = 1 }}", vec!["a"; depth].join(".")),
    ] {
        assert!(!faults(&text).0.is_empty());
    }
}

/// They would reach terminals and pages.
#[test]
fn names_are_printable() {
    for name in
        ["\\u001b[31mred", "two\\nlines", "\\u202Ereversed", "\\u0007", "zero\\u200bwidth", ""]
    {
        for key in ["name = ", "[pieces.R]\nname = ", "[pieces.R]\ndisplay = "] {
            let shown = faults(&micro_with(&format!("{key}\"{name}\""))).to_string();
            assert!(shown.contains("printable characters"), "{name}: {shown}");
        }
    }
    let long = "x".repeat(61);
    assert!(faults(&micro_with(&format!("name = \"{long}\""))).to_string().contains("1 to 60"));
    assert!(Variant::parse(&micro_with("name = \"将棋 ✓ <b>\""), &builtin).is_ok());
    // Nor do they reach them through messages.
    for text in [
        "\"\\u001b[31m\" = 1",
        "extends = \"\\u001b[31m\"",
        "[zones]\n\"\\u001b\" = \"a1\"\n[promotion]\nzone = \"\\u001b\"",
        "[pieces]\n\"\\u001b\" = 1\n[royal]\npiece = \"\\u001b\"\nrule = \"\\u001b\"",
        "\u{1b} = 3",
    ] {
        let shown = faults(text).to_string();
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    }
}

#[test]
fn reserved_and_contradictory_rules_say_so() {
    for chase in ["perpetual_chase", "asian"] {
        let shown = faults(&micro_with(&format!("[endings]\nchase = \"{chase}\""))).to_string();
        assert!(shown.contains("can only be `none`") && shown.contains("reserved"), "{shown}");
    }
    let none = Variant::parse(&micro_with("[endings]\nchase = \"none\""), &builtin).expect("none");
    let micro = Variant::builtin("micro").expect("micro is built in");
    assert_eq!(none.rules_fingerprint(), micro.rules_fingerprint());
    let shown =
        faults(&micro_with("[endings]\ngoal = { piece = \"Z\", zone = \"z\" }")).to_string();
    assert!(shown.contains("there is no piece `Z`"), "{shown}");
}

/// Everything as large as it may be: 128 squares, 32 faces that ride in all directions, drops that may
/// not mate.
#[test]
fn the_largest_accepted_file_compiles_and_moves_in_bounded_time() {
    let front = "KQNNDDAAHHpQpNNpDD2pAAmW3mN2cW4cF5nNNnD";
    let back = "QNNDDAAHHnNNnDDnAApNNpKK3mN3cD2cA2";
    let letters: Vec<char> = ('A'..='P').collect();
    let pieces: String = letters
        .iter()
        .enumerate()
        .map(|(index, letter)| {
            let square = format!("{}16", char::from(b'a' + index as u8 % 8));
            let (front, back) = if *letter == 'A' { ("K", "K") } else { (front, back) };
            format!(
                "{letter} = {{ moves = \"{front}\", beyond = {{ zone = \"z{index}\", moves = \"{back}\" }}, \
                 reverse = {{ moves = \"{back}\", beyond = {{ zone = \"z{index}\", moves = \"{front}\" }} }} }}\n\
                 # {square}\n"
            )
        })
        .collect();
    let zones: String = (0..16)
        .map(|index| format!("z{index} = \"{}16 h{}\"\n", char::from(b'a' + index % 8), index + 1))
        .collect();
    let mate: String = letters[1..].iter().map(|letter| format!("\"{letter}\", ")).collect();
    let hand: String =
        letters[1..].iter().map(|l| format!("50{l}50{}", l.to_ascii_lowercase())).collect();
    let text = format!(
        "id = \"large\"\nname = \"Large\"\nfiles = 8\nranks = 16\n\
         start = \"a7/8/8/8/8/8/8/8/8/8/8/8/8/8/8/7A[{hand}] w 0 1\"\n\
         [zones]\n{zones}[pieces]\n{pieces}[promotion]\nrule = \"choice\"\nzone = \"z0\"\n\
         [drops]\nfaces = \"either\"\nno_mate_by = [{mate}]\n[royal]\npiece = \"A\"\n"
    );
    let begun = Instant::now();
    let variant = Variant::parse(&text, &builtin).unwrap_or_else(|why| panic!("{why}"));
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    let game = Game::new(std::sync::Arc::new(variant));
    assert!(perft(&game, 1) > 1000);
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}
