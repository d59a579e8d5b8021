#!/usr/bin/env python3
"""Draws a run from what it wrote: plot_run.py RUN [PICTURE.png]

Needs `pip install matplotlib polars`. Losses, strength, throughput, lengths and results of games.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import polars as pl

run = pathlib.Path(sys.argv[1])
picture = sys.argv[2] if len(sys.argv) > 2 else "run.png"
train, play = (pl.read_csv(run / f"metrics/{name}.csv") for name in ("train", "selfplay"))
games = (
    pl.read_parquet(run / "games/*.parquet", columns=["generation", "move", "outcome"])
    .with_columns(generation=pl.col("generation").list.last(), plies=pl.col("move").list.len())
    .group_by("generation")
    .agg(
        pl.col("plies").mean(),
        *(((pl.col("outcome") == side).mean() * 100).alias(side) for side in ("first", "second", "draw")),
    )
    .sort("generation")
)

figure, axes = plt.subplots(2, 2, figsize=(12, 8), layout="constrained")
(losses, strength), (speed, results) = axes
for name in ("total", "policy", "wdl"):
    smooth = train[name].rolling_mean(max(1, len(train) // 100), min_samples=1)
    losses.plot(train["step"], smooth, label=name)
losses.set(title="Loss", xlabel="step", yscale="log")
losses.legend()

arena, rated = run / "metrics/arena.csv", []
if arena.stat().st_size > 0:  # A run may end before its first match.
    rated = pl.read_csv(arena).group_by("generation", maintain_order=True).last()
    strength.errorbar(rated["generation"], rated["elo"], rated["elo_error"], elinewidth=0.5, capsize=2)
strength.set(title="Elo above generation 0, with the 95 % interval", xlabel="generation")

trained = play.filter(pl.col("generation") > 0)  # Generation 0 plays without a net, so much faster.
speed.plot(trained["generation"], trained["evaluations_per_second"])
speed.set(title="Evaluations a second in self-play", xlabel="generation", ylim=(0, None))

for side, label in (("first", "first player wins"), ("second", "second player wins"), ("draw", "draws")):
    results.plot(games["generation"], games[side], label=f"{label}, %")
results.plot(games["generation"], games["plies"], "k:", label="plies a game")
results.set(title="Games", xlabel="generation", ylim=(0, None))
results.legend()
figure.suptitle(run.name)
figure.savefig(picture, dpi=100)
print(f"{picture}: {len(train)} rows of training, {len(rated)} rated generations, {len(play)} of self-play")
