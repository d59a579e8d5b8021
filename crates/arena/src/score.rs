//! What players say of their positions.

use std::fmt;
use std::str::FromStr;

/// Centipawns that odds of e to 1 are worth: `centipawns = SCALE * ln(p / (1 - p))` with the expected
/// score `p` from 0 to 1. 600 is the usual constant of shogi engines and their interfaces (Ponanza,
/// ShogiHome); nets trained for dlshogi are read with 756.
pub const SCALE: f64 = 600.0;

/// What a player thinks of a position, from its own side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Expected score from -1 (lost) to 1 (won).
    Value(f32),
    /// Centipawns, as engines say.
    Centipawns(i32),
    /// It says that it mates in so many plies; `None`: it does not say in how many.
    Mates(Option<u32>),
    /// It says that it is mated in so many plies.
    Mated(Option<u32>),
}

/// Larger than any evaluation in centipawns; a mate counts as this.
const MATE: f64 = 100_000.0;

impl Score {
    /// In centipawns, finite: a value by [`SCALE`], a mate as 100,000.
    pub fn centipawns(self) -> f64 {
        match self {
            Score::Value(value) => {
                let p = (f64::from(value) + 1.0) / 2.0;
                (SCALE * (p / (1.0 - p)).ln()).clamp(-MATE, MATE)
            }
            Score::Centipawns(centipawns) => f64::from(centipawns).clamp(-MATE, MATE),
            Score::Mates(_) => MATE,
            Score::Mated(_) => -MATE,
        }
    }
}

/// `0.250`, `cp120`, `mate7`, `mated4`, `mate`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Value(value) => write!(f, "{value:.3}"),
            Score::Centipawns(centipawns) => write!(f, "cp{centipawns}"),
            Score::Mates(None) => f.write_str("mate"),
            Score::Mates(Some(plies)) => write!(f, "mate{plies}"),
            Score::Mated(None) => f.write_str("mated"),
            Score::Mated(Some(plies)) => write!(f, "mated{plies}"),
        }
    }
}

/// A text that is no score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no score; expected such as 0.250, cp120, mate7, mated4")]
pub struct ScoreError(pub String);

/// Reads what `Display` writes.
impl FromStr for Score {
    type Err = ScoreError;

    fn from_str(text: &str) -> Result<Score, ScoreError> {
        let fault = || ScoreError(text.chars().take(20).collect());
        let plies = |digits: &str| match digits {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| fault()),
        };
        if let Some(rest) = text.strip_prefix("mated") {
            return plies(rest).map(Score::Mated);
        }
        if let Some(rest) = text.strip_prefix("mate") {
            return plies(rest).map(Score::Mates);
        }
        if let Some(rest) = text.strip_prefix("cp") {
            return rest.parse().map(Score::Centipawns).map_err(|_| fault());
        }
        let value: f32 = text.parse().map_err(|_| fault())?;
        (-1.0..=1.0).contains(&value).then_some(Score::Value(value)).ok_or_else(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_round_trip() {
        let scores = ["0.250", "-1.000", "cp-35", "mate", "mate7", "mated", "mated12"];
        for text in scores {
            assert_eq!(text.parse::<Score>().unwrap().to_string(), text);
        }
        for text in ["", "x", "cp", "1.5", "nan", "mate-3", "inf"] {
            assert!(text.parse::<Score>().is_err(), "{text}");
        }
    }

    #[test]
    fn centipawns_are_finite_and_mirrored() {
        assert_eq!(Score::Value(0.0).centipawns(), 0.0);
        let half = Score::Value(0.5).centipawns();
        assert!((half - SCALE * 3f64.ln()).abs() < 1e-9, "{half}: odds of 3 to 1");
        for (won, lost) in [
            (Score::Value(1.0), Score::Value(-1.0)),
            (Score::Mates(Some(1)), Score::Mated(None)),
            (Score::Centipawns(i32::MAX), Score::Centipawns(i32::MIN)),
        ] {
            assert_eq!((won.centipawns(), lost.centipawns()), (MATE, -MATE));
        }
    }
}
