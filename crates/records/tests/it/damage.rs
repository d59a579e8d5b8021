use std::sync::Arc;

use arrow_array::builder::{ListBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use records::{decode, encode};

use crate::games;

/// The key of the checksum, changed so that the file is read as one that has none.
fn without_checksum(mut file: Vec<u8>) -> Vec<u8> {
    let key = b"narikin.sha256";
    let at = file.windows(key.len()).position(|window| window == key).unwrap();
    file[at] = b'x';
    file
}

#[test]
fn a_truncated_file_is_an_error() {
    let file = encode(&games(0..8)).unwrap();
    for len in 0..file.len() {
        assert!(decode(file[..len].to_vec()).is_err(), "cut to {len}");
    }
}

#[test]
fn any_changed_byte_of_the_contents_is_an_error() {
    let file = encode(&games(0..8)).unwrap();
    let footer = u32::from_le_bytes(file[file.len() - 8..file.len() - 4].try_into().unwrap());
    for at in 0..file.len() - 8 - footer as usize {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(decode(damaged).is_err(), "byte {at}");
    }
}

#[test]
fn damage_no_checksum_sees_does_not_panic() {
    let games = games(0..8);
    let file = without_checksum(encode(&games).unwrap());
    assert_eq!(decode(file.clone()).unwrap(), games);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] = rng.random();
        let _ = decode(damaged);
    }
    for _ in 0..3000 {
        let mut damaged = file.clone();
        for _ in 0..rng.random_range(1..20) {
            let at = rng.random_range(0..damaged.len());
            damaged[at] = rng.random();
        }
        let _ = decode(damaged);
    }
}

/// A well-formed, well-packed file of one column that is not ours.
fn file_of(column: ArrayRef) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter([("game_id", column)]).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).unwrap()))
        .set_dictionary_enabled(false)
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn a_decompression_bomb_is_refused_before_it_unpacks() {
    let many_rows = file_of(Arc::new(UInt64Array::from(vec![0; (1 << 16) + 1])));
    let fault = decode(many_rows).unwrap_err();
    assert!(fault.what.contains("more than 65536 rows"), "{fault}");

    let mut list = ListBuilder::new(UInt64Builder::new());
    list.values().append_slice(&vec![0; (1 << 25) + 1]);
    list.append(true);
    let long_list = file_of(Arc::new(list.finish()));
    assert!(long_list.len() < 1 << 20);
    let fault = decode(long_list).unwrap_err();
    assert!(fault.what.contains("more than 33554432 values"), "{fault}");

    let long_text = file_of(Arc::new(StringArray::from(vec!["0".repeat((1 << 29) + 1)])));
    assert!(long_text.len() < 1 << 20);
    let fault = decode(long_text).unwrap_err();
    assert!(fault.what.contains("unpacks to more than 536870912 bytes"), "{fault}");
}
