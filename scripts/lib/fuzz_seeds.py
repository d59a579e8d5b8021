"""Writes what a fuzz target begins with: fuzz_seeds.py TARGET FOLDER, and FOLDER.dict beside it.

The inputs have the form that crates/rules/fuzz/src reads: a byte for the variant before positions and
games.
"""

import csv
import pathlib
import random
import re
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


def main():
    target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate({"position": positions, "variant": variants, "game": games}[target]()):
        (folder / f"{number:04}").write_bytes(seed)
    words = set()
    for path in VARIANTS:
        words |= set(re.findall(r"[A-Za-z0-9_+/-]{2,24}", path.read_text()))
    dictionary = folder.with_name(folder.name + ".dict")
    dictionary.write_text("".join(f'"{word}"\n' for word in sorted(words)))


main()
