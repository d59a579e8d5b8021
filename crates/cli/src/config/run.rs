//! What a run is made of: documented defaults in code, below TOML files, below `--set`.
//!
//! [`RunConfig::load`] resolves the layers and reports every fault of every layer at once, with
//! file and line.

use std::path::Path;

use encode::Encoding;
use model::NetConfig;
use selfplay::SelfPlayConfig;
use serde::{Deserialize, Serialize};
use train::TrainConfig;

use super::layers::{self, ConfigErrors, Layered};
use super::{DURATION, duration};

/// The resolved configuration of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RunConfig {
    /// A built-in variant's id, or the path of a variant file, beginning at the configuration file that
    /// names it. Identity by what the file says, not by where it lies.
    pub(crate) variant: String,
    /// The number that everything random in the run is derived from. Identity.
    pub(crate) seed: u64,
    /// Plies after which a game is a draw; 0 = as the variant says. Identity.
    pub(crate) max_plies: u32,
    /// All games start from this handicap of the variant; empty = from its start. Identity.
    pub(crate) handicap: String,
    /// How the net sees positions and names moves: `variant` (derived from the variant) or `dlshogi`
    /// (9x9 shogi alone; such nets run in engines that load dlshogi's). Identity.
    pub(crate) encoder: Encoding,
    /// The net. Identity.
    pub(crate) net: NetConfig,
    /// Self-play. Tunable, except `games_per_chunk`.
    pub(crate) selfplay: SelfPlayConfig,
    /// Training. Tunable.
    pub(crate) train: TrainConfig,
    /// The alternation of the two. Tunable.
    pub(crate) schedule: ScheduleConfig,
    /// Matches during and after the run. Tunable.
    pub(crate) evaluate: EvaluateConfig,
    /// Where and how long it runs. Execution.
    pub(crate) execution: ExecutionConfig,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            variant: "micro".to_owned(),
            seed: 1,
            max_plies: 0,
            handicap: String::new(),
            encoder: Encoding::default(),
            net: NetConfig::default(),
            selfplay: SelfPlayConfig::default(),
            train: TrainConfig::default(),
            schedule: ScheduleConfig::default(),
            evaluate: EvaluateConfig::default(),
            execution: ExecutionConfig::default(),
        }
    }
}

/// How self-play and training alternate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScheduleConfig {
    /// Recorded positions of generation 0, which plays without a net; 1 or more.
    pub(crate) first_positions: u64,
    /// Recorded positions of each later generation; 1 or more.
    pub(crate) positions: u64,
    /// Share of the budget kept for the closing training phase, in which the learning rate falls
    /// to its end; 0 to 0.5.
    pub(crate) closing_share: f64,
    /// In the closing phase every position of the window is used at least this often.
    pub(crate) closing_epochs: u32,
}

impl Default for ScheduleConfig {
    fn default() -> Self {
        Self { first_positions: 10_000, positions: 15_000, closing_share: 0.15, closing_epochs: 4 }
    }
}

/// Matches that measure the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EvaluateConfig {
    /// Simulations a move of the run's own generations; 1 or more.
    pub(crate) simulations: u32,
    /// Most of the active time that matches inside the run may take; 0 (none) to 0.1.
    pub(crate) share: f64,
    /// Games of a match inside the run; an even number, 2 or more.
    pub(crate) games: u32,
    /// Games of each match of the closing verdict; an even number, 2 or more.
    pub(crate) verdict_games: u32,
    /// Longest time of the closing verdict, such as `2m`; matches it cuts off count with the
    /// pairs they finished.
    pub(crate) verdict_budget: String,
    /// Opponents of the verdict.
    pub(crate) opponents: Vec<String>,
}

impl Default for EvaluateConfig {
    fn default() -> Self {
        Self {
            simulations: 100,
            share: 0.08,
            games: 40,
            verdict_games: 200,
            verdict_budget: "2m".to_owned(),
            opponents: ["random", "generation-0", "rollout-400", "alphabeta-3"]
                .map(str::to_owned)
                .to_vec(),
        }
    }
}

/// What may differ each time the run is continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ExecutionConfig {
    /// Total active time of the run, such as `10m`, `2h 30m` or `3d`. `--budget` sets it.
    pub(crate) budget: String,
    /// Threads that play; 0 = one a core.
    pub(crate) workers: usize,
    /// Threads that train, each on its part of every batch; 0 = one a core. The same number gives
    /// the same net bit for bit.
    pub(crate) train_threads: usize,
    /// A stage that has not moved for so long is named, in the log and on stderr; 1s or more.
    pub(crate) watchdog: String,
    /// Training keeps its steps in `partial/` this often, such as `5m`: the most that a kill costs.
    pub(crate) keep_every: String,
    /// Memory for evaluations that are remembered in self-play, in MB a worker; 0 = none, at most
    /// 65536.
    pub(crate) cache_mb: usize,
    /// What evaluates positions in self-play: `onnxruntime` or `libtorch`. Matches always play from
    /// the exported file.
    pub(crate) backend: Backend,
}

impl Default for ExecutionConfig {
    fn default() -> Self {
        Self {
            budget: "10m".to_owned(),
            workers: 0,
            train_threads: 0,
            watchdog: "60s".to_owned(),
            keep_every: "5m".to_owned(),
            cache_mb: 32,
            backend: Backend::Onnxruntime,
        }
    }
}

/// The library that evaluates positions in self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Backend {
    /// The exported net, on the CPU.
    Onnxruntime,
    /// The same weights, executed by libtorch.
    Libtorch,
}

impl RunConfig {
    /// Resolves a configuration file, the files it extends and `--set` arguments.
    ///
    /// # Errors
    /// Every fault of every layer.
    pub(crate) fn load(path: &Path, sets: &[String]) -> Result<Self, ConfigErrors> {
        layers::load(path, sets)
    }
}

impl Layered for RunConfig {
    const FILES: &'static [&'static str] = &["variant"];

    fn faults(&self) -> Vec<(String, String)> {
        let mut faults = Vec::new();
        let mut fault = |key: String, problem: String| faults.push((key, problem));
        for error in self.selfplay.faults() {
            fault(format!("selfplay.{}", error.key), format!("must be {}", error.expected));
        }
        for error in self.net.validate().err().iter().flat_map(|errors| &errors.0) {
            let problem = format!("must be from {} to {}", error.low, error.high);
            fault(format!("net.{}", error.key), problem);
        }
        for (key, problem) in self.train.validate().err().iter().flat_map(|errors| &errors.0) {
            fault(format!("train.{key}"), problem.clone());
        }
        let even = |games: u32| games >= 2 && games.is_multiple_of(2);
        let (schedule, evaluate) = (&self.schedule, &self.evaluate);
        let half = 0.0..=0.5;
        let opponents = evaluate.opponents.iter();
        let checks = [
            ("schedule.first_positions", schedule.first_positions >= 1, "1 or more"),
            ("schedule.positions", schedule.positions >= 1, "1 or more"),
            ("schedule.closing_share", half.contains(&schedule.closing_share), "from 0 to 0.5"),
            ("evaluate.simulations", evaluate.simulations >= 1, "1 or more"),
            ("evaluate.share", (0.0..=0.1).contains(&evaluate.share), "from 0 to 0.1"),
            ("evaluate.games", even(evaluate.games), "an even number, 2 or more"),
            ("evaluate.verdict_games", even(evaluate.verdict_games), "an even number, 2 or more"),
            ("evaluate.verdict_budget", duration(&evaluate.verdict_budget).is_some(), DURATION),
            (
                "evaluate.opponents",
                opponents.clone().all(|name| name.parse::<arena::PlayerSpec>().is_ok()),
                arena::PlayerSpec::FORMS,
            ),
            (
                "execution.watchdog",
                duration(&self.execution.watchdog).is_some_and(|time| time.as_secs() >= 1),
                "a time of 1s or more",
            ),
            ("execution.cache_mb", self.execution.cache_mb <= 65_536, "from 0 to 65536"),
            ("execution.budget", duration(&self.execution.budget).is_some(), DURATION),
            ("execution.keep_every", duration(&self.execution.keep_every).is_some(), DURATION),
        ];
        for (key, holds, expected) in checks {
            if !holds {
                fault(key.to_owned(), format!("must be {expected}"));
            }
        }
        faults
    }
}
