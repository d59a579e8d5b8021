//! Telling a search that runs.
//!
//! Invariant: a command reaches the search it was made for and no other, so that one that comes late
//! does nothing, and one that comes early is not lost.

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::limits::Limits;

/// What a running search may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Answer now.
    Stop,
    /// The expected move was played: the clock runs from now on, under other limits if some are given.
    PonderHit(Option<Limits>),
}

/// A handle to one search, for other threads. Clones tell the same search.
#[derive(Clone, Debug)]
pub struct Control(Sender<Command>);

/// The other end, for [`Engine::search`](crate::Engine::search).
#[derive(Debug)]
pub struct Commands(pub(crate) Receiver<Command>);

/// A handle for a search to come, and the end that the search gets.
#[must_use]
pub fn control() -> (Control, Commands) {
    let (sender, receiver) = unbounded();
    (Control(sender), Commands(receiver))
}

impl Control {
    /// The search answers once the batches in flight are back. A search that has ended takes no notice.
    pub fn stop(&self) {
        self.send(Command::Stop);
    }

    /// The move that was pondered on has been played: time counts from now on. `limits` replace those
    /// that the search began with.
    pub fn ponderhit(&self, limits: Option<Limits>) {
        self.send(Command::PonderHit(limits));
    }

    fn send(&self, command: Command) {
        // A search that is over has dropped its end.
        let _ = self.0.send(command);
    }
}
