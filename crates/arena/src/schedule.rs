//! Who meets whom: the formats of a tournament.
//!
//! The unit is the pair: one opening, played twice with the colours exchanged. Pairs are numbered by
//! arithmetic alone, so that a pair has the same number, the same opening and the same seeds however a
//! tournament is interrupted and in whatever order its pairs end.

use rules::Seed;

use crate::swiss;

/// How opponents are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everyone meets everyone.
    RoundRobin,
    /// Each of the first `seeds` players meets each of the others.
    Gauntlet {
        /// How many players are challengers, at least 1.
        seeds: usize,
    },
    /// The players stand in a row, such as the generations of a run; each meets the next `reach`.
    Ladder {
        /// How far up the row, at least 1.
        reach: usize,
    },
    /// In each of `rounds` rounds players of about the same score meet, if they can those who have not
    /// met.
    Swiss {
        /// How many rounds.
        rounds: usize,
    },
}

/// One opening, played twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Unique in the tournament.
    pub number: u64,
    /// The round of a Swiss tournament; else how often these two have met before.
    pub round: u64,
    /// The players by number; the first has Black in game 0.
    pub players: [usize; 2],
    /// The opening, counted from 0; it begins again where the list ends.
    pub opening: u64,
}

/// The plan of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// How opponents are found.
    pub format: Format,
    /// Number of players.
    pub players: usize,
    /// Pairs of games of every two players that meet, in a round if it is Swiss; `None`: without end,
    /// until a test has decided (not for Swiss).
    pub pairs: Option<u64>,
    /// Chance among equals in a Swiss round.
    pub seed: Seed,
}

/// Pairs of the same two players in a row: their games then share batches.
const BLOCK: u64 = 16;

impl Schedule {
    /// All pairs of players that meet, in a format that knows them beforehand.
    pub fn meetings(&self) -> Vec<[usize; 2]> {
        let n = self.players;
        let meets = |a: usize, b: usize| match self.format {
            Format::RoundRobin => true,
            Format::Gauntlet { seeds } => a < seeds && b >= seeds,
            Format::Ladder { reach } => b - a <= reach,
            Format::Swiss { .. } => false,
        };
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
        pairs.filter(|&[a, b]| meets(a, b)).collect()
    }

    /// Number of games; `None`: without end.
    pub fn games(&self) -> Option<u64> {
        let meetings = match self.format {
            Format::Swiss { rounds } => rounds * (self.players / 2),
            _ => self.meetings().len(),
        };
        self.pairs.map(|pairs| 2 * pairs * meetings as u64)
    }

    /// Openings needed so that none is used twice by the same two players, or in two Swiss rounds;
    /// `None`: without end.
    pub fn openings(&self) -> Option<u64> {
        let rounds = match self.format {
            Format::Swiss { rounds } => rounds as u64,
            _ => 1,
        };
        self.pairs.map(|pairs| rounds * pairs)
    }

    /// The pairs of a batch of the tournament, numbered from 0; empty after the last. `scores` are the
    /// points so far, needed for Swiss only: there a batch is a round, and all before must have ended.
    pub fn batch(&self, number: u64, scores: &Scores) -> Vec<Pair> {
        match self.format {
            Format::Swiss { rounds } if number < rounds as u64 => self.swiss_round(number, scores),
            Format::Swiss { .. } => Vec::new(),
            _ => self.block(number),
        }
    }

    /// Whether the pairs of a batch depend on the results of those before.
    pub fn needs_results(&self) -> bool {
        matches!(self.format, Format::Swiss { .. })
    }

    fn block(&self, number: u64) -> Vec<Pair> {
        let meetings = self.meetings();
        let all = self.pairs.unwrap_or(u64::MAX);
        let (from, to) = ((number * BLOCK).min(all), ((number + 1) * BLOCK).min(all));
        let pair = |(index, &players): (usize, &[usize; 2])| {
            (from..to).map(move |round| (index, players, round)).collect::<Vec<_>>()
        };
        let count = meetings.len() as u64;
        let pairs = meetings.iter().enumerate().flat_map(pair);
        pairs
            .map(|(index, players, round)| Pair {
                number: round * count + index as u64,
                round,
                players,
                opening: round,
            })
            .collect()
    }

    fn swiss_round(&self, round: u64, scores: &Scores) -> Vec<Pair> {
        let each = self.pairs.unwrap_or(1);
        let found = swiss::pairing(scores, self.seed.derive("swiss", round));
        let boards = (self.players / 2) as u64;
        let mut pairs = Vec::new();
        for (board, players) in found.into_iter().enumerate() {
            for k in 0..each {
                let number = (round * boards + board as u64) * each + k;
                pairs.push(Pair { number, round, players, opening: round * each + k });
            }
        }
        pairs
    }
}

/// What a Swiss pairing depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// Half points of each player, byes included.
    pub half_points: Vec<u64>,
    /// How many rounds each two players have met, by number; symmetric.
    pub met: Vec<Vec<u32>>,
    /// How many rounds each player has sat out.
    pub byes: Vec<u32>,
}

impl Scores {
    /// Scores before the first game.
    pub fn new(players: usize) -> Scores {
        Scores {
            half_points: vec![0; players],
            met: vec![vec![0; players]; players],
            byes: vec![0; players],
        }
    }

    /// Counts a round: each meeting with the half points of both. Who did not play had a bye, and gets
    /// `full` half points, those of a meeting all won.
    pub fn add_round(&mut self, meetings: &[([usize; 2], [u64; 2])], full: u64) {
        let mut played = vec![false; self.byes.len()];
        for &([a, b], points) in meetings {
            for (player, points) in [a, b].into_iter().zip(points) {
                self.half_points[player] += points;
                played[player] = true;
            }
            self.met[a][b] += 1;
            self.met[b][a] += 1;
        }
        for player in (0..played.len()).filter(|&player| !played[player]) {
            self.byes[player] += 1;
            self.half_points[player] += full;
        }
    }
}

#[cfg(test)]
mod tests;
