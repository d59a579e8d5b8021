"""Plays random games with narikin and compares its legal moves with those of other generators.

Run by `scripts/differential`, which installs the others; `--help` lists the options. Exit code 1 if a
difference was found that no known fault of a generator explains.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys

import peers

# Games side by side in one process of narikin, so that neither side waits for the other at every ply.
BATCH = 32
# Moves towards the enemy king come this near.
NEAR = 2
# The royal piece, where it is not K.
KINGS = {"dobutsu": "L"}


def options():
    parser = argparse.ArgumentParser(prog="scripts/differential", description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=1000, help="games a variant (default 1000)")
    parser.add_argument("--variant", action="append", help="this one only; may be given more than once")
    parser.add_argument("--seed", type=int, default=1, help="other seeds, other games (default 1)")
    parser.add_argument("--plies", type=int, default=150, help="longest game (default 150)")
    parser.add_argument(
        "--sample",
        type=int,
        default=20,
        help="positions of a game that a slow generator is asked about, the last among them (default 20)",
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (default: all cores)")
    parser.add_argument("--narikin", required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


class Narikin:
    """`narikin moves --stdin` of one variant."""

    def __init__(self, binary, variant):
        command = [binary, "moves", "--variant", variant, "--stdin"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()
        return [json.loads(self.process.stdout.readline()) for _ in lines]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class RandomGame:
    """A random game that seeks drops, promotions, captures and the enemy king."""

    def __init__(self, variant, seed, plies):
        self.king = KINGS.get(variant, "K")
        self.random = random.Random(seed)
        self.plies = plies
        self.positions = []  # narikin's reports
        self.moves = []

    def request(self):
        if not self.positions:
            return "startpos"
        return f"{self.positions[-1]['fen']} moves {self.moves[-1]}"

    def take(self, report):
        """Keeps narikin's report and chooses a move; false once the game is over or long enough."""
        assert report.get("illegal") is None and "error" not in report, report
        self.positions.append(report)
        if not report["moves"] or len(self.moves) == self.plies:
            return False
        self.moves.append(self._choose(report))
        return True

    def _choose(self, report):
        moves, taste = report["moves"], self.random.random()
        if taste < 0.2:
            liked = [mv for mv in moves if "@" in mv]
        elif taste < 0.4:
            liked = [mv for mv in moves if mv[-1] in "+-"]
        elif taste < 0.6:
            liked = self._near_king(report)
        else:
            liked = []
        return self.random.choice(liked or moves)

    def _near_king(self, report):
        king = self.king.lower() if report["turn"] == "first" else self.king
        board = re.split(r"[\[ ]", report["fen"])[0].split("/")
        for row, text in enumerate(board):
            cells = re.sub(r"\d+", lambda empty: "." * int(empty[0]), text).replace("+", "")
            if king in cells:
                file, rank = cells.index(king), len(board) - row
                return [mv for mv in report["moves"] if _distance(mv, file, rank) <= NEAR]
        return []


def _distance(mv, file, rank):
    to = re.search(r"([a-z])(\d+)[+-]?$", mv)
    return max(abs(ord(to[1]) - ord("a") - file), abs(int(to[2]) - rank))


def play(narikin, games):
    while games:
        reports = narikin.ask([game.request() for game in games])
        games = [game for game, report in zip(games, reports) if game.take(report)]


class Comparison:
    """What was found in some games of a variant."""

    def __init__(self):
        self.games = 0
        self.compared = collections.Counter()  # positions, by peer
        self.checks = 0
        self.mates = 0
        self.explained = collections.Counter()
        self.differences = []

    def add(self, other):
        self.games += other.games
        self.checks += other.checks
        self.mates += other.mates
        self.compared += other.compared
        self.explained += other.explained
        self.differences += other.differences

    def look(self, peer, variant, game, index):
        report = game.positions[index]
        fen, ours = report["fen"], set(report["moves"])
        theirs = peer.moves(variant, fen)
        self.compared[peer.name] += 1
        missing, extra = ours - theirs, theirs - ours
        known = peer.explain(variant, fen, missing, extra) if missing or extra else None
        if known:
            self.explained[known] += 1
        elif missing or extra:
            what = f"only narikin: {_list(missing)}; only {peer.name}: {_list(extra)}"
            self._differ(variant, game, index, what)
        # A check of a slow peer costs as much again: asked where narikin says so, and now and then.
        if report["in_check"] or peer.every_position or index % 4 == 0:
            # Where the king may be taken there is no check.
            if variant not in KINGS and peer.in_check(variant, fen) != report["in_check"]:
                self._differ(variant, game, index, f"check is {report['in_check']}, not so {peer.name}")

    def _differ(self, variant, game, index, what):
        played = " ".join(game.moves[:index])
        self.differences.append(
            f"{variant}: {what}\n  position: {game.positions[index]['fen']}\n  from the start: {played}"
        )


def _list(moves):
    return " ".join(sorted(moves)) or "none"


def compare(args, variant, numbers):
    """Plays the games with these numbers and compares them."""
    result = Comparison()
    known = [peer for peer in peers.all_peers() if peer.knows(variant)]
    seeds = [f"{args.seed} {variant} {number}" for number in numbers]
    games = [RandomGame(variant, seed, args.plies) for seed in seeds]
    narikin = Narikin(args.narikin, variant)
    play(narikin, games)
    narikin.close()
    for game in games:
        last = len(game.positions) - 1
        result.games += 1
        result.checks += sum(report["in_check"] for report in game.positions)
        result.mates += not game.positions[last]["moves"]
        sample = {last, *game.random.sample(range(last), min(last, args.sample - 1))}
        for peer in known:
            for index in range(last + 1) if peer.every_position else sorted(sample):
                result.look(peer, variant, game, index)
    return result


def report(variant, result):
    positions = ", ".join(f"{name} {count}" for name, count in result.compared.items())
    print(
        f"{variant}: {result.games} games, {result.mates} of them to the end, {result.checks} checks; "
        f"positions compared: {positions or 'none'}; {len(result.differences)} unexplained differences"
    )
    for name, count in result.explained.items():
        print(f"  explained: {name}: {count} positions")
    for difference in result.differences[:5]:
        print(difference)
    sys.stdout.flush()


def main():
    args = options()
    listed = subprocess.run([args.narikin, "variant", "list", "--json"], capture_output=True, check=True)
    known = [entry["id"] for entry in json.loads(listed.stdout)["variants"]]
    chosen = args.variant or known
    if unknown := set(chosen) - set(known):
        sys.exit(f"error: no variant {', '.join(sorted(unknown))}; known: {', '.join(known)}")
    differences = 0
    with concurrent.futures.ProcessPoolExecutor(args.workers) as pool:
        for variant in chosen:
            starts = range(0, args.games, BATCH)
            batches = [range(start, min(start + BATCH, args.games)) for start in starts]
            total = Comparison()
            for part in pool.map(compare, *zip(*((args, variant, batch) for batch in batches))):
                total.add(part)
            report(variant, total)
            differences += len(total.differences)
    print(f"differential: {differences} unexplained differences in {len(chosen)} variants")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
