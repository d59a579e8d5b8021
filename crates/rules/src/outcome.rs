//! How a game ended.

use std::fmt;
use std::str::FromStr;

use crate::types::Color;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; `None` is a draw (or a record that simply stops).
    pub winner: Option<Color>,
    /// Why it ended.
    pub termination: Termination,
}

macro_rules! terminations {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Why a game ended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Termination {
            $($(#[$doc])* $name,)*
        }

        impl Termination {
            /// All of them, in the order of the declaration.
            pub const ALL: &'static [Termination] = &[$(Termination::$name,)*];

            /// The name used in records and on the command line.
            pub const fn as_str(self) -> &'static str {
                match self { $(Termination::$name => $text,)* }
            }
        }
    };
}

terminations! {
    /// No legal move, in check.
    Checkmate = "checkmate",
    /// No legal move, not in check.
    Stalemate = "stalemate",
    /// The king was taken (games in which it can be).
    KingCaptured = "king_captured",
    /// The king reached its goal.
    Try = "try",
    /// The same position too often.
    Repetition = "repetition",
    /// The same position too often, by nothing but checks.
    PerpetualCheck = "perpetual_check",
    /// Both kings have entered; points were counted.
    Impasse = "impasse",
    /// The winner declared.
    Declaration = "declaration",
    /// The loser declared without the points for it.
    FalseDeclaration = "false_declaration",
    /// Too long without a capture.
    NoCaptureLimit = "no_capture_limit",
    /// The game reached its greatest length.
    MoveLimit = "move_limit",
    /// The players agreed.
    Agreement = "agreement",
    /// The loser gave up.
    Resignation = "resignation",
    /// The loser played an illegal move.
    IllegalMove = "illegal_move",
    /// The loser ran out of time.
    Time = "time",
    /// The loser's program ended.
    Crash = "crash",
    /// The loser's program stopped answering.
    Stall = "stall",
    /// The loser's program closed the connection.
    Disconnect = "disconnect",
    /// The loser's program wrote what is no answer, or without end.
    Junk = "junk",
    /// The referee ended a decided game.
    Adjudication = "adjudication",
    /// The record stops.
    Interrupted = "interrupted",
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No termination has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown termination `{0}`")]
pub struct UnknownTermination(pub String);

impl FromStr for Termination {
    type Err = UnknownTermination;

    fn from_str(text: &str) -> Result<Termination, UnknownTermination> {
        let found = Termination::ALL.iter().find(|termination| termination.as_str() == text);
        found.copied().ok_or_else(|| UnknownTermination(text.to_owned()))
    }
}
