// The games: lists to choose from, the position after any ply, what the search knew of it.

const replays = new Map();

/** The positions of a game, before each move and at the end. */
function positionsOf(index) {
  if (!replays.has(index)) {
    const game = DATA.games[index],
      positions = [game.start || DATA.variant.start];
    for (const ply of game.plies)
      positions.push(afterMove(positions[positions.length - 1], ply.move, DATA.variant.hands));
    replays.set(index, positions);
  }
  return replays.get(index);
}

/** A colour, as the game calls it: games without hands are xiangqi and its like. */
const colour = color => t((DATA.variant.hands ? ["first", "second"] : ["red", "black"])[color]);

const outcomeText = game => {
  const end = t("ends")[game.termination] || game.termination;
  const winner = PAGE.player(game, game.outcome === "first" ? 0 : 1);
  return `${game.outcome === "draw" ? t("draw") : t("wins")(winner)} (${end})`;
};

function renderGameLists() {
  byId("viewer").hidden = !DATA.games.length;
  byId("no-games").hidden = Boolean(DATA.games.length);
  if (!DATA.games.length) return;
  const current = PAGE.group(DATA.games[state.game]);
  byId("group").replaceChildren(
    ...PAGE.groups().map(group => h("option", { value: group, selected: group === current }, PAGE.groupName(group))),
  );
  const options = DATA.games.flatMap((game, index) =>
    PAGE.group(game) !== current
      ? []
      : [
          h(
            "option",
            { value: index, selected: index === state.game },
            [...PAGE.title(game), t("plies")(game.plies.length), outcomeText(game)].join(" · "),
          ),
        ],
  );
  byId("game").replaceChildren(...options);
  const game = DATA.games[state.game];
  byId("moves").replaceChildren(
    ...game.plies.map((ply, at) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", onclick: () => goTo(at + 1) },
          h("small", {}, String(at + 1)),
          spelled(ply),
        ),
      ),
    ),
  );
  byId("slider").max = game.plies.length;
}

function renderGame() {
  if (!DATA.games.length) return;
  const game = DATA.games[state.game],
    positions = positionsOf(state.game),
    ply = Math.max(0, Math.min(state.ply, game.plies.length));
  state.ply = ply;
  const position = positions[ply],
    next = game.plies[ply];
  const fen = toFen(DATA.variant, position);
  const last = ply ? game.plies[ply - 1] : null;
  byId("board").replaceChildren(
    drawPosition(
      DATA.variant,
      position,
      last ? last.move : null,
      next?.search ? next.search.top : [],
      state.kanji,
      `${t("boardOf")}: ${fen}`,
    ),
  );
  byId("fen").value = fen;
  byId("slider").value = ply;
  byId("counter").textContent = `${ply} / ${game.plies.length}`;
  for (const [id, off] of [
    ["first", !ply],
    ["previous", !ply],
    ["next", !next],
    ["last", !next],
  ])
    byId(id).disabled = off;
  const turn = t("toMove")(PAGE.player(game, position.turn));
  byId("status").textContent =
    `${last ? `${ply}. ${spelled(last)}` : t("start")} · ${next ? turn : outcomeText(game)}${next || !game.note ? "" : ` · ${game.note}`}`;
  byId("search").replaceChildren(...(next ? PAGE.search(next) : [h("p", {}, t("over"))]));
  renderCurve(game, ply);
  const buttons = byId("moves").querySelectorAll("button");
  buttons.forEach((button, at) =>
    at === ply - 1 ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current"),
  );
  const shown = buttons[Math.max(0, ply - 1)];
  if (shown) byId("moves").scrollTop = shown.offsetTop - byId("moves").clientHeight / 2;
}

/** The first player's expected score at every ply; a click goes there. */
function renderCurve(game, ply) {
  const host = byId("curve"),
    width = host.clientWidth || 400,
    height = 130,
    [left, right, top, bottom] = [34, width - 8, 6, height - 20];
  const X = at => left + (at / Math.max(1, game.plies.length)) * (right - left),
    Y = score => bottom - score * (bottom - top);
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    height,
    role: "img",
    "aria-label": t("expected"),
  });
  for (const score of [0, 0.5, 1]) {
    svg.append(
      s("line", {
        x1: left,
        x2: right,
        y1: Y(score),
        y2: Y(score),
        stroke: score === 0.5 ? "var(--quiet)" : "var(--grid)",
      }),
      s("text", { class: "axis", x: left - 5, y: Y(score) + 4, "text-anchor": "end" }, `${100 * score}`),
    );
  }
  for (const tick of ticks(0, Math.max(1, game.plies.length), width / 90, true))
    svg.append(
      s("text", { class: "axis", x: X(tick), y: height - 5, "text-anchor": "middle" }, String(tick)),
    );
  const lines = PAGE.lines(game);
  for (const { color, dash, points } of lines) {
    const path = points.map(([at, score]) => [X(at), Y(score)]).join(" ");
    const width = dash ? 1.2 : 2;
    svg.append(
      s("polyline", { points: path, fill: "none", stroke: color, "stroke-width": width, "stroke-dasharray": dash }),
    );
  }
  svg.append(
    s("line", { x1: X(ply), x2: X(ply), y1: top, y2: bottom, stroke: "var(--accent)", "stroke-width": 2 }),
  );
  svg.addEventListener("click", event =>
    goTo(
      Math.round(
        ((event.clientX - svg.getBoundingClientRect().left - left) / (right - left)) * game.plies.length,
      ),
    ),
  );
  const key = (color, name, dash) =>
    h(
      "span",
      { class: "key" },
      s(
        "svg",
        { width: 22, height: 8 },
        s("line", {
          x1: 0,
          x2: 22,
          y1: 4,
          y2: 4,
          stroke: color,
          "stroke-width": 2,
          "stroke-dasharray": dash,
        }),
      ),
      `${name}  `,
    );
  host.replaceChildren(
    h(
      "p",
      { class: "bar axis-note" },
      `${t("expected")} (%)`,
      ...lines.map(({ color, name, dash }) => key(color, name, dash)),
    ),
    svg,
  );
}

function goTo(ply) {
  state.ply = ply;
  renderGame();
}

function choose(index) {
  Object.assign(state, { game: index, ply: 0 });
  renderGameLists();
  renderGame();
}
