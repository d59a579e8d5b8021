//! What a node is worth: proof numbers, bounds of the mate's length, and what they lean on.

use crate::table::{Known, NEVER, PathBound};

/// Proven or refuted.
pub(crate) const INFINITE: u32 = u32::MAX / 4;
/// Leans on no position of the path.
pub(crate) const NOTHING: u16 = u16::MAX;

/// What a search of a node brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) pn: u32,
    pub(crate) dn: u32,
    pub(crate) at_least: u16,
    pub(crate) at_most: u16,
    /// The place on the path of the earliest position that `at_least` leans on.
    pub(crate) leans_on: u16,
}

impl Value {
    /// The value given what is known, asked for a mate within `limit` plies.
    pub(crate) fn new(known: Known, limit: u16) -> Value {
        let Known { at_least, at_most, .. } = known;
        let (pn, dn) = if at_most <= limit {
            (0, INFINITE)
        } else if at_least > limit {
            (INFINITE, 0)
        } else {
            (known.pn, known.dn)
        };
        Value { pn, dn, at_least, at_most, leans_on: NOTHING }
    }

    pub(crate) fn is_open(self) -> bool {
        self.pn > 0 && self.dn > 0
    }

    pub(crate) fn leaning(bound: PathBound) -> Value {
        let PathBound { at_least, leans_on } = bound;
        Value { pn: INFINITE, dn: 0, at_least, at_most: NEVER, leans_on }
    }
}

pub(crate) const MATED: Known =
    Known { pn: 0, dn: INFINITE, at_least: 0, at_most: 0, on_paths: false };
pub(crate) const REFUTED: Known =
    Known { pn: INFINITE, dn: 0, at_least: NEVER, at_most: NEVER, on_paths: false };
/// Not mated now, and no plies left.
pub(crate) const TOO_LATE: Known =
    Known { pn: INFINITE, dn: 0, at_least: 1, at_most: NEVER, on_paths: false };

/// The bounds of a node, gathered from its children.
pub(crate) struct Bounds {
    attacks: bool,
    at_most: u16,
    at_least: u16,
    /// What `at_least` leans on.
    leans_on: u16,
    /// For the defender: the best bound that leans on the path.
    leaning: PathBound,
}

impl Bounds {
    pub(crate) fn new(attacks: bool) -> Bounds {
        let leaning = PathBound { at_least: 0, leans_on: 0 };
        let (at_most, at_least) = if attacks { (NEVER, NEVER) } else { (0, 0) };
        Bounds { attacks, at_most, at_least, leans_on: NOTHING, leaning }
    }

    pub(crate) fn add(&mut self, value: Value, limit: u16) {
        if self.attacks {
            self.at_most = self.at_most.min(value.at_most);
            self.at_least = self.at_least.min(value.at_least);
            self.leans_on = self.leans_on.min(value.leans_on);
            return;
        }
        self.at_most = self.at_most.max(value.at_most);
        if value.leans_on == NOTHING {
            self.at_least = self.at_least.max(value.at_least);
        } else if value.at_least >= limit && value.leans_on >= self.leaning.leans_on {
            self.leaning = PathBound { at_least: value.at_least, leans_on: value.leans_on };
        }
    }

    /// At least, at most, and what the first leans on.
    pub(crate) fn of_node(self, limit: u16) -> (u16, u16, u16) {
        let one_more = |plies: u16| if plies == NEVER { NEVER } else { plies + 1 };
        let (mut at_least, mut leans_on) = (self.at_least, self.leans_on);
        // A refutation that leans on nothing is the better one.
        if !self.attacks && at_least < limit && self.leaning.at_least > 0 {
            (at_least, leans_on) = (self.leaning.at_least, self.leaning.leans_on);
        }
        (one_more(at_least), one_more(self.at_most), leans_on)
    }
}
