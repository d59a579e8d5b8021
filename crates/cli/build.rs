//! Makes the built binary find libtorch by itself, and remembers where ONNX Runtime was at build
//! time.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    println!("cargo::rerun-if-env-changed=ORT_DYLIB_PATH");
    if let Some(libtorch) = canonical("LIBTORCH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{libtorch}/lib");
        // Before LD_LIBRARY_PATH, where another version may lie.
        println!("cargo::rustc-link-arg=-Wl,--disable-new-dtags");
    }
    if let Some(library) = canonical("ORT_DYLIB_PATH") {
        println!("cargo::rustc-env=NARIKIN_BUILT_WITH_ONNXRUNTIME={library}");
    }
}

/// The path that an environment variable names, if it exists, without links.
fn canonical(variable: &str) -> Option<String> {
    let path = std::env::var_os(variable)?;
    let path = Path::new(&path).canonicalize().ok()?;
    path.to_str().map(str::to_owned)
}
