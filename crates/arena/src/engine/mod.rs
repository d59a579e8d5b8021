//! Outside programs as players, over USI, UCI or UCCI.
//!
//! An [`EnginePlayer`] starts its program when the first game needs it, keeps it for the games that
//! follow, and starts it again, with growing pauses, when it has failed. Whatever the program does ends
//! in a move or in a [`Failure`](crate::Failure) that loses the one game:
//!
//! | the program | kind | then |
//! |---|---|---|
//! | ends | crash | started again |
//! | closes its output and lives on | disconnect | started again |
//! | gives no answer: to the greeting or `isready` within the start limit; to `go` neither within its time (the stall limit where there is none) nor to the `stop` that follows | stall | started again |
//! | moves after the stall limit, on `stop` | stall | goes on |
//! | moves too late, by itself or on `stop` | time | goes on |
//! | writes more than 64 MiB between two commands | junk | started again |
//! | answers `go` with something else than a move | junk | started again |
//! | names a move that does not exist, or none where there are some | illegal | goes on |
//!
//! Where kings may be captured and one can be, it is taken without asking the program, for programs play
//! such games to the mate and have no word for what follows it.
//!
//! A move that exists is for the referee to judge, as is a declaration (`bestmove win`). Lines that are
//! none of the protocol are passed over, as every front end does; lines of more than 64 KiB too.
//!
//! The clock runs from the moment at which `go` is written to that at which `bestmove` is read, in
//! real time: this module is the one below the command line that reads a clock.

mod descendants;
mod lines;
mod log;
mod options;
mod player;
mod process;
mod session;
mod thought;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use protocol::Protocol;
use rules::{Notation, Variant};

pub use player::EnginePlayer;

/// How to start and to speak with a program. Nothing of the environment is changed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The executable: a path, or a name to be found in `PATH`.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs; `None`: where we do.
    pub directory: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// How it writes moves; `None`: as the protocol does. Some xiangqi programs speak UCI with UCCI's
    /// squares.
    pub notation: Option<Notation>,
    /// The program's name for the game; `None`: the id of the variant. Said only to programs that let
    /// the game be chosen.
    pub variant: Option<String>,
    /// Options to set, by name. Case, and `_` for a blank, do not matter; an option that the program
    /// does not announce, or a value that it does not allow, is an error. The value of a button is empty.
    pub options: BTreeMap<String, String>,
    /// A folder for what is said: each start of the program makes a file in it, `PROCESS.log`, with a
    /// line for each line written (`<`) and read (`>`), and when. At most 64 MiB each.
    pub log: Option<PathBuf>,
    /// How long it may take to read a command, to answer the greeting, and `isready` before every game.
    pub start_limit: Duration,
    /// How long it may think where neither a clock nor a time for the move ends it.
    pub stall_limit: Duration,
    /// How long it may take to end by itself before it is killed.
    pub quit_limit: Duration,
}

impl EngineSpec {
    /// A program without arguments and options, with the usual limits: 10 s to start, 60 s without a
    /// clock, 2 s to quit.
    pub fn new(command: impl Into<PathBuf>, protocol: Protocol) -> EngineSpec {
        EngineSpec {
            command: command.into(),
            args: Vec::new(),
            directory: None,
            protocol,
            notation: None,
            variant: None,
            options: BTreeMap::new(),
            log: None,
            start_limit: Duration::from_secs(10),
            stall_limit: Duration::from_secs(60),
            quit_limit: Duration::from_secs(2),
        }
    }

    /// How it writes moves.
    pub fn notation(&self, variant: &Variant) -> Notation {
        self.notation.unwrap_or(self.protocol.notation(variant))
    }

    /// Starts the program, sets its options, and ends it, to know before a tournament whether that
    /// works; the name it gives itself.
    ///
    /// # Errors
    /// Why it cannot play: no such program, no answer, no such option, no such game.
    pub fn probe(&self, variant: &Variant) -> Result<String, EngineError> {
        let never = AtomicBool::new(false);
        let broken = |broken: session::Broken| broken.into_error(self);
        let mut session =
            session::Session::start(Arc::new(self.clone()), variant, &never).map_err(broken)?;
        session.new_game(&never).map_err(broken)?;
        let name = session.name().to_owned();
        session.quit();
        Ok(name)
    }
}

/// A program cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine {command}: {reason}")]
pub struct EngineError {
    /// The executable.
    pub command: String,
    /// What is wrong.
    pub reason: String,
}
