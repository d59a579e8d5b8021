//! A thread beside the work: lets the watchdog look, and writes down once a minute what the process
//! takes from the machine.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;

use crate::machine::{Meter, Usage};
use crate::metrics::{self, Metrics};
use crate::output::{self, on_terminal};
use crate::progress::{Progress, Show, View, lock};
use crate::run_dir::log_line;
use crate::watchdog::{Watchdog, Word};

/// Time between two looks of the watchdog.
const LOOK: Duration = Duration::from_secs(1);
/// Time between two rows of `metrics/machine.csv`.
const ROW: Duration = Duration::from_secs(60);

/// A row of `metrics/machine.csv`.
#[derive(Default, Serialize)]
pub(crate) struct Row {
    generation: u32,
    active_seconds: f64,
    stage: &'static str,
    rss_mb: f64,
    peak_rss_mb: f64,
    cpu_percent: f64,
    threads: u64,
    disk_free_gb: f64,
}

impl metrics::Row for Row {
    /// Active seconds.
    fn step(&self) -> u64 {
        self.active_seconds as u64
    }

    fn scalars(&self) -> Vec<(String, f64)> {
        metrics::named(&[
            ("rss_mb", self.rss_mb),
            ("peak_rss_mb", self.peak_rss_mb),
            ("cpu_percent", self.cpu_percent),
            ("disk_free_gb", self.disk_free_gb),
        ])
    }
}

/// The thread; it ends with this.
pub(crate) struct Monitor {
    done: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Monitor {
    /// Watches what is shown, on behalf of the run in `root`. The watchdog speaks after `limit`
    /// without movement.
    pub(crate) fn start(progress: &Progress, root: &Path, limit: Duration) -> Result<Self> {
        let mut watch = Watch {
            view: progress.shared(),
            show: progress.show(),
            root: root.to_owned(),
            metrics: Metrics::open(root, "machine")?,
            meter: Meter::start(),
            watchdog: Watchdog::new(limit),
        };
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let thread = {
            let done = Arc::clone(&done);
            thread::Builder::new().name("monitor".to_owned()).spawn(move || watch.until(&done))?
        };
        Ok(Self { done, thread: Some(thread) })
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        *self.done.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic in it has been printed and spoils nothing.
            let _ = thread.join();
        }
    }
}

struct Watch {
    view: Arc<Mutex<View>>,
    show: Show,
    root: PathBuf,
    metrics: Metrics,
    meter: Meter,
    watchdog: Watchdog,
}

impl Watch {
    fn until(&mut self, (done, told): &(Mutex<bool>, Condvar)) {
        let (begun, mut written) = (Instant::now(), None::<Instant>);
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        while !*done {
            done = told.wait_timeout(done, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            self.look(begun.elapsed());
            if *done || written.is_none_or(|written| written.elapsed() >= ROW) {
                written = Some(Instant::now());
                self.write_row();
            }
        }
    }

    fn look(&mut self, now: Duration) {
        let view = lock(&self.view);
        let Some(word) = self.watchdog.look(now, &view.mark()) else { return };
        let kind = match word {
            Word::Stalled { .. } => "stalled",
            Word::Moves { .. } => "moves",
        };
        let text = word.text();
        let event = view.event(kind, &text);
        let (active, generation) = (view.clock.active(), view.generation);
        drop(view);
        match self.show {
            Show::Nothing => {}
            Show::Json if !on_terminal() => output::line(event),
            _ => output::note(&text),
        }
        // Last, for the log may lie on the disk that everything waits for.
        let _ = log_line(&self.root, active, generation, &text);
    }

    fn write_row(&mut self) {
        let Usage { rss_mb, peak_rss_mb, cpu_percent, threads, disk_free_gb } =
            self.meter.look(&self.root);
        let view = lock(&self.view);
        let row = Row {
            generation: view.generation,
            active_seconds: view.clock.active().as_secs_f64(),
            stage: view.work.name(),
            rss_mb,
            peak_rss_mb,
            cpu_percent,
            threads,
            disk_free_gb,
        };
        drop(view);
        // A disk that is full stops the run itself, with a better message.
        let _ = self.metrics.add(&row);
    }
}
