//! The games of a window, kept so that any position of them is quickly rebuilt.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use encode::Encoder;
use records::{ChunkStore, GameRecord, Manifest};
use rules::{Color, Game, Move, Position};

use crate::error::DatasetError;
use crate::trainer::{Control, Progress};

/// The games of a window. A sample is a recorded ply that was fully searched; samples are numbered
/// by chunk, game and ply, whatever the order in which chunks were added.
#[derive(Debug)]
pub struct Dataset {
    encoder: Arc<Encoder>,
    chunks: BTreeMap<u64, Vec<StoredGame>>,
    samples: Vec<SampleId>,
    held: Held,
}

/// How much of a window has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Chunks in memory.
    pub chunks: usize,
    /// Samples in them.
    pub samples: u64,
    /// Memory they take, nearly.
    pub bytes: u64,
}

impl Held {
    fn add(&mut self, games: &[StoredGame]) {
        self.chunks += 1;
        self.samples += games.iter().map(StoredGame::samples).sum::<u64>();
        self.bytes += games.iter().map(StoredGame::bytes).sum::<u64>();
    }
}

/// Where a sample lies.
#[derive(Clone, Copy, Debug)]
struct SampleId {
    chunk: u64,
    game: u32,
    ply: u32,
}

/// A replayed game.
#[derive(Debug)]
pub(crate) struct StoredGame {
    /// The position of ply 0, with the history that led there.
    start: Game,
    /// Who won.
    pub(crate) winner: Option<Color>,
    pub(crate) plies: Vec<StoredPly>,
    /// Policy indices of the legal moves of all plies, in the mover's view.
    legal: Vec<u16>,
    /// Target of each of `legal`.
    target: Vec<f32>,
}

/// A ply of a replayed game. Values are seen from its side to move.
#[derive(Debug)]
pub(crate) struct StoredPly {
    mv: Move,
    legal: Range<u32>,
    /// Whether it is trained on.
    sample: bool,
    /// Whether there is a policy target.
    pub(crate) has_target: bool,
    /// Value after the search.
    pub(crate) wdl: [f32; 3],
    /// Exact value, if proven.
    pub(crate) proven: Option<i8>,
}

impl StoredGame {
    /// The game with `ply` recorded plies played.
    pub(crate) fn at(&self, ply: usize) -> Game {
        let mut game = self.start.clone();
        for played in &self.plies[..ply] {
            game.play(played.mv);
        }
        game
    }

    fn samples(&self) -> u64 {
        self.plies.iter().filter(|ply| ply.sample).count() as u64
    }

    /// Memory it takes, with its share of the list of samples.
    fn bytes(&self) -> u64 {
        let each_ply = size_of::<StoredPly>() + size_of::<SampleId>();
        let each_legal = size_of::<u16>() + size_of::<f32>();
        let positions = (self.start.moves().len() + 1) * size_of::<Position>();
        let bytes = size_of::<Self>()
            + positions
            + self.plies.capacity() * each_ply
            + self.legal.capacity() * each_legal;
        bytes as u64
    }

    /// Policy indices of the legal moves at a ply and their targets (0 without a target).
    pub(crate) fn policy(&self, ply: usize) -> impl Iterator<Item = (usize, f32)> {
        let Range { start, end } = self.plies[ply].legal;
        let range = start as usize..end as usize;
        let indices = self.legal[range.clone()].iter().map(|&index| usize::from(index));
        indices.zip(self.target[range].iter().copied())
    }
}

impl Dataset {
    /// No games yet.
    pub fn new(encoder: Arc<Encoder>) -> Self {
        Self { encoder, chunks: BTreeMap::new(), samples: Vec::new(), held: Held::default() }
    }

    /// The encoder of the samples.
    pub fn encoder(&self) -> &Arc<Encoder> {
        &self.encoder
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is nothing to train on.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The window held.
    pub fn manifest(&self) -> Manifest {
        Manifest { chunks: self.chunks.keys().copied().collect(), samples: self.len() as u64 }
    }

    /// Makes this exactly the window of a manifest: drops chunks that have left it and reads those
    /// that are new, asking `on_chunk` before each whether to go on, from what is held by then. The
    /// window is incomplete after [`Control::Stop`] and may be asked for again.
    ///
    /// # Errors
    /// A chunk cannot be read or replayed; the window is then incomplete and may be asked for again.
    pub fn set_window(
        &mut self,
        store: &ChunkStore,
        window: &Manifest,
        on_chunk: &mut dyn FnMut(Held) -> Control,
    ) -> Result<Progress, DatasetError> {
        let wanted: BTreeSet<u64> = window.chunks.iter().copied().collect();
        self.chunks.retain(|chunk, _| wanted.contains(chunk));
        self.held = Held::default();
        self.chunks.values().for_each(|games| self.held.add(games));
        self.samples.clear();
        for &chunk in &wanted {
            if !self.chunks.contains_key(&chunk) {
                if on_chunk(self.held) == Control::Stop {
                    return Ok(Progress::Stopped);
                }
                let games = replay_all(&self.encoder, chunk, &store.read(chunk)?)?;
                self.held.add(&games);
                self.chunks.insert(chunk, games);
            }
        }
        self.number_samples();
        Ok(Progress::Done)
    }

    /// Adds (or replaces) a chunk of games.
    ///
    /// # Errors
    /// A game cannot be replayed; nothing is added then.
    pub fn add(&mut self, chunk: u64, games: &[GameRecord]) -> Result<(), DatasetError> {
        let games = replay_all(&self.encoder, chunk, games)?;
        self.chunks.insert(chunk, games);
        self.held = Held::default();
        self.chunks.values().for_each(|games| self.held.add(games));
        self.number_samples();
        Ok(())
    }

    fn number_samples(&mut self) {
        self.samples.clear();
        for (&chunk, games) in &self.chunks {
            for (game, stored) in (0u32..).zip(games) {
                let searched = (0u32..).zip(&stored.plies).filter(|(_, ply)| ply.sample);
                self.samples.extend(searched.map(|(ply, _)| SampleId { chunk, game, ply }));
            }
        }
    }

    /// The game and ply of a sample.
    pub(crate) fn sample(&self, index: usize) -> (&StoredGame, usize) {
        let SampleId { chunk, game, ply } = self.samples[index];
        (&self.chunks[&chunk][game as usize], ply as usize)
    }
}

fn replay_all(
    encoder: &Encoder,
    chunk: u64,
    games: &[GameRecord],
) -> Result<Vec<StoredGame>, DatasetError> {
    let replay_one = |record: &GameRecord| {
        replay(encoder, record).map_err(|(ply, what)| DatasetError::Game {
            chunk,
            game_id: record.game_id,
            ply,
            what,
        })
    };
    games.iter().map(replay_one).collect()
}

/// What is wrong with a game, and at which recorded ply.
type ReplayFault = (Option<usize>, String);

/// The game at its ply 0.
fn start_game(encoder: &Encoder, record: &GameRecord) -> Result<Game, ReplayFault> {
    let game_fault = |what: String| (None, what);
    record.validate().map_err(|fault| (fault.ply, fault.to_string()))?;
    let variant = encoder.variant();
    let expected = variant.board_fingerprint().to_string();
    if record.board_fingerprint != expected {
        let what = format!("board {:.16}…, expected {expected:.16}…", record.board_fingerprint);
        return Err(game_fault(what));
    }
    let position =
        Position::parse(variant, &record.start).map_err(|e| game_fault(format!("start: {e}")))?;
    let mut game = Game::from_position(Arc::clone(variant), position);
    for (i, &bits) in record.start_moves.iter().enumerate() {
        game.try_play(Move::from_bits(bits))
            .map_err(|e| game_fault(format!("start move {i}: {e}")))?;
    }
    Ok(game)
}

fn replay(encoder: &Encoder, record: &GameRecord) -> Result<StoredGame, ReplayFault> {
    let mut game = start_game(encoder, record)?;
    let winner = match record.outcome.as_str() {
        "first" => Some(Color::Black),
        "second" => Some(Color::White),
        _ => None,
    };
    let mut stored = StoredGame {
        start: game.clone(),
        winner,
        plies: Vec::with_capacity(record.plies.len()),
        legal: Vec::new(),
        target: Vec::new(),
    };
    let mut moves = Vec::new();
    for (index, ply) in record.plies.iter().enumerate() {
        let fault = |what: String| (Some(index), what);
        if let Some(outcome) = game.status(&mut moves) {
            return Err(fault(format!("the game is over: {}", outcome.termination.as_str())));
        }
        let start = stored.legal.len();
        for &mv in &moves {
            let index = encoder.vocabulary().index(mv, game.side_to_move());
            stored.legal.push(u16::try_from(index).expect("vocabularies have 16-bit indices"));
        }
        stored.target.resize(stored.legal.len(), 0.0);
        for (&bits, &target) in ply.policy_moves.iter().zip(&ply.policy_target) {
            let place = moves.iter().position(|mv| mv.bits() == bits);
            let place = place.ok_or_else(|| fault(format!("target move {bits:#x} is illegal")))?;
            stored.target[start + place] = target;
        }
        let mv = Move::from_bits(ply.mv);
        game.try_play(mv).map_err(|e| fault(format!("move {:#x}: {e}", ply.mv)))?;
        stored.plies.push(StoredPly {
            mv,
            legal: start as u32..stored.legal.len() as u32,
            sample: ply.full_search,
            has_target: !ply.policy_moves.is_empty(),
            wdl: ply.root_wdl,
            proven: ply.proven.map(|(value, _)| value),
        });
    }
    Ok(stored)
}
