//! Figures of a run: CSV files that grow row by row, `metrics/<name>.csv`, and beside them event
//! files for TensorBoard, `tensorboard/<name>`.
//!
//! A row is written with one call and flushed, so that a reader sees whole rows; the end of a row
//! that a crash cut off is removed when the file is opened again.
#![doc = include_str!("README.md")]

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::run_dir::append_whole;
use crate::tensorboard::EventFile;

/// A row of a CSV file and what of it TensorBoard shows.
pub(crate) trait Row: Serialize {
    /// The step it belongs to: what TensorBoard's horizontal axis counts.
    fn step(&self) -> u64;

    /// Names and values.
    fn scalars(&self) -> Vec<(String, f64)>;
}

/// The scalars of these names.
pub(crate) fn named(scalars: &[(&str, f64)]) -> Vec<(String, f64)> {
    scalars.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
}

/// One growing CSV file and its event files.
pub(crate) struct Metrics {
    path: PathBuf,
    file: File,
    /// No header yet.
    empty: bool,
    events: EventFile,
}

impl Metrics {
    /// Opens or makes the CSV file of this name of a run.
    pub(crate) fn open(run: &Path, name: &str) -> Result<Self> {
        let path = run.join(format!("metrics/{name}.csv"));
        let events = EventFile::new(run.join("tensorboard").join(name));
        let (file, empty) = open(&path)?;
        Ok(Self { path, file, empty, events })
    }

    /// Removes the rows of steps beyond `step`, which the second column names: steps that are taken
    /// again after a crash report again.
    pub(crate) fn forget_beyond(&mut self, step: u64) -> Result<()> {
        self.keep(1, step)
    }

    /// Removes the rows of generations beyond `generation`, which the first column names.
    pub(crate) fn forget_generations_beyond(&mut self, generation: u32) -> Result<()> {
        self.keep(0, generation.into())
    }

    /// Keeps the rows whose number in a column is at most `most`, and those without a number there.
    fn keep(&mut self, column: usize, most: u64) -> Result<()> {
        let text = fs::read_to_string(&self.path)
            .with_context(|| format!("cannot read {}", self.path.display()))?;
        let number = |row: &str| {
            row.trim_end().split(',').nth(column).and_then(|number| number.parse::<u64>().ok())
        };
        let stays = |row: &&str| number(row).is_none_or(|of_row| of_row <= most);
        let kept: String = text.split_inclusive('\n').filter(stays).collect();
        if kept.len() < text.len() {
            crate::run_dir::write_whole(&self.path, kept.as_bytes())?;
            (self.file, self.empty) = open(&self.path)?;
        }
        self.restart(most + 1)
    }

    /// Tells TensorBoard that what this process did not write of `step` and later steps comes again.
    pub(crate) fn restart(&mut self, step: u64) -> Result<()> {
        self.events.restart(step)
    }

    /// Adds a row; the first row of a new file brings the header with it.
    ///
    /// # Errors
    /// The row cannot be written; then nothing of it is in the file.
    pub(crate) fn add<T: Row>(&mut self, row: &T) -> Result<()> {
        let mut writer = csv::WriterBuilder::new().has_headers(self.empty).from_writer(Vec::new());
        writer.serialize(row)?;
        append_whole(&mut self.file, &writer.into_inner()?)
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.empty = false;
        self.events.add(row.step(), &row.scalars())
    }
}

/// The file, which is made if need be, at its end, and whether it is empty.
fn open(path: &Path) -> Result<(File, bool)> {
    let opened = || -> std::io::Result<(File, bool)> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let text = fs::read(path)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        file.set_len(whole as u64)?;
        Ok((file, whole == 0))
    };
    opened().with_context(|| format!("cannot open {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        generation: u32,
        step: u64,
    }

    impl super::Row for Row {
        fn step(&self) -> u64 {
            self.step
        }

        fn scalars(&self) -> Vec<(String, f64)> {
            named(&[("generation", self.generation.into())])
        }
    }

    fn row(generation: u32, step: u64) -> Row {
        Row { generation, step }
    }

    /// The folder of a run and the path of its file `train`.
    fn run() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("metrics")).unwrap();
        let path = dir.path().join("metrics/train.csv");
        (dir, path)
    }

    #[test]
    fn steps_taken_again_report_once() {
        let (dir, path) = run();
        let mut metrics = Metrics::open(dir.path(), "train").unwrap();
        for step in [50, 100, 150] {
            metrics.add(&row(1, step)).unwrap();
        }
        metrics.forget_beyond(50).unwrap();
        metrics.add(&row(1, 90)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "generation,step\n1,50\n1,90\n");
    }

    #[test]
    fn a_cut_row_is_dropped() {
        let (dir, path) = run();
        Metrics::open(dir.path(), "train").unwrap().add(&row(1, 5)).unwrap();
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"2,1");
        fs::write(&path, text).unwrap();
        Metrics::open(dir.path(), "train").unwrap().add(&row(2, 10)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "generation,step\n1,5\n2,10\n");
    }
}
