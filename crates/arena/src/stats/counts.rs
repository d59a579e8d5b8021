//! Results of one player against another, counted.

use std::ops::AddAssign;

/// Game results of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, more: Trinomial) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

impl Trinomial {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The same results, seen from the other player.
    pub fn reversed(&self) -> Trinomial {
        Trinomial { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts one more game that brought `half_points` (0 to 2) half points.
    ///
    /// # Panics
    /// If `half_points > 2`.
    pub fn add(&mut self, half_points: usize) {
        self.add_times(half_points, 1);
    }

    /// Counts `times` more games that brought `half_points` (0 to 2) half points each.
    ///
    /// # Panics
    /// If `half_points > 2`.
    pub fn add_times(&mut self, half_points: usize, times: u64) {
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += times;
    }
}

/// Results of pairs of games (one opening, both colours) of one player against another: entry `k`
/// counts the pairs that brought `k / 2` points out of 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts one more pair that brought `half_points` (0 to 4) half points.
    ///
    /// # Panics
    /// If `half_points > 4`.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }
}

/// All results of one player against another: every game, and the pairs that are complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadToHead {
    /// Every game, those of half pairs included.
    pub games: Trinomial,
    /// The complete pairs; none if games were not played in pairs.
    pub pairs: Pentanomial,
    /// How many of the pairs of one point are a win and a loss, not two draws; `None` if unknown.
    pub split_pairs: Option<u64>,
}

impl HeadToHead {
    /// Counts one more complete pair by the half points (0 to 2) of its games.
    ///
    /// # Panics
    /// If one is above 2.
    pub fn add_pair(&mut self, half_points: [usize; 2]) {
        half_points.iter().for_each(|&half| self.games.add(half));
        self.pairs.add(half_points.iter().sum());
        *self.split_pairs.get_or_insert(0) +=
            u64::from(half_points.contains(&0) && half_points.contains(&2));
    }

    /// The same results seen from the other player.
    pub fn reversed(&self) -> HeadToHead {
        let mut pairs = self.pairs;
        pairs.0.reverse();
        HeadToHead { games: self.games.reversed(), pairs, split_pairs: self.split_pairs }
    }

    /// Share of the pairs that brought one point, 0 to 1; without pairs, of the games that were
    /// drawn; `None` without either.
    pub fn draw_ratio(&self) -> Option<f64> {
        let (draws, of) = match self.pairs.pairs() {
            0 => (self.games.draws, self.games.games()),
            pairs => (self.pairs.0[2], pairs),
        };
        (of > 0).then(|| draws as f64 / of as f64)
    }

    /// Pairs won (more than one point) for each pair lost; `None` if none was lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.pairs.0;
        (ll + ld > 0).then(|| (wd + ww) as f64 / (ll + ld) as f64)
    }
}

/// Counts of observations whose scores are equally spaced from 0 to 1: what estimates and tests are
/// made of.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// `counts[k]` observations of score `k / (len - 1)`.
    pub(crate) counts: Vec<f64>,
    /// Games an observation is the mean of.
    pub(crate) games: f64,
}

impl From<&Trinomial> for Sample {
    fn from(results: &Trinomial) -> Self {
        let counts = [results.losses, results.draws, results.wins];
        Self { counts: counts.map(|count| count as f64).to_vec(), games: 1.0 }
    }
}

impl From<&Pentanomial> for Sample {
    fn from(results: &Pentanomial) -> Self {
        Self { counts: results.0.map(|count| count as f64).to_vec(), games: 2.0 }
    }
}

impl Sample {
    /// Number of observations.
    pub(crate) fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Score of each count, 0 to 1.
    pub(crate) fn scores(&self) -> impl Iterator<Item = f64> + Clone {
        let top = (self.counts.len() - 1) as f64;
        (0..self.counts.len()).map(move |k| k as f64 / top)
    }

    /// Mean and variance (with the divisor N) of the score; there is an observation.
    pub(crate) fn moments(&self) -> (f64, f64) {
        let mean_of = |f: &dyn Fn(f64) -> f64| {
            self.counts.iter().zip(self.scores()).map(|(c, x)| c * f(x)).sum::<f64>() / self.total()
        };
        let mean = mean_of(&|x| x);
        // Equal observations must give exactly zero, whatever the rounding of the mean.
        let variance = if self.is_constant() { 0.0 } else { mean_of(&|x| (x - mean).powi(2)) };
        (mean, variance)
    }

    /// Whether all observations are equal.
    pub(crate) fn is_constant(&self) -> bool {
        self.counts.iter().filter(|&&count| count > 0.0).count() <= 1
    }

    /// The sample with 0.001 in the place of every zero, so that likelihoods of rare scores stay
    /// finite. The custom of fishtest and fastchess.
    pub(crate) fn regularised(&self) -> Sample {
        let counts = self.counts.iter().map(|&count| if count > 0.0 { count } else { 1e-3 });
        Sample { counts: counts.collect(), games: self.games }
    }
}
