//! `narikin match`: a tournament of two, told on the command line.

use std::path::PathBuf;

use anyhow::Result;

use crate::players::PlayerName;
use crate::tournament::config::{
    DeclarationName, ImpasseName, PlayerEntry, RepetitionName, RulesConfig, TournamentConfig,
};
use crate::{Verdict, tournament};

/// Arguments of `match`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Players: random, blunder-P, uniform-N, rollout-N, alphabeta-N; runs/x (its \
                        newest generation), runs/x@12, generation-12 (with --run); the path of an \
                        .onnx file; an outside engine as usi:PATH, uci:PATH or ucci:PATH.\n\nExamples:
  narikin match alphabeta-3 rollout-400
  narikin match runs/micro@12 runs/micro@3 --simulations 100
  narikin match runs/new runs/old --elo0 0 --elo1 10
  narikin match alphabeta-3 usi:/usr/games/fairy-stockfish --variant minishogi --nodes 1000 --games 20
  narikin match alphabeta-3 rollout-400 --variant minixiangqi --repetition-count 4 --replay
  narikin match alphabeta-3 alphabeta-1 --variant shogi --handicap six --games 20

For more settings, and more players: narikin tournament --help"
)]
pub(crate) struct Args {
    /// The first player.
    a: String,
    /// The second player.
    b: String,
    /// A built-in variant's id, or the path of a variant file; that of the run if left out, else
    /// micro.
    #[arg(long)]
    variant: Option<String>,
    /// All games start from this handicap of the variant, such as `six`.
    #[arg(long)]
    handicap: Option<String>,
    /// The run that `generation-N` belongs to.
    #[arg(long)]
    run: Option<PathBuf>,
    /// Games, an even number: each opening is played twice, with colours swapped. With a test at most
    /// so many; as many as it takes if left out. Otherwise 200 if left out.
    #[arg(long)]
    games: Option<u32>,
    /// Simulations a move of players with a net, and of generation-0.
    #[arg(long, default_value_t = 100)]
    simulations: u32,
    /// Nodes a move of outside engines.
    #[arg(long)]
    nodes: Option<u64>,
    /// Fixed time a move of outside engines and of players with nets, such as 500ms.
    #[arg(long)]
    move_time: Option<String>,
    /// Openings, one a line (SFEN, FEN, EPD, or moves in USI or UCI); generated if left out.
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Where the games are kept; going on with them is `narikin tournament DIR`. Nowhere if left out.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Threads; one a core if left out.
    #[arg(long)]
    threads: Option<u32>,
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
    #[arg(long, value_enum, default_value_t = ImpasseName::Variant)]
    impasse: ImpasseName,
    /// The points of a declaration, instead of the variant's rule.
    #[arg(long, value_enum, default_value_t = DeclarationName::Variant)]
    declaration: DeclarationName,
    /// With --elo1: test whether the first player is stronger by more than this (normalized Elo), and
    /// stop when that is decided.
    #[arg(long, default_value_t = 0.0, requires = "elo1", allow_negative_numbers = true)]
    elo0: f64,
    /// The strength that is hoped for.
    #[arg(long, allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Everything random is derived from this.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let config = config(&args).checked()?;
    tournament::play(config, args.dir.as_deref(), args.quiet, args.json)
}

/// The tournament that the arguments describe.
fn config(args: &Args) -> TournamentConfig {
    let mut config = TournamentConfig::default();
    let text = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    config.variant = args.variant.clone().unwrap_or_default();
    config.run = text(&args.run).unwrap_or_default();
    config.seed = args.seed;
    if let Some(elo1) = args.elo1 {
        (config.sprt.elo0, config.sprt.elo1, config.games) = (args.elo0, elo1, 0);
    }
    config.games = args.games.unwrap_or(config.games);
    config.openings.file = text(&args.openings).unwrap_or_default();
    config.rules = RulesConfig {
        handicap: args.handicap.clone().unwrap_or_default(),
        repetition_count: args.repetition_count.unwrap_or(0),
        impasse: args.impasse,
        declaration: args.declaration,
        ..RulesConfig::default()
    };
    if args.replay {
        config.adjudication.repetition = RepetitionName::Replay;
        config.adjudication.max_replays = args.max_replays;
    }
    config.execution.threads = args.threads.unwrap_or(0);
    config.defaults = PlayerEntry {
        simulations: args.simulations,
        nodes: args.nodes.unwrap_or(0),
        ..PlayerEntry::default()
    };
    let player = |text: &String| {
        let mut entry = PlayerEntry { player: text.clone(), ..config.defaults.clone() };
        let engine = matches!(text.parse(), Ok(PlayerName::Engine { .. }));
        if let Some(time) = args.move_time.clone().filter(|_| engine) {
            entry.move_time = time;
        }
        entry
    };
    config.player = [&args.a, &args.b].map(player).to_vec();
    if args.a == args.b {
        config.player[1].name = format!("{} (2)", args.b);
    }
    config
}
