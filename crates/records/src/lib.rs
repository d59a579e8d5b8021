//! Game records: what a game leaves behind, how it is stored, and which part of it is trained on.
//!
//! - [`GameRecord`] and [`PlyRecord`] are the plain values.
//! - [`encode`] and [`decode`] turn them into Parquet bytes and back: one row a game, per-ply lists
//!   of equal length, columns named in [`COLUMNS`]. Any Parquet reader opens the files.
//! - [`ChunkStore`] keeps them in a folder, one sealed file for each fixed range of game numbers;
//!   [`Collector`] is the only writer and seals a chunk when its last game arrives.
//! - [`MatchGame`] and [`encode_matches`] are the same for games between players, which nothing trains on.
//! - [`ReplayWindow`] picks the newest whole chunks for training, a pure function of their sizes.
//!
//! Record files are untrusted input: whatever is wrong in one is an error with file, row and column,
//! and sizes are checked before anything is decompressed.
//!
//! Every value in a record is seen from the side to move at its ply.

mod codec;
mod collect;
mod error;
mod game;
mod match_game;
mod pages;
mod schema;
mod sizes;
mod store;
mod window;

pub use codec::{decode, encode};
pub use collect::Collector;
pub use error::{Fault, RecordsError};
pub use game::{GameRecord, PlyRecord};
pub use match_game::{MatchGame, encode_matches};
pub use schema::{COLUMNS, SCHEMA};
pub use sizes::{ColumnSize, column_sizes};
pub use store::{ChunkInfo, ChunkStore, read_file};
pub use window::{Manifest, ReplayWindow, WindowConfig, WindowError};
