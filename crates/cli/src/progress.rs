//! What a person sees while a run goes on: three bars on a terminal, else a plain line at times.
//!
//! The run states facts into a [`View`]; a thread of its own draws them, so that nothing here can
//! slow the work down.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use selfplay::Counters;

use crate::clock::Clock;
use crate::text::{clock, thousands};

/// Time between two drawings of the bars, and between two plain lines.
const REDRAW: Duration = Duration::from_millis(200);
const PLAIN_LINE: Duration = Duration::from_secs(10);
/// How long the end of a run waits for the terminal.
const PATIENCE: Duration = Duration::from_secs(1);

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

/// What the run is doing now.
pub(crate) enum Work {
    /// Something short, named.
    Short(&'static str),
    /// Playing until `goal` positions more are recorded.
    SelfPlay { counters: Arc<Counters>, since: Instant, goal: u64 },
    /// Training.
    Train { step: u64, steps: u64, samples_per_second: f64 },
    /// Playing a match: the opponent, games done and to do, score of the run's player.
    Match { opponent: String, played: u32, games: u32, score: f64 },
}

/// The drawing thread and its view.
pub(crate) struct Progress {
    view: Arc<Mutex<View>>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to draw; `quiet` draws nothing.
    pub(crate) fn start(view: View, quiet: bool) -> Self {
        let view = Arc::new(Mutex::new(view));
        let done = Arc::new(AtomicBool::new(false));
        let thread = (!quiet).then(|| {
            let (view, done) = (Arc::clone(&view), Arc::clone(&done));
            thread::spawn(move || draw(&view, &done))
        });
        Self { view, done, thread }
    }

    /// The facts, to change them. Hold it shortly.
    pub(crate) fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
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

fn draw(view: &Mutex<View>, done: &AtomicBool) {
    let terminal = std::io::stderr().is_terminal();
    let bars = terminal.then(Bars::new);
    let mut lines = PlainLines::default();
    while !done.load(Relaxed) {
        let locked = view.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &bars {
            Some(bars) => {
                let texts = Texts::of(&locked);
                drop(locked); // A terminal may be on hold; the work must not wait for it.
                bars.draw(texts);
            }
            None => lines.draw(&locked),
        }
        thread::park_timeout(REDRAW);
    }
    if let Some(bars) = bars {
        bars.clear();
    }
}

/// What the bars show.
struct Texts {
    run: String,
    run_share: u64,
    work_name: &'static str,
    work: String,
    work_share: u64,
    net: String,
}

impl Texts {
    fn of(view: &View) -> Self {
        Self {
            run: view.run_text(),
            run_share: share(view.clock.active().as_secs_f64(), view.budget.as_secs_f64()),
            work_name: view.work.name(),
            work: view.work.text(),
            work_share: view.work.share(),
            net: view.net_text(),
        }
    }
}

/// The three bars: the run, its present work, the net.
struct Bars {
    all: MultiProgress,
    run: ProgressBar,
    work: ProgressBar,
    net: ProgressBar,
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let bar = |template: &str| {
            let style = ProgressStyle::with_template(template)
                .expect("the template is well formed")
                .progress_chars("█▉▊▋▌▍▎▏ ");
            all.add(ProgressBar::new(1000).with_style(style))
        };
        Self {
            run: bar("{prefix:10.bold} ▕{bar:18.cyan}▏ {wide_msg}"),
            work: bar("{prefix:10.bold} ▕{bar:18.yellow}▏ {wide_msg}"),
            net: bar("{prefix:10.bold} {wide_msg}"),
            all,
        }
    }

    fn draw(&self, texts: Texts) {
        self.run.set_prefix("run");
        self.run.set_position(texts.run_share);
        self.run.set_message(texts.run);
        self.work.set_prefix(texts.work_name);
        self.work.set_position(texts.work_share);
        self.work.set_message(texts.work);
        self.net.set_prefix("net");
        self.net.set_message(texts.net);
    }

    fn clear(self) {
        for bar in [&self.run, &self.work, &self.net] {
            bar.finish_and_clear();
        }
        // Failing to clear a terminal that has gone away harms nobody.
        let _ = self.all.clear();
    }
}

/// Lines for a log: one when the work changes, then one each [`PLAIN_LINE`].
#[derive(Default)]
struct PlainLines {
    last: Option<(Instant, String)>,
}

impl PlainLines {
    fn draw(&mut self, view: &View) {
        let work = format!("{} {}", view.generation, view.work.name());
        let due = self.last.as_ref().is_none_or(|(at, shown)| {
            at.elapsed() >= PLAIN_LINE || (*shown != work && at.elapsed() >= PLAIN_LINE / 5)
        });
        if due {
            let mut parts =
                vec![view.run_text(), format!("{} {}", view.work.name(), view.work.text())];
            if view.losses.is_some() {
                parts.push(view.net_text());
            }
            crate::output::note(&parts.join(" | "));
            self.last = Some((Instant::now(), work));
        }
    }
}

impl View {
    fn run_text(&self) -> String {
        let left = self.budget.saturating_sub(self.clock.active());
        format!(
            "{} left of {} · generation {} · {} games",
            clock(left),
            clock(self.budget),
            self.generation,
            thousands(self.games),
        )
    }

    fn net_text(&self) -> String {
        let elo = match self.elo {
            Some((elo, half)) => format!("Elo {elo:+.0} ±{half:.0}"),
            None => "Elo not yet measured".to_owned(),
        };
        let losses = self.losses.map_or(String::new(), |[policy, wdl, total]| {
            format!(" · loss {total:.2} (policy {policy:.2}, wdl {wdl:.2})")
        });
        format!("{elo}{losses} · {} positions", thousands(self.positions))
    }
}

impl Work {
    fn name(&self) -> &'static str {
        match self {
            Self::Short(_) => "prepare",
            Self::SelfPlay { .. } => "self-play",
            Self::Train { .. } => "train",
            Self::Match { .. } => "match",
        }
    }

    /// Thousandths done.
    fn share(&self) -> u64 {
        match self {
            Self::Short(_) => 0,
            Self::SelfPlay { counters, goal, .. } => {
                share(counters.positions() as f64, *goal as f64)
            }
            Self::Train { step, steps, .. } => share(*step as f64, *steps as f64),
            Self::Match { played, games, .. } => share(f64::from(*played), f64::from(*games)),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Short(what) => (*what).to_owned(),
            Self::SelfPlay { counters, since, .. } => {
                let seconds = since.elapsed().as_secs_f64().max(1e-3);
                let rate = |count: u64| thousands((count as f64 / seconds) as u64);
                format!(
                    "{} positions/s · {} eval/s · batch {:.0} %",
                    rate(counters.positions()),
                    rate(counters.evaluations()),
                    counters.batch_fill() * 100.0
                )
            }
            Self::Train { step, steps, samples_per_second } => format!(
                "step {}/{} · {} samples/s",
                thousands(*step),
                thousands(*steps),
                thousands(*samples_per_second as u64)
            ),
            Self::Match { opponent, played, games, score } => {
                format!("{opponent} · game {played}/{games} · score {:.0} %", score * 100.0)
            }
        }
    }
}

fn share(done: f64, all: f64) -> u64 {
    (1000.0 * done / all.max(1e-9)).clamp(0.0, 1000.0) as u64
}
