// The playback bar: a button, the time, a slider, and the speed.

import { h, replace, styles } from "../../lib/dom.js";
import { time } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";

await styles(new URL("./run.css", import.meta.url));

// makePlayback is the playback bar: a button, the time, a slider, and the speed. moved
// is called for each moment.
export function makePlayback({ end, signal, memory, moved, what = "" }) {
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
    memory.time = t;
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
