// The page of a tournament: standings, crosstable, tests, endings, colours, openings, and what the
// players said in their games. Players are numbers: places in `DATA.standings`.

const nameOf = place => DATA.standings[place].name;
const signed = number => (number > 0 ? "+" : "") + number.toFixed(0);
const shareOf = ([wins, draws, losses]) => (wins + draws / 2) / Math.max(1, wins + draws + losses);

function renderStandings() {
  const planned = DATA.planned ? ` / ${whole(DATA.planned)}` : "";
  const facts = [
    ["variant", DATA.variant.name || DATA.variant.id],
    ["format", DATA.format],
    ["players", whole(DATA.standings.length)],
    ["gamesCounted", whole(DATA.counted) + planned],
    ["seed", String(DATA.seed)],
  ];
  const [advantage, error] = DATA.advantage;
  if (error > 0) facts.push(["advantage", `${signed(advantage)} ± ${error.toFixed(0)}`]);
  const notes = [
    ["halves", DATA.halves > 0],
    ["replays", DATA.replays > 0],
    ["prior", DATA.prior > 0],
    ["groups", DATA.groups > 1 && DATA.counted > 0],
  ];
  renderFacts(
    facts,
    notes.filter(([, holds]) => holds).map(([key]) => t(key)(DATA[key])),
  );
  byId("verdict").replaceChildren(standingsTable(), ...(DATA.meetings.length ? [crosstable()] : []));
}

/** Everyone with a bar of the 95 % interval, all on one scale. */
function standingsTable() {
  const low = Math.min(...DATA.standings.map(player => player.elo_low)),
    high = Math.max(...DATA.standings.map(player => player.elo_high));
  const at = elo => (high > low ? (elo - low) / (high - low) : 0.5);
  const row = (player, place) => [
    `${place + 1}. ${player.name}`,
    signed(player.elo),
    `[${signed(player.elo_low)}, ${signed(player.elo_high)}]`,
    h(
      "td",
      { class: "interval" },
      intervalBar({ score: at(player.elo), low: at(player.elo_low), high: at(player.elo_high) }, at(0)),
    ),
    whole(player.games),
    `${percent(player.score)} %`,
    `${percent(player.draws / Math.max(1, player.games))} %`,
  ];
  const columns = [t("elo"), t("interval"), "", ...["games_", "score", "drawn"].map(t)];
  return tableOf(t("standingsTitle")(DATA.anchor ?? t("mean")), columns, DATA.standings.map(row));
}

/** A cell of a figure and, below it, a smaller one. */
const twoLines = (above, below, title) => h("td", { title }, above, h("br"), h("small", {}, below));

function crosstable() {
  const cell = (own, other) => {
    const meeting = DATA.meetings.find(
      ({ a, b }) => (a === own && b === other) || (a === other && b === own),
    );
    if (!meeting) return h("td", {}, own === other ? "–" : "");
    const mirrored = meeting.a !== own;
    const counts = [meeting.wins, meeting.draws, meeting.losses];
    if (mirrored) counts.reverse();
    const los = meeting.los === null ? null : mirrored ? 1 - meeting.los : meeting.los;
    const title = los === null ? null : `${t("los")}: ${percent(los)} %`;
    return twoLines(h("b", {}, percent(shareOf(counts))), counts.join(" "), title);
  };
  const all = DATA.standings.map((_, place) => place);
  const row = own => [`${own + 1}. ${nameOf(own)}`, ...all.map(other => cell(own, other))];
  return tableOf(
    t("crossTitle"),
    all.map(place => String(place + 1)),
    all.map(row),
  );
}

/** A table as a card among the charts. */
const tableCard = (title, columns, rows) =>
  h("figure", { class: "card scroll" }, h("h3", {}, title), tableOf(null, columns, rows));

function renderDetails() {
  byId("charts").replaceChildren(
    ...(DATA.test ? [testCard()] : []),
    ...(DATA.counted ? [coloursCard(), endingsCard()] : [h("p", { class: "none" }, t("noOpenings"))]),
  );
}

/** The ratio of every test after each pair of games, and its bounds. */
function testCard() {
  const { model, elo0, elo1, lower, upper } = DATA.test;
  const other = ({ a, b, tested }) => (tested === a ? b : a);
  const paths = DATA.meetings.filter(meeting => meeting.path.length > 1);
  const end = Math.max(1, ...paths.flatMap(({ path }) => path.map(([pairs]) => pairs)));
  const bound = (name, at) => ({
    name,
    points: [
      [0, at],
      [end, at],
    ],
  });
  const card = chartCard(
    {
      title: t("testTitle")(model, elo0, elo1),
      x: t("pairs"),
      y: t("llr"),
      whole: true,
      series: [
        bound(t("upper"), upper),
        bound(t("lower"), lower),
        ...paths.map((meeting, index) => ({
          name: `${nameOf(meeting.tested)} – ${nameOf(other(meeting))}`,
          hidden: index >= 6,
          points: meeting.path,
        })),
      ],
    },
    t("noData"),
  );
  const line = meeting => {
    const { llr, decision, tested } = meeting;
    const words = [nameOf(tested), nameOf(other(meeting)), llr.toFixed(2), t(decision)];
    return h("li", {}, t("testLine")(...words));
  };
  const told = DATA.meetings.filter(({ llr }) => llr !== null).map(line);
  return fill(card, {}, [h("ul", { class: "notes" }, told)]);
}

function coloursCard() {
  const { first, players } = DATA.colours;
  const row = ([asFirst, asSecond], place) => [
    nameOf(place),
    ...[asFirst, asSecond].map(counts => twoLines(percent(shareOf(counts)), counts.join(" "))),
  ];
  const [score, low, high] = first;
  const all = [
    t("everyone"),
    twoLines(percent(score), `[${percent(low)}, ${percent(high)}]`),
    twoLines(percent(1 - score), `[${percent(1 - high)}, ${percent(1 - low)}]`),
  ];
  return tableCard(t("coloursTitle"), ["asFirst", "asSecond"].map(t), [...players.map(row), all]);
}

function endingsCard() {
  const few = DATA.standings.length <= 8 ? DATA.standings : [];
  const row = ({ termination, games, lost }) => [
    t("ends")[termination] || termination,
    whole(games),
    `${percent(games / DATA.counted)} %`,
    ...few.map((_, place) => (lost[place] ? whole(lost[place]) : "")),
  ];
  const columns = [t("games_"), "%", ...few.map(player => player.name)];
  return tableCard(t("endingsTitle"), columns, DATA.endings.map(row));
}

function renderOpeningsTable() {
  byId("openings-bar").hidden = true;
  const words = ({ fen, moves }) =>
    [fen, moves.map(spelled).join(" ")].filter(Boolean).join(" · ") || t("startOpening");
  const row = opening => [
    h("span", { class: "words" }, `${opening.number}. ${words(opening)}`),
    whole(opening.games),
    `${percent(opening.draws / opening.games)} %`,
    `${percent(opening.score)} %`,
    h("td", { class: "interval" }, intervalBar({ score: opening.score, low: opening.score, high: opening.score })),
  ];
  const columns = [...["games_", "drawn", "firstScore"].map(t), ""];
  byId("openings").replaceChildren(
    DATA.openings.length ? tableOf(null, columns, DATA.openings.map(row)) : h("p", {}, t("noOpenings")),
  );
}

/** What the player said before a ply. */
function saidOf({ said }) {
  if (!said) return [h("p", {}, t("startingMove"))];
  const words = [];
  if (said.score !== null) words.push(t("saidScore")(said.score));
  if (said.nodes !== null) words.push(t("saidNodes")(whole(said.nodes)));
  if (said.time !== null) words.push(t("saidTime")((said.time / 1000).toFixed(3)));
  return [h("p", {}, words.join(" · ") || t("unsaid"))];
}

/** The first player's expected score as each of the two saw it. */
function opinions(game) {
  const turn = (game.start || DATA.variant.start).turn;
  const of = color =>
    game.plies.flatMap(({ said }, at) =>
      said && said.expected !== null && (at + turn) % 2 === color ? [[at, said.expected / 1000]] : [],
    );
  return [
    { name: t("by")(nameOf(game.first)), color: "var(--s0)", points: of(0) },
    { name: t("by")(nameOf(game.second)), color: "var(--s1)", dash: "4 3", points: of(1) },
  ];
}

const PAGE = {
  render() {
    renderStandings();
    renderDetails();
    renderOpeningsTable();
  },
  group: game => game.players.join("-"),
  groups: () => [...new Set(DATA.games.map(PAGE.group))],
  groupName: group => group.split("-").map(nameOf).join(" – "),
  title: game => [`#${game.game_id}`, t("reason")[game.reason], `${nameOf(game.first)} – ${nameOf(game.second)}`],
  player: (game, color) => nameOf(color ? game.second : game.first),
  search: saidOf,
  lines: opinions,
  // Where the two best met, the longest game.
  first: () => DATA.games.findIndex(game => game.reason === "longest"),
};
