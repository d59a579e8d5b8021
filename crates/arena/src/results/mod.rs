//! Results of games that are kept in files: PGN and CSV, ours and others', brought together for a
//! rating.
//!
//! Everything is read as a stream, so that the size of a file does not matter. What cannot be used is
//! named with its line: a fault of a CSV file is an error, a game of a PGN file without a usable
//! result is told and left out, for PGN from the outside is full of those.

mod pgn;
mod table;

use std::collections::HashMap;

pub use pgn::{PgnError, PgnReader};
pub use table::{COLUMNS, TableError, joint, read_table};

#[cfg(doc)]
use crate::MatchResult;
use crate::stats::{GameScore, Observations, Trinomial};

/// The result of one game, as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedResult {
    /// Name of the player that moved first.
    pub first: String,
    /// Name of the player that moved second.
    pub second: String,
    /// Half points of the first player, 0 to 2; `None` if the game was not finished.
    pub half_points: Option<u8>,
    /// What it has in common with the other game of its pair.
    pub pair: Pairing,
    /// Line on which it begins, from 1.
    pub line: u64,
}

/// Which other game belongs to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// None.
    Alone,
    /// The next game of the same players with this key.
    Key(String),
    /// The next game of the same players with this key and colours exchanged.
    Swapped(String),
}

/// A player was its own opponent.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` plays itself")]
pub struct SelfPlay(String);

/// Brings results together: numbers the players, finds the pairs, counts.
#[derive(Debug, Default)]
pub struct Collector {
    numbers: HashMap<String, usize>,
    games: Collected,
    /// Games whose partner has not come yet, by the players and the key.
    waiting: HashMap<(usize, usize, String), GameScore>,
}

/// All results, for [`fit`](crate::stats::fit).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Name of each player by its number.
    pub names: Vec<String>,
    /// Results of each player.
    pub of_player: Vec<Trinomial>,
    /// Pairs and single games.
    pub observations: Observations,
    /// Complete pairs among them.
    pub pairs: u64,
    /// Games without a result, which do not count.
    pub unfinished: u64,
}

impl Collector {
    /// Adds a game.
    ///
    /// # Errors
    /// A player against itself; nothing is added.
    pub fn add(&mut self, game: NamedResult) -> Result<(), SelfPlay> {
        if game.first == game.second {
            return Err(SelfPlay(game.first));
        }
        let Some(half_points) = game.half_points else {
            self.games.unfinished += 1;
            return Ok(());
        };
        let (first, second) = (self.number(game.first), self.number(game.second));
        self.games.of_player[first].add(half_points.into());
        self.games.of_player[second].add(usize::from(2 - half_points));
        let score = GameScore { first, second, half_points };
        let (key, swapped) = match game.pair {
            Pairing::Alone => return self.single(score),
            Pairing::Key(key) => (key, false),
            Pairing::Swapped(key) => (key, true),
        };
        let key = (first.min(second), first.max(second), key);
        match self.waiting.remove(&key) {
            Some(other) if !swapped || other.first != first => {
                self.games.observations.add(&[other, score]);
                self.games.pairs += 1;
            }
            before => {
                before.map_or(Ok(()), |before| self.single(before))?;
                self.waiting.insert(key, score);
            }
        }
        Ok(())
    }

    /// Adds results of single games with `first` moving first, seen from it.
    ///
    /// # Errors
    /// A player against itself; nothing is added.
    pub fn add_counts(
        &mut self,
        first: String,
        second: String,
        results: &Trinomial,
    ) -> Result<(), SelfPlay> {
        if first == second {
            return Err(SelfPlay(first));
        }
        let (first, second) = (self.number(first), self.number(second));
        self.games.observations.add_counts(first, second, results);
        self.games.of_player[first] += *results;
        self.games.of_player[second] += results.reversed();
        Ok(())
    }

    /// Adds pairs of games of `a` and `b`, counted as in [`MatchResult::joint`].
    ///
    /// # Errors
    /// A player against itself; nothing is added.
    pub fn add_pairs(&mut self, a: String, b: String, joint: &[u64; 9]) -> Result<(), SelfPlay> {
        if a == b {
            return Err(SelfPlay(a));
        }
        let (a, b) = (self.number(a), self.number(b));
        self.games.observations.add_pairs(a, b, joint);
        for (index, &times) in joint.iter().enumerate() {
            for half_points in [index / 3, index % 3] {
                self.games.of_player[a].add_times(half_points, times);
                self.games.of_player[b].add_times(2 - half_points, times);
            }
            self.games.pairs += times;
        }
        Ok(())
    }

    /// Ends a file: pairs do not reach beyond it.
    pub fn end_file(&mut self) {
        for (_, score) in std::mem::take(&mut self.waiting) {
            self.games.observations.add(&[score]);
        }
    }

    /// All that was added.
    pub fn finish(mut self) -> Collected {
        self.end_file();
        self.games
    }

    fn single(&mut self, score: GameScore) -> Result<(), SelfPlay> {
        self.games.observations.add(&[score]);
        Ok(())
    }

    fn number(&mut self, name: String) -> usize {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = self.games.names.len();
        self.games.names.push(name.clone());
        self.games.of_player.push(Trinomial::default());
        self.numbers.insert(name, number);
        number
    }
}

/// Half points of the first player; `Some(None)` for a game that was not finished, `None` for a text
/// that is no result. Spellings found in the wild are understood.
fn half_points(text: &str) -> Option<Option<u8>> {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if matches!(c, ':' | '\u{2010}'..='\u{2015}' | '\u{2212}') { '-' } else { c })
        .collect();
    match plain.to_ascii_lowercase().as_str() {
        "1-0" | "1-0f" | "+--" | "+/-" | "first" => Some(Some(2)),
        "0-1" | "0-1f" | "--+" | "-/+" | "second" => Some(Some(0)),
        "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "0,5-0,5" | "draw" => Some(Some(1)),
        "*" | "?" | "" => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
