//! Named tensors.

use std::collections::BTreeMap;

/// A dense tensor of `f32` in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    shape: Vec<usize>,
    data: Vec<f32>,
}

impl Tensor {
    /// A tensor of this shape; `None` when `data` has not as many numbers.
    pub fn new(shape: Vec<usize>, data: Vec<f32>) -> Option<Tensor> {
        let len = shape.iter().try_fold(1usize, |len, &size| len.checked_mul(size))?;
        (len == data.len()).then_some(Tensor { shape, data })
    }

    /// The sizes, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The numbers, last dimension fastest.
    pub fn data(&self) -> &[f32] {
        &self.data
    }

    /// The numbers, to be changed in place.
    pub fn data_mut(&mut self) -> &mut [f32] {
        &mut self.data
    }
}

/// Why weights do not fit their use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// There is no tensor of this name.
    #[error("tensor {name:?} is missing")]
    Missing {
        /// Its name.
        name: String,
    },
    /// The graph has no parameter of this name.
    #[error("tensor {name:?} belongs to no parameter of the net")]
    Unknown {
        /// Its name.
        name: String,
    },
    /// A tensor has another shape than its parameter.
    #[error("tensor {name:?} has shape {found:?} instead of {expected:?}")]
    Shape {
        /// Its name.
        name: String,
        /// The shape found.
        found: Vec<usize>,
        /// The shape of the parameter.
        expected: Vec<usize>,
    },
    /// A tensor holds an infinity or not-a-number.
    #[error("tensor {name:?} holds a number that is not finite")]
    NotFinite {
        /// Its name.
        name: String,
    },
}

/// Tensors by name; iterates in the order of the names.
///
/// Besides the weights of a net this carries anything of the same form, such as averaged weights
/// and the moments of an optimiser.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights(BTreeMap<String, Tensor>);

impl Weights {
    /// No tensors.
    pub fn new() -> Weights {
        Weights::default()
    }

    /// Adds or replaces a tensor.
    pub fn insert(&mut self, name: impl Into<String>, tensor: Tensor) {
        self.0.insert(name.into(), tensor);
    }

    /// The tensor of this name.
    ///
    /// # Errors
    /// [`WeightsError::Missing`].
    pub fn get(&self, name: &str) -> Result<&Tensor, WeightsError> {
        self.0.get(name).ok_or_else(|| WeightsError::Missing { name: name.to_owned() })
    }

    /// The tensor of this name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Tensor> {
        self.0.get_mut(name)
    }

    /// All tensors in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.0.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// Number of tensors.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, Tensor)> for Weights {
    fn from_iter<I: IntoIterator<Item = (String, Tensor)>>(tensors: I) -> Weights {
        Weights(tensors.into_iter().collect())
    }
}
