# shellcheck shell=bash
# Shared by the scripts: where things live, what the machine must have, and the one way to call cargo.
# Source it; it changes to the root of the checkout and prints nothing on stdout.

readonly here=$PWD # where the user stands
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
readonly root=$PWD
# Where rustup puts cargo, for the shell that was open before.
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
readonly cache=${XDG_CACHE_HOME:-$HOME/.cache}/narikin
# The full paths, not the links in .libs: they are the same for every checkout, so that the slow
# C++ file of torch-sys is compiled once a machine.
export LIBTORCH=$cache/libtorch-2.11.0-cpu
export ORT_DYLIB_PATH=$cache/onnxruntime-1.31.1/libonnxruntime.so.1.31.1
CARGO_TARGET_DIR=$(cd "$here" && realpath -m "${CARGO_TARGET_DIR:-$cache/target}")
export CARGO_TARGET_DIR
readonly narikin=$CARGO_TARGET_DIR/release/narikin

say() { printf '%s\n' "$*" >&2; }

die() {
    say "error: $*"
    exit 2
}

# Whether version $1 is at least version $2.
at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

# "3 min 05 s" for 185 seconds.
duration() {
    if (($1 < 60)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# Names everything that is missing at once, each with what to do about it. $1: GB of disk needed.
require_machine() {
    local packages=() faults=() free folder=$cache libc
    [[ $(uname -sm) == "Linux x86_64" ]] ||
        die "this is $(uname -sm); the scripts know only Linux on x86_64 (elsewhere set LIBTORCH and ORT_DYLIB_PATH yourself and call cargo)"
    libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || libc="another libc"
    at_least "${libc#glibc }" 2.28 || faults+=("glibc 2.28 or newer (here: $libc): use a distribution from 2019 or later")
    grep -qw avx2 /proc/cpuinfo || faults+=("a CPU with AVX2 (x86-64-v3, most from 2015 on)")
    command -v c++ >/dev/null || packages+=(g++)
    command -v python3 >/dev/null || packages+=(python3)
    python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)
    require_rust
    ((${#packages[@]} == 0)) || faults+=("${packages[*]}: sudo apt-get install -y ${packages[*]}")
    while [[ ! -d $folder ]]; do folder=$(dirname "$folder"); done
    free=$(($(df -Pk "$folder" | awk 'END { print $4 }') / 1024 / 1024))
    ((free >= $1)) || faults+=("$1 GB of free disk under $folder (now $free GB): free some, or set XDG_CACHE_HOME to a folder with room")
    ((${#faults[@]} == 0)) && return
    say "Missing on this machine:"
    printf '  - %s\n' "${faults[@]}" >&2
    exit 2
}

# Part of require_machine: adds to its `faults` and `packages`.
require_rust() {
    local wanted version=none
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    if command -v cargo >/dev/null; then version=$(cargo --version | awk '{ print $2 }'); fi
    [[ $version != none ]] && at_least "$version" "$wanted" && return
    if command -v rustup >/dev/null; then
        faults+=("Rust $wanted or newer (here: $version): rustup update stable")
    else
        command -v curl >/dev/null || packages+=(curl)
        faults+=("Rust $wanted or newer (here: $version): curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh")
    fi
}

# Fetches the Python packages of a list once and prints the folder for PYTHONPATH; nothing is put into
# the system's Python, and an interrupted fetch leaves nothing half done.
python_packages() {
    local folder unfinished
    folder=$cache/python-$(cat "$1" <(python3 --version) | sha256sum | cut -c 1-16)
    if [[ ! -d $folder ]]; then
        say "fetching the Python packages of $1"
        mkdir -p "$cache"
        unfinished=$(mktemp -d "$cache/python.XXXXXX")
        PIP_ROOT_USER_ACTION=ignore python3 -m pip --disable-pip-version-check install --quiet --only-binary :all: \
            --target "$unfinished" -r "$1" >&2 || { rm -rf "$unfinished" && die "pip failed; call it again when the reason above is gone"; }
        mv -T "$unfinished" "$folder"
    fi
    printf '%s\n' "$folder"
}

# Cargo takes equal paths inside two checkouts for the same crate and may call the other one's
# build fresh: forget the crates of the workspace, and only those, when the checkout changes.
claim_target() {
    local owner=$CARGO_TARGET_DIR/checkout
    [[ -f $owner && $(<"$owner") == "$root" ]] && return
    mkdir -p "$CARGO_TARGET_DIR"
    cargo clean --quiet --release --workspace
    printf '%s\n' "$root" >"$owner"
}

# Builds the binary if it is not up to date: in sight the first time, otherwise quietly, with a word
# on what is going on once it takes longer than a glance.
build_narikin() {
    local began=$SECONDS built=yes notice
    claim_target
    if [[ -x $narikin ]]; then
        { sleep 2 &>/dev/null && say "narikin: the sources changed, building (a minute or two on 2 cores)"; } &
        notice=$!
        cargo build --release -p cli --quiet || built=no
        kill "$notice" 2>/dev/null || true
    else
        require_machine 3
        say "narikin: building; on a new machine this takes about 10 minutes on 2 cores, half of it one C++ file"
        cargo build --release -p cli || built=no
    fi
    [[ $built == yes ]] || die "the build failed; the reason stands above"
    ((SECONDS - began < 3)) || say "narikin: built in $(duration $((SECONDS - began)))"
}
