//! Faulty and hostile variant files.

use rules::{Variant, VariantErrors};

fn builtin(id: &str) -> Option<String> {
    Variant::builtin_text(id).map(str::to_owned)
}

fn faults(text: &str) -> VariantErrors {
    Variant::parse(text, &builtin).expect_err("the file is faulty")
}

#[test]
fn all_faults_are_reported_at_once_with_their_places() {
    let text = r#"id = "broken"
name = 5
files = 40
ranks = 5
start = "k3/4/4/4/3K[-] w 0 1"
[zones]
camp = "a9-z99"
[pieces]
K = { moves = "K" }
P = { moves = "fX", reverse = { mvoes = "W" } }
LL = { moves = "R" }
[promotion]
rule = "choise"
zone = "far"
[drops]
faces = "front"
per_fiel = { P = 1 }
per_file = { Q = 1 }
[royal]
piece = "Z"
[endings]
repetition = { count = 1 }
"#;
    let found = faults(text);
    let shown = found.to_string();
    for (line, column, part) in [
        (2, 8, "`name` takes a string, not a number"),
        (3, 9, "`files` is from 1 to 26, not 40"),
        (7, 8, "no square of this board"),
        (10, 15, "unknown atom `X`"),
        (10, 33, "unknown key `mvoes`; did you mean `moves`?"),
        (11, 1, "one letter A-Z, not `LL`"),
        (13, 8, "`rule` is one of `none`, `choice`"),
        (14, 8, "names no zone: `far`; zones: `camp`"),
        (17, 1, "unknown key `per_fiel`; did you mean `per_file`?"),
        (18, 14, "there is no piece `Q`"),
        (20, 9, "there is no piece `Z`"),
        (22, 24, "`count` is from 2 to 100, not 1"),
    ] {
        let hit = found.0.iter().any(|fault| {
            (fault.line, fault.column) == (line, column) && fault.message.contains(part)
        });
        assert!(hit, "{line}:{column} {part}\n{shown}");
    }
    assert!(found.0.is_sorted_by_key(|fault| (fault.line, fault.column)));
}

fn micro_with(change: &str) -> String {
    format!("extends = \"micro\"\nid = \"changed\"\n{change}")
}

#[test]
fn contradictions_are_faults() {
    for (change, part) in [
        ("[promotion]\nzone = \"far\"\n[zones]\nfar = \"a5-d5\"", "no `zone` and no `trigger`"),
        ("[promotion]\nrule = \"must\"", "needs a `zone`"),
        ("[drops]\nfaces = \"none\"", "without drops"),
        ("[royal]\nrule = \"capturable\"\nfacing = \"forbidden\"", "face each other"),
        ("files = 5", "rank 5 has 4 files"),
        ("start = \"4/4/4/4/3K[-] w\"", "second player has no king"),
        ("start = \"k3/4/4/4/2KK[-] w\"", "second king"),
        ("[pieces.L]\naliases = [\"R\"]", "taken by another piece"),
        ("[endings.goal]\nzone = \"nowhere\"", "none is defined"),
        ("[pieces.L]\nkanji = \"\"", "`kanji` is 1 to 4 letters"),
        ("[pieces.L]\nkanji = [\"香\"]", "`kanji` is 1 to 4 letters"),
        ("[pieces.L]\nkanji_text = [\"香\", \"<b>\"]", "`kanji_text` is 1 to 4 letters"),
    ] {
        let shown = faults(&micro_with(change)).to_string();
        assert!(shown.contains(part), "{change}: {shown}");
    }
}

#[test]
fn a_variant_needs_a_king() {
    let text = "id = \"x\"\nname = \"X\"\nfiles = 3\nranks = 3\nstart = \"3/3/3 w\"\n[pieces]\n";
    assert!(faults(text).to_string().contains("needs a king"));
    let headless = format!("{text}P = {{ moves = \"W\" }}\n[royal]\npiece = \"P\"\n");
    assert!(faults(&headless).to_string().contains("no king in the start position"));
}

#[test]
fn hostile_files_end_in_a_clear_error() {
    let many: String = ('A'..='Z').map(|c| format!("{c} = {{ moves = \"W\" }}\n")).collect();
    for (text, part) in [
        ("x = ".to_owned() + &"[".repeat(50_000), "variant:1"),
        (format!("id = \"{}\"", "a".repeat(10_000_000)), "at most"),
        (format!("id = \"{}\"", "a".repeat(60_000)), "`id` is 1 to 40"),
        ("files = 99999999999999999999\nranks = 12".to_owned(), "out of range"),
        ("files = 26\nranks = 26".to_owned(), "at most 128 squares"),
        ("files = -1\nranks = 0".to_owned(), "from 1 to 26"),
        (format!("[pieces]\n{many}"), "at most 16 kinds"),
        ("[pieces]\nK = { moves = \"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW\" }".to_owned(), "64 characters"),
        ("[endings]\nmax_plies = 0".to_owned(), "`max_plies` is from 1"),
        ("\u{feff}\u{0}".to_owned(), "variant:1"),
        ("id = 1\nid = 2".to_owned(), "variant:2"),
        ("extends = 1979-05-27".to_owned(), "not a date"),
        ("extends = \"nothing\"".to_owned(), "no variant `nothing`"),
        ("pieces = 3\nzones = 4\ndrops = []\nroyal = 1.5\nendings = true".to_owned(), "takes a table"),
        (String::new(), "`pieces` is missing"),
    ] {
        let shown = faults(&text).to_string();
        assert!(shown.contains(part), "{part}: {shown}");
        assert!(shown.len() < 10_000, "{} bytes", shown.len());
    }
}

#[test]
fn circles_and_towers_of_extends_are_refused() {
    let circle = |id: &str| Some(format!("extends = \"{}\"", if id == "a" { "b" } else { "a" }));
    let shown = Variant::parse("extends = \"a\"", &circle).expect_err("a circle").to_string();
    assert!(shown.contains("circle: a -> b -> a"), "{shown}");
    let tower = |id: &str| Some(format!("extends = \"{id}x\""));
    let shown = Variant::parse("extends = \"a\"", &tower).expect_err("a tower").to_string();
    assert!(shown.contains("deeper than"), "{shown}");
}

#[test]
fn cut_and_mangled_files_never_panic() {
    for id in ["micro", "xiangqi", "shogi"] {
        let text = Variant::builtin_text(id).unwrap();
        let letters: Vec<char> = text.chars().collect();
        for end in (0..letters.len()).step_by(7) {
            let cut: String = letters[..end].iter().collect();
            let _ = Variant::parse(&cut, &builtin);
        }
        for (at, with) in (0..letters.len()).step_by(11).zip("}{[]\"=9-+xK\n".chars().cycle()) {
            let mut mangled = letters.clone();
            mangled[at] = with;
            let mangled: String = mangled.iter().collect();
            let _ = Variant::parse(&mangled, &builtin);
        }
    }
}

#[test]
fn fingerprints_see_the_rules_and_not_the_spelling() {
    let micro = Variant::builtin("micro").unwrap();
    let changed = |change: &str| Variant::parse(&micro_with(change), &builtin).unwrap();
    let spelled = changed(
        "# a comment\nname = \"Other\"\n[royal]\nrule = \"protected\"\n[pieces.R.reverse]\nmoves = \"fFW\"",
    );
    assert_eq!(spelled.board_fingerprint(), micro.board_fingerprint());
    assert_eq!(spelled.rules_fingerprint(), micro.rules_fingerprint());
    let endings = changed("[endings]\nrepetition = { count = 3 }");
    assert_eq!(endings.board_fingerprint(), micro.board_fingerprint());
    assert_ne!(endings.rules_fingerprint(), micro.rules_fingerprint());
    let pieces = changed("[pieces.R.reverse]\nmoves = \"W\"");
    assert_ne!(pieces.board_fingerprint(), micro.board_fingerprint());
    assert_eq!(micro.board_fingerprint().to_string().len(), 64);
    let mut all: Vec<_> = Variant::builtin_ids()
        .iter()
        .map(|id| Variant::builtin(id).unwrap().board_fingerprint())
        .collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), Variant::builtin_ids().len());
}

#[test]
fn every_variant_file_is_built_in() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/variants");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    files.sort_unstable();
    assert_eq!(files, Variant::builtin_ids());
    for id in files {
        assert_eq!(Variant::builtin(&id).unwrap().id(), id);
    }
}
