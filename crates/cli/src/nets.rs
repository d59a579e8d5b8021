//! Nets in files: of ours as .safetensors and .onnx, and of others by the contract of dlshogi. The
//! kind of a file is told by its first bytes, and nothing in it is trusted.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use encode::{Encoder, Encoding};
use inference::{NetEvaluator, OrtBackend, Runtime};
use model::onnx::{self, Contract, Description, Style};
use model::{Metadata, Model};
use rules::Variant;

use crate::zoo;

/// Largest file of a net that is read.
const LARGEST: u64 = 1 << 30;

/// The bytes of a net's file; `zoo:NAME` is one of the [`zoo`].
///
/// # Errors
/// No such file or net; a file that is too large.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    if let Some(name) = zoo::name(path) {
        return Ok(zoo::net(name)?.weights.to_vec());
    }
    read_bounded(path)
}

/// The bytes of a file that is not larger than [`LARGEST`], whatever kind of file it is.
pub(crate) fn read_bounded(path: &Path) -> Result<Vec<u8>> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(bytes.len() as u64 <= LARGEST, "{} is larger than 1 GiB", path.display());
    Ok(bytes)
}

/// The kinds of files that nets come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Safetensors,
    Onnx,
}

impl Kind {
    /// The kind by the first bytes; what cannot be told apart is taken for ONNX, whose reader then
    /// says what is wrong.
    ///
    /// # Errors
    /// A file of a kind that may hold programs.
    pub(crate) fn of(bytes: &[u8]) -> Result<Self> {
        let zip = bytes.starts_with(b"PK\x03\x04");
        let pickle = matches!(bytes, [0x80, 2..=5, ..]);
        if zip || pickle {
            let what = if zip { "a zip archive, as of TorchScript or NumPy" } else { "a pickle" };
            bail!(
                "the file is {what}, which may hold programs and is not opened: export the net as \
                 .onnx or .safetensors"
            );
        }
        // The length of the header, then its JSON.
        Ok(if bytes.get(8) == Some(&b'{') { Self::Safetensors } else { Self::Onnx })
    }
}

/// The net of a .safetensors file, with the weights that training goes on from.
///
/// # Errors
/// A file that cannot be read, of another kind, or damaged.
#[cfg(feature = "torch")]
pub(crate) fn read_model(path: &Path) -> Result<Model> {
    let read = |bytes: &[u8]| match Kind::of(bytes)? {
        Kind::Safetensors => Ok(Model::from_safetensors(bytes)?),
        Kind::Onnx => bail!("not a .safetensors file, which `narikin export` writes"),
    };
    read(&bytes(path)?).with_context(|| path.display().to_string())
}

/// A net that can play: its ONNX file, and what that says about itself.
pub(crate) struct Net {
    onnx: Vec<u8>,
    contract: Contract,
    metadata: Metadata,
}

impl Net {
    /// The net of a file.
    ///
    /// # Errors
    /// A file that cannot be read, or holds no net that can play here, with the reason.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let read = || Self::from_bytes(bytes(path)?);
        read().with_context(|| format!("cannot use {}", path.display()))
    }

    fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        if Kind::of(&bytes)? == Kind::Safetensors {
            let Model { graph, weights, metadata } = Model::from_safetensors(&bytes)?;
            let (graph, weights) = graph.folded(&weights)?;
            let onnx = onnx::write(&graph, &weights, &metadata, Style::default())?;
            return Ok(Self { onnx, contract: Contract::Graph, metadata });
        }
        let found = onnx::describe(&bytes)?;
        ensure!(!found.external, "its weights are in other files, which are not opened");
        let contract = contract(&found)?;
        Ok(Self { onnx: bytes, contract, metadata: found.metadata })
    }

    /// The variant that it says it plays, if it is built in.
    pub(crate) fn variant(&self) -> Option<Arc<Variant>> {
        match self.contract {
            Contract::Graph => Variant::builtin(self.metadata.get("variant")?),
            Contract::Dlshogi => Variant::builtin("shogi"),
        }
    }

    /// Runs it, with that many bytes for evaluations that it remembers. `encoder` is one of the
    /// variant; a net of another encoding gets that.
    ///
    /// # Errors
    /// The net is for another game, or ONNX Runtime refuses it.
    pub(crate) fn evaluator(
        &self,
        encoder: &Arc<Encoder>,
        runtime: &Runtime,
        cache: usize,
    ) -> Result<NetEvaluator<OrtBackend>> {
        let encoder = self.encoder(encoder)?;
        self.check_origin(&encoder)?;
        let shape = inference::net_shape(&encoder);
        let backend = OrtBackend::of_contract(runtime, &self.onnx, &shape, self.contract)?;
        Ok(NetEvaluator::new(encoder, backend)?.with_cache(cache))
    }

    fn encoder(&self, encoder: &Arc<Encoder>) -> Result<Arc<Encoder>> {
        let encoding = match (self.contract, self.metadata.get("encoding")) {
            (Contract::Dlshogi, _) => Encoding::Dlshogi,
            (Contract::Graph, None) => encoder.encoding(),
            (Contract::Graph, Some(name)) => Encoding::from_name(name)
                .with_context(|| format!("the net has an encoding that is not known, `{name}`"))?,
        };
        if encoding == encoder.encoding() {
            return Ok(Arc::clone(encoder));
        }
        Ok(Arc::new(encoding.encoder(Arc::clone(encoder.variant()))?))
    }

    /// Refuses a net that says that it was trained for other boards, pieces or planes. Nets of other
    /// programs say nothing; their shape is compared.
    fn check_origin(&self, encoder: &Encoder) -> Result<()> {
        for (key, ours) in fingerprints(encoder) {
            let Some(theirs) = self.metadata.get(key).filter(|theirs| **theirs != ours) else {
                continue;
            };
            let of = self.metadata.get("variant").map_or("another variant", String::as_str);
            bail!(
                "the net is for {of}, not for {}: {} fingerprint {}… instead of {}…",
                encoder.variant().id(),
                key.trim_end_matches("_fingerprint"),
                short(theirs),
                short(&ours)
            );
        }
        Ok(())
    }

    /// What is to be said where it was trained under other endings or from another start.
    pub(crate) fn warning(&self, variant: &Variant) -> Option<String> {
        let theirs = self.metadata.get("rules_fingerprint")?;
        (*theirs != variant.rules_fingerprint().to_string()).then(|| {
            format!(
                "the net was trained under other endings, limits or from another start than {}",
                variant.id()
            )
        })
    }
}

/// What the metadata of a net for this encoder say of its origin: key and value.
pub(crate) fn fingerprints(encoder: &Encoder) -> [(&'static str, String); 2] {
    [
        ("board_fingerprint", encoder.variant().board_fingerprint().to_string()),
        ("encoder_fingerprint", encoder.fingerprint().to_string()),
    ]
}

/// Residual blocks and channels of a net that is built like ours, by the names of its parameters and
/// their first sizes; zeros where it is not.
pub(crate) fn tower<'a>(parameters: impl Iterator<Item = (&'a str, u64)>) -> (usize, u64) {
    let (mut blocks, mut channels) = (0, 0);
    for (name, size) in parameters {
        let block = name.strip_prefix("tower.").and_then(|rest| rest.split('.').next());
        if let Some(number) = block.and_then(|block| block.parse::<usize>().ok()) {
            blocks = blocks.max(number.saturating_add(1));
        }
        if name == "entry.weight" {
            channels = size;
        }
    }
    (blocks, channels)
}

/// Whose inputs an ONNX file has. That all sizes fit is for [`OrtBackend`] to see.
fn contract(found: &Description) -> Result<Contract> {
    let planes = |name: &str| {
        let (_, sizes) = found.inputs.iter().find(|(input, _)| input == name)?;
        Some(sizes.get(1).map_or("?", String::as_str))
    };
    match (planes("input1"), planes("input2")) {
        (Some(_), Some("119")) => bail!(
            "the net has dlshogi's later inputs (62 and 119 planes, WCSC35); known are those of 62 and \
             57 planes"
        ),
        (Some(_), Some(_)) => Ok(Contract::Dlshogi),
        _ => Ok(Contract::Graph),
    }
}

/// So much of a fingerprint tells it from others.
fn short(fingerprint: &str) -> &str {
    fingerprint.get(..12).unwrap_or(fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_file_is_refused() {
        let error = read_bounded(Path::new("/dev/zero")).unwrap_err().to_string();
        assert!(error.contains("larger"), "{error}");
    }

    #[test]
    fn what_may_hold_programs_is_not_opened() {
        for (bytes, what) in [(&b"PK\x03\x04rest"[..], "zip"), (&b"\x80\x02}q\x00"[..], "pickle")] {
            let error = Net::from_bytes(bytes.to_vec()).err().expect("refused").to_string();
            assert!(error.contains(what) && error.contains(".safetensors"), "{error}");
        }
    }
}
