//! The figures of the page.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena::stats::{HeadToHead, Pentanomial, Sprt, Trinomial};
use arena::{Estimate, GameResult};
use rules::{Color, Game, Termination, Variant};
use serde::Serialize;

use super::super::replay::Spelled;
use crate::standings::Standings;

/// Most points of a test's path.
const POINTS: usize = 300;
/// Most openings in the table: those played most.
const OPENINGS: usize = 40;

/// The games of complete pairs, in order of pair and game.
pub(super) fn complete(games: &[GameResult]) -> Vec<&GameResult> {
    let mut pairs: BTreeMap<u64, Vec<&GameResult>> = BTreeMap::new();
    for game in games {
        pairs.entry(game.pair.number).or_default().push(game);
    }
    let mut complete: Vec<_> = pairs.into_values().filter(|pair| pair.len() == 2).collect();
    complete.iter_mut().for_each(|pair| pair.sort_by_key(|game| game.game));
    complete.concat()
}

/// A test and its bounds.
#[derive(Serialize)]
pub(super) struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    lower: f64,
    upper: f64,
}

impl Test {
    pub(super) fn of(test: &Sprt) -> Self {
        let (lower, upper) = test.bounds();
        Self { model: test.model.as_str(), elo0: test.elo0, elo1: test.elo1, lower, upper }
    }
}

/// Two players against each other, seen from `a`, who stands higher.
#[derive(Serialize)]
pub(super) struct Meeting {
    a: usize,
    b: usize,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    los: Option<f64>,
    llr: Option<f64>,
    decision: Option<&'static str>,
    /// Pairs of games, and the ratio of the test after them; the test is of the player `tested`.
    path: Vec<(usize, f64)>,
    tested: usize,
}

pub(super) fn meetings(
    standings: &Standings,
    places: &[usize],
    games: &[&GameResult],
) -> Vec<Meeting> {
    let meeting = |pairing: &crate::standings::Pairing| {
        let [first, second] = pairing.numbers.map(|number| places[number]);
        let results = if first < second { pairing.results } else { pairing.results.reversed() };
        let estimate = Estimate::of(&results);
        let path = standings.test.map_or(Vec::new(), |test| path(&test, pairing.numbers, games));
        Meeting {
            a: first.min(second),
            b: first.max(second),
            wins: results.games.wins,
            draws: results.games.draws,
            losses: results.games.losses,
            score: estimate.map_or(0.5, |e| e.score),
            elo: estimate.and_then(|e| e.elo),
            elo_low: estimate.and_then(|e| e.elo_low),
            elo_high: estimate.and_then(|e| e.elo_high),
            los: estimate.map(|e| e.los),
            llr: pairing.llr,
            decision: pairing.decision,
            path,
            tested: first,
        }
    };
    let mut meetings: Vec<Meeting> = standings.pairs.iter().map(meeting).collect();
    meetings.sort_by_key(|meeting| (meeting.a, meeting.b));
    meetings
}

/// The ratio of a test of the first of two players after each of their pairs, or some of many.
fn path(test: &Sprt, players: [usize; 2], games: &[&GameResult]) -> Vec<(usize, f64)> {
    let own = |pair: &&[&GameResult]| {
        let [a, b] = pair[0].pair.players;
        [a, b] == players || [b, a] == players
    };
    let pairs: Vec<&[&GameResult]> = games.chunks(2).filter(own).collect();
    let stride = pairs.len().div_ceil(POINTS).max(1);
    let mut results = Pentanomial::default();
    let mut points = vec![(0, 0.0)];
    for (pair, number) in pairs.iter().zip(1..) {
        let player = usize::from(pair[0].pair.players[0] != players[0]);
        results.add(pair.iter().map(|game| game.half_points(player)).sum());
        if number % stride == 0 || number == pairs.len() {
            let pairs = HeadToHead { pairs: results, ..HeadToHead::default() };
            points.extend(test.of(&pairs).ok().map(|result| (number, result.llr)));
        }
    }
    points
}

/// A way in which games ended.
#[derive(Serialize)]
pub(super) struct Ending {
    termination: &'static str,
    games: u64,
    /// How many of them each player lost, by its place.
    lost: Vec<u64>,
}

pub(super) fn endings(places: &[usize], games: &[&GameResult]) -> Vec<Ending> {
    let mut endings: BTreeMap<Termination, Ending> = BTreeMap::new();
    for game in games {
        let termination = game.outcome.termination;
        let none =
            || Ending { termination: termination.as_str(), games: 0, lost: vec![0; places.len()] };
        let ending = endings.entry(termination).or_insert_with(none);
        ending.games += 1;
        if let Some(winner) = game.outcome.winner {
            ending.lost[places[game.player(!winner)]] += 1;
        }
    }
    let mut endings: Vec<Ending> = endings.into_values().collect();
    endings.sort_by_key(|ending| std::cmp::Reverse(ending.games));
    endings
}

/// Scores by colour.
#[derive(Serialize)]
pub(super) struct OfColours {
    /// Of all who moved first, with the 95 % interval; null without games.
    first: Option<[f64; 3]>,
    /// Of each player by its place: wins, draws and losses with the first move, then with the second.
    players: Vec<[[u64; 3]; 2]>,
}

impl OfColours {
    pub(super) fn of(places: &[usize], games: &[&GameResult]) -> Self {
        let mut players = vec![[[0; 3]; 2]; places.len()];
        let mut firsts = Pentanomial::default();
        for pair in games.chunks(2) {
            let half_points = pair.iter().map(|game| game.half_points(game.black));
            firsts.add(half_points.sum());
            for game in pair {
                for color in Color::ALL {
                    let half_points = match game.outcome.winner {
                        None => 1,
                        Some(winner) => 2 * usize::from(winner == color),
                    };
                    let place = places[game.player(color)];
                    players[place][color.index()][2 - half_points] += 1;
                }
            }
        }
        let first = Estimate::of_pairs(&firsts).map(|e| [e.score, e.low, e.high]);
        Self { first, players }
    }
}

/// How games from an opening ended.
#[derive(Serialize)]
pub(super) struct OfOpening {
    /// Counted from 1.
    number: u64,
    moves: Vec<Spelled>,
    /// Where the moves begin; null at the variant's start.
    fen: Option<String>,
    games: u64,
    draws: u64,
    /// Mean score of who moved first, 0 to 1.
    score: f64,
}

pub(super) fn openings(variant: &Arc<Variant>, games: &[&GameResult]) -> Vec<OfOpening> {
    let mut by_opening: BTreeMap<u64, (&GameResult, Trinomial)> = BTreeMap::new();
    for game in games {
        let (_, results) =
            by_opening.entry(game.pair.opening).or_insert((game, Trinomial::default()));
        results.add(game.half_points(game.black));
    }
    let of = |(number, (game, results)): (u64, (&GameResult, Trinomial))| {
        let mut board = Game::from_position(variant.clone(), game.start.clone());
        let spelled = |&mv| {
            let text = Spelled::of(&board, mv);
            board.play(mv);
            text
        };
        OfOpening {
            number: number + 1,
            moves: game.moves[..game.opening_plies].iter().map(spelled).collect(),
            fen: (game.start != *variant.start()).then(|| game.start.to_fen(variant)),
            games: results.games(),
            draws: results.draws,
            score: Estimate::of_games(&results).map_or(0.5, |estimate| estimate.score),
        }
    };
    let mut openings: Vec<OfOpening> = by_opening.into_iter().map(of).collect();
    openings.sort_by_key(|opening| (std::cmp::Reverse(opening.games), opening.number));
    openings.truncate(OPENINGS);
    openings
}
