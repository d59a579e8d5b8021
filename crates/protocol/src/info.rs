//! `info`: what an engine thinks meanwhile.

use std::fmt::Write;
use std::str::FromStr;
use std::time::Duration;

use crate::Protocol;
use crate::words::Words;

/// What an engine says while it thinks; everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Plies of the longest line looked at.
    pub seldepth: Option<u32>,
    /// Which of several best lines, from 1.
    pub multipv: Option<u32>,
    /// The value for the side to move.
    pub score: Option<Score>,
    /// Whether the value is only a bound.
    pub bound: Option<Bound>,
    /// Positions searched; of tree searches, simulations.
    pub nodes: Option<u64>,
    /// The same a second.
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Time spent so far.
    pub time: Option<Duration>,
    /// The move looked at now.
    pub currmove: Option<String>,
    /// The line expected, in the notation of the protocol. A word that is no move (`resign`, `rep_inf`)
    /// ends it.
    pub pv: Vec<String>,
    /// Words for people.
    pub text: Option<String>,
}

/// A value, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// A forced mate.
    Mate {
        /// Whether the side to move wins.
        wins: bool,
        /// How far away, in plies, whatever the protocol counts in; `None` if the engine does not say.
        plies: Option<u32>,
    },
}

/// A value that is only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is this or more.
    Lower,
    /// It is this or less.
    Upper,
}

/// What stands for a mate of unknown length where a protocol has no word for it, in hundredths of a pawn.
const MATE_CP: i32 = 30_000;

impl Info {
    /// Reads what follows `info`; what makes no sense is passed over.
    pub(crate) fn read(words: &mut Words<'_>, protocol: Protocol) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(words),
                "seldepth" => info.seldepth = number(words),
                "multipv" => info.multipv = number(words),
                "nodes" => info.nodes = number(words),
                "nps" => info.nps = number(words),
                "hashfull" => info.hashfull = number(words),
                "time" => info.time = number(words).map(Duration::from_millis),
                "currmove" => info.currmove = words.next().map(str::to_owned),
                "lowerbound" => info.bound = Some(Bound::Lower),
                "upperbound" => info.bound = Some(Bound::Upper),
                "score" => info.add_score(Score::read(words, protocol)),
                "pv" => info.pv = line(words),
                "string" | "message" => {
                    info.text = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }

    /// A line may give both a mate and hundredths of a pawn: the mate counts.
    fn add_score(&mut self, score: Option<Score>) {
        if score.is_some() && !matches!(self.score, Some(Score::Mate { .. })) {
            self.score = score;
        }
    }

    /// Appends the words behind `info`.
    pub(crate) fn write(&self, out: &mut String, protocol: Protocol) {
        let ucci = protocol == Protocol::Ucci;
        let mut put = |word: &str, value: Option<String>| {
            if let Some(value) = value {
                write!(out, " {word} {value}").expect("writing to a string cannot fail");
            }
        };
        put("depth", self.depth.map(|n| n.to_string()));
        put("seldepth", self.seldepth.map(|n| n.to_string()));
        put("multipv", self.multipv.map(|n| n.to_string()));
        let bound = match self.bound {
            None => "",
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
        };
        put("score", self.score.map(|score| score.text(protocol) + bound));
        put("nodes", self.nodes.map(|n| n.to_string()));
        put("nps", self.nps.map(|n| n.to_string()));
        put("hashfull", self.hashfull.map(|n| n.to_string()));
        put("time", self.time.map(|time| time.as_millis().to_string()));
        put("currmove", self.currmove.clone());
        put("pv", Some(self.pv.join(" ")).filter(|pv| !pv.is_empty()));
        put(if ucci { "message" } else { "string" }, self.text.clone());
    }
}

impl Score {
    fn read(words: &mut Words<'_>, protocol: Protocol) -> Option<Score> {
        match words.peek()? {
            "cp" => {
                words.next();
                number(words).map(Score::Cp)
            }
            "mate" => {
                words.next();
                let mate = Score::mate(words.peek()?, protocol)?;
                words.next();
                Some(mate)
            }
            // UCCI.
            _ => number(words).map(Score::Cp),
        }
    }

    /// `5`, `-3`, `+`, `-`; 0 is a loss unless it has a plus.
    fn mate(text: &str, protocol: Protocol) -> Option<Score> {
        let (sign, digits) = match text.as_bytes().first()? {
            b'+' => (Some(true), &text[1..]),
            b'-' => (Some(false), &text[1..]),
            _ => (None, text),
        };
        if digits.is_empty() {
            return Some(Score::Mate { wins: sign?, plies: None });
        }
        let count: u32 = digits.parse().ok()?;
        let wins = sign.unwrap_or(count > 0);
        let plies = match (protocol.counts_plies(), wins) {
            (true, _) => count,
            (false, true) => count.saturating_mul(2).saturating_sub(1),
            (false, false) => count.saturating_mul(2),
        };
        Some(Score::Mate { wins, plies: Some(plies) })
    }

    fn text(self, protocol: Protocol) -> String {
        let cp = |value: i32| match protocol {
            Protocol::Ucci => value.to_string(),
            _ => format!("cp {value}"),
        };
        match self {
            Score::Cp(value) => cp(value),
            Score::Mate { wins, plies: None } => match (protocol, wins) {
                (Protocol::Usi, true) => "mate +".to_owned(),
                (Protocol::Usi, false) => "mate -".to_owned(),
                (_, true) => cp(MATE_CP),
                (_, false) => cp(-MATE_CP),
            },
            Score::Mate { wins, plies: Some(plies) } => {
                let sign = match (wins, plies) {
                    (true, 0) => "+",
                    (true, _) => "",
                    (false, _) => "-",
                };
                let count = if protocol.counts_plies() { plies } else { plies.div_ceil(2) };
                format!("mate {sign}{count}")
            }
        }
    }
}

/// The next word, if it is a number; another word is left where it is.
fn number<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let number = words.peek()?.parse().ok()?;
    words.next();
    Some(number)
}

/// The moves of a line, up to a word that is none or the next word of `info`. `string` takes the rest
/// of the line, so a `pv` behind it is text.
fn line(words: &mut Words<'_>) -> Vec<String> {
    let mut moves = Vec::new();
    while let Some(word) = words.peek() {
        if !looks_like_a_move(word) {
            break;
        }
        moves.push(word.to_owned());
        words.next();
    }
    moves
}

/// Squares and drops have a digit, words have none.
fn looks_like_a_move(word: &str) -> bool {
    word.len() >= 4 && word.is_ascii() && word.bytes().any(|byte| byte.is_ascii_digit())
}
