"""Compares what a run has written with what other programs read of it.

Usage: verify_metrics.py NARIKIN RUN. Needs tensorboard and polars.
"""

import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

from tensorboard.backend.event_processing.event_accumulator import STORE_EVERYTHING_SIZE_GUIDANCE, EventAccumulator

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The column that is TensorBoard's step, by file.
STEPS = {"train": "step", "selfplay": "generation", "arena": "generation", "machine": "active_seconds"}


def rows(run, name):
    with open(run / "metrics" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def scalars(run, name):
    """Steps and values by tag, as TensorBoard shows them."""
    reader = EventAccumulator(str(run / "tensorboard" / name), STORE_EVERYTHING_SIZE_GUIDANCE)
    reader.Reload()
    return {tag: [(event.step, event.value) for event in reader.Scalars(tag)] for tag in reader.Tags()["scalars"]}


def check_events(run, name):
    """Every tag that is a column has its values, at its steps; every other tag has as many."""
    table = rows(run, name)
    if not table:
        return 0
    found = scalars(run, name)
    assert found, f"{name}: no scalars"
    for tag, events in found.items():
        column = tag.rpartition("/")[2]
        if column not in table[0]:
            continue
        expected = [(int(float(row[STEPS[name]])), float(row[column])) for row in table]
        if name == "selfplay":  # Of a phase in parts, the last part counts.
            expected = sorted(dict(expected).items())
        assert len(events) == len(expected), f"{name}/{tag}: {len(events)} events, {len(expected)} rows"
        for (step, value), (wanted_step, wanted) in zip(events, expected):
            same = step == wanted_step and math.isclose(value, wanted, rel_tol=1e-5, abs_tol=1e-6)
            assert same, f"{name}/{tag}: {value} at {step}, expected {wanted} at {wanted_step}"
    if name == "train":
        steps = [step for step, _ in found["loss/total"]]
        assert steps == sorted(set(steps)), f"steps come twice or out of order: {steps}"
    return len(found)


def check_snippet(narikin, run):
    """The lines of README.md run as they stand, and count the games that are there."""
    snippet = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert snippet, "README.md has no lines of Python"
    with tempfile.TemporaryDirectory() as folder:
        runs = pathlib.Path(folder, "runs")
        runs.mkdir()
        (runs / "micro").symlink_to(run)
        output = subprocess.run(
            [sys.executable, "-c", snippet[1] + "\nprint('games', len(games))"],
            cwd=folder, capture_output=True, text=True, encoding="utf-8",
        )
    assert output.returncode == 0, output.stderr
    inspected = subprocess.run([narikin, "inspect", run, "--json"], capture_output=True, text=True, check=True)
    known = json.loads(inspected.stdout)["games"]
    assert output.stdout.rstrip().endswith(f"games {known}"), output.stdout
    print(output.stdout.rpartition("games")[0].rstrip())


def main():
    narikin, run = sys.argv[1], pathlib.Path(sys.argv[2])
    for name in STEPS:
        print(f"{name}: {check_events(run, name)} curves as in {name}.csv")
    check_snippet(narikin, run)


main()
