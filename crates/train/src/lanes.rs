//! One batch on several threads: each computes the gradient of its part of the samples.
//!
//! libtorch's own threads share out single operations, which on nets as small as ours costs more in
//! waiting than it saves. Here a thread does a whole forward and backward pass on its own.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use net::Module;
use tch::{Kind, Tensor};

use crate::batch::Batch;
use crate::error::TrainError;
use crate::flat::Layout;
use crate::loss::losses;
use crate::plan::Plan;

/// What a batch says about the parameters.
pub(crate) struct Gradient {
    /// Of the weighted sum of the mean losses, in the layout's order.
    pub(crate) flat: Tensor,
    /// The mean losses `[6]` in the order of [`crate::Losses`].
    pub(crate) losses: Tensor,
}

impl Gradient {
    /// The gradient of a batch at the module's present parameters.
    pub(crate) fn of(
        module: &Module,
        layout: &Layout,
        batch: &Batch,
        plan: &Plan,
    ) -> Result<Self, TrainError> {
        let tensors = batch.tensors(module.device())?;
        let outputs = module.forward(&tensors.planes)?;
        let losses = losses(&outputs, &tensors)?;
        let weights = plan.config.loss.in_order().map(|weight| weight as f32);
        let weights = Tensor::f_from_slice(&weights)?.f_to_device(module.device())?;
        let total = losses.f_dot(&weights)?;
        let parameters = module.parameters();
        let parameters: Vec<&Tensor> = parameters.iter().map(|&(_, tensor)| tensor).collect();
        let gradients = Tensor::f_run_backward(&[&total], &parameters, false, false)?;
        Ok(Self {
            flat: layout.join(&gradients)?,
            losses: losses.f_detach()?.f_to_kind(Kind::Float)?,
        })
    }

    /// Counts this much of the whole batch.
    fn scaled(mut self, share: f64) -> Result<Self, TrainError> {
        let _ = self.flat.f_mul_scalar_(share)?;
        let _ = self.losses.f_mul_scalar_(share)?;
        Ok(self)
    }

    fn add(&mut self, other: &Self) -> Result<(), TrainError> {
        let _ = self.flat.f_add_(&other.flat)?;
        let _ = self.losses.f_add_(&other.losses)?;
        Ok(())
    }
}

/// The threads beside the one that calls.
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
}

/// A thread: what it is to work on, and what came of it.
struct Lane {
    work: Sender<Batch>,
    done: Receiver<Result<Gradient, TrainError>>,
}

impl Lanes {
    /// Starts a thread for each module. They end when this is dropped.
    pub(crate) fn start<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        modules: Vec<Module>,
        layout: &Layout,
        plan: &'env Plan,
    ) -> Self {
        let lane = |module: Module| {
            let (work, batches) = channel::<Batch>();
            let (done, gradients) = channel();
            let layout = layout.clone();
            scope.spawn(move || {
                for batch in batches {
                    if done.send(Gradient::of(&module, &layout, &batch, plan)).is_err() {
                        return;
                    }
                }
            });
            Lane { work, done: gradients }
        };
        Self { lanes: modules.into_iter().map(lane).collect() }
    }

    /// The gradient of a batch, the calling thread doing its part with `module`.
    pub(crate) fn gradient(
        &self,
        module: &Module,
        layout: &Layout,
        batch: &Batch,
        plan: &Plan,
    ) -> Result<Gradient, TrainError> {
        let (size, count) = (batch.size(), (self.lanes.len() + 1).min(batch.size()));
        if count == 1 {
            return Gradient::of(module, layout, batch, plan);
        }
        let rows = |lane: usize| lane * size / count..(lane + 1) * size / count;
        let share = |lane: usize| rows(lane).len() as f64 / size as f64;
        let panicked = || TrainError::Plan("a training thread has panicked".to_owned());
        for (lane, Lane { work, .. }) in (1..count).zip(&self.lanes) {
            work.send(batch.rows(rows(lane))).map_err(|_| panicked())?;
        }
        // Added up in the order of the lanes, so that rounding is always the same.
        let mut sum = Gradient::of(module, layout, &batch.rows(rows(0)), plan)?.scaled(share(0))?;
        for (lane, Lane { done, .. }) in (1..count).zip(&self.lanes) {
            sum.add(&done.recv().map_err(|_| panicked())??.scaled(share(lane))?)?;
        }
        Ok(sum)
    }
}
