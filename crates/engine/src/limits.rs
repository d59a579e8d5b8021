//! What ends a search.
//!
//! Invariant: nothing here knows what time it is; all durations count from the start of the search, or
//! from the ponderhit.

use std::time::Duration;

/// When a search ends: at the first limit reached, or before, once its root is proven. Without any
/// limit it goes on until it is stopped, proven, or out of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Simulations of this search, those of a reused tree not counted.
    pub nodes: Option<u64>,
    /// [`Info::depth`](crate::Info::depth), in plies.
    pub depth: Option<u32>,
    /// Time for this move. It is used up, but for the batch in flight.
    pub movetime: Option<Duration>,
    /// The clock of the side to move; [`TimeConfig`](crate::TimeConfig) says how much of it is used.
    /// The search then also ends as soon as its best move cannot change any more.
    pub clock: Option<PlayerClock>,
    /// A mate in at most so many plies is what matters: the search ends when it is found or known not to
    /// be there, and the mate search is not bounded by [`EngineConfig::mate_nodes`](crate::EngineConfig).
    pub mate: Option<u32>,
    /// The answer is held back until the stop, whatever is reached before.
    pub infinite: bool,
    /// The search ponders: until the ponderhit no limit counts, and the answer is held back.
    pub ponder: bool,
}

/// The clock of the side to move as its thinking begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Main time left. Where the increment is added before a move, as in USI, it is part of this.
    pub remaining: Duration,
    /// Added after each move (Fischer); zero for none.
    pub increment: Duration,
    /// Time for each move once the main time is used up, afresh every time; zero for sudden death.
    pub byoyomi: Duration,
    /// Own moves until the clock is filled up again, or the game ends.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// Ends after so many simulations.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Ends after so much time.
    #[must_use]
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }

    /// Shares out the time of a clock.
    #[must_use]
    pub fn clock(clock: PlayerClock) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }
}
