//! What a run can be busy with: how it is shown, and how one sees that it moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use selfplay::Counters;

use super::share;
use crate::text::thousands;

/// A count that other threads raise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Counts `more`.
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// What the run is doing now.
pub(crate) enum Work {
    /// Something short without parts, named as in "it is …".
    Short(String),
    /// Reading files, named; those read and all.
    Read { what: &'static str, read: Meter, all: u64 },
    /// Playing until `goal` positions more are recorded.
    SelfPlay { counters: Arc<Counters>, since: Instant, goal: u64 },
    /// Training.
    Train { step: u64, steps: u64, samples_per_second: f64 },
    /// Playing a match: the opponent, games done and to do, score of the run's player, moves.
    Match { opponent: String, played: u32, games: u32, score: f64, moves: Meter },
}

impl Work {
    /// Something short.
    pub(crate) fn short(what: impl Into<String>) -> Self {
        Self::Short(what.into())
    }

    /// The kind of work, in a word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Short(_) | Self::Read { .. } => "prepare",
            Self::SelfPlay { .. } => "self-play",
            Self::Train { .. } => "train",
            Self::Match { .. } => "match",
        }
    }

    /// The work, distinct from what comes before and after it.
    pub(super) fn stage(&self) -> String {
        match self {
            Self::Short(what) => what.clone(),
            Self::Read { what, .. } => format!("reading {what}"),
            Self::SelfPlay { .. } | Self::Train { .. } => self.name().to_owned(),
            Self::Match { opponent, .. } => format!("match against {opponent}"),
        }
    }

    /// Grows with everything that gets done.
    pub(super) fn counter(&self) -> u64 {
        match self {
            Self::Short(_) => 0,
            Self::Read { read, .. } => read.count(),
            Self::SelfPlay { counters, .. } => {
                counters.evaluations() + counters.positions() + counters.games()
            }
            Self::Train { step, .. } => *step,
            Self::Match { played, moves, .. } => u64::from(*played) + moves.count(),
        }
    }

    /// What must happen for the counter to grow.
    pub(super) fn waits_for(&self) -> String {
        match self {
            Self::Short(_) => "its end".to_owned(),
            Self::Read { read, all, .. } => format!("file {} of {all}", read.count() + 1),
            Self::SelfPlay { counters, .. } => format!(
                "an evaluation or a position after {} and {}",
                thousands(counters.evaluations()),
                thousands(counters.positions())
            ),
            Self::Train { step, steps, .. } => {
                format!("step {} of {}", thousands(step + 1), thousands(*steps))
            }
            Self::Match { played, games, moves, .. } => {
                format!("a move, after {} and {played} of {games} games", thousands(moves.count()))
            }
        }
    }

    /// Thousandths done.
    pub(super) fn share(&self) -> u64 {
        match self {
            Self::Short(_) => 0,
            Self::Read { read, all, .. } => share(read.count() as f64, *all as f64),
            Self::SelfPlay { counters, goal, .. } => {
                share(counters.positions() as f64, *goal as f64)
            }
            Self::Train { step, steps, .. } => share(*step as f64, *steps as f64),
            Self::Match { played, games, .. } => share(f64::from(*played), f64::from(*games)),
        }
    }

    /// Positions and evaluations a second of self-play, once there is something to measure.
    pub(super) fn rates(&self) -> Option<[f64; 2]> {
        let Self::SelfPlay { counters, since, .. } = self else { return None };
        let seconds = since.elapsed().as_secs_f64();
        let counts = [counters.positions(), counters.evaluations()];
        (seconds >= 0.5).then(|| counts.map(|count| count as f64 / seconds))
    }

    /// Details; `short` for a narrow terminal.
    pub(super) fn text(&self, short: bool) -> String {
        match self {
            Self::Short(what) => what.clone(),
            Self::Read { what, read, all } => {
                format!("reading {what}: {} of {}", thousands(read.count()), thousands(*all))
            }
            Self::SelfPlay { counters, goal, .. } => match self.rates() {
                None => format!("{} positions to record", thousands(*goal)),
                Some([positions, evaluations]) => {
                    let [positions, evaluations] =
                        [positions, evaluations].map(|rate| thousands(rate as u64));
                    let fill = counters.batch_fill() * 100.0;
                    match short {
                        true => format!("{positions} pos/s · {evaluations} eval/s"),
                        false => format!(
                            "{positions} positions/s · {evaluations} eval/s · batch {fill:.0} %"
                        ),
                    }
                }
            },
            Self::Train { step, steps, samples_per_second } => {
                let rate = thousands(*samples_per_second as u64);
                format!("step {}/{} · {rate} samples/s", thousands(*step), thousands(*steps))
            }
            Self::Match { opponent, played, games, score, .. } => {
                let score = match played {
                    0 => String::new(),
                    _ => format!(" · score {:.0} %", score * 100.0),
                };
                format!("{opponent} · game {played}/{games}{score}")
            }
        }
    }
}
