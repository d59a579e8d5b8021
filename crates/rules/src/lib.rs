//! The rules of shogi-like games: variants as data, positions, legal moves, endings, text, perft.

mod bitboard;
mod fingerprint;
mod game;
mod moves;
mod outcome;
mod position;
mod rule;
mod seed;
mod types;
mod variant;

pub use bitboard::{Bitboard, Squares};
pub use fingerprint::Fingerprint;
pub use game::{Game, IllegalMove, MoveTextError, move_to_uci, move_to_usi, perft, perft_divide};
pub use moves::Move;
pub use outcome::{Outcome, Termination, UnknownTermination};
pub use position::{Position, PositionError};
pub use rule::{
    DropFaces, FacingKings, Goal, NoMoves, PerpetualCheck, Promotion, PromotionRule, Repetition,
    RepetitionResult, Royalty, Rules, Trigger, Turn,
};
pub use seed::Seed;
pub use types::{Color, Face, Kind, MAX_FACES, MAX_KINDS, MAX_SQUARES, Piece, Square};
pub use variant::{Variant, VariantErrors};
