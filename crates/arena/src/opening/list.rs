//! Openings from a text: a position or a game a line, as books for engine matches have them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use rules::{Game, Move, Position, Seed, Variant};

use rand::RngExt;

use super::Opening;

/// Openings read from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningList {
    /// One for each position, in the order of the text.
    pub openings: Vec<Opening>,
    /// Lines left out because they lead to a position that was there before.
    pub repeated: usize,
}

/// A line that is no opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFault {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

/// All lines that are no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ListFaults(pub Vec<ListFault>);

/// Most faults that are told one by one.
const TOLD: usize = 10;

impl fmt::Display for ListFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |fault: &ListFault| format!("line {}: {}", fault.line, fault.problem);
        let told: Vec<String> = self.0.iter().take(TOLD).map(text).collect();
        f.write_str(&told.join("\n"))?;
        match self.0.len().saturating_sub(TOLD) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more lines"),
        }
    }
}

/// Words at the end of a game line that say how it ended.
const ENDINGS: [&str; 8] =
    ["resign", "win", "draw", "rep_draw", "rep_inf", "timeout", "break", "mate"];

/// Reads a list of openings, one a line: `startpos moves …`, `sfen … moves …`, `fen …` (each after
/// `position` or not), a bare SFEN, FEN or EPD, or bare moves in USI or UCI from the start position.
/// Lines that are empty or begin with `#` do not count. Of each line at most `plies` moves are played;
/// 0: all.
///
/// # Errors
/// All lines that cannot be read, name illegal moves or lead to the end of a game.
pub fn read_list(
    variant: &Arc<Variant>,
    text: &str,
    plies: usize,
) -> Result<OpeningList, ListFaults> {
    let mut list = OpeningList { openings: Vec::new(), repeated: 0 };
    let (mut seen, mut faults) = (BTreeSet::new(), Vec::new());
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(variant, line, plies) {
            Ok((key, opening)) if seen.insert(key) => list.openings.push(opening),
            Ok(_) => list.repeated += 1,
            Err(problem) => faults.push(ListFault { line: number, problem }),
        }
    }
    if faults.is_empty() && list.openings.is_empty() {
        faults.push(ListFault { line: 1, problem: "there is no opening".to_owned() });
    }
    if faults.is_empty() { Ok(list) } else { Err(ListFaults(faults)) }
}

/// Brings openings into an order that the seed decides (Fisher-Yates).
pub fn shuffle(openings: &mut [Opening], seed: Seed) {
    let mut rng = seed.rng();
    for last in (1..openings.len()).rev() {
        openings.swap(last, rng.random_range(0..=last));
    }
}

/// An opening with the key of the position it leads to.
fn read_line(variant: &Arc<Variant>, line: &str, plies: usize) -> Result<(u64, Opening), String> {
    let line = line.strip_prefix("position ").unwrap_or(line).trim();
    let (place, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let place = place.trim_end_matches(" moves").trim();
    let bare = place.strip_prefix("sfen ").or(place.strip_prefix("fen ")).unwrap_or(place);
    let (start, moves) = if bare == "startpos" {
        (None, moves)
    } else if bare.split_whitespace().next().is_some_and(|word| word.contains('/')) {
        (Some(position(variant, bare)?), moves)
    } else {
        (None, line)
    };
    let from = start.clone().unwrap_or_else(|| variant.start().clone());
    let mut game = Game::from_position(variant.clone(), from);
    let most = if plies == 0 { usize::MAX } else { plies };
    let words = moves.split_whitespace().take_while(|word| !ENDINGS.contains(word));
    for word in words.take(most) {
        let mv: Move = game.parse_move(word).map_err(|error| error.to_string())?;
        game.try_play(mv).map_err(|why| format!("`{word}` (move {}): {why}", game.ply() + 1))?;
    }
    if let Some(outcome) = game.verdict(&mut Vec::new()) {
        return Err(format!("the game is over there ({})", outcome.termination));
    }
    let moves = game.moves().to_vec();
    Ok((game.position().key(), Opening { start, moves }))
}

/// A position, also one with the operations of an EPD line behind it.
fn position(variant: &Variant, text: &str) -> Result<Position, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let shorter = (2..=fields.len().min(4)).rev().map(|count| fields[..count].join(" "));
    let whole = Position::parse(variant, text);
    match whole {
        Ok(position) => Ok(position),
        Err(error) => shorter
            .filter_map(|text| Position::parse(variant, &text).ok())
            .next()
            .ok_or_else(|| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(id: &str, text: &str) -> Result<OpeningList, ListFaults> {
        read_list(&Variant::builtin(id).unwrap(), text, 0)
    }

    #[test]
    fn every_shape_of_line_is_read() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        let text = format!(
            "# a book\r\n\nstartpos\nstartpos moves 7g7f 3c3d\nposition startpos moves 2g2f\n\
             sfen {start} moves 2g2f 8c8d resign\n6i7h\n{after}\n{after} moves 8c8d\n\
             position sfen {after} moves 4a3b\n",
        );
        let list = read("shogi", &text).unwrap();
        let plies: Vec<usize> = list.openings.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!((plies, list.repeated), (vec![0, 2, 1, 2, 1, 0, 1, 1], 0));
        assert!(list.openings[3].start.is_some() && list.openings[4].start.is_none());
        let limited = read_list(&Variant::builtin("shogi").unwrap(), &text, 1).unwrap();
        assert!(limited.openings.iter().all(|opening| opening.moves.len() <= 1));
        assert_eq!(limited.repeated, 2, "2g2f again, and 7g7f leads to {after}");
    }

    #[test]
    fn fen_and_epd_of_xiangqi() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        let text = format!("{fen} - - 0 1\n{fen} - - bm h2e2; id \"one\";\n{fen}\nh3e3 h10g8\n");
        let list = read("xiangqi", &text).unwrap();
        assert_eq!((list.openings.len(), list.repeated), (2, 2));
        assert_eq!(list.openings[1].moves.len(), 2);
    }

    #[test]
    fn all_faults_at_once_with_lines() {
        let faults = read("micro", "startpos\nd2d9\nd2d3 d2d3\nk3/4 b\n\nstartpos moves x\n");
        let text = faults.unwrap_err().to_string();
        let lines: Vec<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(lines, ["line 2", "line 3", "line 4", "line 6"], "{text}");
        let over = read("micro", "k3/4/4/4/3K[-] w 0 1\nk3/1R2/KR2/4/4[-] b 0 1").unwrap_err();
        assert!(over.to_string().contains("the game is over"), "{over}");
        assert!(read("micro", "# nothing\n").is_err());
    }

    #[test]
    fn shuffling_keeps_all_and_follows_the_seed() {
        let variant = Variant::builtin("micro").unwrap();
        let made = super::super::openings(&variant, 40, &Default::default(), Seed(1)).unwrap();
        let shuffled = |seed| {
            let mut list = made.clone();
            shuffle(&mut list, Seed(seed));
            list
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        assert_ne!(shuffled(1), made);
        let sorted = |mut list: Vec<Opening>| {
            list.sort_by(|a, b| a.moves.cmp(&b.moves));
            list
        };
        assert_eq!(sorted(shuffled(1)), sorted(made.clone()));
    }
}
