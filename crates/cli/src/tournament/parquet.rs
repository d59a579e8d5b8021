//! `games.parquet`: what `games.csv` holds, with types.

use std::sync::Arc;

use anyhow::Result;
use arena::{GameResult, Remark};
use records::{MatchGame, encode_matches};
use rules::{Color, Variant};

/// The file's bytes.
pub(crate) fn encode(
    variant: &Arc<Variant>,
    names: &[String],
    games: &[GameResult],
) -> Result<Vec<u8>> {
    let rows: Vec<MatchGame> = games.iter().map(|game| row(variant, names, game)).collect();
    Ok(encode_matches(&rows)?)
}

fn row(variant: &Variant, names: &[String], game: &GameResult) -> MatchGame {
    fn list<T>(game: &GameResult, get: impl FnMut(&Remark) -> Option<T>) -> Vec<Option<T>> {
        game.remarks.iter().map(get).collect()
    }
    MatchGame {
        pair: game.pair.number,
        game: game.game,
        round: game.pair.round,
        opening: game.pair.opening,
        first: names[game.player(Color::Black)].clone(),
        second: names[game.player(Color::White)].clone(),
        outcome: match game.outcome.winner {
            Some(Color::Black) => "first",
            Some(Color::White) => "second",
            None => "draw",
        }
        .to_owned(),
        termination: game.outcome.termination.to_string(),
        reason: game.reason.clone(),
        replays: game.replays,
        variant: variant.id().to_owned(),
        rules_fingerprint: variant.rules_fingerprint().to_string(),
        start: game.start.to_fen(variant),
        opening_plies: game.opening_plies as u32,
        r#move: game.moves.iter().map(|mv| mv.bits()).collect(),
        centipawns: list(game, |remark| remark.score.map(|score| score.centipawns())),
        nodes: list(game, |remark| remark.nodes),
        seconds: list(game, |remark| remark.elapsed.map(|time| time.as_secs_f64())),
    }
}
