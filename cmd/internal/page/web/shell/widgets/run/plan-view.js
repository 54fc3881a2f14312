// Driven lines from above, over the blocks of the map.

import { svg } from "../../lib/dom.js";
import { things } from "../scene/map.js";
import { between, moment, shades, speedColour } from "./samples.js";

const css = (c) => `rgb(${c.map((v) => Math.round(v * 255)).join(" ")})`;

// makePlan is the view from above, north up: x grows to the west.
export function makePlan(tracks, scene, name, pins) {
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
