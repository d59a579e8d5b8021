"""Confirms data/mate/problems.csv with searches that share nothing with narikin's.

`cshogi` is an engine's library: its df-pn search says whether there is a mate. It does not look for the
shortest one, so lengths are confirmed by searching depth by depth over its legal moves, or over those of
pyffish (Fairy-Stockfish) for other games, with nothing but a table of what was seen.
"""

import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import time

import cshogi
import pyffish

PROBLEMS = pathlib.Path(__file__).parents[2] / "data/mate/problems.csv"
# Of DfPn, for each problem.
NODES = 5_000_000
DEPTH = 201

# Games in which kings are captured: there a mate is not a series of checks.
NO_CHECK = ["dobutsu"]


class Shogi:
    """A position of cshogi, played on and taken back."""

    stalemate_wins = False

    def __init__(self, sfen):
        self.board = cshogi.Board(sfen)

    def moves(self):
        return list(self.board.legal_moves)

    def push(self, mv):
        self.board.push(mv)

    def pop(self):
        self.board.pop()

    def in_check(self):
        return self.board.is_check()

    def key(self):
        # The words of a position without its move number.
        return self.board.sfen().rsplit(" ", 1)[0]

    @staticmethod
    def is_drop(mv):
        return cshogi.move_is_drop(mv)

    @staticmethod
    def origin(mv):
        return cshogi.move_from(mv)

    @staticmethod
    def target(mv):
        return cshogi.move_to(mv)


class Fairy:
    """A position of pyffish, kept as a FEN and moves."""

    def __init__(self, variant, fen):
        self.variant, self.fen, self.played = variant, fen, []
        # In games without hands a move that leaves no reply ends the attack too.
        self.stalemate_wins = "[" not in fen

    def moves(self):
        return pyffish.legal_moves(self.variant, self.fen, self.played)

    def push(self, mv):
        self.played.append(mv)

    def pop(self):
        self.played.pop()

    def in_check(self):
        return pyffish.gives_check(self.variant, self.fen, self.played)

    def key(self):
        return tuple(pyffish.get_fen(self.variant, self.fen, self.played).split()[:2])

    @staticmethod
    def is_drop(mv):
        return "@" in mv

    @staticmethod
    def origin(mv):
        return mv[:2]

    @staticmethod
    def target(mv):
        return mv.split("@")[1][:2] if "@" in mv else mv[2:4]


def attacks(position, known, plies):
    """Whether the side to move mates within so many plies."""
    key = (position.key(), plies)
    if key not in known:
        known[key] = False
        for mv in position.moves():
            position.push(mv)
            if position.in_check():
                mated = defends(position, known, plies - 1)
            else:
                mated = position.stalemate_wins and not position.moves()
            position.pop()
            if mated:
                known[key] = True
                break
    return known[key]


def defends(position, known, plies):
    """Whether the side to move, in check, is mated within so many plies."""
    moves = position.moves()
    if not moves or is_useless(position, moves):
        return True
    if plies == 0:
        return False
    for mv in moves:
        position.push(mv)
        mated = attacks(position, known, plies - 1)
        position.pop()
        if not mated:
            return False
    return True


def is_useless(position, moves):
    """Whether all replies are drops, each taken by one and the same attacker with mate, such drops left
    out again: what data/mate calls useless interpositions."""
    if not all(position.is_drop(mv) for mv in moves):
        return False
    takers = None
    for mv in moves:
        position.push(mv)
        found = set()
        for reply in position.moves():
            if position.is_drop(reply) or position.target(reply) != position.target(mv):
                continue
            position.push(reply)
            if position.in_check():
                replies = position.moves()
                if not replies or is_useless(position, replies):
                    found.add(position.origin(reply))
            position.pop()
        position.pop()
        takers = found if takers is None else takers & found
        if not takers:
            return False
    return True


def shortest(position, most):
    """The length of the shortest mate of at most so many plies."""
    known = {}
    return next((plies for plies in range(1, most + 1, 2) if attacks(position, known, plies)), None)


def has_mate(search, board):
    """What DfPn says, its nodes and its seconds."""
    began = time.perf_counter()
    found = search.search(board)
    return found, search.searched_node, time.perf_counter() - began


def confirm(row, search, most):
    """The faults of a row, its nodes and seconds in DfPn, and whether its length was confirmed."""
    variant, kind, fen, plies = row["variant"], row["kind"], row["fen"], int(row["plies"] or 0)
    faults, nodes, seconds = [], 0, 0.0
    if kind == "hisshi":
        if variant == "shogi":
            faults = [fault for mv in row["moves"].split() for fault in defences(search, fen, mv)]
        return faults, 0, 0.0, False
    if variant == "shogi":
        found, nodes, seconds = has_mate(search, cshogi.Board(fen))
        if found != (kind == "mate"):
            faults.append(f"cshogi: {'mate' if found else 'no mate'}")
    wanted = plies if kind == "mate" else 5
    # pyffish sets up its tables anew for every question.
    known = variant == "shogi" or variant in pyffish.variants() and variant not in NO_CHECK
    if not known or wanted > (most if variant == "shogi" else min(most, 5)):
        return faults, nodes, seconds, False
    position = Shogi(fen) if variant == "shogi" else Fairy(variant, fen)
    length = shortest(position, wanted)
    if length != (plies or None):
        faults.append(f"the shortest mate has {length} plies")
    return faults, nodes, seconds, kind == "mate"


def defences(search, fen, mv):
    """The replies to a brinkmate after which DfPn finds no mate."""
    board = cshogi.Board(fen)
    board.push_usi(mv)
    faults = []
    for reply in list(board.legal_moves):
        board.push(reply)
        if not search.search(board):
            faults.append(f"{mv} {cshogi.move_to_usi(reply)}: no mate")
        board.pop()
    return faults


def our_speed(narikin):
    command = [narikin, "bench", "mate", "--rounds", "1", "--json"]
    figures = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["figures"]
    return next(figure["value"] for figure in figures if figure["name"] == "shogi/nodes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--narikin", required=True)
    parser.add_argument("--plies", type=int, default=9, help="the longest mates to search depth by depth")
    parser.add_argument("--rounds", type=int, default=3, help="of the comparison of speed")
    args = parser.parse_args()
    search = cshogi.DfPn()
    search.set_max_search_node(NODES)
    search.set_max_depth(DEPTH)
    rows = list(csv.DictReader(PROBLEMS.open()))
    faults, lengths, speeds = 0, 0, []
    for number in range(args.rounds):
        nodes, seconds = 0, 0.0
        for row in rows if number == 0 else [row for row in rows if row["kind"] != "hisshi"]:
            # Depth by depth once is enough.
            found = confirm(row, search, args.plies if number == 0 else 0)
            for fault in found[0] if number == 0 else []:
                print(f"{row['variant']} {row['kind']} {row['plies']} {row['fen']}: {fault}")
                faults += 1
            nodes, seconds = nodes + found[1], seconds + found[2]
            lengths += found[3]
        speeds.append((our_speed(args.narikin), nodes / seconds))
    ours, theirs = (statistics.median(side) for side in zip(*speeds))
    ratio = statistics.median(our / their for our, their in speeds)
    print(f"{len(rows)} problems, {lengths} lengths confirmed depth by depth, {faults} faults")
    print(f"nodes/s: narikin {ours:,.0f}, cshogi {theirs:,.0f}, ratio {ratio:.2f}")
    sys.exit(faults > 0)


main()
