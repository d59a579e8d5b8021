//! A line as words.

use std::str::FromStr;

/// A line that is none of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{line}`: {reason}")]
pub struct LineError {
    /// The line, shortened.
    pub line: String,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// The longest line that an error repeats, in characters.
const SHOWN: usize = 80;

impl LineError {
    pub(crate) fn new(line: &str, reason: impl Into<String>) -> LineError {
        let mut shown: String = line.trim().chars().take(SHOWN).collect();
        if shown.len() < line.trim().len() {
            shown.push('…');
        }
        LineError { line: shown, reason: reason.into() }
    }
}

/// The rest of a line, word by word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    line: &'a str,
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// A whole line; a byte order mark and the end of the line do not count.
    pub(crate) fn new(line: &'a str) -> Words<'a> {
        let rest = line.trim_start_matches('\u{feff}').trim();
        Words { line: rest, rest }
    }

    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let word = self.rest.split_whitespace().next()?;
        self.rest = self.rest[word.len()..].trim_start();
        Some(word)
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// The rest as owned words.
    pub(crate) fn collect(&mut self) -> Vec<String> {
        let words = self.rest.split_whitespace().map(str::to_owned).collect();
        self.rest = "";
        words
    }

    /// An error about this line.
    pub(crate) fn fault(&self, reason: impl Into<String>) -> LineError {
        LineError::new(self.line, reason)
    }

    /// The number that must follow `word`.
    pub(crate) fn number<T: FromStr>(&mut self, word: &str) -> Result<T, LineError> {
        let number = self.next().and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.fault(format!("a number must follow `{word}`")))
    }
}

/// The text before and behind the first `word` that stands alone in `text`.
pub(crate) fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find(word) {
        let (start, end) = (from + found, from + found + word.len());
        let before = text[..start].chars().next_back().is_none_or(char::is_whitespace);
        let behind = text[end..].chars().next().is_none_or(char::is_whitespace);
        if before && behind {
            return Some((text[..start].trim(), text[end..].trim()));
        }
        from = end;
    }
    None
}
