// Positions as the page keeps them. A piece is 2 * face + colour; a face is 2 * kind + side up; squares run
// along rank 1 first, from the first player's left.

/** The position after a packed move: bits 0-6 to, 7-13 from, 14-18 face afterwards, 19 drop. */
function afterMove(position, move, hands) {
  const board = position.board.slice();
  const held = position.hands.map(hand => hand.slice());
  const { turn } = position;
  const to = move & 127,
    from = (move >> 7) & 127,
    face = (move >> 14) & 31;
  if ((move >> 19) & 1) held[turn][face >> 1]--;
  else {
    if (board[to] >= 0 && hands) held[turn][board[to] >> 2]++;
    board[from] = -1;
  }
  board[to] = 2 * face + turn;
  return { board, hands: held, turn: 1 - turn };
}

const moveParts = move => ({
  to: move & 127,
  from: (move >> 19) & 1 ? null : (move >> 7) & 127,
  face: (move >> 14) & 31,
});

/** Kinds in the order in which hands are written: R B G S N L P, then the variant's own. */
function handOrder(variant) {
  const kinds = variant.start.hands[0].map((_, kind) => kind);
  const place = kind => ("RBGSNLP".indexOf(variant.faces[2 * kind].letter) + 99) % 99;
  return kinds.sort((a, b) => place(a) - place(b) || a - b);
}

/** The position as FEN, spelled as the program spells it. */
function toFen(variant, position) {
  const cased = piece => {
    const { letter } = variant.faces[piece >> 1];
    return piece & 1 ? letter.toLowerCase() : letter;
  };
  const rows = [];
  for (let rank = variant.ranks - 1; rank >= 0; rank--) {
    let row = "",
      empty = 0;
    for (let file = 0; file < variant.files; file++) {
      const piece = position.board[rank * variant.files + file];
      if (piece < 0) {
        empty++;
        continue;
      }
      row += (empty || "") + cased(piece);
      empty = 0;
    }
    rows.push(row + (empty || ""));
  }
  const side = position.turn ? "b" : "w";
  if (!variant.hands) return `${rows.join("/")} ${side} - - 0 1`;
  const hand = [0, 1]
    .map(color =>
      handOrder(variant)
        .map(kind => cased(4 * kind + color).repeat(position.hands[color][kind]))
        .join(""),
    )
    .join("");
  return `${rows.join("/")}[${hand || "-"}] ${side} 0 1`;
}
