//! `narikin sprt`: what counts of results say, and a sequential test on them.

use anyhow::{Result, ensure};
use arena::stats::{Adjusted, EloModel, HeadToHead, Sprt, SprtResult};
use arena::{Estimate, Pentanomial, Trinomial};
use clap::ArgGroup;
use serde::Serialize;

use crate::{Verdict, output, scores};

/// Arguments of `sprt`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("counts").args(["penta", "wdl"]).required(true).multiple(true)))]
#[command(after_help = "The ratio is exact (GSPRT), not the normal approximation. Exit code: 0 \
                        accepted or undecided, 1 rejected.\n\nExamples:
  narikin sprt --penta 379,10170,21828,10640,343 --elo0 0 --elo1 2
  narikin sprt --wdl 21404,40708,21184 --model logistic --elo0 0.5 --elo1 2.5
  narikin sprt --wdl 68965,128429,68526 --model bayeselo --elo0 0 --elo1 2 --json")]
pub(crate) struct Args {
    /// Pairs of games by the points of the tested player: 0, 1/2, 1, 3/2, 2.
    #[arg(long, value_parser = counts::<5>, value_name = "LL,LD,DD,WD,WW")]
    penta: Option<[u64; 5]>,
    /// Games won, drawn and lost; tested if there are no pairs.
    #[arg(long, value_parser = counts::<3>, value_name = "W,D,L")]
    wdl: Option<[u64; 3]>,
    /// What elo0 and elo1 measure: normalized, logistic or bayeselo (games only).
    #[arg(long, default_value = "normalized")]
    model: EloModel,
    /// The strength that is rejected.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The strength that is hoped for.
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting a player of strength elo0.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of rejecting a player of strength elo1.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// `N` numbers with commas between them.
fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let numbers: Result<Vec<u64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    let numbers = numbers.ok().filter(|numbers| numbers.iter().all(|&n| n <= MOST));
    numbers
        .and_then(|numbers| <[u64; N]>::try_from(numbers).ok())
        .ok_or_else(|| format!("expected {N} whole numbers with commas between them"))
}

/// Largest count; more are no games that were ever played.
const MOST: u64 = 1_000_000_000_000;

/// Numbers that do not exist, such as the Elo of a player that won every game, are null.
#[derive(Serialize)]
struct Report {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    pentanomial: Option<[u64; 5]>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
    draw_ratio: Option<f64>,
    pairs_ratio: Option<f64>,
    llr: f64,
    lower: f64,
    upper: f64,
    decision: &'static str,
    adjusted: Option<AdjustedElo>,
}

/// The strength with the bias of stopping taken out.
#[derive(Serialize)]
struct AdjustedElo {
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    los: f64,
}

impl From<Adjusted> for AdjustedElo {
    fn from(Adjusted { elo, elo_low, elo_high, los }: Adjusted) -> Self {
        Self { elo, elo_low, elo_high, los }
    }
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let results = args.results()?;
    let Args { model, elo0, elo1, alpha, beta, .. } = args;
    let test = Sprt { model, elo0, elo1, alpha, beta };
    let result = test.of(&results)?;
    if args.json {
        output::json(&args.report(&results, &result));
    } else {
        output::result(&scores::block(&results, Some((&test, &result))));
    }
    Ok(match result.decision {
        arena::stats::Decision::Rejected => Verdict::Failed,
        _ => Verdict::Good,
    })
}

impl Args {
    fn results(&self) -> Result<HeadToHead> {
        let [wins, draws, losses] = self.wdl.unwrap_or_default();
        let games = Trinomial { wins, draws, losses };
        let pairs = Pentanomial(self.penta.unwrap_or_default());
        if let (Some(_), Some(penta)) = (self.wdl, self.penta) {
            let in_pairs: u64 = (0..).zip(penta).map(|(half_points, n)| half_points * n).sum();
            let (all, half_points) = (games.games(), 2 * wins + draws);
            let singles = all.checked_sub(2 * pairs.pairs());
            // A pair may still be open for each game that is in none.
            let agree = singles
                .is_some_and(|singles| (in_pairs..=in_pairs + 2 * singles).contains(&half_points));
            ensure!(
                agree,
                "--penta and --wdl contradict each other: {} pairs with {in_pairs} half points, {all} \
                 games with {half_points}",
                pairs.pairs()
            );
        }
        Ok(HeadToHead { games, pairs, split_pairs: None })
    }

    fn report(&self, results: &HeadToHead, result: &SprtResult) -> Report {
        let estimate = Estimate::of(results);
        let [wins, draws, losses] = [0, 1, 2].map(|k| self.wdl.map(|counts| counts[k]));
        Report {
            model: self.model.as_str(),
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
            pentanomial: self.penta,
            wins,
            draws,
            losses,
            score: estimate.map(|e| e.score),
            elo: estimate.and_then(|e| e.elo),
            elo_low: estimate.and_then(|e| e.elo_low),
            elo_high: estimate.and_then(|e| e.elo_high),
            nelo: estimate.and_then(|e| e.nelo),
            nelo_error: estimate.and_then(|e| e.nelo_error),
            los: estimate.map(|e| e.los),
            draw_ratio: results.draw_ratio(),
            pairs_ratio: results.pairs_ratio(),
            llr: result.llr,
            lower: result.lower,
            upper: result.upper,
            decision: result.decision.as_str(),
            adjusted: result.adjusted.map(AdjustedElo::from),
        }
    }
}
