//! Files, `extends` and `--set`, merged key by key; every fault found on the way.
//!
//! A key is known when the defaults have it, and its value must have the default's type (an integer
//! will do for a float). So no layer needs a schema of its own.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rules::Variant;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// Longest chain of `extends`; a longer one is taken for a circle.
const MAX_LAYERS: usize = 16;

/// One thing wrong in one place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    /// File and line, or the argument.
    pub(crate) place: String,
    /// What is wrong and what was expected.
    pub(crate) problem: String,
}

/// Everything wrong with a configuration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConfigErrors(pub(crate) Vec<Fault>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration has {} fault", self.0.len())?;
        if self.0.len() > 1 {
            write!(f, "s")?;
        }
        for fault in &self.0 {
            write!(f, "\n  {}: {}", fault.place, fault.problem)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

/// A configuration that layers make.
pub(crate) trait Layered: Default + Serialize + DeserializeOwned {
    /// A key below which any name is known and every value is kept as a string.
    const FREE: Option<&'static str> = None;
    /// A list of tables that [`load_with_list`] reads; the last layer that has it counts.
    const LIST: Option<&'static str> = None;
    /// Keys that name a file beside the configuration.
    const FILES: &'static [&'static str] = &[];

    /// All values outside their ranges: key and what is wrong.
    fn faults(&self) -> Vec<(String, String)>;
}

/// Resolves the layers.
///
/// # Errors
/// Every fault of every layer.
#[cfg(feature = "torch")]
pub(crate) fn load<T: Layered>(path: &Path, sets: &[String]) -> Result<T, ConfigErrors> {
    let (config, faults) = Layers::<T>::of(path, sets).resolve();
    if faults.is_empty() { Ok(config) } else { Err(ConfigErrors(faults)) }
}

/// Resolves the layers and those of each table of their list, which begins with what `base` takes from
/// the configuration.
///
/// # Errors
/// Every fault of every layer.
pub(crate) fn load_with_list<T: Layered, E: Layered>(
    path: &Path,
    sets: &[String],
    base: impl Fn(&T) -> E,
) -> Result<(T, Vec<E>), ConfigErrors> {
    let mut layers = Layers::<T>::of(path, sets);
    let list = std::mem::take(&mut layers.list);
    let (config, mut faults) = layers.resolve();
    let mut entries = Vec::new();
    for (place, table) in list {
        let mut layers = Layers::<E>::new(&base(&config));
        layers.place = place.clone();
        for Entry { key, place, value } in table {
            layers.set(&key, &place, value);
        }
        let (entry, more) = layers.resolve();
        entries.push(entry);
        // What came from the base has been told there.
        let told = |fault: &Fault| {
            let key = fault.problem.split('`').nth(1).unwrap_or_default();
            let in_base = |other: &Fault| other.problem.contains(&format!(".{key}` "));
            fault.place == place && faults.iter().any(in_base)
        };
        let new: Vec<Fault> = more.into_iter().filter(|fault| !told(fault)).collect();
        faults.extend(new);
    }
    if faults.is_empty() { Ok((config, entries)) } else { Err(ConfigErrors(faults)) }
}

/// A value in a file.
struct Entry {
    /// With all tables, dotted.
    key: String,
    place: String,
    value: Value,
}

/// The layers merged so far.
struct Layers<T> {
    defaults: Table,
    merged: Table,
    /// Where each key was set last.
    places: BTreeMap<String, String>,
    /// The tables of [`Layered::LIST`], with their places.
    list: Vec<(String, Vec<Entry>)>,
    /// The place of what no layer has set.
    place: String,
    faults: Vec<Fault>,
    of: PhantomData<T>,
}

impl<T: Layered> Layers<T> {
    fn new(defaults: &T) -> Self {
        let defaults = Table::try_from(defaults).expect("a configuration is a TOML table");
        Self {
            merged: defaults.clone(),
            defaults,
            places: BTreeMap::new(),
            list: Vec::new(),
            place: "the configuration".to_owned(),
            faults: Vec::new(),
            of: PhantomData,
        }
    }

    fn of(path: &Path, sets: &[String]) -> Self {
        let mut layers = Self::new(&T::default());
        layers.add_file(path, 0);
        for set in sets {
            layers.add_argument(set);
        }
        layers
    }

    /// Adds a file above what is there; the file it extends goes in before it.
    fn add_file(&mut self, path: &Path, depth: usize) {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return self.fault(path.display().to_string(), error.to_string()),
        };
        let source = Source { path, text: &text };
        let (table, errors) = DeTable::parse_recoverable(&text);
        for error in errors {
            let place = source.place(error.span().unwrap_or(0..0));
            self.fault(place, error.message().to_owned());
        }
        let table = table.into_inner();
        if let Some(parent) = table.get("extends") {
            let place = source.place(parent.span());
            match parent.get_ref().as_str() {
                None => self.fault(place, "`extends` must be a file name".to_owned()),
                Some(_) if depth + 1 == MAX_LAYERS => {
                    self.fault(place, format!("more than {MAX_LAYERS} files extend each other"));
                }
                Some(parent) => self.add_file(&parent_path(path, parent), depth + 1),
            }
        }
        for Entry { key, place, value } in source.entries(&table) {
            let value = match value {
                Value::String(name) if T::FILES.contains(&key.as_str()) => {
                    Value::String(beside(path, name))
                }
                value => value,
            };
            if key != "extends" && Some(key.as_str()) != T::LIST {
                self.set(&key, &place, value);
            }
        }
        let list = T::LIST.and_then(|list| table.get_key_value(list));
        if let Some((name, list)) = list {
            self.set_list(&source, name.get_ref(), list);
        }
    }

    /// Takes the tables of the list.
    fn set_list(&mut self, source: &Source<'_>, name: &str, list: &toml::Spanned<DeValue<'_>>) {
        let tables = list.get_ref().as_array().and_then(|list| {
            let table = |item: &toml::Spanned<DeValue<'_>>| {
                let table = item.get_ref().as_table()?;
                Some((source.place(item.span()), source.entries(table)))
            };
            list.iter().map(table).collect::<Option<Vec<_>>>()
        });
        match tables {
            Some(tables) => self.list = tables,
            None => {
                let problem = format!("`{name}` must be tables, each headed [[{name}]]");
                self.fault(source.place(list.span()), problem);
            }
        }
    }

    /// Adds one `key=value`. A value that is not TOML is a string.
    fn add_argument(&mut self, argument: &str) {
        let place = format!("--set {argument}");
        let Some((key, text)) = argument.split_once('=') else {
            return self.fault(place, "expected key=value".to_owned());
        };
        let value = format!("value = {text}")
            .parse::<Table>()
            .ok()
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| Value::String(text.to_owned()));
        self.set(key.trim(), &place, value);
    }

    /// Sets one key, if it is known and the value has its type.
    fn set(&mut self, key: &str, place: &str, value: Value) {
        if let Some((free, name)) = key.split_once('.')
            && Some(free) == T::FREE
        {
            return self.set_free(free, name, value);
        }
        let Some(default) = lookup(&self.defaults, key) else {
            let nearest = self.nearest(key);
            return self.fault(
                place.to_owned(),
                format!("unknown key `{key}`; did you mean `{nearest}`?"),
            );
        };
        let value = match (default, value) {
            (Value::Float(_), Value::Integer(whole)) => Value::Float(whole as f64),
            // A table with all its keys commented out.
            (Value::Table(_), Value::Table(_)) => return,
            (default, value) if default.same_type(&value) => value,
            (default, value) => {
                let problem = format!(
                    "`{key}` must be a value of type {}, not {}",
                    default.type_str(),
                    value.type_str()
                );
                return self.fault(place.to_owned(), problem);
            }
        };
        self.places.insert(key.to_owned(), place.to_owned());
        *lookup_mut(&mut self.merged, key).expect("the merged table has every default key") = value;
    }

    /// Sets a key of the table in which every name is known.
    fn set_free(&mut self, free: &str, name: &str, value: Value) {
        let text = match value {
            Value::String(text) => text,
            value => value.to_string(),
        };
        let table = self.merged.get_mut(free).and_then(Value::as_table_mut);
        table.expect("the defaults have it").insert(name.to_owned(), Value::String(text));
    }

    /// The merged configuration and all faults; where there are some, defaults stand in.
    fn resolve(mut self) -> (T, Vec<Fault>) {
        for key in self.places.keys().cloned().collect::<Vec<_>>() {
            if let Some(problem) = self.meaningless(&key) {
                let place = self.place_of(&key);
                self.fault(place, format!("`{key}`: {problem}"));
                // Its default stands in, so that the rest can be checked.
                *lookup_mut(&mut self.merged, &key).expect("set keys are in the merged table") =
                    lookup(&self.defaults, &key).expect("the defaults have every key").clone();
            }
        }
        let config = T::deserialize(Value::Table(self.merged.clone()))
            .expect("values without meaning have been replaced");
        for (key, problem) in config.faults() {
            let place = self.place_of(&key);
            self.fault(place, format!("`{key}` {problem}"));
        }
        (config, self.faults)
    }

    /// What is wrong with a value of the right type that means nothing, such as a negative count:
    /// it fails when it is put into the defaults alone.
    fn meaningless(&self, key: &str) -> Option<String> {
        let mut table = self.defaults.clone();
        let value = lookup(&self.merged, key).expect("set keys are in the merged table");
        *lookup_mut(&mut table, key).expect("the defaults have every key") = value.clone();
        T::deserialize(Value::Table(table)).err().map(|error| error.message().to_owned())
    }

    /// Where a key was set, or one of the table that it names.
    fn place_of(&self, key: &str) -> String {
        let below = format!("{key}.");
        let mut places = self.places.iter();
        places
            .find(|(set, _)| *set == key || set.starts_with(&below))
            .map_or_else(|| self.place.clone(), |(_, place)| place.clone())
    }

    /// The known key that is most like `key`.
    fn nearest(&self, key: &str) -> String {
        let mut known = Vec::new();
        known_keys(&self.defaults, "", &mut known);
        let likeness = |known: &str| strsim::jaro_winkler(known, key);
        known
            .into_iter()
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
            .expect("there are known keys")
    }

    fn fault(&mut self, place: String, problem: String) {
        self.faults.push(Fault { place, problem });
    }
}

/// A file's text, for line numbers.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    /// All values below `table` that are not tables themselves.
    fn entries(&self, table: &DeTable<'_>) -> Vec<Entry> {
        let mut entries = Vec::new();
        flatten(table, "", &mut entries);
        let entry = |(key, span, value)| Entry { key, place: self.place(span), value };
        entries.into_iter().map(entry).collect()
    }

    fn place(&self, span: Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        format!("{}:{line}", self.path.display())
    }
}

/// `extends` names a file beside the one that says it, with or without `.toml`.
fn parent_path(child: &Path, parent: &str) -> PathBuf {
    let path = child.parent().unwrap_or(Path::new("")).join(parent);
    if path.extension().is_some() { path } else { path.with_extension("toml") }
}

/// A file lies beside the configuration that names it; the id of a built-in variant and nothing at all
/// are no files.
fn beside(config: &Path, name: String) -> String {
    if name.is_empty() || Variant::builtin_text(&name).is_some() {
        return name;
    }
    config.parent().unwrap_or(Path::new("")).join(name).display().to_string()
}

/// All values below `table` that are not tables themselves, with dotted keys and their spans.
fn flatten(table: &DeTable<'_>, prefix: &str, entries: &mut Vec<(String, Range<usize>, Value)>) {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => {
                flatten(inner, &format!("{key}."), entries);
            }
            inner => match Value::deserialize(toml::de::ValueDeserializer::from(value.clone())) {
                Ok(plain) => entries.push((key, name.span(), plain)),
                // A number too large for TOML; as a string it has the wrong type for its key.
                Err(_) => entries.push((key, name.span(), Value::String(format!("{inner:?}")))),
            },
        }
    }
}

fn known_keys(table: &Table, prefix: &str, keys: &mut Vec<String>) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        match value {
            Value::Table(inner) => known_keys(inner, &format!("{key}."), keys),
            _ => keys.push(key),
        }
    }
}

fn lookup<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    let (first, rest) = split(key);
    let value = table.get(first)?;
    rest.map_or(Some(value), |rest| lookup(value.as_table()?, rest))
}

fn lookup_mut<'a>(table: &'a mut Table, key: &str) -> Option<&'a mut Value> {
    let (first, rest) = split(key);
    let value = table.get_mut(first)?;
    match rest {
        None => Some(value),
        Some(rest) => lookup_mut(value.as_table_mut()?, rest),
    }
}

fn split(key: &str) -> (&str, Option<&str>) {
    key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)))
}

#[cfg(test)]
#[cfg(feature = "torch")]
mod tests {
    use super::*;
    use crate::config::RunConfig;

    fn load(path: &Path, sets: &[String]) -> Result<RunConfig, ConfigErrors> {
        super::load(path, sets)
    }

    fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
        let path = dir.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn layers_override_each_other() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "base.toml", "seed = 3\n[selfplay]\nsimulations = 8\n");
        let path = write(dir.path(), "child.toml", "extends = \"base\"\n[selfplay]\nc_scale = 1\n");
        let sets = ["selfplay.considered=4".to_owned(), "execution.budget=90s".to_owned()];
        let config = load(&path, &sets).unwrap();
        assert_eq!(config.seed, 3);
        assert_eq!(config.selfplay.simulations, 8);
        assert_eq!(config.selfplay.considered, 4);
        assert!((config.selfplay.c_scale - 1.0).abs() < 1e-6);
        assert_eq!(config.execution.budget, "90s");
    }

    #[test]
    fn every_builtin_variant_has_a_configuration() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
        for id in rules::Variant::builtin_ids() {
            let path = folder.join(format!("{id}.toml"));
            let config = load(&path, &[]).unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(config.variant, *id);
        }
    }

    #[test]
    fn all_faults_at_once_with_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = write(
            dir.path(),
            "bad.toml",
            "seed = \"x\"\n\n[selfplay]\nsimulation = 8\nconsidered = 0\n",
        );
        let errors = load(&path, &["evaluate.games=7".to_owned()]).unwrap_err();
        let text = errors.to_string();
        assert_eq!(errors.0.len(), 4, "{text}");
        assert!(text.contains("bad.toml:1: `seed` must be a value of type integer"), "{text}");
        assert!(text.contains("bad.toml:4: unknown key `selfplay.simulation`"), "{text}");
        assert!(text.contains("did you mean `selfplay.simulations`?"), "{text}");
        assert!(text.contains("bad.toml:5: `selfplay.considered` must be 1 or more"), "{text}");
        assert!(text.contains("--set evaluate.games=7: `evaluate.games` must be"), "{text}");
    }

    #[test]
    fn a_value_without_meaning_is_placed() {
        let dir = tempfile::tempdir().unwrap();
        let path = write(dir.path(), "bad.toml", "[execution]\nbackend = \"abacus\"\n");
        let errors = load(&path, &[]).unwrap_err();
        assert!(errors.to_string().contains("bad.toml:2: `execution.backend`"), "{errors}");
    }

    #[test]
    fn values_without_meaning_do_not_hide_each_other() {
        let dir = tempfile::tempdir().unwrap();
        let text =
            "[train]\n\n[selfplay]\nsimulations = -1\nconsidered = 0\n[train.window]\nmax = 5\n";
        let path = write(dir.path(), "bad.toml", text);
        let errors = load(&path, &["seed=-4".to_owned()]).unwrap_err();
        let text = errors.to_string();
        assert_eq!(errors.0.len(), 4, "{text}");
        assert!(text.contains("bad.toml:4: `selfplay.simulations`"), "{text}");
        assert!(text.contains("bad.toml:5: `selfplay.considered` must be 1 or more"), "{text}");
        assert!(text.contains("bad.toml:7: `train.window`"), "{text}");
        assert!(text.contains("--set seed=-4: `seed`"), "{text}");
    }

    #[test]
    fn a_variant_file_lies_beside_the_configuration_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("deep")).unwrap();
        write(dir.path(), "base.toml", "variant = \"games/mine.toml\"\n");
        let path = write(dir.path(), "deep/child.toml", "extends = \"../base\"\n");
        let found = PathBuf::from(load(&path, &[]).unwrap().variant);
        assert_eq!(found, dir.path().join("deep/../games/mine.toml"));
        let set = load(&path, &["variant=here.toml".to_owned()]).unwrap();
        assert_eq!(set.variant, "here.toml");
        let path = write(dir.path(), "builtin.toml", "variant = \"micro\"\n");
        assert_eq!(load(&path, &[]).unwrap().variant, "micro");
    }

    #[test]
    fn a_circle_of_files_ends() {
        let dir = tempfile::tempdir().unwrap();
        let path = write(dir.path(), "a.toml", "extends = \"a\"\n");
        let errors = load(&path, &[]).unwrap_err();
        assert!(errors.to_string().contains("extend each other"), "{errors}");
    }
}
