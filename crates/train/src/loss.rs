//! What is minimised.

use model::head;
use net::Outputs;
use tch::{Kind, Reduction, Tensor};

use crate::batch::Tensors;
use crate::error::TrainError;

/// The mean losses of a batch, before their weights. Samples without a target count as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross entropy of the policy over the legal moves, in nats.
    pub policy: f32,
    /// Cross entropy of win, draw, loss, in nats.
    pub wdl: f32,
    /// Cross entropy of the opponent's reply, in nats.
    pub reply: f32,
    /// Cross entropy of the softened policy, in nats.
    pub soft_policy: f32,
    /// Cross entropy of the short-term value, in nats.
    pub short_term: f32,
    /// Huber loss of the plies left, in units of 20 plies.
    pub plies_left: f32,
    /// Weighted sum.
    pub total: f32,
}

/// The losses `[6]` in the order of [`Losses`].
pub(crate) fn losses(outputs: &Outputs, batch: &Tensors) -> Result<Tensor, TrainError> {
    let get = |name| outputs.get(name);
    let policy = get(head::POLICY)?.f_add(&batch.legal)?;
    let soft = get(head::SOFT_POLICY)?.f_add(&batch.legal)?;
    let reply = get(head::REPLY)?.f_add(&batch.reply_legal)?;
    let plies = get(head::PLIES_LEFT)?;
    let parts = [
        cross_entropy(&policy, &batch.policy)?,
        cross_entropy(get(head::WDL)?, &batch.wdl)?,
        cross_entropy(&reply, &batch.reply)?,
        cross_entropy(&soft, &batch.soft_policy)?,
        cross_entropy(get(head::SHORT_TERM)?, &batch.short_term)?,
        plies.f_huber_loss(&batch.plies_left, Reduction::Mean, 1.0)?,
    ];
    Ok(Tensor::f_stack(&parts, 0)?)
}

/// Mean over the samples of `-sum(target * log softmax(logits))`.
fn cross_entropy(logits: &Tensor, target: &Tensor) -> Result<Tensor, TrainError> {
    let samples = target.size()[0] as f64;
    let sum = logits.f_log_softmax(1, Kind::Float)?.f_mul(target)?.f_sum(Kind::Float)?;
    Ok(sum.f_mul_scalar(-1.0 / samples)?)
}
