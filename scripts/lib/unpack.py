"""Unpacks from the wheels in a folder the parts that narikin builds and runs with.

Usage: unpack.py WHEELS TARGET. Fills TARGET/libtorch and TARGET/onnxruntime. Leaving out
libtorch_cuda.so keeps 500 MB off the disk and makes torch-sys link the CPU build.
"""

import pathlib
import shutil
import sys
import zipfile

# Prefix of a wheel's name, file or folder (trailing slash) inside it, where it goes.
PARTS = [
    ("torch-", "torch/include/", "libtorch/include/"),
    ("torch-", "torch/lib/libtorch_cpu.so", "libtorch/lib/"),
    ("torch-", "torch/lib/libc10.so", "libtorch/lib/"),
    ("torch-", "torch/lib/libgomp.so.1", "libtorch/lib/"),
    ("nvidia_cuda_runtime-", "nvidia/cu13/lib/libcudart.so.13", "libtorch/lib/"),
    ("nvidia_cuda_cupti-", "nvidia/cu13/lib/libcupti.so.13", "libtorch/lib/"),
    ("onnxruntime-", "onnxruntime/capi/libonnxruntime.so.1.31.1", "onnxruntime/"),
]


def unpack(wheel, part, folder):
    """Copies `part` (a file, or everything below a folder) of the open `wheel` into `folder`."""
    names = [n for n in wheel.namelist() if n == part or (part.endswith("/") and n.startswith(part))]
    if not names:
        raise SystemExit(f"error: {wheel.filename} has no {part}")
    base = part if part.endswith("/") else part[: part.rindex("/") + 1]
    for name in names:
        target = folder / name[len(base) :]
        if name.endswith("/"):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with wheel.open(name) as source, open(target, "wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)


def main():
    wheels, target = map(pathlib.Path, sys.argv[1:3])
    for prefix, part, folder in PARTS:
        (path,) = wheels.glob(prefix + "*.whl")
        with zipfile.ZipFile(path) as wheel:
            unpack(wheel, part, target / folder)
    (target / "libtorch/lib/libtorch.so").symlink_to("libtorch_cpu.so")


main()
