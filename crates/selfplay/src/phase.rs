//! One phase of self-play: all workers side by side until the sink has enough.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use mcts::{EvalError, Evaluator};
use records::GameRecord;
use rules::Game;
use thiserror::Error;

use crate::numbers::GameNumbers;
use crate::worker::Worker;

/// What stops self-play.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// A batch could not be evaluated.
    #[error("self-play: {0}")]
    Evaluation(#[from] EvalError),
    /// A finished game could not be stored.
    #[error("self-play: a finished game could not be stored: {0}")]
    Sink(Box<dyn std::error::Error + Send + Sync>),
    /// A worker thread ended with a panic.
    #[error("self-play: worker {worker} panicked: {message}")]
    Panicked {
        /// The worker, from 0; its thread is called `self-play 0`.
        worker: usize,
        /// What the panic said.
        message: String,
    },
}

/// Running totals of a phase, read by whoever shows progress.
#[derive(Debug, Default)]
pub struct Counters {
    evaluations: AtomicU64,
    batches: AtomicU64,
    capacity: AtomicU64,
    simulations: AtomicU64,
    positions: AtomicU64,
    games: AtomicU64,
}

impl Counters {
    pub(crate) fn add_batch(&self, evaluated: u64, capacity: u64) {
        self.evaluations.fetch_add(evaluated, Relaxed);
        self.batches.fetch_add(1, Relaxed);
        self.capacity.fetch_add(capacity, Relaxed);
    }

    pub(crate) fn add_position(&self, simulations: u64) {
        self.positions.fetch_add(1, Relaxed);
        self.simulations.fetch_add(simulations, Relaxed);
    }

    pub(crate) fn add_game(&self) {
        self.games.fetch_add(1, Relaxed);
    }

    /// Leaves evaluated.
    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Relaxed)
    }

    /// Batches evaluated.
    pub fn batches(&self) -> u64 {
        self.batches.load(Relaxed)
    }

    /// Share of the batches' places that held a leaf; 0 to 1, 0 before the first batch.
    pub fn batch_fill(&self) -> f64 {
        self.evaluations() as f64 / self.capacity.load(Relaxed).max(1) as f64
    }

    /// Simulations of finished searches.
    pub fn simulations(&self) -> u64 {
        self.simulations.load(Relaxed)
    }

    /// Plies searched and recorded, those of games in flight included.
    pub fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// Games finished.
    pub fn games(&self) -> u64 {
        self.games.load(Relaxed)
    }
}

/// What the sink wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// More games.
    Continue,
    /// The end of the phase.
    Stop,
}

/// Why a phase ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseEnd {
    /// The sink had enough.
    Enough,
    /// The `stop` flag was raised.
    Interrupted,
    /// All game numbers were handed out and their games are finished.
    Exhausted,
}

/// Plays with `workers`, one thread and one evaluator each, until the sink returns
/// [`Control::Stop`], `stop` is raised or no game is left. Games in flight stay in the workers.
///
/// The sink runs on the calling thread and gets the games in the order in which they end. Games
/// that end after it said stop are handed to it too: none is lost.
///
/// # Errors
/// The first error of an evaluator or of the sink; a worker's panic.
///
/// # Panics
/// If there are not as many evaluators as workers.
pub fn play_phase<E: Evaluator<Game> + Send>(
    workers: &mut [Worker],
    evaluators: &mut [E],
    generation: u32,
    numbers: &GameNumbers,
    counters: &Counters,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(GameRecord) -> Result<Control, SelfPlayError>,
) -> Result<PhaseEnd, SelfPlayError> {
    assert_eq!(workers.len(), evaluators.len(), "one evaluator a worker");
    let halt = AtomicBool::new(false);
    let (sender, finished) = bounded(256);
    thread::scope(|scope| {
        // If the sink panics, these stop the workers, whichever of the two they wait for.
        let (finished, draining) = (finished, HaltUnlessKept::new(&halt));
        let threads: Vec<_> = workers
            .iter_mut()
            .zip(evaluators)
            .enumerate()
            .map(|(index, (worker, evaluator))| {
                let (sender, halt) = (sender.clone(), HaltUnlessKept::new(&halt));
                let thread = thread::Builder::new().name(format!("self-play {index}"));
                let work = move || {
                    let mut send = |record| {
                        // Nobody receives only when the sink has panicked.
                        let _ = sender.send(record);
                    };
                    let mut more = true;
                    while more && !halt.raised() && !stop.load(Relaxed) {
                        more = worker.step(evaluator, generation, numbers, counters, &mut send)?;
                    }
                    halt.keep();
                    Ok::<(), SelfPlayError>(())
                };
                thread.spawn_scoped(scope, work).expect("the system has threads left")
            })
            .collect();
        drop(sender);
        let enough = drain(&finished, &halt, sink);
        draining.keep();
        let ends: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
        for (worker, end) in ends.into_iter().enumerate() {
            let panicked = |panic: Box<dyn std::any::Any + Send>| SelfPlayError::Panicked {
                worker,
                message: panic_text(&*panic),
            };
            end.map_err(panicked)??;
        }
        Ok(match (enough?, stop.load(Relaxed)) {
            (true, _) => PhaseEnd::Enough,
            (false, true) => PhaseEnd::Interrupted,
            (false, false) => PhaseEnd::Exhausted,
        })
    })
}

/// Stops the other workers when its own ends by an error or a panic.
struct HaltUnlessKept<'a> {
    halt: &'a AtomicBool,
    kept: bool,
}

impl<'a> HaltUnlessKept<'a> {
    fn new(halt: &'a AtomicBool) -> Self {
        Self { halt, kept: false }
    }

    fn raised(&self) -> bool {
        self.halt.load(Relaxed)
    }

    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for HaltUnlessKept<'_> {
    fn drop(&mut self) {
        if !self.kept {
            self.halt.store(true, Relaxed);
        }
    }
}

/// Feeds finished games to the sink until all workers have stopped; tells whether it had enough.
fn drain(
    finished: &Receiver<GameRecord>,
    halt: &AtomicBool,
    sink: &mut dyn FnMut(GameRecord) -> Result<Control, SelfPlayError>,
) -> Result<bool, SelfPlayError> {
    let mut enough = false;
    let mut fault = None;
    for record in finished {
        if fault.is_some() {
            continue; // Keep the channel flowing, so that the workers can end.
        }
        match sink(record) {
            Ok(Control::Continue) => {}
            Ok(Control::Stop) => enough = true,
            Err(error) => fault = Some(error),
        }
        if enough || fault.is_some() {
            halt.store(true, Relaxed);
        }
    }
    fault.map_or(Ok(enough), Err)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "no message".to_owned())
}
