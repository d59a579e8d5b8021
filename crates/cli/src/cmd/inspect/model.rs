//! Files of nets: .onnx of anybody, .safetensors of ours.

use std::collections::BTreeMap;
use std::path::Path;

use ::model::onnx::{self, Description};
use ::model::{Metadata, Model, StoreError, Weights};
use anyhow::{Context, Result};
use serde::Serialize;

use super::{plain, size};
use crate::nets::{self, Kind};
use crate::text::thousands;
use crate::{Verdict, output};

/// What a file of a net says.
#[derive(Serialize)]
struct Report {
    kind: &'static str,
    file: String,
    bytes: u64,
    format: &'static str,
    producer: Option<String>,
    variant: Option<String>,
    generation: Option<u64>,
    /// Nothing for tensors that are no net.
    net: Option<Net>,
    /// Tensors in the file and numbers in them, those that only training needs included.
    tensors: usize,
    parameters: u64,
    metadata: Metadata,
}

/// A net in its form for play.
#[derive(Serialize)]
pub(super) struct Net {
    /// Residual blocks and channels of the tower; 0 if it is not built like ours.
    blocks: usize,
    channels: u64,
    parameters: u64,
    /// Multiplications (each with an addition) for one position.
    macs: u64,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    operations: BTreeMap<String, u64>,
    ir_version: u64,
    opset: i64,
}

/// An input or output; a name stands for a size that is free.
#[derive(Serialize)]
struct Port {
    name: String,
    shape: Vec<String>,
}

impl Net {
    pub(super) fn new(of: &Description) -> Self {
        let port = |(name, shape): &(String, Vec<String>)| Port {
            name: name.clone(),
            shape: shape.clone(),
        };
        let first = |shape: &Vec<u64>| shape.first().copied().unwrap_or(0);
        let parameters = of.parameters.iter().map(|(name, shape)| (name.as_str(), first(shape)));
        let (blocks, channels) = nets::tower(parameters);
        Self {
            blocks,
            channels,
            parameters: of.parameter_count(),
            macs: of.macs,
            inputs: of.inputs.iter().map(port).collect(),
            outputs: of.outputs.iter().map(port).collect(),
            operations: of.operations.clone(),
            ir_version: of.ir_version,
            opset: of.opset,
        }
    }

    /// The net for people.
    pub(super) fn lines(&self) -> Vec<String> {
        let ports = |ports: &[Port]| {
            let port = |of: &Port| format!("{} [{}]", plain(&of.name), plain(&of.shape.join(", ")));
            ports.iter().map(port).collect::<Vec<_>>().join(", ")
        };
        let operations = self.operations.iter();
        let operations: Vec<_> =
            operations.map(|(name, count)| format!("{count} {}", plain(name))).collect();
        let tower = match self.blocks {
            0 => String::new(),
            blocks => format!("{blocks} blocks x {} channels, ", self.channels),
        };
        vec![
            format!(
                "net: {tower}{} parameters, {} multiplications an evaluation",
                thousands(self.parameters),
                thousands(self.macs)
            ),
            format!("inputs: {}", ports(&self.inputs)),
            format!("outputs: {}", ports(&self.outputs)),
            format!(
                "operations: {} (opset {}, IR version {})",
                operations.join(", "),
                self.opset,
                self.ir_version
            ),
        ]
    }
}

/// Says what is in a file of a net.
pub(super) fn inspect(path: &Path, json: bool) -> Result<Verdict> {
    let bytes = nets::bytes(path)?;
    let read = Kind::of(&bytes).and_then(|kind| match kind {
        Kind::Onnx => of_onnx(&bytes),
        Kind::Safetensors => of_safetensors(&bytes),
    });
    let report = Report {
        file: path.display().to_string(),
        bytes: bytes.len() as u64,
        ..read.with_context(|| path.display().to_string())?
    };
    if json {
        output::json(&report);
    } else {
        output::result(&report.lines().join("\n"));
    }
    Ok(Verdict::Good)
}

impl Report {
    fn new(format: &'static str, metadata: Metadata) -> Self {
        Self {
            kind: "model",
            file: String::new(),
            bytes: 0,
            format,
            producer: metadata.get("producer").cloned(),
            variant: metadata.get("variant").cloned(),
            generation: metadata.get("generation").and_then(|number| number.parse().ok()),
            net: None,
            tensors: 0,
            parameters: 0,
            metadata,
        }
    }

    fn lines(&self) -> Vec<String> {
        let known = |text: &Option<String>| plain(text.as_deref().unwrap_or("not named"));
        let mut lines = vec![
            format!("{}: {}, {}", self.file, self.format, size(self.bytes)),
            format!(
                "variant {}, generation {}, made by {}",
                known(&self.variant),
                known(&self.generation.map(|number| number.to_string())),
                known(&self.producer)
            ),
            format!("{} tensors, {} numbers", self.tensors, thousands(self.parameters)),
        ];
        lines.extend(self.net.iter().flat_map(Net::lines));
        let metadata = self.metadata.iter();
        lines.extend(metadata.map(|(key, value)| format!("  {} = {}", plain(key), plain(value))));
        lines
    }
}

fn of_onnx(bytes: &[u8]) -> Result<Report> {
    let found = onnx::describe(bytes)?;
    let report = Report::new("onnx", found.metadata.clone());
    Ok(Report {
        producer: report.producer.or_else(|| Some(found.producer.clone())),
        net: Some(Net::new(&found)),
        tensors: found.parameters.len(),
        parameters: found.parameter_count(),
        ..report
    })
}

fn of_safetensors(bytes: &[u8]) -> Result<Report> {
    let model = match Model::from_safetensors(bytes) {
        Ok(model) => model,
        Err(StoreError::NoGraph) => {
            let (weights, metadata) = Weights::from_safetensors(bytes)?;
            return Ok(Report {
                tensors: weights.len(),
                parameters: numbers(&weights),
                ..Report::new("safetensors", metadata)
            });
        }
        Err(error) => return Err(error.into()),
    };
    let (graph, weights) = model.graph.folded(&model.weights)?;
    let played =
        onnx::describe(&onnx::write(&graph, &weights, &Metadata::new(), onnx::Style::default())?)?;
    Ok(Report {
        net: Some(Net::new(&played)),
        tensors: model.weights.len(),
        parameters: numbers(&model.weights),
        ..Report::new("safetensors", model.metadata)
    })
}

/// Numbers in all tensors.
fn numbers(weights: &Weights) -> u64 {
    weights.iter().map(|(_, tensor)| tensor.data().len() as u64).sum()
}
