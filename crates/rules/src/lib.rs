//! The rules of shogi, xiangqi and their relatives: variants as data, positions, legal moves,
//! endings, text of positions and moves, perft. No IO.
//!
//! A [`Variant`] is compiled from a TOML file and never changes; a [`Position`] is a plain value; a
//! [`Game`] is a variant with the positions played so far, and answers the one question of players
//! and searches: which moves are legal, or how did it end ([`Game::status`], and with declarations
//! [`Game::verdict`]).
//!
//! ```
//! use rules::{Game, Variant, move_to_uci};
//!
//! let micro = Variant::builtin("micro").expect("micro is built in");
//! let mut game = Game::new(micro.clone());
//! let pawn = game.parse_move("d2d3").expect("it is a move");
//! game.try_play(pawn).expect("it is legal");
//! assert_eq!(move_to_uci(&micro, pawn), "d2d3");
//! assert_eq!(game.position().to_fen(&micro), "kb+r+l/p3/3P/4/+L+RBK[-] b 0 1");
//! ```

mod betza;
mod bitboard;
mod builtin;
mod canonical;
mod checks;
mod drops;
mod ending;
mod entering;
mod fen;
mod fingerprint;
mod game;
mod geometry;
mod guard;
mod illegal;
mod mirror;
mod movegen;
mod movement;
mod mover;
mod moves;
mod notation;
mod outcome;
mod perft;
mod position;
mod rule;
mod seed;
mod sink;
mod spec;
mod tables;
mod types;
mod variant;

pub use bitboard::{Bitboard, Squares};
pub use fen::PositionError;
pub use fingerprint::Fingerprint;
pub use game::Game;
pub use illegal::IllegalMove;
pub use movement::{Passage, Reach};
pub use moves::Move;
pub use notation::{
    MoveTextError, Notation, UnknownNotation, move_to_uci, move_to_usi, square_name,
};
pub use outcome::{Outcome, Termination, UnknownTermination};
pub use perft::{Counting, perft, perft_counting, perft_divide};
pub use position::Position;
pub use rule::{
    Chase, Declaration, DropFaces, Entering, FacingKings, Goal, Impasse, NoMoves, PerpetualCheck,
    Promotion, PromotionRule, Repetition, RepetitionResult, Royalty, Rules, Trigger, Turn,
};
pub use seed::Seed;
pub use spec::{VariantError, VariantErrors};
pub use types::{Color, Face, Kind, MAX_FACES, MAX_KINDS, MAX_SQUARES, Piece, Square};
pub use variant::Variant;
