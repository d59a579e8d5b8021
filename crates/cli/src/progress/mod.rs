//! What a person sees while a run goes on: three bars on a terminal, else a line at times.
//!
//! The run states facts into a [`View`]; a thread of its own draws them, so that nothing here can
//! slow the work down.

mod bars;
mod lines;
mod work;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::output::{self, on_terminal};
use crate::text::{clock, thousands};
use crate::watchdog::Mark;
use bars::{Bars, Texts};
use lines::{Event, Lines};
pub(crate) use work::{Meter, Work};

/// Time between two drawings of the bars.
const REDRAW: Duration = Duration::from_millis(200);
/// How long the end of a run waits for the terminal.
const PATIENCE: Duration = Duration::from_secs(1);

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// Nothing.
    Nothing,
    /// Bars on a terminal, elsewhere a plain line at times.
    Plain,
    /// Bars on a terminal, elsewhere a JSON object a line.
    Json,
}

impl Show {
    /// What the options `--quiet` and `--json` mean here.
    pub(crate) fn new(quiet: bool, json: bool) -> Self {
        match (quiet, json) {
            (true, _) => Self::Nothing,
            (false, true) => Self::Json,
            (false, false) => Self::Plain,
        }
    }
}

/// What to show.
pub(crate) struct View {
    pub(crate) budget: Duration,
    pub(crate) clock: Clock,
    pub(crate) generation: u32,
    /// Finished games and their positions, all generations.
    pub(crate) games: u64,
    pub(crate) positions: u64,
    /// Rating of the newest rated generation and half its 95 % interval; generation 0 is 0.
    pub(crate) elo: Option<(f64, f64)>,
    pub(crate) work: Work,
    /// Losses of the latest training steps: policy, WDL, total.
    pub(crate) losses: Option<[f64; 3]>,
}

/// The drawing thread and its view.
pub(crate) struct Progress {
    view: Arc<Mutex<View>>,
    show: Show,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to draw.
    pub(crate) fn start(view: View, show: Show) -> Self {
        let view = Arc::new(Mutex::new(view));
        let done = Arc::new(AtomicBool::new(false));
        let thread = (show != Show::Nothing).then(|| {
            let (view, done) = (Arc::clone(&view), Arc::clone(&done));
            thread::spawn(move || draw(&view, show, &done))
        });
        Self { view, show, done, thread }
    }

    /// The facts, to change them. Hold it shortly.
    pub(crate) fn view(&self) -> MutexGuard<'_, View> {
        lock(&self.view)
    }

    /// The facts, for another thread.
    pub(crate) fn shared(&self) -> Arc<Mutex<View>> {
        Arc::clone(&self.view)
    }

    /// Tells something beside the progress, unless nothing is to be shown.
    pub(crate) fn note(&self, text: &str) {
        if self.show != Show::Nothing {
            output::note(text);
        }
    }

    /// How much is shown.
    pub(crate) fn show(&self) -> Show {
        self.show
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let end = Instant::now() + PATIENCE;
            while !thread.is_finished() && Instant::now() < end {
                thread::sleep(Duration::from_millis(5)); // The last drawing.
            }
            // On a terminal on hold it would wait for ever; a panic in it spoils only the view.
        }
    }
}

/// The facts, whatever became of the thread that changed them last.
pub(crate) fn lock(view: &Mutex<View>) -> MutexGuard<'_, View> {
    view.lock().unwrap_or_else(PoisonError::into_inner)
}

fn draw(view: &Mutex<View>, show: Show, done: &AtomicBool) {
    if !on_terminal() {
        let mut lines = Lines::default();
        while !done.load(Relaxed) {
            if let Some(line) = lines.due(&lock(view), show) {
                output::line(line);
            }
            thread::park_timeout(REDRAW);
        }
        return;
    }
    let mut bars = Bars::new();
    while !done.load(Relaxed) {
        let width = bars.width();
        let texts = Texts::of(&lock(view), width);
        bars.draw(texts); // Unlocked: a terminal may be on hold, and the work must not wait for it.
        thread::park_timeout(REDRAW);
    }
    bars.clear();
}

impl View {
    /// How far the present stage is, for the watchdog.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            stage: format!("{} (generation {})", self.work.stage(), self.generation),
            done: self.work.counter(),
            waits_for: self.work.waits_for(),
        }
    }

    /// What is told when the watchdog has spoken.
    pub(crate) fn event(&self, event: &'static str, text: &str) -> String {
        Event::of(self, event, Some(text)).to_json()
    }

    /// Time left and how much there is, on a line of its own.
    fn run_text(&self, short: bool) -> String {
        let left = clock(self.budget.saturating_sub(self.clock.active()));
        let (generation, games) = (self.generation, thousands(self.games));
        if short {
            return format!("{left} left · gen {generation} · {games} games");
        }
        let budget = clock(self.budget);
        format!("{left} left of {budget} · generation {generation} · {games} games")
    }

    fn net_text(&self, short: bool) -> String {
        let elo = match self.elo {
            Some((elo, half)) => format!("Elo {elo:+.0} ±{half:.0}"),
            None => "not yet rated".to_owned(),
        };
        let losses = self.losses.map_or(String::new(), |[policy, wdl, total]| match short {
            true => format!(" · loss {total:.2}"),
            false => format!(" · loss {total:.2} (policy {policy:.2}, wdl {wdl:.2})"),
        });
        format!("{elo}{losses} · {} positions", thousands(self.positions))
    }
}

/// Thousandths done.
fn share(done: f64, all: f64) -> u64 {
    (1000.0 * done / all.max(1e-9)).clamp(0.0, 1000.0) as u64
}
