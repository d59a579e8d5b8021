//! Bounds on what a Parquet file may unpack to, checked before anything is unpacked.
//!
//! The decoder believes sizes written in a file: it reserves what a page header announces. So the
//! footer's numbers are compared with [`Limits`] first, and then the page headers are walked without
//! touching their contents. Headers are Thrift structs in the compact protocol
//! (<https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>); the fields
//! needed are `PageHeader` 2 and 3 (sizes) and field 1 of the structs 5, 7, 8 (value counts).

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use crate::error::Fault;

/// What one record file may hold.
pub(crate) struct Limits {
    /// Bytes of the file.
    pub(crate) file: usize,
    /// Games.
    pub(crate) rows: i64,
    /// Unpacked bytes of all columns together.
    pub(crate) unpacked: u64,
    /// Values of one column, list elements counted one by one.
    pub(crate) values: u64,
}

/// Far above any chunk of games (64 games of shogi need about 1 million values a column), and small
/// enough that a hostile file cannot exhaust memory.
pub(crate) const LIMITS: Limits =
    Limits { file: 1 << 28, rows: 1 << 16, unpacked: 1 << 29, values: 1 << 25 };

/// Checks the footer's numbers and every page header against [`LIMITS`].
pub(crate) fn check(file: &[u8], metadata: &ParquetMetaData) -> Result<(), Fault> {
    let mut rows = 0i64;
    let mut unpacked = 0;
    for group in metadata.row_groups() {
        let count = group.num_rows();
        rows = rows.saturating_add(count);
        if count < 0 || rows > LIMITS.rows {
            return Err(Fault::file(format!("more than {} rows", LIMITS.rows)));
        }
        for column in group.columns() {
            check_column(file, column, &mut unpacked)?;
        }
    }
    if rows != metadata.file_metadata().num_rows() {
        return Err(Fault::file("row counts of the file and its row groups differ"));
    }
    Ok(())
}

fn check_column(
    file: &[u8],
    column: &ColumnChunkMetaData,
    unpacked: &mut u64,
) -> Result<(), Fault> {
    let place = column.column_path().string();
    let fault = |what: &str| Fault::file(format!("column {place}: {what}"));
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let range = usize::try_from(start).ok().zip(usize::try_from(column.compressed_size()).ok());
    let mut bytes = range
        .and_then(|(start, len)| file.get(start..start.checked_add(len)?))
        .ok_or_else(|| fault("lies outside the file"))?;
    if column.file_path().is_some() {
        return Err(fault("lies in another file"));
    }
    let mut values = 0u64;
    while !bytes.is_empty() {
        let mut reader = Reader { bytes, depth: 0 };
        let page = reader.page().ok_or_else(|| fault("damaged page header"))?;
        bytes = reader.bytes.get(page.packed..).ok_or_else(|| fault("page longer than column"))?;
        *unpacked = unpacked.saturating_add(page.unpacked);
        values = values.saturating_add(page.values);
        if *unpacked > LIMITS.unpacked {
            return Err(fault(&format!("unpacks to more than {} bytes", LIMITS.unpacked)));
        }
        if values > LIMITS.values {
            return Err(fault(&format!("more than {} values", LIMITS.values)));
        }
    }
    if column.num_values() < 0 || column.num_values() as u64 > LIMITS.values {
        return Err(fault(&format!("more than {} values", LIMITS.values)));
    }
    Ok(())
}

/// The sizes in one page header.
#[derive(Default)]
struct Page {
    unpacked: u64,
    packed: usize,
    values: u64,
}

/// A cursor over Thrift bytes; every method is `None` where the bytes make no sense.
struct Reader<'a> {
    bytes: &'a [u8],
    depth: u8,
}

impl Reader<'_> {
    fn page(&mut self) -> Option<Page> {
        let mut page = Page::default();
        let mut sizes = 0;
        self.structure(0, &mut |parent, id, value| {
            let size = u32::try_from(value).ok().filter(|&size| size <= i32::MAX as u32)?;
            match (parent, id) {
                (0, 2) => page.unpacked = page.unpacked.max(u64::from(size)),
                (0, 3) => page.packed = size as usize,
                _ => page.values += u64::from(size),
            }
            if parent == 0 {
                sizes |= id - 1;
            }
            Some(())
        })?;
        (sizes == 3).then_some(page)
    }

    /// Walks a struct and reports the integers wanted as (enclosing field, field, value).
    fn structure(
        &mut self,
        parent: i16,
        report: &mut dyn FnMut(i16, i16, i64) -> Option<()>,
    ) -> Option<()> {
        let mut id = 0i16;
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == 0 {
                return Some(());
            }
            id = match head >> 4 {
                0 => i16::try_from(self.integer()?).ok()?,
                delta => id.checked_add(i16::from(delta))?,
            };
            match (parent, id) {
                // The decoder goes by number, not by kind: one that disagrees is not let through.
                (0, 2 | 3) | (5 | 7 | 8, 1) if kind != 5 => return None,
                (0, 5 | 7 | 8) if kind != 12 => return None,
                (0, 2 | 3) | (5 | 7 | 8, 1) => {
                    let value = self.integer()?;
                    report(parent, id, value)?;
                }
                (0, 5 | 7 | 8) => self.nested(|reader| reader.structure(id, report))?,
                _ if kind > 2 => self.skip(kind)?,
                _ => {}
            }
        }
    }

    fn skip(&mut self, kind: u8) -> Option<()> {
        match kind {
            1..=3 => self.advance(1),
            4..=6 => self.integer().map(drop),
            7 => self.advance(8),
            8 => {
                let len = self.varint()?;
                self.advance(usize::try_from(len).ok()?)
            }
            9 | 10 => {
                let head = self.byte()?;
                let len = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                self.nested(|reader| (0..len).try_for_each(|_| reader.skip(head & 15)))
            }
            12 => self.nested(|reader| reader.structure(-1, &mut |_, _, _| Some(()))),
            _ => None,
        }
    }

    /// One level deeper, up to a depth no page header reaches.
    fn nested(&mut self, walk: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        let result = if self.depth > 8 { None } else { walk(self) };
        self.depth -= 1;
        result
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn advance(&mut self, len: usize) -> Option<()> {
        self.bytes = self.bytes.get(len..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// A zig-zag integer.
    fn integer(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}
