//! Games of every built-in variant, through a file and back, and played again from what was read.

use std::sync::Arc;

use rand::RngExt;
use records::{ChunkStore, GameRecord};
use rules::{Color, Game, Move, Outcome, Position, Seed, Variant};

use crate::ply;

/// A random game; the first two moves are its opening, every target names all legal moves.
fn random_game(variant: &Arc<Variant>, game_id: u64) -> (GameRecord, Outcome) {
    let mut rng = Seed(game_id).derive(variant.id(), 0).rng();
    let mut game = Game::new(Arc::clone(variant));
    let (mut moves, mut plies) = (Vec::new(), Vec::new());
    let outcome = loop {
        if let Some(outcome) = game.status(&mut moves) {
            break outcome;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        let mut record = ply(&mut rng, 0);
        record.mv = mv.bits();
        record.policy_moves = moves.iter().map(|mv| mv.bits()).collect();
        record.policy_target = vec![1.0 / moves.len() as f32; moves.len()];
        record.visits.clear();
        plies.push(record);
        game.play(mv);
    };
    let played = plies.split_off(plies.len().min(2));
    let record = GameRecord {
        variant: variant.id().to_owned(),
        board_fingerprint: variant.board_fingerprint().to_string(),
        rules_fingerprint: variant.rules_fingerprint().to_string(),
        start: game.start().to_fen(variant),
        start_moves: plies.iter().map(|ply| ply.mv).collect(),
        outcome: winner(outcome).to_owned(),
        termination: outcome.termination.to_string(),
        plies: played,
        ..crate::game(game_id)
    };
    (record, outcome)
}

fn winner(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::Black) => "first",
        Some(Color::White) => "second",
        None => "draw",
    }
}

/// The end that the game of a record reaches by the rules.
fn replayed(record: &GameRecord) -> Option<Outcome> {
    let variant = Variant::builtin(&record.variant).unwrap();
    let start = Position::parse(&variant, &record.start).unwrap();
    let mut game = Game::from_position(variant, start);
    let played = record.plies.iter().map(|ply| ply.mv);
    for bits in record.start_moves.iter().copied().chain(played) {
        game.try_play(Move::from_bits(bits)).unwrap();
    }
    game.status(&mut Vec::new())
}

#[test]
fn games_of_every_variant_are_read_and_played_as_they_were() {
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let store = ChunkStore::open(dir.path().join("games"), 4).unwrap();
        let (records, outcomes): (Vec<_>, Vec<_>) =
            (0..4).map(|game_id| random_game(&variant, game_id)).unzip();
        store.seal(0, &records).unwrap();
        let read = store.read(0).unwrap();
        assert_eq!(read, records, "{id}");
        let ends: Vec<_> = read.iter().map(replayed).collect();
        assert_eq!(ends, outcomes.into_iter().map(Some).collect::<Vec<_>>(), "{id}");
    }
}
