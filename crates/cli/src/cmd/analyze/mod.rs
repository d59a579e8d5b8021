//! `narikin analyze`: one large search of a position.

mod evaluators;
mod live;
mod report;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use engine::{Control, Engine, EngineConfig, Limits, control};
use rules::Game;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::{Ending, NotationArgs, PositionArgs};
use crate::clock::Monotonic;
use crate::{Verdict, output};
use evaluators::{Fake, Source};
use live::Live;
use report::Report;

/// Arguments of `analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Ctrl-C ends the search and prints what it has found so far.\n\nExamples:
  narikin analyze --run runs/micro --time 10s --multipv 3
  narikin analyze --model micro.onnx --moves d2d3 a4a3 --nodes 20000
  narikin analyze --variant shogi --fen '4k4/9/4P4/9/9/9/9/9/9 b G 1' --evaluator uniform
  narikin analyze --variant xiangqi --notation wxf --time 30s --json")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Play these moves first, in USI, UCI or the notation asked for.
    #[arg(long, num_args = 1.., visible_alias = "play")]
    moves: Vec<String>,
    /// An exported net that evaluates.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "evaluator"])]
    model: Option<PathBuf>,
    /// A run whose net evaluates: its newest, if no generation is named.
    #[arg(long, value_name = "DIR", conflicts_with = "evaluator")]
    run: Option<PathBuf>,
    /// The generation of the run.
    #[arg(long, value_name = "N", requires = "run")]
    generation: Option<u32>,
    /// What evaluates where there is no net; material if left out.
    #[arg(long, value_enum)]
    evaluator: Option<Fake>,
    /// Stop after so many simulations.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Stop after so much time, such as 5s or 2m; 5s if no other limit is given.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Stop when the mean length of the simulations is so many plies.
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Moves to show, best first.
    #[arg(long, value_name = "K", default_value = "5")]
    multipv: NonZeroUsize,
    /// Threads that evaluate; one a core if left out.
    #[arg(long, value_name = "T")]
    threads: Option<NonZeroUsize>,
    /// Most positions in one batch of a thread; fewer are taken where more gain nothing.
    #[arg(long, value_name = "N", default_value = "64")]
    batch: NonZeroUsize,
    /// Memory that the tree may fill, in MiB; when it is full, the search ends.
    #[arg(long, value_name = "MB", default_value = "1024")]
    memory: NonZeroUsize,
    /// Nodes of the search for a forced mate beside the tree, a thread more at the start; 0 for none.
    #[arg(long, value_name = "N", default_value_t = EngineConfig::default().mate_nodes)]
    mate_nodes: u64,
    #[command(flatten)]
    notation: NotationArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Args {
    fn limits(&self) -> Limits {
        let none = self.nodes.is_none() && self.depth.is_none();
        let movetime = self.time.or(none.then_some(Duration::from_secs(5)));
        Limits { nodes: self.nodes, depth: self.depth, movetime, ..Limits::default() }
    }

    /// The game that is analysed.
    fn game(&self, source: &Source) -> Result<Game> {
        let mut game = self.position.game_of(|| source.variant())?;
        for text in &self.moves {
            let mv = self.notation.read(&game, text)?;
            game.try_play(mv).with_context(|| format!("`{text}`, move {}", game.ply() + 1))?;
        }
        if let Some(outcome) = game.status(&mut Vec::new()) {
            bail!("the game is over: {}", Ending::from(outcome));
        }
        Ok(game)
    }
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let source = Source::of(&args)?;
    let game = args.game(&source)?;
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let evaluators = source.evaluators(&game, args.threads.unwrap_or(cores).get())?;
    let config = EngineConfig {
        memory: args.memory.get(),
        batch: args.batch.get(),
        multipv: args.multipv.get(),
        mate_nodes: args.mate_nodes,
        ..EngineConfig::default()
    };
    let mut engine = Engine::new(config, evaluators, Arc::new(Monotonic::start()));
    engine.set_game(game.clone());
    let (handle, commands) = control();
    stop_on_signals(handle)?;
    let mut live = Live::new(&game, args.notation);
    let answer = engine.search(args.limits(), commands, &mut |info| live.show(info));
    live.end();
    let report = Report::new(&game, &answer?, &source.name(), args.notation, engine.config());
    if args.json {
        output::json(&report);
    } else {
        report.print();
    }
    Ok(Verdict::Good)
}

/// Ctrl-C and SIGTERM end the search, a second one the process.
fn stop_on_signals(control: Control) -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot listen to signals")?;
    thread::spawn(move || {
        for (count, _) in signals.forever().enumerate() {
            match count {
                0 => control.stop(),
                _ => std::process::exit(130),
            }
        }
    });
    Ok(())
}
