// Runs of one map against each other, as `replay compare` tells: how much later
// or earlier the others came to each place of the first, and what they won and
// lost from checkpoint to checkpoint.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { shell, time } from "../../lib/format.js";
import { makeCharts, colours } from "../../widgets/chart/chart.js";
import { makeLines } from "../replay/lines.js";

await Promise.all(["./compare.css", "../replay/replay.css"].map((name) => styles(new URL(name, import.meta.url))));

export async function show(page) {
  // Names of files hold no /, so that it can stand between them.
  const others = (page.query.with || "").split("/").filter(Boolean);
  const folder = page.path.split("/").slice(0, -1).join("/");
  const paths = [page.path, ...others.map((name) => folder + "/" + name)];
  page.command("pakbox replay compare " + [page.what.shell_path, ...paths.slice(1).map(shell)].join(" "));
  const left = h("div", {}), right = h("div", {});
  replace(page.target, h("div", { class: "split" }, left, right));
  const choice = chooser(page, others, await neighbours(page, folder));
  replace(left, choice);
  let answer;
  try {
    answer = await page.ask("replay.compare", { path: paths[0], with: paths.slice(1) });
  } catch (error) {
    if (page.signal.aborted) throw error;
    replace(right, h("p", { class: "note" }, error.message));
    return;
  }
  replace(left, choice, table(answer), answer.warnings.map((w) => h("p", { class: "warning" }, w)), splits(answer));
  await driven(page, right, answer);
  page.status(`${answer.runs.length} runs, ${Math.round(answer.length)} m`);
}

// most is how many files of a folder are looked at for other runs.
const most = 200;

// neighbours are the other recorded runs of the folder, by what the files hold and
// not by what they are called: {name, title, same}, with same for those of the same
// map, which come first.
async function neighbours(page, folder) {
  const { children } = await page.ask("children", { path: folder }).catch(() => ({ children: [] }));
  const own = page.path.split("/").at(-1), mapOf = (what) => what.facts?.map_uid ?? what.facts?.uid ?? null;
  const files = children.filter((c) => c.kind === "file" && c.name !== own && c.size < 64 << 20 && !/\.(png|jpe?g|txt|zip|pak|sqlite|bak)$/i.test(c.name)).slice(0, most);
  const found = [];
  await Promise.all([0, 1, 2].map(async () => { // three at a time
    for (let file = files.shift(); file; file = files.shift()) {
      const what = await page.ask("what", { path: folder + "/" + file.name }).catch(() => null);
      if (!what?.tabs?.some((t) => t.screen === "compare")) continue;
      const said = [what.facts?.nick, what.facts?.time && time(what.facts.time)].filter((t) => typeof t === "string");
      found.push({ name: file.name, title: [...said, file.name].join(" · "), same: mapOf(what) === mapOf(page.what) });
    }
  }));
  return found.sort((a, b) => Number(b.same) - Number(a.same) || a.name.localeCompare(b.name));
}

function chooser(page, others, runs) {
  const names = runs.map((r) => r.name);
  if (!names.length) return h("p", { class: "note" }, "There are no other runs in this folder.");
  return h("details", { open: true }, h("summary", {}, "Compare with"), h("div", { class: "compare-choice", role: "group", "aria-label": "Compare with", tabindex: "0" }, runs.map(({ name, title: words, same }) => {
    const box = h("input", { type: "checkbox", checked: others.includes(name), onchange: () => {
      address.change({ with: names.filter((n) => (n === name ? box.checked : others.includes(n))).join("/") });
    } });
    return h("label", {}, box, words, !same && h("span", { class: "note" }, "another map"));
  })));
}

const dot = (n) => h("span", { class: "replay-dot", style: { background: colours[n % colours.length] } });
const title = (run) => run.name || run.path.split("/").at(-1);

// signed is a difference in milliseconds; less is better.
function signed(ms) {
  if (ms === null || ms === undefined) return null;
  const sign = ms > 0 ? "+" : ms < 0 ? "−" : "±";
  return h("span", { class: ms <= 0 ? "good" : "bad" }, sign + (Math.abs(ms) / 1000).toFixed(3));
}

function table({ runs }) {
  return h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, ["", "Time", "", "Driver", "File"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, runs.map((r, n) => h("tr", {}, h("td", {}, dot(n), " ", n), h("td", { class: "number" }, time(r.time)),
      h("td", { class: "number" }, n > 0 && r.time !== null && runs[0].time !== null && signed(r.time - runs[0].time)), h("td", {}, title(r)), h("td", {}, r.path.split("/").at(-1))))));
}

// splits are the times at checkpoints; below each, what was won or lost since
// the one before.
function splits({ runs, against }) {
  const rows = Math.max(0, ...against.map((a) => a.splits.length));
  if (!rows) return null;
  const longest = against.find((a) => a.splits.length === rows).splits;
  return h("section", {}, h("h2", {}, "Gains and losses"), h("div", { class: "compare-splits", tabindex: "0", role: "region", "aria-label": "Gains and losses" }, h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, ["At", "Distance", "0"].map((t) => h("th", { scope: "col" }, t)), runs.slice(1).map((_, n) => h("th", { scope: "col", class: "number" }, dot(n + 1), " ", n + 1)))),
    h("tbody", {}, longest.map((s, k) => h("tr", {},
      h("th", { scope: "row" }, s.finish ? "finish" : s.number), h("td", { class: "number" }, Math.round(s.distance) + " m"), h("td", { class: "number" }, time(s.time)),
      against.map((a) => {
        const split = a.splits[k];
        return h("td", { class: "number" }, split && [signed(split.delta), split.gain !== 0 && h("div", { class: "note" }, `${split.gain > 0 ? "lost" : "won"} ${(Math.abs(split.gain) / 1000).toFixed(3)}`)]);
      })))))));
}

// driven shows the lines, and over the way what differs; a place on the one is
// shown on the other.
async function driven(page, target, answer) {
  const tracks = (await Promise.all(answer.runs.map((r) => page.ask("replay.telemetry", { path: r.path, ghost: String(r.ghost) }))))
    .map((t, n) => ({ ...t.lines[0], ghost: n, colour: colours[n % colours.length] }));
  const lines = await makeLines(page, tracks, "");
  const longest = answer.against.reduce((x, y) => (y.points.length > x.points.length ? y : x)).points;
  const axis = longest.map((p) => p.distance);
  const over = (points, value) => axis.map((_, i) => { const v = points[i] && value(points[i]); return v === undefined ? null : v; });
  const scaled = (name, by) => (p) => (p[name] === null ? null : p[name] * by);
  const series = (name, by = 1) => answer.against.map((a, n) => ({ name: title(answer.runs[n + 1]), values: over(a.points, scaled(name, by)), colour: colours[(n + 1) % colours.length] }));
  const rows = [
    { title: "Behind the first", unit: "s", height: 180, series: series("delta", 0.001) },
    { title: "Speed", unit: "km/h", height: 150, series: [{ name: title(answer.runs[0]), values: over(longest, scaled("speed", 3.6)), colour: colours[0] }, ...series("other_speed", 3.6)] },
    { title: "Apart", unit: "m", height: 90, series: series("apart") },
  ];
  const slider = h("input", { type: "range", min: 0, max: Math.max(1, axis.length - 1), step: 1, value: 0, class: "grow", "aria-label": "Place on the way" });
  const place = h("output", { class: "compare-place" });
  const charts = makeCharts({ axis: { title: "distance", values: axis }, rows, moved: (x) => at(nearest(x), false) });
  const nearest = (x) => { let i = 0; while (i < axis.length - 1 && axis[i] < x) i++; return i; };
  function at(i, fromSlider = true) {
    slider.value = i;
    place.textContent = Math.round(axis[i]) + " m";
    lines.at(answer.runs.map((_, n) => {
      const p = n === 0 ? longest[i] : answer.against[n - 1].points[i] ?? answer.against[n - 1].points.at(-1);
      return (n === 0 ? p.time : p.other_time ?? p.time) / 1000;
    }));
    if (fromSlider) charts.at(axis[i]);
  }
  slider.addEventListener("input", () => at(Number(slider.value)));
  page.signal.addEventListener("abort", () => { charts.destroy(); lines.destroy(); });
  replace(target, lines.element, h("div", { class: "bar" }, slider, place), charts.element);
  requestAnimationFrame(() => at(0));
}
