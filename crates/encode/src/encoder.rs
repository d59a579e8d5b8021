//! Input planes of a position, without move history.

use std::sync::Arc;

use rules::{Bitboard, Color, Fingerprint, Game, Position, Variant};
use serde::{Deserialize, Serialize};

use crate::layout::{LIMIT_HORIZON, Layout};
use crate::vocabulary::entries;
use crate::{Mirror, Vocabulary, dlshogi, own_view};

/// Turns games of one variant into input planes.
///
/// The encoding is the variant's own, which [`Encoder::new`] derives, or that of [`crate::dlshogi`].
///
/// Planes of the derived encoding, each `[ranks, files]`, values in 0..=1 ([`Encoder::plane_names`] lists them):
/// - of the mover, then the same of the opponent: one plane per face with the squares it stands on;
///   per kind of the hand up to [`crate::MAX_THERMOMETER`] planes "at least n", before them, where
///   a hand can hold more, one filled with count / most; squares attacked; attacked at least twice;
/// - shared: mover in check, position seen at least twice, at least three times, and plies to the
///   move limit (0 while more than [`LIMIT_HORIZON`] remain, rising to 1 at the limit).
///
/// Attacked = a capture there would be a move of the piece, own pieces included, pins ignored.
#[derive(Debug)]
pub struct Encoder {
    variant: Arc<Variant>,
    scheme: Scheme,
    vocabulary: Vocabulary,
    mirror: Option<Mirror>,
    fingerprint: Fingerprint,
}

/// Which planes and which policy a net has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Those derived from the variant.
    #[default]
    Variant,
    /// Those of [`crate::dlshogi`], for 9x9 shogi.
    Dlshogi,
}

impl Encoding {
    /// The name in files: `variant` or `dlshogi`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Encoding::Variant => "variant",
            Encoding::Dlshogi => "dlshogi",
        }
    }

    /// The encoding of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Encoding> {
        [Encoding::Variant, Encoding::Dlshogi].into_iter().find(|e| e.as_str() == name)
    }

    /// The encoder of a variant.
    ///
    /// # Errors
    /// If the encoding is not for this variant.
    pub fn encoder(self, variant: Arc<Variant>) -> Result<Encoder, dlshogi::NotShogi> {
        match self {
            Encoding::Variant => Ok(Encoder::new(variant)),
            Encoding::Dlshogi => Encoder::dlshogi(variant),
        }
    }
}

/// Which planes there are.
#[derive(Debug)]
enum Scheme {
    /// Derived from the variant.
    Derived(Layout),
    /// Those of dlshogi.
    Dlshogi(dlshogi::Planes),
}

impl Encoder {
    /// Derives planes, vocabulary and mirror from the variant.
    #[must_use]
    pub fn new(variant: Arc<Variant>) -> Self {
        let layout = Layout::new(&variant);
        let vocabulary = Vocabulary::new(&variant);
        let mirror = Mirror::new(&variant, &layout, &entries(&variant));
        let description = format!(
            "encoder 1\nboard {}\nvocabulary {}\nlimit horizon {LIMIT_HORIZON}\n{}\n",
            variant.board_fingerprint(),
            vocabulary.fingerprint(),
            layout.names(&variant).join("\n")
        );
        let fingerprint = Fingerprint::of(&description);
        Self { variant, scheme: Scheme::Derived(layout), vocabulary, mirror, fingerprint }
    }

    /// The encoding of dlshogi, for variants with the board and pieces of shogi.
    ///
    /// # Errors
    /// If the variant has others.
    pub fn dlshogi(variant: Arc<Variant>) -> Result<Self, dlshogi::NotShogi> {
        let scheme = Scheme::Dlshogi(dlshogi::Planes::new(&variant)?);
        let vocabulary = dlshogi::vocabulary(&variant);
        let description = format!(
            "encoder dlshogi\nboard {}\nvocabulary {}\n{}\n",
            variant.board_fingerprint(),
            vocabulary.fingerprint(),
            dlshogi::plane_names().join("\n")
        );
        let (mirror, fingerprint) = (Some(dlshogi::mirror()), Fingerprint::of(&description));
        Ok(Self { variant, scheme, vocabulary, mirror, fingerprint })
    }

    /// The variant this encoder was made for.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// Which encoding it is.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        match self.scheme {
            Scheme::Derived(_) => Encoding::Variant,
            Scheme::Dlshogi(_) => Encoding::Dlshogi,
        }
    }

    /// Number of input planes.
    #[must_use]
    pub fn planes(&self) -> usize {
        match &self.scheme {
            Scheme::Derived(layout) => layout.planes(),
            Scheme::Dlshogi(_) => dlshogi::BOARD_PLANES + dlshogi::HAND_PLANES,
        }
    }

    /// Ranks of a plane.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.variant.ranks()
    }

    /// Files of a plane.
    #[must_use]
    pub fn files(&self) -> usize {
        self.variant.files()
    }

    /// Numbers in the input of one position: `planes * ranks * files`.
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.planes() * self.variant.squares()
    }

    /// The planes in words, in order.
    #[must_use]
    pub fn plane_names(&self) -> Vec<String> {
        match &self.scheme {
            Scheme::Derived(layout) => layout.names(&self.variant),
            Scheme::Dlshogi(_) => dlshogi::plane_names(),
        }
    }

    /// Hash of the board's rules, the planes and the vocabulary: a net fits if it is equal.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The policy vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The left-right mirror; `None` if the variant has none.
    #[must_use]
    pub fn mirror(&self) -> Option<&Mirror> {
        self.mirror.as_ref()
    }

    /// Writes the planes of the game's position to `out`, `[planes, ranks, files]`, seen from the
    /// side to move. All of `out` is overwritten.
    ///
    /// # Panics
    /// If `out.len() != input_len()`.
    pub fn encode(&self, game: &Game, out: &mut [f32]) {
        assert_eq!(out.len(), self.input_len(), "the output slice must hold the planes exactly");
        out.fill(0.0);
        match &self.scheme {
            Scheme::Derived(layout) => self.encode_derived(layout, game, out),
            Scheme::Dlshogi(planes) => planes.encode(&self.variant, game, out),
        }
    }

    fn encode_derived(&self, layout: &Layout, game: &Game, out: &mut [f32]) {
        let position = game.position();
        let mover = position.side_to_move();
        let (sides, shared) = out.split_at_mut(2 * layout.side_planes() * self.variant.squares());
        let (own, opponent) = sides.split_at_mut(sides.len() / 2);
        self.encode_side(layout, position, mover, mover, own);
        self.encode_side(layout, position, !mover, mover, opponent);

        let repetitions = game.repetitions();
        let values = [
            f32::from(game.in_check()),
            f32::from(repetitions >= 2),
            f32::from(repetitions >= 3),
            self.limit_pressure(game) as f32 / (LIMIT_HORIZON + 1) as f32,
        ];
        for (plane, value) in shared.chunks_exact_mut(self.variant.squares()).zip(values) {
            if value != 0.0 {
                plane.fill(value);
            }
        }
    }

    /// A key of exactly what [`Encoder::encode`] shows: equal keys have equal planes (but for
    /// collisions of 64-bit hashes). Games with the same position but another repetition count, or
    /// another distance to a near move limit, have different keys.
    #[must_use]
    pub fn key(&self, game: &Game) -> u64 {
        if let Scheme::Dlshogi(_) = self.scheme {
            return game.position().key();
        }
        let repetitions = u64::from(game.repetitions().min(3) - 1);
        let counters = repetitions + 3 * u64::from(self.limit_pressure(game));
        game.position().key() ^ mix(counters)
    }

    /// The planes of one side's pieces, hand and attacks, seen by `mover`.
    fn encode_side(
        &self,
        layout: &Layout,
        position: &Position,
        side: Color,
        mover: Color,
        out: &mut [f32],
    ) {
        let n = self.variant.squares();
        let occupied = position.occupied();
        let mut once = Bitboard::EMPTY;
        let mut twice = Bitboard::EMPTY;
        position.color(side).into_iter().for_each(|square| {
            let piece = position.piece_at(square).expect("a square of a colour holds a piece");
            let plane = layout.plane_of(piece.face);
            out[plane * n + own_view(square.index(), mover, n)] = 1.0;
            let attacks = self.variant.attacks(piece.face, side, square, occupied);
            twice |= once & attacks;
            once |= attacks;
        });
        for &hand in &layout.hands {
            let count = position.hand(side, hand.kind);
            if count > 0 {
                let mut next = hand.plane * n;
                if hand.is_scaled() {
                    out[next..next + n].fill(f32::from(count) / f32::from(hand.most));
                    next += n;
                }
                out[next..next + usize::from(count.min(hand.steps())) * n].fill(1.0);
            }
        }
        for (attacked, plane) in [once, twice].into_iter().zip(layout.attacks..) {
            let plane = &mut out[plane * n..][..n];
            attacked.into_iter().for_each(|square| plane[own_view(square.index(), mover, n)] = 1.0);
        }
    }

    /// 0 while more than [`LIMIT_HORIZON`] plies remain, then rising by one each ply to
    /// `LIMIT_HORIZON + 1` at the limit.
    fn limit_pressure(&self, game: &Game) -> u32 {
        let played = u32::try_from(game.ply()).unwrap_or(u32::MAX);
        let left = game.variant().max_plies().saturating_sub(played);
        (LIMIT_HORIZON + 1).saturating_sub(left)
    }
}

/// Spreads a small number over 64 bits; 0 stays 0. The finaliser of splitmix64 (Steele, Lea, Flood:
/// Fast splittable pseudorandom number generators, 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
