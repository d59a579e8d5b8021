//! The names by which players are asked for.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use mcts::fake::{Rollout, Uniform};
use mcts::{RootSelection, SearchConfig};
use rules::Seed;

use crate::alphabeta::AlphaBeta;
use crate::player::{Blunder, Player, Random};
use crate::searcher::{Searcher, yardstick_config};

/// A player as named by a user. [`Display`](fmt::Display) writes the text that [`FromStr`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerSpec {
    /// `random`: [`Random`].
    Random,
    /// `uniform-N`: tree search of N simulations without knowledge: even priors, value 0 but at
    /// endings.
    Uniform {
        /// Simulations a move.
        simulations: NonZeroU32,
    },
    /// `rollout-N`: PUCT search of N simulations that values a leaf by one random game, always the
    /// same for a position.
    Rollout {
        /// Simulations a move.
        simulations: NonZeroU32,
    },
    /// `blunder-P`: [`Blunder`], random with P per cent.
    Blunder {
        /// Per cent.
        percent: u32,
    },
    /// `alphabeta-N`: [`AlphaBeta`] of depth N.
    AlphaBeta {
        /// Plies.
        depth: NonZeroU32,
    },
    /// `generation-N`: the net of a generation of a run.
    Generation {
        /// Number of the generation.
        number: u32,
    },
}

impl PlayerSpec {
    /// The known forms, for messages and help.
    pub const FORMS: &str = "random, blunder-P, uniform-N, rollout-N, alphabeta-N, generation-N";

    /// The player, if it needs nothing but the rules; `None` for nets, which the caller makes a
    /// [`Searcher`] of.
    pub fn yardstick(&self) -> Option<Box<dyn Player>> {
        let name = self.to_string();
        match *self {
            PlayerSpec::Random => Some(Box::new(Random::default())),
            PlayerSpec::Uniform { simulations } => {
                let config = SearchConfig { simulations: simulations.get(), ..yardstick_config() };
                Some(Box::new(Searcher::with_config(name, Uniform, config)))
            }
            PlayerSpec::Rollout { simulations } => {
                let simulations = simulations.get();
                let root = RootSelection::Puct;
                let config = SearchConfig { simulations, root, ..yardstick_config() };
                // Every variant has a move limit, which ends the random games.
                let evaluator = Rollout { seed: Seed(0), max_plies: u32::MAX };
                Some(Box::new(Searcher::with_config(name, evaluator, config)))
            }
            PlayerSpec::Blunder { percent } => Some(Box::new(Blunder::new(percent))),
            PlayerSpec::AlphaBeta { depth } => Some(Box::new(AlphaBeta::new(depth))),
            PlayerSpec::Generation { .. } => None,
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => write!(f, "random"),
            PlayerSpec::Uniform { simulations } => write!(f, "uniform-{simulations}"),
            PlayerSpec::Rollout { simulations } => write!(f, "rollout-{simulations}"),
            PlayerSpec::Blunder { percent } => write!(f, "blunder-{percent}"),
            PlayerSpec::AlphaBeta { depth } => write!(f, "alphabeta-{depth}"),
            PlayerSpec::Generation { number } => write!(f, "generation-{number}"),
        }
    }
}

/// A text that names no player.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlayerSpecError {
    /// The form is not known.
    #[error("unknown player `{0}`; known are {forms}", forms = PlayerSpec::FORMS)]
    UnknownForm(String),
    /// The form is known, its number is not one.
    #[error(
        "player `{text}`: {form}-N wants a whole number N from {least} to {most}; known are {}",
        PlayerSpec::FORMS
    )]
    BadNumber {
        /// The whole text.
        text: String,
        /// The part before the number.
        form: String,
        /// Smallest number allowed.
        least: u32,
        /// Largest number allowed.
        most: u32,
    },
}

/// Most simulations a move of a player asked for by name.
const MAX_SIMULATIONS: u32 = 1_000_000;
/// Greatest depth of one.
const MAX_DEPTH: u32 = 64;

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerSpecError> {
        if text == "random" {
            return Ok(PlayerSpec::Random);
        }
        let unknown = || PlayerSpecError::UnknownForm(text.to_owned());
        let (form, number) = text.split_once('-').ok_or_else(unknown)?;
        let bad = |least, most| PlayerSpecError::BadNumber {
            text: text.into(),
            form: form.into(),
            least,
            most,
        };
        let up_to = |most: u32| {
            let number = number.parse::<NonZeroU32>().ok();
            number.filter(|number| number.get() <= most).ok_or_else(|| bad(1, most))
        };
        match form {
            "blunder" => {
                let percent = number.parse().ok().filter(|percent| (1..=99).contains(percent));
                Ok(PlayerSpec::Blunder { percent: percent.ok_or_else(|| bad(1, 99))? })
            }
            "uniform" => Ok(PlayerSpec::Uniform { simulations: up_to(MAX_SIMULATIONS)? }),
            "rollout" => Ok(PlayerSpec::Rollout { simulations: up_to(MAX_SIMULATIONS)? }),
            "alphabeta" => Ok(PlayerSpec::AlphaBeta { depth: up_to(MAX_DEPTH)? }),
            "generation" => {
                Ok(PlayerSpec::Generation { number: number.parse().map_err(|_| bad(0, u32::MAX))? })
            }
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for text in
            ["random", "blunder-30", "uniform-64", "rollout-400", "alphabeta-3", "generation-0"]
        {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            let player = spec.yardstick();
            assert_eq!(player.is_none(), text.starts_with("generation"));
        }
    }

    #[test]
    fn errors_list_the_known_forms() {
        for text in [
            "",
            "randm",
            "alphabeta",
            "alphabeta-0",
            "blunder-100",
            "rollout-x",
            "alphabeta-4000000000",
            "stockfish-3",
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(PlayerSpec::FORMS) && error.contains(text), "{error}");
        }
    }
}
