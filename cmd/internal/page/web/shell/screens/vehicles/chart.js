// The chart of a property over the years.

import { h, svg } from "../../lib/dom.js";
import { number } from "./kinds.js";
import { year } from "./years.js";

// chart draws a dot for each object at the year of its introduction.
export function chart(all, seen, [name, title, unit], [first, last], at, choose, width) {
  const drawn = all.filter((o) => o.from !== null && o[name] !== null && o[name] !== undefined);
  const on = new Set(seen),
    list = seen
      .filter((o) => o[name] > 0)
      .map((o) => o[name])
      .sort((a, b) => a - b);
  const most = Math.max(1, list.at(-1) ?? 1),
    height = 200,
    x = (t) => 44 + ((Math.min(Math.max(t, first), last) - first) / Math.max(1, last - first)) * (width - 60),
    y = (v) => height - 24 - Math.min(1, v / most) * (height - 44);
  const by = [1, 2, 5, 10].map((f) => f * 10 ** Math.floor(Math.log10(most / 3))).find((v) => v >= most / 4) || 1;
  const lines = Array.from({ length: Math.floor(most / by) + 1 }, (_, i) => i * by).map((v) => [
    svg("line", { x1: 44, x2: width - 16, y1: y(v), y2: y(v), class: "depot-line" }),
    svg("text", { x: 36, y: y(v) + 4, "text-anchor": "end" }, v.toLocaleString("en")),
  ]);
  const step = [10, 20, 50, 100, 200, 500].find((s) => (last - first) / s < width / 70) || 1000;
  const years = Array.from(
    { length: Math.floor((last - first) / step) + 1 },
    (_, i) => Math.ceil(first / step) * step + i * step,
  )
    .filter((t) => t <= last)
    .map((t) => svg("text", { x: x(t), y: height - 6, "text-anchor": "middle" }, String(t)));
  const dots = drawn
    .filter((o) => !on.has(o))
    .concat(drawn.filter((o) => on.has(o)))
    .map((o) =>
      svg(
        "circle",
        {
          cx: x(o.from),
          cy: y(o[name]),
          r: o === at ? 6 : 3.5,
          class: "depot-dot" + (on.has(o) ? " on" : ""),
          onclick: on.has(o) ? () => choose(o) : null,
        },
        svg(
          "title",
          {},
          `${o.name}: ${number(o[name], unit)}, ${Math.floor(o.from)}–${o.to && o.to < 2900 ? Math.floor(o.to) : ""}`,
        ),
      ),
    );
  const end = at && Math.min(last, at.to && at.to < 2900 ? at.to : last);
  return [
    h(
      "div",
      { class: "depot-head" },
      h("h2", {}, `${title} by year of sale`),
      h("span", { class: "depot-legend" }, h("i", {}), "in the list", h("i", { class: "other" }), "everything else"),
    ),
    svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `${title}${unit ? " in " + unit : ""} of ${drawn.length} objects over the years`,
      },
      lines,
      years,
      at &&
        at.from !== null && [
          svg("line", { class: "depot-span", x1: x(at.from), x2: x(end), y1: y(at[name]), y2: y(at[name]) }),
          svg(
            "text",
            {
              class: "depot-name",
              x: x(at.from) - 6,
              y: y(at[name]) - 10,
              "text-anchor": x(at.from) > width / 2 ? "end" : "start",
            },
            `${at.name}, ${number(at[name], unit)}, ${Math.floor(at.from)}–${at.to && at.to < 2900 ? Math.floor(at.to) : ""}`,
          ),
        ],
      dots,
    ),
  ];
}
