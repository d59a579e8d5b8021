//! From the text of a variant file to a compiled variant: `tree` (TOML with places, inheritance),
//! `read` (keys and their values), `build` (tables, rules, start position).
//!
//! Every fault of a file is reported, not only the first, each with its file, line and column.

mod build;
mod pieces;
mod read;
mod tree;

use std::fmt;

pub(crate) use build::parse_variant;

/// One fault of a variant file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantError {
    /// The file: `variant`, or the name after `extends`.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

/// All faults of a variant file, in the order of the places; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantErrors(pub Vec<VariantError>);

impl VariantErrors {
    /// The same with another name for the file itself, `variant` so far.
    #[must_use]
    pub fn of_file(mut self, name: &str) -> VariantErrors {
        for fault in self.0.iter_mut().filter(|fault| fault.file == tree::OWN_FILE) {
            fault.file = name.to_owned();
        }
        self
    }
}

impl fmt::Display for VariantErrors {
    /// One fault a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for VariantErrors {}
