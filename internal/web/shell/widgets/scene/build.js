// What stands on a map, as pakbox tells it, and the shapes that a worker builds.

import { h } from "../../lib/dom.js";
import { surfaceTints } from "./map.js";

let worker = null, last = 0;
const waiting = new Map();

function post(message) {
  if (!worker) {
    worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => { waiting.get(data.id)?.(data); waiting.delete(data.id); });
  }
  const id = ++last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, ...message });
  });
}

// sceneOf asks for a map. A row of the answer points to lists; here each is a thing
// with words.
export async function sceneOf(page, path) {
  const data = await page.ask("map.scene", { path });
  const thing = ([name, index, surface, waypoint, color, size, turn, x, y, z, ground]) => ({
    name: data.names[name], index, surface: data.surfaces[surface], waypoint: data.waypoints[waypoint], color, size: data.sizes[size], turn: data.turns[turn], at: [x, y, z], ground: ground === 1,
  });
  return { ...data, boxes: data.boxes.map(thing), items: data.items.map(thing) };
}

// columns are boxes as numbers.
function columns(list) {
  const n = list.length, at = new Float32Array(3 * n), size = new Float32Array(3 * n), turn = new Float32Array(4 * n);
  list.forEach((b, i) => { at.set(b.at, 3 * i); size.set(b.size, 3 * i); turn.set(b.turn, 4 * i); });
  return { n, at, size, turn };
}

// build has the worker make the shape of boxes in such tints: {fine, rough}.
export function build(list, tints) {
  return post({ boxes: columns(list), tints });
}

// pictureOf is a picture of a map from above and one side.
export async function pictureOf(page, path) {
  const data = await sceneOf(page, path), list = data.boxes.filter((b) => b.surface !== "water");
  const canvas = h("canvas", { width: 800, height: 720, role: "img", "aria-label": "The blocks of the map in three dimensions" });
  if (!list.length) return h("p", {}, "There are no blocks to draw.");
  const look = getComputedStyle(document.documentElement);
  const { bitmap } = await post({ boxes: columns(list), tints: surfaceTints(list, data), picture: { width: 800, height: 720, colours: { ground: look.getPropertyValue("--stage").trim() } } });
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
  return canvas;
}
