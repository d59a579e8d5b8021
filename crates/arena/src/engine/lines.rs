//! Lines out of bytes, in bounded memory.

/// Longest line that is read, in bytes; of longer ones nothing is kept.
const MAX_LINE: usize = 64 * 1024;

/// Bytes that wait to become lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where there is no end of it.
    searched: usize,
    /// The line has been too long already; its rest is thrown away.
    too_long: bool,
}

impl Lines {
    /// Adds what was read. At most the bytes of one call and one line are kept if all lines are taken
    /// between calls.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// How many bytes are kept.
    pub(super) fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The next complete line without its end. Bytes that are no UTF-8 become U+FFFD.
    pub(super) fn next(&mut self) -> Option<String> {
        loop {
            let end = self.buffer[self.searched..].iter().position(|&byte| byte == b'\n');
            let Some(end) = end.map(|end| end + self.searched) else {
                self.searched = self.buffer.len();
                if self.len() > MAX_LINE {
                    self.too_long = true;
                    self.start = self.searched;
                }
                return None;
            };
            let line = String::from_utf8_lossy(&self.buffer[self.start..end]);
            let line = line.trim_end_matches('\r').to_owned();
            self.start = end + 1;
            self.searched = self.start;
            if !std::mem::take(&mut self.too_long) && line.len() <= MAX_LINE {
                return Some(line);
            }
        }
    }
}

/// The last bytes of a stream.
#[derive(Debug, Default)]
pub(super) struct Tail(Vec<u8>);

/// How many are kept.
const TAIL: usize = 2048;

impl Tail {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        let surplus = self.0.len().saturating_sub(TAIL);
        self.0.drain(..surplus);
    }

    /// The last line that is not blank.
    pub(super) fn last_line(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.0);
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lines: &mut Lines) -> Vec<String> {
        std::iter::from_fn(|| lines.next()).collect()
    }

    #[test]
    fn lines_come_whole_however_they_are_cut() {
        let text = b"id name \xff\r\n\n  readyok\nbestm";
        for step in 1..text.len() {
            let (mut lines, mut read) = (Lines::default(), Vec::new());
            for part in text.chunks(step) {
                lines.add(part);
                read.extend(all(&mut lines));
            }
            assert_eq!(read, ["id name \u{fffd}", "", "  readyok"]);
        }
    }

    #[test]
    fn a_line_without_end_costs_no_memory() {
        let mut lines = Lines::default();
        lines.add(b"a\n");
        assert_eq!(all(&mut lines), ["a"]);
        for _ in 0..10_000 {
            lines.add(&[b'x'; 1000]);
            assert_eq!(lines.next(), None);
            assert!(lines.len() <= MAX_LINE + 1000);
        }
        lines.add(b"\nb\n");
        assert_eq!(all(&mut lines), ["b"]);
    }

    #[test]
    fn the_tail_keeps_the_last_line() {
        let mut tail = Tail::default();
        assert_eq!(tail.last_line(), None);
        for number in 0..10_000 {
            tail.add(format!("line {number}\n\n").as_bytes());
        }
        assert_eq!(tail.last_line().as_deref(), Some("line 9999"));
        assert!(tail.0.len() <= TAIL);
    }
}
