// The boxes and items of a map, from pakbox, and the shapes that a worker builds of them.

import { h } from "../../lib/dom.js";
import { only, pictureTints } from "./map.js";

let worker = null,
  last = 0;
const waiting = new Map(); // the handlers of the answers of the worker

function start() {
  if (worker) return;
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => waiting.get(data.id)?.(data));
}

// post sends the worker a job. It passes all messages of the worker to took, until took
// returns true.
function post(message, took) {
  start();
  const id = ++last;
  waiting.set(id, (answer) => {
    if (took(answer)) waiting.delete(id);
  });
  worker.postMessage({ id, ...message });
}

// numbers are the bytes of a column as numbers of a type.
function numbers(text, Type) {
  const data = Uint8Array.fromBase64
    ? Uint8Array.fromBase64(text)
    : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Type(data.buffer);
}

// sceneOf asks for a map. Its boxes and items are columns: {n, kinds, kind, index, at,
// sizes, turn, turns}; kind and turn are indices of the lists kinds and turns.
export async function sceneOf(page, path) {
  start(); // it loads its script meanwhile
  const data = await page.ask("map.scene", { path });
  const sizes = new Float32Array(data.kinds.flatMap((k) => k.size)),
    turns = numbers(data.turns, Float32Array);
  const list = ({ kind, index, turn, at }) => ({
    kinds: data.kinds,
    sizes,
    turns,
    kind: numbers(kind, Uint32Array),
    index: numbers(index, Uint32Array),
    turn: numbers(turn, Uint32Array),
    at: numbers(at, Float32Array),
  });
  const counted = (l) => ({ n: l.kind.length, ...l });
  return { ...data, boxes: counted(list(data.boxes)), items: counted(list(data.items)) };
}

// columns are boxes in the form for the worker.
const columns = ({ n, at, kind, sizes, turn, turns }) => ({ n, at, kind, sizes, turn, turns });

// build makes the worker build the shape of boxes with these tints. For many boxes a rough
// shape comes first; show(shape, rough) is called for each.
export function build(list, tints, show) {
  return new Promise((resolve) =>
    post({ boxes: columns(list), tints }, ({ shape, rough }) => {
      show(shape, rough);
      resolve();
      return !rough;
    }),
  );
}

// pictureOf is a picture of a map from above and one side.
export async function pictureOf(page, path) {
  const data = await sceneOf(page, path),
    list = only([data.boxes], (kind) => kind.surface !== "water");
  const canvas = h("canvas", {
    width: 800,
    height: 720,
    role: "img",
    "aria-label": "The blocks of the map in three dimensions",
  });
  if (!list.n) return h("p", {}, "The map has only blocks that cannot be drawn.");
  const look = getComputedStyle(document.documentElement);
  const picture = { width: 800, height: 720, colours: { ground: look.getPropertyValue("--stage").trim() } };
  const bitmap = await new Promise((resolve) =>
    post({ boxes: columns(list), tints: pictureTints(list, data), picture }, (answer) => {
      resolve(answer.bitmap);
      return true;
    }),
  );
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
  return canvas;
}
