//! The plain values and what makes one valid.

use rules::{Move, Termination};

use crate::error::Fault;

/// One finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Number of the game, unique in its run.
    pub game_id: u64,
    /// Program and version that played the game, for excluding a faulty one later.
    pub producer: String,
    /// Variant id.
    pub variant: String,
    /// Fingerprint of geometry, pieces, promotion and drops, in hex.
    pub board_fingerprint: String,
    /// Fingerprint of the whole rules, endings included, in hex.
    pub rules_fingerprint: String,
    /// Seed all chance in this game came from.
    pub seed: u64,
    /// Position the game was set up from, as FEN.
    pub start: String,
    /// Packed moves played from `start` before the first recorded ply (a random or forked opening).
    pub start_moves: Vec<u32>,
    /// `first`, `second` (the winner) or `draw`.
    pub outcome: String,
    /// How it ended: a name of [`rules::Termination`].
    pub termination: String,
    /// The recorded plies in order; ply 0 is played after `start_moves`.
    pub plies: Vec<PlyRecord>,
}

/// One move of a game and what the search knew. All values are seen from the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyRecord {
    /// The packed move played, see [`rules::Move::bits`].
    pub mv: u32,
    /// Generation of the net that searched; 0 is the one before any training.
    pub generation: u32,
    /// Simulations the search spent.
    pub simulations: u32,
    /// Whether this was a full search, whose targets are trained on.
    pub full_search: bool,
    /// Packed moves of the policy target.
    pub policy_moves: Vec<u32>,
    /// Probability of each of `policy_moves`; sums to 1 unless empty.
    pub policy_target: Vec<f32>,
    /// Visits of each of `policy_moves`, or empty if not kept.
    pub visits: Vec<u32>,
    /// Win, draw, loss after the search; sums to 1.
    pub root_wdl: [f32; 3],
    /// Win, draw, loss of the net alone; sums to 1.
    pub net_wdl: [f32; 3],
    /// Exact value (-1, 0, 1) and plies to the end, where the search proved the position.
    pub proven: Option<(i8, u16)>,
    /// The policy target's probability of the move played.
    pub played_probability: f32,
}

/// Longest string in a record, in bytes.
const MAX_TEXT: usize = 4096;
/// Most plies in a game.
const MAX_PLIES: usize = 1 << 16;
/// Most moves in a policy target.
const MAX_MOVES: usize = 1 << 12;
/// How far a sum of probabilities may be from 1.
const SUM_TOLERANCE: f32 = 1e-3;

impl GameRecord {
    /// Checks everything that can be checked without replaying the game.
    ///
    /// # Errors
    /// The first fault, with column and ply.
    pub fn validate(&self) -> Result<(), Fault> {
        let texts = [
            ("producer", &self.producer),
            ("variant", &self.variant),
            ("board_fingerprint", &self.board_fingerprint),
            ("rules_fingerprint", &self.rules_fingerprint),
            ("start", &self.start),
        ];
        for (column, text) in texts {
            if text.len() > MAX_TEXT {
                return Err(Fault::column(column, format!("longer than {MAX_TEXT} bytes")));
            }
        }
        if !["first", "second", "draw"].contains(&self.outcome.as_str()) {
            let what = format!("{:?} is not one of first, second, draw", clip(&self.outcome));
            return Err(Fault::column("outcome", what));
        }
        if self.termination.parse::<Termination>().is_err() {
            let what = format!("{:?} is not a known termination", clip(&self.termination));
            return Err(Fault::column("termination", what));
        }
        if self.plies.len().max(self.start_moves.len()) > MAX_PLIES {
            return Err(Fault::column("move", format!("more than {MAX_PLIES} plies")));
        }
        if let Some(&bits) = self.start_moves.iter().find(|&&bits| !is_move(bits)) {
            return Err(Fault::column("start_moves", format!("{bits:#x} is not a packed move")));
        }
        for (ply, record) in self.plies.iter().enumerate() {
            record.validate().map_err(|fault| fault.at_ply(ply))?;
        }
        Ok(())
    }
}

impl PlyRecord {
    fn validate(&self) -> Result<(), Fault> {
        if !is_move(self.mv) {
            return Err(Fault::column("move", format!("{:#x} is not a packed move", self.mv)));
        }
        self.validate_policy()?;
        check_distribution("root_wdl", &self.root_wdl)?;
        check_distribution("net_wdl", &self.net_wdl)?;
        if let Some((value, _)) = self.proven
            && !(-1..=1).contains(&value)
        {
            return Err(Fault::column("proven_value", format!("{value} is not -1, 0 or 1")));
        }
        if !is_probability(self.played_probability) {
            let what = format!("{} is not a probability", self.played_probability);
            return Err(Fault::column("played_probability", what));
        }
        Ok(())
    }

    fn validate_policy(&self) -> Result<(), Fault> {
        let moves = self.policy_moves.len();
        if moves > MAX_MOVES {
            return Err(Fault::column("policy_moves", format!("more than {MAX_MOVES} moves")));
        }
        if self.policy_target.len() != moves {
            let what = format!("{} entries for {moves} moves", self.policy_target.len());
            return Err(Fault::column("policy_target", what));
        }
        if !self.visits.is_empty() && self.visits.len() != moves {
            let what = format!("{} entries for {moves} moves", self.visits.len());
            return Err(Fault::column("visits", what));
        }
        let mut sorted = self.policy_moves.clone();
        sorted.sort_unstable();
        if let Some(&bits) = sorted.iter().find(|&&bits| !is_move(bits)) {
            return Err(Fault::column("policy_moves", format!("{bits:#x} is not a packed move")));
        }
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Fault::column("policy_moves", "a move is listed twice"));
        }
        if moves > 0 {
            check_distribution("policy_target", &self.policy_target)?;
        }
        Ok(())
    }
}

/// Whether the bits name a move of the packing in [`rules::Move`].
fn is_move(bits: u32) -> bool {
    bits >> 21 == 0 && Move::from_bits(bits).bits() == bits
}

fn is_probability(p: f32) -> bool {
    (0.0..=1.0 + SUM_TOLERANCE).contains(&p)
}

fn check_distribution(column: &'static str, values: &[f32]) -> Result<(), Fault> {
    if let Some(p) = values.iter().find(|&&p| !is_probability(p)) {
        return Err(Fault::column(column, format!("{p} is not a probability")));
    }
    let sum: f32 = values.iter().sum();
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err(Fault::column(column, format!("sums to {sum}, expected 1")));
    }
    Ok(())
}

/// The start of a text, for messages.
fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}
