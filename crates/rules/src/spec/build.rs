//! The rule tables of a variant file, and the compiled variant.

use std::sync::Arc;

use super::VariantErrors;
use super::pieces::{self, Pieces};
use super::read::{Faults, Names, Zones, squares};
use super::tree::{self, Place, Table, Value, shortened};
use crate::bitboard::Bitboard;
use crate::drops::DropLimits;
use crate::game::Game;
use crate::geometry::Geometry;
use crate::guard::in_check;
use crate::position::Position;
use crate::rule::{
    Chase, Declaration, DropFaces, Entering, FacingKings, Goal, Impasse, NoMoves, PerpetualCheck,
    Promotion, PromotionRule, Repetition, RepetitionResult, Royalty, Rules, Trigger,
};
use crate::types::{Color, Kind, MAX_KINDS, MAX_SQUARES};
use crate::variant::{Parts, Variant};

const ROOT_KEYS: [&str; 12] = [
    "handicaps",
    "id",
    "name",
    "files",
    "ranks",
    "start",
    "zones",
    "pieces",
    "promotion",
    "drops",
    "royal",
    "endings",
];
/// Squares are named by one letter, so there are at most 26 files; the same for ranks in USI.
const MAX_SIDE: i64 = 26;
/// At most this many pieces of one kind, so that a hand counts in a byte.
const MAX_OF_A_KIND: usize = 200;
/// At most this many zones, so that they are found quickly and told in a line.
const MAX_ZONES: usize = 64;
/// A variant's name is at most this long, in characters.
const MAX_NAME: usize = 60;
const DEFAULT_MAX_PLIES: u32 = 512;

const PROMOTIONS: Names<Promotion> = &[
    ("none", Promotion::None),
    ("choice", Promotion::Choice),
    ("must", Promotion::Must),
    ("turn_on_capture", Promotion::TurnOnCapture),
    ("turn_always", Promotion::TurnAlways),
];
const TRIGGERS: Names<Trigger> =
    &[("enter_or_leave", Trigger::EnterOrLeave), ("arrive", Trigger::Arrive)];
const DROP_FACES: Names<DropFaces> =
    &[("none", DropFaces::None), ("front", DropFaces::Front), ("either", DropFaces::Either)];
const DEAD_SQUARES: Names<bool> = &[("allowed", true), ("forbidden", false)];
const ROYALTIES: Names<Royalty> =
    &[("protected", Royalty::Protected), ("capturable", Royalty::Capturable)];
const FACINGS: Names<FacingKings> =
    &[("allowed", FacingKings::Allowed), ("forbidden", FacingKings::Forbidden)];
const NO_MOVES: Names<NoMoves> =
    &[("loss", NoMoves::Loss), ("draw", NoMoves::Draw), ("win", NoMoves::Win)];
const REPETITIONS: Names<RepetitionResult> = &[
    ("draw", RepetitionResult::Draw),
    ("first_loses", RepetitionResult::FirstLoses),
    ("mover_loses", RepetitionResult::MoverLoses),
];
const PERPETUAL: Names<PerpetualCheck> =
    &[("checker_loses", PerpetualCheck::CheckerLoses), ("ignored", PerpetualCheck::Ignored)];
const CHASES: Names<Chase> = &[("none", Chase::None)];
const IMPASSES: Names<Option<Impasse>> = &[
    ("none", None),
    ("draw", Some(Impasse::Draw)),
    ("points24", Some(Impasse::Points24)),
    ("points27", Some(Impasse::Points27)),
];
const DECLARATIONS: Names<Option<Declaration>> = &[
    ("none", None),
    ("declare27", Some(Declaration::Declare27)),
    ("declare24", Some(Declaration::Declare24)),
];

/// Compiles a variant file.
pub(crate) fn parse_variant(
    text: &str,
    loader: &dyn Fn(&str) -> Option<String>,
) -> Result<Variant, VariantErrors> {
    let root = tree::load(text, loader)?;
    let Value::Table(table) = &root.value else {
        return Err(VariantErrors(vec![root.place.error("a variant file is a table")]));
    };
    let mut faults = Faults::default();
    match build(&mut faults, table, &root.place) {
        Some(variant) if faults.0.is_empty() => Ok(variant),
        _ => {
            faults.close();
            faults.0.sort_by_key(|fault| (fault.file != tree::OWN_FILE, fault.line, fault.column));
            Err(VariantErrors(faults.0))
        }
    }
}

/// `None` only together with a fault.
fn build(faults: &mut Faults, root: &Table, place: &Place) -> Option<Variant> {
    faults.check_keys(root, &ROOT_KEYS);
    let id = identifier(faults, root, place);
    let name = faults.needed_text(root, "name", place);
    let name = name.filter(|_| faults.shown(root, "name", MAX_NAME).is_some());
    let geometry = geometry(faults, root, place);
    // With a faulty board, squares are judged by a large one, so that the rest is still checked.
    let checked = geometry.unwrap_or(Geometry { files: 11, ranks: 11 });
    let zones = zones(faults, root, checked);
    let board = Bitboard::first_n(checked.squares());
    let pieces = pieces::read(faults, root, place, &zones, board);
    let mut section = |key| faults.table(root, key);
    let context = Context {
        promotion: section("promotion"),
        drops: section("drops"),
        royal: section("royal"),
        endings: section("endings"),
        zones: &zones,
        pieces: &pieces,
        geometry: checked,
    };
    if root.get("royal").is_none() {
        faults.add(place, "`royal` is missing: a variant needs a king");
    }
    let rules = context.rules(faults);
    let drops = context.drop_limits(faults);
    let start = faults.needed_text(root, "start", place);
    if !faults.0.is_empty() {
        return None;
    }
    let parts = Parts {
        id: id?.to_owned(),
        name: name?.to_owned(),
        geometry: geometry?,
        specs: pieces.specs.clone(),
        infos: pieces.infos.clone(),
        aliases: pieces.aliases.clone(),
        rules: rules?,
        drops,
    };
    let mut variant = Variant::assemble(parts);
    if let Err(why) = start_position(&mut variant, start?) {
        faults.add(&root.get("start")?.place, why);
        return Some(variant);
    }
    handicaps(faults, root, &mut variant);
    Some(variant)
}

/// Starts of handicap games. One that is inherited and does not fit the changed game is left out.
fn handicaps(faults: &mut Faults, root: &Table, variant: &mut Variant) {
    let Some((table, _)) = faults.table(root, "handicaps") else { return };
    for entry in &table.entries {
        let Some(text) = faults.text(table, &entry.key) else { continue };
        let fault = match Position::parse(variant, text) {
            Err(why) => why.to_string(),
            Ok(start) => match Color::ALL.into_iter().find(|&color| start.king(color).is_none()) {
                Some(color) => format!("the {color} player has no king"),
                None => {
                    variant.add_handicap(&entry.key, start);
                    continue;
                }
            },
        };
        if entry.node.place.file == tree::OWN_FILE {
            let why = format!("handicap `{}`: {fault}", shortened(&entry.key));
            faults.add(&entry.node.place, why);
        }
    }
}

fn start_position(variant: &mut Variant, text: &str) -> Result<(), String> {
    let start = Position::parse_start(variant, text).map_err(|error| error.to_string())?;
    for color in Color::ALL {
        if start.king(color).is_none() {
            return Err(format!("the {color} player has no king in the start position"));
        }
    }
    if in_check(variant, &start, !start.side_to_move()) {
        let waiting = !start.side_to_move();
        return Err(format!("the {waiting} player is in check, but it is not their turn"));
    }
    variant.set_start(start);
    let over = Game::new(Arc::new(variant.clone())).verdict(&mut Vec::new());
    if let Some(outcome) = over {
        return Err(format!("the game is over before it begins: {}", outcome.termination));
    }
    for kind in (0..variant.kinds()).map(Kind::new) {
        let count = variant.piece_count(kind);
        if count > MAX_OF_A_KIND {
            let letter = variant.face_letter(kind.front());
            return Err(format!("{count} pieces `{letter}` are more than {MAX_OF_A_KIND}"));
        }
    }
    Ok(())
}

fn identifier<'a>(faults: &mut Faults, root: &'a Table, place: &Place) -> Option<&'a str> {
    let id = faults.needed_text(root, "id", place)?;
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    if id.is_empty() || id.len() > 40 || !id.chars().all(good) {
        let id = shortened(id);
        let why = format!("`id` is 1 to 40 characters out of a-z 0-9 - _, not `{id}`");
        faults.add(&root.get("id")?.place, why);
        return None;
    }
    Some(id)
}

fn geometry(faults: &mut Faults, root: &Table, place: &Place) -> Option<Geometry> {
    let mut side = |key| {
        if root.get(key).is_none() {
            faults.add(place, format!("`{key}` is missing"));
        }
        faults.number(root, key, 1..=MAX_SIDE).map(|number| number as usize)
    };
    let (files, ranks) = (side("files"), side("ranks"));
    let geometry = Geometry { files: files?, ranks: ranks? };
    if geometry.squares() > MAX_SQUARES {
        let why = format!("a board has at most {MAX_SQUARES} squares, not {}", geometry.squares());
        faults.add(&root.get("ranks")?.place, why);
        return None;
    }
    Some(geometry)
}

fn zones(faults: &mut Faults, root: &Table, geometry: Geometry) -> Zones {
    let Some((table, place)) = faults.table(root, "zones") else { return Zones::new() };
    let mut zones = Zones::new();
    if table.entries.len() > MAX_ZONES {
        let found = table.entries.len();
        faults.add(place, format!("at most {MAX_ZONES} zones are possible, not {found}"));
    }
    for entry in table.entries.iter().take(MAX_ZONES) {
        let Some(text) = faults.text(table, &entry.key) else { continue };
        // A faulty zone still has its name, so that one fault is reported once.
        let set = squares(text, geometry).unwrap_or_else(|why| {
            faults.add(&entry.node.place, why);
            Bitboard::EMPTY
        });
        zones.push((entry.key.clone(), set));
    }
    zones
}

/// A table with its place.
type Section<'a> = Option<(&'a Table, &'a Place)>;

/// The rule tables and what they refer to.
struct Context<'a> {
    promotion: Section<'a>,
    drops: Section<'a>,
    royal: Section<'a>,
    endings: Section<'a>,
    zones: &'a Zones,
    pieces: &'a Pieces,
    geometry: Geometry,
}

impl Context<'_> {
    fn rules(&self, faults: &mut Faults) -> Option<Rules> {
        let promotion = self.promotion(faults);
        let drop_faces = self.drop_faces(faults);
        let per_file = self.per_file(faults);
        let royal = self.royal(faults);
        let (royalty, facing_kings) = self.royalty(faults);
        let empty = Table::default();
        let endings = self.endings.map_or(&empty, |(table, _)| table);
        faults.check_keys(
            endings,
            &[
                "no_moves",
                "repetition",
                "chase",
                "goal",
                "entering",
                "no_capture_limit",
                "max_plies",
            ],
        );
        let no_moves = faults.choice(endings, "no_moves", NO_MOVES).unwrap_or(NoMoves::Loss);
        let repetition = repetition(faults, endings);
        let chase = chase(faults, endings);
        let goal = self.goal(faults, endings, royal);
        let entering = self.entering(faults, endings);
        let no_capture_limit = faults.number(endings, "no_capture_limit", 1..=100_000);
        let max_plies = faults.number(endings, "max_plies", 1..=100_000);
        Some(Rules {
            promotion,
            drop_faces,
            per_file,
            royal: royal?,
            royalty,
            facing_kings,
            no_moves,
            repetition,
            chase,
            goal,
            entering,
            no_capture_limit: no_capture_limit.map(|plies| plies as u32),
            max_plies: max_plies.map_or(DEFAULT_MAX_PLIES, |plies| plies as u32),
        })
    }

    /// A zone as each colour sees it.
    fn both(&self, zone: Bitboard) -> [Bitboard; 2] {
        [zone, self.geometry.rotated(zone)]
    }

    fn promotion(&self, faults: &mut Faults) -> PromotionRule {
        let none = PromotionRule {
            rule: Promotion::None,
            trigger: Trigger::EnterOrLeave,
            zone: [Bitboard::EMPTY; 2],
        };
        let Some((table, place)) = self.promotion else { return none };
        faults.check_keys(table, &["rule", "zone", "trigger"]);
        if table.get("rule").is_none() {
            faults.add(place, "`rule` is missing");
        }
        let rule = faults.choice(table, "rule", PROMOTIONS).unwrap_or(Promotion::None);
        let zone = faults.zone(table, "zone", self.zones);
        let trigger = faults.choice(table, "trigger", TRIGGERS).unwrap_or(none.trigger);
        let zoned = matches!(rule, Promotion::Choice | Promotion::Must);
        if zoned && table.get("zone").is_none() {
            faults.add(place, "this promotion rule needs a `zone`");
        }
        if !zoned && (table.get("zone").is_some() || table.get("trigger").is_some()) {
            faults.add(place, "this promotion rule has no `zone` and no `trigger`");
        }
        PromotionRule { rule, trigger, zone: self.both(zone.unwrap_or_default()) }
    }

    fn drop_faces(&self, faults: &mut Faults) -> DropFaces {
        let Some((table, place)) = self.drops else { return DropFaces::None };
        faults.check_keys(table, &["faces", "dead_squares", "per_file", "no_mate_by", "zone"]);
        if table.get("faces").is_none() {
            faults.add(place, "`faces` is missing");
        }
        let faces = faults.choice(table, "faces", DROP_FACES).unwrap_or(DropFaces::None);
        if faces == DropFaces::None && table.entries.len() > 1 {
            faults.add(place, "without drops there are no limits to them");
        }
        faces
    }

    fn per_file(&self, faults: &mut Faults) -> Vec<(Kind, u8)> {
        let mut limits = Vec::new();
        let Some((drops, _)) = self.drops else { return limits };
        let Some((table, _)) = faults.table(drops, "per_file") else { return limits };
        // More than all letters are faults anyway.
        for entry in table.entries.iter().take(2 * MAX_KINDS) {
            let limit = faults.number(table, &entry.key, 1..=26);
            let kind = self.kind(faults, &entry.key, &entry.key_place);
            limits.extend(kind.zip(limit.map(|limit| limit as u8)));
        }
        limits.sort_unstable();
        limits
    }

    fn drop_limits(&self, faults: &mut Faults) -> DropLimits {
        let everywhere = [Bitboard::first_n(self.geometry.squares()); 2];
        let mut limits =
            DropLimits { dead_squares_allowed: true, no_mate_by: Vec::new(), zone: everywhere };
        let Some((table, _)) = self.drops else { return limits };
        limits.dead_squares_allowed =
            faults.choice(table, "dead_squares", DEAD_SQUARES).unwrap_or(true);
        for (letter, place) in faults.texts(table, "no_mate_by") {
            limits.no_mate_by.extend(self.kind(faults, letter, place));
        }
        limits.no_mate_by.sort_unstable();
        limits.no_mate_by.dedup();
        if let Some(zone) = faults.zone(table, "zone", self.zones) {
            limits.zone = self.both(zone);
        }
        limits
    }

    fn kind(&self, faults: &mut Faults, letter: &str, place: &Place) -> Option<Kind> {
        let kind = self.pieces.kind(letter);
        if kind.is_none() {
            faults.add(place, format!("there is no piece `{}`", shortened(letter)));
        }
        kind
    }

    fn royal(&self, faults: &mut Faults) -> Option<Kind> {
        let (table, place) = self.royal?;
        faults.check_keys(table, &["piece", "rule", "facing"]);
        let letter = faults.needed_text(table, "piece", place)?;
        self.kind(faults, letter, &table.get("piece")?.place)
    }

    fn royalty(&self, faults: &mut Faults) -> (Royalty, FacingKings) {
        let default = (Royalty::Protected, FacingKings::Allowed);
        let Some((table, place)) = self.royal else { return default };
        let royalty = faults.choice(table, "rule", ROYALTIES).unwrap_or(default.0);
        let facing = faults.choice(table, "facing", FACINGS).unwrap_or(default.1);
        if royalty == Royalty::Capturable && facing == FacingKings::Forbidden {
            faults.add(place, "kings that may be captured may also face each other");
        }
        (royalty, facing)
    }

    fn goal(&self, faults: &mut Faults, endings: &Table, royal: Option<Kind>) -> Option<Goal> {
        let (table, place) = faults.table(endings, "goal")?;
        faults.check_keys(table, &["piece", "zone", "safe"]);
        let piece = match faults.text(table, "piece") {
            Some(letter) => self.kind(faults, letter, place),
            None => royal,
        };
        if table.get("zone").is_none() {
            faults.add(place, "`zone` is missing");
        }
        let safe = faults.switch(table, "safe").unwrap_or(false);
        let zone = self.both(faults.zone(table, "zone", self.zones)?);
        Some(Goal { piece: piece?, zone, safe })
    }

    fn entering(&self, faults: &mut Faults, endings: &Table) -> Option<Entering> {
        let (table, place) = faults.table(endings, "entering")?;
        faults.check_keys(table, &["zone", "big", "impasse", "declaration"]);
        if table.get("zone").is_none() {
            faults.add(place, "`zone` is missing");
        }
        let mut big = Vec::new();
        for (letter, place) in faults.texts(table, "big") {
            big.extend(self.kind(faults, letter, place));
        }
        big.sort_unstable();
        big.dedup();
        let impasse = faults.choice(table, "impasse", IMPASSES).flatten();
        let declaration = faults.choice(table, "declaration", DECLARATIONS).flatten();
        let zone = self.both(faults.zone(table, "zone", self.zones)?);
        Some(Entering { zone, big, impasse, declaration })
    }
}

fn chase(faults: &mut Faults, endings: &Table) -> Chase {
    let Some(text) = faults.text(endings, "chase") else { return Chase::None };
    let known = CHASES.iter().find(|(name, _)| *name == text);
    if let (None, Some(node)) = (known, endings.get("chase")) {
        let text = shortened(text);
        let why = "rules on perpetual chase, `perpetual_chase` among them, are reserved";
        faults.add(&node.place, format!("`chase` can only be `none`, not `{text}`: {why}"));
    }
    known.map_or(Chase::None, |(_, chase)| *chase)
}

fn repetition(faults: &mut Faults, endings: &Table) -> Repetition {
    let empty = Table::default();
    let table = faults.table(endings, "repetition").map_or(&empty, |(table, _)| table);
    faults.check_keys(table, &["count", "result", "perpetual_check"]);
    let count = faults.number(table, "count", 2..=100).unwrap_or(4) as u32;
    let result = faults.choice(table, "result", REPETITIONS).unwrap_or(RepetitionResult::Draw);
    let perpetual_check =
        faults.choice(table, "perpetual_check", PERPETUAL).unwrap_or(PerpetualCheck::CheckerLoses);
    Repetition { count, result, perpetual_check }
}
