//! A run's directory: where everything lies, who may write, and how files come to be.
//!
//! Every file is absent or complete: it is written under a temporary name, synced and renamed.
//! Only the CSV files and the log grow; a CSV line that a crash cut off is dropped when the file is
//! opened again, and a line that could not be written leaves nothing behind.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::text::clock;

/// What a run does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Phase {
    /// The generation plays until it has recorded its positions.
    SelfPlay,
    /// The next generation is trained by the saved plan.
    Train,
    /// The new generation plays matches, if there is time for them.
    Evaluate,
    /// The last generation plays the closing matches.
    Verdict,
    /// The verdict is written.
    Done,
}

impl Phase {
    /// The name in `state.toml`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::SelfPlay => "self-play",
            Self::Train => "train",
            Self::Evaluate => "evaluate",
            Self::Verdict => "verdict",
            Self::Done => "done",
        }
    }
}

/// Where a run stands; `state.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    pub(crate) phase: Phase,
    /// The generation that plays now; 0 plays without a net.
    pub(crate) generation: u32,
    /// Time spent running, the verdict left out.
    pub(crate) active_seconds: f64,
    /// The part of it spent in matches.
    pub(crate) evaluation_seconds: f64,
    /// Active time at which generation 1 stood; 0 before.
    pub(crate) first_net_seconds: f64,
    /// Leaves evaluated in self-play, but for the last seconds before a crash.
    pub(crate) evaluations: u64,
    /// Samples that were sealed when the last plan was made whose training is finished.
    pub(crate) trained_samples: u64,
    /// The same for the newest plan.
    pub(crate) planned_samples: u64,
    /// Samples a second of the last finished training phase; 0 before.
    pub(crate) training_rate: f64,
    /// Budget, in seconds, under which the closing training was begun; 0 before.
    pub(crate) closing_budget: f64,
    /// The training plan now carried out is the closing one.
    pub(crate) closing: bool,
    /// Record files that were found damaged and set aside.
    #[serde(default)]
    pub(crate) damaged_records: u64,
}

impl State {
    /// A run that has not begun.
    pub(crate) fn new() -> Self {
        Self {
            phase: Phase::SelfPlay,
            generation: 0,
            active_seconds: 0.0,
            evaluation_seconds: 0.0,
            first_net_seconds: 0.0,
            evaluations: 0,
            trained_samples: 0,
            planned_samples: 0,
            training_rate: 0.0,
            closing_budget: 0.0,
            closing: false,
            damaged_records: 0,
        }
    }

    /// What cannot be in it, whoever wrote it.
    fn fault(&self) -> Option<String> {
        let times = [
            ("active_seconds", self.active_seconds),
            ("evaluation_seconds", self.evaluation_seconds),
            ("first_net_seconds", self.first_net_seconds),
            ("training_rate", self.training_rate),
            ("closing_budget", self.closing_budget),
        ];
        let wrong = times.into_iter().find(|(_, value)| !(0.0..=MOST).contains(value));
        wrong.map(|(key, value)| format!("{key} = {value}, expected a number from 0 to {MOST}"))
    }
}

/// Above every time in seconds and every rate.
const MOST: f64 = 1e12;

/// The folders of a run.
const FOLDERS: [&str; 5] = ["games", "checkpoints", "plans", "arena", "metrics"];

/// The paths of a run, and the lock that makes this process its only writer.
pub(crate) struct RunDir {
    root: PathBuf,
    _lock: File,
}

impl RunDir {
    /// Opens a run for writing, making the directory if need be.
    ///
    /// # Errors
    /// Another process holds the run; the directory cannot be written; it is full of other things.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        if root.is_dir() && !root.join("config.toml").exists() {
            refuse_foreign(root)?;
        }
        for folder in FOLDERS {
            let path = root.join(folder);
            fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        }
        let lock = take_lock(&root.join("lock"), "the run")?;
        remove_stale(root)?;
        Ok(Self { _lock: lock, root: root.to_owned() })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) fn games(&self) -> PathBuf {
        self.join("games")
    }

    pub(crate) fn checkpoints(&self) -> PathBuf {
        self.join("checkpoints")
    }

    /// The plan that trains `generation`.
    pub(crate) fn plan(&self, generation: u32) -> PathBuf {
        self.join(&format!("plans/{generation:06}.toml"))
    }

    /// Where the run stands; `None` if it has not begun.
    ///
    /// # Errors
    /// The file is damaged.
    pub(crate) fn state(&self) -> Result<Option<State>> {
        let path = self.join("state.toml");
        let read = || {
            let state: Option<State> = self.read(&path)?;
            match state.as_ref().and_then(State::fault) {
                Some(fault) => bail!("{}: {fault}", path.display()),
                None => Ok(state),
            }
        };
        read().with_context(|| {
            format!(
                "mend the line that is named, or move {} away: the run then goes on from its newest \
                 checkpoint",
                path.display()
            )
        })
    }

    /// Reads a TOML file; `None` if there is none.
    pub(crate) fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>> {
        read_toml(path)
    }

    /// Writes a TOML file, whole or not at all.
    pub(crate) fn write<T: Serialize>(&self, path: &Path, value: &T) -> Result<()> {
        let text = toml::to_string(value).context("cannot express as TOML")?;
        self.write_text(path, &text)
    }

    /// Writes a text file, whole or not at all.
    pub(crate) fn write_text(&self, path: &Path, text: &str) -> Result<()> {
        write_whole(path, text.as_bytes())
    }
}

/// Adds a line to `log.txt` of a run, with active time and generation.
pub(crate) fn log_line(run: &Path, active: Duration, generation: u32, text: &str) -> Result<()> {
    let path = run.join("log.txt");
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(&path)
        .with_context(|| format!("cannot open {}", path.display()))?;
    let line = format!("{} generation {generation}: {text}\n", clock(active));
    // One call: two threads may write.
    append_whole(&mut file, line.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a TOML file; `None` if there is none.
pub(crate) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if !path.exists() {
        return Ok(None);
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let value = toml::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?;
    Ok(Some(value))
}

/// Writes a file, whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_file(&temporary); // A full disk wants the room.
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Adds bytes to the end of a file, all or none of them.
pub(crate) fn append_whole(file: &mut File, bytes: &[u8]) -> std::io::Result<()> {
    let before = file.metadata()?.len();
    let written = file.write_all(bytes);
    if written.is_err() {
        let _ = file.set_len(before);
    }
    written
}

/// Removes what a crash has left of files that were being written.
fn remove_stale(root: &Path) -> Result<()> {
    for folder in FOLDERS.map(|folder| root.join(folder)).iter().chain([&root.to_owned()]) {
        remove_temporary(folder)?;
    }
    Ok(())
}

/// The same in one folder.
pub(crate) fn remove_temporary(folder: &Path) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "tmp") {
            continue;
        }
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}

/// A directory without a run in it must be empty, but for what a run may have begun with.
fn refuse_foreign(root: &Path) -> Result<()> {
    for entry in fs::read_dir(root).with_context(|| format!("cannot read {}", root.display()))? {
        let name = entry?.file_name();
        // What a crash may leave of a run that was being made.
        let files = [
            "lock",
            "config.toml.tmp",
            "variant.toml",
            "variant.toml.tmp",
            "fingerprints.toml",
            "fingerprints.toml.tmp",
            "init.safetensors",
            "init.safetensors.tmp",
        ];
        let ours = [&FOLDERS[..], &files].concat();
        if !ours.iter().any(|ours| name == **ours) {
            bail!(
                "{} has no config.toml, so it is no run, and holds `{}`; name an empty or a new \
                 directory with --dir",
                root.display(),
                name.display()
            );
        }
    }
    Ok(())
}

/// The lock of `what` is the operating system's, so it goes with the process; its text is for people.
pub(crate) fn take_lock(path: &Path, what: &str) -> Result<File> {
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(|| format!("cannot open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let holder = fs::read_to_string(path).unwrap_or_default();
            bail!("{what} is in use by {} ({})", holder.trim(), path.display());
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("cannot lock {}", path.display()));
        }
    }
    let text = format!("pid {} on {}\n", std::process::id(), host());
    file.set_len(0)
        .and_then(|()| (&file).write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(file)
}

/// The name of this machine.
pub(crate) fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let first = RunDir::open(dir.path()).unwrap();
        let error = RunDir::open(dir.path()).err().unwrap().to_string();
        assert!(error.contains(&format!("pid {}", std::process::id())), "{error}");
        drop(first);
        RunDir::open(dir.path()).unwrap();
    }

    #[test]
    fn a_directory_of_other_things_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("thesis.tex"), "").unwrap();
        let error = RunDir::open(dir.path()).err().unwrap().to_string();
        assert!(error.contains("thesis.tex"), "{error}");
    }

    #[test]
    fn state_survives() {
        let dir = tempfile::tempdir().unwrap();
        let run = RunDir::open(dir.path()).unwrap();
        let path = run.join("state.toml");
        assert_eq!(run.read::<State>(&path).unwrap(), None);
        let state = State { generation: 7, active_seconds: 12.5, ..State::new() };
        run.write(&path, &state).unwrap();
        assert_eq!(run.read::<State>(&path).unwrap(), Some(state));
    }
}
