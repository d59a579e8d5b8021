//! A player of a configuration.

use std::collections::BTreeMap;

use arena::{Limits, TimeControl};
use mcts::{RootSelection, SearchConfig};
use serde::{Deserialize, Serialize};

use crate::config::duration;

/// A player, and what it may spend. Keys left out are taken from `[defaults]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PlayerEntry {
    /// What plays: `random`, `blunder-P`, `uniform-N`, `rollout-N`, `alphabeta-N`; `runs/x` (its newest
    /// generation), `runs/x@12`, `generation-12` (of `run`); an `.onnx` or `.safetensors` file, `zoo:NAME`; or an outside engine as
    /// `usi:PATH`, `uci:PATH`, `ucci:PATH`. With `@all` or `@0..40/10` an entry stands for many
    /// generations.
    pub(crate) player: String,
    /// Its name; empty: as `player` says.
    pub(crate) name: String,

    /// Simulations a move of players with nets, and of generation 0; with a clock or a fixed time they
    /// search as long as that allows instead, with `nodes` and `depth` as further limits.
    pub(crate) simulations: u32,
    /// Threads that evaluate for a player of ours with a clock or a fixed time.
    pub(crate) threads: usize,
    /// Their search at the root: `gumbel` or `puct`.
    pub(crate) root: RootName,
    /// Gumbel: how many moves sequential halving starts with.
    pub(crate) considered: u32,
    /// Weight of the prior against the value.
    pub(crate) c_puct: f32,
    /// Whether endings that are proven are used in the tree.
    pub(crate) proofs: bool,
    /// Mates in so many plies are looked for at every leaf: 0 (none), 1 or 3.
    pub(crate) leaf_mate: u32,
    /// Whether a search goes on from the tree of the last move.
    pub(crate) keep_tree: bool,

    /// Main time of an outside engine or a player with a net, such as `10s`; `0s`: none. Yardsticks spend
    /// what their name says and have no clock.
    pub(crate) main: String,
    /// Byoyomi: for every move after the main time.
    pub(crate) byoyomi: String,
    /// Added after every move.
    pub(crate) increment: String,
    /// Fixed time of a move, in place of a clock.
    pub(crate) move_time: String,
    /// How much later a move may come before the game is lost.
    pub(crate) margin: String,
    /// Nodes a move of an outside engine, or of a player with a net and a clock; 0: no limit.
    pub(crate) nodes: u64,
    /// Depth of its search in plies; 0: no limit.
    pub(crate) depth: u32,

    /// Arguments of an outside engine.
    pub(crate) args: Vec<String>,
    /// The directory it runs in; empty: where we are.
    pub(crate) directory: String,
    /// Its name for the variant; empty: the variant's id.
    pub(crate) engine_variant: String,
    /// How it writes moves, `usi`, `uci` or `ucci`, if not as its protocol does; empty: as that does.
    pub(crate) notation: String,
    /// How long it may take to get ready.
    pub(crate) start_limit: String,
    /// How long it may think where neither a clock nor a fixed time ends it.
    pub(crate) stall_limit: String,
    /// A folder for all that is said to it and by it, one file for each start; empty: none.
    pub(crate) log: String,
    /// Its options, by name.
    pub(crate) options: BTreeMap<String, String>,
}

impl Default for PlayerEntry {
    fn default() -> Self {
        let none = || "0s".to_owned();
        let SearchConfig { considered, c_puct, proofs, leaf_mate, keep_tree, .. } =
            arena::play_config();
        Self {
            player: String::new(),
            name: String::new(),
            simulations: 100,
            threads: 1,
            root: RootName::Puct,
            considered,
            c_puct,
            proofs,
            leaf_mate,
            keep_tree,
            main: none(),
            byoyomi: none(),
            increment: none(),
            move_time: none(),
            margin: "100ms".to_owned(),
            nodes: 0,
            depth: 0,
            args: Vec::new(),
            directory: String::new(),
            engine_variant: String::new(),
            notation: String::new(),
            start_limit: "10s".to_owned(),
            stall_limit: "60s".to_owned(),
            log: String::new(),
            options: BTreeMap::new(),
        }
    }
}

/// Names of [`RootSelection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RootName {
    Gumbel,
    Puct,
}

impl PlayerEntry {
    /// The name it goes by.
    pub(crate) fn shown(&self) -> &str {
        if self.name.is_empty() { &self.player } else { &self.name }
    }

    /// Its search, if it is one of ours with a net.
    pub(crate) fn search(&self) -> SearchConfig {
        SearchConfig {
            simulations: self.simulations,
            root: match self.root {
                RootName::Gumbel => RootSelection::Gumbel,
                RootName::Puct => RootSelection::Puct,
            },
            considered: self.considered,
            c_puct: self.c_puct,
            proofs: self.proofs,
            leaf_mate: self.leaf_mate,
            keep_tree: self.keep_tree,
            ..arena::play_config()
        }
    }

    /// What it may spend.
    pub(crate) fn limits(&self) -> Limits {
        let time = |text: &String| duration(text).expect("checked when loaded");
        let [main, byoyomi, increment] = [&self.main, &self.byoyomi, &self.increment].map(time);
        let clock = !(main + byoyomi + increment).is_zero();
        let fixed = time(&self.move_time);
        Limits {
            time: match (fixed.is_zero(), clock) {
                (false, _) => Some(TimeControl::Move(fixed)),
                (true, true) => Some(TimeControl::Game { main, byoyomi, increment }),
                (true, false) => None,
            },
            nodes: (self.nodes > 0).then_some(self.nodes),
            depth: (self.depth > 0).then_some(self.depth),
            margin: time(&self.margin),
        }
    }
}
