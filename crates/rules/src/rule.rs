//! The rule options of a variant: a few orthogonal enums. Each is set by a key of the variant file.

use crate::bitboard::Bitboard;
use crate::types::Kind;

/// When a piece turns over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// Never.
    None,
    /// At the zone, if its owner wants; always if it could never move again otherwise.
    Choice,
    /// Always at the zone.
    Must,
    /// With every capture, in either direction.
    TurnOnCapture,
    /// With every board move, in either direction.
    TurnAlways,
}

/// Which moves count as moves at the promotion zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// Those that start or end in the zone.
    EnterOrLeave,
    /// Only those that end in it.
    Arrive,
}

/// The promotion rule with its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromotionRule {
    /// When a piece turns over.
    pub rule: Promotion,
    /// Which moves the zone is asked about.
    pub trigger: Trigger,
    /// The zone of each colour, by [`crate::Color::index`]; empty where the rule has none.
    pub zone: [Bitboard; 2],
}

/// What a given move does to the face of the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// It stays.
    Keep,
    /// It turns over.
    Must,
    /// The player chooses.
    May,
}

/// Which faces a piece of the hand may show when dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DropFaces {
    /// There are no hands: captured pieces leave the game.
    None,
    /// The front face.
    Front,
    /// Either face.
    Either,
}

/// What protects the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Royalty {
    /// It may not stand or stay under attack.
    Protected,
    /// It may, and its capture ends the game.
    Capturable,
}

/// Whether the two kings may face each other on an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FacingKings {
    /// Nothing is said about it.
    Allowed,
    /// No move may leave them so.
    Forbidden,
}

/// What a side without a legal move gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoMoves {
    /// It loses.
    Loss,
    /// A draw (checkmate still loses).
    Draw,
    /// It wins (checkmate still loses).
    Win,
}

/// The result of a plain repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepetitionResult {
    /// A draw.
    Draw,
    /// The first player loses.
    FirstLoses,
    /// The player whose move made the last occurrence loses.
    MoverLoses,
}

/// What perpetual check does to a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PerpetualCheck {
    /// The side that did nothing but check loses.
    CheckerLoses,
    /// Nothing.
    Ignored,
}

/// The repetition rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The occurrence of a position that ends the game; at least 2.
    pub count: u32,
    /// Who gets what.
    pub result: RepetitionResult,
    /// The exception for checks.
    pub perpetual_check: PerpetualCheck,
}

/// What perpetual chase, attacking the same piece for ever, does to a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chase {
    /// Nothing. Other rules are reserved.
    None,
}

/// A goal for a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The piece, with either face up; the king unless the file says otherwise.
    pub piece: Kind,
    /// The squares of each colour, by [`crate::Color::index`].
    pub zone: [Bitboard; 2],
    /// Whether it must stand there unattacked.
    pub safe: bool,
}

/// What an impasse, both kings having entered, is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Impasse {
    /// A draw without counting.
    Draw,
    /// Fewer than 24 points lose, otherwise a draw.
    Points24,
    /// 27 points or more win; with 27 each White wins.
    Points27,
}

/// The points a declaration needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declaration {
    /// 28 for Black, 27 for White win.
    Declare27,
    /// 31 win, 24 draw.
    Declare24,
}

/// What counts once kings have entered the enemy camp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entering {
    /// The camp each colour's king enters, by [`crate::Color::index`].
    pub zone: [Bitboard; 2],
    /// The kinds worth 5 points; the king is worth none, every other piece 1.
    pub big: Vec<Kind>,
    /// The result of an impasse, if there is such a thing.
    pub impasse: Option<Impasse>,
    /// Whether a player may declare.
    pub declaration: Option<Declaration>,
}

/// All that is not geometry or movement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// When pieces turn over.
    pub promotion: PromotionRule,
    /// Which faces are dropped.
    pub drop_faces: DropFaces,
    /// Kinds limited in number of unturned own pieces on a file, with the limit.
    pub per_file: Vec<(Kind, u8)>,
    /// The royal kind.
    pub royal: Kind,
    /// What protects it.
    pub royalty: Royalty,
    /// Whether kings may face each other.
    pub facing_kings: FacingKings,
    /// The end without a legal move.
    pub no_moves: NoMoves,
    /// The end by repetition.
    pub repetition: Repetition,
    /// What perpetual chase changes in it.
    pub chase: Chase,
    /// The end by a piece on its goal.
    pub goal: Option<Goal>,
    /// Impasse and declaration.
    pub entering: Option<Entering>,
    /// Draw after so many plies without a capture.
    pub no_capture_limit: Option<u32>,
    /// Draw after so many plies.
    pub max_plies: u32,
}
