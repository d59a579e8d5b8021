// The page: facts, charts, openings, and what its buttons do. `DATA` comes from the program; everything
// in it is shown as text.

const DATA = JSON.parse(document.getElementById("data").textContent);
const state = {
  lang: DATA.lang || "en",
  kanji: DATA.lang !== "en" && DATA.variant.faces.some(face => face && face.kanji[0]),
  theme: "auto",
  game: 0,
  ply: 0,
};
const byId = id => document.getElementById(id);
const t = key => TEXTS[state.lang][key] ?? key;
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
  renderFacts();
  renderCharts();
  renderOpenings();
  renderGameLists();
  renderGame();
}

function renderFacts() {
  const total = key => DATA.generations.reduce((sum, row) => sum + row[key], 0);
  const sampled = DATA.files[0] < DATA.files[1],
    about = sampled ? "≥ " : "";
  const last = DATA.elo[DATA.elo.length - 1];
  const facts = [
    ["variant", DATA.variant.name || DATA.variant.id],
    ["seed", String(DATA.seed)],
    ["generations", whole(DATA.generation)],
    ["gamesRead", about + whole(total("games"))],
    ["positions", about + whole(total("positions"))],
    ["evaluations", whole(DATA.evaluations)],
    ["time", clock(DATA.active_seconds)],
    ["state", t(DATA.phase)],
  ];
  if (DATA.elo.length > 1) facts.push(["elo", `${Math.round(last.elo)} ± ${Math.round(last.error)}`]);
  byId("facts").replaceChildren(
    ...facts.map(([key, value]) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, value))),
  );
  document.title = `${DATA.name} · Narikin`;
  byId("title").textContent = DATA.name;
  byId("subtitle").textContent = DATA.variant.name || DATA.variant.id;
  byId("written").textContent = t("written")(DATA.written);
  byId("notes").replaceChildren(
    ...(sampled ? [h("li", {}, t("sampled")(...DATA.files))] : []),
    ...DATA.faults.map(fault => h("li", { class: "fault" }, fault)),
  );
  byId("verdict").replaceChildren(...(DATA.verdict.length ? [verdictTable()] : []));
}

function verdictTable() {
  const row = match =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, match.name),
      ...["wins", "draws", "losses"].map(key => h("td", {}, whole(match[key]))),
      h("td", {}, `${percent(match.score)} %`),
      h("td", {}, `${percent(match.low)} – ${percent(match.high)}`),
      h("td", { class: "interval" }, intervalBar(match)),
    );
  return h(
    "table",
    {},
    h("caption", {}, t("verdictTitle")(DATA.generation)),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td"),
        ...["won", "drawn", "lost", "score", "interval"].map(key => h("th", { scope: "col" }, t(key))),
        h("td"),
      ),
    ),
    h("tbody", {}, DATA.verdict.map(row)),
  );
}

function intervalBar({ score, low, high }) {
  return s(
    "svg",
    { viewBox: "0 0 200 16", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { y: 6, width: 200, height: 4, fill: "var(--grid)" }),
    s("rect", { x: 99.5, width: 1, height: 16, fill: "var(--quiet)" }),
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

function renderCharts() {
  const generations = DATA.generations.filter(row => row.games);
  const ends = [...new Set(generations.flatMap(row => Object.keys(row.endings)))].sort();
  const loss = (key, name, hidden) => ({
    name: t(name),
    hidden,
    points: DATA.losses.filter(row => key in row).map(row => [row.step, row[key]]),
  });
  const line = (key, name) => ({
    name: t(name),
    points: DATA.generations.filter(row => row[key] !== null).map(row => [row.generation, row[key]]),
  });
  const x = t("byGeneration");
  const charts = [
    {
      title: t("losses"),
      x: t("step_"),
      y: t("loss"),
      whole: true,
      series: [
        loss("policy", "policy"),
        loss("wdl", "wdlLoss"),
        loss("total", "total"),
        loss("reply", "reply", true),
        loss("soft_policy", "soft_policy", true),
        loss("short_term", "short_term", true),
        loss("plies_left", "plies_left", true),
      ],
    },
    {
      title: t("eloTitle"),
      x,
      y: t("eloAxis"),
      whole: true,
      series: [
        {
          name: t("eloBars"),
          errors: true,
          points:
            DATA.elo.length > 1
              ? DATA.elo.map(({ generation, elo, error }) => [generation, elo, elo - error, elo + error])
              : [],
        },
      ],
    },
    {
      title: t("lengthTitle"),
      x,
      y: t("lengthAxis"),
      whole: true,
      zero: true,
      series: [
        {
          name: `${t("median")} (${t("band")})`,
          band: true,
          points: generations.map(row => [row.generation, row.median, row.low, row.high]),
        },
        { name: t("mean"), points: generations.map(row => [row.generation, row.mean]) },
      ],
    },
    {
      title: t("endTitle"),
      x,
      y: t("endAxis"),
      whole: true,
      stacked: true,
      series: ends.map(end => ({
        name: t("ends")[end] || end,
        points: generations.map(row => [row.generation, (100 * (row.endings[end] || 0)) / row.games]),
      })),
    },
    {
      title: t("firstTitle"),
      x,
      y: t("firstAxis"),
      whole: true,
      series: [
        {
          name: t("firstBars"),
          errors: true,
          points: generations
            .filter(row => row.score)
            .map(row => [row.generation, ...row.score.map(share => 100 * share)]),
        },
      ],
    },
    {
      title: t("entropyTitle"),
      x,
      y: t("entropyAxis"),
      whole: true,
      zero: true,
      series: [line("policy_entropy", "entropy"), line("visit_entropy", "visitEntropy")],
    },
    ...["positions", "evaluations"].map(key => ({
      title: `${t("speedTitle")}: ${t(`${key}Rate`)}`,
      x,
      y: t(`${key}Rate`),
      whole: true,
      log: true,
      series: [{ name: t(`${key}Rate`), points: DATA.throughput.map(row => [row.generation, row[key]]) }],
    })),
  ];
  byId("charts").replaceChildren(...charts.map(chart => chartCard(chart, t("noData"))));
}

/** Kanji pieces go with Japanese spelling of moves. */
const spelled = move => (state.kanji ? move.ja : move.en);

function renderOpenings() {
  const generations = Object.keys(DATA.openings)
    .map(Number)
    .sort((a, b) => b - a);
  const played = number => DATA.openings[number].reduce((sum, opening) => sum + opening.games, 0);
  const select = byId("openings-of");
  const chosen = select.value || (generations.find(number => played(number) >= 20) ?? generations[0]);
  select.replaceChildren(
    ...generations.map(number =>
      h("option", { value: number, selected: String(number) === String(chosen) }, String(number)),
    ),
  );
  const top = DATA.openings[chosen] || [];
  const total = top.reduce((sum, opening) => sum + opening.games, 0);
  const list = (openings, depth) =>
    h(
      "ul",
      { class: "openings" },
      openings.map(opening => {
        const share = opening.games / total;
        const row = [
          h("b", {}, spelled(opening)),
          h("i", { style: `width:${Math.max(1, share * 160)}px` }),
          h("span", {}, t("openingLine")(whole(opening.games), percent(share), percent(opening.score))),
        ];
        if (!opening.next.length) return h("li", { class: "leaf" }, row);
        return h(
          "li",
          {},
          h("details", { open: depth < 1 }, h("summary", {}, row), list(opening.next, depth + 1)),
        );
      }),
    );
  byId("openings").replaceChildren(top.length ? list(top, 0) : h("p", {}, t("noOpenings")));
}

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
  byId("openings-of").addEventListener("change", renderOpenings);
  byId("generation").addEventListener("change", event =>
    choose(DATA.games.findIndex(game => game.generation === Number(event.target.value))),
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

// The longest game of the newest generation is what one wants to see first.
state.game = Math.max(
  0,
  DATA.games.findLastIndex(game => game.reason === "longest"),
);
listen();
renderAll();
