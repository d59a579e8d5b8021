//! How much room each column of a record file takes.

use std::path::Path;

use bytes::Bytes;
use parquet::file::metadata::ParquetMetaDataReader;

use crate::error::{Fault, RecordsError};
use crate::pages;
use crate::store::{invalid, load};

/// A column of a record file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSize {
    /// Its name.
    pub name: String,
    /// Bytes in the file.
    pub packed: u64,
    /// Bytes once unpacked.
    pub unpacked: u64,
    /// Values, list elements counted one by one.
    pub values: u64,
}

/// The columns of a record file in their order; those it does not know of included.
///
/// # Errors
/// [`RecordsError::Invalid`] if it is no Parquet file, [`RecordsError::Io`].
pub fn column_sizes(path: &Path) -> Result<Vec<ColumnSize>, RecordsError> {
    let file = Bytes::from(load(path)?);
    let metadata = ParquetMetaDataReader::new()
        .parse_and_finish(&file)
        .map_err(|e| invalid(path)(Fault::file(e.to_string())))?;
    pages::check(&file, &metadata).map_err(invalid(path))?;
    let mut columns: Vec<ColumnSize> = Vec::new();
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let name = column.column_path().parts().first().map_or("", String::as_str);
        let size = |bytes: i64| u64::try_from(bytes).unwrap_or(0);
        let more = ColumnSize {
            name: name.to_owned(),
            packed: size(column.compressed_size()),
            unpacked: size(column.uncompressed_size()),
            values: size(column.num_values()),
        };
        match columns.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                known.packed = known.packed.saturating_add(more.packed);
                known.unpacked = known.unpacked.saturating_add(more.unpacked);
                known.values = known.values.saturating_add(more.values);
            }
            None => columns.push(more),
        }
    }
    Ok(columns)
}
