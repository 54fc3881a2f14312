// A pakset's vehicles beside each other: a chart of what they do over the years
// in which they can be bought, and a table.

import { h, svg, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeList } from "../../widgets/list/list.js";
import { colours } from "../../lib/colours.js";

await styles(new URL("./vehicles.css", import.meta.url));

export const whole = true;

const measures = [["topspeed", "Speed", "km/h"], ["power", "Power", "kW"], ["price", "Price", "Cr"], ["running_cost", "Running cost", "Cr/km"], ["capacity", "Capacity", ""]];

export async function show(page) {
  page.command("pakbox simutrans vehicles " + page.what.shell_path);
  const { objects: vehicles } = await page.ask("simutrans.vehicles", { path: page.path });
  if (!vehicles.length) {
    replace(page.target, h("p", { class: "note" }, "There are no vehicles here."));
    return;
  }
  const ways = [...new Set(vehicles.map((v) => v.waytype))].sort();
  const colour = (v) => colours[ways.indexOf(v.waytype) % colours.length];
  const room = h("div", { class: "vehicles-chart" });
  const measure = h("select", { "aria-label": "Chart of", onchange: draw }, measures.map(([v, t]) => h("option", { value: v }, t + " over the years")));
  const way = h("select", { "aria-label": "Way", onchange: draw }, h("option", { value: "" }, "All ways"), ways.map((w) => h("option", { value: w }, w)));
  const list = makeList({
    label: "Vehicles",
    columns: [
      { title: "Name", cell: (v) => v.name, sort: (v) => v.name.toLowerCase(), width: "minmax(16ch, 2fr)" },
      { title: "Way", cell: (v) => v.waytype ?? "", sort: (v) => v.waytype, width: "13ch" },
      ...measures.map(([name, title, unit]) => ({ title, cell: (v) => (v[name] ?? "") + (unit && v[name] !== null ? " " + unit : ""), sort: (v) => v[name], number: true, width: "13ch" })),
      { title: "Bought", cell: (v) => `${v.intro ?? ""} – ${v.retire ?? ""}`, sort: (v) => v.intro, width: "18ch" },
    ],
    href: (v) => address.of(v.path),
  });
  function draw() {
    const seen = vehicles.filter((v) => !way.value || v.waytype === way.value);
    list.rows(seen);
    drawChart();
    page.status(count(seen.length, "vehicle"));
  }
  function drawChart() {
    const seen = vehicles.filter((v) => !way.value || v.waytype === way.value);
    replace(room, chart(seen, measures.find(([name]) => name === measure.value), colour, Math.max(320, room.clientWidth - 24)));
  }
  replace(page.target, h("div", { class: "bar over-list" }, measure, way,
    h("span", { class: "vehicles-ways" }, ways.map((w, i) => h("span", {}, h("span", { class: "vehicles-dot", style: { background: colours[i % colours.length] } }), " " + w)))),
  room, h("div", { class: "list-room" }, list.element));
  draw();
  const sized = new ResizeObserver(drawChart); // letters keep their size
  sized.observe(page.target);
  page.signal.addEventListener("abort", () => sized.disconnect());
}

// year is a month such as 1931-07 as a number.
function year(text) {
  const [y, m] = String(text || "").split("-").map(Number);
  return Number.isFinite(y) ? y + ((m || 1) - 1) / 12 : null;
}

// chart draws a bar for each vehicle, from the year it comes to the one it goes.
function chart(vehicles, [name, title, unit], colour, width) {
  const bars = vehicles.map((v) => ({ v, from: year(v.intro), to: year(v.retire), value: v[name] })).filter((b) => b.from !== null && b.value !== null && b.value !== undefined);
  if (!bars.length) return h("p", { class: "note" }, "Nothing to draw.");
  // Three carts of the year 1 must not stretch the axis over two thousand years: the
  // few that come long before the others begin at the left edge.
  const begins = bars.map((b) => b.from).sort((a, b) => a - b), usual = begins[Math.floor(begins.length / 20)];
  const first = usual - begins[0] > 100 ? usual - 10 : begins[0], ends = bars.map((b) => b.to).filter((t) => t && t < 2900);
  const last = Math.max(...bars.map((b) => b.from), ...ends) + 10, most = Math.max(1, ...bars.map((b) => b.value));
  const x = (t) => 60 + (Math.min(Math.max(t, first), last) - first) / Math.max(1, last - first) * (width - 80), y = (v) => 230 - v / most * 210;
  const lines = [0, 0.25, 0.5, 0.75, 1].map((f) => [svg("line", { x1: 60, x2: width - 20, y1: y(f * most), y2: y(f * most), class: "vehicles-line" }), svg("text", { x: 54, y: y(f * most) + 4, "text-anchor": "end" }, String(Math.round(f * most)))]);
  const step = Math.max(10, Math.ceil((last - first) / (width / 10)) * 10);
  const years = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => Math.ceil(first / step) * step + i * step).filter((t) => t <= last)
    .map((t) => svg("text", { x: x(t), y: 250, "text-anchor": "middle" }, String(t)));
  return svg("svg", { viewBox: `0 0 ${width} 260`, role: "img", "aria-label": `${title}${unit ? " in " + unit : ""} of ${bars.length} vehicles over the years` }, lines, years,
    bars.map((b) => svg("line", { x1: x(b.from), x2: x(b.to && b.to < 2900 ? b.to : last), y1: y(b.value), y2: y(b.value), stroke: colour(b.v), "stroke-width": 2.5, "stroke-linecap": "round" }, svg("title", {}, `${b.v.name}: ${b.value} ${unit}`))));
}
