//! What a program says to an engine.

use crate::go::Go;
use crate::setup::Setup;
use crate::words::{LineError, Words, split_at_word};
use crate::{Context, Protocol};

/// A line to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The greeting, which chooses the protocol.
    Greet(Protocol),
    /// Say more (`true`) or less.
    Debug(bool),
    /// Answer `readyok` when everything asked for is done.
    IsReady,
    /// Sets an option; no value presses a button.
    SetOption {
        /// Name as the engine spells it.
        name: String,
        /// Value.
        value: Option<String>,
    },
    /// A new game begins. In UCCI an option says so.
    NewGame,
    /// The position to think about next.
    Position(Setup),
    /// UCCI: moves that are not to be played.
    BanMoves(Vec<String>),
    /// Think.
    Go(Go),
    /// Stop thinking and give the move.
    Stop,
    /// The opponent played the move that the engine is pondering on; with the clocks where the program
    /// sends them.
    PonderHit(Go),
    /// USI: the game is over, and how for the engine.
    GameOver(GameEnd),
    /// End.
    Quit,
}

/// How a game ended for the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The engine won.
    Win,
    /// The engine lost.
    Lose,
    /// Nobody won.
    Draw,
}

impl GameEnd {
    const ALL: [GameEnd; 3] = [GameEnd::Win, GameEnd::Lose, GameEnd::Draw];

    const fn as_str(self) -> &'static str {
        match self {
            GameEnd::Win => "win",
            GameEnd::Lose => "lose",
            GameEnd::Draw => "draw",
        }
    }
}

/// Every command by its first word.
const KNOWN: &str = "usi, uci, ucci, isready, setoption, usinewgame, ucinewgame, position, go, stop, \
                     ponderhit, gameover, banmoves, debug, quit";

impl Command {
    /// Reads a line; `None` if it is blank. Before the greeting any protocol will do.
    ///
    /// # Errors
    /// If the first word is unknown, or what must follow it is missing.
    pub fn parse(line: &str, context: &Context) -> Result<Option<Command>, LineError> {
        let mut words = Words::new(line);
        let Some(first) = words.next() else { return Ok(None) };
        let command = match first {
            "usi" | "uci" | "ucci" => Command::Greet(first.parse().expect("it is one of these")),
            "isready" => Command::IsReady,
            "usinewgame" | "ucinewgame" | "uccinewgame" => Command::NewGame,
            "position" => Command::Position(Setup::read(&mut words)?),
            // Some front ends for xiangqi leave the word `position` out.
            "fen" | "sfen" | "startpos" => Command::Position(Setup::read(&mut Words::new(line))?),
            "go" => Command::Go(Go::read(&mut words, context)?),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit(Go::read(&mut words, context)?),
            "banmoves" => Command::BanMoves(words.collect()),
            "quit" => Command::Quit,
            "setoption" => set_option(&words)?,
            "gameover" => {
                let named = |end: &GameEnd| Some(end.as_str()) == words.peek();
                let end = GameEnd::ALL.into_iter().find(named);
                Command::GameOver(end.ok_or_else(|| words.fault("win, lose or draw must follow"))?)
            }
            "debug" => match words.next() {
                None | Some("on") => Command::Debug(true),
                Some("off") => Command::Debug(false),
                Some(_) => return Err(words.fault("on or off must follow")),
            },
            _ => return Err(words.fault(format!("unknown command; known: {KNOWN}"))),
        };
        Ok(Some(command))
    }

    /// The line, without its end.
    pub fn write(&self, context: &Context) -> String {
        let protocol = context.protocol;
        let mut out = String::new();
        match self {
            Command::Greet(greeting) => out.push_str(greeting.as_str()),
            Command::Debug(on) => out.push_str(if *on { "debug on" } else { "debug off" }),
            Command::IsReady => out.push_str("isready"),
            Command::SetOption { name, value } => write_option(&mut out, protocol, name, value),
            Command::NewGame => out.push_str(match protocol {
                Protocol::Usi => "usinewgame",
                Protocol::Uci => "ucinewgame",
                Protocol::Ucci => "setoption newgame",
            }),
            Command::Position(setup) => {
                out.push_str("position");
                setup.write(&mut out, protocol);
            }
            Command::BanMoves(moves) => {
                out.push_str("banmoves ");
                out.push_str(&moves.join(" "));
            }
            Command::Go(go) => {
                out.push_str("go");
                go.write(&mut out, context);
            }
            Command::Stop => out.push_str("stop"),
            Command::PonderHit(go) => {
                out.push_str("ponderhit");
                if *go != Go::default() {
                    go.write(&mut out, context);
                }
            }
            Command::GameOver(end) => {
                out.push_str("gameover ");
                out.push_str(end.as_str());
            }
            Command::Quit => out.push_str("quit"),
        }
        out
    }
}

/// `name N value V`; UCCI, and sloppy programs elsewhere, leave the two words out.
fn set_option(words: &Words<'_>) -> Result<Command, LineError> {
    let mut named = *words;
    let (name, value) = if named.next() == Some("name") {
        let text = named.rest();
        match split_at_word(text, "value") {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        }
    } else {
        let mut plain = *words;
        let name = plain.next().unwrap_or_default();
        (name, Some(plain.rest()).filter(|rest| !rest.is_empty()))
    };
    if name.is_empty() {
        return Err(words.fault("the name of an option must follow"));
    }
    if name == "newgame" && value.is_none() {
        return Ok(Command::NewGame);
    }
    let value = value.map(|value| if value == EMPTY { "" } else { value }.to_owned());
    Ok(Command::SetOption { name: name.to_owned(), value })
}

fn write_option(out: &mut String, protocol: Protocol, name: &str, value: &Option<String>) {
    let ucci = protocol == Protocol::Ucci;
    out.push_str(if ucci { "setoption " } else { "setoption name " });
    out.push_str(name);
    if let Some(value) = value {
        out.push_str(if ucci { " " } else { " value " });
        out.push_str(if value.is_empty() { EMPTY } else { value });
    }
}

/// How a text without characters is written.
pub(crate) const EMPTY: &str = "<empty>";
