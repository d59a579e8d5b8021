//! What a net looks like: the part given by the game ([`NetShape`]) and the part chosen by a
//! person ([`NetConfig`]).

use serde::{Deserialize, Serialize};

/// The sizes a net takes from the encoder of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetShape {
    /// Input planes, 1..=4096.
    pub planes: usize,
    /// Ranks of the board (rows of a plane), 1..=32.
    pub ranks: usize,
    /// Files of the board (columns of a plane), 1..=32.
    pub files: usize,
    /// Planes of the convolutional policy head before the gather, 1..=4096.
    pub head_planes: usize,
    /// Length of the policy vocabulary, 1..=65536.
    pub policy_len: usize,
}

impl NetShape {
    /// Squares of the board.
    pub fn squares(&self) -> usize {
        self.ranks * self.files
    }

    /// Numbers in the input of one position: `planes * ranks * files`.
    pub fn input_len(&self) -> usize {
        self.planes * self.squares()
    }

    /// Checks the documented ranges.
    ///
    /// # Errors
    /// Names every field that is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        check(&[
            ("planes", self.planes, 1, 4096),
            ("ranks", self.ranks, 1, 32),
            ("files", self.files, 1, 32),
            ("head_planes", self.head_planes, 1, 4096),
            ("policy_len", self.policy_len, 1, 65536),
        ])
    }
}

/// The architecture of a net. The same description serves every game and board size, as long as
/// `value_flat_channels` is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// Residual blocks of two 3x3 convolutions each, 0..=64.
    pub blocks: usize,
    /// Channels of the residual tower, 1..=1024; multiples of 8 run fastest on a CPU.
    pub channels: usize,
    /// Every `pool_every`-th block, counted back from the last one, also sees the mean and maximum
    /// of its input over the board. 0: none, otherwise 1..=64. A value of at least `blocks` means
    /// the last block only.
    pub pool_every: usize,
    /// Channels of the hidden layer that all policy heads share, 1..=1024.
    pub policy_channels: usize,
    /// Channels that the value head pools over the board, 1..=1024.
    pub value_channels: usize,
    /// Width of the value head's hidden layer, 1..=4096.
    pub value_hidden: usize,
    /// Channels that the value head also sees square by square, 0..=1024. Anything but 0 ties the
    /// net to its board size.
    pub value_flat_channels: usize,
}

impl Default for NetConfig {
    fn default() -> NetConfig {
        NetConfig {
            blocks: 3,
            channels: 32,
            pool_every: 3,
            policy_channels: 32,
            value_channels: 32,
            value_hidden: 32,
            value_flat_channels: 0,
        }
    }
}

impl NetConfig {
    /// Checks the documented ranges.
    ///
    /// # Errors
    /// Names every key that is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        check(&[
            ("blocks", self.blocks, 0, 64),
            ("channels", self.channels, 1, 1024),
            ("pool_every", self.pool_every, 0, 64),
            ("policy_channels", self.policy_channels, 1, 1024),
            ("value_channels", self.value_channels, 1, 1024),
            ("value_hidden", self.value_hidden, 1, 4096),
            ("value_flat_channels", self.value_flat_channels, 0, 1024),
        ])
    }

    /// Whether residual block `block` (from 0) has a global-pooling branch.
    pub(crate) fn pools(&self, block: usize) -> bool {
        self.pool_every != 0 && (self.blocks - 1 - block).is_multiple_of(self.pool_every)
    }
}

/// A key that lies outside its documented range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {value} is not in {low}..={high}")]
pub struct RangeFault {
    /// The key, as written in a configuration file.
    pub key: &'static str,
    /// The value found.
    pub value: usize,
    /// The smallest value allowed.
    pub low: usize,
    /// The largest value allowed.
    pub high: usize,
}

/// All the faults of one description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", list(.0))]
pub struct ConfigError(
    /// The faults, in the order of the keys; never empty.
    pub Vec<RangeFault>,
);

fn list(faults: &[RangeFault]) -> String {
    faults.iter().map(RangeFault::to_string).collect::<Vec<_>>().join("; ")
}

fn check(ranges: &[(&'static str, usize, usize, usize)]) -> Result<(), ConfigError> {
    let faults: Vec<RangeFault> = ranges
        .iter()
        .filter(|(_, value, low, high)| !(low..=high).contains(&value))
        .map(|&(key, value, low, high)| RangeFault { key, value, low, high })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(ConfigError(faults)) }
}
