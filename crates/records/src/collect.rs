//! Gathers finished games, in whatever order they end, into sealed chunks.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::RecordsError;
use crate::game::GameRecord;
use crate::store::{ChunkInfo, ChunkStore};

/// The one writer of a [`ChunkStore`]: holds the games of unfinished chunks in memory and seals a
/// chunk when its last game arrives, so that a sealed file never depends on the order of arrival.
#[derive(Debug)]
pub struct Collector {
    store: ChunkStore,
    sealed: BTreeSet<u64>,
    pending: BTreeMap<u64, BTreeMap<u64, GameRecord>>,
}

impl Collector {
    /// A collector on a store, which is cleared of the remains of an interrupted write.
    ///
    /// # Errors
    /// [`RecordsError::Io`].
    pub fn new(store: ChunkStore) -> Result<Self, RecordsError> {
        store.remove_stale()?;
        let sealed = store.sealed()?.into_iter().collect();
        Ok(Self { store, sealed, pending: BTreeMap::new() })
    }

    /// The store written to.
    pub fn store(&self) -> &ChunkStore {
        &self.store
    }

    /// Games held that no sealed file has yet.
    pub fn pending(&self) -> usize {
        self.pending.values().map(BTreeMap::len).sum()
    }

    /// Takes a finished game; gives the chunk's sizes if this was its last one.
    ///
    /// # Errors
    /// [`RecordsError::Duplicate`] if the game is held or sealed already, and those of
    /// [`ChunkStore::seal`], after which the games stay held.
    pub fn push(&mut self, game: GameRecord) -> Result<Option<ChunkInfo>, RecordsError> {
        let chunk = self.store.chunk_of(game.game_id);
        if self.sealed.contains(&chunk) {
            return Err(RecordsError::Duplicate { game_id: game.game_id, chunk });
        }
        let games = self.pending.entry(chunk).or_default();
        if games.contains_key(&game.game_id) {
            return Err(RecordsError::Duplicate { game_id: game.game_id, chunk });
        }
        games.insert(game.game_id, game);
        if (games.len() as u64) < self.store.games_per_chunk() {
            return Ok(None);
        }
        let in_order: Vec<GameRecord> = games.values().cloned().collect();
        let info = self.store.seal(chunk, &in_order)?;
        self.pending.remove(&chunk);
        self.sealed.insert(chunk);
        Ok(Some(info))
    }
}
