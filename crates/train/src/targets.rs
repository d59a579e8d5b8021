//! What the net should have said about a position.

use encode::{Encoder, Mirror};
use rules::Color;

use crate::batch::Batch;
use crate::config::TrainConfig;
use crate::dataset::StoredGame;

/// Plies after which the search's value is the target of the short-term head.
const SHORT_TERM: usize = 6;
/// Unit of the plies left, in plies.
const PLIES_UNIT: f32 = 20.0;

/// Win, draw, loss of a side whose exact value is -1, 0 or 1.
fn exact(value: i8) -> [f32; 3] {
    match value {
        1.. => [1.0, 0.0, 0.0],
        0 => [0.0, 1.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    }
}

fn outcome(winner: Option<Color>, side: Color) -> [f32; 3] {
    exact(winner.map_or(0, |winner| if winner == side { 1 } else { -1 }))
}

/// The same value from the other side.
fn flipped([win, draw, loss]: [f32; 3]) -> [f32; 3] {
    [loss, draw, win]
}

/// The value target at a ply whose side to move is `side`.
fn value(game: &StoredGame, ply: usize, side: Color, mix: f32) -> [f32; 3] {
    let record = &game.plies[ply];
    if let Some(value) = record.proven {
        return exact(value);
    }
    let end = outcome(game.winner, side);
    std::array::from_fn(|i| mix * end[i] + (1.0 - mix) * record.wdl[i])
}

/// The search's value [`SHORT_TERM`] plies later, or the outcome if the game ends before.
fn short_term(game: &StoredGame, ply: usize, side: Color) -> [f32; 3] {
    match game.plies.get(ply + SHORT_TERM) {
        None => outcome(game.winner, side),
        Some(later) => {
            let wdl = later.proven.map_or(later.wdl, exact);
            if SHORT_TERM.is_multiple_of(2) { wdl } else { flipped(wdl) }
        }
    }
}

/// Writes one position into its row of a batch.
pub(crate) struct Writer<'a> {
    pub(crate) encoder: &'a Encoder,
    pub(crate) config: &'a TrainConfig,
    /// Room for planes before they are mirrored, `[planes, ranks, files]`.
    pub(crate) scratch: Vec<f32>,
}

impl Writer<'_> {
    /// Fills row `row` of a fresh batch with the position at `ply`, seen in a mirror if there is one.
    pub(crate) fn write(
        &mut self,
        game: &StoredGame,
        ply: usize,
        mirror: Option<&Mirror>,
        row: usize,
        batch: &mut Batch,
    ) {
        let position = game.at(ply);
        let side = position.side_to_move();
        let len = self.encoder.input_len();
        let planes = &mut batch.planes[row * len..][..len];
        match mirror {
            None => self.encoder.encode(&position, planes),
            Some(mirror) => {
                self.encoder.encode(&position, &mut self.scratch);
                mirror.apply_planes(&self.scratch, planes);
            }
        }
        self.policy(game, ply, mirror, row, batch);
        self.reply(game, ply + 1, mirror, row, batch);
        let wdl = value(game, ply, side, self.config.value_mix as f32);
        batch.wdl[row * 3..][..3].copy_from_slice(&wdl);
        batch.short_term[row * 3..][..3].copy_from_slice(&short_term(game, ply, side));
        batch.plies_left[row] = (game.plies.len() - ply) as f32 / PLIES_UNIT;
    }

    fn policy(
        &self,
        game: &StoredGame,
        ply: usize,
        mirror: Option<&Mirror>,
        row: usize,
        batch: &mut Batch,
    ) {
        let start = row * self.encoder.vocabulary().len();
        let weight = self.weight(game, ply);
        let root = |target: f32| target.sqrt().sqrt();
        let sum: f32 = game.policy(ply).map(|(_, target)| root(target)).sum();
        for (index, target) in game.policy(ply) {
            let place = start + image(mirror, index);
            batch.legal[place] = 0.0;
            if weight > 0.0 {
                batch.policy[place] = weight * target;
                batch.soft_policy[place] = weight * root(target) / sum;
            }
        }
    }

    /// How much the policy target at a ply counts: where all moves lose, one is hardly better.
    fn weight(&self, game: &StoredGame, ply: usize) -> f32 {
        match game.plies.get(ply).map(|record| (record.has_target, record.proven)) {
            None | Some((false, _)) => 0.0,
            Some((true, Some(-1))) => self.config.lost_policy as f32,
            Some((true, _)) => 1.0,
        }
    }

    fn reply(
        &self,
        game: &StoredGame,
        ply: usize,
        mirror: Option<&Mirror>,
        row: usize,
        batch: &mut Batch,
    ) {
        let weight = self.weight(game, ply);
        if weight == 0.0 {
            return;
        }
        let start = row * self.encoder.vocabulary().len();
        for (index, target) in game.policy(ply) {
            let place = start + image(mirror, index);
            batch.reply_legal[place] = 0.0;
            batch.reply[place] = weight * target;
        }
    }
}

fn image(mirror: Option<&Mirror>, index: usize) -> usize {
    mirror.map_or(index, |mirror| mirror.policy()[index] as usize)
}
