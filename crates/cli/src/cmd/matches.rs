//! `narikin match`: two players, pairs of games, an estimate of who is stronger.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use arena::{
    Adjudication, Entrant, Estimate, Format, GAMES_IN_FLIGHT, Limits, MatchResult, OpeningConfig,
    Schedule, Tournament, openings,
};
use clap::ValueEnum;
use encode::Encoder;
use indicatif::ProgressBar;
use rules::{Declaration, Impasse, Seed, Variant};
use serde::Serialize;

use super::{handicap, load_variant, variant_of_run};
use crate::players::{NetSource, PlayerName};
use crate::{Verdict, output, runtime, scores};

/// Arguments of `match`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Players: random, uniform-N, rollout-N, alphabeta-N, generation-N (with \
                        --run), or the path of an .onnx file.\n\nExamples:
  narikin match alphabeta-3 rollout-400
  narikin match alphabeta-3 rollout-400 --variant minixiangqi --repetition-count 4 --replay
  narikin match alphabeta-3 alphabeta-1 --variant shogi --handicap six --games 20
  narikin match generation-12 generation-3 --run runs/micro --simulations 100")]
pub(crate) struct Args {
    /// The first player.
    a: PlayerName,
    /// The second player.
    b: PlayerName,
    /// A built-in variant's id, or the path of a variant file; that of the run if left out, else
    /// micro.
    #[arg(long)]
    variant: Option<String>,
    /// All games start from this handicap of the variant, such as `six`.
    #[arg(long)]
    handicap: Option<String>,
    /// The run that generations belong to.
    #[arg(long)]
    run: Option<PathBuf>,
    /// Games, an even number: each opening is played twice, with colours swapped.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Simulations a move of players with a net, and of generation-0.
    #[arg(long, default_value_t = 100)]
    simulations: u32,
    /// Threads; one a core if left out.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// The occurrence of a position that ends a game, instead of the variant's.
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=100))]
    repetition_count: Option<u32>,
    /// Play a draw by plain repetition again, with colours swapped, instead of counting it.
    #[arg(long)]
    replay: bool,
    /// With --replay: at most so many times in a row; then the draw counts.
    #[arg(long, default_value_t = 2, requires = "replay")]
    max_replays: u32,
    /// What entered kings are worth at the move limit, instead of the variant's rule.
    #[arg(long, value_enum)]
    impasse: Option<ImpasseRule>,
    /// The points of a declaration, instead of the variant's rule.
    #[arg(long, value_enum)]
    declaration: Option<DeclarationRule>,
    /// Everything random is derived from this.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Names of [`Impasse`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ImpasseRule {
    None,
    Draw,
    Points24,
    Points27,
}

impl From<ImpasseRule> for Option<Impasse> {
    fn from(rule: ImpasseRule) -> Self {
        match rule {
            ImpasseRule::None => None,
            ImpasseRule::Draw => Some(Impasse::Draw),
            ImpasseRule::Points24 => Some(Impasse::Points24),
            ImpasseRule::Points27 => Some(Impasse::Points27),
        }
    }
}

/// Names of [`Declaration`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DeclarationRule {
    None,
    Declare27,
    Declare24,
}

impl From<DeclarationRule> for Option<Declaration> {
    fn from(rule: DeclarationRule) -> Self {
        match rule {
            DeclarationRule::None => None,
            DeclarationRule::Declare27 => Some(Declaration::Declare27),
            DeclarationRule::Declare24 => Some(Declaration::Declare24),
        }
    }
}

impl Args {
    /// The variant with the rules that the arguments change.
    fn ruled(&self, mut variant: Arc<Variant>) -> Result<Arc<Variant>> {
        if (self.impasse.is_some() || self.declaration.is_some())
            && variant.rules().entering.is_none()
        {
            bail!("{} has no camp for kings to enter: no impasse, no declaration", variant.id());
        }
        if let Some(name) = &self.handicap {
            variant = Arc::new(variant.with_start(handicap(&variant, name)?));
        }
        if let Some(count) = self.repetition_count {
            variant = Arc::new(variant.with_repetition_count(count));
        }
        if let Some(rule) = self.impasse {
            variant = Arc::new(variant.with_impasse(rule.into()));
        }
        if let Some(rule) = self.declaration {
            variant = Arc::new(variant.with_declaration(rule.into()));
        }
        Ok(variant)
    }
}

#[derive(Serialize)]
struct Report {
    players: [Standing; 2],
    pairs: [Pairing; 1],
    terminations: BTreeMap<String, u64>,
    /// Games drawn by repetition that were played again and do not count.
    replays: u64,
}

#[derive(Serialize)]
struct Standing {
    name: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

#[derive(Serialize)]
struct Pairing {
    a: String,
    b: String,
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: [u64; 5],
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    los: f64,
    llr: Option<f64>,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    ensure!(
        args.games >= 2 && args.games.is_multiple_of(2),
        "--games must be an even number, 2 or more"
    );
    let result = play(&args)?;
    let estimate = Estimate::of_pairs(&result.pentanomial).expect("at least one pair was played");
    let report = Report::new(&args, &result, &estimate);
    if args.json {
        output::json(&report);
    } else {
        report.print(&estimate);
    }
    Ok(Verdict::Good)
}

fn play(args: &Args) -> Result<MatchResult> {
    let variant = match (&args.variant, &args.run) {
        (Some(name), _) => load_variant(name)?,
        (None, Some(run)) => variant_of_run(run)?,
        (None, None) => load_variant("micro")?,
    };
    let variant = args.ruled(variant)?;
    let needs_net = |name: &PlayerName| match name {
        PlayerName::Model(_) => true,
        PlayerName::Spec(arena::PlayerSpec::Generation { number }) => *number > 0,
        PlayerName::Spec(_) => false,
    };
    let runtime = (needs_net(&args.a) || needs_net(&args.b)).then(runtime::load).transpose()?;
    let source = NetSource {
        run: args.run.clone(),
        encoder: Arc::new(Encoder::new(Arc::clone(&variant))),
        runtime,
        simulations: args.simulations,
    };
    // A player that cannot be made is better known before the openings are.
    source.player(&args.a)?;
    source.player(&args.b)?;
    let (pairs, seed) = (args.games / 2, Seed(args.seed));
    let config = OpeningConfig::default();
    let entrant = |name: &PlayerName| {
        let (name, source) = (name.clone(), &source);
        Entrant {
            name: name.to_string(),
            limits: Limits::default(),
            alone: false,
            make: Box::new(move || source.player_of_match(&name)),
        }
    };
    let tournament = Tournament {
        openings: openings(&variant, pairs as usize, &config, seed.derive("openings", 0))?,
        variant,
        entrants: vec![entrant(&args.a), entrant(&args.b)],
        schedule: Schedule {
            format: Format::RoundRobin,
            players: 2,
            pairs: Some(pairs.into()),
            seed,
        },
        adjudication: Adjudication {
            max_replays: if args.replay { args.max_replays } else { 0 },
            ..Adjudication::default()
        },
        seed,
        games_in_flight: GAMES_IN_FLIGHT,
        decided: None,
        now: &|| Duration::ZERO,
    };
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let bar = ProgressBar::new(args.games.into()); // Draws on a terminal only.
    let workers = args.threads.unwrap_or(cores);
    let games = tournament.play(Vec::new(), workers, &|_| bar.inc(1), &AtomicBool::new(false))?;
    bar.finish_and_clear();
    Ok(MatchResult::of([0, 1], &games))
}

impl Report {
    fn new(args: &Args, result: &MatchResult, estimate: &Estimate) -> Self {
        let (a, b) = (args.a.to_string(), args.b.to_string());
        let total = result.total();
        let minus = |elo: Option<f64>| elo.map(|elo| -elo);
        let Estimate { score, elo, elo_low, elo_high, los, .. } = *estimate;
        let (games, wins, draws, losses) = (total.games(), total.wins, total.draws, total.losses);
        Self {
            replays: result.replays,
            pairs: [Pairing {
                a: a.clone(),
                b: b.clone(),
                wins,
                draws,
                losses,
                pentanomial: result.pentanomial.0,
                elo,
                elo_low,
                elo_high,
                los,
                llr: None,
            }],
            players: [
                Standing { name: a, games, wins, draws, losses, score, elo, elo_low, elo_high },
                Standing {
                    name: b,
                    games,
                    wins: losses,
                    draws,
                    losses: wins,
                    score: 1.0 - score,
                    elo: minus(elo),
                    elo_low: minus(elo_high),
                    elo_high: minus(elo_low),
                },
            ],
            terminations: result
                .terminations
                .iter()
                .map(|(termination, count)| (termination.as_str().to_owned(), *count))
                .collect(),
        }
    }

    fn print(&self, estimate: &Estimate) {
        let [pair] = &self.pairs;
        output::result(&format!(
            "{} against {}: {} games, won {}, drawn {}, lost {}\n\
             score {:.1} % [{:.1}, {:.1}], Elo {}, LOS {:.1} %\n\
             Ptnml(0-2): {:?}",
            pair.a,
            pair.b,
            self.players[0].games,
            pair.wins,
            pair.draws,
            pair.losses,
            estimate.score * 100.0,
            estimate.low * 100.0,
            estimate.high * 100.0,
            scores::elo(estimate),
            pair.los * 100.0,
            pair.pentanomial,
        ));
        let endings: Vec<_> =
            self.terminations.iter().map(|(name, count)| format!("{name} {count}")).collect();
        output::result(&endings.join(", "));
        if self.replays > 0 {
            output::result(&format!("{} draws by repetition were played again", self.replays));
        }
    }
}
