//! The three kinds of keys, and what changed between two configurations.

use super::RunConfig;

/// What a change of a key means to a run that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyKind {
    /// Fixed: records and checkpoints depend on it.
    Identity,
    /// May change between phases when that is asked for.
    Tunable,
    /// Free.
    Execution,
}

impl KeyKind {
    fn of(key: &str) -> Self {
        let under = |table: &str| key.starts_with(table);
        let fixed = ["variant", "seed", "max_plies", "handicap", "selfplay.games_per_chunk"];
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
    pub(crate) kind: KeyKind,
    pub(crate) before: String,
    pub(crate) after: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} -> {}", self.key, self.before, self.after)
    }
}

/// All keys whose values differ, in the order of the file.
pub(crate) fn differences(before: &RunConfig, after: &RunConfig) -> Vec<Difference> {
    let (before, after) = (flat(before), flat(after));
    before
        .into_iter()
        .zip(after)
        .filter(|((_, before), (_, after))| before != after)
        .map(|((key, before), (_, after))| Difference {
            kind: KeyKind::of(&key),
            key,
            before,
            after,
        })
        .collect()
}

/// Every key with its value's text. All configurations have the same keys.
fn flat(config: &RunConfig) -> Vec<(String, String)> {
    let table = toml::Table::try_from(config).expect("a configuration is a TOML table");
    let mut keys = Vec::new();
    let mut tables = vec![(String::new(), table)];
    while let Some((prefix, table)) = tables.pop() {
        for (key, value) in table {
            let key = format!("{prefix}{key}");
            match value {
                toml::Value::Table(inner) => tables.push((format!("{key}."), inner)),
                value => keys.push((key, value.to_string())),
            }
        }
    }
    keys.sort();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_differences() {
        let before = RunConfig::default();
        let mut after = before.clone();
        after.seed = 9;
        after.selfplay.simulations += 1;
        after.execution.budget = "3d".to_owned();
        let kinds: Vec<_> = differences(&before, &after)
            .into_iter()
            .map(|difference| (difference.key, difference.kind))
            .collect();
        let expected = [
            ("execution.budget", KeyKind::Execution),
            ("seed", KeyKind::Identity),
            ("selfplay.simulations", KeyKind::Tunable),
        ];
        assert_eq!(kinds, expected.map(|(key, kind)| (key.to_owned(), kind)));
    }
}
