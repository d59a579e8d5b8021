#!/usr/bin/env python3
"""GNU Shogi as a USI engine: how a program that speaks something else joins a tournament.

    sudo apt-get install gnushogi
    scripts/narikin match usi:data/examples/gnushogi_usi.py alphabeta-3 --variant shogi --nodes 1 --games 20

GNU Shogi is started anew for every move, which takes milliseconds: it is told the moves so far and
searches to the depth of the option `Depth`, without its book. It knows no nodes; `go depth N` overrides
the option, and clocks are not heeded.
"""

import re
import subprocess
import sys

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
# A move by the program, where one by its user has no dots: `12. ... P*5e 29990`.
REPLY = re.compile(r"\d+\. \.\.\. (\S+)")


def best_move(moves, depth):
    lines = ["book", "force", *moves, "depth", str(depth), "go"]
    command = ["/usr/games/gnushogi", "-X", "-h"]  # For machines to read; without its hash file.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        program.stdin.write("\n".join(lines) + "\n")
        program.stdin.flush()  # And not closed: more input, or its end, would cut the search short.
        replies = (REPLY.search(line) for line in program.stdout)
        reply = next(filter(None, replies), None)
        program.kill()
    return reply[1] if reply else "resign"


def main():
    depth, moves = 3, []
    for line in sys.stdin:
        match line.split():
            case ["usi"]:
                print("id name GNU Shogi\nid author the Free Software Foundation")
                print(f"option name Depth type spin default {depth} min 1 max 29\nusiok")
            case ["isready"]:
                print("readyok")
            case ["setoption", "name", "Depth", "value", value]:
                depth = int(value)
            case ["position", "sfen", board, "b", "-", "1", *rest] if board == START:
                moves = rest[1:]
            case ["position", *_]:
                sys.exit("only games from the usual start")
            case ["go", *limits]:
                limited = int(limits[limits.index("depth") + 1]) if "depth" in limits else depth
                print("bestmove", best_move(moves, limited))
            case ["quit"]:
                return
        sys.stdout.flush()


main()
