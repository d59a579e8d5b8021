//! A TOML document in which every value knows its place, with `extends` resolved.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{VariantError, VariantErrors};

/// A variant file is at most this long, in bytes.
const MAX_TEXT: usize = 1 << 16;
/// What the file itself is called in messages.
pub(super) const OWN_FILE: &str = "variant";
/// `extends` goes at most this deep.
const MAX_DEPTH: usize = 8;

/// A message is at most this long, in characters.
const MAX_MESSAGE: usize = 600;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    pub(super) fn error(&self, message: impl Into<String>) -> VariantError {
        let Place { file, line, column } = self.clone();
        VariantError { file, line, column, message: printable(&message.into(), MAX_MESSAGE) }
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: Value,
}

/// The values variant files are made of.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    Switch(bool),
    List(Vec<Node>),
    Table(Table),
    /// Something no key takes; the text names its type.
    Other(&'static str),
}

impl Value {
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Value::Text(_) => "a string",
            Value::Number(_) => "a number",
            Value::Switch(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(name) => name,
        }
    }
}

/// A table in the order of the file (of the extended file first).
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_place: Place,
    pub(super) node: Node,
}

impl Table {
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Lays `other` over this table: tables are merged, everything else is replaced.
    fn overlay(&mut self, other: Table) {
        for entry in other.entries {
            match self.entries.iter_mut().find(|own| own.key == entry.key) {
                None => self.entries.push(entry),
                Some(own) => match (&mut own.node.value, entry.node.value) {
                    (Value::Table(own), Value::Table(other)) => own.overlay(other),
                    (_, value) => {
                        own.key_place = entry.key_place;
                        own.node = Node { place: entry.node.place, value };
                    }
                },
            }
        }
    }
}

/// Reads a document and all it extends.
pub(super) fn load(
    text: &str,
    loader: &dyn Fn(&str) -> Option<String>,
) -> Result<Node, VariantErrors> {
    load_file(OWN_FILE, text, loader, &mut Vec::new())
}

fn load_file(
    file: &str,
    text: &str,
    loader: &dyn Fn(&str) -> Option<String>,
    chain: &mut Vec<String>,
) -> Result<Node, VariantErrors> {
    let mut own = parse(file, text)?;
    let Value::Table(table) = &mut own.value else { return Ok(own) };
    let Some(index) = table.entries.iter().position(|entry| entry.key == "extends") else {
        return Ok(own);
    };
    let extends = table.entries.remove(index).node;
    let fail = |message: String| VariantErrors(vec![extends.place.error(message)]);
    let Value::Text(name) = &extends.value else {
        let found = extends.value.type_name();
        return Err(fail(format!("`extends` takes the id of a variant, not {found}")));
    };
    if chain.contains(name) {
        let round = chain.join(" -> ");
        return Err(fail(format!("`extends` goes round in a circle: {round} -> {name}")));
    }
    if chain.len() >= MAX_DEPTH {
        return Err(fail(format!("`extends` goes deeper than {MAX_DEPTH} files")));
    }
    let Some(base) = loader(name) else {
        return Err(fail(format!("there is no variant `{}` to extend", shortened(name))));
    };
    chain.push(name.clone());
    let mut base = load_file(name, &base, loader, chain)?;
    if let (Value::Table(base), Value::Table(own)) = (&mut base.value, own.value) {
        base.overlay(own);
    }
    Ok(Node { place: own.place, ..base })
}

fn parse(file: &str, text: &str) -> Result<Node, VariantErrors> {
    if text.len() > MAX_TEXT {
        let message =
            format!("a variant file has at most {MAX_TEXT} bytes, this one {}", text.len());
        return Err(VariantErrors(vec![Lines::new(file, "").place(0).error(message)]));
    }
    let lines = Lines::new(file, text);
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let faults = errors.iter().map(|error| {
            let start = error.span().map_or(0, |span| span.start);
            lines.place(start).error(error.message())
        });
        return Err(VariantErrors(faults.collect()));
    }
    Ok(Node { place: lines.place(0), value: Value::Table(table(&lines, document.get_ref())) })
}

fn table(lines: &Lines<'_>, source: &DeTable<'_>) -> Table {
    let mut entries: Vec<_> = source.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let entries = entries.into_iter().map(|(key, value)| Entry {
        key: key.get_ref().to_string(),
        key_place: lines.place(key.span().start),
        node: node(lines, value),
    });
    Table { entries: entries.collect() }
}

fn node(lines: &Lines<'_>, source: &Spanned<DeValue<'_>>) -> Node {
    let value = match source.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(switch) => Value::Switch(*switch),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Other("a number out of range"),
        },
        DeValue::Array(items) => Value::List(items.iter().map(|item| node(lines, item)).collect()),
        DeValue::Table(inner) => Value::Table(table(lines, inner)),
        DeValue::Float(_) => Value::Other("a fraction"),
        DeValue::Datetime(_) => Value::Other("a date"),
    };
    Node { place: lines.place(source.span().start), value }
}

/// Turns byte offsets into places.
struct Lines<'a> {
    file: String,
    text: &'a str,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(file: &str, text: &'a str) -> Lines<'a> {
        let behind = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Lines { file: shortened(file), text, starts: std::iter::once(0).chain(behind).collect() }
    }

    fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= offset);
        let before = self.text.get(self.starts[line - 1]..offset).unwrap_or("");
        Place { file: self.file.clone(), line, column: before.chars().count() + 1 }
    }
}

/// A text for a message, cut if it is long.
pub(super) fn shortened(text: &str) -> String {
    printable(text, 40)
}

/// The text with characters that would change how it is shown escaped, cut if it is long.
fn printable(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == most {
            shown.push('…');
            break;
        }
        if unprintable(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// Control characters, and those that turn the direction of writing or take no room.
pub(super) fn unprintable(c: char) -> bool {
    let formats = ['\u{61c}', '\u{feff}'];
    c.is_control()
        || formats.contains(&c)
        || ('\u{200b}'..='\u{200f}').contains(&c)
        || ('\u{2028}'..='\u{202e}').contains(&c)
        || ('\u{2060}'..='\u{206f}').contains(&c)
}
