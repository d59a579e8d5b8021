//! PGN: who played, who moved first, how it ended. Moves are passed over, so that any game will do.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use super::{NamedResult, Pairing, half_points};

/// A line is read in pieces of at most so many bytes; a tag must fit into one.
const PIECE: u64 = 1 << 16;
/// A word of the moves is of no interest beyond so many bytes.
const LONGEST_WORD: usize = 16;
/// A name, and any other text of a tag, is cut to so many bytes.
const LONGEST_TEXT: usize = 1000;

/// Why a game could not be used, or no more be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The file could not be read on.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// A game that is left out.
    #[error("line {line}: {reason}")]
    Game {
        /// Line on which it begins, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads the games of a PGN file one after the other.
///
/// Tolerated are comments and variations, even unclosed ones, tags in any order or missing, several
/// on a line, unescaped quotes, texts in Latin-1, missing blank lines and missing results at the end
/// of the moves. Two games of the same players with colours exchanged are a pair if they agree in
/// `Event`, in the start position `FEN` and in `Round` up to its last full stop; without a round and
/// a start position there are no pairs.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    line: u64,
    /// The next piece begins a line.
    at_line_start: bool,
    moves: MoveText,
    game: Draft,
    ready: VecDeque<Result<NamedResult, PgnError>>,
    ended: bool,
}

/// A game of which not all is read.
#[derive(Debug, Default)]
struct Draft {
    line: u64,
    begun: bool,
    has_tags: bool,
    /// Words of the moves.
    words: u64,
    white: Option<String>,
    black: Option<String>,
    result: Option<String>,
    round: String,
    event: String,
    start: String,
}

/// Where in the moves the reader is.
#[derive(Debug, Default)]
struct MoveText {
    in_comment: bool,
    in_rest_of_line: bool,
    /// Variations that are open.
    depth: usize,
    word: Vec<u8>,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: 0,
            at_line_start: true,
            moves: MoveText::default(),
            game: Draft::default(),
            ready: VecDeque::new(),
            ended: false,
        }
    }

    /// Takes in the next piece of a line; `false` at the end.
    fn take_piece(&mut self) -> io::Result<bool> {
        let mut piece = Vec::new();
        if (&mut self.input).take(PIECE).read_until(b'\n', &mut piece)? == 0 {
            self.end_word();
            self.end_game(None);
            return Ok(false);
        }
        let starts_line = self.at_line_start;
        self.at_line_start = piece.ends_with(b"\n");
        self.line += u64::from(starts_line);
        let mut rest = piece.as_slice();
        if self.line == 1 && starts_line {
            rest = rest.strip_prefix("\u{feff}".as_bytes()).unwrap_or(rest);
        }
        if starts_line {
            self.moves.in_rest_of_line = false;
            if rest.starts_with(b"%") && !self.moves.in_comment {
                self.moves.in_rest_of_line = true;
            }
            rest = self.take_tags(rest);
        }
        self.take_moves(rest);
        Ok(true)
    }

    /// Takes in the tags that a line begins with and returns what follows.
    fn take_tags<'a>(&mut self, mut rest: &'a [u8]) -> &'a [u8] {
        loop {
            let text = rest.trim_ascii_start();
            let in_comment = self.moves.in_comment;
            // In a comment that was never closed only the first tag of a game is taken for one.
            if !text.starts_with(if in_comment { b"[Event \"" } else { b"[" }) {
                return rest;
            }
            let Some((name, value, after)) = tag(text) else { return rest };
            self.end_word();
            self.moves = MoveText::default();
            if self.game.words > 0 {
                self.end_game(None);
            }
            self.begin();
            self.game.set(name, value);
            rest = after;
        }
    }

    fn take_moves(&mut self, text: &[u8]) {
        for &byte in text {
            let moves = &mut self.moves;
            match byte {
                b'\n' => {
                    moves.in_rest_of_line = false;
                    self.end_word();
                }
                _ if moves.in_rest_of_line => {}
                b'}' => moves.in_comment = false,
                _ if moves.in_comment => {}
                b'{' => {
                    moves.in_comment = true;
                    self.end_word();
                }
                b';' => {
                    moves.in_rest_of_line = true;
                    self.end_word();
                }
                b'(' | b')' => {
                    self.end_word();
                    let depth = self.moves.depth;
                    self.moves.depth =
                        if byte == b'(' { depth + 1 } else { depth.saturating_sub(1) };
                }
                _ if byte.is_ascii_whitespace() => self.end_word(),
                _ if moves.word.len() <= LONGEST_WORD => moves.word.push(byte),
                _ => {}
            }
        }
    }

    /// A word of the moves is over; a result outside of variations ends the game.
    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.moves.word);
        if word.is_empty() || self.moves.depth > 0 {
            return;
        }
        self.begin();
        self.game.words += 1;
        if matches!(word.as_slice(), b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
            self.end_game(Some(&String::from_utf8_lossy(&word)));
        }
    }

    fn begin(&mut self) {
        if !self.game.begun {
            self.game.begun = true;
            self.game.line = self.line;
        }
    }

    /// Hands out the game, if one was begun.
    fn end_game(&mut self, result: Option<&str>) {
        let game = std::mem::take(&mut self.game);
        // A second result after the end, as some write it, is no game.
        let stray = result.is_some() && game.words == 1 && !game.has_tags;
        if game.begun && !stray {
            self.ready.push_back(game.finish(result));
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<NamedResult, PgnError>;

    /// The next game; after an error of reading there are no more.
    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            match self.take_piece() {
                Ok(more) => self.ended = !more,
                Err(error) => {
                    self.ended = true;
                    self.ready.push_back(Err(error.into()));
                }
            }
        }
        self.ready.pop_front()
    }
}

impl Draft {
    fn set(&mut self, name: &[u8], value: String) {
        self.has_tags = true;
        match name {
            b"White" => self.white = Some(value),
            b"Black" => self.black = Some(value),
            b"Result" => self.result = Some(value),
            b"Round" => self.round = value,
            b"Event" => self.event = value,
            b"FEN" | b"SFEN" => self.start = value,
            _ => {}
        }
    }

    /// The game, with what stood at the end of its moves.
    fn finish(self, at_end: Option<&str>) -> Result<NamedResult, PgnError> {
        let line = self.line;
        let fault = |reason: String| PgnError::Game { line, reason };
        let name = |name: Option<String>, tag: &str| match name {
            Some(name) if !matches!(name.as_str(), "" | "?") => Ok(name),
            _ => Err(fault(format!("a game without `{tag}`"))),
        };
        let (first, second) = (name(self.white, "White")?, name(self.black, "Black")?);
        // The tag counts, unless it says nothing.
        let told = self.result.as_deref().and_then(half_points);
        let half_points = match (told, at_end.and_then(half_points), &self.result) {
            (Some(Some(half)), ..) | (_, Some(Some(half)), _) => Some(half),
            (Some(None), ..) | (_, Some(None), _) => None,
            (None, None, Some(text)) => {
                return Err(fault(format!("{first} against {second}: `{text}` is no result")));
            }
            (None, None, None) => {
                return Err(fault(format!("{first} against {second}: no result")));
            }
        };
        let round = match self.round.rsplit_once('.') {
            Some((round, _)) => round,
            None => &self.round,
        };
        let pair = match (round, self.start.as_str()) {
            ("" | "?" | "-", "") => Pairing::Alone,
            (round, start) => Pairing::Swapped(format!("{}\n{round}\n{start}", self.event)),
        };
        Ok(NamedResult { first, second, half_points, pair, line })
    }
}

/// The tag that `text` begins with: name, value, and what follows it; `None` if it is none. A value
/// ends at a quote before a closing bracket, or with the line.
fn tag(text: &[u8]) -> Option<(&[u8], String, &[u8])> {
    let inner = text.strip_prefix(b"[")?.trim_ascii_start();
    let end = inner.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (name, rest) = inner.split_at(end);
    let value = rest.trim_ascii_start().strip_prefix(b"\"")?;
    if name.is_empty() {
        return None;
    }
    let quotes = (0..value.len()).filter(|&at| value[at] == b'"');
    for at in quotes.filter(|&at| !escaped(value, at)) {
        if let Some(after) = value[at + 1..].trim_ascii_start().strip_prefix(b"]") {
            return Some((name, words(&value[..at]), after));
        }
    }
    let cut = value.trim_ascii_end();
    let cut = cut.strip_suffix(b"]").unwrap_or(cut);
    Some((name, words(cut.strip_suffix(b"\"").unwrap_or(cut)), b"\n"))
}

/// Whether an odd number of backslashes stands before `at`.
fn escaped(text: &[u8], at: usize) -> bool {
    text[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// The text of a value: UTF-8, or else Latin-1, without escapes, blanks at the ends and controls.
fn words(bytes: &[u8]) -> String {
    let bytes = &bytes[..bytes.len().min(LONGEST_TEXT)];
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) if error.error_len().is_none() && bytes.len() == LONGEST_TEXT => {
            String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned()
        }
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    };
    let text = text.replace("\\\"", "\"").replace("\\\\", "\\");
    text.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned()
}
