// The page of a run: facts, charts, openings, and what its searches knew.

function renderRunFacts() {
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
  renderFacts(facts, sampled ? [t("sampled")(...DATA.files)] : []);
  byId("verdict").replaceChildren(...(DATA.verdict.length ? [verdictTable()] : []));
}

function verdictTable() {
  const row = match => [
    match.name,
    ...["wins", "draws", "losses"].map(key => whole(match[key])),
    `${percent(match.score)} %`,
    `${percent(match.low)} – ${percent(match.high)}`,
    h("td", { class: "interval" }, intervalBar(match)),
  ];
  const columns = ["won", "drawn", "lost", "score", "interval"].map(t);
  return tableOf(t("verdictTitle")(DATA.generation), [...columns, ""], DATA.verdict.map(row));
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
      series: [
        {
          name: t(`${key}Rate`),
          // A phase that was interrupted at once has no place on a logarithmic scale.
          points: DATA.throughput.filter(row => row[key] > 0).map(row => [row.generation, row[key]]),
        },
      ],
    })),
  ];
  byId("charts").replaceChildren(...charts.map(chart => chartCard(chart, t("noData"))));
}

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

/** What the search knew before a ply. */
function searchOf({ move: played, search }) {
  if (!search) return [h("p", {}, t("startingMove"))];
  const row = move =>
    h(
      "tr",
      { class: move.move === played ? "played" : null },
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
  return [
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
  ];
}

/** The first player's expected score by the search and by the net alone. */
function linesOf(game) {
  const points = key =>
    game.plies.flatMap(({ search }, at) =>
      search ? [[at, (search[key][0] + search[key][1] / 2) / 1000]] : [],
    );
  const end = [game.plies.length, { first: 1, second: 0 }[game.outcome] ?? 0.5];
  return [
    { name: t("root"), color: "var(--s0)", points: [...points("root"), end] },
    { name: t("net"), color: "var(--s1)", dash: "4 3", points: points("net") },
  ];
}

const PAGE = {
  render() {
    renderRunFacts();
    renderCharts();
    renderOpenings();
  },
  group: game => String(game.generation),
  groups: () => [...new Set(DATA.games.map(PAGE.group))].reverse(),
  groupName: group => group,
  title: game => [`#${game.game_id}`, t("reason")[game.reason]],
  player: (game, color) => colour(color),
  search: searchOf,
  lines: linesOf,
  // The longest game of the newest generation is what one wants to see first.
  first: () => DATA.games.findLastIndex(game => game.reason === "longest"),
};
byId("openings-of").addEventListener("change", renderOpenings);
