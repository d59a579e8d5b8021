//! Which players can be compared, and whether the likelihood of their results has a finite maximum.

/// All games of one pair of players with one of them moving first, as points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// Wins and half the draws of `first`.
    pub(crate) first_points: f64,
    /// Wins and half the draws of `second`.
    pub(crate) second_points: f64,
}

/// The group of each player: connected components of "met", numbered in the order of their lowest
/// players.
pub(crate) fn groups(players: usize, meetings: &[Meeting]) -> Vec<usize> {
    let met: Vec<(usize, usize)> =
        meetings.iter().flat_map(|m| [(m.first, m.second), (m.second, m.first)]).collect();
    let mut group = vec![usize::MAX; players];
    let mut groups = 0;
    for player in 0..players {
        if group[player] == usize::MAX {
            for member in reachable(players, player, &met) {
                group[member] = groups;
            }
            groups += 1;
        }
    }
    group
}

/// Whether the Bradley-Terry likelihood with an advantage has one finite maximum.
///
/// It has none exactly if the parameters can move along a line (ratings `r`, advantage `a`) on
/// which no result gets less likely: `r_i - r_j + a >= 0` where the first player `i` scored against
/// `j`, `<= 0` where `j` scored. With `a = 0` such a line exists unless, in each group, everyone is
/// linked to everyone by a chain of points scored (L. R. Ford, Amer. Math. Monthly 64(8), 1957).
/// With `a = 1` or `a = -1` these are difference constraints, which can be met exactly if their
/// graph has no negative cycle.
pub(crate) fn finite_maximum(players: usize, group: &[usize], meetings: &[Meeting]) -> bool {
    let scored: Vec<(usize, usize)> = meetings
        .iter()
        .flat_map(|m| {
            let forth = (m.first_points > 0.0).then_some((m.first, m.second));
            let back = (m.second_points > 0.0).then_some((m.second, m.first));
            [forth, back].into_iter().flatten()
        })
        .collect();
    let reversed: Vec<(usize, usize)> = scored.iter().map(|&(a, b)| (b, a)).collect();
    let strong = (0..players)
        .filter(|&p| group.iter().position(|&g| g == group[p]) == Some(p))
        .all(|root| {
            let members = group.iter().filter(|&&g| g == group[root]).count();
            reachable(players, root, &scored).len() == members
                && reachable(players, root, &reversed).len() == members
        });
    strong
        && (meetings.is_empty() || [1.0, -1.0].iter().all(|&a| !ray_exists(players, a, meetings)))
}

/// Players reached from `start` along directed links, itself included.
fn reachable(players: usize, start: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let mut seen = vec![false; players];
    seen[start] = true;
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        for &(from, to) in links {
            if from == at && !seen[to] {
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
        if m.first_points > 0.0 {
            constraints.push((m.first, m.second, advantage));
        }
        if m.second_points > 0.0 {
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
