//! What a program is told before it thinks, and what it says of its thoughts.

use std::time::Duration;

use protocol::{Go, Info, Protocol, Score as Told};

use crate::clock::{Clock, TimeControl};
use crate::player::{Action, Answer, Turn};
use crate::score::Score;

/// What a program said while it thought.
#[derive(Default)]
pub(super) struct Heard {
    score: Option<Told>,
    nodes: Option<u64>,
}

impl Heard {
    /// Of several lines only the best counts.
    pub(super) fn note(&mut self, info: Info) {
        self.nodes = info.nodes.or(self.nodes);
        if info.multipv.is_none_or(|number| number == 1) {
            self.score = info.score.or(self.score);
        }
    }

    pub(super) fn answer(self, action: Action, elapsed: Duration) -> Answer {
        let score = self.score.map(|told| match told {
            Told::Cp(centipawns) => Score::Centipawns(centipawns),
            Told::Mate { wins: true, plies } => Score::Mates(plies),
            Told::Mate { wins: false, plies } => Score::Mated(plies),
        });
        Answer { score, nodes: self.nodes, elapsed: Some(elapsed), ..Answer::of(action) }
    }
}

/// What the program is told of its limits. Many programs for USI do not know `movetime`: a time for one
/// move is a byoyomi there.
pub(super) fn go(turn: &Turn<'_>, protocol: Protocol) -> Go {
    let own = turn.game.side_to_move().index();
    let control = turn.clocks[own].control();
    let move_time = match control {
        Some(TimeControl::Move(time)) if protocol != Protocol::Usi => Some(time),
        _ => None,
    };
    // A player without a clock is said to have what the other has.
    let shown = |clock: Clock| if clock.control().is_some() { clock } else { turn.clocks[own] };
    let clocks = turn.clocks.map(|clock| told(shown(clock)));
    Go {
        clocks: (control.is_some() && move_time.is_none()).then_some(clocks),
        move_time,
        nodes: turn.limits.nodes,
        depth: turn.limits.depth,
        ..Go::default()
    }
}

fn told(clock: Clock) -> protocol::Clock {
    let remaining = clock.left();
    let (byoyomi, increment) = match clock.control() {
        Some(TimeControl::Game { byoyomi, increment, .. }) => (byoyomi, increment),
        Some(TimeControl::Move(time)) => (time, Duration::ZERO),
        None => (Duration::ZERO, Duration::ZERO),
    };
    protocol::Clock { remaining, increment, byoyomi }
}
