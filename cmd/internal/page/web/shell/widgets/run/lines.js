// Driven lines, coloured by a value such as the speed. If the file has its map, the blocks
// of the map are behind the lines: from above, or in three dimensions.

import { h, replace } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { makeLatest } from "../../lib/latest.js";
import { sceneOf } from "../scene/build.js";
import { makePlan } from "./plan-view.js";
import { makeSpace } from "./space-view.js";

const by = [
  ["speed_m_s", "speed"],
  ["gas", "gas"],
  ["brake", "brake"],
  ["gear", "gear"],
  ["y_m", "height"],
  ["", "run"],
];

// makeLines shows the lines of runs, coloured at first by the value first. pins are
// positions with a letter: [{text, time}] of the first run.
export async function makeLines(page, tracks, first = by[0][0], pins = []) {
  const scene = page.what.map ? await sceneOf(page, page.path + "/" + page.what.map).catch(() => null) : null;
  const choice = h(
    "select",
    {
      "aria-label": "Colour of the line",
      onchange: () => {
        views.current.paint(choice.value);
        tellLegend();
      },
    },
    by
      .filter(([name]) => name === "" || tracks.some((t) => t[name]?.some?.((v) => v !== null)))
      .map(([name, title]) => h("option", { value: name, selected: name === first }, "Line by " + title)),
  );
  const place = h("div", { class: "replay-view" }),
    legend = h("div", { class: "stage-legend" });
  const kind = h(
    "select",
    { "aria-label": "View", onchange: change },
    [
      ["plan", "From above"],
      ["3d", "3D"],
    ].map(([v, t]) => h("option", { value: v }, t)),
  );
  // In three dimensions the camera can follow the first run, or show the driver's view.
  const camera = h(
    "select",
    {
      "aria-label": "Camera",
      hidden: true,
      onchange: () => {
        views.current.follow?.(camera.value);
        views.current.at(last);
      },
    },
    [
      ["", "Free camera"],
      ["behind", "Follow the run"],
      ["inside", "From the car"],
    ].map(([v, t]) => h("option", { value: v }, t)),
  );
  let last = 0;
  const flat = () => makePlan(tracks, scene, choice.value, pins);
  const views = makeLatest(flat());
  replace(place, views.current.element);
  function tellLegend() {
    const fastest = Math.max(0, ...tracks.map((t) => Math.max(0, ...(t.speed_m_s || [0]))));
    replace(
      legend,
      choice.value === "speed_m_s" &&
        fastest > 0 && [h("span", {}, "0"), h("i", {}), h("span", {}, Math.round(fastest * 3.6) + " km/h")],
    );
  }
  tellLegend();
  async function change() {
    const view = await views.change(kind.value === "plan" ? flat : () => makeSpace(tracks, scene, choice.value));
    if (!view) return;
    replace(place, view.element);
    camera.hidden = !view.follow;
    view.ready?.();
    view.paint(choice.value);
    view.follow?.(camera.value);
    view.at(last);
  }
  const whole = h(
    "button",
    {
      type: "button",
      "aria-label": "Full screen",
      onclick: () => {
        if (document.fullscreenElement) document.exitFullscreen();
        else stage.requestFullscreen?.();
      },
    },
    icon("whole", 16),
  );
  const stage = h(
    "div",
    { class: "replay-stage" },
    place,
    h(
      "div",
      { class: "stage-tools" },
      kind,
      choice,
      camera,
      scene && h("span", { class: "stage-note" }, "The map is schematic"),
      whole,
    ),
    legend,
  );
  return {
    element: stage,
    at(t) {
      last = t;
      views.current.at(t);
    },
    destroy() {
      views.destroy();
    },
  };
}
