// The drawing of a position. Pieces, faces and squares are numbered as in position.js.

/** Width and height of a square; all sizes are relative to it. */
const CELL = 54;

/** Where things lie in the drawing of a variant's board. */
function layout(variant) {
  const { files, ranks, hands } = variant;
  const stand = hands ? CELL * 1.15 : 0,
    edge = 24;
  const left = stand + edge + (hands ? 6 : CELL / 2 - edge + 22),
    top = hands ? edge : edge + 8;
  const width = left + files * CELL + (hands ? edge + 6 + stand : CELL / 2 - 2),
    height = top + ranks * CELL + edge + (hands ? 0 : 6);
  const center = square => [
    left + ((square % files) + 0.5) * CELL,
    top + (ranks - 1 - Math.floor(square / files) + 0.5) * CELL,
  ];
  return { left, top, width, height, stand, center };
}

/** Japanese numbers up to 10. */
const NUMERALS = "一二三四五六七八九十";

/** The wood, the lines and the coordinates. */
function drawBoard(variant, kanji) {
  const { files, ranks, hands } = variant;
  const place = layout(variant),
    { left, top } = place;
  const w = files * CELL,
    hgt = ranks * CELL;
  const group = s("g", {});
  const inset = hands ? 0 : CELL / 2,
    pad = hands ? 10 : CELL / 2 - 6;
  group.append(
    s("rect", {
      x: left + inset - pad - (hands ? 0 : 10),
      y: top + inset - pad - (hands ? 0 : 10),
      width: w - 2 * inset + 2 * pad + (hands ? 0 : 20),
      height: hgt - 2 * inset + 2 * pad + (hands ? 0 : 20),
      rx: 4,
      fill: "url(#wood)",
      stroke: "var(--board-line)",
      "stroke-width": 1.5,
    }),
  );
  const lines = [];
  const [x0, y0, x1, y1] = [left + inset, top + inset, left + w - inset, top + hgt - inset];
  const river = hands || ranks % 2 ? null : ranks / 2;
  for (let row = 0; row <= ranks - (hands ? 0 : 1); row++) lines.push(`M${x0} ${y0 + row * CELL}H${x1}`);
  for (let column = 0; column <= files - (hands ? 0 : 1); column++) {
    const x = x0 + column * CELL,
      bank = river && column > 0 && column < files - 1;
    lines.push(
      bank ? `M${x} ${y0}V${y0 + (river - 1) * CELL}M${x} ${y0 + river * CELL}V${y1}` : `M${x} ${y0}V${y1}`,
    );
  }
  for (const [f0, r0, f1, r1] of variant.palaces) {
    const [ax, ay] = place.center(r0 * files + f0),
      [bx, by] = place.center(r1 * files + f1);
    lines.push(`M${ax} ${ay}L${bx} ${by}M${ax} ${by}L${bx} ${ay}`);
  }
  group.append(
    s("path", { d: lines.join(""), stroke: "var(--board-line)", "stroke-width": 1.2, fill: "none" }),
    s("rect", {
      x: x0,
      y: y0,
      width: x1 - x0,
      height: y1 - y0,
      fill: "none",
      stroke: "var(--board-line)",
      "stroke-width": 2,
    }),
  );
  if (river) riverText(group, x0, x1, y0 + (river - 0.5) * CELL);
  if (hands && files === 9 && ranks === 9)
    for (const [f, r] of [
      [3, 3],
      [6, 3],
      [3, 6],
      [6, 6],
    ])
      group.append(
        s("circle", { cx: left + f * CELL, cy: top + r * CELL, r: 3.2, fill: "var(--board-line)" }),
      );
  coordinates(group, variant, place, kanji);
  return group;
}

function riverText(group, x0, x1, y) {
  for (const [text, at] of [
    ["楚河", 0.27],
    ["漢界", 0.73],
  ]) {
    group.append(
      s(
        "text",
        {
          x: x0 + (x1 - x0) * at,
          y: y + 10,
          "text-anchor": "middle",
          "font-size": 28,
          "letter-spacing": 18,
          fill: "var(--board-line)",
          opacity: 0.55,
          class: "kanji",
        },
        text,
      ),
    );
  }
}

/**
 * Shogi: files 9 to 1 from the left, ranks 一 or a from the top. Xiangqi: files as each player counts them,
 * or a to i.
 */
function coordinates(group, variant, place, kanji) {
  const { files, ranks, hands } = variant,
    { left, top } = place;
  const text = (x, y, label) =>
    group.append(
      s(
        "text",
        { x, y, "text-anchor": "middle", "font-size": 13, fill: "var(--text)", class: "kanji" },
        label,
      ),
    );
  const below = top + ranks * CELL + 20,
    above = top - (hands ? 12 : 14);
  for (let file = 0; file < files; file++) {
    const x = left + (file + 0.5) * CELL,
      own = files - file;
    if (hands) text(x, above, String(own));
    else if (kanji) {
      text(x, above, String(file + 1));
      text(x, below, NUMERALS[own - 1]);
    } else text(x, below, String.fromCharCode(97 + file));
  }
  for (let row = 0; row < ranks; row++) {
    const y = top + (row + 0.5) * CELL + 5;
    if (hands)
      text(
        left + files * CELL + 18,
        y,
        kanji ? NUMERALS[row] || String(row + 1) : String.fromCharCode(97 + row),
      );
    else if (!kanji) text(left - 14, y, String(ranks - row));
  }
}

/** A piece around the origin. `small` is the face below, shown at the corner. */
function drawPiece(variant, piece, kanji) {
  const face = piece >> 1,
    color = piece & 1;
  const look = variant.faces[face],
    flat = !variant.hands;
  const label = pieceLabel(look, color, kanji);
  const red = flat ? color === 0 : face & 1;
  const ink = red ? "var(--red)" : "var(--ink)";
  const group = s("g", { class: "piece" });
  if (flat) {
    group.append(
      s("circle", { r: 23, fill: "var(--piece)", stroke: "var(--piece-edge)", "stroke-width": 1.5 }),
      s("circle", { r: 19.5, fill: "none", stroke: ink, "stroke-width": 1.2 }),
      glyph(label, ink, kanji, 25, 1),
    );
    return group;
  }
  const body = s("g", color ? { transform: "rotate(180)" } : {});
  body.append(
    s("path", {
      d: "M0 -24L15 -17.5L21 22.5H-21L-15 -17.5Z",
      fill: "var(--piece)",
      stroke: "var(--piece-edge)",
      "stroke-width": 1.3,
      "stroke-linejoin": "round",
    }),
    variant.turning && variant.faces[face ^ 1]
      ? s("g", { transform: "translate(-2.5 -2.5)" }, glyph(label, ink, kanji, 25, 3))
      : glyph(label, ink, kanji, 27, 3),
  );
  const below = variant.turning && variant.faces[face ^ 1];
  if (below) {
    body.append(
      s(
        "text",
        {
          x: 12.5,
          y: 19.5,
          "text-anchor": "middle",
          "font-size": 11.5,
          class: kanji ? "kanji" : null,
          opacity: 0.85,
          fill: face & 1 ? "var(--ink)" : "var(--red)",
        },
        pieceLabel(below, color, kanji),
      ),
    );
  }
  group.append(body);
  return group;
}

const pieceLabel = (look, color, kanji) => (kanji && look.kanji[color] ? look.kanji[color] : look.letter);

/** One character, or two that share the height. */
function glyph(label, ink, kanji, size, down) {
  const letters = [...label];
  const japanese = kanji && letters[0] > "\u2e80";
  const style = { "text-anchor": "middle", fill: ink, class: japanese ? "kanji" : null, "font-weight": 700 };
  if (japanese && letters.length > 1) {
    return s(
      "text",
      { ...style, "font-size": size * 0.66 },
      letters.slice(0, 2).map((letter, at) => s("tspan", { x: 0, y: down + (at ? 15 : -2) }, letter)),
    );
  }
  return s(
    "text",
    {
      ...style,
      y: down + size * 0.36,
      "font-size": japanese ? size : size * (letters.length > 1 ? 0.7 : 0.85),
    },
    label,
  );
}

/** The hands on their stands, the second player's turned round. Returns where each kind lies. */
function drawHands(svg, variant, position, kanji) {
  const place = layout(variant),
    held = [{}, {}];
  if (!variant.hands) return held;
  const kinds = handOrder(variant),
    tall = variant.ranks * CELL;
  for (const color of [0, 1]) {
    const x = color ? place.stand / 2 + 1 : place.width - place.stand / 2 - 1;
    const own = kinds.filter(kind => position.hands[color][kind]);
    const room = Math.min(tall, Math.max(own.length, 3) * CELL + 8),
      step = Math.min(CELL, (tall - 8) / Math.max(1, own.length));
    const y = color ? place.top : place.top + tall - room;
    svg.append(
      s("rect", {
        x: x - place.stand / 2 + 1,
        y,
        width: place.stand - 2,
        height: room,
        rx: 4,
        fill: "var(--stand)",
        stroke: "var(--board-line)",
      }),
    );
    own.forEach((kind, at) => {
      const center = [
        x - 5,
        color ? y + 4 + (at + 0.5) * step : y + room - 4 - (own.length - at - 0.5) * step,
      ];
      held[color][kind] = center;
      const count = position.hands[color][kind];
      svg.append(
        s(
          "g",
          { transform: `translate(${center}) scale(${Math.min(0.92, step / CELL)})` },
          drawPiece(variant, 4 * kind + color, kanji),
        ),
      );
      if (count > 1)
        svg.append(
          s(
            "text",
            {
              x: x + place.stand / 2 - 3,
              y: center[1] + 18,
              "text-anchor": "end",
              "font-size": 15,
              "font-weight": 700,
              fill: "var(--ink)",
            },
            String(count),
          ),
        );
    });
  }
  return held;
}

/** An arrow for each move that the search weighed, the broader the likelier. */
function drawArrows(svg, variant, held, turn, top) {
  const place = layout(variant);
  top
    .slice(0, 3)
    .reverse()
    .forEach(({ move, target }) => {
      if (target < 30) return;
      const { to, from, face } = moveParts(move);
      const a = from === null ? held[turn][face >> 1] : place.center(from),
        b = place.center(to);
      if (!a) return;
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1,
        width = 3 + (target / 1000) * 9;
      const at = (along, across) => [
        a[0] + ((b[0] - a[0]) / length) * along - ((b[1] - a[1]) / length) * across,
        a[1] + ((b[1] - a[1]) / length) * along + ((b[0] - a[0]) / length) * across,
      ];
      const neck = length - 8 - width * 1.4,
        half = width / 2;
      const outline = [
        at(10, half),
        at(neck, half),
        at(neck, width * 1.15),
        at(length - 6, 0),
        at(neck, -width * 1.15),
        at(neck, -half),
        at(10, -half),
      ];
      svg.append(
        s("polygon", {
          points: outline.join(" "),
          fill: "var(--hint)",
          opacity: 0.25 + (target / 1000) * 0.5,
        }),
      );
    });
}

/** The whole drawing. `last`: the packed move that led here; `top`: what the search weighs now. */
function drawPosition(variant, position, last, top, kanji, label) {
  const place = layout(variant);
  const svg = s("svg", { viewBox: `0 0 ${place.width} ${place.height}`, role: "img", "aria-label": label });
  svg.append(
    s(
      "defs",
      {},
      s(
        "linearGradient",
        { id: "wood", x1: 0, x2: 1, y1: 0, y2: 0.12 },
        [0, 0.2, 0.45, 0.6, 0.85, 1].map((offset, at) =>
          s("stop", { offset, "stop-color": at % 2 ? "var(--board-2)" : "var(--board)" }),
        ),
      ),
    ),
  );
  svg.append(drawBoard(variant, kanji));
  if (last !== null) {
    const { to, from } = moveParts(last);
    for (const square of [from, to]) {
      if (square === null) continue;
      const [x, y] = place.center(square),
        strong = square === to ? 0.85 : 0.45;
      svg.append(
        s("rect", {
          x: x - CELL / 2 + 1,
          y: y - CELL / 2 + 1,
          width: CELL - 2,
          height: CELL - 2,
          rx: variant.hands ? 0 : 8,
          fill: "var(--last)",
          opacity: strong,
        }),
      );
    }
  }
  const held = drawHands(svg, variant, position, kanji);
  position.board.forEach((piece, square) => {
    if (piece >= 0)
      svg.append(
        s("g", { transform: `translate(${place.center(square)})` }, drawPiece(variant, piece, kanji)),
      );
  });
  drawArrows(svg, variant, held, position.turn, top);
  return svg;
}
