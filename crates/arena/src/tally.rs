//! Games counted: what two players scored against each other.

use std::collections::BTreeMap;

use rules::{Color, Termination};

use crate::referee::GameResult;
use crate::stats::{GameScore, HeadToHead, Observations, Pentanomial, Trinomial};

/// Results of two players against each other, seen from player 0 of the two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchResult {
    /// Results of player 0 in complete pairs, by the player that had Black (index 0: player 0 itself)
    /// in the game that counts. After an odd number of replays both games of a pair have the same
    /// player as Black, so the two need not be balanced.
    pub by_black: [Trinomial; 2],
    /// Complete pairs by the points of player 0.
    pub pentanomial: Pentanomial,
    /// Complete pairs by the half points of player 0 in both games, `3 * a + b`: `a` in the game that
    /// it began with Black, `b` in the other.
    pub joint: [u64; 9],
    /// How many of the pairs of one point are a win and a loss, not two draws.
    pub split_pairs: u64,
    /// Games of complete pairs by the way they ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Plies of all games of complete pairs together.
    pub plies: u64,
    /// Games drawn by repetition that were played again, and do not count.
    pub replays: u64,
    /// Single games of pairs whose other game is missing. They count nowhere else: which game of a
    /// pair ends first is no matter of chance.
    pub halves: u64,
}

impl MatchResult {
    /// Counts the games between the players with these two numbers, in any order, and no others.
    pub fn of<'a>(
        players: [usize; 2],
        games: impl IntoIterator<Item = &'a GameResult>,
    ) -> MatchResult {
        let mut pairs: BTreeMap<u64, Vec<&GameResult>> = BTreeMap::new();
        let [a, b] = players;
        for game in games {
            if game.pair.players == [a, b] || game.pair.players == [b, a] {
                pairs.entry(game.pair.number).or_default().push(game);
            }
        }
        let mut result = MatchResult::default();
        for pair in pairs.values() {
            match pair[..] {
                [one, other] => result.add_pair(a, [one, other]),
                _ => result.halves += 1,
            }
        }
        result
    }

    fn add_pair(&mut self, player: usize, games: [&GameResult; 2]) {
        // The place of the player in the pair.
        let own = usize::from(games[0].pair.players[0] != player);
        let half_points = games.map(|game| game.half_points(own));
        self.pentanomial.add(half_points.iter().sum());
        let with_black = games.map(|game| usize::from(game.game) == own);
        let [a, b] = half_points;
        self.joint[if with_black[0] { 3 * a + b } else { 3 * b + a }] += 1;
        self.split_pairs += u64::from(half_points == [0, 2] || half_points == [2, 0]);
        for game in games {
            self.by_black[usize::from(game.black != own)].add(game.half_points(own));
            *self.terminations.entry(game.outcome.termination).or_default() += 1;
            self.plies += game.moves.len() as u64;
            self.replays += u64::from(game.replays);
        }
    }

    /// Results of player 0.
    pub fn total(&self) -> Trinomial {
        let [mut total, other] = self.by_black;
        total += other;
        total
    }

    /// The results for tests and estimates.
    pub fn head_to_head(&self) -> HeadToHead {
        let split_pairs = Some(self.split_pairs);
        HeadToHead { games: self.total(), pairs: self.pentanomial, split_pairs }
    }
}

/// The complete pairs of all players, for [`stats::fit`](crate::stats::fit); players have their
/// numbers in the tournament.
pub fn observations<'a>(games: impl IntoIterator<Item = &'a GameResult>) -> Observations {
    let mut pairs: BTreeMap<u64, Vec<GameScore>> = BTreeMap::new();
    for game in games {
        let [first, second] = [Color::Black, Color::White].map(|color| game.player(color));
        let half_points = game.half_points(game.black) as u8;
        pairs.entry(game.pair.number).or_default().push(GameScore { first, second, half_points });
    }
    let mut observations = Observations::default();
    pairs.values().filter(|pair| pair.len() == 2).for_each(|pair| observations.add(pair));
    observations
}
