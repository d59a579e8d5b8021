//! Finds ONNX Runtime.

use std::path::PathBuf;

use anyhow::{Context, Result};
use inference::Runtime;

/// The environment variable that names the library's file, as ONNX Runtime's bindings have it.
const VARIABLE: &str = "ORT_DYLIB_PATH";

/// Where the library is looked for: what the environment names, else beside the binary, else
/// where it was when the binary was built.
pub(crate) fn library() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return Some(path.into());
    }
    let name = format!("libonnxruntime.so.{}", inference::LIBRARY_VERSION);
    let beside = std::env::current_exe().ok().and_then(|binary| {
        let folder = binary.parent()?.to_owned();
        let mut files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
        files
            .find(|file| file.file_name().to_string_lossy().starts_with(&name))
            .map(|file| file.path())
    });
    beside.or_else(|| option_env!("NARIKIN_BUILT_WITH_ONNXRUNTIME").map(PathBuf::from))
}

/// What to do where the library is missing.
pub(crate) fn advice() -> String {
    format!(
        "`scripts/fetch-libs` brings it, or set {VARIABLE} to libonnxruntime.so ({})",
        inference::LIBRARY_VERSION
    )
}

/// Loads the library.
pub(crate) fn load() -> Result<Runtime> {
    let needed = || format!("ONNX Runtime is needed to run a net: {}", advice());
    let path = library().with_context(needed)?;
    Runtime::load(&path).with_context(needed)
}
