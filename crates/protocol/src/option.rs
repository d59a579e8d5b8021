//! `option`: what an engine lets others set.

use std::fmt::Write;

use crate::Protocol;
use crate::command::EMPTY;
use crate::words::{LineError, Words, split_at_word};

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// Name as the engine spells it. Only UCI allows blanks in it; elsewhere they are written as `_`.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
}

/// What an option takes, and its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check(bool),
    /// A whole number.
    Spin {
        /// Default.
        default: i64,
        /// Smallest, if the engine says.
        min: Option<i64>,
        /// Largest, if the engine says.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo {
        /// Default.
        default: String,
        /// All of them.
        values: Vec<String>,
    },
    /// Nothing: to set it is to press it.
    Button,
    /// A text.
    Text(String),
    /// The name of a file. In USI only; elsewhere it is a text.
    File(String),
}

impl OptionDecl {
    /// Reads what follows `option`. UCCI leaves the word `name` out.
    pub(crate) fn read(words: &mut Words<'_>) -> Result<OptionDecl, LineError> {
        let text = words.rest();
        let text = text.strip_prefix("name ").unwrap_or(text);
        let Some((name, rest)) = split_at_word(text, "type").filter(|(name, _)| !name.is_empty())
        else {
            return Err(words.fault("`option name … type …` was expected"));
        };
        let mut rest = Words::new(rest);
        let kind = match rest.next() {
            Some("button") => OptionKind::Button,
            Some("check") => OptionKind::Check(value(rest.rest(), "default") == Some("true")),
            Some("string") => OptionKind::Text(text_of(rest.rest())),
            Some("filename") => OptionKind::File(text_of(rest.rest())),
            Some("combo") => combo(rest),
            Some("spin") => {
                let number = |word| value(rest.rest(), word)?.parse().ok();
                let (min, max) = (number("min"), number("max"));
                let default = number("default").or(min).unwrap_or(0);
                OptionKind::Spin { default, min, max }
            }
            _ => {
                return Err(
                    words.fault("the type is none of check, spin, combo, button, string, filename")
                );
            }
        };
        Ok(OptionDecl { name: name.to_owned(), kind })
    }

    /// Appends the words behind `option`.
    pub(crate) fn write(&self, out: &mut String, protocol: Protocol) {
        let name = match protocol {
            Protocol::Uci => self.name.clone(),
            Protocol::Usi | Protocol::Ucci => self.name.replace(' ', "_"),
        };
        let word = if protocol == Protocol::Ucci { "" } else { " name" };
        let shown = |text: &str| if text.is_empty() { EMPTY.to_owned() } else { text.to_owned() };
        write!(out, "{word} {name} type ").expect(INFALLIBLE);
        match &self.kind {
            OptionKind::Check(default) => write!(out, "check default {default}"),
            OptionKind::Button => write!(out, "button"),
            OptionKind::Text(default) => write!(out, "string default {}", shown(default)),
            OptionKind::File(default) if protocol == Protocol::Usi => {
                write!(out, "filename default {}", shown(default))
            }
            OptionKind::File(default) => write!(out, "string default {}", shown(default)),
            OptionKind::Spin { default, min, max } => {
                let bound = |word, number: &Option<i64>| {
                    number.map_or(String::new(), |number| format!(" {word} {number}"))
                };
                write!(out, "spin default {default}{}{}", bound("min", min), bound("max", max))
            }
            OptionKind::Combo { default, values } => {
                let values: String = values.iter().map(|value| format!(" var {value}")).collect();
                write!(out, "combo default {}{values}", shown(default))
            }
        }
        .expect(INFALLIBLE);
    }
}

const INFALLIBLE: &str = "writing to a string cannot fail";

/// The word behind `word`.
fn value<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    split_at_word(text, word)?.1.split_whitespace().next()
}

/// The default of a text, which is all that follows.
fn text_of(text: &str) -> String {
    let default = split_at_word(text, "default").map_or("", |(_, default)| default);
    if default == EMPTY { String::new() } else { default.to_owned() }
}

/// Values with blanks end where the next `var` or `default` stands.
fn combo(mut words: Words<'_>) -> OptionKind {
    let (mut default, mut values) = (String::new(), Vec::new());
    let mut into: Option<&mut String> = None;
    while let Some(word) = words.next() {
        match (word, &mut into) {
            ("default", _) => into = Some(&mut default),
            ("var", _) => {
                values.push(String::new());
                into = values.last_mut();
            }
            (word, Some(text)) => {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
            (_, None) => {}
        }
    }
    if default == EMPTY {
        default.clear();
    }
    OptionKind::Combo { default, values }
}

/// The option that chooses the variant, under any of the names in use (`USI_Variant`, `UCI_Variant`).
pub fn variant_option(options: &[OptionDecl]) -> Option<&OptionDecl> {
    let names = ["usi_variant", "uci_variant", "ucci_variant", "variant"];
    let named = |name: &&str| options.iter().find(|o| o.name.eq_ignore_ascii_case(name));
    names.iter().find_map(named)
}
