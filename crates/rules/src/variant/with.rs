//! The same game with other settings.

use crate::canonical;
use crate::fingerprint::Fingerprint;
use crate::position::Position;
use crate::rule::{Declaration, Impasse, Rules};
use crate::variant::Variant;

impl Variant {
    /// The same variant with another greatest length of games.
    #[must_use]
    pub fn with_max_plies(&self, plies: u32) -> Variant {
        self.with_rules(|rules| rules.max_plies = plies)
    }

    /// The same variant with another occurrence of a position that ends the game; at least 2.
    #[must_use]
    pub fn with_repetition_count(&self, count: u32) -> Variant {
        self.with_rules(|rules| rules.repetition.count = count.max(2))
    }

    /// The same variant with another worth of an impasse; nothing changes where no camp to enter is
    /// defined ([`Rules::entering`]).
    #[must_use]
    pub fn with_impasse(&self, impasse: Option<Impasse>) -> Variant {
        self.with_rules(|rules| rules.entering.iter_mut().for_each(|rule| rule.impasse = impasse))
    }

    /// The same variant with other points for a declaration; nothing changes where no camp to enter is
    /// defined ([`Rules::entering`]).
    #[must_use]
    pub fn with_declaration(&self, declaration: Option<Declaration>) -> Variant {
        self.with_rules(|rules| {
            rules.entering.iter_mut().for_each(|rule| rule.declaration = declaration);
        })
    }

    /// The same game from another start, such as that of a handicap. The full set of pieces, which
    /// points are counted by, stays that of the variant.
    #[must_use]
    pub fn with_start(&self, start: Position) -> Variant {
        self.changed(|variant| variant.start = start)
    }

    fn with_rules(&self, change: impl FnOnce(&mut Rules)) -> Variant {
        self.changed(|variant| change(&mut variant.rules))
    }

    /// The same board, pieces and drops with something else changed.
    fn changed(&self, change: impl FnOnce(&mut Variant)) -> Variant {
        let mut variant = self.clone();
        change(&mut variant);
        variant.rules_fingerprint = Fingerprint::of(&canonical::rules(&variant));
        variant
    }
}
