use std::io::Cursor;
use std::time::Duration;

use arena::results::PgnReader;
use arena::{Pair, Remark, Score};
use rules::{Outcome, Position};

use super::*;

fn game(
    variant: &Arc<Variant>,
    start: &Position,
    moves: &[&str],
    winner: Option<Color>,
    termination: Termination,
) -> GameResult {
    let mut board = Game::from_position(variant.clone(), start.clone());
    for text in moves {
        board.try_play(board.parse_move(text).unwrap()).unwrap();
    }
    let said = Remark {
        score: Some(Score::Centipawns(-35)),
        nodes: Some(120),
        elapsed: Some(Duration::from_millis(1250)),
    };
    GameResult {
        pair: Pair { number: 4, round: 0, players: [0, 1], opening: 4 },
        game: 0,
        black: 0,
        replays: 0,
        outcome: Outcome { winner, termination },
        reason: String::new(),
        start: start.clone(),
        moves: board.moves().to_vec(),
        opening_plies: 1,
        remarks: vec![said; moves.len() - 1],
    }
}

fn texts(variant: &Arc<Variant>, games: &[GameResult]) -> Vec<(&'static str, String)> {
    files(variant, "event", &["a \"name\"".to_owned(), "b".to_owned()], games)
}

#[test]
fn shogi_in_three_forms() {
    let shogi = Variant::builtin("shogi").unwrap();
    let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"];
    let won = game(&shogi, shogi.start(), &moves, Some(Color::Black), Termination::Resignation);
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
    let start = Position::parse(&shogi, sfen).unwrap();
    let mate = ["G*5b"];
    let mated = game(&shogi, &start, &mate, Some(Color::Black), Termination::Checkmate);
    let files = texts(&shogi, &[won, mated]);
    let of = |name: &str| &files.iter().find(|(file, _)| *file == name).unwrap().1;
    let usi: Vec<&str> = of("games.usi").lines().collect();
    assert_eq!(usi[0], "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e resign");
    assert!(usi[1].starts_with("sfen 4k4/9/4P4/") && usi[1].ends_with(" moves G*5b"), "{}", usi[1]);
    let csa = of("games.csa");
    let first = "V2.2\nN+a \"name\"\nN-b\n$EVENT:event\n\
        P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n\
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \n\
        P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
        P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n\
        +7776FU\n-3334FU\nT1\n+8822UM\nT1\n-3122GI\nT1\n+0045KA\nT1\n%TORYO\n/\n";
    assert!(csa.starts_with(first), "{csa}");
    assert!(
        csa.contains("P1 *  *  *  * -OU *  *  *  * \n") && csa.contains("\nP+00KI\nP-00FU00FU")
    );
    assert!(csa.ends_with("+\n+0052KI\n%TSUMI\n"), "{csa}");
    let pgn = of("games.pgn");
    assert!(pgn.contains("[White \"a \\\"name\\\"\"]") && pgn.contains("[Round \"5.1\"]"), "{pgn}");
    assert!(pgn.contains("1. 7g7f 3c3d {cp-35/120 1.250s} 2. 8h2b+ {cp-35/120 1.250s}"), "{pgn}");
    assert!(pgn.lines().all(|line| line.len() <= 79 || line.starts_with('[')));
}

#[test]
fn our_own_reader_understands_the_pgn() {
    let xiangqi = Variant::builtin("xiangqi").unwrap();
    let mut lost = game(
        &xiangqi,
        xiangqi.start(),
        &["h3e3", "h10g8"],
        Some(Color::White),
        Termination::IllegalMove,
    );
    lost.reason = "a1a9: \"blocked\"\n(ply 2)".to_owned();
    let files = texts(&xiangqi, &[lost]);
    assert_eq!(files.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["games.pgn"]);
    let pgn = &files[0].1;
    assert!(pgn.contains("[TerminationDetails \"a1a9: \\\"blocked\\\" (ply 2)\"]"), "{pgn}");
    assert!(!pgn.contains("a1a9 "), "an illegal move is no move of the game");
    let read: Vec<_> = PgnReader::new(Cursor::new(pgn.as_bytes())).map(Result::unwrap).collect();
    assert_eq!((read[0].first.as_str(), read[0].half_points), ("a \"name\"", Some(0)));
}
