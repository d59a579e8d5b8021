//! CSV files of results.

use std::io::Read;

use csv::{Position, Reader, ReaderBuilder, StringRecord, Trim};

use super::{Collector, NamedResult, Pairing, half_points};
use crate::stats::Trinomial;

/// The columns that are understood, for help and messages.
pub const COLUMNS: &str = "first, second, result and, if you like, pair (one game a row); or first, \
                           second, first_wins, draws, second_wins (games counted); or those of a \
                           run's metrics/arena.csv";

/// Why a file of results could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is no CSV, or cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// Its columns are not known.
    #[error("line 1: unknown columns; expected {COLUMNS}")]
    Columns,
    /// A row that is wrong.
    #[error("line {line}: {reason}")]
    Row {
        /// Its line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

/// Which columns a file has.
enum Layout {
    /// First, second, result and perhaps pair, which ties the two games of an opening together.
    Games([usize; 3], Option<usize>),
    /// First, second; wins, draws and losses of the first.
    Counts([usize; 5]),
    /// Generation, opponent; wins, draws and losses of the generation with the first move, then
    /// with the second.
    Run([usize; 8], Option<usize>),
}

impl Layout {
    fn of(header: &StringRecord) -> Option<Layout> {
        let column = |name: &str| header.iter().position(|header| header == name);
        fn all<const N: usize>(columns: [Option<usize>; N]) -> Option<[usize; N]> {
            columns.iter().all(Option::is_some).then(|| columns.map(Option::unwrap_or_default))
        }
        let counts = ["first", "second", "first_wins", "draws", "second_wins"];
        let run = [
            "generation",
            "opponent",
            "wins_first",
            "draws_first",
            "losses_first",
            "wins_second",
            "draws_second",
            "losses_second",
        ];
        all(["first", "second", "result"].map(column))
            .map(|columns| Layout::Games(columns, column("pair")))
            .or_else(|| all(counts.map(column)).map(Layout::Counts))
            .or_else(|| all(run.map(column)).map(|columns| Layout::Run(columns, column("pairs"))))
    }
}

/// Reads a CSV file with a row of column names; further columns are passed over.
///
/// # Errors
/// The first fault, with its line. Rows before it have been added.
pub fn read_table(input: impl Read, collector: &mut Collector) -> Result<(), TableError> {
    // A run that began with an older version has rows with more columns than its header names.
    let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(input);
    let header = header(&mut reader)?;
    let layout = Layout::of(&header).ok_or(TableError::Columns)?;
    let mut row = StringRecord::new();
    while reader.read_record(&mut row)? {
        let line = row.position().map_or(0, Position::line);
        if row.len() < header.len() {
            let reason = format!("{} columns, expected {}", row.len(), header.len());
            return Err(TableError::Row { line, reason });
        }
        add(&layout, &row, collector).map_err(|reason| TableError::Row { line, reason })?;
    }
    collector.end_file();
    Ok(())
}

/// The names of the columns, without a byte order mark.
fn header<R: Read>(reader: &mut Reader<R>) -> Result<StringRecord, csv::Error> {
    let header = reader.headers()?;
    Ok(header.iter().map(|name| name.trim_start_matches('\u{feff}')).collect())
}

fn add(layout: &Layout, row: &StringRecord, collector: &mut Collector) -> Result<(), String> {
    let count = |column: usize| {
        let text = &row[column];
        text.parse::<u32>().map(u64::from).map_err(|_| format!("`{text}` is no number of games"))
    };
    let name = |column: usize| match &row[column] {
        "" => Err("a player without a name".to_owned()),
        name => Ok(name.to_owned()),
    };
    let results = |columns: [usize; 3]| {
        let [wins, draws, losses] = columns.map(count);
        Ok::<_, String>(Trinomial { wins: wins?, draws: draws?, losses: losses? })
    };
    let added = match *layout {
        Layout::Games([first, second, result], pair) => {
            let text = &row[result];
            let half_points =
                half_points(text).ok_or_else(|| format!("`{text}` is no result, such as 1-0"))?;
            let pair = match pair.map(|pair| &row[pair]) {
                None | Some("") => Pairing::Alone,
                Some(key) => Pairing::Key(key.to_owned()),
            };
            let (first, second) = (name(first)?, name(second)?);
            collector.add(NamedResult { first, second, half_points, pair, line: 0 })
        }
        Layout::Counts([first, second, wins, draws, losses]) => {
            collector.add_counts(name(first)?, name(second)?, &results([wins, draws, losses])?)
        }
        Layout::Run([generation, opponent, a, b, c, d, e, f], pairs) => {
            let own = format!("generation-{}", count(generation)?);
            let other = name(opponent)?;
            let (with_first, with_second) = (results([a, b, c])?, results([d, e, f])?);
            match pairs.and_then(|pairs| joint(&row[pairs])) {
                Some(joint) => collector.add_pairs(own, other, &joint),
                None => {
                    let Trinomial { wins, draws, losses } = with_second;
                    let of_other = Trinomial { wins: losses, draws, losses: wins };
                    collector
                        .add_counts(own.clone(), other.clone(), &with_first)
                        .and_then(|()| collector.add_counts(other, own, &of_other))
                }
            }
        }
    };
    added.map_err(|error| error.to_string())
}

/// Nine counts with blanks between them, as in [`MatchResult::joint`](crate::MatchResult::joint);
/// `None` if they are none, as in rows of older versions.
pub fn joint(text: &str) -> Option<[u64; 9]> {
    let counts = text.split_whitespace().map(|word| word.parse::<u32>().ok().map(u64::from));
    counts.collect::<Option<Vec<u64>>>()?.try_into().ok()
}
