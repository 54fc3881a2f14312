// Runs of one map compared, as by `replay compare`: the time gap of the others at each
// position of the first run, and their gains and losses between checkpoints.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { shell, spans, time } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { colours } from "../../lib/colours.js";
import { makeLanes } from "../../widgets/lanes/lanes.js";
import { makePlayback } from "../../widgets/run/playback.js";
import { sampleAt } from "../../widgets/run/samples.js";
import { makeLines } from "../../widgets/run/lines.js";

await styles(new URL("./compare.css", import.meta.url));

export async function show(page) {
  // Names of files contain no /, so it can separate them.
  const others = (page.query.with || "").split("/").filter(Boolean);
  const folder = page.path.split("/").slice(0, -1).join("/");
  const paths = [page.path, ...others.map((name) => folder + "/" + name)];
  page.command("pakbox replay compare " + [page.what.shell_path, ...paths.slice(1).map(shell)].join(" "));
  const left = h("div", {}, h("h1", { class: "unseen" }, "Runs compared")),
    right = h("div", {});
  replace(page.target, h("div", { class: "with-aside" }, left, right));
  const choice = chooser(page, others, await neighbours(page, folder));
  replace(right, choice);
  let answer;
  try {
    answer = await page.ask("replay.compare", { path: paths[0], with: paths.slice(1) });
  } catch (error) {
    if (page.signal.aborted) throw error;
    replace(
      left,
      h(
        "div",
        { class: "sheet" },
        h("h1", {}, "Choose a run to compare with"),
        h(
          "p",
          { class: "note" },
          paths.length > 1
            ? error.message
            : "There is one run to compare, and it needs two. The runs of this folder stand beside; those of the same map come first.",
        ),
      ),
    );
    return;
  }
  const painted = (await page.ask("spans", { text: answer.runs.map((r) => r.name || "") })).spans;
  const places = placesOf(answer);
  replace(
    right,
    places.length > 0 && placesSheet(answer, places),
    splits(answer),
    same(answer),
    answer.warnings.map((w) => h("p", { class: "sheet warning" }, w)),
    choice,
  );
  await driven(page, left, answer, painted, places);
  page.status(`${answer.runs.length} runs, ${Math.round(answer.length)} m`);
}

// stretch is the length of the ranges in metres; maxPlaces is their maximum number.
const stretch = 60,
  maxPlaces = 5;

// placesOf are the ranges in which the second run lost most time to the first.
function placesOf({ against }) {
  const points = against[0]?.points || [];
  if (points.length < 3) return [];
  const step = Math.max(1e-6, points[1].distance - points[0].distance),
    n = Math.max(1, Math.round(stretch / step)),
    all = [];
  for (let i = 0; i + n < points.length; i++)
    if (points[i].delta !== null && points[i + n].delta !== null)
      all.push({ i, loss: points[i + n].delta - points[i].delta });
  all.sort((a, b) => b.loss - a.loss);
  const chosen = [];
  for (const c of all) {
    if (chosen.length === maxPlaces || c.loss <= 0) break;
    if (chosen.every((o) => Math.abs(o.i - c.i) >= n)) chosen.push(c);
  }
  return chosen.map((c, k) => ({
    label: String(k + 1),
    loss: c.loss,
    from: points[c.i].distance,
    to: points[c.i + n].distance,
    time: points[c.i + Math.floor(n / 2)].time / 1000,
    apart: Math.max(...points.slice(c.i, c.i + n).map((p) => p.apart ?? 0)),
    speeds: [points[c.i + n].other_speed, points[c.i + n].speed],
  }));
}

function placesSheet({ runs }, places) {
  const lost = places.reduce((sum, p) => sum + p.loss, 0),
    end = runs[1]?.time !== null && runs[0].time !== null ? runs[1].time - runs[0].time : null,
    most = places[0].loss;
  const row = (words, by, look) =>
    h("li", {}, h("span", { class: "compare-pad" }), h("span", { class: look }, words), signed(by));
  return h(
    "section",
    { class: "sheet", "aria-label": "Largest losses of time" },
    h(
      "h2",
      {},
      `${places.length === 5 ? "Five places" : places.length === 1 ? "The place" : "Places"} that cost most`,
      h("span", { class: "aside-note" }, "+" + (lost / 1000).toFixed(3)),
    ),
    h(
      "ol",
      { class: "compare-places" },
      places.map((p) =>
        h(
          "li",
          {},
          h("span", { class: "number-mark" }, p.label),
          h(
            "span",
            {},
            `${Math.round(p.from)}–${Math.round(p.to)} m`,
            h(
              "span",
              { class: "note" },
              `${p.apart.toFixed(1)} m apart, ${p.speeds.map((v) => Math.round((v ?? 0) * 3.6)).join(" / ")} km/h`,
            ),
          ),
          h("i", { style: { width: Math.max(3, (40 * p.loss) / most) + "px" } }),
          signed(p.loss),
        ),
      ),
      end !== null && [row("Won back elsewhere", end - lost, "note"), row("At the finish", end, "compare-end")],
    ),
    h(
      "p",
      { class: "note" },
      `Most metres between the lines; speed on leaving, ${runs.length > 2 ? "second" : "this"} run / first run.`,
    ),
  );
}

// same reports whether two runs are the same drive.
function same({ against }) {
  const one = against.find((a) => a.same?.length);
  return (
    against.length > 0 &&
    h(
      "section",
      { class: "sheet" },
      h(
        "h2",
        {},
        h("span", { class: one ? "warning" : "good" }, icon(one ? "warning" : "check", 16)),
        one
          ? " A stretch is the same in two runs"
          : against.length > 1
            ? ` ${against.length + 1} different drives`
            : " Two drives, not one",
      ),
      h(
        "p",
        { class: "note" },
        one
          ? "A part of both lines is equal to the millimetre: one may be a copy."
          : against.length > 1
            ? "No run has a stretch that is the same as in the first, to the millimetre."
            : "No stretch is the same to the millimetre.",
      ),
    )
  );
}

// most is the maximum number of files of a folder that are searched for other runs.
const most = 200;

// neighbours are the other recorded runs of the folder, by content and not by file name:
// {name, title, same}. same marks those of the same map, which come first.
async function neighbours(page, folder) {
  const { children } = await page.ask("children", { path: folder }).catch(() => ({ children: [] }));
  const own = page.path.split("/").at(-1),
    mapOf = (what) => what.facts?.map_uid ?? what.facts?.uid ?? null;
  const files = children
    .filter(
      (c) =>
        c.kind === "file" &&
        c.name !== own &&
        c.size < 64 << 20 &&
        !/\.(png|jpe?g|txt|zip|pak|sqlite|bak)$/i.test(c.name),
    )
    .slice(0, most);
  const found = [];
  await Promise.all(
    [0, 1, 2].map(async () => {
      // three at a time
      for (let file = files.shift(); file; file = files.shift()) {
        const what = await page.ask("what", { path: folder + "/" + file.name }).catch(() => null);
        if (!what?.tabs?.some((t) => t.screen === "compare")) continue;
        const nick = what.card?.find((l) => l.name === "nick"),
          driven = what.facts?.time;
        found.push({
          name: file.name,
          title: [
            nick && [nick.spans ? spans(nick.spans) : nick.text, " · "],
            driven > 0 && time(driven) + " · ",
            file.name,
          ],
          same: mapOf(what) === mapOf(page.what),
        });
      }
    }),
  );
  return found.sort((a, b) => Number(b.same) - Number(a.same) || a.name.localeCompare(b.name));
}

let open = ""; // the file whose list of runs the user has opened, which stays open

function chooser(page, others, runs) {
  const names = runs.map((r) => r.name);
  if (!names.length) return h("p", { class: "sheet note" }, "No other runs in this folder.");
  return h(
    "section",
    { class: "sheet", "aria-label": "Runs of this folder" },
    h(
      "details",
      {
        open: !others.length || open === page.path,
        ontoggle: (event) => {
          open = event.target.open ? page.path : "";
        },
      },
      h("summary", {}, "Compare with"),
      h(
        "div",
        { class: "compare-choice", role: "group", "aria-label": "Compare with", tabindex: "0" },
        runs.map(({ name, title: words, same: fits }) => {
          const box = h("input", {
            type: "checkbox",
            checked: others.includes(name),
            onchange: () => {
              address.change({ with: names.filter((n) => (n === name ? box.checked : others.includes(n))).join("/") });
            },
          });
          return h("label", {}, box, h("span", {}, words, !fits && h("span", { class: "note" }, " another map")));
        }),
      ),
    ),
  );
}

const colourOf = (n) => colours[[1, 0, 2, 3, 4, 5, 6, 7, 8, 9][n % colours.length]];
const dot = (n) => h("span", { class: "replay-dot", style: { background: colourOf(n) } });
const title = (run) => run.name || run.path.split("/").at(-1);

// signed is a difference in milliseconds; less is better.
function signed(ms) {
  if (ms === null || ms === undefined) return null;
  const sign = ms > 0 ? "+" : ms < 0 ? "−" : "±";
  return h("span", { class: ms <= 0 ? "good" : "bad" }, sign + (Math.abs(ms) / 1000).toFixed(3));
}

// table lists the drivers and their gaps at the finish.
function table({ runs }, painted) {
  const first = runs[0].time,
    behind = runs[1]?.time !== null && first !== null ? runs[1].time - first : null;
  return h(
    "div",
    { class: "sheet compare-runs" },
    runs.map((r, n) =>
      h(
        "div",
        { class: "map-number" },
        h(
          "div",
          { class: "compare-label" },
          dot(n),
          n === 0 ? "This run" : runs.length > 2 ? "Run " + n : "Compared run",
        ),
        h(
          "div",
          { class: "compare-time" },
          h("b", {}, time(r.time)),
          painted?.[n]?.length ? spans(painted[n]) : title(r),
        ),
      ),
    ),
    runs.length === 2 &&
      behind !== null &&
      h(
        "div",
        { class: "map-number" },
        h("div", { class: "compare-label" }, "At the finish"),
        h("div", { class: "compare-time" }, h("b", {}, signed(behind))),
      ),
  );
}

// splits are the times at checkpoints; below each, the gain or loss since
// the previous one.
function splits({ runs, against }) {
  const rows = Math.max(0, ...against.map((a) => a.splits.length));
  if (!rows) return null;
  const longest = against.find((a) => a.splits.length === rows).splits;
  return h(
    "section",
    { class: "sheet", "aria-label": "Splits" },
    h("h2", {}, "Splits"),
    h(
      "div",
      { class: "compare-splits", tabindex: "0", role: "region", "aria-label": "Gains and losses" },
      h(
        "table",
        { class: "splits" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Place", "This run"].map((t) => h("th", { scope: "col" }, t)),
            runs
              .slice(1)
              .map((_, n) => h("th", { scope: "col" }, dot(n + 1), runs.length > 2 ? " Run " + (n + 1) : " Behind")),
          ),
        ),
        h(
          "tbody",
          {},
          longest.map((s, k) =>
            h(
              "tr",
              {},
              h("td", {}, s.finish ? "Finish" : (runs.length > 2 ? "CP " : "Checkpoint ") + s.number),
              h("td", {}, time(s.time)),
              against.map((a) => {
                const split = a.splits[k];
                return h(
                  "td",
                  {},
                  split && [
                    signed(split.delta),
                    split.gain !== 0 &&
                      runs.length === 2 &&
                      h(
                        "div",
                        { class: "note" },
                        `${split.gain > 0 ? "lost" : "won"} ${(Math.abs(split.gain) / 1000).toFixed(3)}`,
                      ),
                  ],
                );
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

// driven shows the lines, and the differences along the track; a position in one view is
// shown in the other.
async function driven(page, target, answer, painted, places) {
  const tracks = (
    await Promise.all(answer.runs.map((r) => page.ask("replay.telemetry", { path: r.path, ghost: String(r.ghost) })))
  ).map((t, n) => ({ ...t.lines[0], ghost: n, colour: colourOf(n) }));
  const lines = await makeLines(
    page,
    tracks,
    "",
    places.map((p) => ({ text: p.label, time: p.time })),
  );
  const longest = answer.against.reduce((x, y) => (y.points.length > x.points.length ? y : x)).points;
  const axis = longest.map((p) => p.distance),
    end = Math.max(...tracks.map((t) => t.time_s.at(-1)));
  const over = (points, value) =>
    axis.map((_, i) => {
      const v = points[i] && value(points[i]);
      return v === undefined ? null : v;
    });
  const scaled = (name, by) => (p) => (p[name] === null ? null : p[name] * by);
  const series = (name, by = 1) =>
    answer.against.map((a, n) => ({ values: over(a.points, scaled(name, by)), colour: colourOf(n + 1) }));
  const behind = series("delta", 0.001),
    apart = series("apart");
  const lanes = makeLanes({
    axis: { values: axis, from: 0, to: axis.at(-1), unit: "m" },
    bands: places,
    label: "Time gap, speed and lateral distance along the track",
    moved: (x) => toPlace(x),
    lanes: [
      {
        label: "Time gap, s",
        height: 120,
        zero: true,
        series: behind,
        value: (i) => signed(Math.round((behind[0].values[i] ?? 0) * 1000)),
      },
      {
        label: "Speed, km/h",
        height: 80,
        series: [{ values: over(longest, scaled("speed", 3.6)), colour: colourOf(0) }, ...series("other_speed", 3.6)],
        value: (i) => Math.round((longest[i]?.speed ?? 0) * 3.6),
      },
      {
        label: "Distance, m",
        height: 44,
        zero: true,
        series: apart,
        value: (i) => (apart[0].values[i] ?? 0).toFixed(1),
      },
    ],
  });
  const way = longest.map((p) => p.time / 1000);
  const playback = makePlayback({
    end,
    signal: page.signal,
    memory: page.memory,
    what: answer.runs.length > 2 ? "Play all" : "Play both",
    moved: (t) => {
      lines.at(t);
      lanes.at(axis[sampleAt(way, t)]);
    },
  });
  // toPlace shows every run at the same position of the track, whereas playback shows them at
  // the same time.
  function toPlace(x) {
    const i = sampleAt(axis, x);
    lanes.at(axis[i]);
    lines.at(
      answer.runs.map((_, n) => {
        const p = n === 0 ? longest[i] : (answer.against[n - 1].points[i] ?? answer.against[n - 1].points.at(-1));
        return (n === 0 ? p.time : (p.other_time ?? p.time)) / 1000;
      }),
    );
  }
  page.signal.addEventListener("abort", () => {
    playback.destroy();
    lines.destroy();
  });
  replace(
    target,
    h("h1", { class: "unseen" }, "Runs compared"),
    table(answer, painted),
    lines.element,
    h("div", { class: "sheet replay-lanes" }, playback.element, lanes.element),
  );
  requestAnimationFrame(() => toPlace(0));
}
