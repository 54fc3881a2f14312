// Driven lines from above, coloured by what the car does, over the map's plan if
// the file has its map.

import { h, svg, replace } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import { ramp } from "../scene/scene.js";
import { sampleAt } from "./replay.js";

const by = [["speed_m_s", "speed"], ["gas", "gas"], ["brake", "brake"], ["gear", "gear"], ["y_m", "height"], ["", "run"]];

export async function makeLines(page, tracks) {
  const min = [Infinity, Infinity], max = [-Infinity, -Infinity];
  for (const t of tracks) {
    for (let i = 0; i < t.x_m.length; i++) {
      min[0] = Math.min(min[0], t.x_m[i]); max[0] = Math.max(max[0], t.x_m[i]);
      min[1] = Math.min(min[1], t.z_m[i]); max[1] = Math.max(max[1], t.z_m[i]);
    }
  }
  const pad = Math.max(20, (max[0] - min[0] + max[1] - min[1]) * 0.04);
  const box = [min[0] - pad, min[1] - pad, max[0] - min[0] + 2 * pad, max[1] - min[1] + 2 * pad];
  const width = Math.max(box[2], box[3]) / 220;
  const ground = svg("g", {}), paths = svg("g", {}), cars = svg("g", {});
  const picture = svg("svg", { class: "replay-lines", viewBox: box.join(" "), role: "img", "aria-label": "The driven line from above" }, ground, paths, cars);
  const choice = h("select", { "aria-label": "Colour of the line", onchange: () => paint(choice.value) },
    by.filter(([name]) => name === "" || tracks.some((t) => t[name]?.length)).map(([name, title]) => h("option", { value: name }, "Line by " + title)));
  const dots = tracks.map((t) => cars.appendChild(svg("circle", { r: width * 2.2, fill: t.colour, stroke: "#fff", "stroke-width": width * 0.5 })));

  // paint draws runs of samples of like colour as one path each.
  function paint(name) {
    paths.replaceChildren();
    for (const t of tracks) {
      const values = name && t[name];
      if (!values) { paths.append(stretch(t, 0, t.x_m.length - 1, t.colour)); continue; }
      let low = Infinity, high = -Infinity;
      for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
      const shade = (v) => Math.round((v - low) / Math.max(1e-9, high - low) * 15);
      for (let from = 0; from < values.length - 1;) {
        let to = from + 1;
        while (to < values.length - 1 && shade(values[to]) === shade(values[from])) to++;
        paths.append(stretch(t, from, to, css(ramp(shade(values[from]) / 15))));
        from = to;
      }
    }
  }
  function stretch(t, from, to, colour) {
    let d = "";
    for (let i = from; i <= to; i++) d += (i === from ? "M" : "L") + t.x_m[i].toFixed(1) + " " + t.z_m[i].toFixed(1);
    return svg("path", { d, fill: "none", stroke: colour, "stroke-width": width, "stroke-linejoin": "round", "stroke-linecap": "round" });
  }
  const css = (c) => `rgb(${c.map((v) => Math.round(v * 255)).join(" ")})`;
  paint(choice.value);

  const plan = page.what.map && await page.ask("map.plan", { path: page.path + "/" + page.what.map }).catch(() => null);
  let source;
  if (plan) {
    source = URL.createObjectURL(await blob("map.picture", { path: page.path + "/" + page.what.map, plain: "true" }, "image/svg+xml", { signal: page.signal }));
    ground.append(svg("image", { href: source, x: plan.min[0], y: plan.min[1], width: plan.max[0] - plan.min[0], height: plan.max[1] - plan.min[1], preserveAspectRatio: "none", opacity: 0.75 }));
  }
  const element = h("div", {}, h("div", { class: "bar" }, choice), picture);
  return {
    element,
    at(t) {
      tracks.forEach((track, n) => {
        const i = sampleAt(track.time_s, t), k = Math.min(i + 1, track.x_m.length - 1);
        const span = track.time_s[k] - track.time_s[i];
        const part = span > 0 ? Math.max(0, Math.min(1, (t - track.time_s[i]) / span)) : 0;
        dots[n].setAttribute("cx", track.x_m[i] + (track.x_m[k] - track.x_m[i]) * part);
        dots[n].setAttribute("cy", track.z_m[i] + (track.z_m[k] - track.z_m[i]) * part);
      });
    },
    destroy() { if (source) URL.revokeObjectURL(source); replace(element); },
  };
}
