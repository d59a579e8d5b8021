//! The games of the page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arena::{GameResult, Remark, SCALE, Score};
use rules::{Color, Game, Variant};
use serde::Serialize;

use super::super::GameSummary;
use super::super::look::{Placed, fen};
use super::super::page::GAME_BYTES;
use super::super::replay::Spelled;
use super::Tournament;
use crate::standings::Standings;

/// A game for the page.
#[derive(Serialize)]
pub(super) struct Played {
    /// `2 * pair + game`: unique in the tournament.
    game_id: u64,
    /// The two players: place of the one that stands higher, then of the other.
    players: [usize; 2],
    first: usize,
    second: usize,
    /// Why it was chosen: a key of the page's texts.
    reason: &'static str,
    /// What happened, where `termination` does not say it all.
    note: String,
    replays: u32,
    /// Where it was set up; null at the variant's start position.
    start: Option<Placed>,
    outcome: &'static str,
    termination: &'static str,
    plies: Vec<Ply>,
}

/// A move and what its player said; opening moves were not asked for.
#[derive(Serialize)]
struct Ply {
    /// Packed.
    #[serde(rename = "move")]
    mv: u32,
    #[serde(flatten)]
    text: Spelled,
    said: Option<Said>,
}

#[derive(Serialize)]
struct Said {
    /// As the player put it, from its side.
    score: Option<String>,
    /// The expected score of the first player after it, in thousandths.
    expected: Option<u32>,
    nodes: Option<u64>,
    /// Milliseconds.
    time: Option<f64>,
}

/// The games to show, as many as there is room for, by players and number; and their positions.
pub(super) fn shown(
    of: &Tournament<'_>,
    places: &[usize],
    standings: &Standings,
    limit: usize,
) -> (Vec<Played>, Vec<GameSummary>) {
    let lists: Vec<_> =
        standings.pairs.iter().map(|pairing| chosen(of.games, pairing.numbers, limit)).collect();
    // The most telling game of everyone before the second of anyone.
    let of_rank = |rank: usize| lists.iter().filter_map(move |list| list.get(rank).copied());
    let (mut games, mut bytes) = (BTreeMap::new(), 0);
    for (game, reason) in (0..limit).flat_map(of_rank) {
        let (played, fens) = replay(of.variant, places, game, reason);
        bytes += serde_json::to_string(&played).map_or(0, |text| text.len());
        if bytes > GAME_BYTES {
            break;
        }
        let group = played.players.map(|place| place.to_string()).join("-");
        let summary = GameSummary { game_id: played.game_id, group, fens };
        games.insert((played.players, played.game_id), (played, summary));
    }
    games.into_values().unzip()
}

/// At most `limit` games of two players, the most telling first, each with the reason.
fn chosen(
    games: &[GameResult],
    players: [usize; 2],
    limit: usize,
) -> Vec<(&GameResult, &'static str)> {
    let [a, b] = players;
    let own = |game: &&GameResult| game.pair.players == [a, b] || game.pair.players == [b, a];
    let games: Vec<&GameResult> = games.iter().filter(own).collect();
    let decided = games.iter().copied().filter(|game| game.outcome.winner.is_some());
    let faults = games.iter().copied().filter(|game| !game.reason.is_empty());
    let length = |game: &&GameResult| game.moves.len();
    let telling = [
        (games.iter().copied().max_by_key(length), "longest"),
        (decided.min_by_key(length), "shortest"),
        (games.last().copied(), "last"),
        (games.first().copied(), "first"),
    ];
    let telling = telling.into_iter().filter_map(|(game, reason)| Some((game?, reason)));
    let all = telling
        .chain(faults.map(|game| (game, "odd")))
        .chain(games.iter().map(|&game| (game, "early")));
    let mut known = BTreeSet::new();
    all.filter(|(game, _)| known.insert((game.pair.number, game.game))).take(limit).collect()
}

/// A game for the page, and the FEN of every position. Its moves are legal.
fn replay(
    variant: &Arc<Variant>,
    places: &[usize],
    game: &GameResult,
    reason: &'static str,
) -> (Played, Vec<String>) {
    let mut board = Game::from_position(variant.clone(), game.start.clone());
    let (mut fens, mut plies) = (vec![fen(&board)], Vec::new());
    for (ply, &mv) in game.moves.iter().enumerate() {
        let remark = ply.checked_sub(game.opening_plies).and_then(|at| game.remarks.get(at));
        let said = remark.map(|remark| Said::of(remark, board.side_to_move()));
        plies.push(Ply { mv: mv.bits(), text: Spelled::of(&board, mv), said });
        board.play(mv);
        fens.push(fen(&board));
    }
    let [first, second] = Color::ALL.map(|color| places[game.player(color)]);
    let played = Played {
        game_id: 2 * game.pair.number + u64::from(game.game),
        players: [first.min(second), first.max(second)],
        first,
        second,
        reason,
        note: game.reason.clone(),
        replays: game.replays,
        start: (game.start != *variant.start()).then(|| Placed::of(variant, &game.start)),
        outcome: match game.outcome.winner {
            Some(Color::Black) => "first",
            Some(Color::White) => "second",
            None => "draw",
        },
        termination: game.outcome.termination.as_str(),
        plies,
    };
    (played, fens)
}

impl Said {
    fn of(remark: &Remark, side: Color) -> Self {
        let of_first = |expected: f64| if side == Color::Black { expected } else { 1.0 - expected };
        let expected = remark.score.map(|score| of_first(expected(score)));
        Self {
            score: remark.score.map(|score| score.to_string()),
            expected: expected.map(|expected| (1000.0 * expected).round() as u32),
            nodes: remark.nodes,
            time: remark.elapsed.map(|time| 1000.0 * time.as_secs_f64()),
        }
    }
}

/// The expected score, 0 to 1, of the player that said it.
fn expected(score: Score) -> f64 {
    match score {
        Score::Value(value) => (f64::from(value) + 1.0) / 2.0,
        score => 1.0 / (1.0 + (-score.centipawns() / SCALE).exp()),
    }
}
