//! What the search knows of positions, in a bounded amount of memory.
//!
//! Two tables. The large one holds what is true of a position however it was reached: bounds of the
//! length of its mate, and proof numbers. The small one holds refutations that lean on a repetition and
//! hold on one path only; its keys stand for paths.
//!
//! Garbage collection follows Nagai's SmallTreeGC: when the large table is nearly full, the entries
//! that cost the least work are dropped.

use crate::hand::{Id, Split};

/// No mate at all, as a number of plies.
pub(crate) const NEVER: u16 = u16::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) pn: u32,
    pub(crate) dn: u32,
    /// A mate takes at least so many plies; [`NEVER`] if there is none.
    pub(crate) at_least: u16,
    /// There is a mate of at most so many plies; [`NEVER`] if none is known.
    pub(crate) at_most: u16,
    /// Whether the position was refuted on some path.
    pub(crate) on_paths: bool,
}

/// 32 bytes: board key; hand; proof and disproof number; bounds and work.
type Entry = [u64; 4];

/// Proof numbers leave the highest bit free.
const ON_PATHS: u64 = 1 << 63;
const WAYS: usize = 16;
/// Small tables stay in the processor's cache.
const FIRST_SETS: usize = 128;
const ENTRY_BYTES: usize = size_of::<Entry>();

fn pack(id: Id, known: Known, work: u32) -> Entry {
    let numbers = u64::from(known.pn) << 32 | u64::from(known.dn);
    let numbers = numbers | if known.on_paths { ON_PATHS } else { 0 };
    let bounds = u64::from(known.at_least) << 16 | u64::from(known.at_most);
    [id.board, id.hand, numbers, bounds << 32 | u64::from(work.max(1))]
}

fn unpack(entry: &Entry) -> Known {
    Known {
        pn: ((entry[2] & !ON_PATHS) >> 32) as u32,
        dn: entry[2] as u32,
        at_least: (entry[3] >> 48) as u16,
        at_most: (entry[3] >> 32) as u16,
        on_paths: entry[2] & ON_PATHS != 0,
    }
}

/// Never 0, except in an empty entry.
fn work(entry: &Entry) -> u32 {
    entry[3] as u32
}

/// The large table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// In sets of [`WAYS`], full ones first.
    entries: Vec<Entry>,
    used: usize,
    most: usize,
    collections: u32,
}

impl Table {
    /// A table that grows to so many bytes, but always has room for a little.
    pub(crate) fn new(bytes: usize) -> Table {
        let mut sets = FIRST_SETS;
        while 2 * sets * WAYS * ENTRY_BYTES <= bytes {
            sets *= 2;
        }
        let entries = vec![[0; 4]; FIRST_SETS * WAYS];
        Table { entries, used: 0, most: sets * WAYS, collections: 0 }
    }

    /// The bytes of its memory.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * ENTRY_BYTES
    }

    /// How often entries were dropped for want of room.
    pub(crate) fn collections(&self) -> u32 {
        self.collections
    }

    /// The first entry of the set where a board belongs.
    fn set(&self, board: u64) -> usize {
        let sets = (self.entries.len() / WAYS) as u64;
        ((u128::from(board) * u128::from(sets)) >> 64) as usize * WAYS
    }

    /// What is known of a position: from its own entry, and the bounds also from entries with a greater
    /// or smaller hand. `None` if none says anything.
    pub(crate) fn get(&self, split: &Split, id: Id) -> Option<Known> {
        let set = self.set(id.board);
        let mut known: Option<Known> = None;
        let (mut at_least, mut at_most) = (0, NEVER);
        for entry in &self.entries[set..set + WAYS] {
            if work(entry) == 0 {
                break;
            }
            if entry[0] != id.board {
                continue;
            }
            let found = unpack(entry);
            if entry[1] == id.hand {
                known = Some(found);
            }
            if split.includes(id.hand, entry[1]) {
                at_most = at_most.min(found.at_most);
            }
            if split.includes(entry[1], id.hand) {
                at_least = at_least.max(found.at_least);
            }
        }
        let bounds = (at_least, at_most) != (0, NEVER);
        let new = bounds.then_some(Known { pn: 1, dn: 1, at_least, at_most, on_paths: false });
        known.map(|known| Known { at_least, at_most, ..known }).or(new)
    }

    /// Adds to what is known of a position: bounds are narrowed, numbers replaced if `numbers`, work
    /// added.
    pub(crate) fn put(&mut self, id: Id, known: Known, numbers: bool, more: u32) {
        let set = self.set(id.board);
        let entries = &mut self.entries[set..set + WAYS];
        let mine = |entry: &Entry| entry[0] == id.board && entry[1] == id.hand || work(entry) == 0;
        let Some(place) = entries.iter().position(mine) else {
            let least = (0..WAYS).min_by_key(|&at| work(&entries[at])).unwrap_or(0);
            entries[least] = pack(id, known, more);
            return;
        };
        let entry = &mut entries[place];
        if work(entry) == 0 {
            *entry = pack(id, known, more);
            self.used += 1;
            if self.used > self.entries.len() / 8 * 5 {
                self.make_room();
            }
            return;
        }
        let old = unpack(entry);
        let (pn, dn) = if numbers { (known.pn, known.dn) } else { (old.pn, old.dn) };
        let at_least = known.at_least.max(old.at_least);
        let at_most = known.at_most.min(old.at_most);
        let work = work(entry).saturating_add(more);
        let on_paths = known.on_paths || old.on_paths;
        *entry = pack(id, Known { pn, dn, at_least, at_most, on_paths }, work);
    }

    /// Grows, or drops entries if it may not.
    fn make_room(&mut self) {
        let old = self.entries.len();
        if old == self.most {
            return self.collect();
        }
        self.entries.reserve_exact(old);
        self.entries.resize(2 * old, [0; 4]);
        // The sets come apart in two each, which keep their order: from the last one on, nothing is
        // written over that is still to be read.
        for set in (0..old / WAYS).rev() {
            let from = set * WAYS;
            let apart: [Entry; WAYS] = std::array::from_fn(|at| self.entries[from + at]);
            self.entries[2 * from..2 * from + 2 * WAYS].fill([0; 4]);
            let mut next = [0; 2];
            for entry in apart.iter().take_while(|entry| work(entry) > 0) {
                let to = self.set(entry[0]);
                let half = (to - 2 * from) / WAYS;
                self.entries[to + next[half]] = *entry;
                next[half] += 1;
            }
        }
    }

    /// Drops the entries that cost the least work, half of what there is or more.
    fn collect(&mut self) {
        let mut by_work = [0_usize; 33];
        for entry in self.entries.iter().filter(|entry| work(entry) > 0) {
            by_work[work(entry).ilog2() as usize] += 1;
        }
        let (mut dropped, mut log) = (0, 0);
        while dropped < self.used / 2 {
            dropped += by_work[log];
            log += 1;
        }
        for set in self.entries.chunks_exact_mut(WAYS) {
            let mut kept = 0;
            for at in 0..WAYS {
                if work(&set[at]) >> log > 0 {
                    set[kept] = set[at];
                    kept += 1;
                }
            }
            set[kept..].fill([0; 4]);
        }
        self.used -= dropped;
        self.collections += 1;
    }
}

/// A refutation on one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathBound {
    /// A mate takes at least so many plies.
    pub(crate) at_least: u16,
    /// The place on the path of the earliest position that it leans on.
    pub(crate) leans_on: u16,
}

/// The small table: the latest refutation wins its place.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    /// The path's key, and the bound.
    entries: Vec<[u64; 2]>,
}

impl Paths {
    /// A table of so many bytes, but always with room for a little. Its pages are untouched, and cost
    /// nothing, until a refutation that leans on a path is met.
    pub(crate) fn new(bytes: usize) -> Paths {
        Paths { entries: vec![[0; 2]; (bytes / 16).max(64)] }
    }

    /// The bytes of its memory.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * 16
    }

    fn place(&self, path: u64) -> usize {
        ((u128::from(path) * self.entries.len() as u128) >> 64) as usize
    }

    pub(crate) fn get(&self, path: u64) -> Option<PathBound> {
        let [key, bound] = self.entries[self.place(path)];
        let found = PathBound { at_least: (bound >> 16) as u16, leans_on: bound as u16 };
        (key == path && found.at_least > 0).then_some(found)
    }

    pub(crate) fn put(&mut self, path: u64, bound: PathBound) {
        let place = self.place(path);
        self.entries[place] = [path, u64::from(bound.at_least) << 16 | u64::from(bound.leans_on)];
    }
}
