//! All parameters of a net in one tensor, so that the optimiser is a handful of operations.

use model::{Graph, Param, Weights};
use net::Module;
use tch::{TchError, Tensor};

use crate::error::TrainError;

/// The order of the parameters in the flat tensor: that of the graph, without gaps.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    params: Vec<Param>,
}

impl Layout {
    pub(crate) fn new(graph: &Graph) -> Self {
        Self { params: graph.params.clone() }
    }

    /// Parameters with their places.
    fn places(&self) -> impl Iterator<Item = (&Param, usize, usize)> {
        self.params.iter().scan(0, |next, param| {
            let (start, len) = (*next, param.shape.iter().product());
            *next += len;
            Some((param, start, len))
        })
    }

    /// The parameters of a module in one tensor, of which the module's own become views.
    pub(crate) fn bind(&self, module: &Module) -> Result<Tensor, TchError> {
        let flat =
            tch::no_grad(|| self.join(module.parameters().into_iter().map(|(_, tensor)| tensor)))?;
        self.share(module, &flat)?;
        Ok(flat)
    }

    /// Makes the parameters of a module views of `flat`.
    pub(crate) fn share(&self, module: &Module, flat: &Tensor) -> Result<(), TchError> {
        tch::no_grad(|| {
            for ((_, tensor), (param, start, len)) in module.parameters().iter().zip(self.places())
            {
                let shape: Vec<i64> = param.shape.iter().map(|&n| n as i64).collect();
                let view = flat.f_narrow(0, start as i64, len as i64)?.f_view(shape.as_slice())?;
                tensor.shallow_clone().f_set_data(&view)?;
            }
            Ok(())
        })
    }

    /// Tensors in the shapes of the parameters as one.
    pub(crate) fn join<'a>(
        &self,
        tensors: impl IntoIterator<Item = &'a Tensor>,
    ) -> Result<Tensor, TchError> {
        let rows: Vec<Tensor> =
            tensors.into_iter().map(|tensor| tensor.f_reshape(-1)).collect::<Result<_, _>>()?;
        Tensor::f_cat(&rows, 0)
    }

    /// 1 where weight decay applies (kernels and matrices), else 0.
    pub(crate) fn decayed(&self) -> Vec<f32> {
        let share = |(param, _, len): (&Param, usize, usize)| {
            std::iter::repeat_n(f32::from(param.shape.len() > 1), len)
        };
        self.places().flat_map(share).collect()
    }

    /// A flat tensor as named ones.
    pub(crate) fn split(&self, flat: &Tensor) -> Result<Weights, TrainError> {
        let all = Vec::<f32>::try_from(flat)?;
        let mut weights = Weights::new();
        for (param, start, len) in self.places() {
            let tensor = model::Tensor::new(param.shape.clone(), all[start..start + len].to_vec())
                .expect("the length is the product of the shape");
            weights.insert(param.name.clone(), tensor);
        }
        Ok(weights)
    }

    /// Named tensors as a flat slice.
    pub(crate) fn flatten(&self, weights: &Weights) -> Result<Vec<f32>, TrainError> {
        let mut flat = Vec::new();
        for param in &self.params {
            flat.extend_from_slice(weights.get(&param.name)?.data());
        }
        Ok(flat)
    }
}
