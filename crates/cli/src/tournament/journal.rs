//! `games.csv`: every finished game a line, written when it ends. It is what a tournament goes on from.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use arena::{GameResult, Pair, Remark};
use rules::{Color, Game, Notation, Outcome, Position, Variant};
use serde::{Deserialize, Serialize};

use crate::run_dir::append_whole;

/// A line of `games.csv`; its fields are the columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Number of the pair; its two games have the same opening with colours exchanged.
    pub(crate) pair: u64,
    /// 0 or 1: which player of the pair had the first move, before any replay.
    pub(crate) game: u8,
    pub(crate) round: u64,
    /// Number of the opening, from 0.
    pub(crate) opening: u64,
    /// Who had the first move in the game that counts, and who the second.
    pub(crate) first: String,
    pub(crate) second: String,
    /// `1-0` (the first player won), `0-1` or `1/2-1/2`.
    pub(crate) result: String,
    pub(crate) termination: String,
    pub(crate) reason: String,
    /// Games drawn by repetition that came before in its place.
    pub(crate) replays: u32,
    /// Where it began, as FEN.
    pub(crate) start: String,
    /// Plies of the opening, and all.
    pub(crate) opening_plies: usize,
    pub(crate) plies: usize,
    /// All moves, in USI where pieces are dropped, else in UCI.
    pub(crate) moves: String,
    /// One word a ply after the opening, `-` where nothing is known: what the mover thought before it
    /// moved (`0.250` of -1 to 1, `cp120`, `mate7`, `mated4`, from its side), nodes, milliseconds.
    pub(crate) scores: String,
    pub(crate) nodes: String,
    pub(crate) milliseconds: String,
}

/// How moves are written for a variant: in USI where pieces are dropped, else in UCI.
pub(crate) fn notation(variant: &Variant) -> Notation {
    if variant.droppable_faces().is_empty() { Notation::Uci } else { Notation::Usi }
}

/// The texts of a game's moves.
pub(crate) fn move_texts(
    variant: &Arc<Variant>,
    game: &GameResult,
    notation: Notation,
) -> Vec<String> {
    let mut board = Game::from_position(variant.clone(), game.start.clone());
    let text = |&mv| {
        let text = notation.write(&board, mv);
        board.play(mv);
        text
    };
    game.moves.iter().map(text).collect()
}

/// A score of a game as chess has it.
pub(crate) fn result_text(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2-1/2",
    }
}

impl Row {
    pub(crate) fn of(variant: &Arc<Variant>, names: &[String], game: &GameResult) -> Self {
        let words = |word: &dyn Fn(&Remark) -> Option<String>| {
            let word = |remark| word(remark).unwrap_or_else(|| "-".to_owned());
            game.remarks.iter().map(word).collect::<Vec<_>>().join(" ")
        };
        Self {
            pair: game.pair.number,
            game: game.game,
            round: game.pair.round,
            opening: game.pair.opening,
            first: names[game.player(Color::Black)].clone(),
            second: names[game.player(Color::White)].clone(),
            result: result_text(game.outcome.winner).to_owned(),
            termination: game.outcome.termination.to_string(),
            reason: game.reason.replace(['\n', '\r'], " "),
            replays: game.replays,
            start: game.start.to_fen(variant),
            opening_plies: game.opening_plies,
            plies: game.moves.len(),
            moves: move_texts(variant, game, notation(variant)).join(" "),
            scores: words(&|remark| remark.score.map(|score| score.to_string())),
            nodes: words(&|remark| remark.nodes.map(|nodes| nodes.to_string())),
            milliseconds: words(&|remark| {
                remark.elapsed.map(|time| format!("{:.1}", time.as_secs_f64() * 1000.0))
            }),
        }
    }

    /// The game, checked by playing it.
    pub(crate) fn game(
        &self,
        variant: &Arc<Variant>,
        numbers: &HashMap<&str, usize>,
    ) -> Result<GameResult> {
        let number = |name: &str| {
            numbers.get(name).copied().with_context(|| format!("there is no player `{name}`"))
        };
        let (first, second) = (number(&self.first)?, number(&self.second)?);
        ensure!(self.game < 2, "game {} of a pair", self.game);
        let black = (usize::from(self.game) + self.replays as usize) % 2;
        let players = if black == 0 { [first, second] } else { [second, first] };
        let (number, round, opening) = (self.pair, self.round, self.opening);
        let winner = match self.result.as_str() {
            "1-0" => Some(Color::Black),
            "0-1" => Some(Color::White),
            "1/2-1/2" => None,
            other => return Err(anyhow!("`{other}` is no result")),
        };
        let start = Position::parse(variant, &self.start)?;
        let mut game = Game::from_position(variant.clone(), start);
        for (text, ply) in self.moves.split_whitespace().zip(1..) {
            let mv = game.parse_move(text).with_context(|| format!("move {ply}"))?;
            game.try_play(mv).with_context(|| format!("move {ply}, `{text}`"))?;
        }
        ensure!(game.ply() == self.plies, "{} moves, expected {}", game.ply(), self.plies);
        ensure!(self.opening_plies <= self.plies, "an opening longer than the game");
        Ok(GameResult {
            pair: Pair { number, round, players, opening },
            game: self.game,
            black,
            replays: self.replays,
            outcome: Outcome { winner, termination: self.termination.parse()? },
            reason: self.reason.clone(),
            start: game.start().clone(),
            moves: game.moves().to_vec(),
            opening_plies: self.opening_plies,
            remarks: self.remarks()?,
        })
    }

    fn remarks(&self) -> Result<Vec<Remark>> {
        let columns = [&self.scores, &self.nodes, &self.milliseconds];
        let [scores, nodes, times] =
            columns.map(|text| text.split_whitespace().collect::<Vec<_>>());
        let plies = self.plies - self.opening_plies;
        ensure!(
            [&scores, &nodes, &times].iter().all(|words| words.len() == plies),
            "scores, nodes and milliseconds must have {plies} words each"
        );
        let known = |word: &str| (word != "-").then(|| word.to_owned());
        let remark = |ply: usize| -> Result<Remark> {
            let time = known(times[ply]).map(|word| word.parse::<f64>()).transpose()?;
            let elapsed = time.map(|ms| Duration::try_from_secs_f64(ms / 1000.0)).transpose()?;
            Ok(Remark {
                score: known(scores[ply]).map(|word| word.parse()).transpose()?,
                nodes: known(nodes[ply]).map(|word| word.parse()).transpose()?,
                elapsed,
            })
        };
        (0..plies).map(remark).collect()
    }
}

/// The games of a file, and how many of its bytes are whole lines: one that a crash cut off is no game.
/// A file that does not exist has none.
///
/// # Errors
/// The file cannot be read; a line that is no game of this tournament.
pub(crate) fn read(
    path: &Path,
    variant: &Arc<Variant>,
    names: &[String],
) -> Result<(Vec<GameResult>, usize)> {
    let text = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", path.display()));
        }
    };
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let numbers: HashMap<&str, usize> =
        names.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
    let mut games = Vec::new();
    for row in csv::Reader::from_reader(&text[..whole]).into_deserialize::<Row>() {
        let place = || format!("{}, line {}", path.display(), games.len() + 2);
        let game = row.map_err(anyhow::Error::from).and_then(|row| row.game(variant, &numbers));
        games.push(game.with_context(place)?);
    }
    Ok((games, whole))
}

/// The file while games are added.
pub(crate) struct Journal {
    file: File,
}

impl Journal {
    /// Reads the games of earlier sessions and opens the file for more. A line that a crash cut off is
    /// dropped.
    ///
    /// # Errors
    /// The file cannot be read or written; a line that is no game of this tournament.
    pub(crate) fn open(
        path: &Path,
        variant: &Arc<Variant>,
        names: &[String],
    ) -> Result<(Self, Vec<GameResult>)> {
        let (games, whole) = read(path, variant, names)?;
        let open = || -> std::io::Result<File> {
            let mut file = File::options().create(true).append(true).open(path)?;
            file.set_len(whole as u64)?;
            if whole == 0 {
                append_whole(&mut file, header().as_bytes())?;
            }
            Ok(file)
        };
        let file = open().with_context(|| format!("cannot write {}", path.display()))?;
        Ok((Self { file }, games))
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, row: &Row) -> std::io::Result<()> {
        append_whole(&mut self.file, &lines([row], false))
    }

    /// Makes sure that all is on the disk.
    pub(crate) fn sync(&self) -> std::io::Result<()> {
        self.file.sync_all()
    }
}

/// A whole file of these rows.
pub(crate) fn file_of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<u8> {
    [header().into_bytes(), lines(rows, false)].concat()
}

fn header() -> String {
    const COLUMNS: [&str; 17] = [
        "pair",
        "game",
        "round",
        "opening",
        "first",
        "second",
        "result",
        "termination",
        "reason",
        "replays",
        "start",
        "opening_plies",
        "plies",
        "moves",
        "scores",
        "nodes",
        "milliseconds",
    ];
    COLUMNS.join(",") + "\n"
}

fn lines<'a>(rows: impl IntoIterator<Item = &'a Row>, headers: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(headers).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row is plain data");
    }
    writer.into_inner().expect("memory does not fail")
}

#[cfg(test)]
mod tests {
    use arena::Score;
    use rules::Termination;

    use super::*;

    fn game(variant: &Arc<Variant>, moves: &[&str], replays: u32) -> GameResult {
        let mut board = Game::new(variant.clone());
        for text in moves {
            board.try_play(board.parse_move(text).unwrap()).unwrap();
        }
        let said = Remark {
            score: Some(Score::Value(0.25)),
            nodes: Some(32),
            elapsed: Some(Duration::from_micros(1500)),
        };
        GameResult {
            pair: Pair { number: 7, round: 2, players: [1, 0], opening: 3 },
            game: 1,
            black: (1 + replays as usize) % 2,
            replays,
            outcome: Outcome { winner: Some(Color::White), termination: Termination::IllegalMove },
            reason: "c3??: \"no\",\nreally (ply 2)".to_owned(),
            start: board.start().clone(),
            moves: board.moves().to_vec(),
            opening_plies: 1,
            remarks: vec![said, Remark::default()][..moves.len() - 1].to_vec(),
        }
    }

    #[test]
    fn games_come_back_as_they_were_and_cut_lines_go() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.csv");
        let variant = Variant::builtin("micro").unwrap();
        let names = ["alpha, beta".to_owned(), "\"γ\"".to_owned()];
        let (mut journal, none) = Journal::open(&path, &variant, &names).unwrap();
        assert!(none.is_empty());
        let mut games =
            [game(&variant, &["d2d3", "a4a3", "d3d4"], 0), game(&variant, &["d2d3", "a4a3"], 3)];
        for game in &games {
            journal.add(&Row::of(&variant, &names, game)).unwrap();
        }
        drop(journal);
        let whole = fs::read(&path).unwrap();
        for game in &mut games {
            game.reason = game.reason.replace('\n', " ");
        }
        for (cut, count) in [(0, 2), (1, 1), (30, 1)] {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let (_, read) = Journal::open(&path, &variant, &names).unwrap();
            assert_eq!(read, games[..count]);
        }
        let text = String::from_utf8(whole).unwrap();
        assert_eq!(text.lines().next().unwrap().split(',').count(), 17);
        for (from, to, place) in [
            ("0-1", "0-2", "line 2"),
            ("illegal_move", "bad_luck", "line 2"),
            ("4b4c", "4b4d", "line 2"),
            ("alpha, beta", "delta", "line 2"),
        ] {
            assert!(text.contains(from), "{from} in {text}");
            fs::write(&path, text.replace(from, to)).unwrap();
            let error = Journal::open(&path, &variant, &names).err().unwrap();
            assert!(format!("{error:#}").contains(place), "{error:#}");
        }
    }

    #[test]
    fn the_header_has_the_names_of_the_columns() {
        let variant = Variant::builtin("micro").unwrap();
        let names = ["a".to_owned(), "b".to_owned()];
        let row = Row::of(&variant, &names, &game(&variant, &["d2d3"], 0));
        let with_headers = lines([&row], true);
        assert!(with_headers.starts_with(header().as_bytes()));
    }
}
