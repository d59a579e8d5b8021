//! Which players can be compared, and whether the likelihood of their results has a finite maximum.

use super::games::Meeting;

/// The players that each player is linked to.
type Links = Vec<Vec<usize>>;

fn links(players: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Links {
    let mut links = vec![Vec::new(); players];
    pairs.for_each(|(from, to)| links[from].push(to));
    links
}

/// The group of each player: connected components of "met", numbered in the order of their lowest
/// players.
pub(super) fn groups(players: usize, meetings: &[Meeting]) -> Vec<usize> {
    let met = meetings.iter().flat_map(|m| [(m.first, m.second), (m.second, m.first)]);
    let met = links(players, met);
    let mut group = vec![usize::MAX; players];
    let mut groups = 0;
    for player in 0..players {
        if group[player] == usize::MAX {
            for member in reachable(player, &met) {
                group[member] = groups;
            }
            groups += 1;
        }
    }
    group
}

/// Whether the likelihood, with an advantage if it is `fitted`, has one finite maximum.
///
/// It has none exactly if the parameters can move along a line (ratings `r`, advantage `a`) on
/// which no result gets less likely: `r_i - r_j + a >= 0` where the first player `i` scored against
/// `j`, `<= 0` where `j` scored. With `a = 0` such a line exists unless, in each group, everyone is
/// linked to everyone by a chain of points scored (L. R. Ford, Amer. Math. Monthly 64(8), 1957).
/// With `a = 1` or `a = -1` these are difference constraints, which can be met exactly if their
/// graph has no negative cycle.
pub(super) fn finite_maximum(
    players: usize,
    group: &[usize],
    meetings: &[Meeting],
    fitted: bool,
) -> bool {
    let scored = meetings.iter().flat_map(|m| {
        let forth = m.first_scored().then_some((m.first, m.second));
        let back = m.second_scored().then_some((m.second, m.first));
        [forth, back].into_iter().flatten()
    });
    let reversed = links(players, scored.clone().map(|(from, to)| (to, from)));
    let scored = links(players, scored);
    let mut members = vec![0; players];
    group.iter().for_each(|&g| members[g] += 1);
    let mut groups = 0;
    for (player, &own) in group.iter().enumerate() {
        if own < groups {
            continue; // The first player of the group spoke for it.
        }
        groups += 1;
        let all = |links| reachable(player, links).len() == members[own];
        if !(all(&scored) && all(&reversed)) {
            return false;
        }
    }
    let rays = || [1.0, -1.0].iter().any(|&a| ray_exists(players, a, meetings));
    !fitted || meetings.is_empty() || !rays()
}

/// Players reached from `start` along directed links, itself included.
fn reachable(start: usize, links: &Links) -> Vec<usize> {
    let mut seen = vec![false; links.len()];
    seen[start] = true;
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        for &to in &links[at] {
            if !seen[to] {
                seen[to] = true;
                queue.push(to);
            }
        }
        next += 1;
    }
    queue
}

/// Whether ratings exist that go with `advantage` along a line without loss of likelihood
/// (Bellman-Ford: distances `r` satisfy every `r_to <= r_from + length` unless there is a negative
/// cycle).
fn ray_exists(players: usize, advantage: f64, meetings: &[Meeting]) -> bool {
    let mut constraints = Vec::new();
    for m in meetings {
        if m.first_scored() {
            constraints.push((m.first, m.second, advantage));
        }
        if m.second_scored() {
            constraints.push((m.second, m.first, -advantage));
        }
    }
    let mut distance = vec![0.0; players];
    for _ in 0..=players {
        let mut changed = false;
        for &(from, to, length) in &constraints {
            if distance[from] + length < distance[to] {
                distance[to] = distance[from] + length;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}
