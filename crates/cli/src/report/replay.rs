//! A recorded game as the page shows it: every move spelled, with what the search knew.

use std::sync::Arc;

use records::{GameRecord, PlyRecord};
use rules::{Color, Game, Move, Notation, Position, Variant};
use serde::Serialize;

use super::look::{Placed, fen};

/// Moves of the search that are shown for each ply.
pub(super) const TOP: usize = 5;

/// A move as players write it.
#[derive(Debug, Serialize)]
pub(super) struct Spelled {
    ja: String,
    en: String,
}

/// A game for the page.
#[derive(Debug, Serialize)]
pub(super) struct Replay {
    game_id: u64,
    /// Generation that began the game.
    generation: u32,
    /// Why it was chosen: a key of the page's texts.
    reason: &'static str,
    /// Where it was set up; null at the variant's start position.
    start: Option<Placed>,
    outcome: String,
    termination: String,
    plies: Vec<Ply>,
}

/// A move and the search before it; random opening moves have none.
#[derive(Debug, Serialize)]
struct Ply {
    /// Packed.
    #[serde(rename = "move")]
    mv: u32,
    #[serde(flatten)]
    text: Spelled,
    search: Option<Search>,
}

/// What the search knew. Win, draw and loss are the first player's here, in thousandths.
#[derive(Debug, Serialize)]
struct Search {
    generation: u32,
    simulations: u32,
    root: [u32; 3],
    net: [u32; 3],
    /// Exact value for the side to move (-1, 0, 1) and plies to the end.
    proven: Option<(i8, u16)>,
    top: Vec<Candidate>,
}

/// A move that the search weighed.
#[derive(Debug, Serialize)]
struct Candidate {
    #[serde(rename = "move")]
    mv: u32,
    #[serde(flatten)]
    text: Spelled,
    /// Probability in the policy target, in thousandths.
    target: u32,
    visits: Option<u32>,
}

impl Spelled {
    /// Both spellings of a legal move of the game's position.
    pub(super) fn of(game: &Game, mv: Move) -> Self {
        // Games without hands are xiangqi and its like.
        let (ja, en) = match game.variant().droppable_faces() {
            [] => (Notation::Wxf, Notation::Wxf),
            _ => (Notation::Kif, Notation::Western),
        };
        Self { ja: ja.write(game, mv), en: en.write(game, mv) }
    }
}

/// Replays a record by the rules. Returns it for the page, and the FEN of every position.
///
/// # Errors
/// The first fault: the start position or a move that the rules do not know.
pub(super) fn replay(
    variant: &Arc<Variant>,
    record: &GameRecord,
    reason: &'static str,
) -> Result<(Replay, Vec<String>), String> {
    let at = |place: String, fault: String| format!("game {}, {place}: {fault}", record.game_id);
    let position = Position::parse(variant, &record.start)
        .map_err(|error| at("start".to_owned(), error.to_string()))?;
    let start = (position != *variant.start()).then(|| Placed::of(variant, &position));
    let mut game = Game::from_position(Arc::clone(variant), position);
    let (mut fens, mut plies, mut legal) = (vec![fen(&game)], Vec::new(), Vec::new());
    let opening = record.start_moves.iter().map(|&mv| (mv, None));
    for (bits, ply) in opening.chain(record.plies.iter().map(|ply| (ply.mv, Some(ply)))) {
        game.status(&mut legal);
        let mv = Move::from_bits(bits);
        // Only legal moves can be spelled.
        let text = legal.contains(&mv).then(|| Spelled::of(&game, mv));
        let search = ply.map(|ply| Search::of(&game, &legal, ply));
        let played = game.try_play(mv).map_err(|error| error.to_string());
        played.map_err(|error| at(format!("ply {}", plies.len() + 1), error))?;
        plies.extend(text.map(|text| Ply { mv: bits, text, search }));
        fens.push(fen(&game));
    }
    let replay = Replay {
        game_id: record.game_id,
        generation: generation(record),
        reason,
        start,
        outcome: record.outcome.clone(),
        termination: record.termination.clone(),
        plies,
    };
    Ok((replay, fens))
}

/// The generation that began a game: counting games by the one that ended them would favour short
/// games in the first generation after a change.
pub(super) fn generation(record: &GameRecord) -> u32 {
    record.plies.first().map_or(0, |ply| ply.generation)
}

impl Search {
    fn of(game: &Game, legal: &[Move], ply: &PlyRecord) -> Self {
        let top = candidates(ply).into_iter().filter_map(|(bits, target, visits)| {
            let mv = Move::from_bits(bits);
            let text = legal.contains(&mv).then(|| Spelled::of(game, mv))?;
            Some(Candidate { mv: bits, text, target: thousandths(target), visits })
        });
        let side = game.side_to_move();
        Self {
            generation: ply.generation,
            simulations: ply.simulations,
            root: of_first(ply.root_wdl, side),
            net: of_first(ply.net_wdl, side),
            proven: ply.proven,
            top: top.collect(),
        }
    }
}

/// The moves with most of the policy target: packed move, target, visits.
fn candidates(ply: &PlyRecord) -> Vec<(u32, f32, Option<u32>)> {
    let visits = |index: usize| ply.visits.get(index).copied();
    let moves = ply.policy_moves.iter().zip(&ply.policy_target).enumerate();
    let mut moves: Vec<_> =
        moves.map(|(index, (&mv, &target))| (mv, target, visits(index))).collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.2.cmp(&a.2)));
    moves.truncate(TOP);
    moves
}

/// The record without what the page does not show.
pub(super) fn trimmed(record: &GameRecord) -> GameRecord {
    let mut record = record.clone();
    for ply in &mut record.plies {
        let top = candidates(ply);
        ply.policy_moves = top.iter().map(|(mv, _, _)| *mv).collect();
        ply.policy_target = top.iter().map(|(_, target, _)| *target).collect();
        ply.visits = top.iter().filter_map(|(_, _, visits)| *visits).collect();
    }
    record
}

/// Win, draw and loss of the first player.
fn of_first([win, draw, loss]: [f32; 3], side: Color) -> [u32; 3] {
    let seen = if side == Color::Black { [win, draw, loss] } else { [loss, draw, win] };
    seen.map(thousandths)
}

fn thousandths(share: f32) -> u32 {
    (share * 1000.0).round() as u32
}
