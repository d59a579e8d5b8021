//! Lets this crate's tests find libtorch without an environment variable.

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    let libtorch = std::env::var_os("LIBTORCH").map(std::path::PathBuf::from);
    if let Some(path) = libtorch.and_then(|path| path.canonicalize().ok()) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}/lib", path.display());
    }
}
