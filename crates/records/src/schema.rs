//! The columns of a record file and the row type that serde_arrow fills.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef};
use serde::{Deserialize, Serialize};

use crate::error::Fault;
use crate::game::{GameRecord, PlyRecord};

/// Version of the columns below, stored in column `schema`. It changes when a reader of the old
/// version would misread a file of the new one.
pub const SCHEMA: u32 = 1;

/// Names of all columns, in file order. Those from `move` on are lists with one entry a ply.
pub const COLUMNS: [&str; 23] = [
    "game_id",
    "schema",
    "producer",
    "variant",
    "board_fingerprint",
    "rules_fingerprint",
    "seed",
    "start",
    "start_moves",
    "outcome",
    "termination",
    "move",
    "generation",
    "simulations",
    "full_search",
    "policy_moves",
    "policy_target",
    "visits",
    "root_wdl",
    "net_wdl",
    "proven_value",
    "proven_plies",
    "played_probability",
];

fn list_of(item: DataType, nullable: bool) -> DataType {
    DataType::List(Arc::new(Field::new("element", item, nullable)))
}

fn column_type(column: &str) -> DataType {
    use DataType::{Boolean, Float32, Int8, UInt16, UInt32, UInt64, Utf8};
    match column {
        "game_id" | "seed" => UInt64,
        "schema" => UInt32,
        "start_moves" | "move" | "generation" | "simulations" => list_of(UInt32, false),
        "full_search" => list_of(Boolean, false),
        "policy_moves" | "visits" => list_of(list_of(UInt32, false), false),
        "policy_target" | "root_wdl" | "net_wdl" => list_of(list_of(Float32, false), false),
        "proven_value" => list_of(Int8, true),
        "proven_plies" => list_of(UInt16, true),
        "played_probability" => list_of(Float32, false),
        _ => Utf8,
    }
}

/// The Arrow fields of the named columns.
pub(crate) fn fields(columns: &[&str]) -> Vec<FieldRef> {
    let field = |&name: &&str| Arc::new(Field::new(name, column_type(name), false));
    columns.iter().map(field).collect()
}

/// Equal types, whatever the names and the nullability of list elements.
pub(crate) fn same_type(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::List(a), DataType::List(b)) => same_type(a.data_type(), b.data_type()),
        _ => a == b,
    }
}

/// One row of the file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) game_id: u64,
    pub(crate) schema: u32,
    producer: String,
    variant: String,
    board_fingerprint: String,
    rules_fingerprint: String,
    seed: u64,
    start: String,
    start_moves: Vec<u32>,
    outcome: String,
    termination: String,
    r#move: Vec<u32>,
    generation: Vec<u32>,
    simulations: Vec<u32>,
    full_search: Vec<bool>,
    policy_moves: Vec<Vec<u32>>,
    policy_target: Vec<Vec<f32>>,
    visits: Vec<Vec<u32>>,
    root_wdl: Vec<Vec<f32>>,
    net_wdl: Vec<Vec<f32>>,
    proven_value: Vec<Option<i8>>,
    proven_plies: Vec<Option<u16>>,
    played_probability: Vec<f32>,
}

impl Row {
    pub(crate) fn new(game: &GameRecord) -> Self {
        fn list<T>(game: &GameRecord, get: impl FnMut(&PlyRecord) -> T) -> Vec<T> {
            game.plies.iter().map(get).collect()
        }
        Self {
            game_id: game.game_id,
            schema: SCHEMA,
            producer: game.producer.clone(),
            variant: game.variant.clone(),
            board_fingerprint: game.board_fingerprint.clone(),
            rules_fingerprint: game.rules_fingerprint.clone(),
            seed: game.seed,
            start: game.start.clone(),
            start_moves: game.start_moves.clone(),
            outcome: game.outcome.clone(),
            termination: game.termination.clone(),
            r#move: list(game, |p| p.mv),
            generation: list(game, |p| p.generation),
            simulations: list(game, |p| p.simulations),
            full_search: list(game, |p| p.full_search),
            policy_moves: list(game, |p| p.policy_moves.clone()),
            policy_target: list(game, |p| p.policy_target.clone()),
            visits: list(game, |p| p.visits.clone()),
            root_wdl: list(game, |p| p.root_wdl.to_vec()),
            net_wdl: list(game, |p| p.net_wdl.to_vec()),
            proven_value: list(game, |p| p.proven.map(|(value, _)| value)),
            proven_plies: list(game, |p| p.proven.map(|(_, plies)| plies)),
            played_probability: list(game, |p| p.played_probability),
        }
    }

    /// The game, checked.
    pub(crate) fn into_game(mut self) -> Result<GameRecord, Fault> {
        if self.schema != SCHEMA {
            let what = format!("version {}, this program reads {SCHEMA}", self.schema);
            return Err(Fault::column("schema", what));
        }
        self.check_lengths()?;
        let plies =
            (0..self.r#move.len()).map(|ply| self.take_ply(ply)).collect::<Result<_, _>>()?;
        let game = GameRecord {
            game_id: self.game_id,
            producer: self.producer,
            variant: self.variant,
            board_fingerprint: self.board_fingerprint,
            rules_fingerprint: self.rules_fingerprint,
            seed: self.seed,
            start: self.start,
            start_moves: self.start_moves,
            outcome: self.outcome,
            termination: self.termination,
            plies,
        };
        game.validate()?;
        Ok(game)
    }

    fn check_lengths(&self) -> Result<(), Fault> {
        let plies = self.r#move.len();
        let lengths = [
            ("generation", self.generation.len()),
            ("simulations", self.simulations.len()),
            ("full_search", self.full_search.len()),
            ("policy_moves", self.policy_moves.len()),
            ("policy_target", self.policy_target.len()),
            ("visits", self.visits.len()),
            ("root_wdl", self.root_wdl.len()),
            ("net_wdl", self.net_wdl.len()),
            ("proven_value", self.proven_value.len()),
            ("proven_plies", self.proven_plies.len()),
            ("played_probability", self.played_probability.len()),
        ];
        match lengths.into_iter().find(|&(_, len)| len != plies) {
            Some((column, len)) => {
                Err(Fault::column(column, format!("{len} entries for {plies} plies")))
            }
            None => Ok(()),
        }
    }

    fn take_ply(&mut self, ply: usize) -> Result<PlyRecord, Fault> {
        let triple = |column, values: &[f32]| {
            <[f32; 3]>::try_from(values).map_err(|_| {
                Fault::column(column, format!("{} numbers, expected 3", values.len())).at_ply(ply)
            })
        };
        let proven = match (self.proven_value[ply], self.proven_plies[ply]) {
            (Some(value), Some(plies)) => Some((value, plies)),
            (None, None) => None,
            _ => {
                let what = "present without the other of proven_value and proven_plies";
                return Err(Fault::column("proven_value", what).at_ply(ply));
            }
        };
        Ok(PlyRecord {
            mv: self.r#move[ply],
            generation: self.generation[ply],
            simulations: self.simulations[ply],
            full_search: self.full_search[ply],
            policy_moves: std::mem::take(&mut self.policy_moves[ply]),
            policy_target: std::mem::take(&mut self.policy_target[ply]),
            visits: std::mem::take(&mut self.visits[ply]),
            root_wdl: triple("root_wdl", &self.root_wdl[ply])?,
            net_wdl: triple("net_wdl", &self.net_wdl[ply])?,
            proven,
            played_probability: self.played_probability[ply],
        })
    }
}

/// The little of a row that its summary needs.
#[derive(Deserialize)]
pub(crate) struct Summary {
    pub(crate) game_id: u64,
    pub(crate) schema: u32,
    pub(crate) board_fingerprint: String,
    pub(crate) generation: Vec<u32>,
    pub(crate) full_search: Vec<bool>,
}

impl Summary {
    /// The columns it is read from.
    pub(crate) const COLUMNS: [&str; 5] =
        ["game_id", "schema", "board_fingerprint", "generation", "full_search"];
}
