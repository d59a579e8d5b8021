// What all pages share: state, words, the buttons at the top and under the board. `DATA` comes from the
// program; everything in it is shown as text. Each kind of page has its own script, which defines `PAGE`:
//   render()              draws all but the games
//   group(game)           under which heading a game is listed, a text; groups(): all of them, in order;
//                         groupName(group): its words
//   title(game)           how the list calls a game: a list of texts
//   player(game, colour)  how a game calls a player
//   search(ply)           elements that say what was thought before a ply
//   first()               the game that is shown at first
//   lines(game)           curves of the first player's expected score: {name, color, dash, points}

const DATA = JSON.parse(document.getElementById("data").textContent);
const state = {
  lang: DATA.lang || "en",
  kanji: DATA.lang !== "en" && DATA.variant.faces.some(face => face && face.kanji[0]),
  theme: "auto",
  game: 0,
  ply: 0,
};
const byId = id => document.getElementById(id);
/** The words for a key: those of this kind of page, else those of all pages. */
const t = key => TEXTS[state.lang][DATA.kind]?.[key] ?? TEXTS[state.lang][key] ?? key;
const percent = share => (100 * share).toFixed(1);
const whole = number => Math.round(number).toLocaleString("en-US");

function clock(seconds) {
  const pad = number => String(Math.floor(number)).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), (seconds / 60) % 60];
  return hours
    ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}`
    : `${Math.floor(minutes)}:${pad(seconds % 60)}`;
}

/** Everything whose words depend on the language. */
function renderAll() {
  document.documentElement.lang = state.lang;
  if (state.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = state.theme;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = t(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]"))
    node.setAttribute("aria-label", t(node.dataset.label));
  for (const node of document.querySelectorAll("[data-title]")) {
    node.title = t(node.dataset.title);
    node.setAttribute("aria-label", node.title);
  }
  const pressed = (key, value) =>
    document
      .querySelectorAll(`[data-${key}]`)
      .forEach(button =>
        button.setAttribute("aria-pressed", String(Object.values(button.dataset).includes(value))),
      );
  pressed("lang", state.lang);
  pressed("pieces", state.kanji ? "kanji" : "letters");
  pressed("theme-is", state.theme);
  document.title = `${DATA.name} · Narikin`;
  byId("title").textContent = DATA.name;
  byId("subtitle").textContent = DATA.variant.name || DATA.variant.id;
  byId("written").textContent = t("written")(DATA.written);
  PAGE.render();
  renderGameLists();
  renderGame();
}

/** The facts at the top: pairs of a key and a text. */
function renderFacts(facts, notes) {
  byId("facts").replaceChildren(
    ...facts.map(([key, value]) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, value))),
  );
  byId("notes").replaceChildren(
    ...notes.map(note => h("li", {}, note)),
    ...DATA.faults.map(fault => h("li", { class: "fault" }, fault)),
  );
}

/** A table: its caption, the names of its columns, rows of cells of which the first is a heading. */
function tableOf(caption, columns, rows) {
  const row = ([head, ...cells]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, head),
      ...cells.map(cell => (cell instanceof Element && cell.tagName === "TD" ? cell : h("td", {}, cell))),
    );
  return h(
    "table",
    {},
    caption ? h("caption", {}, caption) : null,
    h("thead", {}, h("tr", {}, h("td"), ...columns.map(name => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map(row)),
  );
}

/** A bar from `low` to `high` with a mark at `score`, all from 0 to 1, and a line at `line`. */
function intervalBar({ score, low, high }, line = 0.5) {
  return s(
    "svg",
    { viewBox: "0 0 200 16", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { y: 6, width: 200, height: 4, fill: "var(--grid)" }),
    s("rect", { x: 200 * line - 0.5, width: 1, height: 16, fill: "var(--quiet)" }),
    s("rect", {
      x: 200 * low,
      y: 4,
      width: Math.max(1, 200 * (high - low)),
      height: 8,
      fill: "var(--s0)",
      opacity: 0.45,
    }),
    s("rect", { x: Math.min(198, 200 * score - 1), y: 1, width: 2.5, height: 14, fill: "var(--s0)" }),
  );
}

/** Kanji pieces go with Japanese spelling of moves. */
const spelled = move => (state.kanji ? move.ja : move.en);

function listen() {
  const set = (selector, change) =>
    document.querySelectorAll(selector).forEach(button =>
      button.addEventListener("click", () => {
        change(button.dataset);
        renderAll();
      }),
    );
  set("button[data-lang]", ({ lang }) => {
    state.lang = lang;
  });
  set("button[data-pieces]", ({ pieces }) => {
    state.kanji = pieces === "kanji";
  });
  set("button[data-theme-is]", ({ themeIs }) => {
    state.theme = themeIs;
  });
  byId("group").addEventListener("change", event =>
    choose(DATA.games.findIndex(game => PAGE.group(game) === event.target.value)),
  );
  byId("game").addEventListener("change", event => choose(Number(event.target.value)));
  byId("slider").addEventListener("input", event => goTo(Number(event.target.value)));
  const steps = {
    first: () => 0,
    previous: () => state.ply - 1,
    next: () => state.ply + 1,
    last: () => Infinity,
  };
  for (const [id, to] of Object.entries(steps)) byId(id).addEventListener("click", () => goTo(to()));
  const keys = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };
  document.addEventListener("keydown", event => {
    if (
      !keys[event.key] ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.target.closest("input, select, textarea, summary")
    )
      return;
    event.preventDefault();
    goTo(steps[keys[event.key]]());
  });
  byId("copy").addEventListener("click", async () => {
    byId("fen").select();
    try {
      await navigator.clipboard.writeText(byId("fen").value);
    } catch {
      document.execCommand("copy");
    }
    byId("copy").textContent = t("copied");
    setTimeout(() => {
      byId("copy").textContent = t("copy");
    }, 1500);
  });
  if (DATA.games.length) {
    new ResizeObserver(() => renderCurve(DATA.games[state.game], state.ply)).observe(byId("curve").parentElement);
  }
}

/** Shows the page, the first time. */
function start() {
  document.documentElement.dataset.kind = DATA.kind;
  state.game = Math.max(0, PAGE.first());
  listen();
  renderAll();
}
