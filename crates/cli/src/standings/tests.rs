use arena::Pair;
use arena::stats::EloModel;
use rules::{Color, Game, Outcome, Termination, Variant};

use super::*;

/// A game of a pair; player 0 of the pair has Black in game 0. `winner`: of the pair.
pub(crate) fn game(
    number: u64,
    players: [usize; 2],
    game: u8,
    winner: Option<usize>,
) -> GameResult {
    let variant = Variant::builtin("micro").unwrap();
    let black = usize::from(game);
    let mut board = Game::new(variant);
    let mut legal = Vec::new();
    for ply in 0..2 {
        board.status(&mut legal);
        let mv = legal[(number as usize + ply) % legal.len()];
        board.play(mv);
    }
    GameResult {
        pair: Pair { number, round: number, players, opening: number % 3 },
        game,
        black,
        replays: 0,
        outcome: Outcome {
            winner: winner.map(|w| if w == black { Color::Black } else { Color::White }),
            termination: match winner {
                Some(_) => Termination::Resignation,
                None => Termination::Repetition,
            },
        },
        reason: String::new(),
        start: board.start().clone(),
        moves: board.moves().to_vec(),
        opening_plies: 1,
        remarks: vec![arena::Remark::default()],
    }
}

/// Three players; 0 beats 1 and 2 mostly, 1 beats 2 mostly.
pub(crate) fn cup() -> (Vec<String>, Vec<GameResult>) {
    let names = ["alpha", "<b>beta", "gamma, δ"].map(str::to_owned).to_vec();
    let mut games = Vec::new();
    for round in 0..20 {
        for (index, players) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
            let number = 3 * round + index as u64;
            let second = if round % 4 == 0 { Some(1) } else { Some(0) };
            games.push(game(number, players, 0, (round % 3 != 0).then_some(0)));
            games.push(game(number, players, 1, second));
        }
    }
    games.push(game(60, [0, 1], 0, Some(0))); // Its partner is missing.
    (names, games)
}

fn test() -> Sprt {
    Sprt { model: EloModel::Logistic, elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 }
}

#[test]
fn standings_of_a_cup() {
    let (names, games) = cup();
    let standings = Standings::of(&names, &games, Some(test()), Anchor::Mean).unwrap();
    let order: Vec<&str> = standings.players.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(order, ["alpha", "<b>beta", "gamma, δ"]);
    assert_eq!(standings.players.iter().map(|p| p.games).collect::<Vec<_>>(), [80, 80, 80]);
    assert_eq!((standings.pairs.len(), standings.halves, standings.groups), (3, 1, 1));
    let pairing = &standings.pairs[0];
    assert_eq!((pairing.wins, pairing.draws, pairing.losses), (28, 7, 5));
    assert_eq!(pairing.pentanomial.iter().sum::<u64>(), 20);
    assert_eq!(standings.pairs[2].score_of([2, 1]), Some(1.0 - 31.5 / 40.0));
    assert_eq!(standings.terminations["resignation"], 99);
    let text = standings.text();
    assert!(text.contains("alpha against <b>beta: LLR: "), "{text}");
    assert!(text.contains("games of incomplete pairs, which do not count: 1"), "{text}");
    let ratings = String::from_utf8(standings.ratings_csv()).unwrap();
    assert_eq!(ratings.lines().count(), 4);
    assert!(ratings.lines().nth(3).unwrap().starts_with("3,\"gamma, δ\",-"), "{ratings}");
    let cross = String::from_utf8(standings.crosstable_csv()).unwrap();
    assert!(cross.lines().nth(1).unwrap().starts_with("alpha,<b>beta,28,7,5,"), "{cross}");
}

#[test]
fn two_players_get_the_block_and_none_nothing() {
    let (names, games) = cup();
    let of_two: Vec<_> = games.iter().filter(|game| game.pair.players == [0, 1]).cloned().collect();
    let standings = Standings::of(&names[..2], &of_two, None, Anchor::Mean).unwrap();
    let text = standings.text();
    assert!(text.starts_with("alpha against <b>beta\nElo: "), "{text}");
    let none = Standings::of(&names, &[], Some(test()), Anchor::Mean).unwrap();
    assert!(none.pairs.is_empty() && none.players.iter().all(|player| player.score == 0.5));
    assert!(!none.text().contains("NaN"));
}
