//! Time: what a player may spend, and what its clock shows.

use std::time::Duration;

/// How a player's time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A clock for the whole game: `main` first, then `byoyomi` anew for every move; `increment` is
    /// added after every move. With neither it is sudden death.
    Game {
        /// Shown at the start of the game.
        main: Duration,
        /// For every move after `main` is used up.
        byoyomi: Duration,
        /// Gained by every move.
        increment: Duration,
    },
    /// So much for every move; what is left of it is lost.
    Move(Duration),
}

/// What a player may spend. What is `None` has no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Its clock.
    pub time: Option<TimeControl>,
    /// Nodes of a move, or simulations of a tree search.
    pub nodes: Option<u64>,
    /// Plies of a move's search.
    pub depth: Option<u32>,
    /// By how much the clock may be overrun before the game is lost, for the delays of a busy machine.
    pub margin: Duration,
}

/// A player's clock in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    control: Option<TimeControl>,
    left: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: Option<TimeControl>) -> Clock {
        let left = match control {
            Some(TimeControl::Game { main, .. }) => main,
            _ => Duration::ZERO,
        };
        Clock { control, left }
    }

    /// How it counts; `None`: not at all.
    pub fn control(&self) -> Option<TimeControl> {
        self.control
    }

    /// Main time left, increments included; zero where a clock has none.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// The longest that the next move may take; `None`: for ever.
    pub fn available(&self) -> Option<Duration> {
        match self.control? {
            TimeControl::Game { byoyomi, .. } => Some(self.left + byoyomi),
            TimeControl::Move(time) => Some(time),
        }
    }

    /// Counts a move that took `elapsed`; `false` if that was more than [`Clock::available`] and
    /// `margin` together.
    pub fn charge(&mut self, elapsed: Duration, margin: Duration) -> bool {
        let in_time = self.available().is_none_or(|available| elapsed <= available + margin);
        if let Some(TimeControl::Game { increment, .. }) = self.control {
            self.left = self.left.saturating_sub(elapsed) + increment;
        }
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn game(main: u64, byoyomi: u64, increment: u64) -> Clock {
        let (main, byoyomi, increment) = (ms(main), ms(byoyomi), ms(increment));
        Clock::new(Some(TimeControl::Game { main, byoyomi, increment }))
    }

    #[test]
    fn byoyomi_begins_afresh_for_every_move() {
        let mut clock = game(1000, 300, 0);
        assert!(clock.charge(ms(900), ms(0)));
        assert_eq!((clock.left(), clock.available()), (ms(100), Some(ms(400))));
        assert!(clock.charge(ms(400), ms(0)), "the rest and all of the byoyomi");
        assert_eq!((clock.left(), clock.available()), (ms(0), Some(ms(300))));
        assert!(clock.charge(ms(300), ms(0)));
        assert!(!clock.charge(ms(301), ms(0)));
    }

    #[test]
    fn increments_add_up() {
        let mut clock = game(100, 0, 50);
        assert!(clock.charge(ms(100), ms(0)));
        assert_eq!(clock.left(), ms(50));
        assert!(clock.charge(ms(10), ms(0)));
        assert_eq!(clock.left(), ms(90));
    }

    #[test]
    fn sudden_death_and_the_margin() {
        let mut clock = game(100, 0, 0);
        assert!(clock.charge(ms(100), ms(0)));
        assert!(clock.charge(ms(12), ms(12)), "a delay within the margin");
        assert!(!clock.charge(ms(13), ms(12)));
    }

    #[test]
    fn a_fixed_time_is_not_kept() {
        let mut clock = Clock::new(Some(TimeControl::Move(ms(50))));
        assert!(clock.charge(ms(1), ms(0)));
        assert_eq!(clock.available(), Some(ms(50)));
        assert!(!clock.charge(ms(51), ms(0)));
    }

    #[test]
    fn no_clock_never_runs_out() {
        let mut clock = Clock::new(None);
        assert!(clock.charge(Duration::MAX, ms(0)));
        assert_eq!(clock.available(), None);
    }
}
