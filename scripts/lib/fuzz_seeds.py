"""Writes what a fuzz target begins with: fuzz_seeds.py TARGET FOLDER, and FOLDER.dict beside it.

The inputs have the form that crates/fuzz/src reads: a byte for the variant before positions and
games.
"""

import csv
import json
import pathlib
import random
import re
import struct
import sys

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
VARIANTS = sorted(DATA.glob("variants/*.toml"))
IDS = [path.stem for path in VARIANTS]


def positions():
    """Every position of the tables of counts, as FEN and SFEN."""
    seen = set()
    for table in ("perft", "tricky", "fen_sfen"):
        with open(DATA / f"perft/{table}.csv", newline="") as file:
            for row in csv.DictReader(file):
                seen |= {(row["variant"], row[key]) for key in ("fen", "sfen") if row.get(key)}
    return [bytes([IDS.index(variant)]) + text.encode() for variant, text in sorted(seen)]


def variants():
    """The built-in files, and one that only extends each."""
    short = [f'extends = "{name}"\nid = "x"\nname = "x"\n'.encode() for name in IDS]
    return [path.read_bytes() for path in VARIANTS] + short


def games():
    """Bytes without a meaning, enough for 100 plies of each variant."""
    return [bytes([index]) + random.Random(index).randbytes(400) for index in range(len(IDS))]


def nets():
    """The smallest nets that there are: a convolution and a linear layer on two squares."""
    shapes = {"p.weight": [1, 1, 1, 1], "p.bias": [1], "v.weight": [3, 2], "v.bias": [3]}
    gains = {"p.gain": [1]}
    files = []
    for gain in (None, "p.gain"):
        params = {**shapes, **(gains if gain else {})}
        graph = {
            "shape": {"planes": 1, "ranks": 1, "files": 2, "head_planes": 1, "policy_len": 2},
            "gather": [0, 1],
            "nodes": [
                {"op": {"conv": {"weight": "p.weight", "bias": "p.bias", "gain": gain}}, "inputs": [0]},
                {"op": "gather", "inputs": [1]},
                {"op": "relu", "inputs": [0]},
                {"op": {"linear": {"weight": "v.weight", "bias": "v.bias"}}, "inputs": [3]},
            ],
            "params": [{"name": n, "shape": s, "init": {"constant": 0.5}} for n, s in params.items()],
            "outputs": [["policy", 2], ["wdl", 4]],
        }
        header, numbers = {"__metadata__": {"graph": json.dumps(graph), "variant": "micro"}}, b""
        for name in sorted(params):
            count = 1
            for size in params[name]:
                count *= size
            end = len(numbers) + 4 * count
            header[name] = {"dtype": "F32", "shape": params[name], "data_offsets": [len(numbers), end]}
            numbers += struct.pack(f"<{count}f", *[0.5] * count)
        text = json.dumps(header).encode()
        files.append(struct.pack("<Q", len(text)) + text + numbers)
    return files


def onnx_files():
    """A graph with a tensor, a node, an input and an output, by hand: (number << 3 | 2), length, bytes."""
    field = lambda number, content: bytes([number << 3 | 2, len(content)]) + content
    text = lambda number, word: field(number, word.encode())
    sizes = field(2, field(1, field(2, field(1, text(2, "N")) + field(1, b"\x08\x03"))))
    tensor = b"\x08\x03\x10\x01" + text(8, "w") + field(9, struct.pack("<3f", 1, 2, 3))
    node = text(1, "x") + text(1, "w") + text(2, "y") + text(4, "Conv")
    graph = field(1, node) + field(5, tensor) + field(11, text(1, "x") + sizes) + field(12, text(1, "y") + sizes)
    properties = field(14, text(1, "variant") + text(2, "micro"))
    return [b"\x08\x08" + text(2, "by hand") + field(7, graph) + field(8, b"\x10\x11") + properties]


SEEDS = {"position": positions, "variant": variants, "game": games, "net": nets, "onnx": onnx_files}


def main():
    target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[target]()):
        (folder / f"{number:04}").write_bytes(seed)
    words = set()
    for path in VARIANTS:
        words |= set(re.findall(r"[A-Za-z0-9_+/-]{2,24}", path.read_text()))
    dictionary = folder.with_name(folder.name + ".dict")
    dictionary.write_text("".join(f'"{word}"\n' for word in sorted(words)))


main()
