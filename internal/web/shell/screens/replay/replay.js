// A replay or ghost: who drove, the line over the map, charts that move with it,
// splits, inputs, and the verdicts of `replay check`.

import { h, replace, styles } from "../../lib/dom.js";
import { saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { time, count, spans } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeCharts, colours } from "../../widgets/chart/chart.js";
import { makeLines } from "./lines.js";

await styles(new URL("./replay.css", import.meta.url));

export async function show(page) {
  const { path } = page;
  page.command("pakbox replay info " + page.what.shell_path);
  const [info, { parquet }] = await Promise.all([page.ask("replay.info", { path }), page.ask("home")]);
  if (info.ghosts.length) info.nick_spans = (await page.ask("spans", { text: info.ghosts.map((g) => g.nick) })).spans;
  const chosen = (page.query.ghosts || "0").split(",").map(Number).filter((i) => info.ghosts[i]);
  const verdicts = h("div", {}), inputs = h("div", {}), middle = h("div", { class: "replay-middle" });
  replace(page.target, heading(page.what, info),
    h("div", { class: "split picture-first" },
      h("div", {}, h("section", { class: "sheet", "aria-label": "About the file" }, makeCard(page.what.card, { without: ["time", "race_time", "nick", "map_name"] })),
        h("h2", {}, info.ghosts.length > 1 ? "Runs" : "Run"), runs(page, info, chosen),
        chosen.length > 0 && splits(info.ghosts, chosen),
        h("h2", {}, "Is it genuine?"), verdicts,
        h("h2", {}, "Inputs"), inputs,
        h("p", {}, "Save: ", ["csv", "npy", parquet && "parquet"].filter(Boolean).map((kind) => [saveLink("telemetry as " + kind, "replay.telemetry.file", { path, ghost: chosen[0] ?? 0, kind }, "telemetry." + kind), " "]))),
      middle));
  await Promise.all([
    part(page, verdicts, async () => verdictsOf(await page.ask("replay.check", { path }))),
    part(page, inputs, async () => inputsOf(await page.ask("replay.inputs", { path }), chosen[0] ?? 0)),
    part(page, middle, async () => driven(page, info, chosen)),
  ]);
}

// heading is who drove, how fast, and where.
function heading({ facts, card, title }, info) {
  const line = (name) => card.find((l) => l.name === name);
  const painted = (name) => { const l = line(name); return l && (l.spans ? spans(l.spans) : l.text); };
  const driven = facts.time ?? facts.race_time ?? info.ghosts[0]?.race_time;
  return h("header", { class: "replay-head" },
    driven !== null && driven !== undefined && h("p", { class: "replay-time" }, time(driven)),
    h("div", {}, h("h1", {}, painted("nick") || facts.login || info.ghosts[0]?.login || title),
      h("p", { class: "note" }, painted("map_name") && ["on ", painted("map_name"), " "], [facts.collection_name ?? facts.collection, facts.game].filter(Boolean).join(" · "))));
}

async function part(page, target, make) {
  try {
    replace(target, await make());
  } catch (error) {
    if (!page.signal.aborted) replace(target, h("p", { class: "note" }, error.message));
  }
}

function runs(page, info, chosen) {
  return h("div", { class: "replay-runs" }, h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, ["", "Time", "Driver", "Respawns", "Recorded"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, info.ghosts.map((g, i) => h("tr", {},
      h("td", {}, h("input", { type: "checkbox", checked: chosen.includes(i), "aria-label": "Show run " + i, onchange: (event) => {
        const set = new Set(chosen);
        if (event.target.checked) set.add(i); else set.delete(i);
        address.change({ ghosts: [...set].sort((x, y) => x - y).join(",") || "0" });
      } }), h("span", { class: "replay-dot", style: { background: colours[chosen.indexOf(i)] || "transparent" } })),
      h("td", { class: "number" }, time(g.race_time)),
      h("td", {}, info.nick_spans?.[i] ? spans(info.nick_spans[i]) : g.nick || g.login),
      h("td", { class: "number" }, g.respawns ?? ""),
      h("td", {}, count(g.sample_count, "sample") + ", " + count(g.input_count, "input")))))));
}

// splits are the times at checkpoints, with the difference to the first run.
function splits(ghosts, chosen) {
  const most = Math.max(0, ...chosen.map((i) => ghosts[i].checkpoints.length));
  if (!most) return null;
  const first = ghosts[chosen[0]].checkpoints;
  return h("details", { open: most <= 12 }, h("summary", {}, "Splits"), h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "#"), chosen.map((i) => h("th", { scope: "col", class: "number" }, "run " + i)))),
    h("tbody", {}, Array.from({ length: most }, (_, k) => h("tr", {}, h("td", {}, k + 1), chosen.map((i, n) => {
      const t = ghosts[i].checkpoints[k];
      const by = n > 0 && t !== null && t !== undefined && first[k] !== null && first[k] !== undefined ? t - first[k] : null;
      return h("td", { class: "number" }, time(t), by !== null && h("span", { class: by <= 0 ? "good" : "bad" }, ` ${by > 0 ? "+" : "−"}${(Math.abs(by) / 1000).toFixed(3)}`));
    }))))));
}

function verdictsOf(answer) {
  const all = (answer.verdicts ?? []).concat(answer.ghosts.flatMap((g) => g.verdicts.map((v) => ({ ...v, ghost: g.ghost }))));
  const bad = all.filter((v) => v.state !== "ok");
  return h("div", {}, h("p", { class: answer.suspect ? "bad" : "good" }, answer.suspect ? "Something does not fit together." : "Everything that can be compared agrees."),
    h("details", { open: answer.suspect }, h("summary", {}, `${all.length - bad.length} of ${all.length} questions answered well`),
      h("ul", { class: "replay-verdicts" }, all.map((v) => h("li", {}, h("span", { class: v.state === "ok" ? "good" : v.state === "suspect" ? "bad" : "warning" }, v.state), " ", h("strong", {}, v.question), ": ", v.detail)))));
}

function inputsOf(answer, ghost) {
  const list = answer.ghosts.find((g) => g.ghost === ghost)?.inputs || [];
  if (!list.length) return h("p", { class: "note" }, "None are stored.");
  return h("details", {}, h("summary", {}, count(list.length, "input")), h("div", { class: "replay-inputs", tabindex: "0", role: "region", "aria-label": "Inputs" },
    h("table", { class: "plain" }, h("tbody", {}, list.slice(0, 2000).map((i) => h("tr", {}, h("td", { class: "number" }, time(i.time)), h("td", {}, i.name), h("td", { class: "number" }, i.value)))))));
}

// driven shows the lines of the chosen runs, with what happens at each moment.
async function driven(page, info, chosen) {
  const tracks = (await Promise.all(chosen.map((ghost) => page.ask("replay.telemetry", { path: page.path, ghost: String(ghost) }).catch(() => null))))
    .map((t, n) => ({ ...t?.lines[0], ghost: chosen[n], colour: colours[n % colours.length] })).filter((t) => t.time_s?.length);
  if (!tracks.length) return h("p", { class: "note" }, "No line was recorded.");
  const lines = await makeLines(page, tracks);
  const end = Math.max(...tracks.map((t) => t.time_s.at(-1)));
  const clock = h("output", {}, time(0)), slider = h("input", { type: "range", min: 0, max: end, step: 0.01, value: 0, class: "grow", "aria-label": "Time" });
  const speed = h("select", { "aria-label": "Speed of playback" }, [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]].map(([v, t]) => h("option", { value: v, selected: v === "1" }, t)));
  const now = h("dl", { class: "facts replay-now", "aria-label": "At this moment" });
  let playing = false, before = 0;
  const charts = chartsOf(tracks, (x) => { if (!playing) at(x, false); });
  const play = h("button", { type: "button", onclick: toggle }, "Play");
  function at(t, fromCharts = true) {
    slider.value = t;
    clock.textContent = time(Math.round(t * 1000));
    lines.at(t);
    if (fromCharts) charts.at(t);
    replace(now, tracks.map((track) => {
      const i = sampleAt(track.time_s, t);
      const kmh = (t, k) => t.speed_m_s?.[k] !== undefined && Math.round(t.speed_m_s[k] * 3.6) + " km/h";
      const value = (name, digits = 0) => track[name]?.[i]?.toFixed?.(digits);
      return [h("dt", {}, h("span", { class: "replay-dot", style: { background: track.colour } }), " run " + track.ghost),
        h("dd", {}, [kmh(track, i), value("gear") && "gear " + value("gear"), value("steer", 2) && "steer " + value("steer", 2), value("gas", 1) && "gas " + value("gas", 1), value("brake", 1) && "brake " + value("brake", 1)].filter(Boolean).join(", "))];
    }));
  }
  function toggle() {
    playing = !playing;
    play.textContent = playing ? "Pause" : "Play";
    before = performance.now();
    if (playing) { if (Number(slider.value) >= end) at(0); requestAnimationFrame(step); }
  }
  function step(stamp) {
    if (!playing || page.signal.aborted) return;
    const next = Number(slider.value) + (stamp - before) / 1000 * Number(speed.value);
    before = stamp;
    at(Math.min(end, next));
    if (next >= end) toggle();
    else requestAnimationFrame(step);
  }
  slider.addEventListener("input", () => at(Number(slider.value)));
  const keys = (event) => {
    if (event.key === " " && !event.target.closest("input, button, select, textarea, a, summary")) { event.preventDefault(); toggle(); }
  };
  window.addEventListener("keydown", keys);
  page.signal.addEventListener("abort", () => { window.removeEventListener("keydown", keys); charts.destroy(); lines.destroy(); });
  requestAnimationFrame(() => at(0));
  return [lines.element, h("div", { class: "bar" }, play, speed, slider, clock), now, charts.element];
}

// sampleAt is the last sample not after a time.
export function sampleAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (times[mid] <= t) low = mid; else high = mid - 1;
  }
  return low;
}

// chartsOf draws what the recordings have, over the time of the first.
function chartsOf(tracks, moved) {
  const axis = tracks[0].time_s;
  const on = (track, name) => (track === tracks[0] ? track[name] : axis.map((t) => (t > track.time_s.at(-1) ? null : track[name][sampleAt(track.time_s, t)])));
  const rows = [["speed_m_s", "Speed", "km/h", 3.6], ["steer", "Steering", ""], ["gas", "Gas", ""], ["brake", "Brake", ""], ["gear", "Gear", ""], ["rpm", "Engine", "rpm"]]
    .map(([name, title, unit, by = 1]) => ({ title, unit, height: name === "speed_m_s" ? 150 : 74, series: tracks.filter((t) => t[name]?.some?.((v) => v))
      .map((t) => ({ name: "run " + t.ghost, values: on(t, name).map((v) => v === null ? null : v * by), colour: t.colour })) }))
    .filter((row) => row.series.length);
  return makeCharts({ axis: { title: "time", values: axis }, rows, moved });
}
