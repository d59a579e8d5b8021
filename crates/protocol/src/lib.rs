//! The lines that programs for board games and engines exchange, as values: USI (shogi), UCI with
//! Fairy-Stockfish's words for variants, UCCI (xiangqi). No IO, no clock.
//!
//! A [`Command`] goes to the engine, a [`Reply`] comes back; both are read and written in every
//! [`Protocol`], so the same types serve a program that drives engines and one that is an engine.
//! Moves stay text until there is a game to read them in ([`read_move`], [`Setup::game`]).
//!
//! Reading is tolerant where engines and front ends in use are sloppy (a byte order mark, CRLF,
//! unknown words in `info` and `go`, five spellings of "no move"); anything else is a [`LineError`]
//! that says what was expected. No line makes a reader panic, and what it allocates is proportional to
//! the line.
//!
//! Sources: the USI description of Shogidokoro with the usage of ShogiHome and YaneuraOu, the UCI text
//! of 2006, the UCCI 3.0 text of 2007 with ElephantEye, and the source of Fairy-Stockfish 11 to 14.
//!
//! ```
//! use protocol::{Action, Command, Context, Protocol, Reply, Setup};
//! use rules::{Game, Variant};
//!
//! let mut game = Game::new(Variant::builtin("minishogi").expect("minishogi is built in"));
//! let mv = game.parse_move("4e4d").expect("it is a move");
//! game.play(mv);
//! let command = Command::Position(Setup::of(&game, Protocol::Usi.notation(game.variant())));
//! assert_eq!(
//!     command.write(&Context::of(Protocol::Usi, &game)),
//!     "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 4e4d"
//! );
//! let reply = Reply::parse("bestmove 2a3b ponder 3e4d\r\n", Protocol::Usi)?;
//! let Some(Reply::BestMove(best)) = reply else { panic!("it is a move") };
//! assert_eq!(best.action, Action::Move("2a3b".to_owned()));
//! # Ok::<(), protocol::LineError>(())
//! ```

mod command;
mod go;
mod info;
mod option;
mod reply;
mod setup;
mod words;

use std::fmt;
use std::str::FromStr;

use rules::{Color, Game, Notation, Variant};

pub use command::{Command, GameEnd};
pub use go::{Clock, Go, MateLimit};
pub use info::{Bound, Info, Score};
pub use option::{OptionDecl, OptionKind, variant_option};
pub use reply::{Action, BestMove, Checkmate, Reply};
pub use setup::{Setup, SetupError, read_move};
pub use words::LineError;

/// The ranks of the one board that UCCI is made for.
const UCCI_RANKS: usize = 10;

/// A family of lines; the engine answers the one it is greeted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Universal Shogi Interface.
    Usi,
    /// Universal Chess Interface, for any variant.
    Uci,
    /// Universal Chinese Chess Interface.
    Ucci,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 3] = [Protocol::Usi, Protocol::Uci, Protocol::Ucci];

    /// The name, which is also the greeting; the answer to it ends with this and `ok`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Protocol::Usi => "usi",
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
        }
    }

    /// How moves are written, unless an engine is known to do otherwise (some xiangqi engines speak UCI
    /// but count ranks from 0 as in UCCI). UCCI counts from 0 so that ten ranks have one digit each; on
    /// other boards it is as UCI, which is what Fairy-Stockfish does.
    pub fn notation(self, variant: &Variant) -> Notation {
        match self {
            Protocol::Usi => Notation::Usi,
            Protocol::Ucci if variant.ranks() == UCCI_RANKS => Notation::Ucci,
            Protocol::Uci | Protocol::Ucci => Notation::Uci,
        }
    }

    /// How long a mate is counted in: plies in USI, moves of the winner elsewhere.
    const fn counts_plies(self) -> bool {
        matches!(self, Protocol::Usi)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// No protocol has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown protocol `{0}`; known: usi, uci, ucci")]
pub struct UnknownProtocol(pub String);

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Protocol, UnknownProtocol> {
        let found = Protocol::ALL.into_iter().find(|protocol| protocol.as_str() == text);
        found.ok_or_else(|| UnknownProtocol(text.to_owned()))
    }
}

/// What the words of a command mean besides their protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Which words.
    pub protocol: Protocol,
    /// Who is to move in the position set up last: UCCI names the clocks after it, and the one byoyomi
    /// of USI is that player's.
    pub to_move: Color,
    /// UCCI only: times are in milliseconds, as after `setoption usemillisec true`, and not in seconds.
    pub milliseconds: bool,
}

impl Context {
    /// The context of a game's current position, times in milliseconds.
    pub fn of(protocol: Protocol, game: &Game) -> Context {
        Context { protocol, to_move: game.side_to_move(), milliseconds: true }
    }
}
