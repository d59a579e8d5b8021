//! Positions as text.

use std::collections::{BTreeMap, BTreeSet};

use rules::{Color, Face, Position, Variant};

#[test]
fn fen_and_sfen_name_the_same_positions() {
    let pairs = include_str!("../../../../data/perft/fen_sfen.csv");
    let mut checked = 0;
    for line in pairs.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let Some(variant) = Variant::builtin(fields[0]) else { continue };
        let fen =
            Position::parse(&variant, fields[1]).unwrap_or_else(|why| panic!("{line}: {why}"));
        checked += 1;
        let Some(&sfen) = fields.get(2).filter(|sfen| !sfen.is_empty()) else { continue };
        assert_eq!(Position::parse(&variant, sfen).unwrap(), fen, "{line}");
        assert_eq!(Position::parse(&variant, &fen.to_sfen(&variant)).unwrap(), fen, "{line}");
        assert_eq!(Position::parse(&variant, &fen.to_fen(&variant)).unwrap(), fen, "{line}");
    }
    assert!(checked > 100);
}

#[test]
fn hands_are_written_in_the_agreed_order() {
    let variant = Variant::builtin("shogi").unwrap();
    let text = "4k4/9/9/9/9/9/9/9/4K4 b P2LnSGrB2p 1";
    let position = Position::parse(&variant, text).unwrap();
    assert_eq!(position.to_sfen(&variant), "4k4/9/9/9/9/9/9/9/4K4 b BGS2LPrn2p 1");
    assert_eq!(position.to_fen(&variant), "4k4/9/9/9/9/9/9/9/4K4[BGSLLPrnpp] w 0 1");
}

#[test]
fn start_positions_are_written_as_the_files_have_them() {
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        let fen = variant.start().to_fen(&variant);
        assert!(Variant::builtin_text(id).unwrap().contains(&format!("\"{fen}\"")), "{id} {fen}");
    }
}

#[test]
fn bad_positions_are_refused_with_place_and_reason() {
    let variant = Variant::builtin("micro").unwrap();
    let long = "1".repeat(5000);
    for (text, word) in [
        ("", "empty"),
        ("k3/4/4/4[-] w", "5 ranks"),
        ("k3/4/4/4/3K/4[-] w", "5 ranks"),
        ("k4/4/4/4/3K[-] w", "more than 4 files"),
        ("k2/4/4/4/3K[-] w", "3 files"),
        ("k3/4/4/4/3X[-] w", "unknown piece `X`"),
        ("k3/4/4/4/3+K[-] w", "no `+` face"),
        ("k3/4/4/4/3+[-] w", "no piece"),
        ("k3/4/4/4/2KK[-] w", "second king"),
        ("k3/4/4/4/3K[PPP] w", "3 pieces `P`"),
        ("k3/4/4/4/3K[3P] w", "3 pieces `P`"),
        ("k3/4/4/4/3K[999P] w", "a hand holds"),
        ("k3/4/4/4/3K[0P] w", "a hand holds"),
        ("k3/4/4/4/3K[K] w", "no piece of a hand"),
        ("k3/4/4/4/3K[2] w", "no piece"),
        ("k3/4/4/4/3K[P w", "does not end"),
        ("k3/4/4/4/3K[-] x", "`x`"),
        ("k3/4/4/4/3K[-]", "side to move"),
        ("k3/4/4/4/3K[-] w 0 1 2 3 4 5", "one field too many"),
        ("k3/4/4/4/3K b P x", "one field too many"),
        ("k3/4/4/4/R2K[-] w", "in check"),
        (long.as_str(), "at most"),
    ] {
        let error = Position::parse(&variant, text).expect_err(text);
        assert!(error.reason.contains(word), "{text}: {error}");
    }
}

#[test]
fn a_missing_king_and_missing_counters_are_accepted() {
    let variant = Variant::builtin("micro").unwrap();
    for text in ["k3/4/4/4/4[-] w", "4/4/4/4/3K b", "4/4/4/4/3K b - 1", "k3/4/4/4/P2K[] w - - 0 1"]
    {
        let position = Position::parse(&variant, text).unwrap();
        rules::Game::from_position(variant.clone(), position).status(&mut Vec::new());
    }
}

#[test]
fn bad_move_texts_are_refused() {
    let game = rules::Game::new(Variant::builtin("micro").unwrap());
    for text in [
        "", "a", "a1", "a1a9", "e1a1", "a1a2x", "X@a1", "P@", "P@a9", "P@a1+", "é1a2", "1a", "00",
        "a0a1",
    ] {
        assert!(game.parse_move(text).is_err(), "{text}");
    }
    assert_eq!(game.parse_move("4e4d"), game.parse_move("a1a2"));
}

#[test]
fn every_face_has_a_name_in_kanji() {
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        let mut texts = BTreeSet::new();
        for (face, color) in variant.faces().flat_map(|face| Color::ALL.map(|color| (face, color)))
        {
            let letter = variant.face_letter(face);
            let board = variant.face_kanji(face, color).unwrap_or_else(|| panic!("{id} {letter}"));
            assert!((1..=2).contains(&board.chars().count()), "{id} {letter} {board}");
            let text = variant.face_kanji_text(face, color).unwrap();
            assert!(texts.insert((text.to_owned(), color)), "{id}: two pieces {text}");
        }
    }
    let [xiangqi, shogi] = ["xiangqi", "shogi"].map(|id| Variant::builtin(id).unwrap());
    let general = xiangqi.face_from_letter("K").unwrap();
    assert_eq!(Color::ALL.map(|color| xiangqi.face_kanji(general, color).unwrap()), ["帥", "將"]);
    let silver = shogi.face_from_letter("+S").unwrap();
    assert_eq!(shogi.face_kanji(silver, Color::Black), Some("全"));
    assert_eq!(shogi.face_kanji_text(silver, Color::White), Some("成銀"));
    assert_eq!(shogi.face_kanji(Face::new(31), Color::White), None);
}

/// A file of oddities by its ids: columns id, input, expectation.
fn oddities(text: &'static str) -> BTreeMap<&'static str, &'static str> {
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields[0], fields[1])
    });
    rows.collect()
}

#[test]
fn oddities_of_sfen_are_read_or_refused() {
    let variant = Variant::builtin("shogi").unwrap();
    let mut texts = oddities(include_str!("../../../../data/cases/sfen_oddities.tsv"));
    let mut read = |id| Position::parse(&variant, texts.remove(id).unwrap());
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    for (id, sfen) in [
        ("ten_plus", "7k1/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1".to_owned()),
        ("eighteen", "4k4/9/9/9/9/9/9/9/4K4 b 18p 1".to_owned()),
        (
            "letters_repeated",
            "ln1g4l/1ks1g2+R1/1pppp1n1p/p5p2/9/P1P2r3/1PNPP1P1P/2K2S3/L1SG2GNL b S2P2b2p 1"
                .to_owned(),
        ),
        ("no_number", format!("{start} b - 1")),
        ("extra_spaces", format!("{start} w - 1")),
        ("prefix", format!("{start} b - 1")),
        ("ffish_brackets", format!("{start} b - 1")),
        ("six_piece", format!("2sgkgs2/9{} w - 1", &start[15..])),
    ] {
        let position = read(id).unwrap_or_else(|why| panic!("{id}: {why}"));
        assert_eq!(position.to_sfen(&variant), sfen, "{id}");
    }
    for (id, word) in [
        ("upper_turn", "not `B`"),
        ("row_too_long", "more than 9 files"),
        ("zero_count", "not 0"),
        ("plus_gold", "no `+` face"),
    ] {
        let why = read(id).expect_err(id);
        assert!(why.reason.contains(word), "{id}: {why}");
    }
    assert!(texts.is_empty(), "{texts:?}");
}

#[test]
fn dialects_of_xiangqi_fen_are_read_or_refused() {
    let variant = Variant::builtin("xiangqi").unwrap();
    let mut texts = oddities(include_str!("../../../../data/cases/xiangqi_fen_dialects.tsv"));
    let mut read = |id| Position::parse(&variant, texts.remove(id).unwrap());
    for id in ["full", "side_only", "side_r"] {
        assert_eq!(read(id).as_ref(), Ok(variant.start()), "{id}");
    }
    let black = Position::parse(&variant, &variant.start().to_fen(&variant).replace(" w ", " b "));
    assert_eq!(read("he_letters"), black);
    let why = read("bad_elephant").unwrap_err();
    assert!(why.reason.contains("the first player's elephant `B` may not stand on d1"), "{why}");
    // Facing generals are accepted: the side to move has to end it.
    let facing = rules::Game::from_position(variant.clone(), read("two_kings_facing").unwrap());
    let mut moves = Vec::new();
    facing.status(&mut moves);
    assert!(!facing.in_check());
    assert!(moves.iter().all(|mv| rules::move_to_uci(&variant, *mv) != "e1e2"));
    assert!(texts.is_empty(), "{texts:?}");
}
