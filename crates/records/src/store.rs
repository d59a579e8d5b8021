//! A folder of sealed chunks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::codec;
use crate::error::{Fault, RecordsError};
use crate::game::GameRecord;
use crate::pages::LIMITS;

const EXTENSION: &str = "parquet";
const TEMPORARY: &str = "parquet.tmp";
/// Folder below a store's for files that cannot be read.
const DAMAGED: &str = "damaged";

/// Sizes of one sealed chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkInfo {
    /// Number of the chunk.
    pub chunk: u64,
    /// Games in it.
    pub games: u64,
    /// Recorded plies.
    pub positions: u64,
    /// Those of them that were fully searched: what training draws on.
    pub samples: u64,
    /// Recorded plies by the generation that searched them.
    pub by_generation: BTreeMap<u32, u64>,
}

/// A folder with one file for each chunk, `000017.parquet`. Chunk `c` holds exactly the games
/// `c * games_per_chunk .. (c + 1) * games_per_chunk`, in number order. A chunk's file is absent or
/// complete: it is written under a temporary name, synced and renamed.
#[derive(Clone, Debug)]
pub struct ChunkStore {
    dir: PathBuf,
    games_per_chunk: u64,
    board_fingerprint: Option<String>,
}

impl ChunkStore {
    /// Opens a folder, making it if it is absent.
    ///
    /// # Errors
    /// [`RecordsError::Io`].
    ///
    /// # Panics
    /// If `games_per_chunk` is 0.
    pub fn open(dir: impl Into<PathBuf>, games_per_chunk: u64) -> Result<Self, RecordsError> {
        assert!(games_per_chunk > 0, "a chunk holds at least one game");
        let dir = dir.into();
        fs::create_dir_all(&dir).map_err(io(&dir))?;
        Ok(Self { dir, games_per_chunk, board_fingerprint: None })
    }

    /// The same store, refusing records whose board fingerprint (hex) is another.
    pub fn expecting(self, board_fingerprint: String) -> Self {
        Self { board_fingerprint: Some(board_fingerprint), ..self }
    }

    /// Games in a chunk.
    pub fn games_per_chunk(&self) -> u64 {
        self.games_per_chunk
    }

    /// The chunk a game belongs to.
    pub fn chunk_of(&self, game_id: u64) -> u64 {
        game_id / self.games_per_chunk
    }

    /// The file of a chunk, whether it exists or not.
    pub fn path(&self, chunk: u64) -> PathBuf {
        self.dir.join(format!("{chunk:06}.{EXTENSION}"))
    }

    /// Numbers of the sealed chunks, ascending. Other files in the folder are ignored.
    ///
    /// # Errors
    /// [`RecordsError::Io`].
    pub fn sealed(&self) -> Result<Vec<u64>, RecordsError> {
        let mut chunks = Vec::new();
        for name in self.names()? {
            let Some(stem) = name.strip_suffix(EXTENSION).and_then(|s| s.strip_suffix('.')) else {
                continue;
            };
            if let Ok(chunk) = stem.parse::<u64>()
                && self.path(chunk).file_name().is_some_and(|own| own == name.as_str())
            {
                chunks.push(chunk);
            }
        }
        chunks.sort_unstable();
        Ok(chunks)
    }

    /// The chunks below `up_to` that are not sealed, ascending: what a resumed run has to play.
    ///
    /// # Errors
    /// [`RecordsError::Io`].
    pub fn missing(&self, up_to: u64) -> Result<Vec<u64>, RecordsError> {
        let sealed: BTreeSet<u64> = self.sealed()?.into_iter().collect();
        Ok((0..up_to).filter(|chunk| !sealed.contains(chunk)).collect())
    }

    /// Removes what an interrupted [`seal`](Self::seal) left. Only the folder's one writer may.
    ///
    /// # Errors
    /// [`RecordsError::Io`].
    pub fn remove_stale(&self) -> Result<(), RecordsError> {
        for name in self.names()? {
            if name.ends_with(TEMPORARY) {
                let path = self.dir.join(name);
                fs::remove_file(&path).map_err(io(&path))?;
            }
        }
        Ok(())
    }

    /// Moves the file of a chunk that cannot be read to the folder `damaged`, under a name that is
    /// free there, and returns where it lies now. The chunk is then missing, no longer sealed.
    ///
    /// # Errors
    /// [`RecordsError::Io`].
    pub fn set_aside(&self, chunk: u64) -> Result<PathBuf, RecordsError> {
        let folder = self.dir.join(DAMAGED);
        fs::create_dir_all(&folder).map_err(io(&folder))?;
        let names = (1..).map(|n| format!("{chunk:06}.{n}.{EXTENSION}"));
        let mut paths = names.map(|name| folder.join(name));
        let to = paths.find(|path| !path.exists()).expect("there are numbers without end");
        let path = self.path(chunk);
        fs::rename(&path, &to).map_err(io(&path))?;
        for dir in [&folder, &self.dir] {
            File::open(dir).and_then(|dir| dir.sync_all()).map_err(io(dir))?;
        }
        Ok(to)
    }

    /// Writes a chunk: exactly its games, in number order.
    ///
    /// # Errors
    /// [`RecordsError::Sealed`] if it exists, [`RecordsError::Invalid`] if the games are not those
    /// of the chunk or one is not valid, [`RecordsError::Io`].
    pub fn seal(&self, chunk: u64, games: &[GameRecord]) -> Result<ChunkInfo, RecordsError> {
        let path = self.path(chunk);
        if path.exists() {
            return Err(RecordsError::Sealed { chunk, path });
        }
        self.check_games(chunk, games).map_err(invalid(&path))?;
        let bytes = codec::encode(games).map_err(invalid(&path))?;
        let temporary = path.with_extension(TEMPORARY);
        let write = || {
            let mut file = File::create(&temporary)?;
            file.write_all(&bytes)?;
            file.sync_all()
        };
        if let Err(error) = write() {
            let _ = fs::remove_file(&temporary); // A full disk wants the room.
            return Err(io(&temporary)(error));
        }
        fs::rename(&temporary, &path).map_err(io(&path))?;
        File::open(&self.dir).and_then(|dir| dir.sync_all()).map_err(io(&self.dir))?;
        let games =
            games.iter().map(|game| game.plies.iter().map(|ply| (ply.generation, ply.full_search)));
        Ok(summarise(chunk, games))
    }

    /// Reads a chunk and checks everything in it, its checksum included, short of replaying the
    /// moves.
    ///
    /// # Errors
    /// [`RecordsError::Invalid`] with row and column, [`RecordsError::Io`].
    pub fn read(&self, chunk: u64) -> Result<Vec<GameRecord>, RecordsError> {
        let path = self.path(chunk);
        let games = codec::decode_sealed(load(&path)?).map_err(invalid(&path))?;
        self.check_games(chunk, &games).map_err(invalid(&path))?;
        Ok(games)
    }

    /// Sizes of a chunk, from a few of its columns, after its checksum.
    ///
    /// # Errors
    /// [`RecordsError::Invalid`], [`RecordsError::Io`].
    pub fn info(&self, chunk: u64) -> Result<ChunkInfo, RecordsError> {
        let path = self.path(chunk);
        let rows = codec::decode_summaries(load(&path)?).map_err(invalid(&path))?;
        self.check_ids(chunk, rows.iter().map(|row| row.game_id)).map_err(invalid(&path))?;
        self.check_board(rows.iter().map(|row| &row.board_fingerprint)).map_err(invalid(&path))?;
        let games = rows
            .iter()
            .map(|row| row.generation.iter().copied().zip(row.full_search.iter().copied()));
        Ok(summarise(chunk, games))
    }

    fn check_games(&self, chunk: u64, games: &[GameRecord]) -> Result<(), Fault> {
        self.check_ids(chunk, games.iter().map(|game| game.game_id))?;
        self.check_board(games.iter().map(|game| &game.board_fingerprint))
    }

    fn check_board<'a>(&self, mut found: impl Iterator<Item = &'a String>) -> Result<(), Fault> {
        let Some(expected) = &self.board_fingerprint else {
            return Ok(());
        };
        let other = found.by_ref().enumerate().find(|(_, found)| *found != expected);
        other.map_or(Ok(()), |(row, found)| {
            let what = format!("{found:.16}…, expected {expected:.16}…");
            Err(Fault::column("board_fingerprint", what).at_row(row))
        })
    }

    fn check_ids(&self, chunk: u64, ids: impl Iterator<Item = u64>) -> Result<(), Fault> {
        let first = chunk.saturating_mul(self.games_per_chunk);
        let mut count = 0;
        for (row, id) in ids.enumerate() {
            let expected = first.saturating_add(count);
            if count == self.games_per_chunk || id != expected {
                let what = format!(
                    "{id}, but chunk {chunk} has {} games from {first} on",
                    self.games_per_chunk
                );
                return Err(Fault::column("game_id", what).at_row(row));
            }
            count += 1;
        }
        if count != self.games_per_chunk {
            return Err(Fault::file(format!("{count} games, expected {}", self.games_per_chunk)));
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>, RecordsError> {
        let entries = fs::read_dir(&self.dir).map_err(io(&self.dir))?;
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(io(&self.dir))?.file_name();
            names.extend(name.into_string().ok());
        }
        Ok(names)
    }
}

/// Reads any record file, wherever it lies.
///
/// # Errors
/// [`RecordsError::Invalid`] with row and column, [`RecordsError::Io`].
pub fn read_file(path: &Path) -> Result<Vec<GameRecord>, RecordsError> {
    codec::decode(load(path)?).map_err(invalid(path))
}

/// The bytes of a file, no more than the limit and one.
pub(crate) fn load(path: &Path) -> Result<Vec<u8>, RecordsError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LIMITS.file as u64 + 1).read_to_end(&mut bytes))
        .map_err(io(path))?;
    Ok(bytes)
}

fn summarise(
    chunk: u64,
    games: impl Iterator<Item = impl Iterator<Item = (u32, bool)>>,
) -> ChunkInfo {
    let mut info =
        ChunkInfo { chunk, games: 0, positions: 0, samples: 0, by_generation: BTreeMap::new() };
    for game in games {
        info.games += 1;
        for (generation, full_search) in game {
            info.positions += 1;
            info.samples += u64::from(full_search);
            *info.by_generation.entry(generation).or_default() += 1;
        }
    }
    info
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> RecordsError {
    move |source| RecordsError::Io { path: path.to_owned(), source }
}

pub(crate) fn invalid(path: &Path) -> impl Fn(Fault) -> RecordsError {
    move |fault| RecordsError::Invalid { path: path.to_owned(), fault }
}
