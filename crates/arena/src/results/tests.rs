use std::io::Read;

use super::*;
use crate::stats::{Anchor, RatingModel, elo_of_score, fit};

fn games(pgn: &str) -> Vec<Result<NamedResult, String>> {
    let text = |error: PgnError| error.to_string();
    PgnReader::new(pgn.as_bytes()).map(|game| game.map_err(text)).collect()
}

fn good(pgn: &str) -> Vec<(String, String, Option<u8>)> {
    let parts = |game: Result<NamedResult, String>| {
        let game = game.unwrap();
        (game.first, game.second, game.half_points)
    };
    games(pgn).into_iter().map(parts).collect()
}

fn results(pgn: &str) -> Vec<Option<u8>> {
    good(pgn).into_iter().map(|game| game.2).collect()
}

fn collect(pgn: &[u8]) -> Collected {
    let mut collector = Collector::default();
    for game in PgnReader::new(pgn) {
        collector.add(game.unwrap()).unwrap();
    }
    collector.finish()
}

#[test]
fn the_round_robin_is_read_and_rated_as_published() {
    let pgn = include_str!("../../../../data/arena/rr5.pgn");
    let games = collect(pgn.as_bytes());
    assert_eq!((games.observations.games(), games.pairs, games.unfinished), (600, 0, 0));
    let mut table = Collector::default();
    let counts = include_str!("../../../../data/arena/rr5_crosstable.csv");
    read_table(counts.as_bytes(), &mut table).unwrap();
    let table = table.finish();
    assert_eq!(table.names, games.names);
    assert_eq!(table, games);
    let ratings = fit(5, &games.observations, &RatingModel::default(), Anchor::Mean).unwrap();
    let expected = [102.82059781910249, 63.137319692544835, 8.88635473583675, -52.50889733839831];
    for (rating, expected) in ratings.players.iter().zip(expected) {
        assert!((rating.elo - expected).abs() < 0.05);
    }
}

#[test]
fn pgn_of_the_real_world() {
    let pgn = "\u{feff}; a comment line\n% an escaped line [White \"no\"]\n\
        [Event \"x\"]\r\n[White \"A \\\"the\\\" B\"] [Black \"C\"]\r\n[Result \"1-0\"]\r\n\r\n\
        1. e4 {a comment 0-1 [White \"no\"] } e5 (1... c5 0-1 (2. a3 *) 2. b3) ; 0-1\n2. Nf3 $1 1-0\r\n\
        [White \"Robert \"Bobby\" F.\"]\n[Black \"D\"]\n\n1. e4 1/2-1/2 1/2-1/2\n\n\
        [White \"E\"]\n[Black \"F\"]\n[Result \"0-1\"]\n\n1. e4 e5\n\
        [Black \"E\"]\n[White \"F\"]\n[Result \"*\"]\n\n*\n";
    let expected = [
        ("A \"the\" B", "C", Some(2)),
        ("Robert \"Bobby\" F.", "D", Some(1)),
        ("E", "F", Some(0)),
        ("F", "E", None),
    ];
    let expected = expected.map(|(a, b, half)| (a.to_owned(), b.to_owned(), half));
    assert_eq!(good(pgn), expected);
}

#[test]
fn odd_results() {
    let of = |result: &str| {
        results(&format!("[White \"a\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n1. x *\n"))
    };
    for (result, half) in [
        ("1-0", 2),
        ("1 - 0", 2),
        ("1:0", 2),
        ("1–0", 2),
        ("+/-", 2),
        ("+:-", 2),
        ("0-1", 0),
        ("-:+", 0),
        ("1/2", 1),
        ("½-½", 1),
        ("0.5-0.5", 1),
    ] {
        assert_eq!(of(result), [Some(half)], "{result}");
    }
    for result in ["*", "", "?", "nonsense"] {
        assert_eq!(of(result), [None], "{result}: the end of the moves counts");
    }
    let errors =
        games("[White \"a\"]\n[Black \"b\"]\n[Result \"0-0\"]\n\n1. x\n\n[White \"c\"]\n\n*\n");
    let errors: Vec<String> = errors.into_iter().map(Result::unwrap_err).collect();
    let expected = ["line 1: a against b: `0-0` is no result", "line 7: a game without `Black`"];
    assert_eq!(errors, expected);
    let tagless = games("1. e4 e5 1-0\n");
    assert_eq!(tagless[0], Err("line 1: a game without `White`".to_owned()));
}

#[test]
fn unclosed_comments_and_variations_end_with_the_next_game() {
    let game = |open: &str| {
        format!(
            "[Event \"e\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. x {open} y\n\n"
        )
    };
    for open in ["{", "(", "((", "}", ")", "\"", "["] {
        let pgn = game(open) + &game("");
        assert_eq!(results(&pgn), [Some(2), Some(2)], "{open}");
    }
}

#[test]
fn names_in_latin_1_and_of_any_length() {
    let mut pgn = b"[White \"M\xfcller\"]\n[Black \"".to_vec();
    pgn.extend(vec![b'x'; 300_000]);
    pgn.extend(b"\"]\n\n1-0\n[White \"a\"]\n[Black \"b\"]\n1-0\n");
    let games: Vec<_> = PgnReader::new(pgn.as_slice()).map(Result::unwrap).collect();
    assert_eq!((games[0].first.as_str(), games[0].second.len()), ("Müller", 1000));
    assert_eq!((games[1].first.as_str(), games[1].line), ("a", 5));
}

#[test]
fn pairs_agree_in_round_or_start_with_colours_exchanged() {
    let game = |white: &str, black: &str, tags: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n{tags}\n1-0\n\n")
    };
    let pairs = |games: &[String]| collect(games.concat().as_bytes()).pairs;
    let (round, start) = ("[Round \"3.1\"]\n", "[FEN \"x\"]\n");
    assert_eq!(pairs(&[game("a", "b", round), game("b", "a", "[Round \"3.2\"]\n")]), 1);
    assert_eq!(pairs(&[game("a", "b", start), game("b", "a", start)]), 1);
    assert_eq!(pairs(&[game("a", "b", start), game("a", "b", start), game("b", "a", start)]), 1);
    assert_eq!(pairs(&[game("a", "b", ""), game("b", "a", "")]), 0);
    assert_eq!(pairs(&[game("a", "b", round), game("b", "c", round)]), 0);
    assert_eq!(pairs(&[game("a", "b", round), game("b", "a", start)]), 0);
}

fn table(text: &str) -> Result<Collected, String> {
    let mut collector = Collector::default();
    read_table(text.as_bytes(), &mut collector).map_err(|error| error.to_string())?;
    Ok(collector.finish())
}

#[test]
fn tables_of_games_and_of_counts() {
    let games = table(
        "pair,first,second,result,opening\n1,a,b,1-0,x\n1, b ,a,1/2-1/2,x\n2,a,b,0-1,y\n2,a,b,*,y\n",
    )
    .unwrap();
    assert_eq!((games.pairs, games.unfinished, games.observations.games()), (1, 1, 3));
    assert_eq!(games.of_player[0], Trinomial { wins: 1, draws: 1, losses: 1 });
    let run = "generation,active_seconds,opponent,wins_first,draws_first,losses_first,wins_second,\
               draws_second,losses_second\n2,7.5,random,9,1,0,6,2,2\n";
    let run = table(run).unwrap();
    assert_eq!(run.names, ["generation-2", "random"]);
    assert_eq!(run.of_player[1], Trinomial { wins: 2, draws: 3, losses: 15 });
    let paired = "generation,opponent,wins_first,draws_first,losses_first,wins_second,draws_second,\
                  losses_second,pairs\n2,random,9,1,0,6,2,2,0 0 0 0 0 1 2 2 5\n";
    let paired = table(paired).unwrap();
    assert_eq!((paired.pairs, &paired.of_player), (10, &run.of_player));
    let ratings = fit(2, &run.observations, &RatingModel::default(), Anchor::Mean).unwrap();
    let gap = ratings.players[0].elo - ratings.players[1].elo;
    // 95 % with the first move, 70 % with the second.
    let expected = f64::midpoint(elo_of_score(0.95).unwrap(), elo_of_score(0.7).unwrap());
    assert!((gap - expected).abs() < 1e-6, "{gap}");
}

#[test]
fn faults_of_tables_have_their_line() {
    for (text, error) in [
        ("a,b\n1,2\n", "line 1: unknown columns"),
        ("first,second,result\na,b,1-0\na,b,won\n", "line 3: `won` is no result, such as 1-0"),
        ("first,second,result\na,,1-0\n", "line 2: a player without a name"),
        ("first,second,result\na,a,1-0\n", "line 2: `a` plays itself"),
        ("first,second,first_wins,draws,second_wins\na,b,1,-2,3\n", "line 2: `-2` is no number"),
        ("first,second,result\na,b\n", "line 2: 2 columns, expected 3"),
    ] {
        let found = table(text).unwrap_err();
        assert!(found.contains(error), "{found}");
    }
    assert!(table("").unwrap_err().contains("line 1: unknown columns"));
}

/// Cuts and changes a file at places that follow from `seed`.
fn damaged(text: &[u8], mut seed: u64) -> Vec<u8> {
    let mut bytes = text.to_vec();
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below.max(1)
    };
    for _ in 0..8 {
        let at = next(bytes.len());
        match next(3) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, b"[]{}()\"\\;%\n\0\xff*"[next(14)]),
            _ => drop(bytes.drain(at..(at + next(40)).min(bytes.len()))),
        }
    }
    bytes
}

#[test]
fn damaged_files_never_panic_and_never_loop() {
    let pgn = &include_bytes!("../../../../data/arena/rr5.pgn")[..4000];
    let csv = include_bytes!("../../../../data/arena/rr5_crosstable.csv");
    for seed in 0..2000 {
        let mut collector = Collector::default();
        for game in PgnReader::new(damaged(pgn, seed).as_slice()).flatten() {
            let _ = collector.add(game);
        }
        let _ = read_table(damaged(csv, seed).as_slice(), &mut collector);
        collector.finish();
    }
}

#[test]
fn a_huge_line_takes_little_memory() {
    let long = std::io::repeat(b'x').take(100 << 20);
    let end = "\n[White \"a\"]\n[Black \"b\"]\n1-0\n".as_bytes();
    let input = std::io::BufReader::new(long.chain(end));
    let games: Vec<_> = PgnReader::new(input).collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_err() && games[1].is_ok());
}
