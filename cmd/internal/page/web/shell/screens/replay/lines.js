// Driven lines, coloured by a value such as the speed. If the file has its map, the blocks
// of the map are behind the lines: from above, or in three dimensions.

import { h, svg, replace } from "../../lib/dom.js";
import { lightOf, parts } from "../../lib/colours.js";
import { icon } from "../../lib/icons.js";
import { makeScene } from "../../widgets/scene/scene.js";
import { sceneOf } from "../../widgets/scene/build.js";
import { addMap, things } from "../../widgets/scene/map.js";
import { sampleAt } from "./replay.js";

const by = [
  ["speed_m_s", "speed"],
  ["gas", "gas"],
  ["brake", "brake"],
  ["gear", "gear"],
  ["y_m", "height"],
  ["", "run"],
];
const css = (c) => `rgb(${c.map((v) => Math.round(v * 255)).join(" ")})`;

// makeLines shows the lines of runs, coloured at first by the value first. pins are
// positions with a letter: [{text, time}] of the first run.
export async function makeLines(page, tracks, first = by[0][0], pins = []) {
  const scene = page.what.map ? await sceneOf(page, page.path + "/" + page.what.map).catch(() => null) : null;
  const choice = h(
    "select",
    {
      "aria-label": "Colour of the line",
      onchange: () => {
        view.paint(choice.value);
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
        view.follow?.(camera.value);
        view.at(last);
      },
    },
    [
      ["", "Free camera"],
      ["behind", "Follow the run"],
      ["inside", "From the car"],
    ].map(([v, t]) => h("option", { value: v }, t)),
  );
  let view = makePlan(tracks, scene, choice.value, pins),
    last = 0;
  replace(place, view.element);
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
    view.destroy();
    view =
      kind.value === "plan"
        ? makePlan(tracks, scene, choice.value, pins)
        : await makeSpace(tracks, scene, choice.value);
    replace(place, view.element);
    camera.hidden = !view.follow;
    view.ready?.();
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
      view.at(t);
    },
    destroy() {
      view.destroy();
    },
  };
}

// shades are the colours of a run's samples, in sixteen steps.
function shades(track, name) {
  const values = name && track[name];
  if (!values) return null;
  let low = Infinity,
    high = -Infinity;
  for (const v of values) {
    if (v !== null && v < low) low = v;
    if (v !== null && v > high) high = v;
  }
  return values.map((v) => Math.round(((v - low) / Math.max(1e-9, high - low)) * 15));
}

// moment is the time of a run: one for all, or one for each.
const moment = (time, n) => (Array.isArray(time) ? time[n] : time);

// between is the position of a car at a time, interpolated between two samples.
function between(track, t) {
  const i = sampleAt(track.time_s, t),
    k = Math.min(i + 1, track.x_m.length - 1);
  const span = track.time_s[k] - track.time_s[i];
  const part = span > 0 ? Math.max(0, Math.min(1, (t - track.time_s[i]) / span)) : 0;
  return ["x_m", "y_m", "z_m"].map((name) => track[name][i] + (track[name][k] - track[name][i]) * part);
}

// makePlan is the view from above, north up: x grows to the west.
function makePlan(tracks, scene, name, pins) {
  const min = [Infinity, Infinity],
    max = [-Infinity, -Infinity];
  for (const t of tracks) {
    for (let i = 0; i < t.x_m.length; i++) {
      min[0] = Math.min(min[0], -t.x_m[i]);
      max[0] = Math.max(max[0], -t.x_m[i]);
      min[1] = Math.min(min[1], -t.z_m[i]);
      max[1] = Math.max(max[1], -t.z_m[i]);
    }
  }
  const pad = Math.max(40, (max[0] - min[0] + max[1] - min[1]) * 0.06);
  const box = [min[0] - pad, min[1] - pad, max[0] - min[0] + 2 * pad, max[1] - min[1] + 2 * pad];
  const width = Math.max(box[2], box[3]) / 260;
  const paths = svg("g", {});
  const dots = tracks.map((t) =>
    svg("circle", { r: width * 2.2, fill: t.colour, class: "plan-car", "stroke-width": width * 0.6 }),
  );
  const first = tracks[0],
    size = width * 3;
  const marks = pins
    .filter((p) => first && p.time <= first.time_s.at(-1) + 1)
    .map(({ text, time }) => {
      const [x, , z] = between(first, time);
      return svg(
        "g",
        { transform: `translate(${(-x).toFixed(1)} ${(-z).toFixed(1)})` },
        svg("circle", { r: size, class: "plan-pin", "stroke-width": width * 0.5 }),
        svg("text", { class: "plan-pin-text", "font-size": size * 1.15 }, text),
      );
    });
  const element = svg(
    "svg",
    { class: "replay-lines", viewBox: box.join(" "), role: "img", "aria-label": "The driven line from above" },
    scene && plan(scene),
    paths,
    marks,
    dots,
  );

  function stretch(t, from, to, colour) {
    let d = "";
    for (let i = from; i <= to; i++)
      d += (i === from ? "M" : "L") + (-t.x_m[i]).toFixed(1) + " " + (-t.z_m[i]).toFixed(1);
    return svg("path", {
      d,
      fill: "none",
      stroke: colour,
      "stroke-width": width,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    });
  }
  // paint draws runs of samples of a similar colour as one path each.
  function paint(by) {
    paths.replaceChildren();
    for (const t of tracks) {
      const shade = shades(t, by);
      if (!shade) {
        paths.append(stretch(t, 0, t.x_m.length - 1, t.colour));
        continue;
      }
      for (let from = 0; from < shade.length - 1;) {
        let to = from + 1;
        while (to < shade.length - 1 && shade[to] === shade[from]) to++;
        paths.append(stretch(t, from, to, css(speedColour(shade[from] / 15))));
        from = to;
      }
    }
  }
  paint(name);
  return {
    element,
    paint,
    destroy() {},
    at(time) {
      tracks.forEach((t, n) => {
        const [x, , z] = between(t, moment(time, n));
        dots[n].setAttribute("cx", -x);
        dots[n].setAttribute("cy", -z);
      });
    },
  };
}

// speedColour goes from blue over green to yellow, in the colours of tokens.css.
const stops = [0, 1, 2, 3].map((i) => lightOf("--speed-" + i));
function speedColour(t) {
  const at = Math.max(0, Math.min(0.999, t)) * 3,
    i = Math.floor(at);
  return [0, 1, 2].map((k) => stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (at - i));
}

// plan is the map from above: muted blocks, and start, checkpoints and finish, without the
// ground.
function plan(scene) {
  const drawn = new Map();
  for (const b of things(scene.boxes)) {
    if (b.ground || b.surface === "water") continue;
    const look = b.waypoint ? "plan-way-" + b.waypoint : "plan-block";
    const [, qy, , qw] = b.turn,
      angle = 2 * Math.atan2(qy, qw),
      s = Math.sin(angle),
      c = Math.cos(angle);
    const corner = (i, k) => {
      const x = (b.size[0] / 2) * i,
        z = (b.size[2] / 2) * k;
      return (-(b.at[0] + x * c + z * s)).toFixed(1) + " " + (-(b.at[2] - x * s + z * c)).toFixed(1);
    };
    drawn.set(look, (drawn.get(look) || "") + `M${corner(-1, -1)}L${corner(1, -1)}L${corner(1, 1)}L${corner(-1, 1)}Z`);
  }
  return svg(
    "g",
    {},
    [...drawn].map(([look, d]) => svg("path", { d, class: "plan-edge " + look })),
  );
}

// makeSpace is the view in three dimensions.
async function makeSpace(tracks, data, name) {
  const scene = await makeScene({ label: "The driven line in three dimensions" });
  scene.element.classList.add("replay-space");
  if (data) await addMap(scene, data, "surface");
  const min = [Infinity, Infinity, Infinity],
    max = [-Infinity, -Infinity, -Infinity];
  const cars = tracks.map((t, n) => {
    const points = new Float32Array(t.x_m.length * 3);
    for (let i = 0; i < t.x_m.length; i++) {
      const p = [t.x_m[i], t.y_m[i], t.z_m[i]];
      points.set(p, i * 3);
      p.forEach((v, k) => {
        min[k] = Math.min(min[k], v);
        max[k] = Math.max(max[k], v);
      });
    }
    t.points = points;
    return scene.marker("car " + n, t.colour, 3);
  });
  function paint(by) {
    tracks.forEach((t, n) => {
      const shade = shades(t, by),
        own = parts(t.colour);
      const tints = new Float32Array(t.points.length);
      for (let i = 0; i < t.points.length / 3; i++) tints.set(shade ? speedColour(shade[i] / 15) : own, i * 3);
      scene.line("line " + n, t.points, tints);
    });
  }
  paint(name);
  let follows = "";
  return {
    element: scene.element,
    paint,
    destroy: () => scene.destroy(),
    ready: () => scene.look(min, max),
    follow(on) {
      if (follows && !on) scene.look(min, max);
      follows = on;
    },
    at(time) {
      tracks.forEach((t, n) => cars[n](...between(t, moment(time, n))));
      if (follows && tracks.length)
        scene.follow(
          between(tracks[0], moment(time, 0)),
          between(tracks[0], moment(time, 0) + 0.4),
          follows === "inside",
        );
    },
  };
}
