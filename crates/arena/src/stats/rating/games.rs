//! Games of many players, counted for a rating.

use std::collections::BTreeMap;

use crate::stats::counts::Trinomial;

/// How a game between two players ended; players are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameScore {
    /// Player that moved first.
    pub first: usize,
    /// Player that moved second.
    pub second: usize,
    /// Half points of the first player, 0 to 2.
    pub half_points: u8,
}

impl GameScore {
    /// Half points of a player, 0 to 2.
    pub(super) fn half_points_of(&self, player: usize) -> u8 {
        if player == self.first { self.half_points } else { 2 - self.half_points }
    }
}

/// What was observed: groups of games that depend on each other, as the two games of an opening do,
/// each group independent of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observations {
    clusters: BTreeMap<Vec<GameScore>, u64>,
}

impl Observations {
    /// Adds games that depend on each other, in any order: the two games of a pair, or a single game.
    pub fn add(&mut self, games: &[GameScore]) {
        self.add_times(games, 1);
    }

    /// Adds `times` such groups of games with the same results.
    pub fn add_times(&mut self, games: &[GameScore], times: u64) {
        if times > 0 && !games.is_empty() {
            let mut games = games.to_vec();
            games.sort_unstable();
            *self.clusters.entry(games).or_default() += times;
        }
    }

    /// Adds single games by their results, seen from the player that moved first.
    pub fn add_counts(&mut self, first: usize, second: usize, results: &Trinomial) {
        let counts = [results.losses, results.draws, results.wins];
        for (half_points, times) in (0..).zip(counts) {
            self.add_times(&[GameScore { first, second, half_points }], times);
        }
    }

    /// Adds pairs of games of `a` and `b`, counted as in
    /// [`MatchResult::joint`](crate::MatchResult::joint) with `a` as player 0.
    pub fn add_pairs(&mut self, a: usize, b: usize, joint: &[u64; 9]) {
        for (index, &times) in (0u8..).zip(joint) {
            let (with_first, with_second) = (index / 3, index % 3);
            let pair = [
                GameScore { first: a, second: b, half_points: with_first },
                GameScore { first: b, second: a, half_points: 2 - with_second },
            ];
            self.add_times(&pair, times);
        }
    }

    /// The groups and how often each was seen.
    pub fn clusters(&self) -> impl Iterator<Item = (&[GameScore], u64)> {
        self.clusters.iter().map(|(games, &times)| (games.as_slice(), times))
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.clusters().map(|(games, times)| games.len() as u64 * times).sum()
    }

    /// Every pairing by who moved first, with its results.
    pub(super) fn meetings(&self) -> Vec<Meeting> {
        let mut counts = BTreeMap::<(usize, usize), [f64; 3]>::new();
        for (games, times) in self.clusters() {
            for game in games {
                let entry = counts.entry((game.first, game.second)).or_default();
                entry[usize::from(game.half_points)] += times as f64;
            }
        }
        let meeting = |((first, second), counts)| Meeting { first, second, counts };
        counts.into_iter().map(meeting).collect()
    }
}

/// All games of two players with one of them moving first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Games lost, drawn and won by `first`.
    pub(super) counts: [f64; 3],
}

impl Meeting {
    pub(super) fn games(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Whether the first player scored a point or a half.
    pub(super) fn first_scored(&self) -> bool {
        self.counts[1] + self.counts[2] > 0.0
    }

    /// Whether the second player scored a point or a half.
    pub(super) fn second_scored(&self) -> bool {
        self.counts[0] + self.counts[1] > 0.0
    }
}

/// Virtual draws, `draws` for each player, spread over its opponents by the games played with them
/// and halved between the colours; a pair of players gets those of both (the prior of BayesElo).
pub(super) fn virtual_draws(players: usize, meetings: &[Meeting], draws: f64) -> Vec<Meeting> {
    let mut of_player = vec![0.0; players];
    let mut of_pair = BTreeMap::<(usize, usize), f64>::new();
    for m in meetings {
        of_player[m.first] += m.games();
        of_player[m.second] += m.games();
        *of_pair.entry((m.first.min(m.second), m.first.max(m.second))).or_default() += m.games();
    }
    let mut virtual_games = Vec::new();
    for ((a, b), games) in of_pair {
        let half = draws / 4.0 * (games / of_player[a] + games / of_player[b]);
        for (first, second) in [(a, b), (b, a)] {
            virtual_games.push(Meeting { first, second, counts: [0.0, half, 0.0] });
        }
    }
    virtual_games
}
