use std::num::NonZeroU32;

use super::*;
use crate::elo::Estimate;
use crate::opening::{OpeningConfig, openings};
use crate::player::PlayerSpec;

fn spec(pairs: usize) -> MatchSpec {
    let variant = Variant::builtin("micro").unwrap();
    let openings = openings(&variant, pairs, &OpeningConfig::default(), Seed(5)).unwrap();
    let games_in_flight = NonZeroUsize::new(16).unwrap();
    MatchSpec { variant, openings, seed: Seed(11), games_in_flight, max_replays: 0 }
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
    games.sort_by_key(|game| (game.pair, game.game));
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
    let exchanged = |game: &GameResult| GameResult {
        black: 1 - game.black,
        game: 1 - game.game,
        ..game.clone()
    };
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

/// Moves its king to and fro as long as it can: two of them repeat the position.
struct Shuffler;

impl Player for Shuffler {
    fn name(&self) -> &str {
        "shuffler"
    }

    fn choose(
        &mut self,
        games: &[&Game],
        _: &[Seed],
        out: &mut Vec<Move>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for game in games {
            let king = game.position().king(game.side_to_move());
            let mut moves = Vec::new();
            game.status(&mut moves);
            let back = game.moves().len().checked_sub(2).map(|at| game.moves()[at]);
            let returns = |mv: &&Move| {
                back.is_some_and(|back| {
                    mv.from() == Some(back.to()) && Some(mv.to()) == back.from()
                })
            };
            let steps =
                |mv: &&Move| mv.from() == king && !game.position().occupied().contains(mv.to());
            let mv = moves.iter().find(|mv| returns(mv) && steps(mv)).or(moves.iter().find(steps));
            out.push(*mv.unwrap_or(&moves[0]));
        }
        Ok(())
    }
}

#[test]
fn a_plain_repetition_is_replayed_with_colours_exchanged() {
    let make = || Ok(Box::new(Shuffler) as Box<dyn Player>);
    let play = |max_replays, workers| {
        let variant = Variant::builtin("micro").unwrap();
        let opening = Opening { moves: Vec::new() };
        let spec = MatchSpec {
            variant: Arc::new(variant.with_repetition_count(3)),
            openings: vec![opening; 3],
            seed: Seed(1),
            games_in_flight: NonZeroUsize::new(4).unwrap(),
            max_replays,
        };
        let games = Mutex::new(Vec::new());
        let on_game = |game: &GameResult| games.lock().unwrap().push(game.clone());
        let workers = NonZeroUsize::new(workers).unwrap();
        let stop = AtomicBool::new(false);
        let result = play_match(&spec, [&make, &make], workers, &on_game, &stop).unwrap();
        let mut games = games.into_inner().unwrap();
        games.sort_by_key(|game| (game.pair, game.game));
        (result, games)
    };
    for (max, swapped) in [(0, false), (1, true), (2, false)] {
        let (result, games) = play(max, 1);
        assert_eq!((result.clone(), games.clone()), play(max, 3));
        assert_eq!((result.replays, result.pentanomial.0), (6 * u64::from(max), [0, 0, 3, 0, 0]));
        assert_eq!(result.terminations, BTreeMap::from([(Termination::Repetition, 6)]));
        for game in games {
            assert_eq!(game.replays, max);
            assert_eq!(game.black != game.game, swapped);
            // Three times the start: twice four plies.
            assert_eq!(game.moves.len(), 8);
        }
    }
}

/// A replay that is decided counts for its winner, in the place of the game it repeats.
#[test]
fn replayed_games_keep_pairs_and_players_apart() {
    let mut spec = spec(30);
    spec.variant = Arc::new(spec.variant.with_repetition_count(2));
    spec.max_replays = 3;
    let (result, games) = run(&spec, ["uniform-8", "random"], 1);
    assert_eq!((result.clone(), games.clone()), run(&spec, ["uniform-8", "random"], 3));
    assert!(result.replays > 0, "no game was replayed");
    assert_eq!((result.pentanomial.pairs(), result.total().games()), (30, 60));
    let mut points = [0; 5];
    for pair in games.chunks(2) {
        assert_eq!((pair[0].pair, pair[0].game, pair[1].game), (pair[1].pair, 0, 1));
        points[pair[0].half_points(0) + pair[1].half_points(0)] += 1;
        for game in pair {
            assert_eq!(game.black, (game.game + game.replays as usize) % 2);
        }
    }
    assert_eq!(points, result.pentanomial.0);
    let black_zero = games.iter().filter(|game| game.black == 0).count() as u64;
    assert_eq!(result.by_black.map(|counts| counts.games()), [black_zero, 60 - black_zero]);
}

/// The referee declares for the side to move as soon as that wins.
#[test]
fn a_winning_declaration_ends_the_game() {
    let shogi = Variant::builtin_text("shogi").unwrap();
    let start = "4K4/PPPPPPPPP/P8/9/9/9/9/9/4k4[RRBBGGGGSSSSNNNNLLLL8p] b 0 1";
    let old = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1";
    let text = shogi.replace(old, start);
    assert_ne!(text, shogi);
    let variant = Arc::new(Variant::parse(&text, &|_| None).unwrap());
    let spec = MatchSpec {
        variant,
        openings: vec![Opening { moves: Vec::new() }],
        seed: Seed(1),
        games_in_flight: NonZeroUsize::new(2).unwrap(),
        max_replays: 0,
    };
    let (result, games) = run(&spec, ["random", "alphabeta-1"], 1);
    assert_eq!(result.terminations, BTreeMap::from([(Termination::Declaration, 2)]));
    assert!(games.iter().all(|game| game.outcome.winner == Some(Color::Black)));
}
