//! What can play: the [`Player`] trait, the simplest player, and the names by which players are
//! asked for.

use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use mcts::fake::{Rollout, Uniform};
use mcts::{RootSelection, SearchConfig};
use rand::RngExt;
use rules::{Game, Move, Seed};

use crate::alphabeta::AlphaBeta;
use crate::searcher::{Searcher, play_config};

/// Something that chooses moves, in many games at once.
///
/// A player keeps nothing about a game between calls: a choice depends only on the game and its
/// seed, so that a match gives the same games however they are spread over threads.
pub trait Player: Send {
    /// Short name for tables, e.g. `alphabeta-3`.
    fn name(&self) -> &str;

    /// Chooses a move in each of `games`, none of which has a verdict yet ([`Game::verdict`]): the
    /// referee declares for a player who wins by it. In all of them this player is to move. `seeds[i]` is for game `i`'s move alone. `out` is cleared and filled with one legal
    /// move per game.
    ///
    /// # Errors
    /// When the player cannot go on (a net gives no finite numbers, an engine dies); nothing is
    /// played then.
    fn choose(
        &mut self,
        games: &[&Game],
        seeds: &[Seed],
        out: &mut Vec<Move>,
    ) -> Result<(), PlayerError>;
}

/// A player failed.
#[derive(Debug, thiserror::Error)]
#[error("player {player}: {source}")]
pub struct PlayerError {
    /// Name of the player.
    pub player: String,
    /// What went wrong.
    pub source: Box<dyn Error + Send + Sync>,
}

/// Plays every legal move with the same probability.
#[derive(Clone, Debug, Default)]
pub struct Random {
    moves: Vec<Move>,
}

impl Player for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn choose(
        &mut self,
        games: &[&Game],
        seeds: &[Seed],
        out: &mut Vec<Move>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for (game, seed) in games.iter().zip(seeds) {
            game.status(&mut self.moves);
            out.push(self.moves[seed.rng().random_range(0..self.moves.len())]);
        }
        Ok(())
    }
}

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
    pub const FORMS: &str = "random, uniform-N, rollout-N, alphabeta-N, generation-N";

    /// The player, if it needs nothing but the rules; `None` for nets, which the caller makes a
    /// [`Searcher`] of.
    pub fn yardstick(&self) -> Option<Box<dyn Player>> {
        let name = self.to_string();
        match *self {
            PlayerSpec::Random => Some(Box::new(Random::default())),
            PlayerSpec::Uniform { simulations } => {
                Some(Box::new(Searcher::new(name, Uniform, simulations.get())))
            }
            PlayerSpec::Rollout { simulations } => {
                let simulations = simulations.get();
                let root = RootSelection::Puct;
                let config = SearchConfig { simulations, root, ..play_config() };
                // Every variant has a move limit, which ends the random games.
                let evaluator = Rollout { seed: Seed(0), max_plies: u32::MAX };
                Some(Box::new(Searcher::with_config(name, evaluator, config)))
            }
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
        for text in ["random", "uniform-64", "rollout-400", "alphabeta-3", "generation-0"] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            let player = spec.yardstick();
            assert_eq!(player.is_none(), text.starts_with("generation"));
            assert!(player.is_none_or(|p| p.name() == text));
        }
    }

    #[test]
    fn errors_list_the_known_forms() {
        for text in [
            "",
            "randm",
            "alphabeta",
            "alphabeta-0",
            "rollout-x",
            "alphabeta-4000000000",
            "stockfish-3",
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(PlayerSpec::FORMS) && error.contains(text), "{error}");
        }
    }
}
