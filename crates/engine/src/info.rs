//! What a search says of itself while it goes on.
//!
//! Invariant: every value is from the side to move at the root.

use std::time::Duration;

use mcts::{MoveStat, Proven, Search, SearchResult, Wdl};
use rules::{Game, Move};

/// A look at a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Since its start.
    pub elapsed: Duration,
    /// Mean length of this search's simulations, in plies, rounded.
    pub depth: u32,
    /// Length of the longest one.
    pub seldepth: u32,
    /// Simulations of this search; those of a reused tree not counted.
    pub nodes: u64,
    /// Simulations a second; 0 before any time has gone by.
    pub nps: u64,
    /// The share of the memory allowed that the tree fills, in thousandths.
    pub hashfull: u32,
    /// The best moves, best first: as many as were asked for and are legal.
    pub lines: Vec<Line>,
}

/// A root move and what is expected to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The moves, this one first; at least one.
    pub pv: Vec<Move>,
    /// Simulations through the move, those of a reused tree included.
    pub visits: u32,
    /// The evaluator's probability of the move, in `[0, 1]`.
    pub prior: f32,
    /// Expected outcome.
    pub wdl: Wdl,
    /// The move's proof, plies counted from the root.
    pub proven: Option<Proven>,
}

impl Line {
    /// The line's worth as engines tell it.
    #[must_use]
    pub fn score(&self) -> Score {
        match self.proven {
            Some(Proven { value: 1, plies }) => Score::Mate(i32::from(plies)),
            Some(Proven { value: -1, plies }) => Score::Mate(-i32::from(plies)),
            _ => Score::of_value(self.wdl.value()),
        }
    }
}

/// The best `most` moves of a result, best first.
pub(crate) fn lines(search: &Search<Game>, result: &SearchResult<Move>, most: usize) -> Vec<Line> {
    ranked(result).into_iter().take(most.max(1)).map(|stat| Line::new(search, stat)).collect()
}

/// Takes a mate that was found beside the tree into a result.
pub(crate) fn put_mate(result: &mut SearchResult<Move>, line: &[Move]) {
    let proven = Some(Proven { value: 1, plies: line.len() as u16 });
    (result.best, result.proven, result.root_wdl) = (line[0], proven, Wdl::WIN);
    for stat in result.moves.iter_mut().filter(|stat| stat.mv == line[0]) {
        (stat.proven, stat.wdl, stat.value) = (proven, Wdl::WIN, 1.0);
    }
}

/// The moves of a result, best first: the one to play, then proven wins, the shortest first, then by
/// visits and value, then proven losses, the longest first.
#[must_use]
pub fn ranked(result: &SearchResult<Move>) -> Vec<&MoveStat<Move>> {
    let mut moves: Vec<_> = result.moves.iter().collect();
    let rank = |stat: &MoveStat<Move>| match stat.proven {
        Some(Proven { value: 1, plies }) => (1, -i32::from(plies)),
        Some(Proven { value: -1, plies }) => (-1, i32::from(plies)),
        _ => (0, 0),
    };
    moves.sort_by(|a, b| {
        let by_proof = rank(b).cmp(&rank(a)).then(b.visits.cmp(&a.visits));
        (b.mv == result.best)
            .cmp(&(a.mv == result.best))
            .then(by_proof)
            .then(b.value.total_cmp(&a.value))
            .then(b.prior.total_cmp(&a.prior))
    });
    moves
}

impl Line {
    fn new(search: &Search<Game>, stat: &MoveStat<Move>) -> Self {
        let MoveStat { mv, visits, prior, wdl, proven, .. } = *stat;
        let pv = search.variation(mv);
        Self { pv, visits, prior, wdl, proven }
    }
}

/// The worth of a line, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Plies to a proven end of the game; negative if the side to move loses.
    Mate(i32),
}

/// Centipawns at which the expected score is 1 / (1 + 1/e) = 0.73: the constant by which shogi engines
/// and the programs around them turn one into the other (known from Ponanza).
const SCALE: f32 = 600.0;
/// Centipawns beyond which nothing more is said.
const MOST: f32 = 9_999.0;

impl Score {
    /// Centipawns of an expected score w = (value + 1) / 2: 600 ln(w / (1 - w)), at most 9,999.
    #[must_use]
    pub fn of_value(value: f32) -> Self {
        let w = f32::midpoint(value, 1.0).clamp(0.0, 1.0);
        let centipawns = (SCALE * (w / (1.0 - w)).ln()).clamp(-MOST, MOST);
        Self::Centipawns(centipawns.round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_follow_the_logistic_curve() {
        for (value, expected) in
            [(0.0, 0), (0.462_117, 600), (-0.462_117, -600), (1.0, 9_999), (-1.0, -9_999)]
        {
            assert_eq!(Score::of_value(value), Score::Centipawns(expected));
        }
    }

    #[test]
    fn proven_lines_count_plies() {
        let line = |proven| Line { pv: Vec::new(), visits: 1, prior: 1.0, wdl: Wdl::DRAW, proven };
        let score = |value, plies| line(Some(Proven { value, plies })).score();
        assert_eq!(score(1, 3), Score::Mate(3));
        assert_eq!(score(-1, 4), Score::Mate(-4));
        assert_eq!(score(0, 4), Score::Centipawns(0));
        assert_eq!(line(None).score(), Score::Centipawns(0));
    }
}
