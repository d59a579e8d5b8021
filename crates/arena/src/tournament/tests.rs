use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use rules::{Color, Game, Move, Outcome, Position, Termination};

use super::*;
use crate::clock::TimeControl;
use crate::opening::{OpeningConfig, openings};
use crate::player::{Action, Answer, Failure, FailureKind, Player, Turn};
use crate::schedule::Format;
use crate::spec::PlayerSpec;
use crate::stats::Estimate;
use crate::tally::{MatchResult, observations};

fn yardstick(name: &str) -> Entrant<'static> {
    let spec: PlayerSpec = name.parse().unwrap();
    entrant(name, move || spec.yardstick().unwrap())
}

fn entrant(name: &str, make: impl Fn() -> Box<dyn Player> + Sync + 'static) -> Entrant<'static> {
    let make = Box::new(move || Ok(make()));
    Entrant { name: name.to_owned(), limits: Limits::default(), alone: false, make }
}

fn between(entrants: Vec<Entrant<'static>>, pairs: u64) -> Tournament<'static> {
    let variant = Variant::builtin("micro").unwrap();
    let (players, seed) = (entrants.len(), Seed(11));
    Tournament {
        entrants,
        schedule: Schedule { format: Format::RoundRobin, players, pairs: Some(pairs), seed },
        openings: openings(&variant, 8, &OpeningConfig::default(), Seed(5)).unwrap(),
        variant,
        adjudication: Adjudication::default(),
        seed,
        games_in_flight: NonZeroUsize::new(16).unwrap(),
        decided: None,
        now: &|| Duration::ZERO,
    }
}

fn yardsticks(names: &[&str], pairs: u64) -> Tournament<'static> {
    between(names.iter().map(|name| yardstick(name)).collect(), pairs)
}

fn play(tournament: &Tournament<'_>, workers: usize) -> Vec<GameResult> {
    let workers = NonZeroUsize::new(workers).unwrap();
    tournament.play(Vec::new(), workers, &|_| (), &AtomicBool::new(false)).unwrap()
}

#[test]
fn games_do_not_depend_on_threads_or_on_games_in_flight() {
    for names in [&["alphabeta-2", "random", "blunder-50"][..], &["rollout-16", "uniform-16"]] {
        let mut tournament = yardsticks(names, 4);
        let one = play(&tournament, 1);
        assert_eq!(one.len() as u64, tournament.schedule.games().unwrap());
        assert_eq!(one, play(&tournament, 3));
        tournament.games_in_flight = NonZeroUsize::MIN;
        assert_eq!(one, play(&tournament, 2));
        tournament.entrants.iter_mut().for_each(|entrant| entrant.alone = true);
        assert_eq!(one, play(&tournament, 2));
    }
}

#[test]
fn both_games_of_a_pair_have_one_opening_and_exchanged_colours() {
    let tournament = yardsticks(&["random", "blunder-20", "random"], 10);
    let games = play(&tournament, 2);
    assert_eq!(games.len(), 60);
    for pair in games.chunks(2) {
        let [a, b] = pair else { panic!("{pair:?}") };
        assert_eq!((a.pair, a.game, b.game), (b.pair, 0, 1));
        assert_eq!((a.black, b.black), (0, 1));
        let opening = &tournament.openings[a.pair.opening as usize % 8].moves;
        for game in pair {
            assert_eq!(game.moves[..game.opening_plies], opening[..]);
            assert_eq!(game.remarks.len(), game.moves.len() - game.opening_plies);
            assert_eq!(game.player(Color::Black), game.pair.players[game.black]);
        }
    }
    let result = MatchResult::of([0, 1], &games);
    assert_eq!(result.by_black.map(|counts| counts.games()), [10, 10]);
    assert_eq!((result.pentanomial.pairs(), result.halves), (10, 0));
    assert_eq!(result.terminations.values().sum::<u64>(), 20);
}

#[test]
fn exchanging_the_players_mirrors_the_result() {
    let games = play(&yardsticks(&["alphabeta-1", "random"], 10), 1);
    let (result, mirrored) = (MatchResult::of([0, 1], &games), MatchResult::of([1, 0], &games));
    let mut counts = result.pentanomial.0;
    counts.reverse();
    assert_eq!(mirrored.pentanomial.0, counts);
    assert_eq!(mirrored.total().wins, result.total().losses);
    assert_eq!(mirrored.head_to_head(), result.head_to_head().reversed());
    let observed = observations(&games);
    let mut by_joint = crate::stats::Observations::default();
    by_joint.add_pairs(0, 1, &result.joint);
    assert_eq!(by_joint, observed);
    assert_eq!(observed.games(), 20);
    assert_eq!(observed.clusters().map(|(_, times)| times).sum::<u64>(), 10);
    let halves = observations(&games[..5]);
    assert_eq!(halves.games(), 4, "half a pair does not count");
}

/// Interrupted at any point and played on, a tournament has the same games.
#[test]
fn an_interrupted_tournament_goes_on_with_the_same_games() {
    for format in [Format::RoundRobin, Format::Swiss { rounds: 3 }] {
        let mut tournament = yardsticks(&["alphabeta-2", "random", "blunder-50", "uniform-8"], 3);
        tournament.schedule.format = format;
        let whole = play(&tournament, 1);
        for cut in [0, 1, 5, 11, 24] {
            let (stop, finished) = (AtomicBool::new(false), AtomicUsize::new(0));
            let part = Mutex::new(Vec::new());
            let on_game = |game: &GameResult| {
                part.lock().unwrap().push(game.clone());
                if finished.fetch_add(1, Ordering::Relaxed) >= cut {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let two = NonZeroUsize::new(2).unwrap();
            let first = tournament.play(Vec::new(), two, &on_game, &stop).unwrap();
            let mut part = part.into_inner().unwrap();
            part.sort_by_key(|game| (game.pair.number, game.game));
            assert_eq!(first, part);
            let again = Mutex::new(BTreeSet::new());
            let on_game = |game: &GameResult| {
                assert!(again.lock().unwrap().insert(game.id()), "played twice");
            };
            let all =
                tournament.play(part.clone(), two, &on_game, &AtomicBool::new(false)).unwrap();
            assert_eq!(all, whole);
            let again = again.into_inner().unwrap();
            assert_eq!(again.len() + part.len(), whole.len());
            assert!(part.iter().all(|game| !again.contains(&game.id())));
        }
    }
}

#[test]
fn a_decided_meeting_has_the_same_games_for_any_number_of_threads() {
    let mut tournament = yardsticks(&["alphabeta-2", "random", "alphabeta-2"], 1);
    tournament.schedule.format = Format::Gauntlet { seeds: 1 };
    tournament.schedule.pairs = None;
    // Ends when one of them is 6 points ahead, or after 20 pairs.
    tournament.decided = Some(Box::new(|penta: &Pentanomial| {
        let points = |of: [u64; 5]| of.iter().zip(0u64..).map(|(count, k)| count * k).sum::<u64>();
        let own = points(penta.0);
        own.abs_diff(4 * penta.pairs() - own) >= 12 || penta.pairs() == 20
    }));
    let games = play(&tournament, 1);
    assert_eq!(games, play(&tournament, 3));
    for players in [[0, 1], [0, 2]] {
        let result = MatchResult::of(players, &games);
        assert_eq!(result.halves, 0);
        let decided = tournament.decided.as_ref().unwrap();
        assert!(decided(&result.pentanomial), "{result:?}");
    }
    // Going on with a decided tournament plays nothing.
    let no_more = |_: &GameResult| panic!("everything is decided");
    let stop = AtomicBool::new(false);
    let again = tournament.play(games.clone(), NonZeroUsize::MIN, &no_more, &stop).unwrap();
    assert_eq!(again, games);
}

/// Does the same thing in every game at a certain ply, and plays at random before.
struct Odd {
    ply: usize,
    action: fn(&Game) -> Action,
}

impl Player for Odd {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        _: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for turn in turns {
            let mut moves = Vec::new();
            turn.game.status(&mut moves);
            let odd = turn.game.ply() >= self.ply;
            let action = if odd { (self.action)(turn.game) } else { Action::Move(moves[0]) };
            out.push(Answer::of(action));
        }
        Ok(())
    }
}

#[test]
fn who_fails_loses_that_game_and_the_tournament_goes_on() {
    fn fail(kind: FailureKind) -> Action {
        Action::Fail(Failure { kind, reason: "exit status 3".to_owned() })
    }
    fn standing_still(game: &Game) -> Action {
        let king = game.position().king(game.side_to_move()).unwrap();
        let face = game.position().piece_at(king).unwrap().face;
        Action::Move(Move::board(king, king, face, false))
    }
    type Case = (fn(&Game) -> Action, Termination, &'static str);
    let cases: [Case; 9] = [
        (|_| fail(FailureKind::Crash), Termination::Crash, "exit status 3"),
        (|_| fail(FailureKind::Stall), Termination::Stall, "exit status 3"),
        (|_| fail(FailureKind::Time), Termination::Time, "exit status 3"),
        (|_| fail(FailureKind::Illegal), Termination::IllegalMove, "exit status 3"),
        (|_| fail(FailureKind::Disconnect), Termination::Disconnect, "exit status 3"),
        (|_| fail(FailureKind::Junk), Termination::Junk, "exit status 3"),
        (standing_still, Termination::IllegalMove, ": "),
        (|_| Action::Resign, Termination::Resignation, ""),
        (|_| Action::Declare, Termination::IllegalMove, "declaration"),
    ];
    for (action, termination, reason) in cases {
        let odd = entrant("odd", move || Box::new(Odd { ply: 6, action }));
        let games = play(&between(vec![yardstick("random"), odd, yardstick("blunder-10")], 3), 2);
        assert_eq!(games.len(), 18);
        let of_odd: Vec<_> = games.iter().filter(|game| game.pair.players.contains(&1)).collect();
        let failed = of_odd.iter().filter(|game| game.outcome.termination == termination);
        let failed: Vec<_> = failed.collect();
        assert!(failed.len() >= 6, "{termination}: {}", failed.len());
        for game in failed {
            let side = if game.player(Color::Black) == 1 { Color::Black } else { Color::White };
            assert_eq!(game.outcome.winner, Some(!side));
            assert!(game.reason.contains(reason), "{}", game.reason);
            if termination != Termination::Resignation {
                assert!(game.reason.contains("(ply ") && game.reason.contains('/'), "the position");
            }
            assert!(game.moves.len() >= 6 && game.moves.len() < 8);
        }
        let others = games.iter().filter(|game| !game.pair.players.contains(&1));
        assert!(others.clone().all(|game| game.outcome.termination != termination));
        assert_eq!(others.count(), 6);
    }
}

#[test]
fn a_player_that_can_play_no_game_ends_the_tournament_by_name() {
    let broken = Entrant {
        name: "broken".to_owned(),
        limits: Limits::default(),
        alone: false,
        make: Box::new(|| {
            Err(PlayerError { player: "broken".into(), source: "out of order".into() })
        }),
    };
    let tournament = between(vec![yardstick("random"), broken], 2);
    let two = NonZeroUsize::new(2).unwrap();
    let error = tournament.play(Vec::new(), two, &|_| (), &AtomicBool::new(false)).unwrap_err();
    assert_eq!(error.to_string(), "player broken: out of order");
}

#[test]
fn yardsticks_stand_in_their_order() {
    let names = ["alphabeta-3", "alphabeta-1", "blunder-50", "random"];
    let games = play(&yardsticks(&names, 30), 2);
    for (better, worse) in [(0, 1), (1, 2), (2, 3), (0, 3)] {
        let result = MatchResult::of([better, worse], &games);
        let los = Estimate::of_pairs(&result.pentanomial).unwrap().los;
        assert!(los > 0.95, "{} against {}: {result:?}", names[better], names[worse]);
    }
    let games = play(&yardsticks(&["rollout-100", "random"], 10), 2);
    let result = MatchResult::of([0, 1], &games);
    assert!(Estimate::of_pairs(&result.pentanomial).unwrap().elo_low.unwrap() > 0.0);
}

/// Moves its king to and fro as long as it can: two of them repeat the position.
struct Shuffler;

impl Player for Shuffler {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        _: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for Turn { game, .. } in turns {
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
            let elapsed = Some(Duration::from_millis(10));
            let action = Action::Move(*mv.unwrap_or(&moves[0]));
            out.push(Answer { elapsed, ..Answer::of(action) });
        }
        Ok(())
    }
}

fn shufflers(max_replays: u32, main: [u64; 2]) -> Tournament<'static> {
    let shuffler = |main| {
        let main = Duration::from_millis(main);
        let (byoyomi, increment) = (Duration::ZERO, Duration::ZERO);
        let time = Some(TimeControl::Game { main, byoyomi, increment });
        let limits = Limits { time, ..Limits::default() };
        Entrant { limits, ..entrant("shuffler", || Box::new(Shuffler)) }
    };
    let mut tournament = between(main.map(shuffler).into(), 3);
    tournament.variant = Arc::new(tournament.variant.with_repetition_count(3));
    tournament.openings = vec![Opening { start: None, moves: Vec::new() }];
    tournament.adjudication.max_replays = max_replays;
    tournament
}

#[test]
fn a_plain_repetition_is_replayed_with_colours_exchanged() {
    for (max, swapped) in [(0, false), (1, true), (2, false)] {
        let tournament = shufflers(max, [10_000, 10_000]);
        let games = play(&tournament, 1);
        assert_eq!(games, play(&tournament, 3));
        let result = MatchResult::of([0, 1], &games);
        assert_eq!((result.replays, result.pentanomial.0), (6 * u64::from(max), [0, 0, 3, 0, 0]));
        assert_eq!(result.terminations, BTreeMap::from([(Termination::Repetition, 6)]));
        for game in games {
            assert_eq!(game.replays, max);
            assert_eq!(game.black != usize::from(game.game), swapped);
            // Three times the start: twice four plies.
            assert_eq!(game.moves.len(), 8);
        }
    }
}

/// Everyone keeps the own clock in a replay: 4 moves of 10 ms in each game, so that 75 ms last for the
/// first game and not for the second, whichever the colour.
#[test]
fn clocks_are_kept_in_a_replay() {
    for short in 0..2 {
        let mut main = [10_000, 10_000];
        main[short] = 75;
        for game in play(&shufflers(1, main), 2) {
            let winner = 1 - short;
            assert_eq!(game.outcome.termination, Termination::Time, "{}", game.reason);
            assert_eq!((game.replays, game.half_points(winner)), (1, 2));
            assert!(game.reason.contains("5 ms too late"), "{}", game.reason);
        }
    }
}

/// A replay that is decided counts for its winner, in the place of the game it repeats.
#[test]
fn replayed_games_keep_pairs_and_players_apart() {
    let mut tournament = yardsticks(&["uniform-8", "random"], 30);
    tournament.variant = Arc::new(tournament.variant.with_repetition_count(2));
    tournament.adjudication.max_replays = 3;
    let games = play(&tournament, 1);
    assert_eq!(games, play(&tournament, 3));
    let result = MatchResult::of([0, 1], &games);
    assert!(result.replays > 0, "no game was replayed");
    assert_eq!((result.pentanomial.pairs(), result.total().games()), (30, 60));
    let mut points = [0; 5];
    for pair in games.chunks(2) {
        points[pair[0].half_points(0) + pair[1].half_points(0)] += 1;
        for game in pair {
            assert_eq!(game.black, (usize::from(game.game) + game.replays as usize) % 2);
        }
    }
    assert_eq!(points, result.pentanomial.0);
}

/// The referee declares for the side to move as soon as that wins, and an opening may be any position.
#[test]
fn a_winning_declaration_ends_the_game() {
    let variant = Variant::builtin("shogi").unwrap();
    let start = "4K4/PPPPPPPPP/P8/9/9/9/9/9/4k4[RRBBGGGGSSSSNNNNLLLL8p] b 0 1";
    let mut tournament = yardsticks(&["random", "alphabeta-1"], 1);
    let start = Some(Position::parse(&variant, start).unwrap());
    tournament.openings = vec![Opening { start: start.clone(), moves: Vec::new() }];
    tournament.variant = variant;
    let games = play(&tournament, 1);
    assert_eq!(games.len(), 2);
    for game in games {
        let Outcome { winner, termination } = game.outcome;
        assert_eq!((winner, termination), (Some(Color::Black), Termination::Declaration));
        assert_eq!(Some(game.start), start);
    }
}

/// A proven result is that of playing on with perfect play.
#[test]
fn proven_results_end_games() {
    let mut tournament = yardsticks(&["uniform-2000", "random"], 6);
    let whole = play(&tournament, 2);
    tournament.adjudication.proven = true;
    let cut = play(&tournament, 2);
    let adjudicated = |game: &&GameResult| game.outcome.termination == Termination::Adjudication;
    assert!(cut.iter().any(|game| adjudicated(&game)));
    let same = whole.iter().zip(&cut).filter(|(whole, cut)| {
        assert!(whole.moves.starts_with(&cut.moves), "the same game up to its proof");
        whole.outcome.winner == cut.outcome.winner
    });
    // A search proves again what it proved, but may not find the win it proved within its budget.
    assert!(same.count() >= 10, "{cut:?}");
}
