//! Typed access to a table of a variant file; every fault goes to one list.

use super::VariantError;
use super::tree::{Node, Place, Table, Value, shortened, unprintable};
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;

/// So many faults of a file are told; more would help nobody.
const MAX_FAULTS: usize = 100;

/// Collects faults while values are read. A value that is missing or wrong reads as `None`.
#[derive(Debug, Default)]
pub(super) struct Faults(pub(super) Vec<VariantError>);

/// The names of an enum's values in variant files.
pub(super) type Names<T> = &'static [(&'static str, T)];

impl Faults {
    pub(super) fn add(&mut self, place: &Place, message: impl Into<String>) {
        if !self.full() {
            self.0.push(place.error(message));
        }
    }

    /// Whether there are so many that no more are kept.
    fn full(&self) -> bool {
        self.0.len() >= MAX_FAULTS
    }

    /// Says so, if no more were kept.
    pub(super) fn close(&mut self) {
        if self.full()
            && let Some(last) = self.0.last_mut()
        {
            last.message.push_str(&format!("; only {MAX_FAULTS} faults are told"));
        }
    }

    /// Refuses keys that are not among the known ones.
    pub(super) fn check_keys(&mut self, table: &Table, known: &[&str]) {
        for entry in &table.entries {
            if self.full() {
                return;
            }
            if !known.contains(&entry.key.as_str()) {
                let key = shortened(&entry.key);
                let nearest = nearest(&key, known).map_or_else(
                    || format!("known here are {}", list(known)),
                    |near| format!("did you mean `{near}`?"),
                );
                self.add(&entry.key_place, format!("unknown key `{key}`; {nearest}"));
            }
        }
    }

    fn wrong(&mut self, key: &str, node: &Node, expected: &str) {
        let found = node.value.type_name();
        self.add(&node.place, format!("`{key}` takes {expected}, not {found}"));
    }

    pub(super) fn text<'a>(&mut self, table: &'a Table, key: &str) -> Option<&'a str> {
        let node = table.get(key)?;
        match &node.value {
            Value::Text(text) => Some(text),
            _ => {
                self.wrong(key, node, "a string");
                None
            }
        }
    }

    /// A text that must be there.
    pub(super) fn needed_text<'a>(
        &mut self,
        table: &'a Table,
        key: &str,
        place: &Place,
    ) -> Option<&'a str> {
        if table.get(key).is_none() {
            self.add(place, format!("`{key}` is missing"));
        }
        self.text(table, key)
    }

    /// A text that people see: on one line, without characters that change how it is shown.
    pub(super) fn shown<'a>(
        &mut self,
        table: &'a Table,
        key: &str,
        most: usize,
    ) -> Option<&'a str> {
        let text = self.text(table, key)?;
        if (1..=most).contains(&text.chars().count()) && !text.chars().any(unprintable) {
            return Some(text);
        }
        let node = table.get(key)?;
        let why = format!("`{key}` is 1 to {most} printable characters");
        self.add(&node.place, why);
        None
    }

    pub(super) fn number(
        &mut self,
        table: &Table,
        key: &str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let node = table.get(key)?;
        match node.value {
            Value::Number(number) if range.contains(&number) => return Some(number),
            Value::Number(number) => {
                let (low, high) = (range.start(), range.end());
                self.add(&node.place, format!("`{key}` is from {low} to {high}, not {number}"));
            }
            _ => self.wrong(key, node, "a number"),
        }
        None
    }

    pub(super) fn switch(&mut self, table: &Table, key: &str) -> Option<bool> {
        let node = table.get(key)?;
        match node.value {
            Value::Switch(switch) => Some(switch),
            _ => {
                self.wrong(key, node, "true or false");
                None
            }
        }
    }

    /// A table inside a table; an absent one reads as empty.
    pub(super) fn table<'a>(
        &mut self,
        table: &'a Table,
        key: &str,
    ) -> Option<(&'a Table, &'a Place)> {
        let node = table.get(key)?;
        match &node.value {
            Value::Table(inner) => Some((inner, &node.place)),
            _ => {
                self.wrong(key, node, "a table");
                None
            }
        }
    }

    /// A list of texts with their places.
    pub(super) fn texts<'a>(&mut self, table: &'a Table, key: &str) -> Vec<(&'a str, &'a Place)> {
        let Some(node) = table.get(key) else { return Vec::new() };
        let Value::List(items) = &node.value else {
            self.wrong(key, node, "a list of strings");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match &item.value {
                Value::Text(text) => texts.push((text.as_str(), &item.place)),
                _ => self.wrong(key, item, "a list of strings"),
            }
        }
        texts
    }

    /// One of the named values.
    pub(super) fn choice<T: Copy>(
        &mut self,
        table: &Table,
        key: &str,
        names: Names<T>,
    ) -> Option<T> {
        let text = self.text(table, key)?;
        let found = names.iter().find(|(name, _)| *name == text);
        if found.is_none() {
            let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            if let Some(node) = table.get(key) {
                let text = shortened(text);
                let known = list(&known);
                self.add(&node.place, format!("`{key}` is one of {known}, not `{text}`"));
            }
        }
        found.map(|(_, value)| *value)
    }

    /// A named zone (from Black's side).
    pub(super) fn zone(&mut self, table: &Table, key: &str, zones: &Zones) -> Option<Bitboard> {
        let name = self.text(table, key)?;
        let found = zones.iter().find(|(known, _)| known == name).map(|(_, squares)| *squares);
        if found.is_none() {
            let known: Vec<&str> = zones.iter().map(|(name, _)| name.as_str()).collect();
            let known = if known.is_empty() { "none is defined".to_owned() } else { list(&known) };
            if let Some(node) = table.get(key) {
                let name = shortened(name);
                self.add(&node.place, format!("`{key}` names no zone: `{name}`; zones: {known}"));
            }
        }
        found
    }
}

/// So many names are listed in a message.
const MAX_LISTED: usize = 16;

/// Named sets of squares, from Black's side.
pub(super) type Zones = Vec<(String, Bitboard)>;

/// Reads squares (`c1`) and rectangles (`d1-f3`), separated by blanks.
pub(super) fn squares(text: &str, geometry: Geometry) -> Result<Bitboard, String> {
    let mut set = Bitboard::EMPTY;
    for item in text.split_whitespace() {
        let corners = item.split_once('-').unwrap_or((item, item));
        let (low, high) = (corner(corners.0, geometry)?, corner(corners.1, geometry)?);
        if low.0 > high.0 || low.1 > high.1 {
            let item = shortened(item);
            return Err(format!("`{item}` is turned round: near left corner first"));
        }
        for rank in low.1..=high.1 {
            (low.0..=high.0).for_each(|file| set.insert(geometry.at(file, rank)));
        }
    }
    if set.is_empty() { Err("a zone needs at least one square".to_owned()) } else { Ok(set) }
}

fn corner(text: &str, geometry: Geometry) -> Result<(usize, usize), String> {
    let fault = || format!("`{}` is no square of this board", shortened(text));
    let mut letters = text.chars();
    let file = letters.next().filter(char::is_ascii_lowercase).ok_or_else(fault)?;
    let file = file as usize - 'a' as usize;
    let rank: usize = letters.as_str().parse().map_err(|_| fault())?;
    let inside = file < geometry.files && (1..=geometry.ranks).contains(&rank);
    if inside { Ok((file, rank - 1)) } else { Err(fault()) }
}

/// The known name most like this one, if any is like it.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |other: &&str| strsim::damerau_levenshtein(name, other);
    let near = known.iter().copied().min_by_key(distance)?;
    (distance(&near) <= 1 + name.len().min(near.len()) / 3).then_some(near)
}

/// `` `a`, `b`, `c` ``, cut if there are many.
pub(super) fn list(names: &[&str]) -> String {
    let mut shown: Vec<String> =
        names.iter().take(MAX_LISTED).map(|name| format!("`{}`", shortened(name))).collect();
    if names.len() > MAX_LISTED {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
