//! Batches prepared ahead of the training step, on other threads.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use rand::RngExt;

use crate::batch::Batch;
use crate::dataset::Dataset;
use crate::order::Order;
use crate::plan::Plan;
use crate::targets::Writer;

/// Batches each loader thread keeps ready.
const AHEAD: usize = 2;

/// Makes the batches of a plan. Each is a function of (plan, dataset, step).
pub struct Loader<'a> {
    plan: &'a Plan,
    dataset: &'a Dataset,
    order: Order,
}

impl<'a> Loader<'a> {
    /// A loader of the samples in `dataset`, which must not be empty.
    pub fn new(plan: &'a Plan, dataset: &'a Dataset) -> Self {
        let seed = plan.seed().derive("train.order", 0);
        Self { plan, dataset, order: Order::new(seed, dataset.len(), plan.config.batch) }
    }

    /// The batch of a step of the phase, counted from 0.
    pub fn batch(&mut self, step: u64) -> Batch {
        let config = &self.plan.config;
        let encoder = self.dataset.encoder();
        let mirror = encoder.mirror().filter(|_| config.mirror);
        let mut coins = self.plan.seed().derive("train.mirror", step).rng();
        let mut batch = Batch::new(encoder, config.batch);
        let mut writer = Writer { encoder, config, scratch: vec![0.0; encoder.input_len()] };
        for (row, sample) in self.order.batch(step).into_iter().enumerate() {
            let (game, ply) = self.dataset.sample(sample);
            let mirror = mirror.filter(|_| coins.random::<bool>());
            writer.write(game, ply, mirror, row, &mut batch);
        }
        batch
    }
}

/// Batches of a range of steps, in order, whatever the number of threads that make them.
pub(crate) struct Prefetch {
    lanes: Vec<Receiver<Batch>>,
    next: usize,
}

impl Prefetch {
    /// Starts `threads` threads (at least 1) for the steps `from..plan.steps`. They end when their
    /// steps are done or this is dropped.
    pub(crate) fn start<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        plan: &'env Plan,
        dataset: &'env Dataset,
        from: u64,
        threads: usize,
    ) -> Self {
        let threads = threads.max(1);
        let lane = |first: u64| {
            let (sender, receiver) = sync_channel(AHEAD);
            scope.spawn(move || {
                let mut loader = Loader::new(plan, dataset);
                for step in (first..plan.steps).step_by(threads) {
                    if sender.send(loader.batch(step)).is_err() {
                        return;
                    }
                }
            });
            receiver
        };
        Self { lanes: (from..).take(threads).map(lane).collect(), next: 0 }
    }

    /// The next batch; `None` after the last, or if its thread has panicked.
    pub(crate) fn next(&mut self) -> Option<Batch> {
        let lane = self.next;
        self.next = (lane + 1) % self.lanes.len();
        self.lanes[lane].recv().ok()
    }
}
