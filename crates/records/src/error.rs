//! What can be wrong with a record, a record file or a store.

use std::fmt;
use std::path::PathBuf;

/// One thing that is wrong in a set of records, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Row (game) in the file, counted from 0, where the fault belongs to one.
    pub row: Option<usize>,
    /// Ply within the game, counted from 0, where the fault belongs to one.
    pub ply: Option<usize>,
    /// Column name, where the fault belongs to one.
    pub column: Option<&'static str>,
    /// What was found and what was expected.
    pub what: String,
}

impl Fault {
    /// A fault of the file as a whole.
    pub(crate) fn file(what: impl Into<String>) -> Self {
        Self { row: None, ply: None, column: None, what: what.into() }
    }

    /// A fault in one column of a game whose row is filled in by the caller.
    pub(crate) fn column(column: &'static str, what: impl Into<String>) -> Self {
        Self { row: None, ply: None, column: Some(column), what: what.into() }
    }

    /// The same fault with its ply.
    pub(crate) fn at_ply(self, ply: usize) -> Self {
        Self { ply: Some(ply), ..self }
    }

    /// The same fault with its row.
    pub(crate) fn at_row(self, row: usize) -> Self {
        Self { row: Some(row), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, "row {row}: ")?;
        }
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        if let Some(ply) = self.ply {
            write!(f, "ply {ply}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}

/// Why a record file or a store refused.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The file system said no.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder concerned.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file, or the records handed over to become one, is not valid.
    #[error("{}: {fault}", path.display())]
    Invalid {
        /// File concerned.
        path: PathBuf,
        /// What is wrong, and where.
        fault: Fault,
    },
    /// A game number came twice.
    #[error("game {game_id} is already recorded in chunk {chunk}")]
    Duplicate {
        /// The number.
        game_id: u64,
        /// The chunk it belongs to.
        chunk: u64,
    },
    /// A sealed chunk is never written again.
    #[error("{}: chunk {chunk} is already sealed", path.display())]
    Sealed {
        /// The chunk.
        chunk: u64,
        /// Its file.
        path: PathBuf,
    },
}

impl RecordsError {
    /// Whether a file is damaged or is not what its name says; false if the system cannot read it,
    /// or if it is of another version of this program.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Invalid { fault, .. } if fault.column != Some("schema"))
    }
}
