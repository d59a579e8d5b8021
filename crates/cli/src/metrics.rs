//! Figures of a run as CSV files that grow row by row.
//!
//! A row is written with one call and flushed, so that a reader sees whole rows; the end of a row
//! that a crash cut off is removed when the file is opened again.

use std::fs::{self, File, OpenOptions};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

/// One growing CSV file.
pub(crate) struct Metrics {
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
        Ok(Self { writer })
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
        step: u32,
        loss: f64,
    }

    #[test]
    fn a_cut_row_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("train.csv");
        Metrics::open(&path).unwrap().add(&Row { step: 1, loss: 0.5 }).unwrap();
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"2,0.");
        fs::write(&path, text).unwrap();
        Metrics::open(&path).unwrap().add(&Row { step: 2, loss: 0.25 }).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "step,loss\n1,0.5\n2,0.25\n");
    }
}
