//! The nets that come with the program, `zoo:NAME`: trained by it, see `data/zoo/README.md`.

use std::path::Path;

use anyhow::{Context, Result};

/// One of them.
pub(crate) struct ZooNet {
    pub(crate) name: &'static str,
    /// What `narikin export --format safetensors` wrote.
    pub(crate) weights: &'static [u8],
    /// And the card beside it, JSON.
    pub(crate) card: &'static str,
}

macro_rules! nets {
    ($($name:literal),*) => {
        [$(ZooNet {
            name: $name,
            weights: include_bytes!(concat!("../../../data/zoo/", $name, ".safetensors")),
            card: include_str!(concat!("../../../data/zoo/", $name, ".safetensors.json")),
        }),*]
    };
}

/// All of them.
pub(crate) static NETS: &[ZooNet] = &nets!["micro", "dobutsu", "minishogi"];

/// The name in `zoo:NAME`.
pub(crate) fn name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix("zoo:")
}

/// The net of this name.
///
/// # Errors
/// There is none; the names there are.
pub(crate) fn net(name: &str) -> Result<&'static ZooNet> {
    NETS.iter().find(|net| net.name == name).with_context(|| {
        let known: Vec<_> = NETS.iter().map(|net| format!("zoo:{}", net.name)).collect();
        format!("there is no net `zoo:{name}`; known are {}", known.join(", "))
    })
}
