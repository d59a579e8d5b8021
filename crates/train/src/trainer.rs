//! The training loop.

use model::{Graph, Weights};
use net::Module;
use tch::{Device, Tensor};

use crate::batch::Batch;
use crate::checkpoint::Checkpoint;
use crate::config::TrainConfig;
use crate::dataset::Dataset;
use crate::error::TrainError;
use crate::flat::Layout;
use crate::lanes::{Gradient, Lanes};
use crate::loader::Prefetch;
use crate::loss::Losses;
use crate::optim::{AdamW, StepSize};
use crate::plan::Plan;

/// One finished step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainEvent {
    /// Global step, counted from 1: the trainer has taken so many.
    pub step: u64,
    /// Step of the phase, counted from 1.
    pub phase_step: u64,
    /// Learning rate it was taken with.
    pub lr: f64,
    /// Losses before the step.
    pub losses: Losses,
    /// Euclidean norm of the gradient before clipping.
    pub gradient_norm: f32,
}

/// What to do after a step, or before a chunk is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Take the next one.
    Continue,
    /// Leave [`Trainer::run`], to save a checkpoint or to end, or [`Dataset::set_window`]. Running
    /// the same plan again goes on with the next step.
    Stop,
}

/// How far a plan is, or the reading of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// All its steps have been taken, or all its chunks read.
    Done,
    /// It was left by [`Control::Stop`] with some to go.
    Stopped,
}

/// Net, optimiser and averaged weights.
#[derive(Debug)]
pub struct Trainer {
    module: Module,
    layout: Layout,
    /// The module's parameters are views of this.
    parameters: Tensor,
    ema: Tensor,
    optimiser: AdamW,
    lanes: usize,
}

impl Trainer {
    /// A trainer at step 0 of the net `graph` with these weights.
    ///
    /// # Errors
    /// Weights that do not fit the graph; a device that is not there.
    pub fn new(graph: &Graph, weights: &Weights, device: Device) -> Result<Self, TrainError> {
        let module = Module::new(graph, weights, device)?;
        let layout = Layout::new(graph);
        let parameters = layout.bind(&module)?;
        let optimiser = AdamW {
            m: parameters.f_zeros_like()?,
            v: parameters.f_zeros_like()?,
            decayed: Tensor::f_from_slice(&layout.decayed())?.f_to_device(device)?,
            step: 0,
        };
        let mut ema = parameters.f_zeros_like()?;
        ema.f_copy_(&parameters)?;
        Ok(Self { module, layout, parameters, ema, optimiser, lanes: 1 })
    }

    /// The trainer as it was when the checkpoint was written.
    ///
    /// # Errors
    /// As [`Trainer::new`].
    pub fn resume(checkpoint: &Checkpoint, device: Device) -> Result<Self, TrainError> {
        let mut trainer = Self::new(&checkpoint.graph, &checkpoint.weights, device)?;
        let flat = |weights: &Weights| -> Result<Tensor, TrainError> {
            Ok(Tensor::f_from_slice(&trainer.layout.flatten(weights)?)?.f_to_device(device)?)
        };
        let (ema, m, v) = (
            flat(&checkpoint.ema)?,
            flat(&checkpoint.first_moment)?,
            flat(&checkpoint.second_moment)?,
        );
        trainer.ema = ema;
        trainer.optimiser.m = m;
        trainer.optimiser.v = v;
        trainer.optimiser.step = checkpoint.meta.step;
        Ok(trainer)
    }

    /// Steps taken in all.
    pub fn step(&self) -> u64 {
        self.optimiser.step
    }

    /// The operations of the net.
    pub fn graph(&self) -> &Graph {
        self.module.graph()
    }

    /// A copy of the weights being trained.
    ///
    /// # Errors
    /// libtorch cannot copy them.
    pub fn weights(&self) -> Result<Weights, TrainError> {
        self.layout.split(&self.parameters)
    }

    /// A copy of the averaged weights, which play.
    ///
    /// # Errors
    /// libtorch cannot copy them.
    pub fn ema(&self) -> Result<Weights, TrainError> {
        self.layout.split(&self.ema)
    }

    /// A copy of the optimiser's first and second moments by parameter.
    ///
    /// # Errors
    /// libtorch cannot copy them.
    pub fn moments(&self) -> Result<(Weights, Weights), TrainError> {
        Ok((self.layout.split(&self.optimiser.m)?, self.layout.split(&self.optimiser.v)?))
    }

    /// Computes gradients on this many threads, at least 1, from the next [`Trainer::run`] on: each
    /// takes its part of every batch. For any number of them the steps repeat bit for bit as long
    /// as libtorch computes each operation with one thread ([`crate::set_threads`]).
    pub fn set_lanes(&mut self, lanes: usize) {
        self.lanes = lanes.max(1);
    }

    /// Takes the steps of a plan that have not been taken yet, preparing batches on `loaders`
    /// threads (at least 1), and reports each to `on_event`.
    ///
    /// # Errors
    /// A plan that does not fit this trainer's step or the dataset; [`TrainError::NotFinite`];
    /// whatever libtorch refuses.
    pub fn run(
        &mut self,
        plan: &Plan,
        dataset: &Dataset,
        loaders: usize,
        on_event: &mut dyn FnMut(TrainEvent) -> Control,
    ) -> Result<Progress, TrainError> {
        let first = self.check(plan, dataset)?;
        if first == plan.steps {
            return Ok(Progress::Done);
        }
        let modules = (1..self.lanes).map(|_| self.replica()).collect::<Result<Vec<_>, _>>()?;
        std::thread::scope(|scope| {
            let mut batches = Prefetch::start(scope, plan, dataset, first, loaders);
            let lanes = Lanes::start(scope, modules, &self.layout.clone(), plan);
            for phase_step in first..plan.steps {
                let batch = batches
                    .next()
                    .ok_or_else(|| TrainError::Plan("a loader thread has panicked".to_owned()))?;
                let gradient = lanes.gradient(&self.module, &self.layout, &batch, plan)?;
                let event = self.apply(plan, phase_step, gradient, &batch)?;
                if on_event(event) == Control::Stop && phase_step + 1 < plan.steps {
                    return Ok(Progress::Stopped);
                }
            }
            Ok(Progress::Done)
        })
    }

    /// Another module of the same net whose parameters are the same memory, with gradients of its
    /// own.
    fn replica(&self) -> Result<Module, TrainError> {
        let module = Module::new(self.graph(), &self.weights()?, self.module.device())?;
        self.layout.share(&module, &self.parameters)?;
        Ok(module)
    }

    /// The step of the phase to start with.
    fn check(&self, plan: &Plan, dataset: &Dataset) -> Result<u64, TrainError> {
        plan.config.validate()?;
        if dataset.manifest() != plan.window {
            return Err(TrainError::Plan("the window loaded is not the plan's".to_owned()));
        }
        if dataset.is_empty() && plan.steps > 0 {
            return Err(TrainError::Plan("there is nothing to train on".to_owned()));
        }
        let first = self.step().checked_sub(plan.start_step).filter(|&first| first <= plan.steps);
        first.ok_or_else(|| {
            TrainError::Plan(format!(
                "steps {} to {}, but the trainer stands at {}",
                plan.start_step,
                plan.start_step + plan.steps,
                self.step()
            ))
        })
    }

    /// Takes one step on a batch with the settings of a plan; `phase_step` counts from 0 and decides
    /// the learning rate. [`Trainer::run`] is this for each of the plan's own batches.
    ///
    /// # Errors
    /// [`TrainError::NotFinite`], before anything is changed; whatever libtorch refuses.
    pub fn take_step(
        &mut self,
        plan: &Plan,
        phase_step: u64,
        batch: &Batch,
    ) -> Result<TrainEvent, TrainError> {
        let gradient = Gradient::of(&self.module, &self.layout, batch, plan)?;
        self.apply(plan, phase_step, gradient, batch)
    }

    /// Takes one step along the gradient of a batch.
    fn apply(
        &mut self,
        plan: &Plan,
        phase_step: u64,
        Gradient { mut flat, losses }: Gradient,
        batch: &Batch,
    ) -> Result<TrainEvent, TrainError> {
        let config = &plan.config;
        let norm = flat.f_norm()?.f_double_value(&[])?;
        let losses = Losses::read(&losses, config)?;
        let not_finite = |what| TrainError::NotFinite {
            step: self.optimiser.step,
            what,
            batch: Box::new(batch.clone()),
        };
        if !losses.total.is_finite() {
            return Err(not_finite("the loss"));
        }
        if !norm.is_finite() {
            return Err(not_finite("the gradient"));
        }
        if norm > config.clip_norm {
            let _ = flat.f_mul_scalar_(config.clip_norm / norm)?;
        }
        let lr = plan.lr(phase_step);
        let size = StepSize { lr, betas: config.betas, weight_decay: config.weight_decay };
        self.optimiser.step(&mut self.parameters, &flat, size)?;
        self.average(config.ema_decay)?;
        Ok(TrainEvent {
            step: self.optimiser.step,
            phase_step: phase_step + 1,
            lr,
            losses,
            gradient_norm: norm as f32,
        })
    }

    /// Moves the averaged weights towards the present ones; faster while there are few steps to
    /// average over.
    fn average(&mut self, decay: f64) -> Result<(), TrainError> {
        let steps = self.optimiser.step as f64;
        let decay = decay.min((1.0 + steps) / (10.0 + steps));
        let _ = tch::no_grad(|| self.ema.f_lerp_(&self.parameters, 1.0 - decay))?;
        Ok(())
    }
}

impl Losses {
    /// From the losses `[6]` in their order.
    fn read(parts: &Tensor, config: &TrainConfig) -> Result<Self, TrainError> {
        let parts = Vec::<f32>::try_from(parts)?;
        let weights = config.loss.in_order();
        let total = parts.iter().zip(weights).map(|(part, weight)| part * weight as f32).sum();
        let [policy, wdl, reply, soft_policy, short_term, plies_left] =
            parts.try_into().expect("there are six losses");
        Ok(Self { policy, wdl, reply, soft_policy, short_term, plies_left, total })
    }
}
