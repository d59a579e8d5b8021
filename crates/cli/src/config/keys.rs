//! What changed between two configurations, and the three kinds of keys of a run.

use std::collections::BTreeMap;

use serde::Serialize;
use toml::Value;

/// What a change of a key means to a run that exists.
#[cfg(feature = "torch")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyKind {
    /// Fixed: records and checkpoints depend on it.
    Identity,
    /// May change between phases when that is asked for.
    Tunable,
    /// Free.
    Execution,
}

#[cfg(feature = "torch")]
impl KeyKind {
    pub(crate) fn of(key: &str) -> Self {
        let under = |table: &str| key.starts_with(table);
        let fixed =
            ["variant", "seed", "max_plies", "handicap", "encoder", "selfplay.games_per_chunk"];
        if fixed.contains(&key) || under("net.") {
            Self::Identity
        } else if under("execution.") {
            Self::Execution
        } else {
            Self::Tunable
        }
    }
}

/// A key that two configurations disagree about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    pub(crate) key: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} -> {}", self.key, self.before, self.after)
    }
}

/// All keys whose values differ, in alphabetical order; tables in lists are numbered from 1.
pub(crate) fn differences<T: Serialize>(before: &T, after: &T) -> Vec<Difference> {
    let (before, after) = (flat(before), flat(after));
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let text = |values: &BTreeMap<String, String>, key: &String| {
        values.get(key).map_or("absent", String::as_str).to_owned()
    };
    keys.into_iter()
        .filter(|key| before.get(*key) != after.get(*key))
        .map(|key| Difference {
            key: key.clone(),
            before: text(&before, key),
            after: text(&after, key),
        })
        .collect()
}

/// Every key with its value's text.
fn flat<T: Serialize>(config: &T) -> BTreeMap<String, String> {
    let table = toml::Table::try_from(config).expect("a configuration is a TOML table");
    let mut keys = BTreeMap::new();
    let mut open = vec![(String::new(), Value::Table(table))];
    while let Some((key, value)) = open.pop() {
        let below = |name: &str| if key.is_empty() { name.into() } else { format!("{key}.{name}") };
        match value {
            Value::Table(inner) => {
                open.extend(inner.into_iter().map(|(name, value)| (below(&name), value)));
            }
            Value::Array(list) if list.first().is_some_and(Value::is_table) => {
                let numbered = list.into_iter().zip(1..);
                open.extend(numbered.map(|(value, at): (_, u32)| (below(&at.to_string()), value)));
            }
            value => {
                keys.insert(key, value.to_string());
            }
        }
    }
    keys
}

#[cfg(test)]
#[cfg(feature = "torch")]
mod tests {
    use super::*;
    use crate::config::RunConfig;

    #[test]
    fn kinds_of_differences() {
        let before = RunConfig::default();
        let mut after = before.clone();
        after.seed = 9;
        after.selfplay.simulations += 1;
        after.execution.budget = "3d".to_owned();
        let kinds: Vec<_> = differences(&before, &after)
            .into_iter()
            .map(|difference| (KeyKind::of(&difference.key), difference.key))
            .collect();
        let expected = [
            (KeyKind::Execution, "execution.budget"),
            (KeyKind::Identity, "seed"),
            (KeyKind::Tunable, "selfplay.simulations"),
        ];
        assert_eq!(kinds, expected.map(|(kind, key)| (kind, key.to_owned())));
    }
}
