//! `narikin bench selfplay`: evaluations a second, against the bare net.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use encode::Encoder;
use inference::{Backend, NetEvaluator, OrtBackend, Runtime, net_shape};
use model::{Graph, NetConfig, Weights, onnx};
use rules::{Game, Seed};
use selfplay::{Control, Counters, GameNumbers, Identity, SelfPlayConfig, Worker, play_phase};

use super::{Figure, Report, median};
use crate::cmd::load_variant;
use crate::runtime;

/// Arguments of `bench selfplay`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A built-in variant's id, or the path of a variant file.
    #[arg(long, default_value = "micro")]
    variant: String,
    /// An exported net; an untrained one of 3 blocks x 32 channels if left out.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Simulations a move.
    #[arg(long, default_value_t = SelfPlayConfig::default().simulations)]
    simulations: u32,
    /// Games that each thread keeps in flight.
    #[arg(long, default_value_t = SelfPlayConfig::default().games_per_worker)]
    games: usize,
    /// Threads; one a core if left out.
    #[arg(long)]
    threads: Option<usize>,
    /// Memory for evaluations that are remembered, in MB a thread; 0 for none.
    #[arg(long, default_value_t = 0)]
    cache_mb: usize,
    /// Longest mate looked for at every leaf: 0, 1 or 3 plies.
    #[arg(long, default_value_t = SelfPlayConfig::default().leaf_mate)]
    leaf_mate: u32,
    /// Rounds of self-play and the bare net in turn; the medians are reported.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

/// What the measurements share.
struct Setup {
    encoder: Arc<Encoder>,
    runtime: Runtime,
    model: Vec<u8>,
    threads: usize,
    games: usize,
    /// Bytes a thread.
    cache: usize,
    time: Duration,
    config: SelfPlayConfig,
}

/// Carries it out.
pub(super) fn measure(args: &Args) -> Result<Report> {
    ensure!((0.1..=3600.0).contains(&args.seconds), "--seconds must be from 0.1 to 3600");
    let encoder = Arc::new(Encoder::new(load_variant(&args.variant)?));
    let setup = Setup {
        model: model_bytes(args.model.as_deref(), &encoder)?,
        encoder,
        runtime: runtime::load()?,
        threads: match args.threads {
            Some(threads) => threads.max(1),
            None => thread::available_parallelism().map_or(1, usize::from),
        },
        games: args.games.max(1),
        cache: args.cache_mb << 20,
        time: Duration::from_secs_f64(args.seconds),
        config: SelfPlayConfig {
            simulations: args.simulations.max(1),
            games_per_worker: args.games.max(1),
            leaf_mate: args.leaf_mate,
            ..SelfPlayConfig::default()
        },
    };
    let mut rounds = Vec::new();
    let mut positions = Vec::new();
    let mut fill = Vec::new();
    let mut remembered = Vec::new();
    for _ in 0..args.rounds.max(1) {
        let raw = setup.raw()?;
        let played = setup.selfplay()?;
        rounds.push((played.evaluations, raw));
        positions.push(played.positions);
        fill.push(played.batch_fill);
        remembered.push(played.remembered);
    }
    let raw = median(rounds.iter().map(|round| round.1).collect());
    let figure = |name: &str, value, unit, reference, ratio| Figure {
        name: name.to_owned(),
        value,
        unit,
        reference,
        ratio,
    };
    Ok(Report {
        bench: "selfplay",
        figures: vec![
            figure(
                "selfplay_evaluations",
                median(rounds.iter().map(|round| round.0).collect()),
                "evaluations/s",
                Some(raw),
                Some(median(rounds.iter().map(|(played, raw)| played / raw).collect())),
            ),
            figure("raw_evaluations", raw, "evaluations/s", None, None),
            figure("selfplay_positions", median(positions), "positions/s", None, None),
            figure("batch_fill", median(fill), "share", None, None),
            figure("remembered", median(remembered), "share", None, None),
        ],
    })
}

pub(super) fn model_bytes(path: Option<&Path>, encoder: &Encoder) -> Result<Vec<u8>> {
    if let Some(path) = path {
        return std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    }
    let gather = encoder.vocabulary().head_gather();
    let graph = Graph::build(&NetConfig::default(), &net_shape(encoder), gather)?;
    let (folded, weights) = graph.folded(&Weights::init(&graph, Seed(1)))?;
    Ok(onnx::write(&folded, &weights, &model::Metadata::new(), onnx::Style::default())?)
}

/// Rates of one measurement of self-play, per second.
struct Played {
    evaluations: f64,
    positions: f64,
    batch_fill: f64,
    /// Share of the evaluations.
    remembered: f64,
}

impl Setup {
    fn backend(&self) -> Result<OrtBackend> {
        Ok(OrtBackend::from_bytes(&self.runtime, &self.model, &net_shape(&self.encoder))?)
    }

    /// Evaluations a second of the bare net: the same batch over and over on every thread.
    fn raw(&self) -> Result<f64> {
        let shape = net_shape(&self.encoder);
        let mut input = vec![0.0; self.games * shape.input_len()];
        let start = Game::new(Arc::clone(self.encoder.variant()));
        for planes in input.chunks_exact_mut(shape.input_len()) {
            self.encoder.encode(&start, planes);
        }
        let mut backends = (0..self.threads).map(|_| self.backend()).collect::<Result<Vec<_>>>()?;
        let begun = Instant::now();
        let counts: Result<Vec<usize>> = thread::scope(|scope| {
            let threads: Vec<_> = backends
                .iter_mut()
                .map(|backend| {
                    let (input, shape) = (&input, &shape);
                    scope.spawn(move || {
                        let mut policy = vec![0.0; self.games * shape.policy_len];
                        let mut wdl = vec![0.0; self.games * 3];
                        let mut count = 0;
                        while begun.elapsed() < self.time {
                            backend.run(self.games, input, &mut policy, &mut wdl)?;
                            count += self.games;
                        }
                        Ok(count)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic in a run")).collect()
        });
        Ok(counts?.into_iter().sum::<usize>() as f64 / begun.elapsed().as_secs_f64())
    }

    /// The same net in self-play, from games in full swing.
    fn selfplay(&self) -> Result<Played> {
        let identity = Identity {
            producer: "bench".to_owned(),
            seed: Seed(1),
            start: Game::new(Arc::clone(self.encoder.variant())),
        };
        let worker = || Worker::new(identity.clone(), self.config.clone());
        let mut workers: Vec<_> = (0..self.threads).map(|_| worker()).collect();
        let mut evaluators = (0..self.threads)
            .map(|_| {
                Ok(NetEvaluator::new(Arc::clone(&self.encoder), self.backend()?)?
                    .with_cache(self.cache))
            })
            .collect::<Result<Vec<_>>>()?;
        let numbers = GameNumbers::new(1, []);
        // The first second brings the games out of step with each other.
        let mut counters = Counters::default();
        let mut seconds = 0.0;
        let mut remembered = 0;
        for time in [Duration::from_secs(1), self.time] {
            counters = Counters::default();
            let sum = |evaluators: &[NetEvaluator<_>]| -> u64 {
                evaluators.iter().map(|evaluator| evaluator.counters().remembered).sum()
            };
            let before = sum(&evaluators);
            let begun = Instant::now();
            let stop = AtomicBool::new(false);
            thread::scope(|scope| {
                let timer = scope.spawn(|| {
                    thread::sleep(time);
                    stop.store(true, Relaxed);
                });
                let played = play_phase(
                    &mut workers,
                    &mut evaluators,
                    1,
                    &numbers,
                    &counters,
                    &stop,
                    &mut |_| Ok(Control::Continue),
                );
                timer.join().expect("a sleeping thread does not panic");
                played
            })?;
            seconds = begun.elapsed().as_secs_f64();
            remembered = sum(&evaluators) - before;
        }
        Ok(Played {
            evaluations: counters.evaluations() as f64 / seconds,
            positions: counters.positions() as f64 / seconds,
            batch_fill: counters.batch_fill(),
            remembered: remembered as f64 / counters.evaluations().max(1) as f64,
        })
    }
}
