//! The ways to misbehave.

use std::str::FromStr;

macro_rules! behaviours {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Behaviour {
            $($(#[$doc])* $name,)*
        }

        impl FromStr for Behaviour {
            type Err = ();

            fn from_str(text: &str) -> Result<Behaviour, ()> {
                match text { $($text => Ok(Behaviour::$name),)* _ => Err(()) }
            }
        }

        impl Behaviour {
            /// All names.
            pub(crate) fn names() -> String {
                [$($text),*].join(", ")
            }
        }
    };
}

behaviours! {
    /// Plays properly.
    Good = "good",
    /// Plays properly, with blank lines, a banner, carriage returns and a byte order mark before.
    BlankLines = "blank-lines",
    /// Takes two seconds for `readyok`.
    SlowReady = "slow-ready",
    /// Resigns if the other's clock shows more than its own.
    Clock = "clock",
    /// Gives a second, illegal `bestmove` behind the first.
    Twice = "twice",
    /// Ends with status 3 before it is greeted.
    CrashAtStart = "crash-at-start",
    /// Never says anything.
    SilentAtStart = "silent-at-start",
    /// Says something that is no protocol.
    OtherProtocol = "other-protocol",
    /// Ends with status 3 when it is to move.
    CrashInGame = "crash-in-game",
    /// Is ended by a signal when it is to move.
    Abort = "abort",
    /// Never moves, whatever it is told.
    Hang = "hang",
    /// Moves only when it is told to stop.
    OnlyAfterStop = "only-after-stop",
    /// Moves half a second after it was asked.
    Late = "late",
    /// Has no move.
    NoMove = "no-move",
    /// Gives up.
    Resign = "resign",
    /// Declares that it has won.
    Win = "win",
    /// Moves its king to where it stands.
    Illegal = "illegal",
    /// Names a move that is none.
    Unreadable = "unreadable",
    /// Answers another question.
    Mate = "mate",
    /// Answers with bytes that are no text.
    InvalidUtf8 = "invalid-utf8",
    /// Writes 100 MB of lines.
    Flood = "flood",
    /// Writes 100 MB without the end of a line.
    FloodWithoutLines = "flood-without-lines",
    /// Writes 10 MB in long lines, and then moves.
    FloodAndMove = "flood-and-move",
    /// Closes its output and lives on.
    Close = "close",
    /// Lives on after `quit` and the end of its input.
    IgnoreQuit = "ignore-quit",
    /// Plays properly and has a child.
    Fork = "fork",
    /// The same, and the child leaves the session.
    ForkApart = "fork-apart",
    /// Has a child and ends when it is to move.
    ForkAndDie = "fork-and-die",
    /// Does nothing: a child of `fork`.
    Sleep = "sleep",
    /// The same in a session of its own.
    SleepApart = "sleep-apart",
}
