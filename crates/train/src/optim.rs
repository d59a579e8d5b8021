//! AdamW with decoupled weight decay (Loshchilov, Hutter 2019, <https://arxiv.org/abs/1711.05101>,
//! algorithm 2, with the schedule multiplier in the learning rate) on flat tensors.

use tch::{TchError, Tensor};

/// Added to the root of the second moment.
const EPSILON: f64 = 1e-8;

/// What a step is taken with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSize {
    pub(crate) lr: f64,
    pub(crate) betas: [f64; 2],
    pub(crate) weight_decay: f64,
}

/// The optimiser's state, each tensor as long as the parameters.
#[derive(Debug)]
pub(crate) struct AdamW {
    /// Running mean of the gradients.
    pub(crate) m: Tensor,
    /// Running mean of their squares.
    pub(crate) v: Tensor,
    /// 1 where weight decay applies, else 0.
    pub(crate) decayed: Tensor,
    /// Steps taken.
    pub(crate) step: u64,
}

impl AdamW {
    /// Changes `parameters` by one step along `gradient`.
    pub(crate) fn step(
        &mut self,
        parameters: &mut Tensor,
        gradient: &Tensor,
        size: StepSize,
    ) -> Result<(), TchError> {
        let StepSize { lr, betas: [beta1, beta2], weight_decay } = size;
        self.step += 1;
        let steps = self.step as f64;
        tch::no_grad(|| {
            let _ = self.m.f_lerp_(gradient, 1.0 - beta1)?;
            let _ = self.v.f_lerp_(&gradient.f_square()?, 1.0 - beta2)?;
            if weight_decay > 0.0 {
                let kept = self.decayed.f_mul_scalar(-lr * weight_decay)?.f_add_scalar_(1.0)?;
                let _ = parameters.f_mul_(&kept)?;
            }
            let correction = (1.0 - beta2.powf(steps)).sqrt();
            let mut scale = self.v.f_sqrt()?;
            let _ = scale.f_div_scalar_(correction)?.f_add_scalar_(EPSILON)?;
            let mut change = self.m.f_div(&scale)?;
            let _ = parameters.f_add_(&change.f_mul_scalar_(-lr / (1.0 - beta1.powf(steps)))?)?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three steps on two parameters, the second without decay, against the formula in plain
    /// numbers of 64 bits.
    #[test]
    fn three_steps_follow_the_formula() {
        let gradients = [[0.5, -2.0], [0.25, 1.0], [-1.0, 0.125]];
        let (lr, betas, weight_decay) = (0.1, [0.9f64, 0.99], 0.5);
        let mut parameters = Tensor::from_slice(&[1.0f32, -1.0]);
        let mut optimiser = AdamW {
            m: parameters.zeros_like(),
            v: parameters.zeros_like(),
            decayed: Tensor::from_slice(&[1.0f32, 0.0]),
            step: 0,
        };
        let mut expected = [1.0f64, -1.0];
        let (mut m, mut v) = ([0.0; 2], [0.0; 2]);
        for (t, gradient) in gradients.iter().enumerate() {
            for i in 0..2 {
                m[i] = betas[0] * m[i] + (1.0 - betas[0]) * gradient[i];
                v[i] = betas[1] * v[i] + (1.0 - betas[1]) * gradient[i] * gradient[i];
                let m_hat = m[i] / (1.0 - betas[0].powi(t as i32 + 1));
                let v_hat: f64 = v[i] / (1.0 - betas[1].powi(t as i32 + 1));
                let decay = if i == 0 { lr * weight_decay * expected[i] } else { 0.0 };
                expected[i] -= lr * m_hat / (v_hat.sqrt() + 1e-8) + decay;
            }
            let gradient = Tensor::from_slice(&gradient.map(|g| g as f32));
            let size = StepSize { lr, betas, weight_decay };
            optimiser.step(&mut parameters, &gradient, size).unwrap();
            let found = Vec::<f32>::try_from(&parameters).unwrap();
            for i in 0..2 {
                assert!((f64::from(found[i]) - expected[i]).abs() < 1e-6, "step {t}: {found:?}");
            }
        }
        assert_eq!(optimiser.step, 3);
    }
}
