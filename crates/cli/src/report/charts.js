// Elements and charts. A chart is drawn in real pixels for the width it has, again when that changes.

const SVG_NS = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
}
/** An HTML element; text children are text, never markup. */
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
/** An SVG element. */
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG_NS, tag), attributes, children);

/** `1,234`, `0.0123`: as many digits as say something. */
function figure(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** Round numbers on a logarithmic scale; evenly spaced ones where it is short. */
function decades(low, high) {
  const list = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const factor of high / low > 300 ? [1] : [1, 2, 5])
      list.push(Number((factor * 10 ** power).toPrecision(3)));
  }
  const inside = list.filter(tick => tick >= low && tick <= high);
  return inside.length > 1 ? inside : ticks(low, high, 3);
}

/** About `count` round numbers from `low` to `high`. */
function ticks(low, high, count, whole) {
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  let step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= raw * 0.999) || raw;
  if (whole) step = Math.max(1, Math.round(step));
  const list = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++)
    list.push(Number((at * step).toPrecision(12)));
  return list;
}

/**
 * A chart in a figure of its own.
 * `chart`: {title, x, y, whole, zero, log, stacked, series}, a series {name, points, band, errors, hidden}
 * with points [x, y, low?, high?].
 * `band` draws low to high as an area, `errors` as bars; `stacked` adds the series up in columns;
 * `whole`: x is a whole number; `zero`: y begins at 0; `log`: y is logarithmic.
 */
function chartCard(chart, noData) {
  const card = h("figure", { class: "card" }, h("h3", {}, chart.title));
  chart.series.forEach((series, index) => {
    series.color = `var(--s${index % 8})`;
  });
  chart.series = chart.series.filter(series => series.points.length);
  if (!chart.series.length) return fill(card, {}, [h("p", { class: "none" }, noData)]);
  const host = h("div");
  const tip = h("div", { class: "tip", hidden: true, role: "status" });
  const legend = h("div", { class: "legend" });
  const state = { at: null };
  const draw = () => drawChart(host, tip, chart, state);
  for (const series of chart.series) {
    const button = h(
      "button",
      { type: "button", "aria-pressed": String(!series.hidden) },
      h("i", { style: `background:${series.color}` }),
      series.name,
    );
    button.addEventListener("click", () => {
      series.hidden = !series.hidden;
      button.setAttribute("aria-pressed", String(!series.hidden));
      draw();
    });
    legend.append(button);
  }
  fill(card, {}, [chart.series.length > 1 || chart.series[0].errors ? legend : null, host, tip]);
  new ResizeObserver(draw).observe(host);
  return card;
}

function domainOf(chart, visible) {
  const xs = visible.flatMap(series => series.points.map(point => point[0]));
  let ys = visible.flatMap(series => series.points.flatMap(point => point.slice(1).filter(Number.isFinite)));
  if (chart.stacked) ys = [0, 100];
  if (chart.zero) ys.push(0);
  const inside = list =>
    list.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  let [x0, x1] = inside(xs),
    [y0, y1] = inside(ys);
  if (chart.stacked || x0 === x1) [x0, x1] = [x0 - 0.5, x1 + 0.5];
  if (chart.log) return { x0, x1, y0: Math.max(y0, 1e-9) / 1.5, y1: y1 * 1.5 };
  if (y0 === y1) [y0, y1] = [y0 - 1, y1 + 1];
  const room = chart.stacked ? 0 : (y1 - y0) * 0.06;
  if (!chart.zero || y0 < 0) y0 -= room;
  return { x0, x1, y0, y1: y1 + room };
}

function drawChart(host, tip, chart, state) {
  const width = host.clientWidth;
  if (!width) return;
  const height = width < 480 ? 210 : 240;
  const visible = chart.series.filter(series => !series.hidden);
  const shown = visible.length ? visible : chart.series;
  const { x0, x1, y0, y1 } = domainOf(chart, shown);
  const yTicks = chart.log ? decades(y0, y1) : ticks(y0, y1, 5);
  const left = 14 + 7.2 * Math.max(...yTicks.map(tick => figure(tick).length)) + 14,
    right = width - 20,
    top = 8,
    bottom = height - 38;
  const X = x => left + ((x - x0) / (x1 - x0)) * (right - left);
  const scale = chart.log ? Math.log : y => y;
  const Y = y => bottom - ((scale(y) - scale(y0)) / (scale(y1) - scale(y0))) * (bottom - top);
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    height,
    tabindex: 0,
    role: "img",
    "aria-label": describe(chart, visible),
  });
  for (const tick of yTicks) {
    svg.append(
      s("line", { x1: left, x2: right, y1: Y(tick), y2: Y(tick), stroke: "var(--grid)" }),
      s("text", { class: "axis", x: left - 6, y: Y(tick) + 4, "text-anchor": "end" }, figure(tick)),
    );
  }
  for (const tick of ticks(x0, x1, Math.max(2, width / 90), chart.whole)) {
    svg.append(
      s("line", { x1: X(tick), x2: X(tick), y1: bottom, y2: bottom + 4, stroke: "var(--quiet)" }),
      s("text", { class: "axis", x: X(tick), y: bottom + 17, "text-anchor": "middle" }, figure(tick)),
    );
  }
  svg.append(
    s("line", { x1: left, x2: right, y1: bottom, y2: bottom, stroke: "var(--quiet)" }),
    s("text", { class: "axis", x: (left + right) / 2, y: height - 5, "text-anchor": "middle" }, chart.x),
    s(
      "text",
      {
        class: "axis",
        transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)`,
        "text-anchor": "middle",
      },
      chart.y,
    ),
  );
  if (chart.stacked) drawColumns(svg, visible, X, Y);
  else visible.forEach(series => drawSeries(svg, series, X, Y));
  const cursor = s("line", {
    y1: top,
    y2: bottom,
    stroke: "var(--quiet)",
    "stroke-dasharray": "3 3",
    visibility: "hidden",
  });
  svg.append(cursor);
  host.replaceChildren(svg);
  followPointer(svg, cursor, tip, host, visible, chart, state, X);
}

function drawSeries(svg, series, X, Y) {
  const { points, color } = series;
  if (series.band) {
    const edge = [...points.map(p => [X(p[0]), Y(p[2])]), ...points.map(p => [X(p[0]), Y(p[3])]).reverse()];
    svg.append(s("polygon", { points: edge.join(" "), fill: color, opacity: 0.2 }));
  }
  if (series.errors) {
    for (const [x, , low, high] of points) {
      const at = X(x),
        cap = 4;
      svg.append(
        s("path", {
          d: `M${at} ${Y(low)}V${Y(high)}M${at - cap} ${Y(low)}h${2 * cap}M${at - cap} ${Y(high)}h${2 * cap}`,
          stroke: color,
          opacity: 0.7,
          fill: "none",
        }),
      );
    }
  }
  svg.append(
    s("polyline", {
      points: points.map(p => [X(p[0]), Y(p[1])]).join(" "),
      fill: "none",
      stroke: color,
      "stroke-width": 2,
      "stroke-linejoin": "round",
    }),
  );
  if (points.length <= 40)
    for (const [x, y] of points) svg.append(s("circle", { cx: X(x), cy: Y(y), r: 3, fill: color }));
}

function drawColumns(svg, visible, X, Y) {
  const sums = new Map();
  const xs = [...new Set(visible.flatMap(series => series.points.map(point => point[0])))].sort(
    (a, b) => a - b,
  );
  const gap = xs.slice(1).reduce((least, x, at) => Math.min(least, x - xs[at]), Infinity);
  const half = Math.min(40, (X(Number.isFinite(gap) ? gap : 1) - X(0)) * 0.44);
  for (const series of visible) {
    for (const [x, y] of series.points) {
      const from = sums.get(x) || 0;
      sums.set(x, from + y);
      svg.append(
        s("rect", {
          x: X(x) - half,
          width: 2 * half,
          y: Y(from + y),
          height: Math.max(0, Y(from) - Y(from + y)),
          fill: series.color,
        }),
      );
    }
  }
}

/** A vertical line with the figures at the nearest x, for pointer and arrow keys. */
function followPointer(svg, cursor, tip, host, visible, chart, state, X) {
  const xs = [...new Set(visible.flatMap(series => series.points.map(point => point[0])))].sort(
    (a, b) => a - b,
  );
  const hide = () => {
    tip.hidden = true;
    cursor.setAttribute("visibility", "hidden");
  };
  const show = index => {
    state.at = Math.max(0, Math.min(xs.length - 1, index));
    const x = xs[state.at];
    const lines = visible.map(series => {
      const point = series.points.find(point => point[0] === x);
      if (!point) return null;
      const range = Number.isFinite(point[2]) ? ` [${figure(point[2])}, ${figure(point[3])}]` : "";
      return h("div", {}, `${series.name}: ${figure(point[1])}${range}`);
    });
    tip.replaceChildren(h("div", {}, `${chart.x} ${figure(x)}`), ...lines.filter(Boolean));
    tip.hidden = false;
    fill(cursor, { x1: X(x), x2: X(x), visibility: "visible" }, []);
    const left = host.offsetLeft + X(x) + 10;
    const leaves = left + tip.offsetWidth > host.offsetLeft + host.clientWidth;
    tip.style.left = `${Math.max(4, leaves ? left - tip.offsetWidth - 20 : left)}px`;
    tip.style.top = `${host.offsetTop + 10}px`;
  };
  svg.addEventListener("pointermove", event => {
    const at = event.clientX - svg.getBoundingClientRect().left;
    show(xs.reduce((best, x, index) => (Math.abs(X(x) - at) < Math.abs(X(xs[best]) - at) ? index : best), 0));
  });
  svg.addEventListener("pointerleave", hide);
  svg.addEventListener("blur", hide);
  svg.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    show(state.at === null ? (step > 0 ? 0 : xs.length - 1) : state.at + step);
  });
}

/** The chart in words: the last figure of each series. */
function describe(chart, visible) {
  const last = series => series.points[series.points.length - 1];
  return (
    `${chart.title}, ${chart.y}. ` +
    visible.map(series => `${series.name}: ${figure(last(series)[1])}`).join("; ")
  );
}
