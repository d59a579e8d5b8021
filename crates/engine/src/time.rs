//! How much of a clock one move may use.
//!
//! Invariant: no allotment is greater than what the clock gives for this move less the margin.

use std::time::Duration;

use crate::limits::PlayerClock;

/// Tells the time. The search itself has no clock; whoever owns it hands one in.
pub trait Clock: Send + Sync {
    /// The time since a moment that stays the same; never less than at an earlier call.
    fn now(&self) -> Duration;
}

/// How a clock is shared out over the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeConfig {
    /// Kept back for the way of the answer to the clock, once a move.
    pub margin: Duration,
    /// The main time is planned to last for so many own moves from here on; at least 1.
    pub horizon: u32,
    /// An unsettled search goes on up to so many times its target; at least 1.
    pub stretch: f64,
}

impl Default for TimeConfig {
    /// 50 ms, 30 moves, three times.
    fn default() -> Self {
        Self { margin: Duration::from_millis(50), horizon: 30, stretch: 3.0 }
    }
}

/// Time for one move, from the start of the thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// A settled search ends here.
    pub target: Duration,
    /// Any search ends here; at least the target.
    pub maximum: Duration,
}

impl Allotment {
    /// Exactly so much.
    #[must_use]
    pub fn fixed(time: Duration) -> Self {
        Self { target: time, maximum: time }
    }

    /// The same, but no more than `time`.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Self {
        Self { target: self.target.min(time), maximum: self.maximum.min(time) }
    }
}

impl TimeConfig {
    /// The time for a move. With R the main time less the margin and M the own moves it shall last
    /// for (the horizon, or fewer where the clock is filled up before):
    ///
    /// - target = R / M + increment + byoyomi: at a steady pace the increments keep the clock where it
    ///   is, and the byoyomi, which comes afresh every move, is never saved;
    /// - maximum = target * stretch, for the last of the M moves all there is;
    /// - both are at most main time + byoyomi - margin.
    #[must_use]
    pub fn allot(&self, clock: &PlayerClock) -> Allotment {
        let whole = clock.remaining.saturating_add(clock.byoyomi).saturating_sub(self.margin);
        let moves = self.horizon.min(clock.moves_to_go.unwrap_or(u32::MAX)).max(1);
        let main = clock.remaining.saturating_sub(self.margin) / moves;
        let target = main.saturating_add(clock.increment).saturating_add(clock.byoyomi).min(whole);
        let stretched = target.as_secs_f64() * self.stretch.max(1.0);
        let stretched = Duration::try_from_secs_f64(stretched).unwrap_or(Duration::MAX);
        let maximum = if moves == 1 { whole } else { stretched.clamp(target, whole) };
        Allotment { target, maximum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: TimeConfig =
        TimeConfig { margin: Duration::from_millis(50), horizon: 20, stretch: 3.0 };

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(remaining: u64, increment: u64, byoyomi: u64) -> PlayerClock {
        let (remaining, increment, byoyomi) = (ms(remaining), ms(increment), ms(byoyomi));
        PlayerClock { remaining, increment, byoyomi, moves_to_go: None }
    }

    fn allotted(clock: PlayerClock) -> (u128, u128) {
        let Allotment { target, maximum } = CONFIG.allot(&clock);
        (target.as_millis(), maximum.as_millis())
    }

    #[test]
    fn sudden_death_is_spread_over_the_horizon() {
        assert_eq!(allotted(clock(60_050, 0, 0)), (3_000, 9_000));
        assert_eq!(allotted(clock(1_050, 0, 0)), (50, 150));
    }

    #[test]
    fn increments_are_spent_as_they_come() {
        assert_eq!(allotted(clock(60_050, 2_000, 0)), (5_000, 15_000));
        // More comes than is there: only what is there counts.
        assert_eq!(allotted(clock(1_050, 2_000, 0)), (1_000, 1_000));
    }

    #[test]
    fn byoyomi_is_never_saved() {
        assert_eq!(allotted(clock(0, 0, 10_000)), (9_950, 9_950));
        assert_eq!(allotted(clock(60_050, 0, 10_000)), (13_000, 39_000));
        assert_eq!(allotted(clock(2_050, 0, 10_000)), (10_100, 12_000));
    }

    #[test]
    fn the_last_move_of_a_period_may_use_it_up() {
        let last = PlayerClock { moves_to_go: Some(1), ..clock(10_050, 0, 0) };
        assert_eq!(allotted(last), (10_000, 10_000));
        let third = PlayerClock { moves_to_go: Some(4), ..clock(10_050, 0, 0) };
        assert_eq!(allotted(third), (2_500, 7_500));
    }

    #[test]
    fn nothing_left_is_nothing_allotted() {
        for gone in [clock(0, 0, 0), clock(1, 0, 0), clock(50, 0, 0), clock(0, 5_000, 0)] {
            assert_eq!(CONFIG.allot(&gone), Allotment::fixed(Duration::ZERO), "{gone:?}");
        }
        let none = PlayerClock { moves_to_go: Some(0), ..clock(1, 0, 0) };
        assert_eq!(CONFIG.allot(&none), Allotment::fixed(Duration::ZERO));
    }

    #[test]
    fn no_clock_is_overdrawn() {
        let times = [0, 1, 2, 49, 50, 51, 100, 999, 10_000, 3_600_000, u64::MAX / 2];
        let configs =
            [CONFIG, TimeConfig::default(), TimeConfig { horizon: 0, stretch: 0.0, ..CONFIG }];
        for config in configs {
            for remaining in times {
                for increment in times {
                    for byoyomi in times {
                        for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                            let clock =
                                PlayerClock { moves_to_go, ..clock(remaining, increment, byoyomi) };
                            let Allotment { target, maximum } = config.allot(&clock);
                            let whole = clock.remaining.saturating_add(clock.byoyomi);
                            assert!(
                                target <= maximum && maximum <= whole.saturating_sub(config.margin)
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_whole_game_at_target_pace_stays_on_the_clock() {
        for (increment, byoyomi) in [(0, 0), (1_000, 0), (0, 1_000)] {
            let mut left = ms(30_000);
            for _ in 0..500 {
                let clock = PlayerClock { remaining: left, ..clock(0, increment, byoyomi) };
                let used = CONFIG.allot(&clock).maximum + CONFIG.margin / 2;
                assert!(used <= left + clock.byoyomi || left + clock.byoyomi < CONFIG.margin);
                left = left.saturating_sub(used) + clock.increment;
            }
        }
    }
}
