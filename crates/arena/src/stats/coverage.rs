//! How often the 95 % intervals hold the truth, over simulated tournaments: five players, double
//! round robins from openings that favour one side, draws about one game in four.

use rand::RngExt;
use rules::Seed;

use super::rating::Ratings;
use super::*;

const TOURNAMENTS: u32 = 10_000;
const STRENGTHS: [f64; 5] = [100.0, 60.0, 5.0, -50.0, -115.0];
/// Pairs of games of each two players.
const PAIRS: usize = 30;
const ADVANTAGE: f64 = 30.0;
/// What an opening is worth to the first player, each as likely as the others.
const OPENINGS: [f64; 3] = [-200.0, 0.0, 200.0];

/// Probabilities of a loss, a draw and a win of the first player.
fn distribution(first: usize, second: usize, opening: f64) -> [f64; 3] {
    let score = score_of_elo(STRENGTHS[first] - STRENGTHS[second] + ADVANTAGE + opening);
    let draw = 1.2 * score * (1.0 - score);
    [1.0 - score - draw / 2.0, draw, score - draw / 2.0]
}

fn couples() -> impl Iterator<Item = (usize, usize)> {
    (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)))
}

fn rate(observations: &Observations, anchor: Anchor) -> Ratings {
    fit(5, observations, &RatingModel::default(), anchor).unwrap()
}

/// What the fit comes to with ever more games: openings make the ratings a little narrower than the
/// strengths that results are drawn from.
fn truth(anchor: Anchor) -> Ratings {
    let mut observations = Observations::default();
    for (a, b) in couples() {
        for (first, second) in [(a, b), (b, a)] {
            for opening in OPENINGS {
                let [losses, draws, wins] =
                    distribution(first, second, opening).map(|p| (p * 1e12) as u64);
                observations.add_counts(first, second, &Trinomial { wins, draws, losses });
            }
        }
    }
    rate(&observations, anchor)
}

fn tournament(seed: Seed) -> (Observations, Pentanomial) {
    let mut rng = seed.rng();
    let mut result = |first, second, opening| {
        let [loss, draw, _] = distribution(first, second, opening);
        let at: f64 = rng.random();
        u8::from(at >= loss) + u8::from(at >= loss + draw)
    };
    let (mut observations, mut of_best) = (Observations::default(), Pentanomial::default());
    let mut openings = seed.derive("openings", 0).rng();
    for (a, b) in couples() {
        for _ in 0..PAIRS {
            let opening = OPENINGS[openings.random_range(0..OPENINGS.len())];
            let [there, back] = [(a, b), (b, a)].map(|(first, second)| GameScore {
                first,
                second,
                half_points: result(first, second, opening),
            });
            observations.add(&[there, back]);
            if a == 0 {
                // The best player against all others, as one opponent.
                of_best.add(usize::from(there.half_points + 2 - back.half_points));
            }
        }
    }
    (observations, of_best)
}

/// Intervals seen and how many of them held the truth.
#[derive(Clone, Copy, Default)]
struct Tally {
    seen: u32,
    held: u32,
}

impl Tally {
    fn count(&mut self, found: f64, sd: f64, truth: f64) {
        self.seen += 1;
        self.held += u32::from((found - truth).abs() <= Z95 * sd);
    }

    fn check(&self, what: &str) {
        let share = f64::from(self.held) / f64::from(self.seen);
        assert!((0.935..=0.965).contains(&share), "{what}: {share}");
    }
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_tournaments() {
    let anchor = Anchor::Player { player: 4, elo: 0.0 };
    let (to_mean, to_anchor) = (truth(Anchor::Mean), truth(anchor));
    let shares = couples().filter(|c| c.0 == 0).flat_map(|(a, b)| {
        OPENINGS.map(|opening| {
            let points = |[_, draw, win]: [f64; 3]| win + draw / 2.0;
            let there = points(distribution(a, b, opening));
            (there + 1.0 - points(distribution(b, a, opening))) / 2.0
        })
    });
    let shares: Vec<f64> = shares.collect();
    let score_of_best = shares.iter().sum::<f64>() / shares.len() as f64;
    let mut mean = [Tally::default(); 5];
    let mut anchored = [Tally::default(); 4];
    let (mut advantage, mut score) = (Tally::default(), Tally::default());
    for number in 0..TOURNAMENTS {
        let (observations, of_best) = tournament(Seed(7).derive("tournament", number.into()));
        let (by_mean, by_anchor) = (rate(&observations, Anchor::Mean), rate(&observations, anchor));
        for (player, tally) in mean.iter_mut().enumerate() {
            let found = by_mean.players[player];
            tally.count(found.elo, found.sd, to_mean.players[player].elo);
        }
        for (player, tally) in anchored.iter_mut().enumerate() {
            let found = by_anchor.players[player];
            tally.count(found.elo, found.sd, to_anchor.players[player].elo);
        }
        advantage.count(by_mean.advantage, by_mean.advantage_sd, to_mean.advantage);
        let estimate = Estimate::of_pairs(&of_best).unwrap();
        score.count(estimate.score, estimate.score_error, score_of_best);
    }
    mean.iter().for_each(|tally| tally.check("relative to the mean"));
    anchored.iter().for_each(|tally| tally.check("relative to a player"));
    advantage.check("the advantage");
    score.check("head to head");
}
