//! The games as people and other programs read them: USI lines, CSA, PGN.

use std::fmt::Write;
use std::sync::Arc;

use arena::GameResult;
use rules::{Color, Game, Kind, Move, Notation, Square, Termination, Variant};

use super::journal::{move_texts, notation, result_text};

/// The files of a tournament's games: their names and texts. Shogi and its relatives get USI lines,
/// 9x9 shogi with its usual pieces CSA too, every game PGN.
pub(crate) fn files(
    variant: &Arc<Variant>,
    event: &str,
    names: &[String],
    games: &[GameResult],
) -> Vec<(&'static str, String)> {
    let mut files = vec![("games.pgn", pgn(variant, event, names, games))];
    if notation(variant) == Notation::Usi {
        files.push(("games.usi", usi_lines(variant, games)));
    }
    if let Some(pieces) = csa_pieces(variant) {
        files.push(("games.csa", csa(variant, &pieces, event, names, games)));
    }
    files
}

/// A game a line, as USI's `position` has it, with the word that says how it ended where there is one.
fn usi_lines(variant: &Arc<Variant>, games: &[GameResult]) -> String {
    let mut text = String::new();
    for game in games {
        if game.start == *variant.start() {
            text.push_str("startpos");
        } else {
            let _ = write!(text, "sfen {}", game.start.to_sfen(variant));
        }
        text.push_str(" moves");
        for mv in move_texts(variant, game, Notation::Usi) {
            let _ = write!(text, " {mv}");
        }
        // The words of ShogiHome.
        let word = match (game.outcome.termination, game.outcome.winner) {
            (Termination::Resignation, _) => " resign",
            (Termination::Declaration, Some(_)) => " win",
            (Termination::Repetition, None) => " rep_draw",
            (Termination::Time, _) => " timeout",
            (_, None) => " draw",
            _ => "",
        };
        text.push_str(word);
        text.push('\n');
    }
    text
}

/// PGN: White is who moves first. Moves are in the notation of `games.csv`, not in that of chess; the
/// comment after a move is `{score/nodes time}` as far as they are known.
fn pgn(variant: &Arc<Variant>, event: &str, names: &[String], games: &[GameResult]) -> String {
    let mut text = String::new();
    for game in games {
        let result = result_text(game.outcome.winner);
        let round = format!("{}.{}", game.pair.number + 1, game.game + 1);
        let mut tag = |name: &str, value: &str| {
            let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        tag("Event", event);
        tag("Site", "?");
        tag("Date", "????.??.??");
        tag("Round", &round);
        tag("White", &names[game.player(Color::Black)]);
        tag("Black", &names[game.player(Color::White)]);
        tag("Result", result);
        tag("Variant", variant.id());
        tag("SetUp", "1");
        tag("FEN", &game.start.to_fen(variant));
        tag("PlyCount", &game.moves.len().to_string());
        tag("Termination", game.outcome.termination.as_str());
        if !game.reason.is_empty() {
            tag("TerminationDetails", &game.reason);
        }
        text.push('\n');
        let moves = move_texts(variant, game, notation(variant));
        let mut words = Vec::new();
        for (ply, mv) in moves.into_iter().enumerate() {
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            }
            words.push(mv);
            let remark = ply.checked_sub(game.opening_plies).map(|at| &game.remarks[at]);
            words.extend(remark.and_then(comment));
        }
        words.push(result.to_owned());
        wrap(&mut text, &words);
        text.push('\n');
    }
    text
}

fn comment(remark: &arena::Remark) -> Option<String> {
    let score = remark.score?.to_string();
    let nodes = remark.nodes.map_or(String::new(), |nodes| format!("/{nodes}"));
    let time = remark.elapsed.map_or(String::new(), |time| format!(" {:.3}s", time.as_secs_f64()));
    Some(format!("{{{score}{nodes}{time}}}"))
}

/// Lines of at most 79 characters, as PGN wants them.
fn wrap(text: &mut String, words: &[String]) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > 79 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}

/// The two letters of CSA for each face, if this is a game that CSA can record: 9 by 9 squares, and
/// every face one of shogi's by its letter.
fn csa_pieces(variant: &Variant) -> Option<Vec<&'static str>> {
    if (variant.files(), variant.ranks()) != (9, 9) {
        return None;
    }
    let mut pieces = vec![""; rules::MAX_FACES];
    for face in variant.faces() {
        pieces[face.index()] = match variant.face_letter(face) {
            "P" => "FU",
            "L" => "KY",
            "N" => "KE",
            "S" => "GI",
            "G" => "KI",
            "B" => "KA",
            "R" => "HI",
            "K" => "OU",
            "+P" => "TO",
            "+L" => "NY",
            "+N" => "NK",
            "+S" => "NG",
            "+B" => "UM",
            "+R" => "RY",
            _ => return None,
        };
    }
    Some(pieces)
}

/// CSA 2.2 (<http://www2.computer-shogi.org/protocol/record_v22.html>), games apart by `/`.
fn csa(
    variant: &Arc<Variant>,
    pieces: &[&str],
    event: &str,
    names: &[String],
    games: &[GameResult],
) -> String {
    let mut texts = Vec::new();
    for game in games {
        let mut text = String::from("V2.2\n");
        let _ = writeln!(text, "N+{}", one_line(&names[game.player(Color::Black)]));
        let _ = writeln!(text, "N-{}", one_line(&names[game.player(Color::White)]));
        let _ = writeln!(text, "$EVENT:{}", one_line(event));
        csa_board(&mut text, variant, pieces, &game.start);
        let mut board = Game::from_position(variant.clone(), game.start.clone());
        for (ply, &mv) in game.moves.iter().enumerate() {
            let _ = writeln!(text, "{}", csa_move(&board, pieces, mv));
            board.play(mv);
            let remark = ply.checked_sub(game.opening_plies).map(|at| &game.remarks[at]);
            if let Some(time) = remark.and_then(|remark| remark.elapsed) {
                let _ = writeln!(text, "T{}", time.as_secs());
            }
        }
        let ending = csa_ending(&board, game);
        let _ = writeln!(text, "{ending}");
        if !game.reason.is_empty() {
            let _ = writeln!(text, "'{}", one_line(&game.reason));
        }
        texts.push(text);
    }
    texts.join("/\n")
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// File and rank, as digits: files from Black's right, ranks from the top.
fn csa_square(variant: &Variant, square: Square) -> String {
    let name = rules::square_name(variant, square); // From Black's left and from below: `c3`.
    let [file, rank] = [name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'0'];
    format!("{}{}", 9 - file, 10 - rank)
}

fn csa_board(text: &mut String, variant: &Variant, pieces: &[&str], start: &rules::Position) {
    let mut rows = vec![vec![" * ".to_owned(); 9]; 9];
    for square in start.occupied() {
        let piece = start.piece_at(square).expect("it is occupied");
        let sign = if piece.color == Color::Black { '+' } else { '-' };
        let place = csa_square(variant, square);
        let [file, rank] = [0, 1].map(|at| usize::from(place.as_bytes()[at] - b'0'));
        rows[rank - 1][9 - file] = format!("{sign}{}", pieces[piece.face.index()]);
    }
    for (row, number) in rows.iter().zip(1..) {
        let _ = writeln!(text, "P{number}{}", row.concat());
    }
    for color in Color::ALL {
        let sign = if color == Color::Black { '+' } else { '-' };
        let mut hand = String::new();
        for kind in (0..variant.kinds()).map(Kind::new) {
            for _ in 0..start.hand(color, kind) {
                let _ = write!(hand, "00{}", pieces[kind.front().index()]);
            }
        }
        if !hand.is_empty() {
            let _ = writeln!(text, "P{sign}{hand}");
        }
    }
    text.push_str(if start.side_to_move() == Color::Black { "+\n" } else { "-\n" });
}

fn csa_move(game: &Game, pieces: &[&str], mv: Move) -> String {
    let variant = game.variant();
    let sign = if game.side_to_move() == Color::Black { '+' } else { '-' };
    let from = mv.from().map_or("00".to_owned(), |from| csa_square(variant, from));
    let (to, piece) = (csa_square(variant, mv.to()), pieces[mv.face().index()]);
    format!("{sign}{from}{to}{piece}")
}

/// The special move that ends the record.
fn csa_ending(board: &Game, game: &GameResult) -> &'static str {
    let loser_is_black = game.outcome.winner == Some(Color::White);
    match (game.outcome.termination, game.outcome.winner) {
        (Termination::Resignation, _) => "%TORYO",
        (Termination::Checkmate | Termination::Stalemate, Some(_)) => "%TSUMI",
        (Termination::Time, _) => "%TIME_UP",
        (Termination::Repetition, None) => "%SENNICHITE",
        (Termination::Declaration, Some(_)) => "%KACHI",
        (Termination::Impasse, None) => "%JISHOGI",
        // Told from the side to move: the mover did it, or it was done against the mover.
        (
            Termination::IllegalMove | Termination::FalseDeclaration | Termination::PerpetualCheck,
            Some(_),
        ) => match (board.side_to_move() == Color::Black, loser_is_black) {
            (true, true) | (false, false) => "%ILLEGAL_MOVE",
            (true, false) => "%-ILLEGAL_ACTION",
            (false, true) => "%+ILLEGAL_ACTION",
        },
        (Termination::MoveLimit, _) => "%MAX_MOVES",
        (_, None) => "%HIKIWAKE",
        (_, Some(_)) => "%CHUDAN",
    }
}

#[cfg(test)]
mod tests;
