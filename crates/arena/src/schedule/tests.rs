use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;

use super::*;

fn schedule(format: Format, players: usize, pairs: Option<u64>) -> Schedule {
    Schedule { format, players, pairs, seed: Seed(3) }
}

/// All pairs of a schedule that needs no results.
fn all(schedule: &Schedule) -> Vec<Pair> {
    let scores = Scores::new(schedule.players);
    (0..)
        .map(|number| schedule.batch(number, &scores))
        .take_while(|batch| !batch.is_empty())
        .flatten()
        .collect()
}

#[test]
fn static_schedules_are_complete_and_balanced() {
    for (format, players, meetings) in [
        (Format::RoundRobin, 5, 10),
        (Format::RoundRobin, 2, 1),
        (Format::Gauntlet { seeds: 1 }, 5, 4),
        (Format::Gauntlet { seeds: 2 }, 5, 6),
        (Format::Ladder { reach: 1 }, 5, 4),
        (Format::Ladder { reach: 2 }, 5, 7),
    ] {
        for pairs in [1, 16, 37] {
            let schedule = schedule(format, players, Some(pairs));
            let all = all(&schedule);
            assert_eq!(all.len() as u64, meetings * pairs, "{format:?}");
            assert_eq!(schedule.games(), Some(2 * meetings * pairs));
            let numbers: BTreeSet<u64> = all.iter().map(|pair| pair.number).collect();
            assert_eq!(numbers, (0..meetings * pairs).collect(), "each number once");
            let mut by_meeting: BTreeMap<[usize; 2], Vec<u64>> = BTreeMap::new();
            for pair in &all {
                assert!(pair.players[0] < pair.players[1] && pair.players[1] < players);
                by_meeting.entry(pair.players).or_default().push(pair.opening);
            }
            // Every two opponents get the same openings, each once.
            assert_eq!(by_meeting.len() as u64, meetings);
            for openings in by_meeting.values() {
                assert_eq!(*openings, (0..pairs).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn numbers_do_not_depend_on_how_many_pairs_there_are() {
    let few = all(&schedule(Format::RoundRobin, 4, Some(20)));
    let many = all(&schedule(Format::RoundRobin, 4, Some(50)));
    assert!(few.iter().all(|pair| many.contains(pair)));
    let endless = schedule(Format::RoundRobin, 2, None);
    assert_eq!((endless.games(), endless.openings()), (None, None));
    assert_eq!(endless.batch(1_000_000, &Scores::new(2)).len() as u64, BLOCK);
}

/// Plays a Swiss tournament in which the lower number always wins a share of its games, and checks
/// every round.
fn play_swiss(players: usize, rounds: usize, seed: u64) -> Scores {
    let pairs = 2;
    let schedule =
        Schedule { seed: Seed(seed), ..schedule(Format::Swiss { rounds }, players, Some(pairs)) };
    let mut rng = Seed(seed).rng();
    let mut scores = Scores::new(players);
    let mut numbers = BTreeSet::new();
    for round in 0..rounds as u64 {
        let batch = schedule.batch(round, &scores);
        assert_eq!(batch, schedule.batch(round, &scores), "the same for the same results");
        assert_eq!(batch.len() as u64, pairs * (players / 2) as u64);
        let mut seen = BTreeSet::new();
        let mut results = Vec::new();
        for couple in batch.chunks(pairs as usize) {
            let [a, b] = couple[0].players;
            assert!(couple.iter().all(|pair| pair.players == [a, b] && pair.round == round));
            assert!(a != b && seen.insert(a) && seen.insert(b), "each once in a round");
            assert!(couple.iter().all(|pair| numbers.insert(pair.number)));
            let openings: Vec<u64> = couple.iter().map(|pair| pair.opening).collect();
            assert_eq!(openings, [2 * round, 2 * round + 1]);
            let points = rng.random_range(0..=8u64);
            results.push(([a, b], [points, 8 - points]));
        }
        assert!(players - seen.len() <= 1);
        // Sorted: the first of each couple never has fewer points than those who come later.
        let firsts: Vec<u64> = results
            .iter()
            .map(|([a, b], _)| scores.half_points[*a].max(scores.half_points[*b]))
            .collect();
        assert!(firsts.is_sorted_by(|a, b| a >= b), "{firsts:?}");
        scores.add_round(&results, 8);
    }
    assert!(schedule.batch(rounds as u64, &scores).is_empty());
    scores
}

#[test]
fn swiss_pairs_without_rematches_and_at_most_one_bye() {
    for seed in 0..20 {
        for players in 2..=13 {
            // With so many rounds everyone can still meet somebody new.
            let rounds = (players + players % 2) / 2;
            let scores = play_swiss(players, rounds, seed);
            let most = scores.met.iter().flatten().max().unwrap();
            assert!(*most <= 1, "{players} players, {rounds} rounds, seed {seed}");
            assert!(scores.byes.iter().all(|&byes| byes <= 1));
            assert_eq!(scores.byes.iter().sum::<u32>() as usize, rounds * (players % 2));
        }
    }
}

#[test]
fn swiss_rematches_come_only_when_all_have_met() {
    // Two players meet every round; three meet in turn, each with a bye in turn.
    assert_eq!(play_swiss(2, 5, 1).met[0][1], 5);
    let three = play_swiss(3, 6, 1);
    assert_eq!(three.byes, [2, 2, 2]);
    assert_eq!(three.met[0][1] + three.met[0][2] + three.met[1][2], 6);
    // Four players have three rounds without a rematch, however these come about.
    for seed in 0..20 {
        assert!(play_swiss(4, 2, seed).met.iter().flatten().all(|&met| met <= 1));
    }
}

/// The pairing avoids a rematch where pairing neighbours greedily would run into one.
#[test]
fn swiss_looks_ahead() {
    let mut scores = Scores::new(4);
    scores.half_points = vec![30, 20, 10, 0];
    // 2 and 3 have met: 0-1 would leave them to each other.
    (scores.met[2][3], scores.met[3][2]) = (1, 1);
    let mut pairs = crate::swiss::pairing(&scores, Seed(0));
    pairs.sort_unstable();
    assert_eq!(pairs, [[0, 2], [1, 3]]);
}

#[test]
fn equals_are_paired_by_the_seed() {
    let scores = Scores::new(8);
    let pairings: BTreeSet<_> =
        (0..10).map(|seed| crate::swiss::pairing(&scores, Seed(seed))).collect();
    assert!(pairings.len() > 5);
}
