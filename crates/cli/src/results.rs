//! Results of a run's matches: the ratings of its generations and the closing matches.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena::results::joint;
use arena::stats::{Anchor, Observations, Rating, RatingError, RatingModel, fit};
use arena::{Trinomial, Z95};
use serde::{Deserialize, Serialize};

use crate::run_dir::read_toml;

/// Another opponent, when the number of matches comes to a multiple of this, so that the ladder also
/// stands on fixed ground.
const YARDSTICK: &str = "alphabeta-3";
const YARDSTICK_EVERY: usize = 3;
/// The name of the players without a net.
const ANCHOR: &str = "generation-0";

/// A row of `metrics/arena.csv`: one match, seen from the generation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) generation: u32,
    pub(crate) active_seconds: f64,
    pub(crate) opponent: String,
    /// Wins, draws and losses with the first move, then with the second.
    pub(crate) wins_first: u64,
    pub(crate) draws_first: u64,
    pub(crate) losses_first: u64,
    pub(crate) wins_second: u64,
    pub(crate) draws_second: u64,
    pub(crate) losses_second: u64,
    pub(crate) score: f64,
    pub(crate) score_low: f64,
    pub(crate) score_high: f64,
    /// Elo of the generation and half its 95 % interval, from all matches up to this one.
    pub(crate) elo: f64,
    pub(crate) elo_error: f64,
    /// Pairs of games by the result with the first move and with the second; empty in rows of older
    /// versions.
    #[serde(default)]
    pub(crate) pairs: String,
}

/// All matches of a run's generations, and what follows from them.
#[derive(Debug, Default)]
pub(crate) struct Ladder {
    rows: Vec<Row>,
}

impl Ladder {
    /// Reads `metrics/arena.csv`. A row that is being written, not yet ended by a newline, is left
    /// out.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let rows = csv::ReaderBuilder::new()
            .flexible(true) // Rows of a newer version under the header of an older one.
            .from_reader(whole.as_bytes())
            .into_deserialize()
            .collect();
        let rows: Result<_, csv::Error> = rows;
        Ok(Self { rows: rows.with_context(|| path.display().to_string())? })
    }

    /// The generation rated last; 0 if none was.
    pub(crate) fn last(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.generation)
    }

    /// Whom a generation meets to be rated: nobody if it was rated before a crash. Otherwise the
    /// generation rated last, or generation 0 if the other's net is not `there`.
    pub(crate) fn opponents(&self, generation: u32, there: impl Fn(u32) -> bool) -> Vec<String> {
        let last = self.last();
        if last >= generation {
            return Vec::new();
        }
        let mut opponents = vec![match last {
            last if there(last) => format!("generation-{last}"),
            _ => ANCHOR.to_owned(),
        }];
        if (self.rows.len() + 1).is_multiple_of(YARDSTICK_EVERY) {
            opponents.push(YARDSTICK.to_owned());
        }
        opponents
    }

    /// Elo and half its 95 % interval of the generation rated last.
    pub(crate) fn elo(&self) -> Option<(f64, f64)> {
        self.rows.last().map(|row| (row.elo, row.elo_error))
    }

    /// Adds a match and rates the generation by all of them.
    pub(crate) fn add(&mut self, mut row: Row) -> Result<Row> {
        self.rows.push(row.clone());
        let rating = self.ratings()?[&player_of(row.generation)];
        row.elo = rating.elo;
        row.elo_error = Z95 * rating.sd;
        *self.rows.last_mut().expect("a row was pushed") = row.clone();
        Ok(row)
    }

    /// Ratings of all generations and yardsticks by name, in one fit over all matches.
    fn ratings(&self) -> Result<BTreeMap<String, Rating>, RatingError> {
        let mut numbers = BTreeMap::from([(ANCHOR.to_owned(), 0)]);
        let mut number = |name: &str| {
            let next = numbers.len();
            *numbers.entry(name.to_owned()).or_insert(next)
        };
        let mut observations = Observations::default();
        for row in &self.rows {
            let (own, other) = (number(&player_of(row.generation)), number(&row.opponent));
            if let Some(joint) = joint(&row.pairs) {
                observations.add_pairs(own, other, &joint);
                continue;
            }
            let Row { wins_first: wins, draws_first: draws, losses_first: losses, .. } = *row;
            observations.add_counts(own, other, &Trinomial { wins, draws, losses });
            let Row { losses_second: wins, draws_second: draws, wins_second: losses, .. } = *row;
            observations.add_counts(other, own, &Trinomial { wins, draws, losses });
        }
        let anchor = Anchor::Player { player: 0, elo: 0.0 };
        let ratings = fit(numbers.len(), &observations, &RatingModel::default(), anchor)?;
        Ok(numbers.into_iter().map(|(name, number)| (name, ratings.players[number])).collect())
    }

    /// Elo and half its 95 % interval of each rated generation, by all matches of the run.
    pub(crate) fn by_generation(&self) -> Result<BTreeMap<u32, (f64, f64)>, RatingError> {
        let ratings = self.ratings()?;
        let rated = self.rows.iter().map(|row| row.generation).chain([0]);
        let of = |generation: u32| {
            let rating = ratings.get(&player_of(generation))?;
            Some((generation, (rating.elo, Z95 * rating.sd)))
        };
        Ok(rated.filter_map(of).collect())
    }
}

/// The name of a generation as a player.
fn player_of(generation: u32) -> String {
    format!("generation-{generation}")
}

/// The closing matches; `arena/verdict-000021.toml`, of generation 21.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Matches {
    pub(crate) opponents: Vec<Opponent>,
}

impl Matches {
    /// Where they are kept in a run that closed with `generation`.
    pub(crate) fn path(run: &Path, generation: u32) -> PathBuf {
        run.join(format!("arena/verdict-{generation:06}.toml"))
    }
}

/// What a run was made with, and what it has come to; shown by `inspect` and on cards.
pub(crate) struct Facts {
    pub(crate) seed: Option<i64>,
    /// As in the configuration, such as `10m`.
    pub(crate) budget: Option<String>,
    pub(crate) games_per_chunk: Option<u64>,
    /// The closing matches of the generation, if there were any.
    pub(crate) matches: Option<Matches>,
}

impl Facts {
    /// Reads them; what the configuration lacks is `None`.
    pub(crate) fn read(run: &Path, generation: u32) -> Result<Self> {
        let config: toml::Table = read_toml(&run.join("config.toml"))?.unwrap_or_default();
        let key = |table: &str, key: &str| config.get(table)?.get(key);
        Ok(Self {
            seed: config.get("seed").and_then(toml::Value::as_integer),
            budget: key("execution", "budget").and_then(|text| text.as_str()).map(str::to_owned),
            games_per_chunk: key("selfplay", "games_per_chunk")
                .and_then(|number| number.as_integer()?.try_into().ok())
                .filter(|&number| number > 0),
            matches: read_toml(&Matches::path(run, generation))?,
        })
    }
}

/// The result against one opponent, seen from the run's last generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Opponent {
    pub(crate) name: String,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Mean score, 0 to 1, and its 95 % interval.
    pub(crate) score: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(generation: u32, opponent: &str, wins: u64, losses: u64) -> Row {
        Row {
            generation,
            active_seconds: 0.0,
            opponent: opponent.to_owned(),
            wins_first: wins,
            draws_first: 0,
            losses_first: losses,
            wins_second: wins,
            draws_second: 0,
            losses_second: losses,
            score: 0.0,
            score_low: 0.0,
            score_high: 0.0,
            elo: 0.0,
            elo_error: 0.0,
            pairs: String::new(),
        }
    }

    #[test]
    fn pairs_make_errors_smaller_and_older_rows_still_count() {
        let mut paired = row(1, ANCHOR, 15, 5);
        paired.pairs = "0 0 5 0 0 0 5 0 10".to_owned(); // A win and a loss, or two wins.
        let single = Ladder::default().add(row(1, ANCHOR, 15, 5)).unwrap();
        let both = Ladder::default().add(paired.clone()).unwrap();
        assert!((both.elo - single.elo).abs() < 1e-6, "{} {}", both.elo, single.elo);
        assert!(both.elo_error < 0.95 * single.elo_error);

        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("arena.csv");
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(&paired).unwrap();
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let older = text.replacen(",pairs\n", "\n", 1);
        fs::write(&path, &older).unwrap();
        assert_eq!(Ladder::read(&path).unwrap().rows[0].pairs, "");
        fs::write(&path, &text).unwrap();
        assert_eq!(Ladder::read(&path).unwrap().rows[0].pairs, paired.pairs);
    }

    #[test]
    fn ratings_add_up_along_the_ladder() {
        let mut ladder = Ladder::default();
        let first = ladder.add(row(1, ANCHOR, 15, 5)).unwrap();
        let second = ladder.add(row(4, "generation-1", 15, 5)).unwrap();
        // Three wins to one loss are 190.85 Elo.
        assert!((first.elo - 190.85).abs() < 0.1, "{}", first.elo);
        assert!((second.elo - 381.7).abs() < 0.2, "{}", second.elo);
        assert!(second.elo_error > first.elo_error);
        let rated = ladder.by_generation().unwrap();
        assert_eq!(rated.keys().copied().collect::<Vec<_>>(), [0, 1, 4]);
        assert_eq!((rated[&0], rated[&4].0), ((0.0, 0.0), second.elo));
        assert_eq!(ladder.opponents(6, |_| true), ["generation-4", YARDSTICK]);
        assert!(ladder.opponents(4, |_| true).is_empty(), "rated before");
        ladder.add(row(6, "generation-4", 15, 5)).unwrap();
        let third = ladder.add(row(6, YARDSTICK, 20, 0)).unwrap();
        assert!(third.elo > second.elo, "{} is above generation 0", third.elo);
        assert_eq!(ladder.opponents(7, |_| true), ["generation-6"]);
        assert_eq!(ladder.opponents(7, |number| number < 6), [ANCHOR]);
    }
}
