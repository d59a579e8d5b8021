//! The ONNX Runtime library: loaded once in a process, and only in the version this crate was
//! tested with.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ::ort::environment::Environment;

/// The version of ONNX Runtime that is accepted, major and minor.
pub const LIBRARY_VERSION: &str = "1.31";

/// The library of this process: its environment cannot be made twice.
static LOADED: Mutex<Option<Runtime>> = Mutex::new(None);

/// A handle to the loaded library. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Runtime {
    path: PathBuf,
    version: String,
    environment: Environment,
}

/// ONNX Runtime cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// No file there.
    #[error("onnx runtime library not found at {path}: expected libonnxruntime {LIBRARY_VERSION}", path = .0.display())]
    Missing(PathBuf),
    /// The file does not load, or is another library.
    #[error("{path} cannot be loaded as onnx runtime: {reason}", path = .path.display())]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// The library is of another version.
    #[error("{path} is onnx runtime {found}, expected {LIBRARY_VERSION}", path = .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
    },
    /// The process already uses another file.
    #[error("onnx runtime is already loaded from {loaded}, cannot load {path} too",
        path = .path.display(), loaded = .loaded.display())]
    Other {
        /// The file asked for.
        path: PathBuf,
        /// The file in use.
        loaded: PathBuf,
    },
    /// The library is there but does not start.
    #[error("onnx runtime from {path} does not start: {reason}", path = .path.display())]
    Start {
        /// The file.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}

impl Runtime {
    /// Loads the library, or returns the handle if this process has loaded the same file.
    ///
    /// # Errors
    /// If the file is missing, is not ONNX Runtime [`LIBRARY_VERSION`], or does not start; if the
    /// process has loaded another file.
    pub fn load(path: &Path) -> Result<Self, RuntimeError> {
        let path = path.canonicalize().map_err(|_| RuntimeError::Missing(path.to_path_buf()))?;
        let mut loaded = LOADED.lock().expect("no panic while the lock is held");
        match &*loaded {
            Some(runtime) if runtime.path == path => Ok(runtime.clone()),
            Some(runtime) => Err(RuntimeError::Other { path, loaded: runtime.path.clone() }),
            None => Ok(loaded.insert(start(path)?).clone()),
        }
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The library's full version, such as `1.31.1`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }
}

/// Checks the version and starts the library.
fn start(path: PathBuf) -> Result<Runtime, RuntimeError> {
    let version = version_of(&path)
        .map_err(|reason| RuntimeError::NotALibrary { path: path.clone(), reason })?;
    if !is_accepted(&version) {
        return Err(RuntimeError::Version { path, found: version });
    }
    let failed = |reason: String| RuntimeError::Start { path: path.clone(), reason };
    let environment = ::ort::init_from(&path)
        .map_err(|error| failed(error.to_string()))?
        .with_telemetry(false)
        .build()
        .map_err(|error| failed(error.to_string()))?;
    Ok(Runtime { path, version, environment })
}

/// Whether the version is any patch release of [`LIBRARY_VERSION`].
fn is_accepted(version: &str) -> bool {
    let rest = version.strip_prefix(LIBRARY_VERSION);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The version string of the library, before anything else of it is used: `ort` accepts any newer
/// library and panics on other files.
#[expect(unsafe_code, reason = "loading a library and asking its version needs two foreign calls")]
fn version_of(path: &Path) -> Result<String, String> {
    // SAFETY: loading runs the initialisers of a file the user named as ONNX Runtime, which `ort`
    // would load next anyway.
    let library = unsafe { libloading::Library::new(path) }.map_err(|error| error.to_string())?;
    type ApiBase = unsafe extern "C" fn() -> *const ::ort::sys::OrtApiBase;
    // SAFETY: `OrtGetApiBase` has this signature in every release of ONNX Runtime.
    let base = unsafe { library.get::<ApiBase>(b"OrtGetApiBase") }
        .map_err(|_| "it has no function OrtGetApiBase".to_string())?;
    // SAFETY: the function takes nothing and returns null or a pointer to a static table, whose
    // version function returns a static C string; the text is copied while the library is loaded.
    unsafe {
        let base = base().as_ref().ok_or("OrtGetApiBase returned null")?;
        let version = CStr::from_ptr((base.GetVersionString)());
        Ok(version.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patch_releases_of_one_version_are_accepted() {
        assert!(["1.31", "1.31.0", "1.31.1"].iter().all(|version| is_accepted(version)));
        assert!(!["1.30.2", "1.32.0", "1.310.0", "1.3", ""].iter().any(|text| is_accepted(text)));
    }

    #[test]
    fn a_file_that_is_no_library_is_named() {
        let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let error = start(path.clone()).expect_err("no library");
        assert!(matches!(&error, RuntimeError::NotALibrary { .. }), "{error}");
        assert!(error.to_string().starts_with(&path.display().to_string()));
    }
}
