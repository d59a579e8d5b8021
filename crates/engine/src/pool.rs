//! Threads that do nothing but evaluate.
//!
//! Invariant: each thread has an evaluator and games of its own. A leaf travels to it as the moves that
//! lead there, and what comes back is plain data: nothing is shared, nothing locked.

use std::iter::zip;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use mcts::{EvalError, Evaluation, Evaluator, Leaf, Ticket};
use rules::{Game, Move};

use crate::time::Clock;

/// An evaluator for a thread of its own.
pub type BoxedEvaluator = Box<dyn Evaluator<Game> + Send>;

/// A leaf on its way to an evaluator and back.
#[derive(Debug, Default)]
pub(crate) struct Away {
    /// The moves that lead there from the root; none to the root itself.
    pub(crate) line: Vec<Move>,
    /// Its legal moves.
    pub(crate) moves: Vec<Move>,
    /// What the tree knows it by; none for the root.
    pub(crate) ticket: Option<Ticket>,
}

/// Leaves on their way to an evaluator and back. Its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The leaves; `leaves[..len]` count.
    pub(crate) leaves: Vec<Away>,
    pub(crate) len: usize,
    /// One for each leaf, on the way back.
    pub(crate) evaluations: Vec<Evaluation>,
    /// Time of the evaluation, and what went wrong with it.
    pub(crate) took: Duration,
    pub(crate) fault: Option<EvalError>,
}

/// A batch and the root that its leaves are counted from.
struct Job {
    root: Arc<Game>,
    batch: Batch,
}

/// The threads, one an evaluator.
pub(crate) struct Pool {
    jobs: Option<Sender<Job>>,
    /// Batches that are evaluated, in the order in which they come back.
    pub(crate) done: Receiver<Batch>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts a thread for each evaluator.
    pub(crate) fn new(evaluators: Vec<BoxedEvaluator>, clock: &Arc<dyn Clock>) -> Self {
        let (jobs, taken) = unbounded();
        let (back, done) = unbounded();
        let start = |evaluator| {
            let (taken, back, clock) = (taken.clone(), back.clone(), Arc::clone(clock));
            thread::spawn(move || serve(&taken, &back, evaluator, &*clock))
        };
        Self { jobs: Some(jobs), done, threads: evaluators.into_iter().map(start).collect() }
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Hands a batch to the next thread that is free.
    pub(crate) fn send(&self, root: &Arc<Game>, batch: Batch) {
        let jobs = self.jobs.as_ref().expect("only dropping the pool closes the channel");
        let sent = jobs.send(Job { root: Arc::clone(root), batch });
        assert!(sent.is_ok(), "the threads live as long as the pool");
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // It catches the panics of its evaluator, so there is nothing to hear from it.
            let _ = thread.join();
        }
    }
}

/// The life of a thread: ends with the channel.
fn serve(
    jobs: &Receiver<Job>,
    back: &Sender<Batch>,
    mut evaluator: BoxedEvaluator,
    clock: &dyn Clock,
) {
    let mut games = Games { root: None, copies: Vec::new() };
    for Job { root, mut batch } in jobs {
        let began = clock.now();
        let evaluated = catch_unwind(AssertUnwindSafe(|| {
            games.stand_at(root);
            games.evaluate(&mut *evaluator, &mut batch)
        }));
        batch.fault = match evaluated {
            Ok(evaluated) => evaluated.err(),
            Err(_) => {
                games.root = None; // Wherever the copies stand now.
                Some(EvalError::new("the evaluator panicked"))
            }
        };
        batch.took = clock.now().saturating_sub(began);
        if back.send(batch).is_err() {
            return;
        }
    }
}

/// Copies of the root, one a leaf, kept as long as the root stays the same.
struct Games {
    root: Option<Arc<Game>>,
    copies: Vec<Game>,
}

impl Games {
    fn stand_at(&mut self, root: Arc<Game>) {
        if self.root.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &root)) {
            self.copies.clear();
            self.root = Some(root);
        }
    }

    fn evaluate(
        &mut self,
        evaluator: &mut dyn Evaluator<Game>,
        batch: &mut Batch,
    ) -> Result<(), EvalError> {
        let leaves = &batch.leaves[..batch.len];
        let root = self.root.as_ref().expect("the games stand at a root");
        while self.copies.len() < leaves.len() {
            self.copies.push(Game::clone(root));
        }
        for (game, leaf) in zip(&mut self.copies, leaves) {
            leaf.line.iter().for_each(|&mv| game.play(mv));
        }
        let asked =
            zip(&self.copies, leaves).map(|(state, leaf)| Leaf { state, moves: &leaf.moves });
        let asked: Vec<_> = asked.collect();
        let evaluated = evaluator.evaluate(&asked, &mut batch.evaluations);
        for (game, leaf) in zip(&mut self.copies, leaves) {
            leaf.line.iter().for_each(|_| game.undo());
        }
        evaluated
    }
}
