//! The dlshogi encoding against numbers that cshogi 1.1.0 gave for a few positions.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use encode::{Encoder, dlshogi};
use rules::{Game, Position, Variant, move_to_usi};
use sha2::{Digest, Sha256};

use crate::games::walk;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/arena/golden_shogi.csv");
const CELLS: usize = 81;

fn shogi() -> (Arc<Variant>, Encoder) {
    let shogi = Variant::builtin("shogi").expect("built in");
    (Arc::clone(&shogi), Encoder::dlshogi(shogi).expect("it is shogi"))
}

fn game(variant: &Arc<Variant>, sfen: &str) -> Game {
    let position = Position::parse(variant, sfen).expect("a position");
    Game::from_position(Arc::clone(variant), position)
}

fn golden() -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(GOLDEN).expect("the table is there");
    reader.deserialize().collect::<Result<_, _>>().expect("the table is well formed")
}

#[test]
fn planes_are_those_of_cshogi() {
    let (variant, encoder) = shogi();
    for row in golden() {
        let game = game(&variant, &row["sfen"]);
        let mut planes = vec![f32::NAN; encoder.input_len()];
        encoder.encode(&game, &mut planes);
        let (board, hands) = planes.split_at(dlshogi::BOARD_PLANES * CELLS);
        let sums: Vec<String> =
            board.chunks(CELLS).map(|plane| plane.iter().sum::<f32>().to_string()).collect();
        assert_eq!(sums.join(" "), row["f1_plane_sums"], "{}", row["sfen"]);
        let full = hands.chunks(CELLS).enumerate().filter(|(_, plane)| plane[0] == 1.0);
        let full: Vec<String> = full.map(|(index, _)| index.to_string()).collect();
        assert_eq!(full.join(" "), row["f2_planes_on"], "{}", row["sfen"]);
        assert!(hands.chunks(CELLS).all(|plane| plane.iter().all(|&x| x == plane[0])));
        assert_eq!(checksum(board), row["f1_packed_lsb_hex_sha256"], "{}", row["sfen"]);
    }
}

/// SHA-256 of the planes as bits, the first of a byte lowest.
fn checksum(planes: &[f32]) -> String {
    let byte = |bits: &[f32]| (0..).zip(bits).map(|(i, &x)| u8::from(x == 1.0) << i).sum::<u8>();
    let packed: Vec<u8> = planes.chunks(8).map(byte).collect();
    hex(&Sha256::digest(packed))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string succeeds");
        text
    })
}

#[test]
fn labels_are_those_of_cshogi() {
    let (variant, encoder) = shogi();
    for row in golden() {
        let game = game(&variant, &row["sfen"]);
        let mut moves = Vec::new();
        game.status(&mut moves);
        let label = |&mv| encoder.vocabulary().index(mv, game.side_to_move());
        let mut labels: Vec<String> = moves
            .iter()
            .map(|mv| format!("{}={}", move_to_usi(&variant, *mv), label(mv)))
            .collect();
        labels.sort();
        let mut expected: Vec<&str> = row["labels"].split(' ').collect();
        expected.sort_unstable();
        assert_eq!(labels, expected, "{}", row["sfen"]);
    }
}

#[test]
fn legal_moves_have_distinct_labels() {
    let (variant, encoder) = shogi();
    walk(&variant, 3, |game, moves| {
        let label = |&mv| encoder.vocabulary().index(mv, game.side_to_move());
        let labels: HashSet<usize> = moves.iter().map(label).collect();
        assert_eq!(labels.len(), moves.len());
    });
}

#[test]
fn other_games_are_refused() {
    let minishogi = Variant::builtin("minishogi").expect("built in");
    let error = Encoder::dlshogi(minishogi).expect_err("it has another board");
    assert!(error.to_string().contains("minishogi"), "{error}");
}
