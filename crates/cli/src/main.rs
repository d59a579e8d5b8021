//! `narikin`: trains, measures and exports engines for shogi-like games.
//!
//! Exit codes: 0 done, 1 a check said no, 2 an error, 130 interrupted.

#[cfg_attr(not(feature = "torch"), allow(dead_code, reason = "only runs count active time"))]
mod clock;
mod cmd;
mod config;
#[cfg_attr(not(feature = "torch"), allow(dead_code, reason = "only runs are measured"))]
mod machine;
#[cfg(feature = "torch")]
mod memory;
#[cfg(feature = "torch")]
mod metrics;
#[cfg(feature = "torch")]
mod monitor;
mod nets;
mod output;
mod panics;
mod players;
#[cfg(feature = "torch")]
mod progress;
mod report;
#[cfg_attr(not(feature = "torch"), allow(dead_code, reason = "only runs add to it"))]
mod results;
#[cfg(feature = "torch")]
mod run;
#[cfg_attr(not(feature = "torch"), allow(dead_code, reason = "only runs write to it"))]
mod run_dir;
mod runtime;
mod scores;
mod signals;
mod standings;
#[cfg(feature = "torch")]
mod tensorboard;
mod text;
mod tournament;
#[cfg(feature = "torch")]
mod watchdog;
mod zoo;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};

/// Trains game engines from nothing: self-play, a neural net, tree search, matches, export.
#[derive(Debug, Parser)]
#[command(name = "narikin", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train an engine: self-play, training and matches in turn; resumes the run if it exists.
    #[cfg(feature = "torch")]
    Run(run::Args),
    /// Play one phase of self-play on a run.
    #[cfg(feature = "torch")]
    Selfplay(run::PhaseArgs),
    /// Train one generation of a run.
    #[cfg(feature = "torch")]
    Learn(run::PhaseArgs),
    /// Play a match between two players.
    Match(cmd::matches::Args),
    /// Play a tournament of many players; goes on with it if it exists.
    Tournament(tournament::Args),
    /// Rate players by the results of their games: PGN, CSV, tournaments, runs.
    Rate(cmd::rate::Args),
    /// Say what results show, and test whether a player is stronger by so much.
    Sprt(cmd::sprt::Args),
    /// Write a run's net to a file for use elsewhere.
    #[cfg(feature = "torch")]
    Export(cmd::export::Args),
    /// Count the move sequences of a position, or check a file of counts.
    Perft(cmd::perft::Args),
    /// Search one position: the best moves, what they are worth, and the lines that follow.
    Analyze(cmd::analyze::Args),
    /// List the legal moves of a position; say why a move is illegal.
    Moves(cmd::moves::Args),
    /// Find a forced mate, or a move that leaves no defence against one.
    Solve(cmd::solve::Args),
    /// List the built-in variants or show one.
    Variant(cmd::variant::Args),
    /// Say what is in a run, in record files, in a checkpoint or in a net's file.
    Inspect(cmd::inspect::Args),
    /// Write the report of a run or a tournament: one HTML file with charts and games.
    Report(report::Args),
    /// Measure speed: fixed work, one line a figure.
    Bench(cmd::bench::Args),
    /// Say what this machine has, what is missing, and what mends it.
    Doctor(cmd::doctor::Args),
}

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Done.
    Good,
    /// The check that was asked for failed.
    Failed,
    /// Ctrl-C or SIGTERM ended it before it was done.
    Interrupted,
}

fn main() -> ExitCode {
    // A file that grows beyond the user's limit (`ulimit -f`) then fails to be written, by name.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let code = match panics::caught(|| run_command(Cli::parse().command)) {
        Ok(Verdict::Good) => 0,
        Ok(Verdict::Failed) => 1,
        Ok(Verdict::Interrupted) => 130,
        Err(error) => {
            output::error(&format!("{error:#}"));
            2
        }
    };
    output::flush();
    ExitCode::from(code)
}

fn run_command(command: Command) -> anyhow::Result<Verdict> {
    match command {
        #[cfg(feature = "torch")]
        Command::Run(args) => run::main(args),
        #[cfg(feature = "torch")]
        Command::Selfplay(args) => run::phase(args, run_dir::Phase::SelfPlay),
        #[cfg(feature = "torch")]
        Command::Learn(args) => run::phase(args, run_dir::Phase::Train),
        Command::Match(args) => cmd::matches::main(args),
        Command::Tournament(args) => tournament::main(args),
        Command::Rate(args) => cmd::rate::main(args),
        Command::Sprt(args) => cmd::sprt::main(args),
        #[cfg(feature = "torch")]
        Command::Export(args) => cmd::export::main(args),
        Command::Perft(args) => cmd::perft::main(args),
        Command::Analyze(args) => cmd::analyze::main(args),
        Command::Moves(args) => cmd::moves::main(args),
        Command::Solve(args) => cmd::solve::main(args),
        Command::Variant(args) => cmd::variant::main(args),
        Command::Inspect(args) => cmd::inspect::main(args),
        Command::Report(args) => report::main(args),
        Command::Bench(args) => cmd::bench::main(args),
        Command::Doctor(args) => cmd::doctor::main(args),
    }
}
