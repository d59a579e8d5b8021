//! Games between players, as tournaments keep them beside `games.csv`.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef};
use serde::Serialize;

use crate::codec::{ROW_GROUP, write};
use crate::error::Fault;

/// A game of a tournament; the fields are the columns of the file. Lists have one entry for each ply
/// after the opening but for `move`, which has all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchGame {
    /// Number of the pair, unique in the tournament; its two games have one opening.
    pub pair: u64,
    /// Which game of the pair, 0 or 1.
    pub game: u8,
    /// The round of a Swiss tournament, else how often the two had met before.
    pub round: u64,
    /// Number of the opening, from 0.
    pub opening: u64,
    /// Who moved first.
    pub first: String,
    /// Who moved second.
    pub second: String,
    /// `first`, `second` (the winner) or `draw`.
    pub outcome: String,
    /// How it ended: a name of [`rules::Termination`].
    pub termination: String,
    /// What happened, where `termination` does not say it all.
    pub reason: String,
    /// Games drawn by repetition that came before in its place.
    pub replays: u32,
    /// Variant id.
    pub variant: String,
    /// Fingerprint of the whole rules, in hex.
    pub rules_fingerprint: String,
    /// Where it began, as FEN.
    pub start: String,
    /// Plies of the opening.
    pub opening_plies: u32,
    /// All moves, packed, see [`rules::Move::bits`].
    pub r#move: Vec<u32>,
    /// What the mover thought before its move, in centipawns from its side.
    pub centipawns: Vec<Option<f64>>,
    /// Nodes or simulations it spent.
    pub nodes: Vec<Option<u64>>,
    /// Seconds it took.
    pub seconds: Vec<Option<f64>>,
}

fn fields() -> Vec<FieldRef> {
    use DataType::{Float64, UInt8, UInt32, UInt64, Utf8};
    let list = |item, nullable| DataType::List(Arc::new(Field::new("element", item, nullable)));
    let columns = [
        ("pair", UInt64),
        ("game", UInt8),
        ("round", UInt64),
        ("opening", UInt64),
        ("first", Utf8),
        ("second", Utf8),
        ("outcome", Utf8),
        ("termination", Utf8),
        ("reason", Utf8),
        ("replays", UInt32),
        ("variant", Utf8),
        ("rules_fingerprint", Utf8),
        ("start", Utf8),
        ("opening_plies", UInt32),
        ("move", list(UInt32, false)),
        ("centipawns", list(Float64, true)),
        ("nodes", list(UInt64, true)),
        ("seconds", list(Float64, true)),
    ];
    columns.map(|(name, kind)| Arc::new(Field::new(name, kind, false))).to_vec()
}

/// The games as a Parquet file. Equal games give equal bytes.
///
/// # Errors
/// If they cannot be encoded.
pub fn encode_matches(games: &[MatchGame]) -> Result<Vec<u8>, Fault> {
    let groups = games.chunks(ROW_GROUP).map(<[MatchGame]>::to_vec);
    write(&fields(), groups).map_err(|error| Fault::file(error.to_string()))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;

    #[test]
    fn any_reader_finds_the_columns() {
        let game = MatchGame {
            pair: 3,
            game: 1,
            round: 2,
            opening: 2,
            first: "a".to_owned(),
            second: "b".to_owned(),
            outcome: "draw".to_owned(),
            termination: "repetition".to_owned(),
            reason: String::new(),
            replays: 0,
            variant: "micro".to_owned(),
            rules_fingerprint: "00".to_owned(),
            start: "x".to_owned(),
            opening_plies: 1,
            r#move: vec![1, 2, 3],
            centipawns: vec![Some(-20.0), None],
            nodes: vec![None, Some(32)],
            seconds: vec![Some(0.5), None],
        };
        let games = vec![game; 2000];
        let bytes = encode_matches(&games).unwrap();
        assert_eq!(bytes, encode_matches(&games).unwrap());
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).unwrap();
        let names: Vec<String> =
            reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names.len(), fields().len());
        assert!(names.iter().any(|name| name == "move"));
        let rows: usize = reader.build().unwrap().map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(rows, 2000);
        encode_matches(&[]).unwrap();
    }
}
