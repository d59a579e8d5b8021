//! A graph on a device.

use crate::error::{NetError, at};
use model::{FitError, Graph, Op, STANDARDISE_EPSILON, TensorId, Weights};
use std::collections::BTreeMap;
use tch::{Device, Kind, TchError, Tensor};

/// A net whose parameters live on a device and collect gradients.
#[derive(Debug)]
pub struct Module {
    graph: Graph,
    /// By name.
    parameters: BTreeMap<String, Tensor>,
    /// [`Graph::gather`] as 64-bit integers.
    gather: Tensor,
    device: Device,
}

/// What a net computed, by the names in [`model::head`].
#[derive(Debug)]
pub struct Outputs(BTreeMap<String, Tensor>);

impl Outputs {
    /// The output of this name, `[N, len]`.
    ///
    /// # Errors
    /// [`NetError::NoOutput`], such as for the training heads of a folded net.
    pub fn get(&self, name: &str) -> Result<&Tensor, NetError> {
        self.0.get(name).ok_or_else(|| NetError::NoOutput(name.to_owned()))
    }

    /// All outputs in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.0.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }
}

impl Module {
    /// The net `graph` with a copy of `weights` on `device`.
    ///
    /// # Errors
    /// A graph or weights that do not pass their checks; a device that is not there.
    pub fn new(graph: &Graph, weights: &Weights, device: Device) -> Result<Module, NetError> {
        graph.check().map_err(FitError::from)?;
        graph.check_weights(weights)?;
        let mut parameters = BTreeMap::new();
        for (name, tensor) in weights.iter() {
            let tensor = upload(tensor, device)
                .and_then(|tensor| tensor.f_set_requires_grad(true))
                .map_err(at(|| format!("parameter {name:?}")))?;
            parameters.insert(name.to_owned(), tensor);
        }
        let places: Vec<i64> = graph.gather.iter().map(|&place| i64::from(place)).collect();
        let gather = Tensor::f_from_slice(&places)
            .and_then(|tensor| tensor.f_to_device(device))
            .map_err(at(|| "gather table"))?;
        Ok(Module { graph: graph.clone(), parameters, gather, device })
    }

    /// The operations.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Where the net lives.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The parameters in the order of [`Graph::params`]. A `shallow_clone` of one shares its
    /// numbers, so an optimiser can change them in place inside `tch::no_grad`.
    pub fn parameters(&self) -> Vec<(&str, &Tensor)> {
        let tensor = |param: &'_ model::Param| &self.parameters[&param.name];
        self.graph.params.iter().map(|param| (param.name.as_str(), tensor(param))).collect()
    }

    /// Forgets all gradients.
    pub fn zero_grad(&self) {
        self.parameters.values().for_each(|tensor| tensor.shallow_clone().zero_grad());
    }

    /// A copy of the parameters.
    ///
    /// # Errors
    /// libtorch cannot copy them from the device.
    pub fn weights(&self) -> Result<Weights, NetError> {
        let mut weights = Weights::new();
        for param in &self.graph.params {
            let mut data = vec![0.0; param.shape.iter().product()];
            download(&self.parameters[&param.name], &mut data)
                .map_err(at(|| format!("parameter {:?}", param.name)))?;
            let tensor = model::Tensor::new(param.shape.clone(), data)
                .expect("the length is the product of the shape");
            weights.insert(param.name.clone(), tensor);
        }
        Ok(weights)
    }

    /// Overwrites the parameters in place; handles to them stay valid.
    ///
    /// # Errors
    /// Weights that do not fit the graph; nothing is changed then.
    pub fn load(&self, weights: &Weights) -> Result<(), NetError> {
        self.graph.check_weights(weights)?;
        for (name, tensor) in weights.iter() {
            let mut parameter = self.parameters[name].shallow_clone();
            upload(tensor, self.device)
                .and_then(|tensor| tch::no_grad(|| parameter.f_copy_(&tensor)))
                .map_err(at(|| format!("parameter {name:?}")))?;
        }
        Ok(())
    }

    /// Runs the net on `input` `[N, planes, ranks, files]` on its device.
    ///
    /// # Errors
    /// Another shape of input; whatever libtorch refuses.
    pub fn forward(&self, input: &Tensor) -> Result<Outputs, NetError> {
        let shape = &self.graph.shape;
        let expected = [shape.planes, shape.ranks, shape.files].map(|size| size as i64);
        if input.size().get(1..) != Some(&expected) {
            return Err(NetError::Input { found: input.size(), expected });
        }
        let mut tensors = vec![input.shallow_clone()];
        for (index, node) in self.graph.nodes.iter().enumerate() {
            let result = self
                .compute(&node.op, &node.inputs, &tensors)
                .map_err(at(|| format!("node {index}, {:?}", node.op)))?;
            tensors.push(result);
        }
        let output =
            |(name, id): &(String, TensorId)| (name.clone(), tensors[id.0].shallow_clone());
        Ok(Outputs(self.graph.outputs.iter().map(output).collect()))
    }

    fn compute(
        &self,
        op: &Op,
        inputs: &[TensorId],
        tensors: &[Tensor],
    ) -> Result<Tensor, TchError> {
        let x = &tensors[inputs[0].0];
        match op {
            Op::Conv { weight, bias, gain } => {
                let weight = &self.parameters[weight];
                let padding = weight.size()[2] / 2;
                let standardised;
                let kernel = match gain {
                    Some(gain) => {
                        standardised = standardise(weight, &self.parameters[gain])?;
                        &standardised
                    }
                    None => weight,
                };
                let bias = Some(&self.parameters[bias]);
                x.f_conv2d(kernel, bias, [1, 1], [padding, padding], [1, 1], 1)
            }
            Op::Linear { weight, bias } => {
                x.f_flatten(1, -1)?.f_linear(&self.parameters[weight], Some(&self.parameters[bias]))
            }
            Op::Relu => x.f_relu(),
            Op::Add => x.f_add(&tensors[inputs[1].0]),
            Op::Pool => {
                let mean = x.f_mean_dim([2, 3].as_slice(), true, Kind::Float)?;
                let max = x.f_amax([2, 3], true)?;
                Tensor::f_cat(&[mean, max], 1)
            }
            Op::Gather => x.f_flatten(1, -1)?.f_index_select(1, &self.gather),
        }
    }
}

/// See [`Op::Conv`].
fn standardise(kernel: &Tensor, gain: &Tensor) -> Result<Tensor, TchError> {
    let dims = [1, 2, 3].as_slice();
    let centred = kernel.f_sub(&kernel.f_mean_dim(dims, true, Kind::Float)?)?;
    let squares = centred.f_square()?.f_sum_dim_intlist(dims, true, Kind::Float)?;
    let scale = squares.f_add_scalar(STANDARDISE_EPSILON)?.f_rsqrt()?;
    centred.f_mul(&scale.f_mul(&gain.f_view([-1, 1, 1, 1])?)?)
}

fn upload(tensor: &model::Tensor, device: Device) -> Result<Tensor, TchError> {
    let sizes: Vec<i64> = tensor.shape().iter().map(|&size| size as i64).collect();
    Tensor::f_from_slice(tensor.data())?.f_reshape(sizes)?.f_to_device(device)
}

/// Copies a tensor of exactly `data.len()` numbers to the host.
pub(crate) fn download(tensor: &Tensor, data: &mut [f32]) -> Result<(), TchError> {
    let tensor = tensor.f_detach()?.f_to_device(Device::Cpu)?.f_contiguous()?;
    tensor.f_copy_data(data, data.len())
}
