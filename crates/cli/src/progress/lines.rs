//! Progress where there is no terminal: a plain line, or a JSON object a line.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Show, View, Work};

/// Longest time between two lines.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// Lines for a log: one when the work changes, then one each [`HEARTBEAT`].
#[derive(Default)]
pub(super) struct Lines {
    last: Option<(Instant, u32, &'static str)>,
}

impl Lines {
    /// The line that is due now.
    pub(super) fn due(&mut self, view: &View, show: Show) -> Option<String> {
        let (generation, name) = (view.generation, view.work.name());
        // Preparations are told only when they take long.
        let prepares = matches!(view.work, Work::Short(_) | Work::Read { .. });
        let due = self.last.is_none_or(|(at, of, told)| {
            at.elapsed() >= HEARTBEAT || (!prepares && (of, told) != (generation, name))
        });
        if !due {
            return None;
        }
        self.last = Some((Instant::now(), generation, name));
        Some(match show {
            Show::Json => Event::of(view, "progress", None).to_json(),
            _ => plain(view),
        })
    }
}

fn plain(view: &View) -> String {
    let work = format!("{} {}", view.work.name(), view.work.text(false));
    let mut parts = vec![view.run_text(false), work];
    if view.losses.is_some() {
        parts.push(view.net_text(false));
    }
    parts.join(" | ")
}

/// A line of `--json`. Every field is there in every line, null where it does not apply.
#[derive(Serialize)]
pub(super) struct Event<'a> {
    /// `progress`, or `stalled` and `moves` from the watchdog.
    event: &'static str,
    active_seconds: f64,
    budget_seconds: f64,
    generation: u32,
    stage: &'static str,
    /// Share of the stage that is done, 0 to 1.
    done: f64,
    /// Of all generations.
    games: u64,
    positions: u64,
    positions_per_second: Option<f64>,
    evaluations_per_second: Option<f64>,
    step: Option<u64>,
    steps: Option<u64>,
    samples_per_second: Option<f64>,
    opponent: Option<&'a str>,
    loss: Option<f64>,
    policy_loss: Option<f64>,
    wdl_loss: Option<f64>,
    elo: Option<f64>,
    /// Half the 95 % interval.
    elo_error: Option<f64>,
    text: Option<&'a str>,
}

impl<'a> Event<'a> {
    pub(super) fn of(view: &'a View, event: &'static str, text: Option<&'a str>) -> Self {
        let rates = view.work.rates();
        let (step, steps, samples_per_second) = match view.work {
            Work::Train { step, steps, samples_per_second } => {
                (Some(step), Some(steps), Some(samples_per_second))
            }
            _ => (None, None, None),
        };
        let opponent = match &view.work {
            Work::Match { opponent, .. } => Some(opponent.as_str()),
            _ => None,
        };
        let loss = |index: usize| view.losses.map(|losses| losses[index]);
        Self {
            event,
            active_seconds: view.clock.active().as_secs_f64(),
            budget_seconds: view.budget.as_secs_f64(),
            generation: view.generation,
            stage: view.work.name(),
            done: view.work.share() as f64 / 1000.0,
            games: view.games,
            positions: view.positions,
            positions_per_second: rates.map(|[positions, _]| positions),
            evaluations_per_second: rates.map(|[_, evaluations]| evaluations),
            step,
            steps,
            samples_per_second,
            opponent,
            loss: loss(2),
            policy_loss: loss(0),
            wdl_loss: loss(1),
            elo: view.elo.map(|(elo, _)| elo),
            elo_error: view.elo.map(|(_, error)| error),
            text,
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("events are plain data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    fn view(work: Work) -> View {
        View {
            budget: Duration::from_secs(600),
            clock: Clock::start(Duration::from_secs(61)),
            generation: 4,
            games: 1234,
            positions: 56_789,
            elo: Some((190.5, 40.25)),
            work,
            losses: Some([2.0, 0.75, 3.5]),
        }
    }

    fn training() -> View {
        view(Work::Train { step: 5, steps: 20, samples_per_second: 100.0 })
    }

    #[test]
    fn a_line_when_the_work_changes_and_not_for_preparations() {
        let mut lines = Lines::default();
        let first = lines.due(&view(Work::short("opening the run")), Show::Plain).unwrap();
        assert!(first.contains("opening the run"), "{first}");
        let train = lines.due(&training(), Show::Plain).unwrap();
        assert!(train.contains(" left of 10:00 · generation 4 · 1,234 games | train"), "{train}");
        assert!(train.contains("step 5/20") && train.contains("Elo +190 ±40 · loss 3.50"));
        assert_eq!(lines.due(&training(), Show::Plain), None);
        assert_eq!(lines.due(&view(Work::short("writing checkpoint 5")), Show::Plain), None);
        let next = View { generation: 5, ..training() };
        assert!(lines.due(&next, Show::Plain).is_some());
    }

    #[test]
    fn a_line_at_least_each_half_minute() {
        let old = Instant::now().checked_sub(HEARTBEAT);
        let mut lines = Lines { last: old.map(|at| (at, 4, "train")) };
        assert!(lines.due(&training(), Show::Plain).is_some());
        assert!(lines.due(&training(), Show::Plain).is_none());
    }

    #[test]
    fn events_have_every_field() {
        let line = Lines::default().due(&training(), Show::Json).unwrap();
        let event: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(event["event"], "progress");
        assert_eq!((&event["step"], &event["steps"]), (&5.into(), &20.into()));
        assert_eq!(event["done"], 0.25);
        assert_eq!(event["loss"], 3.5);
        assert_eq!(event["elo_error"], 40.25);
        let playing = view(Work::short("opening the run"));
        let other: serde_json::Value =
            serde_json::from_str(&playing.event("stalled", "x")).unwrap();
        let keys = |event: &serde_json::Value| {
            event.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(keys(&event), keys(&other));
        assert!(other["step"].is_null() && other["text"] == "x");
    }
}
