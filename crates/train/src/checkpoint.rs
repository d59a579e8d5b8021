//! Checkpoint folders: `000120/{weights,ema,optimizer}.safetensors`, `model.onnx`, `meta.toml`.
//!
//! A folder is absent or complete: it is written under a temporary name, synced and renamed.
//! `meta.toml` has the SHA-256 of every other file, verified on reading.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use model::{Graph, Meta, Metadata, Model, Weights, onnx};

use crate::error::{CheckpointError, TrainError};
use crate::trainer::Trainer;

const WEIGHTS: &str = "weights.safetensors";
const EMA: &str = "ema.safetensors";
const OPTIMIZER: &str = "optimizer.safetensors";
const ONNX: &str = "model.onnx";
const META: &str = "meta.toml";
/// Folder for checkpoints that cannot be read.
const DAMAGED: &str = "damaged";
/// Metadata key of the step in the optimiser's file.
const STEP: &str = "step";
const FIRST: &str = "first_moment.";
const SECOND: &str = "second_moment.";

/// A trainer's state, read back.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The folder.
    pub path: PathBuf,
    /// What it says about itself.
    pub meta: Meta,
    /// The operations of the net.
    pub graph: Graph,
    /// The weights being trained.
    pub weights: Weights,
    /// The averaged weights, which play.
    pub ema: Weights,
    /// The optimiser's first moments by parameter.
    pub first_moment: Weights,
    /// The optimiser's second moments by parameter.
    pub second_moment: Weights,
}

impl Checkpoint {
    /// The net for play: averaged weights, folded, as ONNX.
    pub fn onnx(&self) -> PathBuf {
        self.path.join(ONNX)
    }

    /// Reads a checkpoint folder; its files are not trusted.
    ///
    /// # Errors
    /// A file is missing, damaged or does not belong to the others.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let text = read(&path.join(META))?;
        let meta: Meta = std::str::from_utf8(&text)
            .map_err(|e| e.to_string())
            .and_then(|text| toml::from_str(text).map_err(|e| e.to_string()))
            .map_err(|what| invalid(&path.join(META), what))?;
        let model = |name| {
            let bytes = verified(path, &meta, name)?;
            Model::from_safetensors(&bytes).map_err(|e| invalid(&path.join(name), e.to_string()))
        };
        let (weights, ema) = (model(WEIGHTS)?, model(EMA)?);
        if ema.graph != weights.graph {
            return Err(invalid(
                &path.join(EMA),
                "its net differs from that of the weights".into(),
            ));
        }
        verified(path, &meta, ONNX)?;
        let (first_moment, second_moment) = read_optimiser(path, &meta, &weights.graph)?;
        Ok(Self {
            path: path.to_owned(),
            graph: weights.graph,
            weights: weights.weights,
            ema: ema.weights,
            first_moment,
            second_moment,
            meta,
        })
    }
}

/// The moments, checked to fit the net.
fn read_optimiser(
    path: &Path,
    meta: &Meta,
    graph: &Graph,
) -> Result<(Weights, Weights), CheckpointError> {
    let bytes = verified(path, meta, OPTIMIZER)?;
    let fault = |what: String| invalid(&path.join(OPTIMIZER), what);
    let (tensors, metadata) =
        Weights::from_safetensors(&bytes).map_err(|e| fault(e.to_string()))?;
    if metadata.get(STEP) != Some(&meta.step.to_string()) {
        return Err(fault(format!("its step is not {} as in {META}", meta.step)));
    }
    let (mut first, mut second) = (Weights::new(), Weights::new());
    for (name, tensor) in tensors.iter() {
        if let Some(name) = name.strip_prefix(FIRST) {
            first.insert(name, tensor.clone());
        } else if let Some(name) = name.strip_prefix(SECOND) {
            second.insert(name, tensor.clone());
        }
    }
    for moment in [&first, &second] {
        graph.check_weights(moment).map_err(|e| fault(e.to_string()))?;
    }
    Ok((first, second))
}

/// The newest good checkpoint of a folder, and why newer ones were passed over.
#[derive(Debug)]
pub struct Latest {
    /// The newest one that can be read; `None` if there is none.
    pub checkpoint: Option<Checkpoint>,
    /// Newer ones that cannot, newest first.
    pub skipped: Vec<(u64, CheckpointError)>,
}

/// The folder of a run's checkpoints, one writer.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    dir: PathBuf,
}

impl Checkpoints {
    /// Opens a folder, making it if it is absent.
    ///
    /// # Errors
    /// [`CheckpointError::Io`].
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self, CheckpointError> {
        let dir = dir.into();
        fs::create_dir_all(&dir).map_err(io(&dir))?;
        Ok(Self { dir })
    }

    /// The folder of a checkpoint, whether it exists or not.
    pub fn path(&self, number: u64) -> PathBuf {
        self.dir.join(format!("{number:06}"))
    }

    /// Numbers of the checkpoints, ascending.
    ///
    /// # Errors
    /// [`CheckpointError::Io`].
    pub fn numbers(&self) -> Result<Vec<u64>, CheckpointError> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(io(&self.dir))? {
            let name = entry.map_err(io(&self.dir))?.file_name();
            let number = name.to_str().and_then(|name| name.parse().ok());
            numbers.extend(number.filter(|&n| self.path(n).file_name() == Some(&name)));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Writes the trainer's state as checkpoint `number`. `info` goes into every file's metadata.
    ///
    /// # Errors
    /// [`CheckpointError::Exists`]; the file system or the net refuse.
    pub fn write(
        &self,
        number: u64,
        trainer: &Trainer,
        info: &Metadata,
    ) -> Result<PathBuf, CheckpointError> {
        let path = self.path(number);
        if path.exists() {
            return Err(CheckpointError::Exists { path });
        }
        let files = contents(trainer, info).map_err(Box::new)?;
        let sums = files.iter().map(|(name, bytes)| ((*name).to_owned(), Meta::checksum(bytes)));
        let meta = Meta { number, step: trainer.step(), info: info.clone(), files: sums.collect() };
        let meta = toml::to_string(&meta).map_err(|e| invalid(&path.join(META), e.to_string()))?;

        let temporary = self.dir.join(format!(".{number:06}.tmp"));
        if temporary.exists() {
            fs::remove_dir_all(&temporary).map_err(io(&temporary))?;
        }
        let written = self.write_files(&temporary, &path, &files, &meta);
        if written.is_err() {
            // Nothing of use is in it, and a full disk wants the room.
            let _ = fs::remove_dir_all(&temporary);
        }
        written?;
        Ok(path)
    }

    /// Fills the folder `temporary` and gives it its name.
    fn write_files(
        &self,
        temporary: &Path,
        path: &Path,
        files: &[(&str, Vec<u8>)],
        meta: &str,
    ) -> Result<(), CheckpointError> {
        fs::create_dir(temporary).map_err(io(temporary))?;
        let all = files.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
        for (name, bytes) in all.chain([(META, meta.as_bytes())]) {
            let file = temporary.join(name);
            let write = || {
                let mut file = File::create(&file)?;
                file.write_all(bytes)?;
                file.sync_all()
            };
            write().map_err(io(&file))?;
        }
        sync(temporary)?;
        fs::rename(temporary, path).map_err(io(path))?;
        sync(&self.dir)
    }

    /// Reads checkpoint `number`.
    ///
    /// # Errors
    /// As [`Checkpoint::read`].
    pub fn read(&self, number: u64) -> Result<Checkpoint, CheckpointError> {
        let checkpoint = Checkpoint::read(&self.path(number))?;
        if checkpoint.meta.number != number {
            let what = format!("it is number {}", checkpoint.meta.number);
            return Err(invalid(&checkpoint.path.join(META), what));
        }
        Ok(checkpoint)
    }

    /// Moves a checkpoint that cannot be read to the folder `damaged`, under a name that is free
    /// there, and returns where it lies now; `None` if there is none of that number.
    ///
    /// # Errors
    /// [`CheckpointError::Io`].
    pub fn set_aside(&self, number: u64) -> Result<Option<PathBuf>, CheckpointError> {
        let path = self.path(number);
        if !path.exists() {
            return Ok(None);
        }
        let folder = self.dir.join(DAMAGED);
        fs::create_dir_all(&folder).map_err(io(&folder))?;
        let mut paths = (1..).map(|n| folder.join(format!("{number:06}.{n}")));
        let to = paths.find(|path| !path.exists()).expect("there are numbers without end");
        fs::rename(&path, &to).map_err(io(&path))?;
        sync(&folder)?;
        sync(&self.dir)?;
        Ok(Some(to))
    }

    /// The newest checkpoint that can be read, falling back to earlier ones.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn latest(&self) -> Result<Latest, CheckpointError> {
        let mut skipped = Vec::new();
        for number in self.numbers()?.into_iter().rev() {
            match self.read(number) {
                Ok(checkpoint) => return Ok(Latest { checkpoint: Some(checkpoint), skipped }),
                Err(error) => skipped.push((number, error)),
            }
        }
        Ok(Latest { checkpoint: None, skipped })
    }
}

/// The files of a checkpoint but for `meta.toml`.
fn contents(
    trainer: &Trainer,
    info: &Metadata,
) -> Result<[(&'static str, Vec<u8>); 4], TrainError> {
    let graph = trainer.graph();
    let ema = trainer.ema()?;
    let net = |what: net::NetError| TrainError::Net(what);
    let (folded, play) = graph.folded(&ema).map_err(|e| net(e.into()))?;
    let onnx = onnx::write(&folded, &play, info, onnx::Style::default())
        .expect("a folded net can be written");
    let model =
        |weights| Model { graph: graph.clone(), weights, metadata: info.clone() }.to_safetensors();
    let (first, second) = trainer.moments()?;
    let mut moments = Weights::new();
    for (prefix, weights) in [(FIRST, first), (SECOND, second)] {
        for (name, tensor) in weights.iter() {
            moments.insert(format!("{prefix}{name}"), tensor.clone());
        }
    }
    let step = Metadata::from([(STEP.to_owned(), trainer.step().to_string())]);
    Ok([
        (WEIGHTS, model(trainer.weights()?)),
        (EMA, model(ema)),
        (OPTIMIZER, moments.to_safetensors(&step)),
        (ONNX, onnx),
    ])
}

/// The bytes of a file whose checksum is that in `meta`.
fn verified(path: &Path, meta: &Meta, name: &str) -> Result<Vec<u8>, CheckpointError> {
    let file = path.join(name);
    let bytes = read(&file)?;
    if meta.matches(name, &bytes) {
        Ok(bytes)
    } else {
        Err(invalid(&file, format!("damaged: its checksum is not that in {META}")))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, CheckpointError> {
    fs::read(path).map_err(io(path))
}

fn sync(dir: &Path) -> Result<(), CheckpointError> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(io(dir))
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> CheckpointError {
    move |source| CheckpointError::Io { path: path.to_owned(), source }
}

fn invalid(path: &Path, what: String) -> CheckpointError {
    CheckpointError::Invalid { path: path.to_owned(), what }
}
