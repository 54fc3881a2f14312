// Driven lines in three dimensions, with the blocks of the map.

import { parts } from "../../lib/colours.js";
import { makeScene } from "../scene/scene.js";
import { addMap } from "../scene/map.js";
import { between, moment, shades, speedColour } from "./samples.js";

// makeSpace is the view in three dimensions.
export async function makeSpace(tracks, data, name) {
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
