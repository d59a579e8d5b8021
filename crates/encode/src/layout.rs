//! Which input planes a variant has, and where each of them lies.
//!
//! The planes of the mover come first, then the same planes of the opponent, then the shared ones.

use std::ops::Range;

use rules::{Face, Kind, MAX_FACES, Variant};

use crate::dropped_faces;

/// A hand has at most this many thermometer planes ("at least 1, 2, …").
pub const MAX_THERMOMETER: u8 = 4;

/// The move-limit plane is zero while more plies than this remain, so that positions far from the
/// limit stay equal.
pub const LIMIT_HORIZON: u32 = 32;

/// Names of the planes that belong to neither side, in order.
pub(crate) const SHARED: [&str; 4] =
    ["in check", "second occurrence", "third occurrence", "few plies left"];

/// Where the planes of one side lie, counted from the start of that side's part.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The faces of the variant, in plane order: face `faces[p]` has plane `p`.
    pub(crate) faces: Vec<Face>,
    /// By face: its plane; 0 for a missing one.
    planes_of: [u8; MAX_FACES],
    /// The kinds a hand can hold.
    pub(crate) hands: Vec<HandKind>,
    /// The plane of attacked squares; the next one shows those attacked at least twice.
    pub(crate) attacks: usize,
}

/// A kind that may lie in a hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandKind {
    pub(crate) kind: Kind,
    /// Most pieces of this kind a hand can hold: all of the start position.
    pub(crate) most: u8,
    /// Its first plane: the scaled one if there is one, then the thermometer.
    pub(crate) plane: usize,
}

impl HandKind {
    /// Number of thermometer planes.
    pub(crate) fn steps(self) -> u8 {
        self.most.min(MAX_THERMOMETER)
    }

    /// Whether there is a scaled plane: only where the thermometer does not tell all.
    pub(crate) fn is_scaled(self) -> bool {
        self.most > MAX_THERMOMETER
    }

    /// All planes of this kind.
    pub(crate) fn planes(self) -> Range<usize> {
        self.plane..self.plane + usize::from(self.is_scaled()) + usize::from(self.steps())
    }
}

impl Layout {
    pub(crate) fn new(variant: &Variant) -> Self {
        let faces: Vec<Face> = variant.faces().collect();
        let mut next = faces.len();
        let mut hands: Vec<HandKind> = Vec::new();
        for kind in dropped_faces(variant).map(Face::kind) {
            if hands.iter().all(|hand| hand.kind != kind) {
                let most = u8::try_from(variant.piece_count(kind)).expect("at most 128 pieces");
                let hand = HandKind { kind, most, plane: next };
                next = hand.planes().end;
                hands.push(hand);
            }
        }
        let mut planes_of = [0; MAX_FACES];
        for (plane, face) in faces.iter().enumerate() {
            planes_of[face.index()] = u8::try_from(plane).expect("at most 32 faces");
        }
        Self { faces, planes_of, hands, attacks: next }
    }

    /// The plane that shows where a face stands.
    pub(crate) fn plane_of(&self, face: Face) -> usize {
        usize::from(self.planes_of[face.index()])
    }

    /// Number of planes of one side.
    pub(crate) fn side_planes(&self) -> usize {
        self.attacks + 2
    }

    /// Number of all planes.
    pub(crate) fn planes(&self) -> usize {
        2 * self.side_planes() + SHARED.len()
    }

    /// The planes in words, in order.
    pub(crate) fn names(&self, variant: &Variant) -> Vec<String> {
        let mut names = Vec::with_capacity(self.planes());
        for side in ["own", "opponent"] {
            let letter = |face| variant.face_letter(face);
            names.extend(self.faces.iter().map(|&face| format!("{side} {}", letter(face))));
            for hand in &self.hands {
                let letter = letter(hand.kind.front());
                if hand.is_scaled() {
                    names.push(format!("{side} hand {letter} / {}", hand.most));
                }
                names.extend((1..=hand.steps()).map(|n| format!("{side} hand {letter} >= {n}")));
            }
            names.push(format!("{side} attacks"));
            names.push(format!("{side} attacks twice"));
        }
        names.extend(SHARED.map(String::from));
        names
    }
}
