//! The pairing of a Swiss round.
//!
//! Players are sorted by score; from the top, each meets the next whom it has met least, so long as
//! all the others can still be paired. Whether they can is a question of perfect matchings in a general
//! graph (Edmonds' algorithm, crate `petgraph`), so that a rematch comes only where none can be avoided.

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};
use rand::RngExt;
use rules::Seed;

use crate::schedule::Scores;

/// The opponents of the next round, the highest scores first; of an odd number of players one sits out:
/// of those with the fewest byes the lowest whose absence leaves a pairing.
pub(crate) fn pairing(scores: &Scores, seed: Seed) -> Vec<[usize; 2]> {
    let mut order = by_score(scores, seed);
    // Every meeting once more is allowed as soon as there is no pairing with fewer.
    let mut allowed = 0;
    loop {
        if let Some(found) = pairing_of(&mut order, scores, allowed) {
            return found;
        }
        allowed += 1;
    }
}

/// The players, the highest score first; chance decides among equals.
fn by_score(scores: &Scores, seed: Seed) -> Vec<usize> {
    let mut rng = seed.rng();
    let mut keyed: Vec<(u64, u64, usize)> = scores
        .half_points
        .iter()
        .enumerate()
        .map(|(player, &points)| (u64::MAX - points, rng.random(), player))
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, _, player)| player).collect()
}

/// A pairing in which no two players meet who have met more than `allowed` times, if there is one.
fn pairing_of(order: &mut Vec<usize>, scores: &Scores, allowed: u32) -> Option<Vec<[usize; 2]>> {
    let full = order.clone();
    if order.len() % 2 == 1 {
        order.retain({
            let bye = bye(&full, scores, allowed)?;
            move |&player| player != bye
        });
    } else if !can_be_paired(order, scores, allowed) {
        return None;
    }
    let mut left = std::mem::replace(order, full);
    let mut pairs = Vec::new();
    while !left.is_empty() {
        let player = left.remove(0);
        let mut others: Vec<usize> = left.clone();
        others.retain(|&other| scores.met[player][other] <= allowed);
        others.sort_by_key(|&other| scores.met[player][other]); // Stable: then by score.
        let opponent = others.into_iter().find(|&other| {
            let rest: Vec<usize> = left.iter().copied().filter(|&p| p != other).collect();
            can_be_paired(&rest, scores, allowed)
        })?;
        left.retain(|&other| other != opponent);
        pairs.push([player, opponent]);
    }
    Some(pairs)
}

/// Who sits out.
fn bye(order: &[usize], scores: &Scores, allowed: u32) -> Option<usize> {
    let fewest = scores.byes.iter().min()?;
    let candidates = order.iter().rev().filter(|&&player| scores.byes[player] == *fewest);
    candidates.copied().find(|&player| {
        let rest: Vec<usize> = order.iter().copied().filter(|&other| other != player).collect();
        can_be_paired(&rest, scores, allowed)
    })
}

/// Whether all of these players can meet with at most `allowed` earlier meetings each.
fn can_be_paired(players: &[usize], scores: &Scores, allowed: u32) -> bool {
    let mut graph = UnGraph::<(), ()>::with_capacity(players.len(), 0);
    let nodes: Vec<NodeIndex> = players.iter().map(|_| graph.add_node(())).collect();
    for (i, &a) in players.iter().enumerate() {
        for (j, &b) in players.iter().enumerate().skip(i + 1) {
            if scores.met[a][b] <= allowed {
                graph.add_edge(nodes[i], nodes[j], ());
            }
        }
    }
    maximum_matching(&graph).is_perfect()
}
