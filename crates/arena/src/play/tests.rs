use std::num::NonZeroU32;

use super::*;
use crate::elo::Estimate;
use crate::opening::{OpeningConfig, openings};
use crate::player::PlayerSpec;

fn spec(pairs: usize) -> MatchSpec {
    let variant = Variant::builtin("micro").unwrap();
    let openings = openings(&variant, pairs, &OpeningConfig::default(), Seed(5)).unwrap();
    let games_in_flight = NonZeroUsize::new(16).unwrap();
    MatchSpec { variant, openings, seed: Seed(11), games_in_flight }
}

fn run(spec: &MatchSpec, names: [&str; 2], workers: usize) -> (MatchResult, Vec<GameResult>) {
    let [a, b] = names.map(|name| name.parse::<PlayerSpec>().unwrap());
    let make = |player: PlayerSpec| move || Ok(player.yardstick().unwrap());
    let (a, b) = (make(a), make(b));
    let games = Mutex::new(Vec::new());
    let on_game = |game: &GameResult| games.lock().unwrap().push(game.clone());
    let workers = NonZeroUsize::new(workers).unwrap();
    let result = play_match(spec, [&a, &b], workers, &on_game, &AtomicBool::new(false)).unwrap();
    let mut games = games.into_inner().unwrap();
    games.sort_by_key(|game| (game.pair, game.black));
    (result, games)
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let mut spec = spec(8);
    for names in [["alphabeta-2", "random"], ["rollout-16", "uniform-16"]] {
        let one = run(&spec, names, 1);
        assert_eq!(one, run(&spec, names, 3));
        spec.games_in_flight = NonZeroUsize::MIN;
        assert_eq!(one, run(&spec, names, 2));
        spec.games_in_flight = NonZeroUsize::new(16).unwrap();
    }
}

#[test]
fn both_games_of_a_pair_have_one_opening_and_exchanged_colours() {
    let spec = spec(10);
    let (result, games) = run(&spec, ["random", "random"], 2);
    assert_eq!(games.len(), 20);
    for (index, game) in games.iter().enumerate() {
        assert_eq!((game.pair, game.black), (index / 2, index % 2));
        assert!(game.moves.starts_with(&spec.openings[game.pair].moves));
    }
    assert_eq!(result.by_black.map(|counts| counts.games()), [10, 10]);
    assert_eq!(result.pentanomial.pairs(), 10);
    assert_eq!(result.terminations.values().sum::<u64>(), 20);
    assert_eq!(result.plies, games.iter().map(|game| game.moves.len() as u64).sum::<u64>());
}

#[test]
fn exchanging_the_players_mirrors_the_result() {
    let (result, games) = run(&spec(10), ["alphabeta-1", "random"], 1);
    let exchanged = |game: &GameResult| GameResult { black: 1 - game.black, ..game.clone() };
    let pairs: Vec<Vec<GameResult>> =
        games.chunks(2).map(|pair| pair.iter().map(exchanged).collect()).collect();
    let mirrored = MatchResult::of_pairs(&pairs);
    let mut counts = result.pentanomial.0;
    counts.reverse();
    assert_eq!(mirrored.pentanomial.0, counts);
    assert_eq!(mirrored.total().wins, result.total().losses);
    let key = |r: &Results| (r.first, r.second, r.first_wins, r.draws, r.second_wins);
    let mut ratings = [result.for_rating([0, 1]), mirrored.for_rating([1, 0])];
    ratings.iter_mut().for_each(|rows| rows.sort_by_key(key));
    assert_eq!(ratings[0], ratings[1]);
}

#[test]
fn a_stopped_match_counts_complete_pairs_only() {
    let spec = spec(6);
    let random = || Ok(PlayerSpec::Random.yardstick().unwrap());
    let (stop, finished) = (AtomicBool::new(false), AtomicUsize::new(0));
    let on_game = |_: &GameResult| {
        if finished.fetch_add(1, Ordering::Relaxed) == 4 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let result = play_match(&spec, [&random, &random], NonZeroUsize::MIN, &on_game, &stop).unwrap();
    assert!(result.unfinished_pairs > 0);
    assert_eq!(result.unfinished_pairs as u64 + result.pentanomial.pairs(), 6);
    assert_eq!(result.total().games(), 2 * result.pentanomial.pairs());
}

/// Fails, or plays an illegal move.
struct Broken {
    error: bool,
}

impl Player for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn choose(
        &mut self,
        games: &[&Game],
        _: &[Seed],
        out: &mut Vec<Move>,
    ) -> Result<(), PlayerError> {
        if self.error {
            return Err(PlayerError { player: self.name().into(), source: "out of order".into() });
        }
        out.clear();
        let king = games[0].position().king(Color::Black).unwrap();
        let mv = |game: &&Game| {
            Move::board(king, king, game.position().piece_at(king).unwrap().face, false)
        };
        out.extend(games.iter().map(mv));
        Ok(())
    }
}

#[test]
fn failures_name_the_player() {
    let random = || Ok(PlayerSpec::Random.yardstick().unwrap());
    for error in [true, false] {
        let broken = move || Ok(Box::new(Broken { error }) as Box<dyn Player>);
        let workers = NonZeroUsize::new(2).unwrap();
        let stop = AtomicBool::new(false);
        let failure =
            play_match(&spec(4), [&random, &broken], workers, &|_| (), &stop).unwrap_err();
        assert!(failure.to_string().starts_with("player broken"), "{failure}");
    }
}

#[test]
fn alphabeta_beats_random() {
    let (result, _) = run(&spec(20), ["alphabeta-3", "random"], 2);
    let estimate = Estimate::of_pairs(&result.pentanomial).unwrap();
    assert!(estimate.score > 0.9, "{result:?}");
}

#[test]
fn rollouts_beat_random() {
    let (result, _) = run(&spec(10), ["rollout-100", "random"], 2);
    let estimate = Estimate::of_pairs(&result.pentanomial).unwrap();
    assert!(estimate.elo_low.unwrap() > 0.0, "{result:?}");
}

#[test]
fn a_deeper_search_is_stronger() {
    let depth = |n| PlayerSpec::AlphaBeta { depth: NonZeroU32::new(n).unwrap() }.to_string();
    let (result, _) = run(&spec(20), [&depth(3), &depth(1)], 2);
    assert!(Estimate::of_pairs(&result.pentanomial).unwrap().los > 0.95, "{result:?}");
}
