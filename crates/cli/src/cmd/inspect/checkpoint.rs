//! A checkpoint: of which net, how far trained, whether its files are whole.

use std::path::Path;

use ::model::{Meta, Metadata, onnx};
use anyhow::{Context, Result};
use serde::Serialize;

use super::model::Net;
use super::{plain, size};
use crate::nets::read_bounded;
use crate::run_dir::read_toml;
use crate::text::thousands;
use crate::{Verdict, output};

/// What a checkpoint's folder holds.
#[derive(Serialize)]
pub(super) struct Report {
    kind: &'static str,
    path: String,
    pub(super) number: u64,
    pub(super) step: u64,
    variant: Option<String>,
    generation: Option<u64>,
    /// Samples that were recorded when its training was planned.
    samples: Option<u64>,
    /// All files are as they were written.
    pub(super) good: bool,
    files: Vec<FileState>,
    /// The exported net, if its file is whole.
    net: Option<Net>,
    info: Metadata,
}

#[derive(Serialize)]
struct FileState {
    name: String,
    bytes: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// Its checksum is that in `meta.toml`.
    Good,
    Damaged,
    Missing,
}

impl Report {
    /// Reads a checkpoint's folder and checks all its files.
    ///
    /// # Errors
    /// `meta.toml` is missing or damaged.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let file = path.join("meta.toml");
        let meta: Meta =
            read_toml(&file)?.with_context(|| format!("there is no {}", file.display()))?;
        let mut net = None;
        let mut files = Vec::new();
        for name in meta.files.keys() {
            // A name with a way out of the folder is none of a checkpoint.
            let bytes = match Path::new(name).file_name() == Some(name.as_ref()) {
                true => read_bounded(&path.join(name)).ok(),
                false => None,
            };
            let state = match &bytes {
                Some(bytes) if meta.matches(name, bytes) => State::Good,
                Some(_) => State::Damaged,
                None => State::Missing,
            };
            let bytes = bytes.unwrap_or_default();
            if state == State::Good && name.ends_with(".onnx") {
                net = onnx::describe(&bytes).ok().as_ref().map(Net::new);
            }
            files.push(FileState { name: name.clone(), bytes: bytes.len() as u64, state });
        }
        let number = |key: &str| meta.info.get(key).and_then(|text| text.parse().ok());
        Ok(Self {
            kind: "checkpoint",
            path: path.display().to_string(),
            number: meta.number,
            step: meta.step,
            variant: meta.info.get("variant").cloned(),
            generation: number("generation"),
            samples: number("samples"),
            good: files.iter().all(|file| file.state == State::Good),
            files,
            net,
            info: meta.info,
        })
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{}: checkpoint {} of {} after {} steps",
            self.path,
            self.number,
            plain(self.variant.as_deref().unwrap_or("an unknown variant")),
            thousands(self.step)
        )];
        lines.extend(self.net.iter().flat_map(Net::lines));
        for file in &self.files {
            let state = match file.state {
                State::Good => "whole",
                State::Damaged => "DAMAGED: its checksum is not that in meta.toml",
                State::Missing => "MISSING, or not readable",
            };
            lines.push(format!("  {:22} {:>9}  {state}", plain(&file.name), size(file.bytes)));
        }
        let info = self.info.iter();
        lines.extend(info.map(|(key, value)| format!("  {} = {}", plain(key), plain(value))));
        lines
    }
}

/// Says what is in a checkpoint's folder.
pub(super) fn inspect(path: &Path, json: bool) -> Result<Verdict> {
    let report = Report::read(path)?;
    if json {
        output::json(&report);
    } else {
        output::result(&report.lines().join("\n"));
    }
    Ok(if report.good { Verdict::Good } else { Verdict::Failed })
}
