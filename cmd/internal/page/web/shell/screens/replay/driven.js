// The driven lines of the chosen runs, with charts of their values and the playback.

import { h } from "../../lib/dom.js";
import { time } from "../../lib/format.js";
import { colours } from "../../lib/colours.js";
import { makeLanes } from "../../widgets/lanes/lanes.js";
import { makeLines } from "../../widgets/run/lines.js";
import { sampleAt } from "../../widgets/run/samples.js";
import { splits } from "./tables.js";
import { makePlayback } from "../../widgets/run/playback.js";

// driven shows the lines of the chosen runs, with charts of their values.
export async function driven(page, info, chosen) {
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
    memory: page.memory,
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
  requestAnimationFrame(() => at(page.memory.time ?? 0));
  return [lines.element, h("div", { class: "sheet replay-lanes" }, element, lanes.element)];
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
