"""The outside move generators of `scripts/differential`, and what is known to be wrong with them.

A peer answers for a position (FEN) and the moves narikin lists there; a `Rule` explains one known
difference, and only where it can show that this is the one.
"""

import pathlib
import re

import cshogi
import pyffish
from rsshogi import core

INI = pathlib.Path(__file__).with_name("peers.ini")
pyffish.load_variant_config(INI.read_text())

# Which dropped piece may not give mate, by variant.
NO_MATE_BY = {name: "P" for name in "shogi minishogi judkins gorogoro gorogoroplus euroshogi".split()}
NO_MATE_BY["torishogi"] = "S"


class FairyStockfish:
    """Knows every game. Slow: every call sets up its tables anew, so it is asked about a sample."""

    name = "pyffish"
    every_position = False

    def knows(self, variant):
        # A name that it does not know would end the process.
        return variant in pyffish.variants()

    def moves(self, variant, fen):
        return set(pyffish.legal_moves(variant, fen, []))

    def in_check(self, variant, fen):
        return pyffish.gives_check(variant, fen, [])

    def explain(self, variant, fen, missing, extra):
        """The name of the known difference that accounts for exactly these moves, if there is one."""
        letter = NO_MATE_BY.get(variant)
        if letter and not missing and all(self._mates(variant, fen, letter, mv) for mv in extra):
            return "Fairy-Stockfish lists pawn drops that give mate"
        return None

    def _mates(self, variant, fen, letter, mv):
        """By its own judgement: the drop gives check and there is no answer."""
        return (
            mv.startswith(letter + "@")
            and pyffish.gives_check(variant, fen, [mv])
            and not pyffish.legal_moves(variant, fen, [mv])
        )


class _Usi:
    """Knows shogi, in USI spelling."""

    every_position = True

    def knows(self, variant):
        return variant == "shogi"

    def explain(self, variant, fen, missing, extra):
        return None


class Cshogi(_Usi):
    name = "cshogi"

    def __init__(self):
        self.board = cshogi.Board()

    def moves(self, variant, fen):
        self.board.set_sfen(sfen(fen))
        return {uci(cshogi.move_to_usi(mv)) for mv in self.board.legal_moves}

    def in_check(self, variant, fen):
        self.board.set_sfen(sfen(fen))
        return self.board.is_check()


class Rsshogi(_Usi):
    name = "rsshogi"

    def __init__(self):
        self.board = core.Board()

    def moves(self, variant, fen):
        self.board.set_sfen(sfen(fen))
        return {uci(mv.to_usi()) for mv in self.board.legal_moves()}

    def in_check(self, variant, fen):
        self.board.set_sfen(sfen(fen))
        return self.board.is_in_check()


def all_peers():
    return [FairyStockfish(), Cshogi(), Rsshogi()]


def sfen(fen):
    """The SFEN of a FEN of shogi."""
    board, hand, side = re.fullmatch(r"([^[]*)\[([^]]*)\] ([wb]).*", fen).groups()
    counted = [(letter, hand.count(letter)) for letter in dict.fromkeys(hand.strip("-"))]
    hands = "".join((str(count) if count > 1 else "") + letter for letter, count in counted)
    return f"{board} {'b' if side == 'w' else 'w'} {hands or '-'} 1"


def uci(usi):
    """The UCI spelling of a shogi move: `7g7f` is `c3c4`, `P*5e` is `P@e5`."""
    square = lambda match: "abcdefghi"[9 - int(match[1])] + str(ord("j") - ord(match[2]))
    return re.sub(r"([1-9])([a-i])", square, usi.replace("*", "@"))
