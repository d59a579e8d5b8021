//! What an engine says.

use std::fmt::Write;

use crate::Protocol;
use crate::info::Info;
use crate::option::OptionDecl;
use crate::words::{LineError, Words};

/// A line of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Its name.
    Name(String),
    /// Who wrote it.
    Author(String),
    /// An option that can be set.
    Option(OptionDecl),
    /// The end of the answer to the greeting.
    Ok(Protocol),
    /// Everything asked for is done.
    ReadyOk,
    /// The move.
    BestMove(BestMove),
    /// USI: the answer to `go mate`.
    Checkmate(Checkmate),
    /// What it thinks meanwhile.
    Info(Info),
    /// UCCI: the answer to `quit`.
    Bye,
}

/// The answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// What the engine does.
    pub action: Action,
    /// The reply it expects and would ponder on.
    pub ponder: Option<String>,
    /// UCCI: it offers a draw.
    pub offers_draw: bool,
}

/// What an engine does in its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Plays a move, in the notation of the protocol; it need not be legal, or a move at all.
    Move(String),
    /// Gives up.
    Resign,
    /// Declares that it has won (by its entered king). Only USI has a word for it.
    Win,
    /// Finds no move: `(none)`, `0000`, `nobestmove` and the like.
    None,
}

/// What a search for a mate found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkmate {
    /// The moves to it.
    Moves(Vec<String>),
    /// There is none.
    NoMate,
    /// The time ran out.
    Timeout,
    /// The engine cannot do that.
    NotImplemented,
}

/// Every reply by its first word.
const KNOWN: &str = "id, option, usiok, uciok, ucciok, readyok, bestmove, nobestmove, checkmate, info, \
                     bye";

impl Reply {
    /// Reads a line; `None` if it is blank.
    ///
    /// # Errors
    /// If the first word is unknown, as in banners and comments of engines, or what must follow it is
    /// missing.
    pub fn parse(line: &str, protocol: Protocol) -> Result<Option<Reply>, LineError> {
        let mut words = Words::new(line);
        let Some(first) = words.next() else { return Ok(None) };
        let reply = match first {
            "bestmove" => Reply::BestMove(BestMove::read(&mut words)),
            "nobestmove" => Reply::BestMove(BestMove::from(Action::None)),
            "info" => Reply::Info(Info::read(&mut words, protocol)),
            "readyok" => Reply::ReadyOk,
            "usiok" => Reply::Ok(Protocol::Usi),
            "uciok" => Reply::Ok(Protocol::Uci),
            "ucciok" => Reply::Ok(Protocol::Ucci),
            "option" => Reply::Option(OptionDecl::read(&mut words)?),
            "checkmate" => Reply::Checkmate(match words.peek() {
                Some("nomate") => Checkmate::NoMate,
                Some("timeout") => Checkmate::Timeout,
                Some("notimplemented") => Checkmate::NotImplemented,
                _ => Checkmate::Moves(words.collect()),
            }),
            "id" => match words.next() {
                Some("name") => Reply::Name(words.rest().to_owned()),
                Some("author" | "copyright" | "user") => Reply::Author(words.rest().to_owned()),
                _ => return Err(words.fault("`name` or `author` must follow `id`")),
            },
            "bye" => Reply::Bye,
            _ => return Err(words.fault(format!("unknown reply; known: {KNOWN}"))),
        };
        Ok(Some(reply))
    }

    /// The line, without its end.
    pub fn write(&self, protocol: Protocol) -> String {
        let mut out = String::new();
        match self {
            Reply::Name(name) => write!(out, "id name {name}").expect(INFALLIBLE),
            Reply::Author(author) => write!(out, "id author {author}").expect(INFALLIBLE),
            Reply::Option(option) => {
                out.push_str("option");
                option.write(&mut out, protocol);
            }
            Reply::Ok(greeted) => write!(out, "{greeted}ok").expect(INFALLIBLE),
            Reply::ReadyOk => out.push_str("readyok"),
            Reply::BestMove(best) => best.write(&mut out, protocol),
            Reply::Checkmate(found) => {
                out.push_str("checkmate ");
                match found {
                    Checkmate::Moves(moves) => out.push_str(&moves.join(" ")),
                    Checkmate::NoMate => out.push_str("nomate"),
                    Checkmate::Timeout => out.push_str("timeout"),
                    Checkmate::NotImplemented => out.push_str("notimplemented"),
                }
            }
            Reply::Info(info) => {
                out.push_str("info");
                info.write(&mut out, protocol);
            }
            Reply::Bye => out.push_str("bye"),
        }
        out
    }
}

const INFALLIBLE: &str = "writing to a string cannot fail";

impl From<Action> for BestMove {
    fn from(action: Action) -> BestMove {
        BestMove { action, ponder: None, offers_draw: false }
    }
}

impl BestMove {
    fn read(words: &mut Words<'_>) -> BestMove {
        let mut best = BestMove::from(words.next().map_or(Action::None, Action::of));
        while let Some(word) = words.next() {
            match word {
                "ponder" => {
                    let reply = words.next().map_or(Action::None, Action::of);
                    if let Action::Move(text) = reply {
                        best.ponder = Some(text);
                    }
                }
                "draw" => best.offers_draw = true,
                "resign" => best.action = Action::Resign,
                _ => {}
            }
        }
        best
    }

    /// What the protocol has no word for is written as no move.
    fn write(&self, out: &mut String, protocol: Protocol) {
        match (&self.action, protocol) {
            (Action::Move(text), _) => write!(out, "bestmove {text}").expect(INFALLIBLE),
            // A front end of USI without a move takes the game for given up as well.
            (Action::Resign | Action::None, Protocol::Usi) => out.push_str("bestmove resign"),
            (Action::Win, Protocol::Usi) => out.push_str("bestmove win"),
            (_, Protocol::Uci) => out.push_str("bestmove (none)"),
            (_, Protocol::Ucci) => out.push_str("nobestmove"),
        }
        if !matches!(self.action, Action::Move(_)) {
            return;
        }
        if let Some(text) = &self.ponder {
            write!(out, " ponder {text}").expect(INFALLIBLE);
        }
        if self.offers_draw && protocol == Protocol::Ucci {
            out.push_str(" draw");
        }
    }
}

impl Action {
    fn of(word: &str) -> Action {
        match word.trim_matches(['(', ')', '<', '>']).to_ascii_lowercase().as_str() {
            "resign" => Action::Resign,
            "win" => Action::Win,
            "none" | "null" | "0000" | "" => Action::None,
            _ => Action::Move(word.to_owned()),
        }
    }
}
