//! Scalars for TensorBoard: `tensorboard/<group>/events.out.tfevents.000001.narikin`.
//!
//! An event file is a sequence of TFRecords (length, its checksum, an `Event` message, its
//! checksum); messages and field numbers are those of
//! <https://github.com/tensorflow/tensorboard/blob/master/tensorboard/compat/proto/event.proto>
//! and `summary.proto`. A file grows by whole records, each with one call. Every process that
//! writes makes a file of its own, numbered on, so that a record that a crash cut off stays the
//! last of its file, where readers expect one.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use prost::Message;

use crate::run_dir::append_whole;

/// What the first event of a file says.
const VERSION: &str = "brain.Event:2";
/// `SessionLog.SessionStatus.START`.
const START: i32 = 1;

/// One kind of figures and the file that this process writes them to.
pub(crate) struct EventFile {
    folder: PathBuf,
    /// Made with the first event.
    file: Option<File>,
}

impl EventFile {
    /// Figures of the folder; nothing is written yet.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, file: None }
    }

    /// Adds figures that belong to a step.
    ///
    /// # Errors
    /// The file cannot be made or written.
    pub(crate) fn add(&mut self, step: u64, scalars: &[(String, f64)]) -> Result<()> {
        let value = scalars
            .iter()
            .map(|(tag, value)| Value { tag: tag.clone(), simple_value: Some(*value as f32) })
            .collect();
        self.write(&Event { summary: Some(Summary { value }), ..Event::at(step) })
    }

    /// Tells readers to forget the figures of `step` and later steps, which come again: what a run
    /// did after its last good state is done anew when it is resumed. Says nothing if there are
    /// none.
    ///
    /// # Errors
    /// As [`EventFile::add`].
    pub(crate) fn restart(&mut self, step: u64) -> Result<()> {
        if self.file.is_none() && numbers(&self.folder).next().is_none() {
            return Ok(());
        }
        self.write(&Event { session_log: Some(SessionLog { status: START }), ..Event::at(step) })
    }

    fn write(&mut self, event: &Event) -> Result<()> {
        let folder = &self.folder;
        let mut wrote = || -> std::io::Result<()> {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(next_file(folder)?),
            };
            append_whole(file, &framed(&event.encode_to_vec()))
        };
        wrote().with_context(|| format!("cannot write event files in {}", self.folder.display()))
    }
}

/// Makes the file after the last one, with the event that begins it.
fn next_file(folder: &Path) -> std::io::Result<File> {
    fs::create_dir_all(folder)?;
    let number = numbers(folder).max().unwrap_or(0) + 1;
    let path = folder.join(format!("events.out.tfevents.{number:06}.narikin"));
    let mut file = OpenOptions::new().create_new(true).append(true).open(path)?;
    let begin = Event { file_version: Some(VERSION.to_owned()), ..Event::at(0) };
    append_whole(&mut file, &framed(&begin.encode_to_vec()))?;
    Ok(file)
}

/// Numbers of the files in a folder.
fn numbers(folder: &Path) -> impl Iterator<Item = u64> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| {
        let number = name.to_str()?.strip_prefix("events.out.tfevents.")?.strip_suffix(".narikin");
        number?.parse().ok()
    })
}

/// A TFRecord: length and data, each with its checksum.
fn framed(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(data.len() + 16);
    record.extend(length);
    record.extend(masked_crc(&length).to_le_bytes());
    record.extend(data);
    record.extend(masked_crc(data).to_le_bytes());
    record
}

/// CRC-32C, rotated and shifted as the format wants it.
fn masked_crc(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32C (Castagnoli), bit by bit: records are short and few.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc: u32, _| {
            (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg())
        })
    })
}

#[derive(Clone, PartialEq, Message)]
struct Event {
    /// Seconds since 1970.
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(string, optional, tag = "3")]
    file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
    #[prost(message, optional, tag = "7")]
    session_log: Option<SessionLog>,
}

impl Event {
    fn at(step: u64) -> Self {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        Self { wall_time: now.as_secs_f64(), step: step as i64, ..Self::default() }
    }
}

#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<Value>,
}

#[derive(Clone, PartialEq, Message)]
struct Value {
    #[prost(string, tag = "1")]
    tag: String,
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

#[derive(Clone, PartialEq, Message)]
struct SessionLog {
    #[prost(int32, tag = "1")]
    status: i32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::named;

    /// The events of a file, every checksum checked.
    fn events(path: &Path) -> Vec<Event> {
        let bytes = fs::read(path).unwrap();
        let mut rest = bytes.as_slice();
        let mut events = Vec::new();
        while !rest.is_empty() {
            let (head, tail) = rest.split_at(12);
            let length = u64::from_le_bytes(head[..8].try_into().unwrap()) as usize;
            assert_eq!(head[8..], masked_crc(&head[..8]).to_le_bytes());
            let (data, tail) = tail.split_at(length);
            assert_eq!(tail[..4], masked_crc(data).to_le_bytes());
            events.push(Event::decode(data).unwrap());
            rest = &tail[4..];
        }
        events
    }

    #[test]
    fn checksums() {
        // RFC 3720, appendix B.4.
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
    }

    #[test]
    fn each_process_writes_a_file_that_begins_well() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("train");
        let mut first = EventFile::new(folder.clone());
        first.restart(7).unwrap();
        assert!(!folder.exists(), "nothing was to be forgotten");
        first.add(50, &named(&[("loss", 1.5), ("learning rate", 0.25)])).unwrap();
        first.add(100, &named(&[("loss", 1.25)])).unwrap();
        let mut second = EventFile::new(folder.clone());
        second.restart(51).unwrap();
        second.add(100, &named(&[("loss", 1.0)])).unwrap();

        let of = |number| events(&folder.join(format!("events.out.tfevents.{number:06}.narikin")));
        let (one, two) = (of(1), of(2));
        assert_eq!((one.len(), two.len()), (3, 3));
        for file in [&one, &two] {
            assert_eq!(file[0].file_version.as_deref(), Some("brain.Event:2"));
        }
        let summary = one[1].summary.clone().unwrap();
        assert_eq!((one[1].step, summary.value.len()), (50, 2));
        assert_eq!(summary.value[1].tag, "learning rate");
        assert_eq!(summary.value[1].simple_value, Some(0.25));
        assert_eq!(two[1].session_log, Some(SessionLog { status: START }));
        assert_eq!(two[1].step, 51);
    }
}
