//! What a tournament is made of: documented defaults in code, below a TOML file, below `--set`.

mod faults;
mod player;

use std::path::Path;

use arena::{Adjudication, DrawRule, Format, ResignRule};
use rules::{Declaration, Impasse};
use serde::{Deserialize, Serialize};

use crate::config::{ConfigErrors, Fault, Layered, load_with_list};
pub(crate) use player::PlayerEntry;

/// The resolved configuration of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TournamentConfig {
    /// A built-in variant's id, or the path of a variant file, beginning at the configuration file that
    /// names it. Empty: that of `run`, else of the first run among the players, else micro.
    pub(crate) variant: String,
    /// The run that `generation-N` belongs to; empty: none. Paths of runs and nets begin where we are.
    pub(crate) run: String,
    /// `round-robin`, `gauntlet`, `swiss` or `ladder`.
    pub(crate) format: FormatName,
    /// Games of every two players that meet, an even number; of a Swiss round. With `[sprt]` at most so
    /// many, and 0: as many as it takes.
    pub(crate) games: u32,
    /// Gauntlet: how many players, from the top of the list, meet all the others.
    pub(crate) seeds: u32,
    /// Ladder: each player meets the next so many of the list.
    pub(crate) reach: u32,
    /// Swiss: how many rounds.
    pub(crate) rounds: u32,
    /// The number that everything random is derived from.
    pub(crate) seed: u64,
    /// The player with the rating 0; empty: the second of two players, of more their mean.
    pub(crate) anchor: String,
    /// Where the games begin.
    pub(crate) openings: OpeningsConfig,
    /// Rules of the game that differ from the variant's.
    pub(crate) rules: RulesConfig,
    /// When the referee ends a game.
    pub(crate) adjudication: AdjudicationConfig,
    /// A test that ends a meeting when it has decided.
    pub(crate) sprt: SprtConfig,
    /// What every player has that does not say otherwise itself.
    pub(crate) defaults: PlayerEntry,
    /// Where it runs. May differ each time it is continued.
    pub(crate) execution: ExecutionConfig,
    /// The players, each under a heading `[[player]]`.
    pub(crate) player: Vec<PlayerEntry>,
}

impl Default for TournamentConfig {
    fn default() -> Self {
        Self {
            variant: String::new(),
            run: String::new(),
            format: FormatName::RoundRobin,
            games: 200,
            seeds: 1,
            reach: 2,
            rounds: 5,
            seed: 1,
            anchor: String::new(),
            openings: OpeningsConfig::default(),
            rules: RulesConfig::default(),
            adjudication: AdjudicationConfig::default(),
            sprt: SprtConfig::default(),
            defaults: PlayerEntry::default(),
            execution: ExecutionConfig::default(),
            player: Vec::new(),
        }
    }
}

/// Names of [`Format`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FormatName {
    RoundRobin,
    Gauntlet,
    Swiss,
    Ladder,
}

impl FormatName {
    /// As in the configuration.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss => "swiss",
            Self::Ladder => "ladder",
        }
    }
}

/// Where the games begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OpeningsConfig {
    /// A list, one opening a line: SFEN, FEN, EPD, or `startpos moves …` in USI or UCI; beside the
    /// configuration file that names it. Empty: generated, a few random moves that decide nothing.
    pub(crate) file: String,
    /// With a file: `shuffled` by the seed, or `sequential`.
    pub(crate) order: Order,
    /// With a file: plies played of each line; 0: all.
    pub(crate) plies: u32,
    /// Generated: how many; 0: as many as are needed, and with `[sprt]` without `games` 1000.
    pub(crate) count: u32,
    /// Generated: fewest and most random plies.
    pub(crate) min_plies: u32,
    pub(crate) max_plies: u32,
    /// Generated: simulations of a search without a net; what it proves decided is left out. 0: none.
    pub(crate) simulations: u32,
}

impl Default for OpeningsConfig {
    fn default() -> Self {
        let arena::OpeningConfig { min_plies, max_plies, simulations } = Default::default();
        let (file, order) = (String::new(), Order::Shuffled);
        Self { file, order, plies: 0, count: 0, min_plies, max_plies, simulations }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    Shuffled,
    Sequential,
}

/// Rules of the game that differ from the variant's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RulesConfig {
    /// Plies after which a game is a draw; 0: as the variant says.
    pub(crate) max_plies: u32,
    /// All games start from this handicap of the variant, such as `six`; empty: from its start.
    pub(crate) handicap: String,
    /// The occurrence of a position that ends a game, 2 to 100; 0: as the variant says.
    pub(crate) repetition_count: u32,
    /// What entered kings are worth at the move limit: `none`, `draw`, `points24`, `points27`; `variant`:
    /// as that says.
    pub(crate) impasse: ImpasseName,
    /// The points of a declaration: `none`, `declare27`, `declare24`; `variant`: as that says.
    pub(crate) declaration: DeclarationName,
}

/// Names of [`Impasse`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ImpasseName {
    #[default]
    Variant,
    None,
    Draw,
    Points24,
    Points27,
}

impl ImpasseName {
    /// The rule; `None`: as the variant says.
    pub(crate) fn rule(self) -> Option<Option<Impasse>> {
        match self {
            Self::Variant => None,
            Self::None => Some(None),
            Self::Draw => Some(Some(Impasse::Draw)),
            Self::Points24 => Some(Some(Impasse::Points24)),
            Self::Points27 => Some(Some(Impasse::Points27)),
        }
    }
}

/// Names of [`Declaration`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DeclarationName {
    #[default]
    Variant,
    None,
    Declare27,
    Declare24,
}

impl DeclarationName {
    /// The rule; `None`: as the variant says.
    pub(crate) fn rule(self) -> Option<Option<Declaration>> {
        match self {
            Self::Variant => None,
            Self::None => Some(None),
            Self::Declare27 => Some(Some(Declaration::Declare27)),
            Self::Declare24 => Some(Some(Declaration::Declare24)),
        }
    }
}

/// When the referee ends a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AdjudicationConfig {
    /// Centipawns below zero at which a game is lost; 0: never. Values of nets count as
    /// 600 ln(p / (1 - p)) centipawns with the expected score p.
    pub(crate) resign_centipawns: f64,
    /// In so many moves of the loser in a row.
    pub(crate) resign_moves: u32,
    /// The winner must agree, with as many centipawns above zero in as many moves.
    pub(crate) resign_two_sided: bool,
    /// Centipawns from zero within which a game is drawn; 0: never.
    pub(crate) draw_centipawns: f64,
    /// In so many moves of each player in a row.
    pub(crate) draw_moves: u32,
    /// Not before so many plies, the opening among them.
    pub(crate) draw_after_plies: u32,
    /// Ends a game when the search of one of our own players has proven its result.
    pub(crate) proven: bool,
    /// A draw by plain repetition: `count` it, or `replay` it with colours swapped and clocks kept.
    pub(crate) repetition: RepetitionName,
    /// With `replay`: at most so many times in a row; then the draw counts.
    pub(crate) max_replays: u32,
}

impl Default for AdjudicationConfig {
    fn default() -> Self {
        Self {
            resign_centipawns: 0.0,
            resign_moves: 3,
            resign_two_sided: true,
            draw_centipawns: 0.0,
            draw_moves: 8,
            draw_after_plies: 40,
            proven: false,
            repetition: RepetitionName::Count,
            max_replays: 2,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RepetitionName {
    Count,
    Replay,
}

impl AdjudicationConfig {
    /// As the arena has it.
    pub(crate) fn rules(&self) -> Adjudication {
        Adjudication {
            resign: (self.resign_centipawns > 0.0).then_some(ResignRule {
                centipawns: self.resign_centipawns,
                moves: self.resign_moves as usize,
                two_sided: self.resign_two_sided,
            }),
            draw: (self.draw_centipawns > 0.0).then_some(DrawRule {
                centipawns: self.draw_centipawns,
                moves: self.draw_moves as usize,
                after_plies: self.draw_after_plies as usize,
            }),
            proven: self.proven,
            max_replays: match self.repetition {
                RepetitionName::Count => 0,
                RepetitionName::Replay => self.max_replays,
            },
        }
    }
}

/// A sequential probability ratio test of every two players that meet; off while both hypotheses are
/// equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SprtConfig {
    /// Elo of the first player over the second under each hypothesis, in the model's unit.
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// `normalized` or `logistic`.
    pub(crate) model: String,
    /// Chance to accept the second hypothesis wrongly, and to accept the first wrongly.
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

impl Default for SprtConfig {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 0.0, model: "normalized".to_owned(), alpha: 0.05, beta: 0.05 }
    }
}

impl SprtConfig {
    /// Whether there is a test.
    pub(crate) fn is_on(&self) -> bool {
        self.elo0 != self.elo1
    }
}

/// What may differ each time a tournament is continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ExecutionConfig {
    /// Threads; 0: one a core. With outside engines each thread has its own.
    pub(crate) threads: u32,
    /// Most games a thread plays at the same time; those of one player share batches.
    pub(crate) games_in_flight: u32,
}

impl Default for ExecutionConfig {
    fn default() -> Self {
        Self { threads: 0, games_in_flight: arena::GAMES_IN_FLIGHT.get() as u32 }
    }
}

impl TournamentConfig {
    /// Resolves a configuration file, the files it extends and `--set` arguments.
    ///
    /// # Errors
    /// Every fault of every layer and player.
    pub(crate) fn load(path: &Path, sets: &[String]) -> Result<Self, ConfigErrors> {
        let base = |config: &Self| config.defaults.clone();
        let (mut config, player) = load_with_list::<Self, PlayerEntry>(path, sets, base)?;
        config.player = player;
        Ok(config)
    }

    /// The same configuration, made otherwise, if nothing is wrong with it.
    ///
    /// # Errors
    /// Every fault.
    pub(crate) fn checked(self) -> Result<Self, ConfigErrors> {
        let of_players = self.player.iter().flat_map(Layered::faults);
        let faults: Vec<Fault> = Layered::faults(&self)
            .into_iter()
            .chain(of_players)
            .map(|(key, problem)| Fault {
                place: "the arguments".to_owned(),
                problem: format!("`{key}` {problem}"),
            })
            .collect();
        if faults.is_empty() { Ok(self) } else { Err(ConfigErrors(faults)) }
    }

    /// How opponents are found.
    pub(crate) fn format(&self) -> Format {
        match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => Format::Gauntlet { seeds: self.seeds as usize },
            FormatName::Swiss => Format::Swiss { rounds: self.rounds as usize },
            FormatName::Ladder => Format::Ladder { reach: self.reach as usize },
        }
    }

    /// The names of the players, by number.
    pub(crate) fn names(&self) -> Vec<String> {
        self.player.iter().map(|entry| entry.shown().to_owned()).collect()
    }

    /// Pairs of games of every two players that meet; `None`: as many as a test takes.
    pub(crate) fn pairs(&self) -> Option<u64> {
        (self.games > 0).then_some(u64::from(self.games / 2))
    }
}

#[cfg(test)]
mod tests;
