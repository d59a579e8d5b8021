//! A variant: the immutable result of compiling a variant file.

mod with;

use std::sync::Arc;

use crate::bitboard::Bitboard;
use crate::canonical;
use crate::drops::{DropLimits, Drops};
use crate::fingerprint::Fingerprint;
use crate::geometry::Geometry;
use crate::movegen::{self, Turning};
use crate::movement::{FaceSpec, Passage, Reach};
use crate::position::{Keys, PieceCode, Position};
use crate::rule::{DropFaces, PromotionRule, Royalty, Rules, Turn};
use crate::spec::{VariantErrors, parse_variant};
use crate::tables::{Tables, Way};
use crate::types::{Color, Face, Kind, MAX_FACES, MAX_KINDS, Square};
use crate::{builtin, mirror};

/// A game with its board, pieces and rules. Cheap to share in an [`Arc`], never changes.
///
/// ```
/// use rules::Variant;
/// let micro = Variant::builtin("micro").expect("micro is built in");
/// assert_eq!((micro.files(), micro.ranks()), (4, 5));
/// ```
#[derive(Clone, Debug)]
pub struct Variant {
    id: String,
    name: String,
    tables: Arc<Tables>,
    keys: Arc<Keys>,
    infos: Vec<Option<FaceInfo>>,
    values: Vec<i32>,
    aliases: Vec<(char, Kind)>,
    rules: Rules,
    drops: Drops,
    /// By piece.
    turning: [Turning; 2 * MAX_FACES],
    /// By face.
    mirror: Vec<Option<Face>>,
    start: Position,
    handicaps: Vec<(String, Position)>,
    counts: [usize; MAX_KINDS],
    board_fingerprint: Fingerprint,
    rules_fingerprint: Fingerprint,
}

/// What people see of a face.
#[derive(Clone, Debug)]
pub(crate) struct FaceInfo {
    pub(crate) letter: String,
    pub(crate) name: String,
    /// A letter that is only shown, never read.
    pub(crate) display: Option<String>,
    /// On a board, by colour.
    pub(crate) kanji: Option<[String; 2]>,
    /// In the text of moves if it differs, by colour.
    pub(crate) kanji_text: Option<[String; 2]>,
    pub(crate) value: Option<i32>,
}

/// What a variant is assembled from.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) geometry: Geometry,
    pub(crate) specs: Vec<Option<FaceSpec>>,
    pub(crate) infos: Vec<Option<FaceInfo>>,
    pub(crate) aliases: Vec<(char, Kind)>,
    pub(crate) rules: Rules,
    pub(crate) drops: DropLimits,
}

impl Variant {
    /// Compiles the text of a variant file; `load` gives the text of the variant an `extends` names.
    ///
    /// # Errors
    /// All faults of the file at once, each with its place. Hostile texts end here too.
    pub fn parse(
        text: &str,
        load: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Variant, VariantErrors> {
        parse_variant(text, load)
    }

    /// A variant that comes with the program, compiled anew; `None` for an unknown id.
    pub fn builtin(id: &str) -> Option<Arc<Variant>> {
        builtin::variant(id)
    }

    /// The ids of the variants that come with the program.
    pub fn builtin_ids() -> &'static [&'static str] {
        builtin::IDS
    }

    /// The file of a variant that comes with the program.
    pub fn builtin_text(id: &str) -> Option<&'static str> {
        builtin::text(id)
    }

    /// All but the start position and what is derived from it; see [`Variant::set_start`].
    pub(crate) fn assemble(parts: Parts) -> Variant {
        let tables = Tables::new(parts.geometry, &parts.specs, parts.rules.royal);
        let keys = Arc::new(Keys::new(&tables));
        let faces: Vec<Face> = (0..MAX_FACES)
            .map(Face::new)
            .filter(|face| parts.infos[face.index()].is_some())
            .collect();
        let drops = Drops::new(&tables, &parts.rules, parts.drops, &faces);
        let two_faced = |kind: Kind| parts.infos[kind.reverse().index()].is_some();
        let turning = |code: usize| {
            let face = Face::new(code % MAX_FACES);
            Turning::new(parts.rules.promotion.rule, face, two_faced(face.kind()))
        };
        let mut variant = Variant {
            turning: std::array::from_fn(turning),
            id: parts.id,
            name: parts.name,
            keys,
            values: Vec::new(),
            infos: parts.infos,
            aliases: parts.aliases,
            rules: parts.rules,
            drops,
            mirror: Vec::new(),
            start: Position::empty(),
            handicaps: Vec::new(),
            counts: [0; MAX_KINDS],
            board_fingerprint: Fingerprint([0; 32]),
            rules_fingerprint: Fingerprint([0; 32]),
            tables: Arc::new(tables),
        };
        variant.values = (0..MAX_FACES).map(|face| variant.value_of(Face::new(face))).collect();
        variant.mirror = mirror::faces(&variant);
        variant
    }

    /// The value of a face in hundredths of a step of mobility, unless the file gives one.
    fn value_of(&self, face: Face) -> i32 {
        let Some(info) = &self.infos[face.index()] else { return 0 };
        let cells = &self.tables.movement(face, Color::Black).cells;
        let moves: usize = cells.iter().map(|cell| cell.all.len()).sum();
        let derived = if face.kind() == self.rules.royal { 0 } else { 100 * moves / cells.len() };
        info.value.unwrap_or(derived as i32)
    }

    /// Sets the start position, the piece counts and the fingerprints.
    pub(crate) fn set_start(&mut self, start: Position) {
        self.counts = [0; MAX_KINDS];
        for square in start.occupied() {
            self.counts[start.face_at(square).kind().index()] += 1;
        }
        for kind in (0..MAX_KINDS).map(Kind::new) {
            let held = Color::ALL.map(|color| usize::from(start.hand(color, kind)));
            self.counts[kind.index()] += held[0] + held[1];
        }
        self.start = start;
        self.board_fingerprint = Fingerprint::of(&canonical::board(self));
        self.rules_fingerprint = Fingerprint::of(&canonical::rules(self));
    }

    /// The short name, such as `micro`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Width of the board.
    pub fn files(&self) -> usize {
        self.tables.geometry.files
    }

    /// Height of the board.
    pub fn ranks(&self) -> usize {
        self.tables.geometry.ranks
    }

    /// `files * ranks`, at most 128.
    pub fn squares(&self) -> usize {
        self.tables.geometry.squares()
    }

    /// How many kinds of physical pieces there are; kinds are numbered from 0 without gaps.
    pub fn kinds(&self) -> usize {
        self.infos.iter().step_by(2).flatten().count()
    }

    /// The existing faces in ascending order.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        (0..MAX_FACES).map(Face::new).filter(|&face| self.has_face(face))
    }

    /// Whether the face exists.
    pub fn has_face(&self, face: Face) -> bool {
        self.infos[face.index()].is_some()
    }

    /// The letter of a face in positions, as Black writes it: `L`, `+L`; empty for a missing face.
    pub fn face_letter(&self, face: Face) -> &str {
        self.infos[face.index()].as_ref().map_or("", |info| &info.letter)
    }

    /// The first alias of a face that has one, else its letter.
    pub(crate) fn second_letter(&self, face: Face) -> String {
        let alias = self.aliases.iter().find(|(_, kind)| kind.front() == face);
        alias.map_or_else(|| self.face_letter(face).to_owned(), |(alias, _)| alias.to_string())
    }

    /// The name of a face for people; empty for a missing face.
    pub fn face_name(&self, face: Face) -> &str {
        self.infos[face.index()].as_ref().map_or("", |info| &info.name)
    }

    /// The face in Japanese or Chinese characters, as a board shows it (`全`, one or two characters as
    /// a rule), if the variant file says.
    pub fn face_kanji(&self, face: Face, color: Color) -> Option<&str> {
        let info = self.infos[face.index()].as_ref()?;
        info.kanji.as_ref().map(|kanji| kanji[color.index()].as_str())
    }

    /// The face in Japanese or Chinese characters, as the text of moves names it (`成銀`).
    pub fn face_kanji_text(&self, face: Face, color: Color) -> Option<&str> {
        let info = self.infos[face.index()].as_ref()?;
        let text = info.kanji_text.as_ref().map(|kanji| kanji[color.index()].as_str());
        text.or_else(|| self.face_kanji(face, color))
    }

    /// The face with this letter (`L`, `+L`), aliases included.
    pub fn face_from_letter(&self, letter: &str) -> Option<Face> {
        let (plus, base) = match letter.strip_prefix('+') {
            Some(base) => (true, base),
            None => (false, letter),
        };
        let mut letters = base.chars();
        let first = letters.next().filter(|_| letters.next().is_none())?;
        let named = |face: &Face| {
            self.face_letter(*face).strip_prefix('+').is_none() && self.face_letter(*face) == base
        };
        let alias = || self.aliases.iter().find(|(alias, _)| *alias == first);
        let front = self.faces().find(named).or_else(|| alias().map(|(_, kind)| kind.front()))?;
        let face = if plus { front.turned() } else { front };
        self.has_face(face).then_some(face)
    }

    /// The face that is only displayed with this letter.
    pub(crate) fn face_displayed_as(&self, letter: &str) -> Option<Face> {
        self.faces().find(|face| {
            let info = self.infos[face.index()].as_ref();
            info.and_then(|info| info.display.as_deref()) == Some(letter)
        })
    }

    /// Geometry, pieces, promotion and drops: must match a net's. Comments, names and the way
    /// defaults are written do not change it.
    pub fn board_fingerprint(&self) -> Fingerprint {
        self.board_fingerprint
    }

    /// [`Variant::board_fingerprint`] plus start position, endings and limits.
    pub fn rules_fingerprint(&self) -> Fingerprint {
        self.rules_fingerprint
    }

    /// The position a game starts from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    pub(crate) fn add_handicap(&mut self, name: &str, start: Position) {
        self.handicaps.push((name.to_owned(), start));
    }

    /// The names and start positions of handicap games, in the order of the variant file.
    pub fn handicaps(&self) -> impl Iterator<Item = (&str, &Position)> {
        self.handicaps.iter().map(|(name, start)| (name.as_str(), start))
    }

    /// The start position of a handicap game.
    pub fn handicap(&self, name: &str) -> Option<&Position> {
        self.handicaps().find(|(known, _)| *known == name).map(|(_, start)| start)
    }

    /// The rule options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The length at which a game is drawn, in plies.
    pub fn max_plies(&self) -> u32 {
        self.rules.max_plies
    }

    /// The squares a piece attacks: its capture targets, own pieces and empty squares included.
    #[inline]
    pub fn attacks(&self, face: Face, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
        self.tables.mover(PieceCode::new(color, face)).attacks(from, occupied)
    }

    /// All squares a piece could ever reach from `from` by its movement, with or without capture,
    /// whatever else stands on the board (legs and screens included).
    pub fn empty_board_targets(&self, face: Face, color: Color, from: Square) -> Bitboard {
        self.tables.movement(face, color).cells[from.index()].all
    }

    /// The same by ways: leaps first, then along lines and over paths, in no special order. A square
    /// may be reached in several ways.
    pub fn reaches(&self, face: Face, color: Color, from: Square) -> Vec<Reach> {
        let movement = self.tables.movement(face, color);
        let cell = movement.cells[from.index()];
        let leap = |target| Reach {
            target,
            passage: Passage::Leap,
            quiet: cell.quiet.contains(target),
            capture: cell.capture.contains(target),
        };
        let leaps = (cell.quiet | cell.capture).into_iter().map(leap);
        let ways = self.tables.ways(movement, from).map(|way| {
            let Way { target, passage, quiet, capture, .. } = way;
            Reach { target, passage, quiet, capture }
        });
        leaps.chain(ways).collect()
    }

    /// The squares a face of a colour may stand on.
    pub fn region(&self, face: Face, color: Color) -> Bitboard {
        self.tables.movement(face, color).region
    }

    /// The faces that can be dropped, ascending.
    pub fn droppable_faces(&self) -> &[Face] {
        &self.drops.faces
    }

    /// The left-right mirror image of a face: itself if its movement is symmetric, another one that
    /// moves like its mirror image (a left and a right quail), or `None`.
    pub fn mirror_face(&self, face: Face) -> Option<Face> {
        self.mirror[face.index()]
    }

    /// Whether a drop of the face may not give mate.
    pub fn may_not_mate(&self, face: Face) -> bool {
        self.drops.may_not_mate(face)
    }

    /// What a piece in hand adds to [`Position::key`] (modulo 2^64), each one the same.
    #[inline]
    pub fn hand_key(&self, color: Color, kind: Kind) -> u64 {
        self.keys.hand(color, kind)
    }

    /// The promotion rule.
    pub fn promotion(&self) -> &PromotionRule {
        &self.rules.promotion
    }

    /// What the promotion rule does with a board move.
    pub fn turn(&self, face: Face, color: Color, from: Square, to: Square, capture: bool) -> Turn {
        movegen::turn(self, color, face, from, to, capture)
    }

    /// The royal kind.
    #[inline]
    pub fn royal(&self) -> Kind {
        self.rules.royal
    }

    /// How many pieces of a kind the start position has, hands included.
    pub fn piece_count(&self, kind: Kind) -> usize {
        self.counts[kind.index()]
    }

    /// A rough material value of a face, a mobile pawn being worth about 100; 0 for kings.
    pub fn piece_value(&self, face: Face) -> i32 {
        self.values[face.index()]
    }

    #[inline]
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The same game with one key for all positions.
    #[cfg(test)]
    pub(crate) fn with_colliding_keys(&self) -> Variant {
        Variant { keys: Arc::new(Keys::colliding(&self.tables)), ..self.clone() }
    }

    #[inline]
    pub(crate) fn keys(&self) -> &Keys {
        &self.keys
    }

    #[inline]
    pub(crate) fn has_hands(&self) -> bool {
        self.rules.drop_faces != DropFaces::None
    }

    #[inline]
    pub(crate) fn drops(&self) -> &Drops {
        &self.drops
    }

    /// How the piece turns over by moving.
    #[inline]
    pub(crate) fn turning(&self, piece: PieceCode) -> Turning {
        self.turning[piece.index()]
    }

    /// The square of a king that cannot be captured.
    #[inline]
    pub(crate) fn protected_king(&self, position: &Position, color: Color) -> Bitboard {
        match (self.rules.royalty, position.king(color)) {
            (Royalty::Protected, Some(king)) => Bitboard::of(king),
            _ => Bitboard::EMPTY,
        }
    }
}
