//! The tree of the first moves that a generation plays, with how often and how well.

use std::collections::BTreeMap;

use rules::{Game, Move};
use serde::Serialize;

use super::replay::Spelled;

/// Most moves kept after each position, by ply; also the depth of the tree.
const BRANCHES: [usize; 6] = [5, 3, 3, 2, 2, 1];
/// A move played in less than this share of the games is no opening.
const SHARE: f64 = 0.01;
/// More games of a generation do not change the picture.
const MOST_GAMES: u64 = 10_000;

/// A move of the tree and what followed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tree {
    games: u64,
    /// Points of the first player, in halves.
    half_points: u64,
    next: BTreeMap<u32, Tree>,
}

/// A move of the tree for the page.
#[derive(Debug, Serialize)]
pub(super) struct Opening {
    #[serde(flatten)]
    text: Spelled,
    games: u64,
    /// Mean score of the first player, 0 to 1.
    score: f64,
    next: Vec<Opening>,
}

impl Tree {
    /// Counts a game by its packed moves, and the half points (0 to 2) of its first player.
    pub(super) fn add(&mut self, moves: &[u32], half_points: u64) {
        if self.games == MOST_GAMES {
            return;
        }
        let mut node = self;
        node.count(half_points);
        for &mv in moves.iter().take(BRANCHES.len()) {
            node = node.next.entry(mv).or_default();
            node.count(half_points);
        }
    }

    fn count(&mut self, half_points: u64) {
        self.games += 1;
        self.half_points += half_points;
    }

    /// Keeps only the moves that are worth showing.
    pub(super) fn prune(&mut self) {
        let least = (self.games as f64 * SHARE).ceil() as u64;
        self.prune_from(0, least.max(2));
    }

    fn prune_from(&mut self, ply: usize, least: u64) {
        let mut counts: Vec<u64> = self.next.values().map(|next| next.games).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let branches = BRANCHES.get(ply).copied().unwrap_or(0);
        let least_here = counts.get(branches).map_or(least, |&beyond| least.max(beyond + 1));
        self.next.retain(|_, next| next.games >= least_here);
        for next in self.next.values_mut() {
            next.prune_from(ply + 1, least);
        }
    }

    /// The moves worth showing in the position of `game`, most played first. Moves that are not
    /// legal are left out, for record files may hold anything.
    pub(super) fn shown(&self, game: &mut Game) -> Vec<Opening> {
        let mut pruned = self.clone();
        pruned.prune();
        pruned.spelled(game)
    }

    fn spelled(&self, game: &mut Game) -> Vec<Opening> {
        let (mut openings, mut legal) = (Vec::new(), Vec::new());
        game.status(&mut legal);
        for (&bits, tree) in &self.next {
            let mv = Move::from_bits(bits);
            if !legal.contains(&mv) {
                continue;
            }
            let text = Spelled::of(game, mv);
            game.play(mv);
            let next = tree.spelled(game);
            game.undo();
            let score = tree.half_points as f64 / (2 * tree.games) as f64;
            openings.push(Opening { text, games: tree.games, score, next });
        }
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.games));
        openings
    }
}

#[cfg(test)]
mod tests {
    use rules::Variant;

    use super::*;

    #[test]
    fn most_played_moves_first_and_rare_ones_left_out() {
        let mut game = Game::new(Variant::builtin("micro").unwrap());
        let bits = |text: &str| game.parse_move(text).unwrap().bits();
        let (pawn, gold) = (bits("d2d3"), bits("b1b2"));
        let mut tree = Tree::default();
        (0..3).for_each(|_| tree.add(&[gold], 2));
        (0..5).for_each(|won| tree.add(&[pawn], won % 3));
        tree.add(&[bits("a1a2")], 0); // Played once.
        (0..2).for_each(|_| tree.add(&[u32::MAX], 0)); // No move at all.
        let shown = tree.shown(&mut game);
        let games: Vec<u64> = shown.iter().map(|opening| opening.games).collect();
        assert_eq!(games, [5, 3]);
        assert_eq!((shown[0].score, shown[1].score), (0.4, 1.0));
        assert_eq!(game.ply(), 0);
    }
}
