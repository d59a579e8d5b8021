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

/** A player by colour, as the game calls it: games without hands are xiangqi and its like. */
const player = color => t((DATA.variant.hands ? ["first", "second"] : ["red", "black"])[color]);

const outcomeText = game => {
  const end = t("ends")[game.termination] || game.termination;
  const winner = player(game.outcome === "first" ? 0 : 1);
  return `${game.outcome === "draw" ? t("draw") : t("wins")(winner)} (${end})`;
};

function renderGameLists() {
  byId("viewer").hidden = !DATA.games.length;
  byId("no-games").hidden = Boolean(DATA.games.length);
  if (!DATA.games.length) return;
  const current = DATA.games[state.game].generation;
  const generations = [...new Set(DATA.games.map(game => game.generation))].sort((a, b) => b - a);
  byId("generation").replaceChildren(
    ...generations.map(number =>
      h("option", { value: number, selected: number === current }, String(number)),
    ),
  );
  const options = DATA.games.flatMap((game, index) =>
    game.generation !== current
      ? []
      : [
          h(
            "option",
            { value: index, selected: index === state.game },
            [
              `#${game.game_id}`,
              t("reason")[game.reason],
              t("plies")(game.plies.length),
              outcomeText(game),
            ].join(" · "),
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
    next = game.plies[ply],
    search = next && next.search;
  const fen = toFen(DATA.variant, position);
  const last = ply ? game.plies[ply - 1] : null;
  byId("board").replaceChildren(
    drawPosition(
      DATA.variant,
      position,
      last ? last.move : null,
      search ? search.top : [],
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
  const turn = t("toMove")(player(position.turn));
  byId("status").textContent =
    `${last ? `${ply}. ${spelled(last)}` : t("start")} · ${next ? turn : outcomeText(game)}`;
  renderSearch(next, search);
  renderCurve(game, ply);
  const buttons = byId("moves").querySelectorAll("button");
  buttons.forEach((button, at) =>
    at === ply - 1 ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current"),
  );
  const shown = buttons[Math.max(0, ply - 1)];
  if (shown) byId("moves").scrollTop = shown.offsetTop - byId("moves").clientHeight / 2;
}

function renderSearch(next, search) {
  const host = byId("search");
  if (!search) return host.replaceChildren(h("p", {}, t(next ? "startingMove" : "over")));
  const row = move =>
    h(
      "tr",
      { class: move.move === next.move ? "played" : null },
      h("td", {}, spelled(move)),
      h(
        "td",
        { class: "share" },
        h("i", { style: `width:${(move.target / 10) * 0.7}%` }),
        `${(move.target / 10).toFixed(1)} %`,
      ),
      h("td", {}, move.visits === null ? "" : whole(move.visits)),
    );
  const shares = list => list.map(share => (share / 10).toFixed(0)).join(" / ");
  host.replaceChildren(
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h("tr", {}, ...["move", "target", "visits"].map(key => h("th", { scope: "col" }, t(key)))),
      ),
      h("tbody", {}, search.top.map(row)),
    ),
    h("p", {}, `${t("wdl")}: ${shares(search.root)} % (${t("root")}), ${shares(search.net)} % (${t("net")})`),
    h(
      "p",
      {},
      t("simulations")(whole(search.simulations), search.generation) +
        (search.proven ? ` · ${t("proven")(...search.proven)}` : ""),
    ),
  );
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
  const line = (key, color, extra) => {
    const points = game.plies.flatMap((move, at) =>
      move.search ? [[X(at), Y((move.search[key][0] + move.search[key][1] / 2) / 1000)]] : [],
    );
    if (key === "root") points.push([X(game.plies.length), Y({ first: 1, second: 0 }[game.outcome] ?? 0.5)]);
    svg.append(s("polyline", { points: points.join(" "), fill: "none", stroke: color, ...extra }));
  };
  line("net", "var(--s1)", { "stroke-width": 1.2, "stroke-dasharray": "4 3" });
  line("root", "var(--s0)", { "stroke-width": 2 });
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
      key("var(--s0)", t("root")),
      key("var(--s1)", t("net"), "4 3"),
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
