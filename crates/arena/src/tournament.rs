//! Plays a tournament: many games at once on long-lived threads.
//!
//! Invariant: a game depends only on its [`GameId`](crate::GameId), the seed and the players, so that
//! the results are the same for any number of threads and for any interruptions (where players are: an
//! outside program and a measured time are not).

mod coordinator;
mod worker;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rules::{IllegalMove, Seed, Variant};

use crate::adjudication::Adjudication;
use crate::clock::Limits;
use crate::opening::Opening;
use crate::player::{PlayerError, PlayerFactory};
use crate::referee::GameResult;
use crate::schedule::Schedule;
use crate::stats::Pentanomial;
use coordinator::Coordinator;
use worker::Worker;

/// Who takes part.
pub struct Entrant<'a> {
    /// Its name in messages.
    pub name: String,
    /// What it may spend.
    pub limits: Limits,
    /// Whether it plays one game at a time on each thread, as outside programs and players with clocks
    /// do; otherwise the games of a thread share batches.
    pub alone: bool,
    /// Makes it anew, once on every thread that needs it.
    pub make: Box<PlayerFactory<'a>>,
}

/// Time since some moment, for players with clocks.
pub type Now<'a> = dyn Fn() -> Duration + Sync + 'a;
/// Whether a meeting is decided by the pairs so far.
pub type Decided<'a> = dyn Fn(&Pentanomial) -> bool + Sync + 'a;

/// What to play.
pub struct Tournament<'a> {
    /// The game.
    pub variant: Arc<Variant>,
    /// The players, by number.
    pub entrants: Vec<Entrant<'a>>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// One for each pair of a meeting, in turn; it begins again where there are too few.
    pub openings: Vec<Opening>,
    /// When the referee ends a game.
    pub adjudication: Adjudication,
    /// Origin of all chance.
    pub seed: Seed,
    /// Most games a thread plays at the same time; the batch of a net is at most this large.
    pub games_in_flight: NonZeroUsize,
    /// Ends a meeting: asked after every pair, with all pairs of the two up to it, seen from the first.
    pub decided: Option<Box<Decided<'a>>>,
    /// Measures the moves of players with clocks that do not do it themselves.
    pub now: &'a Now<'a>,
}

/// Games that a thread plays at the same time unless a tournament says otherwise.
pub const GAMES_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(64).expect("64 is not 0");

/// A tournament could not be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A player can play no game.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An opening has an illegal move.
    #[error("opening {opening}, ply {ply}: {source}")]
    Opening {
        /// Index of the opening.
        opening: usize,
        /// Plies played before.
        ply: usize,
        /// Why it is illegal.
        source: IllegalMove,
    },
    /// A thread panicked; the panic has been reported by the panic hook.
    #[error("a thread of the tournament panicked")]
    WorkerPanicked,
}

impl Tournament<'_> {
    /// Plays all games that are not among `played` on `workers` threads; returns all of both, sorted
    /// by pair and game. Of a meeting that a test has decided only the pairs up to the decision are
    /// there, whatever was played beside them.
    ///
    /// `on_game` is called for every finished game, on the thread that played it, in no fixed order.
    /// Once `stop` is set no further move is played.
    ///
    /// # Errors
    /// The first failure of a player or an opening; the other threads stop at once.
    pub fn play(
        &self,
        played: Vec<GameResult>,
        workers: NonZeroUsize,
        on_game: &(dyn Fn(&GameResult) + Sync),
        stop: &AtomicBool,
    ) -> Result<Vec<GameResult>, TournamentError> {
        let coordinator = Coordinator::new(self, played, workers.get());
        // Raised also when a thread fails, for the players that the others are asking.
        let halt = Halt { stop, failed: AtomicBool::new(false) };
        thread::scope(|scope| {
            let work = || {
                let result = Worker::new(self, &coordinator, &halt, on_game).run();
                if result.is_err() {
                    halt.failed.store(true, Ordering::Relaxed);
                }
                result
            };
            let threads: Vec<_> = (0..workers.get()).map(|_| scope.spawn(work)).collect();
            let joined: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
            joined
                .into_iter()
                .try_for_each(|result| result.map_err(|_| TournamentError::WorkerPanicked)?)
        })?;
        Ok(coordinator.into_games())
    }
}

/// Why to stop.
struct Halt<'a> {
    stop: &'a AtomicBool,
    failed: AtomicBool,
}

impl Halt<'_> {
    fn raised(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
