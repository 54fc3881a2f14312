// A replay or ghost: the driver, the line over the map, charts along the time, splits,
// inputs, and the verdicts of `replay check`.

import { h, replace, styles } from "../../lib/dom.js";
import { blob, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { time, count, spans } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { colours } from "../../lib/colours.js";
import { icon } from "../../lib/icons.js";
import { makeLanes } from "../../widgets/lanes/lanes.js";
import { makeLines } from "./lines.js";
import { sampleAt } from "./samples.js";

await styles(new URL("./replay.css", import.meta.url));

export async function show(page) {
  const { path } = page;
  page.command("pakbox replay info " + page.what.shell_path);
  const [info, { parquet }, map] = await Promise.all([
    page.ask("replay.info", { path }),
    page.ask("home"),
    page.what.map ? page.ask("what", { path: path + "/" + page.what.map }).catch(() => null) : null,
  ]);
  if (info.ghosts.length) info.nick_spans = (await page.ask("spans", { text: info.ghosts.map((g) => g.nick) })).spans;
  const chosen = (page.query.ghosts || "0")
    .split(",")
    .map(Number)
    .filter((i) => info.ghosts[i]);
  const verdicts = h("section", { class: "sheet", "aria-label": "Is it genuine?" }),
    inputs = h("div", {}),
    middle = h("div", { class: "replay-middle" });
  page.actions(
    saveLink("Save picture", "replay.picture", { path, ghost: chosen[0] ?? 0 }, "run.png", "button"),
    h("a", { class: "button main", href: address.of(path, { tab: "compare" }) }, "Compare with…"),
  );
  replace(
    page.target,
    h(
      "div",
      { class: "with-aside" },
      middle,
      h(
        "div",
        {},
        heading(page, info, map, chosen[0] ?? 0),
        info.ghosts.length > 1 &&
          h(
            "section",
            { class: "sheet", "aria-label": "Runs" },
            h("h2", {}, "Runs", h("span", { class: "aside-note" }, info.ghosts.length)),
            runs(page, info, chosen),
          ),
        chosen.length > 0 && splits(info.ghosts, chosen),
        verdicts,
        h(
          "section",
          { class: "sheet", "aria-label": "About the file" },
          h(
            "details",
            {},
            h("summary", {}, "All facts, inputs, telemetry"),
            makeCard(page.what.card, { without: ["time", "race_time", "nick", "map_name"] }),
            inputs,
            h(
              "p",
              {},
              "Save telemetry: ",
              ["csv", "npy", parquet && "parquet"]
                .filter(Boolean)
                .map((kind) => [
                  saveLink(kind, "replay.telemetry.file", { path, ghost: chosen[0] ?? 0, kind }, "telemetry." + kind),
                  " ",
                ]),
            ),
          ),
        ),
      ),
    ),
  );
  const first = info.ghosts[chosen[0] ?? 0];
  if (first) page.status(`${count(first.sample_count, "sample")}, ${count(first.input_count, "input")}`);
  await Promise.all([
    part(page, verdicts, async () => verdictsOf(await page.ask("replay.check", { path }))),
    part(page, inputs, async () => inputsOf(await page.ask("replay.inputs", { path }), chosen[0] ?? 0)),
    part(page, middle, async () => driven(page, info, chosen)),
  ]);
}

// heading has the driver, the time and the map.
function heading({ what: { facts, card, title }, path, what }, info, map, n) {
  const line = (list, name) => list.find((l) => l.name === name);
  const painted = (list, name) => {
    const l = line(list, name);
    return l && (l.spans ? spans(l.spans) : l.text);
  };
  const ghost = info.ghosts[n],
    driven = facts.time ?? facts.race_time ?? ghost?.race_time,
    medals = map?.facts?.medals;
  const medal =
    driven && medals && ["author", "gold", "silver", "bronze"].find((m) => medals[m] > 0 && driven <= medals[m]);
  const says = [
    facts.login ?? ghost?.login,
    ghost?.car,
    ghost?.respawns === 0 ? "no respawns" : ghost?.respawns && count(ghost.respawns, "respawn"),
  ]
    .filter(Boolean)
    .join(", ");
  const where = painted(map?.card || [], "name") || painted(card, "map_name") || facts.map_uid;
  const image = h("img", { alt: "", hidden: true });
  if (map?.thumbnail)
    blob("thumbnail", { path: path + "/" + what.map }, "image/jpeg")
      .then((b) => {
        image.src = URL.createObjectURL(b);
        image.hidden = false;
      })
      .catch(() => {});
  return h(
    "header",
    { class: "sheet replay-who" },
    h(
      "h1",
      {},
      painted(card, "nick") ||
        (info.nick_spans?.[n] && spans(info.nick_spans[n])) ||
        facts.login ||
        ghost?.login ||
        title,
    ),
    says && h("p", { class: "note" }, says),
    driven !== null && driven !== undefined && h("p", { class: "replay-time" }, time(driven)),
    medal &&
      h(
        "p",
        {},
        h("span", { class: "medal medal-" + medal }),
        medal[0].toUpperCase() + medal.slice(1) + " medal, ",
        h("b", { class: "good" }, "−" + ((medals[medal] - driven) / 1000).toFixed(3)),
        h("span", { class: "note" }, " to " + time(medals[medal])),
      ),
    where &&
      h(
        what.map ? "a" : "div",
        { class: "replay-map", href: what.map ? address.of(path + "/" + what.map) : null },
        image,
        h(
          "span",
          {},
          h("b", {}, where),
          h(
            "span",
            { class: "note" },
            [
              map?.facts?.author_login ?? facts.map_author,
              map?.facts?.collection_name ?? facts.collection_name ?? facts.collection,
              map?.facts?.mood ?? facts.game,
              what.map && "inside this file",
            ]
              .filter(Boolean)
              .join(", "),
          ),
        ),
      ),
  );
}

async function part(page, target, make) {
  try {
    replace(target, await make());
  } catch (error) {
    if (!page.signal.aborted) replace(target, h("p", { class: "note" }, error.message));
  }
}

function runs(page, info, chosen) {
  return h(
    "div",
    { class: "replay-runs" },
    h(
      "table",
      { class: "plain" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [h("span", { class: "unseen" }, "Shown"), "Time", "Driver", "Respawns", "Recorded"].map((t) =>
            h("th", { scope: "col" }, t),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        info.ghosts.map((g, i) =>
          h(
            "tr",
            {},
            h(
              "td",
              {},
              h("input", {
                type: "checkbox",
                checked: chosen.includes(i),
                "aria-label": "Show run " + i,
                onchange: (event) => {
                  const set = new Set(chosen);
                  if (event.target.checked) set.add(i);
                  else set.delete(i);
                  address.change({ ghosts: [...set].sort((x, y) => x - y).join(",") || "0" });
                },
              }),
              h("span", { class: "replay-dot", style: { background: colours[chosen.indexOf(i)] || "transparent" } }),
            ),
            h("td", { class: "number" }, time(g.race_time)),
            h("td", {}, info.nick_spans?.[i] ? spans(info.nick_spans[i]) : g.nick || g.login),
            h("td", { class: "number" }, g.respawns ?? ""),
            h("td", {}, count(g.sample_count, "sample") + ", " + count(g.input_count, "input")),
          ),
        ),
      ),
    ),
  );
}

// splits are the times at checkpoints: of one run with its sectors, of several with
// the difference to the first.
function splits(ghosts, chosen) {
  const most = Math.max(0, ...chosen.map((i) => ghosts[i].checkpoints.length)),
    first = ghosts[chosen[0]].checkpoints;
  if (!most) return null;
  const alone = chosen.length === 1,
    place = (k) => (k === most - 1 ? "Finish" : "Checkpoint " + (k + 1));
  const seconds = (ms) => (ms === null || ms === undefined || Number.isNaN(ms) ? "" : (ms / 1000).toFixed(3));
  return h(
    "section",
    { class: "sheet", "aria-label": "Splits" },
    h("h2", {}, "Splits"),
    h(
      "div",
      { class: "replay-rest", tabindex: "0", role: "region", "aria-label": "Times at the checkpoints" },
      h(
        "table",
        { class: "splits" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Place"),
            alone
              ? [h("th", { scope: "col" }, "Time"), h("th", { scope: "col" }, "Sector")]
              : chosen.map((i) => h("th", { scope: "col" }, "run " + i)),
          ),
        ),
        h(
          "tbody",
          {},
          Array.from({ length: most }, (_, k) =>
            h(
              "tr",
              {},
              h("td", {}, place(k)),
              alone
                ? [
                    h("td", {}, time(first[k])),
                    h("td", { class: "second" }, seconds(first[k] - (k ? first[k - 1] : 0))),
                  ]
                : chosen.map((i, n) => {
                    const t = ghosts[i].checkpoints[k];
                    const by =
                      n > 0 && t !== null && t !== undefined && first[k] !== null && first[k] !== undefined
                        ? t - first[k]
                        : null;
                    return h(
                      "td",
                      {},
                      time(t),
                      by !== null &&
                        h(
                          "span",
                          { class: by <= 0 ? "good" : "bad" },
                          ` ${by > 0 ? "+" : "−"}${(Math.abs(by) / 1000).toFixed(3)}`,
                        ),
                    );
                  }),
            ),
          ),
        ),
      ),
    ),
  );
}

const verdictLooks = { ok: ["good", "check"], suspect: ["bad", "warning"], unknown: ["note", "unknown"] };

function verdictsOf(answer) {
  const all = (answer.verdicts ?? []).concat(
    answer.ghosts.flatMap((g) => g.verdicts.map((v) => ({ ...v, ghost: g.ghost }))),
  );
  const known = all.filter((v) => v.state !== "unknown"),
    bad = all.filter((v) => v.state === "suspect"),
    good = all.filter((v) => v.state === "ok");
  const row = (v) => {
    const [look, drawing] = verdictLooks[v.state] || ["warning", "warning"];
    return h(
      "li",
      {},
      h("span", { class: look }, icon(drawing, 16)),
      h("span", { title: v.question }, v.detail[0].toUpperCase() + v.detail.slice(1)),
    );
  };
  const shown = [...bad, ...good].slice(0, 4),
    rest = all.filter((v) => !shown.includes(v));
  return [
    h(
      "h2",
      {},
      h("span", { class: answer.suspect ? "bad" : "good" }, icon(answer.suspect ? "warning" : "check", 16)),
      " ",
      answer.suspect ? "Inconsistencies found" : "No inconsistencies found",
      h("span", { class: "aside-note" }, `${good.length} of ${known.length}`),
    ),
    h("ul", { class: "replay-verdicts" }, shown.map(row)),
    rest.length > 0 &&
      h(
        "details",
        {},
        h("summary", { class: "note" }, count(rest.length, "more question")),
        h("ul", { class: "replay-verdicts" }, rest.map(row)),
      ),
    h("p", { class: "note" }, "A check of the file, not a proof of the drive."),
  ];
}

function inputsOf(answer, ghost) {
  const list = answer.ghosts.find((g) => g.ghost === ghost)?.inputs || [];
  if (!list.length) return h("p", { class: "note" }, "None are stored.");
  return h(
    "details",
    {},
    h("summary", {}, count(list.length, "input")),
    h(
      "div",
      { class: "replay-inputs", tabindex: "0", role: "region", "aria-label": "Inputs" },
      h(
        "table",
        { class: "plain" },
        h(
          "tbody",
          {},
          list
            .slice(0, 2000)
            .map((i) =>
              h(
                "tr",
                {},
                h("td", { class: "number" }, time(i.time)),
                h("td", {}, i.name),
                h("td", { class: "number" }, i.value),
              ),
            ),
        ),
      ),
    ),
  );
}

// driven shows the lines of the chosen runs, with charts of their values.
async function driven(page, info, chosen) {
  const tracks = (
    await Promise.all(
      chosen.map((ghost) => page.ask("replay.telemetry", { path: page.path, ghost: String(ghost) }).catch(() => null)),
    )
  )
    .map((t, n) => ({ ...t?.lines[0], ghost: chosen[n], colour: colours[n % colours.length] }))
    .filter((t) => t.time_s?.length);
  if (!tracks.length) return h("p", { class: "sheet note" }, "No line was recorded.");
  const ghost = info.ghosts[tracks[0].ghost],
    last = Math.max(...tracks.map((t) => t.time_s.at(-1))),
    splits = ghost.checkpoints.filter((t) => t > 0);
  const marks = splits.map((t, k) => ({ x: t / 1000, label: k === splits.length - 1 ? "Finish" : "CP " + (k + 1) }));
  const pins = [
    { text: "S", time: tracks[0].time_s[0] },
    ...splits.map((t, k) => ({ text: k === splits.length - 1 ? "F" : String(k + 1), time: t / 1000 })),
  ];
  const lines = await makeLines(page, tracks, tracks.length > 1 ? "" : "speed_m_s", pins.length <= 60 ? pins : []);
  const end = tracks.length === 1 && marks.length ? Math.min(last, marks.at(-1).x) : last;
  const { element, at, destroy } = makePlayback({
    end,
    signal: page.signal,
    moved: (t) => {
      lines.at(t);
      lanes.at(t);
    },
  });
  const lanes = lanesOf(tracks, end, marks, at);
  page.signal.addEventListener("abort", () => {
    destroy();
    lines.destroy();
  });
  requestAnimationFrame(() => at(0));
  return [lines.element, h("div", { class: "sheet replay-lanes" }, element, lanes.element)];
}

// makePlayback is the playback bar: a button, the time, a slider, and the speed. moved
// is called for each moment.
export function makePlayback({ end, signal, moved, what = "" }) {
  const clock = h("output", {}, time(0)),
    slider = h("input", { type: "range", min: 0, max: end, step: 0.01, value: 0, "aria-label": "Time" });
  const play = h("button", { type: "button", class: "round", "aria-label": "Play", onclick: toggle }, icon("play", 16));
  let playing = false,
    before = 0,
    speed = 1;
  const speeds = h(
    "div",
    { class: "choice", role: "group", "aria-label": "Speed of playback" },
    [
      [0.5, "½×"],
      [1, "1×"],
      [2, "2×"],
      [4, "4×"],
    ].map(([v, t]) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(v === 1),
          onclick: (event) => {
            speed = v;
            for (const b of speeds.children) b.setAttribute("aria-pressed", String(b === event.target));
          },
        },
        t,
      ),
    ),
  );
  function at(t) {
    slider.value = t;
    clock.textContent = time(Math.round(t * 1000));
    moved(t);
  }
  function toggle() {
    playing = !playing;
    replace(play, icon(playing ? "pause" : "play", 16));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    before = performance.now();
    if (playing) {
      if (Number(slider.value) >= end) at(0);
      requestAnimationFrame(step);
    }
  }
  function step(stamp) {
    if (!playing || signal.aborted) return;
    const next = Number(slider.value) + (Math.max(0, stamp - before) / 1000) * speed;
    before = stamp;
    at(Math.min(end, next));
    if (next >= end) toggle();
    else requestAnimationFrame(step);
  }
  slider.addEventListener("input", () => at(Number(slider.value)));
  const keys = (event) => {
    if (event.key === " " && !event.target.closest("input, button, select, textarea, a, summary")) {
      event.preventDefault();
      toggle();
    }
  };
  window.addEventListener("keydown", keys);
  return {
    element: h(
      "div",
      { class: "playback" },
      play,
      clock,
      h("span", { class: "note" }, what || "/ " + time(Math.round(end * 1000))),
      slider,
      speeds,
    ),
    at,
    destroy: () => window.removeEventListener("keydown", keys),
  };
}

// lanesOf draws the recorded values over the time of the first run.
function lanesOf(tracks, end, marks, moved) {
  const axis = tracks[0].time_s,
    alone = tracks.length === 1,
    ink = getComputedStyle(document.documentElement).getPropertyValue("--accent");
  const on = (track, name) =>
    track === tracks[0]
      ? track[name]
      : axis.map((t) => (t > track.time_s.at(-1) ? null : track[name][sampleAt(track.time_s, t)]));
  const has = (name) => tracks.filter((t) => t[name]?.some?.((v) => v));
  const lane = (name, label, by, value, rest) => {
    const series = has(name).map((t) => ({
      values: on(t, name).map((v) => (v === null ? null : v * by)),
      colour: alone ? ink : t.colour,
    }));
    return series.length > 0 && { label, series, value: (i) => value(series[0].values[i]), ...rest };
  };
  const pressed = (v) => (v > 0.05 ? "on" : "off"),
    side = (v) => (Math.abs(v) < 0.005 ? "straight" : `${Math.round(Math.abs(v) * 100)} % ${v < 0 ? "left" : "right"}`);
  const lanes = [
    lane("speed_m_s", "Speed, km/h", 3.6, (v) => Math.round(v), { height: 110, zero: true }),
    lane("steer", "Steer", 1, side, { height: 44, zero: true }),
    lane("gas", "Gas", 1, pressed, { kind: "bar", look: "lane-gas" }),
    lane("brake", "Brake", 1, pressed, { kind: "bar", look: "lane-brake" }),
    lane("gear", "Gear", 1, (v) => Math.round(v), { height: 30, zero: true }),
  ].filter(Boolean);
  return makeLanes({
    axis: { values: axis, from: 0, to: end, unit: "s" },
    lanes,
    marks,
    moved,
    label: "Speed, steering, gas and brake over time",
  });
}
