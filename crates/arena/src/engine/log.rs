//! What is said between us and a program, for people who look for a fault.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// Bytes of a file.
const MAX_LOG: usize = 64 << 20;

/// A file that grows by lines, up to a size.
#[derive(Debug)]
pub(super) struct Log {
    file: BufWriter<File>,
    begun: Instant,
    left: usize,
}

impl Log {
    /// Begins the log of a process.
    pub(super) fn create(folder: &Path, process: u32) -> io::Result<Log> {
        std::fs::create_dir_all(folder)?;
        let file = BufWriter::new(File::create(folder.join(format!("{process}.log")))?);
        Ok(Log { file, begun: Instant::now(), left: MAX_LOG })
    }

    /// Adds a line: seconds, who speaks (`<`: we), what. A full disk does not stop a game.
    pub(super) fn add(&mut self, sign: char, line: &str) {
        let Some(left) = self.left.checked_sub(line.len()) else { return };
        self.left = left;
        let seconds = self.begun.elapsed().as_secs_f64();
        let _ = writeln!(self.file, "{seconds:.4} {sign} {line}");
    }
}
