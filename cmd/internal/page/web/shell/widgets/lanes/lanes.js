// Lanes over a common axis with one playhead: lines, and bars for pressed keys. The label
// of a lane is left of it, its value at the playhead right of it.

import { h, svg, replace, styles } from "../../lib/dom.js";

await styles(new URL("./lanes.css", import.meta.url));

// points is the maximum number of points of a lane that are drawn.
const points = 900;

// makeLanes draws lanes:
//   { values, from, to, unit }               the axis
//   [{ label, kind: "line" | "bar", height, series: [{values, colour}], value: (i) => text, zero, look }]
//   marks: [{x, label}], bands: [{from, to, label}], moved: (x) => {}
export function makeLanes({ axis, lanes, marks = [], bands = [], moved, label }) {
  const { from, to } = axis,
    span = Math.max(1e-9, to - from),
    percent = (x) => Math.max(0, Math.min(100, ((x - from) / span) * 100));
  const values = lanes.map(() => h("div", { class: "lane-value" })),
    head = h("div", { class: "lane-head" });
  const step = Math.max(1, Math.floor(axis.values.length / points));
  const rows = lanes.map((lane, n) => [
    h("div", { class: "lane-label" }, lane.label),
    lane.kind === "bar" ? bar(lane) : plot(lane),
    values[n],
  ]);
  const element = h(
    "div",
    { class: "lanes", role: "img", "aria-label": label },
    bands.length > 0 && [
      h("div", {}),
      h(
        "div",
        { class: "lane-bands" },
        bands.map((b) => at(h("span", { class: "number-mark" }, b.label), (b.from + b.to) / 2)),
      ),
      h("div", {}),
    ],
    rows,
    h("div", {}),
    h("div", { class: "lane-axis" }, ticks()),
    h("div", {}),
    h("div", { class: "lane-over" }, head),
  );

  function at(node, x) {
    node.style.left = percent(x) + "%";
    return node;
  }

  function ticks() {
    const wanted = span / 4,
      base = 10 ** Math.floor(Math.log10(wanted)),
      by = [1, 2, 5, 10].map((f) => f * base).find((v) => v >= wanted) || wanted;
    const list = [];
    for (let x = Math.ceil(from / by) * by; x < to - by * 0.35; x += by)
      if (!marks.some((m) => Math.abs(m.x - x) < span * 0.06))
        list.push({ x, label: Number(x.toFixed(3)).toLocaleString("en") + " " + axis.unit });
    const taken = [],
      apart = span * (matchMedia("(max-width: 720px)").matches ? 0.2 : 0.055);
    return [...list, ...marks]
      .filter(({ x }) => !taken.some((t) => Math.abs(t - x) < apart) && taken.push(x))
      .map(({ x, label: text }) =>
        at(h("span", { class: percent(x) < 2 ? "first" : percent(x) > 97 ? "last" : "" }, text), x),
      );
  }

  function plot({ series, height = 60, zero }) {
    let low = zero ? 0 : Infinity,
      high = zero ? 0 : -Infinity;
    for (const s of series)
      for (const v of s.values)
        if (v !== null && v !== undefined) {
          low = Math.min(low, v);
          high = Math.max(high, v);
        }
    if (!(high > low)) high = low + 1;
    const y = (v) => height - 2 - ((v - low) / (high - low)) * (height - 4);
    const path = (list, close) => {
      let d = "",
        open = false,
        last = 0;
      for (let i = 0; i < list.length; i += step) {
        const v = list[i];
        if (v === null || v === undefined) {
          open = false;
          continue;
        }
        const x = percent(axis.values[i]) * 10;
        d +=
          (open ? "L" : close && !d ? `M${x.toFixed(1)} ${y(Math.max(0, low)).toFixed(1)}L` : "M") +
          x.toFixed(1) +
          " " +
          y(v).toFixed(1);
        open = true;
        last = x;
      }
      return close ? d + `L${last.toFixed(1)} ${y(Math.max(0, low)).toFixed(1)}Z` : d;
    };
    const nice = (v) => (Math.abs(v) >= 10 ? Math.round(v) : Number(v.toFixed(2))).toLocaleString("en");
    return h(
      "div",
      { class: "lane-room" },
      svg(
        "svg",
        { class: "lane-plot", viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", height },
        bands.map((b) =>
          svg("rect", {
            class: "lane-band",
            x: percent(b.from) * 10,
            width: Math.max(2, (percent(b.to) - percent(b.from)) * 10),
            y: 0,
            height,
          }),
        ),
        marks.map((m) =>
          svg("line", { class: "lane-mark", x1: percent(m.x) * 10, x2: percent(m.x) * 10, y1: 0, y2: height }),
        ),
        low <= 0 && high >= 0 && svg("line", { class: "lane-zero", x1: 0, x2: 1000, y1: y(0), y2: y(0) }),
        series.map((s) => [
          series.length === 1 && svg("path", { class: "lane-area", d: path(s.values, true), fill: s.colour }),
          svg("path", { class: "lane-line", d: path(s.values, false), stroke: s.colour }),
        ]),
      ),
      height >= 60 && h("span", { class: "lane-scale", style: { top: "8px", left: "2px" } }, nice(high)),
    );
  }

  // bar shows the intervals in which a key is pressed.
  function bar({ series, look }) {
    const spans = [],
      list = series[0].values;
    for (let i = 0; i < list.length; i++) {
      if (!(list[i] > 0.05)) continue;
      let end = i;
      while (end + 1 < list.length && list[end + 1] > 0.05) end++;
      const left = percent(axis.values[i]),
        right = percent(axis.values[Math.min(end + 1, list.length - 1)]);
      spans.push(h("span", { class: look, style: { left: left + "%", width: Math.max(0.2, right - left) + "%" } }));
      i = end;
    }
    return h("div", { class: "lane-bar" }, spans.slice(0, 400));
  }

  function show(x) {
    at(head, x);
    let low = 0,
      high = axis.values.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (axis.values[mid] <= x) low = mid;
      else high = mid - 1;
    }
    lanes.forEach((lane, n) => replace(values[n], lane.value?.(low) ?? ""));
  }

  const place = (event) => {
    const box = element.querySelector(".lane-over").getBoundingClientRect();
    moved?.(from + Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width))) * span);
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    place(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.buttons) place(event);
  });
  return { element, at: show };
}
