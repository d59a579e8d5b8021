//! What the games of a tournament say: standings, crosstable, tests; as JSON, CSV and text.

use std::collections::BTreeMap;

use anyhow::Result;
use arena::stats::{Anchor, HeadToHead, RatingModel, Sprt, fit};
use arena::{Estimate, GameResult, MatchResult, Z95, observations};
use serde::Serialize;

use crate::scores;
use crate::text::{table, thousands};

/// Everything that follows from the complete pairs of games.
#[derive(Debug, Serialize)]
pub(crate) struct Standings {
    /// Group by group, the strongest first.
    pub(crate) players: Vec<Standing>,
    /// Everyone who met, each two once.
    pub(crate) pairs: Vec<Pairing>,
    /// Games by the way they ended.
    pub(crate) terminations: BTreeMap<&'static str, u64>,
    /// Elo that moving first is worth, and its standard error.
    pub(crate) advantage: f64,
    pub(crate) advantage_sd: f64,
    /// Virtual draws of each player; without them some rating would have no bound.
    pub(crate) prior: f64,
    /// Groups of players that never met.
    pub(crate) groups: usize,
    /// Games drawn by repetition that were played again and do not count.
    pub(crate) replays: u64,
    /// Games whose partner is missing, which do not count.
    pub(crate) halves: u64,
    /// Whether there is a test.
    #[serde(skip)]
    pub(crate) test: Option<Sprt>,
}

/// A player among all others.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Standing {
    pub(crate) name: String,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Mean score of a game, 0 to 1; 1/2 without games.
    pub(crate) score: f64,
    /// Rating, relative to the mean of the group or to the anchor, with its 95 % interval.
    pub(crate) elo: f64,
    pub(crate) elo_low: f64,
    pub(crate) elo_high: f64,
    pub(crate) sd: f64,
    pub(crate) group: usize,
    /// Its number in the tournament.
    #[serde(skip)]
    pub(crate) number: usize,
}

/// Two players against each other, seen from `a`. Numbers that do not exist are null.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Pairing {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) pentanomial: [u64; 5],
    pub(crate) elo: Option<f64>,
    pub(crate) elo_low: Option<f64>,
    pub(crate) elo_high: Option<f64>,
    pub(crate) nelo: Option<f64>,
    pub(crate) los: Option<f64>,
    /// Of the test, if there is one that these results can be put to.
    pub(crate) llr: Option<f64>,
    pub(crate) decision: Option<&'static str>,
    /// Their numbers in the tournament.
    #[serde(skip)]
    pub(crate) numbers: [usize; 2],
    #[serde(skip)]
    pub(crate) results: HeadToHead,
}

impl Standings {
    /// Of the games of the players with these names.
    ///
    /// # Errors
    /// The ratings cannot be fitted.
    pub(crate) fn of(
        names: &[String],
        games: &[GameResult],
        test: Option<Sprt>,
        anchor: Anchor,
    ) -> Result<Self> {
        let ratings = fit(names.len(), &observations(games), &RatingModel::default(), anchor)?;
        let (mut terminations, mut replays, mut halves) = (BTreeMap::new(), 0, 0);
        let mut totals = vec![HeadToHead::default(); names.len()];
        let mut pairs = Vec::new();
        for (players, result) in meetings(games) {
            for (termination, count) in &result.terminations {
                *terminations.entry(termination.as_str()).or_default() += count;
            }
            replays += result.replays;
            halves += result.halves;
            let results = result.head_to_head();
            for (player, own) in players.into_iter().zip([results, results.reversed()]) {
                totals[player].games += own.games;
            }
            pairs.push(Pairing::new(names, players, results, test.as_ref()));
        }
        let mut players: Vec<Standing> = (0..names.len())
            .map(|number| {
                let (rating, games) = (ratings.players[number], totals[number].games);
                Standing {
                    name: names[number].clone(),
                    games: games.games(),
                    wins: games.wins,
                    draws: games.draws,
                    losses: games.losses,
                    score: Estimate::of_games(&games).map_or(0.5, |estimate| estimate.score),
                    elo: rating.elo,
                    elo_low: rating.elo - Z95 * rating.sd,
                    elo_high: rating.elo + Z95 * rating.sd,
                    sd: rating.sd,
                    group: rating.group,
                    number,
                }
            })
            .collect();
        players.sort_by(|a, b| a.group.cmp(&b.group).then(b.elo.total_cmp(&a.elo)));
        Ok(Self {
            players,
            pairs,
            terminations,
            advantage: ratings.advantage,
            advantage_sd: ratings.advantage_sd,
            prior: ratings.prior,
            groups: ratings.groups,
            replays,
            halves,
            test,
        })
    }

    /// `ratings.csv`.
    pub(crate) fn ratings_csv(&self) -> Vec<u8> {
        let header = "rank,name,elo,elo_low,elo_high,sd,games,wins,draws,losses,score,group";
        let row = |(rank, p): (usize, &Standing)| {
            let numbers = [p.elo, p.elo_low, p.elo_high, p.sd].map(|number| format!("{number:.2}"));
            let counts = [p.games, p.wins, p.draws, p.losses].map(|count| count.to_string());
            let head = [(rank + 1).to_string(), p.name.clone()];
            let tail = [format!("{:.5}", p.score), (p.group + 1).to_string()];
            [head.as_slice(), &numbers, &counts, &tail].concat()
        };
        csv(header, self.players.iter().enumerate().map(row))
    }

    /// `crosstable.csv`: a row for each two players that met, seen from `a`.
    pub(crate) fn crosstable_csv(&self) -> Vec<u8> {
        let header =
            "a,b,wins,draws,losses,ll,ld,dd,wd,ww,elo,elo_low,elo_high,nelo,los,llr,decision";
        let row = |p: &Pairing| {
            let counts = [p.wins, p.draws, p.losses].map(|count| count.to_string());
            let pairs = p.pentanomial.map(|count| count.to_string());
            let number = |number: Option<f64>| number.map_or(String::new(), |n| format!("{n:.4}"));
            let numbers = [p.elo, p.elo_low, p.elo_high, p.nelo, p.los, p.llr].map(number);
            let names = [p.a.clone(), p.b.clone()];
            let decision = [p.decision.unwrap_or_default().to_owned()];
            [names.as_slice(), &counts, &pairs, &numbers, &decision].concat()
        };
        csv(header, self.pairs.iter().map(row))
    }

    /// Standings, crosstable, tests and endings, for people.
    pub(crate) fn text(&self) -> String {
        let mut parts = Vec::new();
        if let [pairing] = self.pairs.as_slice() {
            parts.push(format!("{} against {}", pairing.a, pairing.b));
            parts.push(pairing.block(self.test.as_ref()));
        } else {
            parts.push(self.table());
            if (3..=WIDEST).contains(&self.players.len()) {
                parts.push(self.crosstable());
            }
            parts.extend(self.tests());
        }
        parts.push(self.notes());
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }

    pub(crate) fn table(&self) -> String {
        let mut rows = table(&["player", "Elo", "95 %", "games", "score", "drawn"]);
        for p in &self.players {
            let drawn = 100.0 * p.draws as f64 / p.games.max(1) as f64;
            rows.add_row([
                p.name.clone(),
                format!("{:+.1}", p.elo),
                format!("[{:+.1}, {:+.1}]", p.elo_low, p.elo_high),
                thousands(p.games),
                format!("{:.1} %", 100.0 * p.score),
                format!("{drawn:.1} %"),
            ]);
        }
        rows.to_string()
    }

    /// Everyone's score in per cent against everyone.
    fn crosstable(&self) -> String {
        let numbers: Vec<String> = (1..=self.players.len()).map(|n| n.to_string()).collect();
        let header: Vec<&str> =
            std::iter::once("score, %").chain(numbers.iter().map(String::as_str)).collect();
        let mut rows = table(&header);
        for (own, number) in self.players.iter().zip(&numbers) {
            let score = |other: &Standing| {
                let met = self.pairs.iter().find_map(|p| p.score_of([own.number, other.number]));
                met.map_or(String::new(), |score| format!("{:.1}", 100.0 * score))
            };
            let name = format!("{number} {}", own.name);
            rows.add_row(std::iter::once(name).chain(self.players.iter().map(score)));
        }
        rows.to_string()
    }

    /// A line for each test.
    pub(crate) fn tests(&self) -> Vec<String> {
        let Some(test) = &self.test else { return Vec::new() };
        let line = |pairing: &Pairing| {
            let result = test.of(&pairing.results).ok()?;
            let (a, b, decision) = (&pairing.a, &pairing.b, result.decision.as_str());
            Some(format!("{a} against {b}: {}, {decision}", scores::llr(test, &result)))
        };
        self.pairs.iter().filter_map(line).collect()
    }

    /// `checkmate 36, stalemate 4`.
    pub(crate) fn endings(&self) -> String {
        let text = |(name, count)| format!("{name} {count}");
        self.terminations.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    fn notes(&self) -> String {
        let mut notes = vec![self.endings()];
        let mut note = |holds: bool, text: String| {
            if holds {
                notes.push(text);
            }
        };
        let (advantage, error) = (self.advantage, Z95 * self.advantage_sd);
        note(error > 0.0, format!("moving first is worth {advantage:+.1} ± {error:.1} Elo"));
        let prior = self.prior;
        let bounded = "without them some ratings have no bound";
        note(
            prior > 0.0 && self.pairs.len() > 1,
            format!("{prior} virtual draws of each player: {bounded}"),
        );
        let groups = self.groups;
        note(
            groups > 1 && !self.pairs.is_empty(),
            format!("{groups} groups of players never met: ratings compare within a group only"),
        );
        note(
            self.replays > 0,
            format!("draws by repetition that were played again: {}", self.replays),
        );
        let halves = self.halves;
        note(halves > 0, format!("games of incomplete pairs, which do not count: {halves}"));
        notes.retain(|text| !text.is_empty());
        notes.join("\n")
    }
}

/// A crosstable of more players does not fit on a terminal.
const WIDEST: usize = 16;

impl Pairing {
    fn new(
        names: &[String],
        numbers: [usize; 2],
        results: HeadToHead,
        test: Option<&Sprt>,
    ) -> Self {
        let estimate = Estimate::of(&results);
        let test = test.and_then(|test| test.of(&results).ok());
        let [a, b] = numbers.map(|number| names[number].clone());
        Self {
            a,
            b,
            wins: results.games.wins,
            draws: results.games.draws,
            losses: results.games.losses,
            pentanomial: results.pairs.0,
            elo: estimate.and_then(|e| e.elo),
            elo_low: estimate.and_then(|e| e.elo_low),
            elo_high: estimate.and_then(|e| e.elo_high),
            nelo: estimate.and_then(|e| e.nelo),
            los: estimate.map(|e| e.los),
            llr: test.map(|result| result.llr),
            decision: test.map(|result| result.decision.as_str()),
            numbers,
            results,
        }
    }

    /// Score, 0 to 1, of the first of two players against the second, if they are these two and
    /// have met.
    pub(crate) fn score_of(&self, players: [usize; 2]) -> Option<f64> {
        let [a, b] = self.numbers;
        let score = Estimate::of(&self.results)?.score;
        match players {
            [own, other] if [own, other] == [a, b] => Some(score),
            [own, other] if [own, other] == [b, a] => Some(1.0 - score),
            _ => None,
        }
    }

    /// Its results in the lines of fastchess.
    fn block(&self, test: Option<&Sprt>) -> String {
        let result = test.and_then(|test| Some((test, test.of(&self.results).ok()?)));
        scores::block(&self.results, result.as_ref().map(|(test, result)| (*test, result)))
    }
}

/// The results of each two players that met, the one with the lower number first.
fn meetings(games: &[GameResult]) -> BTreeMap<[usize; 2], MatchResult> {
    let mut by_players: BTreeMap<[usize; 2], Vec<&GameResult>> = BTreeMap::new();
    for game in games {
        let [a, b] = game.pair.players;
        by_players.entry([a.min(b), a.max(b)]).or_default().push(game);
    }
    by_players
        .into_iter()
        .map(|(players, games)| (players, MatchResult::of(players, games)))
        .collect()
}

fn csv(header: &str, rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let all = std::iter::once(header.split(',').map(str::to_owned).collect()).chain(rows);
    all.for_each(|row: Vec<String>| writer.write_record(row).expect("rows are equally long"));
    writer.into_inner().expect("memory does not fail")
}

#[cfg(test)]
pub(crate) mod tests;
