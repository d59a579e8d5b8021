//! Records to Parquet bytes and back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_schema::FieldRef;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::error::Fault;
use crate::game::GameRecord;
use crate::pages::{self, LIMITS};
use crate::schema::{COLUMNS, Row, Summary, fields, same_type};

/// Key in the file's metadata of the SHA-256 (hex) of all bytes before the footer. It finds damage;
/// files without it (written by other programs) are read all the same.
const CHECKSUM: &str = "narikin.sha256";
/// Rows unpacked at a time.
const BATCH: usize = 16;
/// Rows in a row group.
pub(crate) const ROW_GROUP: usize = 1024;
/// Bytes of the footer's length and magic at the end of a file.
const TAIL: usize = 8;

/// Whether a file must have a checksum.
#[derive(Clone, Copy)]
enum Checksum {
    Required,
    IfPresent,
}

/// The records as a Parquet file. Equal records give equal bytes.
///
/// # Errors
/// The first record that is not valid, by row.
pub fn encode(games: &[GameRecord]) -> Result<Vec<u8>, Fault> {
    for (row, game) in games.iter().enumerate() {
        game.validate().map_err(|fault| fault.at_row(row))?;
    }
    let rows = games.chunks(ROW_GROUP).map(|games| games.iter().map(Row::new).collect());
    write(&fields(&COLUMNS), rows).map_err(|e| Fault::file(e.to_string()))
}

/// A Parquet file of rows with these fields, a row group for each of `groups`.
pub(crate) fn write<R: serde::Serialize>(
    fields: &[FieldRef],
    groups: impl Iterator<Item = Vec<R>>,
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by("narikin".to_owned())
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .build();
    let schema = Arc::new(arrow_schema::Schema::new(fields.to_vec()));
    let options =
        ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), schema, options)?;
    for rows in groups {
        writer.write(&serde_arrow::to_record_batch(fields, &rows)?)?;
        writer.flush()?;
    }
    writer.sync()?;
    let checksum = checksum(writer.inner());
    writer.append_key_value_metadata(KeyValue::new(CHECKSUM.to_owned(), checksum));
    Ok(writer.into_inner()?)
}

/// The records in a Parquet file. The bytes are not trusted: sizes are bounded before unpacking and
/// every value is checked; moves are not replayed.
///
/// # Errors
/// The first fault, by row and column.
pub fn decode(file: Vec<u8>) -> Result<Vec<GameRecord>, Fault> {
    decode_games(file, Checksum::IfPresent)
}

/// The same for a file that [`encode`] has made, which therefore has a checksum.
pub(crate) fn decode_sealed(file: Vec<u8>) -> Result<Vec<GameRecord>, Fault> {
    decode_games(file, Checksum::Required)
}

fn decode_games(file: Vec<u8>, checksum: Checksum) -> Result<Vec<GameRecord>, Fault> {
    let mut games: Vec<GameRecord> = Vec::new();
    read(file, &COLUMNS, checksum, |row: Row| {
        let game = row.into_game()?;
        if games.last().is_some_and(|last| last.game_id >= game.game_id) {
            let what = format!("{} does not follow its predecessor", game.game_id);
            return Err(Fault::column("game_id", what));
        }
        games.push(game);
        Ok(())
    })?;
    Ok(games)
}

/// The summaries of the games of a sealed file, read without unpacking the other columns.
pub(crate) fn decode_summaries(file: Vec<u8>) -> Result<Vec<Summary>, Fault> {
    let mut summaries = Vec::new();
    read(file, &Summary::COLUMNS, Checksum::Required, |row: Summary| {
        if row.schema != crate::SCHEMA {
            return Err(Fault::column("schema", format!("unknown version {}", row.schema)));
        }
        if row.full_search.len() != row.generation.len() {
            return Err(Fault::column("full_search", "its length differs from the game's"));
        }
        summaries.push(row);
        Ok(())
    })?;
    Ok(summaries)
}

/// Reads the named columns row by row.
fn read<T: DeserializeOwned>(
    file: Vec<u8>,
    columns: &[&str],
    checksum: Checksum,
    row: impl FnMut(T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if file.len() > LIMITS.file {
        return Err(Fault::file(format!("larger than {} bytes", LIMITS.file)));
    }
    // What the checks below let through may still upset the decoder; a panic there is a bad file,
    // and the state it leaves behind is dropped.
    catch_unwind(AssertUnwindSafe(|| read_checked(file, columns, checksum, row)))
        .unwrap_or_else(|_| Err(Fault::file("not a readable Parquet file")))
}

fn read_checked<T: DeserializeOwned>(
    file: Vec<u8>,
    columns: &[&str],
    checksum: Checksum,
    mut row: impl FnMut(T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let parquet = |e: parquet::errors::ParquetError| Fault::file(e.to_string());
    let file = Bytes::from(file);
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(&file, options).map_err(parquet)?;
    pages::check(&file, metadata.metadata())?;
    check_checksum(&file, metadata.metadata(), checksum)?;
    check_schema(&metadata, columns)?;
    let mask = ProjectionMask::columns(metadata.parquet_schema(), columns.iter().copied());
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_projection(mask)
        .with_batch_size(BATCH)
        .build()
        .map_err(parquet)?;
    let mut index = 0;
    for batch in reader {
        let batch = batch.map_err(|e| Fault::file(e.to_string()).at_row(index))?;
        let rows: Vec<T> = serde_arrow::from_record_batch(&batch)
            .map_err(|e| Fault::file(e.to_string()).at_row(index))?;
        for value in rows {
            row(value).map_err(|fault| fault.at_row(index))?;
            index += 1;
        }
    }
    Ok(())
}

fn check_schema(metadata: &ArrowReaderMetadata, columns: &[&str]) -> Result<(), Fault> {
    for (expected, name) in fields(columns).iter().zip(columns) {
        let found = metadata.schema().field_with_name(name);
        let what = match found {
            Ok(field) if same_type(field.data_type(), expected.data_type()) => continue,
            Ok(field) => {
                format!("has type {}, expected {}", field.data_type(), expected.data_type())
            }
            Err(_) => "is missing".to_owned(),
        };
        return Err(Fault::file(format!("column {name} {what}")));
    }
    Ok(())
}

fn check_checksum(file: &[u8], metadata: &ParquetMetaData, wanted: Checksum) -> Result<(), Fault> {
    let entries = metadata.file_metadata().key_value_metadata();
    let Some(entry) = entries.and_then(|all| all.iter().find(|entry| entry.key == CHECKSUM)) else {
        return match wanted {
            Checksum::IfPresent => Ok(()),
            Checksum::Required => Err(Fault::file(format!("damaged: it has no {CHECKSUM}"))),
        };
    };
    let body = file
        .len()
        .checked_sub(TAIL)
        .and_then(|end| file.get(end..end + 4))
        .and_then(|length| length.try_into().ok())
        .and_then(|length| (file.len() - TAIL).checked_sub(u32::from_le_bytes(length) as usize))
        .ok_or_else(|| Fault::file("damaged footer"))?;
    if entry.value.as_deref() == Some(&checksum(&file[..body])) {
        Ok(())
    } else {
        Err(Fault::file("damaged: its contents do not match its checksum"))
    }
}

fn checksum(body: &[u8]) -> String {
    Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect()
}
