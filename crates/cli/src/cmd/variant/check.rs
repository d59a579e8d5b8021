//! `narikin variant check`: what the program makes of a variant file.

use std::sync::Arc;

use anyhow::Result;
use encode::Encoder;
use rand::RngExt;
use rules::{
    Color, Face, Game, Goal, NoMoves, Passage, PerpetualCheck, Promotion, RepetitionResult,
    Royalty, Seed, Trigger, Variant, perft, square_name,
};
use serde::Serialize;

use super::super::{Ending, load_variant};
use super::draw;
use crate::output;

/// Deepest count of move sequences.
const DEPTH: u32 = 3;
/// A depth that would count more than this many is left out.
const MOST_NODES: u64 = 20_000_000;
/// The random game is given up after so many plies.
const MOST_PLIES: usize = 2000;

#[derive(Serialize)]
struct Report {
    id: String,
    name: String,
    files: usize,
    ranks: usize,
    start: String,
    pieces: Vec<Piece>,
    zones: Vec<Zone>,
    endings: Vec<String>,
    perft: Vec<Count>,
    random_game: RandomGame,
    policy: usize,
    planes: usize,
    mirror: bool,
    board_fingerprint: String,
    rules_fingerprint: String,
}

#[derive(Serialize)]
struct Piece {
    letter: String,
    name: String,
    value: i32,
    /// Squares it may stand on.
    region: usize,
    /// The square from which its moves are told.
    from: String,
    reaches: Vec<Way>,
    #[serde(skip)]
    drawing: String,
}

#[derive(Serialize)]
struct Way {
    to: String,
    passage: &'static str,
    quiet: bool,
    capture: bool,
}

#[derive(Serialize)]
struct Zone {
    what: &'static str,
    squares: usize,
}

#[derive(Serialize)]
struct Count {
    depth: u32,
    /// Absent where there are too many.
    nodes: Option<u64>,
}

#[derive(Serialize)]
struct RandomGame {
    seed: u64,
    plies: usize,
    /// Absent where the game was given up.
    outcome: Option<Ending>,
}

/// Checks the file and reports.
pub(super) fn main(file: &str, json: bool) -> Result<()> {
    let variant = load_variant(file)?;
    let report = Report::new(&variant);
    if json {
        output::json(&report);
    } else {
        output::result(&report.text(&variant));
    }
    Ok(())
}

impl Report {
    fn new(variant: &Arc<Variant>) -> Self {
        let encoder = Encoder::new(Arc::clone(variant));
        Self {
            id: variant.id().to_owned(),
            name: variant.name().to_owned(),
            files: variant.files(),
            ranks: variant.ranks(),
            start: variant.start().to_fen(variant),
            pieces: variant.faces().map(|face| Piece::new(variant, face)).collect(),
            zones: zones(variant),
            endings: endings(variant),
            perft: counts(&Game::new(Arc::clone(variant))),
            random_game: RandomGame::play(variant, 1),
            policy: encoder.vocabulary().len(),
            planes: encoder.planes(),
            mirror: encoder.mirror().is_some(),
            board_fingerprint: variant.board_fingerprint().to_string(),
            rules_fingerprint: variant.rules_fingerprint().to_string(),
        }
    }

    fn text(&self, variant: &Variant) -> String {
        let mut parts = vec![format!(
            "{} ({}), {} x {}\n\n{}",
            self.name,
            self.id,
            self.files,
            self.ranks,
            draw::position(variant, variant.start())
        )];
        parts.push(
            "Moves on an empty board: o leaps, + slides or rides, n also needs the squares it \
             passes empty,\np hops over one piece; m only without capture, c only with capture."
                .to_owned(),
        );
        for piece in &self.pieces {
            let Piece { letter, name, value, region, from, drawing, .. } = piece;
            let region = match *region == variant.squares() {
                true => String::new(),
                false => format!(", stands on {region} squares"),
            };
            parts.push(format!("{letter} {name}, value {value}{region}; from {from}:\n{drawing}"));
        }
        let zones =
            self.zones.iter().map(|zone| format!("{}: {} squares", zone.what, zone.squares));
        let rules = zones.chain(self.endings.iter().cloned());
        parts.push(format!("Rules\n  {}", rules.collect::<Vec<_>>().join("\n  ")));
        let counts = self.perft.iter().map(|Count { depth, nodes }| match nodes {
            Some(nodes) => format!("{nodes} sequences of {depth}"),
            None => format!("too many of {depth} to count here"),
        });
        let RandomGame { seed, plies, outcome } = &self.random_game;
        let end = outcome.as_ref().map_or("not over by then".to_owned(), Ending::to_string);
        let mirror = if self.mirror { "with a left-right mirror" } else { "without a mirror" };
        parts.push(format!(
            "Moves from the start: {}\nA random game (seed {seed}): {plies} plies, {end}\n\
             For the net: {} policy entries, {} input planes, {mirror}\n\
             Board {}\nRules {}",
            counts.collect::<Vec<_>>().join(", "),
            self.policy,
            self.planes,
            self.board_fingerprint,
            self.rules_fingerprint,
        ));
        parts.join("\n\n")
    }
}

impl Piece {
    fn new(variant: &Variant, face: Face) -> Self {
        let from = draw::centre(variant, face);
        let way = |reach: rules::Reach| Way {
            to: square_name(variant, reach.target),
            passage: match reach.passage {
                Passage::Leap => "leap",
                Passage::Slide => "slide",
                Passage::Lame => "lame",
                Passage::Hop => "hop",
            },
            quiet: reach.quiet,
            capture: reach.capture,
        };
        Self {
            letter: variant.face_letter(face).to_owned(),
            name: variant.face_name(face).to_owned(),
            value: variant.piece_value(face),
            region: variant.region(face, Color::Black).len(),
            from: square_name(variant, from),
            reaches: variant.reaches(face, Color::Black, from).into_iter().map(way).collect(),
            drawing: draw::moves(variant, face, from),
        }
    }
}

/// The zones that rules speak of, as the first player has them.
fn zones(variant: &Variant) -> Vec<Zone> {
    let rules = variant.rules();
    let promotion = Some(rules.promotion.zone[0]).filter(|zone| !zone.is_empty());
    let goal = rules.goal.as_ref().map(|goal| goal.zone[0]);
    let camp = rules.entering.as_ref().map(|entering| entering.zone[0]);
    let zones = [("promotion zone", promotion), ("goal", goal), ("camp to enter", camp)];
    let found = zones.into_iter().filter_map(|(what, zone)| Some((what, zone?)));
    found.map(|(what, zone)| Zone { what, squares: zone.len() }).collect()
}

/// The rules in force on turning over and on the end, in words.
fn endings(variant: &Variant) -> Vec<String> {
    let rules = variant.rules();
    let mut lines = Vec::new();
    let trigger = match rules.promotion.trigger {
        Trigger::EnterOrLeave => "moves into, inside or out of the zone",
        Trigger::Arrive => "moves that end in the zone",
    };
    lines.push(match rules.promotion.rule {
        Promotion::None => "pieces never turn over".to_owned(),
        Promotion::Choice => format!("{trigger} may turn a piece over"),
        Promotion::Must => format!("{trigger} turn a piece over"),
        Promotion::TurnOnCapture => "every capture turns the piece over".to_owned(),
        Promotion::TurnAlways => "every board move turns the piece over".to_owned(),
    });
    lines.push(match rules.royalty {
        Royalty::Protected => "checkmate loses".to_owned(),
        Royalty::Capturable => "a captured king loses".to_owned(),
    });
    lines.push(format!(
        "without a legal move, not in check: {}",
        match rules.no_moves {
            NoMoves::Loss => "a loss",
            NoMoves::Draw => "a draw",
            NoMoves::Win => "a win",
        }
    ));
    let result = match rules.repetition.result {
        RepetitionResult::Draw => "a draw",
        RepetitionResult::FirstLoses => "the first player loses",
        RepetitionResult::MoverLoses => "whoever made it loses",
    };
    let perpetual = match rules.repetition.perpetual_check {
        PerpetualCheck::CheckerLoses => "; by nothing but checks: the checker loses",
        PerpetualCheck::Ignored => "",
    };
    lines.push(format!("occurrence {} of a position: {result}{perpetual}", rules.repetition.count));
    if let Some(Goal { piece, safe, .. }) = rules.goal {
        let safe = if safe { ", unattacked" } else { "" };
        lines.push(format!("{} on the goal{safe}: a win", variant.face_letter(piece.front())));
    }
    if let Some(entering) = &rules.entering {
        let name =
            |rule: Option<String>| rule.map_or("none".to_owned(), |rule| rule.to_lowercase());
        let impasse = name(entering.impasse.map(|rule| format!("{rule:?}")));
        let declaration = name(entering.declaration.map(|rule| format!("{rule:?}")));
        lines.push(format!("entered kings: impasse {impasse}, declaration {declaration}"));
    }
    if let Some(plies) = rules.no_capture_limit {
        lines.push(format!("{plies} plies without capture: a draw"));
    }
    lines.push(format!("{} plies: a draw", rules.max_plies));
    lines
}

/// How many sequences of 1 to [`DEPTH`] moves there are.
fn counts(game: &Game) -> Vec<Count> {
    let moves = perft(game, 1);
    let mut before = Some(1);
    let count = |depth| {
        let few = before.filter(|nodes: &u64| nodes.saturating_mul(moves) <= MOST_NODES);
        before = few.map(|_| perft(game, depth));
        Count { depth, nodes: before }
    };
    (1..=DEPTH).map(count).collect()
}

impl RandomGame {
    fn play(variant: &Arc<Variant>, seed: u64) -> Self {
        let mut rng = Seed(seed).rng();
        let mut game = Game::new(Arc::clone(variant));
        let mut moves = Vec::new();
        loop {
            let outcome = game.verdict(&mut moves);
            if outcome.is_some() || game.ply() == MOST_PLIES {
                return Self { seed, plies: game.ply(), outcome: outcome.map(Ending::from) };
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
    }
}
