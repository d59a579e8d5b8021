//! Figures of a run as CSV files that grow row by row.
//!
//! A row is written with one call and flushed, so that a reader sees whole rows; the end of a row
//! that a crash cut off is removed when the file is opened again.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

/// One growing CSV file.
pub(crate) struct Metrics {
    path: PathBuf,
    writer: csv::Writer<File>,
}

impl Metrics {
    /// Opens or makes the file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let opened = || -> std::io::Result<(File, bool)> {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            let text = fs::read(path)?;
            let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            file.set_len(whole as u64)?;
            Ok((file, whole == 0))
        };
        let (file, empty) = opened().with_context(|| format!("cannot open {}", path.display()))?;
        let writer = csv::WriterBuilder::new().has_headers(empty).from_writer(file);
        Ok(Self { path: path.to_owned(), writer })
    }

    /// Removes the rows of steps beyond `step`, which the second column names: steps that are taken
    /// again after a crash report again.
    pub(crate) fn forget_beyond(&mut self, step: u64) -> Result<()> {
        let text = fs::read_to_string(&self.path)?;
        let step_of =
            |row: &str| row.trim_end().split(',').nth(1).and_then(|step| step.parse::<u64>().ok());
        let stays = |row: &&str| step_of(row).is_none_or(|of_row| of_row <= step);
        let kept: String = text.split_inclusive('\n').filter(stays).collect();
        if kept.len() < text.len() {
            crate::run_dir::write_whole(&self.path, kept.as_bytes())?;
            *self = Self::open(&self.path)?;
        }
        Ok(())
    }

    /// Adds a row; the first row of a new file brings the header with it.
    pub(crate) fn add<T: Serialize>(&mut self, row: &T) -> Result<()> {
        self.writer.serialize(row)?;
        self.writer.flush()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        generation: u32,
        step: u64,
    }

    fn row(generation: u32, step: u64) -> Row {
        Row { generation, step }
    }

    #[test]
    fn steps_taken_again_report_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("train.csv");
        let mut metrics = Metrics::open(&path).unwrap();
        for step in [50, 100, 150] {
            metrics.add(&row(1, step)).unwrap();
        }
        metrics.forget_beyond(50).unwrap();
        metrics.add(&row(1, 90)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "generation,step\n1,50\n1,90\n");
    }

    #[test]
    fn a_cut_row_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("train.csv");
        Metrics::open(&path).unwrap().add(&row(1, 5)).unwrap();
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"2,1");
        fs::write(&path, text).unwrap();
        Metrics::open(&path).unwrap().add(&row(2, 10)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "generation,step\n1,5\n2,10\n");
    }
}
