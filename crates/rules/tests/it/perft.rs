//! Node counts and single verdicts, checked with independent engines.

use rules::{Game, Position, Variant, perft, perft_divide};

const COUNTS: &str = include_str!("../../../../data/perft/perft.csv");
const VERDICTS: &str = include_str!("../../../../data/perft/tricky.csv");

/// Rows beyond this many nodes are left to `perft --suite` in `scripts/check --long`, except for
/// micro-shogi.
const NODE_LIMIT: u64 = 3_000_000;

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

#[test]
fn every_row_is_of_a_variant_that_is_known() {
    for row in rows(COUNTS).chain(rows(VERDICTS)) {
        assert!(Variant::builtin_ids().contains(&row[0]), "{row:?}");
    }
}

#[test]
fn node_counts_are_exact() {
    let mut wrong = Vec::new();
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        let mut checked = 0;
        for row in rows(COUNTS).filter(|row| row[0] == *id) {
            let (depth, nodes): (u32, u64) = (row[2].parse().unwrap(), row[3].parse().unwrap());
            if nodes > NODE_LIMIT && *id != "micro" {
                continue;
            }
            let position =
                Position::parse(&variant, row[1]).unwrap_or_else(|why| panic!("{row:?}: {why}"));
            let found = perft(&Game::from_position(variant.clone(), position), depth);
            checked += 1;
            if found != nodes {
                wrong.push(format!("{id} {} depth {depth}: {found} instead of {nodes}", row[1]));
            }
        }
        assert!(checked >= 10, "{id}: {checked} rows");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn single_verdicts_are_right() {
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        for line in VERDICTS.lines().filter(|line| line.split(',').next() == Some(*id)) {
            let position = Position::parse(&variant, line.split(',').nth(1).unwrap()).unwrap();
            let game = Game::from_position(variant.clone(), position);
            let mut moves = Vec::new();
            game.status(&mut moves);
            for verdict in line.rsplit(',').next().unwrap().split(';') {
                let (word, value) = verdict.split_once(':').unwrap();
                let legal = |text| moves.contains(&game.parse_move(text).unwrap());
                match word {
                    "count" => assert_eq!(moves.len(), value.parse().unwrap(), "{line}"),
                    "legal" => assert!(legal(value), "{line}"),
                    "illegal" => assert!(!legal(value), "{line}"),
                    _ => assert_eq!(word, "by", "{line}"),
                }
            }
        }
    }
}

#[test]
fn divide_adds_up() {
    let game = Game::new(Variant::builtin("micro").unwrap());
    let parts = perft_divide(&game, 4);
    assert_eq!(parts.len(), 9);
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 7256);
    assert!(perft_divide(&game, 0).is_empty());
    assert_eq!(perft(&game, 0), 1);
}
